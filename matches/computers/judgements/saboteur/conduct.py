"""How a sensible player conducts himself in Saboteur: what comes into question at all on a turn.

A digger mends their own tools, looks where the treasure is, brings the path nearer or lets go of what is of least use.
A saboteur does the same as long as the path is far away, for an open strike is answered by the whole table; what they
do against the others until then nobody sees: they discard what would help them. They strike when the path is near, or
when they are found out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from games.saboteur import SaboteurState
from games.saboteur.actions import Break, Dig, Drop, LookAt, Repair, RockFall
from games.saboteur.components import BREAK_CARDS, DEAD_ENDS, DIGGER, FINISH, JOINED_CARDS, MAP, REPAIR_CARDS, ROCK
from matches.computers.judgements.saboteur.paths import Front, believed

STRIKE: Final = 5
"""A saboteur strikes when so many cards, or fewer, are missing between the path and the nearest finish card."""

STRIKE_AMONG_MANY: Final = 7
"""Among many a path grows faster: they strike the sooner the more play, but not before so many are missing."""

AT_ONCE: Final = 4
"""On their first turn of a round they do so only when no more than so many are missing."""

NOW_OR_NEVER: Final = 2
"""When so few cards are missing a saboteur who can strike has no time left for a map."""

EXPOSED: Final = 0.75
"""A saboteur of whom the table is so sure has nothing to hide any more."""

_FOE: Final = 0.6
"""Who is an enemy with this probability is treated as one."""

_FRIEND: Final = 0.42
"""Who is an enemy with no more than this probability is helped."""


class Conduct:
    """What comes into question on a turn, from what the player on turn may know.

    `foes` is by seat how likely it is on the other side, `exposed` how likely the table thinks that the player is a
    saboteur, `own` are their turns of this round.
    """

    def __init__(self, state: SaboteurState, foes: Sequence[float], exposed: float, own: Sequence[Any]) -> None:
        self._state = state
        self._player = state.current_player
        self._foes = foes
        self._exposed = exposed
        self._own = own
        self._digs = state.roles[self._player] == DIGGER
        self._goals = believed(state, self._player)
        self._front = Front(state.maze, self._goals)
        self._public = Front(state.maze, tuple(cell for cell in FINISH if cell not in state.maze.cards))
        self._blocked = state.broken[0] | state.broken[1] | state.broken[2]

    def candidates(self, actions: Sequence[Any]) -> Sequence[Any]:
        """Those of the legal actions that come into question; at least one."""
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
        """From where on the path is near: the others may lay so many cards before the next turn."""
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
            case RockFall(cell):
                return self._after_rock_fall(action) < self._front.missing if cell else False
            case _:
                return False

    def _of_hiding(self, actions: Sequence[Any]) -> list[Any]:
        """As a digger would, but of the cards that nobody sees the best go first; every third turn a path card."""
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
        """By how many cards a path card brings the path nearer to where the treasure may be."""
        return self._front.missing - self._front.missing_after(dig)

    def _after_rock_fall(self, fall: RockFall) -> int:
        return Front(self._state.maze.remove(fall.cell), self._goals).missing

    def _is_freed(self, mend: Repair) -> bool:
        """Whether somebody has all tools again after a repair."""
        return sum(seats >> mend.seat & 1 for seats in self._state.broken) == 1

    def _mends(self, actions: Sequence[Any]) -> list[Any]:
        """Repairs of own tools, with a single card rather than a double one."""
        found = [action for action in actions if isinstance(action, Repair) and action.seat == self._player]
        return [action for action in found if len(action.card) == 2] or found

    def _looks(self, actions: Sequence[Any]) -> list[Any]:
        """A map for the finish card that is nearest to a path, where any can tell something."""
        if len(self._goals) < 2:
            return []
        looks = [action for action in actions if isinstance(action, LookAt) and action.cell in self._goals]
        missing = {look: Front(self._state.maze, (look.cell,)).missing for look in looks}
        return [look for look in looks if missing[look] == min(missing.values())]

    def _drops(self, actions: Sequence[Any]) -> list[Any]:
        """To discard what is of least use."""
        uses = {action: self.use(action.card) for action in actions if isinstance(action, Drop)}
        return [action for action, use in uses.items() if use <= min(uses.values()) + 0.1]

    def use(self, card: str) -> float:
        """How useful a card may still be to the player, 0 to 1; more of a kind are of less use."""
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
