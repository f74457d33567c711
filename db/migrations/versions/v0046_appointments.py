"""Moves what is known of appointed tables out of `matches` into a table of its own.

Such a table waits for `READY` alone, also when it has asked everybody. `BEGIN` is left for tables without a time.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0046"
down_revision = "0045"

_COLUMNS = "appointed, fill_with, mirrored, event_id"


def upgrade() -> None:
    """Make the table, and fill it."""
    number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    match = sa.ForeignKey("matches.id", name="fk_appointments_match_id", ondelete="CASCADE")
    op.create_table(
        "appointments",
        sa.Column("match_id", number, match, autoincrement=False, nullable=False),
        sa.Column("appointed", sa.BigInteger(), nullable=False),
        sa.Column("fill_with", sa.String(16)),
        sa.Column("mirrored", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("event_id", sa.BigInteger()),
        sa.PrimaryKeyConstraint("match_id", name="pk_appointments"),
    )
    op.create_index("ix_appointments_event_id", "appointments", ["event_id"])
    appointed = f"SELECT id, {_COLUMNS} FROM matches WHERE appointed IS NOT NULL"
    op.execute(f"INSERT INTO appointments (match_id, {_COLUMNS}) {appointed}")
    op.execute(
        "UPDATE deadlines SET kind = 'ready' WHERE kind = 'begin' AND match_id IN (SELECT match_id FROM appointments)"
    )
    for name in _COLUMNS.split(", "):
        op.drop_column("matches", name)
