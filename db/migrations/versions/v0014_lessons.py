"""Adds how far people are in the lessons of games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def _keys(name: str) -> sa.Column[list[str]]:
    return sa.Column(name, sa.JSON(), server_default=sa.text("'[]'"), nullable=False)


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "lessons",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("lesson", sa.String(32)),
        _keys("answers"),
        _keys("done"),
        _keys("skipped"),
        sa.Column("turn", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("press", sa.BigInteger()),
        sa.Column("finished_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("user_id", "game", name="pk_lessons"),
    )
