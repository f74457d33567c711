"""A player to move whom Discord keeps from pressing: their clock, the question about them, and what it means."""

from datetime import datetime, timedelta
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from db import Connection
from db.model import schema
from matches.api import CutOff, Due, Ended, Host, Kind, ManualClock, Match, Pace, Rated, Status, Vote, WrongTime
from matches.table import votes
from matches.table.cut_off import looked, pause
from matches.table.limits import Deed, mark
from tests.matches.lives import Life, Wish, asked
from tests.matches.tables import Hosted, absent, others, play, raised, run_time, running, tellings, told

GUILD = 500
DAY = timedelta(days=1)
KEPT_OFF = (CutOff.SILENCED, CutOff.UNSEEN)


async def rated(host: Host, game: str = "gambo", people: int = 2, **request: Any) -> Match:
    """A rated match in which everybody has moved, with all its news delivered."""
    match = await running(host, game, people, guild_id=GUILD, rated=True, **request)
    moved, rng = set[int](), Random(3)
    while len(moved) < people:
        moved.add(absent(match))
        match = await play(host, match, rng)
    await tellings(host)
    return match


async def pass_until(host: Host, clock: ManualClock, match: Match, why: CutOff | None, until: datetime) -> Match:
    """Let the time pass, and the bot look at the player to move whenever it would remind them, or ask about them."""
    while clock.now() < until:
        due = [due for due in await host.work.read(all_deadlines) if due > clock.now()]
        clock.advance(max(timedelta(0), min([until, *due]) - clock.now()))
        await run_time(host)
        match = await host.look.match(match.id)
        if {Kind.REMIND, Kind.VOTE} & {kind for kind, _ in await told(host, match)} and match.mover is not None:
            match = await host.absence.note_look(match.id, absent(match), why)
    return match


def all_deadlines(connection: Connection) -> list[datetime]:
    return list(connection.execute(select(schema.deadlines.c.due)).scalars())


async def asked_after_all(host: Host, clock: ManualClock, match: Match, why: CutOff) -> Match:
    """The player to move is cut off until the table is asked about them."""
    match = await host.absence.note_look(match.id, absent(match), why)
    for _ in range(200):
        match = await pass_until(host, clock, match, why, clock.now() + pause(match.pace) / 2)
        if match.asking:
            return match
    raise AssertionError("the table is never asked")


@pytest.mark.parametrize("pace", [Pace.LIVE, Pace.DAY, Pace.SLOW])
@pytest.mark.parametrize("why", KEPT_OFF)
async def test_c3_the_clock_stops_out_of_their_away_time_then_the_table_is_asked(
    host: Host, clock: ManualClock, why: CutOff, pace: Pace
) -> None:  # FOUND C3
    match = await rated(host, pace=pace)
    began, mover = clock.now(), match.mover
    assert pace.turn is not None
    match = await asked_after_all(host, clock, match, why)
    assert pace.away + pace.turn <= clock.now() - began <= pace.away + pace.turn + pause(pace)
    assert match.seats[mover.seat or 0].away_used == pace.away
    for person in others(match):
        match = await host.votes.vote(match.id, person, Vote.END)
    assert (match.ended_by, match.rating) == (Ended.VOTE, Rated.EXCUSED)
    assert [seat.finished for seat in match.seats] == [None, None]
    assert not any(seat.absent for seat in match.seats)


@pytest.mark.parametrize("choice", [Vote.END, Vote.COMPUTER])
@pytest.mark.parametrize("why", [CutOff.SILENCED, CutOff.GONE])
async def test_c3_the_second_time_within_30_days_counts_also_for_whoever_deletes_their_data(
    host: Host, clock: ManualClock, why: CutOff, choice: Vote
) -> None:  # FOUND C3
    rating, person = list[Rated | None](), None
    for days in (0, 1, 30):
        clock.advance(days * DAY)
        match = await rated(host, pace=Pace.LIVE)
        while person is not None and absent(match) != person:
            match = await play(host, match, Random(1))
        person = absent(match)
        match = await asked_after_all(host, clock, match, why)
        (other,) = others(match)
        match = await host.votes.vote(match.id, other, choice)
        if choice is Vote.COMPUTER:
            match = await host.play.resign(match.id, other)
        rating.append(match.rating)
        await host.privacy.forget(person)
    assert rating == [Rated.EXCUSED, Rated.COUNTED if choice is Vote.END else rating[1], Rated.EXCUSED]
    assert rating[1] is not Rated.EXCUSED


async def test_whoever_takes_their_seat_back_is_excused_from_nothing(host: Host, clock: ManualClock) -> None:
    match = await rated(host, pace=Pace.LIVE)
    person = absent(match)
    match = await asked_after_all(host, clock, match, CutOff.SILENCED)
    match = await host.votes.vote(match.id, others(match)[0], Vote.COMPUTER)
    assert any(seat.excused for seat in match.seats)
    match = await host.play.take_back(match.id, person)
    assert not any(seat.excused for seat in match.seats)
    match = await host.play.resign(match.id, person)
    assert match.rating is Rated.COUNTED


async def test_whoever_resigns_while_they_are_cut_off_has_resigned(host: Host) -> None:
    match = await rated(host)
    await host.absence.note_look(match.id, absent(match), CutOff.SILENCED)
    match = await host.play.resign(match.id, absent(match))
    assert (match.ended_by, match.rating) == (Ended.RESIGNED, Rated.COUNTED)


async def test_whoever_is_back_has_the_rest_of_their_turn_and_of_their_away_time(host: Hosted) -> None:
    match = await rated(host)
    due = match.turn_due
    assert due is not None
    host.clock.advance(DAY / 2)
    match = await host.absence.note_look(match.id, absent(match), CutOff.UNSEEN)
    host.clock.advance(timedelta(hours=1))
    match = await host.absence.note_look(match.id, absent(match), None)
    assert (match.turn_due, match.cut_off) == (due + timedelta(hours=1), None)
    assert match.mover.away_used == timedelta(hours=1)
    host.clock.advance(due - timedelta(hours=3) - host.clock.now())
    assert {row.kind for row in await host.time.claim_due()} == {Due.REMIND}


async def test_a_question_is_withdrawn_when_it_turns_out_that_they_could_not_press(host: Hosted) -> None:
    match = await rated(host)
    host.clock.advance(DAY)
    await run_time(host)
    match = await host.look.match(match.id)
    assert match.asking
    match = await host.absence.note_look(match.id, absent(match), CutOff.SILENCED)
    assert not match.asking
    await raised(WrongTime, host.votes.vote(match.id, others(match)[0], Vote.END))
    match = await host.absence.note_look(match.id, absent(match), None)
    assert match.turn_due is not None
    assert match.turn_due - host.clock.now() == pause(match.pace)


async def test_c5_whoever_comes_back_to_the_server_is_not_voted_out_and_gains_no_time_for_ever(
    host: Host, clock: ManualClock
) -> None:  # FOUND C5
    match = await rated(host, pace=Pace.LIVE)
    assert match.pace.turn is not None
    began = clock.now()
    while True:
        match = await host.absence.note_look(match.id, absent(match), CutOff.GONE)
        clock.advance(pause(match.pace))
        await run_time(host)
        match = await host.absence.note_look(match.id, absent(match), CutOff.GONE)
        assert match.asking
        match = await host.absence.note_look(match.id, absent(match), None)
        if match.asking:
            break
        assert match.turn_due is not None
        clock.advance(match.turn_due - clock.now())
        await run_time(host)
    assert clock.now() - began <= match.pace.away + match.pace.turn


async def test_c3_a_place_that_refuses_posts_stops_the_clock_out_of_away_time(host: Hosted) -> None:  # FOUND C3
    match = await rated(host)
    seat = match.mover
    assert seat is not None
    assert match.turn_due is not None
    due = match.turn_due
    assert await host.reach.lose(match.id)
    host.clock.advance(match.pace.away)
    await run_time(host)
    match = await host.look.match(match.id)
    assert (match.lost, match.cut_off, match.turn_due) == (None, CutOff.REFUSED, due + match.pace.away)
    assert not await host.reach.lose(match.id), "nobody is told twice, and the clock runs on"
    assert (await host.look.match(match.id)).lost is None
    host.clock.advance(timedelta(days=30))
    for _ in range(3):
        await run_time(host)
        host.clock.advance(timedelta(days=8))
    await run_time(host)
    match = await host.look.match(match.id)
    assert (match.ended_by, match.rating) == (Ended.ABANDONED, Rated.EXCUSED)


async def test_a_place_that_was_lost_for_a_while_has_used_that_much_away_time(host: Host, clock: ManualClock) -> None:
    match = await rated(host)
    await host.reach.lose(match.id)
    clock.advance(3 * DAY)
    await host.reach.find(match.id)
    match = await host.look.match(match.id)
    assert (match.lost, match.mover.away_used) == (None, 3 * DAY)


class Kept:
    """A rated match of two in which the player to move is cut off and back again, while the other one wants to win.

    The bot looks when it would remind, ask, or count a vote against them, as `cogs` does. `why` is what is true.
    """

    def __init__(self, pace: Pace) -> None:
        self.life = Life.begin(Wish("gambo", people=2, pace=pace))
        self.why: CutOff | None = None
        for request in self.life.wish.requests():
            found = asked(request, self.life)
            assert found is not None
            self.life.ask(found, self.life.loaded())
        while not all(seat.acted for seat in self.match.seats):
            act = self.life.next_action()
            assert act is not None
            assert self.life.decide(act) is None
        mover = self.life.table.match.mover
        assert mover.user_id is not None
        self.person, self.position = mover.user_id, mover.position
        (self.other,) = (seat.user_id for seat in self.life.table.match.present if seat.user_id != self.person)
        self.began, self.told = self.life.table.now, len(self.life.told)

    @property
    def match(self) -> Match:
        return self.life.table.match

    @property
    def is_over(self) -> bool:
        return self.match.status is Status.OVER or not self.match.waits_for(self.person)

    def look(self) -> None:
        assert self.life.decide(lambda table: looked(table, self.person, self.why)) is None

    def hear(self) -> None:
        """Look before each post about the player to move, as the porter does; then check what the table would read."""
        while self.told < len(self.life.told):
            rows = self.life.told[self.told].rows
            self.told += 1
            if not self.is_over and any(row.kind in (Kind.REMIND, Kind.VOTE) for row in rows):
                self.look()
                spent = self.match.away_left(self.match.seats[self.seat], self.life.table.now) <= timedelta(0)
                public = self.match.asking or self.life.table.details.reminded
                assert not public or self.why in (None, CutOff.GONE) or spent, "nobody reads of it while they have time"

    @property
    def seat(self) -> int:
        return next(number for number, seat in enumerate(self.match.seats) if seat.user_id == self.person)

    def wait(self, by: timedelta) -> None:
        until = self.life.table.now + by
        while not self.is_over and self.life.clocks and min(self.life.clocks.values()) <= until:
            assert self.life.pass_on()
            self.hear()
        self.life.pass_time(max(timedelta(0), until - self.life.table.now))

    def vote(self, choice: Vote) -> None:
        if not self.is_over:
            self.look()
            self.life.decide(lambda table: votes.vote(table, self.other, choice))
            self.hear()


@settings(max_examples=60, derandomize=True, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(
    st.sampled_from((Pace.LIVE, Pace.DAY, Pace.SLOW)),
    st.lists(
        st.tuples(
            st.sampled_from((None, None, *KEPT_OFF, CutOff.GONE)),
            st.sampled_from((Fraction(0), Fraction(1, 100), Fraction(1, 5), Fraction(4, 5), Fraction(1), Fraction(9))),
            st.sampled_from((None, None, Vote.END, Vote.COMPUTER, Vote.WAIT)),
        ),
        max_size=25,
    ),
    st.booleans(),
)
def test_nobody_loses_by_time_in_which_they_could_not_press_nor_stops_a_clock_for_ever(
    pace: Pace, happens: list[tuple[CutOff | None, Fraction, Vote | None]], spent: bool
) -> None:
    kept = Kept(pace)
    assert pace.turn is not None
    if spent:
        mark_of = mark(Deed.EXCUSE, kept.person, kept.match)
        kept.life.allowances[mark_of] = kept.life.table.now + timedelta(days=29)
    for why, waits, choice in (*happens, *[(happens[-1][0] if happens else None, Fraction(1, 5), Vote.END)] * 90):
        if kept.is_over:
            break
        kept.why = why
        kept.wait(waits * pace.turn.total_seconds() * timedelta(seconds=1))
        if choice is not None:
            kept.vote(choice)
    assert kept.is_over, "the clock stands still for ever"
    seat = kept.match.seats[kept.seat]
    assert timedelta(0) <= seat.away_used <= pace.away
    gone = seat.absent or seat.computer is not None
    assert not gone or seat.excused or kept.why is None or spent, "whoever is cut off at the end is excused"
    soon = kept.life.table.now - kept.began < timedelta(days=29)
    assert not (seat.excused and spent and soon)
    assert (kept.match.rating is Rated.EXCUSED) <= seat.excused
    assert not (seat.excused and kept.match.rating is Rated.COUNTED)
