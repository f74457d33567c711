"""The fields of a position of Saboteur, for the modules that compute something from one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from games.core import State
from games.grid import Cell
from games.saboteur.actions import Action
from games.saboteur.board import NEW_MAZE, Maze
from games.saboteur.components import DECK
from games.saboteur.gold import GOLD, Round

Due = Literal["roles", "goals", "deal", "first", "turn", "gold", "take", "nothing"]
"""What comes next: a draw by chance (the `kind` of its action), a turn, a gold card, or nothing."""

IN_ROUND: Final = frozenset[Due](("goals", "deal", "first", "turn"))
"""What can be due while a round isn't decided and its roles are secret."""


class Effect(NamedTuple):
    """What an action did to the table: finish cards turned up (S14), the piece removed by a rock-fall (S11)."""

    turned_up: tuple[Cell, ...] = ()
    removed: str | None = None


NO_EFFECT: Final = Effect()


@dataclass(frozen=True)
class SaboteurPosition(State[Action]):
    """The fields of a position of Saboteur. `SaboteurState` has its rules.

    Attributes:
        hands: the cards of every seat, sorted.
        discards: the face-down discards of every seat in this round, in order (S13).
        due: what comes next.
        decided: the decided rounds, with their gold.
        gold_stock: the gold cards that nobody has and nobody passes, rising.
        roles: the roles of this round by seat, the left-over one last; empty until they are dealt.
        goals: the finish cards, from the top of the table to its bottom; empty until they are laid.
        seen: the seats that have looked at each finish card in this round, as masks (S12).
        maze: the face-up cards on the table.
        broken: the seats with a broken pick, lantern, wagon, as masks.
        stock: the stock right after the deal. Its first `drawn` cards are gone.
        pile: the cards that were played face up and are gone from the table, in order.
        starter: the seat that begins the round (S3); after its end, the seat that begins the next round (S4).
        effect: what the last action did to the table, apart from the card itself.
    """

    hands: tuple[tuple[str, ...], ...]
    discards: tuple[tuple[str, ...], ...]
    due: Due = "roles"
    decided: tuple[Round, ...] = ()
    gold_stock: tuple[int, ...] = GOLD
    roles: str = ""
    goals: tuple[str, ...] = ()
    seen: tuple[int, ...] = (0, 0, 0)
    maze: Maze = NEW_MAZE
    broken: tuple[int, ...] = (0, 0, 0)
    stock: tuple[str, ...] = DECK
    drawn: int = 0
    pile: tuple[str, ...] = ()
    starter: int = -1
    effect: Effect = NO_EFFECT

    @property
    def round_number(self) -> int:
        """1 to 3. A round lasts until the next one's roles are dealt (S17)."""
        return len(self.decided) + (self.due in IN_ROUND or not self.decided)

    @property
    def dealt(self) -> bool:
        """Whether the cards are dealt, for this round or still for the one before."""
        return self.roles != "" and self.due not in ("goals", "deal")

    def gold_of(self, seat: int) -> tuple[int, ...]:
        """Return the gold cards of `seat`, rising."""
        return tuple(sorted(card for past in self.decided for card in past.cards_of(seat)))
