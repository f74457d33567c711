"""A game's cog is found by its key; `GAMES` is the only list."""

import asyncio
import gc
import weakref
from pathlib import Path
from typing import Any

import pytest

from cogs import game_cog
from cogs.commands.help import games
from games import GAMES
from tests.cogs.table import make_bot


@pytest.mark.parametrize("key", GAMES)
def test_every_game_has_a_cog_of_its_own_in_the_module_of_its_key(key: str) -> None:
    cog = game_cog(key)
    assert (cog.game, cog.__module__) == (key, f"cogs.{key}")


def test_a_module_in_which_no_cog_of_the_game_lies_is_named() -> None:
    with pytest.raises(LookupError, match=r"^In cogs\.drawing there is no cog of the game drawing\.$"):
        game_cog("drawing")


async def test_help_names_the_games_in_the_order_of_their_list(tmp_path: Path) -> None:
    async with make_bot(tmp_path / "ambit.db") as bot:
        await bot.open()
        await bot.add_cogs()
        page = games(bot)
    assert [line.split("`")[1] for line in page.splitlines() if line.startswith("• `/")] == [
        f"/{key} new" for key in GAMES
    ]


async def test_bots_of_a_process_share_their_commands_and_nothing_else(tmp_path: Path) -> None:
    async with make_bot(tmp_path / "one.db") as one, make_bot(tmp_path / "other.db") as other:
        for bot in (one, other):
            await bot.open()
            await bot.add_cogs()
        every = list(other.tree.walk_commands())
        assert list(map(id, one.tree.walk_commands())) == list(map(id, every))
        one.tree.remove_command("gambo")

        @one.tree.error
        async def differently(interaction: Any, error: Exception) -> None: ...

        assert list(other.tree.walk_commands()) == every
        assert other.tree.on_error != one.tree.on_error
        await one.close()
        assert list(other.tree.walk_commands()) == every


async def test_no_command_keeps_a_closed_bot_alive(tmp_path: Path) -> None:
    async def closed() -> weakref.ref[Any]:
        async with make_bot(tmp_path / "ambit.db") as bot:
            await bot.open()
            await bot.add_cogs()
        return weakref.ref(bot)

    gone = await closed()
    await asyncio.sleep(0)
    gc.collect()
    assert gone() is None
