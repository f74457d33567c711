"""Presses that Discord takes no answer to any more: nothing is done for them, and the newest board is posted again."""

from __future__ import annotations

import logging
from contextlib import suppress
from datetime import timedelta
from typing import Final

import discord

from cogs.press.reply import Press, defer
from cogs.process import faults
from cogs.process.faults import has_code
from matches.api import HostError, Match

log = logging.getLogger(__name__)

WITHIN: Final = 3.0
"""Seconds within which Discord takes the first answer."""

AGAIN: Final = timedelta(minutes=1)
"""For this long after a late press brought a match's board, further late presses don't bring it again."""


class TooLate(Exception):
    """Discord takes no answer to this press any more, and nothing was done for it."""


async def refuse(press: Press) -> None:
    """Ask Discord first whether it still takes an answer, if the press is old or in doubt (`cogs.client.Gate`).

    Discord's answer decides, because the clocks may differ. Raises TooLate, or discord.py's error if another process
    has answered already.
    """
    gate = press.bot.gate
    if press.interaction.type is discord.InteractionType.autocomplete:
        return
    if press.id not in gate.doubtful and gate.age(press.id) < WITHIN:
        return
    if press.promise.timer is not None:
        press.promise.timer.cancel()
    try:
        await defer(press)
    except faults.FAILURES as error:
        if has_code(error, *faults.EXPIRED):
            raise TooLate from error
        raise


async def bring_board(press: Press) -> None:
    """Post the board again that the press was about, unless a newer one has come since. It rings nobody."""
    with suppress(HostError):
        match = await _meant(press)
        reposted_at, now = press.bot.board_reposted_at, press.host.now()
        if match is None or (match.id in reposted_at and now - reposted_at[match.id] < AGAIN):
            return
        reposted_at[match.id] = now
        await press.host.reach.bring_back(match.id, press.person, press.id)


async def _meant(press: Press) -> Match | None:
    """The match of the pressed button, or the only one that is played where a command was used."""
    look, place = press.host.look, press.interaction.channel_id
    if press.ref.match is not None:
        return await look.match(press.ref.match)
    here = () if place is None else await look.matches_in(place)
    return here[0] if len(here) == 1 else None
