"""Players whom moderators or Discord keep from pressing, as the bot finds that out by its requests (P13, P17)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from .bot_process import BotProcess
from .discord_standin import Discord, Person
from .stored import Stored
from .table import Table, labels
from .test_gaps import MINUTE, REMINDED, TURN, WAITING, all_told, live_table, said, times
from .test_servers import guild_of
from .test_servers import said as times_said

pytestmark = pytest.mark.wire

CANNOT = "can't play right now"
PAUSED = f"{CANNOT}, so their clock is paused for at most 10 minutes."
BACK = "is back."
WHY = {
    "silenced": "you're timed out on that server",
    "hidden": "you can't see the channel where it's played",
    "refused": "I can't post in",
}


async def cut(table: Table, person: Person, how: str, *, off: bool = True) -> None:
    """Keep this person from pressing, or let them press again."""
    discord, guild = table.discord, table.discord.world.guilds[guild_of(table)]
    if how == "silenced":
        until = (datetime.now(UTC) + timedelta(days=28)).isoformat()
        guild.silenced = {person.id: until} if off else {}
    elif how == "hidden":
        await discord.hide(table.channel, person, hidden=off)
    elif how == "gone":
        guild.members |= {person.id: person.user}
        if off:
            del guild.members[person.id]
    else:
        table.channel.denied = {"send_messages"} if off else set()
        await discord.channel_event("CHANNEL_UPDATE", table.channel)


async def called(discord: Discord, bot: BotProcess) -> tuple[Table, Person, Person]:
    """A rated match of two in which both have moved, whose turn it is, and the other, who owns the server."""
    table = await live_table(discord, bot)
    owner, mover = table.people
    while table.moves < 2 or table.mover() is owner:
        await table.turn()
    await discord.until(lambda: all_told(bot))
    return table, mover, owner


def read(person: Person, words: str) -> int:
    return sum(words in message.content for message in person.dm.messages.values())


# FOUND C3, C4
@pytest.mark.parametrize("how", ["silenced", "hidden"])
async def test_whoever_cannot_press_is_not_reminded_and_plays_on_when_they_can(
    how: str, discord: Discord, bot: BotProcess
) -> None:
    table, mover, other = await called(discord, bot)
    before = times(bot)
    await cut(table, mover, how)
    bot.ahead(REMINDED)
    await discord.until(lambda: read(mover, WHY[how]) and times_said(table, PAUSED))
    await discord.until(lambda: all_told(bot))
    await cut(table, mover, how, off=False)
    bot.ahead(REMINDED + MINUTE)
    await discord.until(lambda: times_said(table, BACK), place=table.channel)
    assert times(bot)[1] - before[1] >= MINUTE
    assert (said(table), read(mover, WHY[how]), times_said(table, CANNOT)) == ([WAITING], 1, 1)
    reminder = table.latest()
    assert reminder is not None
    await table.move_by_panel(mover, reminder)
    await discord.until(lambda: table.mover() is other, place=table.channel)


# FOUND C5
async def test_about_somebody_who_was_kicked_the_table_is_asked_and_the_first_end_is_not_rated(
    discord: Discord, bot: BotProcess
) -> None:
    table, mover, other = await called(discord, bot)
    await cut(table, mover, "gone")
    bot.ahead(REMINDED)
    await discord.until(lambda: times_said(table, PAUSED), place=table.channel)
    await discord.until(lambda: all_told(bot))
    bot.ahead(REMINDED + MINUTE)
    await discord.until(lambda: times_said(table, CANNOT) == 2, place=table.channel)
    (asked,) = (each for each in table.channel.messages.values() if "End the match" in labels(each))
    await other.press(asked, "End the match")
    await discord.until(lambda: table.over, place=table.channel)
    assert said(table) == []
    assert times_said(table, "Nobody's rating changes, because somebody couldn't play on.") == 1


# FOUND C5
async def test_whoever_left_is_found_out_when_they_are_called_after_an_hour(discord: Discord, bot: BotProcess) -> None:
    table = Table.of(discord, 2)
    await bot.start()
    await table.begin("gambo", pace="day")
    await table.called()
    await discord.until(lambda: all_told(bot))
    (other,) = (each for each in table.people if each is not table.mover())
    await cut(table, other, "gone")
    bot.ahead(60 * MINUTE)
    await table.turn(wait=False)
    await discord.until(lambda: times_said(table, CANNOT), place=table.channel)
    asked = [request for request in discord.requests if request.path == "/guilds/{guild_id}/members/{user_id}"]
    assert {int(request.values["user_id"]) for request in asked} == {other.id}
    await cut(table, other, "gone", off=False)
    board = table.latest()
    assert board is not None
    await table.move_by_panel(other, board)
    await discord.until(lambda: table.latest() is not board, place=table.channel)


# FOUND C3
async def test_a_place_that_refuses_the_bot_stops_the_clock_until_somebody_moves_the_match(
    discord: Discord, bot: BotProcess
) -> None:
    table, mover, _ = await called(discord, bot)
    before = times(bot)
    await cut(table, mover, "refused")
    bot.ahead(REMINDED)
    await discord.until(lambda: all(read(each, WHY["refused"]) for each in table.people))
    bot.ahead(REMINDED + TURN)
    elsewhere = discord.world.text_channel(discord.world.guilds[guild_of(table)], "elsewhere")
    await discord.channel_event("CHANNEL_CREATE", elsewhere)
    await mover.command(elsewhere, "match move", match=1)
    await discord.until(lambda: Stored(bot.database).match(1)["lost"] is None)
    assert times(bot)[1] - before[1] >= TURN
    assert said(table) == []
    assert [read(each, WHY["refused"]) for each in table.people] == [1, 1]


# FOUND C1, C5, W5
async def test_whoever_is_asked_whether_they_are_here_has_five_minutes_in_which_the_bot_can_hear_them(
    discord: Discord, bot: BotProcess
) -> None:
    table = Table.of(discord, 3)
    await bot.start()
    lobby = await table.opened("saboteur", pace="live")
    owner, *others = table.people
    bot.ahead(61 * MINUTE)
    for person in others:
        await person.press(lobby, "Join")
    await others[0].press(lobby, "Start")
    asks = f"<@{owner.id}>, are you still here?"
    await discord.until(lambda: times_said(table, asks), place=table.channel)
    bot.kill()
    await bot.gone()
    bot.ahead(71 * MINUTE)
    await bot.start()
    stored = Stored(bot.database)
    await discord.until(lambda: stored.rows("SELECT 1 FROM gaps WHERE over"))
    bot.ahead(74 * MINUTE)
    (asked,) = (each for each in table.channel.messages.values() if asks in each.content)
    await owner.press(asked, "I'm here")
    await table.called()
    assert len(stored.rows("SELECT 1 FROM seats WHERE user_id IS NOT NULL")) == 3
