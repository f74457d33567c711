"""Whom moderators have barred from their server's matches for some days: a page of ``/settings server``.

`db/people/bars.py` has the queries.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import discord

from cogs.commands.setting_pages import People
from cogs.press import rights
from cogs.press.reply import Press
from matches.api import UserId


async def _bar(press: Press, person: UserId, days: int) -> str:
    guild, until = await rights.moderated_server(press), press.host.now() + timedelta(days=days)
    await press.host.settings.bar(guild, person, until)
    return f"<@{person}> is barred until {discord.utils.format_dt(until, 'f')}."


async def _unbar(press: Press, person: UserId) -> str:
    was = await press.host.settings.unbar(await rights.moderated_server(press), person)
    sentence = "can play on this server again." if was else "isn't barred on this server."
    return f"<@{person}> {sentence}"


async def _barred(press: Press) -> dict[UserId, str]:
    found = await press.host.settings.barred(await rights.moderated_server(press))
    return {person: f" until {discord.utils.format_dt(until, 'f')}" for person, until in found}


PAGE: Final = People(
    "Barred from matches",
    "They can't open or join matches on this server, and lose their seats at tables that haven't started. Running "
    "matches continue. People who can manage messages on the whole server choose who.",
    "Bar somebody …",
    listed=_barred,
    put=_bar,
    take=_unbar,
    days=(1, 3, 7, 14, 30, 90, 365),
)
