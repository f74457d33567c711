"""Adds the end of an offer: a player is first offered their only legal action if it ends a round or the match."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Add the column."""
    op.add_column("matches", sa.Column("offered_until", sa.BigInteger(), nullable=True))
