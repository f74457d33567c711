"""What Ambush says and understands: typed moves, menus, and the picture of a position in words."""

import pytest

from games.ambush.observation import Captured
from games.core import AmbiguousAction, InvalidAction
from tests.games.ambush.positions import play, position

PICTURE = """
    1 S s . . . .
    2 LMS . . . . m
"""

PENDING = play(
    position(
        """
        1 . . . s S .
        3 S s . . . .
        """
    ),
    "NW180-S",
)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("MB3", "MB3"),
        ("mb3", "MB3"),
        ("medium B3", "MB3"),
        ("B3 medium", "MB3"),
        ("place a medium pyramid on a 3", "MA3"),
        ("Place the medium pyramid on B3", "MB3"),
        ("s e4", "SE4"),
        ("NE90-S", "NE90-S"),
        ("rotate NE 90 S", "NE90-S"),
        ("turn the north-east coaster by 180°, paying a small", "NE180-S"),
        ("northeast 90 degrees clockwise small", "NE90-S"),
        ("ne 90 left, large", "NE270-L"),
        ("rotate SW counterclockwise 90 M", "SW270-M"),
        ("nw half turn small", "NW180-S"),
    ],
)
def test_what_people_type_is_understood(typed: str, meant: str) -> None:
    state = position()
    assert state.action_to_string(state.parse_action(0, typed)) == meant


@pytest.mark.parametrize("typed", ["xC1", "x c1", "C1", "capture c1", "take C1"])
def test_a_capture_may_be_named_by_its_square(typed: str) -> None:
    assert PENDING.action_to_string(PENDING.parse_action(0, typed)) == "xC1"


def test_a_size_may_be_left_out_where_only_one_is_possible() -> None:
    state = position(trees=((5, 0, 0, 0), (5, 0, 0, 0)))
    assert state.action_to_string(state.parse_action(0, "b3")) == "SB3"
    assert state.action_to_string(state.parse_action(0, "rotate ne 90")) == "NE90-S"


def test_a_size_that_is_left_out_where_several_are_possible_is_asked_for() -> None:
    with pytest.raises(AmbiguousAction, match=r"could mean `SB3`, `MB3`, `LB3`\. Please write the one you mean"):
        position().parse_action(0, "b3")
    with pytest.raises(AmbiguousAction, match="`NE90-S`, `NE90-M`, `NE90-L`"):
        position().parse_action(0, "rotate ne 90")


@pytest.mark.parametrize("typed", ["", "medium", "b7", "s b3 m", "rotate ne -90 s", "ne 45 s", "rotate ne s", "b3 c4"])
def test_what_is_not_understood_gets_an_example(typed: str) -> None:
    with pytest.raises(InvalidAction, match=r"(Moves look like|Did you mean) `"):
        position().parse_action(0, typed)


def test_a_menu_goes_by_coaster_and_square_and_names_them_as_the_picture_does() -> None:
    state = position(PICTURE)
    paths = {state.action_to_string(action): state.choices(action) for action in state.legal_actions(0)}
    assert [(choice.step, choice.value) for choice in paths["MA2"]] == [
        ("deed", "place M"),
        ("coaster", "NW"),
        ("square", "A2"),
    ]
    assert (paths["MA2"][1].whole, paths["MA2"][2].label) == ("Medium NW", "A2")
    assert [(choice.step, choice.value) for choice in paths["SE270-L"]] == [
        ("deed", "rotate SE"),
        ("angle", "270"),
        ("price", "L"),
    ]


def test_a_menu_says_whose_pyramid_falls() -> None:
    labels = [PENDING.choices(action)[-1].label for action in PENDING.legal_actions(0)]
    assert labels == ["C1: your small pyramid falls", "D1: your opponent's small pyramid falls"]


def test_the_observation_of_everybody_shows_the_same_board() -> None:
    state = play(position(PICTURE), "SC1")
    one, other, spectator = (state.observation(viewer) for viewer in (0, 1, None))
    assert (one.viewer, other.viewer, spectator.viewer) == (0, 1, None)
    assert one.board == other.board == spectator.board
    assert one.board[6] == (0, "LMS", 6)
    assert one.last_captures == one.turn_captures == (Captured("B1", "S", 1),)
    assert one.scores == (1, 0)
    assert one.captured == ((1, 0, 0), (0, 0, 0))
    assert one.stash == ((1, 4, 5), (2, 4, 5))


def test_a_position_prints_as_its_picture() -> None:
    rows = str(position(PICTURE)).splitlines()
    assert [row.split() for row in rows[1:3]] == [row.split() for row in PICTURE.strip().splitlines()]
    assert "pending C1 D1" in str(PENDING)
