"""Looks at people on their server: are they there, can they press, do they see the place of their match?

With few intents, Discord doesn't announce members who leave or are timed out. A press says that its person is there.
Whoever is called to move and hasn't pressed for an hour is looked at with one request, when nobody waits for anything.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

import discord

from cogs.client import Client
from cogs.process import faults
from cogs.process.faults import has_code, reason
from cogs.process.pace import on_behalf
from matches.api import CutOff, HostError, Match, UserId
from matches.engine.fair_queue import Rank

log = logging.getLogger(__name__)

TRUSTED: Final = timedelta(hours=1)
"""A person who has pressed on a server, or was looked at there, isn't looked at again within this time."""

MOST_WAITING: Final = 100
"""At most this many looks wait; more are left out."""


class Looks:
    """Looks for which nobody waits. Under load they are left out."""

    def __init__(self, bot: Client) -> None:
        self._bot = bot
        self._waiting: deque[tuple[Match, UserId]] = deque()
        self._looking: asyncio.Task[None] | None = None

    def soon(self, match: Match) -> None:
        """Look at the player to move, and at the start at everybody, unless they have pressed within the hour."""
        bot, guild_id = self._bot, match.guild_id
        if guild_id is None or bot.is_crowded():
            return
        for seat in match.present if match.board_message_id is None else filter(None, (match.mover,)):
            if not seat.present or seat.user_id is None or len(self._waiting) >= MOST_WAITING:
                continue
            if not _is_known(bot, guild_id, seat.user_id, seat.pressed_at):
                bot.seen_at[guild_id, seat.user_id] = bot.host.now()
                self._waiting.append((match, seat.user_id))
        if self._waiting and (self._looking is None or self._looking.done()):
            self._looking = asyncio.create_task(self._look(), name="looks")

    async def _look(self) -> None:
        while self._waiting:
            match, user_id = self._waiting.popleft()
            if not self._bot.is_crowded():
                on_behalf(match.guild_id, Rank.TIDYING)
                with self._bot.at_work():
                    await look(self._bot, match, user_id)


async def look(bot: Client, match: Match, user_id: UserId) -> Match:
    """Look at a person of a match now, and note what keeps them from pressing. Return the match as it is then."""
    if match.guild_id is None:
        return match
    try:
        why = await _why(bot, match, match.guild_id, user_id)
        if why is not None:
            bot.seen_at.pop((match.guild_id, user_id), None)
        elif match.cut_off is None:
            return match
        noted = await bot.host.absence.note_look(match.id, user_id, why)
        # While a place is lost, the clock stands still for that, and nothing is noted.
        return noted if noted.lost is None else replace(noted, cut_off=why)
    except (*faults.FAILURES, HostError) as error:
        log.info("match %s: nothing is known of one of its people: %s", match.id, reason(error))
        return match


async def is_gone(bot: Client, guild_id: int, user_id: UserId) -> bool:
    """Whether this person isn't on the server. Whoever has pressed or was looked at within the hour is taken to be."""
    if _is_known(bot, guild_id, user_id):
        return False
    try:
        gone = await _member(bot, guild_id, user_id) is None
    except faults.FAILURES:
        return False
    if not gone:
        bot.seen_at[guild_id, user_id] = bot.host.now()
    return gone


def _is_known(bot: Client, guild_id: int, user_id: UserId, pressed_at: datetime | None = None) -> bool:
    """Whether this person has pressed anything on the server, or was looked at there, within the hour."""
    known = max(filter(None, (bot.seen_at.get((guild_id, user_id)), pressed_at)), default=None)
    return known is not None and bot.host.now() - known < TRUSTED


async def _member(bot: Client, guild_id: int, user_id: UserId) -> discord.Member | None:
    """Ask Discord for a member of a server; ``None`` if they aren't there."""
    try:
        return await bot.servers.to_ask(guild_id).fetch_member(user_id)
    except faults.FAILURES as error:
        if has_code(error, *faults.NO_MEMBER):
            return None
        raise


async def _why(bot: Client, match: Match, guild_id: int, user_id: UserId) -> CutOff | None:
    """Ask Discord why this person can't press where the match is played; ``None`` if they can."""
    member = await _member(bot, guild_id, user_id)
    if member is None:
        return CutOff.GONE
    if member.timed_out_until is not None and member.timed_out_until > bot.host.now():
        return CutOff.SILENCED
    server = await bot.servers.described(guild_id)
    sees = server is None or server.sees(member, match.place_id, match.channel_id)
    if isinstance(sees, discord.Thread):
        try:
            await sees.fetch_member(user_id)
        except faults.FAILURES as error:
            if has_code(error, *faults.NO_MEMBER):
                return CutOff.UNSEEN
            raise
    return None if sees else CutOff.UNSEEN
