"""The tables. Snowflakes are BIGINT, times whole microseconds since 1970 in UTC; no state of a game is ever stored.

The columns of most tables are the fields of `db/model/rows.py`. Here are keys, indexes, and the tables of which nobody
reads whole rows. A change needs a migration beside it (`db/migrations/versions`); a test compares the two.
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
    """Arguments of an index that holds only what has not ended."""
    return _where(f"{ended_at} IS NULL")


def _said(column: str) -> dict[str, Any]:
    """Arguments of an index that holds only rows in which this column is not empty."""
    return _where(f"{column} IS NOT NULL")


def _where(condition: str) -> dict[str, Any]:
    where = text(condition)
    return {"sqlite_where": where, "postgresql_where": where}


_TURNED_OVER: Final = {"autovacuum_vacuum_scale_factor": 0, "autovacuum_vacuum_threshold": 1000}
"""For tables of which every move deletes rows and inserts others: PostgreSQL sweeps them by the number of dead rows."""


# What is open has no `ended_at`; that there are very many others costs questions about open ones nothing.
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
        # What is over and has all its lines (`db.matches.retention`).
        Index(None, "ended_at", **_where("ended_at IS NOT NULL AND log_sum IS NULL")),
    ),
    # Board posts and buttons outlive a match: a number must never come again.
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

# The truth.
log: Final = table(
    "log",
    metadata,
    OfMatch,
    LineRow,
    Origin,
    key=("match_id", "ply"),
    more=(
        CheckConstraint("ply >= 0", name="ply"),
        # Only of the latest lines: these numbers are soon forgotten (`db.matches.retention`).
        Index(None, "interaction_id", unique=True, **_said("interaction_id")),
    ),
)

# Presses and commands that have changed a lobby; one delivered twice changes it once. Forgotten with the lobby.
presses: Final = Table(
    "presses",
    metadata,
    Column("interaction_id", Snowflake, primary_key=True, autoincrement=False),
    Column("match_id", RowId, ForeignKey("matches.id", ondelete="CASCADE"), nullable=False, index=True),
)

# What is still to be told, without content.
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
    # The number is the nonce of a Discord message: it must never come again.
    sqlite_autoincrement=True,
    postgresql_with=_TURNED_OVER,
)

# What happens by itself at a time.
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

# Of a person on a server, without seats that a computer had in the end; whoever was forgotten has a number below 0,
# another one in every row, so that people stay apart and nobody finds out which rows are the same person's.
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

# What a server's ratings call whom, by which name. Deleting a row leaves the key with nobody, and all numbers the same.
rating_keys: Final = Table(
    "rating_keys",
    metadata,
    Column("guild_id", Snowflake, primary_key=True, autoincrement=False),
    Column("user_id", Snowflake, primary_key=True, autoincrement=False),
    Column("key", String(16), nullable=False),
    Column("name", Text, nullable=False),
    UniqueConstraint("guild_id", "key"),
    Index(None, "user_id"),
)

# Seasons that were begun, from the second on: the first begins with the server's first result.
seasons: Final = Table(
    "seasons",
    metadata,
    Column("guild_id", Snowflake, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("begun_at", Instant, nullable=False),
)

# The truth of ratings.
rated_results: Final = table(
    "rated_results",
    metadata,
    Ladder,
    Numbered,
    ResultRow,
    key=("guild_id", "number"),
    more=(Index(None, "guild_id", "game", "season", "practice", "number"),),
)

# What follows from it, kept so that it need not be computed whenever somebody asks: the ratings, what each result has
# made of them, who has met whom, and by which `scheme` all that was computed, up to which result.
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
    Column("guild_id", Snowflake, primary_key=True, autoincrement=False),
    Column("game", String(32), primary_key=True),
    Column("season", Integer, primary_key=True, autoincrement=False),
    Column("practice", Boolean, primary_key=True, autoincrement=False),
    Column("scheme", Integer, nullable=False),
    Column("latest", Integer, nullable=False),
)

RATING_CACHE: Final = (ratings, rating_points, rating_pairs, ladders)
"""Tables without anything that can't be computed from `rated_results`."""

guild_settings: Final = table("guild_settings", metadata, OfGuild, GuildSettings, key=("guild_id",))

player_settings: Final = table("player_settings", metadata, OfPerson, PlayerSettings, PersonRow, key=("user_id",))

lessons: Final = table("lessons", metadata, OfPerson, OfGame, LessonsRow, key=("user_id", "game"))

# Who wants to be forgotten, as long as something that has ended still names them: in every match up to this number.
# `left` says that they are out of those that were open.
forgotten: Final = Table(
    "forgotten",
    metadata,
    Column("user_id", Snowflake, primary_key=True, autoincrement=False),
    Column("up_to", RowId, nullable=False),
    Column("left", Boolean, nullable=False),
)

# Whom somebody wants to be kept away from. The list is theirs: it stays when the other one is forgotten.
kept_away: Final = Table(
    "kept_away",
    metadata,
    Column("user_id", Snowflake, primary_key=True, autoincrement=False),
    Column("other_id", Snowflake, primary_key=True, autoincrement=False),
)

# Who is barred from matches on a server, until when.
bars: Final = Table(
    "bars",
    metadata,
    Column("guild_id", Snowflake, primary_key=True, autoincrement=False),
    Column("user_id", Snowflake, primary_key=True, autoincrement=False),
    Column("until", Instant, nullable=False),
)

# When a direct message was opened to somebody who had none from the bot before: Discord stops bots that open many.
# `asked` says that the person had just asked for it. Whose it was is not kept.
dm_openings: Final = Table(
    "dm_openings",
    metadata,
    Column("id", RowId, primary_key=True),
    Column("at", Instant, nullable=False, index=True),
    Column("asked", Boolean, nullable=False),
)

# How much of an allowance is used (`matches/table/limits.py`), as the time when all of it has come back. The key is a
# hash of whose it is and of what. The row is deleted after that time.
allowances: Final = Table(
    "allowances",
    metadata,
    Column("mark", String(32), primary_key=True),
    Column("until", Instant, nullable=False, index=True),
)

# One row: until when Discord lets the bot open none, and how many seconds it waits (0: the last one opened well).
dm_pause: Final = Table(
    "dm_pause",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("until", Instant),
    Column("wait", Integer, nullable=False, server_default=text("0")),
)

meta: Final = Table(
    "meta",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)
