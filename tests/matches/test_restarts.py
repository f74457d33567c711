"""After a process has died, a clock was set back, or Discord delivers twice: nothing waits, nothing doubles."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from db import Database
from db.matches import presses
from matches.api import Host, Kind, ManualClock, Match, NotFound, Once, Status, UserId, WrongTime
from matches.table.opening import SHOWN_WITHIN
from tests.matches.tables import DAY, LEASE, PEOPLE, Hosted, kinds, lobby, numbers, raised, run_due, running, tellings

LOBBY = [(Kind.LOBBY, None)]
HOST, GUEST, LATER = PEOPLE[0].user_id, PEOPLE[1], PEOPLE[2]


# Lobbies that were never shown.


async def test_a_lobby_whose_message_nobody_has_noted_is_told(host: Host, clock: ManualClock) -> None:
    match = await lobby(host, "saboteur")
    assert kinds(await tellings(host)) == []
    clock.advance(SHOWN_WITHIN)
    assert kinds(await tellings(host, match.id)) == LOBBY


async def test_a_lobby_that_has_its_message_is_not_told_again(host: Host, clock: ManualClock) -> None:
    match = await lobby(host, "saboteur")
    await host.outbox.set_lobby_message(match.id, 5)
    clock.advance(SHOWN_WITHIN)
    assert kinds(await tellings(host)) == []


@pytest.mark.parametrize("noted", [False, True])
async def test_a_lobby_that_starts_before_it_was_noted_is_told_once(
    host: Host, clock: ManualClock, noted: bool
) -> None:
    match = await lobby(host, "ambush", 2)
    if match.status is Status.LOBBY:
        await host.lobby.start(match.id, HOST)
    if noted:
        await host.outbox.set_lobby_message(match.id, 5)
    clock.advance(SHOWN_WITHIN)
    assert [kind for kind, _ in kinds(await tellings(host))] == [Kind.LOBBY, Kind.BOARD]


# What a dead process had started.


async def test_what_a_dead_process_had_taken_is_there_for_its_successor_at_once(host: Hosted) -> None:
    match = await lobby(host, "saboteur", 3)
    await host.lobby.start(match.id, HOST)
    taken = await host.outbox.claim(LEASE)
    await host.outbox.retry(taken[0].id, timedelta(minutes=10))
    successor = Host(host.database, host.clock)
    assert await successor.outbox.claim(LEASE) == ()
    await successor.outbox.take_over()
    assert numbers(await successor.outbox.claim(LEASE)) == numbers(taken)


async def test_what_another_living_process_has_taken_stays_with_it(database: Database, clock: ManualClock) -> None:
    one, two = (Host(database, clock, name=f"shards {shard}") for shard in (0, 1))
    match = await lobby(one, "saboteur", 3)
    await one.lobby.start(match.id, HOST)
    assert await one.outbox.claim(LEASE)
    await two.outbox.take_over()
    assert await two.outbox.claim(LEASE) == ()


async def test_a_computers_turn_that_a_dead_process_had_claimed_is_played_at_once(
    host: Host, database: Database, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await running(host, "saboteur", 2, computers=1)
    while match.mover is not None and match.mover.present:
        view = await host.look.view(match.id, match.mover.user_id)
        match = await host.play.act(match.id, UserId(match.mover.user_id or 0), view.moves[0].text)

    async def die(*_: object) -> str:
        raise LookupError("killed")

    monkeypatch.setattr(host.thinking.computers, "choose", die)
    await raised(ExceptionGroup, run_due(host))
    successor = Host(database, clock)
    assert not await run_due(successor)
    await successor.outbox.take_over()
    assert await run_due(successor)
    assert (await host.look.match(match.id)).ply > match.ply


# A clock that was set back.


async def test_a_clock_that_is_set_back_delays_nothing_that_was_to_be_told(host: Host, clock: ManualClock) -> None:
    match = await lobby(host, "saboteur", 3)
    clock.advance(2 * DAY)
    await host.lobby.start(match.id, HOST)
    taken = await host.outbox.claim(LEASE)
    await host.outbox.retry(taken[0].id, timedelta(minutes=10))
    clock.advance(-2 * DAY)
    assert numbers(await host.outbox.claim(LEASE)) == numbers(taken)
    assert await host.outbox.claim(LEASE) == ()


# Redeliveries.

Change = Callable[[Host, Match], Awaitable[Match]]
TWICE: dict[str, Change] = {
    "join": lambda host, match: host.lobby.join(Once(match.id, 7), LATER),
    "leave": lambda host, match: host.lobby.leave(Once(match.id, 7), GUEST.user_id),
    "remove": lambda host, match: host.lobby.remove(Once(match.id, 7), HOST, GUEST.user_id),
    "add a computer": lambda host, match: host.lobby.add_computer(Once(match.id, 7), HOST),
    "remove a computer": lambda host, match: host.lobby.remove_computer(Once(match.id, 7), HOST),
    "watch": lambda host, match: host.lobby.watch(Once(match.id, 7), HOST),
    "close": lambda host, match: host.votes.cancel(Once(match.id, 7), HOST),
}


@pytest.mark.parametrize("change", TWICE.values(), ids=TWICE)
async def test_a_press_that_is_delivered_twice_changes_a_lobby_once(host: Host, change: Change) -> None:
    match = await lobby(host, "saboteur", 2, computers=2)
    after = await change(host, match)
    assert after != match
    assert await change(host, match) == after


async def test_a_press_delivered_again_after_another_does_not_undo_that(host: Host) -> None:
    match = await lobby(host, "saboteur", 2)
    await host.lobby.join(Once(match.id, 7), LATER)
    left = await host.lobby.leave(Once(match.id, 8), LATER.user_id)
    assert await host.lobby.join(Once(match.id, 7), LATER) == left


async def test_a_press_that_was_refused_may_come_again(host: Host) -> None:
    match = await lobby(host, "saboteur", 1)
    await raised(ValueError, host.lobby.remove(Once(match.id, 7), HOST, GUEST.user_id), "isn't at this table")
    await host.lobby.join(match.id, GUEST)
    assert len((await host.lobby.remove(Once(match.id, 7), HOST, GUEST.user_id)).seats) == 1


async def test_a_press_that_closes_a_lobby_is_known_until_the_lobby_is_deleted(host: Host, clock: ManualClock) -> None:
    match = await lobby(host, "saboteur", 1)
    closed = await host.lobby.leave(Once(match.id, 7), HOST)
    assert closed.status is Status.CANCELLED
    assert await host.lobby.leave(Once(match.id, 7), HOST) == closed
    await raised(WrongTime, host.lobby.leave(Once(match.id, 8), HOST), "closed")
    clock.advance(DAY)
    assert await run_due(host)
    await raised(NotFound, host.lobby.leave(Once(match.id, 7), HOST))


async def test_presses_are_forgotten_with_the_lobby(host: Host, database: Database) -> None:
    for ending in (host.lobby.start, host.votes.cancel):
        match = await lobby(host, "saboteur", 3)
        await host.lobby.add_computer(Once(match.id, match.id), HOST)
        assert await database.read(presses.match_of, match.id) == match.id
        await ending(match.id, HOST)
        assert await database.read(presses.match_of, match.id) is None
