"""``/match away|leave|sit|move``: people and places that are gone (P14-P17).

The commands over `matches/host/absence.py`, whose decisions are in `matches/table/absence.py`.
"""

from __future__ import annotations

from contextlib import suppress

from discord import app_commands
from discord.ext import commands

from cogs.client import Client
from cogs.commands import finding
from cogs.play import away, seats
from cogs.press import places, rights
from cogs.press.boundary import answered
from cogs.press.reply import Interaction, Message, Press, whisper
from cogs.process import faults
from cogs.text import names, words
from matches.api import Match, MatchId, NotAllowed, NotFound, Status

_match = app_commands.describe(match=finding.MATCH)


async def _complete_until(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    return [
        app_commands.Choice(name=offer, value=offer) for offer in away.OFFERS if current.casefold().strip() in offer
    ]


async def _complete_seat(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """The seats that the computer plays in the match that is meant."""
    async with answered(interaction) as press:
        match = await finding.find_match(press, vars(press.interaction.namespace).get("match") or None)
        absent = [names.plain(seat.name) for seat in match.seats if seat.computer is not None]
        wanted = [name for name in absent if current.casefold() in name.casefold()]
        return [app_commands.Choice(name=name, value=name) for name in wanted[: finding.MAX_CHOICES]]
    return []


class AbsenceCommands(commands.Cog):
    """The part of ``/match`` that deals with people and places that are not there any more."""

    bot: Client

    @app_commands.command(description="Pause your clocks in all your matches and let your tables know.")
    @app_commands.describe(until="How long (“3 days”), or until which day (within 60 days), or “now” if you're back.")
    @app_commands.autocomplete(until=_complete_until)
    async def away(self, interaction: Interaction, until: str) -> None:
        """``/match away``."""
        async with answered(interaction) as press:
            await whisper(press, await away.until(press, until))

    @app_commands.command(
        description="Leave a table. In a match a computer takes your seat; with two you lose, once you've moved."
    )
    @app_commands.autocomplete(match=finding.complete_match)
    @_match
    async def leave(self, interaction: Interaction, match: int | None = None) -> None:
        """``/match leave``."""
        async with answered(interaction) as press:
            found = await finding.find_match(press, match, seated=True)
            if found.status is not Status.LOBBY:
                await seats.ask_depart(press, found)
                return
            await self.bot.host.lobby.leave(press.once(found.id), press.person, shown=False)
            await whisper(press, Message(f"{words.title(found)}: you've left the table."))

    @app_commands.command(description="Ask to take over a seat that a computer is playing.")
    @app_commands.autocomplete(seat=_complete_seat)
    @app_commands.autocomplete(match=finding.complete_match)
    @app_commands.describe(match=finding.MATCH, seat="Whose seat (default: the first one that a computer plays).")
    async def sit(self, interaction: Interaction, match: int | None = None, seat: str | None = None) -> None:
        """``/match sit``."""
        async with answered(interaction) as press:
            found = await finding.find_match(press, match)
            await seats.ask_for_seat(press, found, seat)

    @app_commands.command(description="Move a match to this channel and repost its board.")
    @app_commands.autocomplete(match=finding.complete_match)
    @_match
    async def move(self, interaction: Interaction, match: int | None = None) -> None:
        """``/match move``."""
        async with answered(interaction) as press:
            found = await self._movable(press, match)
            moderator = rights.is_moderator(press, found)
            channel_id = interaction.channel_id
            assert channel_id is not None
            assert interaction.channel is not None
            await self.bot.host.reach.move(
                found.id,
                press.person,
                channel_id,
                moderator=moderator,
                in_thread=interaction.channel.type in places.THREAD_KINDS,
            )
            await whisper(press, Message(f"{words.title(found)} will be played here from now on."))
            await self._close_old_lobby(found, channel_id)

    async def _movable(self, press: Press, number: int | None) -> Match:
        """The match that can be moved here. Raises NotFound or NotAllowed with what is in the way."""
        asked = press.interaction
        if asked.guild_id is None or asked.channel is None:
            raise NotAllowed("Matches are played in server channels; please use this command in one.")
        places.refuse_elsewhere(await self.bot.host.settings.guild_settings(asked.guild_id), asked.channel)
        in_thread = asked.channel.type in places.THREAD_KINDS
        places.refuse_without(asked.app_permissions, in_thread=in_thread)
        found = await self._managed(press, number)
        if found is None:
            found = await finding.find_match(press, number, seated=True)
        if found.guild_id != asked.guild_id:
            raise NotFound("This match belongs to another server.")
        rights.refuse_moving(press, found)
        if found.place_id == asked.channel_id and found.lost is None:
            raise NotAllowed("This match is already being played here.")
        return found

    async def _managed(self, press: Press, number: int | None) -> Match | None:
        """The match with this number where this person moderates its place, from anywhere on its server."""
        if number is None:
            return None
        with suppress(NotFound):  # Said as to everybody else.
            match = await self.bot.host.look.match(MatchId(number))
            return match if rights.is_moderator(press, match) else None
        return None

    async def _close_old_lobby(self, match: Match, channel_id: int) -> None:
        """The lobby message that was left behind says where its table is now, if it is still there."""
        if match.status is Status.LOBBY and match.lobby_message_id is not None:
            old = self.bot.get_partial_messageable(match.channel_id).get_partial_message(match.lobby_message_id)
            with suppress(*faults.FAILURES):
                await old.edit(content=f"{words.title(match)} has moved to <#{channel_id}>.", view=None)
