"""Detects damaged cache tables, and replaces them by empty ones.

A damaged page fails every transaction that reads it. A cache can be recomputed, so it needn't stop anybody.
"""

from __future__ import annotations

from functools import partial

from sqlalchemy import Connection, Table, func, select, text

from db.failures import DatabaseError
from db.features import CACHES
from db.model.upserts import SQLITE
from db.store.database import Database


async def damaged(database: Database) -> list[str]:
    """Return the names of the caches that can't be read. Raises DatabaseError if the store fails otherwise."""
    found = []
    for table in CACHES:
        # Each in its own transaction: after reading damage SQLite can't end a transaction cleanly.
        try:
            sound = await database.at_length(partial(_is_sound, table), writes=False)
        except DatabaseError as error:
            if not error.damaged:
                raise
            sound = False
        if not sound:
            found.append(table.name)
    return found


async def recreate(database: Database) -> None:
    await database.at_length(_recreate, writes=True)


def _recreate(connection: Connection) -> None:
    """Recreate the caches. The transaction must not have read damaged pages.

    SQLite can't drop a table that it can't read, so this removes the table from the schema. Its pages stay unused in
    the file until the next VACUUM.
    """
    if connection.dialect.name != SQLITE:
        connection.execute(text(f"TRUNCATE {', '.join(table.name for table in CACHES)}"))
        return
    connection.exec_driver_sql("PRAGMA writable_schema = ON")
    try:
        for table in CACHES:
            connection.execute(text("DELETE FROM sqlite_schema WHERE tbl_name = :name"), {"name": table.name})
    finally:
        # This connection reads the schema again. The raised version makes other connections do so.
        connection.exec_driver_sql("PRAGMA writable_schema = RESET")
    version = connection.exec_driver_sql("PRAGMA schema_version").scalar_one()
    connection.exec_driver_sql(f"PRAGMA schema_version = {version + 1}")
    for table in CACHES:
        table.create(connection)


def _is_sound(table: Table, connection: Connection) -> bool:
    if connection.dialect.name == SQLITE:
        verdicts = connection.exec_driver_sql(f"PRAGMA integrity_check({table.name})").scalars().all()
        return verdicts == ["ok"]
    connection.execute(select(func.count()).select_from(table))
    return True
