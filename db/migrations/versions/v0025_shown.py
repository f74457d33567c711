"""Adds in which lessons people were shown an answer."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    """Add the column."""
    op.add_column("lessons", sa.Column("shown", sa.JSON(), server_default=sa.text("'[]'"), nullable=False))
