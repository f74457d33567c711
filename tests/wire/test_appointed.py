"""Appointed tables on the wire: restarts, scheduled events, two processes, a bot that is thrown out (P40)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from .bot_process import BotProcess
from .discord_standin import Discord, Message, Moment
from .discord_standin.faults import Request
from .discord_standin.world import ACTIVE, CANCELED, COMPLETED, Event
from .stored import Stored, settled
from .table import Table, labels, served_by_two
from .test_servers import guild_of

pytestmark = pytest.mark.wire

HOURS = 3600.0
MINUTES = 60.0
READY = "I'm ready"


@pytest.fixture
def table(discord: Discord) -> Table:
    return Table.of(discord, 3)


async def opened(table: Table, at: str = "3 hours", **options: Any) -> Message:
    """Ann has appointed a table of Gambo, and Bob has joined it."""
    lobby = await table.opened("gambo", at=at, **options)
    await table.people[1].press(lobby, "Join")
    return lobby


def events(table: Table) -> list[Event]:
    return list(table.discord.world.guilds[guild_of(table)].events.values())


async def event_of(table: Table) -> Event:
    (event,) = await table.discord.until(lambda: events(table))
    return event


def status(bot: BotProcess) -> tuple[str, str | None]:
    match = Stored(bot.database).match(1)
    return match["status"], match["ended_by"]


def question(table: Table) -> Message | None:
    """The post that asks who is ready."""
    posts = reversed(table.channel.messages.values())
    return next((each for each in posts if labels(each) == [READY]), None)


@pytest.mark.slow
async def test_a_table_starts_at_its_time_although_the_bot_restarts_at_every_step(
    table: Table, bot: BotProcess, discord: Discord
) -> None:
    async def again(**how: Any) -> None:
        await bot.close()
        await bot.start(**how)

    await bot.start()
    lobby = await opened(table)
    event = await event_of(table)
    start = datetime.fromisoformat(event.start)
    assert (event.name, event.location) == (
        "Gambo #1",
        f"https://discord.com/channels/{guild_of(table)}/{table.channel.id}/{lobby.id}",
    )
    assert f"<t:{int(start.timestamp())}:f>" in lobby.content
    await again()
    await table.people[2].press(lobby, "Get in line")
    await again()
    bot.ahead(3 * HOURS - 9 * MINUTES)
    asked = await discord.until(lambda: question(table))
    assert asked is not None
    assert set(asked.pings) == {person.id for person in table.people}
    await again()
    await table.people[0].press(asked, READY)
    await again()
    await table.people[2].press(asked, READY)
    await again()
    await settled(table, bot)
    assert question(table) is asked, "nobody is asked twice"
    bot.ahead(3 * HOURS + 2 * MINUTES)
    await table.called()
    assert status(bot)[0] == "running"
    seated = {row["user_id"] for row in Stored(bot.database).rows("SELECT user_id FROM seats")}
    assert seated == {table.people[0].id, table.people[2].id}
    await discord.until(lambda: event.status == ACTIVE)
    await discord.until(lambda: question(table) is None)
    await again()
    await table.turn()
    assert [each.status for each in events(table)] == [ACTIVE]
    await table.people[0].command(table.channel, "match resign")
    assert not discord.violations


@pytest.mark.parametrize("moment", Moment)
async def test_a_bot_that_dies_at_its_requests_about_the_event_makes_one(
    table: Table, bot: BotProcess, discord: Discord, moment: Moment
) -> None:
    await bot.start()

    def making(request: Request) -> bool:
        return request.method == "POST" and request.path.endswith("/scheduled-events")

    discord.faults.once(moment, lambda _: bot.kill(), which=making)
    await table.opened("gambo", at="3 hours")
    await bot.gone()
    await bot.start()
    await settled(table, bot)
    (event,) = events(table)
    assert Stored(bot.database).match(1)["event_id"] == event.id


async def of_a_change(table: Table, bot: BotProcess, change: Callable[[Event], Awaitable[None]], *, down: bool) -> None:
    """Let a moderator change the event, perhaps while the bot is down."""
    event = await event_of(table)
    await settled(table, bot)
    if down:
        await bot.close()
    await change(event)
    if down:
        await bot.start()


@pytest.mark.parametrize("down", [False, True], ids=["up", "down"])
@pytest.mark.parametrize("how", ["cancelled", "deleted", "completed"])
async def test_the_end_of_an_event_is_the_end_of_its_table(
    table: Table, bot: BotProcess, discord: Discord, how: str, down: bool
) -> None:
    async def over(event: Event) -> None:
        if how == "deleted":
            await discord.delete_event(event)
        else:
            await discord.change_event(event, status=CANCELED if how == "cancelled" else COMPLETED)

    await bot.start()
    lobby = await opened(table)
    await of_a_change(table, bot, over, down=down)
    await discord.until(lambda: status(bot) == ("cancelled", "event"))
    await discord.until(lambda: "Its event was cancelled" in lobby.content)
    assert not labels(lobby)


@pytest.mark.slow
@pytest.mark.parametrize("down", [False, True], ids=["up", "down"])
async def test_another_time_of_an_event_is_that_of_its_table_and_the_other_way_round(
    table: Table, bot: BotProcess, discord: Discord, down: bool
) -> None:
    later = datetime.now(UTC).replace(microsecond=0) + timedelta(hours=30)

    async def moved(event: Event) -> None:
        await discord.change_event(event, start=later.isoformat(), end=(later + timedelta(hours=1)).isoformat())

    await bot.start()
    lobby = await opened(table)
    await of_a_change(table, bot, moved, down=down)
    await discord.until(lambda: f"<t:{int(later.timestamp())}:f>" in lobby.content)
    told = [each for each in table.channel.messages.values() if "has another time" in each.content]
    assert [each.pings for each in told] == [(table.people[1].id,)]
    last = later + timedelta(days=1)
    await table.people[0].command(table.channel, "match reschedule", at=f"<t:{int(last.timestamp())}>")
    event = await event_of(table)
    await discord.until(lambda: datetime.fromisoformat(event.start) - last < timedelta(minutes=1))
    # People were told just now, so they're told at the end of the hour (FOUND D5).
    waiting = [{"kind": "rescheduled"}]
    await discord.until(lambda: [dict(row) for row in Stored(bot.database).rows("SELECT kind FROM outbox")] == waiting)
    changes = [request for request in discord.requests if request.path.endswith("event_id}")]
    assert [request.method for request in changes].count("PATCH") == 1, "the event and the table don't chase each other"


async def test_a_table_that_is_closed_takes_its_event_along(table: Table, bot: BotProcess, discord: Discord) -> None:
    await bot.start()
    lobby = await opened(table)
    await event_of(table)
    await table.people[0].press(lobby, "Cancel")
    await discord.until(lambda: not events(table))
    assert status(bot) == ("cancelled", "host")


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
    assert [row["mirrored"] for row in Stored(bot.database).rows("SELECT mirrored FROM matches")] == [0, 0]
    assert status(bot)[0] == "lobby"


async def test_a_bot_that_is_thrown_out_asks_when_it_is_back(table: Table, bot: BotProcess, discord: Discord) -> None:
    await bot.start()
    await opened(table)
    await settled(table, bot)
    await discord.throw_out(guild_of(table))
    await discord.until(lambda: Stored(bot.database).match(1)["lost"] == "server")
    bot.ahead(2 * HOURS)
    await discord.invite(guild_of(table))
    await discord.until(lambda: Stored(bot.database).match(1)["lost"] is None)
    bot.ahead(3 * HOURS - 9 * MINUTES)
    await discord.until(lambda: question(table))


def appointed_at(bot: BotProcess) -> int:
    found: int = Stored(bot.database).match(1)["appointed"]
    return found


async def test_of_two_processes_one_asks_and_one_starts_the_table(
    two_bots: tuple[Discord, BotProcess, BotProcess],
) -> None:
    discord, first, second = two_bots
    table = await served_by_two(two_bots, 3)
    await opened(table)
    await settled(table, first)
    for bot in (first, second):
        bot.ahead(3 * HOURS - 9 * MINUTES)
    asked = await discord.until(lambda: question(table))
    assert asked is not None
    for person in table.people[:2]:
        await person.press(asked, READY)
    # Nobody on the server can say that they're ready while its process is down. So it starts so much later.
    await second.close()
    for bot in (first, second):
        bot.ahead(3 * HOURS + 3 * MINUTES)
    starts = appointed_at(first)
    await second.start()
    await discord.until(lambda: appointed_at(first) > starts)
    for bot in (first, second):
        bot.ahead(3 * HOURS + 18 * MINUTES)
    await table.called(60)
    assert len([each for each in table.channel.messages.values() if "are you ready?" in each.content]) <= 1
    assert len(events(table)) == 1
