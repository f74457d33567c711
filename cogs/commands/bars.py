"""``/settings bar|unbar|barred``: moderators bar somebody from their server's matches for some days.

The commands; `db/people/bars.py` has the queries.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

import discord
from discord import app_commands

from cogs.commands.slash import Command, Option
from cogs.press import rights
from cogs.press.reply import Message, Press, whisper
from cogs.text import words
from matches.api import UserId

LONGEST: Final = 365


async def _bar(press: Press, person: discord.User, days: int) -> None:
    guild = await rights.moderated_server(press)
    until = press.host.now() + timedelta(days=days)
    await press.host.settings.bar(guild, UserId(person.id), until)
    text = (
        f"<@{person.id}> can't open or join matches on this server until {discord.utils.format_dt(until, 'f')}. "
        "They've lost their seats at tables that haven't started. Running matches continue."
    )
    await whisper(press, Message(text))


async def _unbar(press: Press, person: discord.User) -> None:
    was = await press.host.settings.unbar(await rights.moderated_server(press), UserId(person.id))
    sentence = "can play on this server again." if was else "isn't barred on this server."
    await whisper(press, Message(f"<@{person.id}> {sentence}"))


async def _barred(press: Press) -> None:
    found = await press.host.settings.barred(await rights.moderated_server(press))
    rows = [f"<@{user_id}> until {discord.utils.format_dt(until, 'f')}" for user_id, until in found]
    await whisper(press, Message(words.first_that_fit(rows or ["Nobody is barred on this server."])))


COMMANDS: Final = (
    Command(
        "bar",
        "Bar somebody from matches on this server for some days (Manage Messages).",
        _bar,
        {
            "person": Option(discord.User, "Who can't open or join matches here.", required=True),
            "days": Option(app_commands.Range[int, 1, LONGEST], "How many days.", required=True),
        },
    ),
    Command(
        "unbar",
        "Let somebody play on this server again (Manage Messages).",
        _unbar,
        {"person": Option(discord.User, "Who can open and join matches again.", required=True)},
    ),
    Command("barred", "Who is barred from matches on this server (Manage Messages).", _barred),
)
