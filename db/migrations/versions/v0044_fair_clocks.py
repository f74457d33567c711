"""Adds times in which nobody could press, and who was cut off, excused, silent, or left at their own first turn.

Of puzzles it adds what came of reports, and of reviews the round in which each has its turn.

It was six migrations, 0039 to 0044, before a version had them. Stores that have taken all six open, too.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0037"


def upgrade() -> None:
    """Make the table `gaps`, which replaces the moments at which the bot was started; add columns and indexes."""
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
    op.execute("DELETE FROM meta WHERE key = 'starts'")
    op.add_column("applications", sa.Column("given", sa.BigInteger(), server_default=sa.text("0"), nullable=False))
    op.add_column("matches", sa.Column("cut_off", sa.String(16)))
    op.add_column("seats", sa.Column("deserted", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("seats", sa.Column("excused", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("seats", sa.Column("pressed_at", sa.BigInteger()))
    op.add_column("puzzle_cases", sa.Column("enough_at", sa.BigInteger()))
    op.add_column("puzzle_cases", sa.Column("kept_at", sa.BigInteger()))
    op.create_index("ix_puzzle_attempts_puzzle", "puzzle_attempts", ["puzzle"])
    op.add_column("reviews", sa.Column("turn", sa.Integer(), server_default="0", nullable=False))
    op.drop_index("ix_reviews_asked_at", "reviews")
    unfinished = sa.text("finished_at IS NULL")
    op.create_index(
        "ix_reviews_turn_asked_at",
        "reviews",
        ["turn", "asked_at"],
        sqlite_where=unfinished,
        postgresql_where=unfinished,
    )
