"""A press that reaches the bot when Discord takes no answer any more, as after a lost connection."""

from typing import Any

import pytest

from .bot_process import BotProcess
from .discord_standin import Discord, Message
from .discord_standin.people import BUTTON, COMMAND, COMPONENT, FORM, sent
from .discord_standin.world import Interaction
from .stored import Stored
from .table import Table

pytestmark = pytest.mark.wire

LATE = 4.0


def pressed(table: Table, seat: int, message: Message, label: str) -> Interaction:
    """A press that Discord hasn't delivered yet."""
    data: dict[str, Any] = {"id": 1, "component_type": BUTTON, "custom_id": table.button(message, label)["custom_id"]}
    place = table.discord.world.channels[message.channel_id]
    return table.discord.interact(table.people[seat], place, COMPONENT, data, message)


async def time_passes(table: Table) -> None:
    """Let Discord's clock run ahead of the bot's, which notices that by the next press."""
    table.discord.world.time.advance(LATE)
    await table.people[0].command(table.channel, "match")


async def test_what_comes_too_late_does_nothing_and_brings_the_newest_board(
    in_gambo: Table, bot: BotProcess, discord: Discord
) -> None:
    table = in_gambo
    board, person = await table.called(), table.on_turn()
    seat = table.people.index(person)
    panel = await table.panel_before_confirm(person, board)
    plies = len(Stored(bot.database).lines(1))
    used = Stored(bot.database).rows("SELECT * FROM allowances")
    # The whole replay after a lost connection: the same person has pressed several times.
    late = [pressed(table, seat, panel, "Confirm") for _ in range(3)]
    await time_passes(table)
    for each in late:
        await discord.deliver(each)
    await discord.until(lambda: bot.log().count("came too late") == 3)
    await discord.until(lambda: table.latest() is not board, place=table.place)
    # It is the same position, and it calls nobody a second time.
    newest = table.latest()
    assert newest is not None
    assert len(Stored(bot.database).lines(1)) == plies
    assert Stored(bot.database).rows("SELECT * FROM allowances") == used
    assert newest.pings == ()
    # A command, too.
    made = next(each for each in discord.world.commands if each["name"] == "match")
    data = {"id": made["id"], "name": "match", "type": 1, "options": []}
    looked = discord.interact(person, table.channel, COMMAND, data | {"guild_id": str(table.channel.guild_id)})
    # A form that somebody sends, and a press that would open it.
    away = discord.interact(person, table.channel, FORM, sent("f:awayuntil::::", "2 days"), newest)
    opens = discord.interact(
        person, table.channel, COMPONENT, {"id": 1, "component_type": BUTTON, "custom_id": "b:awayuntil::::"}, newest
    )
    part = {"type": BUTTON, "id": 2, "custom_id": "b:awayuntil::::", "style": 1, "label": "Forged"}
    opens.forged = [{"type": 1, "id": 1, "components": [part]}]
    # Clocks may be wrong: Discord still waits for the answer to this one.
    asked = pressed(table, 0, newest, "⋯")
    await time_passes(table)
    asked.born += LATE
    for each in (looked, away, opens, asked):
        await discord.deliver(each)
    await discord.until(lambda: asked.acknowledged is not None and bot.log().count("too late") == 6)
    assert Stored(bot.database).rows("SELECT 1 FROM player_settings WHERE away_until IS NOT NULL") == []
    assert Stored(bot.database).match(1)["status"] == "running"
    await table.turn()
    assert len(table.boards()) <= 4
