"""Completes the restore of a server's database by its own tools, as `db.upkeep.backup.restore` does for a file."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection

from db.failures import DatabaseError
from db.matches import numbers
from db.model.schema import matches
from db.store.addresses import address_of, is_file
from db.store.database import Database, alone


async def recover(url: str) -> Mapping[str, int]:
    """Move the numbers of a restored database ahead, and return the new last numbers.

    The replaced database is gone, with the numbers given since the backup. After another restore of the same backup
    this must run again, or numbers would be reused. Raises DatabaseError.
    """
    if is_file(address_of(url)):
        raise DatabaseError("A file is put back with --restore FILE, which moves its numbers on by itself.")
    async with alone(url), await Database.open(url) as database:
        return await database.write(_put_back)


def _put_back(connection: Connection) -> Mapping[str, int]:
    if not numbers.last_given(connection)[matches.name]:
        raise DatabaseError("There was never a match in this database: is AMBIT_DATABASE the one that was put back?")
    return numbers.skip_ahead(connection)
