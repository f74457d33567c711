"""Where PostgreSQL sweeps by the number of dead rows: the tables of which every move deletes rows and inserts others.

By its own measure, fifty rows and a fifth of the table, it sweeps them again and again while they are nearly empty, and
late when there is much in them.
"""

from __future__ import annotations

from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Set it; SQLite uses the room of deleted rows again by itself."""
    if op.get_bind().dialect.name == "postgresql":
        for table in ("outbox", "deadlines"):
            op.execute(
                f"ALTER TABLE {table} SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000)"
            )
