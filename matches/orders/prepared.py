"""The moves that one person has said in advance, and those that they could say (`matches/orders/asking.py`)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from db.orders.kept import Order
from games.core import Exclusion, Instruction, Move
from matches.records.seen import View


@dataclass(frozen=True)
class TheirView(View):
    """The position as the viewer sees it, with the moves of another player that the viewer can answer in advance."""

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the player whose turn it is."""
        return self.turn.moves


@dataclass(frozen=True)
class Prepared:
    """What the viewer has said in advance. It is shown to nobody else.

    `view` shows the match as it is. `next_view` shows it as if it were the viewer's turn now, `their_view` the moves
    that can be answered; ``None`` where that makes no sense. `exclusions` are what can keep an order from being carried
    out, `instructions` those that can be given now. `pending` is the order that is about to be carried out.
    """

    view: View
    orders: tuple[Order, ...]
    next_view: View | None
    their_view: TheirView | None
    exclusions: tuple[Exclusion, ...]
    instructions: tuple[Instruction, ...]
    pending: Order | None
