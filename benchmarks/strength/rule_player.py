"""The yardstick of Saboteur: somebody who plays by rules of thumb, without search and without hiding their role.

They use only what their seat may know: its cards and role, the finish cards it has seen, and the open actions.
The unit is a path card that brings the paths nearer by one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any, Final

from games.core import Played, State
from games.saboteur import SaboteurState
from games.saboteur.actions import Break, Dig, Drop, LookAt, Repair, RockFall
from games.saboteur.board import Maze
from matches.computers.judgements.saboteur.paths import Front
from matches.computers.judgements.saboteur.roles import Known, likely_saboteurs, of_this_round, possible_roles
from matches.computers.judgements.saboteur.turns import unseen
from matches.computers.judgements.saboteur.view import View

_HEED: Final = 2.0
"""What a hostile act that everybody has seen adds to the log odds that somebody is a saboteur."""

_FREED: Final = 2.2
_STOPPED: Final = 1.5
_LOOKED: Final = 0.9
_FOUND: Final = 3.0
"""What it is worth to free a friend of their last broken tool, to break a foe's first one, to look, and to arrive."""

_LEAST: Final = 0.25
"""A path card that changes the distance by no more than this is no use."""


def by_rules(state: State[Any], player: int, lines: Sequence[tuple[int, Any]], rng: Random) -> Any:
    """The action that the rules value most; one of the best at random."""
    assert isinstance(state, SaboteurState)
    actions = state.legal_actions(player)
    default = state.default_action()
    if default is not None or len(actions) == 1:
        return default or actions[0]
    turn = Rules(state, lines)
    worth = {action: turn.worth(action) + 0.001 * rng.random() for action in actions}
    return max(worth, key=worth.__getitem__)


def guilt(players: int, lines: Sequence[tuple[int, Any]]) -> list[float]:
    """By seat how many hostile acts everybody has seen in this round, less the helpful ones."""
    found = [0.0] * players
    for seat, action in of_this_round([Played(*line) for line in lines]):
        match action:
            case Break(_, other) if other != seat:
                found[seat] += 1 if found[other] <= 0.5 else -0.5
            case RockFall():
                found[seat] += 0.7
            case Dig(piece):
                found[seat] += 1 if piece.islower() else -0.2
            case Repair(_, other) if other != seat:
                found[seat] -= 0.4
    return found


class Rules(View):
    """A turn of somebody who plays by rules of thumb."""

    def __init__(self, state: SaboteurState, lines: Sequence[tuple[int, Any]]) -> None:
        player, leans = state.current_player, [_HEED * each for each in guilt(state.players, lines)]
        leans[player] = 0.0
        roles = possible_roles(state.players, leans, Known.by(state, player))
        super().__init__(state, likely_saboteurs(*roles, state.players))
        if not self._digs:
            self._foes = [1 - chance for chance in self._foes]
        self._unseen = unseen(state) - Counter(state.hands[player])
        self._now = self._away(state.maze)

    def _away(self, maze: Maze) -> float:
        """How many cards the paths still need, and how long one that brings them nearer is waited for."""
        front = Front(maze, self._goals)
        share = sum(self._unseen[card] for card in front.useful()) / max(self._unseen.total(), 1)
        return front.missing + (1 - share) ** 3 if front.missing else 0.0

    def worth(self, action: Any) -> float:
        """How gladly the player does something."""
        match action:
            case Dig(piece, cell):
                return self._of_path_card(piece, self._state.maze.lay(cell, piece))
            case LookAt(cell):
                if cell not in self._goals or len(self._goals) < 2:
                    return -0.6
                return (_LOOKED if self._digs else 0.6) - 0.02 * Front(self._state.maze, (cell,)).missing
            case Repair(card, seat):
                own, friend = seat == self._player, 1 - 2 * self._foes[seat]
                worth = _FREED * (2 if own else friend) * (1 if self._digs else 0.3) - 0.05 * len(card)
                left = sum(seats >> seat & 1 for seats in self._state.broken)
                return worth if own or left == 1 else 0.3 * worth
            case Break(_, seat):
                if seat == self._player:
                    return -9.0
                worth = _STOPPED * (2 * self._foes[seat] - 1)
                worth -= 0.1 * ((seat - self._player) % self._state.players) / self._state.players
                return 0.4 * worth if self._blocked >> seat & 1 else worth
            case RockFall(cell):
                gain = self._now - self._away(self._state.maze.remove(cell))
                if self._digs:
                    return gain - 0.1 if gain > 0.7 else -1.0
                return 2 * min(-gain, 1.0) if gain < -_LEAST else -1.0
            case Drop(card):
                return 0.3 - 0.5 * self._use(card)
            case _:
                return 0.0

    def _of_path_card(self, piece: str, after: Maze) -> float:
        gain, arrives = self._now - self._away(after), not after.frontier.keys().isdisjoint(self._goals)
        if self._digs:
            found = _FOUND / len(self._goals) if arrives else 0.0
            return gain + 0.05 * len(piece) + found if piece.isupper() and gain > _LEAST else min(gain, 0.0) - 0.5
        return -9.0 if arrives else -gain if gain < -_LEAST else -gain - 0.5
