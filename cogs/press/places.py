"""Where matches may be played on Discord, and which permissions that needs."""

from __future__ import annotations

import math
import time
from typing import Any, Final, NamedTuple

import discord

from cogs import internals
from cogs.client import Client
from cogs.press.reply import Press
from cogs.process import faults
from cogs.process.faults import has_code, is_transient
from matches.api import GuildSettings, Match, NotAllowed
from render.grammar import listed

THREAD_KINDS: Final = (
    discord.ChannelType.public_thread,
    discord.ChannelType.private_thread,
    discord.ChannelType.news_thread,
)
_VOICE: Final = (discord.ChannelType.voice, discord.ChannelType.stage_voice)
_WITH_THREADS: Final = (discord.ChannelType.text, discord.ChannelType.news)
INVITED_WITH: Final = discord.Permissions(17901423725568)
"""What the link in the README asks for."""

ATTACHING_TRUSTED: Final = 3600.0
"""Seconds for which a remembered permission to attach pictures is trusted."""

MAX_NAMED: Final = 20
NOWHERE: Final = "Matches can't be started on this server right now."
WHO_CHANGES: Final = "People who can manage the server can change that with `/settings server`."

_FOR_THREADS: Final = "(permissions: Create Public Threads, Send Messages in Threads)"
NO_THREADS: Final = "There are no threads in this kind of channel"
NO_THREAD: Final = f"I'm not allowed to use threads here, so the match stays in the channel {_FOR_THREADS}."


def no_thread(error: BaseException) -> str:
    """Why a match stays in its channel, after Discord has refused a thread."""
    if has_code(error, faults.MISSING_PERMISSIONS, faults.MISSING_ACCESS):
        return NO_THREAD
    why = faults.why(error)
    return f"{why[0].upper()}{why[1:]}, so the match stays in the channel."


def refuse_outside(press: Press) -> None:
    """Raise NotAllowed on a server that the bot isn't on: a person brought it along, or only its commands are there."""
    guild_id, owners = press.interaction.guild_id, internals.owners(press.interaction)
    if guild_id is not None and ((owners and owners.get(0) != guild_id) or press.bot.servers.lacks(guild_id)):
        raise _absent(press)


def invitation(application_id: int) -> str:
    """Return the address at which somebody adds the bot to a server, with the permissions that it needs there."""
    return discord.utils.oauth_url(application_id, permissions=INVITED_WITH, scopes=("bot", "applications.commands"))


def _absent(press: Press) -> NotAllowed:
    way_on = f"Somebody who manages it can [add me](<{invitation(press.interaction.application_id)}>)."
    return NotAllowed(f"I'm not a member of this server, so I can't host matches here. {way_on}")


async def _refuse_elsewhere(press: Press, guild_id: int, chosen: GuildSettings, channel: Any) -> None:
    """Raise NotAllowed in a channel where this server wants no matches (P19); a thread counts as its channel.

    If all channels where it wants them were deleted while the bot didn't hear of it, it wants them everywhere.
    """
    if chosen.channels is None or {channel.id, getattr(channel, "parent_id", None)}.intersection(chosen.channels):
        return
    gone = [each for each in chosen.channels if await is_here(press.bot, guild_id, each) is False]
    for each in gone:
        await press.host.reach.lose_channel(each, guild_id)
    allowed = ", ".join(f"<#{each}>" for each in chosen.channels[:MAX_NAMED] if each not in gone)
    if allowed or not gone:
        where = f"On this server, matches can only be started in {allowed}." if allowed else NOWHERE
        raise NotAllowed(f"{where} {WHO_CHANGES}")


async def is_here(bot: Client, guild_id: int, channel_id: int) -> bool | None:
    """Whether this is a channel or thread of the server, and no category; ``None`` if Discord doesn't tell."""
    try:
        return await bot.servers.has_place(guild_id, channel_id)
    except faults.FAILURES as error:
        return False if has_code(error, faults.UNKNOWN_CHANNEL) else None


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
    await _refuse_elsewhere(press, asked.guild_id, settings, asked.channel)
    obstacles = await hindrances(press.bot, asked.guild_id, asked.channel, asked.app_permissions)
    refusal = press.bot.servers.refusal(asked.guild_id)
    if refusal is not None and has_code(refusal, faults.MISSING_ACCESS, faults.UNKNOWN_SERVER):
        raise _absent(press)
    if obstacles:
        raise NotAllowed(f"I can't host a match here: {'; '.join(obstacles)}.")
    return Place(asked.guild_id, asked.channel.id, asked.channel.type in THREAD_KINDS, settings)


async def closed(bot: Client, guild_id: int, channel_id: int) -> str:
    """Return why the bot can't post in a place, as the end of a sentence; empty if it can, or if that isn't known."""
    server = await bot.servers.described(guild_id)
    place = None if server is None else server.place(channel_id)
    if server is None or place is None:
        return "the channel is gone" if await is_here(bot, guild_id, channel_id) is False else ""
    return "; ".join(await hindrances(bot, guild_id, place, server.mine(place)))


async def hindrances(bot: Client, guild_id: int, place: Any, mine: discord.Permissions) -> list[str]:
    """Return all that keeps the bot from posting in a channel or thread from now on, each as the end of a sentence.

    `mine`: its permissions there. Slow mode doesn't bind bots. AutoMod can't be asked: the first post shows it.
    """
    kind, needed = place.type, {"View Channel": mine.view_channel}
    if kind in THREAD_KINDS:
        needed |= {"Send Messages in Threads": mine.send_messages_in_threads}
        needed |= {"Manage Threads (the thread is locked)": mine.manage_threads or not place.locked}
    elif kind in (*_VOICE, *_WITH_THREADS):
        needed |= {"Connect": mine.connect or kind not in _VOICE, "Send Messages": mine.send_messages}
    else:
        return ["I can't post in this kind of channel"]
    found, server = [], await bot.servers.described(guild_id)
    until = None if server is None else server.silenced_until
    if until is not None and until > bot.host.now():
        found.append(f"I'm timed out on this server until {discord.utils.format_dt(until, 'f')}")
    if missing := [name for name, granted in needed.items() if not granted]:
        found.append(f"I need the {listed(missing)} permission{'s' * (len(missing) > 1)} in this channel")
    if not found and kind is discord.ChannelType.private_thread:
        try:
            await bot.http.join_thread(place.id)
        except faults.FAILURES as error:
            if has_code(error, faults.ARCHIVED, faults.THREAD_FULL):
                found.append(faults.why(error))
            elif not is_transient(error):
                found.append("somebody has to add me to this private thread, by mentioning me in it")
    return found


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


def restrictions(press: Press, *, wants_thread: bool) -> tuple[str, ...]:
    """Sentences about what the bot can't do here, which a match can do without (P29)."""
    sentences, permissions = [], press.interaction.app_permissions
    if not permissions.attach_files:
        sentences.append("I'm not allowed to attach files here, so the board comes as text (permission: Attach Files).")
    if wants_thread and not _has_threads(press):
        sentences.append(f"{NO_THREADS}, so the match stays in the channel.")
    elif wants_thread and not _may_thread(permissions):
        sentences.append(NO_THREAD)
    return tuple(sentences)


def may_thread(press: Press) -> bool:
    """Whether the bot can create threads in this channel and write in them."""
    return _has_threads(press) and _may_thread(press.interaction.app_permissions)


def _has_threads(press: Press) -> bool:
    return press.interaction.channel is not None and press.interaction.channel.type in _WITH_THREADS


def refuse_threads(press: Press) -> None:
    """Raise NotAllowed, naming what is missing, if the bot can't create threads here and write in them."""
    if not _has_threads(press):
        raise NotAllowed(f"{NO_THREADS}.")
    if not may_thread(press):
        raise NotAllowed(f"I'm not allowed to use threads here {_FOR_THREADS}.")


def _may_thread(permissions: discord.Permissions) -> bool:
    return permissions.create_public_threads and permissions.send_messages_in_threads


async def is_open(press: Press, channel_id: int) -> bool:
    """Whether everybody on the server can see this channel or thread, as far as the bot knows."""
    server = await press.bot.servers.described(press.interaction.guild_id)
    return server is not None and server.is_open(channel_id)
