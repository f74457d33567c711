"""Adds whom players have said they suspect."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    """Add the column."""
    op.add_column("matches", sa.Column("suspicions", sa.JSON(), server_default=sa.text("'[]'"), nullable=False))
