"""The simulated Discord of the preview: a server, its members, the bot in it, and the one open place.

SimCord shows one channel to one viewer at a time, and its operations mustn't overlap. So all of them take the lock
`World.busy`. Its clock stands still between operations; `World.tick` moves it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from datetime import UTC, datetime
from typing import Any, Final, Literal, NamedTuple

import simcord
from simcord.preview import _snapshot as snapshot
from yarl import URL

from cogs.client import Client
from matches.api import Match, Status, UserId

_snapshot: Final[Any] = snapshot
"""SimCord's module without types: we patch names below that it doesn't export."""

NAMES: Final = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hana", "Ivo", "Jun", "Kira", "Leo")
"""The members, in this order. Ann owns the server, so she can use moderators' commands."""

FIRST_COMMAND: Final = "gambo new"
"""The command that opens the first table."""

PATIENCE: Final = 60.0
"""The timeout of one operation in seconds, including a computer player's thinking."""

LATEST: Final = 25
"""How many messages a place shows."""

LONGEST_TICK: Final = 5.0
"""The most seconds that one tick moves the clock: a laptop that was asleep needn't catch up."""


class Place(NamedTuple):
    """A place with messages: the server's channel, a thread in it, or a member's DM with the bot."""

    id: int
    kind: Literal["channel", "thread", "dm"]
    name: str


class Turn(NamedTuple):
    """A member whom a match waits for."""

    match: str
    member: int
    place: int


class World:
    """A server with one channel, its members, and the bot. Use it as an asynchronous context manager."""

    def __init__(self, bot: Client, members: int) -> None:
        self._bot = bot
        self._names = NAMES[:members]
        self._env = simcord.Env(bot, check_errors=False, shard_count=1, settle_timeout=PATIENCE)
        self._preview: simcord.Preview | None = None
        self._posts: dict[int, list[Any]] = {}
        """SimCord's messages that everybody in a place can read."""
        self._read: dict[tuple[int, int], int] = {}
        self._counted_at = -1
        self._published = 0
        self.turns: tuple[Turn, ...] = ()
        """Whose turn it is, in every match here that waits for a person."""
        self.thinking: tuple[str, ...] = ()
        """A sentence for every match here that waits for a computer."""
        self.shown = (0, 0)
        """The ids of the viewing member and of the open place."""
        self.address = URL()
        """SimCord's address of the open place. The fragment is the key that a page needs."""
        self.busy = asyncio.Lock()
        self.opened = 0
        """How often a place was opened. A page with another number shows an old place."""

    async def __aenter__(self) -> World:
        # SimCord's clock begins on a fixed day. Set it to the real time before the bot starts, while nothing can become
        # due.
        self._env.backend.advance_clock((datetime.now(UTC) - self._env.now()).total_seconds())
        self._env.backend.bot_user.name = "Ambit"
        async with AsyncExitStack() as stack:
            stack.enter_context(_less_at_a_time())
            await self._env.start()
            stack.push_async_callback(self._env.shutdown)
            self._populate()
            await self._env.settle()
            await self.open(self.members[0].id, self.channel.id)
            self._running = stack.pop_all()
        return self

    def _populate(self) -> None:
        users = [self._env.create_user(name.lower(), global_name=name) for name in self._names]
        guild = self._env.create_guild("Ambit", owner=users[0])
        self.channel = guild.create_text_channel("games")
        self.members = tuple(guild.add_member(user) for user in users)
        self._users = {user.id: user for user in users}

    async def __aexit__(self, *_: object) -> None:
        async with self.busy:
            await self._bot.close()
            await self._running.aclose()

    # Places.

    def places(self, member_id: int) -> tuple[Place, ...]:
        """Return what this member can open: the channel, every thread (the bot's are public), their own DM."""
        threads = (Place(thread.id, "thread", thread.name or "thread") for thread in self.channel.threads)
        dm = Place(self._users[member_id].dm_channel.id, "dm", "DM")
        return (Place(self.channel.id, "channel", "#games"), *threads, dm)

    def _channel(self, member_id: int, place_id: int) -> tuple[simcord.ChannelHandle, Any]:
        """Return a place and its viewer. Raises LookupError."""
        user = self._users[member_id]
        if place_id == user.dm_channel.id:
            return user.dm_channel, user
        member = next(member for member in self.members if member.id == member_id)
        for channel in (self.channel, *self.channel.threads):
            if channel.id == place_id:
                return channel, member
        raise LookupError(place_id)

    async def open(self, member_id: int, place_id: int) -> None:
        """Show this place as this member sees it, and close the previous one. Raises LookupError."""
        channel, viewer = self._channel(member_id, place_id)
        async with self.busy:
            if self._preview is not None:
                await self._preview.close()
            preview = self._env.preview(channel, viewers=[viewer], layout="channel")
            self._preview = await preview.__aenter__()
            self.address = URL(self._preview.url)
            self.shown = (member_id, place_id)
            self._published = self._requests
            self.opened += 1

    async def open_table(self) -> None:
        """Let the second member, if there is one, open a table that the others can join."""
        async with self.acting():
            for host in self.members[1:2]:
                await host.slash(self.channel, FIRST_COMMAND)
            if self._preview is not None:
                await self._preview.refresh()

    # Time.

    async def tick(self, seconds: float) -> None:
        """Move the clock for the bot's loops and timers, and refresh the open page if they have changed something."""
        async with self.busy:
            await self._env.advance_time(min(seconds, LONGEST_TICK))
            if self._preview is not None and self._requests != self._published:
                await self._preview.refresh()
                self._published = self._requests

    @asynccontextmanager
    async def acting(self) -> AsyncIterator[None]:
        """Hold the lock during an action of the open page. SimCord refreshes the page after it by itself."""
        async with self.busy:
            yield
            self._published = self._requests
            self._counted_at = -1

    @property
    def _requests(self) -> int:
        """How many requests the bot has made. Without a new one it has changed nothing on Discord."""
        return len(self._env.http_requests)

    # What the bar shows.

    async def look(self) -> None:
        """Read new messages and turns.

        Turns come from the host: a turn is stored before any message announces it.
        """
        channels = [self.channel, *self.channel.threads]
        if self._counted_at != self._requests:
            self._counted_at = self._requests
            dms = [user.dm_channel for user in self._users.values()]
            self._posts = {channel.id: self._posts_in(channel.id) for channel in (*channels, *dms)}
        matches = [match for channel in channels for match in await self._bot.host.look.matches_in(channel.id)]
        self.turns = tuple(turn for match in matches if (turn := self._turn(match)) is not None)
        self.thinking = tuple(
            f"{match.info.name} #{match.id}: {match.mover.name} is thinking."
            for match in matches
            if match.mover is not None and match.mover.computer is not None
        )

    def _posts_in(self, place_id: int) -> list[Any]:
        messages = self._env.backend.messages.get(place_id, {}).values()
        return [message for message in messages if message.visible_to(None)]

    def _turn(self, match: Match) -> Turn | None:
        member = next((user_id for user_id in self._users if match.waits_for(UserId(user_id))), None)
        if match.status is not Status.RUNNING or member is None:
            return None
        return Turn(f"{match.info.name} #{match.id}", member, match.place_id)

    def unread(self, member_id: int, place: Place) -> tuple[int, int]:
        """Return how many messages by others this member hasn't seen there, and how many are meant for them."""
        posts = self._posts.get(place.id, [])
        if self.shown == (member_id, place.id) and posts:
            self._read[self.shown] = posts[-1].id
        seen = self._read.get((member_id, place.id), 0)
        new = [post for post in posts if post.id > seen and post.author_id != member_id]
        meant = [post for post in new if place.kind == "dm" or member_id in post.mention_user_ids]
        return len(new), len(meant)


@contextmanager
def _less_at_a_time() -> Iterator[None]:
    """Patch SimCord so that showing a place doesn't take longer with every message in it.

    It makes a text of every message for a list beside the place, which our page doesn't have: the list is empty now. It
    also shows fewer of the latest messages; a button shows older ones. SimCord has no settings for these.
    """
    whole, longest = _snapshot._message_navigation, _snapshot.HISTORY_WINDOW_SIZE
    _snapshot._message_navigation = lambda preview, page, visible: whole(preview, page, [])
    _snapshot.HISTORY_WINDOW_SIZE = LATEST
    try:
        yield
    finally:
        _snapshot._message_navigation, _snapshot.HISTORY_WINDOW_SIZE = whole, longest
