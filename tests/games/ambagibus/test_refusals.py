"""Ambagibus: every rule that can refuse something does so somewhere, with its number."""

from random import Random

import pytest

from games import GAMES
from games.ambagibus import AmbagibusState
from games.core import IllegalAction
from tests.games.ambagibus.positions import position
from tests.games.lines import play, refusal

BUILDING = position("0:0200 . 1:2000 . 0:0300 . 1:0100 1:cave", "1000", "")
"""The player's own II faces a wall, their own III is free; the other's I faces a Cave-in."""

BASIC = {
    "dead end": BUILDING,
    "crossing": position("0:0200 . 1:2000 . 0:0300 . . 1:1000", "1234", ""),
    "own cards": position("0:0100 . 1:1000 1:cave 0:cave", "bomb", ""),
    "own passage": position("0:0100 0:0001 0:0100 . 1:1000 0:cave", "cave", ""),
    "no card": position("0:0100", "", ""),
    "bomb in deck": position("1:0100", "bomb", ""),
    "empty maze": play(position("0:0100", "bomb", "", decks=("", "1000")), "0 bomb@0,0"),
    "only others": position("1:0100 . . 1:0300", "1000", ""),
}
ADVANCED = {
    "own and others": position("0:0400 . 1:2000 . . 1:1000", "1234 1000 bomb", "", variant="advanced"),
    "own low and high": position("0:0100 . 1:2000 . 0:0300", "1234 1000", "", variant="advanced"),
}
POSITIONS = BASIC | ADVANCED

REFUSED = [
    ("dead end", "1000@0,0", "A3: A card already lies at 0,0"),
    ("dead end", "1000@7,0", "A3: A Cave-in already lies at 7,0"),
    ("dead end", "1000@5,5", "A3: A card must join an open passage, and none leads to 5,5"),
    ("dead end", "1000@0,1", "A3: A card must join"),
    ("dead end", "0100@1,0", "A3: At 1,0 a card needs an opening left and a wall right"),
    ("crossing", "1234@1,0", "A3: At 1,0"),
    ("dead end", "0010@2,1", "A4: "),
    ("crossing", "1234@7,1", "A4: "),
    ("dead end", "0001@5,0", "A5: This card can be laid on a lower passage, II,"),
    ("only others", "0001@4,0", "A5: This card can be laid on a lower passage, I,"),
    ("dead end", "bury 1000", "A7: "),
    ("dead end", "0200@1,0", "A7: You've turned up Dead end I"),
    ("dead end", "bury bomb", "A7: You've turned up"),
    ("own cards", "bomb@2,0", "A8: "),
    ("own cards", "bomb@1,0", "A8: "),
    ("own cards", "bury bomb", "A8: "),
    ("own passage", "cave@0,0", "A9: "),
    ("own passage", "cave@4,0", "A9: "),
    ("own passage", "cave@5,0", "A9: "),
    ("own passage", "bury cave", "A9: "),
    ("dead end", "pass", "A10: "),
    ("no card", "1000@1,0", "A10: "),
    ("no card", "bury 1000", "A10: "),
    ("own and others", "1020@1,0", "A11: Straight I-II"),
    ("own and others", "bury cave", "A11: Cave-in"),
    ("own and others", "1234@5,1", "A12: Another of your face-up cards can be joined to an open passage of your own"),
    ("own low and high", "1234@5,0", "A12: Another of your face-up cards can be laid on a lower passage, I;"),
    ("own and others", "bury 1000", "A14: "),
    ("empty maze", "1000@1,0", "A15: "),
]


@pytest.mark.parametrize(("name", "text", "reason"), REFUSED)
def test_a_refusal_names_its_rule(name: str, text: str, reason: str) -> None:
    state: AmbagibusState = POSITIONS[name]
    assert refusal(state, text).startswith(reason)


def test_every_rule_that_can_refuse_is_refused_by_somewhere() -> None:
    rules = {reason.split(":")[0] for _, _, reason in REFUSED}
    assert rules == {f"A{number}" for number in (3, 4, 5, 7, 8, 9, 10, 11, 12, 14, 15)}
    state = BASIC["dead end"]
    assert str(state.why_illegal(1, state.string_to_action(1, "pass"))) == "A2: It's not your turn."
    over = play(position("0:0100", "1000", ""), "0 0001@1,0")
    assert str(over.why_illegal(0, over.string_to_action(0, "pass"))) == "A15: The match is over."
    shuffle = GAMES["ambagibus"].new_initial_state(2).sample_chance(Random(1))
    with pytest.raises(IllegalAction, match="A2: Only chance shuffles"):
        state.apply_action(0, shuffle)
