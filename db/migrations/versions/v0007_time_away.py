"""Adds how long a seat's clock was paused, the rest of a turn that a player left, and who came back during a turn."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the columns. A clock paused now stays paused until the time that was announced."""
    op.add_column("matches", sa.Column("stands_until", sa.BigInteger()))
    op.add_column("matches", sa.Column("turn_left", sa.BigInteger()))
    op.add_column("matches", sa.Column("returned", sa.JSON(), server_default=sa.text("'[]'"), nullable=False))
    op.add_column("seats", sa.Column("away_used", sa.BigInteger(), server_default=sa.text("0"), nullable=False))
