"""While the store is down, and when it's just back, people read in their first answer since when."""

import re
import time

import pytest

from tests.store import outsider

from .bot_process import BotProcess
from .discord_standin import Moment, Request
from .stored import Stored
from .table import Table
from .test_faults import board_post, confirm, confirmable

pytestmark = pytest.mark.wire

OUTAGE = 120.0
SLACK = 20.0
"""Seconds that a test may take by itself."""


def since(text: str) -> float | None:
    """The moment from which something is late, according to the last line of an answer."""
    found = re.search(r"(?:was due|This began) <t:(\d+):R>", text.splitlines()[-1])
    return None if found is None else float(found[1])


def last(text: str) -> str:
    return re.sub(r"<t:\d+:R>", "<time>", text.splitlines()[-1])


def tries(bot: BotProcess) -> int:
    """How often the board's row was tried, as the store knows."""
    (row,) = Stored(bot.database).rows("SELECT tries FROM outbox WHERE kind = 'board'")
    return int(row["tries"])


async def test_who_presses_while_the_store_is_down_or_just_back_reads_it(table: Table, bot: BotProcess) -> None:
    discord = table.discord
    board, panel = await confirmable(table)
    mover = table.on_turn()
    began = time.time()
    with outsider(bot.database) as other:

        def lock(_: Request) -> bool:
            other.lock()
            return False

        discord.faults.once(Moment.AFTER, lock, which=Request.is_callback)
        discord.faults.swallow(times=None, which=board_post)
        await confirm(table, panel)
        await discord.until(lambda: "messages: " in bot.log())
        bot.ahead(OUTAGE)
        # Whatever changes something fails, and says since when.
        refused = (await mover.press(board, "⋯")).message
        assert refused is not None
        answer = await mover.press(refused, "Bring the board down")
        assert "can't save anything right now" in answer.text
        told = since(answer.text)
        assert told is not None, answer.text
        assert 0 <= told - int(began) < SLACK
        assert answer.text.endswith("what was saved before is safe.")
        other.let_go()
    # The store is back, and the board still on its way.
    others = [each for each in table.people if each is not mover]
    before = tries(bot)
    first = (await others[0].press(board, "My hand")).text
    told = since(first)
    assert told is not None, first
    assert 0 <= told - int(began) < SLACK
    # The press read the store before or after it was noted there that Discord hasn't answered.
    reasons = {"Discord isn't taking it yet." if count else "I couldn't post it yet." for count in (before, tries(bot))}
    assert last(first).startswith(tuple(f"-# The newest board was due <time>, but {reason}" for reason in reasons))
    discord.faults.clear()
