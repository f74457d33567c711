"""Leases, shards and retry pauses of news: one process at a time, the right one, and nothing for ever."""

from collections.abc import Sequence
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from db import Database
from db.matches import outbox
from db.matches.outbox import News
from db.model import schema
from db.model.enums import CutOff
from db.model.ids import NO_LINES
from db.store import leases
from db.store.leases import OVERDUE_AFTER, SHARD_BITS
from matches.api import Due, Host, Kind, Lost, ManualClock, Match, Pace, Shards, Status, Telling, Vote, WrongTime
from matches.table.follow import CLOSED_LOBBY_STAYS
from tests.matches.tables import (
    DAY,
    LEASE,
    PEOPLE,
    Hosted,
    absent,
    asked,
    kinds,
    lobby,
    others,
    play,
    raised,
    run_all,
    run_due,
    run_time,
    running,
    tellings,
)

GUILD = 5 << 22
A_MOMENT = timedelta(microseconds=1)


# Leases.


async def test_what_is_in_hand_stays_so_however_long_it_takes(host: Host, database: Database) -> None:
    clock, other = host.work._clock, Host(database, host.work._clock, name="other")
    match = await lobby(host, "saboteur", 3)
    await host.lobby.start(match.id, PEOPLE[0].user_id)
    taken = {row.id for row in await host.outbox.claim(LEASE)}
    for _ in range(20):
        clock.advance(LEASE / 3)
        await host.outbox.renew(taken, lease=LEASE)
        assert await other.outbox.claim(LEASE) == ()
    clock.advance(LEASE)
    assert {row.id for row in await other.outbox.claim(LEASE)} == taken


async def test_a_claim_whose_answer_was_lost_is_free_again_at_the_next_look(host: Host) -> None:
    match = await lobby(host, "saboteur", 3)
    await host.lobby.start(match.id, PEOPLE[0].user_id)
    first, *lost = await host.outbox.claim(LEASE)
    await host.outbox.renew({first.id}, lease=LEASE)
    assert await host.outbox.claim(LEASE) == tuple(lost)


async def test_of_one_match_only_one_process_tells_at_a_time(host: Host, database: Database) -> None:
    other = Host(database, host.work._clock, name="other")
    match = await lobby(host, "saboteur", 3)
    await host.lobby.start(match.id, PEOPLE[0].user_id)
    assert len(await host.outbox.claim(LEASE, limit=1)) == 1
    assert await other.outbox.claim(LEASE) == ()
    assert await host.outbox.claim(LEASE) != ()


# Shards: the process that hears of a server delivers for its matches.


def sharded(database: Database, clock: ManualClock, shard: int) -> Host:
    return Host(database, clock, name=f"shards {shard}", shards=Shards(2, (shard,)))


async def test_a_row_is_taken_by_the_process_of_its_server_and_by_another_once_it_is_overdue(
    database: Database, clock: ManualClock
) -> None:
    zero, one = (sharded(database, clock, shard) for shard in (0, 1))
    match = await lobby(zero, "gambo", 2, guild_id=GUILD)
    assert match.status is Status.RUNNING
    assert await zero.outbox.claim(LEASE) == ()
    clock.advance(OVERDUE_AFTER - A_MOMENT)
    assert await zero.outbox.claim(LEASE) == ()
    clock.advance(A_MOMENT)
    first = await zero.outbox.claim(LEASE, limit=1)
    assert len(first) == 1
    assert await one.outbox.claim(LEASE) == (), "one at a time"
    await zero.outbox.told(first[0].id)
    assert await one.outbox.claim(LEASE) != ()


async def test_rows_about_a_server_are_taken_like_those_of_its_matches(database: Database, clock: ManualClock) -> None:
    zero, one = (sharded(database, clock, shard) for shard in (0, 1))
    for guild_id in (GUILD, GUILD, GUILD + (2 << SHARD_BITS)):
        await zero.work.write(outbox.put, None, guild_id, NO_LINES, [News(Kind.END)], clock.now())
    clock.advance(OVERDUE_AFTER - A_MOMENT)
    assert await zero.outbox.claim(LEASE) == ()
    (first,) = await one.outbox.claim(LEASE, limit=1)
    assert (first.match_id, first.guild_id, first.kind) == (None, GUILD, Kind.END)
    clock.advance(A_MOMENT)
    (other,) = await zero.outbox.claim(LEASE)
    assert other.guild_id == GUILD + (2 << SHARD_BITS), "one process at a time for one server"
    await one.outbox.told(first.id)
    (second,) = await zero.outbox.claim(LEASE)
    assert (second.guild_id, second.id > first.id) == (GUILD, True)


async def test_deadlines_belong_to_the_process_of_their_server_too(database: Database, clock: ManualClock) -> None:
    zero, one = (sharded(database, clock, shard) for shard in (0, 1))
    await running(one, "gambo", guild_id=GUILD, pace=Pace.LIVE)
    clock.advance(timedelta(minutes=4))
    assert await zero.time.claim_due() == ()
    assert [row.kind for row in await one.time.claim_due()] == [Due.REMIND]


def deaf(match: Match, tellings: Sequence[Telling]) -> None:
    """Leave what is handed over in the store."""


async def seconds_until_told(host: Host, clock: ManualClock) -> int:
    """Seconds until a process that looks every second has a row to deliver."""
    for second in range(1, 60):
        clock.advance(timedelta(seconds=1))
        await run_time(host)
        if await host.outbox.claim() or await host.work.read(leases.leased, schema.outbox, host.work.name):
            return second
    raise AssertionError("it is never told")


@pytest.mark.parametrize("what", ["news in hand", "news", "a deadline in hand", "a deadline"])
async def test_what_a_dead_process_has_left_is_told_by_another_within_ten_seconds(
    database: Database, clock: ManualClock, what: str
) -> None:
    zero, one = (sharded(database, clock, shard) for shard in (0, 1))
    zero.work.on_commit = deaf
    if "news" in what:
        await lobby(zero, "gambo", 2, guild_id=GUILD)
    else:
        await running(one, "gambo", guild_id=GUILD, pace=Pace.LIVE)
        clock.advance(timedelta(minutes=4))
    if what == "news in hand":
        assert await one.outbox.claim()
    if what == "a deadline in hand":
        assert await one.time.claim_due()
    assert await seconds_until_told(zero, clock) < 10


async def test_whoever_carries_out_what_is_due_tells_it_unless_somebody_else_tells_something_of_the_match(
    database: Database, clock: ManualClock
) -> None:
    zero, one = (sharded(database, clock, shard) for shard in (0, 1))
    zero.work.on_commit = deaf
    for told in (True, False):
        match = await running(one, "gambo", guild_id=GUILD, pace=Pace.LIVE)
        clock.advance(timedelta(minutes=4) + OVERDUE_AFTER)
        if not told:
            await one.outbox.redraw_lobby(match.id)
            assert await one.outbox.claim()
        await run_time(zero)
        assert bool(await zero.work.read(leases.leased, schema.outbox, zero.work.name)) is told
        await one.play.resign(match.id, PEOPLE[0].user_id)
        clock.advance(timedelta(minutes=1))
        await tellings(zero)


async def test_what_is_in_hand_is_renewed_while_more_is_claimed_and_nothing_else_is_freed(host: Hosted) -> None:
    match = await lobby(host, "saboteur", 3)
    await host.lobby.start(match.id, PEOPLE[0].user_id)
    first, *lost = await host.outbox.claim(LEASE)
    host.clock.advance(LEASE - A_MOMENT)
    await host.outbox.renew({first.id}, (), True, lease=LEASE)
    assert await host.outbox.claim(LEASE) == ()
    host.clock.advance(A_MOMENT)
    assert await host.outbox.claim(LEASE) == tuple(lost)


@pytest.mark.parametrize("by", ["another process", "a commit of this one"])
async def test_what_is_handed_over_while_leases_are_looked_at_is_not_freed(host: Hosted, by: str) -> None:  # FOUND E11
    match = await lobby(host, "saboteur", 3)
    await host.lobby.start(match.id, PEOPLE[0].user_id)
    taker = Host(host.database, host.clock, name="other") if by == "another process" else host
    if by == "another process":
        await host.outbox.claim(LEASE)
    read, taken = host.work.read, list[Telling]()

    async def handed_over() -> None:
        host.clock.advance(LEASE + A_MOMENT)
        taken.extend(await taker.outbox.claim(LEASE))

    async def read_meanwhile(work: Any, /, *arguments: Any, **options: Any) -> Any:
        # The look finds the row of this process's commit. Or it finds its own row, and then another process takes it.
        if by != "another process":
            await handed_over()
        found = await read(work, *arguments, **options)
        if by == "another process":
            await handed_over()
        return found

    host.work.read = read_meanwhile  # type: ignore[method-assign]
    await host.outbox.renew((), lease=LEASE)
    host.work.read = read  # type: ignore[method-assign]
    assert taken
    assert set(await host.work.read(leases.leased, schema.outbox, taker.work.name)) == {(row.id,) for row in taken}


async def test_what_belongs_to_no_server_is_shard_zeros(database: Database, clock: ManualClock) -> None:
    zero, one = (sharded(database, clock, shard) for shard in (0, 1))
    await lobby(zero, "gambo", 2)
    assert await one.outbox.claim(LEASE) == ()
    assert await zero.outbox.claim(LEASE) != ()


# Unreachable servers and places (P17).


async def on_a_server(host: Host, **request: object) -> Match:
    return await running(host, "saboteur", 4, computers=0, guild_id=GUILD, pace=Pace.LIVE, **request)


async def test_while_a_server_is_lost_nothing_is_told_and_nothing_becomes_due(host: Host, clock: ManualClock) -> None:
    match = await on_a_server(host)
    clock.advance(timedelta(minutes=1))
    await host.reach.lose_server(GUILD)
    lost = await host.look.match(match.id)
    assert lost.lost is Lost.SERVER
    clock.advance(30 * DAY)
    assert await host.time.claim_due() == ()
    assert await host.outbox.claim(LEASE) == ()
    await host.play.depart(match.id, absent(match))
    assert not await run_due(host), "no computer plays"
    assert await host.outbox.claim(LEASE) == ()


async def test_a_server_that_is_found_again_goes_on_where_it_stopped(host: Host, clock: ManualClock) -> None:
    match = await on_a_server(host)
    assert match.turn_due is not None
    clock.advance(timedelta(minutes=1))
    await host.reach.lose_server(GUILD)
    clock.advance(10 * DAY)
    await host.reach.find_server(GUILD)
    found = await host.look.match(match.id)
    assert found.lost is None
    assert found.turn_due == match.turn_due + 10 * DAY
    told = await tellings(host)
    assert kinds(told) == [(Kind.BOARD, None)]
    assert not told[0].rings, "the turn has rung before"
    clock.advance(timedelta(minutes=3) - A_MOMENT)
    assert await host.time.claim_due() == ()
    clock.advance(A_MOMENT)
    assert [row.kind for row in await host.time.claim_due()] == [Due.REMIND]


async def test_secrets_that_were_not_told_when_a_server_was_lost_are_told_when_it_is_found(host: Host) -> None:
    match = await lobby(host, "saboteur", 3, guild_id=GUILD)
    await host.lobby.start(match.id, PEOPLE[0].user_id)
    await host.reach.lose_server(GUILD)
    assert await host.outbox.claim(LEASE) == ()
    await host.reach.find_server(GUILD)
    told = kinds(await tellings(host))
    assert told == [*((Kind.SECRETS, seat) for seat in range(3)), (Kind.BOARD, None)]


async def test_a_turn_that_began_while_a_server_was_lost_gets_one_board_which_rings(host: Host) -> None:
    match = await on_a_server(host)
    await tellings(host)
    await host.reach.lose_server(GUILD)
    match = await play(host, match, Random(5))
    assert await host.outbox.claim(LEASE) == ()
    await host.reach.find_server(GUILD)
    boards = [row for row in await tellings(host) if row.kind is Kind.BOARD]
    assert [(row.ply, row.user_id) for row in boards] == [(match.ply, match.mover and match.mover.user_id)]
    assert boards[0].rings, "nobody has been told of this turn"


async def test_a_lobby_of_a_lost_server_is_not_closed_meanwhile(host: Host, clock: ManualClock) -> None:
    match = await lobby(host, "saboteur", guild_id=GUILD)
    clock.advance(timedelta(hours=23))
    await host.reach.lose_server(GUILD)
    clock.advance(10 * DAY)
    assert not await run_due(host)
    await host.reach.find_server(GUILD)
    clock.advance(timedelta(minutes=59))
    assert not await run_due(host)
    clock.advance(timedelta(minutes=1))
    assert await run_due(host)
    assert (await host.look.match(match.id)).status is Status.CANCELLED


async def test_at_the_start_lost_and_found_servers_are_noticed_and_those_of_other_shards_left_alone(
    database: Database, clock: ManualClock
) -> None:
    one = sharded(database, clock, 1)
    gone, back, foreign = [
        (await running(one, "gambo", guild_id=guild_id)).id for guild_id in (GUILD, 7 << 22, 6 << 22)
    ]
    await one.reach.lose_server(7 << 22)
    await one.reach.notice_servers({7 << 22})
    assert (await one.look.match(gone)).lost is Lost.SERVER
    assert (await one.look.match(back)).lost is None
    assert (await one.look.match(foreign)).lost is None


async def test_a_lost_place_is_told_once_and_the_first_post_that_succeeds_starts_the_clocks(host: Hosted) -> None:
    match = await on_a_server(host)
    assert await host.reach.lose(match.id)
    assert not await host.reach.lose(match.id)
    assert kinds(await tellings(host)) == [(Kind.LOST, None)]
    host.clock.advance(match.pace.away - A_MOMENT)
    assert await host.time.claim_due() == ()
    await host.reach.find(match.id)
    host.clock.advance(timedelta(minutes=5))
    assert {row.kind for row in await host.time.claim_due()} == {Due.REMIND, Due.OVERDUE}


async def test_a_computers_turn_waits_until_the_place_is_found(host: Host) -> None:
    match = await on_a_server(host)
    await host.reach.lose(match.id)
    await host.play.depart(match.id, absent(match))
    assert not await run_due(host)
    await host.reach.find(match.id)
    assert await run_due(host)
    assert (await host.look.match(match.id)).ply > match.ply + 1


async def test_a_match_that_is_moved_is_found_there(host: Host, clock: ManualClock) -> None:
    match = await on_a_server(host)
    await host.reach.lose(match.id)
    clock.advance(DAY)
    moved = await host.reach.move(match.id, absent(match), 77, in_thread=True)
    assert (moved.lost, moved.channel_id, moved.in_thread) == (None, 77, True)
    clock.advance(timedelta(minutes=5))
    assert await host.time.claim_due() != ()


# Closed lobbies.


async def test_a_lobby_that_was_closed_is_deleted_after_a_day_and_its_number_never_comes_again(host: Hosted) -> None:
    match = await lobby(host, "saboteur", 3)
    await host.votes.cancel(match.id, PEOPLE[0].user_id)
    await tellings(host)
    host.clock.advance(CLOSED_LOBBY_STAYS - A_MOMENT)
    assert not await run_due(host)
    assert (await host.look.match(match.id)).status is Status.CANCELLED
    host.clock.advance(A_MOMENT)
    assert await run_due(host)
    assert await host.privacy.matches_kept(PEOPLE[0].user_id) == ()
    assert (await lobby(host, "saboteur")).id > match.id


# Late votes and reminders.


async def test_a_vote_about_somebody_who_has_moved_meanwhile_is_not_asked(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 4)
    for _ in range(2):
        await host.absence.note_look(match.id, absent(match), CutOff.GONE)
        clock.advance(DAY / 2)
    (question,) = [row for row in await host.outbox.claim(LEASE) if row.kind is Kind.VOTE]
    voter = others(match)[0]
    after = await play(host, match, Random(1))
    assert question.ply < after.turn_ply
    assert (await host.look.match(match.id)).asking is False
    await raised(WrongTime, host.votes.vote(match.id, voter, Vote.WAIT, ply=question.ply), "nothing to decide")


async def test_after_wait_longer_the_question_is_closed_until_it_is_asked_again(host: Host, clock: ManualClock) -> None:
    match = await asked(host, clock, 3)
    voters = others(match)
    for voter in voters:
        match = await host.votes.vote(match.id, voter, Vote.WAIT)
    assert not match.asking
    await raised(WrongTime, host.votes.vote(match.id, voters[0], Vote.END), "nothing to decide")
    clock.advance(DAY)
    await run_all(host)
    ended = await host.votes.vote(match.id, voters[0], Vote.END)
    assert ended.status is Status.OVER
