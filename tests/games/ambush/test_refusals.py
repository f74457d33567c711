"""Every way in which an action of Ambush can be wrong, and the rule that its refusal names."""

import random
import re

import pytest

from games.ambush.actions import Action, Capture, First, Place, Rotate
from games.ambush.components import ANGLES, COASTERS, SIZES, SQUARES
from games.ambush.observation import Turned
from games.ambush.state import AmbushState
from games.core import TERMINAL, IllegalAction, InvalidAction
from tests.games.ambush.positions import play, position, refusal
from tests.games.lines import refusing_rules

START = position(trees=((5, 0, 0, 0), (5, 0, 0, 0)))
FACING = position("1 S s . . . .")
TURNED = position(turned=Turned("NE", 90), last=(1, Rotate("NE", 90, "S")))
PENDING = play(
    position(
        """
        1 . . . s S .
        3 S s . . . .
        """
    ),
    "NW180-S",
)

CASES: list[tuple[str, AmbushState, str | Action, int | None]] = [
    ("B1", START, First(0), None),
    ("B1", START, "SA1", 1),
    ("B2", START, "MA1", None),
    ("B2", FACING, "LB1", None),
    ("B2", FACING, Place("S", "G1"), None),
    ("B2", FACING, Place("X", "A1"), None),
    ("B7", START, "NW90-L", None),
    ("B7", START, Rotate("NW", 45, "S"), None),
    ("B7", START, Rotate("N", 90, "S"), None),
    ("B8", TURNED, "NE270-M", None),
    ("B9", START, "xA1", None),
    ("B9", PENDING, "xE1", None),
    ("B9", PENDING, "SF6", None),
    ("B9", PENDING, "SE90-S", None),
    ("B10", START.evolve(current_player=TERMINAL), "SA1", 0),
]
REFUSING = {"B1", "B2", "B7", "B8", "B9", "B10"}
"""The rules that can refuse: no writable action breaks B3-B6 or B11."""


@pytest.mark.parametrize(("rule", "state", "what", "player"), CASES, ids=lambda value: None)
def test_a_refusal_names_the_rule_and_leaves_the_position(
    rule: str, state: AmbushState, what: str | Action, player: int | None
) -> None:
    before = str(state)
    reason = refusal(state, what, player)
    assert reason is not None
    assert re.fullmatch(rf"{rule}: [A-Z].*\.", reason), reason
    assert str(state) == before


def test_every_rule_that_can_refuse_has_a_position_above() -> None:
    assert {rule for rule, *_ in CASES} == REFUSING


def test_in_whole_matches_everything_illegal_is_refused_by_one_of_these_rules() -> None:
    everything: list[Action] = [First(0), First(1)]
    everything += [Place(size, square) for size in SIZES for square in SQUARES]
    everything += [Rotate(coaster, angle, price) for coaster in COASTERS for angle in ANGLES for price in SIZES]
    everything += [Capture(square) for square in SQUARES]
    assert refusing_rules("ambush", everything, random.Random(9)) == REFUSING - {"B10"}


@pytest.mark.parametrize(
    "text", ["", "A1", "sA1", "SA7", "SG1", "S A1", "NE90", "NE90S", "NE0-S", "NE360-S", "NN90-S", "XA1", "first 0"]
)
def test_what_is_not_written_in_the_notation_is_no_action(text: str) -> None:
    with pytest.raises(InvalidAction):
        START.string_to_action(0, text)


def test_an_illegal_text_that_somebody_typed_is_refused_with_the_rule() -> None:
    with pytest.raises(IllegalAction, match=r"^B2: Your opponent has a stack on B1\.$"):
        FACING.parse_action(0, "large to b1")
    with pytest.raises(IllegalAction, match=r"^B8: Your opponent has just turned the north-east coaster\.$"):
        TURNED.parse_action(0, "rotate ne 90")
