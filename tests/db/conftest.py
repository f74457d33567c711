"""A database file of its own for every test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from db import Database
from tests.store import address, fresh


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ambit.db"


@pytest.fixture
def url(path: Path) -> str:
    return address(path)


@pytest.fixture
async def database(path: Path, url: str) -> AsyncIterator[Database]:
    fresh(path)
    async with await Database.open(url) as database:
        yield database
