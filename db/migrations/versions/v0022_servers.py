"""Lets an outbox row be about a server instead of a match."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"

_COLUMNS = "id, match_id, guild_id, ply, kind, seat, user_id, rings, tries, put_at, due, held, leased_by, leased_until"


def upgrade() -> None:
    """Let the match be missing; find the rows of a server by an index."""
    if op.get_context().dialect.name == "sqlite":
        _write_outbox_anew()
    else:
        op.alter_column("outbox", "match_id", existing_type=sa.BigInteger(), nullable=True)
    _index("guild_id", where="match_id IS NULL")


def _index(*columns: str, where: str | None = None) -> None:
    condition = None if where is None else sa.text(where)
    name = f"ix_outbox_{'_'.join(columns)}"
    op.create_index(name, "outbox", [*columns], sqlite_where=condition, postgresql_where=condition)


def _write_outbox_anew() -> None:
    """Copy the outbox to a new table, because SQLite can't change a column of an existing one.

    The numbering continues: row numbers are nonces of Discord messages.
    """
    op.create_table(
        "outbox_anew",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.Integer()),
        sa.Column("guild_id", sa.BigInteger()),
        sa.Column("ply", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer()),
        sa.Column("user_id", sa.BigInteger()),
        sa.Column("rings", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("tries", sa.Integer(), server_default=sa.text("0"), nullable=False),
        sa.Column("put_at", sa.BigInteger(), server_default=sa.text("0"), nullable=False),
        sa.Column("due", sa.BigInteger(), nullable=False),
        sa.Column("held", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("leased_by", sa.String(64)),
        sa.Column("leased_until", sa.BigInteger()),
        sa.PrimaryKeyConstraint("id", name="pk_outbox"),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name="fk_outbox_match_id", ondelete="CASCADE"),
        sqlite_autoincrement=True,
    )
    op.execute(f"INSERT INTO outbox_anew ({_COLUMNS}) SELECT {_COLUMNS} FROM outbox ORDER BY id")
    op.execute("DELETE FROM sqlite_sequence WHERE name = 'outbox_anew'")
    op.execute("INSERT INTO sqlite_sequence SELECT 'outbox_anew', seq FROM sqlite_sequence WHERE name = 'outbox'")
    op.drop_table("outbox")
    op.rename_table("outbox_anew", "outbox")
    _index("match_id")
    _index("user_id")
    _index("held", "due")
    _index("leased_by", where="leased_by IS NOT NULL")
