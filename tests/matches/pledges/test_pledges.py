"""From promises to a table: who is asked, what their answers do, and that nobody is called too often (P40)."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest

from db import Database
from db.model.rows import GapRow
from db.pledges.kept import KEPT
from matches.api import (
    Cancelling,
    Host,
    Kind,
    ManualClock,
    Match,
    NewMatch,
    NotAllowed,
    NotFound,
    Pace,
    Person,
    PlayerSettings,
    Status,
    Telling,
    Terms,
    TooSoon,
    UserId,
    Vote,
    WrongTime,
)
from matches.features import FEATURES
from matches.pledges import Call, CallMeRow, Pledges
from matches.pledges.asking import LONGEST
from matches.pledges.calls import STANDS
from matches.pledges.gathering import LEFT_OUT, ROUNDS, STARTS_IN
from matches.pledges.pledge import READY
from matches.pledges.public import Count, Wanted
from matches.pledges.resting import CALLS_A_DAY
from matches.pledges.starting import starts_by
from matches.table.time import given_back
from tests.matches.pledges.promising import GUILD, HOUR, MINUTE, asked, calls, look, pledge, started
from tests.matches.tables import CHANNEL, DAY, PEOPLE, Seeds, dump, lobby, running

ANN, BOB, CLEO, DAN, EVE = PEOPLE[:5]
A_MOMENT = timedelta(seconds=1)


async def gathered(host: Host, *people: Person, **more: object) -> int:
    """These people are being asked. Return the number of their gathering."""
    await pledge(host, *people, **more)
    await look(host)
    return (await of(host, people[0])).table.id


async def of(host: Host, person: Person) -> Call:
    """What this person is being asked."""
    call = await host.part(Pledges).call(GUILD, person.user_id)
    assert call is not None
    return call


async def test_p40_people_whose_pledges_fit_are_asked_once_and_whoever_says_yes_plays(
    host: Host, clock: ManualClock, database: Database
) -> None:
    await pledge(host, ANN, BOB)
    await look(host)
    assert not await calls(host)
    await pledge(host, CLEO)
    await look(host)
    rows = await calls(host)
    assert sorted(row.user_id or 0 for row in rows) == [each.user_id for each in (ANN, BOB, CLEO)]
    assert all(row.rings and row.match_id is None and row.guild_id == GUILD for row in rows)
    await look(host)
    assert not await calls(host), "once"
    number = (await of(host, ANN)).table.id
    assert (await host.part(Pledges).ready(number, ANN)).match is None
    assert (await host.part(Pledges).ready(number, BOB)).match is None
    opened = (await host.part(Pledges).ready(number, CLEO)).match
    assert opened is not None
    assert [seat.name for seat in opened.seats] == ["Ann", "Bob", "Cleo"]
    assert (opened.host_id, opened.pace, starts_by(opened)) == (ANN.user_id, Pace.LIVE, clock.now() + STARTS_IN)
    assert not await host.part(Pledges).of_person(ANN.user_id), "a pledge that is kept is over"
    await look(host)
    assert not await calls(host), "until the table starts it's set aside, and leads to no other table"
    match = await started(host, clock, opened)
    assert (match.status, len(match.seats)) == (Status.RUNNING, 3)
    assert not (await dump(database))["pledges"]


async def test_a_lobby_that_starts_by_itself_waits_for_its_message_and_whoever_came_can_leave_it(
    host: Host, clock: ManualClock
) -> None:
    number = await gathered(host, ANN, BOB, CLEO)
    for each in (ANN, BOB):
        await host.part(Pledges).ready(number, each)
    opened = (await host.part(Pledges).ready(number, CLEO)).match
    assert opened is not None
    clock.advance(STARTS_IN)
    for row in await host.time.claim_due():
        await host.time.happen(row)
    assert (await host.look.match(opened.id)).status is Status.LOBBY, "nobody has seen the commitment yet"
    await host.lobby.leave(opened.id, CLEO.user_id)
    await host.outbox.set_lobby_message(opened.id, 77)
    clock.advance(MINUTE)
    for row in await host.time.claim_due():
        await host.time.happen(row)
    left = await host.look.match(opened.id)
    assert (left.status, starts_by(left)) == (Status.LOBBY, None), "too few are left, so it's a lobby like any other"
    await pledge(host, CLEO)
    (own,) = await host.part(Pledges).of_person(CLEO.user_id)
    assert own.row.rests_until is not None
    assert own.row.rests_until > clock.now() + 23 * HOUR


async def made_by_pledges(host: Host, *people: Person, **wishes: object) -> Match:
    """The lobby of these people, who have all said that they're ready. The first one hosts it."""
    number = await gathered(host, *people, **wishes)
    for each in people[:-1]:
        await host.part(Pledges).ready(number, each)
    match = (await host.part(Pledges).ready(number, people[-1])).match
    assert match is not None
    assert match.host_id == people[0].user_id
    return match


async def test_where_a_bot_begins_without_pledges_a_table_that_they_have_made_is_one_like_any_other(
    host: Host, database: Database, clock: ManualClock
) -> None:
    opened = await made_by_pledges(host, ANN, BOB, CLEO)
    without = Host(database, clock, features=tuple(each for each in FEATURES if each.key != "pledges"))
    await without.end_what_is_left_out()
    left = await without.look.match(opened.id)
    assert (left.status, left.shown) == (Status.LOBBY, {})
    assert await without.votes.cancelling(left.id, left.host_id) is Cancelling.CLOSE
    assert not await host.part(Pledges).of_person(ANN.user_id)


# FOUND D6
async def test_a_host_who_cancels_a_table_that_pledges_have_made_leaves_it_to_the_others(
    host: Host, clock: ManualClock
) -> None:
    opened = await made_by_pledges(host, ANN, BOB, CLEO, DAN, fewest=4, most=4)
    assert await host.votes.cancelling(opened.id, ANN.user_id, moderator=True) is Cancelling.LEAVE
    left = await host.votes.cancel(opened.id, ANN.user_id)
    assert (left.status, left.host_id) == (Status.LOBBY, BOB.user_id)
    assert [seat.name for seat in left.seats] == ["Bob", "Cleo", "Dan"]
    match = await started(host, clock, left)
    assert (match.status, len(match.seats)) == (Status.RUNNING, 3)
    for each in (ANN, BOB, CLEO, DAN):
        assert not await host.part(Pledges).of_person(each.user_id), "it's kept, or was theirs to lose"
    await pledge(host, ANN)
    (own,) = await host.part(Pledges).of_person(ANN.user_id)
    assert own.row.rests_until == clock.now() + DAY - STARTS_IN, "Ann didn't come"


# FOUND D6
@pytest.mark.parametrize("how", ["cancel", "moderator", "remove", "bar"])
async def test_what_somebody_does_to_a_table_costs_the_others_neither_their_places_nor_a_call(
    host: Host, clock: ManualClock, how: str
) -> None:
    began = clock.now()
    opened = await made_by_pledges(host, ANN, BOB, CLEO)
    clock.advance(timedelta(seconds=1))
    if how == "cancel":
        await host.votes.cancel(opened.id, ANN.user_id)
    elif how == "moderator":
        assert (await host.votes.cancel(opened.id, UserId(4), moderator=True)).status is Status.CANCELLED
    elif how == "remove":
        for each in (BOB, CLEO):
            await host.lobby.remove(opened.id, ANN.user_id, each.user_id)
    else:
        await host.settings.bar(GUILD, ANN.user_id, clock.now() + DAY)
    if how != "moderator":
        await started(host, clock, opened)
    for each in (BOB, CLEO):
        (own,) = await host.part(Pledges).of_person(each.user_id)
        assert (own.row.since, own.row.rests_until, own.row.gathering) == (began, None, None)
    await calls(host)
    # They can be called as often as if nothing had happened.
    for number in range(CALLS_A_DAY):
        await pledge(host, PEOPLE[4 + number])
        await look(host)
        assert {row.user_id for row in await calls(host)} >= {BOB.user_id, CLEO.user_id}
        for each in (BOB, CLEO):
            await host.part(Pledges).withdraw(GUILD, each.user_id, "saboteur")
        await host.part(Pledges).withdraw(GUILD, PEOPLE[4 + number].user_id, "saboteur")
        await pledge(host, BOB, CLEO)


# FOUND D6
async def test_people_whose_places_are_given_back_are_asked_again_though_nobody_else_has_waited_on_the_server(
    host: Host, clock: ManualClock
) -> None:
    opened = await made_by_pledges(host, ANN, BOB, CLEO)
    await calls(host)
    clock.advance(2 * HOUR)
    await look(host)
    assert not await calls(host)
    await host.votes.cancel(opened.id, UserId(4), moderator=True)
    await look(host)
    assert sorted(row.user_id or 0 for row in await calls(host)) == [each.user_id for each in (ANN, BOB, CLEO)]


# FOUND C1
async def test_whoever_is_asked_whether_they_are_ready_has_the_time_of_a_gap_back(
    host: Host, clock: ManualClock, database: Database
) -> None:
    host.presence.arrive(0, 1, clock.now(), replayed=False)
    await host.presence.settle()
    number = await gathered(host, ANN, BOB, CLEO)
    until = (await of(host, ANN)).table.until
    clock.advance(READY[Pace.LIVE] - MINUTE)
    await host.presence.tick()
    clock.advance(HOUR)
    host = Host(database, clock, Seeds())
    host.presence.arrive(0, 1, clock.now(), replayed=False)

    async def due() -> tuple[int, ...]:
        return await host.part(Pledges).due(9, host.presence.shards, host.presence.away)

    assert not await due(), "nobody is left out before they have the time back"
    await host.presence.settle()
    await host.presence.settle()
    assert await due() == (GUILD,)
    await host.part(Pledges).go_on(GUILD)
    assert (await of(host, ANN)).table.until == until + HOUR
    host.presence.lose_server(GUILD)
    clock.advance(MINUTE)
    assert not await due()
    host.presence.find_server(GUILD)
    await host.presence.settle()
    for each in (ANN, BOB, CLEO):
        readiness = await host.part(Pledges).ready(number, each)
    assert readiness.match is not None


# FOUND C1
async def test_a_lobby_that_starts_later_after_a_gap_says_so(host: Host, clock: ManualClock) -> None:
    opened = await made_by_pledges(host, ANN, BOB, CLEO)
    await host.outbox.set_lobby_message(opened.id, 77)
    await calls(host)
    gap = GapRow(1, 1, 0, GUILD, clock.now(), clock.now() + HOUR)
    later = (await host.work.change(opened.id, lambda table: given_back(table, gap))).match
    at = starts_by(opened)
    assert at is not None
    assert starts_by(later) == at + HOUR
    assert len(await calls(host, Kind.LOBBY)) == 1


# FOUND D8
async def test_whoever_has_their_data_deleted_after_saying_yes_rests_like_anybody_who_does_not_come(
    host: Host, clock: ManualClock
) -> None:
    await made_by_pledges(host, ANN, BOB, CLEO)
    await host.privacy.forget_wholly(BOB.user_id)
    await pledge(host, BOB)
    (own,) = await host.part(Pledges).of_person(BOB.user_id)
    assert own.row.rests_until == clock.now() + DAY


async def test_whoever_does_not_answer_is_left_out_and_the_next_one_is_asked(
    host: Host, clock: ManualClock, database: Database
) -> None:
    number = await gathered(host, ANN, BOB, CLEO, fewest=3, most=3)
    await pledge(host, DAN, fewest=3, most=3)
    await host.part(Pledges).ready(number, ANN)
    await host.part(Pledges).ready(number, BOB)
    await calls(host)
    clock.advance(READY[Pace.LIVE])
    await look(host)
    assert [row.user_id for row in await calls(host)] == [DAN.user_id]
    assert await host.part(Pledges).call(GUILD, CLEO.user_id) is None
    with pytest.raises(WrongTime):
        await host.part(Pledges).ready(number, CLEO)
    (kept,) = await host.part(Pledges).of_person(CLEO.user_id)
    assert kept.row.since == clock.now(), "behind the others"
    match = (await host.part(Pledges).ready(number, DAN)).match
    assert match is not None
    assert [seat.name for seat in match.seats] == ["Ann", "Bob", "Dan"]


async def test_without_a_next_one_the_table_is_off_and_whoever_was_ready_keeps_their_place(
    host: Host, clock: ManualClock, database: Database
) -> None:
    began = clock.now()
    number = await gathered(host, ANN, BOB, CLEO, fewest=3, most=3)
    await host.part(Pledges).note_call(await of(host, ANN), 9, 99)
    await host.part(Pledges).ready(number, ANN)
    await calls(host)
    await host.part(Pledges).not_now(number, BOB.user_id)
    clock.advance(READY[Pace.LIVE])
    await look(host)
    assert not await asked(host, database)
    (row,) = await calls(host, Kind.CALL_OVER)
    assert (row.user_id, row.message_id, row.channel_id, row.match_id) == (ANN.user_id, 99, 9, None)
    (own,) = await host.part(Pledges).of_person(ANN.user_id)
    assert own.row.since == began
    assert own.row.rests_until is None
    for each in (BOB, CLEO):
        (own,) = await host.part(Pledges).of_person(each.user_id)
        assert own.row.rests_until is not None
        assert own.row.rests_until <= clock.now() + LEFT_OUT


async def test_as_soon_as_enough_are_ready_their_lobby_opens_and_the_others_can_still_join_it(
    host: Host, clock: ManualClock
) -> None:
    number = await gathered(host, ANN, BOB, CLEO, DAN)
    for each in (DAN, CLEO):
        assert (await host.part(Pledges).ready(number, each)).match is None
    opened = (await host.part(Pledges).ready(number, BOB)).match
    assert opened is not None
    assert (len(opened.seats), opened.size) == (3, 4)
    at = starts_by(opened)
    assert at is not None
    assert at > clock.now() + STARTS_IN, "Ann hasn't answered"
    full = (await host.part(Pledges).ready(number, ANN)).match
    assert full is not None
    assert (full.id, full.status, len(full.seats)) == (opened.id, Status.RUNNING, 4), "everybody is there"
    assert not await host.part(Pledges).of_person(ANN.user_id)


async def test_whoever_says_yes_after_the_start_is_told_so_and_keeps_their_pledge(
    host: Host, clock: ManualClock, database: Database
) -> None:
    number = await gathered(host, ANN, BOB, CLEO, DAN)
    for each in (DAN, CLEO, BOB):
        opened = (await host.part(Pledges).ready(number, each)).match
    assert opened is not None
    await started(host, clock, opened)
    with pytest.raises(WrongTime, match="already started"):
        await host.part(Pledges).ready(number, ANN)
    clock.advance(READY[Pace.LIVE])
    await look(host)
    assert not await asked(host, database)
    assert len(await host.part(Pledges).of_person(ANN.user_id)) == 1


async def test_whoever_says_yes_and_then_no_has_their_pledges_rest_for_a_day_whatever_they_withdraw_or_delete(
    host: Host, clock: ManualClock
) -> None:
    number = await gathered(host, ANN, BOB, CLEO)
    await host.part(Pledges).ready(number, ANN)
    await host.part(Pledges).not_now(number, ANN.user_id)
    until = clock.now() + DAY
    (own,) = await host.part(Pledges).of_person(ANN.user_id)
    assert own.row.rests_until == until
    assert await host.part(Pledges).withdraw(GUILD, ANN.user_id, "saboteur")
    await pledge(host, ANN)
    (own,) = await host.part(Pledges).of_person(ANN.user_id)
    assert own.row.rests_until == until
    await host.privacy.forget(ANN.user_id)
    assert not await host.part(Pledges).of_person(ANN.user_id)
    await pledge(host, ANN, guild_id=GUILD + 1)
    (own,) = await host.part(Pledges).of_person(ANN.user_id)
    assert own.row.rests_until == until


@pytest.mark.parametrize("how", ["leave", "computer", "moved"])
async def test_whoever_came_by_a_pledge_and_leaves_before_moving_has_their_pledges_rest(
    host: Host, clock: ManualClock, how: str
) -> None:
    number = await gathered(host, ANN, BOB, CLEO)
    for each in (ANN, BOB, CLEO):
        opened = (await host.part(Pledges).ready(number, each)).match
    assert opened is not None
    match = await started(host, clock, opened)
    mover = match.mover
    assert mover is not None
    assert mover.user_id is not None
    if how == "moved":
        view = await host.look.view(match.id, mover.user_id)
        match = await host.play.act(match.id, mover.user_id, view.moves[0].text)
    if how == "computer":
        clock.advance(timedelta(minutes=6))
        for row in await host.time.claim_due():
            await host.time.happen(row)
        for seat in match.seats:
            if seat.user_id not in (None, mover.user_id) and (await host.look.match(match.id)).mover == mover:
                await host.votes.vote(match.id, seat.user_id, Vote.COMPUTER)
    else:
        await host.play.depart(match.id, mover.user_id)
    await pledge(host, Person(mover.user_id, "x"))
    (own,) = await host.part(Pledges).of_person(mover.user_id)
    assert (own.row.rests_until is not None) is (how != "moved")


async def test_nobody_is_called_more_than_twice_within_a_day_whatever_is_pledged_and_withdrawn(
    host: Host, clock: ManualClock
) -> None:
    random, times = Random(5), Counter[int]()
    moments: dict[int, list[datetime]] = {each.user_id: [] for each in PEOPLE}
    for _ in range(60):
        person = random.choice(PEOPLE)
        guild_id = random.choice([GUILD, GUILD + 1])
        game, size = random.choice([("saboteur", 3), ("gambo", 2)])
        with suppress(TooSoon, NotAllowed):
            await pledge(host, person, guild_id=guild_id, game=game, fewest=size, most=size)
        await look(host)
        for row in await calls(host):
            assert row.user_id is not None
            times[row.user_id] += 1
            moments[row.user_id].append(clock.now())
        for each in PEOPLE:
            if random.random() < 0.4:
                for own in await host.part(Pledges).of_person(each.user_id):
                    await host.part(Pledges).withdraw(own.guild_id, each.user_id, own.game)
        clock.advance(random.choice([MINUTE, HOUR, 2 * HOUR]))
    assert max(times.values()) > CALLS_A_DAY
    for rung in moments.values():
        for first, third in zip(rung, rung[CALLS_A_DAY:], strict=False):
            assert third - first >= DAY


async def test_nobody_is_called_in_their_quiet_hours_and_is_when_these_end(host: Host, clock: ManualClock) -> None:
    clock.advance(datetime(2030, 3, 30, 22, 30, tzinfo=UTC) - clock.now())
    berlin = PlayerSettings(quiet="22-8", zone="Europe/Berlin")
    await host.settings.set_player_settings(ANN.user_id, berlin)
    await pledge(host, ANN, BOB, CLEO)
    await look(host)
    assert not await calls(host)
    # The clocks go forward in that night.
    end = datetime(2030, 3, 31, 6, tzinfo=UTC)
    while clock.now() < end - MINUTE:
        clock.advance(min(HOUR, end - MINUTE - clock.now()))
        await look(host)
        assert not await calls(host)
    clock.advance(MINUTE)
    await look(host)
    assert len(await calls(host)) == 3


@pytest.mark.parametrize("why", ["list", "listed", "bar", "matches", "server", "place"])
async def test_lists_bars_and_the_number_of_matches_never_give_way(host: Host, clock: ManualClock, why: str) -> None:
    more: dict[str, object] = {}
    if why == "list":
        await host.settings.block(ANN.user_id, BOB.user_id)
    if why == "listed":
        await host.settings.block(BOB.user_id, ANN.user_id)
    if why == "matches":
        await running(host, "gambo", guild_id=GUILD)
        await host.settings.set_player_settings(ANN.user_id, PlayerSettings(at_once=1))
    if why == "server":
        more = {"guild_id": GUILD + 1}
    if why == "place":
        more = {"everywhere": False, "channel_id": CHANNEL + 1}
    await pledge(host, ANN, **more)
    await pledge(host, BOB, CLEO)
    if why == "bar":
        await host.settings.bar(GUILD, ANN.user_id, clock.now() + 2 * DAY)
    for _ in range(8):
        await look(host)
        assert not await calls(host)
        clock.advance(HOUR)
    await pledge(host, DAN)
    await look(host)
    who = (ANN, CLEO, DAN) if why in ("list", "listed") else (BOB, CLEO, DAN)
    assert sorted(row.user_id or 0 for row in await calls(host)) == [each.user_id for each in who]


async def test_two_processes_that_match_at_once_ask_everybody_once(url: str, clock: ManualClock) -> None:
    async with await Database.open(url) as one, await Database.open(url) as two:
        hosts = Host(one, clock, Seeds(), name="one"), Host(two, clock, Seeds(), name="two")
        for round in range(5):
            people = [Person(UserId(1000 * round + number), f"P{number}") for number in range(1, 7)]
            await pledge(hosts[0], *people, fewest=3, most=3)
            await asyncio.gather(*(host.part(Pledges).go_on(GUILD) for host in hosts))
            rung = Counter(row.user_id for row in await calls(hosts[0]))
            assert rung == Counter(each.user_id for each in people)
            numbers = await asked(hosts[0], one)
            mine = {each.user_id: numbers[each.user_id] for each in people}
            assert sorted(Counter(mine.values()).values()) == [3, 3]
            # Two answer at once in either process.
            answers = [
                hosts[number % 2].part(Pledges).ready(mine[each.user_id], each) for number, each in enumerate(people)
            ]
            found = await asyncio.gather(*answers)
            tables = {each.match.id for each in found if each.match is not None}
            assert len(tables) == 2
            seated = [await hosts[0].look.match(number) for number in tables]
            assert sorted(seat.user_id or 0 for match in seated for seat in match.seats) == sorted(mine)


async def test_somebody_who_pledged_for_two_games_is_asked_about_one_table_at_a_time(
    host: Host, clock: ManualClock, database: Database
) -> None:
    await pledge(host, ANN, game="gambo", fewest=2, most=2)
    await pledge(host, ANN, BOB, CLEO)
    await look(host)
    await pledge(host, DAN, game="gambo", fewest=2, most=2)
    await look(host)
    assert [row.user_id for row in await calls(host)].count(ANN.user_id) == 1
    assert DAN.user_id not in await asked(host, database)


async def test_after_a_restart_at_any_step_it_goes_on(url: str, clock: ManualClock) -> None:
    steps = 0
    number, match = 0, None
    while steps < 6:
        async with await Database.open(url) as database:
            host = Host(database, clock, Seeds(f"{steps}"))
            await host.outbox.take_over()
            if steps == 0:
                await pledge(host, ANN, BOB, CLEO)
            elif steps == 1:
                await look(host)
            elif steps == 2:
                assert len(await calls(host)) == 3
                number = (await of(host, ANN)).table.id
                await host.part(Pledges).ready(number, ANN)
            elif steps == 3:
                await host.part(Pledges).ready(number, BOB)
            elif steps == 4:
                match = (await host.part(Pledges).ready(number, CLEO)).match
            else:
                assert match is not None
                assert (await started(host, clock, match)).status is Status.RUNNING
            if steps > 1:
                await look(host)
                assert not await calls(host), "nobody is asked twice"
            steps += 1


async def test_a_clock_that_is_set_back_keeps_nobody_waiting_for_long(host: Host, clock: ManualClock) -> None:
    clock.advance(400 * DAY)
    await pledge(host, ANN, BOB)
    await look(host)
    clock.advance(-400 * DAY)
    await pledge(host, CLEO, until=clock.now() + DAY)
    await look(host)
    assert len(await calls(host)) == 3
    number = (await of(host, ANN)).table.id
    await host.part(Pledges).ready(number, ANN)
    clock.advance(-3 * HOUR)
    await host.part(Pledges).ready(number, BOB)
    clock.advance(3 * HOUR + READY[Pace.LIVE])
    await look(host)
    assert await host.part(Pledges).call(GUILD, ANN.user_id) is None
    assert not await calls(host), "nobody is called twice"


async def test_a_server_that_throws_the_bot_out_calls_nobody_any_more(host: Host, database: Database) -> None:
    await pledge(host, ANN, BOB, CLEO)
    await host.part(Pledges).call_me(GUILD, DAN.user_id, "saboteur", CallMeRow(CHANNEL))
    await look(host)
    number = (await of(host, ANN)).table.id
    await host.reach.lose_server(GUILD)
    assert not await calls(host)
    with pytest.raises(WrongTime):
        await host.part(Pledges).ready(number, ANN)
    stored = await dump(database)
    assert not any(stored[each.table.name] for each in KEPT)
    await host.reach.find_server(GUILD)
    await pledge(host, ANN, BOB, CLEO)
    await look(host)
    assert len(await calls(host)) == 3, "it begins anew"


async def test_a_server_that_the_bot_left_while_it_was_offline_is_noticed(host: Host) -> None:
    await pledge(host, ANN)
    await host.reach.notice_servers({GUILD})
    assert await host.part(Pledges).of_person(ANN.user_id)
    await host.reach.notice_servers(set())
    assert not await host.part(Pledges).of_person(ANN.user_id)


async def test_a_channel_that_is_deleted_takes_its_pledges_along(host: Host) -> None:
    await pledge(host, ANN)
    await pledge(host, BOB, channel_id=CHANNEL + 1)
    await host.reach.lose_channel(CHANNEL)
    assert not await host.part(Pledges).of_person(ANN.user_id)
    assert await host.part(Pledges).of_person(BOB.user_id)


# FOUND W2


async def test_a_table_opens_where_something_can_be_posted_or_says_why_it_does_not_open(
    host: Host, clock: ManualClock, database: Database
) -> None:
    await pledge(host, CLEO, channel_id=CHANNEL + 1)
    await pledge(host, ANN, BOB)
    await look(host)
    number = (await of(host, ANN)).table.id
    shut = {CHANNEL, CHANNEL + 1}

    async def closed(guild_id: int, channel_id: int) -> str:
        return "I need the Connect permission" if guild_id == GUILD and channel_id in shut else ""

    host.part(Pledges).why_closed = closed
    for each in (ANN, BOB):
        await host.part(Pledges).ready(number, each)
    with pytest.raises(NotAllowed, match=rf"can't open the table in <#{CHANNEL}.?>: I need the Connect permission\."):
        await host.part(Pledges).ready(number, CLEO)
    shut.remove(CHANNEL + 1)
    opened = (await host.part(Pledges).ready(number, CLEO)).match
    assert opened is not None
    assert (opened.channel_id, opened.host_id) == (CHANNEL + 1, CLEO.user_id)
    assert len(opened.seats) == 3


async def test_whoever_is_forgotten_while_they_are_asked_is_out_of_the_table(
    host: Host, clock: ManualClock, database: Database
) -> None:
    number = await gathered(host, ANN, BOB, CLEO, DAN)
    await host.part(Pledges).note_call(await of(host, ANN), 9, 99)
    for each in (ANN, BOB):
        await host.part(Pledges).ready(number, each)
    await calls(host)
    await host.privacy.forget(ANN.user_id)
    (over,) = await calls(host, Kind.CALL_OVER)
    assert (over.user_id, over.message_id) == (None, 99)
    assert ANN.user_id not in await asked(host, database)
    assert await host.part(Pledges).due(), "others may be asked at once, not only when Ann's time is up"
    opened = (await host.part(Pledges).ready(number, CLEO)).match
    assert opened is None, "two are ready"
    opened = (await host.part(Pledges).ready(number, DAN)).match
    assert opened is not None
    assert [seat.name for seat in opened.seats] == ["Bob", "Cleo", "Dan"]
    everything = repr(await dump(database))
    assert "'Ann'" not in everything


async def test_everybody_is_told_roughly_how_many_would_play_once_an_hour(host: Host, clock: ManualClock) -> None:
    assert await host.part(Pledges).counts(GUILD) == ()
    await pledge(host, ANN, fewest=6, most=6)
    await look(host)
    await pledge(host, BOB, CLEO, fewest=6, most=6)
    await look(host)
    assert await host.part(Pledges).counts(GUILD) == (), "one person alone isn't told of, and later ones are told later"
    clock.advance(HOUR)
    await look(host)
    assert await host.part(Pledges).counts(GUILD) == (Count("saboteur", 0, Wanted.SOME),)
    await host.part(Pledges).withdraw(GUILD, BOB.user_id, "saboteur")
    await host.part(Pledges).withdraw(GUILD, ANN.user_id, "saboteur")
    await look(host)
    assert await host.part(Pledges).counts(GUILD) == (Count("saboteur", 0, Wanted.SOME),), "nobody sees who withdraws"
    clock.advance(HOUR)
    await look(host)
    assert await host.part(Pledges).counts(GUILD) == ()


async def test_what_is_told_is_the_same_whoever_keeps_away_from_whom(url: str, clock: ManualClock) -> None:
    async with await Database.open(url) as database:
        host = Host(database, clock, Seeds())
        for guild_id, blocks in ((GUILD, False), (GUILD + 1, True)):
            if blocks:
                await host.settings.block(ANN.user_id, BOB.user_id)
            await pledge(host, ANN, BOB, guild_id=guild_id, game="gambo", fewest=2, most=2)
            await look(host)
        clock.advance(HOUR)
        await look(host)
        # The first two are asked, the others keep away from each other: nobody can tell.
        assert await host.part(Pledges).counts(GUILD) == await host.part(Pledges).counts(GUILD + 1)
        assert await host.part(Pledges).counts(GUILD) == (Count("gambo", 0, Wanted.ENOUGH),)


async def test_nothing_is_due_when_nobody_has_pledged(host: Host, clock: ManualClock) -> None:
    await pledge(host, ANN)
    await look(host)
    await host.part(Pledges).withdraw(GUILD, ANN.user_id, "saboteur")
    clock.advance(HOUR)
    await look(host)
    clock.advance(100 * DAY)
    assert not await host.part(Pledges).due(100)


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"game": "chess"}, NotFound),
        ({"fewest": 2}, NotAllowed),
        ({"most": 11}, NotAllowed),
        ({"fewest": 5, "most": 4}, NotAllowed),
    ],
)
async def test_impossible_wishes_are_refused(host: Host, wrong: dict[str, object], error: type[Exception]) -> None:
    with pytest.raises(error):
        await pledge(host, ANN, **wrong)
    for until in (host.now(), host.now() + LONGEST + A_MOMENT):
        with pytest.raises(NotAllowed):
            await pledge(host, ANN, until=until)
    assert not await host.part(Pledges).of_person(ANN.user_id)


async def test_whoever_is_barred_cannot_pledge(host: Host, clock: ManualClock) -> None:
    await host.settings.bar(GUILD, ANN.user_id, clock.now() + DAY)
    with pytest.raises(TooSoon, match="barred"):
        await pledge(host, ANN)
    await pledge(host, ANN, guild_id=GUILD + 1)


async def test_a_pledge_keeps_its_place_in_the_queue_unless_somebody_wishes_something_else(
    host: Host, clock: ManualClock
) -> None:
    began = clock.now()
    await pledge(host, ANN)
    clock.advance(HOUR)
    await pledge(host, ANN, until=clock.now() + 5 * DAY)
    (own,) = await host.part(Pledges).of_person(ANN.user_id)
    assert (own.row.since, own.row.until) == (began, clock.now() + 5 * DAY)
    await pledge(host, ANN, pace=Pace.DAY)
    (own,) = await host.part(Pledges).of_person(ANN.user_id)
    assert own.row.since == clock.now()


async def test_whoever_was_not_asked_cannot_answer(host: Host) -> None:
    number = await gathered(host, ANN, BOB, CLEO)
    for forged, person in ((number, DAN), (0, ANN), (number + 1, ANN), (2**62, ANN)):
        with pytest.raises(WrongTime):
            await host.part(Pledges).ready(forged, person)
        with pytest.raises(WrongTime):
            await host.part(Pledges).not_now(forged, person.user_id)


async def test_nobody_is_asked_for_ever_about_one_table(host: Host, clock: ManualClock, database: Database) -> None:
    number = await gathered(host, ANN, BOB, fewest=2, most=2, game="gambo")
    await host.part(Pledges).ready(number, ANN)
    began = clock.now()
    for each in PEOPLE[2:]:
        await pledge(host, each, fewest=2, most=2, game="gambo")
        clock.advance(READY[Pace.LIVE])
        await look(host)
        if ANN.user_id not in await asked(host, database) or (await asked(host, database))[ANN.user_id] != number:
            break
    assert clock.now() - began == ROUNDS * READY[Pace.LIVE]


# Call me.


async def opened(host: Host, **request: Any) -> Match:
    return await lobby(host, "saboteur", guild_id=GUILD, **request)


async def stood(host: Host, match: Match, *, everywhere: bool = True) -> int:
    """How many people the table calls, which has stood for a while."""
    return await host.part(Pledges).call_to(match.id, match.host_id, everywhere=everywhere)


async def want_calls(host: Host, *people: Person, game: str = "saboteur") -> None:
    for each in people:
        await host.part(Pledges).call_me(GUILD, each.user_id, game, CallMeRow(CHANNEL))


async def test_a_new_table_calls_those_who_want_that_once_a_day(host: Host, clock: ManualClock) -> None:
    await want_calls(host, ANN, BOB, CLEO)
    await want_calls(host, DAN, game="gambo")
    await host.part(Pledges).call_me(GUILD + 1, EVE.user_id, "saboteur", CallMeRow(CHANNEL))
    first = await opened(host)
    assert await stood(host, first) == 2, "not the host"
    rows = await calls(host, Kind.WANTED)
    assert sorted(row.user_id or 0 for row in rows) == [BOB.user_id, CLEO.user_id]
    assert all(row.match_id == first.id and row.rings for row in rows)
    second = await opened(host)
    assert await stood(host, second) == 0
    clock.advance(DAY)
    assert await stood(host, second) == 2
    await host.part(Pledges).call_me(GUILD, BOB.user_id, "saboteur", None)
    clock.advance(DAY)
    third = await opened(host)
    assert await stood(host, third) == 1


# FOUND D4
async def test_one_table_a_day_of_each_person_and_game_calls(host: Host, clock: ManualClock) -> None:
    await want_calls(host, BOB)
    assert await stood(host, await opened(host)) == 1
    await want_calls(host, CLEO, DAN)
    again = await opened(host)
    assert await stood(host, again) == 0, "Ann's table of today has called"
    await want_calls(host, DAN, game="gambo")
    assert await stood(host, await lobby(host, "gambo", guild_id=GUILD)) == 1
    of_eve = await host.lobby.open(NewMatch("saboteur", CHANNEL, guild_id=GUILD), EVE)
    assert await stood(host, of_eve) == 1, "Cleo; Bob and Dan were called today"


# FOUND D4
async def test_a_table_that_is_closed_at_once_calls_nobody_and_uses_nobodys_allowance(
    host: Host, clock: ManualClock
) -> None:
    eight = PEOPLE[2:10]
    await want_calls(host, *eight)
    attack = await opened(host)
    assert await host.part(Pledges).call_later(attack.id, ANN.user_id, everywhere=True)
    await host.votes.cancel(attack.id, ANN.user_id)
    honest = await host.lobby.open(NewMatch("saboteur", CHANNEL, guild_id=GUILD), BOB)
    assert await host.part(Pledges).call_later(honest.id, BOB.user_id, everywhere=True)
    clock.advance(STANDS - timedelta(seconds=1))
    assert not await calls(host, Kind.STOOD)
    clock.advance(timedelta(seconds=1))
    (row,) = await calls(host, Kind.STOOD)
    assert (row.match_id, row.user_id) == (honest.id, BOB.user_id)
    assert await stood(host, attack) == 0
    assert await stood(host, honest) == len(eight)


# FOUND D4
@pytest.mark.parametrize("kind", [Kind.WANTED, Kind.CALL])
async def test_a_call_that_reaches_nobody_is_given_back_once(host: Host, clock: ManualClock, kind: Kind) -> None:
    """However often that happens, somebody can still be called as often as always."""

    async def call() -> list[Telling]:
        if kind is Kind.WANTED:
            await stood(host, await host.lobby.open(NewMatch("saboteur", CHANNEL, guild_id=GUILD), PEOPLE[next(hosts)]))
        else:
            await pledge(host, BOB, PEOPLE[next(hosts)], game="gambo", fewest=2, most=2)
            await look(host)
        return [row for row in await host.outbox.claim(MINUTE, None, 1000) if row.kind is kind]

    hosts, counted = iter(range(2, 10)), CALLS_A_DAY if kind is Kind.CALL else 1
    await want_calls(host, BOB)
    for _ in range(3):
        for row in await call():
            await host.part(Pledges).not_reached(row)
            await host.part(Pledges).not_reached(row)
            if row.user_id == BOB.user_id and kind is Kind.CALL:
                await host.part(Pledges).withdraw(GUILD, BOB.user_id, "gambo")
        clock.advance(MINUTE)
    for _ in range(counted):
        assert BOB.user_id in [row.user_id for row in await call()]
        await host.part(Pledges).withdraw(GUILD, BOB.user_id, "gambo")
    assert BOB.user_id not in [row.user_id for row in await call()]


# FOUND D9
@pytest.mark.parametrize("why", ["list", "listed", "quiet", "matches", "barred", "called", "invited", "seated"])
async def test_what_a_host_hears_of_calls_is_the_same_whatever_the_called_have_chosen(
    host: Host, clock: ManualClock, why: str
) -> None:
    """Bob's list, and whatever else keeps them from being called, changes no word and no allowance of Ann's."""
    told, left = [], []
    await want_calls(host, BOB, CLEO)
    for differs in (False, True):
        request = await prevented(host, clock, why) if differs else {}
        match = await opened(host, people=2 if differs and why == "seated" else 1, **request)
        told.append(await host.part(Pledges).call_later(match.id, ANN.user_id, everywhere=True))
        await stood(host, match)
        await calls(host)
        again = await opened(host)
        left.append(await stood(host, again))
        clock.advance(2 * DAY)
    assert told == [True, True]
    assert left == [0, 0]


async def prevented(host: Host, clock: ManualClock, why: str) -> dict[str, object]:
    """Something that keeps Bob from being called to Ann's table, which is opened with what is returned."""
    if why == "list":
        await host.settings.block(ANN.user_id, BOB.user_id)
    if why == "listed":
        await host.settings.block(BOB.user_id, ANN.user_id)
    if why == "quiet":
        hour = clock.now().hour
        await host.settings.set_player_settings(BOB.user_id, PlayerSettings(quiet=f"{hour}-{(hour + 1) % 24}"))
    if why == "matches":
        await running(host, "gambo")
        await host.settings.set_player_settings(BOB.user_id, PlayerSettings(at_once=1))
    if why == "barred":
        await host.settings.bar(GUILD, BOB.user_id, clock.now() + DAY)
    if why == "called":
        for game, other in (("gambo", CLEO), ("ambush", DAN)):
            await pledge(host, BOB, other, game=game, fewest=2, most=2)
            await look(host)
            await host.part(Pledges).withdraw(GUILD, BOB.user_id, game)
    return {"invited": (BOB.user_id,)} if why == "invited" else {}


@pytest.mark.parametrize(
    "why",
    ["list", "listed", "quiet", "matches", "barred", "seated", "invited", "place", "called", "full", "handed on"],
)
async def test_a_new_table_does_not_call(host: Host, clock: ManualClock, why: str) -> None:
    await host.part(Pledges).call_me(GUILD, BOB.user_id, "saboteur", CallMeRow(CHANNEL + (why == "place")))
    request = await prevented(host, clock, why)
    if why == "full":
        request = {"size": 3, "computers": 2, "host_starts": True}
    match = await opened(host, people=2 if why == "seated" else 1, **request)
    by = EVE.user_id if why == "handed on" else ANN.user_id
    assert await host.part(Pledges).call_to(match.id, by, everywhere=why != "place") == 0


async def test_a_host_is_not_told_of_one_person_who_is_called_and_it_costs_no_invitation(host: Host) -> None:
    await want_calls(host, BOB)
    guests = tuple(range(1000, 1030))
    match = await host.lobby.open(NewMatch("saboteur", CHANNEL, Terms(invited=guests), GUILD), ANN)
    assert not await host.part(Pledges).call_later(match.id, ANN.user_id, everywhere=True)
    assert await stood(host, match) == 1
