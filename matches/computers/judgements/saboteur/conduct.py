"""What a sensible player of Saboteur considers on a turn.

A digger repairs their own tools, looks for the treasure, brings the path nearer, or discards the least useful card. A
saboteur does the same while the path is far away, because the whole table answers an open attack. Until then they
secretly discard the cards that would help the diggers. They attack when the path is near, or when they are exposed.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from functools import cached_property
from typing import Any, Final

from games.grid import Cell
from games.saboteur import SaboteurState
from games.saboteur.actions import Break, Dig, Drop, LookAt, Repair, RockFall
from games.saboteur.components import BREAK_CARDS, DEAD_ENDS, FINISH, JOINED_CARDS, MAP, REPAIR_CARDS, ROCK
from matches.computers.judgements.saboteur.paths import Front
from matches.computers.judgements.saboteur.view import View

STRIKE: Final = 5
"""A saboteur attacks when the path needs at most this many cards to the nearest finish card."""

STRIKE_AMONG_MANY: Final = 7
"""With more players a path grows faster, so saboteurs attack earlier, but not above this many missing cards."""

STRIKE_ON_FIRST_TURN: Final = 4
"""On their first turn of a round, saboteurs attack only when the path needs at most this many cards."""

NOW_OR_NEVER: Final = 2
"""With this many missing cards or fewer, a saboteur who can attack doesn't use a map."""

EXPOSED: Final = 0.75
"""Above this probability that they are a saboteur, as a spectator sees it, a saboteur stops hiding."""

FOE: Final = 0.6
"""From this probability on, a player is treated as a foe."""

_FRIEND: Final = 0.42
"""Up to this probability of being a foe, a player is helped."""


class Rank(IntEnum):
    """How early a player considers an action.

    They consider all actions of the lowest rank that they have. With path cards that help (`ACT`), a digger also
    considers what helps otherwise (`HELP`). If they have only the latter, they also consider discards.
    """

    ARRIVE = 0
    MEND = 1
    MEND_BY_DOUBLE = 2
    LOOK = 3
    ACT = 4
    HELP = 5
    LOOK_LATER = 6
    DROP = 7


def goes_with(rank: int, best: int) -> bool:
    """Return whether actions of this rank are considered where the lowest rank is `best`."""
    return rank == best or (best == Rank.ACT and rank == Rank.HELP)


class Conduct(View):
    """What a sensible player considers on a turn.

    `exposed` is the probability that they are a saboteur, as a spectator sees it. `own` are their actions in this
    round.
    """

    def __init__(self, state: SaboteurState, foes: Sequence[float], exposed: float, own: Sequence[Any]) -> None:
        super().__init__(state, foes)
        self._exposed = exposed
        self._own = own
        self.public = Front(state.maze, tuple(cell for cell in FINISH if cell not in state.maze.cards))

    def candidates(self, actions: Sequence[Any]) -> Sequence[Any]:
        """Return the legal actions that a sensible player considers; at least one."""
        ranks = {action: self.rank(action) for action in actions}
        best = min(ranks.values())
        if best == Rank.DROP:
            return self._drops(actions) or actions
        considered = (action for action in actions if goes_with(ranks[action], best))
        # Looks come before path cards that arrive.
        found = sorted(considered, key=lambda action: not isinstance(action, LookAt))
        return [*found, *self._drops(actions)] if best == Rank.HELP else found

    def rank(self, action: Any) -> Rank:
        """Return how early a player considers an action. Only those of the lowest rank count (`goes_with`)."""
        if isinstance(action, Repair) and action.seat == self._player:
            return Rank.MEND if len(action.card) == 2 else Rank.MEND_BY_DOUBLE
        if isinstance(action, LookAt):
            return self._rank_of_looks if action.cell in self._worth_a_look else Rank.DROP
        if self._digs:
            return self._rank_of_digger(action)
        if self.strikes:
            return Rank.ACT if self.hurts(action) else Rank.DROP
        return Rank.ACT if self._hides_behind(action) else Rank.DROP

    @cached_property
    def strikes(self) -> bool:
        """Whether a saboteur stops hiding: the path is near, or they are exposed."""
        near = self.near if self._own else STRIKE_ON_FIRST_TURN
        return self.away <= near or self._exposed > EXPOSED

    @property
    def away(self) -> int:
        """The number of cards that the path needs to the nearest finish card that is face down."""
        return self.public.missing

    @property
    def near(self) -> int:
        """The number of missing cards at which a path is near: the others can lay as many before the next turn."""
        return min(max(STRIKE, self._state.players + 1), STRIKE_AMONG_MANY)

    def _rank_of_digger(self, action: Any) -> Rank:
        if isinstance(action, Dig) and self._front.missing_after(action) == 0:
            return Rank.ARRIVE if len(self._goals) == 1 else Rank.LOOK
        if not self._helps_digging(action):
            return Rank.DROP
        return Rank.ACT if isinstance(action, Dig) else Rank.HELP

    def _helps_digging(self, action: Any) -> bool:
        match action:
            case Dig():
                return self.gain(action) > 0
            case Break(_, seat):
                return self._foes[seat] >= FOE and seat != self._player
            case Repair(_, seat):
                return self._foes[seat] <= _FRIEND and self._is_freed(action)
            case RockFall():
                return self._after_rock_fall(action) < self._front.missing
            case _:
                return False

    def _hides_behind(self, action: Any) -> bool:
        """Return whether a saboteur plays this path card in order to look like a digger.

        They do so every third turn, while the path is far from the finish cards.
        """
        if not self._shows or not isinstance(action, Dig):
            return False
        missing = self.public.missing_after(action)
        return self.near <= missing < self.public.missing

    @cached_property
    def _shows(self) -> bool:
        shown = sum(isinstance(action, Dig | LookAt | Repair) for action in self._own)
        return 3 * shown <= len(self._own)

    def hurts(self, action: Any) -> bool:
        """Return whether an action is an attack of a saboteur."""
        match action:
            case Dig():
                return self._front.after(action) > self._front.distance
            case Break(_, seat):
                return self._foes[seat] > 1 - FOE and not self._blocked >> seat & 1
            case RockFall():
                return self._after_rock_fall(action) > self._front.missing
            case _:
                return False

    def gain(self, dig: Dig) -> int:
        """Return by how many cards a path card brings the path nearer to where the treasure may be."""
        return self._front.missing - self._front.missing_after(dig)

    def _after_rock_fall(self, fall: RockFall) -> int:
        return Front(self._state.maze.remove(fall.cell), self._goals).missing

    def _is_freed(self, mend: Repair) -> bool:
        """Return whether a repair is the last one that somebody needs."""
        return sum(seats >> mend.seat & 1 for seats in self._state.broken) == 1

    @cached_property
    def _worth_a_look(self) -> tuple[Cell, ...]:
        """The finish cards nearest to a path, if they can tell something."""
        if len(self._goals) < 2:
            return ()
        missing = {cell: Front(self._state.maze, (cell,)).missing for cell in self._goals}
        return tuple(cell for cell in self._goals if missing[cell] == min(missing.values()))

    @property
    def _rank_of_looks(self) -> Rank:
        """The rank of using a map: early, but late for a saboteur who must attack now or never (`NOW_OR_NEVER`)."""
        hurried = not self._digs and self.strikes and self.public.missing <= NOW_OR_NEVER
        return Rank.LOOK_LATER if hurried else Rank.LOOK

    def _drops(self, actions: Sequence[Any]) -> list[Any]:
        """Return the discards of the least useful cards."""
        uses = {action: self.use(action.card) for action in actions if isinstance(action, Drop)}
        return [action for action, use in uses.items() if use <= min(uses.values()) + 0.1]

    def use(self, card: str) -> float:
        """Return how useful a card may still be to the player, 0 to 1. Several of a kind are less useful."""
        return self.use_of(card, self._state.hands[self._player].count(card))

    def use_of(self, card: str, held: int) -> float:
        """Return `use` for a player who holds this many of the card."""
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
