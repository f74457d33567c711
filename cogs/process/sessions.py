"""Lets the next process resume the sessions of Discord's gateway, so that a restart is short.

A new session takes five seconds a shard, one after the other. To resume a session takes none, and Discord sends what
has happened meanwhile. So an orderly stop closes the connections with a code after which sessions live on. It stores
what the next start needs to resume them, once. If Discord refuses, the shard begins a new session as usual.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from typing import Final, NamedTuple

import discord
from discord.gateway import DiscordWebSocket, ReconnectWebSocket
from discord.shard import Shard
from yarl import URL

from cogs import internals
from cogs.client import Client
from cogs.process.faults import FAILURES, reason
from matches.api import DatabaseError

log = logging.getLogger(__name__)

LIVES: Final = timedelta(minutes=3)
"""After this time a session isn't tried any more. Discord keeps a session without a connection for some minutes."""

KEPT_AFTER: Final = 4000
"""A code with which a connection is closed and its session lives on. 1000 and 1001 end it."""

PATIENCE: Final = 10.0
"""Seconds for reaching the gateway, and for leaving it."""

_FAILURES: Final = (*FAILURES, discord.DiscordException, ReconnectWebSocket, OSError, RuntimeError)


class Session(NamedTuple):
    """What is needed to resume a session.

    A session belongs to an application, to one of `shard_count` shards, and to the bot's intents. `sequence` is the
    number of the last event that was received.
    """

    shard_id: int
    shard_count: int
    intents: int
    application_id: int
    id: str
    sequence: int
    gateway: str


class Sessions:
    """The sessions of a process. `process` is its name, which its successor has, too."""

    def __init__(self, bot: Client, process: str) -> None:
        self._bot = bot
        self._process = process
        self._found: dict[int, Session] = {}

    async def load(self) -> None:
        """Take from the store the sessions that the previous process has left. If that fails, all sessions are new."""
        try:
            left = await self._bot.host.state.take_sessions(self._process, LIVES)
        except DatabaseError as error:
            log.info("no session goes on: %s", error)
            return
        self._found = {each.shard_id: each for each in (Session(*values) for values in left)}

    @property
    def left(self) -> int:
        """How many sessions were loaded, and so how many shards need no login."""
        return len(self._found)

    async def resume(self) -> None:
        """Resume all sessions that were loaded, at the same time. Discord doesn't limit how many.

        Shards that are connected then (`is_connected`) need no launch. If Discord refuses a session, it says so later,
        and discord.py begins a new one.
        """
        found, self._found = self._found, {}
        await asyncio.gather(*(self._try(each) for each in found.values() if self._fits(each)))

    def is_connected(self, shard_id: int) -> bool:
        """Whether a shard has a connection."""
        return shard_id in internals.shards(self._bot)

    async def close_and_store(self) -> None:
        """Close all connections in a way that lets their sessions live on, and store what is needed to resume them.

        From now on Discord keeps its events for the next process. If the store fails, the sessions just end.
        """
        # The shards of a simulated Discord have no sessions.
        shards = [each for each in internals.shards(self._bot).values() if isinstance(each, Shard)]
        for shard in shards:
            internals.stop_reading(shard)
        closing = [asyncio.ensure_future(shard.ws.close(KEPT_AFTER)) for shard in shards]
        if not closing:
            return
        await asyncio.wait(closing, timeout=PATIENCE)
        left = [session for session in map(self._of, shards) if session is not None]
        try:
            await self._bot.host.state.leave_sessions(self._process, left)
        except DatabaseError as error:
            log.info("no session goes on: %s", error)

    async def _try(self, session: Session) -> None:
        asked = DiscordWebSocket.from_client(
            self._bot,
            gateway=URL(session.gateway),
            shard_id=session.shard_id,
            session=session.id,
            sequence=session.sequence,
            resume=True,
        )
        try:
            connection = await asyncio.wait_for(asked, PATIENCE)
        except _FAILURES as error:
            log.info("the session of shard %d doesn't go on: %s", session.shard_id, reason(error))
            return
        shard = internals.shards(self._bot)[session.shard_id] = internals.new_shard(self._bot, connection)
        shard.launch()

    def _fits(self, session: Session) -> bool:
        """Whether the shard count, intents and application are still those of the session."""
        mine = (self._bot.shard_count, self._bot.intents.value, self._bot.application_id)
        return mine == (session.shard_count, session.intents, session.application_id)

    def _of(self, shard: Shard) -> Session | None:
        socket, bot = shard.ws, self._bot
        if socket.session_id is None or socket.sequence is None or bot.application_id is None or not bot.shard_count:
            return None
        return Session(
            *(shard.id, bot.shard_count, bot.intents.value, bot.application_id),
            *(socket.session_id, socket.sequence, str(socket.gateway)),
        )
