"""Keeps only what the bot reads of a server: its channels, threads and scheduled events, and who may do what.

discord.py keeps everything that Discord says about a server: 40 to 100 kB. Here it gets less to keep, because each
event is cut down before it is read. `KEPT` are the permissions that the bot reads from the cache. Permissions are
resolved bit by bit. So the other bits can be dropped, and so can an overwrite or a role without any bit of `KEPT`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeAlias

import discord

from cogs import internals

KEPT: Final = discord.Permissions(
    administrator=True,
    view_channel=True,
    send_messages=True,
    send_messages_in_threads=True,
    create_public_threads=True,
    attach_files=True,
    manage_messages=True,
    manage_threads=True,
    # In a voice channel, whoever can't connect is denied other permissions, too.
    connect=True,
)

_CATEGORY: Final = discord.ChannelType.category.value

_OF_SERVER: Final[tuple[str, ...]] = (
    *("id", "name", "owner_id", "unavailable", "member_count", "roles", "channels", "threads", "members"),
    "guild_scheduled_events",
)
_OF_CHANNEL: Final[tuple[str, ...]] = ("id", "type", "guild_id", "flags")

Payload: TypeAlias = dict[str, Any]
Parse: TypeAlias = Callable[[Any], None]


class Slimming:
    """Cuts down the events of a client from now on. Make it before the client connects."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        parsers = internals.parsers(client)
        for event, slim in (
            ("GUILD_CREATE", self._on_server),
            ("GUILD_UPDATE", self._on_server),
            ("CHANNEL_CREATE", self._on_channel),
            ("CHANNEL_UPDATE", self._on_channel),
            ("GUILD_ROLE_CREATE", self._on_role),
            ("GUILD_ROLE_UPDATE", self._on_role_update),
        ):
            parsers[event] = partial(slim, parsers[event])

    def _on_server(self, parse: Parse, data: Payload) -> None:
        parse(server(data))
        guild = self._client.get_guild(int(data["id"]))
        if guild is not None:
            share(guild)

    def _on_channel(self, parse: Parse, data: Payload) -> None:
        if data["type"] != _CATEGORY:
            parse(_channel(data))

    def _on_role(self, parse: Parse, data: Payload) -> None:
        if _matters(data["role"], data["guild_id"]):
            parse({**data, "role": _role(data["role"])})

    def _on_role_update(self, parse: Parse, data: Payload) -> None:
        guild = self._client.get_guild(int(data["guild_id"]))
        if guild is not None and guild.get_role(int(data["role"]["id"])) is None:
            # The role was dropped because it had no permission that is read. Perhaps it has one now.
            internals.parsers(self._client)["GUILD_ROLE_CREATE"](data)
        else:
            parse({**data, "role": _role(data["role"])})


def server(data: Payload) -> Payload:
    """Return what is kept of a server that Discord describes."""
    made = {name: data[name] for name in _OF_SERVER if name in data}
    made["roles"] = [_role(role) for role in data.get("roles", ()) if _matters(role, data["id"])]
    if "channels" in data:
        # Nothing is played in a category, and its channels have their own permissions.
        made["channels"] = [_channel(each) for each in data["channels"] if each["type"] != _CATEGORY]
    return made


def share(guild: discord.Guild) -> None:
    """Let channels with equal overwrites have one list of them. discord.py makes a new list for a change."""
    known: dict[tuple[Any, ...], list[Any]] = {}
    for channel in guild.channels:
        internals.share_overwrites(channel, known)


def _channel(data: Payload) -> Payload:
    overwrites = [
        {**each, "allow": str(_kept(each["allow"])), "deny": str(_kept(each["deny"]))}
        for each in data.get("permission_overwrites", ())
        if _kept(each["allow"]) | _kept(each["deny"])
    ]
    made = {name: data[name] for name in _OF_CHANNEL if name in data}
    made |= {"name": "", "position": 0, "bitrate": 0, "user_limit": 0, "available_tags": []}
    return {**made, "permission_overwrites": overwrites}


def _matters(role: Payload, guild_id: str | int) -> bool:
    return str(role["id"]) == str(guild_id) or bool(_kept(role["permissions"]))


def _role(data: Payload) -> Payload:
    return {"id": data["id"], "permissions": str(_kept(data["permissions"])), "name": "", "position": 0, "color": 0}


def _kept(permissions: str | int) -> int:
    return int(permissions) & KEPT.value
