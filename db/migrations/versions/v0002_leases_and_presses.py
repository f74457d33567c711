"""Adds the owners of leases, so that a successor needn't wait, and the interactions that changed a lobby."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add two columns and a table."""
    for table in ("outbox", "deadlines"):
        op.add_column(table, sa.Column("leased_by", sa.String(64)))
    row_id = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "presses",
        sa.Column("interaction_id", sa.BigInteger(), autoincrement=False, primary_key=True, nullable=False),
        sa.Column(
            "match_id",
            row_id,
            sa.ForeignKey("matches.id", name="fk_presses_match_id", ondelete="CASCADE"),
            nullable=False,
        ),
        sa.PrimaryKeyConstraint("interaction_id", name="pk_presses"),
    )
    op.create_index("ix_presses_match_id", "presses", ["match_id"])
