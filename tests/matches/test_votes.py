"""What a table decides together (P13-P15, P18): on somebody absent, on somebody who returns, on ending a match."""

from datetime import timedelta
from random import Random

from db import Database
from db.model.enums import Ended, Vote
from matches.api import Host, Kind, ManualClock, Match, NotAllowed, NotSeated, Once, Pace, Status, UserId, WrongTime
from tests.matches.tables import (
    A_MOMENT,
    DAY,
    PEOPLE,
    Hosted,
    absent,
    asked,
    dump,
    others,
    play,
    play_on,
    raised,
    run_all,
    run_due,
    running,
    tellings,
    texts,
    told,
    told_kinds,
)


async def test_nothing_is_decided_before_the_time_is_up(host: Host, clock: ManualClock, database: Database) -> None:
    match = await running(host, "saboteur", 3)
    clock.advance(0.9 * DAY)
    await run_due(host)
    before = await dump(database)
    await raised(WrongTime, host.votes.vote(match.id, others(match)[0], Vote.END))
    assert await dump(database) == before


async def test_more_than_half_of_the_others_decide(host: Host, clock: ManualClock) -> None:
    match = await asked(host, clock)
    first, second, _ = others(match)
    match = await host.votes.vote(match.id, first, Vote.COMPUTER)
    assert [(ballot.user_id, ballot.vote) for ballot in match.ballots] == [(first, Vote.COMPUTER)]
    assert match.mover.present
    match = await host.votes.vote(match.id, second, Vote.COMPUTER)
    assert match.mover.computer == "normal"
    assert not match.mover.resigned
    assert match.ballots == ()
    assert (await texts(host, match))[-1] == f"computer {match.to_move} normal"
    assert await run_due(host)
    assert (await host.look.match(match.id)).ply > match.ply


async def test_half_is_not_enough(host: Host, clock: ManualClock) -> None:
    match = await asked(host, clock, people=3)
    first, second = others(match)
    match = await host.votes.vote(match.id, first, Vote.END)
    assert (match.status, len(match.ballots)) == (Status.RUNNING, 1)
    match = await host.votes.vote(match.id, second, Vote.WAIT)
    assert (match.status, len(match.ballots)) == (Status.RUNNING, 2)


async def test_whoever_changes_their_mind_has_one_vote(host: Host, clock: ManualClock) -> None:
    match = await asked(host, clock)
    first, second, third = others(match)
    await host.votes.vote(match.id, first, Vote.COMPUTER)
    await host.votes.vote(match.id, first, Vote.END)
    match = await host.votes.vote(match.id, second, Vote.COMPUTER)
    assert len(match.ballots) == 2
    match = await host.votes.vote(match.id, third, Vote.END)
    assert (match.status, match.ended_by) == (Status.OVER, Ended.VOTE)
    assert (await texts(host, match))[-1] == "end vote"


async def test_a_match_ended_by_vote_has_no_winner(host: Host, clock: ManualClock) -> None:
    match = await asked(host, clock, people=3)
    for person in others(match):
        match = await host.votes.vote(match.id, person, Vote.END)
    assert await told(host, match) == [(Kind.END, None), (Kind.LOBBY, None)]
    outcome = (await host.look.view(match.id, None)).outcome
    assert outcome.winners == ()


async def test_with_two_players_the_other_one_decides(host: Host, clock: ManualClock) -> None:
    match = await running(host, "gambo")
    clock.advance(DAY)
    await run_due(host)
    match = await host.votes.vote(match.id, others(match)[0], Vote.COMPUTER)
    assert match.mover.computer is not None


async def test_waiting_longer_gives_the_same_time_once_more(host: Host, clock: ManualClock) -> None:
    match = await asked(host, clock)
    first, second, third = others(match)
    await host.votes.vote(match.id, first, Vote.WAIT)
    clock.advance(timedelta(hours=1))
    match = await host.votes.vote(match.id, second, Vote.WAIT)
    assert (match.turn_due, match.ballots, (await host.look.details(match.id)).asked) == (clock.now() + DAY, (), 1)
    assert await told_kinds(host, match) == [Kind.ANEW], "the board says that the time is over"  # FOUND W8
    clock.advance(DAY)
    assert await run_due(host)
    assert await told_kinds(host, match) == [Kind.VOTE]
    # After the second time any one of them decides alone.
    match = await host.votes.vote(match.id, third, Vote.COMPUTER)
    assert match.mover.computer == "normal"


async def test_when_nobody_votes_the_table_is_asked_a_second_time_and_a_week_later_it_is_over(
    host: Host, clock: ManualClock
) -> None:  # FOUND F3
    match = await asked(host, clock)
    clock.advance(DAY)
    assert await run_due(host)
    assert await told_kinds(host, match) == [Kind.VOTE]
    assert (await host.look.details(match.id)).asked == 2
    clock.advance(7 * DAY - A_MOMENT)
    assert not await run_due(host)
    clock.advance(A_MOMENT)
    assert await run_due(host)
    match = await host.look.match(match.id)
    assert (match.status, match.ended_by, [seat.won for seat in match.seats if seat.won]) == (
        Status.OVER,
        Ended.ABANDONED,
        [],
    )
    assert (await texts(host, match))[-1] == "end abandoned"


async def test_one_alone_decides_after_the_second_question(host: Host, clock: ManualClock) -> None:
    match = await asked(host, clock)
    clock.advance(DAY)
    assert await run_due(host)
    clock.advance(6 * DAY)
    match = await host.votes.vote(match.id, others(match)[0], Vote.END)
    assert match.ended_by is Ended.VOTE


async def test_waiting_after_the_second_time_is_waiting_once_more(host: Host, clock: ManualClock) -> None:
    match = await asked(host, clock)
    clock.advance(DAY)
    await run_due(host)
    match = await host.votes.vote(match.id, others(match)[0], Vote.WAIT)
    assert match.turn_due == clock.now() + DAY
    await tellings(host)
    clock.advance(DAY)
    assert await run_due(host)
    assert await told_kinds(host, match) == [Kind.VOTE]


async def test_whoever_comes_back_in_time_ends_the_vote(host: Host, clock: ManualClock) -> None:
    match = await asked(host, clock)
    await host.votes.vote(match.id, others(match)[0], Vote.END)
    match = await play(host, match, Random(1))
    assert (match.ballots, (await host.look.details(match.id)).asked) == ((), 0)
    await raised(WrongTime, host.votes.vote(match.id, others(match)[1], Vote.END))


async def test_the_absent_person_strangers_and_who_has_left_have_no_vote(host: Hosted) -> None:
    match = await asked(host, host.clock)
    await host.play.resign(match.id, others(match)[0])
    before = await dump(host.database)
    for person, refusal in ((absent(match), NotAllowed), (999, NotSeated), (others(match)[0], NotSeated)):
        await raised(refusal, host.votes.vote(match.id, UserId(person), Vote.END))
    await raised(NotAllowed, host.votes.vote(match.id, others(match)[1], Vote.CANCEL))
    assert await dump(host.database) == before


async def test_a_vote_of_somebody_who_left_does_not_count(host: Host, clock: ManualClock) -> None:
    match = await asked(host, clock, people=5)
    first, second, third, fourth = others(match)
    await host.votes.vote(match.id, first, Vote.END)
    await host.play.resign(match.id, first)
    match = await host.votes.vote(match.id, second, Vote.END)
    assert match.status is Status.RUNNING
    match = await host.votes.vote(match.id, third, Vote.END)
    assert match.ended_by is Ended.VOTE
    assert fourth


async def test_alone_with_computers_nobody_is_asked(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 1, computers=2)
    match = await play_on(host, match, Random(1), lambda match: match.mover is not None and match.mover.present)
    await tellings(host)
    clock.advance(DAY)
    await run_all(host)
    assert await told(host, match) == [(Kind.REMIND, match.to_move)]


async def test_without_a_pace_anyone_may_call_the_vote_after_seven_days(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 4, pace=Pace.NONE)
    first, second, third = others(match)
    clock.advance(7 * DAY - A_MOMENT)
    await raised(WrongTime, host.votes.vote(match.id, first, Vote.COMPUTER))
    clock.advance(A_MOMENT)
    await host.votes.vote(match.id, first, Vote.COMPUTER)
    assert await told_kinds(host, match) == [Kind.VOTE]
    match = await host.votes.vote(match.id, second, Vote.WAIT)
    assert await told(host, match) == []
    assert match.mover.present
    match = await host.votes.vote(match.id, third, Vote.COMPUTER)
    assert not match.mover or not match.mover.present


async def test_without_a_pace_one_alone_decides_after_a_fortnight(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 4, pace=Pace.NONE)
    clock.advance(14 * DAY)
    match = await host.votes.vote(match.id, others(match)[0], Vote.END)
    assert match.ended_by is Ended.VOTE


async def replaced(host: Host, clock: ManualClock) -> tuple[Match, int]:
    """A match in which a computer plays for somebody who may come back, and that person."""
    match = await asked(host, clock)
    person = absent(match)
    for other in others(match)[:2]:
        match = await host.votes.vote(match.id, other, Vote.COMPUTER)
    return match, person


async def test_whoever_comes_back_takes_the_seat_over_from_the_computer(host: Host, clock: ManualClock) -> None:
    match, person = await replaced(host, clock)
    await tellings(host)
    back = await host.play.take_back(Once(match.id, 1), UserId(person))
    assert (await texts(host, back))[-1] == f"return {match.to_move}"
    assert back.waits_for(UserId(person))
    assert (back.turn_ply, back.turn_due) == (back.ply, clock.now() + DAY)
    assert await told(host, back) == [(Kind.BOARD, None), (Kind.HAND, back.to_move)]
    assert not await run_due(host)
    assert await host.play.take_back(Once(match.id, 1), UserId(person)) == back
    assert (await play(host, back, Random(1))).ply > back.ply


async def test_while_the_computer_plays_its_person_cannot(host: Host, clock: ManualClock, database: Database) -> None:
    match, person = await replaced(host, clock)
    before = await dump(database)
    for request in (host.play.act(match.id, UserId(person), "pass"), host.votes.cancel(match.id, UserId(person))):
        await raised(NotAllowed, request, "Take it back")
    assert (await host.look.view(match.id, UserId(person))).moves == ()
    assert await dump(database) == before


async def test_whoever_is_replaced_may_resign_for_good(host: Host, clock: ManualClock) -> None:
    match, person = await replaced(host, clock)
    seat = match.to_move
    match = await host.play.resign(match.id, UserId(person))
    assert (await texts(host, match))[-1] == f"resign {seat}"
    await raised(NotSeated, host.play.take_back(match.id, UserId(person)))


async def test_more_than_half_of_those_who_play_may_end_the_match(host: Host) -> None:
    match = await running(host, "saboteur", 4)
    first, second, third = (person.user_id for person in PEOPLE[:3])
    match = await host.votes.cancel(match.id, first)
    assert (match.status, [ballot.vote for ballot in match.ballots]) == (Status.RUNNING, [Vote.CANCEL])
    assert await told_kinds(host, match) == [Kind.VOTE]
    match = await host.votes.cancel(match.id, first)
    match = await host.votes.cancel(match.id, second)
    assert (match.status, len(match.ballots)) == (Status.RUNNING, 2)
    assert await told(host, match) == []
    match = await play(host, match, Random(1))
    assert len(match.ballots) == 2
    match = await host.votes.cancel(match.id, third)
    assert (match.status, match.ended_by) == (Status.OVER, Ended.VOTE)
    assert (await texts(host, match))[-1] == "end vote"
    await raised(WrongTime, host.votes.cancel(match.id, first))


async def test_a_moderator_ends_a_match_at_once(host: Host) -> None:
    match = await running(host, "saboteur", 3)
    match = await host.votes.cancel(match.id, UserId(999), moderator=True)
    assert (match.status, match.ended_by) == (Status.OVER, Ended.MODERATOR)
    assert (await texts(host, match))[-1] == "end moderator"
