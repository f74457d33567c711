"""Reviews on the wire: the bot is killed between their steps."""

from __future__ import annotations

import json

import pytest

from db import Database
from matches.api import Host, MatchId, UserId
from tests.store import address, execute, fresh

from .bot_process import BotProcess
from .discord_standin import Discord
from .stored import Stored, ended
from .table import Table

pytestmark = pytest.mark.wire

SECONDS = 120.0


async def asked(bot: BotProcess, table: Table) -> None:
    """Somebody has asked for a review of match 1."""
    async with await Database.open(address(bot.database)) as database:
        await Host(database).reviews.ask(MatchId(1), UserId(table.people[0].id))


def results(stored: Stored) -> dict[str, object]:
    """What the steps so far have found."""
    (row,) = stored.rows("SELECT results FROM reviews")
    found = row["results"]
    return dict(json.loads(found) if isinstance(found, str) else found)


async def test_it_goes_on_after_each_kill_and_ends_with_the_same_bytes(discord: Discord, bot: BotProcess) -> None:
    discord.impatient = True
    table, stored = Table.of(discord, 2), Stored(bot.database)
    async with await Database.open(fresh(bot.database)) as database:
        await ended(Host(database), table, "gambo", 8)

    def finished() -> bool:
        return bool(stored.rows("SELECT 1 FROM reviews WHERE finished_at IS NOT NULL"))

    await asked(bot, table)
    await bot.start()
    await discord.until(finished, SECONDS)
    whole = results(stored)
    assert len(whole) > 6
    await bot.stop()
    execute(bot.database, "DELETE FROM reviews")
    await asked(bot, table)
    steps = [0]
    for number in range(4, 200, 3):
        # A start writes, too. So each process gets a bit further than the one before it.
        await bot.start(kill=f"{('before', 'after')[number % 2]} {number}", connect=False)
        await discord.until(lambda: not bot.alive or finished(), SECONDS)
        if finished():
            break
        steps.append(len(results(stored)))
    assert steps == sorted(steps), "nothing that was stored is lost"
    assert len({each for each in steps if 0 < each < len(whole)}) >= 2, "it was killed in the middle"
    assert json.dumps(results(stored)) == json.dumps(whole)
