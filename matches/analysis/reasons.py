"""Why a better action was better, in facts that people can check. A moment without a reason isn't told."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

MOST: Final = 2
"""The most reasons that are told of a moment."""


class About(StrEnum):
    """What a reason is about, the most telling first.

    `WINS`: it wins by force, the other one loses. `GAIN`: what it adds to the lead at once. `ANSWER`: what the next
    player can then take. `TURNS`: in how many turns the rest of the hand can be played. `HOLDS`: in which share of the
    deals that were possible it was at least as good.
    """

    WINS = "wins"
    GAIN = "gain"
    ANSWER = "answer"
    TURNS = "turns"
    HOLDS = "holds"


class Reason(NamedTuple):
    """A fact about the action that was `played` and the `better` one, with the numbers that people read."""

    about: About
    played: float
    better: float


def reasons(facts: Mapping[str, tuple[float, float]], loss: float, holds: float, hidden: bool) -> tuple[Reason, ...]:
    """Return what speaks for the better action, at most `MOST` reasons.

    `facts` have the numbers of both actions. What looks equal once it's rounded is no reason. `hidden`: the game has
    hidden information.
    """
    told = {name: (round(played, 1), round(better, 1)) for name, (played, better) in facts.items()}
    gain, answer, turns = (told.get(fact, (0.0, 0.0)) for fact in (About.GAIN, About.ANSWER, About.TURNS))
    speaks = {
        Reason(About.WINS, 0.0, 1.0): not hidden and loss >= 1.0,
        Reason(About.GAIN, *gain): gain[1] > gain[0],
        Reason(About.ANSWER, *answer): answer[0] > max(answer[1], 0.0),
        Reason(About.TURNS, *turns): turns[0] > turns[1],
        Reason(About.HOLDS, 1 - holds, holds): hidden and holds > 0.5,
    }
    return tuple(reason for reason, does in speaks.items() if does)[:MOST]
