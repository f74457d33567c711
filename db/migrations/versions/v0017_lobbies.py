"""Adds how a lobby starts, who was removed from it, and whether newcomers may join one for reliable people."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Add the columns. Existing tables for reliable people are open to newcomers."""
    op.add_column("matches", sa.Column("host_starts", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("matches", sa.Column("removed", sa.JSON(), server_default=sa.text("'[]'"), nullable=False))
    op.add_column("matches", sa.Column("newcomers", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.execute("UPDATE matches SET newcomers = reliable WHERE reliable")
