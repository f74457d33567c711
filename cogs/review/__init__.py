"""``/match review``: how a finished match went, and what somebody could have done better; and playing on."""

from __future__ import annotations

from typing import Final

from cogs.commands.finding import Which, match_command
from cogs.face import Face
from cogs.look.replay import MOMENT, STORY
from cogs.review import pages, playing_on, retrying

FACE: Final = Face(
    verbs=pages.HANDLERS | retrying.HANDLERS | playing_on.HANDLERS,
    of_match=(
        match_command("review", "How a match went, and what you could have done better.", pages.show, Which.RECENT),
    ),
    posted=dict.fromkeys((STORY, MOMENT), pages.posted),
)
