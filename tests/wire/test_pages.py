"""The pages of help, settings and privacy over the wire: every menu, every button, every body judged."""

from __future__ import annotations

import pytest

from .bot_process import BotProcess
from .discord_standin import Discord, Message, Person
from .discord_standin.people import MENU
from .table import Table, labels

pytestmark = pytest.mark.wire

PLACES = {"Change a setting …", "More help …", "What exactly?"}
"""The menus that lead from page to page."""

LEADING_AWAY = {"Start a match", "Learn a game", "My matches", "My settings", "Privacy", "Give me my data"}
"""Buttons to other pages, and to what has tests of its own."""


def places(page: Message) -> list[str]:
    """The values of the menu that leads from page to page."""
    return [
        option["value"]
        for part in page.parts()
        if part["type"] == MENU and part["placeholder"] in PLACES
        for option in part["options"]
    ]


def menu(page: Message) -> str:
    """The placeholder of that menu."""
    (found,) = [part["placeholder"] for part in page.parts() if part.get("placeholder") in PLACES]
    return str(found)


async def walk(person: Person, page: Message) -> int:
    """Open every page, and press its buttons. Return how many different texts were read."""
    seen = set()
    for value in places(page):
        await person.pick(page, value, menu=menu(page))
        for label in labels(page):
            if label in LEADING_AWAY or label not in labels(page):
                continue  # The label of what is chosen now is marked.
            await person.press(page, label)
            seen.add(page.content)
            if not places(page):
                await person.press(page, "◀ Back")
            await person.pick(page, value, menu=menu(page))
        seen.add(page.content)
    return len(seen)


@pytest.mark.slow
async def test_every_page_is_one_that_discord_takes_and_answers_in_time(discord: Discord, bot: BotProcess) -> None:
    table = Table.of(discord, 2)
    ann, bob = table.people
    discord.world.guilds[table.channel.guild_id or 0].moderators.add(ann.id)
    await bot.start()
    for name, least in (("help", 8), ("settings me", 14), ("settings server", 14), ("privacy", 6)):
        page = (await ann.command(table.channel, name)).message
        assert page is not None
        assert await walk(ann, page) >= least, name
        if name == "settings server":
            await ann.pick(page, "channels", menu=menu(page))
            await ann.pick_channels(page, "Only these channels …", table.channel)
            assert f"<#{table.channel.id}>" in page.content
    refused = await bob.command(table.channel, "settings server")
    assert "permission: Manage Server" in refused.text
