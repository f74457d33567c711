"""Tells Discord which commands there are, whenever they have changed."""

from __future__ import annotations

import hashlib
import json
import logging
from typing import Any, Final

import discord

from cogs.client import Client
from cogs.process import faults

log = logging.getLogger(__name__)

COMMANDS_KEY: Final = "commands"
"""The store's key for the fingerprint of the commands last sent to Discord."""

OPERATOR_KEY: Final = "operator"
"""The store's key for the server that has `/operator`, and the commands that were sent for it."""


async def tell_commands(bot: Client) -> bool:
    """Send Discord the commands if they have changed since the last time. Return whether it did.

    Only the process of shard 0 does so, since all processes have the same commands.
    """
    if bot.shard_ids is not None and 0 not in bot.shard_ids:
        return False
    told = json.dumps([bot.application_id, payloads(bot)], sort_keys=True)
    fingerprint = hashlib.sha256(told.encode()).hexdigest()
    if await bot.host.state.noted(COMMANDS_KEY) == fingerprint:
        return False
    await bot.tree.sync()
    await bot.host.state.note(COMMANDS_KEY, fingerprint)
    return True


async def tell_operators_commands(bot: Client) -> None:
    """Send Discord `/operator` for the operator's server, if that has changed, and remove it from the previous one.

    If the bot isn't in that server, or isn't allowed to add commands there, this only logs a warning.
    """
    if bot.shard_ids is not None and 0 not in bot.shard_ids:
        return
    guild = bot.operator_guild
    told = [] if guild is None else payloads(bot, discord.Object(guild))
    wanted = json.dumps([bot.application_id, guild, told], sort_keys=True)
    known = await bot.host.state.noted(OPERATOR_KEY)
    if known == wanted or (known is None and guild is None):
        return
    before = None if known is None else json.loads(known)[1]
    for each in {before, guild}:
        if each is None:
            continue
        try:
            await bot.tree.sync(guild=discord.Object(each))
        except faults.FAILURES as error:
            if faults.status_of(error) not in (403, 404):
                raise
            log.warning("the commands of the operator's server can't be changed there: %s", error)
            if each == guild:
                return
    await bot.host.state.note(OPERATOR_KEY, wanted)


def payloads(bot: Client, guild: discord.Object | None = None) -> list[dict[str, Any]]:
    """Return the commands (of all servers, or of one alone) as sent to Discord, sorted by kind and name."""
    found = [command.to_dict(bot.tree) for command in bot.tree.get_commands(guild=guild)]
    return sorted(found, key=lambda command: (command["type"], command["name"]))
