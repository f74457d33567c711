"""Whole lives of tables: every request, in any order, legal or not, and everything that happens by time.

The same requests go to a table as a value (`Life`) and to the host of a table in a store.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Final, NamedTuple

from hypothesis import strategies as st

from db.model.enums import COMPUTERS, Ping
from db.model.ids import MatchId, Ply, SeatNumber
from db.model.rows import GapRow
from db.model.setting_rows import PlayerSettings
from db.pledges.rows import PledgedTable
from db.review import kept as reviews
from db.review.kept import ReviewRow
from games import GAMES
from games.log import Course, Header, Line, branched, in_force
from matches.analysis.progress import VERSIONS
from matches.api import (
    CutOff,
    Dm,
    Due,
    Host,
    HostError,
    NewMatch,
    NotAllowed,
    NotFound,
    Pace,
    Status,
    Terms,
    TooSoon,
    UserId,
    Vote,
    WrongTime,
)
from matches.appointments import Appointments, appointed
from matches.appointments.appointed import RESCHEDULE
from matches.features import FEATURES
from matches.orders import Orders, ahead, giving
from matches.pledges import starting
from matches.records.requests import PlayOn
from matches.records.seat import NOTHING_KNOWN, Known
from matches.review import Reviews
from matches.suspicions import Suspicions, talk
from matches.table import absence, cut_off, lobby, opening, play, privacy, reach, silence, time, undo, votes
from matches.table.events import Clocks, Event, Expires, Fires, MatchEnded, Shifted, Told, Used, Written
from matches.table.follow import decided, followed
from matches.table.limits import Deed, Limit, mark, used
from matches.table.questions import Asks, question
from matches.table.value import Decision, Table
from tests.matches.tables import CHANNEL, PEOPLE, Seeds, timed

FIRST: Final = MatchId(1)
GUILD: Final = 500
START: Final = datetime(2025, 1, 1, 12, tzinfo=UTC)
SEATED: Final = 7
"""The people of a life: more than most tables have seats."""

REASON: Final = "This match stands still."


class Request(NamedTuple):
    """A request: a verb of `VERBS`, its parameters, and the time since the previous one. Each verb uses
    what it needs.
    """

    verb: str
    who: int = 0
    whom: int = 0
    number: int = 0
    after: timedelta = timedelta(0)


class Asked(NamedTuple):
    """A request to one table, in two forms: a decision for the value, and a call of a host for the match of this
    number.
    """

    decide: Decision
    ask: Callable[[Host, MatchId], Awaitable[object]]


class Wish(NamedTuple):
    """How a life begins: a game, its options, and the people and computers who come at once."""

    game: str
    options: tuple[tuple[str, str], ...] = ()
    people: int = 2
    computers: int = 0
    pace: Pace = Pace.DAY
    watching: bool = False
    known: tuple[Known, ...] = (NOTHING_KNOWN,) * SEATED
    hosts_may_end: bool = False
    appointed: timedelta | None = None
    size: int | None = None
    pledged: bool = False
    branched: int = 0
    """The table plays on from another match, after about this many moves of it. 0: it doesn't."""

    def branch(self) -> PlayOn | None:
        """The beginning that the table plays on from; ``None`` for a match of its own."""
        if not self.branched or self.size is None:
            return None
        course, lines, rng = Course.begin(Header(self.game, self.size, dict(self.options))), list[Line](), Random(7)
        while course.ply < self.branched or course.state.current_player < 0:
            state, actor = course.state, course.state.current_player
            action = state.sample_chance(rng) if actor < 0 else rng.choice(state.legal_actions(actor))
            line, course = course.played(actor, action)
            lines.append(line)
        return PlayOn(MatchId(999), SeatNumber(self.branched % self.size), tuple(lines))

    def request(self) -> NewMatch:
        return NewMatch(
            self.game,
            CHANNEL,
            Terms(
                options=dict(self.options),
                pace=self.pace,
                invited=(PEOPLE[4].user_id, PEOPLE[5].user_id),
                size=self.size,
            ),
            guild_id=GUILD,
            watching=self.watching,
            shown=self.shown(),
            branch=self.branch(),
        )

    def shown(self) -> dict[str, Any]:
        """What features know of the lobby."""
        if self.pledged:
            return {starting.KEY: PledgedTable(START + timedelta(minutes=1))}
        return {} if self.appointed is None else timed(START + self.appointed, mirrored=True)

    def requests(self) -> Iterator[Request]:
        """The requests by which everybody joins and the match begins."""
        info = GAMES[self.game].info
        people = range(0 if self.watching else 1, self.people)
        yield from (Request("join", who=number) for number in people if number)
        yield from (Request("add_computer") for _ in range(min(self.computers, info.max_players - self.people)))
        if self.pledged:
            yield from (Request("post"), Request("time"))
            return
        if self.appointed is None:
            yield Request("start")
            return
        # Everybody is asked; one in four doesn't answer.
        yield from (Request("post"), Request("time"))
        yield from (Request("ready", who=number, number=1) for number in range(SEATED) if number % 4 != 3)
        yield Request("time")


@dataclass
class Life:
    """A table that is asked one thing after the other, as a unit of work would ask it, without a store.

    `clocks`: what is due. `lines`: what was written. `told`: what was announced. `result`: what changes ratings.
    `known`: what is known about people. `allowances`: what they have used up. `apart`: pairs (blocker, blocked).
    `broken`: the log of a frozen match can't be replayed. `position`: the position that it would replay to. `spent`:
    people who use up each day's abort elsewhere.
    """

    wish: Wish
    table: Table
    known: dict[int, Known]
    clocks: dict[Due, datetime] = field(default_factory=dict)
    allowances: dict[str, datetime] = field(default_factory=dict)
    apart: set[tuple[UserId, UserId]] = field(default_factory=set)
    lines: list[Line] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    result: MatchEnded | None = None
    position: Course | None = None
    broken: bool = False
    spent: set[UserId] = field(default_factory=set)

    @classmethod
    def begin(cls, wish: Wish, number: MatchId = FIRST, commitment: str = "") -> Life:
        """Open the lobby."""
        known = {int(person.user_id): known for person, known in zip(PEOPLE, wish.known, strict=False)}
        table = opening.opened(
            wish.request(), PEOPLE[0], Seeds()(32), START, known, NOTHING_KNOWN, features=FEATURES, first_here=True
        )
        table = replace(table, hosts_may_end=wish.hosts_may_end).set(id=number, commitment=commitment)
        life = cls(wish, table, known)
        life._use(table.events)
        life._heed(table.events)
        if life.lines:
            life.position = Course.begin(table.match.header).through(life.lines)
        return life

    def fork(self) -> Life:
        """Copy this life. The copy goes on by itself."""
        copied: dict[str, Any] = {
            name: copy(value) for name, value in vars(self).items() if isinstance(value, dict | list | set)
        }
        return replace(self, **copied)

    def loaded(self) -> Table:
        """The table as the store would return it now."""
        everybody = tuple(
            replace(seat, **vars(self.known.get(UserId(seat.user_id or 0), NOTHING_KNOWN)))
            for seat in self.table.match.everybody
        )
        course = self.position if self.table.match.status is Status.RUNNING or not self.broken else None
        seated = {seat.user_id for seat in everybody if seat.user_id is not None and not seat.waits}
        return replace(
            self.table.set(everybody=everybody),
            events=(),
            features=FEATURES,
            known=dict(self.known),
            course=course,
            apart=frozenset(self.apart),
            may_abort=frozenset(each for each in seated - self.spent if self.may(Deed.ABORT, each)),
            may_excuse=self._may_excuse(),
        )

    def _may_excuse(self) -> bool:
        mover = self.table.match.mover
        if self.table.match.cut_off is None or mover is None or mover.user_id is None:
            return False
        return self.may(Deed.EXCUSE, mover.user_id)

    def pass_time(self, by: timedelta) -> None:
        self.table = replace(self.table, now=self.table.now + by)

    def ask(self, asked: Asked, table: Table) -> HostError | None:
        """Let the loaded table decide, and keep the result. Return the refusal, which changes nothing."""

        def decide(table: Table) -> Table:
            after = asked.decide(table)
            assert after.course is None or after.course.ply == after.match.ply, "a decision has one ply"
            return after

        try:
            table = decided(table, decide)
            self._use(table.events)
            self.keep(table)
        except HostError as refusal:
            return refusal
        return None

    def keep(self, table: Table) -> None:
        """Keep the result of a decision."""
        self.table = table
        self._heed(table.events)
        if table.course is not None:
            self.position = table.course

    def freeze(self) -> None:
        """Make the log of the running match unreadable."""
        self.broken = True
        table = replace(self.loaded(), course=None)
        self.keep(followed(table, table.frozen(REASON)))

    def decide(self, decide: Callable[..., Table]) -> HostError | None:
        """Like `ask`, for a decision that no host is asked for."""
        return self.ask(Asked(decide, _nobody), self.loaded())

    def next_action(self) -> Decision | None:
        """The next action of the one line of play, which is the same whoever plays.

        So a computer, a friend and the person themselves are equally strong. ``None`` if it is nobody's turn.
        """
        mover = self.table.match.mover
        if mover is None or self.position is None:
            return None
        state = self.position.state
        number = sum(line.player >= 0 for line in in_force(self.lines))
        actions = state.legal_actions(state.current_player)
        text = state.action_to_string(actions[(7919 * number + 13) % len(actions)])
        if mover.present and mover.user_id is not None:
            person = mover.user_id
            return lambda table: play.act(table, person, text)
        return lambda table: play.computers_turn(table, mover, text)

    def pass_on(self) -> bool:
        """Advance to the next deadline and carry it out. Return whether there was any, except a lobby's deletion."""
        due = sorted((at, kind) for kind, at in self.clocks.items() if kind is not Due.FORGET)
        if not due:
            return False
        at, kind = due[0]
        self.pass_time(max(timedelta(0), at - self.table.now))
        if kind in COMPUTERS:
            decide = self.next_action()
            assert decide is not None
        else:
            del self.clocks[kind]

            def decide(table: Table) -> Table:
                return time.happen(table, kind)

        assert self.decide(decide) is None
        return True

    def may(self, deed: Limit, user_id: UserId) -> bool:
        """Whether limits allow this person to do that now."""
        try:
            self._left(Used(deed, UserId(user_id)))
        except TooSoon:
            return False
        return True

    def _left(self, event: Used) -> dict[str, datetime]:
        key = mark(event.deed, event.user_id, self.table.match)
        now = self.table.now
        return {key: used(event.deed, self.allowances.get(key, now), now, event.times)}

    def _use(self, events: tuple[Event, ...]) -> None:
        """Use up allowances. A refused request uses nothing, and one request uses each allowance once."""
        found = [self._left(event) for event in events if isinstance(event, Used)]
        for each in found:
            self.allowances |= each

    def _heed(self, events: tuple[Event, ...]) -> None:
        for event in events:
            match event:
                case Clocks():
                    kept = {due: at for due, at in self.clocks.items() if due in (Due.QUESTION, Due.ORDER)}
                    self.clocks = dict(event.due) | kept
                case Fires():
                    self.clocks.pop(Due.ORDER, None)
                    # As if the earliest moment was drawn.
                    self.clocks |= {} if event.within is None else {Due.ORDER: event.within[0]}
                case Expires():
                    self.clocks.pop(Due.QUESTION, None)
                    self.clocks |= {} if event.due is None else {Due.QUESTION: event.due}
                case Shifted():
                    self.clocks |= {due: self.clocks[due] + event.by for due in event.kinds if due in self.clocks}
                case Written():
                    self.lines.append(event.line)
                case Told():
                    self.told.append(event)
                case MatchEnded():
                    self.result = event
                case _:
                    pass


async def _nobody(_host: Host, _number: MatchId) -> None:
    raise AssertionError("this is asked of a value")


def asked(request: Request, life: Life) -> Asked | None:
    """The request in both forms for the current table, ``None`` if it makes no sense there."""
    return VERBS[request.verb](request, life)


def _id(number: int) -> UserId:
    return PEOPLE[number % SEATED].user_id


def one(request: Request, table: Table) -> UserId:
    """The person who makes the request: usually somebody at the table."""
    people = [seat.user_id for seat in table.match.everybody if seat.user_id is not None]
    return people[request.who % len(people)] if people and request.number % 5 else _id(request.who)


def _mover(life: Life) -> UserId | None:
    mover = life.table.match.mover
    return None if mover is None or not mover.present else mover.user_id


def _legal(life: Life, number: int) -> str:
    """A legal action of the player whose turn it is, or a word for a table without a position."""
    if life.position is None or life.position.state.current_player < 0:
        return "pass"
    state = life.position.state
    actions = state.legal_actions(state.current_player)
    return state.action_to_string(actions[number % len(actions)])


def _join(request: Request, life: Life) -> Asked:
    person = PEOPLE[request.who % SEATED]
    return Asked(lambda t: lobby.join(t, person), lambda host, number: host.lobby.join(number, person))


def _join_anyway(request: Request, life: Life) -> Asked:
    person = PEOPLE[request.who % SEATED]
    return Asked(
        lambda t: lobby.join(t, person, anyway=True), lambda host, number: host.lobby.join(number, person, anyway=True)
    )


def _block(request: Request, life: Life) -> Asked | None:
    """Somebody blocks somebody. The table isn't told."""
    who, whom = _id(request.who), _id(request.whom)
    if who == whom:
        return None
    life.apart.add((who, whom))
    return Asked(lambda t: t, lambda host, _: host.settings.block(who, whom))


def _by_one(decide: Callable[[Table, UserId], Table], ask: Callable[[Host], Callable[[MatchId, UserId], Any]]) -> Any:
    """Requests that need nothing but the person."""

    def verb(request: Request, life: Life) -> Asked:
        by = one(request, life.table)
        return Asked(lambda t: decide(t, by), lambda host, number: ask(host)(number, by))

    return verb


def _agree_on(request: Request, life: Life) -> Asked:
    """The host, or somebody else, changes what is agreed."""
    by, info = one(request, life.table), life.table.match.info
    size = (None, info.min_players, info.max_players, info.max_players + 1)[request.number % 4]
    reliable = {"reliable": request.number % 2 == 0, "newcomers": True}
    offered: tuple[dict[str, Any], ...] = (
        *({"size": size}, {"pace": tuple(Pace)[request.number % len(Pace)]}, {"moves_stand": request.number % 2 == 0}),
        *({"rated": request.number % 2 == 0}, reliable),
    )
    terms = offered[request.whom % len(offered)]
    return Asked(lambda t: lobby.agree(t, by, **terms), lambda host, number: host.lobby.agree(number, by, **terms))


def _remove(request: Request, life: Life) -> Asked:
    by, whom = one(request, life.table), _id(request.whom)
    return Asked(lambda t: lobby.remove(t, by, whom), lambda host, number: host.lobby.remove(number, by, whom))


def _add_computer(request: Request, life: Life) -> Asked:
    by, level = one(request, life.table), ("easy", "normal", "hard", "divine")[request.number % 4]
    return Asked(
        lambda t: lobby.add_computer(t, by, level), lambda host, number: host.lobby.add_computer(number, by, level)
    )


def _act(request: Request, life: Life) -> Asked:
    """The player whose turn it is does something legal."""
    by, text, ply = _mover(life) or one(request, life.table), _legal(life, request.number), life.table.match.ply
    return Asked(
        lambda t: play.act(t, by, text, ply=ply), lambda host, number: host.play.act(number, by, text, ply=ply)
    )


def _act_wrongly(request: Request, life: Life) -> Asked:
    """Anybody does something: perhaps in turn, from this board or another, perhaps a legal move."""
    by = (_mover(life) or one(request, life.table)) if request.number % 2 else one(request, life.table)
    text = (_legal(life, request.number), "nonsense", "", "N@1,1", "7", "d1-d2")[request.whom % 6]
    ply = (None, life.table.match.ply, Ply(life.table.match.ply - 1))[request.number % 3]
    return Asked(
        lambda t: play.act(t, by, text, ply=ply), lambda host, number: host.play.act(number, by, text, ply=ply)
    )


def _computer(request: Request, life: Life) -> Asked | None:
    """The computer whose turn it is has chosen, if its turn is due."""
    mover, text = life.table.match.mover, _legal(life, request.number)
    if mover is None or mover.present or life.clocks.keys().isdisjoint(COMPUTERS):
        return None

    def decide(table: Table) -> Table:
        return play.computers_turn(table, mover, text)

    return Asked(decide, lambda host, number: host.work.change(number, decide))


def _cancel(request: Request, life: Life) -> Asked:
    by, moderator = one(request, life.table), request.number % 12 == 0
    return Asked(
        lambda t: votes.cancel(t, by, moderator=moderator),
        lambda host, number: host.votes.cancel(number, by, moderator=moderator),
    )


def _vote(request: Request, life: Life) -> Asked:
    by, choice = (
        one(request, life.table),
        (Vote.WAIT, Vote.WAIT, Vote.COMPUTER, Vote.END, Vote.CANCEL)[request.number % 5],
    )
    ply = (None, life.table.match.turn_ply, Ply(life.table.match.ply - 1))[request.whom % 3]
    return Asked(
        lambda t: votes.vote(t, by, choice, ply=ply), lambda host, number: host.votes.vote(number, by, choice, ply=ply)
    )


def _undo(request: Request, life: Life) -> Asked:
    """Somebody asks to take the last move back, or agrees to that."""
    by, ply = one(request, life.table), (None, life.table.match.ply, Ply(life.table.match.ply - 1))[request.whom % 3]
    return Asked(
        lambda t: undo.undo(t, by, _retractable(t), ply=ply), lambda host, number: host.votes.undo(number, by, ply=ply)
    )


def _retractable(table: Table) -> Ply | None:
    return None if table.course is None else undo.retractable(table.match, table.course)


def _away(request: Request, life: Life) -> Asked:
    """Somebody goes away for some days, or comes back."""
    by, now = one(request, life.table), life.table.now
    until = now + timedelta(days=request.number % 4) if request.number % 3 else None
    known = life.known.get(by, NOTHING_KNOWN)
    # People who aren't away can't come back.
    comes = until is None and known.away_until is None
    plays = life.table.match.status is Status.RUNNING and not comes
    seat = life.table.match.seat_of(by)
    if not (plays and seat is not None and seat.present) or until is None or life.may(Deed.AWAY, by):
        life.known[by] = replace(known, away_until=until)

    def decide(table: Table) -> Table:
        return absence.away(table, by, until) if plays and seat is not None else table

    return Asked(decide, lambda host, _: host.absence.away(by, until))


def _look(request: Request, life: Life) -> Asked:
    """The bot looks at somebody, usually at the player to move: what keeps them from pressing, or nothing."""
    by = UserId((_mover(life) if request.whom else None) or one(request, life.table))
    why = (None, None, CutOff.SILENCED, CutOff.UNSEEN, CutOff.GONE)[request.number % 5]
    return Asked(lambda t: cut_off.looked(t, by, why), lambda host, number: host.absence.note_look(number, by, why))


def _apply(request: Request, life: Life) -> Asked:
    seats = life.table.match.seats
    person, seat = PEOPLE[request.who % SEATED], None
    if request.number % 2 and seats:
        seat = seats[request.whom % len(seats)].seat
    return Asked(
        lambda t: absence.apply(t, person, seat), lambda host, number: host.absence.apply(number, person, seat)
    )


def _agree(request: Request, life: Life) -> Asked:
    """Somebody agrees to an applicant, if there is one."""
    by, wanted = one(request, life.table), life.table.match.applications
    whom = wanted[request.whom % len(wanted)].user_id if wanted else _id(request.whom)
    yes = request.number % 3 != 0
    return Asked(
        lambda t: absence.agree(t, by, whom, yes=yes),
        lambda host, number: host.absence.agree(number, by, whom, yes=yes),
    )


def _say_no(request: Request, life: Life) -> Asked:
    """Somebody votes against ending the match, or against taking back, with buttons of this question or another."""
    by, table = one(request, life.table), life.table
    asks = Asks.CANCEL if request.number % 2 else Asks.UNDO
    found = question(table.match, table.now, asks)
    number = 7 if found is None or request.whom == 0 else found.number
    return Asked(
        lambda t: votes.refuse(t, by, asks, number), lambda host, match: host.votes.refuse(match, by, asks, number)
    )


def _suspect(request: Request, life: Life) -> Asked:
    """Somebody suspects a seat, or nobody."""
    by, seats = one(request, life.table), life.table.match.seats
    whom = None if request.number % 4 == 0 else SeatNumber(request.whom % (len(seats) + 1))
    return Asked(
        lambda t: talk.suspect(t, by, whom), lambda host, number: host.part(Suspicions).suspect(number, by, whom)
    )


def _time(request: Request, life: Life) -> Asked | None:
    """Carry out the next deadline when it is due, except a computer's turn and the deletion."""
    due = sorted((at, kind) for kind, at in life.clocks.items() if kind not in (*COMPUTERS, Due.FORGET))
    if not due:
        return None
    at, kind = due[0]
    life.pass_time(max(timedelta(0), at - life.table.now))
    del life.clocks[kind]

    async def ask(host: Host, number: MatchId) -> None:
        # The test's clock shows the life's time, so nothing else is due.
        rows = await host.time.claim_due((kind,))
        assert [row.match_id for row in rows] == [number]
        await host.time.happen(rows[0])

    return Asked(lambda t: time.happen(t, kind), ask)


def _gap(request: Request, life: Life) -> Asked:
    """Nobody can press for a while. Then everybody has that time back."""
    since = life.table.now
    life.pass_time(_GAPS[request.number % len(_GAPS)])
    gap = GapRow(1, 1, 0, None, since, life.table.now, replayed=request.whom == 0)

    def decide(table: Table) -> Table:
        return time.given_back(table, gap)

    return Asked(decide, lambda host, number: host.work.change(number, decide))


def _move(request: Request, life: Life) -> Asked:
    by, channel, moderator = one(request, life.table), CHANNEL + request.number % 3, request.number % 4 == 0
    return Asked(
        lambda t: reach.move(t, by, channel, moderator=moderator),
        lambda host, number: host.reach.move(number, by, channel, moderator=moderator),
    )


def _lose_place(request: Request, life: Life) -> Asked:
    return Asked(reach.lose_place, lambda host, number: host.reach.lose(number))


def _stay_in_channel(request: Request, life: Life) -> Asked:
    return Asked(reach.stay_in_channel, lambda host, number: host.reach.stay_in_channel(number))


def _find_place(request: Request, life: Life) -> Asked:
    return Asked(reach.found, lambda host, number: host.reach.find(number))


def _lose_server(request: Request, life: Life) -> Asked:
    return Asked(reach.lose_server, lambda host, number: host.reach.lose_server(GUILD))


def _find_server(request: Request, life: Life) -> Asked:
    return Asked(reach.find_server, lambda host, number: host.reach.find_server(GUILD))


def _forget(request: Request, life: Life) -> Asked | None:
    """A person wants to be forgotten, whether or not the table knows them. The store forgets them in
    finished matches.
    """
    by, match = one(request, life.table), life.table.match
    if match.ended_at is not None:
        return None
    concerned = match.at_table(by) is not None or by == match.host_id
    concerned |= by in life.table.details.invited and match.status is Status.LOBBY
    life.known.pop(by, None)
    life.apart = {pair for pair in life.apart if pair[0] != by}

    def decide(table: Table) -> Table:
        if concerned:
            return privacy.forget(table, by)
        # The store deletes their votes and applications without telling anybody.
        return table.set(applications=tuple(each for each in match.applications if each.user_id != by))

    return Asked(decide, lambda host, _: host.privacy.forget(by))


def _hand_on(request: Request, life: Life) -> Asked:
    """Somebody notices that the host, or somebody who isn't, has left the server."""
    by, table = UserId(one(request, life.table)), life.table
    whom = UserId(_id(request.whom)) if request.number % 3 else table.match.host_id
    return Asked(lambda t: lobby.hand_on(t, by, whom), lambda host, number: host.lobby.hand_on(number, by, whom))


def _reschedule(request: Request, life: Life) -> Asked:
    by, when = one(request, life.table), life.table.now + timedelta(minutes=(3, 20, 500, 3000)[request.number % 4])
    return Asked(
        lambda t: appointed.reschedule(t, by, when),
        lambda host, number: host.part(Appointments).reschedule(number, by, when),
    )


def _fill_with(request: Request, life: Life) -> Asked:
    by, level = one(request, life.table), ("easy", None, "divine")[request.number % 3]
    return Asked(
        lambda t: appointed.fill_with(t, by, level),
        lambda host, number: host.part(Appointments).fill_with(number, by, level),
    )


def _event(request: Request, life: Life) -> Asked:
    """The table's event on Discord gets another time, at once or later, or is over."""
    match = life.table.match
    when = (None, life.table.now, life.table.now + timedelta(hours=9))[request.number % 3]

    def decide(table: Table) -> Table:
        if when is None:
            return appointed.event_over(table)
        # What the host's allowance doesn't allow is put back.
        found = appointed.of(match)
        follows = found is None or when == found.appointed or life.may(RESCHEDULE, match.host_id)
        return appointed.follow(table, when) if follows else appointed.put_back(table)

    return Asked(decide, lambda host, _: host.part(Appointments).follow_event(match, when))


def _review(request: Request, life: Life) -> Asked:
    """Anybody asks for a review of the match. Only the request is stored, and only the first one."""
    by = UserId(one(request, life.table))

    def decide(table: Table) -> Table:
        if table.match.status is Status.CANCELLED:
            raise WrongTime("This lobby is closed.")
        if table.match.status is Status.LOBBY:
            raise WrongTime("This match hasn't started yet.")
        if table.match.status is not Status.OVER:
            raise WrongTime("A match can be reviewed once it's over.")
        if table.match.game not in VERSIONS:
            raise NotAllowed(f"I can't review {table.match.info.name} yet.")
        since = max((line.ply for line in life.lines if branched(line) is not None), default=-1)
        if not any(line.player >= 0 for line in in_force(life.lines) if line.ply > since):
            raise WrongTime("Nobody has made a move in this match.")
        return table

    async def ask(host: Host, number: MatchId) -> None:
        before = await host.work.read(reviews.get, number)
        await host.part(Reviews).ask(number, by)
        # A review that isn't finished can't be posted or tried.
        await host.part(Reviews).note_posted(MatchId(number), 0)
        try:
            await host.part(Reviews).to_try(MatchId(number), 0, by)
        except (NotFound, NotAllowed):
            pass
        else:
            raise AssertionError("there's nothing to try yet")
        version = VERSIONS[life.table.match.game]
        new = ReviewRow(version, {}, by, host.now())
        assert await host.work.read(reviews.get, number) == (before or new)

    return Asked(decide, ask)


def _say(request: Request, life: Life) -> Asked:
    """Somebody says a move in advance, perhaps the answer to a certain move, or something that makes no sense."""
    table, by = life.table, one(request, life.table)
    seat, course = table.match.seat_of(by), life.position
    text, theirs, ply = "nonsense", None, Ply((table.match.ply, table.match.ply - 1)[request.number % 7 == 6])
    if seat is not None and seat.seat is not None and course is not None and table.match.status is Status.RUNNING:
        answered = ahead.replied(course, table.match.id, seat.seat)
        if answered and request.whom % 3:
            theirs = course.state.action_to_string(answered[request.number * 7 % len(answered)])
        turn = ahead.turn(course, table.match.id, seat.seat, theirs)
        if turn is not None and turn.legal:
            text = turn.notation.action_to_string(turn.legal[request.number * 5 % len(turn.legal)])
    if request.number % 11 == 10:
        theirs = "nonsense"
    unless = _unless(request, life)
    return Asked(
        lambda t: giving.give(t, by, text, ply=ply, theirs=theirs, unless=unless),
        lambda host, number: host.part(Orders).give(number, by, text, ply=ply, theirs=theirs, unless=unless),
    )


def _instruct(request: Request, life: Life) -> Asked:
    """Somebody gives an instruction of the game, or one that it doesn't have."""
    by, ply = one(request, life.table), life.table.match.ply
    known = (*(each.key for each in GAMES[life.wish.game].advance.instructions), "nonsense")
    key, unless = known[request.number % len(known)], _unless(request, life)
    return Asked(
        lambda t: giving.instruct(t, by, key, ply=ply, unless=unless),
        lambda host, number: host.part(Orders).instruct(number, by, key, ply=ply, unless=unless),
    )


def _unless(request: Request, life: Life) -> tuple[str, ...]:
    known = (*(each.key for each in GAMES[life.wish.game].advance.exclusions), "nonsense")
    return tuple(key for place, key in enumerate(known) if (request.number + place) % 5 == request.whom)


def _change_order(request: Request, life: Life) -> Asked:
    """Somebody changes an order, perhaps of somebody else."""
    by, number, unless = one(request, life.table), _any_order(request, life), _unless(request, life)
    return Asked(
        lambda t: giving.change(t, by, number, unless=unless),
        lambda host, match: host.part(Orders).change(match, by, number, unless=unless),
    )


def _drop_order(request: Request, life: Life) -> Asked:
    by, number = one(request, life.table), _any_order(request, life)
    return Asked(lambda t: giving.drop(t, by, number), lambda host, match: host.part(Orders).drop(match, by, number))


def _any_order(request: Request, life: Life) -> int:
    known = [order.number for order in giving.orders_at(life.table)]
    return known[request.number % len(known)] if known else 7


def _post(request: Request, life: Life) -> Asked:
    """The lobby's message is posted."""
    message = 70_000 + request.number

    def decide(table: Table) -> Table:
        return table.set(lobby_message_id=message)

    return Asked(decide, lambda host, number: host.outbox.set_lobby_message(number, message))


VERBS: Final[Mapping[str, Callable[[Request, Life], Asked | None]]] = {
    "join": _join,
    "join_anyway": _join_anyway,
    "leave": _by_one(lobby.leave, lambda host: host.lobby.leave),
    "watch": _by_one(lobby.watch, lambda host: host.lobby.watch),
    "agree_on": _agree_on,
    "switch_start": _by_one(lobby.switch_start, lambda host: host.lobby.switch_start),
    "switch_place": _by_one(lobby.switch_place, lambda host: host.lobby.switch_place),
    "remove": _remove,
    "add_computer": _add_computer,
    "remove_computer": _by_one(lobby.remove_computer, lambda host: host.lobby.remove_computer),
    "note_press": _by_one(silence.pressed, lambda host: host.lobby.note_press),
    "hand_on": _hand_on,
    "start": _by_one(lobby.start, lambda host: host.lobby.start),
    "act": _act,
    "act_wrongly": _act_wrongly,
    "computer": _computer,
    "resign": _by_one(play.resign, lambda host: host.play.resign),
    "depart": _by_one(play.depart, lambda host: host.play.depart),
    "take_back": _by_one(play.take_back, lambda host: host.play.take_back),
    "remind": _by_one(votes.remind, lambda host: host.votes.remind),
    "cancel": _cancel,
    "vote": _vote,
    "undo": _undo,
    "suspect": _suspect,
    "say_no": _say_no,
    "away": _away,
    "look": _look,
    "apply": _apply,
    "agree": _agree,
    "time": _time,
    "post": _post,
    "gap": _gap,
    "move": _move,
    "show": _by_one(reach.show, lambda host: host.reach.show),
    "bring_down": _by_one(reach.bring_down, lambda host: host.reach.bring_down),
    "lose_place": _lose_place,
    "stay_in_channel": _stay_in_channel,
    "find_place": _find_place,
    "lose_server": _lose_server,
    "find_server": _find_server,
    "forget": _forget,
    "block": _block,
    "ready": _by_one(lobby.ready, lambda host: host.lobby.ready),
    "reschedule": _reschedule,
    "fill_with": _fill_with,
    "event": _event,
    "review": _review,
    "say": _say,
    "instruct": _instruct,
    "change_order": _change_order,
    "drop_order": _drop_order,
    "drop_orders": _by_one(giving.drop_all, lambda host: host.part(Orders).drop_all),
}

_OFTEN: Final = {
    "act": 14,
    "computer": 8,
    "act_wrongly": 3,
    "time": 6,
    "vote": 5,
    "agree": 4,
    "apply": 3,
    "undo": 4,
    "suspect": 2,
    "say_no": 3,
    "cancel": 3,
    "depart": 2,
    "review": 2,
    "say": 9,
    "instruct": 4,
    "change_order": 2,
}
_OFTEN_ENOUGH: Final = [verb for verb in VERBS for _ in range(_OFTEN.get(verb, 1))]
_GAPS: Final = tuple(timedelta(**each) for each in ({"seconds": 30}, {"minutes": 10}, {"hours": 26}, {"days": 40}))
_PAUSES: Final = tuple(timedelta(**each) for each in ({}, {}, {}, {"minutes": 3}, {"hours": 20}, {"days": 8}))

requests: Final = st.lists(
    st.builds(
        Request,
        verb=st.sampled_from(_OFTEN_ENOUGH),
        who=st.integers(0, SEATED - 1),
        whom=st.integers(0, SEATED - 1),
        number=st.integers(0, 1000),
        after=st.sampled_from(_PAUSES),
    ),
    min_size=10,
    max_size=60,
)

known: Final = st.builds(
    lambda dm, ping, days: Known(
        dm=dm, settings=PlayerSettings(ping=ping), away_until=None if days is None else START + timedelta(days=days)
    ),
    st.sampled_from(Dm),
    st.sampled_from(Ping),
    st.sampled_from((None, None, None, 1, 5)),
)


@st.composite
def wishes(draw: st.DrawFn, game: str) -> Wish:
    """Ways to begin a life of a table of this game."""
    info = GAMES[game].info
    branched = draw(st.sampled_from((0, 0, 3, 9)))
    watching = not branched and draw(st.booleans()) and draw(st.booleans())
    people = draw(st.integers(1, info.max_players))
    least = max(0, info.min_players - people)
    return Wish(
        game,
        options=tuple((option.name, draw(st.sampled_from(option.values))) for option in info.options),
        people=people,
        computers=least + draw(st.integers(0, 2)),
        pace=draw(st.sampled_from(Pace)),
        watching=watching,
        known=tuple(draw(known) for _ in range(SEATED)),
        hosts_may_end=draw(st.booleans()),
        appointed=(
            appointed := None
            if branched
            else draw(st.sampled_from((None, None, timedelta(hours=3), timedelta(days=3))))
        ),
        size=info.min_players if branched else draw(st.sampled_from((None, info.min_players))),
        pledged=not branched and appointed is None and draw(st.booleans()),
        branched=branched,
    )
