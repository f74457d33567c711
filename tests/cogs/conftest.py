"""Tables with as many people as their names say."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.cogs.table import Clocked, Table, clocked, table


def _room(people: int) -> Any:
    @pytest.fixture(name=f"room{people}")
    async def room(tmp_path: Path) -> AsyncIterator[Table]:
        async with table(tmp_path / "ambit.db", people) as made:
            yield made

    return room


def _timed(people: int) -> Any:
    @pytest.fixture(name=f"timed{people}")
    async def timed(tmp_path: Path) -> AsyncIterator[Clocked]:
        async with clocked(tmp_path / "ambit.db", people) as made:
            yield made

    return timed


room1, room2, room3, room4 = map(_room, (1, 2, 3, 4))
timed1, timed2, timed3, timed4 = map(_timed, (1, 2, 3, 4))


@pytest.fixture
async def at_gambo(room2: Table) -> Table:
    """Two people in a match of Gambo, number 1."""
    await room2.begin("gambo", 2)
    return room2


@pytest.fixture
async def timed_gambo(timed2: Clocked) -> Clocked:
    await timed2.begin("gambo", 2)
    return timed2


@pytest.fixture
async def at_saboteur(room3: Table) -> Table:
    """Three people in a match of Saboteur, number 1."""
    await room3.begin("saboteur", 3)
    return room3


@pytest.fixture
async def timed_saboteur(timed3: Clocked) -> Clocked:
    await timed3.begin("saboteur", 3)
    return timed3
