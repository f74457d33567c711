"""Fixtures: a database per test, a clock that stands still, and reproducible seeds."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from db import Database
from matches.api import ManualClock
from tests.matches.tables import Hosted
from tests.store import fresh


@pytest.fixture
def url(tmp_path: Path) -> str:
    return fresh(tmp_path / "ambit.db")


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    async with await Database.open(url) as database:
        yield database


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def host(database: Database, clock: ManualClock) -> Hosted:
    return Hosted(database, clock)
