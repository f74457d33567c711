"""Adds what delivery needs of a row: its shard, whether it pings, how often it was tried.

Also since when a match can't be reached, and how people get private things.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def _row_id() -> sa.types.TypeEngine[int]:
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _flag(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean(), server_default=sa.false(), nullable=False)


def _count(name: str, kind: type[sa.types.TypeEngine[int]] = sa.Integer) -> sa.Column[int]:
    return sa.Column(name, kind(), server_default=sa.text("0"), nullable=False)


def _columns(table: str, *columns: sa.Column[Any]) -> None:
    for column in columns:
        op.add_column(table, column)


def upgrade() -> None:
    """Add the columns and a table; give every row its server."""
    _columns(
        "outbox",
        sa.Column("leased_until", sa.BigInteger()),
        sa.Column("guild_id", sa.BigInteger()),
        sa.Column("user_id", sa.BigInteger()),
        _flag("rings"),
        _count("tries"),
        _count("put_at", sa.BigInteger),
        _flag("held"),
    )
    _columns("deadlines", sa.Column("guild_id", sa.BigInteger()), _count("tries"))
    for table in ("outbox", "deadlines"):
        op.execute(f"UPDATE {table} SET guild_id = (SELECT guild_id FROM matches WHERE matches.id = {table}.match_id)")
    op.execute("UPDATE outbox SET put_at = due, leased_by = NULL")
    _columns(
        "matches",
        _flag("asking"),
        _flag("in_thread"),
        sa.Column("rung", sa.JSON(), server_default=sa.text("'[]'"), nullable=False),
        sa.Column("lost", sa.String(16)),
        sa.Column("lost_at", sa.BigInteger()),
    )
    # The players were told before. The next successful post restarts the clocks.
    op.execute(
        "UPDATE matches SET lost = 'place', lost_at = coalesce(turn_at, created_at) "
        "WHERE unreachable AND status IN ('lobby', 'running')"
    )
    op.execute("DELETE FROM deadlines WHERE match_id IN (SELECT id FROM matches WHERE lost IS NOT NULL)")
    op.drop_column("matches", "unreachable")
    op.execute("UPDATE matches SET asking = true WHERE asked > 0 AND status = 'running'")
    # Closed lobbies were never deleted before.
    op.execute(
        "INSERT INTO deadlines (match_id, kind, ply, due, guild_id) "
        "SELECT id, 'forget', 0, coalesce(ended_at, created_at), guild_id FROM matches WHERE status = 'cancelled'"
    )
    op.add_column("seats", sa.Column("hand_message_id", sa.BigInteger()))
    op.add_column("guild_settings", sa.Column("private", sa.String(16), server_default="dm", nullable=False))
    op.add_column("player_settings", sa.Column("dm_channel_id", sa.BigInteger()))
    op.add_column("player_settings", sa.Column("private", sa.String(16), server_default="server", nullable=False))
    op.create_table(
        "dm_openings",
        sa.Column("id", _row_id(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("asked", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_dm_openings"),
    )
    op.create_index("ix_dm_openings_at", "dm_openings", ["at"])
    op.create_table(
        "dm_pause",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("until", sa.BigInteger()),
        _count("wait"),
        sa.PrimaryKeyConstraint("id", name="pk_dm_pause"),
    )
    op.execute("INSERT INTO dm_pause (id) VALUES (1)")
