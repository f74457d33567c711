"""What everybody sees of a turn of Saboteur: what it did, and what its player could have done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import IntEnum
from itertools import pairwise
from typing import Any, Final, NamedTuple, Self

from games.grid import Cell
from games.saboteur import SaboteurState
from games.saboteur.actions import Break, Dig, Drop, LookAt, Repair, RockFall, card_played, numbers
from games.saboteur.board import NEW_MAZE, Maze
from games.saboteur.components import (
    CARD_OF,
    DECK,
    FINISH,
    FIXED,
    HAND_SIZE,
    MAP,
    REPAIR_CARDS,
    TOOLS,
    TREASURE_CARD,
)
from matches.computers.judgements.saboteur.conduct import STRIKE, STRIKE_AMONG_MANY
from matches.computers.judgements.saboteur.paths import Front

SUSPECT: Final = 0.7
TRUSTED: Final = -0.5
"""A player is a suspect above this log likelihood ratio, and trusted up to that one."""

_LACKING: Final = (0.0, 0.005, 0.015, 0.04, 0.08, 0.15, 0.3)
"""How likely a hand has nothing that helps, in steps."""

Goals = tuple[Cell, ...]


class Deed(IntEnum):
    """What a turn did. Path cards count by the goals of their player, and tools by how suspected their owner is."""

    NEARER = 0
    ARRIVES = 1
    SIDEWAYS = 2
    AWAY = 3
    DEAD_END = 4
    IDLE_DEAD_END = 5
    CLEARS = 6
    CAVES_IN = 7
    IDLE_ROCK = 8
    BREAKS_TRUSTED = 9
    BREAKS = 10
    BREAKS_SUSPECT = 11
    MENDS = 12
    HELPS_TRUSTED = 13
    HELPS = 14
    HELPS_SUSPECT = 15
    LOOKS = 16
    FOOLISH = 17
    DISCARDS = 18


GROUPS: Final = (
    (Deed.NEARER, Deed.ARRIVES),
    (Deed.SIDEWAYS,),
    (Deed.AWAY, Deed.DEAD_END, Deed.IDLE_DEAD_END, Deed.CAVES_IN, Deed.IDLE_ROCK),
    (Deed.BREAKS_TRUSTED, Deed.BREAKS, Deed.BREAKS_SUSPECT),
    (Deed.MENDS,),
    (Deed.CLEARS, Deed.HELPS_TRUSTED, Deed.HELPS, Deed.HELPS_SUSPECT),
    (Deed.LOOKS,),
    (Deed.FOOLISH,),
    (Deed.DISCARDS,),
)
"""How likely a group is follows from the facts of the turn. How likely each deed of it is, hardly does."""


class Turn(NamedTuple):
    """A turn as everybody sees it, if its player has certain goals: the deed, and the `facts` before it as a mask."""

    deed: Deed
    facts: int


class Seen:
    """What everybody has seen of a round so far. `lean` is by seat how suspected it is: a log likelihood ratio."""

    def __init__(self, players: int) -> None:
        size = HAND_SIZE[players]
        self.players = players
        self.maze = NEW_MAZE
        self.lean = [0.0] * players
        self._broken = [0] * len(TOOLS)
        self._looked = [0] * len(FINISH)
        self._hands = [size] * players
        self._stock = len(DECK) - players * size
        self._unseen = Counter(DECK)
        self._turns = [0] * players
        self._shown = [0] * players
        self._dropped = [0] * players
        self._before: list[Deed | None] = [None] * players
        self._ways: dict[Goals, Front] = {}

    @classmethod
    def begin(cls, start: SaboteurState) -> Self:
        """Return what everybody sees at a position, without what was done before it."""
        new = cls(start.players)
        new.maze, new._broken, new._looked = start.maze, list(start.broken), list(start.seen)
        new._hands = list(map(len, start.hands))
        new._stock = len(start.stock) - start.drawn
        new._unseen = unseen(start)
        return new

    @property
    def treasures(self) -> list[int]:
        """The finish cards that may be the treasure, by those that lie face up."""
        shown = [number for number, cell in enumerate(FINISH) if self.maze.cards.get(cell) == TREASURE_CARD]
        return shown or [number for number, cell in enumerate(FINISH) if cell not in self.maze.cards]

    @property
    def looks(self) -> list[tuple[int, int]]:
        """Who has looked at which finish card: its number, and the seat."""
        return [(number, seat) for number, seats in enumerate(self._looked) for seat in numbers(seats)]

    def goals(self, seat: int, treasure: int) -> Goals:
        """Return where a seat believes the treasure to be, if it is there."""
        if self._looked[treasure] >> seat & 1:
            return (FINISH[treasure],)
        seen = [looked >> seat & 1 for looked in self._looked]
        return tuple(cell for cell, saw in zip(FINISH, seen, strict=True) if not saw and cell not in self.maze.cards)

    def turn(self, seat: int, action: Any, goals: Goals) -> Turn:
        """Return what everybody sees of a turn that is about to be played, if its player has these goals."""
        return Turn(self.deed(seat, action, goals), self.facts(seat, goals))

    def played(self, seat: int, action: Any, deed: Deed, finish: Mapping[Cell, str]) -> None:
        """Take account of a turn. `finish` has at least the finish cards that it turned up, as they lie."""
        free = not self._blocked(seat)
        self._turns[seat] += 1
        self._shown[seat] += isinstance(action, Dig | LookAt | Repair)
        self._dropped[seat] += free and deed == Deed.DISCARDS
        self._before[seat] = deed if free or deed != Deed.DISCARDS else Deed.FOOLISH
        match action:
            case Dig(piece, cell):
                self.maze = turned_up(self.maze.lay(cell, piece), finish)
                self._ways = {}
            case RockFall(cell):
                self.maze = self.maze.remove(cell)
                self._ways = {}
            case Break(tool, other):
                self._broken[TOOLS.index(tool)] |= 1 << other
            case Repair(_, other, tool):
                self._broken[TOOLS.index(tool)] &= ~(1 << other)
            case LookAt(cell):
                self._looked[FINISH.index(cell)] |= 1 << seat
        card = card_played(action)
        if card is not None and not isinstance(action, Drop):
            self._unseen[card] -= 1
        if self._stock:
            self._stock -= 1
        else:
            self._hands[seat] = max(self._hands[seat] - 1, 0)

    def at(self, maze: Maze) -> None:
        """Go on with this maze, as lines before it may be missing."""
        self.maze, self._ways = maze, {}

    def _blocked(self, seat: int) -> int:
        """Return how many of a seat's tools are broken."""
        return sum(seats >> seat & 1 for seats in self._broken)

    def _way(self, goals: Goals) -> Front:
        """Return how far the paths are from some goals."""
        found = self._ways.get(goals)
        if found is None:
            found = self._ways[goals] = Front(self.maze, goals)
        return found

    def _mends(self, seat: int) -> list[str]:
        """Return the cards that repair a broken tool of this seat."""
        broken = {tool for tool, seats in zip(TOOLS, self._broken, strict=True) if seats >> seat & 1}
        return [card for card in REPAIR_CARDS if broken & set(card[1:])]

    def _lacking(self, seat: int, cards: Iterable[str]) -> float:
        """Return about how likely a hand that nobody has seen has none of these cards."""
        share = sum(self._unseen[card] for card in cards) / max(self._unseen.total(), 1)
        return (1 - share) ** self._hands[seat]

    def deed(self, seat: int, action: Any, goals: Goals) -> Deed:
        """Return what a turn would do, if its player has these goals."""
        front = self._way(goals)
        match action:
            case Dig(piece):
                if piece.islower():
                    return Deed.DEAD_END if front.after(action) > front.distance else Deed.IDLE_DEAD_END
                missing = front.missing_after(action)
                if missing < front.missing:
                    return Deed.NEARER if missing else Deed.ARRIVES
                return Deed.AWAY if front.after(action) > front.distance else Deed.SIDEWAYS
            case RockFall(cell):
                if self.maze.cards[cell].islower():
                    return Deed.CLEARS
                falls = Front(self.maze.remove(cell), goals).missing > front.missing
                return Deed.CAVES_IN if falls else Deed.IDLE_ROCK
            case Break(_, other):
                return Deed.FOOLISH if other == seat else Deed(Deed.BREAKS_TRUSTED + self._reputation(other))
            case Repair(_, other):
                return Deed.MENDS if other == seat else Deed(Deed.HELPS_TRUSTED + self._reputation(other))
            case LookAt(cell):
                return Deed.LOOKS if cell in goals and len(goals) > 1 else Deed.FOOLISH
            case _:
                return Deed.DISCARDS

    def _reputation(self, seat: int) -> int:
        """Return 0 for a trusted seat, 1 for one of which little is known, 2 for a suspect."""
        return (self.lean[seat] > TRUSTED) + (self.lean[seat] > SUSPECT)

    def facts(self, seat: int, goals: Goals) -> int:
        """Return what everybody knows before a turn, as a mask. The first fact, a suspect, decides about `GROUPS`."""
        missing, before, many = self._way(goals).missing, self._before[seat], self.players
        blocked, broken = self._blocked(seat), self._broken[0] | self._broken[1] | self._broken[2]
        lacking = self._lacking(seat, self._mends(seat) if blocked else self._way(goals).useful())
        near = min(max(STRIKE, many + 1), STRIKE_AMONG_MANY)
        far, shows = missing > near, 3 * self._shown[seat] <= self._turns[seat]
        facts = (
            any(lean > SUSPECT for other, lean in enumerate(self.lean) if other != seat),
            missing <= 2,
            3 <= missing <= 4,
            4 < missing <= near,
            missing > near + 1,
            before in (Deed.NEARER, Deed.ARRIVES),
            before == Deed.DISCARDS,
            before is not None and before not in (Deed.NEARER, Deed.ARRIVES, Deed.DISCARDS),
            *(not blocked and low <= lacking < high for low, high in pairwise(_LACKING)),
            self._dropped[seat] > 1,
            self._dropped[seat] > 2,
            self.lean[seat] > 1,
            self.lean[seat] < -0.7,
            bool(broken & ~(1 << seat)),
            blocked > 0,
            blocked > 1,
            blocked > 0 and lacking < 0.4,
            self._stock + sum(self._hands) <= 2 * many,
            many >= 7,
            len(goals) == 1,
            self._unseen[MAP] < 0.03 * self._unseen.total(),
            shows and far,
            not shows and far,
            before == Deed.DISCARDS and far,
        )
        return sum(1 << number for number, fact in enumerate(facts) if fact)


FACTS: Final = 29
"""How many facts a mask has."""


def unseen(state: SaboteurState) -> Counter[str]:
    """Return how many cards of each kind nobody but their players has seen."""
    left = Counter(DECK)
    left.subtract(CARD_OF[piece] for cell, piece in state.maze.cards.items() if cell not in FIXED)
    left.subtract(state.pile)
    left.subtract({f"-{tool}": seats.bit_count() for tool, seats in zip(TOOLS, state.broken, strict=True)})
    return left


def turned_up(maze: Maze, finish: Mapping[Cell, str]) -> Maze:
    """Return the maze with the finish cards that its paths have reached, as they lie in `finish` (S14)."""
    for cell in FINISH:
        if cell in maze.frontier and cell in finish:
            return turned_up(maze.lay(cell, finish[cell]), finish)
    return maze
