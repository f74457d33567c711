"""A server's database after its own tools have put it back: what `db.upkeep.backup.restore` does for a file besides."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection

from db.matches import numbers
from db.model.schema import matches
from db.store.addresses import address_of, is_file
from db.store.database import Database, alone
from db.store.failures import DatabaseError


async def recovered(url: str) -> Mapping[str, int]:
    """What is at `url` is the past: go on as no board, nonce or deal knows it; the last numbers that pass for given.

    What it replaces is gone, and what it knew with it. So whoever goes back to the same moment once more does this once
    more, too, or numbers would come that were given after the first time. Raises DatabaseError.
    """
    if is_file(address_of(url)):
        raise DatabaseError("A file is put back with --restore FILE, which moves its numbers on by itself.")
    async with alone(url), await Database.open(url) as database:
        return await database.write(_put_back)


def _put_back(connection: Connection) -> Mapping[str, int]:
    if not numbers.given(connection)[matches.name]:
        raise DatabaseError("There was never a match in this database: is AMBIT_DATABASE the one that was put back?")
    return numbers.put_back(connection)
