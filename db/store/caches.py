"""Tables that only keep what can be computed anew: found damaged, and replaced by empty ones.

A damaged page makes each transaction that reads it fail. In a cache this need not stop anybody.
"""

from __future__ import annotations

from functools import partial

from sqlalchemy import Connection, Table, func, select, text

from db.model.schema import RATING_CACHE
from db.model.upserts import SQLITE
from db.store.database import Database
from db.store.failures import DatabaseError


async def damaged(database: Database) -> list[str]:
    """The names of the caches that can't be read. Raises DatabaseError where the store fails otherwise."""
    found = []
    for table in RATING_CACHE:
        # Each in a transaction of its own: SQLite ends none well that has seen damage.
        try:
            sound = await database.at_length(partial(_is_sound, table), writes=False)
        except DatabaseError as error:
            if not error.damaged:
                raise
            sound = False
        if not sound:
            found.append(table.name)
    return found


async def make_anew(database: Database) -> None:
    """Replace all caches by empty tables. Raises DatabaseError."""
    await database.at_length(_make_anew, writes=True)


def _make_anew(connection: Connection) -> None:
    """In a transaction that has read nothing damaged.

    SQLite can't drop a table that it can't read, so the table is forgotten. Its pages stay in the file, unused, until
    the next VACUUM.
    """
    if connection.dialect.name != SQLITE:
        connection.execute(text(f"TRUNCATE {', '.join(table.name for table in RATING_CACHE)}"))
        return
    connection.exec_driver_sql("PRAGMA writable_schema = ON")
    try:
        for table in RATING_CACHE:
            connection.execute(text("DELETE FROM sqlite_schema WHERE tbl_name = :name"), {"name": table.name})
    finally:
        # Reads the schema anew on this connection. The raised number has the other ones do so.
        connection.exec_driver_sql("PRAGMA writable_schema = RESET")
    version = connection.exec_driver_sql("PRAGMA schema_version").scalar_one()
    connection.exec_driver_sql(f"PRAGMA schema_version = {version + 1}")
    for table in RATING_CACHE:
        table.create(connection)


def _is_sound(table: Table, connection: Connection) -> bool:
    if connection.dialect.name == SQLITE:
        verdicts = connection.exec_driver_sql(f"PRAGMA integrity_check({table.name})").scalars().all()
        return verdicts == ["ok"]
    connection.execute(select(func.count()).select_from(table))
    return True
