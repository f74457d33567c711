"""What `python bot.py --status` says about a bot, its store and its processes."""

from pathlib import Path

import pytest

from cogs.process.environment import Settings
from cogs.process.status import status
from matches.host import keeping
from tests.store import address, of_sqlite

from .bot_process import BotProcess
from .conftest import shared_bot, shared_table, sharing
from .table import Table
from .test_metrics import scraper as free_scraper
from .test_metrics import settings as with_metrics

pytestmark = [pytest.mark.wire, sharing]

bot, table, scraper, settings = shared_bot, shared_table, free_scraper, with_metrics


async def said_of(bot: BotProcess) -> tuple[str, list[str]]:
    """What is said, in one text, and what is wrong."""
    said, wrong = await status(Settings(database=address(bot.database), _env_file=None))  # type: ignore[call-arg]
    return "\n".join(said), wrong


async def test_status_says_what_runs_since_when_and_how_much_is_open_or_that_no_bot_runs(
    table: Table, bot: BotProcess
) -> None:
    await table.turn()
    await table.hand_told()
    await table.discord.until(lambda: "is ready" in bot.log())
    said, wrong = await said_of(bot)
    assert wrong == []
    assert "Process all: Ambit 0.1.0 since 20" in said
    assert "healthy, shards 0, connected 0" in said
    assert "Matches: 0 in the lobby, 1 running, 0 frozen; 0 of them can't be reached" in said
    assert ", 0 held" in said
    bot.kill()
    await bot.gone()
    said, wrong = await said_of(bot)
    assert "Process all: Ambit 0.1.0 since 20" in said
    assert len(wrong) == 1
    assert wrong[0].startswith(f"Process all doesn't answer at {bot.settings['AMBIT_METRICS']}: ")
    await bot.start()
    await bot.stop()
    said, wrong = await said_of(bot)
    assert "1 running" in said
    assert wrong == ["No process of the bot has noted that it runs."]


# FOUND O13
@of_sqlite
async def test_status_knows_the_last_backup_and_says_of_a_copy_nothing_about_the_bot_that_has_the_original(
    bot: BotProcess, tmp_path: Path
) -> None:
    await bot.discord.until(lambda: "is ready" in bot.log())
    assert "Last backup: none" in (await said_of(bot))[0]
    keeping.back_up(address(bot.database), tmp_path / "copy.db")
    said, wrong = await said_of(bot)
    assert " UTC, 0 s ago" in said
    assert wrong == []
    found, wrong = await status(Settings(database=f"sqlite+aiosqlite:///{tmp_path}/copy.db", _env_file=None))  # type: ignore[call-arg]
    assert "healthy" not in "\n".join(found)
    assert wrong == [f"At {bot.settings['AMBIT_METRICS']} a bot with another database answers."]
    # By another path it's the same database.
    (tmp_path / "link.db").symlink_to(bot.database)
    found, wrong = await status(Settings(database=f"sqlite+aiosqlite:///{tmp_path}/link.db", _env_file=None))  # type: ignore[call-arg]
    assert "healthy, shards 0" in "\n".join(found)
    assert wrong == []
