"""Why an action is better than others, in facts that people can check.

`cogs/text/reasons.py` puts them into words. A mistake without a reason isn't told.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

MOST: Final = 2
"""The most reasons that are told of an action."""

Facts = Mapping[str, tuple[float, float]]
"""By name a fact of another action, and that of the better one."""


class About(StrEnum):
    """What a reason is about, the most telling first.

    `WINS`: it wins by force, the other one loses. `GAIN`: what it adds to the lead at once. `ANSWER`: what the next
    player can then take. `TURNS`: in how many turns the rest of the hand can be played. `CARDS`: how many cards are
    left of it. `PATH`: how many cards the path needs then, for a digger, and `BLOCKED` for a saboteur. `FOE`: whom
    it hinders that looks like a saboteur. `LOOK`: it shows what a finish card is.
    `HOLDS` is told if nothing else is: `better` is the share of the possible deals in which it was at least as good,
    and `played` is how much more it brings on average.

    The others are rules of conduct (`broken_rules`). `better` is the number of a finish card or seat, of missing
    cards, or of `TIMES` in the round. For some, `played` is a probability: that of a `FRIEND`, and after an attack that
    was too `EARLY` of being a saboteur.
    """

    WINS = "wins"
    GAIN = "gain"
    ANSWER = "answer"
    TURNS = "turns"
    CARDS = "cards"
    PATH = "path"
    BLOCKED = "blocked"
    FOE = "foe"
    LOOK = "look"
    HOLDS = "holds"
    USEFUL = "useful"
    KNEW = "treasure"
    FRIEND = "friend"
    EARLY = "early"
    LATE = "late"
    TIMES = "times"


class Reason(NamedTuple):
    """A fact about the action that was `played` and the `better` one, with the numbers that people read."""

    about: About
    played: float
    better: float


def reasons(
    facts: Facts, loss: float = 0.0, lead: float = 0.0, holds: float = 0.0, *, hidden: bool, equal: bool = False
) -> tuple[Reason, ...]:
    """Return what speaks for the better action, at most `MOST` reasons.

    It's better by `loss` and `lead`, and `holds` in this share of the deals. What looks equal once it's rounded is no
    reason, except with `equal` if there's nothing else. `hidden`: the game has hidden information.
    """
    told = {name: (round(played, 1), round(better, 1)) for name, (played, better) in facts.items()}
    found, alike = [Reason(About.WINS, 0.0, 1.0)] if not hidden and loss >= 1.0 else [], list[Reason]()
    for about in (About.GAIN, About.ANSWER, About.TURNS, About.CARDS, About.PATH, About.BLOCKED):
        played, better = told.get(about, (0.0, 0.0))
        if about is About.CARDS and any(each.about is About.TURNS and not each.better for each in found):
            # A hand that needs no more turns has no more cards.
            continue
        if about is About.ANSWER:
            played, better = max(played, 0.0), max(better, 0.0)
        if better > played if about in (About.GAIN, About.BLOCKED) else played > max(better, 0.0):
            found.append(Reason(about, played, better))
        elif about in told and played == better and _speaks_for_itself(about, better):
            alike.append(Reason(about, played, better))
    found += [Reason(about, *facts[about]) for about in (About.FOE, About.LOOK) if about in facts]
    if not found and hidden and holds > 0.5:
        found.append(Reason(About.HOLDS, lead, holds))
    return tuple((found or (alike[:1] if equal else []))[:MOST])


def _speaks_for_itself(about: About, fact: float) -> bool:
    """Whether a fact is a reason even if other actions share it: it takes something, loses nothing, or says how long.

    A path is as long after most actions.
    """
    match about:
        case About.GAIN:
            return fact > 0
        case About.ANSWER:
            return fact <= 0
        case _:
            return about in (About.TURNS, About.CARDS)
