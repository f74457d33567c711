"""Processes that work for this one, so that nobody waits for what takes a processor long."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import sys
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from importlib.machinery import ModuleSpec
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import TYPE_CHECKING, Final, TypeVar, TypeVarTuple

if TYPE_CHECKING:
    from collections.abc import Callable

A = TypeVarTuple("A")
R = TypeVar("R")


class Workers:
    """So many processes, which start with the first work and end with this one, however it ends.

    They give way to others by `niceness`.
    """

    def __init__(self, count: int, niceness: int = 0) -> None:
        self._count = count
        self._niceness = niceness
        self._pool: ProcessPoolExecutor | None = None

    async def run(self, work: Callable[[*A], R], /, *args: *A) -> R:
        """What the call returns, or raises; all of it can be pickled.

        It is made once more where a worker was killed meanwhile, so it must be pure. Raises BrokenProcessPool where
        that one was killed, too.
        """
        pool = self._working()
        try:
            return await asyncio.wrap_future(pool.submit(work, *args))
        except BrokenProcessPool:
            # Others may have noticed before, and got a new pool.
            if self._pool is pool:
                self._pool = None
            return await asyncio.wrap_future(self._working().submit(work, *args))

    def close(self) -> None:
        """Let the processes go; what they have not begun is dropped."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None

    def _working(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(self._count, _Context(), _begin_work, (self._niceness,))
        return self._pool


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


def _begin_work(niceness: int) -> None:
    """In a new worker: leave interrupts to the parent, give way to it, and end when it has ended.

    A pool whose process was killed leaves its workers behind (CPython issue 111873), each waiting for work for ever. A
    thread that waits for the parent's sentinel is told of every kind of end on every platform; Linux's parent-death
    signal would follow the thread that started the worker instead.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(niceness)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None, "a worker has a parent"
    parent.join()
    os._exit(1)
