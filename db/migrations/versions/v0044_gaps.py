"""Adds the times in which nobody could press. They replace the moments at which the bot was started."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table, and the column of requests for a seat."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.create_table(
        "gaps",
        sa.Column("id", number, nullable=False),
        sa.Column("shards", sa.Integer(), nullable=False),
        sa.Column("shard", sa.Integer(), nullable=False),
        sa.Column("guild_id", sa.BigInteger()),
        sa.Column("since", sa.BigInteger(), nullable=False),
        sa.Column("until", sa.BigInteger()),
        sa.Column("replayed", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("given", number, server_default=sa.text("0"), nullable=False),
        sa.Column("over", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_gaps"),
    )
    op.create_index("ix_gaps_until", "gaps", ["until"])
    with op.batch_alter_table("applications") as batch:
        batch.add_column(sa.Column("given", sa.BigInteger(), server_default=sa.text("0"), nullable=False))
    op.execute("DELETE FROM meta WHERE key = 'starts'")
