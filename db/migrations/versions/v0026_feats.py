"""Adds the numbers of a win, from which a person's best moment is chosen."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    """Add the column."""
    op.add_column("seats", sa.Column("feat", sa.JSON(), server_default=sa.text("'[]'"), nullable=False))
