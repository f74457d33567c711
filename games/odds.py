"""How often each side wins a round in games with hidden roles, as `benchmarks/odds.py` has measured it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from games.core.game import RULES

FILE: Final = RULES.joinpath("odds.json")
MARK: Final = "{odds}"
"""Stands in a rules page for the lines of `told`."""


class Odds(NamedTuple):
    """What was found of computers of a level at tables of this many players.

    Attributes:
        rounds: the number of rounds in which somebody was a saboteur.
        won: the share of them that the gold-diggers won; `low` and `high` are the ends of its 95 % interval.
        shares: by role how often somebody who has it wins, also in rounds in which nobody is a saboteur.
    """

    level: str
    players: int
    rounds: int
    won: float
    low: float
    high: float
    shares: Mapping[str, float]


@cache
def measured(key: str) -> tuple[Odds, ...]:
    """Return what was measured in a game, by level and number of players; nothing in most games."""
    return tuple(Odds(*row) for row in json.loads(FILE.read_text("ascii")).get(key, ()))


def told(key: str) -> str:
    """Return a line of the rules page for each number of players."""
    found = measured(key)
    return "\n".join(
        f"- {players} players: {', '.join(_share(each) for each in found if each.players == players)}"
        for players in sorted({each.players for each in found})
    )


def _share(odds: Odds) -> str:
    return f"{odds.level} {odds.won:.0%} ({odds.low:.0%} to {odds.high:.0%})"
