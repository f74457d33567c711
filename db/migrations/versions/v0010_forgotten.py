"""Adds a list of people who are being forgotten. Totals no longer merge forgotten people."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Make the table. People merged under the number 0 can't be separated, so their totals go."""
    op.create_table(
        "forgotten",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("up_to", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("left", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name="pk_forgotten"),
    )
    op.execute("DELETE FROM guild_player_tallies WHERE user_id = 0")
