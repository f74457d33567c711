"""How Python runs the bot: on which event loop, and how seldom it looks for garbage.

A collection stops everything. How long it takes depends on how many objects it looks at, not on how many are garbage.
Python's own settings look often at the young ones, and at times at all that there are.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Coroutine
from time import perf_counter
from typing import Any, Final

from matches.engine.measured import Histogram

COLLECTIONS: Final = Histogram(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25)
"""How many seconds each collection took."""

SELDOM: Final = 2_000, 1, 1
"""After how many new objects the young ones are looked at, and after how many such looks the older ones, and all."""

MANY: Final = 2_000
"""If so many objects are left after a look at all, they aren't looked at again for a long time."""

AGAIN: Final = 200
"""How often objects are put aside like that before all are looked at: some have become garbage meanwhile.

That is some 5,000 moves and 10 MB of garbage. The one long look takes about a tenth of a second.
"""

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


def collect_seldom() -> None:
    """From now on, collect seldom and briefly. Call it when everything has been made that lasts."""
    gc.collect()
    gc.freeze()
    # Python compares with how many objects it found last time. By now it finds none.
    gc.collect()
    gc.set_threshold(*SELDOM)
    gc.callbacks.append(_noted)


def collect_all() -> None:
    """Let the next look at all be at what has been frozen, too: once, much of it has become garbage."""
    if _noted in gc.callbacks:
        gc.unfreeze()


def _noted(phase: str, about: dict[str, int]) -> None:
    global _begun, _frozen
    if phase == "start":
        _begun = perf_counter()
        return
    COLLECTIONS.observe(perf_counter() - _begun)
    if about["generation"] == _ALL and len(gc.get_objects(_ALL)) > MANY:
        _frozen += 1
        if _frozen % AGAIN:
            gc.freeze()
        else:
            gc.unfreeze()


_begun = 0.0
_frozen = 0
