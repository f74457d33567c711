"""Ambagibus: who is likely to win, and what an end is worth (rules page ambagibus.md, A15 and A16)."""

from __future__ import annotations

from math import exp, sqrt, tanh
from operator import add, mul
from typing import Final

from games.ambagibus.components import BASIC, KIND, ROW_SIZE
from games.ambagibus.simulation import Simulation
from matches.computers.judgement import ahead

_OPEN: Final = 6
"""Sections with more open passages than this are worth as much as those with exactly this many."""
_LAST: Final = 5
_KINDS: Final = tuple(sorted(set(KIND.values())))

# The weights of `assets`, a row for each of its groups: closed sections; open sections by their passages; in the
# advanced game also cards by kind, in the row and in the deck. `docs/computer-players.md` says where they come from.
_BASIC: Final = (
    *(0.85, 3.92, -0.54),
    *(0.255, 0.078, -0.03, -0.09, -0.15, -0.15),
)
_ADVANCED: Final = (
    *(0.633, 3.109, -0.049),
    *(0.320, 0.028, -0.143, -0.307, -0.411, -0.658),
    *(0.483, 0.115, 0.150, -0.029, -0.192, 0.339, 0.786),
    *(2.432, 0.063, 0.450, -0.858, -2.989, 5.633, 7.946),
)

_MARGIN: Final = 0.1
"""The share of the lead in closed sections in the value of an end. The result has the rest."""
_SCALE: Final = 3.0


def values(simulation: Simulation) -> list[float]:
    """Return every seat's value of a position, 0 to 1: its result at the end of the match, before that its chances."""
    return result(simulation) if simulation.is_terminal else chances(simulation)


def chances(simulation: Simulation) -> list[float]:
    """Return every seat's chance to end ahead of the best of the others, 0 to 1: a logistic regression of `assets`."""
    weights = _BASIC if _is_basic(simulation) else _ADVANCED
    counts = [sum(map(mul, weights, own)) for own in assets(simulation)]
    return [1 / (1 + exp(-lead)) for lead in ahead(counts)]


def assets(simulation: Simulation) -> list[list[float]]:
    """Return for every seat the numbers that tell how likely they are to win.

    In this order:

    * closed sections: divided by the root of the number of gaps, since near the end a lead lasts; divided by the root
      of the number of cards in the decks, and `_LAST` more; and their number;
    * the numbers of open sections with 1, 2, ... `_OPEN` or more open passages;
    * in the advanced game the number of cards of each kind in the row, and about their share of the deck. In the basic
      game these numbers made the prediction no better.
    """
    sections = _of_sections(simulation)
    return sections if _is_basic(simulation) else list(map(add, sections, _of_cards(simulation)))


def _is_basic(simulation: Simulation) -> bool:
    return simulation.row_size == ROW_SIZE[BASIC]


def _of_sections(simulation: Simulation) -> list[list[float]]:
    near_end = 1 / sqrt(len(simulation.gaps) or 1)
    few_cards = 1 / sqrt(sum(map(len, simulation.decks)) + _LAST)
    opened = [[0.0] * (_OPEN + 1) for _ in simulation.closed]
    owners = simulation.owners
    for section, passages in simulation.passages.items():
        opened[owners[section]][min(passages, _OPEN)] += 1
    return [
        [closed * near_end, closed * few_cards, closed, *own[1:]]
        for closed, own in zip(simulation.closed, opened, strict=True)
    ]


def _of_cards(simulation: Simulation) -> list[list[float]]:
    found = []
    for held, deck, left in zip(simulation.rows, simulation.decks, simulation.counts, strict=True):
        row = dict.fromkeys(_KINDS, 0)
        for card in held:
            row[KIND[card]] += 1
        found.append([*row.values(), *((left[kind] - count) / (1 + len(deck)) for kind, count in row.items())])
    return found


def result(simulation: Simulation) -> list[float]:
    """Return every seat's value of the end of a match, 0 to 1."""
    winners = simulation.winners()
    return [
        (1 - _MARGIN) * (seat in winners) / len(winners) + _MARGIN * (0.5 + 0.5 * tanh(lead / _SCALE))
        for seat, lead in enumerate(ahead(simulation.closed))
    ]
