"""The stand-in for Discord, for every test here."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from .bot_process import BotProcess, Nursery
from .discord_standin import Discord, Spec, load_spec
from .discord_standin.spec import PATH
from .stored import Stored
from .table import Table

sharing = pytest.mark.asyncio(loop_scope="module")
"""Marks a test that uses what its module shares."""


@pytest.fixture(scope="session")
def spec() -> Spec | None:
    """Discord's description of its API; without it only the written rules judge."""
    return load_spec()


@pytest.fixture
def needs_spec(spec: Spec | None) -> Spec:
    """For a test that needs that file."""
    if spec is None:
        pytest.skip(f"{PATH.name} is not beside the repository ({PATH.parent.name}/): it is never copied into it")
    return spec


@pytest.fixture
async def discord(spec: Spec | None) -> AsyncIterator[Discord]:
    """A running stand-in. At the end, check that nothing broke Discord's rules."""
    async with Discord(spec=spec) as made:
        yield made
        assert made.violations == []


@pytest.fixture
async def bot(discord: Discord, nursery: Nursery, tmp_path: Path) -> AsyncIterator[BotProcess]:
    """The real bot in its own process, not yet started. At the end, check that its log reports no fault
    in the program.
    """
    made = BotProcess(discord, tmp_path, nursery)
    yield made
    await made.close()
    assert made.complaints() == [], made.log()


@pytest.fixture
async def table(discord: Discord, bot: BotProcess) -> Table:
    """Three people at the beginning of a match of Saboteur, number 1."""
    made = Table.of(discord, 3)
    await bot.start()
    assert await made.begin("saboteur") == 1
    await made.called()
    await made.hand_told()
    return made


@pytest.fixture(scope="module")
def settings() -> dict[str, str]:
    """The settings of the bot that the tests of a module share."""
    return {}


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def shared(
    spec: Spec | None, nursery: Nursery, tmp_path_factory: pytest.TempPathFactory, settings: dict[str, str]
) -> AsyncIterator[tuple[BotProcess, Table]]:
    """A bot and a table like `table`, for all tests of a module. They leave nothing behind but a longer match."""
    async with Discord(spec=spec) as discord:
        bot, table = BotProcess(discord, tmp_path_factory.mktemp("bot"), nursery), Table.of(discord, 3)
        bot.settings |= settings
        try:
            await bot.start()
            assert await table.begin("saboteur") == 1
            yield bot, table
        finally:
            await bot.close()


@pytest_asyncio.fixture(loop_scope="module")
async def shared_bot(shared: tuple[BotProcess, Table]) -> AsyncIterator[BotProcess]:
    """The bot that the tests of a module share, running. At the end, check what `discord` and `bot` do."""
    bot, _ = shared
    bot.discord.faults.clear()
    if not bot.alive:
        await bot.start()
    yield bot
    assert bot.complaints() == [], bot.log()
    assert bot.discord.violations == []


@pytest_asyncio.fixture(loop_scope="module")
async def shared_table(shared: tuple[BotProcess, Table], shared_bot: BotProcess) -> Table:
    """The table that the tests of a module share, once everybody has heard whose turn it is."""
    _, table = shared
    await table.discord.until(lambda: not Stored(shared_bot.database).to_tell(1))
    await table.hand_told()
    return table


@pytest.fixture
async def two_bots(
    spec: Spec | None, nursery: Nursery, tmp_path: Path
) -> AsyncIterator[tuple[Discord, BotProcess, BotProcess]]:
    """Two processes over one file: one hears DMs and even servers (shard 0 of 2), the other odd ones (shard 1)."""
    async with Discord(spec=spec, shards=2) as discord:
        bots = [
            BotProcess(
                discord, tmp_path, nursery, name=f"bot{shard}", AMBIT_SHARD_COUNT="2", AMBIT_SHARD_IDS=str(shard)
            )
            for shard in (0, 1)
        ]
        yield discord, bots[0], bots[1]
        for bot in bots:
            await bot.close()
            assert bot.complaints() == [], bot.log()
        assert discord.violations == []


@pytest.fixture
async def in_gambo(discord: Discord, bot: BotProcess) -> Table:
    """Two people in the middle of a match of Gambo."""
    made = Table.of(discord, 2)
    bot.settings["AMBIT_LOG_LEVEL"] = "INFO"
    await bot.start()
    await made.begin("gambo")
    await made.turn()
    return made
