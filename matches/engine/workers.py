"""Worker processes for long computations, so that the event loop stays free."""

from __future__ import annotations

import asyncio
import gc
import multiprocessing
import os
import signal
import sys
import threading
import time
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from importlib.machinery import ModuleSpec
from multiprocessing.context import SpawnContext, SpawnProcess
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar, TypeVarTuple

from matches.engine.fair_queue import PATIENCE, FairQueue, Rank
from matches.engine.measured import Histogram, Lately
from matches.engine.running import trim_memory

if TYPE_CHECKING:
    from collections.abc import Callable
    from ctypes import c_byte, c_uint64

A = TypeVarTuple("A")
R = TypeVar("R")

TRIES: Final = 2
"""How many processes try the same work. If all of them are killed, it has failed."""

STEP, REST = 0.01, 0.09
"""Throttled work alternates between this many seconds of processor time and this many seconds of rest.

A busy machine gives a process so little of a second that it would hardly work at all if that were a clock's second.
"""

OFTEN: Final = (4, 900.0)
"""This many deaths, within this many seconds, aren't chance any more."""

IDLE: Final = timedelta(minutes=10)
"""After this long without work a process is ended."""

OOM: Final = Path("/proc/self/oom_score_adj")
"""Where Linux is told whom it ends first if no memory is left."""

EXPENDABLE: Final = 500
"""By how much sooner a worker ends than the bot, because its work is done again. A process may only raise its score."""

MOST_EXPENDABLE: Final = 1000
"""Linux's limit of that score."""

COLLECT_AFTER: Final = 50_000
"""How many new objects a process makes before it looks for cycles among the young ones (Python's default is 700).

Search trees and tables of ratings are many objects without cycles, so looking often only takes time.
"""

TRIM_EVERY: Final = 50
"""After so much work a process returns free memory to the system. That takes 5 ms."""


class WorkerDied(RuntimeError):
    """Every process that tried this work was killed."""


class Stopped(Exception):
    """The work was cancelled, or has yielded its process. Raised in a worker, and handled here."""


class _Turn:
    """A request that waits for a worker, or has one."""

    def __init__(self, rank: int, given_up: int) -> None:
        self.rank = rank
        self.worker: asyncio.Future[_Worker] = asyncio.get_running_loop().create_future()
        self.may_yield = given_up < PATIENCE
        self.yielded = False


class Workers:
    """A pool of `count` processes. They start on demand, and end with this process, however it ends.

    Each does one thing at a time, so that its death affects nothing else. Work that finds no free process waits in a
    fair queue. `kind` names the pool in measurements. `niceness`: that of the processes. `ahead`: how much more work
    a process gets in advance. Small work needs that, or a process would be idle whenever the event loop is slow.

    Without `ahead`, work of `Rank.WATCHED` yields its process to work of a better rank that finds none free. It is
    queued and started again. After it has yielded `PATIENCE` times it no longer yields. So it doesn't starve, and
    delays at most one in 41 of the others. Nor does work yield that got its turn only by the queue's `PATIENCE`.
    """

    def __init__(self, count: int, niceness: int = 0, ahead: int = 0, *, kind: str = "work") -> None:
        self.kind = kind
        self.deaths = 0
        """How many processes died in the middle of work."""
        self.dying = Lately(*OFTEN)
        self.seconds = Histogram(0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
        """How long work took, with its waiting."""
        self._count = count
        self._niceness = niceness
        self._places = 1 + ahead
        self._queue: FairQueue[_Turn] = FairQueue()
        self._every: list[_Worker] = []
        self._free: list[_Worker] = []
        self._yielding: list[_Turn] = []
        """Requests that have a worker and would yield it, oldest first."""
        self._rests_from: int | None = None
        """Work of this rank or a worse one is throttled."""
        self._hire()

    def give_way(self, gives_way: bool, rank: int = Rank.TABLE) -> None:
        """Throttle long work of this rank or a worse one while `gives_way`, because people wait for other work.

        It goes on at a tenth of its speed. Niceness alone isn't enough if two logical processors share one core.
        """
        self._rests_from = rank if gives_way else None
        for worker in self._every:
            worker.give_way(self._rests_from)

    async def run(self, work: Callable[[*A], R], /, *args: *A, owner: int | None = None, rank: int = Rank.TABLE) -> R:
        """Run `work` in a process, and return its result. Work, arguments and result must be picklable.

        Work waits by `rank` (the lowest first), then by turns among owners. If its process is killed it is retried
        once, so it must be pure. If the caller is cancelled, it isn't started, or `stopped` tells it to end.

        Raises what `work` raises, and WorkerDied if the second process was killed, too.
        """
        given_up = 0
        began = time.monotonic()
        while True:
            turn = _Turn(rank, given_up)
            worker = await self._next_free(turn, owner)
            try:
                if not turn.yielded:
                    result = await worker.do(partial(work, *args), self._pass_on)
                    self.seconds.observe(time.monotonic() - began)
                    return result
                self._pass_on(worker)
            except Stopped:
                if not turn.yielded:
                    raise
            finally:
                if turn in self._yielding:
                    self._yielding.remove(turn)
            given_up += 1

    def waiting(self, owner: int | None, rank: int | None = None) -> int:
        """Count this owner's requests (of this rank, or all) that haven't started."""
        return self._queue.count(owner, rank)

    @property
    def in_queue(self) -> int:
        """The number of all requests that haven't started."""
        return len(self._queue)

    @property
    def processes(self) -> int:
        """The number of processes that exist now."""
        return sum(worker.has_process for worker in self._every)

    def let_idle_go(self, now: datetime) -> None:
        """End processes that have been idle for `IDLE`. Call this now and then."""
        for worker in self._every:
            if self._free.count(worker) == self._places:
                worker.let_go_when_idle(now)

    def close(self) -> None:
        """End all processes, and cancel everything that waits for them."""
        for waiting in self._queue.clear():
            waiting.worker.cancel()
        for worker in self._every:
            worker.close()
        self._hire()

    def _hire(self) -> None:
        self._every = [_Worker(self._niceness, self._note_death) for _ in range(self._count)]
        for worker in self._every:
            worker.give_way(self._rests_from)
        self._free = self._every * self._places

    def _note_death(self) -> None:
        self.deaths += 1
        self.dying.note()

    async def _next_free(self, turn: _Turn, owner: int | None) -> _Worker:
        self._queue.push(turn, owner, turn.rank)
        if not self._free:
            self._make_room(turn.rank)
        self._call_next()
        try:
            return await turn.worker
        except asyncio.CancelledError:
            if turn.worker.cancelled():
                self._queue.remove(turn)
            else:
                if turn in self._yielding:
                    self._yielding.remove(turn)
                self._pass_on(turn.worker.result())
            raise

    def _make_room(self, rank: int) -> None:
        """Have the newest work, which has cost least, yield its process to work of this rank."""
        if self._yielding and self._yielding[-1].rank > rank:
            turn = self._yielding.pop()
            turn.yielded = True
            turn.worker.result().stop()

    def _call_next(self) -> None:
        while self._free and self._queue:
            turn = self._queue.pop()
            if not turn.worker.done():
                # The one that was busy last, so that unneeded processes stay idle and end.
                worker = self._free.pop()
                worker.rank = turn.rank
                worker.give_way(self._rests_from)
                turn.worker.set_result(worker)
                others = self._queue.best
                may_yield = turn.rank >= Rank.WATCHED and turn.may_yield and self._places == 1
                if may_yield and (others is None or others >= turn.rank):
                    self._yielding.append(turn)

    def _pass_on(self, worker: _Worker) -> None:
        if worker in self._every:
            self._free.append(worker)
            self._call_next()


class _Worker:
    """One process, which starts on demand. It does one thing at a time, in order."""

    def __init__(self, niceness: int, died: Callable[[], None]) -> None:
        self._niceness = niceness
        self._died = died
        self.rank: int = Rank.TABLE
        """The rank of its latest work."""
        self._number = 0
        """The number of its latest work, from 1."""
        self._pool: ProcessPoolExecutor | None = None
        self._stop: c_uint64 | None = None
        """Work up to this number must stop. The process shares this memory."""
        self._rest = _CONTEXT.Value("b", 0, lock=False)
        """Whether long work is throttled. The process shares this memory."""
        self._awaited: set[asyncio.Future[Any]] = set()
        self._idle_since: datetime | None = None

    @property
    def has_process(self) -> bool:
        return self._pool is not None

    def give_way(self, rests_from: int | None) -> None:
        """Throttle the process if its work has this rank or a worse one, else end that."""
        self._rest.value = rests_from is not None and self.rank >= rests_from

    def stop(self) -> None:
        """Stop its work the next time that it asks `stopped`. Then `do` raises Stopped."""
        self._stop_up_to(self._number)

    async def do(self, call: Callable[[], R], then: Callable[[_Worker], None]) -> R:
        """Return what the call returns, or raise what it raises. Raises WorkerDied.

        `then` is called as soon as the process is free, even if the caller was cancelled before.
        """
        self._idle_since = None
        doing: Future[R] | None = None
        try:
            for _ in range(TRIES):
                self._number += 1
                number, doing = self._number, self._submitted(call)
                pool = self._pool
                awaited = asyncio.wrap_future(doing)
                self._awaited.add(awaited)
                try:
                    return await awaited
                except BrokenProcessPool:
                    if self._pool is pool:
                        self._let_go()
                        self._died()
                except asyncio.CancelledError:
                    # Other work of this process is still wanted, and small work may as well be finished.
                    if self._awaited == {awaited}:
                        self._stop_up_to(number)
                    raise
                finally:
                    self._awaited.discard(awaited)
            raise WorkerDied(f"{TRIES} processes were killed while they did this.")
        finally:
            if doing is None or doing.done():
                then(self)
            else:
                doing.add_done_callback(partial(_call_in, asyncio.get_running_loop(), partial(then, self)))

    def let_go_when_idle(self, now: datetime) -> None:
        """End the process if it has been idle since a call that was `IDLE` ago."""
        if self._idle_since is None or now < self._idle_since:  # the clock was set back
            self._idle_since = now
        elif now - self._idle_since >= IDLE:
            self._let_go()

    def close(self) -> None:
        """End the process, stop its work, and cancel everything that waits for it."""
        self._stop_up_to(self._number)
        for awaited in tuple(self._awaited):
            awaited.cancel()
        self._let_go()

    def _submitted(self, call: Callable[[], R]) -> Future[R]:
        if self._pool is not None:
            with suppress(BrokenProcessPool):  # It was killed while it was idle.
                return self._pool.submit(_do, self._number, call)
        self._stop = _CONTEXT.Value("Q", 0, lock=False)
        self._pool = ProcessPoolExecutor(1, _CONTEXT, _begin_work, (self._niceness, self._stop, self._rest))
        return self._pool.submit(_do, self._number, call)

    def _stop_up_to(self, number: int) -> None:
        if self._stop is not None:
            self._stop.value = number

    def _let_go(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


def _call_in(loop: asyncio.AbstractEventLoop, then: Callable[[], None], _: Future[Any]) -> None:
    with suppress(RuntimeError):  # The loop is closed, so nobody waits any more.
        loop.call_soon_threadsafe(then)


class _Process(SpawnProcess):
    """A spawned process. A fork of a process with threads and an event loop may hang."""

    def start(self) -> None:
        """Start it without the main module, which it doesn't need and which takes most of the program's memory.

        multiprocessing imports the main module anew in a spawned process, unless it is the ``__main__`` of a package.
        """
        main = sys.modules["__main__"]
        true_spec = main.__spec__
        main.__spec__ = ModuleSpec("__main__", None)
        try:
            super().start()
        finally:
            main.__spec__ = true_spec


class _Context(SpawnContext):
    Process: Final = _Process  # type: ignore[misc]


_CONTEXT: Final = _Context()


# In a worker.


class _Orders:
    """The orders to this process: the number of its work, and up to which number work must stop.

    Numbers only rise, so an order to stop that comes late stops nothing else.
    """

    number = 0
    stop: c_uint64 | None = None
    rest: c_byte | None = None
    rested = 0.0
    """When it last ended a rest, by `time.process_time`."""
    done = 0
    """How much work it has done."""


def stopped() -> bool:
    """Whether this process must stop its work. Long work asks this now and then, which costs little.

    If the process is throttled, this call also rests.
    """
    if _Orders.rest is not None and _Orders.rest.value:
        worked = time.process_time() - _Orders.rested
        if worked >= STEP:
            time.sleep(REST)
            _Orders.rested = time.process_time()
    return _Orders.stop is not None and _Orders.stop.value >= _Orders.number


def go_on() -> None:
    """Raise Stopped if `stopped`."""
    if stopped():
        raise Stopped


def _do(number: int, call: Callable[[], R]) -> R:
    _Orders.number = number
    go_on()
    try:
        return call()
    finally:
        _Orders.done += 1
        if _Orders.done % TRIM_EVERY == 0:
            trim_memory()


def _begin_work(niceness: int, stop: c_uint64, rest: c_byte) -> None:
    """Prepare a new worker: ignore interrupts, give way, collect seldom, and end when the parent has ended.

    A pool whose process was killed leaves its workers behind (CPython issue 111873), each waiting for work for ever. A
    thread that waits for the parent's sentinel is told of every kind of end on every platform; Linux's parent-death
    signal would follow the thread that started the worker instead.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(niceness)
    with suppress(OSError):  # Not Linux, or a container that forbids it: then the kernel chooses.
        OOM.write_text(str(min(int(OOM.read_text()) + EXPENDABLE, MOST_EXPENDABLE)))
    gc.set_threshold(COLLECT_AFTER)
    _Orders.stop = stop
    _Orders.rest = rest
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None, "a worker has a parent"
    parent.join()
    os._exit(1)
