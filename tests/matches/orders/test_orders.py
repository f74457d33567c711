"""Orders in the host: stored, carried out after their delay, and over (`matches/orders/giving.py`)."""

from dataclasses import replace
from datetime import timedelta
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from db import Database
from db.matches import deadlines
from db.model.rows import DeadlineRow
from db.orders import kept as stored_orders
from games import GAMES
from matches.api import (
    Due,
    Frozen,
    Host,
    Kind,
    ManualClock,
    Match,
    NotAllowed,
    NotFound,
    Once,
    Pace,
    Ply,
    Refused,
    Stale,
    Status,
    Telling,
    TooSoon,
    UserId,
    WrongTime,
)
from matches.orders import Order, OrderKind, Orders, Prepared, ahead
from matches.orders.giving import OPEN_DELAY
from matches.records.fair import SEED_BYTES, Draws
from matches.table import turn
from matches.work import stored
from tests.matches.tables import PEOPLE, Hosted, Seeds, mover_view, play, raised, run_due, running, sql, tellings, texts
from tests.store import fresh

LATER = timedelta(minutes=11)


def waiting(match: Match) -> UserId:
    """A person whose turn it isn't: the next one in seat order."""
    seats = [seat for seat in match.seats if seat.present]
    number = next(number for number, seat in enumerate(seats) if seat.seat == match.to_move)
    found = seats[(number + 1) % len(seats)].user_id
    assert found is not None
    return found


async def standing(host: Host, match: Match) -> tuple[Order, ...]:
    return await host.work.read(stored_orders.of_match, match.id)


async def fires(host: Host, match: Match) -> DeadlineRow | None:
    return await host.work.read(deadlines.get, match.id, Due.ORDER)


async def begun(host: Host, game: str = "gambo", people: int = 2, moves: int = 2, **request: Any) -> Match:
    match, rng = await running(host, game, people, **request), Random(3)
    for _ in range(moves):
        match = await play(host, match, rng)
    await tellings(host, match.id)
    return match


async def said(host: Host, match: Match, **how: Any) -> tuple[Prepared, str]:
    """The person who waits says their next move: the last one offered."""
    who = waiting(match)
    before = await host.part(Orders).look(match.id, who)
    text = before.next_view.moves[-1].text
    await host.part(Orders).give(match.id, who, text, ply=match.ply, **how)
    return await host.part(Orders).look(match.id, who), text


async def test_the_next_move_is_stored_carried_out_after_its_delay_and_gone(host: Host, clock: ManualClock) -> None:
    match = await begun(host)
    prepared, text = await said(host, match)
    (order,) = prepared.orders
    assert (order.kind, order.mine, order.theirs) == (OrderKind.NEXT, text, None)
    assert await fires(host, match) is None
    other = await mover_view(host, match)
    move = next(each.text for each in other.moves if each.text.startswith("adv"))
    match = await host.play.act(match.id, other.match.seats[other.seat or 0].user_id, move, ply=match.ply)
    due = await fires(host, match)
    assert timedelta(seconds=20) <= due.due - clock.now() <= timedelta(minutes=3)
    assert (await host.part(Orders).look(match.id, PEOPLE[0].user_id)).orders == () or prepared.view.seat is not None
    rows = await tellings(host, match.id)
    assert [(row.kind, row.rings, row.quiet) for row in rows if row.kind is Kind.BOARD] == [(Kind.BOARD, True, True)]
    clock.advance(due.due - clock.now() - timedelta(seconds=1))
    assert not await run_due(host)
    clock.advance(timedelta(seconds=1))
    assert await run_due(host)
    after = await host.look.match(match.id)
    assert (await texts(host, after))[match.ply] == text
    assert await standing(host, after) == ()
    assert await fires(host, after) is None
    told = [row for row in await tellings(host, match.id) if row.kind is Kind.ORDERED]
    assert [(row.ply, row.user_id, row.rings) for row in told] == [(match.ply, order.user_id, False)]
    assert not await run_due(host)


async def moves_on(host: Host, match: Match, *, but: str = "") -> Match:
    """The person whose turn it is makes a move by hand that ends their turn. It isn't the move `but`."""
    view, course = await mover_view(host, match), (await host.work.position(match.id))[1]
    state, player = course.state, course.state.current_player
    good = [move for move in view.moves if state.child(player, move.action).current_player not in (player, -1)]
    move = next(each for each in good if each.text != but)
    assert match.mover.user_id is not None
    return await host.play.act(match.id, match.mover.user_id, move.text, ply=match.ply)


async def answered(host: Host, match: Match, clock: ManualClock) -> Match:
    """Let an order be carried out, if one is due."""
    due = await fires(host, match)
    clock.advance(due.due - clock.now())
    assert await run_due(host)
    return await host.look.match(match.id)


@pytest.mark.parametrize("game", ["ambush", "gambo"])
async def test_each_of_four_moves_has_its_own_answer_and_another_has_none(host: Hosted, game: str) -> None:
    match = await begun(host, game, moves=3)
    who = waiting(match)
    theirs = (await host.part(Orders).look(match.id, who)).their_view
    asked = [move.text for move in theirs.moves[:4]]
    answers = {}
    for number, text in enumerate(asked):
        view = await host.part(Orders).reply_view(match.id, who, text, match.ply)
        answers[text] = view.moves[number].text
        await host.part(Orders).give(match.id, who, answers[text], ply=match.ply, theirs=text)
    with pytest.raises(NotAllowed, match="4 moves"):
        await host.part(Orders).give(match.id, who, answers[asked[0]], ply=match.ply, theirs=theirs.moves[4].text)
    assert len(await standing(host, match)) == 4
    assert match.mover.user_id is not None
    after = await host.play.act(match.id, match.mover.user_id, asked[2], ply=match.ply)
    (order,) = await standing(host, after)
    assert (order.theirs, (await host.part(Orders).look(match.id, who)).pending) == (asked[2], order)
    after = await answered(host, after, host.clock)
    assert (await texts(host, after))[match.ply : match.ply + 2] == [asked[2], answers[asked[2]]]
    assert await standing(host, after) == ()


async def test_a_move_that_nobody_answered_is_asked_as_always(host: Host) -> None:
    match = await begun(host, "ambush", moves=3)
    who = waiting(match)
    theirs = (await host.part(Orders).look(match.id, who)).their_view
    text = theirs.moves[0].text
    view = await host.part(Orders).reply_view(match.id, who, text, match.ply)
    await host.part(Orders).give(match.id, who, view.moves[0].text, ply=match.ply, theirs=text)
    after = await moves_on(host, match, but=text)
    assert await standing(host, after) == ()
    assert await fires(host, after) is None
    board = next(row for row in await tellings(host, match.id) if row.kind is Kind.BOARD)
    assert (board.rings, board.quiet) == (True, False)


async def test_a_move_by_hand_ends_what_was_said_and_a_forged_number_means_nothing(host: Host) -> None:
    match = await begun(host)
    prepared, text = await said(host, match)
    (order,) = prepared.orders
    for person in PEOPLE[:2]:
        await raised(NotFound, host.part(Orders).drop(match.id, person.user_id, order.number + 1), "haven't said that")
    (other,) = [person.user_id for person in PEOPLE[:2] if person.user_id != order.user_id]
    await raised(NotFound, host.part(Orders).drop(match.id, other, order.number), "haven't said that")
    await raised(WrongTime, host.part(Orders).give(match.id, other, text, ply=match.ply), "your turn")
    await raised(Stale, host.part(Orders).give(match.id, order.user_id, text, ply=Ply(match.ply - 1)))
    await raised(Refused, host.part(Orders).give(match.id, order.user_id, "junk", ply=match.ply))
    with pytest.raises(NotAllowed, match="exception"):
        await host.part(Orders).give(match.id, order.user_id, text, ply=match.ply, unless=("junk",))
    after = await moves_on(host, match)
    assert await fires(host, after) is not None
    await moves_on(host, after)
    assert await standing(host, after) == ()
    assert await fires(host, after) is None


async def test_an_order_is_carried_out_once_though_its_process_dies_or_another_takes_it_up(
    host: Host, clock: ManualClock, url: str
) -> None:
    match = await begun(host)
    await said(host, match)
    after = await moves_on(host, match)
    due = await fires(host, after)
    clock.advance(due.due - clock.now())
    (dead,) = await host.time.claim_due((Due.ORDER,))
    async with await Database.open(url) as second:
        other = Host(second, clock, name="other")
        assert not await other.time.claim_due((Due.ORDER,))
        clock.advance(LATER)
        (row,) = await other.time.claim_due((Due.ORDER,))
        await other.time.happen(row)
    await host.time.happen(dead)
    assert (await host.look.match(match.id)).ply == after.ply + 1


@pytest.mark.parametrize("what", ["drop", "depart", "resign", "undo"])
async def test_what_ends_an_order_also_ends_its_waiting(host: Host, clock: ManualClock, what: str) -> None:
    alone = what in ("depart", "resign")
    match = await begun(host, "saboteur", 4) if alone else await begun(host, "ambush", moves=3)
    prepared, _ = await said(host, match)
    (order,) = prepared.orders
    after = await moves_on(host, match)
    if await fires(host, after) is None:
        pytest.fail("the order should wait")
    if what == "drop":
        await host.part(Orders).drop(match.id, order.user_id, order.number)
    elif what == "undo":
        for seat in after.present:
            assert seat.user_id is not None
            await host.votes.undo(match.id, seat.user_id, ply=after.ply)
    else:
        await getattr(host.play, what)(match.id, order.user_id)
    assert await standing(host, after) == ()
    assert await fires(host, after) is None


async def test_saying_too_much_in_a_row_is_refused(host: Host) -> None:
    match = await begun(host)
    _, text = await said(host, match)
    who = waiting(match)
    for _ in range(39):
        await host.part(Orders).give(match.id, who, text, ply=match.ply)
    await raised(TooSoon, host.part(Orders).give(match.id, who, text, ply=match.ply))


async def test_a_match_that_freezes_forgets_its_orders_and_goes_on_without_them(host: Hosted) -> None:
    """The rules change while an order stands, or while it's due. Then a program that knows the old rules starts."""
    for waits in (False, True):
        match = await begun(host)
        await said(host, match)
        if waits:
            match = await moves_on(host, match)
            host.clock.advance(LATER)
        owner = match.mover if waits else match.seat_of(waiting(match))
        assert owner is not None
        await sql(host.database, "UPDATE matches SET rules_version = 99")
        later = Host(host.database, host.clock)
        if waits:
            (row,) = await later.time.claim_due((Due.ORDER,))
            await later.time.happen(row)
        else:
            await raised(Frozen, later.part(Orders).drop_all(match.id, owner.user_id))
        assert (await later.look.match(match.id)).status is Status.FROZEN
        assert await standing(later, match) == ()
        assert await fires(later, match) is None
        await sql(host.database, "UPDATE matches SET rules_version = 1")
        after = await (again := Host(host.database, host.clock)).look.view(match.id, None)
        assert (after.match.status, after.match.ply) == (Status.RUNNING, match.ply)
        assert await fires(again, after.match) is None
        assert (await play(again, after.match, Random(1))).ply > match.ply
        await again.play.resign(match.id, PEOPLE[0].user_id)


async def test_ten_people_have_all_said_something_and_each_move_is_one_of_theirs(host: Hosted) -> None:
    """Only orders of the person whose turn it is are carried out. Their next move is forgotten after their turn."""
    match, rng, fired = await running(host, "saboteur", 10), Random(4), 0
    for _ in range(13):
        for seat in match.present:
            assert seat.user_id is not None
            await prepare(host, match, seat.user_id, rng)
        stood = await standing(host, match)
        assert {order.seat for order in stood} >= {seat.seat for seat in match.present if seat.seat != match.to_move}
        due, mover = await fires(host, match), match.mover
        assert mover is not None
        if due is None:
            after = await play(host, match, rng)
        else:
            after, fired = await answered(host, match, host.clock), fired + 1
            _, lines = await host.work.snapshot(match.id, with_lines=lambda _: True)
            assert lines[match.ply].player == mover.seat
            assert lines[match.ply].text in [order.mine for order in stood if order.seat == mover.seat]
        if after.status is not Status.RUNNING:
            break
        left = await standing(host, after)
        assert mover.seat not in {order.seat for order in left if order.kind is OrderKind.NEXT}
        assert len([row for row in await tellings(host, match.id) if row.kind is Kind.ORDERED]) == (due is not None)
        match = after
    assert fired >= 8


# Twins: two matches with equal visible moves.


async def whole(host: Host, match: Match) -> list[str]:
    """The texts of the log, with what is hidden."""
    _, lines = await host.work.snapshot(match.id, with_lines=lambda _: True)
    return [line.text for line in lines]


PRIVATE = (Kind.HAND, Kind.ORDERED, Kind.OLD_DM)


def seen_by_others(rows: list[Telling]) -> list[tuple[Any, ...]]:
    """What these rows show to everybody but an order's owner. `without_ping` has who isn't notified."""
    return [
        (row.kind, row.ply, row.seat, row.user_id, row.rings, row.put_at) for row in rows if row.kind not in PRIVATE
    ]


def without_ping(rows: list[Telling]) -> list[bool]:
    """For each row that others see: whether it notifies nobody, although it calls somebody."""
    return [row.quiet for row in rows if row.kind not in PRIVATE]


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_matches_with_equal_moves_are_told_alike_at_the_same_moments_whatever_stands(
    tmp_path: Path, game: str
) -> None:
    """In one match people say moves in advance. In the other the same moves are made by hand at the same moments.

    One thing differs, as `matches/orders/giving.py` says: the board of a turn that an order answers pings nobody. No
    order that doesn't apply makes a difference.
    """
    people = max(2, GAMES[game].info.min_players)
    rng, clock, by_hand = Random(11), ManualClock(), ManualClock()
    options = {"variant": "advanced"} if game == "ambagibus" else {}
    async with (
        await Database.open(fresh(tmp_path / "one.db")) as one,
        await Database.open(fresh(tmp_path / "other.db")) as other,
    ):
        saying, silent = Host(one, clock, Seeds()), Host(other, by_hand, Seeds())
        match = await running(saying, game, people, options=options)
        twin = await running(silent, game, people, options=options)
        fired = 0
        for _ in range(14):
            for seat in match.present:
                assert seat.user_id is not None
                await prepare(saying, match, seat.user_id, rng)
            if (due := await fires(saying, match)) is not None:
                clock.advance(due.due - clock.now())
                assert await run_due(saying)
                fired += 1
            else:
                clock.advance(timedelta(minutes=1))
                await play(saying, match, rng)
            after = await saying.look.match(match.id)
            text = (await whole(saying, after))[match.ply]
            by_hand.advance(clock.now() - by_hand.now())
            twin = await silent.play.act(twin.id, twin.mover.user_id, text)  # type: ignore[arg-type]
            assert await whole(silent, twin) == await whole(saying, after)
            assert await silent.look.match(twin.id) == after == twin
            told, of_twin = await tellings(saying, match.id), await tellings(silent, twin.id)
            assert seen_by_others(told) == seen_by_others(of_twin)
            answered = await fires(saying, after) is not None
            assert without_ping(told) == [
                answered and row.kind is Kind.BOARD for row in told if row.kind not in PRIVATE
            ]
            assert not any(without_ping(of_twin))
            for person in (None, *PEOPLE[:people]):
                user_id = None if person is None else person.user_id
                assert await saying.look.view(match.id, user_id) == await silent.look.view(twin.id, user_id)
            if after.ended_by is not None:
                break
            match = after
        assert fired > 0
        # After the end, with the seed and the whole log, they look alike, too.
        for host, number in ((saying, match.id), (silent, twin.id)):
            if (await host.look.match(number)).status is Status.RUNNING:
                await host.votes.cancel(number, UserId(4), moderator=True)
        assert await saying.look.match(match.id) == await silent.look.match(twin.id)
        assert await saying.look.verify(match.id) == await silent.look.verify(twin.id)
        assert await saying.look.exported(match.id) == await silent.look.exported(twin.id)


# FOUND D3
async def test_no_moment_of_an_order_follows_from_the_seed_or_from_anything_else_that_is_published(
    tmp_path: Path,
) -> None:
    """Two matches with equal seeds, presses and moves differ in when an order is carried out, and in nothing else."""
    moments: list[list[timedelta]] = []
    logs, drawn = [], set[timedelta]()
    for name in ("one", "other"):
        clock, seeds, lots = ManualClock(), Seeds(), Seeds(name)
        async with await Database.open(fresh(tmp_path / f"{name}.db")) as store:
            host = Host(store, clock, lambda length, a=seeds, b=lots: a(length) if length == SEED_BYTES else b(length))
            match = await begun(host, pace=Pace.NONE)
            moments.append([])
            while len(moments[-1]) < 6:
                if moments[-1]:
                    match = await play(host, match, Random(4))
                await said(host, match)
                match = await moves_on(host, match)
                due = await fires(host, match)
                moments[-1].append(due.due - clock.now())
                match = await answered(host, match, clock)
            await host.votes.cancel(match.id, UserId(4), moderator=True)
            match = await host.look.match(match.id)
            logs.append(await host.look.exported(match.id))
            draws = (await host.work.read(stored.table, match.id, host.now())).draws
        # Whatever the draws of a match can give at any of its lines, in seconds: the seed is published now.
        shortest, longest = OPEN_DELAY
        for ply, kind in product(range(match.ply + 1), ("order", "delay", "computer", "chance")):
            for number in range(3):
                numbers = draws._stream(f"{kind}-{ply}", number)
                share = numbers.word() / 2**64
                seconds = numbers.randrange(1 + (longest - shortest) // timedelta(seconds=1))
                drawn |= {shortest + timedelta(seconds=seconds), shortest + (longest - shortest) * share}
    assert logs[0] == logs[1]
    assert not set(moments[0]) & set(moments[1])
    for each in (*moments[0], *moments[1]):
        assert OPEN_DELAY[0] <= each <= OPEN_DELAY[1]
        assert all(abs(each - other) > timedelta(milliseconds=1) for other in drawn)
        assert each % timedelta(seconds=1), "people don't press a whole number of seconds later"
    public = {name for name in vars(Draws) if not name.startswith("_") and callable(getattr(Draws, name))}
    assert public - {"count", "index"} == {"seats", "branch", "chance", "computer"}, "nothing that people said"


# FOUND D3
async def test_when_an_order_is_carried_out_is_drawn_once(host: Host, clock: ManualClock, url: str) -> None:
    """No restart, other process, redelivered press or gap draws anew. A gap only moves the moment."""
    match = await begun(host)
    await said(host, match)
    view = await mover_view(host, match)
    text = next(move.text for move in view.moves if move.text.startswith("adv"))
    press = Once(match.id, 4711)
    mover = match.mover.user_id
    match = await host.play.act(press, mover, text, ply=match.ply)
    first = await fires(host, match)
    assert first is not None
    await host.play.act(press, mover, text, ply=Ply(match.ply - 1))
    async with await Database.open(url) as second:
        other = Host(second, clock, Seeds("other"), name="other")
        await other.outbox.take_over()
        await other.play.act(press, mover, text, ply=Ply(match.ply - 1))
        assert await fires(other, match) == first
        for lose, find in ((other.reach.lose, other.reach.find), (host.reach.lose, host.reach.find)):
            before = await fires(host, match)
            await lose(match.id)
            clock.advance(timedelta(days=3))
            await run_due(other)
            assert (await host.look.match(match.id)).ply == match.ply, "nothing is carried out while it's lost"
            await find(match.id)
            after = await fires(host, match)
            assert after.due - before.due == timedelta(days=3)
    for away in (None, timedelta(minutes=7), timedelta(days=1)):
        if away is not None:
            await host.absence.away((await host.look.match(match.id)).mover.user_id, clock.now() + away)
        since, before = clock.now(), after
        clock.advance(timedelta(minutes=10))
        await host.work.change(
            match.id, lambda table, since=since: turn.given_back(table, since, clock.now(), least=True)
        )
        after = await fires(host, match)
        assert after.due - before.due == timedelta(minutes=10)
    clock.advance(after.due - clock.now())
    assert await run_due(host)
    assert (await host.look.match(match.id)).ply == match.ply + 1


async def prepare(host: Host, match: Match, who: UserId, rng: Random) -> None:
    """Say all kinds of things in advance, if it isn't this person's turn."""
    known = await host.part(Orders).look(match.id, who)
    if known.next_view is not None:
        unless = [each.key for each in known.exclusions if rng.random() < 0.1]
        said = rng.choice(known.next_view.moves).text
        await host.part(Orders).give(match.id, who, said, ply=match.ply, unless=unless)
    if known.their_view is not None and len(known.orders) < 3:
        theirs = rng.choice(known.their_view.moves).text
        view = await host.part(Orders).reply_view(match.id, who, theirs, match.ply)
        await host.part(Orders).give(match.id, who, rng.choice(view.moves).text, ply=match.ply, theirs=theirs)
    for each in known.instructions:
        await host.part(Orders).instruct(match.id, who, each.key, ply=match.ply)


@pytest.mark.parametrize("game", sorted(GAMES))
async def test_what_is_offered_follows_from_what_the_person_knows(host: Host, game: str) -> None:
    options = {"variant": "advanced"} if game == "ambagibus" else {}
    match, rng = await running(host, game, max(2, GAMES[game].info.min_players), options=options), Random(5)
    for _ in range(8):
        _, course = await host.work.position(match.id)
        for seat in match.seats:
            assert seat.seat is not None
            state = course.state.resample_from_infostate(seat.seat, Random(rng.random()))
            alike = replace(course, state=state)
            assert ahead.turn(course, match.id, seat.seat) == ahead.turn(alike, match.id, seat.seat)
            assert ahead.replied(course, match.id, seat.seat) == ahead.replied(alike, match.id, seat.seat)
        match = await play(host, match, rng)
