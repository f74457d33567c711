"""Adds an index for every query, so that none slows down with the number of matches."""

from __future__ import annotations

from typing import Any, Final

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_OPEN: Final = "ended_at IS NULL"
_TAKEN: Final = "leased_by IS NOT NULL"


def _index(table: str, *columns: str, where: str | None = None) -> None:
    only: dict[str, Any] = {}
    if where is not None:
        only = {"sqlite_where": sa.text(where), "postgresql_where": sa.text(where)}
    op.create_index(f"ix_{table}_{'_'.join(columns)}", table, list(columns), **only)


def upgrade() -> None:
    """Add a column and the indexes; drop those that they replace."""
    op.add_column("seats", sa.Column("ended_at", sa.BigInteger()))
    op.execute("UPDATE seats SET ended_at = (SELECT ended_at FROM matches WHERE matches.id = seats.match_id)")
    for table, name in (
        ("matches", "status_channel_id"),
        ("matches", "guild_id_status"),
        ("seats", "user_id"),
        ("outbox", "due"),
    ):
        op.drop_index(f"ix_{table}_{name}", table)
    _index("matches", "status", "guild_id", where=_OPEN)
    _index("matches", "channel_id", "thread_id", where=_OPEN)
    _index("matches", "thread_id", where=_OPEN)
    _index("matches", "guild_id", "status", "ended_at", "id")
    _index("matches", "host_id", "ended_at")
    _index("seats", "user_id", "ended_at", "match_id")
    _index("outbox", "user_id")
    _index("outbox", "held", "due")
    _index("outbox", "leased_by", where=_TAKEN)
    _index("deadlines", "leased_by", where=_TAKEN)
    _index("votes", "user_id")
    _index("applications", "user_id")
