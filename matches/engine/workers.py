"""Processes that work for this one, so that nobody waits for what takes a processor long."""

from __future__ import annotations

import asyncio
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
from typing import TYPE_CHECKING, Any, Final, TypeVar, TypeVarTuple

from matches.engine.fair_queue import PATIENCE, FairQueue, Rank

if TYPE_CHECKING:
    from collections.abc import Callable
    from ctypes import c_byte, c_uint64

A = TypeVarTuple("A")
R = TypeVar("R")

TRIES: Final = 2
"""So many processes work on the same before it is given up."""

STEP, REST = 0.01, 0.09
"""Seconds for which work that gives way works, and rests, by turns."""

IDLE: Final = timedelta(minutes=10)
"""After so long without work a process is let go."""


class WorkerDied(RuntimeError):
    """Every process that was to do this work was killed."""


class Stopped(Exception):
    """Nobody wants what is being worked on, or not now; raised in a worker, and handled here."""


class _Turn:
    """Something that waits for a worker, or has one."""

    def __init__(self, rank: int, given_up: int) -> None:
        self.rank = rank
        self.worker: asyncio.Future[_Worker] = asyncio.get_running_loop().create_future()
        self.may_yield = given_up < PATIENCE
        self.yielded = False


class Workers:
    """So many processes, which start when there is work for them and end with this one, however it ends.

    They give way to others by `niceness`. Each does one thing at a time, so that its death concerns nothing else; what
    finds none free waits in a fair queue, for nobody but who awaits it. Where the things are small each is given some
    `ahead`, or it would be idle whenever the event loop is slow to hand it the next.

    Without `ahead`, work of `Rank.WATCHED` gives its process up to work of a better rank that finds none free. It waits
    for another turn and is begun again. After it was given up `PATIENCE` times it is done to its end: so it does not
    starve, and delays at most one in 41 of the others. The same holds where it has its turn by the queue's patience.
    """

    def __init__(self, count: int, niceness: int = 0, ahead: int = 0) -> None:
        self._count = count
        self._niceness = niceness
        self._places = 1 + ahead
        self._queue: FairQueue[_Turn] = FairQueue()
        self._every: list[_Worker] = []
        self._free: list[_Worker] = []
        self._yielding: list[_Turn] = []
        """What has a worker and would give it up, in the order in which it was begun."""
        self._rests_from: int | None = None
        """From which rank on work rests."""
        self._hire()

    def give_way(self, gives_way: bool, rank: int = Rank.TABLE) -> None:
        """Let long work from this rank on rest for the most part of its time, or none: somebody waits for others' work.

        Niceness alone is not enough where two processors share what computes. It never rests wholly.
        """
        self._rests_from = rank if gives_way else None
        for worker in self._every:
            worker.give_way(self._rests_from)

    async def run(self, work: Callable[[*A], R], /, *args: *A, owner: int | None = None, rank: int = Rank.TABLE) -> R:
        """What the call returns, or raises; all of it can be pickled.

        Work waits by `rank` (the lowest first) and then by turns with that of other owners. It is done once more where
        its process was killed meanwhile, so it must be pure. Whoever does not wait for it any more is cancelled: then
        it is not begun, or hears from `stopped` that it should end.

        Raises WorkerDied where the second process was killed, too.
        """
        given_up = 0
        while True:
            turn = _Turn(rank, given_up)
            worker = await self._next_free(turn, owner)
            try:
                if not turn.yielded:
                    return await worker.do(partial(work, *args), self._pass_on)
                self._pass_on(worker)
            except Stopped:
                if not turn.yielded:
                    raise
            finally:
                if turn in self._yielding:
                    self._yielding.remove(turn)
            given_up += 1

    def waiting(self, owner: int | None, rank: int | None = None) -> int:
        """How much of this owner's (of this rank, or all of it) has not begun."""
        return self._queue.count(owner, rank)

    @property
    def processes(self) -> int:
        """How many processes there are now."""
        return sum(worker.has_process for worker in self._every)

    def let_idle_go(self, now: datetime) -> None:
        """Let processes go that had nothing to do for `IDLE`; somebody who has a clock calls this now and then."""
        for worker in self._every:
            if self._free.count(worker) == self._places:
                worker.let_go_when_idle(now)

    def close(self) -> None:
        """Let all processes go, and cancel whoever waits for what they do or have not begun."""
        for waiting in self._queue.clear():
            waiting.worker.cancel()
        for worker in self._every:
            worker.close()
        self._hire()

    def _hire(self) -> None:
        self._every = [_Worker(self._niceness) for _ in range(self._count)]
        for worker in self._every:
            worker.give_way(self._rests_from)
        self._free = self._every * self._places

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
        """Have what was begun last, and has cost least, give its process up to work of this rank."""
        if self._yielding and self._yielding[-1].rank > rank:
            turn = self._yielding.pop()
            turn.yielded = True
            turn.worker.result().stop()

    def _call_next(self) -> None:
        while self._free and self._queue:
            turn = self._queue.pop()
            if not turn.worker.done():
                # The one that was busy last: what is never needed can go.
                worker = self._free.pop()
                worker.rank = turn.rank
                worker.give_way(self._rests_from)
                turn.worker.set_result(worker)
                others = self._queue.best
                if self._may_yield(turn) and (others is None or others >= turn.rank):
                    self._yielding.append(turn)

    def _may_yield(self, turn: _Turn) -> bool:
        return turn.rank >= Rank.WATCHED and turn.may_yield and self._places == 1

    def _pass_on(self, worker: _Worker) -> None:
        if worker in self._every:
            self._free.append(worker)
            self._call_next()


class _Worker:
    """One process, or none as long as it has nothing to do; it does one thing at a time, in order."""

    def __init__(self, niceness: int) -> None:
        self._niceness = niceness
        self.rank: int = Rank.TABLE
        """The rank of what it was given last."""
        self._number = 0
        """What it was given last, counted from 1."""
        self._pool: ProcessPoolExecutor | None = None
        self._stop: c_uint64 | None = None
        """Up to which number work of the process is to stop: memory that it shares."""
        self._rest = _CONTEXT.Value("b", 0, lock=False)
        """Whether it rests between two steps of long work: memory that its process shares."""
        self._awaited: set[asyncio.Future[Any]] = set()
        self._idle_since: datetime | None = None

    @property
    def has_process(self) -> bool:
        return self._pool is not None

    def give_way(self, rests_from: int | None) -> None:
        """Let it rest for most of its time where what it does has this rank or a worse one, else no longer."""
        self._rest.value = rests_from is not None and self.rank >= rests_from

    def stop(self) -> None:
        """Let what it does end, wherever that asks whether it should: `do` raises Stopped then."""
        self._stop_up_to(self._number)

    async def do(self, call: Callable[[], R], then: Callable[[_Worker], None]) -> R:
        """What the call returns, or raises. Raises WorkerDied.

        `then` is called as soon as what was begun has ended, though nobody may wait for it any more.
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
                except asyncio.CancelledError:
                    # What it was given before or after that is still wanted; small things may as well be finished.
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
        """Let the process go at the first look that comes `IDLE` after one since which it has done nothing."""
        if self._idle_since is None or now < self._idle_since:  # a clock may be set back
            self._idle_since = now
        elif now - self._idle_since >= IDLE:
            self._let_go()

    def close(self) -> None:
        """Let the process go, stop what it does and cancel whoever waits for that."""
        self._stop_up_to(self._number)
        for awaited in tuple(self._awaited):
            awaited.cancel()
        self._let_go()

    def _submitted(self, call: Callable[[], R]) -> Future[R]:
        if self._pool is not None:
            with suppress(BrokenProcessPool):  # It was killed while it had nothing to do.
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
    with suppress(RuntimeError):  # The loop is closed: there is nobody to whom it makes a difference.
        loop.call_soon_threadsafe(then)


class _Process(SpawnProcess):
    """A process that is spawned, not forked: a fork of a process with threads and an event loop may hang."""

    def start(self) -> None:
        """Start it without the main module, from which it needs nothing, and which is most of the program's memory.

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
    """What this process is told: the number of what it does, and up to which number work is to stop.

    Numbers only rise, so an order to stop that comes late stops nothing else.
    """

    number = 0
    stop: c_uint64 | None = None
    rest: c_byte | None = None
    rested = 0.0
    """Until when it has last rested, by `time.monotonic`."""


def stopped() -> bool:
    """Whether nobody wants what this process works on any more; long work asks now and then, which costs little.

    Here it rests, too, where the process is to give way.
    """
    if _Orders.rest is not None and _Orders.rest.value:
        worked = time.monotonic() - _Orders.rested
        if worked >= STEP:
            time.sleep(REST)
            _Orders.rested = time.monotonic()
    return _Orders.stop is not None and _Orders.stop.value >= _Orders.number


def _do(number: int, call: Callable[[], R]) -> R:
    _Orders.number = number
    if stopped():
        raise Stopped
    return call()


def _begin_work(niceness: int, stop: c_uint64, rest: c_byte) -> None:
    """In a new worker: leave interrupts to the parent, give way to it, and end when it has ended.

    A pool whose process was killed leaves its workers behind (CPython issue 111873), each waiting for work for ever. A
    thread that waits for the parent's sentinel is told of every kind of end on every platform; Linux's parent-death
    signal would follow the thread that started the worker instead.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(niceness)
    _Orders.stop = stop
    _Orders.rest = rest
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None, "a worker has a parent"
    parent.join()
    os._exit(1)
