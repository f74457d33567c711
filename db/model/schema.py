"""The tables. Snowflakes are BIGINT, times are microseconds since 1970 in UTC. No game state is stored.

Most columns are the fields of `db/model/rows.py`. Here are keys, indexes, and the tables that have no row class. A
change needs a migration (`db/migrations/versions`); a test compares the two.
"""

from __future__ import annotations

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

from db.model.columns import Instant, RowId, Snowflake, table
from db.model.rows import (
    Application,
    Ballot,
    DeadlineRow,
    Ending,
    Entry,
    GuildSettings,
    Hidden,
    Ladder,
    Leased,
    LessonsRow,
    LineRow,
    MatchRow,
    Numbered,
    OfGame,
    OfGuild,
    OfKey,
    OfMatch,
    OfPair,
    OfPerson,
    Origin,
    PairRow,
    PersonRow,
    PlayerSettings,
    PointRow,
    Question,
    RatingRow,
    ResultRow,
    SeatRow,
    Telling,
    Waiting,
)

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
    """Return options of an index of rows that have not ended."""
    return _where(f"{ended_at} IS NULL")


def _said(column: str) -> dict[str, Any]:
    """Return options of an index of rows in which this column isn't NULL."""
    return _where(f"{column} IS NOT NULL")


def _where(condition: str) -> dict[str, Any]:
    where = text(condition)
    return {"sqlite_where": where, "postgresql_where": where}


def _id(name: str, kind: Any = Snowflake, **options: Any) -> Column[Any]:
    return Column(name, kind, primary_key=True, autoincrement=False, **options)


_TURNED_OVER: Final = {"autovacuum_vacuum_scale_factor": 0, "autovacuum_vacuum_threshold": 1000}
"""For tables with heavy churn: PostgreSQL vacuums them by the number of dead rows."""


# Open matches have no `ended_at`. Partial indexes keep queries for them fast, however many matches are over.
matches: Final = table(
    "matches",
    metadata,
    MatchRow,
    Hidden,
    key=("id",),
    more=(
        Index(None, "status", "guild_id", **_open("ended_at")),
        Index(None, "channel_id", "thread_id", **_open("ended_at")),
        Index(None, "thread_id", **_open("ended_at")),
        Index(None, "guild_id", "status", "ended_at", "id"),
        Index(None, "host_id", "ended_at"),
        Index(None, "rematch_of"),
        # Matches that are over and still have their lines (`db.matches.retention`).
        Index(None, "ended_at", **_where("ended_at IS NOT NULL AND log_sum IS NULL")),
    ),
    # Board posts and buttons outlive a match, so its number must never be reused.
    sqlite_autoincrement=True,
)

seats: Final = table(
    "seats",
    metadata,
    OfMatch,
    SeatRow,
    Ending,
    Entry,
    key=("match_id", "position"),
    more=(
        UniqueConstraint("match_id", "user_id"),
        Index(None, "user_id", "ended_at", "match_id"),
        Index(None, "key", "ended_at"),
    ),
)

# The source of truth.
log: Final = table(
    "log",
    metadata,
    OfMatch,
    LineRow,
    Origin,
    key=("match_id", "ply"),
    more=(
        CheckConstraint("ply >= 0", name="ply"),
        # Retention clears old ids (`db.matches.retention`).
        Index(None, "interaction_id", unique=True, **_said("interaction_id")),
    ),
)

# Interactions that changed a lobby, so that a redelivery changes nothing. Deleted with the lobby.
presses: Final = Table(
    "presses",
    metadata,
    _id("interaction_id"),
    Column("match_id", RowId, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False, index=True),
)

# Announcements to send, without content.
outbox: Final = table(
    "outbox",
    metadata,
    Telling,
    Waiting,
    Leased,
    key=("id",),
    more=(
        Index(None, "match_id"),
        Index(None, "user_id"),
        Index(None, "held", "due"),
        Index(None, "leased_by", **_said("leased_by")),
    ),
    # The number is the nonce of a Discord message, so it must never be reused.
    sqlite_autoincrement=True,
    postgresql_with=_TURNED_OVER,
)

deadlines: Final = table(
    "deadlines",
    metadata,
    DeadlineRow,
    Leased,
    key=("match_id", "kind"),
    more=(Index(None, "due"), Index(None, "leased_by", **_said("leased_by"))),
    postgresql_with=_TURNED_OVER,
)

votes: Final = table(
    "votes",
    metadata,
    OfMatch,
    Question,
    Ballot,
    key=("match_id", "question", "user_id"),
    more=(Index(None, "user_id"),),
)

applications: Final = table(
    "applications", metadata, OfMatch, Application, key=("match_id", "user_id"), more=(Index(None, "user_id"),)
)

# Totals of the matches that count, by game and number of players: per person, and per server.
player_tallies: Final = Table(
    "player_tallies",
    metadata,
    _id("user_id"),
    Column("game", String(32), primary_key=True),
    _id("players", Integer),
    Column("played", Integer, nullable=False),
    Column("won", Integer, nullable=False),
    Column("best", Integer, nullable=False),
)
guild_tallies: Final = Table(
    "guild_tallies",
    metadata,
    _id("guild_id"),
    Column("game", String(32), primary_key=True),
    _id("players", Integer),
    Column("played", Integer, nullable=False),
)

# Per person and server, without seats that a computer played in the end. A forgotten person gets a negative id, another
# one in every row. So people stay apart, and nobody can link the rows of one person.
# `name` is the person's latest name there, `placeholder` the latest name that replaces it when they are forgotten.
guild_player_tallies: Final = Table(
    "guild_player_tallies",
    metadata,
    _id("guild_id"),
    Column("game", String(32), primary_key=True),
    _id("players", Integer),
    _id("user_id", index=True),
    Column("won", Integer, nullable=False),
    Column("best", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("placeholder", Text, nullable=False),
    Index(None, "guild_id", "game", "players", "won", "user_id"),
    Index(None, "guild_id", "game", "players", "best", "user_id"),
)

# A person's key and name in a server's ratings. Deleting the row makes the key anonymous and changes no number.
rating_keys: Final = Table(
    "rating_keys",
    metadata,
    _id("guild_id"),
    _id("user_id"),
    Column("key", String(16), nullable=False),
    Column("name", Text, nullable=False),
    UniqueConstraint("guild_id", "key"),
    Index(None, "user_id"),
)

# Seasons from the second on. The first begins with the server's first result.
seasons: Final = Table(
    "seasons",
    metadata,
    _id("guild_id"),
    _id("number", Integer),
    Column("begun_at", Instant, nullable=False),
)

# The source of truth of ratings.
rated_results: Final = table(
    "rated_results",
    metadata,
    Ladder,
    Numbered,
    ResultRow,
    key=("guild_id", "number"),
    more=(Index(None, "guild_id", "game", "season", "practice", "number"),),
)

# A cache of what follows from `rated_results`: ratings, their history, who has met whom, and by which `scheme` and up
# to which result it was computed.
ratings: Final = table(
    "ratings",
    metadata,
    Ladder,
    OfKey,
    RatingRow,
    key=("guild_id", "game", "season", "practice", "key"),
    more=(Index(None, "guild_id", "game", "season", "practice", "mu"), Index(None, "guild_id", "key")),
)
rating_points: Final = table(
    "rating_points",
    metadata,
    Ladder,
    Numbered,
    OfKey,
    PointRow,
    key=("guild_id", "number", "key"),
    more=(
        Index(None, "guild_id", "key", "number"),
        Index(None, "guild_id", "game", "season", "practice"),
    ),
)
rating_pairs: Final = table(
    "rating_pairs",
    metadata,
    Ladder,
    OfPair,
    PairRow,
    key=("guild_id", "game", "season", "practice", "key", "other"),
)
ladders: Final = Table(
    "ladders",
    metadata,
    _id("guild_id"),
    Column("game", String(32), primary_key=True),
    _id("season", Integer),
    _id("practice", Boolean),
    Column("scheme", Integer, nullable=False),
    Column("latest", Integer, nullable=False),
)

RATING_CACHE: Final = (ratings, rating_points, rating_pairs, ladders)
"""Tables that can be recomputed from `rated_results`."""

guild_settings: Final = table("guild_settings", metadata, OfGuild, GuildSettings, key=("guild_id",))

player_settings: Final = table("player_settings", metadata, OfPerson, PlayerSettings, PersonRow, key=("user_id",))

lessons: Final = table("lessons", metadata, OfPerson, OfGame, LessonsRow, key=("user_id", "game"))

# People who want to be forgotten, while a row still names them: in every match up to this number. `left`: they are out
# of the matches that were open.
forgotten: Final = Table(
    "forgotten",
    metadata,
    _id("user_id"),
    Column("up_to", RowId, nullable=False),
    Column("left", Boolean, nullable=False),
)

# Who keeps away from whom. The list is private, and stays when the other person is forgotten.
kept_away: Final = Table(
    "kept_away",
    metadata,
    _id("user_id"),
    _id("other_id"),
)

bars: Final = Table(
    "bars",
    metadata,
    _id("guild_id"),
    _id("user_id"),
    Column("until", Instant, nullable=False),
)

# When the bot opened a direct-message channel, without saying to whom: Discord stops bots that open many. `asked`: the
# person had just asked for it.
dm_openings: Final = Table(
    "dm_openings",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("at", Instant, nullable=False, index=True),
    Column("asked", Boolean, nullable=False),
)

# When each used allowance is restored in full (`matches/table/limits.py`). The row is deleted after that. The key is a
# hash of the owner and the kind of allowance.
allowances: Final = Table(
    "allowances",
    metadata,
    Column("mark", String(32), primary_key=True),
    Column("until", Instant, nullable=False, index=True),
)

# One row: until when Discord lets the bot open no direct message, and the pause in seconds (0 after a success).
dm_pause: Final = Table(
    "dm_pause",
    metadata,
    _id("id", Integer),
    Column("until", Instant),
    Column("wait", Integer, nullable=False, server_default=text("0")),
)

meta: Final = Table(
    "meta",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)
