"""Adds whether a lobby is its server's first, which then names the settings to moderators."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Add the column. No existing lobby counts as a server's first."""
    op.add_column("matches", sa.Column("first_here", sa.Boolean(), server_default=sa.false(), nullable=False))
