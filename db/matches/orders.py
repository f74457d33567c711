"""Queries of moves that people have said in advance.

`matches/table/orders.py` decides, `matches/host/orders.py` is what people ask.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import Connection, bindparam, delete, select

from db.model import schema
from db.model.columns import columns_of
from db.model.ids import MatchId
from db.model.rows import Order
from db.model.upserts import put_row

_orders: Final = schema.orders

_OF_MATCH: Final = (
    select(*columns_of(_orders, Order))
    .where(_orders.c.match_id == bindparam("match_id"))
    .order_by(_orders.c.seat, _orders.c.number)
)
_REMOVE: Final = delete(_orders).where(
    _orders.c.match_id == bindparam("of_match"),
    _orders.c.seat == bindparam("of_seat"),
    _orders.c.number == bindparam("of_number"),
)


def of_match(connection: Connection, match_id: MatchId) -> tuple[Order, ...]:
    """Return all orders of a match, by seat and number."""
    return tuple(Order(*row) for row in connection.execute(_OF_MATCH, {"match_id": match_id}))


def put(connection: Connection, match_id: MatchId, order: Order) -> None:
    """Insert an order, or replace the one with its number."""
    put_row(connection, _orders, {"match_id": match_id, **order._asdict()})


def remove(connection: Connection, match_id: MatchId, order: Order) -> None:
    """Delete an order."""
    connection.execute(_REMOVE, {"of_match": match_id, "of_seat": order.seat, "of_number": order.number})
