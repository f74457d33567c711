"""Nobody can keep a match from ending (P31): time away is limited, a turn isn't restarted, and a log doesn't grow."""

from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest

from db.model.rows import Ballot
from matches.api import CutOff, Ended, Host, ManualClock, Pace, Person, Status, UserId, Vote, WrongTime
from matches.table.cut_off import pause
from tests.matches.tables import (
    A_MOMENT,
    DAY,
    PEOPLE,
    Hosted,
    absent,
    asked,
    others,
    play,
    raised,
    run_due,
    run_time,
    running,
    texts,
)

HOUR = timedelta(hours=1)


async def pass_time(host: Host, clock: ManualClock, by: timedelta) -> None:
    """Let this time pass, and carry out what the clock makes due."""
    clock.advance(by)
    while await run_time(host):
        pass


@pytest.mark.parametrize("pace", [Pace.LIVE, Pace.DAY, Pace.SLOW])
async def test_p16_a_turn_pauses_no_longer_than_the_pace_allows(host: Host, clock: ManualClock, pace: Pace) -> None:
    match = await running(host, "saboteur", 3, pace=pace)
    assert pace.turn is not None
    await host.absence.away(absent(match), clock.now() + 60 * DAY)
    assert (await host.look.match(match.id)).turn_due == clock.now() + pace.away + pace.turn
    await pass_time(host, clock, pace.away + pace.turn - A_MOMENT)
    assert (await host.look.details(match.id)).asked == 0
    await pass_time(host, clock, A_MOMENT)
    assert (await host.look.details(match.id)).asked == 1


async def test_p16_in_a_five_minute_match_the_time_away_is_minutes(host: Host) -> None:
    assert Pace.LIVE.away <= timedelta(minutes=15) < 5 * DAY < Pace.DAY.away < Pace.SLOW.away < Pace.NONE.away


async def test_p16_to_say_it_again_and_again_gains_nothing(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 3)
    person, begin = absent(match), clock.now()
    while not (await host.look.details(match.id)).asked:
        await host.absence.away(person, clock.now() + 50 * DAY)
        await pass_time(host, clock, 6 * HOUR)
        await host.absence.away(person, None)
        await pass_time(host, clock, HOUR)
    assert clock.now() - begin <= Pace.DAY.away + DAY + 6 * HOUR


async def test_p16_what_is_used_up_stays_so_in_later_turns(host: Host, clock: ManualClock) -> None:
    match = await running(host, "ambush", 2)
    person = absent(match)
    await host.absence.away(person, clock.now() + 60 * DAY)
    clock.advance(10 * DAY)
    match = await play(host, await host.look.match(match.id), Random(1))
    while not match.waits_for(person):
        match = await play(host, match, Random(1))
    assert match.turn_due == clock.now() + (Pace.DAY.away - 10 * DAY) + DAY
    seat = match.seat_of(person)
    assert seat is not None
    assert match.away_left(seat, clock.now()) == Pace.DAY.away - 10 * DAY


async def test_p16_nothing_is_used_up_while_others_are_on_turn_or_after_coming_back(host: Hosted) -> None:
    match = await running(host, "saboteur", 3)
    person, other = absent(match), others(match)[0]
    await host.absence.away(other, host.clock.now() + 60 * DAY)
    await host.absence.away(person, host.clock.now() + 5 * DAY)
    host.clock.advance(2 * DAY)
    await host.absence.away(person, None)
    match = await host.look.match(match.id)
    left = {seat.user_id: match.away_left(seat, host.clock.now()) for seat in match.seats}
    assert (left[person], left[other]) == (Pace.DAY.away - 2 * DAY, Pace.DAY.away)
    assert match.turn_due == host.clock.now() + DAY


async def test_p16_once_the_time_is_up_nobody_says_that_they_are_away(host: Host, clock: ManualClock) -> None:
    match = await asked(host, clock)
    await host.absence.away(absent(match), clock.now() + 5 * DAY)
    await pass_time(host, clock, DAY)
    assert (await host.look.details(match.id)).asked == 2


async def test_p16_without_a_pace_going_away_again_does_not_put_the_week_off(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 3, pace=Pace.NONE)
    for _ in range(8):
        await host.absence.away(absent(match), clock.now() + HOUR)
        clock.advance(DAY)
    match = await host.votes.vote(match.id, others(match)[0], Vote.WAIT)
    assert match.asking or match.ballots


async def test_p16_time_in_which_the_server_is_lost_is_nobodys_time_away(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 3, guild_id=500)
    person = absent(match)
    await host.absence.away(person, clock.now() + 20 * DAY)
    clock.advance(DAY)
    await host.reach.lose_server(500)
    clock.advance(5 * DAY)
    await host.reach.find_server(500)
    match = await host.look.match(match.id)
    seat = match.seat_of(person)
    assert seat is not None
    assert match.away_left(seat, clock.now()) == Pace.DAY.away - DAY
    assert match.turn_due == clock.now() + match.away_left(seat, clock.now()) + DAY


async def test_p14_leaving_and_coming_back_keeps_the_time_that_was_left(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 3)
    person = absent(match)
    clock.advance(20 * HOUR)
    match = await host.play.depart(match.id, person)
    assert match.turn_due is None
    clock.advance(HOUR)
    match = await host.play.take_back(match.id, person)
    assert match.turn_due == clock.now() + 4 * HOUR
    await pass_time(host, clock, 4 * HOUR)
    assert (await host.look.details(match.id)).asked == 1


async def test_p14_leaving_does_not_make_the_table_forget_what_it_was_asked(host: Host, clock: ManualClock) -> None:
    match = await asked(host, clock)
    person = absent(match)
    clock.advance(HOUR)
    await host.play.depart(match.id, person)
    match = await host.play.take_back(match.id, person)
    assert ((await host.look.details(match.id)).asked, match.turn_due) == (1, clock.now() + 23 * HOUR)
    await pass_time(host, clock, 23 * HOUR)
    match = await host.votes.vote(match.id, others(match)[0], Vote.END)
    assert match.ended_by is Ended.VOTE


async def test_p14_a_turn_that_the_computer_has_played_is_over(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 3)
    person = absent(match)
    clock.advance(20 * HOUR)
    await host.play.depart(match.id, person)
    assert await run_due(host)
    match = await host.play.take_back(match.id, person)
    while not match.waits_for(person):
        match = await play(host, match, Random(1))
    assert match.turn_due == clock.now() + DAY


async def test_p14_leaving_and_coming_back_is_written_once_a_turn(host: Host) -> None:
    match = await running(host, "saboteur", 3)
    waiting = others(match)[0]
    await host.play.depart(match.id, waiting)
    await host.play.take_back(match.id, waiting)
    match = await host.play.depart(match.id, waiting)
    written = await texts(host, match)
    await raised(WrongTime, host.play.take_back(match.id, waiting), "after the next move")
    assert await texts(host, match) == written
    match = await play(host, match, Random(1))
    match = await host.play.take_back(match.id, waiting)
    assert waiting in {seat.user_id for seat in match.present}


async def test_p14_a_seat_is_given_to_another_person_once_a_turn(host: Host) -> None:
    match = await running(host, "saboteur", 4)
    await host.play.depart(match.id, others(match)[0])
    await host.absence.apply(match.id, Person(UserId(99), "Eve"))
    for person in others(match)[1:]:
        await host.absence.agree(match.id, person, UserId(99))
    await host.play.depart(match.id, UserId(99))
    await host.absence.apply(match.id, Person(UserId(98), "Finn"))
    staying = others(match)[1:]
    await raised(WrongTime, host.absence.agree(match.id, staying[0], UserId(98)), "after the next move")
    await play(host, await host.look.match(match.id), Random(1))
    for person in staying:
        match = await host.absence.agree(match.id, person, UserId(98))
    assert match.seat_of(UserId(98)) is not None


async def test_p13_one_who_remains_wins_the_vote_while_the_others_are_away(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 4)
    remaining, *gone = others(match)
    for person in gone:
        await host.absence.away(person, clock.now() + 50 * DAY)
    await pass_time(host, clock, DAY)
    match = await host.votes.vote(match.id, remaining, Vote.COMPUTER)
    assert [seat.computer for seat in match.seats].count("normal") == 1


async def test_p13_whoever_is_away_and_votes_all_the_same_counts(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 4)
    first, second, third = others(match)
    for person in (first, second):
        await host.absence.away(person, clock.now() + 50 * DAY)
    await pass_time(host, clock, DAY)
    await host.votes.vote(match.id, first, Vote.WAIT)
    match = await host.votes.vote(match.id, third, Vote.END)
    assert match.status is Status.RUNNING
    match = await host.votes.vote(match.id, second, Vote.END)
    assert match.ended_by is Ended.VOTE


async def test_p18_one_who_remains_ends_the_match_once_the_others_time_away_is_used_up(host: Hosted) -> None:
    match = await running(host, "ambush", 2, pace=Pace.LIVE)
    person, (remaining,) = absent(match), others(match)
    await host.absence.away(person, host.clock.now() + 50 * DAY)
    host.clock.advance(Pace.LIVE.away - A_MOMENT)
    match = await host.votes.cancel(match.id, remaining)
    assert match.status is Status.RUNNING, "nobody ends it behind the back of who may be away"
    host.clock.advance(A_MOMENT)
    match = await host.votes.cancel(match.id, remaining)
    assert match.ended_by is Ended.VOTE


async def test_p13_a_friend_of_the_absent_does_not_have_the_table_wait_for_ever(host: Host, clock: ManualClock) -> None:
    match = await asked(host, clock, people=3)
    friend, other = others(match)
    await pass_time(host, clock, DAY)
    await host.votes.vote(match.id, friend, Vote.WAIT)
    await pass_time(host, clock, DAY)
    match = await host.votes.vote(match.id, friend, Vote.WAIT)
    assert match.asking, "alone they have it wait once"
    match = await host.votes.vote(match.id, other, Vote.COMPUTER)
    assert not match.mover.present


async def test_p16_whoever_says_so_is_told_where_their_time_away_ends_earlier(host: Host, clock: ManualClock) -> None:
    live = await running(host, "saboteur", 3, pace=Pace.LIVE)
    slow = await running(host, "ambush", 2, pace=Pace.SLOW)
    person = PEOPLE[0].user_id
    told = await host.absence.away(person, clock.now() + 5 * DAY)
    assert {match.id for match in told} == {live.id, slow.id}
    left = {match.id: match.away_left(match.own_seat(person), clock.now()) for match in told}
    assert left == {live.id: Pace.LIVE.away, slow.id: Pace.SLOW.away}


async def test_p17_whoever_left_the_server_while_they_were_away_uses_up_no_more(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 3)
    person = absent(match)
    await host.absence.away(person, clock.now() + 5 * DAY)
    clock.advance(DAY)
    await host.absence.note_look(match.id, person, CutOff.GONE)
    clock.advance(pause(match.pace))
    match = await host.absence.note_look(match.id, person, CutOff.GONE)
    assert ((await host.look.details(match.id)).asked, match.stands_until) == (1, None)
    for other in others(match):
        match = await host.votes.vote(match.id, other, Vote.WAIT)
    due = clock.now() + DAY
    await host.absence.away(person, None)
    match = await host.look.match(match.id)
    assert match.turn_due == due
    assert match.away_left(match.own_seat(person), clock.now()) == Pace.DAY.away - DAY - pause(match.pace)


async def test_whoever_is_away_and_agrees_to_a_take_back_has_not_voted_about_the_turn(host: Hosted) -> None:
    match = await running(host, "saboteur", 4)
    away, *rest = (seat.user_id for seat in match.voters)
    assert away is not None
    await host.absence.away(away, host.clock.now() + DAY)
    match = await host.look.match(match.id)
    agreed = replace(match, ballots=(Ballot(away, Vote.UNDO),))
    assert agreed.electorate(Vote.WAIT, host.clock.now()) == set(rest)
    assert replace(match, ballots=(Ballot(away, Vote.WAIT),)).electorate(Vote.WAIT, host.clock.now()) == {away, *rest}
