"""Absence and time (P13-P15, P18): reminders, votes, computers' turns, and a clock that may jump."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest

from db import Database
from games.core import Played, Stage, State
from matches import (
    Ended,
    Frozen,
    Host,
    Kind,
    ManualClock,
    Match,
    NotAllowed,
    NotSeated,
    NotYourTurn,
    Pace,
    Stale,
    Status,
    Vote,
    WrongTime,
)
from matches.computers import Computers, InProcess
from matches.worker import LEASE
from tests.matches.tables import PEOPLE, Seeds, digging, dump, kinds, mover_view, play, play_on, running, sql, tellings

DAY = timedelta(days=1)
A_MOMENT = timedelta(microseconds=1)


def absent(match: Match) -> int:
    """The person on turn, who does not come."""
    assert match.mover is not None
    assert match.mover.user_id is not None
    return match.mover.user_id


def others(match: Match) -> list[int]:
    return [seat.user_id for seat in match.voters if seat.user_id is not None]


async def told(host: Host, match: Match) -> list[tuple[Kind, int | None]]:
    return kinds(await tellings(host, match.id))


async def told_kinds(host: Host, match: Match) -> list[Kind]:
    return [kind for kind, _ in await told(host, match)]


async def asked(host: Host, clock: ManualClock, people: int = 4, **request: Any) -> Match:
    """A match of Saboteur whose table has just been asked about the absent person on turn."""
    match = await running(host, "saboteur", people, **request)
    clock.advance(DAY)
    while await host.run_due():
        pass
    assert Kind.VOTE in await told_kinds(host, match)
    return await host.match(match.id)


async def texts(host: Host, match: Match) -> list[str]:
    return [line.text for line in await host.history(match.id, None)]


# The turn's time.


@pytest.mark.parametrize(
    ("pace", "turn"),
    [(Pace.LIVE, timedelta(minutes=5)), (Pace.DAY, DAY), (Pace.SLOW, 3 * DAY)],
)
async def test_one_reminder_comes_when_most_of_the_time_is_up_and_the_question_at_its_end(
    host: Host, clock: ManualClock, pace: Pace, turn: timedelta
) -> None:
    match = await running(host, "saboteur", 3, pace=pace)
    assert match.turn_due == clock.now() + turn
    clock.advance(0.8 * turn - A_MOMENT)
    assert not await host.run_due()
    clock.advance(A_MOMENT)
    assert await host.run_due()
    assert await told(host, match) == [(Kind.REMIND, match.to_move)]
    clock.advance(0.2 * turn - A_MOMENT)
    assert not await host.run_due()
    clock.advance(A_MOMENT)
    assert await host.run_due()
    assert await told_kinds(host, match) == [Kind.VOTE]
    assert (await host.match(match.id)).asked == 1
    assert (await host.match(match.id)).status is Status.RUNNING


async def test_without_a_pace_nothing_happens_by_itself(host: Host, clock: ManualClock, database: Database) -> None:
    match = await running(host, "saboteur", 3, pace=Pace.NONE)
    before = await dump(database)
    clock.advance(100 * DAY)
    assert not await host.run_due()
    assert await dump(database) == before
    assert match.turn_due is None


async def test_an_action_begins_a_new_turn_with_its_whole_time(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 3)
    clock.advance(0.9 * DAY)
    await host.run_due()
    match = await play(host, match, Random(1))
    assert (match.turn_ply, match.turn_at, match.turn_due) == (match.ply, clock.now(), clock.now() + DAY)
    assert not match.reminded
    await tellings(host)
    clock.advance(0.7 * DAY)
    assert not await host.run_due()


async def test_somebody_else_leaving_does_not_give_more_time(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 4)
    clock.advance(0.5 * DAY)
    after = await host.resign(match.id, others(match)[0])
    assert (after.turn_ply, after.turn_at, after.turn_due) == (match.turn_ply, match.turn_at, match.turn_due)
    assert after.ply == match.ply + 2
    clock.advance(0.3 * DAY)
    assert await host.run_due()
    assert (Kind.REMIND, match.to_move) in await told(host, match)


async def test_two_processes_remind_once(host: Host, url: str, clock: ManualClock) -> None:
    async with await Database.open(url) as second:
        match = await running(host, "saboteur", 3)
        clock.advance(0.8 * DAY)
        done = await asyncio.gather(host.run_due(), Host(second, clock).run_due())
        assert sorted(done) == [False, True]
        assert await told(host, match) == [(Kind.REMIND, match.to_move)]


async def test_what_a_process_claimed_and_never_did_another_one_does_later(
    host: Host, clock: ManualClock, database: Database
) -> None:
    match = await running(host, "saboteur", 3)
    clock.advance(0.8 * DAY)
    await sql(database, "UPDATE deadlines SET leased_until = due + :lease", lease=LEASE // A_MOMENT)
    assert not await host.run_due()
    clock.advance(LEASE)
    assert await host.run_due()
    assert await told(host, match) == [(Kind.REMIND, match.to_move)]


async def test_a_clock_that_jumps_back_and_forth_reminds_once(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 3)
    clock.advance(0.8 * DAY)
    assert await host.run_due()
    assert await told(host, match) == [(Kind.REMIND, match.to_move)]
    clock.advance(-0.8 * DAY)
    assert not await host.run_due()
    match = await play(host, match, Random(1))
    assert (await told(host, match))[0] == (Kind.BOARD, None)
    clock.advance(0.8 * DAY)
    assert await host.run_due()
    assert not await host.run_due()
    assert await told(host, match) == [(Kind.REMIND, match.to_move)]


# Reminding by hand.


async def test_people_may_remind_once_a_turn_instead_of_the_clock(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 3)
    assert (await host.remind(match.id, others(match)[0])).reminded
    assert await told(host, match) == [(Kind.REMIND, match.to_move)]
    with pytest.raises(WrongTime, match="already"):
        await host.remind(match.id, others(match)[1])
    clock.advance(0.8 * DAY)
    await host.run_due()
    assert await told(host, match) == []


async def test_a_computer_is_not_reminded(host: Host) -> None:
    match = await running(host, "saboteur", 4)
    match = await host.resign(match.id, absent(match))
    with pytest.raises(WrongTime, match="computer"):
        await host.remind(match.id, others(match)[0])


# The vote about somebody who is absent.


async def test_nothing_is_decided_before_the_time_is_up(host: Host, clock: ManualClock, database: Database) -> None:
    match = await running(host, "saboteur", 3)
    clock.advance(0.9 * DAY)
    await host.run_due()
    before = await dump(database)
    with pytest.raises(WrongTime):
        await host.vote(match.id, others(match)[0], Vote.END)
    assert await dump(database) == before


async def test_more_than_half_of_the_others_decide(host: Host, clock: ManualClock) -> None:
    match = await asked(host, clock)
    first, second, _ = others(match)
    match = await host.vote(match.id, first, Vote.COMPUTER)
    assert [(ballot.user_id, ballot.vote) for ballot in match.ballots] == [(first, Vote.COMPUTER)]
    assert match.mover is not None
    assert match.mover.present
    match = await host.vote(match.id, second, Vote.COMPUTER)
    assert match.mover is not None
    assert match.mover.computer == "normal"
    assert not match.mover.resigned
    assert match.ballots == ()
    assert (await texts(host, match))[-1] == f"computer {match.to_move} normal"
    assert await host.run_due()
    assert (await host.match(match.id)).ply > match.ply


async def test_half_is_not_enough(host: Host, clock: ManualClock) -> None:
    match = await asked(host, clock, people=3)
    first, second = others(match)
    match = await host.vote(match.id, first, Vote.END)
    assert (match.status, len(match.ballots)) == (Status.RUNNING, 1)
    match = await host.vote(match.id, second, Vote.WAIT)
    assert (match.status, len(match.ballots)) == (Status.RUNNING, 2)


async def test_who_changes_his_mind_has_one_vote(host: Host, clock: ManualClock) -> None:
    match = await asked(host, clock)
    first, second, third = others(match)
    await host.vote(match.id, first, Vote.COMPUTER)
    await host.vote(match.id, first, Vote.END)
    match = await host.vote(match.id, second, Vote.COMPUTER)
    assert len(match.ballots) == 2
    match = await host.vote(match.id, third, Vote.END)
    assert (match.status, match.ended_by) == (Status.OVER, Ended.VOTE)
    assert (await texts(host, match))[-1] == "end vote"


async def test_a_match_ended_by_vote_has_no_winner(host: Host, clock: ManualClock) -> None:
    match = await asked(host, clock, people=3)
    for person in others(match):
        match = await host.vote(match.id, person, Vote.END)
    assert await told(host, match) == [(Kind.END, None), (Kind.LOBBY, None)]
    outcome = (await host.view(match.id, None)).outcome
    assert outcome is not None
    assert outcome.winners == ()
    assert match.seed is not None


async def test_with_two_players_the_other_one_decides(host: Host, clock: ManualClock) -> None:
    match = await running(host, "gambo")
    clock.advance(DAY)
    await host.run_due()
    match = await host.vote(match.id, others(match)[0], Vote.COMPUTER)
    assert match.mover is not None
    assert match.mover.computer is not None


async def test_waiting_longer_gives_the_same_time_once_more(host: Host, clock: ManualClock) -> None:
    match = await asked(host, clock)
    first, second, third = others(match)
    await host.vote(match.id, first, Vote.WAIT)
    clock.advance(timedelta(hours=1))
    match = await host.vote(match.id, second, Vote.WAIT)
    assert (match.turn_due, match.ballots, match.asked) == (clock.now() + DAY, (), 1)
    clock.advance(DAY)
    assert await host.run_due()
    assert await told_kinds(host, match) == [Kind.VOTE]
    # After the second time any one of them decides alone.
    match = await host.vote(match.id, third, Vote.COMPUTER)
    assert match.mover is not None
    assert match.mover.computer == "normal"


async def test_when_nobody_votes_the_table_is_asked_a_second_time_and_no_more(host: Host, clock: ManualClock) -> None:
    match = await asked(host, clock)
    clock.advance(DAY)
    assert await host.run_due()
    assert await told_kinds(host, match) == [Kind.VOTE]
    assert (await host.match(match.id)).asked == 2
    clock.advance(30 * DAY)
    assert not await host.run_due()
    match = await host.vote(match.id, others(match)[0], Vote.END)
    assert match.ended_by is Ended.VOTE


async def test_waiting_after_the_second_time_is_waiting_once_more(host: Host, clock: ManualClock) -> None:
    match = await asked(host, clock)
    clock.advance(DAY)
    await host.run_due()
    match = await host.vote(match.id, others(match)[0], Vote.WAIT)
    assert match.turn_due == clock.now() + DAY
    await tellings(host)
    clock.advance(DAY)
    assert await host.run_due()
    assert await told_kinds(host, match) == [Kind.VOTE]


async def test_who_comes_back_in_time_ends_the_vote(host: Host, clock: ManualClock) -> None:
    match = await asked(host, clock)
    await host.vote(match.id, others(match)[0], Vote.END)
    match = await play(host, match, Random(1))
    assert (match.ballots, match.asked) == ((), 0)
    with pytest.raises(WrongTime):
        await host.vote(match.id, others(match)[1], Vote.END)


async def test_the_absent_person_strangers_and_who_has_left_have_no_vote(
    host: Host, clock: ManualClock, database: Database
) -> None:
    match = await asked(host, clock)
    await host.resign(match.id, others(match)[0])
    before = await dump(database)
    for person, refusal in ((absent(match), NotAllowed), (999, NotSeated), (others(match)[0], NotSeated)):
        with pytest.raises(refusal):
            await host.vote(match.id, person, Vote.END)
    with pytest.raises(NotAllowed):
        await host.vote(match.id, others(match)[1], Vote.CANCEL)
    assert await dump(database) == before


async def test_a_vote_of_somebody_who_left_does_not_count(host: Host, clock: ManualClock) -> None:
    match = await asked(host, clock, people=5)
    first, second, third, fourth = others(match)
    await host.vote(match.id, first, Vote.END)
    await host.resign(match.id, first)
    match = await host.vote(match.id, second, Vote.END)
    assert match.status is Status.RUNNING
    match = await host.vote(match.id, third, Vote.END)
    assert match.ended_by is Ended.VOTE
    assert fourth


async def test_alone_with_computers_nobody_is_asked(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 1, computers=2)
    match = await play_on(host, match, Random(1), lambda match: match.mover is not None and match.mover.present)
    await tellings(host)
    clock.advance(DAY)
    while await host.run_due():
        pass
    assert await told(host, match) == [(Kind.REMIND, match.to_move)]


async def test_without_a_pace_anyone_may_call_the_vote_after_seven_days(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 4, pace=Pace.NONE)
    first, second, third = others(match)
    clock.advance(7 * DAY - A_MOMENT)
    with pytest.raises(WrongTime):
        await host.vote(match.id, first, Vote.COMPUTER)
    clock.advance(A_MOMENT)
    await host.vote(match.id, first, Vote.COMPUTER)
    assert await told_kinds(host, match) == [Kind.VOTE]
    match = await host.vote(match.id, second, Vote.WAIT)
    assert await told(host, match) == []
    assert match.mover is not None
    assert match.mover.present
    match = await host.vote(match.id, third, Vote.COMPUTER)
    assert not match.mover or not match.mover.present


async def test_without_a_pace_one_alone_decides_after_a_fortnight(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 4, pace=Pace.NONE)
    clock.advance(14 * DAY)
    match = await host.vote(match.id, others(match)[0], Vote.END)
    assert match.ended_by is Ended.VOTE


# Coming back.


async def replaced(host: Host, clock: ManualClock) -> tuple[Match, int]:
    """A match in which the computer plays for somebody who may come back, and that person."""
    match = await asked(host, clock)
    person = absent(match)
    for other in others(match)[:2]:
        match = await host.vote(match.id, other, Vote.COMPUTER)
    return match, person


async def test_whoever_comes_back_takes_the_seat_over_from_the_computer(host: Host, clock: ManualClock) -> None:
    match, person = await replaced(host, clock)
    await tellings(host)
    back = await host.take_back(match.id, person, interaction_id=1)
    assert (await texts(host, back))[-1] == f"return {match.to_move}"
    assert back.waits_for(person)
    assert (back.turn_ply, back.turn_due) == (back.ply, clock.now() + DAY)
    assert await told(host, back) == [(Kind.BOARD, None), (Kind.HAND, back.to_move)]
    assert not await host.run_due()
    assert await host.take_back(match.id, person, interaction_id=1) == back
    assert (await play(host, back, Random(1))).ply > back.ply


async def test_while_the_computer_plays_its_person_cannot(host: Host, clock: ManualClock, database: Database) -> None:
    match, person = await replaced(host, clock)
    before = await dump(database)
    for request in (host.act(match.id, person, "pass"), host.cancel(match.id, person)):
        with pytest.raises(NotAllowed, match="take it back"):
            await request
    assert (await host.view(match.id, person)).moves == ()
    assert await dump(database) == before


async def test_who_is_replaced_may_resign_for_good(host: Host, clock: ManualClock) -> None:
    match, person = await replaced(host, clock)
    seat = match.to_move
    match = await host.resign(match.id, person)
    assert (await texts(host, match))[-1] == f"resign {seat}"
    with pytest.raises(NotSeated):
        await host.take_back(match.id, person)


# Ending a match together.


async def test_more_than_half_of_those_who_play_may_end_the_match(host: Host) -> None:
    match = await running(host, "saboteur", 4)
    first, second, third = (person.user_id for person in PEOPLE[:3])
    match = await host.cancel(match.id, first)
    assert (match.status, [ballot.vote for ballot in match.ballots]) == (Status.RUNNING, [Vote.CANCEL])
    assert await told_kinds(host, match) == [Kind.VOTE]
    match = await host.cancel(match.id, first)
    match = await host.cancel(match.id, second)
    assert (match.status, len(match.ballots)) == (Status.RUNNING, 2)
    assert await told(host, match) == []
    match = await play(host, match, Random(1))
    assert len(match.ballots) == 2
    match = await host.cancel(match.id, third)
    assert (match.status, match.ended_by) == (Status.OVER, Ended.VOTE)
    assert (await texts(host, match))[-1] == "end vote"
    with pytest.raises(WrongTime):
        await host.cancel(match.id, first)


async def test_a_moderator_ends_a_match_at_once(host: Host) -> None:
    match = await running(host, "saboteur", 3)
    match = await host.cancel(match.id, 999, moderator=True)
    assert (match.status, match.ended_by) == (Status.OVER, Ended.MODERATOR)
    assert (await texts(host, match))[-1] == "end moderator"


async def test_the_host_of_a_running_match_has_one_vote_like_everybody(host: Host) -> None:
    match = await running(host, "saboteur", 3)
    assert (await host.cancel(match.id, PEOPLE[0].user_id)).status is Status.RUNNING


# A series of picks.


async def test_an_overdue_pick_of_gold_takes_the_highest_card(host: Host, clock: ManualClock) -> None:
    match, rng = await running(host, "saboteur", 4), Random(3)
    while (await mover_view(host, match)).stage is not Stage.SERIES:
        match = await play(host, match, rng, digging)
    view = await mover_view(host, match)
    highest = max(int(move.text.removeprefix("take ")) for move in view.moves)
    clock.advance(DAY)
    while await host.run_due():
        pass
    lines = await host.history(match.id, absent(match), since=match.ply)
    assert (lines[0].player, lines[0].text) == (match.to_move, f"take {highest}")
    assert Kind.VOTE not in await told_kinds(host, match)


# Computers.


async def test_a_computers_turn_is_due_at_once(host: Host) -> None:
    match, rng = await running(host, "saboteur", 2, computers=1), Random(2)
    while match.mover is not None and match.mover.present:
        match = await play(host, match, rng)
    assert match.turn_due is None
    computer = match.to_move
    assert await host.run_due()
    after = await host.match(match.id)
    assert (await host.history(match.id, None))[match.ply].player == computer
    assert after.ply > match.ply
    assert not await host.run_due()


async def test_computers_alone_play_a_match_to_its_end(host: Host) -> None:
    match = await running(host, "gambo", 1, computers=1)
    match = await play_on(host, match, Random(1))
    assert match.ended_by is Ended.RULES
    assert (await host.verify(match.id)).ok


async def test_a_computer_plays_the_same_again_from_the_same_seed(tmp_path: Path, clock: ManualClock) -> None:
    logs = []
    for name in ("one", "two"):
        async with await Database.open(f"sqlite+aiosqlite:///{tmp_path}/{name}.db") as database:
            host = Host(database, clock, Seeds())
            match = await play_on(host, await running(host, "ambush", 1, computers=1), Random(1))
            logs.append(await texts(host, match))
    assert logs[0] == logs[1]


class SlowComputers(Computers):
    """Computer players that answer when they are told to, and remember what they were shown."""

    def __init__(self, answering: bool = False) -> None:
        super().__init__(InProcess(), effort=0.01, beat=0)
        self.asked = asyncio.Event()
        self.answer = asyncio.Event()
        self.shown: list[State[Any]] = []
        self.broken_for: int | None = None
        if answering:
            self.answer.set()

    async def choose(self, level: str, position: State[Any], lines: Sequence[Played], seed: int) -> str:
        self.shown.append(position)
        self.asked.set()
        await self.answer.wait()
        if position.players == self.broken_for:
            raise ZeroDivisionError
        return await super().choose(level, position, lines, seed)


async def at_the_computer(host: Host, people: int = 2) -> Match:
    match, rng = await running(host, "saboteur", people, computers=1), Random(2)
    while match.mover is not None and match.mover.present:
        match = await play(host, match, rng)
    return match


async def test_the_table_is_not_locked_while_a_computer_thinks_and_a_late_answer_is_not_stored(
    database: Database, clock: ManualClock
) -> None:
    computers = SlowComputers()
    host = Host(database, clock, Seeds(), computers)
    match = await at_the_computer(host, 3)
    working = asyncio.create_task(host.run_due())
    await computers.asked.wait()
    after = await asyncio.wait_for(host.resign(match.id, others(match)[0]), 20)
    computers.answer.set()
    assert await working
    assert await host.match(match.id) == after
    # The turn is still the computer's, and it is asked again at once.
    assert await host.run_due()
    assert (await host.match(match.id)).ply > after.ply


async def test_a_computer_is_asked_once_for_each_turn(database: Database, clock: ManualClock, url: str) -> None:
    computers = SlowComputers()
    host = Host(database, clock, Seeds(), computers)
    match = await at_the_computer(host)
    working = asyncio.create_task(host.run_due())
    await computers.asked.wait()
    async with await Database.open(url) as second:
        assert not await Host(second, clock).run_due()
    computers.answer.set()
    await working
    assert len(computers.shown) == 1
    assert (await host.match(match.id)).ply > match.ply


async def test_a_computer_is_shown_nothing_that_its_seat_does_not_know(database: Database, clock: ManualClock) -> None:
    computers = SlowComputers(answering=True)
    host = Host(database, clock, Seeds(), computers)
    match, rng = await running(host, "saboteur", 2, computers=1), Random(2)
    cheated = 0
    for _ in range(12):
        if match.mover is not None and match.mover.present:
            match = await play(host, match, rng)
        else:
            true = (await host.view(match.id, None))._state
            await host.run_due()
            shown = computers.shown[-1]
            seat = match.to_move
            assert shown.observation(seat) == true.observation(seat)
            cheated += shown == true
            match = await host.match(match.id)
    assert len(computers.shown) >= 3
    assert cheated == 0


async def test_a_computer_that_fails_keeps_no_other_match_waiting(database: Database, clock: ManualClock) -> None:
    computers = SlowComputers(answering=True)
    host = Host(database, clock, Seeds(), computers)
    bad, good = await at_the_computer(host, 3), await at_the_computer(host, 2)
    computers.broken_for = 4
    with pytest.raises(ExceptionGroup):
        await host.run_due()
    assert (await host.match(bad.id)).ply == bad.ply
    assert (await host.match(good.id)).ply > good.ply
    # Nobody hammers a broken computer; when it is mended its turn comes after all.
    assert not await host.run_due()
    computers.broken_for = None
    clock.advance(LEASE)
    assert await host.run_due()
    assert (await host.match(bad.id)).ply > bad.ply


async def test_people_cannot_act_for_a_computer(host: Host) -> None:
    match = await at_the_computer(host)
    for person in others(match):
        with pytest.raises(NotYourTurn):
            await host.act(match.id, person, "pass", ply=match.ply)
        with pytest.raises(Stale):
            await host.act(match.id, person, "pass", ply=match.ply - 1)


async def test_nothing_is_due_for_a_match_that_stands_still(host: Host, clock: ManualClock, database: Database) -> None:
    match = await running(host, "saboteur", 3)
    await sql(database, "UPDATE log SET action = 'nonsense' WHERE ply = 0")
    clock.advance(0.8 * DAY)
    assert await Host(database, clock).run_due()
    with pytest.raises(Frozen):
        await host.remind(match.id, PEOPLE[0].user_id)
    clock.advance(DAY)
    assert not await host.run_due()
