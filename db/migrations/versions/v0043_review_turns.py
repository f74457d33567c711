"""Adds the round in which a review has its turn."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column, and sort the queue by it."""
    op.add_column("reviews", sa.Column("turn", sa.Integer(), nullable=False, server_default="0"))
    op.drop_index("ix_reviews_asked_at", "reviews")
    unfinished = sa.text("finished_at IS NULL")
    op.create_index(
        "ix_reviews_turn_asked_at",
        "reviews",
        ["turn", "asked_at"],
        sqlite_where=unfinished,
        postgresql_where=unfinished,
    )
