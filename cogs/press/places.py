"""Where matches may be played on Discord, and which permissions that needs."""

from __future__ import annotations

import math
import time
from typing import Final, NamedTuple

import discord

from cogs.client import Client
from cogs.press.reply import Press
from cogs.process import faults
from cogs.process.faults import has_code
from matches.api import GuildSettings, Match, NotAllowed

THREAD_KINDS: Final = (
    discord.ChannelType.public_thread,
    discord.ChannelType.private_thread,
    discord.ChannelType.news_thread,
)
ATTACHING_TRUSTED: Final = 3600.0
"""Seconds for which a remembered permission to attach pictures is trusted."""

MAX_NAMED: Final = 20
NOWHERE: Final = "Matches can't be started on this server right now (`/settings server`)."

_FOR_THREADS: Final = "(permissions: Create Public Threads, Send Messages in Threads)"
NO_THREAD: Final = f"I'm not allowed to use threads here, so the match stays in the channel {_FOR_THREADS}."


def no_thread(error: BaseException) -> str:
    """Why a match stays in its channel, after Discord has refused a thread."""
    if has_code(error, faults.MISSING_PERMISSIONS, faults.MISSING_ACCESS):
        return NO_THREAD
    why = faults.why(error)
    return f"{why[0].upper()}{why[1:]}, so the match stays in the channel."


_WITH_THREADS: Final = (discord.ChannelType.text, discord.ChannelType.news)


def refuse_elsewhere(chosen: GuildSettings, channel: discord.abc.Snowflake) -> None:
    """Raise NotAllowed in a channel where this server wants no matches (P19); a thread counts as its channel."""
    if chosen.channels is None or {channel.id, getattr(channel, "parent_id", None)}.intersection(chosen.channels):
        return
    allowed = ", ".join(f"<#{each}>" for each in chosen.channels[:MAX_NAMED])
    raise NotAllowed(f"On this server, matches can only be started in {allowed}." if allowed else NOWHERE)


class Place(NamedTuple):
    """A channel or a thread where a match can be played, and what its server has set."""

    guild_id: int
    channel_id: int
    in_thread: bool
    settings: GuildSettings


async def playable(press: Press) -> Place:
    """The place where the command was used. Raises NotAllowed if no match can be played there (P19, P29)."""
    asked = press.interaction
    if asked.guild_id is None or asked.channel is None:
        raise NotAllowed("Matches are played in server channels; please use this command in one.")
    settings = await press.host.settings.guild_settings(asked.guild_id)
    refuse_elsewhere(settings, asked.channel)
    in_thread, permissions = asked.channel.type in THREAD_KINDS, asked.app_permissions
    needed = {
        "View Channel": permissions.view_channel,
        "Send Messages in Threads" if in_thread else "Send Messages": (
            permissions.send_messages_in_threads if in_thread else permissions.send_messages
        ),
    }
    missing = [name for name, granted in needed.items() if not granted]
    if missing:
        raise NotAllowed(f"I can't host a match here: I need the {' and '.join(missing)} permission in this channel.")
    return Place(asked.guild_id, asked.channel.id, in_thread, settings)


def may_attach(press: Press) -> bool:
    """Whether an answer can have pictures here; in a DM always."""
    return press.interaction.guild_id is None or press.interaction.app_permissions.attach_files


def note_permissions(press: Press) -> None:
    """Remember whether the bot may attach pictures in this channel. Every interaction says so."""
    interaction = press.interaction
    if interaction.guild_id is not None and interaction.channel_id is not None:
        _note_attaching(press.bot, interaction.channel_id, interaction.app_permissions.attach_files)


def note_refused_picture(bot: Client, match: Match) -> None:
    """Remember that Discord has refused a picture where the match is played."""
    _note_attaching(bot, match.place_id, False)


def _note_attaching(bot: Client, channel_id: int, may: bool) -> None:
    bot.attaching[channel_id] = (may, time.monotonic())


def may_attach_in(bot: Client, match: Match, *, to_lobby: bool = False) -> bool:
    """Whether a message where a match is played (or in its lobby's channel) can have pictures, as far as is known.

    The last interaction or refusal there decides, for `ATTACHING_TRUSTED` seconds. After that, `bot.servers` does.
    """
    channel_id = match.channel_id if to_lobby else match.place_id
    may, heard = bot.attaching.get(channel_id, (True, -math.inf))
    if time.monotonic() - heard < ATTACHING_TRUSTED:
        return may
    server = bot.servers.known(match.guild_id)
    return server is None or server.may_attach(channel_id) is not False


def restrictions(permissions: discord.Permissions, *, wants_thread: bool) -> tuple[str, ...]:
    """Sentences about what the bot can't do here because it lacks a permission (P29)."""
    sentences = []
    if not permissions.attach_files:
        sentences.append("I'm not allowed to attach files here, so the board comes as text (permission: Attach Files).")
    if wants_thread and not _may_thread(permissions):
        sentences.append(NO_THREAD)
    return tuple(sentences)


def may_thread(press: Press) -> bool:
    """Whether the bot can create threads in this channel and write in them."""
    channel = press.interaction.channel
    return channel is not None and channel.type in _WITH_THREADS and _may_thread(press.interaction.app_permissions)


async def may_mirror(press: Press) -> bool:
    """Whether the bot can make a scheduled event for a table here, which everybody on the server would see."""
    channel_id = press.interaction.channel_id
    if channel_id is None or not press.interaction.app_permissions.create_events:
        return False
    return await is_open(press, channel_id)


def refuse_threads(permissions: discord.Permissions) -> None:
    """Raise NotAllowed, naming the permissions, if the bot can't create threads and write in them."""
    if not _may_thread(permissions):
        raise NotAllowed(f"I'm not allowed to use threads here {_FOR_THREADS}.")


def _may_thread(permissions: discord.Permissions) -> bool:
    return permissions.create_public_threads and permissions.send_messages_in_threads


async def is_open(press: Press, channel_id: int) -> bool:
    """Whether everybody on the server can see this channel or thread, as far as the bot knows."""
    server = await press.bot.servers.described(press.interaction.guild_id)
    return server is not None and server.is_open(channel_id)
