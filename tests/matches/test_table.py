"""The table as a value: without a store, a loop or a clock, over whole lives of tables in all games."""

import os
from copy import deepcopy
from dataclasses import dataclass, field, replace
from datetime import timedelta
from random import Random

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from db.model.ids import UserId
from db.people.people import NOBODY
from games import GAMES
from games.core import Stage
from games.log import TABLE, Course, branched, in_force, offered, parse_log, replay, taken_back, to_text
from matches.api import Due, Ended, Kind, Lost, Pace, Rated, Status
from matches.features import said
from matches.orders import OrderKind, giving
from matches.table.events import MatchEnded, Told, Used, Written
from matches.table.questions import next_expiry, questions
from matches.table.value import Table
from tests.matches.lives import Life, Request, Wish, asked, one, requests, wishes
from tests.matches.tables import PEOPLE

EXAMPLES = 30 * int(os.environ.get("AMBIT_SEEDS", "1"))
RINGING = (Kind.BOARD, Kind.HAND, Kind.SECRETS)
"""The kinds of news that call a person to their turn."""

BEGUN = (Status.RUNNING, Status.OVER, Status.FROZEN)
ENDED = (Status.OVER, Status.CANCELLED)

widely = settings(
    max_examples=EXAMPLES, derandomize=True, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@dataclass
class Watched:
    """A life of which every moment is checked."""

    life: Life
    rung: set[int] = field(default_factory=set)
    """The people pinged in this turn."""
    of_table: int = 0
    """How many of the table's own lines end the log."""
    moments: list[Table] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)

    def live(self, request: Request) -> bool:
        """Ask this. Return whether the table did it."""
        self.life.pass_time(request.after)
        question = asked(request, self.life)
        if question is None:
            return False
        before = self.life.loaded()
        copy = deepcopy((before.match, before.known, before.hidden)), repr(before.course)
        kept = self.life.table
        refusal = self.life.ask(question, before)
        assert ((before.match, before.known, before.hidden), repr(before.course)) == copy, "changed in place"
        self.moments.append(self.life.table)
        if refusal is not None:
            self.refusals.append(repr(refusal))
            assert self.life.table is kept
            assert str(refusal).endswith((".", "?", "`"))
            return False
        self.check(before, self.life.table, is_gap=request.verb == "gap")
        if request.verb == "forget":
            check_forgotten(one(request, before), self.life.table)
        return True

    def freeze(self) -> None:
        """Make the log unreadable, if there is one."""
        if self.life.table.match.status is not Status.RUNNING:
            return
        before = self.life.loaded()
        self.life.freeze()
        self.moments.append(self.life.table)
        self.check(before, self.life.table)

    def check(self, before: Table, table: Table, *, is_gap: bool = False) -> None:
        """Check what is true of every table after every request."""
        check_lines(before, table)
        check_seats(table)
        check_turn(self.life)
        check_end(before, table)
        check_rows(table)
        check_time_away(before, table, is_gap=is_gap)
        check_questions(table)
        check_orders(self.life, before)
        check_suspicions(before, table)
        self.check_length(before, table)
        self.check_rings(before, table, is_gap=is_gap)
        if table.match.status not in ENDED:
            check_secret(table)

    def check_length(self, before: Table, table: Table) -> None:
        """Between two actions a seat is left twice, taken over once, and given up by two people at most (P31)."""
        for event in table.events:
            if isinstance(event, Written):
                self.of_table = 0 if event.line.player != TABLE else self.of_table + 1
        if before.match.status is Status.FROZEN and table.match.status is Status.RUNNING:
            self.of_table = 0
        assert self.of_table <= 5 * len(table.match.seats) + 1

    def check_rings(self, before: Table, table: Table, *, is_gap: bool) -> None:
        """An event pings one person at most, once by each kind of news. No later event of the turn pings them (P26).

        After a gap that may happen once more: they can't know that the match goes on.
        """
        if is_another_turn(before, table) or is_gap:
            self.rung.clear()
        told = [event for event in table.events if isinstance(event, Told)]
        ringing = [[row for row in event.rows if row.kind in RINGING and row.rings] for event in told]
        for rows in ringing:
            people = {row.user_id or UserId(0) for row in rows}
            assert len(people) <= 1
            assert len({row.kind for row in rows}) == len(rows)
            assert people.isdisjoint(self.rung)
            assert all(table.match.waits_for(user_id) for user_id in people)
            self.rung |= people


def is_another_turn(before: Table, table: Table) -> bool:
    """Whether the table waits for another decision than before, and not for a further step of the same person."""
    if before.match.status is not Status.RUNNING or table.match.status is not Status.RUNNING:
        return True
    if before.course.state is table.course.state:
        return False
    state = table.course.state
    return state.stage is not Stage.STEPS or before.course.state.current_player != state.current_player


def check_time_away(before: Table, table: Table, *, is_gap: bool) -> None:
    """The rest of each seat's time away only falls, and never below zero (P31). A gap uses up none."""
    if before.match.status not in BEGUN or table.match.status not in BEGUN:
        return
    for old, new in zip(before.match.seats, table.match.seats, strict=True):
        left = table.match.away_left(new, table.now)
        assert timedelta(0) <= left
        assert is_gap or left <= before.match.away_left(old, table.now)
    stands_until = table.match.stands_until
    assert stands_until is None or table.match.turn_due is None or stands_until <= table.match.turn_due


def check_lines(before: Table, table: Table) -> None:
    """Lines continue the log, and lead to the table's position."""
    written = [event.line for event in table.events if isinstance(event, Written)]
    first = before.match.ply
    assert [line.ply for line in written] == list(range(first, first + len(written)))
    assert table.match.ply == first + len(written)
    assert table.lines == tuple(written)
    if table.course is None:
        assert written == []
        return
    assert table.course.ply == table.match.ply
    if before.course is None:
        course = Course.begin(table.match.header)
    else:
        course = before.course
    for line in written:
        course = course.after(line)
    assert course == table.course
    assert table.moved or before.course is None or before.course.state == course.state


def check_seats(table: Table) -> None:
    match = table.match
    places = [seat.position for seat in match.everybody]
    people = [seat.user_id for seat in match.everybody if seat.user_id is not None]
    assert not match.line or (match.status is Status.LOBBY and table.start is not None and not match.has_room)
    assert [seat.waits for seat in match.everybody] == [False] * len(match.seats) + [True] * len(match.line)
    assert match.asking or match.status in ENDED or not any(seat.ready for seat in match.everybody)
    assert match.status is not Status.RUNNING or not any(seat.ready for seat in match.seats)
    assert len(set(places)) == len(places)
    assert len(set(people)) == len(people)
    if match.status in BEGUN:
        assert [seat.seat for seat in match.seats] == list(range(len(match.seats)))
    else:
        assert [seat.seat for seat in match.seats] == [None] * len(match.seats)
        assert places == sorted(places)
        assert len(match.seats) <= match.info.max_players
    assert all(seat.user_id is not None or seat.computer is not None or seat.resigned for seat in match.seats)
    persons = {(ballot.user_id, ballot.vote.question) for ballot in match.ballots}
    assert len(persons) == len(match.ballots)
    assert {user_id for user_id, _ in persons} <= set(people)
    assert len({each.user_id for each in match.applications}) == len(match.applications)
    assert not {each.user_id for each in match.applications}.intersection(people)


def check_turn(life: Life) -> None:
    """A running match goes on by a person or by itself. In others it is nobody's turn."""
    table, match, clocks = life.table, life.table.match, dict(life.clocks)
    # An open question is closed at its time, whoever's turn it is.
    assert clocks.pop(Due.QUESTION, None) == next_expiry(match, table.now)
    # An order is carried out at its time, whatever else is due.
    clocks.pop(Due.ORDER, None)
    if match.status is not Status.RUNNING:
        asks = match.status is Status.LOBBY and match.asking and table.start is None
        assert (match.to_move, match.turn_due is not None, match.mover) == (None, asks, None)
        lobby = {Due.LOBBY} & set(clocks) if table.start or asks else {Due.LOBBY}
        lobby = lobby or {Due.BEGIN if asks else Due.READY}
        lobby |= set() if table.unowned is None or asks else {Due.START}
        allowed = {Status.LOBBY: lobby, Status.CANCELLED: {Due.FORGET}, Status.FROZEN: {Due.ABANDON}}
        open_and_lost = match.lost is not None and match.ended_at is None
        assert set(clocks) == ({Due.ABANDON} if open_and_lost else allowed.get(match.status, set()))
        return
    assert not table.course.state.is_terminal
    assert match.to_move == table.course.state.current_player
    assert match.mover is not None
    assert (match.lost is None) == (table.hidden.lost_at is None)
    assert not (table.hidden.board_owed and match.mover.present)
    assert match.offered_until is None or offered(table.course.state) is not None
    if match.offered_until is not None and match.lost is None:
        # A player without a choice is offered the end for a while, however long their turn would be.
        assert clocks == {Due.OFFER: match.offered_until}
        return
    assert table.details.closes_at == clocks.get(Due.ABANDON)
    if match.lost is not None:
        # A place that was lost uses away time of whoever is to move.
        runs_on = {Due.OVERDUE} if match.lost is Lost.PLACE and match.mover.present else set()
        assert set(clocks) == {Due.ABANDON} | runs_on
    elif not match.mover.present:
        (kind,) = clocks
        assert kind is (Due.WATCHED if match.of_computers else Due.COMPUTER)
        assert clocks[kind] <= table.now
    elif match.pace is Pace.NONE:
        # Whether a player who was cut off can press is looked at again after a pause, as at any pace.
        again = None if match.cut_off is None else match.stands_until
        assert (set(clocks) - {Due.REMIND}, match.turn_due) == ({Due.ABANDON}, None)
        assert clocks.get(Due.REMIND, again) == again
        assert Due.REMIND in clocks or again is None or again <= table.now
    else:
        assert match.turn_due is not None
        # The table is asked about a player whose time is up, until somebody decides or the match ends by itself.
        assert clocks.get(Due.OVERDUE, match.turn_due) == match.turn_due
        assert Due.OVERDUE in clocks or match.turn_due <= table.now
        assert (Due.OVERDUE in clocks) != (Due.ABANDON in clocks)
        assert set(clocks) <= {Due.OVERDUE, Due.REMIND, Due.ABANDON}


def check_orders(life: Life, before: Table) -> None:
    """An order stands for the person who has given it, until it ends; one that applies now is due.

    The person whose turn it is has no other prepared move. Nothing follows from giving an order.
    """
    table, match, standing = life.table, life.table.match, giving.orders_at(life.table)
    found = giving.chosen(table)
    assert (found is not None) == (Due.ORDER in life.clocks)
    assert list(standing) == sorted(standing, key=lambda order: (order.seat, order.number))
    assert len({(order.seat, order.number) for order in standing}) == len(standing)
    present = {seat.seat: seat.user_id for seat in match.present}
    for number in {order.seat for order in standing}:
        own = [order for order in standing if order.seat == number]
        moves = [order for order in own if order.kind is not OrderKind.STANDING]
        assert {order.user_id for order in own} == {present[number]}
        assert len(moves) <= giving.BRANCHES
        assert len({order.theirs for order in moves}) == len(moves)
        assert len(own) - len(moves) <= 1
        if number == match.to_move and match.lost is None:
            assert moves == ([] if found is None or found.order.kind is OrderKind.STANDING else [found.order])
    assert not standing or (match.status is Status.RUNNING and table.course is not None)
    if len(standing) > len(giving.orders_at(before)):
        assert not table.moved
        assert table.match == before.match
        assert all(isinstance(event, Used) for event in table.events)
    for line in table.lines:
        if taken_back(line) is not None:
            assert standing == ()


def check_questions(table: Table) -> None:
    """No decided question stays open, except about a seat that has changed hands in this turn (FOUND F9)."""
    for each in questions(table.match, table.now):
        assert not each.fails
        assert not each.passes or (each.application is not None and each.application.seat in table.hidden.returned)


def check_suspicions(before: Table, table: Table) -> None:
    """A seat says something once a turn, and words are lost only when another person takes the seat over."""
    words, earlier = said(table.match), said(before.match)
    assert len({(word.seat, word.ply) for word in words}) == len(words)
    assert not words or table.match.info.suspected
    taken_over = [line.text for line in table.lines if line.text.startswith("person ")]
    assert words[: len(earlier)] == earlier or taken_over
    if len(words) > len(earlier) and before.match.status is Status.RUNNING:
        assert table == replace(before, match=table.match)
        assert table.match == replace(before.match, shown=table.match.shown)


def check_end(before: Table, table: Table) -> None:
    """When a match ends its secrets may be told, and nothing is open any more; the documented results count."""
    match, hidden, details = table.match, table.hidden, table.details
    assert (match.ended_at is not None) == (match.ended_by is not None) == (match.status in ENDED)
    ends = sum(isinstance(event, MatchEnded) for event in table.events)
    assert ends == (match.status in ENDED and before.match.status not in ENDED)
    if match.status not in ENDED:
        assert not details.counts
        return
    assert (hidden.witnesses, hidden.rung, match.applications, details.invited) == ((), (), (), ())
    assert (match.asking, match.lost, hidden.lost_at, match.questions) == (False, None, None, ())
    if match.is_branched:
        assert (details.counts, match.rating in (None, Rated.AGREED)) == (False, True)
    elif match.ended_by is Ended.RULES:
        left = [seat for seat in match.seats if seat.resigned or (seat.user_id is not None and seat.computer)]
        assert details.counts == (not left)
    elif match.ended_by in (Ended.RESIGNED, Ended.ABANDONED):
        moved = all(seat.acted or seat.level is not None for seat in match.seats)
        assert details.counts == (moved and any(seat.won for seat in match.seats))
    else:
        assert not details.counts
    assert match.ended_by not in (Ended.RESIGNED, Ended.ABORTED) or len(match.seats) == 2
    won = [seat.won for seat in match.seats]
    assert won == [None] * len(won) or any(won)
    assert any(won) == (match.ended_by in (Ended.RULES, Ended.RESIGNED)) or match.ended_by is Ended.ABANDONED


def check_rows(table: Table) -> None:
    """News is about a seat of the table and its person, or about somebody who applies for it."""
    match = table.match
    people = {seat.user_id for seat in match.everybody} | {each.user_id for each in match.applications}
    for event in table.events:
        if isinstance(event, Told):
            assert 0 <= event.ply <= match.ply
            for row in event.rows:
                assert row.seat is None or 0 <= row.seat < len(match.seats)
                assert row.user_id is None or row.user_id in people or row.kind is Kind.NOT_SEATED
                assert not row.rings or row.user_id is not None or row.kind in (Kind.VOTE, Kind.READY, Kind.RESCHEDULED)


def check_secret(table: Table) -> None:
    """Nothing readable names the seed before the end."""
    told = repr((table, table.match, table.events))
    assert table.hidden.seed.hex() not in told
    assert repr(table.hidden.seed) not in told


def check_forgotten(user_id: UserId, table: Table) -> None:
    """Nothing of an open table names the person."""
    match = table.match
    assert match.at_table(user_id) is None
    assert match.host_id != user_id
    assert user_id not in (*table.details.invited, *table.hidden.rung)
    assert all(user_id != each.user_id and user_id not in each.agreed for each in match.applications)
    assert all(user_id != ballot.user_id for ballot in match.ballots)


def check_log(life: Life) -> None:
    """The whole log, written out and read again, leads to the table's last position."""
    if not life.lines:
        return
    header, lines = parse_log(to_text(life.table.match.header, life.lines))
    *_, (_, state) = replay(header, lines)
    assert state == life.position.state
    if (branch := life.wish.branch()) is not None:
        copy = len(branch.lines)
        assert in_force(life.lines)[:copy] == branch.lines, "nothing of it is taken back"
        assert len(life.lines) == copy or branched(life.lines[copy])
        assert all(line.ply <= copy or branched(line) is None for line in life.lines)


def lived(wish: Wish, wanted: list[Request], *, freezes: int | None = None, heals: int | None = None) -> Watched:
    """Live a whole life of a table. Before request `freezes` its log stops replaying; before `heals` it works again."""
    watched = Watched(Life.begin(wish))
    for request in wish.requests():
        watched.live(request)
    for number, request in enumerate(wanted):
        if number == freezes:
            watched.freeze()
        if number == heals:
            watched.life.broken = False
        watched.live(request)
    check_log(watched.life)
    return watched


lives = st.sampled_from(sorted(GAMES)).flatmap(wishes)


@pytest.mark.parametrize("game", GAMES)
@widely
@given(st.data(), requests)
def test_whatever_is_asked_of_a_table_it_stays_whole(game: str, data: st.DataObject, wanted: list[Request]) -> None:
    lived(data.draw(wishes(game)), wanted)


@widely
@given(lives, requests, st.integers(0, 20), st.integers(0, 40))
def test_a_match_that_is_frozen_for_a_while_stays_whole(
    wish: Wish, wanted: list[Request], freezes: int, heals: int
) -> None:
    lived(wish, wanted, freezes=freezes, heals=heals)


@widely
@given(lives, requests, st.integers(0, 60))
@example(Wish("saboteur", people=3, pace=Pace.NONE), [Request("look", whom=1, number=2)], 1)
def test_no_life_stays_open_for_ever_when_nobody_does_anything_any_more(
    wish: Wish, wanted: list[Request], freezes: int
) -> None:  # FOUND F3
    life = lived(wish, wanted, freezes=freezes).life
    longest = life.table.now + timedelta(days=400)
    while life.table.match.status not in ENDED:
        assert life.pass_on(), "nothing will happen by itself"
        assert life.table.now < longest


@widely
@given(lives, requests)
def test_the_same_requests_in_the_same_order_give_the_same_table_and_the_same_events(
    wish: Wish, wanted: list[Request]
) -> None:
    once, again = lived(wish, wanted), lived(wish, wanted)
    assert once.moments == again.moments
    assert once.refusals == again.refusals


@widely
@given(st.data())
def test_p31_between_two_actions_a_log_does_not_grow(data: st.DataObject) -> None:
    watched = lived(Wish("saboteur", people=3), [])
    verbs = st.sampled_from(["depart", "depart", "take_back", "take_back", "apply", "agree"])
    numbers = st.integers(0, 20)
    for verb, who, whom, number in data.draw(st.lists(st.tuples(verbs, numbers, numbers, numbers), min_size=60)):
        watched.live(Request(verb, who=who, whom=whom, number=number))
    assert len(watched.life.lines) <= 1 + 5 * 3 + 1


@pytest.mark.parametrize("pace", [Pace.LIVE, Pace.DAY, Pace.SLOW])
@widely
@given(st.data())
def test_p31_whatever_the_current_player_does_the_table_is_asked_in_time(pace: Pace, data: st.DataObject) -> None:
    watched = Watched(Life.begin(Wish("saboteur", people=3, pace=pace)))
    life = watched.life
    for request in life.wish.requests():
        watched.live(request)
    assert pace.turn is not None
    stays = data.draw(st.booleans())
    person, waited, longest = life.table.match.mover.user_id, timedelta(0), pace.turn
    if not stays:
        longest += pace.away
    place = [seat.user_id for seat in life.table.match.seats].index(person)
    pauses = st.sampled_from([timedelta(0), pace.turn / 100, 0.9 * pace.turn, pace.away / 3, pace.away])
    verbs = st.sampled_from(["depart", "take_back", "remind", *(() if stays else ("away", "away"))])
    for _ in range(data.draw(st.integers(1, 30))):
        match, pause = life.table.match, data.draw(pauses)
        if match.waits_for(UserId(person or 0)):
            if life.table.now + pause >= life.clocks[Due.OVERDUE]:
                waited += life.clocks[Due.OVERDUE] - life.table.now
                break
            waited += pause
        life.pass_time(pause)
        watched.live(Request(data.draw(verbs), who=place, number=3 * data.draw(st.integers(0, 60)) + 1))
    assert waited <= longest


@pytest.mark.parametrize("verb", ["resign", "depart"])
def test_nobody_wins_where_one_of_two_is_forgotten_and_the_other_resigns(verb: str) -> None:
    watched = lived(Wish("gambo"), [Request("forget", who=0), Request(verb, who=1)])
    match = watched.life.table.match
    assert match.ended_by is (Ended.LEFT if verb == "resign" else Ended.ABORTED)
    assert not watched.life.table.details.counts
    assert [seat.won for seat in match.seats] == [None, None]
    seat = match.seat_of(PEOPLE[1].user_id)
    assert seat is not None
    told = [f"resign {seat.seat}", "end left"] if verb == "resign" else [f"abort {seat.seat}"]
    assert [line.text for line in watched.life.lines[-len(told) :]] == told


def test_a_lobby_that_is_closed_by_forgetting_its_host_names_nobody() -> None:
    match = lived(Wish("gambo", people=1), [Request("forget")]).life.table.match
    assert (match.status, match.host_id, match.seats) == (Status.CANCELLED, NOBODY, ())


@pytest.mark.parametrize("game", GAMES)
def test_played_to_the_end_a_match_has_a_result_that_counts(game: str) -> None:
    info = GAMES[game].info
    for players in {info.min_players, info.max_players}:
        watched = Watched(Life.begin(Wish(game, people=min(players, 7), computers=max(0, players - 7))))
        for request in watched.life.wish.requests():
            watched.live(request)
        rng = Random(players)
        while watched.life.table.match.status is Status.RUNNING:
            moving = watched.life.table.match.mover
            assert watched.live(Request("act" if moving.present else "computer", number=rng.randrange(1000)))
        match = watched.life.table.match
        assert (match.ended_by, watched.life.table.details.counts) == (Ended.RULES, True)
        assert [seat.points for seat in match.seats if seat.points is None] == []
        check_log(watched.life)
