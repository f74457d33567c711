"""Whether everything works, and what is wrong if not: for `/healthz`, the measurements and `/operator status`."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from discord.ext import commands

from cogs.client import Client
from cogs.drawing import DRAWER
from cogs.log_format import in_ranges
from cogs.process.arguments import VERSION
from cogs.process.wire import Wire
from matches.api import DatabaseError
from matches.host.store_state import StoreState, in_words

log = logging.getLogger(__name__)

CROWDED: Final = 10.0
"""Seconds for which requests may wait for our own pace without a break before there is a warning."""

_CHANGING: Final = re.compile(r"[\d,]+ (s|min|h|MB)\b")
"""Numbers in a sentence that change all the time."""

FRESH: Final = 1.0
"""Seconds for which a result is used again."""


class Health(NamedTuple):
    """How the bot is. `problems` keep people waiting; `warnings` are for whoever runs the bot.

    `store` is ``None`` if the store couldn't be read. `writes`: the store took a write.
    """

    problems: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    store: StoreState | None = None
    writes: bool = False


class Doctor(commands.Cog):
    """Knows which shards are connected, and looks at the store when somebody asks."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.wire: Wire | None = None
        """Counts the requests to Discord; `bot` sets it."""
        self.is_prepared = False
        """Whether the store is open and migrated; `bot` sets it."""
        self.connected: set[int] = set()
        self.since = datetime.now(UTC)
        """When this process started."""
        self._found: tuple[float, Health] | None = None
        self._turn = asyncio.Lock()
        self._said: set[str] = set()
        self._troubled = False

    @property
    def carried(self) -> tuple[int, ...]:
        """The shards of this process; none as long as Discord hasn't said how many there are."""
        return tuple(self.bot.shard_ids or range(self.bot.shard_count or 0))

    @property
    def process(self) -> str:
        """The name of this process in measurements: its shards, or ``all``."""
        return in_ranges(self.bot.shard_ids) if self.bot.shard_ids else "all"

    def is_connected(self) -> bool:
        """Whether every shard of this process is connected."""
        return bool(self.carried) and self.connected.issuperset(self.carried)

    @commands.Cog.listener()
    async def on_shard_ready(self, shard_id: int) -> None:
        """A shard has a new session."""
        self.connected.add(shard_id)

    @commands.Cog.listener()
    async def on_shard_resumed(self, shard_id: int) -> None:
        """A shard has its session again."""
        self.connected.add(shard_id)

    @commands.Cog.listener()
    async def on_shard_disconnect(self, shard_id: int) -> None:
        """A shard has lost its connection."""
        self.connected.discard(shard_id)

    async def look(self) -> Health:
        """Find out how everything is. Those who ask at the same time share the answer."""
        async with self._turn:
            if self._found is None or time.monotonic() - self._found[0] >= FRESH:
                self._found = None
                health = await self._look()
                self._found = time.monotonic(), health
                self._say(health)
            return self._found[1]

    async def _look(self) -> Health:
        problems: list[str] = []
        warnings: list[str] = []
        store, writes = None, False
        if not self.is_prepared:
            so_far = in_words(datetime.now(UTC) - self.since)
            return Health((f"The bot is starting: its database is being opened or migrated, for {so_far} so far.",))
        missing = sorted(set(self.carried) - self.connected)
        if missing or not self.carried:
            problems.append(f"Shards that aren't connected: {in_ranges(missing) or 'all'}.")
        try:
            store = await self.bot.host.state.read()
            await self.bot.host.state.probe()
            writes = True
        except (DatabaseError, OSError) as error:
            problems.append(f"The store takes nothing: {error}")
        if store is not None:
            problems += store.problems()
            warnings += store.warnings()
        warnings += self._of_process()
        return Health(tuple(problems), tuple(warnings), store, writes)

    def _of_process(self) -> Iterator[str]:
        """Say what somebody should look at in this process."""
        if not self.bot.in_charge.is_set():
            yield "This process is about to take over: another one answers until then."
        wire = self.wire
        if wire is not None and wire.storm:
            yield "Discord answers many requests with 429."
        if wire is not None and wire.pace is not None and wire.pace.crowded_for >= CROWDED:
            yield f"Requests have waited for our own pace for {wire.pace.crowded_for:.0f} s."
        for workers in (self.bot.computers.thinking, self.bot.computers.background, DRAWER.process):
            if workers.dying:
                yield f"Worker processes die again and again ({workers.kind}): is there memory left?"

    def _say(self, health: Health) -> None:
        """Log problems and warnings when they begin, and when all problems are over.

        A sentence in which only times and sizes have changed isn't logged again.
        """
        now = {_CHANGING.sub("", sentence) for sentence in (*health.problems, *health.warnings)}
        for how, sentences in (("not healthy", health.problems), ("worth a look", health.warnings)):
            for sentence in sentences:
                if _CHANGING.sub("", sentence) not in self._said:
                    log.warning("%s: %s", how, sentence)
        if self._troubled and not health.problems:
            log.info("healthy again")
        self._said, self._troubled = now, bool(health.problems)

    async def report(self) -> dict[str, Any]:
        """Return how everything is, for `/healthz` and `--status`."""
        health = await self.look()
        return {
            "healthy": not health.problems,
            "problems": health.problems,
            "warnings": health.warnings,
            "version": VERSION,
            "schema": None if health.store is None else health.store.totals.schema,
            "process": self.process,
            "since": self.since.isoformat(timespec="seconds"),
            "shards": {"carried": in_ranges(self.carried), "connected": in_ranges(tuple(self.connected))},
        }
