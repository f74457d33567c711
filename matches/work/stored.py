"""Reads matches and tables from the store."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from db import Connection
from db.matches import applications, queries
from db.matches.queries import TableRows
from db.model.enums import Boards, Cancellers, Dm, Private, Status
from db.model.ids import MatchId, UserId
from db.model.rows import Application, Ballot, Telling
from db.people import allowances, bars, lists, settings
from db.people.settings import UNKNOWN_PERSON, About
from db.store.transactions import wait_for_turn
from matches.errors import NotFound
from matches.records.match import Match
from matches.records.seat import Known, Seat
from matches.results import reliability
from matches.table import limits
from matches.table.limits import Deed
from matches.table.standing import NO_STANDING, Standing
from matches.table.value import NO_PACE_PATIENCE, Table

_SEATS: Final = "open seats"


def read(connection: Connection, match_id: MatchId) -> Match:
    """Read one match. Raises NotFound."""
    return _records(connection, [_found(connection, match_id)])[0]


def table(
    connection: Connection,
    match_id: MatchId,
    now: datetime,
    *,
    lock: bool = False,
    alone: bool = True,
    people: Collection[UserId] = (),
) -> Table:
    """Read one match as a table without its position. `lock`: no other transaction may change it. Raises NotFound.

    `people` may sit down or leave. People who have asked for a seat are added. `alone`: the transaction changes no
    other match. Otherwise it locks nobody's allowances, which would let two transactions wait for each other.
    """
    found = _found(connection, match_id, lock=lock)
    (match,) = _records(connection, [found])
    if lock:
        people = {*people, *(each.user_id for each in match.applications)}
    about, stranger = known(connection, people, found.private)
    seated = {seat.user_id for seat in match.everybody if seat.user_id is not None}
    return Table(
        match,
        now,
        found.details,
        found.hidden,
        known=about,
        stranger=stranger,
        hosts_may_end=found.who_cancels is Cancellers.HOSTS,
        unrated=bool(found.unrated),
        apart=lists.among(connection, {*people, *seated}) if people else frozenset(),
        standing=_standing_at(connection, match, people, now, lock=lock, reliable=found.details.reliable),
        watched=_watched(connection, match) if lock else (0, 0),
        kept={each.key: each.of_match(connection, match_id) for each in found.kept if each.of_match},
        may_abort=_may_abort(connection, match, people, now, lock=lock and alone),
        may_excuse=lock and alone and _may_excuse(connection, match, now),
    )


def _may_abort(
    connection: Connection, match: Match, people: Collection[UserId], now: datetime, *, lock: bool
) -> frozenset[UserId]:
    """Return who of `people`, and of those who play and let the table wait too long, has today's abort left."""
    if match.status is not Status.RUNNING:
        return frozenset()
    turn_at = match.turn_at or now
    late = match.asking or (match.turn_due or turn_at + NO_PACE_PATIENCE) <= now
    unmoved = {each.user_id for each in match.present if not each.acted and each.user_id is not None}
    found = unmoved.intersection(people)
    if lock and late and match.mover is not None and match.mover.user_id in unmoved:
        found.add(match.mover.user_id)

    def is_left(user_id: UserId) -> bool:
        mark = limits.mark(Deed.ABORT, user_id, match)
        if lock:
            return limits.is_left(Deed.ABORT, allowances.lock_used_until(connection, mark, now), now)
        until = allowances.used_until(connection, mark)
        return until is None or limits.is_left(Deed.ABORT, until, now)

    return frozenset(filter(is_left, sorted(found)))


def _may_excuse(connection: Connection, match: Match, now: datetime) -> bool:
    """Whether the player to move is cut off, and wasn't excused on this server for long enough."""
    mover = match.mover
    if match.cut_off is None or mover is None or mover.user_id is None:
        return False
    until = allowances.lock_used_until(connection, limits.mark(Deed.EXCUSE, mover.user_id, match), now)
    return limits.is_left(Deed.EXCUSE, until, now)


def _standing_at(
    connection: Connection, match: Match, people: Collection[UserId], now: datetime, *, lock: bool, reliable: bool
) -> Standing:
    """Read the standing of `people`, and in a lobby also of those who sit there. Only decisions need it."""
    if not lock:
        return NO_STANDING
    if match.status is not Status.LOBBY:
        return standing(connection, match.guild_id, people, now, reliable=reliable)
    wait_to_sit(connection, match.guild_id, people)
    there = {match.host_id, *(seat.user_id for seat in match.everybody if seat.user_id is not None)}
    # Whoever is alone at a table may make it one for the reliable.
    reliable = reliable or there == set(people)
    return standing(connection, match.guild_id, {*people, *there}, now, reliable=reliable, lobby=match.id)


def _watched(connection: Connection, match: Match) -> tuple[int, int]:
    """Count the running matches without people, of this host and on this server, if another one may start."""
    if match.status is not Status.LOBBY or not match.of_computers:
        return 0, 0
    return queries.count_without_people(connection, match.host_id, match.guild_id)


def standing(
    connection: Connection,
    guild_id: int | None,
    people: Collection[UserId],
    now: datetime,
    *,
    reliable: bool,
    lobby: MatchId | None = None,
) -> Standing:
    """Read what decides whether these people may sit at a table of this server.

    `reliable`: the table is for people who finish their matches. `lobby`: its number, if it hasn't started.
    """
    if not people:
        return NO_STANDING
    waiting = {} if lobby is None else queries.lobby_times(connection, people, guild_id, lobby)
    barred = bars.among(connection, guild_id, people)
    if guild_id is None:
        return Standing(barred, waiting=waiting)
    records = {each: reliability.of(connection, guild_id, each, now) for each in people} if reliable else {}
    return Standing(
        barred,
        frozenset(each for each, record in records.items() if record.leaves),
        frozenset(each for each, record in records.items() if not record.is_known),
        waiting,
    )


def wait_to_sit(connection: Connection, guild_id: int | None, people: Collection[UserId]) -> None:
    """Lock these people, so that no other transaction seats them on this server."""
    for each in sorted(people):
        wait_for_turn(connection, _SEATS, guild_id, each)


def known(
    connection: Connection, people: Collection[UserId], private: Private | None
) -> tuple[dict[int, Known], Known]:
    """Read the settings of these people, and the defaults for others. `private`: the server's default for hands."""
    found = settings.known(connection, people) if people else {}
    return {user_id: _known(about, private) for user_id, about in found.items()}, _known(UNKNOWN_PERSON, private)


def _found(connection: Connection, match_id: MatchId, *, lock: bool = False) -> TableRows:
    found = queries.table(connection, match_id, lock=lock)
    if found is None:
        raise NotFound(f"There's no match {match_id}.")
    return found


def table_for(connection: Connection, telling: Telling, now: datetime) -> Table | None:
    """Read the match of an outbox row as a table without people, ``None`` if the row was dropped."""
    found = queries.table_of_row(connection, telling.id)
    return None if found is None else Table(_records(connection, [found])[0], now, found.details, found.hidden)


def read_all(connection: Connection, match_ids: Sequence[MatchId]) -> tuple[Match, ...]:
    """Read these matches, in this order."""
    return _records(connection, queries.tables(connection, match_ids))


def _records(connection: Connection, tables: Sequence[TableRows]) -> tuple[Match, ...]:
    """Make the records of matches, with their votes and applications."""
    voted = [table.match.id for table in tables if table.voted]
    ballots = queries.ballots(connection, voted) if voted else {}
    wanted = [table.match.id for table in tables if table.wanted]
    asking = applications.of_matches(connection, wanted) if wanted else {}
    return tuple(_record(table, ballots, asking) for table in tables)


def _record(
    table: TableRows,
    ballots: Mapping[int, tuple[Ballot, ...]],
    asking: Mapping[int, tuple[Application, ...]],
) -> Match:
    beside = tuple(row.seat.name for row in table.seats)
    seats = tuple(
        Seat(**vars(row.seat), **vars(_known(row.about, table.private)), entered=row.entered, beside=beside)
        for row in table.seats
    )
    return Match(
        **vars(table.match),
        everybody=seats,
        ballots=ballots.get(table.match.id, ()),
        applications=asking.get(table.match.id, ()),
        one_board=table.boards is Boards.ONE,
        shown=table.shown,
    )


def _known(about: About, server: Private | None) -> Known:
    """Make the record of a person. They choose how private texts reach them; `server` is the default (P32)."""
    person, settings = about
    by_button = Private.BUTTON in (settings.private, server if settings.private is Private.SERVER else None)
    if by_button:
        person = replace(person, dm=Dm.CLOSED)
    return Known(**vars(person), settings=settings, by_button=by_button)
