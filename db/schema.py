"""The tables. Snowflakes are BIGINT, times whole microseconds since 1970 in UTC; no state of a game is ever stored.

A change here needs a migration beside it (`db/migrations/versions`); a test compares the two.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any, Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Dialect,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    false,
    text,
)

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


class Moment(TypeDecorator[datetime]):
    """An aware moment, stored as whole microseconds since 1970 in UTC, so that it compares and survives exactly."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """To the store."""
        return None if value is None else (value - _EPOCH) // _MICROSECOND

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """From the store."""
        return None if value is None else _EPOCH + value * _MICROSECOND


# A row id: SQLite gives numbers by itself only to a column that is exactly INTEGER.
RowId: Final = BigInteger().with_variant(Integer(), "sqlite")
Snowflake: Final = BigInteger

metadata: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)

# One match: what was agreed, where it is shown, the seed, and how far the log goes. `ply` counts the log's lines.
# `to_move` and `turn_*` follow from the log; they stand here so that lists and the clock need not replay it.
# `board_owed` says that a board post was left out because a computer was on turn, `unreachable` that its people were
# told that nothing can be posted where it is played, `counts` that its result is one for the statistics. `witnesses`
# are marks of people who had a seat before, made with the seed: they recognise, and name nobody.
matches: Final = Table(
    "matches",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("game", String(32), nullable=False),
    Column("options", JSON, nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("status", String(16), nullable=False),
    Column("host_id", Snowflake, nullable=False),
    Column("guild_id", Snowflake),
    Column("channel_id", Snowflake, nullable=False),
    Column("thread_id", Snowflake),
    Column("lobby_message_id", Snowflake),
    Column("board_message_id", Snowflake),
    Column("board_ply", Integer, nullable=False, server_default=text("0")),
    Column("board_owed", Boolean, nullable=False, server_default=false()),
    Column("seed", LargeBinary(32), nullable=False),
    Column("commitment", String(64), nullable=False),
    Column("pace", String(16), nullable=False),
    Column("setting", String(16), nullable=False),
    Column("size", Integer),
    Column("invited", JSON, nullable=False),
    Column("ply", Integer, nullable=False, server_default=text("0")),
    Column("to_move", Integer),
    Column("turn_ply", Integer, nullable=False, server_default=text("0")),
    Column("turn_at", Moment),
    Column("turn_due", Moment),
    Column("reminded", Boolean, nullable=False, server_default=false()),
    Column("asked", Integer, nullable=False, server_default=text("0")),
    Column("created_at", Moment, nullable=False),
    Column("started_at", Moment),
    Column("ended_at", Moment),
    Column("rematch_of", RowId, ForeignKey("matches.id", ondelete="SET NULL"), index=True),
    Column("ended_by", String(16)),
    Column("reason", Text),
    Column("unreachable", Boolean, nullable=False, server_default=false()),
    Column("counts", Boolean, nullable=False, server_default=false()),
    Column("witnesses", JSON, nullable=False, server_default=text("'[]'")),
    Index(None, "status", "channel_id"),
    Index(None, "guild_id", "status"),
    # Board posts and buttons outlive a match: a number must never come again.
    sqlite_autoincrement=True,
)

# `won` and `points` are there once a match has a result.
seats: Final = Table(
    "seats",
    metadata,
    Column("match_id", RowId, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer),
    Column("user_id", Snowflake, index=True),
    Column("name", Text, nullable=False),
    Column("computer", String(16)),
    Column("resigned", Boolean, nullable=False, server_default=false()),
    Column("won", Boolean),
    Column("points", Integer),
    UniqueConstraint("match_id", "user_id"),
)

# The truth. `player` is a seat, -1 chance, -2 the host.
log: Final = Table(
    "log",
    metadata,
    Column("match_id", RowId, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("ply", Integer, primary_key=True, autoincrement=False),
    Column("player", Integer, nullable=False),
    Column("action", Text, nullable=False),
    Column("at", Moment, nullable=False),
    Column("interaction_id", Snowflake, unique=True),
    CheckConstraint("ply >= 0", name="ply"),
)

# Presses and commands that have changed a lobby; one delivered twice changes it once. Forgotten with the lobby.
presses: Final = Table(
    "presses",
    metadata,
    Column("interaction_id", Snowflake, primary_key=True, autoincrement=False),
    Column("match_id", RowId, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False, index=True),
)

# What is still to be told, without content. Claiming a row moves `due` on and says for whom (`leased_by`, a name that
# outlives its process); telling it deletes the row.
outbox: Final = Table(
    "outbox",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("match_id", RowId, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("ply", Integer, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("seat", Integer),
    Column("due", Moment, nullable=False, index=True),
    Column("leased_by", String(64)),
    # The number is the nonce of a Discord message: it must never come again.
    sqlite_autoincrement=True,
)

# What happens by itself at a time. Claiming a row sets `leased_until` and `leased_by`; carrying it out deletes or moves
# it.
deadlines: Final = Table(
    "deadlines",
    metadata,
    Column("match_id", RowId, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("kind", String(16), primary_key=True),
    Column("ply", Integer, nullable=False),
    Column("due", Moment, nullable=False, index=True),
    Column("leased_until", Moment),
    Column("leased_by", String(64)),
)

# Votes cast and not yet decided; `question` is what is asked.
votes: Final = Table(
    "votes",
    metadata,
    Column("match_id", RowId, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("question", String(16), primary_key=True),
    Column("user_id", Snowflake, primary_key=True, autoincrement=False),
    Column("choice", String(16), nullable=False),
)

# Who would like to take a seat that the computer plays, and who of the table agrees (user ids).
applications: Final = Table(
    "applications",
    metadata,
    Column("match_id", RowId, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", Snowflake, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("agreed", JSON, nullable=False),
)

guild_settings: Final = Table(
    "guild_settings",
    metadata,
    Column("guild_id", Snowflake, primary_key=True, autoincrement=False),
    Column("setting", String(16), nullable=False),
    Column("pace", String(16), nullable=False),
    Column("channels", JSON),
    Column("who_cancels", String(16), nullable=False),
)

player_settings: Final = Table(
    "player_settings",
    metadata,
    Column("user_id", Snowflake, primary_key=True, autoincrement=False),
    Column("ping", String(16), nullable=False, server_default="mention"),
    Column("large", Boolean, nullable=False, server_default=false()),
    Column("spoiler", Boolean, nullable=False, server_default=false()),
    Column("dm", String(16), nullable=False, server_default="unknown"),
    Column("away_until", Moment),
)

meta: Final = Table(
    "meta",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)
