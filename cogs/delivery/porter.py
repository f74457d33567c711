"""The porter: lets the scheduler deliver to Discord, ticks, and stores what happens to servers and channels."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Mapping
from datetime import datetime
from random import uniform
from typing import Any, Final, TypeAlias

import discord
from discord.ext import commands, tasks

from cogs.client import Client
from cogs.delivery.tellings import Tellings
from cogs.press import places
from cogs.process import faults
from cogs.process.faults import reason
from cogs.process.registering import tell_operators_commands
from matches.api import DatabaseError, HostError, Kind, Shards
from matches.host.scheduler import TICK, Scheduler

log = logging.getLogger(__name__)

FASTER_IF_SHARED: Final = 5
"""How many times as often it ticks if several processes share a store: one may deliver what another has stored."""


SHORTEST: Final = 0.7
"""How much of its usual time the shortest pause between two ticks takes. How long each takes is random."""


Hears: TypeAlias = Callable[..., Coroutine[Any, Any, None]]
"""What a feature does at an event. It takes the bot, and what the event tells. Raises HostError."""


class Porter(commands.Cog):
    """Runs the scheduler, and notes what happens to servers and channels. The bot has one porter.

    `Face.heard` is what a feature does at which event: `servers_ready` (these servers were described after a start of
    the bot; it waits for that), or `event_changed` (as below).
    """

    def __init__(self, bot: Client, left_out: Mapping[Kind, str]) -> None:
        self.bot = bot
        self._ready: set[int] = set()
        """The shards that have been ready."""
        self._sessions: dict[int, datetime] = {}
        """The shards that are connected, and since when."""
        self._some_ready = asyncio.Event()
        self._began = time.monotonic()
        self._every = self.tick.seconds or TICK
        tellings = Tellings(bot, left_out)
        self.scheduler = bot.scheduler = Scheduler(
            bot.host,
            tellings.deliver,
            waits=lambda task: bot.waits_for_discord(task),
            each_tick=bot.let_idle_go,
            to_servers=tellings.to_servers,
        )
        if not bot.in_charge.is_set():
            self.scheduler.stop()

    async def cog_load(self) -> None:
        if self.bot.host.work.shards is not None:
            # Another process may store a press in a DM about a server of this one. Nothing wakes this process then.
            self._every /= FASTER_IF_SHARED
            self.tick.change_interval(seconds=self._every)
        self.tick.start()

    async def cog_unload(self) -> None:
        self.tick.stop()
        # A loop that still waits for Discord ends only if it stops waiting.
        self._some_ready.set()
        self.scheduler.stop()

    @tasks.loop(seconds=TICK)
    async def tick(self) -> None:
        """Let the scheduler look for what is due, and let idle worker processes end."""
        with self.bot.at_work():
            await self.scheduler.tick()
        # Moves that were said in advance are made at a tick. At equal distances, their times would tell them apart.
        self.tick.change_interval(seconds=self._every * uniform(SHORTEST, 1))

    @tick.before_loop
    async def _wait_for_discord(self) -> None:
        await self._some_ready.wait()

    # Events of servers and channels (P17), which come with the GUILDS intent.

    @commands.Cog.listener()
    async def on_shard_ready(self, shard_id: int) -> None:
        """Deliver to the shard's servers, and store which of them the bot has left or joined while it was offline.

        A server that is unavailable is not gone. If very many are, storing that takes long. Nobody waits for it, but
        until then no deadline that a person can miss fires on the shard.
        """
        at = self._sessions[shard_id] = self.bot.host.now()
        # Until then, another process notes what happens.
        await self.bot.in_charge.wait()
        here = self.bot.servers.on_shard(shard_id)
        shard = Shards(self.bot.shard_count or 1, (shard_id,))
        self.bot.host.presence.of = shard.of
        if shard_id in self._ready:
            log.info("shard %d is ready again (servers on it: %d)", shard_id, len(here))
        else:
            self._begin(shard_id, f"servers on it: {len(here)}")
        await self._noted(self.bot.host.reach.notice_servers(here, shard))
        await self._tell_features("servers_ready", here)
        if self._sessions.get(shard_id) == at:
            self._arrive(shard_id, at, replayed=False)
            await self._noted(self.bot.host.presence.settle())

    @commands.Cog.listener()
    async def on_shard_resumed(self, shard_id: int) -> None:
        """Deliver to a shard that has resumed a session of the process before this one.

        Discord sends what has happened to its servers meanwhile, but doesn't list the servers.
        """
        at = self._sessions[shard_id] = self.bot.host.now()
        self._arrive(shard_id, at, replayed=True)
        if shard_id in self._ready:
            log.info("shard %d is connected again: its session goes on", shard_id)
        else:
            self._begin(shard_id, "its session goes on")
        await self._noted(self.bot.host.presence.settle())

    @commands.Cog.listener()
    async def on_shard_disconnect(self, shard_id: int) -> None:
        """A shard has lost its connection, so people on it can't press."""
        if self._sessions.pop(shard_id, None) is not None:
            log.info("shard %d has lost its connection", shard_id)
        self.bot.host.presence.leave(shard_id)

    def _arrive(self, shard_id: int, at: datetime, *, replayed: bool) -> None:
        away = self.bot.servers.away(shard_id)
        self.bot.host.presence.arrive(shard_id, self.bot.shard_count or 1, at, replayed=replayed, away=away)

    def _begin(self, shard_id: int, how: str) -> None:
        """Deliver to a shard's servers from now on.

        Until all shards are ready, only servers of the ready ones get messages: people on others can't press yet.
        """
        self._ready.add(shard_id)
        ours, after = set(self.bot.shard_ids or range(self.bot.shard_count or 1)), time.monotonic() - self._began
        which, count = (shard_id, len(self._ready), len(ours), after, how), self.bot.shard_count
        limited = count is not None and not self._ready >= ours
        log.info("shard %d is ready: %d of %d are, %.1f s after the start (%s)", *which)
        if self.bot.servers.are_none() and self.bot.application_id is not None:
            log.info("the bot is on no server yet; add it to yours: %s", places.invitation(self.bot.application_id))
        self._some_ready.set()
        self.scheduler.limit_to(Shards(count or 1, tuple(sorted(self._ready)), strictly=True) if limited else None)

    @commands.Cog.listener()
    async def on_server_lost(self, guild_id: int) -> None:
        """The bot was removed from a server, or the server was deleted."""
        await self._noted(self.bot.host.reach.lose_server(guild_id))
        await self.on_server_back(guild_id)

    @commands.Cog.listener()
    async def on_server_away(self, guild_id: int) -> None:
        """Discord calls a server unavailable, so people on it can't press."""
        self.bot.host.presence.lose_server(guild_id)

    @commands.Cog.listener()
    async def on_server_back(self, guild_id: int) -> None:
        """Discord describes a server, perhaps one that was unavailable."""
        if self.bot.host.presence.find_server(guild_id):
            await self._noted(self.bot.host.presence.settle())

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot was added to a server, perhaps again."""
        await self._noted(self.bot.host.reach.find_server(guild.id))
        if guild.id == self.bot.operator_guild:
            with self.bot.at_work():
                try:
                    await tell_operators_commands(self.bot, joined=True)
                except (*faults.FAILURES, DatabaseError) as error:
                    log.warning("the operator's commands couldn't be sent: %s", reason(error))

    @commands.Cog.listener()
    async def on_place_lost(self, place_id: int, guild_id: int) -> None:
        """A channel or a thread was deleted."""
        log.info("place %d of server %d was deleted; its matches wait until somebody moves them", place_id, guild_id)
        await self._noted(self.bot.host.reach.lose_channel(place_id, guild_id))

    # Scheduled events of servers, which come with an intent of their own.

    @commands.Cog.listener()
    async def on_event_changed(self, event: discord.ScheduledEvent, deleted: bool) -> None:
        """A scheduled event was deleted, or changed: its time, or whether it takes place."""
        await self._tell_features("event_changed", event, deleted)

    async def _tell_features(self, event: str, *about: Any) -> None:
        for heard in (face.heard for face in self.bot.faces):
            if event in heard:
                await self._noted(heard[event](self.bot, *about))

    async def _noted(self, noting: Coroutine[Any, Any, None]) -> None:
        """Store an event. If that fails, the bot finds out when it next sends something there."""
        if not self.bot.in_charge.is_set():
            noting.close()
            return
        with self.bot.at_work():
            try:
                await noting
            except* HostError as group:
                for error in group.exceptions:
                    where = "".join(f"{note}: " for note in getattr(error, "__notes__", ()))
                    log.warning("an event of a server could not be noted: %s%s", where, error.__cause__ or error)
