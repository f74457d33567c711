"""What the cogs know of the bot: discord.py's, with the host of all matches beside it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import discord
from discord.ext import commands

from matches import Host


class Client(commands.AutoShardedBot):
    """The bot as its cogs see it; `bot.Ambit` is the one that runs. `host` is there before the gateway is."""

    host: Host
    on_press: Callable[[discord.Interaction[Any], str, tuple[str, ...]], Awaitable[None]]
    """Where presses on the bot's own buttons and menus lead: custom_id, and what was picked. The router sets it."""
    lobby_pictures: dict[int, str]
    """By match the name of the picture that its lobby message has; what was forgotten is sent once more."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.attaching: dict[int, tuple[bool, float]] = {}
        """By channel, whether pictures may be posted there, and when that was heard (`time.monotonic`)."""
        self.lobby_pictures = {}
        self._at_work: set[asyncio.Task[Any]] = set()
        self._before_finishing: list[Callable[[], None]] = []

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

    def before_finishing(self, stop: Callable[[], None]) -> None:
        """Call this before the bot waits for what is being done: whoever begins work by themselves begins no more."""
        self._before_finishing.append(stop)

    async def finish(self, seconds: float) -> None:
        """Wait until what is being done now is done, for so many seconds at most."""
        for stop in self._before_finishing:
            stop()
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        # Whoever closes the bot may themselves be at work; waiting for oneself would never end. What is finished may
        # have begun something else.
        this = asyncio.current_task()
        while (unfinished := {task for task in self._at_work if task is not this}) and (
            left := until - loop.time()
        ) > 0:
            await asyncio.wait(unfinished, timeout=left)
