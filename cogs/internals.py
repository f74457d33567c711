"""The private names of discord.py and aiohttp that the bot needs. No other module uses one.

`tests/cogs/test_internals.py` has a test for each of them: run it before a new version of either is pinned.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import aiohttp
import discord
from discord.shard import Shard


def parsers(client: discord.Client) -> dict[str, Callable[[Any], Any]]:
    """Return what reads the gateway's events, by their names. An entry can be replaced."""
    return client._connection.parsers


def guild_to_ask(client: discord.Client, guild_id: int) -> discord.Guild:
    """Return a server for requests about it: the cached one, else one with nothing but its id."""
    return client._connection._get_or_create_unavailable_guild(guild_id)


def drop_guild(client: discord.Client, lost: discord.Guild) -> None:
    """Remove a server from the cache."""
    client._connection._remove_guild(lost)


def scheduled_event(client: discord.Client, data: Any) -> discord.ScheduledEvent:
    """Return the scheduled event that Discord describes."""
    return discord.ScheduledEvent(state=client._connection, data=data)


def share_overwrites(channel: Any, known: dict[tuple[Any, ...], list[Any]]) -> None:
    """Let a channel have the `known` list of overwrites if it equals its own. Otherwise its own becomes known."""
    own = channel._overwrites
    channel._overwrites = known.setdefault(tuple((each.id, each.type, each.allow, each.deny) for each in own), own)


def owners(interaction: discord.Interaction[Any]) -> Mapping[int, Any]:
    """Return who has added the app that was used: the server under 0, the person under 1."""
    return interaction._integration_owners


def shards(client: discord.AutoShardedClient) -> dict[int, Shard]:
    """Return the connected shards by number. One can be added."""
    found: dict[int, Shard] = vars(client)["_AutoShardedClient__shards"]
    return found


def new_shard(client: discord.AutoShardedClient, connection: Any) -> Shard:
    """Return a shard for this connection. It tells the client what happens to it."""
    return Shard(connection, client, vars(client)["_AutoShardedClient__queue"].put_nowait)


def stop_reading(shard: Shard) -> None:
    """Stop the task that reads a shard's connection. It would connect anew."""
    shard._cancel_task()


def unlink_item(item: discord.ui.Item[Any]) -> None:
    """Let an item not know its view. Each keeps the other in memory, and only the view is needed to send both."""
    item._view = None


def unlink_response(interaction: discord.Interaction[Any]) -> None:
    """Let an interaction's response not know the interaction, which it needs only to respond."""
    interaction.response._parent = None  # type: ignore[assignment]


def empty_guild(old: discord.Guild) -> None:
    """Forget all that belongs to a server that isn't used any more. Each of these knows the server."""
    for each in (old._channels, old._threads, old._members, old._roles):
        each.clear()


def set_timeout(session: aiohttp.ClientSession, timeout: aiohttp.ClientTimeout) -> None:
    """Set the timeout of all later requests."""
    session._timeout = timeout
