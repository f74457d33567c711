"""Whether nobody can reach the treasure any more in a round of Saboteur, by what everybody sees (S6, S7, S11, S14-S16).

Every way is tried in which the cards that haven't been seen could lie, with rock-falls and without, whoever holds them.
Where more seems possible than is, such as cards that don't fit each other, nothing is lost yet.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import combinations
from typing import Final

from games.grid import EDGES, Cell
from games.saboteur.board import around, fitting
from games.saboteur.components import CARD_OF, DECK, FINISH, FIXED, HELD, JOINED_CARDS, PIECES, ROCK, SIDES, START

BUDGET: Final = 20_000
"""After so many steps the search ends without an answer."""

_THROUGH: Final = {
    (edge, out): sum(1 << n for n, piece in enumerate(PIECES) if SIDES[piece][edge].joined and SIDES[piece][out].joined)
    for edge in range(len(EDGES))
    for out in range(len(EDGES))
}
"""The pieces that lead from one edge to another, as masks."""


def is_lost(cards: Mapping[Cell, str], gone: Iterable[str], plays: int) -> bool | None:
    """Return whether nobody can reach the treasure with at most so many more cards; ``None`` if that takes too long.

    `cards` are those that lie face up in the maze, finish cards included, and `gone` those that were played and lie
    elsewhere.
    """
    return _is_lost(frozenset(cards.items()), tuple(sorted(gone)), plays)


@lru_cache(maxsize=1 << 8)
def _is_lost(cards: frozenset[tuple[Cell, str]], gone: tuple[str, ...], plays: int) -> bool | None:
    laid = {cell: piece for cell, piece in cards if cell not in FIXED}
    left = Counter(DECK) - Counter(gone) - Counter(map(CARD_OF.__getitem__, laid.values()))
    pieces = sum(HELD[card] for card in JOINED_CARDS if left[card])
    goals = {cell for cell in FINISH if cell not in dict(cards)}
    # At least so many cards have to be laid, whatever rock-falls remove.
    fewest = min(abs(x - goal[0]) + abs(y - goal[1]) - 1 for (x, y), _ in cards for goal in goals)
    budget = BUDGET
    for rocks in range(min(left[ROCK], plays - fewest) + 1):
        for removed in combinations(sorted(laid), rocks):
            steps = _steps({cell: piece for cell, piece in cards if cell not in removed}, goals, pieces, plays - rocks)
            if steps is None:
                return False
            budget -= steps
            if budget < 0:
                return None
    return True


def _steps(cards: Mapping[Cell, str], goals: set[Cell], pieces: int, plays: int) -> int | None:
    """Return in how many steps it's certain that so many of these pieces don't lead to a goal; ``None`` if they do."""
    done = set[tuple[Cell, int]]()
    todo = deque((0, beside, facing) for _, facing, beside in around(START))
    while todo:
        laid, cell, edge = todo.popleft()
        if cell in goals:
            return None
        piece = cards.get(cell)
        if (cell, edge) in done or (piece is None and laid == plays):
            continue
        done.add((cell, edge))
        fits = fitting(cards, cell) & pieces if piece is None else 1 << PIECES.index(piece)
        for out, facing, beside in around(cell):
            if fits & _THROUGH[edge, out]:
                # Cards that lie there already cost nothing, so they come first.
                (todo.append if piece is None else todo.appendleft)((laid + (piece is None), beside, facing))
    return len(done)
