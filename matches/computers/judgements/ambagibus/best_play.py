"""Ambagibus for two: how well a player does if both play best for a few lines. Both know the order of the decks.

This is alpha-beta in one world. On each turn only the options that gain most at once are tried, since a Bomb may go to
many places. A tunnel card lies in the first way that fits. `odds` judges the position at the horizon.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import nlargest
from operator import itemgetter
from typing import Final

from games.ambagibus.simulation import Simulation
from matches.computers.judgements.ambagibus.habits import held_by, options, take
from matches.computers.judgements.ambagibus.odds import values

WIDTH: Final = 4
"""The number of options that are tried on each turn."""

_gain = itemgetter(0)


class TooMuch(Exception):
    """The search has used up its positions."""


class BestPlay:
    """A search that may look at a number of positions.

    Attributes:
        left: how many positions it may still look at.
    """

    def __init__(self, positions: int) -> None:
        self.left = positions

    def value(self, simulation: Simulation, lines: int, low: float = 0.0, high: float = 1.0) -> float:
        """Return the current player's value after this many lines of best play, 0 to 1.

        A value of at most `low` is an upper bound, one of at least `high` a lower bound. Raises TooMuch.
        """
        if simulation.is_terminal or not lines:
            return values(simulation)[simulation.current_player]
        best = 0.0
        for after in _afterwards(simulation):
            if not self.left:
                raise TooMuch
            self.left -= 1
            value = 1 - self.value(after, lines - 1, 1 - high, 1 - max(low, best))
            if value > best:
                best = value
                if best >= high:
                    break
        return best


def _afterwards(simulation: Simulation) -> Iterator[Simulation]:
    """Yield the positions after the current player's best options, the most promising first."""
    held, cells = held_by(simulation)
    tried = nlargest(WIDTH, options(simulation, held, cells), key=_gain)
    for _, card, place, gap in tried:
        after = simulation.copy()
        take(after, card, place, gap)
        yield after
    if not held:
        after = simulation.copy()
        after.end_turn()
        yield after
    elif not tried:
        for card in held:
            after = simulation.copy()
            after.bury(card)
            yield after
