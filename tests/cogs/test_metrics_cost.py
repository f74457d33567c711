"""What a scrape costs the event loop."""

from pathlib import Path

import pytest

from benchmarks.measure import longest_stretch, slowness
from bot import Ambit
from cogs import HANDLERS
from cogs.drawing import DRAWER
from cogs.process.lag import Lag
from cogs.process.metrics import Metrics
from cogs.process.wire import Wire
from games import GAMES
from tests.store import fresh

MOST = 0.005
"""Seconds for which a scrape may keep others from the event loop, on a quiet machine."""

OUTCOMES = ("answered", "refused", "failed", "late")
SHARDS = 20


async def test_a_scrape_of_a_large_bot_keeps_nobody_waiting_for_more_than_five_milliseconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wire = Wire()
    async with Ambit(database_url=fresh(tmp_path / "ambit.db"), shard_count=SHARDS) as bot:
        await bot.open()
        bot.presses.update({(verb, outcome): 5 for verb in HANDLERS for outcome in OUTCOMES})
        wire.requests.update({("message", str(status)): 5 for status in range(400, 430)})
        monkeypatch.setattr(DRAWER, "pictures", {(game, place): 5 for game in GAMES for place in ("thread", "process")})
        bot.doctor.wire = wire
        bot.doctor.connected = set(range(SHARDS))
        metrics = Metrics(bot.doctor, Lag())
        assert len((await metrics.text()).splitlines()) > 400
        assert min([await longest_stretch(metrics.text()) / slowness() for _ in range(5)]) <= MOST
