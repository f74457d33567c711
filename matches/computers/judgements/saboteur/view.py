"""A turn of Saboteur as the current player sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.grid import Cell
from games.saboteur import SaboteurState
from games.saboteur.actions import Break, Dig, Drop, LookAt, Repair, RockFall
from games.saboteur.components import DEAD_ENDS, DIGGER, JOINED_CARDS, MAP, REPAIR_CARDS
from matches.computers.judgements.saboteur.paths import Front, believed


class View:
    """A turn as the current player sees it: their side, where the treasure may be, and their `foes`.

    `foes` is by seat the probability that it is on the other side. Discarding something useless has an opinion of 0.35,
    and other opinions are relative to that.
    """

    def __init__(self, state: SaboteurState, foes: Sequence[float]) -> None:
        self._state = state
        self._player = state.current_player
        self._digs = state.roles[self._player] == DIGGER
        self._foes = foes
        self._goals = believed(state, self._player)
        self._front = Front(state.maze, self._goals)
        self._blocked = state.broken[0] | state.broken[1] | state.broken[2]

    def opinion(self, action: Any) -> float:
        """Return the opinion of an action, 0 to 1."""
        match action:
            case Dig():
                return self._of_dig(action)
            case Break(_, seat):
                return self._of_break(seat)
            case Repair(_, seat):
                return 0.7 if seat == self._player else 0.55 - 0.6 * self._foes[seat]
            case RockFall(cell):
                return self._of_rock_fall(cell)
            case LookAt(cell):
                return 0.5 if cell in self._goals and len(self._goals) > 1 else 0.1
            case Drop(card):
                return 0.35 - 0.25 * self._use(card)
            case _:
                return 0.5

    def _of_dig(self, dig: Dig) -> float:
        """Return the opinion of a path card.

        Diggers want the path nearer to the treasure, without dead ends. Saboteurs want it farther away.
        """
        gain = max(min(self._front.distance - self._front.after(dig), 3.0), -3.0)
        if not self._digs:
            return 0.38 - 0.12 * gain
        if dig.piece.islower():
            return 0.1
        return 0.36 + 0.12 * gain if gain > 0 else 0.28 + 0.12 * gain

    def _of_break(self, seat: int) -> float:
        """Return the opinion of breaking a tool of this seat: the best targets are foes whose tools are all whole."""
        if seat == self._player:
            return 0.0
        return (0.0 if self._blocked >> seat & 1 else 0.1) + 0.5 * self._foes[seat]

    def _of_rock_fall(self, cell: Cell) -> float:
        """Return the opinion of a rock-fall on this cell.

        Diggers remove dead ends. Saboteurs remove the path, preferably far from its start.
        """
        if self._state.maze.cards[cell].islower():
            return 0.45 if self._digs else 0.1
        if self._digs:
            return 0.05
        return 0.3 if cell in self._state.maze.stranded else 0.3 + 0.03 * cell[0]

    def _use(self, card: str) -> float:
        """Return how useful a card may still be to the player, 0 to 1."""
        if card == MAP:
            return 0.7 if len(self._goals) > 1 else 0.0
        if card in JOINED_CARDS:
            along = 0.8 if "E" in card or "W" in card else 0.5
            return along if self._digs else 0.0
        if card in REPAIR_CARDS:
            return 0.5
        if card in DEAD_ENDS:
            return 0.0 if self._digs else 0.8
        return 0.4 if self._digs else 0.9
