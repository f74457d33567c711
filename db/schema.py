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


def _open(ended_at: str) -> dict[str, Any]:
    """Arguments of an index that holds only what has not ended."""
    where = text(f"{ended_at} IS NULL")
    return {"sqlite_where": where, "postgresql_where": where}


def _taken(leased_by: str) -> dict[str, Any]:
    """Arguments of an index that holds only what somebody has leased, or has put off since."""
    where = text(f"{leased_by} IS NOT NULL")
    return {"sqlite_where": where, "postgresql_where": where}


# One match: what was agreed, where it is shown, the seed, and how far the log goes. `ply` counts the log's lines.
# `to_move` and `turn_*` follow from the log; they stand here so that lists and the clock need not replay it.
# `board_owed` says that a board post was left out because a computer was on turn, `rung` who was rung for this turn,
# `in_thread` that the channel is itself a thread. `lost` says what can no longer be reached (the place, the server),
# `lost_at` since when; meanwhile its clocks stand still. `asking` says that the table is asked about the person on
# turn, `asked` how often that was in this turn. `counts` says that its result is one for the statistics.
# `witnesses` are marks of people who had a seat before, made with the seed: they recognise, and name nobody.
# What is open has no `ended_at`; that there are very many others costs questions about open ones nothing.
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
    Column("counts", Boolean, nullable=False, server_default=false()),
    Column("witnesses", JSON, nullable=False, server_default=text("'[]'")),
    Column("asking", Boolean, nullable=False, server_default=false()),
    Column("in_thread", Boolean, nullable=False, server_default=false()),
    Column("rung", JSON, nullable=False, server_default=text("'[]'")),
    Column("lost", String(16)),
    Column("lost_at", Moment),
    Index(None, "status", "guild_id", **_open("ended_at")),
    Index(None, "channel_id", "thread_id", **_open("ended_at")),
    Index(None, "thread_id", **_open("ended_at")),
    Index(None, "guild_id", "status", "ended_at", "id"),
    Index(None, "host_id", "ended_at"),
    # Board posts and buttons outlive a match: a number must never come again.
    sqlite_autoincrement=True,
)

# `won` and `points` are there once a match has a result; `hand_message_id` is the latest direct message with buttons.
# `ended_at` is the match's, so that a person's open matches, and the latest that are over, are found at once.
seats: Final = Table(
    "seats",
    metadata,
    Column("match_id", RowId, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("position", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer),
    Column("user_id", Snowflake),
    Column("name", Text, nullable=False),
    Column("computer", String(16)),
    Column("resigned", Boolean, nullable=False, server_default=false()),
    Column("won", Boolean),
    Column("points", Integer),
    Column("hand_message_id", Snowflake),
    Column("ended_at", Moment),
    UniqueConstraint("match_id", "user_id"),
    Index(None, "user_id", "ended_at", "match_id"),
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

# What is still to be told, without content; telling it deletes the row. `guild_id` says which process it belongs to,
# `user_id` whom it is about, `rings` whether it rings. It was put there at `put_at`, was tried `tries` times in vain,
# and is offered from `due` on; not while it is `held`, because its server cannot be reached. Claiming a row sets
# `leased_until` and `leased_by`, a name that outlives its process.
outbox: Final = Table(
    "outbox",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("match_id", RowId, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False, index=True),
    Column("ply", Integer, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("seat", Integer),
    Column("due", Moment, nullable=False),
    Column("leased_by", String(64)),
    Column("leased_until", Moment),
    Column("guild_id", Snowflake),
    Column("user_id", Snowflake, index=True),
    Column("rings", Boolean, nullable=False, server_default=false()),
    Column("tries", Integer, nullable=False, server_default=text("0")),
    Column("put_at", Moment, nullable=False, server_default=text("0")),
    Column("held", Boolean, nullable=False, server_default=false()),
    Index(None, "held", "due"),
    Index(None, "leased_by", **_taken("leased_by")),
    # The number is the nonce of a Discord message: it must never come again.
    sqlite_autoincrement=True,
)

# What happens by itself at a time. Claiming a row sets `leased_until` and `leased_by`, as in the outbox; carrying it
# out deletes or moves it. `tries` counts how often that failed.
deadlines: Final = Table(
    "deadlines",
    metadata,
    Column("match_id", RowId, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("kind", String(16), primary_key=True),
    Column("ply", Integer, nullable=False),
    Column("due", Moment, nullable=False, index=True),
    Column("leased_until", Moment),
    Column("leased_by", String(64)),
    Column("guild_id", Snowflake),
    Column("tries", Integer, nullable=False, server_default=text("0")),
    Index(None, "leased_by", **_taken("leased_by")),
)

# Votes cast and not yet decided; `question` is what is asked.
votes: Final = Table(
    "votes",
    metadata,
    Column("match_id", RowId, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("question", String(16), primary_key=True),
    Column("user_id", Snowflake, primary_key=True, autoincrement=False, index=True),
    Column("choice", String(16), nullable=False),
)

# Who would like to take a seat that the computer plays, and who of the table agrees (user ids).
applications: Final = Table(
    "applications",
    metadata,
    Column("match_id", RowId, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("user_id", Snowflake, primary_key=True, autoincrement=False, index=True),
    Column("name", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("agreed", JSON, nullable=False),
)

# What finished matches that count come to, by game and number of players: of a person everywhere, and of a server.
player_tallies: Final = Table(
    "player_tallies",
    metadata,
    Column("user_id", Snowflake, primary_key=True, autoincrement=False),
    Column("game", String(32), primary_key=True),
    Column("players", Integer, primary_key=True, autoincrement=False),
    Column("played", Integer, nullable=False),
    Column("won", Integer, nullable=False),
    Column("best", Integer, nullable=False),
)
guild_tallies: Final = Table(
    "guild_tallies",
    metadata,
    Column("guild_id", Snowflake, primary_key=True, autoincrement=False),
    Column("game", String(32), primary_key=True),
    Column("players", Integer, primary_key=True, autoincrement=False),
    Column("played", Integer, nullable=False),
)

# Of a person on a server, without seats that a computer had in the end; of user 0 all together who were forgotten.
# `name` is the highest by alphabet of the names that the person had there, `placeholder` of those that seats get when
# the person is forgotten.
guild_player_tallies: Final = Table(
    "guild_player_tallies",
    metadata,
    Column("guild_id", Snowflake, primary_key=True, autoincrement=False),
    Column("game", String(32), primary_key=True),
    Column("players", Integer, primary_key=True, autoincrement=False),
    Column("user_id", Snowflake, primary_key=True, autoincrement=False, index=True),
    Column("won", Integer, nullable=False),
    Column("best", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("placeholder", Text, nullable=False),
    Index(None, "guild_id", "game", "players", "won", "user_id"),
    Index(None, "guild_id", "game", "players", "best", "user_id"),
)

guild_settings: Final = Table(
    "guild_settings",
    metadata,
    Column("guild_id", Snowflake, primary_key=True, autoincrement=False),
    Column("setting", String(16), nullable=False),
    Column("pace", String(16), nullable=False),
    Column("channels", JSON),
    Column("who_cancels", String(16), nullable=False),
    Column("private", String(16), nullable=False, server_default="dm"),
)

# `dm` is what is known of the person's direct messages, `dm_channel_id` the channel they were opened in; `private` how
# the person wants what only they may see.
player_settings: Final = Table(
    "player_settings",
    metadata,
    Column("user_id", Snowflake, primary_key=True, autoincrement=False),
    Column("ping", String(16), nullable=False, server_default="mention"),
    Column("large", Boolean, nullable=False, server_default=false()),
    Column("spoiler", Boolean, nullable=False, server_default=false()),
    Column("dm", String(16), nullable=False, server_default="unknown"),
    Column("away_until", Moment),
    Column("dm_channel_id", Snowflake),
    Column("private", String(16), nullable=False, server_default="server"),
)

# When a direct message was opened to somebody who had none from the bot before: Discord stops bots that open many.
# `asked` says that the person had just asked for it. Whose it was is not kept.
dm_openings: Final = Table(
    "dm_openings",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("at", Moment, nullable=False, index=True),
    Column("asked", Boolean, nullable=False),
)

# One row: until when Discord lets the bot open none, and how many seconds it waits (0: the last one opened well).
dm_pause: Final = Table(
    "dm_pause",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("until", Moment),
    Column("wait", Integer, nullable=False, server_default=text("0")),
)

meta: Final = Table(
    "meta",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)
