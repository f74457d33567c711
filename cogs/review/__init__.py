"""``/match review``: how a finished match went, and what somebody could have done better; **Try it**."""

from __future__ import annotations

from typing import Final

from cogs.commands.finding import Which, match_command
from cogs.face import Face
from cogs.look.replay import MOMENT, STORY
from cogs.review import pages, retrying

FACE: Final = Face(
    verbs=pages.HANDLERS | retrying.HANDLERS,
    of_match=(
        match_command("review", "How a match went, and what you could have done better.", pages.show, Which.RECENT),
    ),
    posted=dict.fromkeys((STORY, MOMENT), pages.posted),
)
