"""The porter: takes up what matches owe as soon as it is stored, and now and then what was left over.

A press stores and answers; the commit rings the porter. Three lanes keep out of each other's way: messages (many
matches at once, one after another within a match), time (reminders, turns whose time is up) and thinking (computers).
Tables without people have lanes of their own for thinking and for their posts, so that they never fill those of others.
Two more go step by step: one rewrites the finished matches of whoever is forgotten, one takes away what is kept for a
while only.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Hashable, Sequence
from datetime import timedelta
from typing import Final, TypeVar

import discord
from discord.ext import commands, tasks

from cogs.client import Client
from cogs.delivery.tellings import Tellings
from matches.api import DeadlineRow, Due, HostError, Kind, Match, Shards, Status, Telling, Unavailable, UserId
from matches.delivery.timekeeper import BY_TIME
from matches.engine.lanes import Lane
from matches.host.retention import Chore

log = logging.getLogger(__name__)

C = TypeVar("C", bound=Hashable)

TICK: Final = 5.0
"""Seconds between two looks at the clock and at what was left over."""

OFTENER: Final = 5
"""So many times as often where several processes share a store: one may owe what another has stored."""

MATCHES_AT_ONCE: Final = 25
POSTS_AT_ONCE: Final = 2
"""How many posts of matches without people are changed at once, which only spectators wait for."""

ROWS_OF_A_MATCH: Final = 4
DEADLINES_AT_ONCE: Final = 20
THOUGHTS_AT_ONCE: Final = 100
"""How many computers' turns are taken up; how many think at once is decided where they think."""

WATCHED_AT_ONCE: Final = 10
"""How many of them at tables without people: so these cost the rest of the program little, however many there are."""

FIRST_PUT_OFF: Final = timedelta(seconds=30)
LONGEST_PUT_OFF: Final = timedelta(minutes=30)


class Porter(commands.Cog):
    """The bot's one porter."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        self._stopped = False
        self._ready: set[int] = set()
        """The shards that are ready, until all are."""
        self._some_ready = asyncio.Event()
        self._began = time.monotonic()
        host = bot.host
        self._tellings = Tellings(bot)

        self.messages = self._of_messages("messages", MATCHES_AT_ONCE, watched=False)
        self.posts = self._of_messages("posts", POSTS_AT_ONCE, watched=True)
        self.time = self._of_deadlines("time", BY_TIME, host.time.happen, DEADLINES_AT_ONCE)
        self.thinking = self._of_deadlines("thinking", (Due.COMPUTER,), host.thinking.computers_turn, THOUGHTS_AT_ONCE)
        self.watching = self._of_deadlines("watching", (Due.WATCHED,), host.thinking.computers_turn, WATCHED_AT_ONCE)
        self.forgetting: Lane[UserId, UserId] = self._of_steps(
            "forgetting", host.privacy.being_forgotten, host.privacy.go_on
        )
        self.clearing: Lane[Chore, Chore] = self._of_steps("clearing", host.retention.due, host.retention.go_on)
        self.lanes: tuple[
            Lane[Telling, int] | Lane[DeadlineRow, tuple[int, Due]] | Lane[UserId, UserId] | Lane[Chore, Chore], ...
        ] = (
            self.messages,
            self.posts,
            self.time,
            self.thinking,
            self.watching,
            self.forgetting,
            self.clearing,
        )

    def _of_messages(self, name: str, width: int, *, watched: bool) -> Lane[Telling, int]:
        """A lane for so many matches' messages at once, one after another within a match."""

        async def claim(room: int) -> Sequence[Telling]:
            rows = room * ROWS_OF_A_MATCH
            return await self.bot.host.outbox.claim(limit=rows, only=self._only(), watched=watched)

        return Lane(
            name,
            claim,
            self._tellings.tell,
            key=lambda row: row.match_id,
            number=lambda row: row.id,
            width=width,
            at_work=self.bot.at_work,
            now=self.bot.host.now,
            waits=lambda task: self.bot.waits_for_discord(task),
        )

    def _of_steps(
        self, name: str, due: Callable[[int], Awaitable[Sequence[C]]], go_on: Callable[[C], Awaitable[None]]
    ) -> Lane[C, C]:
        """A lane of one step at a time, each taken up anew: so a bot that stops has not long to wait for it."""
        return Lane(
            name,
            due,
            go_on,
            key=lambda cause: cause,
            number=lambda cause: cause,
            width=1,
            at_work=self.bot.at_work,
            now=self.bot.host.now,
        )

    def _of_deadlines(
        self, name: str, kinds: tuple[Due, ...], carry_out: Callable[[DeadlineRow], Awaitable[None]], width: int
    ) -> Lane[DeadlineRow, tuple[int, Due]]:
        """A lane for deadlines of these kinds; of one match and kind there is one at a time."""
        host = self.bot.host

        async def claim(room: int) -> Sequence[DeadlineRow]:
            return await host.time.claim_due(kinds, room, self._only())

        async def work(row: DeadlineRow) -> None:
            await self._or_later(row, carry_out(row))

        def key(row: DeadlineRow) -> tuple[int, Due]:
            return row.match_id, row.kind

        return Lane(name, claim, work, key=key, number=key, width=width, at_work=self.bot.at_work, now=host.now)

    async def cog_load(self) -> None:
        self.bot.host.porter = self
        self.bot.before_finishing(self.stop)
        if self.bot.host.shards is not None:
            # A press in a direct message is stored by another process than the one that tells its server: nobody rings.
            self.tick.change_interval(seconds=(self.tick.seconds or TICK) / OFTENER)
        self.tick.start()

    async def cog_unload(self) -> None:
        self.stop()

    def stop(self) -> None:
        """Take up nothing more; what is in hand is finished, the rest is for the next process."""
        self._stopped = True
        self.tick.stop()
        self.bot.host.porter = None
        for lane in self.lanes:
            lane.stop()

    def ring(self, match: Match, tellings: Sequence[Telling]) -> None:
        """Something of this match has just been stored that has to be told, or has become due."""
        watched = [row for row in tellings if row.kind is Kind.WATCH]
        others = [row for row in tellings if row.kind is not Kind.WATCH]
        self.posts.hand(watched)
        if others:
            self.messages.hand(others)
        elif not watched and not (match.of_computers and match.status is Status.RUNNING and match.board_message_id):
            # Of a match that is only watched the next look at the clock tells more.
            self.messages.wake(mended=True)
        if match.of_computers and match.status is not Status.RUNNING:
            self.posts.drop(match.id)
        kind, lane = (Due.WATCHED, self.watching) if match.of_computers else (Due.COMPUTER, self.thinking)
        key = (match.id, kind)
        thought = lane.in_hand.get(key)
        if thought is not None and not self.bot.host.thinking.is_needed(thought, match):
            lane.drop(key)
        if match.status is Status.RUNNING and match.mover is not None and not match.mover.present:
            lane.wake(mended=True)

    # What was left over.

    @tasks.loop(seconds=TICK)
    async def tick(self) -> None:
        """Renew what is in hand, and look for what is due."""
        if self._stopped:
            # discord.py lets a loop that is stopped in its sleep come round once more, maybe when the store is closed.
            return
        with self.bot.at_work():
            try:
                await self._look()
            except HostError as error:
                # Each lane has its own pauses; here it is enough that nothing is asked before the next tick.
                self.messages.trouble.warn(error)
            except Exception as error:  # The boundary: a loop that ended would have to begin anew, without a pause.
                if self.messages.trouble.note(error):
                    log.exception("the porter's look at what is due failed", exc_info=error)

    async def _look(self) -> None:
        host = self.bot.host
        deadlines = {*self.time.in_hand, *self.thinking.in_hand, *self.watching.in_hand}
        claiming = any(lane.is_claiming for lane in self.lanes)
        await host.outbox.renew({*self.messages.in_hand, *self.posts.in_hand}, deadlines, claiming)
        if not self.messages.trouble.pausing and await host.outbox.owes():
            self.messages.wake()
            self.posts.wake()
        self.time.wake()
        self.thinking.wake()
        self.watching.wake()
        self.forgetting.wake()
        self.clearing.wake()
        self.bot.let_idle_go(host.now())

    @tick.before_loop
    async def _wait_for_discord(self) -> None:
        await self._some_ready.wait()

    def _only(self) -> Shards | None:
        """While only some shards are ready: these, since nobody on the other servers could press anything yet."""
        if not self._ready or self.bot.shard_count is None:
            return None
        return Shards(self.bot.shard_count, tuple(sorted(self._ready)), strictly=True)

    # What becomes due.

    async def _or_later(self, row: DeadlineRow, work: Awaitable[None]) -> None:
        """Do it; what fails for a reason of its own comes again after growing pauses, and keeps nobody else waiting."""
        try:
            await work
        except Unavailable:
            raise
        except Exception as error:  # The boundary: one match that cannot go on must not keep the others back.
            log.exception("match %s: %s at ply %s", row.match_id, row.kind, row.ply, exc_info=error)
            await self.bot.host.time.put_off(row, min(LONGEST_PUT_OFF, FIRST_PUT_OFF * 2**row.tries))

    # What Discord tells of places (P17); the GUILDS intent brings these events.

    @commands.Cog.listener()
    async def on_shard_ready(self, shard_id: int) -> None:
        """Find out what happened to the shard's servers while the bot was away, and tell what was left over there.

        A server that is unavailable is not gone.
        """
        here = {guild.id for guild in self.bot.guilds if guild.shard_id == shard_id}
        shard = Shards(self.bot.shard_count or 1, (shard_id,))
        await self._noted(self.bot.host.reach.notice_servers(here, shard))
        first = not self._some_ready.is_set() or bool(self._ready)
        self._ready.add(shard_id)
        ours = set(self.bot.shard_ids or range(self.bot.shard_count or 1))
        after = time.monotonic() - self._began
        how_many = f": {len(self._ready)} of {len(ours)} are, {after:.1f} s after the start" if first else " again"
        log.info("shard %d is ready%s (servers on it: %d)", shard_id, how_many, len(here))
        if not first or self._ready >= ours:
            self._ready.clear()
        self._some_ready.set()
        for lane in (self.messages, self.posts, self.time, self.thinking, self.watching):
            lane.wake()

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The bot was thrown out, or the server is gone."""
        await self._noted(self.bot.host.reach.lose_server(guild.id))

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot was invited, perhaps again."""
        await self._noted(self.bot.host.reach.find_server(guild.id))

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A channel is gone."""
        await self._noted(self.bot.host.reach.lose_channel(channel.id))

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """A thread is gone."""
        await self._noted(self.bot.host.reach.lose_channel(payload.thread_id))

    async def _noted(self, noting: Awaitable[None]) -> None:
        """Store what Discord has told; where that fails it is found out when something is sent there."""
        with self.bot.at_work():
            try:
                await noting
            except* HostError as group:
                for error in group.exceptions:
                    where = "".join(f"{note}: " for note in getattr(error, "__notes__", ()))
                    log.warning("an event of a server could not be noted: %s%s", where, error.__cause__ or error)
