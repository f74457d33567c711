"""How Python runs the bot: on which event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any


def run(work: Coroutine[Any, Any, None]) -> None:
    """Run this on uvloop's event loop where uvloop is installed, otherwise on asyncio's."""
    try:
        from uvloop import new_event_loop
    except ModuleNotFoundError:
        asyncio.run(work)
    else:
        with asyncio.Runner(loop_factory=new_event_loop) as runner:
            runner.run(work)
