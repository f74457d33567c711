"""${message}."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "${up_revision}"
down_revision = "${down_revision}"


def upgrade() -> None:
    """Add the columns."""
    op.add_column("matches", sa.Column("what", sa.Integer(), nullable=True))
