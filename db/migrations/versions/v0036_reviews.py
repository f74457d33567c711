"""Adds reviews of finished matches."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"


def upgrade() -> None:
    """Make the table."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    match = sa.ForeignKey("matches.id", name="fk_reviews_match_id", ondelete="CASCADE")
    op.create_table(
        "reviews",
        sa.Column("match_id", number, match, autoincrement=False, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("results", sa.JSON(), nullable=False),
        sa.Column("user_id", sa.BigInteger()),
        sa.Column("asked_at", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", sa.BigInteger()),
        sa.Column("leased_by", sa.String(64)),
        sa.Column("leased_until", sa.BigInteger()),
        sa.PrimaryKeyConstraint("match_id", name="pk_reviews"),
    )
    waits, unfinished = sa.text("user_id IS NOT NULL"), sa.text("finished_at IS NULL")
    op.create_index("ix_reviews_user_id", "reviews", ["user_id"], sqlite_where=waits, postgresql_where=waits)
    op.create_index(
        "ix_reviews_asked_at", "reviews", ["asked_at"], sqlite_where=unfinished, postgresql_where=unfinished
    )
