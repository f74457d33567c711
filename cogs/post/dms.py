"""Sends direct messages, if people accept them and the budget allows it (P2, P32).

`matches/delivery/dms.py` decides, `db/people/dms.py` counts.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import NamedTuple

import discord

from cogs.client import Client
from cogs.press.reply import Message
from cogs.process import faults
from cogs.process.faults import has_code
from matches.api import Dm, Private, Seat, UserId
from matches.delivery.dms import Door

log = logging.getLogger(__name__)


class Outcome(NamedTuple):
    """The message that was sent, or why there is none (`CLOSED`: the person accepts none; `UNKNOWN`: not now)."""

    message: discord.Message | None
    dm: Dm


async def send(
    bot: Client,
    user_id: UserId,
    message: Message | Callable[[], Awaitable[Message]],
    *,
    asked: bool,
    seat: Seat | None = None,
    nonce: int | str | None = None,
    silent: bool = True,
) -> Outcome:
    """Send a DM. The channel comes from the `seat` or the store; a new one is opened if the budget allows it.

    `message`: or a function that makes it, called only if there is a channel. `asked`: the person has just pressed for
    it. `nonce`: Discord takes a second message under the same nonce for the first one. Don't call this for people who
    want no DMs. Raises one of `faults.FAILURES`, Unavailable.
    """
    if seat is not None and seat.dm is Dm.OPEN and seat.dm_channel_id is not None:
        door = Door(seat.dm, seat.dm_channel_id)
    else:
        door = await bot.host.dms.door(user_id, asked=asked)
    channel_id = door.channel_id
    if channel_id is None:
        if not door.may_open:
            return Outcome(None, Dm.UNKNOWN)
        try:
            channel_id = (await bot.create_dm(discord.Object(user_id))).id
        except faults.FAILURES as error:
            return Outcome(None, await _refused(bot, user_id, error))
        await bot.host.dms.note_dm_channel(user_id, channel_id)
    content = message if isinstance(message, Message) else await message()
    arguments = content.arguments(edit=False)
    if nonce is not None:
        arguments["nonce"] = nonce
    try:
        sent = await bot.get_partial_messageable(channel_id).send(silent=silent, **arguments)
    except faults.FAILURES as error:
        return Outcome(None, await _refused(bot, user_id, error))
    if door.dm is not Dm.OPEN:
        await bot.host.dms.note_dm(user_id, True, new=door.new)
    return Outcome(sent, Dm.OPEN)


async def _refused(bot: Client, user_id: UserId, error: Exception) -> Dm:
    """Store what Discord's refusal says about the person's DMs, and return it. Raises any other error again."""
    if has_code(error, *faults.NO_DMS):
        await bot.host.dms.note_dm(user_id, False)
        return Dm.CLOSED
    if has_code(error, *faults.DMS_TOO_FAST):
        until = await bot.host.dms.pause_dms()
        if until is not None:
            log.warning("Discord lets the bot open no new DMs for now; the next is tried at %s: %s", until, error)
    elif has_code(error, *faults.NO_DM_CHANNEL):
        await bot.host.dms.note_dm_channel(user_id, None)
    else:
        raise error
    return Dm.UNKNOWN


async def hears_calls(bot: Client, user_id: UserId, greeting: str) -> bool:
    """Whether a person who has just asked to be called can be called by DM. If that isn't known, they are greeted."""
    if (await bot.host.settings.player_settings(user_id)).private is Private.BUTTON:
        return False
    if await bot.host.dms.dm_of(user_id) is Dm.OPEN:
        return True
    return (await send(bot, user_id, Message(greeting), asked=True)).dm is Dm.OPEN
