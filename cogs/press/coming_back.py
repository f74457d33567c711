"""Notices what a press tells about somebody at a table: they're here, or can press again after they were cut off.

They are told if the board is late, and since when: once per person and outage.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

import discord

from cogs.press.reply import Press
from cogs.text import words
from matches.api import CutOff, Dm, Match, Status, Unavailable, UserId

LATE: Final = timedelta(seconds=30)
"""How long people wait for a board without being told why."""


async def _note_late(press: Press, match: Match) -> None:
    """Let the next answer say that the newest board of this match is late, if it is.

    Most matches need no query for that. The last board that came identifies the outage, so nobody hears of one twice.
    """
    told, key = press.bot.late_board_told, (match.id, press.person)
    if not _may_be_late(match, press.host.now()) or told.get(key) == match.board_ply:
        return
    said = _of_lost(match, press.person) if match.lost is not None else await _of_waiting(press, match)
    if not said:
        return

    def remember() -> None:
        told[key] = match.board_ply

    press.promise.adds, press.promise.added = said, remember


def _may_be_late(match: Match, now: datetime) -> bool:
    """Whether a board may be due for `LATE` and not be posted. Computers' turns and further steps often have none."""
    if match.status is Status.OVER:
        return match.board_ply < match.ply and match.ended_at is not None and now - match.ended_at >= LATE
    if match.status is not Status.RUNNING or match.mover is None or not match.mover.present:
        return False
    # Being away, or out of reach, moves the beginning of a turn. Then the row tells since when it waits.
    return match.board_ply < match.turn_ply


def _of_lost(match: Match, user_id: UserId) -> str:
    """What players of a match can do if nothing can be posted where it is played; empty for anybody else."""
    if match.seat_of(user_id) is None:
        return ""
    why = words.because(match)
    return f"-# I can't post the board where this match is played{why}. `/match` in another channel has **Move here**."


async def _of_waiting(press: Press, match: Match) -> str:
    """Since when the match's board has been due; empty if it isn't, or not for long enough."""
    waiting = None
    with suppress(Unavailable):
        waiting = await press.host.outbox.board_waiting(match.id)
    if waiting is None or press.host.now() - waiting.put_at < LATE:
        return ""
    is_over = match.status is Status.OVER
    board, way_on = ("final", "`/match` shows it now") if is_over else ("newest", "you can play on without it")
    since = discord.utils.format_dt(waiting.put_at, "R")
    why = "Discord isn't taking it yet" if waiting.tries else "I couldn't post it yet"
    return f"-# The {board} board was due {since}, but {why}. I keep trying, and {way_on}."


NOTED_EVERY: Final = timedelta(minutes=5)
"""A person's presses at a table that waits for its start are noted at most this often."""


async def note(press: Press, match: Match) -> None:
    """Let the clock of the person run on if it stands still because they were cut off, and they press there again.

    Before the start, note that they have pressed something at the table. Let the answer say that the board is late.
    """
    await _note_late(press, match)
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
