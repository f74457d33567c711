"""Playing on from a finished match on the wire: the bot is killed once it has begun (P38)."""

from __future__ import annotations

import pytest

from db import Database
from matches.api import Host
from tests.store import fresh

from .bot_process import BotProcess
from .discord_standin import Discord, Message, Moment, Request
from .stored import Stored, ended, settled
from .table import Table, labels

pytestmark = pytest.mark.wire


async def asked(table: Table) -> Message:
    """The question how to play on from the middle of the match."""
    ann = table.people[0]
    shown = (await ann.at_match(table.channel, 1, "Replay")).message
    for label in ("Last", "◀ Back", "Play on from here"):
        assert shown is not None
        shown = (await ann.press(shown, label)).message
    assert shown is not None
    return shown


@pytest.mark.parametrize("moment", Moment)
async def test_it_goes_on_if_the_bot_is_killed_at_its_first_board(
    moment: Moment, discord: Discord, bot: BotProcess
) -> None:
    table, stored = Table.of(discord, 2), Stored(bot.database)
    async with await Database.open(fresh(bot.database)) as database:
        await ended(Host(database), table, "gambo", 6)
    await bot.start()
    await settled(table, bot)
    ann, question = table.people[0], await asked(table)

    def board(request: Request) -> bool:
        return request.method == "POST" and "your turn" in str(request.body)

    discord.faults.once(moment, lambda _: bot.kill(), which=board)
    await ann.press(question, "Easy computer", wait=False)
    await bot.gone()
    await bot.start()
    await settled(table, bot)
    assert ["Play" in labels(message) for message in ann.sees(ann.dm)].count(True) == 1
    (new,) = stored.rows("SELECT * FROM matches WHERE branch_seat IS NOT NULL")
    lines = stored.rows("SELECT * FROM log WHERE match_id = ? ORDER BY ply", new["id"])
    origin = stored.rows("SELECT * FROM log WHERE match_id = 1 AND player <> -2 ORDER BY ply")
    copy = new["branch_ply"]
    assert new["status"] == "running"
    assert [line["action"] for line in lines[:copy]] == [line["action"] for line in origin[:copy]]
    assert lines[copy]["action"].startswith("branch ")
