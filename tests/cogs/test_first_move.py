"""Few words and taps stand before somebody's first move, and each thing is said once (P42)."""

import re
from pathlib import Path
from typing import Any, Final

import pytest

from games import GAMES
from tests.cogs.table import Table, labels, private, table

WORDS: Final = 60
TAPS: Final = 3

MOMENTS: Final = {"R": "in 24 hours", "f": "28 November 2026 16:00"}
"""What Discord makes of a moment, by its style."""


def words(room: Table, text: str) -> list[str]:
    """The words that somebody reads."""
    text = re.sub(r"<t:\d+:(\w)>", lambda found: MOMENTS[found[1]], text)
    text = re.sub(r"<#(\d+)>", lambda found: room.env.backend.channels[int(found[1])].name or "", text)
    text = re.sub(r"\[([^]]+)\]\([^)]+\)", r"\1", text)
    return [word for word in text.split() if re.search(r"\w", word)]


def said(message: Any) -> str:
    """The text of a message, and its buttons that don't stand for an action of the game."""
    message = getattr(message, "message", message)
    beside = [label for label, chosen in _buttons(message) if not chosen]
    return "\n".join((message.content, *beside))


def _buttons(message: Any) -> list[tuple[str, bool]]:
    """The labels of buttons, and whether each is a choice."""
    found = [item for row in message.components for item in row.children if getattr(item, "label", None)]
    return [(item.label, item.custom_id.split(":")[1] == "pick" and item.label != "Turn") for item in found]


@pytest.mark.parametrize("rated", ["yes", None])
@pytest.mark.parametrize("game", GAMES)
async def test_p42_at_most_sixty_words_and_three_taps_stand_before_the_first_move(
    tmp_path: Path, game: str, rated: str | None
) -> None:
    async with table(tmp_path / "ambit.db", GAMES[game].info.min_players, threads=True) as room:
        host, *others = room.people
        await room.open(game, where="thread", rated=rated or "no")
        lobby = room.latest("Join")
        read, taps = [said(lobby)], 0
        for person in others:
            joined = await person.click(lobby, label="Join")
            if person is others[-1]:
                taps += 1
                read += [said(each) for each in joined.followups]
        if "Start" in labels(room.refreshed(lobby)):
            await host.click(lobby, label="Start")
        known = set(lobby.content.split("\n"))
        read += [line for line in room.refreshed(lobby).content.split("\n") if line not in known]
        taps += room.place() is not room.channel
        read += [said(post) for post in room.newest_first(room.place()) if post.id != lobby.id]
        board = room.latest("Play", room.place())
        mover = room.mover(board)
        assert mover is not None
        panel = private(await mover.click(board, label="Play"))
        read.append(said(panel))
        assert taps + 1 <= TAPS
        found = words(room, "\n".join(read))
        assert len(found) <= WORDS, f"{len(found)} words: {' '.join(found)}"
        name = GAMES[game].info.name.split()[-1]
        assert found.count(name) <= 2, "its title is in the lobby, and its place has that name"
        assert " ".join(GAMES[game].info.key_rule.split()) in panel.content.replace("*", "")
