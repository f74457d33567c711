"""Queries of matches, seats and votes."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import compress, groupby, islice
from operator import itemgetter
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    CompoundSelect,
    Connection,
    Row,
    Select,
    Table,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    literal,
    null,
    select,
    tuple_,
    union,
    update,
)

from db.features import OF_MATCH, SHOWN
from db.model import schema
from db.model.columns import Instant, columns_of, field_names, make_row
from db.model.enums import Boards, Cancellers, Lost, Private, Status
from db.model.ids import MatchId, UserId
from db.model.kept import Kept
from db.model.rows import Ballot, Details, Hidden, MatchRow, SeatRow
from db.model.upserts import SQLITE, put_row
from db.people import people, settings
from db.people.bars import EVERYWHERE
from db.people.settings import About
from db.results import tallies
from db.store.transactions import at_length_only

_matches, _seats, _votes = schema.matches, schema.seats, schema.votes
_applications, _outbox, _deadlines = schema.applications, schema.outbox, schema.deadlines
_people, _guilds = schema.player_settings, schema.guild_settings
_gone, _gone_hosts = schema.forgotten, schema.forgotten.alias("gone_hosts")


class SeatedRow(NamedTuple):
    """A seat, what is known about its person, and whether a person began the match there (`entered`)."""

    seat: SeatRow
    about: About
    entered: bool


class TableRows(NamedTuple):
    """A match with its seats, by seat number if drawn, else by position.

    `shown` is what features keep of it that everybody may see, by their keys, and `kept` are those that keep something
    else. `voted`: there are open votes. `wanted`: somebody has asked for a
    seat. `private`, `who_cancels`, `unrated` and `boards` are settings of the server (``None``: it has none).
    """

    match: MatchRow
    details: Details
    hidden: Hidden
    seats: list[SeatedRow]
    kept: tuple[Kept, ...]
    shown: dict[str, Any]
    voted: bool
    wanted: bool
    private: Private | None
    who_cancels: Cancellers | None
    unrated: bool | None
    boards: Boards | None


class LobbyRow(NamedTuple):
    """A lobby in short: how many seats are `taken`, and which people are `seated` or in line."""

    id: MatchId
    game: str
    size: int | None
    guild_id: int
    channel_id: int
    thread_id: int | None
    in_thread: bool
    taken: int
    seated: frozenset[UserId]


_OF_MATCH: Final = columns_of(_matches, MatchRow)
_DETAILS: Final = columns_of(_matches, Details)
_HIDDEN: Final = columns_of(_matches, Hidden)
_OF_SEAT: Final = columns_of(_seats, SeatRow)


def _beside(statement: Select[Any], features: Iterable[Kept]) -> Select[Any]:
    """Return a selection of matches that also knows what these features have of each."""
    for each in features:
        statement = statement.outerjoin(each.table, each.table.c.match_id == _matches.c.id)
    return statement


# Votes and requests for seats are rare, so this only says whether there are any. The seats are joined: a second query
# would cost more than repeating the match's columns for each seat.
_TABLES: Final[Select[Any]] = (
    _beside(
        select(
            *_OF_MATCH,
            *_DETAILS,
            *_HIDDEN,
            exists().where(_votes.c.match_id == _matches.c.id),
            exists().where(_applications.c.match_id == _matches.c.id),
            _guilds.c.private,
            _guilds.c.who_cancels,
            _guilds.c.unrated,
            _guilds.c.boards,
            *(exists().where(each.table.c.match_id == _matches.c.id) for each in OF_MATCH),
            (_matches.c.ended_at.is_not(None) & (_matches.c.id <= _gone_hosts.c.up_to)),
            (_seats.c.ended_at.is_not(None) & (_seats.c.match_id <= _gone.c.up_to)),
            _seats.c.key.is_not(None),
            *_OF_SEAT,
            _people.c.user_id,
            *settings.OF_PERSON,
            *settings.SET_BY_PERSON,
            *(column for each in SHOWN for column in each.table.c),
        ),
        SHOWN,
    )
    .outerjoin(_guilds, _guilds.c.guild_id == _matches.c.guild_id)
    .outerjoin(_seats, _seats.c.match_id == _matches.c.id)
    .outerjoin(_people, _people.c.user_id == _seats.c.user_id)
    .outerjoin(_gone, _gone.c.user_id == _seats.c.user_id)
    .outerjoin(_gone_hosts, _gone_hosts.c.user_id == _matches.c.host_id)
    .order_by(_matches.c.id, _seats.c.seat, _seats.c.position)
)
_TABLE: Final = _TABLES.where(_matches.c.id == bindparam("match_id"))
_TABLE_OF_ROW: Final = _TABLES.where(
    _matches.c.id == select(_outbox.c.match_id).where(_outbox.c.id == bindparam("row_id")).scalar_subquery()
)
# A separate statement: PostgreSQL reads the seats afresh only in a statement that begins after the lock is granted.
# FOR NO KEY UPDATE: inserting a row that refers to the match needn't wait.
_LOCK: Final = (
    select(_matches.c.id).where(_matches.c.id == bindparam("match_id")).with_for_update(key_share=True, of=_matches)
)
_MANY_TABLES: Final = _TABLES.where(_matches.c.id.in_(bindparam("match_ids", expanding=True)))
_ID: Final = field_names(MatchRow).index("id")
_DETAILED: Final = len(_OF_MATCH)
_HID: Final = _DETAILED + len(_DETAILS)
_FLAGS: Final = _HID + len(_HIDDEN)
_KEPT: Final = _FLAGS + 6
_NAMELESS_HOST: Final = _KEPT + len(OF_MATCH)
_NAMELESS: Final = _NAMELESS_HOST + 1
_ENTERED: Final = _NAMELESS + 1
_SEAT: Final = _ENTERED + 1
_PERSON: Final = _SEAT + len(_OF_SEAT)
_SHOWN: Final = _PERSON + 1 + len(settings.OF_PERSON) + len(settings.SET_BY_PERSON)
_BALLOTS: Final = (
    select(_votes.c.match_id, *columns_of(_votes, Ballot))
    .where(_votes.c.match_id.in_(bindparam("match_ids", expanding=True)))
    .order_by(_votes.c.user_id, _votes.c.question)
)
_LOBBIES: Final = select(
    *(_matches.c[name] for name in LobbyRow._fields[:-2]), _seats.c.waits, _seats.c.user_id
).outerjoin(_seats, _seats.c.match_id == _matches.c.id)
_CHANGE: Final = update(_matches).where(_matches.c.id == bindparam("number"))
# Redundant, but needed to use the partial indexes of open matches.
_NOT_ENDED: Final = _matches.c.ended_at.is_(None)


def insert_match(connection: Connection, **values: Any) -> MatchId:
    """Insert a match, and return its number."""
    result = connection.execute(insert(_matches).values(**values).returning(_matches.c.id))
    return MatchId(result.scalar_one())


def update_match(connection: Connection, match_id: MatchId, **changes: Any) -> None:
    connection.execute(_CHANGE, {"number": match_id, **changes})


def table(connection: Connection, match_id: MatchId, *, lock: bool = False) -> TableRows | None:
    """Return a match. `lock` keeps others from writing it until the transaction ends. (SQLite always locks all.)"""
    if lock and connection.dialect.name != SQLITE:
        connection.execute(_LOCK, {"match_id": match_id})
    rows = connection.execute(_TABLE, {"match_id": match_id}).all()
    return _table(rows) if rows else None


def table_of_row(connection: Connection, row_id: int) -> TableRows | None:
    """Return the match that this row of the outbox is about, ``None`` if the row is gone or is about a server."""
    rows = connection.execute(_TABLE_OF_ROW, {"row_id": row_id}).all()
    return _table(rows) if rows else None


def tables(connection: Connection, match_ids: Sequence[MatchId]) -> list[TableRows]:
    """Return these matches in this order, without those that are gone."""
    rows = connection.execute(_MANY_TABLES, {"match_ids": match_ids})
    found = {number: _table(list(of_one)) for number, of_one in groupby(rows, key=itemgetter(_ID))}
    return [found[number] for number in match_ids if number in found]


def _table(rows: Sequence[Row[Any]]) -> TableRows:
    """Make a match from its rows: one for each seat, or a single one without a seat."""
    first = rows[0]
    match, details = make_row(MatchRow, first[:_DETAILED]), make_row(Details, first[_DETAILED:_HID])
    hidden = make_row(Hidden, first[_HID:_FLAGS])
    if first[_NAMELESS_HOST]:
        match = replace(match, host_id=people.NOBODY)
    seats = [_seated(row) for row in rows if row[_SEAT] is not None]
    kept = tuple(compress(OF_MATCH, first[_KEPT:_NAMELESS_HOST]))
    return TableRows(match, details, hidden, seats, kept, _shown(first[_SHOWN:]), *first[_FLAGS:_KEPT])


def _shown(values: Sequence[Any]) -> dict[str, Any]:
    """Return what features keep of a match that everybody may see, by their keys, from its columns."""
    found, left = {}, iter(values)
    for each in SHOWN:
        number, *row = islice(left, len(each.table.c))
        if number is not None and each.shown is not None:
            found[each.key] = make_row(each.shown, row)
    return found


def _seated(row: Row[Any]) -> SeatedRow:
    seat, entered = make_row(SeatRow, row[_SEAT:_PERSON]), bool(row[_ENTERED])
    if row[_NAMELESS]:
        # A person who wants to be forgotten is anonymous in finished matches even before the store has erased them.
        return SeatedRow(
            replace(seat, user_id=None, name=tallies.placeholder_of(seat)), settings.UNKNOWN_PERSON, entered
        )
    about = settings.UNKNOWN_PERSON if row[_PERSON] is None else settings.about(row[_PERSON + 1 : _SHOWN])
    return SeatedRow(seat, about, entered)


_OF_PERSON: Final = select(_matches.c.id).join(_seats, _seats.c.match_id == _matches.c.id)


def open_of(connection: Connection, user_id: UserId, statuses: Collection[str], limit: int) -> list[MatchId]:
    """Return the numbers of a person's open matches in these statuses, latest first. It reads none that are over."""
    return _numbers(
        connection,
        _OF_PERSON.where(_seats.c.user_id == user_id, _seats.c.ended_at.is_(None), _matches.c.status.in_(statuses))
        .order_by(_matches.c.created_at.desc(), _matches.c.id.desc())
        .limit(limit),
    )


def ended_of(connection: Connection, user_id: UserId, status: str, limit: int) -> list[MatchId]:
    """Return the numbers of the ended matches in which a person has a seat, latest first."""
    return _numbers(
        connection,
        _OF_PERSON.where(_seats.c.user_id == user_id, _seats.c.ended_at.is_not(None), _matches.c.status == status)
        .where(_seats.c.match_id > people.forgotten_up_to(user_id))
        .order_by(_seats.c.ended_at.desc(), _seats.c.match_id.desc())
        .limit(limit),
    )


def ended_in_guild(
    connection: Connection, guild_id: int, status: str, limit: int, before: tuple[datetime, MatchId] | None = None
) -> list[MatchId]:
    """Return the numbers of a server's ended matches, latest first; with `before` only those that ended earlier."""
    wanted = (_matches.c.guild_id == guild_id) & (_matches.c.status == status)
    if before is not None:
        ended_at, number = before
        wanted &= tuple_(_matches.c.ended_at, _matches.c.id) < tuple_(literal(ended_at, Instant()), literal(number))
    latest = (_matches.c.ended_at.desc(), _matches.c.id.desc())
    return _numbers(connection, select(_matches.c.id).where(wanted).order_by(*latest).limit(limit))


def matches_shown_in(
    connection: Connection, place_id: int, statuses: Collection[str], limit: int | None = None
) -> list[MatchId]:
    """Return the numbers of the open matches whose board is in this channel or thread, newest first.

    A lobby is in its channel and in its thread. At most `limit`: running matches come before lobbies, and newer ones
    before older.
    """
    in_thread = _matches.c.thread_id == place_id
    outside = _matches.c.thread_id.is_(None) | (_matches.c.status == Status.LOBBY)
    in_channel = (_matches.c.channel_id == place_id) & outside
    found = _open_at(connection, (in_thread, in_channel), statuses)
    found.sort(key=lambda match: (match[1] == Status.LOBBY, -match[0]))
    return sorted((number for number, _ in found[:limit]), reverse=True)


def matches_of_channel(connection: Connection, channel_id: int, statuses: Collection[str]) -> list[MatchId]:
    """Return the numbers of the open matches in this channel, its threads, or this thread, rising."""
    here = (_matches.c.thread_id == channel_id, _matches.c.channel_id == channel_id)
    return sorted(number for number, _ in _open_at(connection, here, statuses))


def _open_at(
    connection: Connection, ways: Iterable[ColumnElement[bool]], statuses: Collection[str]
) -> list[tuple[MatchId, str]]:
    """Return number and status of open matches that meet any of these conditions, each of which has its own index."""
    numbers = select(_matches.c.id, _matches.c.status).where(_NOT_ENDED, _matches.c.status.in_(statuses))
    rows = connection.execute(union(*(numbers.where(way) for way in ways)))
    return [(MatchId(number), status) for number, status in rows]


def open_in_guild(connection: Connection, guild_id: int, statuses: Collection[str]) -> list[MatchId]:
    """Return the numbers of a server's matches in these statuses, rising."""
    at_length_only(connection)
    wanted = (_matches.c.guild_id == guild_id) & _matches.c.status.in_(statuses)
    return _numbers(connection, select(_matches.c.id).where(wanted).order_by(_matches.c.id))


def lobbies_of_guild(connection: Connection, guild_id: int) -> list[LobbyRow]:
    """Return a server's lobbies in short, newest first."""
    at_length_only(connection)
    wanted = _NOT_ENDED & (_matches.c.guild_id == guild_id) & (_matches.c.status == Status.LOBBY)
    rows = connection.execute(_LOBBIES.where(wanted).order_by(_matches.c.id.desc()))
    found = [list(of_one) for _, of_one in groupby(rows, key=itemgetter(0))]
    return [
        LobbyRow._make(
            (
                *of_one[0][:-2],
                sum(row.waits is False for row in of_one),
                frozenset(row.user_id for row in of_one if row.user_id is not None),
            )
        )
        for of_one in found
    ]


def guilds_with(connection: Connection, statuses: Collection[str]) -> dict[int, bool]:
    """Return the servers with open matches in these statuses, and whether one of these has lost its server."""
    at_length_only(connection)
    statement = select(_matches.c.guild_id, func.max(case((_matches.c.lost == Lost.SERVER, 1), else_=0))).where(
        _NOT_ENDED, _matches.c.status.in_(statuses), _matches.c.guild_id.is_not(None)
    )
    rows = connection.execute(statement.group_by(_matches.c.guild_id))
    return {guild_id: bool(lost) for guild_id, lost in rows}


def delete_match(connection: Connection, match_id: MatchId) -> None:
    """Delete a match with all its rows. Its number is never reused."""
    connection.execute(delete(_matches).where(_matches.c.id == match_id))


def rematches(connection: Connection, match_id: MatchId, statuses: Collection[str]) -> list[MatchId]:
    """Return the numbers of a match's rematches, newest first."""
    wanted = (_matches.c.rematch_of == match_id) & _matches.c.status.in_(statuses)
    return _numbers(connection, select(_matches.c.id).where(wanted).order_by(_matches.c.id.desc()))


_TIMED: Final = tuple(each for each in SHOWN if each.starts is not None)
"""What may know when a lobby starts."""


def lobby_times(
    connection: Connection, people: Collection[UserId], guild_id: int | None, but: MatchId
) -> dict[UserId, list[tuple[datetime, datetime | None]]]:
    """Return by person the times of the open lobbies on this server that they sit in or host.

    That is when each was opened, and when it starts if that was appointed. The lobby `but` is left out, and so are
    people without any lobby.
    """
    found: dict[UserId, list[tuple[datetime, datetime | None]]] = {}
    for user_id, number, opened_at, starts_at in connection.execute(_waiting(people, guild_id, _TIMED)):
        if number != but:
            found.setdefault(UserId(user_id), []).append((opened_at, starts_at))
    return found


def lobbies_with(connection: Connection, user_id: UserId, guild_id: int) -> list[MatchId]:
    """Return the numbers of the open lobbies on a server (or `EVERYWHERE`) in which a person sits or which they host.

    They rise.
    """
    return sorted(MatchId(row.id) for row in connection.execute(_waiting([user_id], guild_id, ())))


def _waiting(people: Collection[UserId], guild_id: int | None, timed: Iterable[Kept]) -> CompoundSelect[Any]:
    """Select each lobby on a server (or `EVERYWHERE`) in which these people sit or wait, or which they host.

    The columns are the person, the number, and the times of `lobby_times`, as far as these features know them.
    """
    wanted = _NOT_ENDED & (_matches.c.status == Status.LOBBY)
    if guild_id != EVERYWHERE:
        wanted &= _matches.c.guild_id.is_not_distinct_from(guild_id)
    starts = func.coalesce(*(each.starts for each in timed), null(), null())
    of_lobby = (_matches.c.id, _matches.c.created_at, starts)
    sat = _beside(select(_seats.c.user_id, *of_lobby).join(_matches, _matches.c.id == _seats.c.match_id), timed).where(
        _seats.c.user_id.in_(people), _seats.c.ended_at.is_(None), wanted
    )
    hosted = _beside(select(_matches.c.host_id, *of_lobby), timed)
    return union(sat, hosted.where(_matches.c.host_id.in_(people), wanted))


def count_without_people(connection: Connection, host_id: UserId, guild_id: int | None) -> tuple[int, int]:
    """Count running matches with computers only: this host's anywhere, and everybody's on this server."""
    person = exists().where(_seats.c.match_id == _matches.c.id, _seats.c.user_id.is_not(None))
    running = select(func.count()).where(_NOT_ENDED, _matches.c.status == Status.RUNNING, ~person)
    of_host = connection.execute(running.where(_matches.c.host_id == host_id)).scalar_one()
    if guild_id is None:
        return of_host, 0
    at_length_only(connection)
    return of_host, connection.execute(running.where(_matches.c.guild_id == guild_id)).scalar_one()


def has_no_match(connection: Connection, guild_id: int) -> bool:
    """Whether the store has no match of this server, in any status."""
    statement = select(_matches.c.id).where(_matches.c.guild_id == guild_id).limit(1)
    return connection.execute(statement).first() is None


def without_deadline(connection: Connection, after: int, limit: int) -> list[MatchId]:
    """Return at most `limit` numbers, rising, of open matches above `after` that have no deadline."""
    return _open_after(connection, after, limit, ~exists().where(_deadlines.c.match_id == _matches.c.id))


def open_with(connection: Connection, kept: Table, after: int, limit: int) -> list[MatchId]:
    """Return at most `limit` numbers, rising, of open matches above `after` of which a feature's table has rows."""
    return _open_after(connection, after, limit, exists().where(kept.c.match_id == _matches.c.id))


def _open_after(connection: Connection, after: int, limit: int, which: ColumnElement[bool]) -> list[MatchId]:
    at_length_only(connection)
    statement = select(_matches.c.id).where(_NOT_ENDED, _matches.c.id > after, which)
    return _numbers(connection, statement.order_by(_matches.c.id).limit(limit))


def match_ids(connection: Connection, statuses: Collection[str]) -> list[MatchId]:
    """Return the numbers of all open matches in these statuses, rising."""
    at_length_only(connection)
    statement = select(_matches.c.id).where(_NOT_ENDED, _matches.c.status.in_(statuses)).order_by(_matches.c.id)
    return _numbers(connection, statement)


def _numbers(connection: Connection, statement: Select[int] | CompoundSelect[int]) -> list[MatchId]:
    return [MatchId(number) for number in connection.execute(statement).scalars()]


def insert_seat(connection: Connection, match_id: MatchId, **values: Any) -> None:
    connection.execute(insert(_seats).values(match_id=match_id, **values))


def delete_seat(connection: Connection, match_id: MatchId, position: int) -> None:
    connection.execute(delete(_seats).where(_seats.c.match_id == match_id, _seats.c.position == position))


def update_seat(connection: Connection, match_id: MatchId, position: int, **changes: Any) -> None:
    wanted = (_seats.c.match_id == match_id) & (_seats.c.position == position)
    connection.execute(update(_seats).where(wanted).values(**changes))


def end_seats(connection: Connection, match_id: MatchId, ended_at: datetime) -> None:
    """Store on the match's seats when it ended."""
    connection.execute(update(_seats).where(_seats.c.match_id == match_id).values(ended_at=ended_at))


def count_private(connection: Connection, host_id: UserId) -> int:
    """Count this person's running private tables."""
    own = (_matches.c.host_id == host_id) & _NOT_ENDED & (_matches.c.status == Status.RUNNING)
    private = _matches.c.guild_id.is_(None) & _matches.c.branch_seat.is_not(None)
    return connection.execute(select(func.count()).where(own & private)).scalar_one()


def ballots(connection: Connection, match_ids: Collection[MatchId]) -> dict[int, tuple[Ballot, ...]]:
    """Return the open votes by match, ordered by person and question."""
    found: dict[int, tuple[Ballot, ...]] = {}
    for number, *row in connection.execute(_BALLOTS, {"match_ids": match_ids}):
        found[number] = (*found.get(number, ()), Ballot(*row))
    return found


def put_vote(connection: Connection, match_id: MatchId, ballot: Ballot) -> None:
    """Store a vote, or replace the person's earlier one on the same question."""
    put_row(connection, _votes, {"match_id": match_id, "question": ballot.vote.question, **ballot._asdict()})


def delete_vote(connection: Connection, match_id: MatchId, ballot: Ballot) -> None:
    """Delete the person's vote on the question."""
    mine = (_votes.c.match_id == match_id) & (_votes.c.user_id == ballot.user_id)
    connection.execute(delete(_votes).where(mine, _votes.c.question == ballot.vote.question))
