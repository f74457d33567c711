"""Matches as they stand in the database, read as the records that everybody else uses."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from db import Connection, applications, settings
from db import matches as queries
from db.applications import ApplicationRow
from db.matches import PERSONAL, BallotRow, SeatRow, TableRows
from db.outbox import OutboxRow
from db.settings import NOTHING, Cancellers, KnownRow, Ping, PlayerSettings, Private
from matches.errors import NotFound
from matches.records import Application, Ballot, Dm, Ended, Kind, Lost, Match, Pace, Seat, Status, Telling, Vote, Where
from matches.table.value import Known, Table

_TOLD_SEEDS = (Status.OVER, Status.CANCELLED)


def read(connection: Connection, match_id: int) -> Match:
    """One match. Raises NotFound."""
    return _records(connection, [_found(connection, match_id)])[0]


def table(
    connection: Connection, match_id: int, now: datetime, *, lock: bool = False, people: Collection[int] = ()
) -> Table:
    """One match as a table without its position; with `lock` it is this transaction's alone. Raises NotFound.

    `people` are those who may sit down.
    """
    found = _found(connection, match_id, lock=lock)
    (match,) = _records(connection, [found])
    about, stranger = known(connection, people, found.private)
    return Table(
        match,
        now,
        found.match.seed,
        board_owed=found.match.board_owed,
        known=about,
        stranger=stranger,
        hosts_may_end=found.who_cancels == Cancellers.HOSTS,
    )


def known(connection: Connection, people: Collection[int], private: str | None) -> tuple[dict[int, Known], Known]:
    """What is known about these persons, and of anybody else, on a server that wants what is `private` so."""
    rows = settings.known(connection, people) if people else []
    return {row.user_id: _known(row, private) for row in rows}, _known(NOTHING, private)


def _found(connection: Connection, match_id: int, *, lock: bool = False) -> TableRows:
    found = queries.table(connection, match_id, lock=lock)
    if found is None:
        raise NotFound(f"There is no match number {match_id}.")
    return found


def read_for(connection: Connection, telling: Telling) -> Match | None:
    """The match of something that is to be told, ``None`` where it is no longer worth telling."""
    found = queries.table_of_row(connection, telling.match_id, telling.id)
    return None if found is None else (_records(connection, [found]))[0]


def read_all(connection: Connection, match_ids: Sequence[int]) -> tuple[Match, ...]:
    """These matches, in this order."""
    return _records(connection, queries.tables(connection, match_ids))


def _records(connection: Connection, tables: Sequence[TableRows]) -> tuple[Match, ...]:
    """With the votes and applications of those that have any."""
    voted = [table.match.id for table in tables if table.voted]
    ballots = queries.ballots(connection, voted) if voted else []
    wanted = [table.match.id for table in tables if table.wanted]
    asking = applications.of_matches(connection, wanted) if wanted else []
    return tuple(
        _record(
            table,
            [ballot for ballot in ballots if ballot.match_id == table.match.id],
            [application for application in asking if application.match_id == table.match.id],
        )
        for table in tables
    )


def telling(row: OutboxRow) -> Telling:
    """A row of the outbox."""
    return Telling(**{**row._asdict(), "kind": Kind(row.kind)})


def _record(table: TableRows, ballots: Sequence[BallotRow], wanted: Sequence[ApplicationRow]) -> Match:
    row = table.match
    status = Status(row.status)
    return Match(
        id=row.id,
        game=row.game,
        options=row.options,
        rules_version=row.rules_version,
        status=status,
        host_id=row.host_id,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        thread_id=row.thread_id,
        lobby_message_id=row.lobby_message_id,
        board_message_id=row.board_message_id,
        board_ply=row.board_ply,
        commitment=row.commitment,
        seed=row.seed if status in _TOLD_SEEDS else None,
        pace=Pace(row.pace),
        where=Where(row.setting),
        size=row.size,
        invited=tuple(row.invited),
        seats=tuple(_seat(seat, table.private) for seat in table.seats),
        ply=row.ply,
        to_move=row.to_move,
        turn_ply=row.turn_ply,
        turn_at=row.turn_at,
        turn_due=row.turn_due,
        reminded=row.reminded,
        asked=row.asked,
        ballots=tuple(Ballot(ballot.user_id, Vote(ballot.choice)) for ballot in ballots),
        created_at=row.created_at,
        started_at=row.started_at,
        ended_at=row.ended_at,
        rematch_of=row.rematch_of,
        ended_by=None if row.ended_by is None else Ended(row.ended_by),
        reason=row.reason,
        counts=row.counts,
        witnesses=tuple(row.witnesses),
        asking=row.asking,
        in_thread=row.in_thread,
        rung=tuple(row.rung),
        lost=None if row.lost is None else Lost(row.lost),
        lost_at=row.lost_at,
        applications=tuple(Application(each.user_id, each.name, each.seat, tuple(each.agreed)) for each in wanted),
    )


def _seat(row: SeatRow, private: str | None) -> Seat:
    """A seat, on a server that wants what is `private` so."""
    about = KnownRow(row.user_id or 0, *(getattr(row, name) for name in PERSONAL))
    return Seat(
        position=row.position,
        seat=row.seat,
        user_id=row.user_id,
        name=row.name,
        computer=row.computer,
        resigned=row.resigned,
        won=row.won,
        points=row.points,
        hand_message_id=row.hand_message_id,
        **_known(about, private)._asdict(),
    )


def _known(row: KnownRow, server: str | None) -> Known:
    """What is known about a person. What is private comes as they, or else the `server`, want it (P32)."""
    private = Private(row.private or Private.SERVER)
    no_dms = private is Private.BUTTON or (private is Private.SERVER and server == Private.BUTTON)
    return Known(
        dm=Dm.CLOSED if no_dms else Dm(row.dm or Dm.UNKNOWN),
        settings=PlayerSettings(Ping(row.ping or Ping.MENTION), bool(row.large), bool(row.spoiler), private),
        away_until=row.away_until,
        dm_channel_id=row.dm_channel_id,
        by_button=no_dms,
    )
