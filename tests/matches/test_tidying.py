"""Old messages of a match: which are tidied up, when, and that nobody ever waits for that."""

import asyncio
from datetime import timedelta
from random import Random

from db.matches import outbox
from matches.api import TIDYING, BoardPost, CallPost, HandPost, Host, Kind, ManualClock, Match, Status, Telling, UserId
from matches.host.scheduler import TIDIED_AGAIN, TIDIED_AT_MOST, TIDIED_WITHIN, Scheduler, Undelivered
from matches.table.tidying import DM_STAYS
from tests.matches.tables import CHANNEL, LEASE, play, running, tellings, whole

OLD_BOARD, OLD_POST, OLD_DM = Kind.OLD_BOARD, Kind.OLD_POST, Kind.OLD_DM


async def tidied(host: Host, match: Match) -> list[tuple[Kind, int | None, int | None]]:
    """The messages that are to be tidied up now; whatever else is due is forgotten."""
    return [
        (row.kind, row.seat if row.message_id is None else row.message_id, row.channel_id)
        for row in await tellings(host, match.id)
        if row.kind in TIDYING
    ]


async def board(host: Host, match: Match, message_id: int, *, alone: bool = False) -> Match:
    """The board of the match is posted, or edited."""
    rows = [row for row in await tellings(host, match.id) if row.kind is Kind.BOARD]
    await host.outbox.told(rows[-1].id if rows else 0, BoardPost(match.id, message_id, match.ply, alone=alone))
    return await host.look.match(match.id)


async def test_a_board_is_tidied_up_once_when_the_next_one_is_posted(host: Host) -> None:
    match, rng = await running(host, "gambo"), Random(1)
    match = await board(host, match, 11)
    assert await tidied(host, match) == []
    match = await board(host, await play(host, match, rng), 12)
    assert await tidied(host, match) == [(OLD_BOARD, 11, CHANNEL)]
    await host.outbox.note(BoardPost(match.id, 12, match.ply))
    assert await tidied(host, match) == []


async def test_a_board_that_is_known_too_late_is_the_one_that_is_tidied_up(host: Host) -> None:
    match, rng = await running(host, "gambo"), Random(1)
    earlier = match.ply
    match = await board(host, await play(host, match, rng), 12)
    await host.outbox.note(BoardPost(match.id, 11, earlier))
    assert await tidied(host, match) == [(OLD_BOARD, 11, CHANNEL)]
    assert (await host.look.match(match.id)).board_message_id == 12


async def test_where_one_board_is_edited_the_one_that_it_replaces_is_deleted(host: Host, clock: ManualClock) -> None:
    match, rng = await running(host, "gambo"), Random(1)
    match = await board(host, match, 11, alone=True)
    posted_at = clock.now()
    clock.advance(timedelta(hours=1))
    match = await board(host, await play(host, match, rng), 11, alone=True)
    assert (match.board_ply, match.board_at, await tidied(host, match)) == (match.ply, posted_at, [])
    match = await board(host, await play(host, match, rng), 12, alone=True)
    assert (match.board_at, await tidied(host, match)) == (clock.now(), [(OLD_POST, 11, CHANNEL)])


async def test_calls_are_tidied_up_with_their_turn_and_a_call_that_comes_too_late_at_once(host: Host) -> None:
    match, rng = await running(host, "gambo"), Random(1)
    turn = match.turn_ply
    for call in (21, 22, 22):
        await host.outbox.note(CallPost(match.id, call, turn))
    assert await tidied(host, match) == []
    match = await play(host, match, rng)
    assert await tidied(host, match) == [(OLD_POST, 21, CHANNEL), (OLD_POST, 22, CHANNEL)]
    await host.outbox.note(BoardPost(match.id, 11, match.ply, 23, turn))
    assert await tidied(host, match) == [(OLD_POST, 23, CHANNEL)]
    assert (await whole(host, match)).hidden.calls == ()


async def test_a_match_that_moves_leaves_nothing_behind_that_asks_for_a_turn(host: Host) -> None:
    match = await board(host, await running(host, "gambo", guild_id=500), 11)
    await host.outbox.note(CallPost(match.id, 21, match.turn_ply))
    await host.reach.move(match.id, match.host_id, CHANNEL + 1)
    assert await tidied(host, match) == [(OLD_POST, 21, CHANNEL), (OLD_BOARD, 11, CHANNEL)]


async def test_the_direct_message_of_a_turn_is_tidied_up_after_a_while_once_however_many_turns_it_missed(
    host: Host, clock: ManualClock
) -> None:
    match, rng = await running(host, "saboteur", 3), Random(1)
    for seat in match.seats:
        await host.outbox.note(HandPost(match.id, seat.position, 70 + seat.position, 700 + seat.position))
    for _ in range(7):
        match = await play(host, match, rng)
    assert await tidied(host, match) == []
    clock.advance(DM_STAYS)
    assert sorted(await tidied(host, match), key=str) == [(OLD_DM, seat, None) for seat in (0, 1, 2)]


async def test_a_new_direct_message_takes_the_place_of_the_one_before(host: Host) -> None:
    match = await running(host, "saboteur", 3)
    for message in (70, 70, 71):
        await host.outbox.note(HandPost(match.id, 0, message, 700))
    assert await tidied(host, match) == [(OLD_POST, 70, 700)]


async def test_at_the_end_everybody_is_told_in_their_direct_message_and_no_call_stays(host: Host) -> None:
    match = await running(host, "saboteur", 3)
    for seat in match.seats:
        await host.outbox.note(HandPost(match.id, seat.position, 70 + seat.position, 700))
    await host.outbox.note(CallPost(match.id, 21, match.turn_ply))
    match = await board(host, match, 11)
    for seat in match.seats:
        match = await host.play.resign(match.id, UserId(seat.user_id or 0))
    assert match.status is Status.OVER
    found = {(kind, which) for kind, which, _ in await tidied(host, match)}
    assert (OLD_POST, 21) in found
    assert {which for kind, which in found if kind is OLD_DM} == {0, 1, 2}


async def test_tidying_that_another_process_has_in_hand_keeps_no_board_back(host: Host, clock: ManualClock) -> None:
    match, rng = await running(host, "gambo"), Random(1)
    match = await board(host, await play(host, await board(host, match, 11), rng), 12)
    taken = await host.work.write(outbox.claim, clock.now(), LEASE, 9, "another")
    assert [row.kind for row in taken] == [OLD_BOARD]
    match = await play(host, match, rng)
    assert [row.kind for row in await tellings(host, match.id)] == [Kind.BOARD]


class Failing:
    """Delivers boards, and fails to tidy up."""

    def __init__(self) -> None:
        self.tries: list[int] = []
        self.boards = 10

    async def deliver(self, row: Telling, match: Match) -> BoardPost | None:
        if row.kind in TIDYING:
            self.tries.append(row.id)
            raise Undelivered("Discord is slow", soon=True)
        self.boards += 1
        return BoardPost(match.id, self.boards, match.ply) if row.kind is Kind.BOARD else None


async def settled(scheduler: Scheduler) -> None:
    """Let the scheduler look once, and finish."""
    await scheduler.tick()
    while tasks := scheduler.tasks:
        await asyncio.wait(tasks)


async def test_tidying_that_fails_is_tried_a_few_times_and_then_dropped(host: Host, clock: ManualClock) -> None:
    match, failing, rng = await running(host, "gambo"), Failing(), Random(1)
    scheduler = Scheduler(host, failing.deliver)
    for _ in range(2):
        match = await play(host, match, rng)
        await settled(scheduler)
    for _ in range(2 * TIDIED_AT_MOST):
        await settled(scheduler)
        clock.advance(TIDIED_AGAIN)
    assert len(failing.tries) == TIDIED_AT_MOST
    assert not await host.outbox.owes()
    assert (await host.look.match(match.id)).board_message_id == failing.boards


async def test_tidying_that_has_waited_for_long_is_dropped_without_a_try(host: Host, clock: ManualClock) -> None:
    match, failing, rng = await running(host, "gambo"), Failing(), Random(1)
    match = await board(host, match, 11)
    await board(host, await play(host, match, rng), 12)
    clock.advance(TIDIED_WITHIN)
    await settled(Scheduler(host, failing.deliver))
    assert failing.tries == []
    assert not await host.outbox.owes()
