"""Marks of allowances that were not salted go: what they stood for comes back within an hour anyway."""

from __future__ import annotations

from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Forget them."""
    op.execute("DELETE FROM allowances")
