"""Tells PostgreSQL to vacuum tables with heavy churn by their number of dead rows.

Its default threshold, fifty rows and a fifth of the table, vacuums them constantly while they are nearly empty, and
late when they are full.
"""

from __future__ import annotations

from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Set it. SQLite reuses the space of deleted rows by itself."""
    if op.get_bind().dialect.name == "postgresql":
        for table in ("outbox", "deadlines"):
            op.execute(
                f"ALTER TABLE {table} SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)"
            )
