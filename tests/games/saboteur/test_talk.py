"""How Saboteur is written, read, redacted and picked step by step."""

from random import Random

import pytest

from games.core import CHANCE, AmbiguousAction, InvalidAction, of_several
from games.saboteur import SaboteurState
from games.saboteur.actions import Deal, Dig, Repair
from games.saboteur.components import DECK, GOALS, PIECES, turned
from games.saboteur.gold import GOLD, Round, resample
from games.saboteur.state import new_match
from tests.games.lines import paths, play
from tests.games.saboteur.positions import TUNNEL, position

DEALT = Deal((DECK[:6], DECK[6:12], DECK[12:18]), DECK[18:])
START = play(new_match(3, {}), "c roles DSD/D", "c goals NW,T,NE")


# The notation


@pytest.mark.parametrize(
    "text",
    ["NSW@3,-1", "ne@4,0", "s@-12,7", "-L>3", "+L>3", "+LW>3:W", "rock@3,-1", "map@8,2", "drop NES", "pass", "take 2"],
)
def test_the_notation_of_players_reads_back(text: str) -> None:
    assert START.action_to_string(START.string_to_action(0, text)) == text


@pytest.mark.parametrize(
    "text", ["roles DSDD/D", "goals NW,T,NE", "deal EW,map/NE|rock,-P", "deal //|", "first 3", "gold 1,1,2"]
)
def test_the_notation_of_chance_reads_back(text: str) -> None:
    assert START.action_to_string(START.string_to_action(CHANCE, text)) == text


@pytest.mark.parametrize(
    "text",
    [
        *("NSE@1,0", "EN@1,0", "NEs@1,0", "N@1,0", "EW@+1,0", "EW@01,0", "EW@-0,0", "EW@1", "EW@1,0,0", "EW 1,0"),
        *("-X>1", "-L>01", "-L>", "-LW>1", "+LW>1", "+LW>1:P", "+L>1:L", "+WL>1:W", "+PP>1:P", "rock", "rock@x,y"),
        *("drop SW", "drop ?", "drop", "take 4", "take 0", "take ?", "pass ", "", "?", "roles DSD/D", "first 0"),
    ],
)
def test_what_is_not_written_so_is_no_action(text: str) -> None:
    with pytest.raises(InvalidAction):
        START.string_to_action(0, text)


@pytest.mark.parametrize("text", ["roles DSX/D", "goals NW,T,XX", "deal EW/foo|", "gold 4", "gold", "EW@1,0", "pass"])
def test_what_chance_does_not_draw_is_no_draw(text: str) -> None:
    with pytest.raises(InvalidAction):
        START.string_to_action(CHANCE, text)


def test_turning_twice_changes_nothing() -> None:
    assert all(turned(turned(piece)) == piece for piece in PIECES)
    assert (turned("NES"), turned("nw"), turned("NS"), turned("n")) == ("NSW", "es", "NS", "s")
    assert len(PIECES) == len(set(PIECES)) == 26


# What others see of a line


def test_a_deal_shows_everybody_only_their_own_hand() -> None:
    own = ",".join(DECK[6:12])
    hidden, stock = ",".join("?" * 6), ",".join("?" * (67 - 18))
    assert START.line_for(1, CHANCE, DEALT) == f"deal {hidden}/{own}/{hidden}|{stock}"
    assert START.line_for(None, CHANCE, DEALT) == f"deal {hidden}/{hidden}/{hidden}|{stock}"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("roles DSD/D", "roles ?"),
        ("goals NW,T,NE", "goals ?,?,?"),
        ("gold 1,1,2", "gold ?,?,?"),
        ("first 2", "first 2"),
    ],
)
def test_draws_are_told_without_their_secrets(text: str, shown: str) -> None:
    for viewer in (None, 0, 1, 2):
        assert START.line_for(viewer, CHANCE, START.string_to_action(CHANCE, text)) == shown


@pytest.mark.parametrize(("text", "shown"), [("drop EW", "drop ?"), ("take 3", "take ?"), ("map@8,0", "map@8,0")])
def test_others_do_not_see_what_is_discarded_or_taken(text: str, shown: str) -> None:
    action = START.string_to_action(1, text)
    assert START.line_for(1, 1, action) == text
    assert START.line_for(0, 1, action) == START.line_for(None, 1, action) == shown


# What people type


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("EW 1,0", "EW@1,0"),
        ("EW at (1, 0)", "EW@1,0"),
        ("EW to 1 0", "EW@1,0"),
        ("discard EW", "drop EW"),
        ("Drop  Map", "drop map"),
        ("rock-fall 2,0", "rock@2,0"),
        ("Rockfall at 2,0", "rock@2,0"),
        ("look at 8,−2", "map@8,-2"),
        ("map 8,2", "map@8,2"),
        ("-l > 2", "-L>2"),
        ("−L → 2", "-L>2"),
        ("+lw>1:w", "+LW>1:W"),
        ("-l on 2", "-L>2"),
        ("-L 2", "-L>2"),
        # With a sign, as beside the names, players count from 1.
        ("-L>#3", "-L>2"),
        ("-l on #3", "-L>2"),
        ("+LW>#2:W", "+LW>1:W"),
    ],
)
def test_typed_moves_are_read_leniently(typed: str, meant: str) -> None:
    state = position("EW * . EW", "EW map rock -L +LW", broken="L1 W1")
    assert state.action_to_string(state.parse_action(0, typed)) == meant


def test_a_tunnel_and_a_dead_end_are_told_apart_by_case_or_asked_about() -> None:
    state = position("*", "EW ew")
    assert state.action_to_string(state.parse_action(0, "ew@1,0")) == "ew@1,0"
    assert state.action_to_string(state.parse_action(0, "EW@1,0")) == "EW@1,0"
    with pytest.raises(AmbiguousAction, match=r"`EW@1,0`, `ew@1,0`"):
        state.parse_action(0, "Ew@1,0")


@pytest.mark.parametrize(
    ("hand", "typed", "meant"),
    [
        ("ns", "NS@0,1", "ns@0,1"),
        ("ns", " NS at 0,1", "ns@0,1"),
        ("NS", "ns@0,1", "NS@0,1"),
        ("nes", "NSW@0,1", "nsw@0,1"),
        ("ns", "drop NS", "drop ns"),
        ("ns", "DISCARD NS", "drop ns"),
        ("NS", "Drop ns", "drop NS"),
    ],
)
def test_another_card_than_the_one_whose_case_was_typed_is_never_played(hand: str, typed: str, meant: str) -> None:
    state = position("*", hand)
    twin = meant.replace(card := meant.split("@")[0].removeprefix("drop "), card.swapcase())
    with pytest.raises(AmbiguousAction, match=rf"^S[0-9]+: .*`{meant}`.*`{twin}`") as asked:
        state.parse_action(0, typed)
    assert asked.value.rule is not None
    assert str(asked.value).startswith(f"{asked.value.rule}: ")


@pytest.mark.parametrize("hand", ["NS", "ns"])
@pytest.mark.parametrize(("typed", "both"), [("Ns@0,1", ("NS@0,1", "ns@0,1")), ("drop nS", ("drop NS", "drop ns"))])
def test_a_card_in_mixed_case_is_asked_about_whichever_of_the_two_is_held(
    hand: str, typed: str, both: tuple[str, str]
) -> None:
    with pytest.raises(AmbiguousAction) as asked:
        position("*", hand).parse_action(0, typed)
    assert all(f"`{each}`" in str(asked.value) for each in both)


def test_case_does_not_matter_where_it_tells_no_two_cards_apart() -> None:
    state = position("*", "e -L map", broken="L1")
    for typed, meant in (("W@1,0", "w@1,0"), ("DROP E", "drop e"), ("-l>2", "-L>2"), ("Drop MAP", "drop map")):
        assert state.action_to_string(state.parse_action(0, typed)) == meant


def test_taking_gold_can_be_typed_in_words() -> None:
    state = play(position(TUNNEL, "EW"), "0 EW@7,0", "c gold 1,1,2")
    assert state.action_to_string(state.parse_action(0, "gold 2")) == "take 2"


# Choices


def test_choices_go_from_the_card_to_the_place_to_how_it_lies() -> None:
    path = paths(position("*", "NES +LW -P map rock", broken="L1 W1"))
    assert path["NES@0,1"] == ("NES", "0,1", "NES")
    assert path["NSW@0,1"] == ("NES", "0,1", "NSW")
    assert path["+LW>1:W"] == ("+LW", "1", "W")
    assert path["-P>2"] == ("-P", "2")
    assert path["map@8,0"] == ("map", "8,0")
    assert path["drop rock"] == ("rock", "drop")


def test_choices_name_seats_and_places_for_those_who_show_them() -> None:
    state = position()
    (_, seat), (_, place, turn) = (state.choices(action) for action in (Repair("+L", 2, "L"), Dig("NSW", (3, -1))))
    assert (seat.seat, seat.place) == (2, None)
    assert (place.seat, place.place) == (None, "3,-1")
    assert turn.label == "Open up, down and left"


def test_taking_gold_and_passing_are_one_choice() -> None:
    assert paths(play(position(TUNNEL, "EW"), "0 EW@7,0", "c gold 1,1,2"))["take 2"] == ("2",)
    assert paths(position("*", ""))["pass"] == ("pass",)


# What could be


def resampled(state: SaboteurState, viewer: int | None, number: int = 60) -> list[SaboteurState]:
    return [state.resample_from_infostate(viewer, Random(seed)) for seed in range(number)]


def test_roles_hands_stock_and_finish_cards_could_be_anything_unseen() -> None:
    state = play(START.apply_action(CHANCE, DEALT), "c first 0", f"0 drop {DECK[0]}")
    others = resampled(state, 0)
    assert {other.roles[0] for other in others} == {"D"}
    assert {other.roles[1:].index("S") for other in others} == {0, 1, 2}
    assert {other.goals.index("T") for other in others} == {0, 1, 2}
    assert {other.hands[0] for other in others} == {state.hands[0]}
    assert {other.discards[0] for other in others} == {(DECK[0],)}
    assert len({other.hands[1] for other in others}) > 10
    assert len({other.stock for other in others}) > 10
    assert len({other.discards[0] for other in resampled(state, 1)}) > 5


def test_a_finish_card_that_a_map_has_shown_stays_what_it_is() -> None:
    state = play(position("*", "map", "n n"), "0 map@8,0")
    assert {other.goals[1] for other in resampled(state, 0)} == {"T"}
    assert {other.goals[1] for other in resampled(state, 1)} == set(GOALS)


def test_gold_taken_before_ones_own_pick_could_be_anything_and_the_rest_is_known() -> None:
    state = play(position(TUNNEL, "EW", roles="DDDDD/S"), "0 EW@7,0", "c gold 1,1,2,2,3", "0 take 3", "4 take 2")
    for other in resampled(state, 4):
        assert other.gold_of(4) == (2,)
        assert other.decided[-1].passing == (1, 1, 2)
    assert {other.gold_of(0) for other in resampled(state, 4)} == {(1,), (2,), (3,)}
    assert len({other.decided[-1].passing for other in resampled(state, 1)}) > 3


def test_the_number_of_cards_that_saboteurs_were_paid_is_kept() -> None:
    won = Round("D", "DDDDDDDDDDS", 0, (1, 1, 1, 2, 2, 3, 3, 3, 3), (3, 3, 3, 3, 2, 2, 1, 1, 1))
    lost = Round("S", "SSSDDDDDDDS", paid=((1, 2), (1, 2), (1, 2), *[()] * 7))
    for seed in range(40):
        rounds, left = resample((won, lost), None, False, Random(seed))
        assert rounds[1].paid[0] == (1, 2), "no threes can have been left"
        assert rounds[0].drawn.count(3) == 4
        assert sorted([*rounds[0].drawn, *sum(rounds[1].paid, ()), *left]) == list(GOLD)


def test_of_many_equal_gold_cards_one_entry_says_how_many_there_are() -> None:
    assert [of_several("gold", count) for count in (1, 2, 10, 11)] == ["gold", "gold (two)", "gold (ten)", "gold (11)"]
    for count in range(2, 11):
        assert of_several("gold", count) not in {of_several("gold", other) for other in range(2, count)}
