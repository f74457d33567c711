"""What the cogs know of the bot: discord.py's, with the host of all matches beside it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final

import discord
from discord.ext import commands

from cogs.drawing import DRAWER
from matches.api import Host
from matches.computers.pool import Computers
from matches.delivery.scheduler import Scheduler
from matches.engine.processes import Processes
from matches.engine.shared import Shared

ANIMATIONS_KEPT: Final = 32_000_000
"""Bytes of animations that are kept for who asks next; one has up to 8,000,000."""


class Client(commands.AutoShardedBot):
    """The bot as its cogs see it; `bot.Ambit` is the one that runs. `host` is there before the gateway is."""

    host: Host
    scheduler: Scheduler | None = None
    """Does what matches owe; the porter makes it."""
    processes: Processes
    """What this process does about the others."""
    end: Callable[[str], None]
    """Call this with a sentence where the process has to end; whoever runs the bot sets it."""
    computers: Computers
    """Also the processes in which everything is done that takes long and for which no match waits."""
    waits_for_discord: Callable[[asyncio.Task[Any]], bool]
    """Whether a task does nothing but wait for Discord; whoever runs the bot sets it."""
    on_press: Callable[[discord.Interaction[Any], str, tuple[str, ...]], Awaitable[None]]
    """Where presses on the bot's own buttons and menus lead: custom_id, and what was picked. The router sets it."""
    lobby_pictures: dict[int, str]
    """By match the name of the picture that its lobby message has; what was forgotten is sent once more."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.attaching: dict[int, tuple[bool, float]] = {}
        """By channel, whether pictures may be posted there, and when that was heard (`time.monotonic`)."""
        self.lobby_pictures = {}
        self.doing: set[tuple[int, str]] = set()
        """Who has what on the way of which everybody may have one at a time."""
        self.animations: Shared[bytes] = Shared(ANIMATIONS_KEPT, len)
        self.end = lambda why: None
        self.waits_for_discord = lambda task: False
        self._at_work: set[asyncio.Task[Any]] = set()

    def let_idle_go(self, now: datetime) -> None:
        """Let processes go that nobody has needed for long; somebody who has a clock calls this now and then."""
        self.computers.let_idle_go(now)
        DRAWER.let_idle_go(now)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Around what must not be cut off in the middle: answering a person, telling a table."""
        task = asyncio.current_task()
        assert task is not None
        self._at_work.add(task)
        try:
            yield
        finally:
            self._at_work.discard(task)

    async def finish(self, seconds: float) -> None:
        """Begin no more by itself, and wait until what is being done now is done, for so many seconds at most."""
        if self.scheduler is not None:
            self.scheduler.stop()
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        # Whoever closes the bot may themselves be at work; waiting for oneself would never end. What is finished may
        # have begun something else.
        this = asyncio.current_task()
        while (unfinished := self._unfinished() - {this}) and (left := until - loop.time()) > 0:
            await asyncio.wait(unfinished, timeout=left)

    def _unfinished(self) -> set[asyncio.Task[Any]]:
        return self._at_work.union(() if self.scheduler is None else self.scheduler.tasks)
