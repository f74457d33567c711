"""What somebody may do with a match: the one place that knows.

What counts is the match's own place, its channel or thread, and not the one in which somebody has pressed or typed:

* People who can see a match's place, or have a seat in it, may look at it, find it among a server's finished matches,
  and press buttons that name it. In a direct message Discord says nothing of servers, so there only a seat counts.
* People who can see a match's place and manage messages there may end and move other people's matches.
* People who may manage messages on the whole server may keep somebody out of its matches.
* A picture of a match may be posted for all to see in its own place. Elsewhere on its server it may be posted only if
  everybody there can see that place.
* A match's players may move it, too. They must see the place that they move it from, as long as that place exists.

`Host` itself checks what needs a seat, or is only for the table's host. A press says what its person may do where they
pressed, and which roles they have. What they may do elsewhere follows from these roles and from what is known of the
server (`cogs/servers.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TypeAlias

import discord

from cogs.press import attachments, coming_back
from cogs.press.places import THREAD_KINDS
from cogs.press.reply import Press
from cogs.servers import Server
from matches.api import Match, NotAllowed, NotFound
from matches.host.look import OpenTable

Placed: TypeAlias = Match | OpenTable
"""A record with the ids of a server and of a place there."""


async def match_named(press: Press) -> Match | None:
    """The match that a button or menu names, or ``None``. Raises NotFound if this person may not look at it."""
    number = press.ref.match
    if number is None:
        return None
    match = None
    with suppress(NotFound):
        match = await press.host.look.match(number)
    if match is None or not await may_look(press, match):
        # The time that the answer takes doesn't tell either whether there is such a match.
        await press.bot.servers.described(press.interaction.guild_id)
        raise NotFound(f"You can't see where match {number} is being played, and you don't have a seat in it.")
    await coming_back.note(press, match)
    return match


async def may_look(press: Press, match: Match) -> bool:
    """Whether this person can see the match's place, or has a seat in it."""
    return match.at_table(press.person) is not None or await may_see(press, match)


async def may_see(press: Press, place: Placed) -> bool:
    """Whether this person can see the place of a match."""
    return (await _permissions(press, place)).view_channel


async def sight(press: Press) -> Callable[[Match], bool]:
    """Return what `may_look` says, as a function for many matches."""
    server = await press.bot.servers.described(press.interaction.guild_id)

    def may_look_at(match: Match) -> bool:
        return match.at_table(press.person) is not None or _permissions_on(server, press, match).view_channel

    return may_look_at


async def may_see_place(press: Press, number: int) -> bool:
    """Whether this person can see a channel or thread of the server where they pressed."""
    if press.interaction.channel_id == number:
        return press.interaction.permissions.view_channel
    server, person = await press.bot.servers.described(press.interaction.guild_id), press.interaction.user
    if server is None or not isinstance(person, discord.Member):
        return False
    there = server.permissions(person, number)
    return there is not None and there.view_channel


def is_at_hand(press: Press, match: Match) -> bool:
    """Whether this person can name the match by its number here: where it is played, or anywhere with a seat."""
    return match.at_table(press.person) is not None or _is_here(press, match)


async def is_moderator(press: Press, match: Match) -> bool:
    """Whether this person may end and move other people's matches in the place of this one."""
    here = await _permissions(press, match)
    return here.view_channel and here.manage_messages


def server(press: Press) -> int:
    """The server where the command was used. Raises NotAllowed in a direct message."""
    if press.interaction.guild_id is None:
        raise NotAllowed("This only works in a server; please use the command there.")
    return press.interaction.guild_id


async def moderated_server(press: Press) -> int:
    """The server where the command was used. Raises NotAllowed unless the person manages messages all over it."""
    number, person = server(press), press.interaction.user
    found = await press.bot.servers.described(number)
    if found is None or not isinstance(person, discord.Member) or not found.everywhere(person).manage_messages:
        raise NotAllowed("Only people who can manage messages on the whole server can do that.")
    return number


async def refuse_moving(press: Press, match: Match) -> None:
    """Raise NotAllowed if this person can't see the place where the match is now, and that place still exists.

    A private table can't be moved.
    """
    if match.guild_id is None:
        raise NotAllowed("This table is private, so it stays in your DMs.")
    if await may_see(press, match):
        return
    server = await press.bot.servers.described(press.interaction.guild_id)
    if server is None or server.place(match.place_id, match.channel_id) is not None:
        raise NotAllowed("You can't move this match, because you can't see the channel it's being played in.")


async def refuse_showing(press: Press, match: Match) -> None:
    """Raise NotAllowed if a picture of the match, posted here, would reach people who can't see the match's place.

    In the match's own place it can't. Elsewhere on the server everybody must be able to see that place. The person must
    also be allowed to write here themselves.
    """
    if match.guild_id is None:
        raise NotAllowed("This match was played at a private table, so I don't post it for others.")
    guild_id = press.interaction.guild_id
    if guild_id is None or guild_id != match.guild_id:
        raise NotAllowed("I only post a match on the server where it's played.")
    refuse_posting(press)
    if _is_here(press, match):
        return
    server = await press.bot.servers.described(guild_id)
    if server is None or not server.is_open(match.place_id, match.channel_id):
        raise NotAllowed("Not everyone here can see the channel where this match is played, so I don't post it here.")


def refuse_posting(press: Press) -> None:
    """Raise NotAllowed if this person isn't allowed to write here, or the bot can't send pictures."""
    in_thread = press.interaction.channel is not None and press.interaction.channel.type in THREAD_KINDS
    own = press.interaction.permissions
    if not (own.send_messages_in_threads if in_thread else own.send_messages):
        raise NotAllowed("You can't post in this channel.")
    attachments.refuse_without(press)


def _is_here(press: Press, match: Placed) -> bool:
    """Whether this is the match's channel or thread. The bot's threads are public: the channel's people see them."""
    return press.interaction.channel_id in (match.channel_id, match.thread_id)


async def _permissions(press: Press, match: Placed) -> discord.Permissions:
    """This person's permissions in the match's place; none if they can't be known."""
    on_its_server = press.interaction.guild_id is not None and press.interaction.guild_id == match.guild_id
    elsewhere = on_its_server and not _is_here(press, match)
    server = await press.bot.servers.described(match.guild_id) if elsewhere else None
    return _permissions_on(server, press, match)


def _permissions_on(server: Server | None, press: Press, match: Placed) -> discord.Permissions:
    """The same for a `server` that was looked up. In the place of the press, the press itself says the permissions."""
    guild_id, person = press.interaction.guild_id, press.interaction.user
    if guild_id is None or guild_id != match.guild_id or not isinstance(person, discord.Member):
        return discord.Permissions.none()
    if _is_here(press, match):
        return press.interaction.permissions
    if server is None:
        return discord.Permissions.none()
    there = server.permissions(person, match.place_id, match.channel_id)
    return _of_no_place(server.everywhere(person), match) if there is None else there


def _of_no_place(everywhere: discord.Permissions, match: Placed) -> discord.Permissions:
    """The permissions if the place is gone or archived: those on the whole server if they manage it, else none."""
    manages = everywhere.manage_messages and (everywhere.manage_threads or not match.in_thread)
    return everywhere if manages else discord.Permissions.none()
