"""Adds where a match was played on from another one."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0030"


def upgrade() -> None:
    """Add the columns."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    op.add_column("matches", sa.Column("branch_of", number, nullable=True))
    op.add_column("matches", sa.Column("branch_ply", sa.Integer(), nullable=True))
    op.add_column("matches", sa.Column("branch_seat", sa.Integer(), nullable=True))
