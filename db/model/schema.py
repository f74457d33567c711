"""The tables. Snowflakes are BIGINT, times are microseconds since 1970 in UTC. No game state is stored.

Most columns are the fields of the row classes. Here are keys, indexes, and the tables that have no row class. A
change needs a migration (`db/migrations/versions`); a test compares the two.
"""

from __future__ import annotations

from functools import partial
from typing import Any, Final

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

from db.model import rows
from db.model.columns import Instant, RowId, Snowflake, table
from db.model.setting_rows import GuildSettings, PersonRow, PlayerSettings

metadata: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
    }
)
_table = partial(table, metadata)


def where(condition: str) -> dict[str, Any]:
    """Return options of an index of the rows that meet this condition."""
    only = text(condition)
    return {"sqlite_where": only, "postgresql_where": only}


_OPEN: Final = where("ended_at IS NULL")
"""Options of an index of rows that have not ended."""


def _key(name: str, kind: Any = Snowflake, **options: Any) -> Column[Any]:
    return Column(name, kind, primary_key=True, autoincrement=False, **options)


def _needed(name: str, kind: Any, *more: Any, **options: Any) -> Column[Any]:
    return Column(name, kind, *more, nullable=False, **options)


_TURNED_OVER: Final = {"autovacuum_vacuum_scale_factor": 0, "autovacuum_vacuum_threshold": 1000}
"""For tables with heavy churn: PostgreSQL vacuums them by the number of dead rows."""


# Open matches have no `ended_at`. Partial indexes keep queries for them fast, however many matches are over.
matches: Final = _table(
    "matches",
    (rows.MatchRow, rows.Details, rows.Hidden),
    ("id",),
    Index(None, "status", "guild_id", **_OPEN),
    Index(None, "channel_id", "thread_id", **_OPEN),
    Index(None, "thread_id", **_OPEN),
    Index(None, "guild_id", "status", "ended_at", "id"),
    Index(None, "host_id", "ended_at"),
    Index(None, "rematch_of"),
    # Matches that are over and still have their lines (`db.matches.retention`).
    Index(None, "ended_at", **where("ended_at IS NOT NULL AND log_sum IS NULL")),
    # Board posts and buttons outlive a match, so its number must never be reused.
    sqlite_autoincrement=True,
)

seats: Final = _table(
    "seats",
    (rows.OfMatch, rows.SeatRow, rows.Ending, rows.Entry),
    ("match_id", "position"),
    UniqueConstraint("match_id", "user_id"),
    Index(None, "user_id", "ended_at", "match_id"),
    Index(None, "key", "ended_at"),
)

# The source of truth.
log: Final = _table(
    "log",
    (rows.OfMatch, rows.LineRow, rows.Origin),
    ("match_id", "ply"),
    CheckConstraint("ply >= 0", name="ply"),
    # Retention clears old ids (`db.matches.retention`).
    Index(None, "interaction_id", unique=True, **where("interaction_id IS NOT NULL")),
)

# Interactions that changed a lobby, so that a redelivery changes nothing. Deleted with the lobby.
presses: Final = Table(
    "presses",
    metadata,
    _key("interaction_id"),
    _needed("match_id", RowId, ForeignKey("matches.id", ondelete="CASCADE"), index=True),
)

# Announcements to send, without content.
outbox: Final = _table(
    "outbox",
    (rows.Telling, rows.Waiting, rows.Leased),
    ("id",),
    Index(None, "match_id"),
    Index(None, "guild_id", **where("match_id IS NULL")),
    Index(None, "user_id"),
    Index(None, "held", "due"),
    Index(None, "leased_by", **where("leased_by IS NOT NULL")),
    # The number is the nonce of a Discord message, so it must never be reused.
    sqlite_autoincrement=True,
    postgresql_with=_TURNED_OVER,
)

deadlines: Final = _table(
    "deadlines",
    (rows.DeadlineRow, rows.OfShard, rows.Leased),
    ("match_id", "kind"),
    Index(None, "due"),
    Index(None, "leased_by", **where("leased_by IS NOT NULL")),
    postgresql_with=_TURNED_OVER,
)

# Times in which nobody could press.
gaps: Final = _table("gaps", (rows.GapRow,), ("id",), Index(None, "until"))

votes: Final = _table(
    "votes",
    (rows.OfMatch, rows.Question, rows.Ballot),
    ("match_id", "question", "user_id"),
    Index(None, "user_id"),
)

applications: Final = _table(
    "applications", (rows.OfMatch, rows.Application), ("match_id", "user_id"), Index(None, "user_id")
)


def _key_of_tally(owner: str) -> tuple[Column[Any], ...]:
    """Return the key of totals by game and number of players."""
    return _key(owner), _key("game", String(32)), _key("players", Integer)


# Totals of the matches that count, by game and number of players: per person, and per server.
player_tallies: Final = Table(
    "player_tallies",
    metadata,
    *_key_of_tally("user_id"),
    _needed("played", Integer),
    _needed("won", Integer),
    _needed("best", Integer),
)
guild_tallies: Final = Table("guild_tallies", metadata, *_key_of_tally("guild_id"), _needed("played", Integer))

# Per person and server, without seats that a computer played in the end. A forgotten person gets a negative id, a
# different one in every row. So people stay apart, and nobody can link the rows of one person.
# `name` is the person's latest name there, `placeholder` the latest name that replaces it when they are forgotten.
guild_player_tallies: Final = Table(
    "guild_player_tallies",
    metadata,
    *_key_of_tally("guild_id"),
    _key("user_id", index=True),
    _needed("won", Integer),
    _needed("best", Integer),
    _needed("name", Text),
    _needed("placeholder", Text),
    Index(None, "guild_id", "game", "players", "won", "user_id"),
    Index(None, "guild_id", "game", "players", "best", "user_id"),
)

# A person's key and name in a server's ratings. Deleting the row makes the key anonymous and changes no number.
rating_keys: Final = Table(
    "rating_keys",
    metadata,
    _key("guild_id"),
    _key("user_id"),
    _needed("key", String(16)),
    _needed("name", Text),
    UniqueConstraint("guild_id", "key"),
    Index(None, "user_id"),
)

# Seasons from the second on. The first begins with the server's first result.
seasons: Final = Table("seasons", metadata, _key("guild_id"), _key("number", Integer), _needed("begun_at", Instant))

# The source of truth of ratings.
rated_results: Final = _table(
    "rated_results",
    (rows.Ladder, rows.Numbered, rows.ResultRow),
    ("guild_id", "number"),
    Index(None, *rows.Ladder._fields, "number"),
)

guild_settings: Final = _table("guild_settings", (rows.OfGuild, GuildSettings), ("guild_id",))

player_settings: Final = _table("player_settings", (rows.OfPerson, PlayerSettings, PersonRow), ("user_id",))

# People who are being forgotten. They already count as anonymous in ended matches up to number `up_to`, though rows of
# these still name them. `left`: they are out of the matches that were open when they asked.
forgotten: Final = Table("forgotten", metadata, _key("user_id"), _needed("up_to", RowId), _needed("left", Boolean))

# Who keeps away from whom. The list is private, and stays when the other person is forgotten.
kept_away: Final = Table("kept_away", metadata, _key("user_id"), _key("other_id"))

bars: Final = Table("bars", metadata, _key("guild_id"), _key("user_id"), _needed("until", Instant))

# When the bot opened a direct-message channel, without saying to whom: Discord stops bots that open many. `asked`: the
# person had just asked for it.
dm_openings: Final = Table(
    "dm_openings",
    metadata,
    Column("id", RowId, primary_key=True),
    _needed("at", Instant, index=True),
    _needed("asked", Boolean),
)

# When each used allowance is restored in full (`matches/table/limits.py`). The row is deleted after that. The key is a
# hash of the owner and the kind of allowance.
allowances: Final = Table("allowances", metadata, _key("mark", String(32)), _needed("until", Instant, index=True))

# One row: until when Discord lets the bot open no direct message, and the pause in seconds (0 after a success).
dm_pause: Final = Table(
    "dm_pause",
    metadata,
    _key("id", Integer),
    Column("until", Instant),
    _needed("wait", Integer, server_default=text("0")),
)

meta: Final = Table("meta", metadata, _key("key", String(64)), _needed("value", Text))
