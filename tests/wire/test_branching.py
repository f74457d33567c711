"""Playing on from a finished match on the wire: the bot is killed around the beginning (P38)."""

from __future__ import annotations

import pytest

from db import Database
from matches.api import Host
from tests.store import fresh

from .bot_process import BotProcess
from .discord_standin import Discord, Message, Unanswered
from .stored import Stored, ended
from .table import Table, labels

pytestmark = pytest.mark.wire

PLAY_ON = "Play on from here"


async def asked(table: Table) -> Message | None:
    """The question how to play on from the middle of the match."""
    ann = table.people[0]
    shown = (await ann.command(table.channel, "match replay", match=1)).message
    for label in ("Last", "◀ Back", PLAY_ON):
        assert shown is not None
        shown = (await ann.press(shown, label)).message
    return shown


@pytest.mark.parametrize("kill", [f"{when} {number}" for number in range(3, 11) for when in ("before", "after")])
async def test_it_begins_wholly_or_not_at_all_if_the_bot_is_killed(
    kill: str, discord: Discord, bot: BotProcess
) -> None:
    discord.impatient = True
    table = Table.of(discord, 2)
    async with await Database.open(fresh(bot.database)) as database:
        await ended(Host(database), table, "gambo", 6)
    await bot.start(kill=kill)
    ann, stored = table.people[0], Stored(bot.database)
    for _ in range(20):
        if not bot.alive:
            await bot.start()
        try:
            question = await asked(table)
            assert question is not None
            await ann.press(question, "Easy computer")
            break
        except (Unanswered, TimeoutError):
            await discord.until(lambda: not bot.alive)
    await discord.until(
        lambda: (bot.alive and any("Play" in labels(message) for message in ann.sees(ann.dm))) or not bot.alive
    )
    if not bot.alive:
        await bot.start()
    await discord.until(lambda: any("Play" in labels(message) for message in ann.sees(ann.dm)))
    new = stored.rows("SELECT * FROM matches WHERE branch_seat IS NOT NULL")
    assert new, "the table is there in the end"
    for match in new:
        lines = stored.rows(f"SELECT * FROM log WHERE match_id = {match['id']} ORDER BY ply")
        origin = stored.rows("SELECT * FROM log WHERE match_id = 1 AND player <> -2 ORDER BY ply")
        copy = match["branch_ply"]
        assert match["status"] == "running"
        assert [line["action"] for line in lines[:copy]] == [line["action"] for line in origin[:copy]]
        assert lines[copy]["action"].startswith("branch ")
        seats = stored.rows(f"SELECT * FROM seats WHERE match_id = {match['id']}")
        assert sorted(seat["user_id"] is None for seat in seats) == [False, True]
    assert len(new) <= 2, "a press that died after it was stored, and the one after that"
