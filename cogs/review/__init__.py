"""**Review**: how a finished match went, and what somebody could have done better; and playing on."""

from __future__ import annotations

from typing import Final

from cogs.face import Face
from cogs.look.replay import MOMENT, STORY
from cogs.review import pages, playing_on, retrying

FACE: Final = Face(
    verbs=pages.HANDLERS | retrying.HANDLERS | playing_on.HANDLERS,
    posted=dict.fromkeys((STORY, MOMENT), pages.posted),
)
