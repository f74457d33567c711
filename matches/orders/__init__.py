"""Orders: what people say in advance, while it isn't their turn, and what is played for them then (P39)."""

from __future__ import annotations

from typing import Final

from db.model.enums import Due, Kind
from db.orders.kept import Order, OrderKind
from matches.orders import giving
from matches.orders.asking import Orders, Prepared, TheirView
from matches.table.feature import Feature
from matches.table.value import Table

__all__ = ["FEATURE", "Order", "OrderKind", "Orders", "Prepared", "TheirView"]

FEATURE: Final = Feature[Table](
    key=giving.KEY,
    part=Orders,
    by_hand=giving.withdrawn,
    at_once=giving.at_once,
    followed=giving.heeded,
    due={Due.ORDER: giving.carried_out},
    answers=lambda table: giving.chosen(table) is not None,
    lasting=frozenset({Kind.ORDERED}),
    offers=giving.offers,
    on_board=giving.proposed,
    left_out=giving.left_out,
)
