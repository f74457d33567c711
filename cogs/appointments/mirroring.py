"""Mirrors appointed tables as scheduled events on Discord, where the bot may create these (P40).

Everybody on a server sees its events. So only a table whose channel everybody can see has one. The table leads: what
people change at the event is read again from Discord before the table follows it.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from datetime import timedelta
from typing import Final

import discord

from cogs.client import Client
from cogs.delivery.posting import put_off
from cogs.process import faults
from cogs.process.faults import has_code, reason
from cogs.process.pace import on_behalf
from cogs.text import words
from matches.api import Match, Status, Telling
from matches.appointments import Appointment, Appointments, appointed

log = logging.getLogger(__name__)

LASTS: Final = timedelta(hours=2)
"""How long an event lasts at most. Discord requires an end time for events outside voice channels."""

SAME: Final = timedelta(minutes=1)
"""Times that differ by less than this are equal."""

_OVER: Final = (discord.EventStatus.completed, discord.EventStatus.cancelled)


class Mirroring:
    """Makes, changes and removes the scheduled events of appointed tables, and notices what people do with them."""

    def __init__(self, bot: Client) -> None:
        self._bot = bot
        self._part = bot.host.part(Appointments)

    async def tell(self, row: Telling, match: Match) -> None:
        """Bring the event of a table up to date. Raises Undelivered if that may be possible soon.

        If Discord refuses, the table goes on without an event.
        """
        found = appointed.of(match)
        if match.guild_id is None or found is None or not found.mirrored:
            return
        on_behalf(match.guild_id, match.rank)
        try:
            await self._update(self._bot.servers.to_ask(match.guild_id), match, found)
        except faults.FAILURES as error:
            put_off(error)
            log.info("match %s goes on without a scheduled event: %s", match.id, error)
            await self._part.note_event(match.id, None)

    async def _update(self, guild: discord.Guild, match: Match, found: Appointment) -> None:
        event = await self._found(guild, match, found)
        server = await self._bot.servers.described(guild.id) if match.status is Status.LOBBY else None
        # If nothing is known of the server, the table keeps the event that it has had so far.
        if match.status is Status.LOBBY and (server is None or server.is_open(match.channel_id)):
            await self._mirror(guild, match, found, event)
        elif event is None:
            return
        elif match.status in (Status.LOBBY, Status.CANCELLED):
            # People who can't see the table's channel mustn't learn of the table.
            await event.delete()
            await self._part.note_event(match.id, None)
        elif match.status is Status.RUNNING and event.status is discord.EventStatus.scheduled:
            await event.start()
        elif match.status is Status.OVER and event.status is discord.EventStatus.active:
            await event.end()

    async def _mirror(
        self, guild: discord.Guild, match: Match, found: Appointment, event: discord.ScheduledEvent | None
    ) -> None:
        """Create the event of a lobby, or update its time and place. If somebody has deleted it, the table ends."""
        start, end, where = found.appointed, found.appointed + LASTS, words.address(match)
        if event is None and found.event_id is not None:
            # Somebody has deleted it.
            await self._part.follow_event(match, None)
        elif event is None:
            event = await guild.create_scheduled_event(
                name=_name(match),
                description=f"{match.info.summary} Join the table in its channel.",
                start_time=start,
                end_time=end,
                entity_type=discord.EntityType.external,
                privacy_level=discord.PrivacyLevel.guild_only,
                location=where,
            )
            await self._part.note_event(match.id, event.id)
        elif found.event_id is None:
            await self._part.note_event(match.id, event.id)
        elif event.status is discord.EventStatus.scheduled and (
            abs(event.start_time - start) >= SAME or event.location != where
        ):
            await event.edit(start_time=start, end_time=end, location=where)

    async def _found(self, guild: discord.Guild, match: Match, found: Appointment) -> discord.ScheduledEvent | None:
        """Return the table's event as Discord has it now.

        Events have no nonce. So if the event's id isn't stored, look for one that an earlier try may have created.
        """
        if found.event_id is None:
            events = await guild.fetch_scheduled_events(with_counts=False)
            own = (event for event in events if self._is_ours(event) and event.name == _name(match))
            return next(own, None)
        return await _fetched(guild, found.event_id)

    def _is_ours(self, event: discord.ScheduledEvent) -> bool:
        return self._bot.user is not None and event.creator_id == self._bot.user.id

    async def changed(self, event: discord.ScheduledEvent, *, deleted: bool = False) -> None:
        """Notice that somebody has changed or deleted an event, and let its table follow. Raises HostError."""
        if self._is_ours(event):
            await self._follow(event.guild_id, event.id, None if deleted else event)

    async def notice(self, guilds: Collection[int]) -> None:
        """Notice what has become of these servers' events while the bot was offline. Raises HostError."""
        for guild_id, event_id in await self._part.mirrored():
            if guild_id in guilds:
                await self._follow(guild_id, event_id, self._bot.servers.event(guild_id, event_id))

    async def _follow(self, guild_id: int, event_id: int, told: discord.ScheduledEvent | None) -> None:
        """Let a lobby follow its event, unless the event is going to follow the lobby.

        `told`: the event as the gateway has described it. That may be older than the bot's own last change. So if the
        lobby differs from it, ask Discord for the event.
        """
        found = await self._part.of_event(guild_id, event_id)
        if found is None or found.ahead:
            return
        starts = found.match.shown[appointed.KEY].appointed
        if told is not None and told.status not in _OVER and abs(told.start_time - starts) < SAME:
            return
        try:
            event = await _fetched(self._bot.servers.to_ask(guild_id), event_id)
        except faults.FAILURES as error:
            log.info("match %s: its scheduled event can't be read: %s", found.match.id, reason(error))
            return
        if event is None or event.status in _OVER:
            await self._part.follow_event(found.match, None)
        elif abs(event.start_time - starts) >= SAME:
            await self._part.follow_event(found.match, event.start_time)


async def _fetched(guild: discord.Guild, event_id: int) -> discord.ScheduledEvent | None:
    """Return an event as Discord has it now; ``None`` if it's gone."""
    try:
        return await guild.fetch_scheduled_event(event_id, with_counts=False)
    except faults.FAILURES as error:
        if has_code(error, faults.UNKNOWN_EVENT):
            return None
        raise


def _name(match: Match) -> str:
    """The event's name, by which it is recognised."""
    return f"{match.info.name} #{match.id}"
