"""Tables that start at an appointed time: who sits, who waits in line, who is ready, and what ends them (P40)."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from cogs.text.times import LONGEST
from db import Database
from matches.api import (
    Ended,
    Host,
    KeptApart,
    Kind,
    ManualClock,
    Match,
    MatchId,
    NotAllowed,
    NotSeated,
    Pace,
    Person,
    Status,
    TooSoon,
    UserId,
    WrongTime,
)
from matches.appointments import Appointments
from matches.appointments.appointed import APPOINT, CALLED_OFF_AFTER, LATEST, PUT_BACK_EVERY, READY_BEFORE, RESCHEDULE
from matches.table.limits import IN_LINE, OPEN_TABLES
from tests.matches.tables import (
    DAY,
    PEOPLE,
    Seeds,
    appointment,
    lobby,
    raised,
    run_due,
    running,
    tellings,
    timed,
    told_kinds,
)

ANN, BOB, CLEO, DAN, EVE = PEOPLE[:5]
GUILD = 7
MINUTE = timedelta(minutes=1)
NEXT_WEEK = timedelta(days=7)
POSTED = 9_000


async def appointed(
    host: Host, *people: Person, after: timedelta = NEXT_WEEK, fill_with: str | None = None, **terms: Any
) -> Match:
    """A table of Gambo (two seats) that Ann has appointed, which these people have joined."""
    shown = timed(host.now() + after, fill_with=fill_with, mirrored=True)
    match = await lobby(host, "gambo", guild_id=GUILD, shown=shown, **terms)
    await host.outbox.set_lobby_message(match.id, POSTED)
    for person in people:
        match = await host.lobby.join(match.id, person)
    await tellings(host, match.id)
    return match


async def at(host: Host, clock: ManualClock, match: Match, before: timedelta = timedelta(0)) -> Match:
    """Let the time come, or a time before it, and do what is due."""
    match = await host.look.match(match.id)
    clock.advance(appointment(match).appointed - before - host.now())
    while await run_due(host):
        pass
    return await host.look.match(match.id)


def sitting(match: Match) -> list[str]:
    return sorted(seat.name for seat in match.seats if seat.user_id is not None)


def in_line(match: Match) -> list[str]:
    return [seat.name for seat in match.line]


async def test_an_appointed_table_starts_at_its_time_with_who_is_ready_though_the_bot_restarts_at_every_step(
    database: Database, host: Host, clock: ManualClock
) -> None:
    match = await appointed(host, BOB)
    host = Host(database, clock, Seeds())
    assert match.status is Status.LOBBY, "a full table waits for its time"
    match = await at(host, clock, match, before=READY_BEFORE + MINUTE)
    assert (match.status, match.asking) == (Status.LOBBY, False)
    assert await told_kinds(host, match) == []
    match = await at(host, clock, match, before=READY_BEFORE)
    assert match.asking
    clock.advance(MINUTE)
    assert await told_kinds(host, match) == [Kind.READY, Kind.LOBBY]
    for person in (ANN, BOB):
        host = Host(database, clock, Seeds())
        await host.lobby.ready(match.id, person.user_id)
    assert Kind.READY not in await told_kinds(host, match), "nobody is asked twice"
    match = await at(Host(database, clock, Seeds()), clock, match)
    assert (match.status, sitting(match)) == (Status.RUNNING, ["Ann", "Bob"])
    assert (await host.look.details(match.id)).pressed[-1] == f"post-{POSTED}"
    assert (match.asking, match.line, {seat.ready for seat in match.seats}) == (False, (), {False})


async def test_who_does_not_answer_is_left_out_and_who_is_next_in_line_and_ready_sits_down(
    host: Host, clock: ManualClock
) -> None:
    match = await appointed(host, BOB, CLEO, DAN)
    assert (sitting(match), in_line(match)) == (["Ann", "Bob"], ["Cleo", "Dan"])
    await at(host, clock, match, before=READY_BEFORE)
    for person in (BOB, DAN):
        await host.lobby.ready(match.id, person.user_id)
    match = await at(host, clock, match)
    assert (match.status, sitting(match), match.host_id) == (Status.RUNNING, ["Bob", "Dan"], BOB.user_id)


async def test_a_free_seat_goes_to_the_next_in_line_at_once(host: Host) -> None:
    match = await appointed(host, BOB, CLEO, DAN)
    match = await host.lobby.leave(match.id, CLEO.user_id)
    assert in_line(match) == ["Dan"]
    match = await host.lobby.leave(match.id, ANN.user_id)
    assert (sitting(match), in_line(match), match.host_id) == (["Bob", "Dan"], [], BOB.user_id)
    match = await host.lobby.join(match.id, EVE)
    match = await host.lobby.remove(match.id, BOB.user_id, DAN.user_id)
    assert (sitting(match), in_line(match)) == (["Bob", "Eve"], [])
    match = await host.lobby.join(match.id, CLEO)
    await host.privacy.forget(EVE.user_id)
    match = await host.look.match(match.id)
    assert (sitting(match), in_line(match)) == (["Bob", "Cleo"], [])


@pytest.mark.parametrize("level", [None, "hard"])
async def test_missing_seats_go_to_computers_or_the_table_is_called_off_as_the_host_chose(
    host: Host, clock: ManualClock, level: str | None
) -> None:
    match = await appointed(host, BOB, fill_with="easy")
    match = await host.part(Appointments).fill_with(match.id, ANN.user_id, level)
    await raised(NotAllowed, host.part(Appointments).fill_with(match.id, BOB.user_id, "easy"), "Only the host")
    await raised(NotAllowed, host.part(Appointments).fill_with(match.id, ANN.user_id, "divine"), "no such level")
    await at(host, clock, match, before=READY_BEFORE)
    await host.lobby.ready(match.id, BOB.user_id)
    match = await at(host, clock, match)
    if level is None:
        assert (match.status, match.ended_by) == (Status.CANCELLED, Ended.CALLED_OFF)
        assert Kind.EVENT in await told_kinds(host, match)
    else:
        assert (match.status, sitting(match)) == (Status.RUNNING, ["Bob"])
        assert [seat.computer for seat in match.seats if seat.user_id is None] == ["hard"]


async def test_a_table_to_which_nobody_comes_is_called_off_whatever_computers_could_do(
    host: Host, clock: ManualClock
) -> None:
    match = await appointed(host, BOB, fill_with="easy")
    await at(host, clock, match, before=READY_BEFORE)
    match = await at(host, clock, match)
    assert (match.status, match.ended_by) == (Status.CANCELLED, Ended.CALLED_OFF)


async def test_nobody_can_be_ready_before_they_are_asked_or_without_a_seat(host: Host, clock: ManualClock) -> None:
    match = await appointed(host, BOB)
    await raised(WrongTime, host.lobby.ready(match.id, BOB.user_id), "too early")
    await raised(WrongTime, host.lobby.start(match.id, ANN.user_id), "appointed time")
    await at(host, clock, match, before=READY_BEFORE)
    await raised(NotSeated, host.lobby.ready(match.id, CLEO.user_id), "Join")
    await raised(NotAllowed, host.lobby.start(match.id, ANN.user_id), "Not everybody")
    await raised(NotAllowed, host.lobby.start(match.id, BOB.user_id), "Only the host")  # FOUND W5
    for person in (ANN, BOB):
        await host.lobby.ready(match.id, person.user_id)
    assert (await host.lobby.start(match.id, ANN.user_id)).status is Status.RUNNING, "everybody is ready"


async def test_whoever_comes_after_the_question_is_ready_by_that(host: Host, clock: ManualClock) -> None:
    match = await appointed(host)
    await at(host, clock, match, before=READY_BEFORE)
    match = await host.lobby.join(match.id, BOB)
    assert {seat.name: seat.ready for seat in match.seats} == {"Ann": False, "Bob": True}
    soon = await appointed(host, after=3 * MINUTE)
    assert (soon.asking, [seat.ready for seat in soon.seats]) == (True, [True])


async def test_another_time_is_told_and_makes_nobody_ready(host: Host, clock: ManualClock) -> None:
    match = await appointed(host, BOB)
    await at(host, clock, match, before=READY_BEFORE)
    await host.lobby.ready(match.id, BOB.user_id)
    await tellings(host, match.id)
    reschedule, tomorrow = host.part(Appointments).reschedule, clock.now() + DAY
    await raised(NotAllowed, reschedule(match.id, BOB.user_id, tomorrow), "Only the host")
    await raised(NotAllowed, reschedule(match.id, ANN.user_id, clock.now() + MINUTE), "at least 10 minutes")
    match = await reschedule(match.id, ANN.user_id, tomorrow)
    assert (match.asking, any(seat.ready for seat in match.seats)) == (False, False)
    clock.advance(MINUTE)
    assert await told_kinds(host, match) == [Kind.EVENT, Kind.LOBBY, Kind.RESCHEDULED]
    match = await at(host, clock, match, before=timedelta(hours=1))
    assert match.status is Status.LOBBY


async def test_a_bot_that_was_away_asks_late_or_calls_the_table_off(host: Host, clock: ManualClock) -> None:
    late, too_late = await appointed(host, BOB), await appointed(host, BOB, after=NEXT_WEEK - CALLED_OFF_AFTER)
    clock.advance(appointment(late).appointed + MINUTE - clock.now())
    assert await run_due(host)
    late = await host.look.match(late.id)
    assert (late.status, late.asking, appointment(late).appointed) == (Status.LOBBY, True, clock.now() + READY_BEFORE)
    while await run_due(host):
        pass
    assert (await host.look.match(too_late.id)).ended_by is Ended.CALLED_OFF


async def test_a_table_is_called_off_only_by_a_clock_that_can_be_trusted_and_starts_if_people_come_until_then(
    database: Database, host: Host, clock: ManualClock
) -> None:
    match = await appointed(host, BOB)
    await at(host, clock, match, before=READY_BEFORE)
    restarted = Host(database, clock, Seeds())
    match = await at(restarted, clock, match)
    assert match.status is Status.LOBBY
    for person in (ANN, BOB):
        await restarted.lobby.ready(match.id, person.user_id)
    assert await run_due(restarted)
    assert (await restarted.look.match(match.id)).status is Status.RUNNING


async def test_a_lobby_without_its_message_is_posted_before_the_start(host: Host, clock: ManualClock) -> None:
    match = await appointed(host, BOB)
    await at(host, clock, match, before=READY_BEFORE)
    for person in (ANN, BOB):
        await host.lobby.ready(match.id, person.user_id)
    await host.outbox.set_lobby_message(match.id, None)
    clock.advance(MINUTE)
    await tellings(host, match.id)
    match = await at(host, clock, match)
    assert match.status is Status.LOBBY
    assert Kind.LOBBY in await told_kinds(host, match)
    await host.outbox.set_lobby_message(match.id, POSTED + 1)
    clock.advance(MINUTE)
    assert await run_due(host)
    match = await host.look.match(match.id)
    assert (match.status, (await host.look.details(match.id)).pressed[-1]) == (Status.RUNNING, f"post-{POSTED + 1}")


async def test_a_server_that_throws_the_bot_out_stops_the_clock_of_its_tables(host: Host, clock: ManualClock) -> None:
    match = await appointed(host, BOB)
    await host.reach.lose_server(GUILD)
    match = await at(host, clock, match, before=timedelta(hours=2))
    assert match.status is Status.LOBBY
    await host.reach.find_server(GUILD)
    match = await at(host, clock, match, before=READY_BEFORE)
    assert match.asking
    await host.reach.lose_server(GUILD)
    clock.advance(DAY)
    assert not await run_due(host)
    await host.reach.find_server(GUILD)
    while await run_due(host):
        pass
    assert (await host.look.match(match.id)).ended_by is Ended.CALLED_OFF


async def test_the_end_of_its_event_closes_a_table_that_has_not_started(host: Host, clock: ManualClock) -> None:
    match = await appointed(host, BOB, CLEO)
    await host.part(Appointments).note_event(match.id, 55)
    assert await host.part(Appointments).mirrored() == ((GUILD, 55),)
    found = await host.part(Appointments).of_event(GUILD, 55)
    assert not found.ahead
    moved = appointment(match).appointed + DAY
    await host.part(Appointments).follow_event(found.match, moved)
    assert appointment(await host.look.match(match.id)).appointed == moved
    # The table's time has changed since; so the event follows it, not the other way round.
    await host.part(Appointments).follow_event(found.match, clock.now() + DAY)
    again = await host.part(Appointments).of_event(GUILD, 55)
    assert (appointment(again.match).appointed, again.ahead) == (moved, True)
    await host.part(Appointments).follow_event(again.match, None)
    closed = await host.look.match(match.id)
    assert (closed.status, closed.ended_by, in_line(closed)) == (Status.CANCELLED, Ended.EVENT, [])
    assert await host.part(Appointments).of_event(GUILD, 55) is None


# FOUND D5
async def test_an_event_is_followed_as_often_as_its_host_could_change_the_time_and_is_put_back_after_that(
    host: Host, clock: ManualClock
) -> None:
    match = await appointed(host, BOB)
    await host.part(Appointments).note_event(match.id, 55)
    await tellings(host, match.id)
    first, times, corrected = appointment(match).appointed, set(), 0
    assert first is not None
    for minute in range(1, 31):
        clock.advance(timedelta(seconds=20))
        found = await host.part(Appointments).of_event(GUILD, 55)
        if not found.ahead:
            await host.part(Appointments).follow_event(found.match, first + minute * MINUTE)
        times.add(appointment(await host.look.match(match.id)).appointed)
        corrected += sum(row.kind is Kind.EVENT for row in await tellings(host, match.id))
    assert times - {first} == {first + MINUTE, first + 2 * MINUTE}
    assert RESCHEDULE.most == 2
    clock.advance(PUT_BACK_EVERY)
    corrected += sum(row.kind is Kind.EVENT for row in await tellings(host, match.id))
    assert corrected == 3, "after each change that was followed, and once for all others"
    clock.advance(RESCHEDULE.each)
    match = await host.look.match(match.id)
    await host.part(Appointments).follow_event(match, clock.now() + LATEST + MINUTE)
    assert appointment(await host.look.match(match.id)) == appointment(match), "that's too far ahead"
    assert LATEST == LONGEST
    await host.part(Appointments).follow_event(match, clock.now() + LATEST)
    assert appointment(await host.look.match(match.id)).appointed == clock.now() + LATEST


async def test_appointed_tables_are_counted_by_themselves_and_appointing_is_limited(host: Host) -> None:
    for number in range(OPEN_TABLES):
        await appointed(host, after=DAY + number * MINUTE)
    with pytest.raises(TooSoon) as refused:
        await appointed(host)
    assert refused.value.again == host.now() + DAY
    match = await lobby(host, "gambo", guild_id=GUILD)
    await host.votes.cancel(MatchId(1), ANN.user_id)
    await raised(TooSoon, appointed(host), APPOINT.refusal)
    assert match.status is Status.LOBBY


async def test_the_line_is_as_long_as_it_may_be_and_whoever_keeps_away_is_asked(host: Host) -> None:
    match = await appointed(host, BOB)
    for number in range(IN_LINE):
        await host.lobby.join(match.id, Person(1000 + number, f"P{number}"))  # type: ignore[arg-type]
    await raised(NotAllowed, host.lobby.join(match.id, CLEO), "so is the line")
    match = await appointed(host, BOB, CLEO, after=DAY)
    await host.settings.block(DAN.user_id, CLEO.user_id)
    await raised(KeptApart, host.lobby.join(match.id, DAN), "on your list")
    await host.settings.block(CLEO.user_id, EVE.user_id)
    await host.lobby.join(match.id, EVE)
    assert [(row.kind, row.user_id) for row in await tellings(host, match.id)] == [(Kind.NEAR, CLEO.user_id)]


async def test_whoever_is_barred_or_forgotten_loses_their_place_in_line_too(host: Host) -> None:
    match = await appointed(host, BOB, CLEO, DAN, EVE)
    await host.settings.bar(GUILD, CLEO.user_id, host.now() + DAY)
    await host.privacy.forget(DAN.user_id)
    match = await host.look.match(match.id)
    assert (sitting(match), in_line(match)) == (["Ann", "Bob"], ["Eve"])
    await host.privacy.forget(ANN.user_id)
    match = await host.look.match(match.id)
    assert (sitting(match), in_line(match), match.host_id) == (["Bob", "Eve"], [], BOB.user_id)


async def test_of_many_who_join_at_once_one_sits_and_the_others_are_in_line(
    database: Database, clock: ManualClock
) -> None:
    hosts = [Host(database, clock, Seeds(str(number)), name=f"host {number}") for number in range(2)]
    match = await appointed(hosts[0])
    clock.advance(timedelta(hours=2))
    people = PEOPLE[1:9]
    await asyncio.gather(*(hosts[number % 2].lobby.join(match.id, each) for number, each in enumerate(people)))
    match = await hosts[0].look.match(match.id)
    assert len(match.seats) == 2
    assert sorted(seat.name for seat in (*match.seats[1:], *match.line)) == sorted(each.name for each in people)
    clock.advance(NEXT_WEEK - timedelta(hours=2) - READY_BEFORE)
    await asyncio.gather(*map(run_due, hosts))
    ready = (hosts[number % 2].lobby.ready(match.id, each.user_id) for number, each in enumerate(people))
    await asyncio.gather(*ready)
    clock.advance(READY_BEFORE)
    await asyncio.gather(*map(run_due, hosts))
    match = await hosts[1].look.match(match.id)
    assert (match.status, len(match.seats), match.line) == (Status.RUNNING, 2, ())
    asked = [row for row in await tellings(hosts[0], match.id) if row.kind is Kind.READY]
    assert asked == [], "the question is out of date"


async def test_a_rematch_is_for_now(host: Host, clock: ManualClock) -> None:
    match = await appointed(host, BOB, pace=Pace.LIVE, fill_with="easy")
    await at(host, clock, match, before=READY_BEFORE)
    await host.lobby.ready(match.id, BOB.user_id)
    match = await at(host, clock, match)
    await host.votes.cancel(match.id, 0, moderator=True)  # type: ignore[arg-type]
    assert (await host.look.verify(match.id)).ok, "the deals follow from the presses and the lobby's message"
    again = await host.lobby.rematch(match.id, BOB)
    assert (again.shown, again.pace) == ({}, Pace.LIVE)


async def test_a_table_for_another_time_is_for_the_same_people_and_no_rematch(host: Host) -> None:
    """Whoever appoints second learns of the first table, and isn't seated there. A rematch goes on beside it."""
    old = await running(host, "saboteur", 3, guild_id=GUILD, pace=Pace.SLOW)
    await host.votes.cancel(old.id, UserId(0), moderator=True)
    first = await host.lobby.rematch(old.id, ANN, shown=timed(host.now() + NEXT_WEEK))
    details = await host.look.details(first.id)
    assert (first.game, first.size, first.pace, first.seat_names) == ("saboteur", 3, Pace.SLOW, ("Ann",))
    assert (set(details.invited), details.rematch_of) == ({BOB.user_id, CLEO.user_id}, old.id)
    assert appointment(first).appointed == host.now() + NEXT_WEEK
    for shown in (timed(host.now() + DAY), timed(host.now() + NEXT_WEEK)):
        assert await host.lobby.rematch(old.id, BOB, shown=shown) == first
    now = await host.lobby.rematch(old.id, BOB)
    assert (now.shown, now.seat_names) == ({}, ("Bob",))
    assert (await host.lobby.rematch(old.id, ANN)).seat_names == ("Bob", "Ann")
    assert (await host.lobby.rematch(old.id, CLEO)).status is Status.RUNNING
    assert await host.lobby.rematch(old.id, CLEO, shown=timed(host.now() + DAY)) == first
    await host.votes.cancel(first.id, ANN.user_id)
    assert (await host.lobby.rematch(old.id, CLEO, shown=timed(host.now() + DAY))).host_id == CLEO.user_id


async def test_what_would_mean_nothing_is_left_out_or_refused(host: Host) -> None:
    plain = await lobby(host, "gambo")
    match = await appointed(host, host_starts=True, after=DAY)
    assert not (await host.look.details(match.id)).host_starts
    await raised(NotAllowed, appointed(host, fill_with="divine"), "no such level")
    match = await appointed(host)
    await raised(NotAllowed, host.lobby.switch_start(match.id, ANN.user_id), "appointed time")
    for request in (
        host.part(Appointments).reschedule(plain.id, ANN.user_id, host.now() + DAY),
        host.part(Appointments).fill_with(plain.id, ANN.user_id, "easy"),
    ):
        await raised((NotAllowed, WrongTime), request, "no appointed time")
