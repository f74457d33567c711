"""Notices what a press tells about somebody at a table: they're here, or can press again after they were cut off.

They are told if the board is late.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from cogs.press import late_boards
from cogs.press.reply import Press
from cogs.text import words
from matches.api import CutOff, Dm, Match, Status

NOTED_EVERY: Final = timedelta(minutes=5)
"""A person's presses at a table that waits for its start are noted at most this often."""


async def note(press: Press, match: Match) -> None:
    """Let the clock of the person run on if it stands still because they were cut off, and they press there again.

    Before the start, note that they have pressed something at the table. Let the answer say that the board is late.
    """
    await late_boards.note(press, match)
    waits = match.at_table(press.person) if match.status is Status.LOBBY else None
    if waits is not None and (waits.pressed_at is None or press.host.now() - waits.pressed_at >= NOTED_EVERY):
        await press.host.lobby.note_press(match.id, press.person)
    why, seat = match.cut_off, match.mover
    if why is None or seat is None or seat.user_id != press.person or press.interaction.guild_id != match.guild_id:
        return
    if seat.dm is Dm.CLOSED and not press.promise.adds:
        press.promise.adds = f"-# {words.cut_off(match, seat, press.host.now())}"
    sees = press.interaction.channel_id in (match.channel_id, match.thread_id)
    if sees or why is not CutOff.UNSEEN:
        await press.host.absence.note_look(match.id, press.person, None)
