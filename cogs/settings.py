"""``/settings``: what a server and what a person can choose (P19)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final, Literal

from discord import app_commands
from discord.ext import commands

from cogs.client import Client
from cogs.match import EVERYWHERE
from cogs.table.boundary import answered
from cogs.table.lobby_picture import PACES
from cogs.table.reply import Interaction, Message, whisper
from matches import Cancellers, GuildSettings, NotAllowed, Pace, Ping, PlayerSettings

_CHANNEL = re.compile(r"<#([0-9]{15,20})>")
MAX_CHANNELS: Final = 50
ALL: Final = "all"
NONE: Final = "none"

_PINGS: Final = {
    Ping.MENTION: "the board mentions you",
    Ping.DM: "a DM calls you, and the board does not mention you",
    Ping.BOTH: "the board mentions you, and a DM calls you too",
    Ping.NONE: "nothing calls you",
}
_CANCELLERS: Final = {
    Cancellers.MODERATORS: "moderators (Manage Messages), else the majority of the players",
    Cancellers.HOSTS: "moderators (Manage Messages) and the match's host, else the majority of the players",
}


class SettingsCog(commands.GroupCog, group_name="settings", group_description="What you, or a server, can choose."):
    """``/settings server|me``."""

    def __init__(self, bot: Client) -> None:
        self.bot = bot
        assert self.app_command is not None
        self.app_command.allowed_contexts = EVERYWHERE

    @app_commands.command(description="How matches are played on this server; for who may manage it.")
    @app_commands.describe(
        where="Where the board stands if nobody says otherwise.",
        pace="How long a turn may take if nobody says otherwise.",
        channels="Where matches may be made: mention channels, or write “all” or “none”.",
        cancel="Who may end a match that runs without a vote.",
    )
    async def server(
        self,
        interaction: Interaction,
        where: Literal["channel", "thread"] | None = None,
        pace: Literal["live", "day", "slow", "none"] | None = None,
        channels: str | None = None,
        cancel: Literal["moderators", "hosts"] | None = None,
    ) -> None:
        """``/settings server``: keep what is chosen, and show everything."""
        async with answered(interaction):
            guild = interaction.guild_id
            if guild is None:
                raise NotAllowed("This is about a server: please use the command there.")
            if not interaction.permissions.manage_guild:
                raise NotAllowed("Only who may manage this server can do that (permission: Manage Server).")
            before = await self.bot.host.guild_settings(guild)
            chosen = replace(
                before,
                where=where or before.where,
                pace=pace or before.pace,
                channels=before.channels if channels is None else read_channels(channels),
                who_cancels=before.who_cancels if cancel is None else Cancellers(cancel),
            )
            if chosen != before:
                await self.bot.host.set_guild_settings(guild, chosen)
            await whisper(interaction, Message(_of_server(chosen)))

    @app_commands.command(description="How you are called when it is your turn, and how pictures come to you.")
    @app_commands.describe(
        ping="What calls you when it is your turn.",
        large="Large private pictures (1200 pixels wide instead of 900).",
        spoiler="Your hand's pictures come covered; your role's always do.",
    )
    async def me(
        self,
        interaction: Interaction,
        ping: Literal["mention", "dm", "both", "none"] | None = None,
        large: bool | None = None,
        spoiler: bool | None = None,
    ) -> None:
        """``/settings me``: keep what is chosen, and show everything."""
        async with answered(interaction):
            before = await self.bot.host.player_settings(interaction.user.id)
            chosen = PlayerSettings(
                before.ping if ping is None else Ping(ping),
                before.large if large is None else large,
                before.spoiler if spoiler is None else spoiler,
            )
            if chosen != before:
                await self.bot.host.set_player_settings(interaction.user.id, chosen)
            await whisper(interaction, Message(_of_person(chosen)))


def read_channels(text: str) -> tuple[int, ...] | None:
    """The channels that somebody named; ``None`` for all. Raises NotAllowed."""
    wanted = text.strip().casefold()
    if wanted in (ALL, NONE):
        return None if wanted == ALL else ()
    found = tuple(dict.fromkeys(int(channel) for channel in _CHANNEL.findall(text)))
    if not found:
        raise NotAllowed("I could not read the channels: please mention them like #games, or write “all” or “none”.")
    if len(found) > MAX_CHANNELS:
        raise NotAllowed(f"At most {MAX_CHANNELS} channels can be named; “all” means every one.")
    return found


def _of_server(chosen: GuildSettings) -> str:
    channels = "every channel" if chosen.channels is None else " ".join(f"<#{each}>" for each in chosen.channels)
    return "\n".join(
        (
            "**This server**",
            f"• Matches may be made in: {channels or 'no channel'}",
            f"• If nobody says otherwise: {_place(chosen.where)}, {PACES[Pace(chosen.pace)]}",
            f"• A match that runs is ended by: {_CANCELLERS[chosen.who_cancels]}",
        )
    )


def _place(where: str) -> str:
    return "in the channel" if where == "channel" else "in a thread of its own"


def _of_person(chosen: PlayerSettings) -> str:
    return "\n".join(
        (
            "**Your settings**",
            f"• When it is your turn, {_PINGS[chosen.ping]}.",
            f"• Private pictures: {'large' if chosen.large else 'made for a phone'}",
            f"• Pictures of your hand: {'covered (your role always is)' if chosen.spoiler else 'open'}",
        )
    )
