"""Adds how much a result counts: the days on which people met, and gains from accounts that met few people.

All of it is a cache. The ratings' scheme was raised, so every ladder is recomputed when somebody looks at it.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Add the columns, make the table."""
    op.add_column("ratings", sa.Column("met", sa.Integer(), server_default=sa.text("0"), nullable=False))
    for name in ("from_new", "from_few"):
        op.add_column("ratings", sa.Column(name, sa.Double(), server_default=sa.text("0.0"), nullable=False))
    op.create_table(
        "rating_pairs",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("season", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("practice", sa.Boolean(), autoincrement=False, nullable=False),
        sa.Column("key", sa.String(16), nullable=False),
        sa.Column("other", sa.String(16), nullable=False),
        sa.Column("day", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("results", sa.Integer(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "game", "season", "practice", "key", "other", name="pk_rating_pairs"),
    )
