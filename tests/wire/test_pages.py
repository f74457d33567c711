"""The pages of help, settings and privacy over the wire: every body judged."""

from typing import Any

import pytest

from .bot_process import BotProcess
from .discord_standin import Discord, Message, Person
from .discord_standin.people import MENU
from .table import Table

pytestmark = pytest.mark.wire

PLACES = {"Change a setting …", "More help …", "What exactly?"}
"""The menus that lead from page to page."""


def menu(page: Message) -> dict[str, Any]:
    """That menu."""
    (found,) = [part for part in page.parts() if part["type"] == MENU and part["placeholder"] in PLACES]
    return found


async def walk(person: Person, page: Message) -> int:
    """Open every page. Return how many different texts were read."""
    seen = set()
    for option in menu(page)["options"]:
        await person.pick(page, option["value"], menu=menu(page)["placeholder"])
        seen.add(page.content)
    return len(seen)


async def test_every_page_is_one_that_discord_takes_and_answers_in_time(discord: Discord, bot: BotProcess) -> None:
    table = Table.of(discord, 2)
    ann, bob = table.people
    discord.world.guilds[table.channel.guild_id or 0].moderators.add(ann.id)
    await bot.start()
    for name in ("help", "settings me", "settings server", "privacy"):
        page = (await ann.command(table.channel, name)).message
        assert page is not None
        assert await walk(ann, page) == len(menu(page)["options"]) >= 5, name
        if name == "settings server":
            await ann.pick(page, "channels", menu=menu(page)["placeholder"])
            await ann.pick_channels(page, "Only these channels …", table.channel)
            assert f"<#{table.channel.id}>" in page.content
    refused = await bob.command(table.channel, "settings server")
    assert "permission: Manage Server" in refused.text
