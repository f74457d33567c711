"""Matches as they stand in the database, read as the records that everybody else uses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from db import Connection, applications
from db import matches as queries
from db.applications import ApplicationRow
from db.matches import BallotRow, SeatRow, TableRows
from db.outbox import OutboxRow
from db.settings import Ping, PlayerSettings, Private
from games.log import Header
from matches.errors import NotFound
from matches.records import Application, Ballot, Dm, Ended, Kind, Lost, Match, Pace, Seat, Status, Telling, Vote, Where

_TOLD_SEEDS = (Status.OVER, Status.CANCELLED)


class Stored(NamedTuple):
    """A match, and of its row what nobody outside may see or needs: the seed while it is secret, the post owed."""

    match: Match
    seed: bytes
    board_owed: bool


async def read(connection: Connection, match_id: int, *, lock: bool = False) -> Stored:
    """One match; with `lock` it is this transaction's alone. Raises NotFound."""
    found = await queries.table(connection, match_id, lock=lock)
    if found is None:
        raise NotFound(f"There is no match number {match_id}.")
    (match,) = await _records(connection, [found])
    return Stored(match, found.match.seed, found.match.board_owed)


async def read_for(connection: Connection, telling: Telling) -> Match | None:
    """The match of something that is to be told, ``None`` where it is no longer worth telling."""
    found = await queries.table_of_row(connection, telling.match_id, telling.id)
    return None if found is None else (await _records(connection, [found]))[0]


async def read_all(connection: Connection, match_ids: Sequence[int]) -> tuple[Match, ...]:
    """These matches, in this order."""
    return await _records(connection, await queries.tables(connection, match_ids))


async def _records(connection: Connection, tables: Sequence[TableRows]) -> tuple[Match, ...]:
    """With the votes and applications of those that have any."""
    voted = [table.match.id for table in tables if table.voted]
    ballots = await queries.ballots(connection, voted) if voted else []
    wanted = [table.match.id for table in tables if table.wanted]
    asking = await applications.of_matches(connection, wanted) if wanted else []
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


def header(match: Match) -> Header:
    """The first line of the match's log."""
    return Header(match.game, len(match.seats), match.options, match.rules_version)


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
        seats=tuple(_seat(seat, by_button=table.private == Private.BUTTON) for seat in table.seats),
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


def _seat(row: SeatRow, *, by_button: bool) -> Seat:
    """A seat; `by_button`: on this server what is private comes by button to whoever has not said otherwise (P32)."""
    private = Private(row.private or Private.SERVER)
    no_dms = private is Private.BUTTON or (private is Private.SERVER and by_button)
    return Seat(
        position=row.position,
        seat=row.seat,
        user_id=row.user_id,
        name=row.name,
        computer=row.computer,
        dm=Dm.CLOSED if no_dms else Dm(row.dm or Dm.UNKNOWN),
        resigned=row.resigned,
        settings=PlayerSettings(Ping(row.ping or Ping.MENTION), bool(row.large), bool(row.spoiler), private),
        away_until=row.away_until,
        won=row.won,
        points=row.points,
        dm_channel_id=row.dm_channel_id,
        hand_message_id=row.hand_message_id,
        by_button=no_dms,
    )
