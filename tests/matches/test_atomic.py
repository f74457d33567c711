"""One transaction stores an action and everything that follows. If interrupted, it stores all or nothing."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Self

import pytest
from sqlalchemy import Engine, event

from db import Database
from db.matches import deadlines
from db.matches.deadlines import Wanted
from db.store import meta
from db.store.leases import LEASE_ALONE as LEASE
from matches.api import Due, Host, ManualClock, NewMatch, Once, Ply, Status, UserId, WrongTime
from matches.host.host import NAME
from matches.review import Reviews
from tests.matches.tables import PEOPLE, Dump, Seeds, dump, lobby, mover_view, play, run_due, running, true_position
from tests.store import SERVER, copied, fresh

Step = Callable[[Host], Coroutine[Any, Any, Any]]

STRIDE = 1 if SERVER is None else 5
"""The distance between the moments that are tried. Copying a server's database takes much longer than copying a file.
"""


def without_numbers(found: Dump) -> Dump:
    """The stored rows without the ids of outbox rows: a server skips the ids of rolled-back ones."""
    return found if SERVER is None else found | {"outbox": sorted((row[1:] for row in found["outbox"]), key=repr)}


class CutShort:
    """Awaits a coroutine, and has the task cancelled at the moments numbered in `at` (0, 1, …).

    A moment is each time that it waits, and each statement and commit of the store. With SQLite the store's thread
    waits until the task has noticed. With a server the task itself runs the statement, so it notices at its next wait.
    """

    def __init__(self, work: Coroutine[Any, Any, Any], at: set[int]) -> None:
        self._waiting = work.__await__()
        self._at = at
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.current_task()
        self._counting = threading.Lock()
        self.moments = 0

    def __await__(self) -> Self:
        return self

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Any:
        return self.send(None)

    def send(self, value: Any) -> Any:
        return self._wait(self._waiting.send(value))

    def throw(self, *error: Any) -> Any:
        return self._wait(self._waiting.throw(*error))

    def _wait(self, future: Any) -> Any:
        if self._is_the_moment():
            self._loop.call_soon(self._cancel)
        return future

    def in_the_store(self, *_: Any) -> None:
        """Note a moment: a statement was executed, or a commit begins."""
        if not self._is_the_moment():
            return
        if SERVER is not None:
            self._cancel()
        else:
            asyncio.run_coroutine_threadsafe(self._noticed(), self._loop).result()

    async def _noticed(self) -> None:
        self._cancel()
        for _ in range(5):
            await asyncio.sleep(0)

    def _cancel(self) -> None:
        self._task.cancel()

    def _is_the_moment(self) -> bool:
        with self._counting:
            self.moments += 1
            return self.moments - 1 in self._at


async def cut_short(work: Coroutine[Any, Any, Any], at: set[int]) -> bool:
    """Run it in a task that is cancelled at these moments. Return whether it finished before the first of them."""
    cuts: list[CutShort] = []

    async def do() -> None:
        cut = CutShort(work, at)
        cuts.append(cut)
        event.listen(Engine, "after_cursor_execute", cut.in_the_store)
        event.listen(Engine, "commit", cut.in_the_store)
        try:
            await cut
        finally:
            event.remove(Engine, "after_cursor_execute", cut.in_the_store)
            event.remove(Engine, "commit", cut.in_the_store)

    with suppress(asyncio.CancelledError):
        await asyncio.create_task(do())
    return cuts[0].moments <= min(at)


@asynccontextmanager
async def opened(path: Path, clock: ManualClock) -> AsyncIterator[tuple[Database, Host]]:
    async with await Database.open(fresh(path)) as database:
        # Each store would draw its own secret with the first action. Here all should hold the same.
        await database.write(meta.put, meta.SECRET, "secret")
        yield database, Host(database, clock, Seeds("later"))


async def started(host: Host) -> Step:
    match = await lobby(host, "saboteur", 3)
    return lambda host: host.lobby.start(match.id, PEOPLE[0].user_id)


async def opening(host: Host) -> Step:
    return lambda host: lobby(host, "gambo")


async def before_a_deal(host: Host) -> Step:
    """A match before the last action of a round of Ambiente Abissal: the next deal follows from it."""
    rng, match = Random(8), await running(host, "abissal")
    while True:
        view, before = await mover_view(host, match), await true_position(host, match.id)
        for move in view.moves:
            after = before.child(view.seat, move.action)
            if after.current_player == -1:
                user_id = UserId(view.match.seats[view.seat or 0].user_id or 0)
                return lambda host: host.play.act(Once(match.id, 1), user_id, move.text, ply=view.ply)
        match = await play(host, match, rng)
        assert match.status is Status.RUNNING


async def resigning(host: Host) -> Step:
    match = await running(host, "saboteur", 4)
    return lambda host: host.play.resign(Once(match.id, 1), PEOPLE[1].user_id)


async def ending(host: Host) -> Step:
    """A match before its end counts: the result, the ratings and the news are stored at once."""
    match = await running(host, "ambush", 2, guild_id=5)
    return lambda host: host.play.resign(Once(match.id, 1), PEOPLE[1].user_id)


async def playing_on(host: Host) -> Step:
    match = await play(host, await play(host, await running(host, "gambo"), Random(1)), Random(1))
    await host.votes.cancel(match.id, PEOPLE[4].user_id, moderator=True)
    request = NewMatch("", 70, lobby_message_id=1, interaction_id=1)
    return lambda host: host.part(Reviews).alone(match.id, Ply(3), 0, PEOPLE[0], "easy", request)


async def claiming(host: Host) -> Step:
    await lobby(host, "gambo", 2)
    return lambda host: host.outbox.claim(timedelta(minutes=1))


async def computing(host: Host) -> Step:
    match = await running(host, "saboteur", 2, computers=1)
    while match.mover is not None and match.mover.present:
        match = await play(host, match, Random(1))
    return run_due


DEEDS = (opening, started, before_a_deal, resigning, ending, playing_on, claiming, computing)


@pytest.mark.parametrize("twice", [False, True], ids=["once", "twice"])
@pytest.mark.parametrize("prepare", DEEDS)
async def test_cut_short_at_any_moment_all_or_nothing_is_stored_and_the_table_goes_on(
    tmp_path: Path, clock: ManualClock, prepare: Callable[[Host], Coroutine[Any, Any, Step]], twice: bool
) -> None:
    before = tmp_path / "before.db"
    async with opened(before, clock) as (_, host):
        step = await prepare(host)
    async with a_copy(before, clock) as (database, host):
        nothing = without_numbers(await dump(database))
        await step(host)
        everything = without_numbers(await dump(database))
    async with a_copy(before, clock) as (database, _):
        # A computer's turn is claimed in one transaction and played in another.
        await database.write(deadlines.claim, Wanted(clock.now(), [Due.COMPUTER]), LEASE, 1, NAME)
        between = without_numbers(await dump(database)) if prepare is computing else nothing
    at, outcomes = 0, set()
    finished = False
    while not finished:
        async with a_copy(before, clock) as (database, host):
            finished = await cut_short(step(host), {at, at + 1} if twice else {at})
            found = without_numbers(await dump(database))
            assert found in (nothing, between, everything)
            outcomes.add((nothing, between, everything).index(found))
            # An interrupted request delays nobody, and a retry executes it once.
            with suppress(WrongTime):
                await asyncio.wait_for(step(host), 20)
            if found is not between and prepare not in (opening, playing_on, claiming, computing):
                assert without_numbers(await dump(database)) == everything
        at += STRIDE
    assert at > 4
    assert {0, 2} <= outcomes


@asynccontextmanager
async def a_copy(path: Path, clock: ManualClock) -> AsyncIterator[tuple[Database, Host]]:
    # An interrupted connection may keep its journal for a while, so every copy has a name of its own.
    with TemporaryDirectory(dir=path.parent) as folder:
        copy = Path(folder, "ambit.db")
        copied(path, copy)
        async with opened(copy, clock) as found:
            yield found
