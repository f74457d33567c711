"""The first schema: matches, seats, log, outbox, deadlines, votes, applications, settings, meta.

A released migration is never changed, so it spells everything out and imports nothing of ours.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def _row_id() -> sa.types.TypeEngine[int]:
    return sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _match_id(table: str, *, primary_key: bool = True) -> sa.Column[int]:
    key = sa.ForeignKey("matches.id", name=f"fk_{table}_match_id", ondelete="CASCADE")
    return sa.Column("match_id", _row_id(), key, primary_key=primary_key, nullable=False)


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "matches",
        sa.Column("id", _row_id(), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("rules_version", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("host_id", sa.BigInteger(), nullable=False),
        sa.Column("guild_id", sa.BigInteger()),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("thread_id", sa.BigInteger()),
        sa.Column("lobby_message_id", sa.BigInteger()),
        sa.Column("board_message_id", sa.BigInteger()),
        sa.Column("board_ply", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("board_owed", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("seed", sa.LargeBinary(32), nullable=False),
        sa.Column("commitment", sa.String(64), nullable=False),
        sa.Column("pace", sa.String(16), nullable=False),
        sa.Column("setting", sa.String(16), nullable=False),
        sa.Column("size", sa.Integer()),
        sa.Column("invited", sa.JSON(), nullable=False),
        sa.Column("ply", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("to_move", sa.Integer()),
        sa.Column("turn_ply", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("turn_at", sa.BigInteger()),
        sa.Column("turn_due", sa.BigInteger()),
        sa.Column("reminded", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("asked", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("started_at", sa.BigInteger()),
        sa.Column("ended_at", sa.BigInteger()),
        sa.Column("rematch_of", _row_id()),
        sa.Column("ended_by", sa.String(16)),
        sa.Column("reason", sa.Text()),
        sa.Column("unreachable", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("counts", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("witnesses", sa.JSON(), server_default=sa.text("'[]'"), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
        sa.ForeignKeyConstraint(["rematch_of"], ["matches.id"], name="fk_matches_rematch_of", ondelete="SET NULL"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_matches_rematch_of", "matches", ["rematch_of"])
    op.create_index("ix_matches_status_channel_id", "matches", ["status", "channel_id"])
    op.create_index("ix_matches_guild_id_status", "matches", ["guild_id", "status"])
    op.create_table(
        "seats",
        _match_id("seats"),
        sa.Column("position", sa.Integer(), autoincrement=False, primary_key=True),
        sa.Column("seat", sa.Integer()),
        sa.Column("user_id", sa.BigInteger()),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("computer", sa.String(16)),
        sa.Column("resigned", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("won", sa.Boolean()),
        sa.Column("points", sa.Integer()),
        sa.UniqueConstraint("match_id", "user_id", name="uq_seats_match_id_user_id"),
    )
    op.create_index("ix_seats_user_id", "seats", ["user_id"])
    op.create_table(
        "log",
        _match_id("log"),
        sa.Column("ply", sa.Integer(), autoincrement=False, primary_key=True),
        sa.Column("player", sa.Integer(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("interaction_id", sa.BigInteger()),
        sa.UniqueConstraint("interaction_id", name="uq_log_interaction_id"),
        sa.CheckConstraint("ply >= 0", name=op.f("ck_log_ply")),
    )
    op.create_table(
        "outbox",
        sa.Column("id", _row_id(), nullable=False),
        _match_id("outbox", primary_key=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer()),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_outbox_due", "outbox", ["due"])
    op.create_index("ix_outbox_match_id", "outbox", ["match_id"])
    op.create_table(
        "deadlines",
        _match_id("deadlines"),
        sa.Column("kind", sa.String(16), primary_key=True),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("leased_until", sa.BigInteger()),
    )
    op.create_index("ix_deadlines_due", "deadlines", ["due"])
    op.create_table(
        "votes",
        _match_id("votes"),
        sa.Column("question", sa.String(16), primary_key=True),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, primary_key=True),
        sa.Column("choice", sa.String(16), nullable=False),
    )
    op.create_table(
        "applications",
        _match_id("applications"),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, primary_key=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("agreed", sa.JSON(), nullable=False),
    )
    op.create_table(
        "guild_settings",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, primary_key=True),
        sa.Column("setting", sa.String(16), nullable=False),
        sa.Column("pace", sa.String(16), nullable=False),
        sa.Column("channels", sa.JSON()),
        sa.Column("who_cancels", sa.String(16), nullable=False),
    )
    op.create_table(
        "player_settings",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, primary_key=True),
        sa.Column("ping", sa.String(16), server_default="mention", nullable=False),
        sa.Column("large", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("spoiler", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("dm", sa.String(16), server_default="unknown", nullable=False),
        sa.Column("away_until", sa.BigInteger()),
    )
    op.create_table(
        "meta",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("value", sa.Text(), nullable=False),
    )
