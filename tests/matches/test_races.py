"""Two processes over one store do the same thing at the same moment, again and again. The result is always right.

With SQLite one transaction writes at a time, so few trials suffice. A server gets enough trials to show a failure.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import replace
from datetime import timedelta
from random import Random
from typing import Any, NamedTuple

import pytest

from db import Database
from db.matches import deadlines
from db.model.enums import Dm
from db.model.rows import DeadlineRow
from db.orders import kept as stored_orders
from db.ratings import kept as ladders
from db.results import keyed
from matches.api import (
    Due,
    Host,
    HostError,
    Kind,
    ManualClock,
    Match,
    NewMatch,
    NotFound,
    Once,
    Pace,
    Person,
    PlayerSettings,
    Ration,
    Shards,
    Stale,
    Status,
    Terms,
    Unavailable,
    UserId,
    Vote,
    WrongTime,
)
from matches.lessons import LessonPage, Lessons
from matches.orders import Orders
from matches.ratings import storing
from matches.table.limits import OPEN_TABLES
from tests.matches.tables import (
    DAY,
    LEASE,
    PEOPLE,
    Seeds,
    lobby,
    moved,
    mover_view,
    others,
    play,
    run_all,
    run_due,
    running,
    tellings,
)
from tests.matches.tables import absent as others_of_turn
from tests.store import SERVER

TRIALS = 2 if SERVER is None else 40
LONG = 1 if SERVER is None else 13
"""The number of trials in slower tests."""

ANN, BOB, CLEO, DAN = PEOPLE[:4]


@pytest.fixture
async def two(url: str, clock: ManualClock) -> AsyncIterator[tuple[Host, Host]]:
    """Two hosts that share only the store, like two processes."""
    async with await Database.open(url) as one, await Database.open(url) as other:
        yield (
            Host(one, clock, Seeds("one"), name="shards 0", shards=Shards(2, (0,)), ration=Ration(1, 1000)),
            Host(other, clock, Seeds("other"), name="shards 1", shards=Shards(2, (1,)), ration=Ration(1, 1000)),
        )


@pytest.fixture
def one(two: tuple[Host, Host]) -> Host:
    return two[0]


@pytest.fixture
def other(two: tuple[Host, Host]) -> Host:
    return two[1]


def server(trial: int) -> int:
    """A server for every trial, so that nobody meets a limit."""
    return (trial + 1) << 22


async def at_once(*doing: Coroutine[Any, Any, Any]) -> list[Any]:
    """The result of each: what it returned, or its refusal. Any other error is raised, also a failure of the store."""
    results = await asyncio.gather(*doing, return_exceptions=True)
    for result in results:
        if isinstance(result, BaseException) and (not isinstance(result, HostError) or isinstance(result, Unavailable)):
            raise result
    return results


def refused(results: list[Any]) -> list[HostError]:
    return [result for result in results if isinstance(result, HostError)]


# Lobbies.


async def test_two_who_join_at_once_both_sit(one: Host, other: Host) -> None:
    for trial in range(TRIALS):
        match = await lobby(one, "saboteur", guild_id=server(trial))
        results = await at_once(one.lobby.join(match.id, BOB), other.lobby.join(match.id, CLEO))
        assert refused(results) == []
        match = await other.look.match(match.id)
        assert {seat.user_id for seat in match.seats} == {ANN.user_id, BOB.user_id, CLEO.user_id}
        assert len({seat.position for seat in match.seats}) == 3


async def test_of_two_who_want_the_last_seat_one_gets_it_and_the_match_goes_on(one: Host, other: Host) -> None:
    for trial in range(TRIALS):
        match = await lobby(one, "ambagibus", 3, guild_id=server(trial), size=4)
        results = await at_once(one.lobby.join(match.id, DAN), other.lobby.join(match.id, PEOPLE[4]))
        assert len(refused(results)) == 1
        match = await one.look.match(match.id)
        assert (match.status, len(match.seats)) == (Status.RUNNING, 4)
        after = await play(other, match, Random(trial))
        assert after.status in (Status.RUNNING, Status.OVER)
        assert after.ply > match.ply


async def test_one_command_that_reaches_two_processes_opens_one_lobby(one: Host, other: Host) -> None:
    for trial in range(TRIALS):
        request = NewMatch("gambo", trial + 1, guild_id=server(trial))
        first, second = await at_once(
            *(host.lobby.open(replace(request, interaction_id=1000 + trial), ANN) for host in (one, other))
        )
        assert first == second
        assert await one.look.matches_in(trial + 1) == (first,)


async def test_one_press_that_reaches_two_processes_seats_its_person_once(one: Host, other: Host) -> None:
    for trial in range(LONG):
        match = await lobby(one, "saboteur", guild_id=server(trial))
        first, second = await at_once(*(host.lobby.join(Once(match.id, 1000 + trial), BOB) for host in (one, other)))
        assert first == second
        assert len(first.seats) == 2


async def test_two_who_start_a_match_at_once_start_it_once(one: Host, other: Host) -> None:
    for trial in range(LONG):
        match = await lobby(one, "saboteur", 3, guild_id=server(trial))
        results = await at_once(*(host.lobby.start(match.id, ANN.user_id) for host in (one, other)))
        assert len(refused(results)) == 1
        match = await one.look.match(match.id)
        assert len(await other.look.history(match.id, None)) == match.ply
        told = await tellings(one if server(trial) >> 22 & 1 == 0 else other, match.id)
        assert [row.kind for row in told].count(Kind.BOARD) == 1


async def test_one_who_leaves_while_the_match_starts_sits_at_it_or_does_not(one: Host, other: Host) -> None:
    for trial in range(LONG):
        match = await lobby(one, "saboteur", 4, guild_id=server(trial))
        await at_once(one.lobby.start(match.id, ANN.user_id), other.lobby.leave(match.id, DAN.user_id))
        match = await one.look.match(match.id)
        assert match.status is Status.RUNNING
        assert (await play(other, match, Random(trial))).ply > match.ply


async def test_two_who_want_a_rematch_at_once_sit_in_one(one: Host, other: Host) -> None:
    for trial in range(LONG):
        old = await running(one, "gambo", guild_id=server(trial))
        await one.play.resign(old.id, ANN.user_id)
        results = await at_once(
            one.lobby.rematch(Once(old.id, 2000 + trial), ANN), other.lobby.rematch(Once(old.id, 3000 + trial), BOB)
        )
        assert refused(results) == []
        match = await one.look.match(results[0].id)
        assert {result.id for result in results} == {match.id}
        assert {seat.user_id for seat in match.seats} == {ANN.user_id, BOB.user_id}
        assert match.status is Status.RUNNING


# Running matches.


async def test_of_two_actions_of_one_turn_one_is_stored(one: Host, other: Host) -> None:
    match = await running(one, "gambo", guild_id=server(0))
    for trial in range(TRIALS):
        view = await mover_view(one, match)
        user_id, moves = others_of_turn(view.match), Random(trial).sample(view.moves, min(2, len(view.moves)))
        # Which action is first differs from run to run. So a position may leave only one move; then both play it.
        texts = [moves[0].text, moves[-1].text]
        results = await at_once(
            *(
                host.play.act(match.id, user_id, text, ply=view.ply)
                for host, text in zip((one, other), texts, strict=True)
            )
        )
        (refusal,) = refused(results)
        match = await other.look.match(match.id)
        # The action that was stored may have been the match's last one.
        assert isinstance(refusal, Stale if match.status is Status.RUNNING else (Stale, WrongTime))
        if match.status is not Status.RUNNING:
            match = await running(one, "gambo", guild_id=server(trial + 1))
    assert len(await one.look.history(match.id, None)) == match.ply


async def test_one_press_that_reaches_two_processes_is_one_action(one: Host, two: tuple[Host, Host]) -> None:
    match = await running(one, "ambush", guild_id=server(0))
    for trial in range(TRIALS):
        view = await mover_view(one, match)
        user_id, text = others_of_turn(view.match), view.moves[0].text
        first, second = await at_once(
            *(host.play.act(Once(match.id, trial), user_id, text, ply=view.ply) for host in two)
        )
        assert first == second
        match = first
        if match.status is not Status.RUNNING:
            match = await running(one, "ambush", guild_id=server(trial + 1))


async def test_whoever_looks_while_somebody_moves_sees_one_moment(one: Host, other: Host) -> None:
    match = await running(one, "ambush", guild_id=server(0))
    for trial in range(TRIALS):
        looking = [other.look.view(match.id, seat.user_id) for seat in match.seats for _ in range(3)]
        match, *views = await at_once(play(one, match, Random(trial)), *looking)
        for view in views:
            assert view.ply == view.match.ply
            assert view.match.ply in (match.ply, match.ply - 1) or match.status is not Status.RUNNING
        if match.status is not Status.RUNNING:
            match = await running(one, "ambush", guild_id=server(trial + 1))


async def test_two_of_three_who_vote_alike_at_once_decide(one: Host, other: Host, clock: ManualClock) -> None:
    for trial in range(LONG):
        match = await running(one, "saboteur", 4, guild_id=server(trial))
        clock.advance(DAY)
        for host in (one, other):
            await run_all(host)
        match = await one.look.match(match.id)
        assert match.asking
        first, second, _ = others(match)
        results = await at_once(
            one.votes.vote(match.id, first, Vote.COMPUTER), other.votes.vote(match.id, second, Vote.COMPUTER)
        )
        assert refused(results) == []
        assert not (await one.look.match(match.id)).asking


async def test_two_who_agree_to_end_a_match_at_once_end_it(one: Host, other: Host) -> None:
    for trial in range(TRIALS):
        match = await running(one, "gambo", 2, guild_id=server(trial))
        results = await at_once(one.votes.cancel(match.id, ANN.user_id), other.votes.cancel(match.id, BOB.user_id))
        assert refused(results) == []
        assert (await one.look.match(match.id)).status is Status.OVER


# Orders: moves that were said in advance.


class Waits(NamedTuple):
    """A match in which the order of the person to move is due. One process has taken up the deadline."""

    match: Match
    due: DeadlineRow
    said: str
    owner: UserId
    rival: UserId
    number: int


async def order_due(one: Host, clock: ManualClock, trial: int) -> Waits:
    match = await running(one, "ambush", guild_id=server(trial))
    rival = others_of_turn(match)
    (owner,) = others(match)
    prepared, view = await one.part(Orders).look(match.id, owner), await mover_view(one, match)
    said = prepared.next_view.moves[-1].text
    await one.part(Orders).give(match.id, owner, said, ply=match.ply)
    match = await one.play.act(match.id, rival, view.moves[0].text, ply=match.ply)
    clock.advance(timedelta(minutes=3))
    (row,) = await one.time.claim_due((Due.ORDER,))
    assert row.match_id == match.id
    (order,) = await one.work.read(stored_orders.of_match, match.id)
    return Waits(match, row, said, owner, rival, order.number)


async def against(
    waits: Waits, two: tuple[Host, Host], deed: Callable[[Host], Coroutine[Any, Any, Any]], trial: int
) -> tuple[bool, list[str]]:
    """Carry the order out while another process does something. Return whether one was refused, and the lines since.

    Check that no order stands or waits afterwards. In the last two trials one is done after the other, each first once.
    """
    quick, slow = two
    order, by_hand = (quick, slow) if trial % 2 else (slow, quick)
    doing = [order.time.happen(waits.due), deed(by_hand)]
    if trial < TRIALS:
        results = await at_once(*doing)
    else:
        results = [each for one in (doing if trial % 2 else doing[::-1]) for each in await at_once(one)]
    late = refused(results)
    assert all(isinstance(each, Stale | NotFound) for each in late)
    assert await quick.work.read(stored_orders.of_match, waits.match.id) == ()
    assert await quick.work.read(deadlines.get, waits.match.id, Due.ORDER) is None
    lines = [line.text for line in await quick.look.history(waits.match.id, None)]
    return bool(late), lines[waits.match.ply :]


async def test_an_order_and_a_move_by_hand_at_once_are_one_move(two: tuple[Host, Host], clock: ManualClock) -> None:
    for trial in range(TRIALS + 2):
        waits = await order_due(two[0], clock, trial)
        moves = (await mover_view(two[0], waits.match)).moves
        typed = next(move.text for move in moves if move.text != waits.said)

        def by_hand(host: Host, waits: Waits = waits, typed: str = typed) -> Coroutine[Any, Any, Any]:
            return host.play.act(waits.match.id, waits.owner, typed, ply=waits.match.ply)

        late, lines = await against(waits, two, by_hand, trial)
        assert lines == [waits.said if late else typed]


async def test_an_order_that_is_deleted_when_it_is_due_is_made_or_gone(
    two: tuple[Host, Host], clock: ManualClock
) -> None:
    for trial in range(TRIALS + 2):
        waits = await order_due(two[0], clock, trial)

        def deleted(host: Host, waits: Waits = waits) -> Coroutine[Any, Any, Any]:
            return host.part(Orders).drop(waits.match.id, waits.owner, waits.number)

        late, lines = await against(waits, two, deleted, trial)
        assert lines == ([waits.said] if late else [])


async def test_no_order_is_carried_out_after_a_vote_that_ends_the_match(
    two: tuple[Host, Host], clock: ManualClock
) -> None:
    for trial in range(TRIALS + 2):
        waits = await order_due(two[0], clock, trial)
        await two[0].votes.cancel(waits.match.id, waits.rival)

        def voted(host: Host, waits: Waits = waits) -> Coroutine[Any, Any, Any]:
            return host.votes.cancel(waits.match.id, waits.owner)

        late, lines = await against(waits, two, voted, trial)
        assert not late
        assert lines in ([waits.said, "end vote"], ["end vote"])
        assert (await two[0].look.match(waits.match.id)).status is Status.OVER


async def test_an_order_and_a_take_back_at_once_are_one_of_both(two: tuple[Host, Host], clock: ManualClock) -> None:
    for trial in range(TRIALS + 2):
        waits = await order_due(two[0], clock, trial)
        await two[0].votes.undo(waits.match.id, waits.rival, ply=waits.match.ply)

        def agreed(host: Host, waits: Waits = waits) -> Coroutine[Any, Any, Any]:
            return host.votes.undo(waits.match.id, waits.owner, ply=waits.match.ply)

        late, lines = await against(waits, two, agreed, trial)
        assert (waits.said in lines) == late
        assert (await two[0].look.match(waits.match.id)).waits_for(waits.rival)


# News and deadlines.


async def test_what_has_to_be_told_is_told_by_one_process(two: tuple[Host, Host], clock: ManualClock) -> None:
    for trial in range(TRIALS):
        await lobby(two[0], "gambo", 2, guild_id=server(trial))
        clock.advance(timedelta(minutes=1))
        claimed = await at_once(*(host.outbox.claim(LEASE) for host in two for _ in range(2)))
        numbers = [row.id for rows in claimed for row in rows]
        assert numbers
        assert len(numbers) == len(set(numbers))
        for number in numbers:
            await two[0].outbox.told(number)


async def test_what_is_due_is_done_by_one_process(two: tuple[Host, Host], clock: ManualClock) -> None:
    for trial in range(TRIALS):
        match = await running(two[0], "gambo", guild_id=server(trial), pace=Pace.LIVE)
        clock.advance(timedelta(minutes=4))
        claimed = await at_once(*(host.time.claim_due() for host in two for _ in range(2)))
        rows = [row for rows in claimed for row in rows]
        assert [(row.match_id, row.kind) for row in rows] == [(match.id, Due.REMIND)]
        await two[0].play.resign(match.id, ANN.user_id)


async def test_a_computers_turn_is_played_once(one: Host, other: Host, clock: ManualClock) -> None:
    for trial in range(LONG):
        match = await running(one, "gambo", 1, 1, guild_id=server(trial))
        for _ in range(4):
            match = await one.look.match(match.id)
            if match.status is Status.RUNNING and match.mover is not None and match.mover.present:
                match = await play(one, match, Random(trial))
            clock.advance(timedelta(minutes=1))
            await at_once(run_due(one), run_due(other))
        match = await one.look.match(match.id)
        assert len(await other.look.history(match.id, None)) == match.ply
        assert match.status is Status.OVER or match.mover is not None


# People, whatever they play.


async def test_two_settings_of_one_person_are_both_kept(one: Host, other: Host) -> None:
    for trial in range(TRIALS):
        person = UserId(1000 + trial)
        results = await at_once(
            one.settings.set_player_settings(person, PlayerSettings(hidden=True)),
            other.dms.note_dm(person, True),
            one.dms.note_dm_channel(person, 7),
            other.absence.away(person, None),
        )
        assert refused(results) == []
        assert (await one.settings.player_settings(person)).hidden
        assert await one.dms.dm_of(person) is Dm.OPEN
        assert (await one.dms.door(person, asked=False)).channel_id == 7


async def test_of_two_who_would_open_a_direct_message_one_may(one: Host, other: Host, clock: ManualClock) -> None:
    for trial in range(TRIALS):
        doors = await at_once(*(host.dms.door(UserId(2000 + trial), asked=True) for host in (one, other)))
        assert sorted(door.may_open for door in doors) == [False, True]
        clock.advance(timedelta(minutes=2))


async def test_two_answers_in_the_lessons_at_once_are_one_after_the_other(one: Host, other: Host) -> None:
    for trial in range(TRIALS):
        person = UserId(1000 + trial)
        results = await at_once(
            *(
                host.part(Lessons).skip(LessonPage(person, "gambo", 0, number))
                for number, host in enumerate((one, other), 10 * trial)
            )
        )
        (refusal,) = refused(results)
        assert isinstance(refusal, Stale)
        standing = await one.part(Lessons).standing(person, "gambo")
        assert (standing.turn, len(standing.skipped)) == (1, 1)


# FOUND C1
async def test_two_that_give_the_same_gap_back_give_it_once(two: tuple[Host, Host], clock: ManualClock) -> None:
    match = await running(two[0], "saboteur", 3, guild_id=500)
    two[0].presence.arrive(0, 1, clock.now(), replayed=False)
    await two[0].presence.settle()
    for _ in range(TRIALS):
        due = (await two[0].look.match(match.id)).turn_due
        assert due is not None
        clock.advance(timedelta(seconds=50))
        for host in two:
            host.presence.arrive(0, 1, clock.now(), replayed=False)
        await at_once(*(host.presence.settle() for host in two))
        assert (await two[0].look.match(match.id)).turn_due == due + timedelta(seconds=50)


async def test_two_who_are_away_and_one_who_is_forgotten_are_no_trouble_to_each_other(
    one: Host, other: Host, clock: ManualClock
) -> None:
    for trial in range(LONG):
        people = [Person(UserId(10_000 + 10 * trial + number), f"P{number}") for number in range(3)]
        for number in range(4):
            match = await one.lobby.open(NewMatch("saboteur", 1, Terms(size=3), server(trial)), people[number % 3])
            for person in people:
                if person is not people[number % 3]:
                    match = await one.lobby.join(match.id, person)
            assert match.status is Status.RUNNING
            clock.advance(timedelta(hours=12))
        until = clock.now() + timedelta(days=2)
        first, second, _ = await at_once(
            one.absence.away(people[0].user_id, until),
            other.absence.away(people[1].user_id, until),
            one.privacy.forget(people[2].user_id),
        )
        assert len(first) == len(second) == 4
        await at_once(one.privacy.go_on(people[2].user_id), other.privacy.go_on(people[2].user_id))
        assert await one.privacy.matches_kept(people[2].user_id) == ()


async def test_rated_matches_that_begin_and_end_at_once_are_all_counted(one: Host, other: Host) -> None:
    for trial in range(LONG):
        guild = server(trial)
        lobbies = [await lobby(one, "gambo", guild_id=guild) for _ in range(2)]
        lobbies += [await one.lobby.open(NewMatch("gambo", 1, guild_id=guild), BOB) for _ in range(2)]
        joining = [(one, 0, BOB), (other, 1, BOB), (one, 2, ANN), (other, 3, ANN)]
        begun = await at_once(*(host.lobby.join(lobbies[at].id, person) for host, at, person in joining))
        assert refused(begun) == []
        for match in lobbies:
            await moved(one, await one.look.match(match.id))
        ended = await at_once(
            *(host.play.resign(match.id, ANN.user_id) for host, match in zip((one, other) * 2, lobbies, strict=True))
        )
        assert refused(ended) == []
        tallies = await one.archive.tally_of(ANN.user_id)
        assert sum(tally.played for tally in tallies) == 4 * (trial + 1)
        (of,) = await one.work.read_at_length(None, keyed.ladders_of, guild)
        assert await one.work.read(storing.is_complete, of)
        found = await one.work.read_at_length(None, ladders.all_ratings, of)
        assert sorted(row.matches for row in found.values()) == [4, 4]
        results = await one.work.read_at_length(None, keyed.results_of, of)
        assert {result.match_id for _, result in results} == {match.id for match in lobbies}


async def test_whoever_joins_many_tables_at_once_sits_at_no_more_than_five(one: Host, other: Host) -> None:  # FOUND F7
    for trial in range(LONG):
        guild = server(trial)
        hosts = [Person(UserId(20_000 + number), f"P{number}") for number in range(2 * OPEN_TABLES)]
        lobbies = [await one.lobby.open(NewMatch("saboteur", 1, guild_id=guild), person) for person in hosts]
        joining = (
            host.lobby.join(match.id, BOB) for host, match in zip((one, other) * OPEN_TABLES, lobbies, strict=True)
        )
        opening = (host.lobby.open(NewMatch("saboteur", 1, guild_id=guild), BOB) for host in (one, other))
        assert len(refused(await at_once(*joining, *opening))) == 2 * OPEN_TABLES + 2 - OPEN_TABLES
        found = [await other.look.match(match.id) for match in lobbies]
        opened = await one.look.matches_of(BOB.user_id)
        assert len(opened) == OPEN_TABLES * (trial + 1)
        assert sum(match.seat_of(BOB.user_id) is not None for match in found) <= OPEN_TABLES
