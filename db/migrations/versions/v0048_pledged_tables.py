"""Moves when the lobbies start that pledges have made out of `matches` into a table of its own."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0048"
down_revision = "0047"


def upgrade() -> None:
    """Make the table, and fill it."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    match = sa.ForeignKey("matches.id", name="fk_pledged_tables_match_id", ondelete="CASCADE")
    op.create_table(
        "pledged_tables",
        sa.Column("match_id", number, match, autoincrement=False, nullable=False),
        sa.Column("starts_by", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("match_id", name="pk_pledged_tables"),
    )
    pledged = "SELECT id, starts_by FROM matches WHERE starts_by IS NOT NULL"
    op.execute(f"INSERT INTO pledged_tables (match_id, starts_by) {pledged}")
    op.drop_column("matches", "starts_by")
