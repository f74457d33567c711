"""Notices that a player who couldn't press anything can again, and tells them why if no direct message did."""

from __future__ import annotations

from cogs.press.reply import Press
from cogs.text import words
from matches.api import CutOff, Dm, Match


async def note(press: Press, match: Match) -> None:
    """Let the clock of the person run on if it stands still because they were cut off, and they press there again."""
    why, seat = match.cut_off, match.mover
    if why is None or seat is None or seat.user_id != press.person or press.interaction.guild_id != match.guild_id:
        return
    if seat.dm is Dm.CLOSED and not press.promise.adds:
        press.promise.adds = f"-# {words.cut_off(match, seat, press.host.now())}"
    sees = press.interaction.channel_id in (match.channel_id, match.thread_id)
    if sees or why is not CutOff.UNSEEN:
        await press.host.absence.note_look(match.id, press.person, None)
