"""Adds how a server's boards are posted, and which messages of a match are tidied up later."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    """Add the columns. A board without a time counts as old, so the first edit posts it anew."""
    op.add_column("guild_settings", sa.Column("boards", sa.String(16), server_default="each", nullable=False))
    op.add_column("matches", sa.Column("board_at", sa.BigInteger(), nullable=True))
    op.add_column("matches", sa.Column("calls", sa.JSON(), server_default=sa.text("'[]'"), nullable=False))
    op.add_column("outbox", sa.Column("message_id", sa.BigInteger(), nullable=True))
    op.add_column("outbox", sa.Column("channel_id", sa.BigInteger(), nullable=True))
