"""What Gambo says and understands: typed moves, menus, and the picture of a position in words."""

import pytest

from games.core import InvalidAction
from games.gambo.actions import Advance
from games.gambo.state import GamboState
from tests.games.gambo.positions import legal, play, position

MIDDLE = """
north       E1    E2    E3    C1    ..    C3    M1    M2    ..
corridor .. .. .. .. .. .. .. .. C2 C2 .. .. .. .. .. .. .. ..
south    M3    M2    M1    ..    ..    C1    E3    E2    E1
"""


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("adv E2", "adv E2"),
        ("ADV e2", "adv E2"),
        ("adve2", "adv E2"),
        ("e2", "adv E2"),
        ("elephant 2", "adv E2"),
        ("Advance the elephant 2", "adv E2"),
        ("move mouse3", "adv M3"),
        ("c2xc2", "duel C2xC2"),
        ("C2 × C2", "duel C2xC2"),
        ("cat 2 attacks cat 2", "duel C2xC2"),
        ("duel c2 c2", "duel C2xC2"),
        ("swap m3 c1", "swap C1 M3"),
        ("swap mouse 3 with cat 1", "swap C1 M3"),
        ("exchange C1 and M3", "swap C1 M3"),
        ("m3 with c1", "swap C1 M3"),
    ],
)
def test_what_people_type_is_understood(typed: str, meant: str) -> None:
    state = position(MIDDLE)
    assert state.action_to_string(state.parse_action(0, typed)) == meant


@pytest.mark.parametrize(("typed", "meant"), [("north", "side north"), ("I play the south side", "side south")])
def test_a_side_may_be_typed_in_words(typed: str, meant: str) -> None:
    state = GamboState(players=2, current_player=0, last=None, pieces=("E1",) * 18)
    assert state.action_to_string(state.parse_action(0, typed)) == meant


@pytest.mark.parametrize(
    "typed", ["", "e", "elephant", "e2 c3", "adv e2 to 6", "swap e1 e2 e3", "e22", "banana 2", "attack c2 with c2"]
)
def test_what_is_not_understood_gets_an_example(typed: str) -> None:
    with pytest.raises(InvalidAction, match=r"(Moves look like|Did you mean) `"):
        position(MIDDLE).parse_action(0, typed)


def test_a_menu_says_what_happens_and_offers_a_swap_once_by_its_left_piece() -> None:
    state = position(MIDDLE)
    steps = {
        text: [(choice.label, choice.place, choice.whole) for choice in state.choices(action)]
        for text, action in zip(legal(state), state.legal_actions(0), strict=True)
    }
    assert steps["adv E2"] == [("Elephant 2", "s8", None), ("Advance", None, "Elephant 2 to 15")]
    cat = ("Cat 2", "9", None)
    assert steps["duel C2xC2"] == [cat, ("Attack Cat 2: you score 4", "10", "Cat 2 beats Cat 2: you score 4")]
    assert state.choices(state.parse_action(0, "swap E1 C2"))[-1].brief == "⇄ Elephant 1"
    assert steps["swap E1 C2"] == [cat, ("Swap with Elephant 1", "s9", "Swap Cat 2 and Elephant 1")]


def test_a_menu_counts_the_bonus_of_the_last_duel_and_names_a_sacrifice() -> None:
    state = position(
        """
        north       ..    ..    ..    ..    ..    ..    ..    ..    ..
        corridor .. .. .. .. .. .. .. M3 C2 .. .. .. .. .. .. .. .. ..
        south    ..    ..    ..    ..    ..    ..    ..    ..    ..
        """,
        to_move=1,
    )
    (attack,) = state.legal_actions(1)
    assert state.choices(attack)[-1].label == "Attack Cat 2: they score 10"


def test_places_in_menus_are_squares_of_the_board() -> None:
    state = position(MIDDLE)
    places = {choice.place for action in state.legal_actions(0) for choice in state.choices(action) if choice.place}
    assert places == {"s1", "s2", "s3", "s6", "s7", "s8", "s9", "9", "10"}


def test_the_observation_of_everybody_shows_the_same_board() -> None:
    state = play(position(MIDDLE), "0 adv E1")
    one, other, spectator = (state.observation(viewer) for viewer in (0, 1, None))
    assert (one.viewer, other.viewer, spectator.viewer) == (0, 1, None)
    assert one.north == other.north == ("E1", "E2", "E3", "C1", "", "C3", "M1", "M2", "")
    assert one.south == other.south == spectator.south == ("M3", "M2", "M1", "", "", "C1", "E3", "E2", "")
    assert one.corridor[16] == "E1"
    assert one.last == (0, Advance("E1"))


def test_a_position_prints_as_its_picture() -> None:
    assert str(position(MIDDLE)).splitlines()[:3] == MIDDLE.strip().splitlines()
