"""Adds the open questions of a table, with No and an expiry. Deletes allowances whose marks were not salted.

Those are restored within an hour anyway.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("matches", sa.Column("questions", sa.JSON(), server_default=sa.text("'[]'"), nullable=False))
    op.add_column("applications", sa.Column("declined", sa.JSON(), server_default=sa.text("'[]'"), nullable=False))
    op.execute("DELETE FROM allowances")
