"""Prepares for deleting old data: the interactions that caused lines, and the lines of matches that are over."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Leave lines without an interaction out of its unique index; add a column and its index."""
    if op.get_context().dialect.name == "sqlite":
        _write_log_anew()
    else:
        op.drop_constraint("uq_log_interaction_id", "log")
    where = sa.text("interaction_id IS NOT NULL")
    op.create_index(
        "ix_log_interaction_id", "log", ["interaction_id"], unique=True, sqlite_where=where, postgresql_where=where
    )
    op.add_column("matches", sa.Column("log_sum", sa.String(64)))
    where = sa.text("ended_at IS NOT NULL AND log_sum IS NULL")
    op.create_index("ix_matches_ended_at", "matches", ["ended_at"], sqlite_where=where, postgresql_where=where)


def _write_log_anew() -> None:
    """Copy the log to a new table, because SQLite can't drop a constraint of an existing one."""
    op.create_table(
        "log_anew",
        sa.Column(
            "match_id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            sa.ForeignKey("matches.id", name="fk_log_match_id", ondelete="CASCADE"),
            primary_key=True,
            nullable=False,
        ),
        sa.Column("ply", sa.Integer(), autoincrement=False, primary_key=True),
        sa.Column("player", sa.Integer(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("interaction_id", sa.BigInteger()),
        sa.PrimaryKeyConstraint("match_id", "ply", name="pk_log"),
        sa.CheckConstraint("ply >= 0", name=op.f("ck_log_ply")),
    )
    columns = "match_id, ply, player, action, at, interaction_id"
    op.execute(f"INSERT INTO log_anew ({columns}) SELECT {columns} FROM log ORDER BY match_id, ply")
    op.drop_table("log")
    op.rename_table("log_anew", "log")
