"""What a sensible player of Saboteur considers on a turn.

A digger repairs their own tools, looks for the treasure, brings the path nearer, or discards the least useful card. A
saboteur does the same while the path is far away, because the whole table answers an open attack. Until then they
secretly discard the cards that would help the diggers. They attack when the path is near, or when they are exposed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from games.saboteur import SaboteurState
from games.saboteur.actions import Break, Dig, Drop, LookAt, Repair, RockFall
from games.saboteur.components import BREAK_CARDS, DEAD_ENDS, FINISH, JOINED_CARDS, MAP, REPAIR_CARDS, ROCK
from matches.computers.judgements.saboteur.paths import Front
from matches.computers.judgements.saboteur.view import View

STRIKE: Final = 5
"""A saboteur attacks when the path needs at most this many cards to the nearest finish card."""

STRIKE_AMONG_MANY: Final = 7
"""With more players a path grows faster, so saboteurs attack earlier, but not above this many missing cards."""

AT_ONCE: Final = 4
"""The limit on their first turn of a round."""

NOW_OR_NEVER: Final = 2
"""With this many missing cards or fewer, a saboteur who can attack doesn't use a map."""

EXPOSED: Final = 0.75
"""Above this probability that they are a saboteur, as a spectator sees it, a saboteur stops hiding."""

_FOE: Final = 0.6
"""From this probability on, a player is treated as a foe."""

_FRIEND: Final = 0.42
"""Up to this probability of being a foe, a player is helped."""


class Conduct(View):
    """What a sensible player considers on a turn.

    `exposed` is the probability that they are a saboteur, as a spectator sees it. `own` are their actions in this
    round.
    """

    def __init__(self, state: SaboteurState, foes: Sequence[float], exposed: float, own: Sequence[Any]) -> None:
        super().__init__(state, foes)
        self._exposed = exposed
        self._own = own
        self._public = Front(state.maze, tuple(cell for cell in FINISH if cell not in state.maze.cards))

    def candidates(self, actions: Sequence[Any]) -> Sequence[Any]:
        """Return the legal actions that a sensible player considers; at least one."""
        if self._digs:
            found = self._of_digger(actions)
        elif self._strikes:
            found = self._of_striking(actions)
        else:
            found = self._of_hiding(actions)
        return found or self._drops(actions) or actions

    @property
    def _strikes(self) -> bool:
        near = self._near if self._own else AT_ONCE
        return self._public.missing <= near or self._exposed > EXPOSED

    @property
    def _near(self) -> int:
        """The number of missing cards at which a path is near: the others can lay as many before the next turn."""
        return min(max(STRIKE, self._state.players + 1), STRIKE_AMONG_MANY)

    def _of_digger(self, actions: Sequence[Any]) -> list[Any]:
        arriving = [action for action in actions if isinstance(action, Dig) and self._front.missing_after(action) == 0]
        if arriving and len(self._goals) == 1:
            return arriving
        first = self._mends(actions) or [*self._looks(actions), *arriving]
        if first:
            return first
        found = [action for action in actions if self._helps_digging(action)]
        return found if any(isinstance(action, Dig) for action in found) else [*found, *self._drops(actions)]

    def _helps_digging(self, action: Any) -> bool:
        match action:
            case Dig():
                return self._gain(action) > 0
            case Break(_, seat):
                return self._foes[seat] >= _FOE and seat != self._player
            case Repair(_, seat):
                return self._foes[seat] <= _FRIEND and self._is_freed(action)
            case RockFall():
                return self._after_rock_fall(action) < self._front.missing
            case _:
                return False

    def _of_hiding(self, actions: Sequence[Any]) -> list[Any]:
        """Act like a digger, with a path card on every third turn, but discard the most useful cards."""
        first = self._mends(actions) or self._looks(actions)
        if first:
            return first
        shown = sum(isinstance(action, Dig | LookAt | Repair) for action in self._own)
        if 3 * shown <= len(self._own):
            helpful = [
                action
                for action in actions
                if isinstance(action, Dig)
                and self._public.missing_after(action) < self._public.missing
                and self._public.missing_after(action) >= self._near
            ]
            if helpful:
                return helpful
        return self._drops(actions)

    def _of_striking(self, actions: Sequence[Any]) -> list[Any]:
        found = [action for action in actions if self._hurts(action)]
        first = self._mends(actions)
        if not first and (not found or self._public.missing > NOW_OR_NEVER):
            first = self._looks(actions)
        return first or found or self._drops(actions)

    def _hurts(self, action: Any) -> bool:
        match action:
            case Dig():
                return self._front.after(action) > self._front.distance
            case Break(_, seat):
                return self._foes[seat] > 1 - _FOE and not self._blocked >> seat & 1
            case RockFall():
                return self._after_rock_fall(action) > self._front.missing
            case _:
                return False

    def _gain(self, dig: Dig) -> int:
        """Return by how many cards a path card brings the path nearer to where the treasure may be."""
        return self._front.missing - self._front.missing_after(dig)

    def _after_rock_fall(self, fall: RockFall) -> int:
        return Front(self._state.maze.remove(fall.cell), self._goals).missing

    def _is_freed(self, mend: Repair) -> bool:
        """Return whether a repair is the last one that somebody needs."""
        return sum(seats >> mend.seat & 1 for seats in self._state.broken) == 1

    def _mends(self, actions: Sequence[Any]) -> list[Any]:
        """Return repairs of the player's own tools, with single cards if there are any."""
        found = [action for action in actions if isinstance(action, Repair) and action.seat == self._player]
        return [action for action in found if len(action.card) == 2] or found

    def _looks(self, actions: Sequence[Any]) -> list[Any]:
        """Return the maps for the finish cards nearest to a path, if they can tell something."""
        if len(self._goals) < 2:
            return []
        looks = [action for action in actions if isinstance(action, LookAt) and action.cell in self._goals]
        missing = {look: Front(self._state.maze, (look.cell,)).missing for look in looks}
        return [look for look in looks if missing[look] == min(missing.values())]

    def _drops(self, actions: Sequence[Any]) -> list[Any]:
        """Return the discards of the least useful cards."""
        uses = {action: self.use(action.card) for action in actions if isinstance(action, Drop)}
        return [action for action, use in uses.items() if use <= min(uses.values()) + 0.1]

    def use(self, card: str) -> float:
        """Return how useful a card may still be to the player, 0 to 1. Several of a kind are less useful."""
        held = self._state.hands[self._player].count(card)
        if card == MAP:
            return 0.9 if len(self._goals) > 1 else 0.0
        if card in JOINED_CARDS:
            along = (0.8 if "E" in card or "W" in card else 0.5) + 0.05 * (len(card) - 2)
            return along if self._digs else 0.45 - 0.4 * along
        if card in REPAIR_CARDS:
            return (0.6 if held == 1 else 0.25) + (0.05 if len(card) > 2 else 0.0)
        if card in DEAD_ENDS:
            return 0.05 if self._digs else 0.7
        if card == ROCK:
            return 0.3 if self._digs else 0.95
        assert card in BREAK_CARDS
        return 0.45 / held if self._digs else 0.9
