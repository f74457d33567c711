"""What is kept of moves that people have said in advance. Nobody but these people may know of them.

`matches/orders/giving.py` decides, `matches/orders/asking.py` is what people ask.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final, NamedTuple

from sqlalchemy import Connection, Index, bindparam, delete, select

from db.model.columns import columns_of, table
from db.model.ids import MatchId, Ply, SeatNumber
from db.model.kept import Kept
from db.model.rows import OfMatch, PersonId
from db.model.schema import metadata
from db.model.upserts import put_row


class OrderKind(StrEnum):
    """What somebody has said in advance.

    `NEXT`: their next move. `REPLY`: the answer to a certain move of the player before them. `STANDING`: what to do for
    several turns, as the game's instruction says (`games.core.advance`).
    """

    NEXT = "next"
    REPLY = "reply"
    STANDING = "standing"


class Order(NamedTuple):
    """Something that a person has said in advance, while it wasn't their turn (`matches.orders`).

    `number` tells the orders of one seat apart. `theirs` is the move that a reply answers. `mine` is the move, or the
    key of the instruction. `unless` are the keys of the exclusions that stop it. The order was given when the log had
    `ply` lines, and `noted` has what each exclusion remembers from then. `about` is what an instruction is about
    (`games.core.advance`).
    """

    seat: SeatNumber
    number: int
    user_id: PersonId
    kind: OrderKind
    theirs: str | None
    mine: str
    unless: tuple[str, ...]
    noted: tuple[str, ...]
    about: str
    ply: Ply
    given_at: datetime


_orders: Final = table(metadata, "orders", (OfMatch, Order), ("match_id", "seat", "number"), Index(None, "user_id"))

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


def store(connection: Connection, match_id: MatchId, before: tuple[Order, ...], after: tuple[Order, ...]) -> None:
    """Store the difference between the orders of a match before and after a decision."""
    left = {(order.seat, order.number) for order in after}
    for order in before:
        if (order.seat, order.number) not in left:
            remove(connection, match_id, order)
    for order in after:
        if order not in before:
            put(connection, match_id, order)


KEPT: Final = Kept(
    "orders",
    _orders,
    "Moves that you've said in advance, with their exceptions and what these compare with, until they're made or over. "
    "Of each move, the match keeps for you whether you had said it in advance.",
    of_match,
    store,
    lasts=False,
)
