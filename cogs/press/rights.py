"""What somebody may do with a match: the one place that knows.

What counts is the match's own place, its channel or thread, and not the one in which somebody has pressed or typed:

* Looking at a match, finding it among those of a server that are over, and every button that names one, is for who can
  see its place or has a seat in it. In a direct message Discord says nothing of servers, so there only a seat counts.
* Ending other people's matches, and moving them, is for who may manage messages in the match's place and can see it.
* Keeping somebody out of a server's matches is for who may manage messages on the whole server.
* A picture of a match is posted for all to see in its own place, and elsewhere on its server only if that place is
  open to everybody there.
* Moving a match is also for its players, who must see the place that they move it from, as long as that is there.

`Host` itself checks what needs a seat, or is for the table's host.
"""

from __future__ import annotations

from typing import TypeAlias

import discord

from cogs.press import attachments, late
from cogs.press.places import THREAD_KINDS
from cogs.press.reply import Press
from matches.api import Match, NotAllowed, NotFound
from matches.host.look import OpenTable

Placed: TypeAlias = Match | OpenTable
"""What has a place on a server."""


async def match_named(press: Press) -> Match | None:
    """The match that a button or menu names, or ``None``. Raises NotFound if this person may not look at it."""
    number = press.ref.match
    if number is None:
        return None
    unseen = NotFound(f"You can't see where match {number} is being played, and you don't have a seat in it.")
    try:
        match = await press.host.look.match(number)
    except NotFound as error:
        raise unseen from error
    if not may_look(press, match):
        raise unseen
    await late.note(press, match)
    return match


def may_look(press: Press, match: Match) -> bool:
    """Whether this person can see the match's place, or has a seat in it."""
    return match.at_table(press.person) is not None or may_see(press, match)


def may_see(press: Press, place: Placed) -> bool:
    """Whether this person can see the place of a match."""
    return _permissions(press, place).view_channel


def is_at_hand(press: Press, match: Match) -> bool:
    """Whether this person can name the match by its number here: where it is played, or anywhere with a seat."""
    return match.at_table(press.person) is not None or _is_here(press, match)


def is_moderator(press: Press, match: Match) -> bool:
    """Whether this person may end and move other people's matches in the place of this one."""
    here = _permissions(press, match)
    return here.view_channel and here.manage_messages


def server(press: Press) -> int:
    """The server where the command was used. Raises NotAllowed."""
    if press.interaction.guild_id is None:
        raise NotAllowed("This only works in a server; please use the command there.")
    return press.interaction.guild_id


def moderated_server(press: Press) -> int:
    """The server where the command was used. Raises NotAllowed unless the person manages messages all over it."""
    number, guild, person = server(press), press.interaction.guild, press.interaction.user
    everywhere = discord.Permissions.none()
    # Until Discord has described the server, nobody's permissions are known.
    if guild is not None and guild.default_role is not None and isinstance(person, discord.Member):
        everywhere = person.guild_permissions
    if not everywhere.manage_messages:
        raise NotAllowed("Only people who can manage messages on the whole server can do that.")
    return number


def refuse_moving(press: Press, match: Match) -> None:
    """Raises NotAllowed if this person can't see the place where the match is now, and that place still exists."""
    gone = press.interaction.guild is not None and _place(press.interaction.guild, match) is None
    if not gone and not _permissions(press, match).view_channel:
        raise NotAllowed("You can't move this match, because you can't see the channel it's being played in.")


def refuse_showing(press: Press, match: Match) -> None:
    """Raises NotAllowed if a picture of the match would reach people who can't see the place where it is played.

    In that place it never does. Elsewhere on the server it does unless everybody can see that place. The person must be
    allowed to write here themselves.
    """
    guild = press.interaction.guild
    if guild is None or guild.id != match.guild_id:
        raise NotAllowed("I only post a match on the server where it's played.")
    refuse_posting(press)
    if _is_here(press, match):
        return
    place = _place(guild, match)
    # Until Discord has described the server, nobody's permissions are known.
    open_to_all = (
        place is not None
        and place.type is not discord.ChannelType.private_thread
        and guild.default_role is not None
        and place.permissions_for(guild.default_role).view_channel
    )
    if not open_to_all:
        raise NotAllowed("Not everyone here can see the channel where this match is played, so I don't post it here.")


def refuse_posting(press: Press) -> None:
    """Raises NotAllowed if this person may not write here, or the bot can't send pictures."""
    in_thread = press.interaction.channel is not None and press.interaction.channel.type in THREAD_KINDS
    own = press.interaction.permissions
    if not (own.send_messages_in_threads if in_thread else own.send_messages):
        raise NotAllowed("You can't post in this channel.")
    attachments.refuse_without(press)


def _is_here(press: Press, match: Placed) -> bool:
    """Whether this is the match's channel or thread. The bot's threads are public: the channel's people see them."""
    return press.interaction.channel_id in (match.channel_id, match.thread_id)


def _permissions(press: Press, match: Placed) -> discord.Permissions:
    """This person's permissions in the match's place; none if they can't be known.

    In that place the interaction carries them. Elsewhere they follow from the roles in the interaction and from the
    channels in discord.py's cache.
    """
    guild, person = press.interaction.guild, press.interaction.user
    if guild is None or guild.id != match.guild_id or not isinstance(person, discord.Member):
        return discord.Permissions.none()
    if _is_here(press, match):
        return press.interaction.permissions
    if guild.default_role is None:  # Discord has not described this server yet.
        return discord.Permissions.none()
    place = _place(guild, match)
    if place is None:
        return _of_no_place(person, match)
    there = place.permissions_for(person)
    if place.type is discord.ChannelType.private_thread and not there.manage_threads:
        # The bot is not told who else is in it.
        return discord.Permissions.none()
    return there


def _place(guild: discord.Guild, match: Placed) -> discord.abc.GuildChannel | discord.Thread | None:
    """Where the match is played, as far as the bot knows; the channel of an archived thread."""
    place = guild.get_channel_or_thread(match.place_id) or guild.get_channel_or_thread(match.channel_id)
    return None if isinstance(place, discord.Thread) and place.parent is None else place


def _of_no_place(person: discord.Member, match: Placed) -> discord.Permissions:
    """For a place that is gone, or an archived thread: those on the whole server, if they manage it."""
    everywhere = person.guild_permissions
    manages = everywhere.manage_messages and (everywhere.manage_threads or not match.in_thread)
    return everywhere if manages else discord.Permissions.none()
