"""Adds puzzles: how far people are, reports, and the day's puzzle on servers."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0036"


def upgrade() -> None:
    """Make the tables and the setting."""
    _of_people()
    _of_reports()
    _of_servers()
    with op.batch_alter_table("guild_settings") as batch:
        batch.add_column(sa.Column("puzzles", sa.BigInteger()))
    named = sa.text("puzzles IS NOT NULL")
    op.create_index(
        "ix_guild_settings_puzzles", "guild_settings", ["puzzles"], sqlite_where=named, postgresql_where=named
    )


def _of_people() -> None:
    unsolved = sa.text("solved_at IS NULL")
    op.create_table(
        "puzzle_attempts",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("puzzle", sa.String(16), nullable=False),
        sa.Column("answers", sa.JSON(), server_default="[]", nullable=False),
        sa.Column("wrong", sa.JSON(), server_default="[]", nullable=False),
        sa.Column("marks", sa.String(64), nullable=False),
        sa.Column("shown", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("turn", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("press", sa.BigInteger()),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("solved_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("user_id", "puzzle", name="pk_puzzle_attempts"),
    )
    op.create_index(
        "ix_puzzle_attempts_at", "puzzle_attempts", ["at"], sqlite_where=unsolved, postgresql_where=unsolved
    )
    op.create_table(
        "puzzle_solvers",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger()),
        sa.Column("here", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("name", sa.Text()),
        sa.Column("tries", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("run", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("best", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.PrimaryKeyConstraint("user_id", "number", name="pk_puzzle_solvers"),
    )
    op.create_index("ix_puzzle_solvers_number_guild_id", "puzzle_solvers", ["number", "guild_id"])
    named = sa.text("name IS NOT NULL")
    op.create_index(
        "ix_puzzle_solvers_number", "puzzle_solvers", ["number"], sqlite_where=named, postgresql_where=named
    )


def _of_reports() -> None:
    op.create_table(
        "puzzle_reports",
        sa.Column("puzzle", sa.String(16), nullable=False),
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("guild_id", sa.BigInteger()),
        sa.Column("counts", sa.Boolean(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("puzzle", "user_id", name="pk_puzzle_reports"),
    )
    op.create_index("ix_puzzle_reports_user_id", "puzzle_reports", ["user_id"])
    op.create_table(
        "puzzle_cases",
        sa.Column("puzzle", sa.String(16), nullable=False),
        sa.Column("reported_at", sa.BigInteger(), nullable=False),
        sa.Column("checked_at", sa.BigInteger()),
        sa.Column("fault", sa.Text()),
        sa.Column("withdrawn_at", sa.BigInteger()),
        sa.PrimaryKeyConstraint("puzzle", name="pk_puzzle_cases"),
    )


def _of_servers() -> None:
    op.create_table(
        "puzzle_posts",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger()),
        sa.Column("over", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", "number", name="pk_puzzle_posts"),
    )
    op.create_table(
        "puzzle_looks",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("guild_id", name="pk_puzzle_looks"),
    )
    op.create_index("ix_puzzle_looks_due", "puzzle_looks", ["due"])
