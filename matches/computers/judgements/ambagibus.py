"""Ambagibus: how nearly each section is closed (rules page ambagibus.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import tanh
from random import Random
from typing import Any, ClassVar, Final

from games.ambagibus import AmbagibusState
from games.ambagibus.board import Maze
from games.ambagibus.components import BASIC
from games.core import Played
from games.grid import OPPOSITE, neighbours
from matches.computers.judgement import Judgement, won
from matches.computers.levels import STRENGTHS, Level, Strength

_PROSPECTS: Final = (1.0, 0.35, 0.22, 0.1, 0.05, 0.0, 0.0)
"""The value of a section by the number of its open passages: the share that was closed at the end of random play."""
_SIZE: Final = 0.01
"""The value of each card of a closed section: sizes break ties (A16)."""
_SCALE: Final = 1.5
_STOCKS: Final = 400
"""The number of worlds that are drawn for a decision. After that, worlds are drawn from these."""


def standings(maze: Maze, players: int) -> list[float]:
    """Return the value of every seat's sections, closed and open."""
    counts = [0.0] * players
    tiles = maze.tiles
    left = set(tiles)
    while left:
        start = left.pop()
        _, owner, faces, _ = tiles[start]
        if not any(faces):
            continue
        to_visit, size, passages = [start], 1, 0
        while to_visit:
            cell = to_visit.pop()
            for edge, (face, beside) in enumerate(zip(tiles[cell].faces, neighbours(cell), strict=True)):
                if not face:
                    continue
                other = tiles.get(beside)
                if other is None:
                    passages += 1
                elif beside in left and other.owner == owner and other.faces[OPPOSITE[edge]]:
                    left.discard(beside)
                    to_visit.append(beside)
                    size += 1
        counts[owner] += _PROSPECTS[min(passages, 6)] + (0 if passages else _SIZE * size)
    return counts


def _compared(counts: Sequence[float]) -> list[float]:
    """Return every seat's value compared with the best of the others, 0 to 1."""
    values = []
    for seat, own in enumerate(counts):
        best = max(other for rival, other in enumerate(counts) if rival != seat)
        values.append(0.5 + 0.5 * tanh((own - best) / _SCALE))
    return values


class AmbagibusJudgement(Judgement[AmbagibusState]):
    """Playouts are short, and longer for an expert. Then every section counts by how nearly it is closed."""

    exploration: ClassVar[float] = 0.25
    horizon: int = 4
    iterations: int = 3000
    strengths: ClassVar[Mapping[Level, Strength]] = {
        **STRENGTHS,
        # With two or three legal actions, as is usual here, a higher temperature would be random play.
        Level.EASY: Strength(0.08, 0.5),
        Level.EXPERT: Strength(0.85, 0.0, horizon=14),
    }

    @classmethod
    def levels(cls, options: Mapping[str, str]) -> tuple[Level, ...]:
        """Return fewer than four levels: luck decides most of the game, and nearly all of the basic one."""
        if options.get("variant") == BASIC:
            return Level.EASY, Level.EXPERT
        return Level.EASY, Level.NORMAL, Level.EXPERT

    def __init__(self, position: AmbagibusState, lines: Sequence[Played[Any]] = ()) -> None:
        super().__init__(position, lines)
        self._worlds: list[AmbagibusState] = []

    def world(self, rng: Random) -> AmbagibusState:
        """Return newly shuffled decks, and later one of the earlier worlds: playouts draw only a few cards."""
        if len(self._worlds) == _STOCKS:
            return self._worlds[int(rng.random() * _STOCKS)]
        world = super().world(rng)
        self._worlds.append(world)
        return world

    def values(self, state: AmbagibusState) -> Sequence[float]:
        """Return every seat's sections compared with the others'. At the end the result counts most."""
        standing = _compared(standings(state.maze, state.players))
        outcome = state.outcome()
        if outcome is None:
            return standing
        final = won(outcome, state.players)
        return [0.8 * result + 0.2 * value for result, value in zip(final, standing, strict=True)]


JUDGEMENT: Final = AmbagibusJudgement
