"""All tables, as the first version has them.

A released migration is never changed, so it spells everything out and imports nothing of ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0048"
down_revision = None

Kind = sa.types.TypeEngine[Any]
number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def maybe(kind: Kind, names: str) -> Iterator[sa.Column[Any]]:
    """Yield columns that may be empty."""
    return (sa.Column(name, kind) for name in names.split())


def needed(kind: Kind, names: str, default: Any = None) -> Iterator[sa.Column[Any]]:
    """Yield columns that are never empty."""
    given = sa.text(default) if isinstance(default, str) else default
    return (sa.Column(name, kind, server_default=given, nullable=False) for name in names.split())


def of_match(table: str, name: str, ondelete: str = "CASCADE", nullable: bool = False) -> sa.Column[Any]:
    """Return the column that names a match."""
    key = sa.ForeignKey("matches.id", name=f"fk_{table}_{name}", ondelete=ondelete)
    return sa.Column(name, number, key, nullable=nullable)


def table(name: str, key: str, *columns: Any, numbered: bool = False, **options: Any) -> None:
    """Make a table with this primary key. `numbered`: the database numbers its rows."""
    for column in columns:
        column.autoincrement = numbered and column.name == key
    op.create_table(name, *columns, sa.PrimaryKeyConstraint(*key.split(), name=f"pk_{name}"), **options)


def index(table: str, names: str, where: str | None = None, unique: bool = False) -> None:
    """Make an index, perhaps only of the rows under a condition."""
    some = None if where is None else sa.text(where)
    name = f"ix_{table}_{'_'.join(names.split())}"
    op.create_index(name, table, names.split(), unique=unique, sqlite_where=some, postgresql_where=some)


def upgrade() -> None:
    """Make the tables."""
    # SQLite reuses the space of deleted rows by itself.
    often_vacuumed = {"autovacuum_vacuum_scale_factor": 0, "autovacuum_vacuum_threshold": 1000}
    table("allowances", "mark", *needed(sa.String(32), "mark"), *needed(sa.BigInteger(), "until"))
    index("allowances", "until")
    table("bars", "guild_id user_id", *needed(sa.BigInteger(), "guild_id user_id until"))
    table(
        "call_me",
        "guild_id game user_id",
        *needed(sa.BigInteger(), "guild_id"),
        *needed(sa.String(32), "game"),
        *needed(sa.BigInteger(), "user_id channel_id"),
        *needed(sa.Boolean(), "by_mention", default=sa.false()),
    )
    index("call_me", "user_id")
    table(
        "dm_openings",
        "id",
        *needed(number, "id"),
        *needed(sa.BigInteger(), "at"),
        *needed(sa.Boolean(), "asked"),
        numbered=True,
    )
    index("dm_openings", "at")
    table(
        "dm_pause",
        "id",
        *needed(sa.Integer(), "id"),
        *maybe(sa.BigInteger(), "until"),
        *needed(sa.Integer(), "wait", default="0"),
    )
    table(
        "forgotten",
        "user_id",
        *needed(sa.BigInteger(), "user_id"),
        *needed(number, "up_to"),
        *needed(sa.Boolean(), "left"),
    )
    table(
        "gaps",
        "id",
        *needed(number, "id"),
        *needed(sa.Integer(), "shards shard"),
        *maybe(sa.BigInteger(), "guild_id"),
        *needed(sa.BigInteger(), "since"),
        *maybe(sa.BigInteger(), "until"),
        *needed(sa.Boolean(), "replayed", default=sa.false()),
        *needed(number, "given", default="0"),
        *needed(sa.Boolean(), "over", default=sa.false()),
        numbered=True,
    )
    index("gaps", "until")
    table(
        "gatherings",
        "id",
        *needed(sa.BigInteger(), "guild_id"),
        *needed(number, "id"),
        *needed(sa.String(32), "game"),
        *needed(sa.String(16), "pace"),
        *needed(sa.Integer(), "size"),
        *needed(sa.BigInteger(), "until"),
        *needed(sa.Integer(), "rounds"),
        *maybe(number, "match_id"),
        numbered=True,
        sqlite_autoincrement=True,
    )
    index("gatherings", "guild_id")
    table(
        "guild_player_tallies",
        "guild_id game players user_id",
        *needed(sa.BigInteger(), "guild_id"),
        *needed(sa.String(32), "game"),
        *needed(sa.Integer(), "players"),
        *needed(sa.BigInteger(), "user_id"),
        *needed(sa.Integer(), "won best"),
        *needed(sa.Text(), "name placeholder"),
    )
    index("guild_player_tallies", "guild_id game players won user_id")
    index("guild_player_tallies", "guild_id game players best user_id")
    index("guild_player_tallies", "user_id")
    table(
        "guild_settings",
        "guild_id",
        *needed(sa.BigInteger(), "guild_id"),
        *needed(sa.String(16), "setting pace"),
        *maybe(sa.JSON(), "channels"),
        *needed(sa.String(16), "who_cancels"),
        *needed(sa.String(16), "private", default="'dm'"),
        *needed(sa.Boolean(), "unrated", default=sa.false()),
        *needed(sa.String(16), "boards", default="'each'"),
    )
    table(
        "guild_tallies",
        "guild_id game players",
        *needed(sa.BigInteger(), "guild_id"),
        *needed(sa.String(32), "game"),
        *needed(sa.Integer(), "players played"),
    )
    table("kept_away", "user_id other_id", *needed(sa.BigInteger(), "user_id other_id"))
    table(
        "ladders",
        "guild_id game season practice",
        *needed(sa.BigInteger(), "guild_id"),
        *needed(sa.String(32), "game"),
        *needed(sa.Integer(), "season"),
        *needed(sa.Boolean(), "practice"),
        *needed(sa.Integer(), "scheme latest"),
    )
    table(
        "lessons",
        "user_id game",
        *needed(sa.BigInteger(), "user_id"),
        *needed(sa.String(32), "game"),
        *maybe(sa.String(32), "lesson"),
        *needed(sa.JSON(), "answers done skipped", default="'[]'"),
        *needed(sa.Integer(), "turn", default="0"),
        *maybe(sa.BigInteger(), "press finished_at"),
        *needed(sa.JSON(), "shown", default="'[]'"),
    )
    table(
        "matches",
        "id",
        *needed(sa.JSON(), "options"),
        *maybe(sa.Integer(), "size"),
        *needed(sa.String(16), "pace setting"),
        *needed(sa.JSON(), "invited"),
        *needed(sa.Boolean(), "moves_stand rated reliable newcomers host_starts", default=sa.false()),
        *needed(number, "id"),
        *needed(sa.String(32), "game"),
        *needed(sa.Integer(), "rules_version"),
        *needed(sa.String(16), "status"),
        *needed(sa.BigInteger(), "host_id"),
        *maybe(sa.BigInteger(), "guild_id"),
        *needed(sa.BigInteger(), "channel_id"),
        *maybe(sa.BigInteger(), "thread_id lobby_message_id board_message_id"),
        *needed(sa.Integer(), "board_ply", default="0"),
        *needed(sa.String(64), "commitment"),
        *needed(sa.Integer(), "ply", default="0"),
        *maybe(sa.Integer(), "to_move"),
        *needed(sa.Integer(), "turn_ply", default="0"),
        *maybe(sa.BigInteger(), "turn_at turn_due"),
        *needed(sa.Boolean(), "reminded", default=sa.false()),
        *needed(sa.Integer(), "asked", default="0"),
        *needed(sa.BigInteger(), "created_at"),
        *maybe(sa.BigInteger(), "started_at ended_at"),
        of_match("matches", "rematch_of", ondelete="SET NULL", nullable=True),
        *maybe(sa.String(16), "ended_by"),
        *maybe(sa.Text(), "reason"),
        *needed(sa.Boolean(), "counts", default=sa.false()),
        *needed(sa.JSON(), "witnesses", default="'[]'"),
        *needed(sa.Boolean(), "asking in_thread", default=sa.false()),
        *needed(sa.JSON(), "rung", default="'[]'"),
        *maybe(sa.String(16), "lost"),
        *maybe(sa.BigInteger(), "lost_at stands_until turn_left"),
        *needed(sa.JSON(), "returned", default="'[]'"),
        *needed(sa.Integer(), "scheme", default="1"),
        *needed(sa.JSON(), "pressed", default="'[]'"),
        *needed(sa.Boolean(), "first_here", default=sa.false()),
        *maybe(sa.String(16), "rating"),
        *needed(sa.JSON(), "removed", default="'[]'"),
        *maybe(sa.String(64), "log_sum"),
        *maybe(sa.BigInteger(), "closes_at offered_until"),
        *needed(sa.Boolean(), "awaited", default=sa.false()),
        *needed(sa.JSON(), "questions", default="'[]'"),
        *maybe(sa.BigInteger(), "board_at"),
        *needed(sa.JSON(), "calls", default="'[]'"),
        *maybe(number, "branch_of"),
        *maybe(sa.Integer(), "branch_ply branch_seat"),
        *maybe(sa.String(16), "cut_off"),
        *needed(sa.LargeBinary(), "seed"),
        *needed(sa.Boolean(), "board_owed", default=sa.false()),
        numbered=True,
        sqlite_autoincrement=True,
    )
    index("matches", "rematch_of")
    index("matches", "status guild_id", where="ended_at IS NULL")
    index("matches", "channel_id thread_id", where="ended_at IS NULL")
    index("matches", "thread_id", where="ended_at IS NULL")
    index("matches", "guild_id status ended_at id")
    index("matches", "host_id ended_at")
    index("matches", "ended_at", where="ended_at IS NOT NULL AND log_sum IS NULL")
    table("meta", "key", *needed(sa.String(64), "key"), *needed(sa.Text(), "value"))
    table(
        "player_settings",
        "user_id",
        *needed(sa.BigInteger(), "user_id"),
        *needed(sa.String(16), "ping", default="'mention'"),
        *needed(sa.Boolean(), "large spoiler", default=sa.false()),
        *needed(sa.String(16), "private", default="'server'"),
        *needed(sa.String(16), "confirm", default="'always'"),
        *needed(sa.Boolean(), "hidden", default=sa.false()),
        *maybe(sa.String(8), "quiet"),
        *needed(sa.String(64), "zone", default="'UTC'"),
        *needed(sa.Integer(), "at_once", default="0"),
        *needed(sa.String(16), "dm", default="'unknown'"),
        *maybe(sa.BigInteger(), "away_until dm_channel_id"),
    )
    table(
        "player_tallies",
        "user_id game players",
        *needed(sa.BigInteger(), "user_id"),
        *needed(sa.String(32), "game"),
        *needed(sa.Integer(), "players played won best"),
    )
    table(
        "pledge_looks",
        "guild_id",
        *needed(sa.BigInteger(), "guild_id due"),
        *maybe(sa.BigInteger(), "counted_at"),
        *needed(sa.JSON(), "counts", default="'[]'"),
    )
    index("pledge_looks", "due")
    table(
        "pledges",
        "guild_id user_id game",
        *needed(sa.BigInteger(), "guild_id user_id"),
        *needed(sa.String(32), "game"),
        *needed(sa.Text(), "name"),
        *needed(sa.BigInteger(), "channel_id"),
        *needed(sa.Boolean(), "in_thread everywhere", default=sa.false()),
        *needed(sa.Integer(), "fewest most"),
        *needed(sa.String(16), "pace"),
        *needed(sa.Boolean(), "near", default=sa.false()),
        *maybe(sa.Integer(), "rating"),
        *needed(sa.Boolean(), "by_mention", default=sa.false()),
        *needed(sa.BigInteger(), "since until"),
        *maybe(sa.BigInteger(), "rests_until"),
        *maybe(number, "gathering"),
        *maybe(sa.String(16), "answer"),
        *maybe(sa.BigInteger(), "message_id message_in"),
    )
    index("pledges", "user_id")
    index("pledges", "gathering", where="gathering IS NOT NULL")
    table(
        "puzzle_attempts",
        "user_id puzzle",
        *needed(sa.BigInteger(), "user_id"),
        *needed(sa.String(16), "puzzle"),
        *needed(sa.JSON(), "answers wrong", default="'[]'"),
        *needed(sa.String(64), "marks"),
        *needed(sa.Boolean(), "shown", default=sa.false()),
        *needed(sa.Integer(), "turn", default="0"),
        *maybe(sa.BigInteger(), "press"),
        *needed(sa.BigInteger(), "at"),
        *maybe(sa.BigInteger(), "solved_at"),
    )
    index("puzzle_attempts", "at", where="solved_at IS NULL")
    index("puzzle_attempts", "puzzle")
    table(
        "puzzle_cases",
        "puzzle",
        *needed(sa.String(16), "puzzle"),
        *needed(sa.BigInteger(), "reported_at"),
        *maybe(sa.BigInteger(), "checked_at"),
        *maybe(sa.Text(), "fault"),
        *maybe(sa.BigInteger(), "withdrawn_at enough_at kept_at"),
    )
    table("puzzle_channels", "guild_id", *needed(sa.BigInteger(), "guild_id channel_id"))
    index("puzzle_channels", "channel_id")
    table("puzzle_looks", "guild_id", *needed(sa.BigInteger(), "guild_id due"))
    index("puzzle_looks", "due")
    table(
        "puzzle_posts",
        "guild_id number",
        *needed(sa.BigInteger(), "guild_id"),
        *needed(sa.Integer(), "number"),
        *needed(sa.BigInteger(), "channel_id"),
        *maybe(sa.BigInteger(), "message_id"),
        *needed(sa.Boolean(), "over", default=sa.false()),
    )
    table(
        "puzzle_reports",
        "puzzle user_id",
        *needed(sa.String(16), "puzzle"),
        *needed(sa.BigInteger(), "user_id"),
        *maybe(sa.BigInteger(), "guild_id"),
        *needed(sa.Boolean(), "counts"),
        *needed(sa.BigInteger(), "at"),
    )
    index("puzzle_reports", "user_id")
    table(
        "puzzle_solvers",
        "user_id number",
        *needed(sa.BigInteger(), "user_id"),
        *needed(sa.Integer(), "number"),
        *maybe(sa.BigInteger(), "guild_id"),
        *needed(sa.Boolean(), "here", default=sa.false()),
        *maybe(sa.Text(), "name"),
        *needed(sa.Integer(), "tries run best", default="0"),
    )
    index("puzzle_solvers", "number guild_id")
    index("puzzle_solvers", "number", where="name IS NOT NULL")
    table(
        "rated_results",
        "guild_id number",
        *needed(sa.BigInteger(), "guild_id"),
        *needed(sa.String(32), "game"),
        *needed(sa.Integer(), "season"),
        *needed(sa.Boolean(), "practice"),
        *needed(sa.Integer(), "number"),
        *needed(number, "match_id"),
        *needed(sa.BigInteger(), "ended_at"),
        *needed(sa.JSON(), "seats"),
        sa.UniqueConstraint("match_id", name="uq_rated_results_match_id"),
    )
    index("rated_results", "guild_id game season practice number")
    table(
        "rating_keys",
        "guild_id user_id",
        *needed(sa.BigInteger(), "guild_id user_id"),
        *needed(sa.String(16), "key"),
        *needed(sa.Text(), "name"),
        sa.UniqueConstraint("guild_id", "key", name="uq_rating_keys_guild_id_key"),
    )
    index("rating_keys", "user_id")
    table(
        "rating_pairs",
        "guild_id game season practice key other",
        *needed(sa.BigInteger(), "guild_id"),
        *needed(sa.String(32), "game"),
        *needed(sa.Integer(), "season"),
        *needed(sa.Boolean(), "practice"),
        *needed(sa.String(16), "key other"),
        *needed(sa.Integer(), "day results"),
    )
    table(
        "rating_points",
        "guild_id number key",
        *needed(sa.BigInteger(), "guild_id"),
        *needed(sa.String(32), "game"),
        *needed(sa.Integer(), "season"),
        *needed(sa.Boolean(), "practice"),
        *needed(sa.Integer(), "number"),
        *needed(sa.String(16), "key"),
        *needed(sa.Double(), "mu sigma gain"),
        *needed(sa.Integer(), "place"),
    )
    index("rating_points", "guild_id key number")
    index("rating_points", "guild_id game season practice")
    table(
        "ratings",
        "guild_id game season practice key",
        *needed(sa.BigInteger(), "guild_id"),
        *needed(sa.String(32), "game"),
        *needed(sa.Integer(), "season"),
        *needed(sa.Boolean(), "practice"),
        *needed(sa.String(16), "key"),
        *needed(sa.Double(), "mu sigma"),
        *needed(sa.Integer(), "matches won"),
        *needed(sa.Double(), "gain"),
        *needed(sa.Integer(), "latest"),
        *needed(sa.Integer(), "met", default="0"),
        *needed(sa.Double(), "from_new from_few", default="0.0"),
    )
    index("ratings", "guild_id game season practice mu")
    index("ratings", "guild_id key")
    table(
        "seasons",
        "guild_id number",
        *needed(sa.BigInteger(), "guild_id"),
        *needed(sa.Integer(), "number"),
        *needed(sa.BigInteger(), "begun_at"),
    )
    table(
        "applications",
        "match_id user_id",
        of_match("applications", "match_id"),
        *needed(sa.BigInteger(), "user_id"),
        *needed(sa.Text(), "name"),
        *needed(sa.Integer(), "seat"),
        *needed(sa.JSON(), "agreed"),
        *needed(sa.BigInteger(), "asked_at", default="0"),
        *needed(sa.JSON(), "declined", default="'[]'"),
        *needed(sa.BigInteger(), "given", default="0"),
    )
    index("applications", "user_id")
    table(
        "appointments",
        "match_id",
        of_match("appointments", "match_id"),
        *needed(sa.BigInteger(), "appointed"),
        *maybe(sa.String(16), "fill_with"),
        *needed(sa.Boolean(), "mirrored", default=sa.false()),
        *maybe(sa.BigInteger(), "event_id"),
    )
    index("appointments", "event_id")
    table(
        "deadlines",
        "match_id kind",
        of_match("deadlines", "match_id"),
        *needed(sa.String(16), "kind"),
        *needed(sa.Integer(), "ply"),
        *needed(sa.BigInteger(), "due"),
        *needed(sa.Integer(), "tries", default="0"),
        *maybe(sa.BigInteger(), "guild_id"),
        *maybe(sa.String(64), "leased_by"),
        *maybe(sa.BigInteger(), "leased_until"),
        postgresql_with=often_vacuumed,
    )
    index("deadlines", "due")
    index("deadlines", "leased_by", where="leased_by IS NOT NULL")
    table(
        "log",
        "match_id ply",
        of_match("log", "match_id"),
        *needed(sa.Integer(), "ply player"),
        *needed(sa.Text(), "action"),
        *needed(sa.BigInteger(), "at"),
        *maybe(sa.BigInteger(), "interaction_id"),
        *needed(sa.Boolean(), "by_order", default=sa.false()),
        sa.CheckConstraint("ply >= 0", name=op.f("ck_log_ply")),
    )
    index("log", "interaction_id", where="interaction_id IS NOT NULL", unique=True)
    table(
        "orders",
        "match_id seat number",
        of_match("orders", "match_id"),
        *needed(sa.Integer(), "seat number"),
        *needed(sa.BigInteger(), "user_id"),
        *needed(sa.String(16), "kind"),
        *maybe(sa.Text(), "theirs"),
        *needed(sa.Text(), "mine"),
        *needed(sa.JSON(), "unless noted"),
        *needed(sa.Text(), "about"),
        *needed(sa.Integer(), "ply"),
        *needed(sa.BigInteger(), "given_at"),
    )
    index("orders", "user_id")
    table(
        "outbox",
        "id",
        *needed(number, "id"),
        of_match("outbox", "match_id", nullable=True),
        *maybe(sa.BigInteger(), "guild_id"),
        *needed(sa.Integer(), "ply"),
        *needed(sa.String(16), "kind"),
        *maybe(sa.Integer(), "seat"),
        *maybe(sa.BigInteger(), "user_id"),
        *needed(sa.Boolean(), "rings", default=sa.false()),
        *needed(sa.Integer(), "tries", default="0"),
        *needed(sa.BigInteger(), "put_at", default="0"),
        *maybe(sa.BigInteger(), "message_id channel_id"),
        *needed(sa.Boolean(), "quiet", default=sa.false()),
        *needed(sa.BigInteger(), "due"),
        *needed(sa.Boolean(), "held", default=sa.false()),
        *maybe(sa.String(64), "leased_by"),
        *maybe(sa.BigInteger(), "leased_until"),
        numbered=True,
        sqlite_autoincrement=True,
        postgresql_with=often_vacuumed,
    )
    index("outbox", "match_id")
    index("outbox", "user_id")
    index("outbox", "held due")
    index("outbox", "leased_by", where="leased_by IS NOT NULL")
    index("outbox", "guild_id", where="match_id IS NULL")
    table("pledged_tables", "match_id", of_match("pledged_tables", "match_id"), *needed(sa.BigInteger(), "starts_by"))
    table("presses", "interaction_id", *needed(sa.BigInteger(), "interaction_id"), of_match("presses", "match_id"))
    index("presses", "match_id")
    table(
        "reviews",
        "match_id",
        of_match("reviews", "match_id"),
        *needed(sa.Integer(), "version"),
        *needed(sa.JSON(), "results"),
        *maybe(sa.BigInteger(), "user_id"),
        *needed(sa.BigInteger(), "asked_at"),
        *maybe(sa.BigInteger(), "finished_at"),
        *needed(sa.Integer(), "turn", default="0"),
        *maybe(sa.String(64), "leased_by"),
        *maybe(sa.BigInteger(), "leased_until"),
    )
    index("reviews", "user_id", where="user_id IS NOT NULL")
    index("reviews", "turn asked_at", where="finished_at IS NULL")
    table(
        "seats",
        "match_id position",
        of_match("seats", "match_id"),
        *needed(sa.Integer(), "position"),
        *maybe(sa.Integer(), "seat"),
        *maybe(sa.BigInteger(), "user_id"),
        *needed(sa.Text(), "name"),
        *maybe(sa.String(16), "computer"),
        *needed(sa.Boolean(), "resigned", default=sa.false()),
        *maybe(sa.Boolean(), "won"),
        *maybe(sa.Integer(), "points"),
        *maybe(sa.BigInteger(), "hand_message_id"),
        *needed(sa.BigInteger(), "away_used", default="0"),
        *needed(sa.Boolean(), "replaced helped", default=sa.false()),
        *maybe(sa.Integer(), "place"),
        *maybe(sa.String(16), "level"),
        *needed(sa.Boolean(), "acted absent deserted", default=sa.false()),
        *maybe(sa.Boolean(), "finished"),
        *needed(sa.JSON(), "feat", default="'[]'"),
        *needed(sa.Boolean(), "waits ready excused", default=sa.false()),
        *maybe(sa.BigInteger(), "pressed_at ended_at"),
        *maybe(sa.String(16), "key"),
        *needed(sa.JSON(), "answers", default="'[]'"),
        sa.UniqueConstraint("match_id", "user_id", name="uq_seats_match_id_user_id"),
    )
    index("seats", "user_id ended_at match_id")
    index("seats", "key ended_at")
    table(
        "suspicions", "match_id", of_match("suspicions", "match_id"), *needed(sa.JSON(), "suspicions", default="'[]'")
    )
    table(
        "votes",
        "match_id question user_id",
        of_match("votes", "match_id"),
        *needed(sa.String(16), "question"),
        *needed(sa.BigInteger(), "user_id"),
        *needed(sa.String(16), "choice"),
    )
    index("votes", "user_id")
    op.execute("INSERT INTO dm_pause (id) VALUES (1)")
