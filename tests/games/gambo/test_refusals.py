"""Every way in which an action of Gambo can be wrong, and the rule that its refusal names."""

import random
import re
from itertools import permutations

import pytest

from games.core import IllegalAction, InvalidAction
from games.gambo.actions import Action, Advance, Deal, Duel, Pass, Side, Swap
from games.gambo.components import PIECES
from games.gambo.state import GamboState
from tests.games.gambo.positions import position, refusal
from tests.games.lines import refusing_rules

MIDDLE = """
north       E1    E2    E3    C1    ..    ..    M1    M2    ..
corridor .. .. .. .. .. .. .. .. C2 C2 .. C3 .. .. .. .. .. ..
south    M3    M2    M1    ..    ..    C1    E3    E2    E1
"""

OVER = """
north       ..    ..    ..    ..    ..    ..    ..    ..    ..
corridor .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. ..
south    ..    ..    ..    ..    ..    ..    ..    ..    ..
"""

UNCHOSEN = GamboState(players=2, current_player=0, last=None, pieces=PIECES + PIECES)

CASES: list[tuple[str, GamboState, str | Action, int | None]] = [
    ("G1", UNCHOSEN, "adv E1", None),
    ("G1", UNCHOSEN, "pass", None),
    ("G1", UNCHOSEN, Side("east"), None),
    ("G1", position(MIDDLE), "side north", None),
    ("G1", position(MIDDLE), Deal(PIECES, PIECES), None),
    ("G2", position(MIDDLE), "pass", None),
    ("G3", position(MIDDLE), "adv C2", None),
    ("G5", position(MIDDLE), "duel E1xC2", None),
    ("G5", position(MIDDLE), "duel C2xM1", None),
    ("G5", position(MIDDLE), "duel C2xC3", None),
    ("G7", position(MIDDLE), "adv C3", None),
    ("G7", position(MIDDLE), "duel C3xC2", None),
    ("G7", position(MIDDLE), "duel C2xM3", None),
    ("G7", position(MIDDLE), "swap C2 C3", None),
    ("G7", position(MIDDLE), Advance("E4"), None),
    ("G8", position(MIDDLE), "adv E1", 1),
    ("G9", position(MIDDLE), "swap E1 E1", None),
    ("G9", position(MIDDLE), "swap M1 E1", None),
    ("G10", position(MIDDLE, last=(1, "swap E1 E2")), "swap E1 E2", None),
    ("G11", position(MIDDLE, swaps_in_a_row=(3, 0)), "swap E1 E2", None),
    ("G12", position(OVER).evolve(current_player=-4), "pass", 0),
]
REFUSING = {"G1", "G2", "G3", "G5", "G7", "G8", "G9", "G10", "G11", "G12"}
"""The rules that can refuse: no writable action breaks G4, G6 or G13 alone."""


@pytest.mark.parametrize(("rule", "state", "what", "player"), CASES, ids=lambda value: None)
def test_a_refusal_names_the_rule_and_leaves_the_position(
    rule: str, state: GamboState, what: str | Action, player: int | None
) -> None:
    before = str(state)
    reason = refusal(state, what, player)
    assert reason is not None
    assert re.fullmatch(rf"{rule}: [A-Z].*\.", reason), reason
    assert str(state) == before


def test_every_rule_that_can_refuse_has_a_position_above() -> None:
    assert {rule for rule, *_ in CASES} == REFUSING


def test_in_whole_matches_everything_illegal_is_refused_by_one_of_these_rules() -> None:
    everything: list[Action] = [Side("north"), Side("south"), Pass(), Deal(PIECES, PIECES)]
    everything += [Advance(piece) for piece in PIECES]
    everything += [Duel(own, other) for own in PIECES for other in PIECES]
    everything += [Swap(pair) for pair in permutations(PIECES, 2)]
    assert refusing_rules("gambo", everything, random.Random(5)) == REFUSING - {"G8", "G12"}


@pytest.mark.parametrize(
    "text",
    ["", "adv", "adv E4", "adv e2", "advE2", " adv E2", "adv E2 ", "duel E2", "duel E2xE4", "swap E1", "Pass", "deal"],
)
def test_what_is_not_written_in_the_notation_is_no_action(text: str) -> None:
    with pytest.raises(InvalidAction):
        position(MIDDLE).string_to_action(0, text)


def test_a_player_cannot_write_a_deal() -> None:
    with pytest.raises(InvalidAction):
        UNCHOSEN.string_to_action(0, f"deal {''.join(PIECES)}/{''.join(PIECES)}")


def test_an_illegal_text_that_somebody_typed_is_refused_with_the_rule() -> None:
    with pytest.raises(IllegalAction, match=r"^G5: Cat 2 on 10 stands between them\.$"):
        position(MIDDLE).parse_action(0, "cat 2 attacks cat 3")
