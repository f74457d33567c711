"""Processes that work for this one, so that nobody waits for what takes a processor long."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from concurrent.futures import ProcessPoolExecutor


def processes(count: int, niceness: int = 0) -> ProcessPoolExecutor:
    """A pool of `count` workers, which start with the first work and end with this process, however it ends.

    They give way to others by `niceness`. They are spawned, not forked: a fork of a process with threads and an event
    loop may hang.
    """
    return ProcessPoolExecutor(
        max_workers=count,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_begin_work,
        initargs=(niceness,),
    )


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
