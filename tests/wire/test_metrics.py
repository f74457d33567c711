"""What the bot tells its operator about itself, measured while it plays."""

import asyncio
import json
import re
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cogs.process.exits import EXIT_LATER
from tests.store import SERVER, of_sqlite

from .bot_process import ROOT, BotProcess, Nursery
from .conftest import sharing
from .discord_standin import Discord
from .scraping import Scraper, free_port
from .table import NAMES, Table

pytestmark = pytest.mark.wire

PAGE = (ROOT / "docs" / "metrics.md").read_text("utf-8")
DOCUMENTED = set(re.findall(r"`(ambit_\w+)`", PAGE))

RARE = {"ambit_replica_lag_seconds", "ambit_backup_age_seconds"}
RARE |= {"ambit_database_bytes", "ambit_wal_bytes", "ambit_disk_free_bytes"} if SERVER else set()
"""What only some stores have."""


@pytest.fixture(scope="module")
def scraper() -> Scraper:
    return Scraper()


@pytest.fixture(scope="module")
def settings(scraper: Scraper) -> dict[str, str]:
    return {"AMBIT_METRICS": scraper.address}


@pytest.fixture
async def bot(discord: Discord, nursery: Nursery, tmp_path: Path, scraper: Scraper) -> AsyncIterator[BotProcess]:
    """The bot, which answers the scraper."""
    made = BotProcess(discord, tmp_path, nursery, AMBIT_METRICS=scraper.address)
    yield made
    await made.close()
    assert made.complaints() == [], made.log()


@sharing
async def test_everything_is_measured_and_nobody_is_named(shared_table: Table, scraper: Scraper) -> None:
    table = shared_table
    for _ in range(2):
        await table.turn()
    await table.hand_told()
    found = await scraper.measured()
    names = {sample.name for sample in found.samples if sample.name.startswith("ambit_")}
    whole = {re.sub(r"_(bucket|sum|count)$", "", name) for name in names} | names
    untold = {name for name in DOCUMENTED - whole - RARE if not found_empty(found.text, name)}
    assert not untold
    undocumented = {
        name
        for name in names
        if name not in DOCUMENTED and re.sub(r"_(bucket|sum|count|created)$", "", name) not in DOCUMENTED
    }
    assert not undocumented
    assert found.of("ambit_presses_total", outcome="answered") > 4
    assert found.of("ambit_presses_total", verb="saboteur new") == 1
    assert found.of("ambit_acknowledgement_seconds_count") == found.of("ambit_presses_total")
    assert found.of("ambit_requests_total", kind="message", status="200") >= 3
    assert found.of("ambit_pictures_total", game="saboteur") >= 3
    assert found.of("ambit_matches", status="running", game="saboteur") == 1
    assert found.of("ambit_shard_ready", shard="0") == 1
    assert found.of("ambit_healthy") == 1
    ids = {str(each) for person in table.people for each in (person.id, person.dm.id)}
    ids |= {str(table.channel.id), str(table.channel.guild_id)}
    values = {
        value for sample in found.samples for label, value in sample.labels.items() if label not in ("le", "shard")
    }
    assert not values & ({*NAMES, "1"} | ids)
    assert not [value for value in values if re.search(r"\d{5}", value)]


def found_empty(text: str, name: str) -> bool:
    """Whether a measurement is announced, though it has no sample so far."""
    return f"# TYPE {name} " in text or f"# TYPE {name.removesuffix('_total')} " in text


@sharing
async def test_health_names_a_shard_that_is_away_and_being_alive_does_not(
    shared_bot: BotProcess, scraper: Scraper
) -> None:
    status, body = await scraper.ask("healthz")
    report = json.loads(body)
    assert (status, report["problems"], report["shards"]) == (200, [], {"carried": "0", "connected": "0"})
    gateway = shared_bot.discord.gateway
    gateway.held[0] = asyncio.Event()
    await gateway.drop(gone=True)
    away = await scraper.until(lambda found: not found.of("ambit_healthy"))
    assert away.of("ambit_shard_ready", shard="0") == 0
    status, body = await scraper.ask("healthz")
    assert (status, json.loads(body)["problems"]) == (503, ["Shards that aren't connected: 0."])
    assert (await scraper.ask("livez"))[0] == 200
    gateway.held[0].set()
    await scraper.until(lambda found: found.of("ambit_healthy"))
    assert "healthy again" in shared_bot.log()


@sharing
@of_sqlite
async def test_health_says_that_the_store_takes_nothing(shared_bot: BotProcess, scraper: Scraper) -> None:
    shared_bot.limit_files(4096)
    found = await scraper.until(lambda found: not found.of("ambit_store_works"))
    assert found.of("ambit_transactions_total", kind="write", outcome="failed") > 0
    status, body = await scraper.ask("healthz")
    assert status == 503
    (problem,) = json.loads(body)["problems"]
    assert problem.startswith("The store takes nothing: The disk ")
    shared_bot.limit_files(-1)
    await scraper.until(lambda found: found.of("ambit_healthy"))


async def test_an_address_that_is_taken_is_one_sentence_in_json_too(bot: BotProcess) -> None:
    bot.settings |= {"AMBIT_METRICS": (address := f"127.0.0.1:{free_port()}"), "AMBIT_LOG_FORMAT": "json"}
    host, port = address.split(":")
    with socket.create_server((host, int(port))):
        await bot.start(connect=False)
        assert await bot.gone() == EXIT_LATER
    said = json.loads(bot.log().splitlines()[-1])["message"]
    assert said == f"AMBIT_METRICS: {address} can't be listened to (Address already in use)."


def test_what_only_some_starts_need_is_loaded_by_them_alone() -> None:
    seldom = "prometheus_client", "aiohttp.web", "alembic"
    asked = f"import bot, sys; print([name for name in {seldom} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
