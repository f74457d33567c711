"""The store fails while a request is stored: transient failures are retried once, and nothing is done twice."""

import asyncio
import sqlite3
import threading
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event
from sqlalchemy.engine.default import DefaultDialect

from db import Database
from matches.api import (
    Ended,
    Host,
    ManualClock,
    Match,
    NewMatch,
    NotYourTurn,
    Once,
    PlayerSettings,
    Stale,
    Status,
    Unavailable,
    UserId,
)
from matches.work.unit_of_work import NOT_STORED, PERHAPS_STORED
from tests.matches.tables import CHANNEL, PEOPLE, Seeds, dump, lobby, mover_view, raised, running
from tests.statements import writes
from tests.store import SERVER, outsider

COMMIT = DefaultDialect.do_commit
SOON = timedelta(milliseconds=50)
BEGIN, LINE = "BEGIN IMMEDIATE", "INSERT INTO log"


def fault(text: str, code: int, state: str, kind: str = "OperationalError") -> Exception:
    """The error that the store's driver raises: with SQLite's own number, or with the SQLSTATE of a server."""
    if SERVER is None:
        error: sqlite3.Error = getattr(sqlite3, kind)(text)
        error.sqlite_errorcode = code
        return error
    from asyncpg import PostgresError
    from sqlalchemy.dialects.postgresql.asyncpg import AsyncAdapt_asyncpg_dbapi

    cause = PostgresError(text)
    cause.sqlstate = state
    wrapped: Exception = getattr(AsyncAdapt_asyncpg_dbapi, kind)(text, cause)
    wrapped.__cause__ = cause
    return wrapped


def locked() -> Exception:
    return fault("database is locked", sqlite3.SQLITE_BUSY, "55P03")


def full() -> Exception:
    return fault("database or disk is full", sqlite3.SQLITE_FULL, "53100")


def unsynced() -> Exception:
    """An error after which the outcome is unknown: the disk reported it, or the server's answer was lost."""
    return fault("disk I/O error", sqlite3.SQLITE_IOERR_FSYNC, "08006")


def taken() -> Exception:
    return fault("UNIQUE constraint failed: log.match_id, log.ply", 19, "23505", "IntegrityError")


class Faults:
    """Failures at the next statements that begin like this, and at the next commits, before or after them."""

    def __init__(self) -> None:
        self.at: dict[str, deque[Callable[[], None]]] = {}
        self.before_commit: deque[Exception] = deque()
        self.after_commit: deque[Exception] = deque()
        self.tries = 0
        self._here = threading.local()
        """By thread, `writes`: whether its next commit is one of a writing transaction. A server has one thread."""

    def then(self, statement: str, *happens: Callable[[], None]) -> None:
        """Do these when such statements are executed next."""
        self.at[statement] = deque(happens)

    def fail(self, statement: str, *errors: Exception) -> None:
        """Raise these when such statements are executed next."""
        self.then(statement, *(raising(error) for error in errors))

    def begin(self, connection: Connection) -> None:
        """Let faults strike where a transaction begins. With a server no statement says that: the driver begins it."""
        if SERVER is not None and writes(connection):
            from sqlalchemy.dialects.postgresql.asyncpg import AsyncAdapt_asyncpg_dbapi

            try:
                self.execute(None, BEGIN)
            except AsyncAdapt_asyncpg_dbapi.Error as error:
                # Here nobody translates the driver's error.
                raise error.__cause__ or error from None

    def commit(self, connection: Connection) -> None:
        """Note that the next commit in this thread is one of this connection."""
        self._here.writes = writes(connection)

    def execute(self, _cursor: object, statement: str, *_: object) -> None:
        if statement == BEGIN:
            self.tries += 1
        for start, happens in self.at.items():
            if statement.startswith(start) and happens:
                happens.popleft()()

    def do_commit(self, dialect: DefaultDialect, connection: Any) -> None:
        """Replaces the dialect's own commit."""
        mine, self._here.writes = self._here.writes, False
        if mine and self.before_commit:
            raise self.before_commit.popleft()
        COMMIT(dialect, connection)
        if mine and self.after_commit:
            raise self.after_commit.popleft()


def raising(error: Exception) -> Callable[[], None]:
    def happen() -> None:
        raise error

    return happen


def nothing() -> None:
    """Do nothing: the first time nothing fails."""


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> Iterator[Faults]:
    faults = Faults()
    monkeypatch.setattr(DefaultDialect, "do_commit", lambda dialect, made: faults.do_commit(dialect, made))
    listeners: dict[str, Any] = {"begin": faults.begin, "commit": faults.commit, "do_execute": faults.execute}
    for name, listener in listeners.items():
        event.listen(Engine, name, listener)
    yield faults
    for name, listener in listeners.items():
        event.remove(Engine, name, listener)


@pytest.fixture
async def database(url: str, faults: Faults) -> AsyncIterator[Database]:
    async with await Database.open(url, busy_timeout=SOON) as database:
        yield database


async def act(host: Host, match: Match, interaction_id: int | None = None) -> Match:
    """Play the first legal action of the player whose turn it is."""
    view = await mover_view(host, match)
    assert match.mover.user_id is not None
    text, ply = view.moves[0].text, match.ply
    return await host.play.act(Once(match.id, interaction_id), match.mover.user_id, text, ply=ply)


async def begun(host: Host, faults: Faults) -> Match:
    match = await running(host, "gambo")
    await mover_view(host, match)
    faults.tries = 0
    return match


async def check_stored(host: Host, before: Match, match: Match) -> None:
    """Check that one action was stored, and that the answer equals what is stored."""
    assert match.ply == before.ply + 1
    assert match == await host.look.match(match.id)
    assert len(await host.look.history(match.id, None)) == match.ply


async def test_a_store_that_was_locked_a_little_too_long_is_asked_once_more(
    host: Host, faults: Faults, tmp_path: Path
) -> None:
    before = await begun(host, faults)
    with outsider(tmp_path / "ambit.db") as other:
        other.lock()
        faults.then(BEGIN, nothing, other.let_go)
        match = await act(host, before)
    await check_stored(host, before, match)
    assert faults.tries == 2


@pytest.mark.parametrize("interaction_id", [None, 7])
@pytest.mark.parametrize("statement", [BEGIN, "SELECT", LINE, "UPDATE matches"])
async def test_a_fault_that_passes_costs_nobody_their_action(
    host: Host, faults: Faults, statement: str, interaction_id: int | None
) -> None:
    before = await begun(host, faults)
    view = await mover_view(host, before)
    faults.fail(statement, locked())
    match = await host.play.act(Once(before.id, interaction_id), UserId(before.mover.user_id or 0), view.moves[0].text)
    assert not faults.at[statement]
    await check_stored(host, before, match)
    assert faults.tries == 2


async def test_a_commit_that_fails_for_now_is_made_once_more(host: Host, faults: Faults) -> None:
    before = await begun(host, faults)
    faults.before_commit.append(locked())
    match = await host.play.resign(before.id, PEOPLE[0].user_id)
    assert match == await host.look.match(match.id)
    assert match.ply == before.ply + 1
    assert faults.tries == 2


async def test_what_fails_twice_is_told_and_has_changed_nothing(host: Host, database: Database, faults: Faults) -> None:
    before = await begun(host, faults)
    stored = await dump(database)
    faults.fail(LINE, *(locked() for _ in range(5)))
    await raised(Unavailable, act(host, before, 7), f"^{NOT_STORED}$")
    assert (faults.tries, len(faults.at[LINE])) == (2, 3)
    assert await dump(database) == stored
    faults.at.clear()
    await check_stored(host, before, await act(host, before, 7))


async def test_a_fault_that_does_not_pass_is_told_at_once(host: Host, database: Database, faults: Faults) -> None:
    before = await begun(host, faults)
    stored = await dump(database)
    faults.fail(LINE, full())
    await raised(Unavailable, act(host, before, 7), f"^{NOT_STORED}$")
    assert faults.tries == 1
    assert await dump(database) == stored


async def test_a_refusal_is_final(host: Host, database: Database, faults: Faults) -> None:
    match = await begun(host, faults)
    stored, (waiting,) = await dump(database), match.voters
    await raised(NotYourTurn, host.play.act(Once(match.id, 7), UserId(waiting.user_id or 0), "7"))
    assert faults.tries == 1
    assert await dump(database) == stored


@pytest.mark.parametrize("interaction_id", [None, 7])
async def test_where_another_process_was_faster_it_is_decided_again(
    host: Host, url: str, clock: ManualClock, faults: Faults, interaction_id: int | None
) -> None:
    match = await begun(host, faults)
    before = match

    async def faster() -> None:
        async with await Database.open(url) as other:
            await act(Host(other, clock, Seeds("another")), match)

    def play() -> None:
        with ThreadPoolExecutor(1) as thread:
            thread.submit(asyncio.run, faster()).result()

    # A server reports a duplicate key. With SQLite the transaction would have waited at its start.
    faults.fail(LINE, taken())
    faults.then(BEGIN, nothing, play)
    await raised(Stale, act(host, before, interaction_id))
    match = await host.look.match(before.id)
    await check_stored(host, before, match)
    faults.fail(LINE, taken())
    faults.then(BEGIN, nothing, play)
    resigned = await host.play.resign(Once(match.id, interaction_id), PEOPLE[0].user_id)
    assert resigned.ply == before.ply + 3
    assert resigned == await host.look.match(match.id)


async def test_what_was_perhaps_stored_is_found_done_by_the_number_of_its_interaction(
    host: Host, faults: Faults
) -> None:
    before = await begun(host, faults)
    faults.after_commit.append(unsynced())
    match = await act(host, before, 7)
    assert not faults.after_commit
    assert faults.tries == 2
    await check_stored(host, before, match)
    assert await host.play.act(Once(before.id, 7), UserId(before.mover.user_id or 0), "") == match


async def test_what_was_perhaps_not_stored_is_done_by_the_second_try(host: Host, faults: Faults) -> None:
    before = await begun(host, faults)
    faults.before_commit.append(unsynced())
    match = await act(host, before, 7)
    assert faults.tries == 2
    await check_stored(host, before, match)


async def test_in_a_lobby_too_what_was_perhaps_stored_is_found_done(host: Host, faults: Faults) -> None:
    match = await lobby(host, "saboteur", 2)
    faults.after_commit.append(unsynced())
    joined = await host.lobby.add_computer(Once(match.id, 7), PEOPLE[0].user_id)
    assert len(joined.seats) == 3
    assert joined == await host.look.match(match.id)


@pytest.mark.parametrize("before_commit", [False, True])
async def test_a_lobby_that_was_perhaps_opened_is_opened_once(host: Host, faults: Faults, before_commit: bool) -> None:
    (faults.before_commit if before_commit else faults.after_commit).append(unsynced())
    opened = await host.lobby.open(NewMatch("saboteur", CHANNEL, interaction_id=7), PEOPLE[0])
    assert await host.look.matches_in(CHANNEL) == (opened,)
    assert await host.lobby.open(NewMatch("saboteur", CHANNEL, interaction_id=7), PEOPLE[0]) == opened


@pytest.mark.parametrize("before_commit", [False, True])
async def test_a_rematch_that_was_perhaps_opened_is_opened_once(
    host: Host, faults: Faults, before_commit: bool
) -> None:
    old = await running(host, "gambo")
    await host.play.resign(old.id, PEOPLE[0].user_id)
    (faults.before_commit if before_commit else faults.after_commit).append(unsynced())
    opened = await host.lobby.rematch(Once(old.id, 7), PEOPLE[0])
    assert opened.seat_names == (PEOPLE[0].name,)
    faults.after_commit.append(unsynced())
    joined = await host.lobby.rematch(Once(old.id, 8), PEOPLE[1])
    assert (joined.id, joined.status) == (opened.id, Status.RUNNING)
    assert await host.look.matches_in(CHANNEL) == (joined,)


async def test_a_lobby_that_was_perhaps_closed_is_closed(host: Host, faults: Faults) -> None:
    for number, close in enumerate((host.votes.cancel, host.lobby.leave)):
        match = await lobby(host, "saboteur")
        faults.after_commit.append(unsynced())
        closed = await close(Once(match.id, number), PEOPLE[0].user_id)
        assert (closed.status, closed.ended_by) == (Status.CANCELLED, Ended.HOST)


async def test_what_was_perhaps_stored_and_has_no_number_is_not_done_twice_and_says_so(
    host: Host, faults: Faults
) -> None:
    before = await begun(host, faults)
    faults.after_commit.append(unsynced())
    await raised(Unavailable, act(host, before), f"^{PERHAPS_STORED}$")
    assert faults.tries == 1
    await check_stored(host, before, await host.look.match(before.id))


async def test_what_comes_to_the_same_when_it_is_done_twice_is_done_again_where_it_was_perhaps_stored(
    host: Host, faults: Faults
) -> None:
    for faulty in (faults.before_commit, faults.after_commit):
        faulty.append(unsynced())
        await host.settings.set_player_settings(UserId(7), PlayerSettings(hidden=faulty is faults.after_commit))
        assert not faulty
        assert (await host.settings.player_settings(UserId(7))).hidden is (faulty is faults.after_commit)
    faults.before_commit.extend((unsynced(), unsynced()))
    await raised(Unavailable, host.settings.block(UserId(7), UserId(8)), f"^{PERHAPS_STORED}$")


async def test_where_the_second_try_leaves_it_open_too_the_sentence_says_so(host: Host, faults: Faults) -> None:
    before = await begun(host, faults)
    faults.before_commit.append(unsynced())
    faults.then(LINE, nothing, raising(full()))
    await raised(Unavailable, act(host, before, 7), f"^{PERHAPS_STORED}$")
    assert faults.tries == 2
