"""Short ways to a table with people, and to matches played at random."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from random import Random
from typing import Any, TypeVar

import pytest
from sqlalchemy import text

from db import Connection, Database
from db.appointments.kept import KEPT as appointments
from db.appointments.kept import Appointment
from db.model import schema
from db.model.columns import field_names
from db.model.enums import COMPUTERS
from db.model.ids import MatchId, UserId
from games.core import InvalidAction, Played, State
from matches.api import Host, Kind, ManualClock, Match, NewMatch, Person, Status, Telling, Terms, View
from matches.computers.pool import Computers, InProcess
from matches.table.value import Table
from matches.work import stored

T = TypeVar("T")
E = TypeVar("E", bound=BaseException)

CHANNEL = 1000
LEASE = timedelta(seconds=30)
DAY = timedelta(days=1)
A_MOMENT = timedelta(microseconds=1)
PEOPLE = tuple(
    Person(UserId(10 + number), name)
    for number, name in enumerate(("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ida", "Jo"))
)


class Seeds:
    """Entropy for tests: another seed each time, the same ones in every run."""

    def __init__(self, name: str = "test") -> None:
        self._name = name
        self._drawn = 0

    def __call__(self, length: int) -> bytes:
        self._drawn += 1
        return sha256(f"{self._name} {self._drawn}".encode()).digest()[:length]


class Hosted(Host):
    """The host of a test, with its store and the clock that only the test moves."""

    def __init__(self, database: Database, clock: ManualClock) -> None:
        super().__init__(database, clock, Seeds())
        self.database, self.clock = database, clock


async def lobby(host: Host, game: str, people: int = 1, computers: int = 0, **request: Any) -> Match:
    """A lobby with this many people and computers, not started. `request` has its terms and the rest."""
    terms = Terms(**{name: request.pop(name) for name in field_names(Terms) if name in request})
    given: dict[str, Any] = {"channel_id": CHANNEL, "terms": terms, **request}
    match = await host.lobby.open(NewMatch(game, **given), PEOPLE[0])
    for person in PEOPLE[1:people]:
        match = await host.lobby.join(match.id, person)
    for _ in range(computers):
        match = await host.lobby.add_computer(match.id, PEOPLE[0].user_id)
    return match


def timed(at: datetime, **more: Any) -> dict[str, Any]:
    """What is kept of a table that starts at this time."""
    return {appointments.key: Appointment(appointed=at, **more)}


def appointment(match: Match) -> Appointment:
    """When a match starts, and what is known of its event."""
    found: Appointment = match.shown[appointments.key]
    return found


async def watched(host: Host, person: Person = PEOPLE[0], game: str = "abissal", **request: Any) -> Match:
    """A match of two computers that has just begun, watched by this person, who is its host."""
    match = await host.lobby.open(NewMatch(game, CHANNEL, Terms(size=2), **request), person)
    match = await host.lobby.watch(match.id, person.user_id)
    return await host.lobby.fill(match.id, person.user_id)


async def running(host: Host, game: str, people: int = 2, computers: int = 0, **request: Any) -> Match:
    """A match that has just begun, with all its news delivered."""
    match = await lobby(host, game, people, computers, **request)
    if match.status is Status.LOBBY:
        match = await host.lobby.start(match.id, PEOPLE[0].user_id)
    await tellings(host, match.id)
    return match


async def whole(host: Host, match: Match) -> Table:
    """A match with all that lies beside it."""
    return await host.work.read(stored.table, match.id, host.now())


async def tellings(host: Host, match_id: MatchId | None = None) -> list[Telling]:
    """Claim and deliver everything that is due."""
    rows = await host.outbox.claim(LEASE, match_id, 1000)
    for row in rows:
        await host.outbox.told(row.id)
    return list(rows)


def kinds(rows: list[Telling]) -> list[tuple[Kind, int | None]]:
    return [(row.kind, row.seat) for row in rows]


def numbers(rows: Sequence[Telling]) -> list[int]:
    return [row.id for row in rows]


async def mover_view(host: Host, match: Match) -> View:
    """The view of the person whose turn it is."""
    return await host.look.view(match.id, match.mover.user_id)


async def true_position(host: Host, match_id: MatchId) -> State[Any]:
    """The position with all that is hidden, which no view has."""
    _, course = await host.work.position(match_id)
    return course.state


def why(view: View, text: str) -> str | None:
    """Why the viewer can't play this canonical text now, in a sentence; ``None`` when they can."""
    try:
        refusal = view.turn.why_illegal(view.turn.string_to_action(text))
    except InvalidAction as error:
        return str(error)
    return None if refusal is None else str(refusal)


async def play(host: Host, match: Match, rng: Random, worth: Callable[[str], int] = lambda text: 0) -> Match:
    """Play a random action among the most valuable ones for the person whose turn it is."""
    view = await mover_view(host, match)
    user_id = view.match.seats[view.seat or 0].user_id
    assert user_id is not None
    best = max(worth(move.text) for move in view.moves)
    text = rng.choice([move.text for move in view.moves if worth(move.text) == best])
    return await host.play.act(match.id, user_id, text, ply=view.ply)


def digging(text: str) -> int:
    """The value of an action of Saboteur for people who want to see gold soon."""
    path = re.fullmatch(r"[NESW]+@(-?\d+),(-?\d+)", text)
    if path is not None:
        return 100 + int(path[1]) - abs(int(path[2]))
    return 50 if text.startswith("drop") else 0


async def run_time(host: Host) -> bool:
    """Carry out what is due by time; True if anything was, so that the caller asks again.

    A failing match doesn't delay the others: the failures are raised together at the end.
    """
    rows = await host.time.claim_due()
    await _together(host.time.happen(row) for row in rows)
    return bool(rows)


async def run_due(host: Host) -> bool:
    """Carry out what is due, as the scheduler does, but at once and without retries; True if anything was."""
    by_time = await run_time(host)
    rows = await host.time.claim_due(COMPUTERS)
    await _together(host.thinking.computers_turn(row) for row in rows)
    forgotten = await host.privacy.being_forgotten()
    for user_id in forgotten:
        await host.privacy.go_on(user_id)
    chores = await host.retention.due()
    for chore in chores:
        await host.retention.go_on(chore)
    return by_time or bool(rows) or bool(forgotten) or bool(chores)


async def _together(work: Iterable[Awaitable[None]]) -> None:
    results = await asyncio.gather(*work, return_exceptions=True)
    if failures := [result for result in results if isinstance(result, Exception)]:
        raise ExceptionGroup("Some of what was due couldn't be done.", failures)


async def run_all(host: Host) -> None:
    """Carry out what is due, and what is due then, until nothing is."""
    while await run_due(host):
        pass


async def play_on(host: Host, match: Match, rng: Random, until: Callable[..., bool] = lambda match: False) -> Match:
    """Play random actions, for computers too, until the match ends or `until` is true."""
    while match.status is Status.RUNNING and not until(match):
        if match.mover is not None and match.mover.present:
            match = await play(host, match, rng)
        else:
            await run_due(host)
            match = await host.look.match(match.id)
    return match


Dump = dict[str, list[tuple[Any, ...]]]


async def dump(database: Database) -> Dump:
    """Everything that is stored."""

    def every_row(connection: Connection) -> Dump:
        return {
            name: sorted((tuple(row) for row in connection.execute(table.select())), key=repr)
            for name, table in schema.metadata.tables.items()
        }

    return await database.read(every_row)


async def at_length(database: Database, question: Callable[..., T], *args: Any) -> T:
    """The result of a query that reads more than a page."""
    return await database.at_length(lambda connection: question(connection, *args), writes=False)


async def sql(database: Database, statement: str, **values: Any) -> None:
    """Run SQL directly: what a vandal, or another version of the program, does to the store."""
    await database.write(lambda connection: connection.execute(text(statement), values) and None)


async def moved(host: Host, match: Match) -> Match:
    """The match after every person has made a move. Without that its result means nothing."""
    return await play_on(host, match, Random(5), lambda match: all(s.acted or s.level is not None for s in match.seats))


def absent(match: Match) -> UserId:
    """The person whose turn it is, who doesn't come."""
    assert match.mover.user_id is not None
    return match.mover.user_id


def others(match: Match) -> list[UserId]:
    return [seat.user_id for seat in match.voters if seat.user_id is not None]


async def told(host: Host, match: Match) -> list[tuple[Kind, int | None]]:
    return kinds(await tellings(host, match.id))


async def told_kinds(host: Host, match: Match) -> list[Kind]:
    return [kind for kind, _ in await told(host, match)]


async def asked(host: Host, clock: ManualClock, people: int = 4, **request: Any) -> Match:
    """A match of Saboteur whose table was just asked about the absent person whose turn it is."""
    match = await running(host, "saboteur", people, **request)
    clock.advance(DAY)
    await run_all(host)
    assert Kind.VOTE in await told_kinds(host, match)
    return await host.look.match(match.id)


async def raised(error: type[E] | tuple[type[E], ...], doing: Awaitable[object], sentence: str | None = None) -> E:
    """Return the error of this kind that is raised by what is done. Its sentence has to match."""
    with pytest.raises(error, match=sentence) as found:
        await doing
    return found.value


async def texts(host: Host, match: Match) -> list[str]:
    return [line.text for line in await host.look.history(match.id, None)]


class SlowComputers(Computers):
    """Computer players that answer when told to, and remember what they were shown."""

    def __init__(self, answering: bool = False) -> None:
        super().__init__(InProcess(), effort=0.01, beat=0)
        self.asked = asyncio.Event()
        self.answer = asyncio.Event()
        self.shown: list[State[Any]] = []
        self.broken_for: int | None = None
        if answering:
            self.answer.set()

    async def choose(
        self, level: str, position: State[Any], lines: Sequence[Played[Any]], seed: int, **whose: Any
    ) -> str:
        self.shown.append(position)
        self.asked.set()
        await self.answer.wait()
        if position.players == self.broken_for:
            raise ZeroDivisionError
        return await super().choose(level, position, lines, seed, **whose)
