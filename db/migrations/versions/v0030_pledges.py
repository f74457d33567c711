"""Adds pledges, the tables that are brought together from them, and who wants to be called."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0028"


def _key(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), autoincrement=False, nullable=False)


def _game() -> sa.Column[str]:
    return sa.Column("game", sa.String(32), nullable=False)


def _yes_or_no(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean(), server_default=sa.false(), nullable=False)


def upgrade() -> None:
    """Make the tables and the columns."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.add_column("matches", sa.Column("starts_by", sa.BigInteger()))
    op.add_column("player_settings", sa.Column("quiet", sa.String(8)))
    op.add_column("player_settings", sa.Column("zone", sa.String(64), server_default="UTC", nullable=False))
    op.add_column("player_settings", sa.Column("at_once", sa.Integer(), server_default=sa.text("0"), nullable=False))
    op.create_table(
        "pledges",
        _key("guild_id"),
        _key("user_id"),
        _game(),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        _yes_or_no("in_thread"),
        _yes_or_no("everywhere"),
        sa.Column("fewest", sa.Integer(), nullable=False),
        sa.Column("most", sa.Integer(), nullable=False),
        sa.Column("pace", sa.String(16), nullable=False),
        _yes_or_no("near"),
        sa.Column("rating", sa.Integer()),
        _yes_or_no("by_mention"),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("rests_until", sa.BigInteger()),
        sa.Column("gathering", number),
        sa.Column("answer", sa.String(16)),
        sa.Column("message_id", sa.BigInteger()),
        sa.Column("message_in", sa.BigInteger()),
        sa.PrimaryKeyConstraint("guild_id", "user_id", "game", name="pk_pledges"),
    )
    gathered = sa.text("gathering IS NOT NULL")
    op.create_index("ix_pledges_user_id", "pledges", ["user_id"])
    op.create_index("ix_pledges_gathering", "pledges", ["gathering"], sqlite_where=gathered, postgresql_where=gathered)
    op.create_table(
        "gatherings",
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("id", number, nullable=False),
        _game(),
        sa.Column("pace", sa.String(16), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("match_id", number),
        sa.PrimaryKeyConstraint("id", name="pk_gatherings"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_gatherings_guild_id", "gatherings", ["guild_id"])
    op.create_table(
        "pledge_looks",
        _key("guild_id"),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("counted_at", sa.BigInteger()),
        sa.Column("counts", sa.JSON(), server_default=sa.text("'[]'"), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name="pk_pledge_looks"),
    )
    op.create_index("ix_pledge_looks_due", "pledge_looks", ["due"])
    op.create_table(
        "call_me",
        _key("guild_id"),
        _game(),
        _key("user_id"),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        _yes_or_no("by_mention"),
        sa.PrimaryKeyConstraint("guild_id", "game", "user_id", name="pk_call_me"),
    )
    op.create_index("ix_call_me_user_id", "call_me", ["user_id"])
