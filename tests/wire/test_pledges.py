"""Pledges on the wire: the bot dies while it calls people, and while it opens their table (P40)."""

from __future__ import annotations

import pytest

from .bot_process import BotProcess
from .discord_standin import Discord, Message, Moment, Person, Request
from .stored import Stored
from .table import Table, labels

pytestmark = pytest.mark.wire

READY = "I'm ready"
CALLS = ("Ready for", "You're in", "Your table is open", "has started", "didn't come about", "not this time")
"""What a call says, or becomes."""


def calls(person: Person) -> list[Message]:
    """Every message in their DM by which somebody was called, whatever it says by now."""
    return [each for each in person.dm.messages.values() if any(part in each.content for part in CALLS)]


def question(person: Person) -> Message | None:
    """The **Ready?** that they can answer."""
    return next((each for each in calls(person) if READY in labels(each)), None)


async def back(table: Table, bot: BotProcess) -> None:
    """Start a bot again, and wait until people can press: a lobby waits through the time in which they can't."""
    stored = Stored(bot.database)
    noted = stored.rows("SELECT since FROM gaps WHERE until IS NULL")
    await bot.start()
    await table.discord.until(lambda: stored.rows("SELECT since FROM gaps WHERE until IS NULL") != noted)


async def started(table: Table, bot: BotProcess) -> None:
    """Let a lobby that starts by itself be posted, and its time come."""
    stored = Stored(bot.database)
    posted = "SELECT 1 FROM matches WHERE lobby_message_id IS NOT NULL"
    await table.discord.until(lambda: stored.rows(posted), 30)
    bot.ahead(bot.seconds_ahead + 120)
    await table.called()


def _asks(request: Request) -> bool:
    return request.method == "POST" and "Ready for Saboteur" in _content(request)


def _opens(request: Request) -> bool:
    return request.method == "POST" and "Starts by itself" in _content(request)


def _content(request: Request) -> str:
    return str(request.body.get("content") or "") if isinstance(request.body, dict) else ""


@pytest.mark.parametrize("moment", Moment)
async def test_a_bot_that_dies_at_its_requests_asks_nobody_twice_and_opens_one_table(
    discord: Discord, bot: BotProcess, moment: Moment
) -> None:
    table = Table.of(discord, 3)
    await bot.start()
    discord.faults.once(moment, lambda _: bot.kill(), which=_asks, skip=1)
    for person in table.people:
        page = await table.asked(person.command(table.channel, "tables"))
        page = await table.asked(person.press(page, "I'd play …"))
        for menu, value in (("Which game?", "saboteur"), ("Players?", "3"), ("How fast?", "live")):
            page = await table.asked(person.pick(page, value, menu=menu))
    await bot.gone()
    await back(table, bot)
    questions = [await discord.until(lambda person=person: question(person)) for person in table.people]
    discord.faults.once(moment, lambda _: bot.kill(), which=_opens)
    for person, asked in zip(table.people, questions, strict=True):
        assert asked is not None
        await person.press(asked, READY, wait=person is not table.people[-1])
    await bot.gone()
    await back(table, bot)
    await started(table, bot)
    assert [len(calls(person)) for person in table.people] == [1, 1, 1]
    assert len(Stored(bot.database).rows("SELECT id FROM matches")) == 1
    assert sorted(row["user_id"] for row in Stored(bot.database).rows("SELECT user_id FROM seats")) == [
        person.id for person in table.people
    ]
