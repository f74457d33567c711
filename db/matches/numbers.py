"""The numbers that the store gives, none of which may come again: they stand on buttons, and are nonces in Discord.

With SQLite they are those of AUTOINCREMENT, with PostgreSQL those of sequences. Neither is a part of the rows, so
whoever copies rows carries the numbers on by `go_on`, and whoever puts an old copy back moves them on by `put_back`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from sqlalchemy import Connection, Table, func, select, text

from db.model.schema import metadata
from db.model.upserts import SQLITE
from db.upkeep import meta

AHEAD: Final = 100_000
"""How far a store that was put back begins its numbers behind the last that it knows.

Board posts and nonces outlive the store: a number that was given after the backup was made must not come again.
"""

_NUMBERED: Final = tuple(table for table in metadata.sorted_tables if table.autoincrement_column is not None)
LASTING: Final = tuple(table for table in _NUMBERED if table.dialect_options[SQLITE]["autoincrement"])
"""The tables whose numbers somebody outside the store knows."""

_LAST = text("SELECT pg_sequence_last_value(CAST(pg_get_serial_sequence(:name, 'id') AS regclass))")
_SET = text("SELECT setval(CAST(pg_get_serial_sequence(:name, 'id') AS regclass), :last, :given)")


def given(connection: Connection) -> dict[str, int]:
    """The last number that was given in each of the tables `LASTING`, 0 where none was."""
    if connection.dialect.name == SQLITE:
        rows = connection.execute(text("SELECT name, max(seq) FROM sqlite_sequence GROUP BY name")).all()
        found = {str(name): int(last or 0) for name, last in rows}
        return {table.name: found.get(table.name, 0) for table in LASTING}
    return {table.name: _last(connection, table) for table in LASTING}


def go_on(connection: Connection, last: Mapping[str, int]) -> None:
    """Give only numbers above these, and above those of the rows that are there, from now on."""
    if connection.dialect.name == SQLITE:
        for name, number in last.items():
            connection.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), {"name": name})
            values = {"name": name, "last": number}
            connection.execute(text("INSERT INTO sqlite_sequence VALUES (:name, :last)"), values)
        return
    for table in _NUMBERED:
        number = max(last.get(table.name, 0), _last(connection, table))
        connection.execute(_SET, {"name": table.name, "last": max(number, 1), "given": number > 0})


def put_back(connection: Connection, *replaced: Connection) -> dict[str, int]:
    """What is there is the past: move the numbers on, and count that, behind all that it and what it replaces know.

    So no number comes again, and no deal that may have been seen before: `restores` counts in what is drawn. Returns
    the last numbers that pass for given now.
    """
    known = [given(each) for each in (connection, *replaced)]
    last = {table.name: max(numbers[table.name] for numbers in known) + AHEAD for table in LASTING}
    go_on(connection, last)
    meta.put(connection, meta.RESTORES, str(max(meta.restores(each) for each in (connection, *replaced)) + 1))
    return last


def _last(connection: Connection, table: Table) -> int:
    """Copies of the rows alone leave the sequence behind them."""
    called = connection.execute(_LAST, {"name": table.name}).scalar_one()
    return max(called or 0, connection.execute(select(func.max(table.c.id))).scalar_one() or 0)
