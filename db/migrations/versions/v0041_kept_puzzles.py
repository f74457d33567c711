"""Adds when enough people had reported a puzzle, when the operator kept it, and an index of who has tried it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns and the index."""
    op.add_column("puzzle_cases", sa.Column("enough_at", sa.BigInteger()))
    op.add_column("puzzle_cases", sa.Column("kept_at", sa.BigInteger()))
    op.create_index("ix_puzzle_attempts_puzzle", "puzzle_attempts", ["puzzle"])
