"""Adds a table's open questions, which expire, and No as an answer. Deletes allowances whose marks were not salted.

The deleted allowances would have been restored within an hour anyway.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.add_column("matches", sa.Column("questions", sa.JSON(), server_default=sa.text("'[]'"), nullable=False))
    op.add_column("applications", sa.Column("declined", sa.JSON(), server_default=sa.text("'[]'"), nullable=False))
    op.execute("DELETE FROM allowances")
