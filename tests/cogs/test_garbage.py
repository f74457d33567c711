"""What is used up is freed at once. Nothing is left to the collector, which looks only at what is young."""

import asyncio
import gc
import io
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import discord
import pytest

from cogs import internals, servers
from tests.cogs.table import play_by_panel, table

KINDS = discord.Interaction, discord.InteractionResponse, discord.ui.View, discord.ui.Item, discord.Guild, io.BytesIO
MOVES = 4
USER = {"id": 1, "username": "Ambit", "discriminator": "0", "avatar": None}


@contextmanager
def only_counting() -> Iterator[Counter[str]]:
    """Let nothing be collected in this block. Afterwards, count what could have been, by the names of `KINDS`."""
    found: Counter[str] = Counter()
    gc.collect()
    gc.disable()
    try:
        yield found
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        found.update(type(each).__name__ for each in gc.garbage if isinstance(each, KINDS))
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()


@pytest.mark.parametrize("game", ["gambo", "saboteur"])
async def test_a_move_leaves_no_cycles(tmp_path: Path, game: str) -> None:
    async with table(tmp_path / "ambit.db", 3) as room:
        await room.begin(game, 2 if game == "gambo" else 3)
        with only_counting() as left:
            for _ in range(MOVES):
                await play_by_panel(*room.to_play(), random.Random(1))
    assert left == {}


async def test_a_server_that_is_described_no_more_is_freed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers, "USED_FOR", 0.0)
    client = discord.AutoShardedClient(intents=discord.Intents(guilds=True), shard_count=1, shard_ids=[0])
    servers.Servers(client)
    server, heard = {"id": 7, "channels": [{"id": 8, "type": 0, "name": "", "position": 0}]}, internals.parsers(client)
    ready = {"shard": (0, 1), "guilds": [server], "user": USER}
    heard["READY"](ready)
    with only_counting() as left:
        for event, data in (("READY", ready), ("GUILD_DELETE", server)):
            heard[event](data)
            for _ in range(2):  # A callback that is due at once isn't called in the next step of the loop.
                await asyncio.sleep(0)
    assert left == {}
