"""Moves the store from a file to a server, or back, while no bot runs on either.

The old store knows every number ever given, so the new one continues right after them. (A restored store skips ahead,
see `db.matches.numbers`.)
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Table, delete, func, insert, select
from sqlalchemy.exc import IntegrityError

from db.failures import DatabaseError
from db.matches import numbers
from db.model.schema import dm_pause, metadata
from db.store.addresses import address_of, file_at, is_file
from db.store.database import Database, alone
from db.store.sqlite import file_transaction

ROWS_AT_ONCE: Final = 1000


async def move(source: str, target: str) -> Mapping[str, int]:
    """Copy everything at `source` to `target`, which must be empty. Return each table's number of rows.

    The copy is atomic, and `source` stays unchanged. Raises DatabaseError, also if a bot runs on either, or if both are
    servers.
    """
    file, new_file = _file(source), _file(target)
    if file is None and new_file is None:
        raise DatabaseError("From server to server a database is moved by the server's own tools: pg_dump, pg_restore.")
    if file is not None and not file.is_file():
        raise DatabaseError(f"There is no database at {file}.")
    if file is not None and new_file is not None and file.resolve() == new_file.resolve():
        raise DatabaseError("That is where the database is already.")
    async with (
        alone(source),
        alone(target),
        await Database.open(source, migrate=False) as old,
        await Database.open(target) as new,
    ):
        # A server's driver is asynchronous, a file's isn't: the file's transaction runs inside the server's.
        if file is not None:
            return await new.at_length(partial(_copy_with, file, writes=False), writes=True)
        assert new_file is not None
        return await old.at_length(partial(_copy_with, new_file, writes=True), writes=False)


def _file(url: str) -> Path | None:
    """Return the file at this address, ``None`` for a server. Raises DatabaseError."""
    address = address_of(url)
    if not is_file(address):
        return None
    file = file_at(address)
    if file is None:
        raise DatabaseError("Only a database in a file can be moved.")
    return file


def _copy_with(file: Path, other: Connection, *, writes: bool) -> Mapping[str, int]:
    with file_transaction(file, writes=writes) as inner:
        return copy_all(other, inner) if writes else copy_all(inner, other)


def copy_all(source: Connection, target: Connection) -> Mapping[str, int]:
    """Copy all rows and the last numbers into an empty store. Return each table's number of rows.

    Raises DatabaseError.
    """
    # A new store has this one row.
    target.execute(delete(dm_pause))
    if any(_count(target, table) for table in metadata.sorted_tables):
        raise DatabaseError("There is something in the new database already; it has to be an empty one.")
    for table in metadata.sorted_tables:
        _copy(table, source, target)
    numbers.continue_after(target, numbers.last_given(source))
    counts = {table.name: _count(source, table) for table in metadata.sorted_tables}
    if counts != {table.name: _count(target, table) for table in metadata.sorted_tables}:
        raise DatabaseError("Not all rows have arrived, so nothing was moved.")
    return counts


def _copy(table: Table, source: Connection, target: Connection) -> None:
    # In key order a match comes after the one that it is a rematch of.
    rows = source.execute(select(table).order_by(*table.primary_key), execution_options={"yield_per": ROWS_AT_ONCE})
    names = table.columns.keys()
    for some in rows.partitions():
        try:
            target.execute(insert(table), [dict(zip(names, row, strict=True)) for row in some])
        except IntegrityError as error:
            raise DatabaseError(
                f"Rows of the table {table.name} contradict others of the database, so nothing was moved."
            ) from error


def _count(connection: Connection, table: Table) -> int:
    return connection.execute(select(func.count()).select_from(table)).scalar_one()
