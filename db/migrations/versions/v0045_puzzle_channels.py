"""Moves the channel for the day's puzzles from the settings of servers to a table of its own."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"


def upgrade() -> None:
    """Make the table, fill it, and drop the column."""
    op.create_table(
        "puzzle_channels",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name="pk_puzzle_channels"),
    )
    op.create_index("ix_puzzle_channels_channel_id", "puzzle_channels", ["channel_id"])
    op.execute(
        "INSERT INTO puzzle_channels (guild_id, channel_id) "
        "SELECT guild_id, puzzles FROM guild_settings WHERE puzzles IS NOT NULL"
    )
    op.drop_index("ix_guild_settings_puzzles", "guild_settings")
    op.drop_column("guild_settings", "puzzles")
