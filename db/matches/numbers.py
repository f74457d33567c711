"""Row numbers, which must never be reused: they are on buttons, and are nonces of Discord messages.

SQLite keeps them in AUTOINCREMENT, PostgreSQL in sequences. Neither is copied with the rows. After copying rows call
`continue_after`, after restoring a backup `skip_ahead`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sqlalchemy import Connection, Table, func, select, text

from db.model.schema import metadata
from db.model.upserts import SQLITE
from db.store import meta

AHEAD: Final = 100_000
"""How far ahead of the last known number a restored store continues.

Board posts and nonces outlive the store, so numbers given after the backup must not be reused.
"""

_NUMBERED: Final = tuple(table for table in metadata.sorted_tables if table.autoincrement_column is not None)
NEVER_REUSED: Final = tuple(table for table in _NUMBERED if table.dialect_options[SQLITE]["autoincrement"])
"""The tables whose numbers are known outside the store."""

_LAST = text("SELECT pg_sequence_last_value(CAST(pg_get_serial_sequence(:name, 'id') AS regclass))")
_SET = text("SELECT setval(CAST(pg_get_serial_sequence(:name, 'id') AS regclass), :last, :given)")


def last_given(connection: Connection) -> dict[str, int]:
    """Return the last number given in each of the tables `NEVER_REUSED`, 0 if none."""
    if connection.dialect.name == SQLITE:
        rows = connection.execute(text("SELECT name, max(seq) FROM sqlite_sequence GROUP BY name")).all()
        found = {str(name): int(last or 0) for name, last in rows}
        return {table.name: found.get(table.name, 0) for table in NEVER_REUSED}
    return {table.name: _last(connection, table) for table in NEVER_REUSED}


def continue_after(connection: Connection, last: Mapping[str, int]) -> None:
    """From now on give only numbers above `last` and above those of existing rows."""
    if connection.dialect.name == SQLITE:
        for name, number in last.items():
            connection.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), {"name": name})
            values = {"name": name, "last": number}
            connection.execute(text("INSERT INTO sqlite_sequence VALUES (:name, :last)"), values)
        return
    for table in _NUMBERED:
        number = max(last.get(table.name, 0), _last(connection, table))
        connection.execute(_SET, {"name": table.name, "last": max(number, 1), "given": number > 0})


def skip_ahead(connection: Connection, *replaced: Connection) -> dict[str, int]:
    """Move a restored store's numbers ahead of all known ones, and count the restore. Return the new last numbers.

    `replaced` are the stores that it replaces. Draws depend on the number of restores, so no later deal repeats one
    that may have been seen.
    """
    known = [last_given(each) for each in (connection, *replaced)]
    last = {table.name: max(numbers[table.name] for numbers in known) + AHEAD for table in NEVER_REUSED}
    continue_after(connection, last)
    meta.put(connection, meta.RESTORES, str(max(meta.restores(each) for each in (connection, *replaced)) + 1))
    return last


def _last(connection: Connection, table: Table) -> int:
    """Return the last number. A sequence can lag behind the rows after a plain copy."""
    called = connection.execute(_LAST, {"name": table.name}).scalar_one()
    return max(called or 0, connection.execute(select(func.max(table.c.id))).scalar_one() or 0)
