"""Computers at a table with a real database: they end their matches, survive restarts, come and go, and give hints."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Executor, Future
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from db import Database
from db.store.leases import LEASE_ALONE as LEASE
from games.log import TABLE
from matches.api import Host, ManualClock, Match, NotAllowed, NotSeated, NotYourTurn, Status, Vote
from matches.computers.judgements.saboteur import CROWD
from matches.computers.pool import Computers
from tests.matches.tables import PEOPLE, Seeds, lobby, mover_view, play_on, raised, run_all, run_due, running, sql
from tests.store import fresh

ANN, BOB, CLEO = (person.user_id for person in PEOPLE[:3])


class Never(Executor):
    """Thinks until the test lets it end."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.answer: Future[Any] = Future()

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.asked.set()
        return self.answer


async def at_computers_turn(host: Host, people: int = 2, computers: int = 2) -> Match:
    match = await running(host, "saboteur", people, computers)
    return await play_on(host, match, Random(1), lambda match: match.mover is not None and not match.mover.present)


@pytest.mark.parametrize(
    ("game", "people", "computers"),
    [("gambo", 1, 1), ("ambush", 1, 1), ("abissal", 1, 2), ("ambagibus", 1, 3), ("saboteur", 1, 4)],
)
async def test_a_person_and_computers_play_a_match_to_its_end(
    host: Host, game: str, people: int, computers: int
) -> None:
    match = await play_on(host, await running(host, game, people, computers), Random(2))
    assert match.status is Status.OVER
    assert (await host.look.verify(match.id)).chance_ok


async def overdue(host: Host, clock: ManualClock, match: Match, person: int) -> Match:
    """The match after this person's time has run out."""
    match = await play_on(host, match, Random(3), lambda at: at.mover is not None and at.mover.user_id == person)
    clock.advance(timedelta(hours=25))
    await run_all(host)
    return await host.look.match(match.id)


async def test_a_seat_is_taken_over_and_given_back(host: Host, clock: ManualClock) -> None:
    match = await overdue(host, clock, await running(host, "abissal", 3), ANN)
    for voter in (BOB, CLEO):
        match = await host.votes.vote(match.id, voter, Vote.COMPUTER)
    seat = match.seat_of(ANN)
    assert seat.computer == "normal"
    ply = match.ply
    assert await run_due(host)
    match = await host.look.match(match.id)
    lines = [line for line in await host.look.history(match.id, None, ply) if line.player != TABLE]
    assert lines[0].player == seat.seat
    match = await host.play.take_back(match.id, ANN)
    assert ANN in [seat.user_id for seat in match.present]
    match = await play_on(host, match, Random(4))
    assert match.status is Status.OVER


async def test_a_turn_survives_a_restart_in_the_middle_of_the_thinking(database: Database, clock: ManualClock) -> None:
    never = Never()
    host = Host(database, clock, Seeds(), Computers(never, beat=0))
    match = await at_computers_turn(host)
    thinking = asyncio.create_task(run_due(host))
    await never.asked.wait()
    thinking.cancel()
    await asyncio.gather(thinking, return_exceptions=True)
    assert (await host.look.match(match.id)).ply == match.ply

    again = Host(database, clock, Seeds("again"))
    clock.advance(LEASE)
    assert await run_due(again)
    assert (await again.look.match(match.id)).ply > match.ply


async def test_what_a_computer_thought_of_is_dropped_when_its_seat_was_taken_back(
    database: Database, clock: ManualClock
) -> None:
    never = Never()
    host = Host(database, clock, Seeds(), Computers(never, beat=0))
    match = await overdue(host, clock, await running(host, "abissal", 3), ANN)
    for voter in (BOB, CLEO):
        match = await host.votes.vote(match.id, voter, Vote.COMPUTER)
    thinking = asyncio.create_task(run_due(host))
    await never.asked.wait()
    back = await host.play.take_back(match.id, ANN)
    never.answer.set_result((await host.look.view(match.id, ANN)).moves[0].text)
    await thinking
    now = await host.look.match(match.id)
    assert now.ply == back.ply
    assert now.mover.user_id == ANN


async def test_equal_matches_are_played_alike_by_computers(
    database: Database, clock: ManualClock, tmp_path: Any
) -> None:
    logs = []
    for number in range(2):
        async with await Database.open(fresh(tmp_path / f"{number}.db")) as database:
            host = Host(database, clock, Seeds())
            match = await play_on(host, await running(host, "abissal", 1, 2), Random(5))
            logs.append([line.text for line in await host.look.history(match.id, None)])
    assert logs[0] == logs[1]


async def test_a_hint_is_a_legal_move_and_always_the_same(host: Host) -> None:
    for game, computers in (("gambo", 1), ("saboteur", 3)):
        match = await running(host, game, 1, computers)
        match = await play_on(host, match, Random(1), lambda at: at.mover is not None and at.mover.present)
        hint = await host.thinking.hint(match.id, ANN)
        assert hint.text in {move.text for move in (await mover_view(host, match)).moves}
        assert await host.thinking.hint(match.id, ANN) == hint
        assert await host.look.match(match.id) == match


# FOUND D11
async def test_hints_for_many_accounts_of_one_server_delay_another_server_by_one(
    database: Database, clock: ManualClock
) -> None:
    computers, order = Computers(effort=0.01, beat=0), []
    host = Host(database, clock, Seeds(), computers)

    async def hinted(match: Match) -> None:
        await host.thinking.hint(match.id, match.mover.user_id or ANN)
        order.append(match.guild_id)

    try:
        matches = [await running(host, "gambo", 2, guild_id=server, rated=False) for server in (7, 7, 7, 7, 8)]
        asking = [asyncio.create_task(hinted(match)) for match in matches]
        await asyncio.gather(*asking)
        assert order.index(8) <= 1
    finally:
        computers.close()


async def test_a_hint_is_for_the_current_player(host: Host) -> None:
    match = await running(host, "gambo", 2)
    waiting = BOB if match.mover.user_id == ANN else ANN
    await raised(NotYourTurn, host.thinking.hint(match.id, waiting))
    await raised(NotSeated, host.thinking.hint(match.id, CLEO))


async def test_computers_of_all_levels_sit_at_one_table(host: Host) -> None:
    match = await lobby(host, "saboteur", 1)
    for level in ("easy", "normal", "expert", "easy"):
        match = await host.lobby.add_computer(match.id, ANN, level)
    assert [seat.computer for seat in match.seats] == [None, "easy", "normal", "expert", "easy"]
    assert len(set(match.seat_names)) == 5
    match = await play_on(host, await host.lobby.start(match.id, ANN), Random(1), lambda at: at.ply > 30)
    assert match.ply > 30
    rematch = await host.lobby.rematch((await play_on(host, match, Random(2))).id, PEOPLE[0])
    assert sorted(seat.computer or "" for seat in rematch.seats) == ["", "easy", "easy", "expert", "normal"]


async def test_only_the_levels_that_a_game_offers_can_be_added(host: Host) -> None:
    match = await lobby(host, "ambagibus", 1, options={"variant": "basic"})
    for level in ("normal", "hard", "perfect"):
        with pytest.raises(NotAllowed, match="At this table, computers are easy or expert"):
            await host.lobby.add_computer(match.id, ANN, level)
    assert len((await host.lobby.add_computer(match.id, ANN, "expert")).seats) == 2
    match = await lobby(host, "saboteur", 1)
    with pytest.raises(NotAllowed, match="At this table, computers are easy, normal or expert"):
        await host.lobby.add_computer(match.id, ANN, "hard")


async def test_where_a_crowd_will_play_levels_that_cannot_be_told_apart_are_not_offered(host: Host) -> None:
    crowd = await lobby(host, "saboteur", 1, size=CROWD)
    for added in (host.lobby.add_computer, host.lobby.fill):
        await raised(NotAllowed, added(crowd.id, ANN, "normal"), "At this table, computers are easy or expert")
    assert len((await host.lobby.add_computer(crowd.id, ANN, "expert")).seats) == 2
    growing = await lobby(host, "saboteur", 1)
    for _ in range(CROWD - 2):
        growing = await host.lobby.add_computer(growing.id, ANN, "normal")
    with pytest.raises(NotAllowed, match="At this table, computers are easy or expert"):
        await host.lobby.add_computer(growing.id, ANN, "normal")


async def test_a_level_that_is_no_longer_offered_still_plays_where_it_sits(database: Database, host: Host) -> None:
    lobby_of_old = await host.lobby.add_computer((await lobby(host, "ambagibus", 1)).id, ANN, "expert")
    await sql(database, "UPDATE seats SET computer = 'hard' WHERE computer = 'expert'")
    match = await play_on(host, await host.lobby.start(lobby_of_old.id, ANN), Random(1))
    assert match.status is Status.OVER
    assert "hard" in [seat.computer for seat in (await host.lobby.rematch(match.id, PEOPLE[0])).seats]


async def watched(host: Host, computers: int, game: str = "abissal") -> Match:
    """A lobby whose host only watches, with this many computers."""
    match = await host.lobby.watch((await lobby(host, game, 1)).id, ANN)
    for _ in range(computers):
        match = await host.lobby.add_computer(match.id, ANN, "easy")
    return match


async def to_the_end(host: Host, match: Match) -> Match:
    """The match when nothing is due any more."""
    await run_all(host)
    return await host.look.match(match.id)


async def test_computers_play_alone_while_their_host_watches(host: Host) -> None:
    lobby = await watched(host, 3)
    assert lobby.host_id == ANN
    match = await to_the_end(host, await host.lobby.start(lobby.id, ANN))
    assert match.status is Status.OVER
    assert sum(bool(seat.won) for seat in match.seats) >= 1
    assert (await host.look.verify(match.id)).ok
    again = await host.lobby.rematch(match.id, PEOPLE[0])
    assert [seat.user_id for seat in again.seats] == [None] * 3
    assert again.status is Status.LOBBY
    assert (await host.lobby.start(again.id, ANN)).status is Status.RUNNING
    assert (await host.lobby.rematch(match.id, PEOPLE[0])).id == again.id
    await raised(NotSeated, host.lobby.rematch(match.id, PEOPLE[1]))


async def test_whoever_watches_may_sit_down_again_and_hand_the_table_on(host: Host) -> None:
    match = await watched(host, 1)
    assert [seat.user_id for seat in (await host.lobby.join(match.id, PEOPLE[0])).seats] == [None, ANN]
    match = await host.lobby.join((await host.lobby.watch(match.id, ANN)).id, PEOPLE[1])
    match = await host.lobby.leave(match.id, ANN)
    assert match.host_id == BOB
    assert (await host.lobby.leave(match.id, BOB)).status is Status.CANCELLED


async def test_a_table_whose_host_watches_stays_open_when_the_others_leave(host: Host) -> None:
    match = await host.lobby.join((await watched(host, 0)).id, PEOPLE[1])
    assert (await host.lobby.leave(match.id, BOB)).status is Status.LOBBY
    assert (await host.lobby.leave(match.id, ANN)).status is Status.CANCELLED


async def test_whoever_watches_can_end_a_match_of_computers_and_nobody_can_ask_for_a_seat(host: Host) -> None:
    match = await host.lobby.start((await watched(host, 2)).id, ANN)
    await raised(NotAllowed, host.absence.apply(match.id, PEOPLE[1]), "nobody to ask")
    await raised(NotSeated, host.votes.cancel(match.id, BOB))
    assert (await host.votes.cancel(match.id, ANN)).status is Status.OVER


async def test_a_lobby_is_closed_when_whoever_watched_is_forgotten(host: Host) -> None:
    match = await watched(host, 2)
    await host.privacy.forget(ANN)
    assert (await host.look.match(match.id)).status is Status.CANCELLED
