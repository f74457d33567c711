"""Queries of puzzles: how far people are, their streaks, reports, and the day's puzzle on servers.

`matches/puzzles/solving.py` and `matches/puzzles/posting.py` use them.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, bindparam, delete, func, or_, select, tuple_, update

from db.model import schema
from db.model.columns import columns_of, make_row, read_row
from db.model.ids import UserId
from db.model.kept import Kept, Lapsing
from db.model.upserts import put_row
from db.puzzles import rows as tables
from db.puzzles.rows import AttemptRow, CaseRow, PuzzlePostRow, ReportRow, SolverRow

_attempts, _solvers, _reports, _cases = tables.attempts, tables.solvers, tables.reports, tables.cases
_posts, _channels, _looks = tables.posts, tables.channels, tables.looks
_settings = schema.player_settings

ATTEMPTS_KEPT: Final = timedelta(days=90)
"""How long the store remembers a puzzle that somebody has begun and not solved."""

NAMES_KEPT: Final = 7
"""For how many days' puzzles the store keeps the names of people who solved them. Streaks need no older ones."""

_AT_ONCE: Final = 200


# How far people are.


def attempt(connection: Connection, user_id: UserId, puzzle: str) -> AttemptRow | None:
    """Return how far a person is in a puzzle; ``None`` if they haven't begun it."""
    wanted = (_attempts.c.user_id == user_id) & (_attempts.c.puzzle == puzzle)
    return read_row(connection, _attempts, AttemptRow, wanted)


def put_attempt(connection: Connection, user_id: UserId, puzzle: str, row: AttemptRow) -> None:
    """Store how far a person is in a puzzle."""
    put_row(connection, _attempts, {"user_id": user_id, "puzzle": puzzle, **vars(row)})


def attempts(connection: Connection, user_id: UserId) -> dict[str, AttemptRow]:
    """Return all puzzles that a person has begun, the latest last."""
    columns = columns_of(_attempts, AttemptRow)
    rows = connection.execute(
        select(_attempts.c.puzzle, *columns).where(_attempts.c.user_id == user_id).order_by(_attempts.c.at)
    )
    return {puzzle: make_row(AttemptRow, row) for puzzle, *row in rows}


def solved(connection: Connection, user_id: UserId, but: Collection[str]) -> int:
    """Return how many puzzles a person has solved without being shown an answer, besides these."""
    mine = (_attempts.c.user_id == user_id) & _attempts.c.solved_at.is_not(None) & _attempts.c.shown.is_(False)
    return connection.execute(
        select(func.count()).select_from(_attempts).where(mine, _attempts.c.puzzle.not_in(but))
    ).scalar_one()


# The day's puzzle.


def solver(connection: Connection, user_id: UserId, number: int) -> SolverRow | None:
    """Return what a person did with a day's puzzle in its time; ``None`` if they didn't try it."""
    wanted = (_solvers.c.user_id == user_id) & (_solvers.c.number == number)
    return read_row(connection, _solvers, SolverRow, wanted)


def put_solver(connection: Connection, user_id: UserId, number: int, row: SolverRow) -> None:
    put_row(connection, _solvers, {"user_id": user_id, "number": number, **vars(row)})


def latest_solved(connection: Connection, user_id: UserId, before: int) -> tuple[int, SolverRow] | None:
    """Return the newest number below this one that a person has solved in its time."""
    mine = (_solvers.c.user_id == user_id) & (_solvers.c.run > 0) & (_solvers.c.number < before)
    statement = select(_solvers.c.number, *columns_of(_solvers, SolverRow)).where(mine)
    row = connection.execute(statement.order_by(_solvers.c.number.desc()).limit(1)).one_or_none()
    return None if row is None else (row[0], make_row(SolverRow, row[1:]))


def best(connection: Connection, user_id: UserId) -> int:
    """Return the length of a person's longest streak."""
    statement = select(func.max(_solvers.c.best)).where(_solvers.c.user_id == user_id)
    return connection.execute(statement).scalar_one() or 0


class Tally(NamedTuple):
    """How many people have tried a day's puzzle, and how many of them solved it."""

    tried: int = 0
    solved: int = 0


def tally(connection: Connection, number: int, guild_id: int | None = None) -> Tally:
    """Return how many people have tried and solved the day's puzzle of this number, on a server or everywhere."""
    statement = select(func.count(), func.count().filter(_solvers.c.run > 0)).where(_solvers.c.number == number)
    if guild_id is not None:
        statement = statement.where(_solvers.c.guild_id == guild_id)
    return Tally(*connection.execute(statement).one())


_SHOWN: Final = _solvers.c.here & _solvers.c.name.is_not(None)
"""The condition for people who may be named on the server, if they don't hide."""


def quickest(connection: Connection, number: int, guild_id: int, at_most: int) -> tuple[int, list[str]]:
    """Return the fewest tries in which people who may be named here have solved a number, and their names."""
    statement = (
        select(_solvers.c.tries, _solvers.c.name)
        .outerjoin(_settings, _settings.c.user_id == _solvers.c.user_id)
        .where(_solvers.c.number == number, _solvers.c.guild_id == guild_id, _solvers.c.run > 0, _SHOWN)
        .where(func.coalesce(_settings.c.hidden, False).is_(False))
        .order_by(_solvers.c.tries, _solvers.c.run.desc(), _solvers.c.user_id)
        .limit(at_most)
    )
    rows = connection.execute(statement).all()
    return (rows[0].tries, [row.name for row in rows if row.tries == rows[0].tries]) if rows else (0, [])


class Streak(NamedTuple):
    """A person's streak on a server: how long it is, and its latest number."""

    user_id: UserId
    name: str
    run: int
    number: int


def streaks(connection: Connection, guild_id: int, since: int, at_most: int) -> list[Streak]:
    """Return the longest streaks of people who have solved a number from `since` on here, and don't hide."""
    of_person = func.row_number().over(partition_by=_solvers.c.user_id, order_by=_solvers.c.number.desc())
    latest = (
        select(_solvers.c.user_id, _solvers.c.name, _solvers.c.run, _solvers.c.number, of_person.label("place"))
        .where(_solvers.c.guild_id == guild_id, _solvers.c.number >= since, _solvers.c.run > 0, _SHOWN)
        .subquery()
    )
    statement = (
        select(latest.c.user_id, latest.c.name, latest.c.run, latest.c.number)
        .outerjoin(_settings, _settings.c.user_id == latest.c.user_id)
        .where(latest.c.place == 1, func.coalesce(_settings.c.hidden, False).is_(False))
        .order_by(latest.c.run.desc(), latest.c.user_id)
        .limit(at_most)
    )
    return [Streak(UserId(row[0]), *row[1:]) for row in connection.execute(statement)]


# Reports.


def own_report(connection: Connection, user_id: UserId, puzzle: str) -> bool | None:
    """Return whether a person's report of this puzzle counts; ``None`` if they haven't made one."""
    mine = (_reports.c.user_id == user_id) & (_reports.c.puzzle == puzzle)
    found: bool | None = connection.execute(select(_reports.c.counts).where(mine)).scalar_one_or_none()
    return found


def report(connection: Connection, user_id: UserId, puzzle: str, row: ReportRow) -> None:
    put_row(connection, _reports, {"user_id": user_id, "puzzle": puzzle, **row._asdict()})


def reported(connection: Connection, puzzle: str) -> tuple[int, int]:
    """Return how many reports of a puzzle count, and from how many servers they came."""
    counted = (_reports.c.puzzle == puzzle) & _reports.c.counts
    statement = select(func.count(), func.count(func.distinct(_reports.c.guild_id))).where(counted)
    people, servers = connection.execute(statement).one()
    return people, servers


def marks(connection: Connection, puzzle: str, unless: Collection[str], at_most: int) -> list[str]:
    """Return the marks of some people who have answered a puzzle: of those whose marks aren't only these."""
    answered = (_attempts.c.puzzle == puzzle) & _attempts.c.marks.not_in(unless)
    return list(connection.execute(select(_attempts.c.marks).where(answered).limit(at_most)).scalars())


def withdrawn_since(connection: Connection, since: datetime) -> int:
    """Return how many puzzles have been withdrawn because enough people had reported them since then."""
    by_reports = (_cases.c.enough_at > since) & _cases.c.withdrawn_at.is_not(None)
    return connection.execute(select(func.count()).select_from(_cases).where(by_reports)).scalar_one()


def case(connection: Connection, puzzle: str) -> CaseRow | None:
    """Return what came of the reports of a puzzle; ``None`` without any."""
    return read_row(connection, _cases, CaseRow, _cases.c.puzzle == puzzle)


def put_case(connection: Connection, puzzle: str, row: CaseRow) -> None:
    put_row(connection, _cases, {"puzzle": puzzle, **row._asdict()})


def cases(connection: Connection, at_most: int) -> list[tuple[str, CaseRow]]:
    """Return puzzles that were reported: those that wait for the operator, then the latest first."""
    waits = _cases.c.enough_at.is_not(None) & _cases.c.withdrawn_at.is_(None) & _cases.c.kept_at.is_(None)
    statement = select(_cases.c.puzzle, *columns_of(_cases, CaseRow)).order_by(
        waits.desc(), _cases.c.reported_at.desc()
    )
    return [(row[0], CaseRow(*row[1:])) for row in connection.execute(statement.limit(at_most))]


def unchecked(connection: Connection, at_most: int) -> list[str]:
    """Return reported puzzles that wait to be checked again."""
    statement = select(_cases.c.puzzle).where(_cases.c.checked_at.is_(None)).order_by(_cases.c.reported_at)
    return list(connection.execute(statement.limit(at_most)).scalars())


def withdrawn(connection: Connection, now: datetime) -> frozenset[str]:
    """Return the puzzles that nobody is given any more."""
    gone = (_cases.c.withdrawn_at <= now) & _cases.c.kept_at.is_(None)
    return frozenset(connection.execute(select(_cases.c.puzzle).where(gone)).scalars())


# The day's puzzle on servers.


def channel(connection: Connection, guild_id: int) -> int | None:
    """Return the channel in which a server wants puzzles, if it does."""
    return connection.execute(select(_channels.c.channel_id).where(_channels.c.guild_id == guild_id)).scalar()


def set_channel(connection: Connection, guild_id: int, channel_id: int | None) -> None:
    """Set the channel in which a server wants puzzles; ``None``: in none."""
    if channel_id is None:
        connection.execute(delete(_channels).where(_channels.c.guild_id == guild_id))
    else:
        put_row(connection, _channels, {"guild_id": guild_id, "channel_id": channel_id})


def next_check(connection: Connection, guild_id: int) -> datetime | None:
    """Return when a server is checked next; ``None`` if it wants no puzzles."""
    return connection.execute(select(_looks.c.due).where(_looks.c.guild_id == guild_id)).scalar_one_or_none()


def set_next_check(connection: Connection, guild_id: int, due: datetime) -> None:
    """Set when a server is checked next."""
    put_row(connection, _looks, {"guild_id": guild_id, "due": due})


def stop_checks(connection: Connection, guild_id: int) -> None:
    connection.execute(delete(_looks).where(_looks.c.guild_id == guild_id))


_DUE: Final = (
    select(_looks.c.guild_id)
    .where(or_(_looks.c.due <= bindparam("now"), _looks.c.due > bindparam("latest")))
    .order_by(_looks.c.due)
    .limit(bindparam("at_most"))
)


def due(connection: Connection, now: datetime, latest: datetime, at_most: int) -> list[int]:
    """Return servers that are due to be checked, the longest due first.

    A time after `latest` counts as due, too: a clock that was set back since has written it.
    """
    return list(connection.execute(_DUE, {"now": now, "latest": latest, "at_most": at_most}).scalars())


def posts(connection: Connection, guild_id: int) -> dict[int, PuzzlePostRow]:
    """Return a server's posts of the last weeks' puzzles, by number."""
    statement = select(_posts.c.number, *columns_of(_posts, PuzzlePostRow)).where(_posts.c.guild_id == guild_id)
    return {number: PuzzlePostRow(*row) for number, *row in connection.execute(statement.order_by(_posts.c.number))}


def put_post(connection: Connection, guild_id: int, number: int, row: PuzzlePostRow) -> None:
    put_row(connection, _posts, {"guild_id": guild_id, "number": number, **row._asdict()})


def note_post(connection: Connection, guild_id: int, number: int, row: PuzzlePostRow) -> None:
    """Store the message of a post, unless the post of that number has moved to another channel since."""
    mine = (_posts.c.guild_id == guild_id) & (_posts.c.number == number) & (_posts.c.channel_id == row.channel_id)
    connection.execute(update(_posts).where(mine).values(message_id=row.message_id))


def remove_posts(connection: Connection, guild_id: int, below: int) -> None:
    """Forget a server's posts of numbers below this one."""
    connection.execute(delete(_posts).where(_posts.c.guild_id == guild_id, _posts.c.number < below))


# When a channel or a server is gone, or is back, and after the retention time.


def forget_guild(connection: Connection, guild_id: int) -> None:
    """Forget the posts on a server that the bot has left."""
    connection.execute(delete(_posts).where(_posts.c.guild_id == guild_id))


def find_guild(connection: Connection, guild_id: int, now: datetime) -> None:
    """Check a server again that the bot is on again, if it wants puzzles."""
    if channel(connection, guild_id) is not None:
        set_next_check(connection, guild_id, now)


def forget_channel(connection: Connection, channel_id: int) -> None:
    """Post no more puzzles in a channel that is gone."""
    connection.execute(delete(_channels).where(_channels.c.channel_id == channel_id))


def _old(now: datetime) -> tuple[Any, Any]:
    """Return the conditions for unsolved attempts, and for names, that have been kept long enough."""
    unsolved = _attempts.c.solved_at.is_(None) & (_attempts.c.at < now - ATTEMPTS_KEPT)
    return unsolved, _solvers.c.name.is_not(None) & (_solvers.c.number < tables.number_at(now) - NAMES_KEPT)


def has_old(connection: Connection, now: datetime) -> bool:
    """Whether `clear` would find something."""
    attempts, named = _old(now)
    found = (select(_attempts.c.at).where(attempts), select(_solvers.c.number).where(named))
    return any(connection.execute(statement.limit(1)).first() is not None for statement in found)


def clear(connection: Connection, now: datetime) -> None:
    """Delete some unsolved attempts, and some names, that have been kept long enough."""
    attempts, named = _old(now)
    some = select(*_attempts.primary_key).where(attempts).limit(_AT_ONCE)
    connection.execute(delete(_attempts).where(tuple_(*_attempts.primary_key).in_(some), attempts))
    some = select(*_solvers.primary_key).where(named).limit(_AT_ONCE)
    connection.execute(update(_solvers).where(tuple_(*_solvers.primary_key).in_(some)).values(name=None))


KEPT: Final = (
    Kept(
        "puzzles",
        _attempts,
        "Puzzles: your answers in puzzles, when you last gave one, and the ID of your last press there; which days' "
        "puzzles you tried, on which server, in how many tries, and your streak, with your display name for a week; "
        "which puzzles you've reported, where and when.",
        lapses=Lapsing(has_old, clear),
    ),
    Kept("puzzles", _solvers),
    Kept("puzzles", _reports),
    Kept("puzzles", _looks, of_server=True, forget_guild=forget_guild, find_guild=find_guild),
    Kept("puzzles", _channels, forget_channel=forget_channel),
)
