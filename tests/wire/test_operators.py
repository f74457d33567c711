"""What whoever runs the bot does from the command line, while two processes serve the servers."""

import pytest

from matches.host import by_mail
from tests.store import fresh

from .bot_process import BotProcess
from .discord_standin import Discord
from .stored import Stored
from .table import Table

pytestmark = pytest.mark.wire


async def test_a_hand_from_the_command_line_reaches_every_process(
    two_bots: tuple[Discord, BotProcess, BotProcess],
) -> None:
    discord, *bots = two_bots
    even, odd = Table.of(discord, 2, number=2), Table.of(discord, 2, number=3)
    for bot in bots:
        await bot.start()
    for table in (even, odd):
        await table.begin("gambo")
        await table.called()
    store = fresh(bots[0].database)

    async def tried(table: Table) -> str:
        return (await table.people[1].command(table.channel, "ambush new")).text

    await by_mail.operate(store, "pause", "We move.")
    await by_mail.operate(store, "announce", "Back at 8.")
    for table in (even, odd):
        assert "“We move.”" in await tried(table)
    for bot in bots:
        # Time that all processes agree about.
        bot.ahead(30)
    for table in (even, odd):
        await table.turn()
        await table.called()
        carried = ["> The people who run me say: Back at 8." in board.content for board in table.boards()]
        assert (carried[0], carried[-1], sum(carried)) == (False, True, 1)
    await by_mail.operate(store, "resume", True)
    assert odd.channel.guild_id is not None
    await by_mail.operate(store, "leave", odd.channel.guild_id)
    stored = Stored(bots[0].database)
    await discord.until(lambda: [row["lost"] for row in stored.rows("SELECT lost FROM matches ORDER BY id")][1])
    # By now either process may do that: their time is ahead of the row's, which therefore looks overdue.
    await discord.until(lambda: any("the bot has left it, as its operator wanted" in bot.log() for bot in bots))
    await even.turn()
