"""A server's first lobby says where its moderators find the settings."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; no lobby that is there is a server's first."""
    op.add_column("matches", sa.Column("first_here", sa.Boolean(), server_default=sa.false(), nullable=False))
