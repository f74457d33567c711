"""Deleting a person from the command line, while the bot runs on the same store."""

from __future__ import annotations

import pytest

from matches.api import UserId
from matches.host import by_mail
from tests.store import fresh

from .bot_process import BotProcess
from .discord_standin import Discord, Message
from .stored import Stored
from .table import Table

pytestmark = [pytest.mark.wire, pytest.mark.slow]


def shown(message: Message) -> str:
    """The words of a message and the descriptions of its pictures."""
    return " ".join((message.content, *(each.description or "" for each in message.attachments)))


async def test_whoever_is_deleted_by_mail_leaves_a_table_that_plays_on_at_once(
    discord: Discord, bot: BotProcess
) -> None:
    table = Table.of(discord, 3)
    await bot.start()
    await table.begin("saboteur")
    await table.called()
    bob, address = table.people[1], fresh(bot.database)
    name = bob.user.global_name or bob.user.username
    lobby = next(message for message in table.channel.messages.values() if name in shown(message))
    told = await by_mail.forget(address, UserId(bob.id))
    assert told == f"Everything about {bob.id} has been deleted; it was in 1 match."
    stored = Stored(bot.database)
    assert [row["user_id"] for row in stored.rows("SELECT user_id FROM seats") if row["user_id"] == bob.id] == []
    await discord.until(lambda: name not in shown(lobby))
    await table.play_on(turns=3)
