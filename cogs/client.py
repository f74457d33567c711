"""What the cogs know of the bot: discord.py's, with the host of all matches beside it."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any, Final

from cachetools import LRUCache
from discord.ext import commands

from cogs.drawing import DRAWER
from cogs.gate import Gate
from cogs.servers import Servers
from matches.api import Host, MatchId, UserId
from matches.computers.pool import Computers
from matches.engine.lanes import Trouble
from matches.engine.processes import Processes
from matches.engine.shared import Shared
from matches.host.scheduler import Scheduler

MAX_REMEMBERED: Final = 10_000
"""The most entries of each cache of things that the bot can find out again."""

OUTCOMES: Final = ("answered", "refused", "unavailable", "failed", "late", "error")
"""How a press can end (`cogs/press/boundary.py`)."""

ANIMATIONS_KEPT: Final = 32_000_000
"""Bytes of animations that are cached; one has up to 8,000,000."""


class Client(commands.AutoShardedBot):
    """The bot as its cogs see it; `bot.Ambit` is the implementation. `host` is set before the gateway connects."""

    host: Host
    scheduler: Scheduler | None = None
    """Runs what is due for matches; the porter creates it."""
    processes: Processes
    """How this process deals with the other processes."""
    end: Callable[[str], None]
    """Ends the process; called with the reason as a sentence. `bot` sets it."""
    computers: Computers
    """The worker processes, also for long work that no match waits for."""
    waits_for_discord: Callable[[asyncio.Task[Any]], bool]
    """Whether a task does nothing but wait for Discord. `bot` sets it."""
    is_crowded: Callable[[], bool]
    """Whether requests to Discord wait for their rate limit. `bot` sets it."""
    lobby_pictures: LRUCache[int, str]
    """By match, the file name of its lobby message's picture. A forgotten picture is sent again."""

    faces: tuple[Any, ...] = ()
    """What each of its features shows (`cogs.face.Face`)."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.servers = Servers(self)
        """What is known of servers."""
        self.attaching: LRUCache[int, tuple[bool, float]] = LRUCache(MAX_REMEMBERED)
        """By channel, whether pictures may be posted there, and since when that is known (`time.monotonic`)."""
        self.lobby_pictures = LRUCache(MAX_REMEMBERED)
        self.boards_posted: LRUCache[int, tuple[str, str]] = LRUCache(MAX_REMEMBERED)
        """By message, the text of a board that was posted, and its sentence about whose turn it is."""
        self.long_work: set[tuple[int, str]] = set()
        """Work under way that each person may have once at a time: person and kind."""
        self.animations: Shared[bytes] = Shared(ANIMATIONS_KEPT, len)
        self.late_board_told: LRUCache[tuple[MatchId, UserId], int] = LRUCache(MAX_REMEMBERED)
        """By match and person, the ply of the board posted last when they were told that the next one is late."""
        self.board_reposted_at: LRUCache[MatchId, datetime] = LRUCache(MAX_REMEMBERED)
        """When a match's board was last posted again for somebody whose press came too late."""
        self.policy_url: str | None = None
        """The address of the privacy policy, which `/privacy` links. `bot` sets it."""
        self.gate = Gate(self)
        """Holds presses while another process answers them."""
        self.in_charge = asyncio.Event()
        """Set once this process carries its shards. Until then another one does. Both receive Discord's events."""
        self.operator_guild: int | None = None
        """The server in which the application's owners have `/operator`. `bot` sets it."""
        self.presses: Counter[tuple[str, str]] = Counter()
        """How many presses and commands there were, by verb or command, and one of `OUTCOMES`."""
        self.unsaved = Trouble("presses", lambda: self.host.now())
        """Why presses couldn't be carried out because the store, or a worker process, has failed."""
        self.unheard = Trouble("answers", lambda: self.host.now())
        """Why answers to presses didn't reach Discord."""
        self.end = lambda why: None
        self.waits_for_discord = lambda task: False
        self.is_crowded = lambda: False
        self.seen_at: LRUCache[tuple[int, UserId], datetime] = LRUCache(MAX_REMEMBERED)
        """By server and person, when they last pressed there or were looked at (`cogs/process/looks.py`)."""
        self._at_work: dict[asyncio.Future[None], asyncio.Task[Any]] = {}
        """The blocks of `at_work` under way, and their tasks. An endless task is here only during such a block."""

    def let_idle_go(self, now: datetime) -> None:
        """End worker processes that have been idle for long; the porter calls this now and then."""
        self.computers.let_idle_go(now)
        DRAWER.let_idle_go(now)

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Mark the block as work that `finish` waits for: answering a person, telling a table."""
        task = asyncio.current_task()
        assert task is not None
        done: asyncio.Future[None] = task.get_loop().create_future()
        self._at_work[done] = task
        try:
            yield
        finally:
            del self._at_work[done]
            done.set_result(None)

    async def finish(self, seconds: float) -> None:
        """Stop the scheduler, and wait for the work under way, for so many seconds at most."""
        if self.scheduler is not None:
            self.scheduler.stop()
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        # The task that closes the bot may itself be at work, and would wait for itself for ever. Work that finishes may
        # have started something else.
        this = asyncio.current_task()
        while (unfinished := self._unfinished(this)) and (left := until - loop.time()) > 0:
            await asyncio.wait(unfinished, timeout=left)

    def _unfinished(self, but: asyncio.Task[Any] | None) -> set[asyncio.Future[Any]]:
        working: set[asyncio.Future[Any]] = {done for done, task in self._at_work.items() if task is not but}
        return working.union(() if self.scheduler is None else self.scheduler.tasks - {but})
