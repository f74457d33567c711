"""Adds a match's version of fair deals, the presses that its draws use, and whether moves can't be taken back."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the columns. Existing matches keep version 1, whose commitment was shown."""
    op.add_column("matches", sa.Column("scheme", sa.Integer(), nullable=False, server_default=sa.text("1")))
    op.add_column("matches", sa.Column("pressed", sa.JSON(), nullable=False, server_default=sa.text("'[]'")))
    op.add_column("matches", sa.Column("moves_stand", sa.Boolean(), nullable=False, server_default=sa.false()))
