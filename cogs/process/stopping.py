"""Stops the process on a signal."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Coroutine, Iterator
from typing import Any


@contextlib.contextmanager
def stop_signals() -> Iterator[asyncio.Event]:
    """Yield an event that SIGTERM and SIGINT set, so that the process can close everything in order."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    signals = (signal.SIGTERM, signal.SIGINT)
    # Windows has no such handlers. There Ctrl+C interrupts `main`.
    with contextlib.suppress(NotImplementedError):
        for number in signals:
            loop.add_signal_handler(number, stop.set)
    try:
        yield stop
    finally:
        with contextlib.suppress(NotImplementedError):
            for number in signals:
                loop.remove_signal_handler(number)


async def until(stop: asyncio.Event, work: Coroutine[Any, Any, None]) -> None:
    """Do the work until it ends or `stop` is set."""
    doing = asyncio.ensure_future(work)
    asked = asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait({doing, asked}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        asked.cancel()
        # If Discord doesn't answer, `start` retries for ever, even after `close`. So cancel it.
        doing.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await doing
