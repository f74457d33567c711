"""Adds moves said in advance, and outbox rows that look as if they pinged somebody (`quiet`)."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0038"


def upgrade() -> None:
    """Make the table, and add the columns."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    match = sa.ForeignKey("matches.id", name="fk_orders_match_id", ondelete="CASCADE")
    op.create_table(
        "orders",
        sa.Column("match_id", number, match, autoincrement=False, nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("theirs", sa.Text()),
        sa.Column("mine", sa.Text(), nullable=False),
        sa.Column("unless", sa.JSON(), nullable=False),
        sa.Column("noted", sa.JSON(), nullable=False),
        sa.Column("about", sa.Text(), nullable=False),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("given_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", "seat", "number", name="pk_orders"),
    )
    op.create_index("ix_orders_user_id", "orders", ["user_id"])
    op.add_column("log", sa.Column("by_order", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("outbox", sa.Column("quiet", sa.Boolean(), nullable=False, server_default=sa.false()))
