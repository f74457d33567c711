"""A store for every test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from db import Database
from tests.store import fresh, vacant


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "ambit.db"


@pytest.fixture
def url(path: Path) -> str:
    return vacant(path)


@pytest.fixture
async def database(path: Path) -> AsyncIterator[Database]:
    async with await Database.open(fresh(path)) as database:
        yield database
