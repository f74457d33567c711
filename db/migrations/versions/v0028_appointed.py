"""Adds appointed tables: when they start, their scheduled event on Discord, who waits in line, and who is ready."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0026"


def _flag(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean(), server_default=sa.false(), nullable=False)


def upgrade() -> None:
    """Add the columns."""
    op.add_column("matches", sa.Column("appointed", sa.BigInteger(), nullable=True))
    op.add_column("matches", sa.Column("fill_with", sa.String(16), nullable=True))
    op.add_column("matches", _flag("mirrored"))
    op.add_column("matches", sa.Column("event_id", sa.BigInteger(), nullable=True))
    op.add_column("seats", _flag("waits"))
    op.add_column("seats", _flag("ready"))
