"""The gateway, version 10: sessions, shards, heartbeats, resuming, and events for those who asked for them."""

from __future__ import annotations

import asyncio
import json
import secrets
import zlib
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from aiohttp import WSMsgType, web

from .timing import Timepiece

if TYPE_CHECKING:
    from .world import World

HEARTBEAT, IDENTIFY, RESUME, RECONNECT, INVALID_SESSION, HELLO, ACK = 1, 2, 6, 7, 9, 10, 11
GUILDS, GUILD_MESSAGES, DIRECT_MESSAGES, SCHEDULED_EVENTS = 1 << 0, 1 << 9, 1 << 12, 1 << 16
PRIVILEGED: Final = (1 << 1) | (1 << 8) | (1 << 15)
MAX_SENT, SENDS = 4096, (120, 60.0)
KEEPING, ENDING = 4000, (1000, 1001)
"""Close codes of clients: one after which the session lives on, and those that end it."""

KEPT: Final = 10_000

Json = dict[str, Any]


class Connection:
    """One socket, compressed as the client asked (one stream for its whole life)."""

    def __init__(self, socket: web.WebSocketResponse, compressed: bool) -> None:
        self.socket = socket
        self._stream = zlib.compressobj() if compressed else None

    async def send(self, op: int, data: Any, event: str | None = None, number: int | None = None) -> None:
        """Send one frame. A socket that has just closed takes nothing."""
        if self.socket.closed:
            return
        text = json.dumps({"op": op, "d": data, "t": event, "s": number})
        try:
            if self._stream is None:
                await self.socket.send_str(text)
            else:
                frame = self._stream.compress(text.encode()) + self._stream.flush(zlib.Z_SYNC_FLUSH)
                await self.socket.send_bytes(frame)
        except ConnectionError:
            return


class Session:
    """What a client identified for; it outlives its socket, so that the client can resume."""

    def __init__(self, shard: tuple[int, int], intents: int) -> None:
        self.id = secrets.token_hex(16)
        self.shard, self.intents = shard, intents
        self.connection: Connection | None = None
        self.number = 0
        self.sent: deque[tuple[int, str, Any]] = deque(maxlen=KEPT)
        self.was_left = False
        """Whether the client has closed the connection, with a code that ends no session."""

    async def dispatch(self, event: str, data: Any) -> None:
        """Send an event, and keep it for a client that will resume."""
        self.number += 1
        self.sent.append((self.number, event, data))
        if self.connection is not None:
            await self.connection.send(0, data, event, self.number)


class Gateway:
    """All sessions. `identifies` is what clients said when they identified."""

    def __init__(self, world: World, token: str, changed: Callable[[], None], granted: int = 0) -> None:
        self._world, self._token, self._changed, self._granted = world, token, changed, granted
        self._time: Timepiece = world.time
        self.sessions: dict[str, Session] = {}
        self.identifies: list[Json] = []
        self.resumed = 0
        self.identified_or_resumed = 0
        self.refusal: int | None = None
        """The close code with which every IDENTIFY is answered, if any is."""
        self.held: dict[int, asyncio.Event] = {}
        """By shard, an event: the shard isn't made ready, and no session resumed, before it is set."""
        self.unavailable: set[int] = set()
        """Servers that can't be reached."""
        self.identify_every = 0.0
        """Seconds that must lie between two IDENTIFY. A client that comes sooner must try again."""
        self.too_soon = 0
        self._identified = float("-inf")

    # The stand-in's own actions.

    def connected(self) -> int:
        """How many sessions have a socket."""
        return sum(session.connection is not None for session in self.sessions.values())

    def listening(self, guild_id: int | None) -> list[Session]:
        """The sessions that hear of this server. Only shard 0 hears of what belongs to no server."""
        return [
            session
            for session in self.sessions.values()
            if session.shard[0] == (0 if guild_id is None else (guild_id >> 22) % session.shard[1])
        ]

    async def dispatch(self, event: str, data: Any, guild_id: int | None, *, intent: int = 0) -> None:
        """Send an event to those who hear of the server and asked for that kind."""
        for session in self.listening(guild_id):
            if intent == 0 or session.intents & intent:
                await session.dispatch(event, data)

    async def drop(self, *, code: int | None = None, gone: bool = False, shard: int | None = None) -> None:
        """Cut all sockets (or a shard's): abruptly, or with a close `code`; `gone`: nothing can be resumed then."""
        for session in list(self.sessions.values()):
            if shard is not None and session.shard[0] != shard:
                continue
            connection = session.connection
            if gone:
                del self.sessions[session.id]
            if connection is None:
                continue
            session.connection = None
            if code is not None:
                await connection.socket.close(code=code)
            elif connection.socket._req is not None and connection.socket._req.transport is not None:
                connection.socket._req.transport.abort()

    async def ask_to_reconnect(self) -> None:
        """Send opcode 7 to everybody."""
        for session in self.sessions.values():
            if session.connection is not None:
                await session.connection.send(RECONNECT, None)

    def forget(self) -> None:
        """Drop the sessions of bots that were killed, which have no connection: nobody can resume them."""
        self.sessions = {
            id: session for id, session in self.sessions.items() if session.connection is not None or session.was_left
        }

    # A client's actions.

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """One socket, from HELLO to its end."""
        socket = web.WebSocketResponse(max_msg_size=MAX_SENT)
        await socket.prepare(request)
        connection = Connection(socket, request.query.get("compress") == "zlib-stream")
        await connection.send(HELLO, {"heartbeat_interval": 41_250})
        session: Session | None = None
        sends: deque[float] = deque(maxlen=SENDS[0])
        try:
            async for message in socket:
                if message.type is not WSMsgType.TEXT:
                    await socket.close(code=4002)
                    break
                now = self._time.now()
                if len(sends) == SENDS[0] and now - sends[0] < SENDS[1]:
                    await socket.close(code=4008)
                    break
                sends.append(now)
                packet = json.loads(message.data)
                if packet["op"] == HEARTBEAT:
                    await connection.send(ACK, None)
                elif packet["op"] == IDENTIFY:
                    session = await self._identify(connection, packet["d"])
                elif packet["op"] == RESUME:
                    session = await self._resume(connection, packet["d"])
        finally:
            if session is not None and session.connection is connection:
                session.connection = None
                session.was_left = socket.close_code == KEEPING
                if socket.close_code in ENDING:
                    self.sessions.pop(session.id, None)
                self._changed()
        return socket

    async def _identify(self, connection: Connection, said: Json) -> Session | None:
        if self.refusal is not None:
            await connection.socket.close(code=self.refusal)
            return None
        if said["token"] != self._token:
            await connection.socket.close(code=4004)
            return None
        if said["intents"] & PRIVILEGED & ~self._granted:
            await connection.socket.close(code=4014)
            return None
        self.identifies.append(said)
        last, self._identified = self._identified, self._time.now()
        if self._identified - last < self.identify_every:
            self.too_soon += 1
            await connection.send(INVALID_SESSION, False)
            return None
        shard = tuple(said.get("shard", (0, 1)))
        if shard[0] in self.held:
            await self.held[shard[0]].wait()
        session = Session((shard[0], shard[1]), said["intents"])
        self.sessions[session.id] = session
        session.connection = connection
        guilds = [
            guild
            for guild in self._world.guilds.values()
            if (guild.id >> 22) % session.shard[1] == session.shard[0] and self._world.bot.id in guild.members
        ]
        ready = {
            "v": 10,
            "user": self._world.bot.json(),
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "resume_gateway_url": self._world.address.replace("http", "ws", 1),
            "shard": list(session.shard),
            "application": {"id": str(self._world.bot.id), "flags": 0},
            "private_channels": [],
        }
        await session.dispatch("READY", ready)
        if session.intents & GUILDS:
            for guild in guilds:
                if guild.id in self.unavailable:
                    continue
                await session.dispatch("GUILD_CREATE", self._world.guild_json(guild))
        self.identified_or_resumed += 1
        self._changed()
        return session

    async def _resume(self, connection: Connection, said: Json) -> Session | None:
        session = self.sessions.get(said["session_id"])
        if session is not None and session.shard[0] in self.held:
            await self.held[session.shard[0]].wait()
        if session is None or said["token"] != self._token:
            await connection.send(INVALID_SESSION, False)
            return None
        self.resumed += 1
        self.identified_or_resumed += 1
        session.connection = connection
        for number, event, data in list(session.sent):
            if number > said["seq"]:
                await connection.send(0, data, event, number)
        await session.dispatch("RESUMED", {})
        self._changed()
        return session
