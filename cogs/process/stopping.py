"""What signals do to the process: they stop it, or have it hand over."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable, Coroutine, Iterator
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


@contextlib.contextmanager
def on_signal(name: str, act: Callable[[], None]) -> Iterator[None]:
    """Do this whenever the signal of this name comes, where the system has such a signal."""
    number = getattr(signal, name, None)
    if number is None:
        yield
        return
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(number, act)
    try:
        yield
    finally:
        loop.remove_signal_handler(number)


async def until(stop: asyncio.Event, *work: Coroutine[Any, Any, None]) -> None:
    """Do all this work until some of it ends, or `stop` is set."""
    doing = [asyncio.ensure_future(each) for each in work]
    asked = asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait({*doing, asked}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        asked.cancel()
        # If Discord doesn't answer, `start` retries for ever, even after `close`. So cancel it.
        for each in doing:
            each.cancel()
    for each in doing:
        with contextlib.suppress(asyncio.CancelledError):
            await each
