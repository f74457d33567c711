"""**In advance**: what somebody says they'd play before it's their turn (P39)."""

from __future__ import annotations

from typing import Final

from cogs.delivery.hands import Hands, whose
from cogs.face import Face
from cogs.orders import beforehand
from cogs.post import boards
from cogs.press.reply import Message
from cogs.text import words
from matches.api import Kind, Match, Telling, View


async def tell(hands: Hands, row: Telling, match: Match) -> None:
    """Tell a person quietly that the line of the row's ply was played as they had said in advance.

    It is a message of its own, because their DM about the match may already say that it's their turn again.
    """
    seat = whose(match, row)
    if seat is None or seat.user_id is None or seat.user_id != row.user_id:
        return
    view = await hands.posting.view(match, seat.user_id)
    lines = await hands.bot.host.look.history(view.match, seat.user_id, row.ply, row.ply + 1)
    await hands.dm_or_never(seat, message(view, words.lines_in_words(view.match, lines)), str(row.id))


def message(view: View, happened: str) -> Message:
    """Return the DM that tells a player in words what was played."""
    told = f"||{happened}||" if view.match.info.hands else happened
    said = f"{boards.opening(view.match)} I've played what you said in advance."
    return Message(f"{said}\n{told}", view=boards.private_buttons(view))


FACE: Final = Face(
    verbs=beforehand.HANDLERS,
    help={
        "turn": "• **In advance** is there while you wait: say what you'd play, even “if they …, then I …”, and I'll "
        "play it for you."
    },
    whispers={Kind.ORDERED: tell},
    left_out="What you said in advance won't be played: that isn't offered here any more.",
)
