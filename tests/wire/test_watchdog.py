"""The watchdog ends a bot whose event loop hangs, and no other one. Nothing is lost by that."""

import asyncio
import json
from pathlib import Path

import aiohttp
import pytest

from .bot_process import BotProcess, Nursery
from .discord_standin import Discord, Moment
from .scraping import Scraper
from .stored import Stored
from .systemd import systemd
from .table import Table
from .test_faults import board_post, confirmable

pytestmark = pytest.mark.wire

WATCHDOG = 5.0
ROUNDS = 4


@pytest.mark.soak
async def test_a_loop_that_hangs_is_ended_by_the_watchdog_and_nothing_is_lost(discord: Discord, tmp_path: Path) -> None:
    # Started as anybody would: Python reads its environment.
    bot = BotProcess(discord, tmp_path)
    stuck, stored = tmp_path / "stuck", Stored(bot.database)
    bot.settings["WIRE_STUCK"] = str(stuck)
    discord.impatient = True
    table = Table.of(discord, 3)

    def hang(_: object) -> bool:
        stuck.touch()
        return True

    async with systemd(bot, tmp_path, watchdog=WATCHDOG) as manager:
        await bot.start()
        await table.begin("saboteur")
        for turn in range(1, ROUNDS + 1):
            board, panel = await confirmable(table)
            person = table.mover()
            # It hangs with a move that is stored and not told, and with presses that nobody answers.
            discord.faults.once(Moment.BEFORE, hang, which=board_post)
            await person.press(panel, "Confirm", wait=False)
            await discord.until(lambda turn=turn: sum(line.player >= 0 for line in stored.lines(1)) == turn)
            await discord.until(lambda: not stuck.exists() and manager.beats())
            for each in table.people:
                await each.press(board, "My hand", wait=False)
            await discord.until(lambda turn=turn: manager.aborted == turn, 60.0)
            await discord.until(lambda board=board: table.latest() is not board, 60.0)
            answer = await table.people[0].press(await table.called(), "My hand")
            assert answer.message is not None
        assert manager.heard.count("READY=1") == ROUNDS + 1
        offers = table.offers()
        assert len(offers) == len(set(offers)) == ROUNDS + 1
        log = bot.log()
        assert log.count("Fatal Python error: Aborted") == ROUNDS
        assert "in look" in log, "the traceback says where it hung"
        code, _ = await bot.stop()
        assert code == 0
        await discord.until(lambda: manager.heard[-1] == "STOPPING=1")
    await bot.close()
    assert bot.complaints() == [], bot.log()


async def test_the_watchdog_leaves_a_bot_alone_while_discord_is_away(
    discord: Discord, bot: BotProcess, tmp_path: Path
) -> None:
    table = Table.of(discord, 3)
    async with systemd(bot, tmp_path, watchdog=WATCHDOG) as manager:
        await bot.start()
        await table.begin("saboteur")
        await table.called()
        discord.faults.answer(503)
        discord.gateway.held[0] = asyncio.Event()
        await discord.gateway.drop(gone=True)
        before = manager.beats()
        # Three beats take as long as the watchdog waits, so six are twice that.
        await discord.until(lambda: manager.beats() >= before + 6, 60.0)
        assert not discord.gateway.connected()
        discord.faults.clear()
        discord.gateway.held[0].set()
        await discord.connected()
        await table.turn()
        assert manager.aborted == 0
        assert bot.starts == 1


async def test_a_long_migration_is_alive_not_healthy_and_never_ended(
    discord: Discord, nursery: Nursery, tmp_path: Path
) -> None:
    scraper = Scraper()
    bot = BotProcess(discord, tmp_path, nursery, AMBIT_METRICS=scraper.address, WIRE_MIGRATION="8")
    async with systemd(bot, tmp_path, watchdog=WATCHDOG, start=WATCHDOG) as manager:
        await bot.start(connect=False)

        async def alive() -> bool:
            try:
                return (await scraper.ask("livez"))[0] == 200
            except aiohttp.ClientError:
                return False

        while not await alive():
            assert bot.alive
        assert "READY=1" not in manager.heard
        status, body = await scraper.ask("healthz")
        report = json.loads(body)
        assert status == 503
        assert report["problems"][0].startswith("The bot is starting: its database is being opened or migrated, for ")
        found = await scraper.measured()
        assert found.of("ambit_healthy") == 0
        assert found.of("ambit_build_info", version="0.1.0") == 1
        await discord.until(lambda: "READY=1" in manager.heard, 60.0)
        await scraper.until(lambda found: found.of("ambit_healthy"))
        assert manager.aborted == 0
        assert manager.heard[0].startswith("EXTEND_TIMEOUT_USEC=")
        await bot.close()
