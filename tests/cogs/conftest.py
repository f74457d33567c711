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
