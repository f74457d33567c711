"""Ambagibus: what viewers see, resampling, what is typed and chosen."""

from random import Random

import pytest

from games import GAMES
from games.ambagibus import Passage
from games.ambagibus.actions import Play, Shuffle
from games.ambagibus.components import DECK
from games.ambagibus.state import new_match
from games.core import CHANCE, IllegalAction, InvalidAction
from tests.games.ambagibus.positions import position
from tests.games.lines import paths, play
from tests.games.material import material

GAME = GAMES["ambagibus"]


def test_the_observation_lists_open_passages_with_priority_owner_and_where_they_lead() -> None:
    view = position("0:0120 1:0301", "1000", "").observation(None)
    assert view.passages == (Passage((0, 0), "S", 2, 0, (0, -1)), Passage((1, 0), "E", 3, 1, (2, 0)))


def test_the_observation_marks_the_cell_that_was_changed() -> None:
    state = position("0:0100 . 1:1000", "1000", "")
    assert state.observation(None).last_cell is None
    view = play(state, "0 0001@1,0").observation(0)
    assert (view.last, view.last_cell) == ((0, Play("0001", (1, 0))), (1, 0))


def test_decks_are_shown_after_the_match_only() -> None:
    state = position("0:0100", "1000", "", decks=("bomb", "cave"))
    assert state.observation(0).decks is None
    state = play(state, "0 0001@1,0")
    assert state.observation(None).decks == (("bomb",), ("cave",))
    assert state.resample_from_infostate(0, Random(1)) == state


def test_a_shuffle_is_told_with_the_cards_only_that_it_turns_up() -> None:
    def told(variant: str) -> list[str]:
        state = new_match(2, {"variant": variant})
        lines = []
        for again in (False, True):
            decks = [list(reversed(cards.deck)) for cards in state.cards]
            decks[0].sort(key="4321".__ne__ if again else "1234".__ne__)
            drawn = state.sample_chance(Random(1))
            assert isinstance(drawn, Shuffle)
            assert drawn.again == again
            action = drawn._replace(decks=tuple(map(tuple, decks)))
            state = state.apply_action(CHANCE, action)
            lines.append(state.line_for(0, CHANCE, action).replace(",?", ""))
        return lines

    assert told("basic") == ["decks 1234/cave", "reshuffle ?/cave"]
    assert told("advanced") == ["decks 1234/cave", "reshuffle cave,cave,bomb/cave,cave,bomb"]


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_resampling_shuffles_decks_but_for_the_cards_put_at_the_bottom(viewer: int | None) -> None:
    decks = (" ".join(DECK), " ".join(DECK[5:25]))
    state = position("0:0100", "1000", "", decks=decks, known=(3, 0))
    drawn = state.resample_from_infostate(viewer, Random(1))
    assert drawn.observation(viewer) == state.observation(viewer)
    assert drawn.cards[0].deck[-3:] == DECK[-3:]
    assert drawn.cards[0].deck != state.cards[0].deck
    assert material(drawn) == material(state)
    assert drawn.resample_from_infostate(viewer, Random(2)).resample_from_infostate(viewer, Random(1)) == drawn


def test_cards_at_the_bottom_stay_known_until_they_are_drawn() -> None:
    state = position("1:0100 . 1:0002", "1000", "", decks=("2000", "3000 4000 1020"))
    state = play(state, "0 bury 1000", "1 bury 3000", "0 bury 2000")
    assert state.observation(None).bottoms == (("1000", "2000"), ("3000",))
    state = play(state, "1 bury 4000")
    assert state.observation(None).rows == (("1000",), ())
    assert state.observation(None).bottoms == (("2000",), ("3000", "4000"))


def test_nobody_knows_the_order_before_and_between_the_shuffles_either() -> None:
    state = GAME.new_initial_state(2)
    for _ in range(2):
        first = state.sample_chance(Random(1))
        assert state.resample_from_infostate(None, Random(5)).sample_chance(Random(1)) == first
        state = state.apply_action(CHANCE, first)


TYPED = position("0:0400 . . 1:1000", "1200", "")


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("0012@1,0", "0012@1,0"),
        ("lay 0012 at 1, 0", "0012@1,0"),
        ("0012 (1,0)", "0012@1,0"),
        ("Place the 2001 on 1,0", "2001@1,0"),
    ],
)
def test_typed_plays_are_read_leniently(typed: str, text: str) -> None:
    assert TYPED.action_to_string(TYPED.parse_action(0, typed)) == text


def test_a_card_may_be_typed_in_any_rotation_where_only_one_fits() -> None:
    one_way = position("0:0400 . . 1:1000", "1000", "")
    assert one_way.action_to_string(one_way.parse_action(0, "1000 at 1,0")) == "0001@1,0"
    two_ways = position("0:0100 . 1:0002", "1230", "")
    with pytest.raises(IllegalAction, match="A3: At 1,0 a card needs"):
        two_ways.parse_action(0, "1230@1,0")


@pytest.mark.parametrize("typed", ["bury bomb", "Bury", "bury the bomb", "discard bomb"])
def test_burying_is_read_leniently(typed: str) -> None:
    state = position("1:0100", "bomb", "")
    assert state.action_to_string(state.parse_action(0, typed)) == "bury bomb"


def test_special_cards_and_passes_are_read_leniently() -> None:
    state = position("0:0100 . 1:1000", "cave bomb", "", variant="advanced")
    for typed, text in (("Cave-in 0,0", "cave@0,0"), ("bomb at (0,0)", "bomb@0,0"), ("play cavein @ 0,0", "cave@0,0")):
        assert state.action_to_string(state.parse_action(0, typed)) == text
    nothing_left = position("0:0100", "", "", decks=("", "1020"))
    assert nothing_left.action_to_string(nothing_left.parse_action(0, "skip")) == "pass"
    for typed in ("", "1020", "9999@0,0", "1020@0", "bury", "hello"):
        with pytest.raises(InvalidAction):
            state.parse_action(0, typed)


def test_a_tunnel_card_is_chosen_then_its_place_then_how_it_is_turned() -> None:
    state = position("0:0100 . 1:1000", "1200 bomb", "", variant="advanced")
    assert paths(state) == {
        "0012@1,0": ("1200", "1,0", "0012"),
        "2001@1,0": ("1200", "1,0", "2001"),
        "bomb@0,0": ("bomb", "0,0"),
    }
    card, place, turned = state.choices(state.string_to_action(0, "0012@1,0"))
    assert card.label == "Corner I-II"
    assert (place.label, place.place) == ("1,0, on your own I", "1,0")
    assert turned.label == "I down, II left"
    _, target = state.choices(state.string_to_action(0, "bomb@0,0"))
    assert target.label == "0,0, on your Dead end I"


def test_burying_and_passing_are_choices_too() -> None:
    assert paths(position("1:0100", "bomb", "")) == {"bury bomb": ("bomb", "bury")}
    assert paths(position("1:0100", "", "")) == {"pass": ("pass",)}
    foreign = position("1:0100", "1000", "")
    assert foreign.choices(foreign.legal_actions(0)[0])[1].label == "1,0, on an opponent's I"


def test_a_place_in_an_empty_maze_is_joined_to_nothing() -> None:
    state = play(position("0:0100", "bomb", "", decks=("", "1000")), "0 bomb@0,0")
    assert state.choices(state.legal_actions(1)[0])[1].label == "0,0"
