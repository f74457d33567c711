"""``/puzzle``: the day's puzzle, and puzzles of every game."""

from __future__ import annotations

from typing import Final

from cogs.face import Face
from cogs.puzzles import command, posting, solving
from matches.api import Kind

FACE: Final = Face(
    verbs=solving.HANDLERS,
    commands=(command.PUZZLE,),
    help={"ranks": "• `/puzzle` has a puzzle of the day, and more of every game."},
    to_servers={Kind.PUZZLE: posting.post, Kind.PUZZLE_OVER: posting.end},
    of_servers={"puzzles": posting.SETTING},
    for_operator=(command.DECIDE,),
    reports=(command.reported,),
)
