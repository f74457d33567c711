"""What wakes an operator at night: the fault on the wire, the line of the log, the alert that fires, and `--status`."""

import asyncio
import operator
import os
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import aiohttp
import pytest
from sqlalchemy.engine import make_url

from cogs.process import status as process_status
from cogs.process.environment import Settings
from tests.files import alerts
from tests.server import STREAMED, running, standby
from tests.store import execute, of_server, of_sqlite

from .bot_process import BotProcess, Nursery
from .discord_standin import Discord, Spec
from .scraping import Measured, Scraper
from .table import Table
from .test_endurance import connect
from .test_faults import board_post, confirm, confirmable
from .test_metrics import bot as measured_bot
from .test_metrics import scraper as free_scraper
from .test_status import said_of

bot, scraper = measured_bot, free_scraper

ALERTS: Final = {alert.name: alert.expression for alert in alerts()}
COMPARED: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
}

pytestmark = pytest.mark.wire


def fires(alert: str, measured: Measured) -> bool:
    """Whether any sample crosses the alert's threshold. If the alert is about an increase, the total counts.

    A condition that other series exist isn't looked at.
    """
    whole = re.fullmatch(
        r"(?:increase\()?(\w+)(?:\{(\w+)=\"(\w+)\"\})?(?:\[\w+\]\))? (\S+) (\S+)(?: and on .*)?", ALERTS[alert]
    )
    assert whole is not None, ALERTS[alert]
    name, label, value, how, threshold = whole.groups()
    found = [
        sample.value
        for sample in measured.samples
        if sample.name == name and (label is None or sample.labels[label] == value)
    ]
    return any(COMPARED[how](each, float(threshold)) for each in found)


async def test_the_porter_is_stuck(table: Table, bot: BotProcess, scraper: Scraper) -> None:
    _, panel = await confirmable(table)
    assert not fires("AmbitNewsWaits", await scraper.measured())
    table.discord.faults.late(60.0, which=board_post)
    await confirm(table, panel)
    bot.ahead(70)
    await scraper.until(lambda found: fires("AmbitNewsWaits", found) and fires("AmbitUnhealthy", found))
    assert "not healthy: A message that could be sent has waited for " in bot.log()
    _, wrong = await said_of(bot)
    assert [each for each in wrong if each.startswith("A message that could be sent has waited for ")]


async def test_discord_quarantines_direct_messages(discord: Discord, bot: BotProcess, scraper: Scraper) -> None:
    discord.faults.answer(403, 40003, which=lambda request: request.path == "/users/@me/channels")
    table = Table.of(discord, 3)
    await bot.start()
    await table.begin("saboteur")
    await scraper.until(lambda found: fires("AmbitDirectMessagesPaused", found))
    assert "Discord lets the bot open no new DMs for now" in bot.log()
    _, wrong = await said_of(bot)
    assert [each for each in wrong if each.startswith("Discord lets the bot open no new direct messages for ")]


async def test_discord_answers_with_429_again_and_again(table: Table, bot: BotProcess, scraper: Scraper) -> None:
    began = time.monotonic()
    _, panel = await confirmable(table)
    table.discord.faults.answer(429, which=board_post)
    await confirm(table, panel)
    found = await scraper.until(lambda found: found.of("ambit_rate_limited_total") >= 10)
    threshold = float(ALERTS["AmbitRateLimited"].rpartition(" ")[2])
    assert found.of("ambit_rate_limited_total") / (time.monotonic() - began) > threshold
    assert "We are being rate limited" in bot.log()
    await scraper.until(lambda _: "worth a look: Discord answers many requests with 429." in bot.log())
    _, wrong = await said_of(bot)
    assert "Discord answers many requests with 429." in wrong


async def test_the_bots_own_pace_holds_boards_back(
    discord: Discord, nursery: Nursery, tmp_path: Path, scraper: Scraper
) -> None:
    bot = BotProcess(discord, tmp_path, nursery, AMBIT_METRICS=scraper.address, WIRE_PACE="1 1")
    tables = [Table.of(discord, 3, number=number) for number in range(1, 5)]
    threshold = float(ALERTS["AmbitOwnPace"].rpartition(" ")[2])
    try:
        await bot.start()
        began = time.monotonic()
        for table in tables:
            await table.begin("saboteur")
        await scraper.until(
            lambda found: found.of("ambit_pace_waited_seconds_total") / (time.monotonic() - began) > threshold
        )
        _, wrong = await said_of(bot)
        assert [each for each in wrong if each.startswith("Requests have waited for our own pace for ")]
        assert "our own pace (1 requests in 1.0 s) has delayed " in bot.log()
    finally:
        await bot.close()


@of_sqlite
async def test_the_disk_is_nearly_full(discord: Discord, nursery: Nursery, tmp_path: Path, scraper: Scraper) -> None:
    bot = BotProcess(discord, tmp_path, nursery, AMBIT_METRICS=scraper.address, WIRE_FREE="500000000")
    try:
        await bot.start()
        # FOUND O6: nobody asks.
        await discord.until(lambda: "worth a look: The disk is nearly full: 500 MB are left." in bot.log())
        await scraper.until(lambda found: fires("AmbitDiskNearlyFull", found))
        assert "The disk is nearly full: 500 MB are left." in (await said_of(bot))[1]
    finally:
        await bot.close()


async def test_worker_processes_die_again_and_again(table: Table, bot: BotProcess, scraper: Scraper) -> None:
    async def hands() -> None:
        board = await table.called()
        await asyncio.gather(*(each.press(board, "My hand") for each in table.people for _ in range(10)))

    await hands()
    for _ in range(4):
        asked = asyncio.create_task(hands())
        while not asked.done():
            for worker in bot.workers:
                os.kill(worker, signal.SIGKILL)
            await asyncio.sleep(0.1)
        await asked
        await hands()
    found = await scraper.until(lambda found: fires("AmbitWorkersDie", found))
    assert found.of("ambit_worker_deaths_total", workers="drawing") >= 4
    assert "was killed twice running" in bot.log()
    _, wrong = await said_of(bot)
    assert "Worker processes die again and again (drawing): is there memory left?" in wrong


async def test_a_match_is_frozen(table: Table, bot: BotProcess, scraper: Scraper) -> None:
    board = await table.called()
    await bot.stop()
    execute(bot.database, "UPDATE log SET action = 'nonsense' WHERE match_id = 1 AND ply = 1")
    await bot.start()
    await table.people[0].press(board, "Play")
    await scraper.until(lambda found: fires("AmbitMatchFrozen", found))
    assert "match 1 (saboteur) is frozen, and its people are told." in bot.log()
    said, wrong = await said_of(bot)
    assert "1 frozen" in said
    assert "Matches that are frozen: 1 (python bot.py --check names them)." in wrong


@of_sqlite
async def test_migrations_are_pending(table: Table, bot: BotProcess, scraper: Scraper) -> None:
    execute(bot.database, "UPDATE alembic_version SET version_num = '0020'")
    await scraper.until(lambda found: fires("AmbitMigrationsPending", found))
    assert "worth a look: Migrations are pending: the schema is 0020" in bot.log()
    _, wrong = await said_of(bot)
    assert [each for each in wrong if "was written by an older version" in each]


@of_server
@pytest.mark.soak
async def test_a_standby_of_the_server_is_behind(
    discord: Discord, nursery: Nursery, tmp_path: Path, scraper: Scraper
) -> None:
    with running(*STREAMED) as server, standby(server) as behind:
        primary, replica = await connect(server.address), await connect(behind.address)
        await primary.execute("CREATE USER plain")
        await primary.execute("CREATE DATABASE nights OWNER plain")
        url = make_url(server.address).set(username="plain", database="nights").render_as_string(hide_password=False)
        bot = BotProcess(discord, tmp_path, nursery, AMBIT_METRICS=scraper.address, AMBIT_DATABASE=url)
        try:
            await bot.start()
            assert "ambit_replica_lag_seconds" not in (await scraper.measured()).text
            # As docs/scaling.md says.
            await primary.execute("GRANT pg_monitor TO plain")
            await scraper.until(lambda found: 'ambit_replica_lag_seconds{process="all"}' in found.text)
            await replica.execute("SELECT pg_wal_replay_pause()")
            # The check of the store writes something, so there is always something to replay.
            await scraper.until(lambda found: fires("AmbitReplicaBehind", found), 90.0)
            assert (await scraper.ask("healthz"))[0] == 200
            assert "worth a look: A standby of the server is 3" in bot.log()
            _, wrong = await process_status.status(Settings(database=url, _env_file=None))  # type: ignore[call-arg]
            assert [each for each in wrong if re.fullmatch(r"A standby of the server is \d+ s behind\.", each)]
            await replica.execute("SELECT pg_wal_replay_resume()")
            await scraper.until(lambda found: not fires("AmbitReplicaBehind", found))
        finally:
            await bot.close()
            await primary.close()
            await replica.close()


async def test_the_event_loop_is_stuck(
    table: Table, bot: BotProcess, scraper: Scraper, monkeypatch: pytest.MonkeyPatch
) -> None:
    os.kill(bot.pid, signal.SIGSTOP)
    try:
        with pytest.raises((TimeoutError, aiohttp.ClientError)):
            await scraper.ask("livez", 1.5)
        monkeypatch.setattr(process_status, "ANSWERS_WITHIN", 0.5)
        _, wrong = await said_of(bot)
        assert wrong == [f"Process all doesn't answer at {scraper.address}: no answer in time (TimeoutError)."]
    finally:
        os.kill(bot.pid, signal.SIGCONT)
    found = await scraper.measured()
    assert found.of("ambit_loop_lag_seconds_count") > found.of("ambit_loop_lag_seconds_bucket", le="1.0")
    assert "the event loop was stuck for " in bot.log()
    assert ALERTS["AmbitDown"] == 'up{job="ambit"} == 0', "what Prometheus itself says of a scrape without an answer"


async def test_a_start_is_no_trouble_however_often_somebody_asks_meanwhile(
    spec: Spec | None, nursery: Nursery, tmp_path: Path, scraper: Scraper
) -> None:  # FOUND O6
    async with Discord(spec=spec, shards=2) as discord:
        bot = BotProcess(discord, tmp_path, nursery, AMBIT_METRICS=scraper.address)
        held = discord.gateway.held[1] = asyncio.Event()
        try:
            await bot.start()
            await scraper.until(lambda found: found.of("ambit_shard_ready") == 1)
            await scraper.ask("healthz")
            held.set()
            await scraper.until(lambda found: found.of("ambit_shard_ready") == 2)
            assert "not healthy" not in bot.log()
        finally:
            await bot.close()
