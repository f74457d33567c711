"""Appointed tables and their scheduled events on the wire, also while the bot is down (P40)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from cogs.text.words import MORE

from .bot_process import BotProcess
from .discord_standin import Discord, Message, Moment
from .discord_standin.faults import Request
from .discord_standin.world import ACTIVE, CANCELED, COMPLETED, Event
from .stored import Stored, settled
from .table import Table, behind, labels
from .test_servers import guild_of

pytestmark = pytest.mark.wire

READY = "I'm ready"


@pytest.fixture
def table(discord: Discord) -> Table:
    return Table.of(discord, 2)


async def opened(table: Table) -> Message:
    """Ann has appointed a table of Gambo, and Bob has joined it."""
    lobby = await table.opened("gambo", at="3 hours")
    await table.people[1].press(lobby, "Join")
    return lobby


def events(table: Table) -> list[Event]:
    return list(table.discord.world.guilds[guild_of(table)].events.values())


def question(table: Table) -> Message | None:
    """The post that asks who is ready."""
    posts = reversed(table.channel.messages.values())
    return next((each for each in posts if labels(each) == [READY]), None)


@pytest.mark.parametrize("moment", Moment)
async def test_a_bot_that_dies_at_its_requests_about_the_event_makes_one_which_goes_with_its_table(
    table: Table, bot: BotProcess, discord: Discord, moment: Moment
) -> None:
    await bot.start()

    def making(request: Request) -> bool:
        return request.method == "POST" and request.path.endswith("/scheduled-events")

    discord.faults.once(moment, lambda _: bot.kill(), which=making)
    await table.people[0].command(table.channel, "gambo new", at="3 hours")
    lobby, *_ = await discord.until(
        lambda: [each for each in table.channel.messages.values() if "Join" in labels(each)]
    )
    await bot.gone()
    await bot.start()
    await settled(table, bot)
    (event,) = events(table)
    assert Stored(bot.database).rows("SELECT event_id FROM appointments") == [{"event_id": event.id}]
    await behind(table.people[0], lobby, "Cancel")
    await discord.until(lambda: not events(table))


@pytest.mark.parametrize("down", [False, True], ids=["up", "down"])
async def test_the_end_of_an_event_is_the_end_of_its_table(
    table: Table, bot: BotProcess, discord: Discord, down: bool
) -> None:
    await bot.start()
    lobbies = [await opened(table) for _ in range(3)]
    await settled(table, bot)
    cancelled, completed, deleted = events(table)
    if down:
        await bot.close()
    await discord.change_event(cancelled, status=CANCELED)
    await discord.change_event(completed, status=COMPLETED)
    await discord.delete_event(deleted)
    if down:
        await bot.start()
    ended = "SELECT 1 FROM matches WHERE status = 'cancelled' AND ended_by = 'event'"
    await discord.until(lambda: len(Stored(bot.database).rows(ended)) == 3)
    await discord.until(lambda: all("Its event was cancelled" in lobby.content for lobby in lobbies))
    assert not any(map(labels, lobbies))


@pytest.mark.parametrize("down", [False, True], ids=["up", "down"])
async def test_a_table_and_its_event_have_one_time_whoever_changes_it_and_start_together(
    table: Table, bot: BotProcess, discord: Discord, down: bool
) -> None:
    ann, bob = table.people
    await bot.start()
    lobby = await opened(table)
    await settled(table, bot)
    (event,) = events(table)
    assert (event.name, event.location) == (
        "Gambo #1",
        f"https://discord.com/channels/{guild_of(table)}/{table.channel.id}/{lobby.id}",
    )
    later = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=30)
    if down:
        await bot.close()
    await discord.change_event(event, start=later.isoformat(), end=(later + timedelta(hours=1)).isoformat())
    if down:
        await bot.start()
    await discord.until(lambda: f"<t:{int(later.timestamp())}:f>" in lobby.content)
    told = [each for each in table.channel.messages.values() if "has another time" in each.content]
    assert [each.pings for each in told] == [(bob.id,)]
    last = later + timedelta(days=1)
    page = await table.asked(ann.press(await table.asked(ann.press(lobby, MORE)), "Change …"))
    await ann.fill_in(await ann.press(page, "Another time …"), f"<t:{int(last.timestamp())}>")
    await discord.until(lambda: datetime.fromisoformat(event.start) - last < timedelta(minutes=1))
    # People were told just now, so they're told at the end of the hour (FOUND D5).
    waiting = [{"kind": "rescheduled"}]
    await discord.until(lambda: [dict(row) for row in Stored(bot.database).rows("SELECT kind FROM outbox")] == waiting)
    changes = [request for request in discord.requests if request.path.endswith("event_id}")]
    assert [request.method for request in changes].count("PATCH") == 1, "the event and the table don't chase each other"
    bot.ahead((last - datetime.now(UTC) - timedelta(minutes=9)).total_seconds())
    asked = await discord.until(lambda: question(table))
    assert asked is not None
    assert set(asked.pings) == {ann.id, bob.id}
    for person in table.people:
        await person.press(asked, READY)
    bot.ahead(bot.seconds_ahead + 11 * 60)
    await table.called()
    await discord.until(lambda: event.status == ACTIVE)


async def test_without_the_permission_or_where_not_everybody_can_see_it_a_table_has_no_event(
    table: Table, bot: BotProcess, discord: Discord
) -> None:
    guild = discord.world.guilds[guild_of(table)]
    guild.denied.add("create_events")
    await bot.start()
    lobby = await opened(table)
    await settled(table, bot)
    assert "**Starts <t:" in lobby.content
    assert not any("scheduled-events" in request.path for request in discord.requests)
    # The permission is taken away after the opening.
    guild.denied.clear()
    discord.faults.answer(403, 50013, which=lambda request: request.path.endswith("/scheduled-events"))
    await table.opened("gambo", at="3 hours")
    await settled(table, bot)
    assert [row["mirrored"] for row in Stored(bot.database).rows("SELECT mirrored FROM appointments")] == [0, 0]
    assert Stored(bot.database).match(1)["status"] == "lobby"
