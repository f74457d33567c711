"""**In advance** and ``/match advance``: what somebody says they'd play before it's their turn (P39)."""

from __future__ import annotations

from functools import partial
from typing import Final

from cogs.commands import finding
from cogs.commands.finding import Which, match_command
from cogs.commands.slash import Choices, Option
from cogs.face import Face
from cogs.orders import beforehand
from cogs.orders.playing import tell
from cogs.press.reply import Press
from matches.api import Kind


async def _offer_ahead(press: Press, current: str, *, theirs: bool = False) -> Choices:
    """The moves that somebody could say in advance. `theirs`: the other player's moves that they could answer."""
    given = vars(press.interaction.namespace)
    match = await finding.find_match(press, given.get("match") or None, Which.SEATED)
    return await beforehand.offered(press, match, given.get("after"), current, theirs=theirs)


_MOVE: Final = Option(str, "Your move in notation; leave it out to choose from buttons.", _offer_ahead)
_AFTER: Final = Option(
    str,
    "The move of the player before you that it answers (default: whatever they play).",
    partial(_offer_ahead, theirs=True),
)

FACE: Final = Face(
    verbs=beforehand.HANDLERS,
    of_match=(
        match_command(
            "advance",
            "Say now what you'd play, and it's played for you when it's your turn.",
            beforehand.show,
            Which.SEATED,
            before={"move": _MOVE, "after": _AFTER},
        ),
    ),
    help={
        "turn": "• **In advance** is there while you wait: say what you'd play, even “if they …, then I …”, and I'll "
        "play it for you."
    },
    whispers={Kind.ORDERED: tell},
    left_out="What you said in advance won't be played: that isn't offered here any more.",
)
