"""Questions to a table: answering No, expiry, buttons that answer one question only, late majorities (P13, P18).

FOUND F9.
"""

from collections.abc import Awaitable, Callable
from random import Random

import pytest

from db.model.enums import Due
from matches.api import Ended, Host, Kind, ManualClock, Match, NotSeated, Pace, Status, TooSoon, UserId, Vote, WrongTime
from matches.table.limits import ASKED_AGAIN
from matches.table.questions import OPEN_FOR, Asks, Question, question
from tests.matches.tables import (
    A_MOMENT,
    DAY,
    PEOPLE,
    Hosted,
    asked,
    others,
    play,
    play_on,
    raised,
    run_all,
    running,
    told_kinds,
)

ANN, BOB, CLEO, DAN = (person.user_id for person in PEOPLE[:4])
EVE = PEOPLE[4]


async def open_question(host: Host, match: Match, asks: Asks, applicant: UserId | None = None) -> Question:
    match = await host.look.match(match.id)
    found = question(match, host.now(), asks, applicant)
    assert found is not None
    return found


async def leaves(host: Host, match: Match, user_id: UserId) -> Match:
    return await host.play.depart(match.id, user_id)


async def resigns(host: Host, match: Match, user_id: UserId) -> Match:
    return await host.play.resign(match.id, user_id)


async def is_forgotten(host: Host, match: Match, user_id: UserId) -> Match:
    await host.privacy.forget(user_id)
    return await host.look.match(match.id)


GOING = [leaves, resigns, is_forgotten]


# A majority that forms later.


# FOUND F9
@pytest.mark.parametrize("goes", GOING)
async def test_a_majority_that_comes_about_because_somebody_goes_ends_the_match_at_once(
    host: Host, goes: Callable[[Host, Match, int], Awaitable[Match]]
) -> None:
    match = await running(host, "saboteur", 4)
    for user_id in (ANN, BOB):
        match = await host.votes.cancel(match.id, user_id)
    assert match.status is Status.RUNNING
    match = await goes(host, match, DAN)
    assert (match.status, match.ended_by) == (Status.OVER, Ended.VOTE)


# FOUND F9
async def test_whoever_goes_away_is_not_waited_for_by_a_question(host: Host, clock: ManualClock) -> None:
    match = await asked(host, clock, 5)
    absent_ones = others(match)
    for user_id in absent_ones[:2]:
        match = await host.votes.vote(match.id, user_id, Vote.COMPUTER)
    assert match.mover.present
    await host.absence.away(absent_ones[3], clock.now() + DAY)
    match = await host.look.match(match.id)
    assert any(seat.computer for seat in match.seats), "two of the three who are there want it"


# FOUND F9
async def test_a_move_is_taken_back_at_once_when_the_only_one_who_had_not_agreed_is_gone(host: Host) -> None:
    match = await running(host, "gambo")
    match = await play_on(host, match, Random(1), lambda match: match.ply > 2 and match.waits_for(ANN))
    match = await host.votes.undo(match.id, ANN)
    assert match.questions
    match = await is_forgotten(host, match, BOB)
    texts = [line.text for line in await host.look.history(match.id, None)]
    assert texts[-1].startswith("undo ")
    assert (match.questions, match.ballots) == ((), ())


# FOUND F9
async def test_a_seat_is_given_when_those_who_are_left_have_agreed(host: Host) -> None:
    match = await running(host, "saboteur", 5)
    await host.play.depart(match.id, BOB)
    await host.absence.apply(match.id, PEOPLE[6])
    await play(host, await host.look.match(match.id), Random(1))
    for user_id in (ANN, CLEO):
        match = await host.absence.agree(match.id, user_id, PEOPLE[6].user_id)
    assert match.seat_of(PEOPLE[6].user_id) is None
    match = await host.play.depart(match.id, DAN)
    assert match.seat_of(PEOPLE[6].user_id) is not None


# No.


# FOUND F9
async def test_with_enough_no_the_question_whether_to_end_is_closed_and_the_table_told(host: Host) -> None:
    match = await running(host, "saboteur", 4)
    match = await host.votes.cancel(match.id, ANN)
    assert await told_kinds(host, match) == [Kind.VOTE]
    number = (await open_question(host, match, Asks.CANCEL)).number
    match = await host.votes.refuse(match.id, BOB, Asks.CANCEL, number)
    assert await told_kinds(host, match) == []
    match = await host.votes.refuse(match.id, CLEO, Asks.CANCEL, number)
    assert (match.status, match.ballots, match.questions) == (Status.RUNNING, (), ())
    assert await told_kinds(host, match) == [Kind.NOT_ENDED]
    await raised(WrongTime, host.votes.refuse(match.id, DAN, Asks.CANCEL, number), "closed")


# FOUND F9
async def test_whoever_changes_their_mind_between_yes_and_no_has_one_vote(host: Host) -> None:
    match = await running(host, "saboteur", 4)
    match = await host.votes.cancel(match.id, ANN)
    number = (await open_question(host, match, Asks.CANCEL)).number
    await host.votes.refuse(match.id, BOB, Asks.CANCEL, number)
    match = await host.votes.cancel(match.id, BOB, number=number)
    assert [ballot.vote for ballot in match.ballots] == [Vote.CANCEL, Vote.CANCEL]


# FOUND F9
async def test_one_no_closes_the_question_whether_a_move_is_taken_back(host: Host) -> None:
    match = await play(host, await running(host, "gambo"), Random(1))
    match = await host.votes.undo(match.id, ANN)
    await told_kinds(host, match)
    asked_about = await open_question(host, match, Asks.UNDO)
    match = await host.votes.refuse(match.id, BOB, Asks.UNDO, asked_about.number)
    assert (match.ballots, match.questions) == ((), ())
    assert await told_kinds(host, match) == [Kind.NOT_UNDONE]
    await raised(WrongTime, host.votes.undo(match.id, BOB, asked=asked_about.number), "closed")


# FOUND F9
async def test_with_enough_no_somebody_does_not_get_the_seat(host: Host) -> None:
    match = await running(host, "saboteur", 3, computers=1)
    match = await host.absence.apply(match.id, EVE)
    await told_kinds(host, match)
    match = await host.absence.agree(match.id, ANN, EVE.user_id, yes=False)
    assert len(match.applications) == 1
    match = await host.absence.agree(match.id, BOB, EVE.user_id, yes=False)
    assert match.applications == ()
    assert await told_kinds(host, match) == [Kind.NOT_SEATED]


# FOUND F9
async def test_nobody_else_may_say_no(host: Host) -> None:
    match = await play(host, await running(host, "gambo"), Random(1))
    match = await host.votes.cancel((await host.votes.undo(match.id, ANN)).id, ANN)
    for request in (
        host.votes.refuse(match.id, CLEO, Asks.CANCEL, (await open_question(host, match, Asks.CANCEL)).number),
        host.votes.refuse(match.id, CLEO, Asks.UNDO, (await open_question(host, match, Asks.UNDO)).number),
    ):
        await raised(NotSeated, request)


# Expiry.


# FOUND F9
@pytest.mark.parametrize("pace", Pace)
async def test_a_question_that_nobody_answers_expires_and_says_so(host: Host, clock: ManualClock, pace: Pace) -> None:
    match = await running(host, "saboteur", 3, pace=pace)
    match = await host.votes.cancel(match.id, ANN)
    assert match.mover is not None
    found = await open_question(host, match, Asks.CANCEL)
    assert (found.ply, found.expires) == (match.ply, clock.now() + OPEN_FOR[pace])
    await told_kinds(host, match)
    clock.advance(OPEN_FOR[pace] - A_MOMENT)
    assert await host.time.claim_due((Due.QUESTION,)) == ()
    clock.advance(A_MOMENT)
    (row,) = await host.time.claim_due((Due.QUESTION,))
    await host.time.happen(row)
    match = await host.look.match(match.id)
    assert (match.ballots, match.questions) == ((), ())
    assert Kind.NOT_ENDED in await told_kinds(host, match)
    assert await host.time.claim_due((Due.QUESTION,)) == ()


# FOUND F9
async def test_a_question_about_the_match_outlives_moves_and_still_expires(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 3, pace=Pace.SLOW)
    match = await host.votes.cancel(match.id, ANN)
    for _ in range(3):
        clock.advance(DAY / 2)
        match = await play(host, match, Random(1))
    assert await open_question(host, match, Asks.CANCEL)
    clock.advance(OPEN_FOR[Pace.SLOW] - 3 * DAY / 2)
    for row in await host.time.claim_due((Due.QUESTION,)):
        await host.time.happen(row)
    assert (await host.look.match(match.id)).questions == ()


# FOUND F9
async def test_somebody_who_asks_for_a_seat_is_not_kept_waiting_for_ever(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 3, computers=1, pace=Pace.NONE)
    await host.absence.apply(match.id, EVE)
    clock.advance(ASKED_AGAIN)
    await run_all(host)
    assert (await host.look.match(match.id)).applications == ()
    assert Kind.NOT_SEATED in await told_kinds(host, match)


# An old press.


# FOUND F9
async def test_a_button_of_an_old_question_never_acts_on_a_newer_one(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 3, pace=Pace.NONE)
    match = await host.votes.cancel(match.id, ANN)
    old = (await open_question(host, match, Asks.CANCEL)).number
    clock.advance(OPEN_FOR[Pace.NONE])
    await run_all(host)
    match = await host.votes.cancel(match.id, ANN)
    new = (await open_question(host, match, Asks.CANCEL)).number
    assert old != new
    for press in (host.votes.cancel(match.id, BOB, number=old), host.votes.refuse(match.id, BOB, Asks.CANCEL, old)):
        await raised(WrongTime, press, "closed")
    assert (await host.votes.cancel(match.id, BOB, number=new)).ended_by is Ended.VOTE


# FOUND F9
async def test_a_button_of_the_first_question_about_somebody_does_not_answer_the_second(host: Hosted) -> None:
    match = await asked(host, host.clock, 4)
    host.clock.advance(DAY)
    await run_all(host)
    match = await host.look.match(match.id)
    assert (await host.look.details(match.id)).asked == 2
    await raised(WrongTime, host.votes.vote(match.id, others(match)[0], Vote.END, number=1))
    assert (await host.votes.vote(match.id, others(match)[0], Vote.END, number=2)).ended_by is Ended.VOTE


# FOUND F9
async def test_a_table_is_asked_a_few_times_whether_it_ends(host: Host) -> None:
    match = await running(host, "saboteur", 3)
    for _ in range(2):
        await host.votes.cancel(match.id, ANN)
        number = (await open_question(host, match, Asks.CANCEL)).number
        for user_id in (BOB, CLEO):
            await host.votes.refuse(match.id, user_id, Asks.CANCEL, number)
    await raised(TooSoon, host.votes.cancel(match.id, ANN))
