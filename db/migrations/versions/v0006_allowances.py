"""Adds allowances for deeds that are a burden to others, and when the table was asked about an application."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make the table. Earlier applicants may ask again."""
    op.create_table(
        "allowances",
        sa.Column("mark", sa.String(32), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("mark", name="pk_allowances"),
    )
    op.create_index("ix_allowances_until", "allowances", ["until"])
    op.add_column("applications", sa.Column("asked_at", sa.BigInteger(), server_default=sa.text("0"), nullable=False))
