"""Adds which moves a person confirms."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Add the column. The default is all moves."""
    op.add_column("player_settings", sa.Column("confirm", sa.String(16), server_default="always", nullable=False))
