"""Adds whether somebody left a match at their own first turn (`deserted`)."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0037"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column."""
    op.add_column("seats", sa.Column("deserted", sa.Boolean(), nullable=False, server_default=sa.false()))
