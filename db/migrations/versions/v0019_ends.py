"""Adds what the end of a match means for each person: who acted, left or was absent. Adds when a match ends by itself.

For open matches the log shows who has acted. A computer that began is known only while nobody has replaced it; for the
others the usual level is assumed.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"

_ENTERED = "seats.key IS NOT NULL"


def _flag(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean(), server_default=sa.false(), nullable=False)


def upgrade() -> None:
    """Add the columns and fill them."""
    op.add_column("matches", sa.Column("closes_at", sa.BigInteger()))
    op.add_column("matches", _flag("awaited"))
    op.add_column("seats", sa.Column("level", sa.String(16)))
    op.add_column("seats", _flag("acted"))
    op.add_column("seats", _flag("absent"))
    op.add_column("seats", sa.Column("finished", sa.Boolean()))
    open_match = "EXISTS (SELECT 1 FROM matches WHERE matches.id = seats.match_id AND matches.ended_at IS NULL)"
    began = "seats.seat IS NOT NULL AND (seats.user_id IS NULL OR seats.replaced) AND NOT seats.resigned"
    op.execute(
        f"UPDATE seats SET level = COALESCE(computer, 'normal') WHERE NOT ({_ENTERED}) AND {began} AND {open_match}"
    )
    line = "SELECT 1 FROM log WHERE log.match_id = seats.match_id AND log.player = seats.seat"
    op.execute(f"UPDATE seats SET acted = (1 = 1) WHERE level IS NULL AND {open_match} AND EXISTS ({line})")
    ended = "SELECT 1 FROM matches WHERE matches.id = seats.match_id AND matches.ended_by"
    stayed = "(seats.computer IS NULL AND NOT seats.resigned AND NOT seats.replaced)"
    op.execute(
        f"UPDATE seats SET finished = ({stayed} OR EXISTS ({ended} = 'resigned')) "
        f"WHERE {_ENTERED} AND EXISTS ({ended} IN ('rules', 'resigned', 'left'))"
    )
