"""The bot behind PgBouncer, on the PostgreSQL server of Debian's packages."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from cogs.process.exits import EXIT_CHANGE
from db.store.server_locks import POOLED
from tests.debian import Pooler, pgbouncer, postgresql

from .bot_process import BotProcess, Nursery
from .discord_standin import Discord
from .table import Table

pytestmark = pytest.mark.wire


@pytest.fixture
async def pooler() -> AsyncIterator[Pooler]:
    with postgresql() as server, pgbouncer(server, pool_mode="session", default_pool_size=20) as pooler:
        yield pooler


# FOUND O3
async def test_a_match_goes_on_behind_a_pooler_in_session_mode_after_a_kill(
    discord: Discord, nursery: Nursery, tmp_path: Path, pooler: Pooler
) -> None:
    bot = BotProcess(discord, tmp_path, nursery, AMBIT_DATABASE=pooler.address("postgres"))
    table = Table.of(discord, 3)
    try:
        await bot.start()
        assert await table.begin("saboteur") == 1
        await table.called()
        for _ in range(2):
            await table.turn()
            assert bot.kill()
            await bot.gone()
            # The pooler frees the locks of the dead process as a server does.
            await bot.start()
        await table.turn()
        await bot.stop()
        pooler.reload({"pool_mode": "transaction"})
        await bot.start(connect=False)
        assert await bot.gone() == EXIT_CHANGE
        assert POOLED in bot.log()
        assert bot.complaints() == [], bot.log()
    finally:
        await bot.close()
