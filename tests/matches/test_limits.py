"""How often somebody may disturb others: stored in the act's transaction, recovering with time."""

import asyncio
import hmac
import sys
from collections.abc import Awaitable, Callable
from datetime import timedelta
from hashlib import sha256
from itertools import count
from operator import attrgetter
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import select

from db import Connection, Database
from db.model import schema
from db.store import meta
from games import GAMES
from matches.api import (
    Host,
    Kind,
    Leaving,
    ManualClock,
    Match,
    NewMatch,
    NotAllowed,
    Once,
    Pace,
    Person,
    Status,
    Terms,
    TooSoon,
    UserId,
    WrongTime,
)
from matches.appointments import Appointments
from matches.appointments.appointed import APPOINT, RESCHEDULE
from matches.orders import Orders
from matches.orders.giving import ORDER
from matches.pledges import CallMeRow, Pledges
from matches.pledges.asking import PLEDGE
from matches.pledges.calls import CALL, CALLED_TO_TABLE
from matches.pledges.resting import CALLED, MISS
from matches.puzzles import Puzzles
from matches.puzzles.solving import REPORT
from matches.puzzles.standing import PuzzlePage
from matches.ratings import Ratings
from matches.table.limits import ASKED_AGAIN, OPEN_TABLES, WATCHED_ON_A_SERVER, WATCHED_TABLES, Deed, Limit, used
from matches.table.questions import Asks, without
from matches.table.value import LOBBY_STAYS
from tests.matches.pledges.promising import wish
from tests.matches.puzzles.made import Book, made
from tests.matches.tables import CHANNEL, PEOPLE, Hosted, Seeds, dump, lobby, play, raised, run_all, running, sql, timed
from tests.store import fresh

ANN, BOB = PEOPLE[:2]
EVE = Person(UserId(987_654_321_012_345_678), "Eve")
GUILD = 555
_MODULES = [Deed, *(module for name, module in [*sys.modules.items()] if name.startswith("matches."))]
DEEDS = sorted({each for module in _MODULES for each in vars(module).values() if isinstance(each, Limit)})
"""What the core counts, and what features do."""

NOT_ASKED_FOR = (MISS, Deed.EXCUSE, CALL, CALLED, CALLED_TO_TABLE)
"""Deeds that happen to people, and that nobody asks for. `test_pledges.py` and `test_cut_off.py` show how often."""
A_SECOND = timedelta(seconds=1)


async def opened_and_closed(host: Host, invited: int = 0) -> Match:
    guests = tuple(person.user_id for person in PEOPLE[1 : 1 + invited])
    match = await host.lobby.open(NewMatch("saboteur", CHANNEL, Terms(invited=guests), GUILD), ANN)
    return await host.votes.cancel(match.id, ANN.user_id)


def waiting(match: Match) -> UserId:
    """A person at the table who waits for somebody else."""
    others = [seat.user_id for seat in match.present if seat is not match.mover and seat.user_id is not None]
    return others[0]


async def doing(host: Host, deed: Limit, clock: ManualClock) -> Callable[[], Awaitable[object]]:
    """A way to do this once more that only its limit forbids."""
    if deed is Deed.OPEN:
        return lambda: opened_and_closed(host)
    if deed is Deed.INVITE:
        return lambda: opened_and_closed(host, 5)
    if deed in (Deed.JOIN, Deed.ARRANGE):
        match = await lobby(host, "saboteur", 1)

        async def join() -> None:
            await host.lobby.join(match.id, EVE)
            await host.lobby.leave(match.id, EVE.user_id)

        async def arrange() -> None:
            sits = len((await host.look.match(match.id)).seats) > 1
            await (host.lobby.remove_computer if sits else host.lobby.add_computer)(match.id, ANN.user_id)

        return join if deed is Deed.JOIN else arrange
    if deed is Deed.ASK:
        tables = [await running(host, "saboteur", 3, computers=1, guild_id=GUILD) for _ in range(8)]
        clock.advance(Deed.OPEN.whole)

        async def ask() -> None:
            await host.absence.apply(tables[-1].id, EVE)
            tables.pop()

        return ask
    if deed is REPORT:
        puzzles = host.part(Puzzles)
        puzzles.book = Book.of_shelf(*(made(f"doubted{number}") for number in range(50)))
        numbers = count()
        return lambda: puzzles.report(PuzzlePage(ANN.user_id, f"doubted{next(numbers)}"))
    if deed is Deed.ABORT:
        begun = [await running(host, "gambo", guild_id=GUILD) for _ in range(3)]

        async def abort() -> None:
            await host.play.depart(begun[-1].id, ANN.user_id, meant=Leaving.ABORT)
            begun.pop()

        return abort
    if deed is APPOINT:
        soon = NewMatch("gambo", CHANNEL, guild_id=GUILD, shown=timed(clock.now() + timedelta(days=9)))

        async def appoint() -> None:
            await host.votes.cancel((await host.lobby.open(soon, ANN)).id, ANN.user_id)

        return appoint
    if deed is RESCHEDULE:
        request = NewMatch("gambo", CHANNEL, guild_id=GUILD, shown=timed(clock.now() + timedelta(days=1)))
        appointed = (await host.lobby.open(request, ANN)).id
        await host.lobby.join(appointed, BOB)
        await host.lobby.leave(appointed, ANN.user_id)
        times = count(2)
        part = host.part(Appointments)
        return lambda: part.reschedule(appointed, BOB.user_id, clock.now() + next(times) * timedelta(days=1))
    match = await running(host, "saboteur", 3)

    async def leave() -> None:
        await host.work.change(match.id, lambda table: table.set(returned=()))
        await host.play.depart(match.id, BOB.user_id)
        await host.play.take_back(match.id, BOB.user_id)

    async def remind() -> None:
        await host.work.change(match.id, lambda table: table.set(reminded=False))
        await host.votes.remind(match.id, waiting(match))

    async def end() -> None:
        await host.work.change(match.id, lambda table: without(table, Asks.CANCEL))
        await host.votes.cancel(match.id, BOB.user_id)

    async def undo() -> None:
        await host.work.change(played.id, lambda table: without(table, Asks.UNDO))
        await host.votes.undo(played.id, BOB.user_id)

    async def order() -> None:
        who = next(seat.user_id for seat in match.seats if seat.seat != match.to_move and seat.user_id is not None)
        await host.part(Orders).instruct(match.id, who, "gold", ply=match.ply)

    played = await play(host, await running(host, "gambo"), Random(1)) if deed is Deed.UNDO else match
    return {
        Deed.UNDO: undo,
        Deed.END: end,
        ORDER: order,
        Deed.AWAY: lambda: host.absence.away(BOB.user_id, clock.now() + timedelta(days=1)),
        Deed.LEAVE: leave,
        Deed.MOVE: lambda: host.reach.move(match.id, BOB.user_id, CHANNEL + 1),
        Deed.REMIND: remind,
        Deed.BRING: lambda: host.reach.bring_down(match.id, BOB.user_id),
        Deed.SHOW: lambda: host.reach.show(match.id, BOB.user_id),
        Deed.RESULTS: lambda: host.part(Ratings).exported(GUILD, BOB.user_id),
        PLEDGE: lambda: host.part(Pledges).pledge(wish(host, BOB, guild_id=GUILD)),
    }[deed]


async def until_refused(again: Callable[[], Awaitable[object]]) -> tuple[int, TooSoon]:
    """How often it was possible, and the refusal after that."""
    for done in range(50):
        try:
            await again()
        except TooSoon as refusal:
            return done, refusal
    raise AssertionError("it can be done without end")


@pytest.mark.parametrize("deed", [deed for deed in DEEDS if deed not in NOT_ASKED_FOR], ids=attrgetter("name"))
async def test_nothing_that_costs_others_something_can_be_done_without_end(host: Hosted, deed: Limit) -> None:
    again, limit = await doing(host, deed, host.clock), deed
    times = 5 if deed is Deed.INVITE else 1
    done, refusal = await until_refused(again)
    assert done == limit.most // times
    assert str(refusal) == limit.refusal
    assert refusal.again == host.clock.now() + times * limit.each
    before = await dump(host.database)
    await raised(TooSoon, again())
    assert await dump(host.database) == before, "what is refused changes nothing, and makes nobody wait longer"
    host.clock.advance(refusal.again - host.clock.now() - A_SECOND)
    await raised(TooSoon, again())
    host.clock.advance(A_SECOND)
    await again()


async def owners(database: Database, clock: ManualClock) -> set[UserId]:
    """Whose allowances are used now, among the people of these tests."""
    scopes, everybody = [*range(12), GUILD, *GAMES], (*PEOPLE, EVE)
    names = {
        f"{deed.name} {scope} {each.user_id}": each.user_id for deed in DEEDS for scope in scopes for each in everybody
    }

    def look(connection: Connection) -> set[UserId]:
        key = meta.secret(connection).encode()
        marks = {hmac.digest(key, name.encode(), "sha256").hex()[:32]: owner for name, owner in names.items()}
        used = select(schema.allowances.c.mark).where(schema.allowances.c.until > clock.now())
        return {marks[mark] for mark in connection.execute(used).scalars()}

    return await database.read(look)


# FOUND D4
@pytest.mark.parametrize("deed", [deed for deed in DEEDS if deed not in NOT_ASKED_FOR], ids=attrgetter("name"))
async def test_whatever_somebody_does_uses_only_allowances_of_their_own(host: Hosted, deed: Limit) -> None:
    again = await doing(host, deed, host.clock)
    await sql(host.database, "DELETE FROM allowances")
    await again()
    assert len(await owners(host.database, host.clock)) == 1


# FOUND D4
async def test_a_table_that_calls_uses_allowances_of_those_whom_something_reaches(host: Hosted) -> None:
    for each in PEOPLE[1:5]:
        await host.part(Pledges).call_me(GUILD, each.user_id, "saboteur", CallMeRow(CHANNEL))
    match = await host.lobby.open(NewMatch("saboteur", CHANNEL, guild_id=GUILD), ANN)
    await host.part(Pledges).call_later(match.id, ANN.user_id, everywhere=True)
    assert await owners(host.database, host.clock) == {ANN.user_id}
    await host.part(Pledges).call_to(match.id, ANN.user_id, everywhere=True)
    rows = [row for row in await host.outbox.claim() if row.kind is Kind.WANTED]
    assert len(rows) == 4
    for row in rows[:3]:
        await host.part(Pledges).not_reached(row)
    assert await owners(host.database, host.clock) == {ANN.user_id, rows[3].user_id}


async def test_somebody_has_so_many_open_tables_on_a_server_and_is_told_when_the_oldest_closes(host: Hosted) -> None:
    opened = host.clock.now()
    for _ in range(OPEN_TABLES):
        first = await lobby(host, "saboteur", guild_id=GUILD)
        host.clock.advance(A_SECOND)
    with pytest.raises(TooSoon, match="Start or cancel one") as refused:
        await lobby(host, "saboteur", guild_id=GUILD)
    assert refused.value.again == opened + LOBBY_STAYS
    await lobby(host, "saboteur", guild_id=GUILD + 1)
    await host.lobby.open(NewMatch("saboteur", CHANNEL, guild_id=GUILD), BOB)
    await host.votes.cancel(first.id, ANN.user_id)
    await lobby(host, "saboteur", guild_id=GUILD)


async def watched_lobby(host: Host, person: Person, guild_id: int | None = GUILD, computers: int = 2) -> Match:
    """A lobby of this person, who only watches, with this many computers."""
    match = await host.lobby.open(NewMatch("abissal", CHANNEL, guild_id=guild_id), person)
    match = await host.lobby.watch(match.id, person.user_id)
    for _ in range(computers):
        match = await host.lobby.add_computer(match.id, person.user_id)
    return match


# FOUND P1
async def test_somebody_has_so_many_running_matches_that_only_computers_play(host: Host) -> None:
    first, *_ = [
        await host.lobby.start((await watched_lobby(host, ANN, GUILD + number)).id, ANN.user_id)
        for number in range(WATCHED_TABLES)
    ]
    waiting = await watched_lobby(host, ANN, None)
    with pytest.raises(NotAllowed, match=rf"already have {WATCHED_TABLES} matches .* only computers play"):
        await host.lobby.start(waiting.id, ANN.user_id)
    assert await host.look.match(waiting.id) == waiting
    assert (await host.lobby.start((await watched_lobby(host, BOB)).id, BOB.user_id)).status is Status.RUNNING
    own = await lobby(host, "abissal", computers=1, guild_id=GUILD)
    assert (await host.lobby.start(own.id, ANN.user_id)).status is Status.RUNNING, "a match with a person is no such"
    await host.votes.cancel(first.id, ANN.user_id)
    assert (await host.lobby.start(waiting.id, ANN.user_id)).status is Status.RUNNING


# FOUND P1
async def test_a_match_of_computers_that_would_start_when_full_is_counted_too(host: Host) -> None:
    for _ in range(WATCHED_TABLES):
        await host.lobby.start((await watched_lobby(host, ANN)).id, ANN.user_id)
    match = await host.lobby.open(NewMatch("gambo", CHANNEL, guild_id=GUILD), ANN)
    match = await host.lobby.watch(match.id, ANN.user_id)
    await raised(NotAllowed, host.lobby.fill(match.id, ANN.user_id), "only computers play")
    match = await host.lobby.add_computer(match.id, ANN.user_id)
    await raised(NotAllowed, host.lobby.add_computer(match.id, ANN.user_id), "only computers play")
    assert (await host.lobby.join(match.id, ANN)).status is Status.RUNNING


# FOUND P1
async def test_a_server_has_so_many_running_matches_that_only_computers_play(host: Host) -> None:
    people = [PEOPLE[number // WATCHED_TABLES] for number in range(WATCHED_ON_A_SERVER)]
    for person in people:
        await host.lobby.start((await watched_lobby(host, person)).id, person.user_id)
    with pytest.raises(
        NotAllowed, match=rf"server already has {WATCHED_ON_A_SERVER} matches .* take a seat yourself\.$"
    ):
        await host.lobby.start((await watched_lobby(host, EVE)).id, EVE.user_id)
    elsewhere = await watched_lobby(host, EVE, GUILD + 1)
    assert (await host.lobby.start(elsewhere.id, EVE.user_id)).status is Status.RUNNING


async def test_p14_a_table_is_asked_for_a_seat_once_until_it_answers_or_a_day_has_passed(host: Hosted) -> None:
    match = await running(host, "saboteur", 3, computers=2)
    numbers = [seat.seat for seat in match.seats if seat.computer]
    await host.absence.apply(match.id, EVE)
    for number in (None, *numbers):
        with pytest.raises(TooSoon, match="already asked") as refused:
            await host.absence.apply(match.id, EVE, number)
        assert refused.value.again == host.clock.now() + ASKED_AGAIN
    await host.absence.apply(match.id, PEOPLE[8])
    host.clock.advance(ASKED_AGAIN)
    await host.absence.apply(match.id, EVE)


async def test_p14_whoever_asked_for_a_seat_that_is_taken_may_ask_for_another(host: Host) -> None:
    match = await running(host, "saboteur", 4)
    await host.play.depart(match.id, BOB.user_id)
    await host.absence.apply(match.id, EVE)
    await host.play.take_back(match.id, BOB.user_id)
    await host.play.depart(match.id, PEOPLE[2].user_id)
    match = await host.absence.apply(match.id, EVE)
    assert [each.user_id for each in match.applications] == [EVE.user_id]


async def test_two_processes_count_together_and_a_restart_brings_nothing_back(
    url: str, clock: ManualClock, database: Database
) -> None:
    match = await running(Host(database, clock, Seeds()), "saboteur", 3)
    done = 0
    async with await Database.open(url) as other:
        hosts = [Host(store, clock, Seeds(), name=name) for store, name in ((database, "one"), (other, "two"))]
        hosts.append(Host(database, clock, Seeds(), name="one"))
        for host in hosts * 4:
            try:
                await host.reach.move(match.id, BOB.user_id, CHANNEL + done)
            except TooSoon:
                continue
            done += 1
    assert done == Deed.MOVE.most


async def test_whoever_had_to_wait_for_their_turn_to_write_is_given_nothing_back(
    url: str, clock: ManualClock, database: Database
) -> None:
    """Their request has a slightly earlier time than those stored before it, by this process or another."""
    match = await running(Host(database, clock, Seeds()), "saboteur", 3)
    await until_refused(lambda: Host(database, clock, Seeds()).reach.move(match.id, BOB.user_id, CHANNEL))
    async with await Database.open(url) as other:
        earlier = ManualClock(clock.now() - timedelta(milliseconds=1))
        host = Host(other, earlier, Seeds(), name="earlier")
        await raised(TooSoon, host.reach.move(match.id, BOB.user_id, CHANNEL))


async def test_what_one_person_does_at_one_table_is_counted_for_nobody_else_and_no_other_table(host: Host) -> None:
    matches = [await running(host, "saboteur", 3) for _ in range(2)]
    await until_refused(lambda: host.reach.move(matches[0].id, BOB.user_id, CHANNEL))
    await host.reach.move(matches[0].id, ANN.user_id, CHANNEL)
    await host.reach.move(matches[1].id, BOB.user_id, CHANNEL)


async def test_what_is_refused_for_another_reason_or_delivered_twice_uses_nothing_up(host: Host) -> None:
    match = await lobby(host, "ambush", 2)
    for _ in range(50):
        await raised(WrongTime, host.lobby.join(match.id, EVE))
    match = await lobby(host, "saboteur")
    for _ in range(50):
        await host.lobby.join(Once(match.id, 4711), EVE)


async def test_a_clock_that_was_wrong_keeps_nobody_waiting(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 3)
    await until_refused(lambda: host.reach.move(match.id, BOB.user_id, CHANNEL))
    clock.advance(timedelta(days=-30))
    await host.reach.move(match.id, BOB.user_id, CHANNEL)


async def test_the_store_says_of_nobody_what_they_have_used_and_forgets_it_when_it_has_come_back(host: Hosted) -> None:
    match = await lobby(host, "saboteur")
    await until_refused(lambda: doing_once(host, match))
    await host.privacy.forget(EVE.user_id)
    while EVE.user_id in await host.privacy.being_forgotten():
        await host.privacy.go_on(EVE.user_id)
    assert str(EVE.user_id) not in str(await dump(host.database))
    await raised(TooSoon, host.lobby.join(match.id, EVE))
    host.clock.advance(max(deed.whole for deed in DEEDS))
    await host.lobby.join(match.id, PEOPLE[3])
    await host.retention.due()
    assert len((await dump(host.database))["allowances"]) == 1


async def doing_once(host: Host, match: Match) -> None:
    await host.lobby.join(match.id, EVE)
    await host.lobby.leave(match.id, EVE.user_id)


@pytest.mark.parametrize("deed", DEEDS, ids=attrgetter("name"))
def test_an_allowance_comes_back_one_by_one(deed: Limit) -> None:
    limit, start = deed, ManualClock().now()
    until = start
    for number in range(limit.most):
        until = used(deed, until, start)
        assert until == start + (number + 1) * limit.each
    with pytest.raises(TooSoon) as refused:
        used(deed, until, start)
    assert refused.value.again == start + limit.each
    assert used(deed, until, refused.value.again) == until + limit.each
    assert used(deed, start, start, limit.most) == until


async def test_whoever_plays_as_fast_as_they_can_meets_no_limit(host: Host, clock: ManualClock) -> None:
    """An evening at `live` speed of two people who need two seconds a move and press **Rematch** after each match."""
    began = clock.now()
    match = await running(host, "gambo", 2, pace=Pace.LIVE, guild_id=GUILD)
    for number in range(40):
        rng = Random(number)
        for _ in range(20):
            if match.status is Status.RUNNING:
                match = await play(host, match, rng)
                clock.advance(2 * A_SECOND)
        if match.status is Status.RUNNING:
            match = await host.play.resign(match.id, PEOPLE[number % 2].user_id)
        for person in (ANN, BOB):
            clock.advance(5 * A_SECOND)
            new = await host.lobby.rematch(match.id, person, CHANNEL)
        match = new
        assert match.status is Status.RUNNING
    assert clock.now() - began < timedelta(minutes=40)


async def test_a_table_of_ten_is_filled_and_played_again_without_meeting_a_limit(host: Hosted) -> None:
    for _ in range(4):
        match = await lobby(host, "saboteur", 2, computers=8, guild_id=GUILD, pace=Pace.LIVE)
        await host.lobby.remove_computer(match.id, ANN.user_id)
        for person in PEOPLE[2:3]:
            await host.lobby.join(match.id, person)
        match = await host.lobby.start(match.id, ANN.user_id)
        host.clock.advance(timedelta(minutes=5))
        match = await host.votes.remind(match.id, waiting(match)) if match.mover and match.mover.present else match
        await host.votes.cancel(match.id, ANN.user_id, moderator=True)


# FOUND S4
async def test_the_mark_of_what_somebody_used_is_salted_with_a_secret_of_the_store(
    host: Host, clock: ManualClock, database: Database, tmp_path: Path
) -> None:
    match = await running(host, "saboteur", 3)
    await host.reach.move(match.id, BOB.user_id, CHANNEL)
    guessed = {
        sha256(text.encode()).hexdigest()[:32]
        for deed in DEEDS
        for scope in (match.id, 0)
        for text in (f"{deed.name} {scope} {BOB.user_id}",)
    }
    stored = {row[0] for row in (await dump(database))["allowances"]}
    assert stored
    assert not stored & guessed
    async with await Database.open(fresh(tmp_path / "other.db")) as other:
        elsewhere = await running(Host(other, clock, Seeds()), "saboteur", 3)
        await Host(other, clock, Seeds()).reach.move(elsewhere.id, BOB.user_id, CHANNEL)
        assert not stored & {row[0] for row in (await dump(other))["allowances"]}


# FOUND S4
async def test_processes_that_share_a_store_have_one_secret(url: str, database: Database) -> None:
    async with await Database.open(url) as other:
        found = await asyncio.gather(*(store.write(meta.secret) for store in (database, other) * 3))
        assert len({*found}) == 1
        assert await other.read(meta.secret) == found[0]


# FOUND S4
async def test_marks_go_by_themselves_once_all_has_come_back(host: Hosted) -> None:
    match = await running(host, "saboteur", 3)
    await host.reach.move(match.id, BOB.user_id, CHANNEL)
    await run_all(host)
    assert (await dump(host.database))["allowances"]
    host.clock.advance(timedelta(hours=1, minutes=1))
    await run_all(host)
    assert not (await dump(host.database))["allowances"]
