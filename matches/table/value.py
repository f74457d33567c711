"""The table: a match with its position and its secret, at one moment, and the steps that decisions are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final, Self, TypeAlias

from db.matches.outbox import News
from db.model.columns import field_names, values_of
from db.model.enums import Due, Ended, Kind, Status, Vote
from db.model.ids import Ply, SeatNumber, UserId
from db.model.rows import Agreed, Application, Ballot, Conditions, Details, Hidden, Terms
from games.log import TABLE, Branch, Course, Line, branched, taken_back
from matches.errors import NotAllowed, TooSoon, WrongTime
from matches.records import fair
from matches.records.match import Match
from matches.records.requests import Person
from matches.records.seat import NOTHING_KNOWN, Known, Seat
from matches.records.seen import is_secret
from matches.results.reliability import LEAST, PROVEN, WINDOW
from matches.table.events import Clocks, Event, Shifted, Told, Used, Written
from matches.table.feature import Feature, Start, Unowned, first
from matches.table.limits import OPEN_TABLES, Limit
from matches.table.standing import NO_STANDING, Standing, check_bar

_BESIDE: Final = dict.fromkeys(field_names(Details), "details") | dict.fromkeys(field_names(Hidden), "hidden")
"""In which part of a table the fields are that aren't the match's."""

LOBBY_STAYS: Final = timedelta(hours=24)

NO_PACE_PATIENCE: Final = timedelta(days=7)
"""After this time the table may be asked about a turn without a time limit."""

STAYS_OUT_OF_REACH: Final = timedelta(days=60)
"""A match or lobby ends this long after its place or server was lost, or after it was frozen."""


@dataclass(frozen=True)
class Table:
    """A match at the moment `now`, with its `details`, what is `hidden`, and the whole position.

    `course` is set while the match runs, and for a frozen match if its log replays again. `match.ply` is always the
    course's, and counts the lines that this decision has written.

    About people: `known` are the settings of those who may sit down, `stranger` the defaults for everybody else.
    `apart` are pairs (blocker, blocked). `standing` decides who can sit down. `may_abort` are those who have today's
    abort on this server left (`Deed.ABORT`), as far as a decision may need it. `may_excuse`: the player to move is cut
    off, and wasn't excused on the server within 30 days.

    About the server: `hosts_may_end`: hosts may end their matches. `unrated`: no match changes ratings. `watched`: how
    many matches without people run, of this host and on the server.

    `features` are those that this bot has, and `kept` is what each keeps of the match, by its key. Some of that is
    secret, so it is no part of the match.

    `press` is the id of the interaction that asks for the decision, if any. `restores` counts how often the store was
    restored from a backup. `events` are the consequences of the decision so far.
    """

    match: Match
    now: datetime
    details: Details
    hidden: Hidden
    course: Course | None = field(default=None, repr=False)
    known: Mapping[int, Known] = field(default_factory=dict)
    stranger: Known = NOTHING_KNOWN
    hosts_may_end: bool = False
    unrated: bool = False
    apart: frozenset[tuple[UserId, UserId]] = frozenset()
    standing: Standing = NO_STANDING
    watched: tuple[int, int] = (0, 0)
    may_abort: frozenset[UserId] = frozenset()
    may_excuse: bool = False
    features: tuple[Feature[Table], ...] = field(default=(), repr=False)
    kept: Mapping[str, Any] = field(default_factory=dict, repr=False)
    press: int | None = None
    restores: int = 0
    events: tuple[Event, ...] = ()

    # Questions about it, which change nothing.

    def running(self) -> Course:
        """The course of a match that runs. Raises WrongTime or Frozen."""
        self.match.check_running()
        assert self.course is not None
        return self.course

    def check_lobby(self) -> None:
        """Raises WrongTime unless the match is still a lobby."""
        if self.match.status is Status.CANCELLED:
            raise WrongTime("This lobby is closed.")
        if self.match.status is not Status.LOBBY:
            raise WrongTime("This match has already started.")

    def check_present(self, user_id: UserId) -> Seat:
        """This person's seat, which they play themselves. Raises NotSeated and NotAllowed."""
        seat = self.match.own_seat(user_id)
        if not seat.present:
            raise NotAllowed("A computer is playing your seat. Take it back first.")
        return seat

    def check_welcome(self, user_id: UserId) -> None:
        """Raise if this person can't open, join or start this table. Nothing else decides this.

        TooSoon: the server's moderators have barred them. NotAllowed: whoever runs the bot has, or the table is for the
        reliable, and they aren't.
        """
        check_bar(self.standing.barred.get(user_id), self.now)
        if self.details.reliable and user_id in self.standing.unreliable:
            raise NotAllowed(
                "This table is for people who finish their matches, and you've left too many lately. Finish a few at "
                "other tables first."
            )
        if self.details.reliable and not self.details.newcomers and user_id in self.standing.newcomers:
            raise NotAllowed(
                "This table is for people who are known here for finishing their matches. That takes "
                f"{LEAST} matches in {WINDOW.days} days, and {PROVEN.days} days since the first. Play at other tables "
                "first, or let newcomers join yours, too (**Change …**)."
            )

    def is_welcome(self, user_id: UserId) -> bool:
        """Whether `check_welcome` raises nothing."""
        try:
            self.check_welcome(user_id)
        except (TooSoon, NotAllowed):
            return False
        return True

    def check_free_to_sit(self, user_id: UserId) -> None:
        """Raise if this person can't take a seat in this lobby now: what `check_welcome` raises, and more.

        NotAllowed: its host has removed them. TooSoon: they already sit at too many tables that wait for players.
        """
        self.check_welcome(user_id)
        if self.person_hash(user_id) in self.hidden.removed:
            raise NotAllowed("The host removed you from this table. `/tables` shows others.")
        waiting = self._waiting(user_id)
        if len(waiting) < OPEN_TABLES:
            return
        if self.start is not None:
            many = f"You already have {OPEN_TABLES} appointed tables here. Leave or cancel one of them first."
            raise TooSoon(many, min(waiting))
        raise TooSoon(
            f"You already have {OPEN_TABLES} tables here that are waiting for players. Start or cancel one of them, "
            "leave one, or wait for the oldest to close by itself.",
            min(waiting),
        )

    def _waiting(self, user_id: UserId) -> list[datetime]:
        """Until when each of this person's other lobbies of this kind waits at most."""
        timed = self.start is not None
        times = self.standing.waiting.get(user_id, ())
        return [starts or opened + LOBBY_STAYS for opened, starts in times if (starts is not None) == timed]

    def may_host(self, user_id: UserId) -> bool:
        """Whether this person could become the lobby's host: they could have opened it themselves."""
        return self.is_welcome(user_id) and len(self._waiting(user_id)) < OPEN_TABLES

    def avoided_by(self, user_id: UserId) -> tuple[Seat, ...]:
        """The seats, and places in line, of the people whom this person has blocked."""
        return tuple(seat for seat in self.match.everybody if (user_id, seat.user_id) in self.apart)

    def has_seen(self, user_id: UserId) -> bool:
        """Whether this person once had a seat in this match."""
        return self.person_hash(user_id) in self.hidden.witnesses

    @property
    def start(self) -> Start[Table] | None:
        """How the lobby starts that has an appointed time, ``None`` for any other."""
        return first(each.start(self.match) for each in self.features)

    @property
    def unowned(self) -> Unowned[Table] | None:
        """How the lobby starts that nobody has opened, ``None`` for any other."""
        return first(each.unowned(self.match) for each in self.features)

    @property
    def terms(self) -> Terms:
        """The terms of the table, as the lobby has changed them since it was opened."""
        return Terms(**values_of(self.match, Agreed), **values_of(self.details, Conditions))

    @property
    def draws(self) -> fair.Draws:
        """The draws of this match."""
        return fair.Draws(self.hidden.seed, self.match.id, self.details.scheme, self.details.pressed)

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines that were written."""
        return tuple(event.line for event in self.events if isinstance(event, Written))

    @property
    def moved(self) -> bool:
        """Whether the lines that were written changed the position. Those about seats don't."""
        return any(line.player != TABLE or taken_back(line) is not None or branched(line) for line in self.lines)

    def person_hash(self, user_id: UserId) -> str:
        """A keyed hash that recognises a person while the seed is secret. It names nobody and is deleted at the end."""
        return sha256(b"witness %b %d" % (self.hidden.seed, user_id)).hexdigest()[:32]

    # The steps. Each returns another table. "With …" and "Without …" say how that differs from this one.

    def at(self, course: Course) -> Self:
        """With the position that the match has come to."""
        return replace(self, course=course)

    def set(self, **changes: Any) -> Self:
        """With other fields of the match, of its details, or of what is hidden."""
        parts: dict[str, dict[str, Any]] = {}
        for name, value in changes.items():
            parts.setdefault(_BESIDE.get(name, "match"), {})[name] = value
        return replace(self, **{part: replace(getattr(self, part), **of_part) for part, of_part in parts.items()})

    def with_event(self, event: Event) -> Self:
        """With one more event."""
        return replace(self, events=(*self.events, event))

    def keeping(self, key: str, what: Any) -> Self:
        """With something else that a feature keeps of the match."""
        return self if self.kept.get(key) == what else replace(self, kept={**self.kept, key: what})

    def showing(self, key: str, what: Any) -> Self:
        """With something else that a feature keeps of the match, and everybody may see."""
        return self.set(shown={**self.match.shown, key: what})

    def hiding(self, key: str) -> Self:
        """Without what a feature keeps of the match that everybody may see."""
        return self.set(shown={name: what for name, what in self.match.shown.items() if name != key})

    def set_seat(self, position: int, **changes: Any) -> Self:
        """With other fields of the seat at this place of the lobby."""
        return self.set(
            everybody=tuple(
                replace(seat, **changes) if seat.position == position else seat for seat in self.match.everybody
            )
        )

    def add_seat(self, name: str, *, person: Person | None = None, computer: str | None = None) -> Self:
        """With one more seat, behind all others; at a full table with a place in line.

        If everybody has already been asked whether they're ready, the newcomer counts as ready.
        """
        match = self.match
        position = 1 + max((seat.position for seat in match.everybody), default=-1)
        seat = Seat(position=position, name=name, computer=computer, ready=match.asking, **vars(self.stranger))
        seat = replace(seat, pressed_at=self.now, waits=not match.has_room)
        seated = self.set(everybody=(*match.everybody, seat))
        return seated if person is None else seated.give_seat(position, person)

    def delete_seat(self, seat: Seat) -> Self:
        """Without this seat or place in line. Whoever is next in line takes a seat that is free now."""
        table = self.set(everybody=tuple(each for each in self.match.everybody if each.position != seat.position))
        line = table.match.line if len(table.match.seats) < len(self.match.seats) else ()
        return table.set_seat(line[0].position, waits=False) if line else table

    def give_seat(self, position: int, person: Person) -> Self:
        """A person plays this seat from now on."""
        known = self.known.get(person.user_id, self.stranger)
        own = {"user_id": person.user_id, "name": person.name, "computer": None, "resigned": False}
        return self.set_seat(position, **own, **vars(known))

    def empty_seat(self, position: int, name: str) -> Self:
        """Take the person off this seat for good, and call it `name`."""
        gone = {"user_id": None, "name": name, "resigned": True, "hand_message_id": None}
        return self.set_seat(position, **gone, **vars(self.stranger))

    def with_witness(self, seat: Seat) -> Self:
        """Remember, by a hash, that the person of this seat has seen its secrets."""
        if seat.user_id is None:
            return self
        return self.set(witnesses=(*self.hidden.witnesses, self.person_hash(seat.user_id)))

    def played(self, player: int, action: Any, *, by_order: bool = False) -> Self:
        """With a player's action, which must be legal, and all chance lines and forced lines that follow."""
        return self._written(*self.running().played(player, action), by_order=by_order).settled()

    def noted(self, event: str) -> Self:
        """With a line of the table itself (``resign 2``)."""
        return self._written(*self.running().noted(event))

    def settled(self) -> Self:
        """With the lines that follow without a decision."""
        table = self.heard_of_restores()
        for line, course in table.running().settled(table.draws.chance):
            table = table._written(line, course)
        return table

    def _written(self, line: Line, course: Course, *, by_order: bool = False) -> Self:
        match = replace(self.match, ply=Ply(course.ply))
        written = Written(line, is_secret(line, course.state), by_order)
        return replace(self, match=match, course=course).with_event(written)

    def begun(self, course: Course) -> Self:
        """Draw the seats, and write the lines up to the first decision.

        `course` has no lines yet, or the copied ones if the match is played on from another one.
        """
        table = replace(self, course=course).heard_of_restores()
        order = table.draws.seats(len(self.match.seats), self.match.branch_seat)
        drawn = ((SeatNumber(seat), self.match.seats[position]) for seat, position in enumerate(order))
        seats = tuple(
            replace(each, seat=seat, entered=self._enters(each), level=each.computer, ready=False)
            for seat, each in drawn
        )
        gone = {"invited": (), "removed": (), "asking": False}
        table = table.set(everybody=seats, status=Status.RUNNING, started_at=self.now, **gone)
        seat = self.match.branch_seat
        if seat is not None:
            branch = Branch(course.ply, seat, table.draws.branch(course.draws))
            table = table.set(board_ply=course.ply).noted(branch.event)
        return table.settled()

    def _enters(self, seat: Seat) -> bool:
        return seat.user_id is not None and self.match.guild_id is not None and not self.match.is_branched

    def counting(self, what: str, number: int | None = None) -> Self:
        """With something that counts in the draws (`matches.records.fair`): `number`, else the press's id, else 0."""
        if self.details.scheme == 1:
            return self
        return self.set(pressed=(*self.details.pressed, f"{what}-{number or self.press or 0}"))

    def heard_of_restores(self) -> Self:
        """Let later draws depend on the restore count, so that no draw repeats one from before a restore."""
        if self.details.scheme == 1 or self.restores == fair.restores(self.details.pressed):
            return self
        assert self.course is not None
        return self.set(pressed=(*self.details.pressed, f"{fair.RESTORED}-{self.restores}-{self.course.draws}"))

    def ended(self, how: Ended) -> Self:
        """End the match, or close the lobby. What was hidden is forgotten, apart from the seed and what is owed."""
        status = Status.CANCELLED if self.match.status is Status.LOBBY else Status.OVER
        hidden = Hidden(seed=self.hidden.seed, board_owed=self.hidden.board_owed, calls=self.hidden.calls)
        return replace(self, hidden=hidden).set(
            status=status,
            ended_at=self.now,
            ended_by=how,
            to_move=None,
            turn_due=None,
            invited=(),
            everybody=self.match.seats,
            asking=False,
            lost=None,
            reason=None,
            stands_until=None,
            closes_at=None,
            offered_until=None,
            questions=(),
            cut_off=None,
        )

    def frozen(self, reason: str) -> Self:
        """Freeze the match, whose log doesn't replay, until a version of the program can replay it."""
        table = self.resumed().set(turn_left=None, closes_at=self.now + STAYS_OUT_OF_REACH)
        stands = dict.fromkeys(("to_move", "turn_due", "offered_until", "lost", "lost_at", "cut_off"))
        return table.set(status=Status.FROZEN, reason=reason, **stands)

    def thawed(self) -> Self:
        """Continue a frozen match, whose log replays again, with a new turn."""
        assert self.course is not None
        to_move = self.course.state.current_player
        return self.set(status=Status.RUNNING, reason=None, to_move=to_move, closes_at=None)

    def with_ballot(self, user_id: UserId, vote: Vote) -> Self:
        """With a vote; a second one of the same person on the same question replaces the first."""
        others = (b for b in self.match.ballots if (b.user_id, b.vote.question) != (user_id, vote.question))
        # As the store returns them: by person, then by question.
        ballots = sorted((*others, Ballot(user_id, vote)), key=lambda each: (each.user_id, each.vote.question))
        return self.set(ballots=tuple(ballots))

    def with_application(self, application: Application) -> Self:
        """With a request for a seat, which replaces the person's earlier one."""
        others = (each for each in self.match.applications if each.user_id != application.user_id)
        return self.set(applications=tuple(sorted((*others, application))))

    def without_ballots(self, *questions: str) -> Self:
        """Without the votes on these questions."""
        if not self.match.ballots:
            return self
        return self.set(ballots=tuple(ballot for ballot in self.match.ballots if ballot.vote.question not in questions))

    def telling(
        self, kind: Kind, seat: SeatNumber | None = None, user_id: UserId | None = None, *, rings: bool = False
    ) -> Self:
        """With an outbox row that no line causes."""
        return self.with_event(Told((News(kind, seat, user_id, rings),), self.match.ply))

    def noticing(self, user_id: UserId) -> Self:
        """Tell those who have blocked this person, in private, that they have just sat down."""
        near = (News(Kind.NEAR, None, other) for other, avoided in sorted(self.apart) if avoided == user_id)
        rows = tuple(row for row in near if self.match.at_table(row.user_id) is not None)
        return self.with_event(Told(rows, self.match.ply)) if rows else self

    def using(self, deed: Limit, user_id: UserId, times: int = 1) -> Self:
        """Use some of this person's allowance. Storing it raises TooSoon if not enough is left."""
        return self.with_event(Used(deed, user_id, times)) if times else self

    def clocks(self, due: Mapping[Due, datetime]) -> Self:
        """Replace all deadlines by these. Does nothing while the match can't be reached."""
        if self.match.lost is not None:
            return self
        return self.with_event(Clocks(due, self.match.turn_ply))

    @property
    def lobby_closes_at(self) -> datetime:
        """When a lobby that nobody starts closes: a day after it was opened, or later if nobody could press."""
        return self.details.closes_at or self.details.created_at + LOBBY_STAYS

    def waits_to_start(self) -> Self:
        """With the deadlines of a lobby: when it closes, or the next step towards its start."""
        match, start = self.match, self.start
        if start is not None:
            return self.clocks(start.clocks)
        if match.asking and match.turn_due is not None:
            return self.clocks({Due.BEGIN: match.turn_due})
        starts = {} if self.unowned is None else {Due.START: self.unowned.at}
        return self.clocks({Due.LOBBY: self.lobby_closes_at, **starts})

    def shifted(self, by: timedelta) -> Self:
        """Move the end of the turn's time, and of a match in which nobody acts, by this time."""
        due, closes_at = self.match.turn_due, self.details.closes_at
        if due is None and closes_at is None:
            return self
        table = self.set(
            turn_due=None if due is None else due + by, closes_at=None if closes_at is None else closes_at + by
        )
        return table.with_event(Shifted((Due.REMIND, Due.OVERDUE, Due.ABANDON), by))

    @property
    def undropped(self) -> frozenset[Kind]:
        """The kinds of features' news that wait to be delivered whatever becomes of the match."""
        return frozenset(kind for feature in self.features for kind in feature.undropped)

    def shifting_features(self, by: timedelta) -> Self:
        """Move the deadlines of features by this time."""
        kinds = tuple(due for feature in self.features for due in feature.due)
        return self.with_event(Shifted(kinds, by)) if kinds else self

    def stopped(self, until: datetime) -> Self:
        """Pause the clock of the turn until then, at most for the away time that its seat has left (P16).

        The whole pause counts as used at once. Nothing changes while the match can't be reached, which pauses its
        clocks anyway, or once the turn's time is up.
        """
        match, mover = self.match, self.match.mover
        if mover is None or match.turn_at is None or match.lost is not None or self.is_time_up():
            return self
        if match.offered_until is not None:
            return self
        pause = min(until - self.now, match.pace.away - mover.away_used)
        if pause <= timedelta(0):
            return self
        table = self.set_seat(mover.position, away_used=mover.away_used + pause)
        return table.set(stands_until=self.now + pause, turn_at=match.turn_at + pause).shifted(pause)

    def resumed(self) -> Self:
        """End the pause of the clock, and give the unused away time back to the seat."""
        match, mover, until = self.match, self.match.mover, self.match.stands_until
        if until is None:
            return self
        table = self.set(stands_until=None)
        unused = until - self.now
        if mover is None or match.turn_at is None or unused <= timedelta(0):
            return table
        table = table.set_seat(mover.position, away_used=max(timedelta(0), mover.away_used - unused))
        return table.set(turn_at=match.turn_at - unused).shifted(-unused)

    def heard_of(self, user_id: UserId) -> Self:
        """Note that a person has acted at the table while the player to move was overdue."""
        match, seat = self.match, self.match.seat_of(user_id)
        if match.awaited or seat is None or not seat.present or match.waits_for(user_id) or not self.is_time_up():
            return self
        return self.set(awaited=True)

    def is_time_up(self) -> bool:
        """Whether the turn's time is up, so that the table is asked, or may be."""
        match = self.match
        if match.pace.turn is None:
            return match.asking or (match.turn_at is not None and self.now - match.turn_at >= NO_PACE_PATIENCE)
        return match.asking or (match.turn_due is not None and match.turn_due <= self.now)


Decision: TypeAlias = Callable[[Table], Table]
"""A request: returns the table that results from it, or raises the refusal."""
