"""Whether everything works, and what is wrong if not: for `/healthz`, the measurements and `/operator status`."""

from __future__ import annotations

import asyncio
import logging
import re
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple

from discord.ext import commands, tasks

from cogs.client import Client
from cogs.drawing import DRAWER
from cogs.log_format import in_ranges
from cogs.process.arguments import VERSION
from cogs.process.wire import Wire
from matches.api import DatabaseError
from matches.engine import clock
from matches.host.store_state import StoreState, in_words

log = logging.getLogger(__name__)

CROWDED: Final = 10.0
"""Seconds for which requests may wait for our own pace without a break before there is a warning."""

_CHANGING: Final = re.compile(r"[\d,]+ (s|min|h|MB)\b")
"""Numbers in a sentence that change all the time."""

FRESH: Final = 1.0
"""Seconds for which a result is used again."""

EVERY: Final = 60.0
"""Seconds between two looks if nobody asks."""

STARTS_FOR: Final = 300.0
"""A start goes on while another shard gets ready within so many seconds. Until then, missing ones are no warning."""

SLOW: Final = 1.0
"""Seconds that the check's write may take before there is a warning. People see an answer of the bot for three."""


REFUSED: Final = {
    "requests": "Discord's network has barred this machine's address for {}.",
    "answers": "Discord takes no answers to presses: none has got through for {}.",
    "posts": "Discord refuses posts everywhere: none has got through for {}.",
}
"""What is wrong if Discord takes nothing of a kind."""


class Health(NamedTuple):
    """How the bot is. `problems` keep people waiting; `warnings` are for whoever runs the bot.

    `store` is ``None`` if the store couldn't be read. `wrote`: how many seconds the store took to take a write;
    ``None`` if it took none.
    """

    problems: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    store: StoreState | None = None
    wrote: float | None = None
    logged: tuple[str, ...] = ()
    """The problems without shards that a start hasn't reached yet, for the log."""


class Doctor(commands.Cog):
    """Watches the shards, the store, the news that wait, and whether Discord takes what the bot sends.

    It looks once a minute, and when somebody asks.
    """

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self.wire: Wire | None = None
        """Counts the requests to Discord; `bot` sets it."""
        self.is_prepared = False
        """Whether the store is open and migrated; `bot` sets it."""
        self.connected: set[int] = set()
        self._arrived: set[int] = set()
        """The shards that have been connected."""
        self._last_arrival = 0.0
        self.since = datetime.now(UTC)
        """When this process started."""
        self._found: tuple[float, Health] | None = None
        self._turn = asyncio.Lock()
        self._said: set[str] = set()
        self._troubled = False

    async def cog_load(self) -> None:
        self.watch.start()

    async def cog_unload(self) -> None:
        self.watch.cancel()

    @tasks.loop(seconds=EVERY)
    async def watch(self) -> None:
        """Look, so that the log says what is wrong even if nobody asks."""
        if not self._arrived:
            return
        try:
            await self.look()
        except Exception as error:  # The boundary: the loop would end, and nobody would look again.
            log.exception("the look at how everything is failed", exc_info=error)

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

    @commands.Cog.listener("on_shard_ready")
    @commands.Cog.listener("on_shard_resumed")
    async def on_shard(self, shard_id: int) -> None:
        """A shard has a new session, or its session again."""
        self.connected.add(shard_id)
        if shard_id not in self._arrived:
            self._arrived.add(shard_id)
            self._last_arrival = time.monotonic()

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
        shards, lost = set(self.carried) - self.connected, self._arrived - self.connected
        is_starting = not self._arrived or (shards > lost and time.monotonic() - self._last_arrival < STARTS_FOR)
        store, wrote = None, None
        if not self.is_prepared:
            so_far = in_words(datetime.now(UTC) - self.since)
            return Health((f"The bot is starting: its database is being opened or migrated, for {so_far} so far.",))
        try:
            began = time.monotonic()
            await self.bot.host.state.probe()
            wrote = time.monotonic() - began
        except (DatabaseError, OSError) as error:
            problems.append(f"The store takes nothing: {error}")
        try:
            store = await self.bot.host.state.read()
        except (DatabaseError, OSError) as error:
            problems.append(f"The store can't be read: {error}")
        if store is not None:
            problems += store.problems()
            warnings += store.warnings()
        if wrote is not None and wrote >= SLOW:
            warnings.append(f"The store is slow: it took {wrote:.0f} s to store something.")
        problems += self._of_discord()
        warnings += self._of_process()
        missing = self._of_shards(shards if self.carried else None)
        logged = self._of_shards(lost) if is_starting else missing
        return Health((*missing, *problems), tuple(warnings), store, wrote, (*logged, *problems))

    def _of_shards(self, missing: set[int] | None) -> tuple[str, ...]:
        """Say which shards aren't connected; ``None``: all of a number that isn't known yet."""
        if missing is not None and not missing:
            return ()
        return (f"Shards that aren't connected: {'all' if missing is None else in_ranges(sorted(missing))}.",)

    @property
    def refused(self) -> dict[str, float | None]:
        """For how many seconds Discord has refused everything of a kind; ``None`` if it hasn't."""
        refused: dict[str, float | None] = dict.fromkeys(REFUSED)
        if self.wire is not None:
            refused["requests"] = self.wire.barred_for
        if self.is_prepared:
            presence, now = self.bot.host.presence, self.bot.host.now()
            for what, since in (("answers", presence.refuses_answers_since), ("posts", presence.refuses_posts_since)):
                refused[what] = None if since is None else max(0.0, (now - since).total_seconds())
        return refused

    def _of_discord(self) -> Iterator[str]:
        """Say what Discord doesn't take."""
        for what, seconds in self.refused.items():
            if seconds is not None:
                yield REFUSED[what].format(in_words(timedelta(seconds=seconds)))

    def _of_process(self) -> Iterator[str]:
        """Say what somebody should look at in this process."""
        if not self.bot.in_charge.is_set():
            yield "This process is about to take over: another one answers until then."
        wire = self.wire
        if wire is not None and wire.storm:
            yield "Discord answers many requests with 429."
        if wire is not None and wire.pace is not None and wire.pace.crowded_for >= CROWDED:
            yield f"Requests have waited for our own pace for {wire.pace.crowded_for:.0f} s."
        jumped = self.bot.host.work.trust.jumped
        if jumped is not None:
            yield f"The clock has jumped {clock.in_words(jumped)}: what can't be undone waits for an hour."
        for workers in (self.bot.computers.thinking, self.bot.computers.background, DRAWER.process):
            if workers.dying:
                yield f"Worker processes die again and again ({workers.kind}): is there memory left?"

    def _say(self, health: Health) -> None:
        """Log problems and warnings when they begin, and when all problems are over.

        A sentence in which only times and sizes have changed isn't logged again. Nothing is logged before the first
        shard is ready, or while another process answers.
        """
        if not self._arrived or not self.bot.in_charge.is_set():
            return
        now = {_CHANGING.sub("", sentence) for sentence in (*health.logged, *health.warnings)}
        for how, sentences in (("not healthy", health.logged), ("worth a look", health.warnings)):
            for sentence in sentences:
                if _CHANGING.sub("", sentence) not in self._said:
                    log.warning("%s: %s", how, sentence)
        if self._troubled and not health.logged:
            log.info("healthy again")
        self._said, self._troubled = now, bool(health.logged)

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
            "store": None if health.store is None else health.store.totals.identity,
            "since": self.since.isoformat(timespec="seconds"),
            "shards": {"carried": in_ranges(self.carried), "connected": in_ranges(tuple(self.connected))},
        }
