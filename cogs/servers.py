"""What the bot knows of a server besides what a press says. Only this module reads discord.py's cache of servers.

Discord describes each server at the beginning of a session. A process that resumes a session gets no descriptions. It
asks for a server once, as soon as something depends on it. From then on Discord's events keep the description up to
date.
"""

from __future__ import annotations

import asyncio
import copy
import logging
import time
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import Any, Final, TypeAlias

import aiohttp
import discord
from cachetools import LRUCache

from cogs import internals

log = logging.getLogger(__name__)

Place: TypeAlias = discord.abc.GuildChannel | discord.Thread
"""A channel or a thread."""

REFUSED_FOR: Final = 60.0
"""Seconds after a failed request for a server in which it isn't repeated."""

MAX_REFUSED: Final = 1000
TRIES: Final = 3
"""How often Discord is asked for a server, at most, if the server changes during each request."""

USED_FOR: Final = 900.0
"""Seconds in which an old description of a server may be used: as long as a press can be answered."""

EMPTIED_AT_ONCE: Final = 50
"""How many old servers are emptied in one step of the loop."""

_FAILURES: Final = (discord.DiscordException, aiohttp.ClientError, OSError)

_CHANGES: Final[Mapping[str, str]] = {
    "GUILD_UPDATE": "id",
    **dict.fromkeys(("CHANNEL_CREATE", "CHANNEL_UPDATE", "CHANNEL_DELETE"), "guild_id"),
    **dict.fromkeys(("GUILD_ROLE_CREATE", "GUILD_ROLE_UPDATE", "GUILD_ROLE_DELETE"), "guild_id"),
    **dict.fromkeys(("THREAD_CREATE", "THREAD_UPDATE", "THREAD_DELETE", "THREAD_LIST_SYNC"), "guild_id"),
    "GUILD_MEMBER_UPDATE": "guild_id",
}
"""The events after which an older description of a server is wrong, and where they name the server."""


class Server:
    """A server as Discord has described it: its places, and who may do what in them."""

    def __init__(self, guild: discord.Guild) -> None:
        self._guild = guild

    def __str__(self) -> str:
        """Its name. Nobody has made that harmless."""
        return str(self._guild)

    def place(self, *numbers: int) -> Place | None:
        """Return the first of these channels and threads that is known; ``None`` for a thread without its channel."""
        every = (self._guild.get_channel_or_thread(number) for number in numbers)
        found = next((each for each in every if each is not None), None)
        return None if isinstance(found, discord.Thread) and found.parent is None else found

    def has_channel(self, number: int) -> bool:
        """Whether this is one of the server's channels. Threads aren't."""
        return self._guild.get_channel(number) is not None

    def thread(self, number: int) -> discord.Thread | None:
        """Return a thread that isn't archived."""
        return self._guild.get_thread(number)

    def is_open(self, *numbers: int) -> bool:
        """Whether everybody on the server can see the first of these places that is known."""
        place = self.place(*numbers)
        if place is None or place.type is discord.ChannelType.private_thread:
            return False
        return place.permissions_for(self._guild.default_role).view_channel

    def permissions(self, person: discord.Member, *numbers: int) -> discord.Permissions | None:
        """Return what this person may do in the first of these places that is known; ``None`` if none is."""
        place = self.place(*numbers)
        if place is None:
            return None
        there = place.permissions_for(person)
        if place.type is discord.ChannelType.private_thread and not there.manage_threads:
            # The bot is not told who else is in it.
            return discord.Permissions.none()
        return there

    def sees(self, person: discord.Member, *numbers: int) -> bool | discord.Thread:
        """Whether this person sees the first of these places that is known; true if none is.

        If it's a private thread, return that: the bot isn't told who is in it, and must ask.
        """
        place = self.place(*numbers)
        there = None if place is None else place.permissions_for(person)
        if there is None or not there.view_channel or there.manage_threads:
            return there is None or there.view_channel
        return place if isinstance(place, discord.Thread) and place.is_private() else True

    def everywhere(self, person: discord.Member) -> discord.Permissions:
        """Return what this person may do on the whole server, by their roles."""
        # The member may belong to a server object without roles, made before Discord described the server.
        member = copy.copy(person)
        member.guild = self._guild
        return member.guild_permissions

    def mine(self, place: Place) -> discord.Permissions:
        """Return what the bot may do in one of the server's places."""
        return place.permissions_for(self._guild.me)

    @property
    def silenced_until(self) -> datetime | None:
        """Until when a moderator keeps the bot from writing on the server, perhaps in the past."""
        return self._guild.me.timed_out_until

    def may_attach(self, number: int) -> bool | None:
        """Whether the bot may post pictures in a place; ``None`` if that isn't known."""
        place = self._guild.get_channel_or_thread(number)
        return None if place is None else place.permissions_for(self._guild.me).attach_files


class Servers:
    """All servers of a client, and Discord's news of them. Make it before the client connects.

    It dispatches events of its own, because discord.py drops its events for servers that it doesn't know:
    `server_lost` (the server's id), `server_away` and `server_back` (it is unavailable, or available), `place_lost`
    (the ids of a deleted channel or thread and of its server) and `event_changed` (a scheduled event, and whether it
    was deleted).
    """

    def __init__(self, client: discord.AutoShardedClient) -> None:
        self._client = client
        self._asking: dict[int, asyncio.Task[Server | None]] = {}
        self._changed: set[int] = set()
        """Servers that have changed while Discord was being asked for them."""
        self._refused: LRUCache[int, float] = LRUCache(MAX_REFUSED)
        """Servers that couldn't be asked for, and when (`time.monotonic`)."""
        self._refusals: LRUCache[int, Exception] = LRUCache(MAX_REFUSED)
        self._had: dict[int, bool] = {}
        """By shard whose session began in this process, whether any server was on it."""
        for event, name in _CHANGES.items():
            self._before(event, partial(self._note_change, name))
        self._before("READY", self._on_ready)
        self._before("GUILD_CREATE", self._on_server)
        self._before("GUILD_DELETE", self._on_server_delete)
        self._before("CHANNEL_DELETE", self._on_place_delete)
        self._before("THREAD_DELETE", self._on_place_delete)
        self._before("GUILD_SCHEDULED_EVENT_UPDATE", lambda data: self._on_event(data, deleted=False))
        self._before("GUILD_SCHEDULED_EVENT_DELETE", lambda data: self._on_event(data, deleted=True))

    def known(self, guild_id: int | None) -> Server | None:
        """Return a server if Discord has described it."""
        guild = None if guild_id is None else self._client.get_guild(guild_id)
        # Of a server that is unavailable, nothing but its id may be known.
        return None if guild is None or guild.default_role is None else Server(guild)

    async def described(self, guild_id: int | None) -> Server | None:
        """Return a server. If Discord hasn't described it, ask. ``None`` if Discord doesn't tell.

        Also ``None`` for a server on another process's shard, because that process gets its events.
        """
        if guild_id is None or (known := self.known(guild_id)) is not None:
            return None if guild_id is None else known
        if not self._is_carried(guild_id) or time.monotonic() - self._refused.get(guild_id, -REFUSED_FOR) < REFUSED_FOR:
            return None
        if guild_id not in self._asking:
            task = self._asking[guild_id] = asyncio.create_task(self._ask(guild_id))
            task.add_done_callback(lambda _: self._asking.pop(guild_id))
        return await asyncio.shield(self._asking[guild_id])

    async def has_place(self, guild_id: int, number: int) -> bool:
        """Whether this is a channel or thread of a server, and no category. Raises Discord's refusal to tell.

        Discord is asked only about what isn't known, such as an old thread.
        """
        server = await self.described(guild_id)
        if server is not None and (place := server.place(number)) is not None:
            return place.type is not discord.ChannelType.category
        found = await self._client.http.get_channel(number)
        return found.get("guild_id") == str(guild_id) and found["type"] != discord.ChannelType.category.value

    def lacks(self, guild_id: int) -> bool:
        """Whether the bot isn't on this server: Discord has listed the servers of its shard without this one.

        If nothing is known any more of a shard that had servers, that says nothing.
        """
        had = self._had.get(shard := self._shard(guild_id))
        if had is None or self._client.get_guild(guild_id) is not None:
            return False
        return not had or bool(self.on_shard(shard))

    def refusal(self, guild_id: int) -> Exception | None:
        """Return why Discord hasn't told of a server when it was asked last; ``None`` if it has."""
        return None if self.known(guild_id) is not None else self._refusals.get(guild_id)

    def are_none(self) -> bool:
        """Whether the bot is on no server: Discord has told this process so for each shard that there is."""
        known = not self._client.shard_ids and len(self._had) == self._client.shard_count
        return known and not any(self._had.values())

    def to_ask(self, guild_id: int) -> discord.Guild:
        """Return a server for requests about it. Perhaps only its id is known."""
        return internals.guild_to_ask(self._client, guild_id)

    def on_shard(self, shard_id: int) -> set[int]:
        """Return the ids of a shard's servers. They are known if its session began in this process."""
        return {guild.id for guild in self._client.guilds if guild.shard_id == shard_id}

    def away(self, shard_id: int) -> set[int]:
        """Return the ids of a shard's servers that Discord calls unavailable."""
        return {guild.id for guild in self._client.guilds if guild.shard_id == shard_id and guild.unavailable}

    def event(self, guild_id: int, event_id: int) -> discord.ScheduledEvent | None:
        """Return a scheduled event as the beginning of the session described it."""
        guild = self._client.get_guild(guild_id)
        return None if guild is None else guild.get_scheduled_event(event_id)

    def _is_carried(self, guild_id: int) -> bool:
        shards = self._client.shard_ids
        return not shards or self._shard(guild_id) in shards

    def _shard(self, guild_id: int) -> int:
        return (guild_id >> 22) % (self._client.shard_count or 1)

    async def _ask(self, guild_id: int) -> Server | None:
        """Ask Discord for all that it says of a server at the beginning of a session, and let discord.py keep it."""
        http, user = self._client.http, self._client.user
        assert user is not None
        try:
            for _ in range(TRIES):
                self._changed.discard(guild_id)
                server, channels, threads, me = await asyncio.gather(
                    http.get_guild(guild_id, with_counts=False),
                    http.get_all_guild_channels(guild_id),
                    http.get_active_threads(guild_id),
                    http.get_member(guild_id, user.id),
                )
                if guild_id not in self._changed:
                    break
        except _FAILURES as error:
            log.info("server %s can't be asked for: %s", guild_id, error)
            self._refused[guild_id], self._refusals[guild_id] = time.monotonic(), error
            return None
        self._refusals.pop(guild_id, None)
        if (known := self.known(guild_id)) is not None:
            return known
        said: dict[str, Any] = {**server, "channels": channels, "threads": threads["threads"], "members": [me]}
        internals.parsers(self._client)["GUILD_CREATE"](said | {"unavailable": False})
        return self.known(guild_id)

    # Events, before discord.py reads them.

    def _before(self, event: str, hear: Callable[[Any], object]) -> None:
        parsers = internals.parsers(self._client)
        parse = parsers[event]

        def heard(data: Any) -> None:
            hear(data)
            parse(data)

        parsers[event] = heard

    def _note_change(self, name: str, data: Any) -> None:
        if self._asking and int(data.get(name) or 0) in self._asking:
            self._changed.add(int(data[name]))

    def _on_ready(self, data: Any) -> None:
        """Forget the servers of the shard that Discord doesn't name any more: the bot has left them meanwhile."""
        self._had[data["shard"][0]] = bool(data["guilds"])
        old = [each for each in self._client.guilds if each.shard_id == data["shard"][0]]
        for gone in {each.id for each in old}.difference(int(each["id"]) for each in data["guilds"]):
            internals.drop_guild(self._client, self.to_ask(gone))
        # discord.py makes all of them anew.
        _empty_later(old)

    def _on_server(self, data: Any) -> None:
        self._client.dispatch("server_back", int(data["id"]))
        if (shard := self._shard(int(data["id"]))) in self._had:
            self._had[shard] = True

    def _on_server_delete(self, data: Any) -> None:
        """Dispatch `server_lost`, or `server_away` for a server that is only unavailable."""
        is_away, guild = data.get("unavailable", False), self._client.get_guild(int(data["id"]))
        self._client.dispatch("server_away" if is_away else "server_lost", int(data["id"]))
        if guild is not None and not is_away:
            _empty_later([guild])

    def _on_place_delete(self, data: Any) -> None:
        """Dispatch `place_lost` for a deleted channel and each of its threads, or for a deleted thread."""
        number, guild = int(data["id"]), self._client.get_guild(int(data["guild_id"]))
        threads = () if guild is None else tuple(each.id for each in guild.threads if each.parent_id == number)
        for lost in (number, *threads):
            self._client.dispatch("place_lost", lost, int(data["guild_id"]))

    def _on_event(self, data: Any, *, deleted: bool) -> None:
        self._client.dispatch("event_changed", internals.scheduled_event(self._client, data), deleted)


def _empty_later(old: list[discord.Guild]) -> None:
    """Empty servers that are described no more, once nothing is answered by their old description."""
    if old:
        asyncio.get_running_loop().call_later(USED_FOR, _empty, old)


def _empty(old: list[discord.Guild]) -> None:
    """Empty old servers, few at once, so that they are freed without a look for cycles."""
    for guild in old[-EMPTIED_AT_ONCE:]:
        internals.empty_guild(guild)
    del old[-EMPTIED_AT_ONCE:]
    if old:
        asyncio.get_running_loop().call_soon(_empty, old)
