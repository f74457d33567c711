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

number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
kinds: dict[str, sa.types.TypeEngine[Any]] = {
    "bigint": sa.BigInteger(),
    "blob": sa.LargeBinary(),
    "boolean": sa.Boolean(),
    "double": sa.Double(),
    "earlier": number,
    "integer": sa.Integer(),
    "json": sa.JSON(),
    "match": number,
    "rowid": number,
    "text": sa.Text(),
}
deletions = {"match": "CASCADE", "earlier": "SET NULL"}
"""Kinds of columns that name a match, and what becomes of the row, or the column, when that is deleted."""


def columns(table: str, said: str) -> Iterator[sa.Column[Any]]:
    """Yield columns that are said as ``integer ply, varchar16 kind place = 'here'``.

    A question mark after a kind means that these columns may be empty.
    """
    for some in said.split(","):
        declared, _, default = map(str.strip, some.partition("="))
        kind, *names = declared.split()
        base = kind.removesuffix("?")
        length = base.removeprefix("varchar")
        for name in names:
            yield sa.Column(
                name,
                sa.String(int(length)) if length != base else kinds[base],
                *references(base, f"fk_{table}_{name}"),
                server_default=(sa.false() if default == "false" else sa.text(default)) if default else None,
                nullable=kind != base,
            )


def references(kind: str, name: str) -> Iterator[sa.ForeignKey]:
    """Yield the foreign key of a column of this kind, if it has one."""
    if kind in deletions:
        yield sa.ForeignKey("matches.id", name=name, ondelete=deletions[kind])


def table(name: str, key: str, said: str, *more: sa.Constraint, numbered: bool = False, **options: Any) -> None:
    """Make a table with this primary key. `numbered`: the database numbers its rows."""
    made = list(columns(name, said))
    for column in made:
        column.autoincrement = numbered and column.name == key
    op.create_table(name, *made, *more, sa.PrimaryKeyConstraint(*key.split(), name=f"pk_{name}"), **options)


def index(table: str, names: str, where: str | None = None, unique: bool = False) -> None:
    """Make an index, perhaps only of the rows under a condition."""
    some = None if where is None else sa.text(where)
    name = f"ix_{table}_{'_'.join(names.split())}"
    op.create_index(name, table, names.split(), unique=unique, sqlite_where=some, postgresql_where=some)


def upgrade() -> None:
    """Make the tables."""
    often_vacuumed = {"autovacuum_vacuum_scale_factor": 0, "autovacuum_vacuum_threshold": 1000}
    table("allowances", "mark", "varchar32 mark, bigint until")
    index("allowances", "until")
    table("bars", "guild_id user_id", "bigint guild_id user_id until")
    table(
        "call_me",
        "guild_id game user_id",
        "bigint guild_id, varchar32 game, bigint user_id channel_id, boolean by_mention = false",
    )
    index("call_me", "user_id")
    table("dm_openings", "id", "rowid id, bigint at, boolean asked", numbered=True)
    index("dm_openings", "at")
    table("dm_pause", "id", "integer id, bigint? until, integer wait = 0")
    table("forgotten", "user_id", "bigint user_id, rowid up_to, boolean left")
    table(
        "gaps",
        "id",
        """
        rowid id, integer shards shard, bigint? guild_id, bigint since, bigint? until,
        boolean replayed = false, rowid given = 0, boolean over = false
        """,
        numbered=True,
    )
    index("gaps", "until")
    table(
        "gatherings",
        "id",
        """
        bigint guild_id, rowid id, varchar32 game, varchar16 pace, integer size, bigint until,
        integer rounds, rowid? match_id
        """,
        numbered=True,
        sqlite_autoincrement=True,
    )
    index("gatherings", "guild_id")
    table(
        "guild_player_tallies",
        "guild_id game players user_id",
        """
        bigint guild_id, varchar32 game, integer players, bigint user_id, integer won best,
        text name placeholder
        """,
    )
    index("guild_player_tallies", "guild_id game players won user_id")
    index("guild_player_tallies", "guild_id game players best user_id")
    index("guild_player_tallies", "user_id")
    table(
        "guild_settings",
        "guild_id",
        """
        bigint guild_id, varchar16 setting pace, json? channels, varchar16 who_cancels,
        varchar16 private = 'dm', boolean unrated = false, varchar16 boards = 'each'
        """,
    )
    table(
        "guild_tallies",
        "guild_id game players",
        "bigint guild_id, varchar32 game, integer players played",
    )
    table("kept_away", "user_id other_id", "bigint user_id other_id")
    table(
        "ladders",
        "guild_id game season practice",
        "bigint guild_id, varchar32 game, integer season, boolean practice, integer scheme latest",
    )
    table(
        "lessons",
        "user_id game",
        """
        bigint user_id, varchar32 game, varchar32? lesson, json answers done skipped = '[]',
        integer turn = 0, bigint? press finished_at, json shown = '[]'
        """,
    )
    table(
        "matches",
        "id",
        """
        json options, integer? size, varchar16 pace setting, json invited,
        boolean moves_stand rated reliable newcomers host_starts = false, rowid id, varchar32 game,
        integer rules_version, varchar16 status, bigint host_id, bigint? guild_id,
        bigint channel_id, bigint? thread_id lobby_message_id board_message_id,
        integer board_ply = 0, varchar64 commitment, integer ply = 0, integer? to_move,
        integer turn_ply = 0, bigint? turn_at turn_due, boolean reminded = false, integer asked = 0,
        bigint created_at, bigint? started_at ended_at, earlier? rematch_of, varchar16? ended_by,
        text? reason, boolean counts = false, json witnesses = '[]',
        boolean asking in_thread = false, json rung = '[]', varchar16? lost,
        bigint? lost_at stands_until turn_left, json returned = '[]', integer scheme = 1,
        json pressed = '[]', boolean first_here = false, varchar16? rating, json removed = '[]',
        varchar64? log_sum, bigint? closes_at offered_until, boolean awaited = false,
        json questions = '[]', bigint? board_at, json calls = '[]', rowid? branch_of,
        integer? branch_ply branch_seat, varchar16? cut_off, blob seed, boolean board_owed = false
        """,
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
    table("meta", "key", "varchar64 key, text value")
    table(
        "player_settings",
        "user_id",
        """
        bigint user_id, varchar16 ping = 'mention', boolean large spoiler = false,
        varchar16 private = 'server', varchar16 confirm = 'always', boolean hidden = false,
        varchar8? quiet, varchar64 zone = 'UTC', integer at_once = 0, varchar16 dm = 'unknown',
        bigint? away_until dm_channel_id
        """,
    )
    table(
        "player_tallies",
        "user_id game players",
        "bigint user_id, varchar32 game, integer players played won best",
    )
    table("pledge_looks", "guild_id", "bigint guild_id due, bigint? counted_at, json counts = '[]'")
    index("pledge_looks", "due")
    table(
        "pledges",
        "guild_id user_id game",
        """
        bigint guild_id user_id, varchar32 game, text name, bigint channel_id,
        boolean in_thread everywhere = false, integer fewest most, varchar16 pace,
        boolean near = false, integer? rating, boolean by_mention = false, bigint since until,
        bigint? rests_until, rowid? gathering, varchar16? answer, bigint? message_id message_in
        """,
    )
    index("pledges", "user_id")
    index("pledges", "gathering", where="gathering IS NOT NULL")
    table(
        "puzzle_attempts",
        "user_id puzzle",
        """
        bigint user_id, varchar16 puzzle, json answers wrong = '[]', varchar64 marks,
        boolean shown = false, integer turn = 0, bigint? press, bigint at, bigint? solved_at
        """,
    )
    index("puzzle_attempts", "at", where="solved_at IS NULL")
    index("puzzle_attempts", "puzzle")
    table(
        "puzzle_cases",
        "puzzle",
        """
        varchar16 puzzle, bigint reported_at, bigint? checked_at, text? fault,
        bigint? withdrawn_at enough_at kept_at
        """,
    )
    table("puzzle_channels", "guild_id", "bigint guild_id channel_id")
    index("puzzle_channels", "channel_id")
    table("puzzle_looks", "guild_id", "bigint guild_id due")
    index("puzzle_looks", "due")
    table(
        "puzzle_posts",
        "guild_id number",
        "bigint guild_id, integer number, bigint channel_id, bigint? message_id, boolean over = false",
    )
    table(
        "puzzle_reports",
        "puzzle user_id",
        "varchar16 puzzle, bigint user_id, bigint? guild_id, boolean counts, bigint at",
    )
    index("puzzle_reports", "user_id")
    table(
        "puzzle_solvers",
        "user_id number",
        """
        bigint user_id, integer number, bigint? guild_id, boolean here = false, text? name,
        integer tries run best = 0
        """,
    )
    index("puzzle_solvers", "number guild_id")
    index("puzzle_solvers", "number", where="name IS NOT NULL")
    table(
        "rated_results",
        "guild_id number",
        """
        bigint guild_id, varchar32 game, integer season, boolean practice, integer number,
        rowid match_id, bigint ended_at, json seats
        """,
        sa.UniqueConstraint("match_id", name="uq_rated_results_match_id"),
    )
    index("rated_results", "guild_id game season practice number")
    table(
        "rating_keys",
        "guild_id user_id",
        "bigint guild_id user_id, varchar16 key, text name",
        sa.UniqueConstraint("guild_id", "key", name="uq_rating_keys_guild_id_key"),
    )
    index("rating_keys", "user_id")
    table(
        "rating_pairs",
        "guild_id game season practice key other",
        """
        bigint guild_id, varchar32 game, integer season, boolean practice, varchar16 key other,
        integer day results
        """,
    )
    table(
        "rating_points",
        "guild_id number key",
        """
        bigint guild_id, varchar32 game, integer season, boolean practice, integer number,
        varchar16 key, double mu sigma gain, integer place
        """,
    )
    index("rating_points", "guild_id key number")
    index("rating_points", "guild_id game season practice")
    table(
        "ratings",
        "guild_id game season practice key",
        """
        bigint guild_id, varchar32 game, integer season, boolean practice, varchar16 key,
        double mu sigma, integer matches won, double gain, integer latest, integer met = 0,
        double from_new from_few = 0.0
        """,
    )
    index("ratings", "guild_id game season practice mu")
    index("ratings", "guild_id key")
    table("seasons", "guild_id number", "bigint guild_id, integer number, bigint begun_at")
    table(
        "applications",
        "match_id user_id",
        """
        match match_id, bigint user_id, text name, integer seat, json agreed, bigint asked_at = 0,
        json declined = '[]', bigint given = 0
        """,
    )
    index("applications", "user_id")
    table(
        "appointments",
        "match_id",
        """
        match match_id, bigint appointed, varchar16? fill_with, boolean mirrored = false,
        bigint? event_id
        """,
    )
    index("appointments", "event_id")
    table(
        "deadlines",
        "match_id kind",
        """
        match match_id, varchar16 kind, integer ply, bigint due, integer tries = 0,
        bigint? guild_id, varchar64? leased_by, bigint? leased_until
        """,
        postgresql_with=often_vacuumed,
    )
    index("deadlines", "due")
    index("deadlines", "leased_by", where="leased_by IS NOT NULL")
    table(
        "log",
        "match_id ply",
        """
        match match_id, integer ply player, text action, bigint at, bigint? interaction_id,
        boolean by_order = false
        """,
        sa.CheckConstraint("ply >= 0", name=op.f("ck_log_ply")),
    )
    index("log", "interaction_id", where="interaction_id IS NOT NULL", unique=True)
    table(
        "orders",
        "match_id seat number",
        """
        match match_id, integer seat number, bigint user_id, varchar16 kind, text? theirs,
        text mine, json unless noted, text about, integer ply, bigint given_at
        """,
    )
    index("orders", "user_id")
    table(
        "outbox",
        "id",
        """
        rowid id, match? match_id, bigint? guild_id, integer ply, varchar16 kind, integer? seat,
        bigint? user_id, boolean rings = false, integer tries = 0, bigint put_at = 0,
        bigint? message_id channel_id, boolean quiet = false, bigint due, boolean held = false,
        varchar64? leased_by, bigint? leased_until
        """,
        numbered=True,
        sqlite_autoincrement=True,
        postgresql_with=often_vacuumed,
    )
    index("outbox", "match_id")
    index("outbox", "user_id")
    index("outbox", "held due")
    index("outbox", "leased_by", where="leased_by IS NOT NULL")
    index("outbox", "guild_id", where="match_id IS NULL")
    table("pledged_tables", "match_id", "match match_id, bigint starts_by")
    table("presses", "interaction_id", "bigint interaction_id, match match_id")
    index("presses", "match_id")
    table(
        "reviews",
        "match_id",
        """
        match match_id, integer version, json results, bigint? user_id, bigint asked_at,
        bigint? finished_at, integer turn = 0, varchar64? leased_by, bigint? leased_until
        """,
    )
    index("reviews", "user_id", where="user_id IS NOT NULL")
    index("reviews", "turn asked_at", where="finished_at IS NULL")
    table(
        "seats",
        "match_id position",
        """
        match match_id, integer position, integer? seat, bigint? user_id, text name,
        varchar16? computer, boolean resigned = false, boolean? won, integer? points,
        bigint? hand_message_id, bigint away_used = 0, boolean replaced helped = false,
        integer? place, varchar16? level, boolean acted absent deserted = false, boolean? finished,
        json feat = '[]', boolean waits ready excused = false, bigint? pressed_at ended_at,
        varchar16? key, json answers = '[]'
        """,
        sa.UniqueConstraint("match_id", "user_id", name="uq_seats_match_id_user_id"),
    )
    index("seats", "user_id ended_at match_id")
    index("seats", "key ended_at")
    table("suspicions", "match_id", "match match_id, json suspicions = '[]'")
    table(
        "votes",
        "match_id question user_id",
        "match match_id, varchar16 question, bigint user_id, varchar16 choice",
    )
    index("votes", "user_id")
    op.execute("INSERT INTO dm_pause (id) VALUES (1)")
