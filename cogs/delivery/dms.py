"""Direct messages: opened to whom that is allowed, and remembered where they are and who takes none (P2)."""

from __future__ import annotations

from typing import Final

import discord

from cogs.client import Client
from cogs.table.reply import Message

CLOSED_DM: Final = frozenset({50007, 50278, 40003})
"""This person takes no DMs, shares no server, or DMs are opened too fast."""


async def send(
    bot: Client,
    user_id: int,
    message: Message,
    *,
    channel_id: int | None = None,
    nonce: int | str | None = None,
    silent: bool = True,
) -> discord.Message | None:
    """A DM, in the channel that is known or one that is opened; ``None``, and remembered, where this person takes none.

    Another message under the same `nonce` is the same message. Raises HTTPException.
    """
    arguments = message.arguments(edit=False)
    if nonce is not None:
        arguments["nonce"] = nonce
    try:
        if channel_id is None:
            channel_id = (await bot.create_dm(discord.Object(user_id))).id
            await bot.host.note_dm(user_id, True, channel_id)
        return await bot.get_partial_messageable(channel_id).send(silent=silent, **arguments)
    except discord.Forbidden as error:
        if error.code not in CLOSED_DM:
            raise
        await bot.host.note_dm(user_id, False)
        return None
