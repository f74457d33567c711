"""Slow requests, by many people or too often: one at a time, a sentence for more, equal ones computed once."""

import os
from pathlib import Path

import pytest

from matches.computers.pool import NICENESS

from .bot_process import BotProcess
from .discord_standin import Answer, Discord
from .discord_standin.people import together
from .table import Table, behind
from .test_races import all_answered

pytestmark = pytest.mark.wire


def told_apart(answers: list[Answer], refusal: str) -> tuple[list[Answer], int]:
    """The answers to what was done, and how many were refused in these words."""
    done = [answer for answer in answers if refusal not in answer.text]
    return done, len(answers) - len(done)


async def test_everybody_gets_one_hint_and_one_animation_at_a_time_from_one_process_that_ends_with_the_bot(
    discord: Discord, bot: BotProcess
) -> None:
    table = Table.of(discord, 2)
    await bot.start()
    await table.begin("ambush", rated="no")
    board, person = await table.called(), table.mover()
    panel = (await person.press(board, "Play")).message
    assert panel is not None
    asking = [person.press(panel, "Hint") for _ in range(3)]
    (hint,), refused = told_apart(all_answered(await together(*asking)), "You already have a hint on the way.")
    assert "**Hint:**" in hint.text
    assert refused == 2
    again = (await person.press(board, "Play")).message
    assert again is not None
    assert (await person.press(again, "Hint")).text == hint.text
    (worker,) = bot.workers
    assert os.getpriority(os.PRIO_PROCESS, worker) == min(os.getpriority(os.PRIO_PROCESS, bot.pid) + NICENESS, 19)
    for _ in table.people:
        await table.turn()  # Whoever hasn't moved calls a match of two off.
    asked = (await person.at_match(table.channel, 1, "Resign")).message
    assert asked is not None
    await person.press(asked, "Yes, resign")
    await discord.until(lambda: table.over)
    end = table.latest()
    assert end is not None
    asking = [behind(person, end, "Animation") for person in table.people for _ in range(2)]
    done, refused = told_apart(all_answered(await together(*asking)), "an animation on the way")
    files = [file.filename for answer in done if answer.message for file in answer.message.attachments]
    assert files == ["ambush-1.gif"] * 2
    assert {answer.interaction.user.id for answer in done} == {person.id for person in table.people}
    assert refused == 2
    assert bot.workers == [worker]
    assert (await bot.stop())[0] == 0
    await discord.until(lambda: not Path(f"/proc/{worker}").exists())
