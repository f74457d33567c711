"""Tells Discord which commands there are, whenever they have changed, or Discord has others.

Another program with the same token may have replaced them, and a server that the bot leaves loses its own.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from typing import Any, Final

import discord

from cogs.client import Client
from cogs.process import faults
from cogs.process.faults import has_code, reason

log = logging.getLogger(__name__)

COMMANDS_KEY: Final = "commands"
"""The store's key for the fingerprint of the commands last sent to Discord."""

OPERATOR_KEY: Final = "operator"
"""The store's key for the server that has `/operator`, and the commands that were sent for it."""


PATIENCE: Final = 10.0
"""Seconds to wait for Discord's list of commands. The start doesn't depend on it."""

_MEANING: Final = frozenset(
    {
        *("type", "name", "description", "options", "required", "choices", "value", "autocomplete", "channel_types"),
        *("min_value", "max_value", "min_length", "max_length", "nsfw", "contexts", "integration_types"),
        "default_member_permissions",
    }
)
"""What Discord says of a command besides ids, versions and derived fields. It leaves out what is false or empty."""


async def tell_commands(bot: Client) -> bool:
    """Send Discord the commands if it doesn't have them as they are now. Return whether it did.

    Only the process of shard 0 does so, since all processes have the same commands.
    """
    if bot.shard_ids is not None and 0 not in bot.shard_ids:
        return False
    told = json.dumps([bot.application_id, payloads(bot)], sort_keys=True)
    fingerprint = hashlib.sha256(told.encode()).hexdigest()
    if await bot.host.state.noted(COMMANDS_KEY) == fingerprint and await _has(bot, payloads(bot)):
        return False
    try:
        await bot.tree.sync()
    except faults.FAILURES as error:
        if not has_code(error, faults.TOO_MANY_COMMANDS):
            raise
        log.warning("Discord takes no commands for now, so the bot starts without: %s", reason(error))
        return False
    await bot.host.state.note(COMMANDS_KEY, fingerprint)
    return True


async def tell_operators_commands(bot: Client, *, joined: bool = False) -> None:
    """Send Discord `/operator` for the operator's server if it doesn't have it, and remove it from the previous one.

    If the bot isn't in that server, or isn't allowed to add commands there, this only logs a warning. `joined`: the bot
    has just come to that server, which only this process hears.
    """
    if bot.shard_ids is not None and 0 not in bot.shard_ids and not joined:
        return
    guild = bot.operator_guild
    told = [] if guild is None else payloads(bot, discord.Object(guild))
    wanted = json.dumps([bot.application_id, guild, told], sort_keys=True)
    known = await bot.host.state.noted(OPERATOR_KEY)
    if known == wanted and (guild is None or await _has(bot, told, guild)):
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


async def _has(bot: Client, told: list[Any], guild_id: int | None = None) -> bool:
    """Whether Discord has these commands (of all servers, or of one alone). If it can't be asked, this trusts that."""
    assert bot.application_id is not None
    http, app = bot.http, bot.application_id
    try:
        asked = http.get_global_commands(app) if guild_id is None else http.get_guild_commands(app, guild_id)
        there = await asyncio.wait_for(asked, PATIENCE)
    except faults.FAILURES as error:
        log.warning("Discord can't be asked which commands it has: %s", reason(error))
        return True
    return _meaning(told) == _meaning(there)


def _meaning(said: Any) -> str:
    """Return commands as a text that can be compared: in any order, without ids, and without false or empty fields.

    Discord may leave such fields out.
    """
    if isinstance(said, dict):
        return str(sorted((key, _meaning(value)) for key, value in said.items() if key in _MEANING and value))
    return str(sorted(map(_meaning, said)) if isinstance(said, list) else said)


def payloads(bot: Client, guild: discord.Object | None = None) -> list[dict[str, Any]]:
    """Return the commands (of all servers, or of one alone) as sent to Discord, sorted by kind and name."""
    found = [command.to_dict(bot.tree) for command in bot.tree.get_commands(guild=guild)]
    return sorted(found, key=lambda command: (command["type"], command["name"]))
