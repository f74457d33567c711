"""Several moves since the last post are numbered, in the words and on the picture alike; a single one isn't."""

import random
import re
from pathlib import Path
from typing import Any

import discord
import pytest

from cogs.post import pictures
from matches.api import MatchId, Status, View
from render import RENDERERS, Mark, Style
from tests.cogs.table import Table, play_by_panel, table
from tests.cogs.test_computer_seats import sit_with_computers

NUMBERED = re.compile(r"^\*\*(\d+)\*\* · (.*)$", re.MULTILINE)


@pytest.mark.parametrize(("game", "players"), [("ambagibus", 3), ("ambush", 2), ("gambo", 2), ("saboteur", 3)])
async def test_moves_since_the_last_post_are_numbered_in_words_and_picture(
    tmp_path: Path, game: str, players: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[tuple[View, tuple[Mark, ...]]] = []
    board = pictures.board

    async def noted(view: View, *marks: Any) -> discord.File:
        if view.seat is None:
            drawn.append((view, marks[0] if marks else ()))
        return await board(view, *marks)

    monkeypatch.setattr(pictures, "board", noted)
    async with table(tmp_path / "ambit.db", 1) as room:
        number = await sit_with_computers(room, game, players, "easy")
        rng, several = random.Random(3), 0
        for _ in range(3):
            actor, message = room.to_play()
            await play_by_panel(actor, message, rng)
            await room.told()
            if (await room.bot.host.look.match(MatchId(number))).status is not Status.RUNNING:
                break
            view, marks = drawn[-1]
            lines = NUMBERED.findall(room.latest("Play").content)
            numbers = sorted({mark.number for mark in marks})
            assert [int(number) for number, _ in lines] == (numbers if len(numbers) > 1 else [])
            several += len(numbers) > 1
            names = tuple(seat.name for seat in view.match.seats)
            for mark in marks:
                draw = RENDERERS[game].paint
                canvas = draw(view.observation, names, marks, Style(600))
                assert (mark.number, mark.place) in [(each.number, each.place) for each in canvas.told], mark
        assert several


async def test_between_two_people_each_post_has_one_move_and_no_number(room2: Table) -> None:
    await room2.begin("ambush", 2)
    rng = random.Random(3)
    for _ in range(2):
        await play_by_panel(*room2.to_play(), rng)
        await room2.told()
        content = room2.latest("Play").content
        assert not NUMBERED.search(content)
        assert any(name in content for name in ("Ann", "Bob"))
