"""How Python runs the bot: on which event loop, and how seldom it looks for garbage.

A collection stops everything. How long it takes depends on how many objects it looks at, not on how many are garbage.
Python's own settings look often at the young ones, and at times at all that there are, which takes a tenth of a second.

So what has lived for some time isn't looked at any more. It is still freed when nothing refers to it. Only cycles of it
would stay for ever. A press, a view, a picture and a server of discord.py's are cycles: `cogs.internals` undoes them
when they have been used, and a move leaves none. `tests/cogs/test_garbage.py` counts them.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import sys
from collections.abc import Coroutine
from time import perf_counter
from typing import Any, Final

from matches.engine.measured import Histogram

COLLECTIONS: Final = Histogram(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25)
"""How many seconds each collection took."""

SELDOM: Final = 700, 1, 1
"""After how many new objects the young ones are looked at, and after how many such looks the older ones, and all."""

MANY: Final = 500
"""If so many objects are left after a look at all, they are never looked at again."""

_ALL: Final = 2
"""The oldest generation."""


def run(work: Coroutine[Any, Any, None]) -> None:
    """Run this on uvloop's event loop where uvloop is installed, otherwise on asyncio's."""
    try:
        from uvloop import new_event_loop
    except ModuleNotFoundError:
        asyncio.run(work)
    else:
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            runner.run(work)


def trim_memory() -> None:
    """Return free memory to the system where the C library is glibc.

    By itself it returns only what lies above everything in use. Tiles of pictures are kept for long, and what is free
    between them becomes as much again.
    """
    if sys.platform == "linux" and hasattr(library := ctypes.CDLL(None), "malloc_trim"):
        library.malloc_trim(0)


def collect_seldom() -> None:
    """From now on, collect seldom and briefly. Call it when everything has been made that lasts."""
    gc.collect()
    trim_memory()
    gc.freeze()
    # Python compares with how many objects it found last time. By now it finds none.
    gc.collect()
    gc.set_threshold(*SELDOM)
    gc.callbacks.append(_noted)


def _noted(phase: str, about: dict[str, int]) -> None:
    global _begun
    if phase == "start":
        _begun = perf_counter()
        return
    COLLECTIONS.observe(perf_counter() - _begun)
    if about["generation"] == _ALL and len(gc.get_objects(_ALL)) > MANY:
        gc.freeze()


_begun = 0.0
