"""Adds why the player to move can't press anything, and who was excused for that."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns."""
    op.add_column("matches", sa.Column("cut_off", sa.String(16)))
    op.add_column("seats", sa.Column("excused", sa.Boolean(), server_default=sa.false(), nullable=False))
