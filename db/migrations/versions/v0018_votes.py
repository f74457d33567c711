"""The questions that a table is asked, with No and an expiry; and no marks of allowances that were not salted.

What these marks stood for comes back within an hour anyway.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns, forget the marks."""
    op.add_column("matches", sa.Column("questions", sa.JSON(), server_default=sa.text("'[]'"), nullable=False))
    op.add_column("applications", sa.Column("declined", sa.JSON(), server_default=sa.text("'[]'"), nullable=False))
    op.execute("DELETE FROM allowances")
