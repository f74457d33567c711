"""What is open, due and late in the whole store, for measurements and for whoever runs the bot."""

from __future__ import annotations

import hashlib
import shutil
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from sqlalchemy import Connection, bindparam, func, select, text

from db.migrations import pending
from db.model import schema
from db.model.columns import Instant
from db.model.enums import AWAITED, Status
from db.model.upserts import SQLITE
from db.store import meta
from db.store.transactions import at_length_only

BACKED_UP: Final = "backed up"
"""The key in `meta` for the moment of the last `--backup`."""

_matches, _outbox, _deadlines = schema.matches, schema.outbox, schema.deadlines


class Totals(NamedTuple):
    """What is open, due and late in the store.

    `matches`: the open ones by status and game; `lost`: how many of them are in a place or server that the bot can't
    reach. Rows of the outbox are `due`, `later` (their time hasn't come, mostly because Discord refused them), or
    `held` because their place is lost. `oldest`: when the oldest due row that people wait for became due. `overdue`:
    deadlines that are due, by kind; the oldest became due at `overdue_since`. `pending`: migrations that the store
    lacks, -1 if it is newer. `replica_lag`: seconds by which the slowest standby is behind, if the server has one and
    tells. `identity` differs from that of every other store, also of a copy; it tells nothing else.
    """

    matches: dict[tuple[str, str], int]
    lost: int
    due: int
    later: int
    held: int
    oldest: datetime | None
    overdue: dict[str, int]
    overdue_since: datetime | None
    backed_up: datetime | None
    schema: str
    pending: int
    replica_lag: float | None
    identity: str

    def of(self, status: str) -> int:
        """Return how many matches have this status."""
        return sum(count for (each, _), count in self.matches.items() if each == status)


_NOW: Final = bindparam("now", type_=Instant)
_OPEN: Final = (
    select(_matches.c.status, _matches.c.game, func.count(), func.count(_matches.c.lost))
    .where(_matches.c.ended_at.is_(None), _matches.c.status.in_((Status.LOBBY, Status.RUNNING, Status.FROZEN)))
    .group_by(_matches.c.status, _matches.c.game)
)
_FREE: Final = _outbox.c.held.is_(False)
_ROWS: Final = tuple(
    select(func.count()).where(*which)
    for which in ((_FREE, _outbox.c.due <= _NOW), (_FREE, _outbox.c.due > _NOW), (_outbox.c.held.is_(True),))
)
"""How many rows are due, due later, and held."""
_OLDEST: Final = (
    select(_outbox.c.due)
    .where(_FREE, _outbox.c.due <= _NOW, _outbox.c.kind.in_(sorted(AWAITED)))
    .order_by(_outbox.c.due)
    .limit(1)
)
_OVERDUE: Final = (
    select(_deadlines.c.kind, func.count(), func.min(_deadlines.c.due))
    .where(_deadlines.c.due <= _NOW)
    .group_by(_deadlines.c.kind)
)
_DATABASE: Final = text(
    "SELECT oid::text, pg_postmaster_start_time()::text FROM pg_database WHERE datname = current_database()"
)
_REPLICAS: Final = text("SELECT max(extract(epoch FROM replay_lag)) FROM pg_stat_replication")


def totals(connection: Connection, now: datetime) -> Totals:
    """Count everything that is open. The store's own schema must be one that this program knows."""
    at_length_only(connection)
    open_ones = connection.execute(_OPEN).all()
    due, later, held = (connection.execute(rows, {"now": now}).scalar_one() for rows in _ROWS)
    overdue = connection.execute(_OVERDUE, {"now": now}).all()
    backed_up = meta.get(connection, BACKED_UP)
    revision, missing = pending(connection)
    return Totals(
        {(status, game): count for status, game, count, _ in open_ones},
        sum(lost for *_, lost in open_ones),
        due,
        later,
        held,
        connection.execute(_OLDEST, {"now": now}).scalar_one_or_none(),
        {kind: count for kind, count, _ in overdue},
        min((since for *_, since in overdue), default=None),
        None if backed_up is None else datetime.fromisoformat(backed_up),
        revision,
        missing,
        _replica_lag(connection),
        _identity(connection),
    )


def _identity(connection: Connection) -> str:
    if connection.dialect.name == SQLITE:
        file = Path(connection.exec_driver_sql("PRAGMA database_list").one().file).stat()
        which = f"{file.st_dev} {file.st_ino}"
    else:
        which = str(connection.execute(_DATABASE).one())
    return hashlib.sha256(which.encode()).hexdigest()[:16]


def _replica_lag(connection: Connection) -> float | None:
    if connection.dialect.name == SQLITE:
        return None
    lag = connection.execute(_REPLICAS).scalar_one()
    return None if lag is None else float(lag)


class Disk(NamedTuple):
    """Bytes of an SQLite file, of its journal, and of the room left beside it for whoever runs this."""

    database: int
    journal: int
    free: int


def disk(file: Path | None) -> Disk | None:
    """Return the sizes of the file; ``None`` for a server. Raises OSError."""
    if file is None:
        return None
    journal = file.with_name(f"{file.name}-wal")
    return Disk(_size(file), _size(journal), shutil.disk_usage(file.absolute().parent).free)


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0
