"""Slow requests, by many people or too often: one at a time, a sentence for more, equal ones computed once."""

from __future__ import annotations

import os
from pathlib import Path

from matches.computers.pool import NICENESS

from .bot_process import BotProcess
from .discord_standin import Answer, Discord, Message, Person
from .discord_standin.people import together
from .table import Table, labels
from .test_races import all_answered, pytestmark  # noqa: F401 - the mark of all tests here

ON_THE_WAY = "on the way"


def told_apart(answers: list[Answer]) -> tuple[list[Answer], list[Answer]]:
    """The answers to what was done, and those to refused extra requests."""
    refused = [answer for answer in answers if ON_THE_WAY in answer.text]
    return [answer for answer in answers if answer not in refused], refused


async def test_of_several_hints_at_once_a_person_gets_one_and_a_sentence_for_the_others(
    discord: Discord, bot: BotProcess
) -> None:
    table, person = await unrated(discord, bot)
    asking = [person.command(table.channel, "match hint", match=1) for _ in range(3)]
    done, refused = told_apart(all_answered(await together(*asking)))
    assert [("**Hint:**" in answer.text) for answer in done] == [True]
    assert len(refused) == 2
    assert all("You already have a hint on the way. Please wait for it." in answer.text for answer in refused)
    again = await person.command(table.channel, "match hint", match=1)
    assert again.text == done[0].text


async def unrated(discord: Discord, bot: BotProcess) -> tuple[Table, Person]:
    """A table in which hints are free, and whose turn it is."""
    table = Table.of(discord, 2)
    await bot.start()
    await table.begin("ambush", rated="no")
    await table.called()
    person = table.mover()
    assert person is not None
    return table, person


async def over(table: Table, game: str) -> Message:
    """The last post of a match that somebody has resigned."""
    await table.begin(game)
    for _ in range(len(table.people)):
        await table.turn()  # Whoever hasn't moved calls a match of two off.
    person: Person = table.people[0]
    asked = (await person.command(table.channel, "match resign", match=1)).message
    assert asked is not None
    await person.press(asked, "Yes, resign")
    await table.discord.until(lambda: table.over)
    end = table.latest()
    assert end is not None
    assert "Animation" in labels(end)
    return end


async def test_of_several_presses_on_animation_at_once_each_person_gets_one(discord: Discord, bot: BotProcess) -> None:
    table = Table.of(discord, 2)
    await bot.start()
    end = await over(table, "ambush")
    asking = [person.press(end, "Animation") for person in table.people for _ in range(2)]
    done, refused = told_apart(all_answered(await together(*asking)))
    files = [file.filename for answer in done if answer.message for file in answer.message.attachments]
    assert files == ["ambush-1.gif"] * 2
    assert {answer.interaction.user.id for answer in done} == {person.id for person in table.people}
    assert len(refused) == 2
    assert all("an animation on the way" in answer.text for answer in refused)


async def test_hints_and_animations_are_made_in_one_process_which_ends_with_the_bot(
    discord: Discord, bot: BotProcess
) -> None:
    table, person = await unrated(discord, bot)
    await person.command(table.channel, "match hint", match=1)
    (worker,) = bot.workers
    assert os.getpriority(os.PRIO_PROCESS, worker) == NICENESS
    code, _ = await bot.stop()
    assert code == 0
    await table.discord.until(lambda: not Path(f"/proc/{worker}").exists())
