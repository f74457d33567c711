"""``/sample``: a note that somebody writes to themselves about a match."""

from __future__ import annotations

from typing import Final

from cogs.commands.finding import match_command
from cogs.commands.slash import Option
from cogs.face import Face
from tests.sample.cogs.noting import show

FACE: Final = Face(
    commands=(
        match_command(
            "sample",
            "Write a note to yourself about a match, or read it.",
            show,
            {"text": Option(str, "Your note; leave it out to read the one you have.")},
        ),
    ),
)
