"""``/settings``: what a server and what a person can choose (P19).

The commands over `matches/host/settings.py`; the queries are in `db/people/settings.py`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Final, Literal

from discord import app_commands
from discord.ext import commands

from cogs.client import Client
from cogs.commands.apart import ApartCommands
from cogs.commands.bars import BarCommands
from cogs.commands.match import EVERYWHERE
from cogs.lobby.lobby_picture import PACES
from cogs.post import dms
from cogs.press import rights
from cogs.press.boundary import answered
from cogs.press.custom_ids import is_id
from cogs.press.reply import Interaction, Message, whisper
from matches.api import (
    Cancellers,
    Dm,
    GuildSettings,
    LastLook,
    NotAllowed,
    Pace,
    Ping,
    PlayerSettings,
    Private,
    Where,
)

_CHANNEL = re.compile(r"<#([0-9]{15,20})>")
MAX_CHANNELS: Final = 50
ALL: Final = "all"
NONE: Final = "none"

_PINGS: Final = {
    Ping.MENTION: "the board mentions you",
    Ping.DM: "you get a DM instead of a mention",
    Ping.BOTH: "you get a mention and a DM",
    Ping.NONE: "you aren't notified",
}
_BY_DM: Final = (Ping.DM, Ping.BOTH)
_CANCELLERS: Final = {
    Cancellers.MODERATORS: "moderators (Manage Messages) who don't play in it, or a majority of the players",
    Cancellers.HOSTS: (
        "moderators (Manage Messages) who don't play in it, or a majority of the players; if it isn't rated, also its "
        "host (it then counts as not finished for them)"
    ),
}
_PRIVATE: Final = {
    Private.SERVER: "as this server has set it",
    Private.DM: "by direct message",
    Private.BUTTON: "only by button, never by direct message",
}
_CONFIRM: Final = {
    LastLook.ALWAYS: "always",
    LastLook.UNSEEN: "only for moves that you can't see on the picture",
    LastLook.NEVER: "never; the last tap plays the move",
}
_PRIVATE_OF_SERVERS: Final = {
    Private.DM: "by direct message",
    Private.BUTTON: "by button first; by direct message to people who choose that with `/settings me`",
}


def _offered(texts: Mapping[Private, str] | Mapping[LastLook, str]) -> list[app_commands.Choice[str]]:
    return [app_commands.Choice(name=text.partition(";")[0], value=value) for value, text in texts.items()]


class SettingsCog(
    ApartCommands,
    BarCommands,
    commands.GroupCog,
    group_name="settings",
    group_description="Your settings and this server's.",
):
    """``/settings server|me``, and what `apart` and `bars` add."""

    def __init__(self, bot: Client) -> None:
        super().__init__(bot)
        assert self.app_command is not None
        self.app_command.allowed_contexts = EVERYWHERE

    @app_commands.command(description="How matches are played on this server (needs Manage Server).")
    @app_commands.describe(
        where="Where matches are played by default.",
        pace="Time per turn by default.",
        channels="Channels where matches can be started: mention them, or write “all” or “none”.",
        cancel="Who can end a running match without a vote.",
        private="How people get their hands and roles if they haven't chosen.",
        ratings="Whether matches count for ratings here; “new season” starts everybody over.",
    )
    @app_commands.choices(private=_offered(_PRIVATE_OF_SERVERS))
    async def server(
        self,
        interaction: Interaction,
        where: Literal["channel", "thread"] | None = None,
        pace: Literal["live", "day", "slow", "none"] | None = None,
        channels: str | None = None,
        cancel: Literal["moderators", "hosts"] | None = None,
        private: str | None = None,
        ratings: Literal["on", "off", "new season"] | None = None,
    ) -> None:
        """``/settings server``: keep what is chosen, and show everything."""
        async with answered(interaction) as press:
            guild = rights.server(press)
            if not press.interaction.permissions.manage_guild:
                raise NotAllowed("Only people who can manage this server can do that (permission: Manage Server).")
            before = await self.bot.host.settings.guild_settings(guild)
            chosen = replace(
                before,
                where=before.where if where is None else Where(where),
                pace=before.pace if pace is None else Pace(pace),
                channels=before.channels if channels is None else read_channels(channels),
                who_cancels=before.who_cancels if cancel is None else Cancellers(cancel),
                private=before.private if private is None else Private(private),
                unrated=before.unrated if ratings is None else ratings == "off",
            )
            if chosen != before:
                await self.bot.host.settings.set_guild_settings(guild, chosen)
            if ratings == "new season":
                await self.bot.host.ratings.begin_season(guild)
            season = (await self.bot.host.ratings.seasons(guild))[-1].number
            await whisper(press, Message(_of_server(chosen, season)))

    @app_commands.command(description="How you're notified of your turn, and how you get pictures.")
    @app_commands.describe(
        ping="How you're notified when it's your turn.",
        large="Large private pictures (1200 pixels wide instead of 900).",
        spoiler="Hide pictures of your hand behind a spoiler (your role always is).",
        private="How you get your hands and roles.",
        confirm="When you get a last look at your move, with a Confirm button.",
        listed="Whether lists of players, like the leaderboard, show you.",
    )
    @app_commands.choices(private=_offered(_PRIVATE), confirm=_offered(_CONFIRM))
    async def me(
        self,
        interaction: Interaction,
        ping: Literal["mention", "dm", "both", "none"] | None = None,
        large: bool | None = None,
        spoiler: bool | None = None,
        private: str | None = None,
        confirm: str | None = None,
        listed: bool | None = None,
    ) -> None:
        """``/settings me``: keep what is chosen, and show everything.

        Whoever chooses direct messages is sent one, so that they are told what comes of it (P32).
        """
        async with answered(interaction) as press:
            host, user_id = self.bot.host, press.person
            before = await host.settings.player_settings(user_id)
            chosen = replace(
                before,
                ping=before.ping if ping is None else Ping(ping),
                large=before.large if large is None else large,
                spoiler=before.spoiler if spoiler is None else spoiler,
                private=before.private if private is None else Private(private),
                confirm=before.confirm if confirm is None else LastLook(confirm),
                hidden=before.hidden if listed is None else not listed,
            )
            if chosen != before:
                await host.settings.set_player_settings(user_id, chosen)
            server = Private.DM
            if press.interaction.guild_id is not None:
                server = (await host.settings.guild_settings(press.interaction.guild_id)).private
            asks = ping in _BY_DM or private == Private.DM
            if asks and chosen.private is not Private.BUTTON:
                dm = (await dms.send(self.bot, user_id, Message(_greeting(chosen)), asked=True)).dm
            else:
                dm = await host.dms.dm_of(user_id)
            await whisper(press, Message(_of_person(chosen, dm, server, tried=asks)))


def read_channels(text: str) -> tuple[int, ...] | None:
    """The channels that somebody named; ``None`` for all. Raises NotAllowed."""
    wanted = text.strip().casefold()
    if wanted in (ALL, NONE):
        return None if wanted == ALL else ()
    found = tuple(dict.fromkeys(int(channel) for channel in filter(is_id, _CHANNEL.findall(text))))
    if not found:
        raise NotAllowed("I couldn't tell which channels you mean: mention them like #games, or write “all” or “none”.")
    if len(found) > MAX_CHANNELS:
        raise NotAllowed(f"You can name at most {MAX_CHANNELS} channels; “all” means every one.")
    return found


def _of_server(chosen: GuildSettings, season: int) -> str:
    channels = "every channel" if chosen.channels is None else " ".join(f"<#{each}>" for each in chosen.channels)
    return "\n".join(
        (
            "**This server**",
            f"• Matches can be started in: {channels or 'no channel'}",
            f"• Default: {_place(chosen.where)}, {PACES[chosen.pace]}",
            f"• A running match can be ended by: {_CANCELLERS[chosen.who_cancels]}",
            f"• People get their hands and roles {_PRIVATE_OF_SERVERS[chosen.private]}",
            f"• Ratings: {'off, so no match counts' if chosen.unrated else f'on, season {season}'}",
        )
    )


def _place(where: Where) -> str:
    return "in the channel" if where is Where.CHANNEL else "in a thread of its own"


def _of_person(chosen: PlayerSettings, dm: Dm, server: Private, *, tried: bool) -> str:
    """What somebody has chosen, and what really comes of it: `dm` is how their DMs are, `server` what is chosen here.

    `tried`: a DM was sent just now, or could not be.
    """
    by_dm, private_by_dm = chosen.ping in _BY_DM, chosen.private is Private.DM
    why = _why_no_dm(chosen, dm, server, tried=tried) if by_dm or private_by_dm else None
    call, private = _PINGS[chosen.ping], _PRIVATE[chosen.private]
    if why is not None and by_dm:
        call = f"the board mentions you, but you get no DM: {why}"
    if why is not None and private_by_dm:
        private = f"by button (**My hand**) until I can send them by direct message: {why}"
    lines = (
        "**Your settings**",
        f"• When it's your turn, {call}.",
        f"• You get your hands and roles {private}.",
        f"• Last look before a move: {_CONFIRM[chosen.confirm]}",
        f"• Private pictures: {'large' if chosen.large else 'phone-sized'}",
        f"• Pictures of your hand: {'behind a spoiler' if chosen.spoiler else 'shown (your role is always hidden)'}",
        f"• Ratings in lists, profiles and end posts: {'without you' if chosen.hidden else 'with you'}",
        "I've just sent you a DM, so that works." if tried and why is None else "",
    )
    return "\n".join(line for line in lines if line)


def _why_no_dm(chosen: PlayerSettings, dm: Dm, server: Private, *, tried: bool) -> str | None:
    """Why nothing comes by DM to somebody who has chosen that; ``None`` where it does."""
    if chosen.private is Private.BUTTON:
        return "you've turned them off"
    if chosen.private is Private.SERVER and server is Private.BUTTON:
        return "this server gives out private things by button (choose “by direct message” to get them by DM)"
    if dm is Dm.CLOSED:
        return "your DMs are closed to me (once they are open, use this command again)"
    if dm is Dm.UNKNOWN:
        return "I can't open one with you right now" if tried else "we don't have one yet"
    return None


def _greeting(chosen: PlayerSettings) -> str:
    """The DM to somebody who has chosen direct messages."""
    coming = (
        *(["I'll call you here when it's your turn"] if chosen.ping in _BY_DM else []),
        *(["your cards will arrive here"] if chosen.private is Private.DM else []),
    )
    return f"As you've chosen with `/settings me`, {' and '.join(coming)}."
