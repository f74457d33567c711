"""``/puzzle``: the day's puzzle, and puzzles of every game."""

from __future__ import annotations

from typing import Final

from cogs.commands.slash import Command, Option
from cogs.learn import puzzling
from cogs.press.reply import Press
from games import GAMES
from matches.puzzles.puzzle import Shelf


async def _puzzle(press: Press, game: str | None, shelf: str | None) -> None:
    """Show the day's puzzle, or another one."""
    await puzzling.open_any(press, game, None if shelf is None else Shelf(shelf))


PUZZLE: Final = Command(
    "puzzle",
    "The day's puzzle, or one of a game: a position with something to find, just for you.",
    _puzzle,
    {
        "game": Option(
            str,
            "Which game (leave it out for the day's puzzle).",
            choices=[(game.info.name, key) for key, game in GAMES.items()],
        ),
        "shelf": Option(
            str,
            "How sure the answer is.",
            choices=[
                ("Proven: exact, every possibility tried", Shelf.PROVEN),
                ("Judged: what a long think found, without a proof", Shelf.JUDGED),
            ],
        ),
    },
)
