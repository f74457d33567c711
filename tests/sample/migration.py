"""Adds the table `sample`."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "{revision}"
down_revision = "{down_revision}"


def upgrade() -> None:
    """Make the table."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    match = sa.ForeignKey("matches.id", name="fk_sample_match_id", ondelete="CASCADE")
    op.create_table(
        "sample",
        sa.Column("match_id", number, match, autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "user_id", name="pk_sample"),
    )
    op.create_index("ix_sample_user_id", "sample", ["user_id"])
