"""Several processes over a PostgreSQL server: what happens to them, to it and between them costs nobody anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.store import fresh, of_server

from .bot_process import Nursery
from .discord_standin import Spec
from .enduring import endurance

pytestmark = pytest.mark.wire


@of_server
async def test_two_processes_go_on_after_a_death_and_after_a_server_that_was_away(
    tmp_path: Path, nursery: Nursery, spec: Spec | None
) -> None:
    async with endurance(fresh(tmp_path / "ambit.db"), tmp_path, nursery, spec, processes=2, tables=2) as run:
        await run.go_on()
        await run.kill(run.bots[1])
        await run.go_on()
        async with run.fail():
            run.proxy.cut_at_commits(3)
            await run.discord.until(lambda: run.proxy.cut_commits == 3)
            await run.proxy.refuse()
            await run.pass_time(2)
            await run.proxy.listen()
        await run.go_on()
