"""One transaction at one table: what was read, what is decided, and in the end what is stored, all of it together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any, Final

from db import Connection, applications, deadlines, outbox, presses, results
from db import matches as queries
from db.matches import BallotRow
from db.outbox import Lease
from db.outbox import News as Row
from games.core import Stage, State
from games.log import Line
from matches import fair, stored
from matches.course import Course, is_secret, outcome_of
from matches.delivery.news import CLOSED, FINAL, News, news
from matches.errors import WrongTime
from matches.records import Application, Ballot, Due, Ended, Kind, Lost, Match, Person, Seat, Status, Telling, Vote

LOBBY_STAYS: Final = timedelta(hours=24)
CLOSED_LOBBY_STAYS: Final = timedelta(days=1)
"""How long a lobby that was closed can still be looked at; then it is deleted."""

REMINDER: Final = 0.8
ABSENCE: Final = "absence"
CANCELLING: Final = "cancel"

_LIVING: Final = (Status.LOBBY, Status.RUNNING)
_COLUMNS: Final = {"where": "setting"}


class Sitting:
    """A match inside a transaction. `match` and `course` are what the transaction has made of them so far."""

    def __init__(self, connection: Connection, now: datetime, found: stored.Stored, lease: Lease | None = None) -> None:
        self.connection = connection
        self.now = now
        self.match: Match = found.match
        self.seed: bytes = found.seed
        self.course: Course | None = None
        self._board_owed = found.board_owed
        self._first: Match = found.match
        self._before: Course | None = None
        self._lines: list[dict[str, Any]] = []
        self._changes: dict[str, Any] = {}
        self._secrets = False
        self._thawed = False
        self._news: News | None = None
        self.owes = False
        """Whether somebody has to be told something, or something has become due, by what is stored."""
        self.tellings: list[Telling] = []
        """What of it this process has in its hands already (where it was given a `lease`)."""
        self._lease = lease

    # What is asked of it.

    def running(self) -> Course:
        """The course of a match that runs. Raises WrongTime or Frozen."""
        self.match.check_running()
        assert self.course is not None
        return self.course

    def lobby(self) -> None:
        """Raises WrongTime unless the match is still a lobby."""
        if self.match.status is Status.CANCELLED:
            raise WrongTime("This lobby is closed.")
        if self.match.status is not Status.LOBBY:
            raise WrongTime("This match has already begun.")

    def seated(self, user_id: int) -> Seat:
        """This person's seat, which they have not given up. Raises NotSeated."""
        return self.match.own_seat(user_id)

    async def repeated(self, interaction_id: int | None) -> bool:
        """Whether this interaction has been carried out before."""
        return interaction_id is not None and await queries.interaction_known(self.connection, interaction_id)

    async def pressed(self, interaction_id: int | None) -> bool:
        """Whether this interaction has changed this lobby before; from now on it has."""
        if interaction_id is None or self.match.status is not Status.LOBBY:
            return False
        if await presses.match_of(self.connection, interaction_id) is not None:
            return True
        await presses.note(self.connection, interaction_id, self.match.id)
        return False

    # What it decides.

    def set(self, **changes: Any) -> None:
        """Change fields of the match."""
        self.match = replace(self.match, **changes)
        self._changes.update({_COLUMNS.get(name, name): value for name, value in changes.items()})

    async def set_seat(self, seat: Seat, **changes: Any) -> Seat:
        """Change fields of one seat; the seat as it is then."""
        changed = replace(seat, **changes)
        self.match = replace(self.match, seats=tuple(changed if each == seat else each for each in self.match.seats))
        await queries.update_seat(self.connection, self.match.id, seat.position, **changes)
        return changed

    async def add_seat(self, name: str, **values: Any) -> None:
        """Somebody sits down last."""
        position = 1 + max((seat.position for seat in self.match.seats), default=-1)
        await queries.insert_seat(self.connection, self.match.id, position=position, name=name, **values)
        await self._read_seats()

    async def delete_seat(self, seat: Seat) -> None:
        """Somebody stands up."""
        await queries.delete_seat(self.connection, self.match.id, seat.position)
        await self._read_seats()

    async def give_seat(self, seat: Seat, person: Person) -> None:
        """Another person plays a seat; whoever had it stays known as one who has seen its secrets."""
        self.bear_witness(seat)
        changes = {"user_id": person.user_id, "name": person.name, "computer": None, "resigned": False}
        await queries.update_seat(self.connection, self.match.id, seat.position, **changes)
        await self._read_seats()

    def bear_witness(self, seat: Seat) -> None:
        """Remember, without naming anybody, that the person of this seat has seen what it holds."""
        if seat.user_id is not None:
            self.set(witnesses=(*self.match.witnesses, _mark(self.seed, seat.user_id)))

    def has_seen(self, user_id: int) -> bool:
        """Whether this person once had a seat in this match."""
        return _mark(self.seed, user_id) in self.match.witnesses

    async def _read_seats(self) -> None:
        self.match = replace(self.match, seats=(await stored.read(self.connection, self.match.id)).match.seats)

    async def start(self) -> None:
        """Draw the seats and write the lines up to the first decision."""
        order = fair.seats(self.seed, self.match.id, len(self.match.seats))
        seats = tuple(replace(self.match.seats[position], seat=seat) for seat, position in enumerate(order))
        self.match = replace(self.match, seats=seats)
        for seat in seats:
            await queries.update_seat(self.connection, self.match.id, seat.position, seat=seat.seat)
        self.set(status=Status.RUNNING, started_at=self.now, invited=())
        self.course = Course.begin(stored.header(self.match))
        self._settle()

    def play(self, player: int, action: Any, interaction_id: int | None = None) -> None:
        """Write a player's action, known to be legal, and everything that follows without a decision."""
        line, course = self.running().played(player, action)
        self._write(line, course, interaction_id)
        self._settle()

    def note(self, event: str, interaction_id: int | None = None) -> None:
        """Write an event of the host's own (``resign 2``)."""
        line, course = self.running().noted(event)
        self._write(line, course, interaction_id)

    def end(self, how: Ended) -> None:
        """The match, or its lobby, is over."""
        begun = self.match.status is not Status.LOBBY
        status = Status.OVER if begun else Status.CANCELLED
        self.set(status=status, ended_at=self.now, ended_by=how, to_move=None, turn_due=None)
        self.set(invited=(), witnesses=(), rung=(), asking=False, lost=None, lost_at=None, counts=self._counts())
        self.match = replace(self.match, seed=self.seed)
        self._news = FINAL if begun else CLOSED

    def freeze(self, reason: str) -> None:
        """The log cannot be replayed: the match stands still until a program comes that can."""
        self.set(status=Status.FROZEN, reason=reason, to_move=None, turn_due=None, lost=None, lost_at=None)
        self._news = FINAL

    def resume(self, course: Course) -> None:
        """The match runs, and this is how far it has come."""
        self.course = self._before = course

    def thaw(self, course: Course) -> None:
        """The log can be replayed after all: the match goes on with a new turn."""
        self.resume(course)
        self.set(status=Status.RUNNING, reason=None, to_move=course.state.current_player)
        self._thawed = True

    async def cast(self, user_id: int, vote: Vote) -> None:
        """Cast a vote; a second one of the same person replaces the first."""
        question = CANCELLING if vote is Vote.CANCEL else ABSENCE
        await queries.cast(self.connection, BallotRow(self.match.id, question, user_id, vote))
        same = [
            b for b in self.match.ballots if b.user_id != user_id or (b.vote is Vote.CANCEL) != (vote is Vote.CANCEL)
        ]
        self.match = replace(self.match, ballots=(*same, Ballot(user_id, vote)))

    async def forget_ballots(self) -> None:
        """Forget what was voted about the person on turn."""
        kept = tuple(ballot for ballot in self.match.ballots if ballot.vote is Vote.CANCEL)
        if kept != self.match.ballots:
            await queries.clear_ballots(self.connection, self.match.id, [ABSENCE])
            self.match = replace(self.match, ballots=kept)

    def set_applications(self, open_ones: tuple[Application, ...]) -> None:
        """Who asks for a seat now; the rows are the caller's."""
        self.match = replace(self.match, applications=open_ones)

    async def remind(self) -> None:
        """Remind the person on turn, unless that was done in this turn."""
        mover = self.match.mover
        if mover is not None and not self.match.reminded:
            self.set(reminded=True)
            await self.tell(Kind.REMIND, mover.seat, mover.user_id, rings=True)

    async def ask_about_mover(self) -> None:
        """Ask the others what to do about the person on turn; a first time, and a turn's time later a second one."""
        await self.forget_ballots()
        self.set(asked=self.match.asked + 1, asking=True)
        await self.tell_vote()
        turn = self.match.pace.turn
        if turn is not None and self.match.asked == 1:
            self.set(turn_due=self.now + turn)
            await self.set_deadlines({Due.OVERDUE: self.now + turn})

    async def tell_vote(self) -> None:
        """Have the others asked about the person on turn."""
        mover = self.match.mover
        await self.tell(Kind.VOTE, self.match.to_move, None if mover is None else mover.user_id, rings=True)

    async def tell(
        self, kind: Kind, seat: int | None = None, user_id: int | None = None, *, rings: bool = False
    ) -> None:
        """Have something told that no line causes."""
        await self._put([Row(kind, seat, user_id, rings)])

    async def _put(self, rows: Sequence[Row]) -> None:
        self.owes = True
        match, held = self.match, self.match.lost is Lost.SERVER
        lease = None if held else self._lease
        put = await outbox.put(
            self.connection, match.id, match.guild_id, match.ply, rows, self.now, held=held, lease=lease
        )
        if lease is not None:
            self.tellings += map(stored.telling, put)

    # Out of reach, and back (P17).

    async def lose(self, what: Lost) -> None:
        """From now on nothing of the match can be reached on Discord, so its clocks stand still."""
        if self.match.lost is None:
            self.set(lost=what, lost_at=self.now)
            await deadlines.replace(self.connection, self.match.id, None, 0, {}, tuple(Due))
        elif self.match.lost is not what:
            self.set(lost=what)

    async def find(self) -> None:
        """It can be reached again: the clocks run on where they stopped."""
        match = self.match
        if match.lost_at is None:
            return
        self.set(lost=None, lost_at=None)
        if match.status is Status.LOBBY:
            await self.set_deadlines({Due.LOBBY: match.created_at + LOBBY_STAYS + (self.now - match.lost_at)})
        elif match.status is Status.RUNNING and match.turn_at is not None:
            await self._run_on(max(match.lost_at, match.turn_at))

    async def _run_on(self, stopped: datetime) -> None:
        """Let the clock of the turn run on, which has stood still since `stopped`."""
        match, stood = self.match, self.now - stopped
        assert match.turn_at is not None
        self.set(turn_at=match.turn_at + stood)
        due: dict[str, datetime] = {}
        if not self._is_present():
            due[Due.COMPUTER] = self.now
        elif match.turn_due is not None and match.pace.turn is not None:
            until = match.turn_due + stood
            self.set(turn_due=until)
            if match.turn_due > stopped:
                due[Due.OVERDUE] = until
            if not match.reminded and not match.asked:
                due[Due.REMIND] = until - (1 - REMINDER) * match.pace.turn
        await self.set_deadlines(due)

    # What is stored.

    async def store(self) -> None:
        """Store all of it: lines, match, what has to be told, and what happens by itself."""
        number = self.match.id
        if self._lines or self._thawed:
            await self._go_on()
        if self._lines:
            await queries.insert_lines(self.connection, self._lines)
        if self._news is not None:
            self._changes["board_owed"] = self._news.board_owed
            dropped = await outbox.drop(self.connection, number, self._news.outdated)
            await self._put([_heir(row, dropped) for row in self._news.rows])
            if self.match.status is not Status.RUNNING:
                due: dict[str, datetime] = {}
                if self.match.status is Status.CANCELLED:
                    due[Due.FORGET] = self.now + CLOSED_LOBBY_STAYS
                await deadlines.replace(self.connection, number, self.match.guild_id, 0, due, tuple(Due))
            if self.match.status is Status.OVER:
                await applications.remove(self.connection, number)
                self.set_applications(())
                await self._write_results()
                if self.match.counts:
                    await results.add(self.connection, number)
        if self.match.ended_at is not None and self._first.ended_at is None:
            await queries.end_seats(self.connection, number, self.match.ended_at)
        if self._first.status is Status.LOBBY and self.match.status is not Status.LOBBY:
            await presses.forget(self.connection, number)
        if self._changes:
            await queries.update_match(self.connection, number, **self._changes)

    async def _write_results(self) -> None:
        """How the match ended for every seat, where it has a winner."""
        outcome = None if self.course is None else outcome_of(self.match, self.course.state)
        if self.course is None or outcome is None or not outcome.winners:
            return
        for seat, points in zip(self.match.seats, self.course.state.returns(), strict=True):
            await self.set_seat(seat, won=seat.seat in outcome.winners, points=int(points))
        await self._read_seats()

    def _counts(self) -> bool:
        """Whether the result is one for the statistics: nobody's seat was left for good, no vote ended the match.

        With two players to resign is to lose, so that counts.
        """
        if self.match.ended_by is Ended.RULES:
            return not any(seat.resigned or (seat.user_id and seat.computer) for seat in self.match.seats)
        return self.match.ended_by is Ended.RESIGNED

    async def _go_on(self) -> None:
        """What follows from the lines: the end of the match, or whose turn it is, until when, and who is told."""
        course = self.running() if self.match.status is Status.RUNNING else self.course
        assert course is not None
        self.set(ply=course.ply)
        if self.match.status is not Status.RUNNING:
            return
        if course.state.is_terminal:
            self.end(Ended.RULES)
            return
        before = None if self._before is None else self._before.state
        self.set(to_move=course.state.current_player)
        if self._thawed or before is None or _is_another_turn(before, course.state):
            self.set(rung=())
        new_turn = self._thawed or before is not course.state or self._was_present() != self._is_present()
        if new_turn:
            await self._begin_turn()
        self._news = news(
            self.match,
            None if self._before is None else before,
            course.state,
            secrets=self._secrets,
            board_owed=self._board_owed,
            new_turn=new_turn,
        )
        mover = self.match.mover
        if mover is not None and mover.present and mover.user_id not in self.match.rung:
            self.set(rung=(*self.match.rung, mover.user_id))

    def _was_present(self) -> bool:
        return self._first.mover is not None and self._first.mover.present

    def _is_present(self) -> bool:
        return self.match.mover is not None and self.match.mover.present

    async def _begin_turn(self) -> None:
        turn = self.match.pace.turn
        due: dict[str, datetime] = {}
        if not self._is_present():
            due[Due.COMPUTER] = self.now
        elif turn is not None:
            begin = self._clock_begins()
            due = {Due.REMIND: begin + REMINDER * turn, Due.OVERDUE: begin + turn}
        self.set(turn_ply=self.match.ply, turn_at=self.now, turn_due=due.get(Due.OVERDUE))
        self.set(reminded=False, asked=0, asking=False)
        await self.set_deadlines(due)
        await self.forget_ballots()

    def _clock_begins(self) -> datetime:
        """Now, or when the person on turn is no longer away (P16)."""
        away = None if self.match.mover is None else self.match.mover.away_until
        return self.now if away is None else max(self.now, away)

    async def set_deadlines(self, due: dict[str, datetime]) -> None:
        """Let this happen by itself, and nothing else; nothing while the match cannot be reached."""
        if self.match.lost is not None:
            return
        self.owes = self.owes or Due.COMPUTER in due
        match = self.match
        await deadlines.replace(self.connection, match.id, match.guild_id, match.turn_ply, due, tuple(Due))

    def _settle(self) -> None:
        for line, course in self.running().settled(self.seed, self.match.id):
            self._write(line, course)

    def _write(self, line: Line, course: Course, interaction_id: int | None = None) -> None:
        row = {"match_id": self.match.id, "ply": line.ply, "player": line.player, "action": line.text}
        self._lines.append({**row, "at": self.now, "interaction_id": interaction_id})
        self._secrets = self._secrets or is_secret(line, course.state)
        self.course = course


def _is_another_turn(before: State[Any], state: State[Any]) -> bool:
    """Whether lines have led to another turn: not to a further step of the same one, and not nowhere."""
    same = before.current_player == state.current_player and state.stage is Stage.STEPS
    return before is not state and not same


def _heir(row: Row, dropped: Sequence[Row]) -> Row:
    """The row, which rings where it takes the place of one that was to ring the same person and was not told yet."""
    rings = any(each.rings and each[:3] == row[:3] for each in dropped)
    return row._replace(rings=True) if rings else row


def _mark(seed: bytes, user_id: int) -> str:
    """By this a person is recognised while the seed is secret; it names nobody, and is forgotten at the end."""
    return sha256(b"witness %b %d" % (seed, user_id)).hexdigest()[:32]
