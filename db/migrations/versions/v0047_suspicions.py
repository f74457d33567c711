"""Moves whom players have said they suspect out of `matches` into a table of its own."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"


def upgrade() -> None:
    """Make the table, and fill it."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    match = sa.ForeignKey("matches.id", name="fk_suspicions_match_id", ondelete="CASCADE")
    op.create_table(
        "suspicions",
        sa.Column("match_id", number, match, autoincrement=False, nullable=False),
        sa.Column("suspicions", sa.JSON(), server_default=sa.text("'[]'"), nullable=False),
        sa.PrimaryKeyConstraint("match_id", name="pk_suspicions"),
    )
    said = "SELECT id, suspicions FROM matches WHERE CAST(suspicions AS TEXT) <> '[]'"
    op.execute(f"INSERT INTO suspicions (match_id, suspicions) {said}")
    op.drop_column("matches", "suspicions")
