"""Tells the people of an appointed table that it has another time (P26, P40)."""

from __future__ import annotations

from typing import Final

from cogs.delivery.gathering import Gathering
from cogs.delivery.hands import Hands
from cogs.press.reply import Message
from cogs.text import words
from matches.api import Match, Telling
from matches.appointments import Appointments
from matches.features import start_of

_OR_LEAVE: Final = "if you can't come, please press **Leave** in its lobby, or use `/match leave`."


async def tell(hands: Hands, row: Telling, match: Match) -> None:
    """Tell everybody but the host that the table has another time, if that rings: nothing has changed otherwise."""
    start = start_of(match)
    if start is None or not row.rings:
        return
    others = [seat for seat in match.everybody if seat.user_id != match.host_id]
    said = f"has another time: {words.moment(start.at)}."
    everybody = ", ".join(f"<@{seat.user_id}>" for seat in others if seat.user_id is not None)
    post = Message(f"{words.title(match)} {said} {everybody}, {_OR_LEAVE}")
    leave = f"You keep your seat. {_OR_LEAVE[0].upper()}{_OR_LEAVE[1:]}"
    dm = Message(f"{words.title(match)} ({words.link(match)}) {said} {leave}")
    await Gathering(hands.bot, hands.posting).call(row, match, others, post, dm)
    await hands.bot.host.part(Appointments).note_told(match.id)
