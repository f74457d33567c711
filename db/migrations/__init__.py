"""Brings the schema up to date: Alembic, run on the connection that opens the store.

A revision is a file ``versions/v<number>_<what>.py``. The store remembers its number. There is no downgrade: restore a
backup instead. The first file makes all tables of version 0.1.0. It has the number of the last migration before that,
so a store that had all of these goes on. The program at the tag `TAG` has them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, func, inspect, select, text

from db.failures import DatabaseError
from db.model.upserts import SQLITE

_HERE: Final = Path(__file__).parent

TAG: Final = "before-0.1.0"
"""The last commit that brings stores from before version 0.1.0 up to date."""

_MIGRATING: Final = 0x616D626974
"""The advisory lock under which a server's schema is migrated ("ambit" in ASCII)."""


class Empty(DatabaseError):
    """The database is empty: it has no tables, not even another program's."""


class Outdated(DatabaseError):
    """The database has an older schema."""


def bring_up_to_date(connection: Connection) -> tuple[str | None, str] | None:
    """Run the missing migrations. Return the old and the new revision, ``None`` if none was missing.

    Raises DatabaseError for a store that is newer or not ours.
    """
    before = _revision(connection)
    if before != _newest():
        if connection.dialect.name != SQLITE:
            # If several processes start at once, one migrates and the others find that it has.
            connection.execute(select(func.pg_advisory_xact_lock(_MIGRATING)))
            if _revision(connection) == _newest():
                return None
        check_not_newer(connection)
        _upgrade(connection)
        return before, _newest()
    return None


def _upgrade(connection: Connection) -> None:
    # Most starts migrate nothing, and this import takes a tenth of a start.
    from alembic import command
    from alembic.config import Config

    config = Config()
    # Alembic reads a percent sign as the start of a placeholder.
    config.set_main_option("script_location", str(_HERE).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def check_up_to_date(connection: Connection) -> None:
    """Raise DatabaseError unless the store has exactly this program's schema."""
    revision = _revision(connection)
    if revision != _newest():
        check_not_newer(connection)
        if revision is None:
            raise Empty("There is nothing in this database yet; the first start makes its tables.")
        raise Outdated(
            "The database was written by an older version of this program: the bot brings it up to date when it "
            "starts, and so does --check --migrate."
        )


def pending(connection: Connection) -> tuple[str, int]:
    """Return the store's schema, and how many migrations it lacks; -1 if a newer program has written it."""
    revision = _revision(connection)
    known = _revisions()
    if revision in known:
        return revision, known.index(revision)
    return revision or "none", len(known) if revision is None or revision < min(known) else -1


@cache
def _revisions() -> tuple[str, ...]:
    """This program's revisions, the newest first."""
    numbers = (file.name[1:].partition("_")[0] for file in (_HERE / "versions").glob("v*_*.py"))
    return tuple(sorted(numbers, reverse=True))


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def _newest() -> str:
    return _revisions()[0]


def check_not_newer(connection: Connection) -> None:
    """Raise DatabaseError for a store that this program can't migrate: a newer one, or another program's."""
    revision = _revision(connection)
    if revision is None:
        if inspect(connection).get_table_names():
            raise DatabaseError("This database belongs to another program.")
        return
    known = _revisions()
    if revision not in known and revision < min(known):
        raise Outdated(
            f"This database was written by an older version of this program, before 0.1.0 (its schema is {revision}). "
            f"The version at the tag {TAG} brings it up to date: git checkout {TAG}, then python bot.py --check "
            "--migrate. After that this version goes on with all its matches."
        )
    if revision not in known:
        raise DatabaseError(
            f"This database was written by a newer version of this program (its schema is {revision}, this program "
            f"knows {_newest()}); please start that version, or restore an older backup."
        )
