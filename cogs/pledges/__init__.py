"""**I'd play …** and **Ready?**: people who would play if others did; and calls to new tables (P40).

What sends rows of the outbox: those about pledges belong to a server, the others to a match.
"""

from __future__ import annotations

import logging
from datetime import timedelta
from functools import partial
from typing import Final

import discord

from cogs.client import Client
from cogs.commands.setting_pages import Choice, Kept, Setting
from cogs.delivery.posting import Deliverer, put_off
from cogs.face import Face
from cogs.pledges import call_posts, want
from cogs.post import dms
from cogs.press import places
from cogs.press.reply import Message, Press, whisper
from cogs.process import faults
from cogs.process.faults import may_pass
from cogs.text import names
from games import GAMES
from matches.api import Dm, Kind, Match, NotAllowed, Private, Status, Telling, UserId
from matches.pledges import Call, CallMeRow, Pledges
from matches.pledges.calls import STANDS

log = logging.getLogger(__name__)


def _pledges(bot: Client) -> Pledges:
    return bot.host.part(Pledges)


async def ask(bot: Client, row: Telling) -> None:
    """Ask a person whether they're ready, unless that is over. Raises Undelivered."""
    if row.user_id is None or row.guild_id is None:  # They have been forgotten meanwhile.
        return
    call = await _pledges(bot).call(row.guild_id, row.user_id)
    if call is None:
        await _pledges(bot).not_reached(row)
        return
    try:
        sent = await _asked(bot, call, row)
    except faults.FAILURES as error:
        put_off(error, for_long=True)
        log.warning("server %s: somebody can't be asked: %s", row.guild_id, error)
        sent = None
    if sent is None:
        await _pledges(bot).unreachable(call)
        await _pledges(bot).not_reached(row)
    elif not await _pledges(bot).note_call(call, sent.channel.id, sent.id):
        await _close(bot, row.guild_id, sent.channel.id, sent.id, None)


async def _asked(bot: Client, call: Call, row: Telling) -> discord.Message | None:
    """Ask by DM, or if that is closed, by the mention that the person has agreed to."""
    described = await bot.servers.described(call.pledged.guild_id)
    server = "this server" if described is None else names.in_message(str(described))
    sent = await _by_dm(bot, call.pledged.user_id, call_posts.question(call, server, mention=False), row)
    if sent is None and call.pledged.row.by_mention:
        channel = bot.get_partial_messageable(call.pledged.row.channel_id, guild_id=call.pledged.guild_id)
        message = call_posts.question(call, server, mention=True)
        sent = await channel.send(nonce=row.id, **message.arguments(edit=False))
    return sent


async def _by_dm(bot: Client, user_id: UserId, message: Message, row: Telling) -> discord.Message | None:
    """Send a DM that rings, to somebody who accepts any."""
    chosen = await bot.host.settings.player_settings(user_id)
    if chosen.private is Private.BUTTON or await bot.host.dms.dm_of(user_id) is Dm.CLOSED:
        return None
    return (await dms.send(bot, user_id, message, asked=False, nonce=row.id, silent=False)).message


async def end(bot: Client, row: Telling, match: Match | None = None) -> None:
    """Say in the question that it's over, or that the table has opened. Where others read it, it's deleted."""
    if row.channel_id is None or row.message_id is None:
        return
    try:
        await _close(bot, row.guild_id, row.channel_id, row.message_id, match)
    except faults.FAILURES as error:
        put_off(error)
        log.info("server %s: an old call stays as it is: %s", row.guild_id, error)


async def _close(bot: Client, guild_id: int | None, channel_id: int, message_id: int, match: Match | None) -> None:
    post = bot.get_partial_messageable(channel_id).get_partial_message(message_id)
    server = await bot.servers.described(guild_id)
    if server is not None and server.place(channel_id) is not None:
        await post.delete()
        return
    message = Message(call_posts.NOT_THIS_TIME) if match is None else call_posts.opened(match)
    await post.edit(**message.arguments(edit=True))


async def call_people(by: Deliverer, row: Telling, match: Match) -> None:
    """Have a table that has stood for a while call people who want that."""
    if row.user_id is not None:
        server = await by.bot.servers.described(match.guild_id)
        everywhere = server is not None and server.is_open(match.channel_id)
        await _pledges(by.bot).call_to(match.id, row.user_id, everywhere=everywhere)


async def call(by: Deliverer, row: Telling, match: Match) -> None:
    """Tell a person who has asked for calls that a table is open. A call that doesn't reach them isn't counted."""
    try:
        reached = row.user_id is not None and await _called(by, row.user_id, match, row)
    except faults.FAILURES as error:
        if may_pass(error):
            raise
        log.warning("match %s: somebody can't be called: %s", match.id, error)
        reached = False
    if not reached:
        await _pledges(by.bot).not_reached(row)


async def _called(by: Deliverer, user_id: UserId, match: Match, row: Telling) -> bool:
    """Call a person by DM, or by a mention. Returns whether that reached them; not if the table needs nobody."""
    if match.status is not Status.LOBBY or not match.has_room or match.at_table(user_id) is not None:
        return False
    if await _by_dm(by.bot, user_id, call_posts.wanted(match, user_id, mention=False), row) is not None:
        return True
    if match.guild_id is None or not await _pledges(by.bot).mentions(match.guild_id, match.game, user_id):
        return False
    await by.posting.post(match, call_posts.wanted(match, user_id, mention=True), row)
    return True


NONE: Final = "none"
CALLED_HERE: Final = "As you've chosen with `/settings me`, I'll call you here when a table opens."
CALLED_BY_MENTION: Final = "Your DMs are closed to me, so I'll mention you at the table, where everybody can see it."
CALLING: Final = (
    "Some people here want to know of new {0} tables. If yours still has room in {1} minutes, I'll call those I may. "
    "I do that for one {0} table of yours a day."
)


async def opened(press: Press, match: Match) -> None:
    """Have a table that somebody has just opened call people who want that, and tell its host if several do."""
    everywhere = await places.is_open(press, match.channel_id)
    if await press.host.part(Pledges).call_later(match.id, press.person, everywhere=everywhere):
        await whisper(press, Message(CALLING.format(match.info.name, STANDS // timedelta(minutes=1))))


async def _keep(press: Press, word: str | None) -> Kept:
    """Store which games' new tables a person is called to here.

    `word`: the key of one more game, or "none"; ``None`` changes nothing.
    """
    guild_id, channel_id, pledges = press.interaction.guild_id, press.interaction.channel_id, press.host.part(Pledges)
    if guild_id is None or channel_id is None:
        if word is not None:
            raise NotAllowed("That's for each server: use `/settings me` on the server whose tables you mean.")
        return Kept((), "none", "None")
    note, before = "", await pledges.called_for(guild_id, press.person)
    if word == NONE:
        for game in before:
            await pledges.call_me(guild_id, press.person, game, None)
    elif word is not None:
        mention = not await dms.hears_calls(press.bot, press.person, CALLED_HERE)
        note = CALLED_BY_MENTION if mention else ""
        await pledges.call_me(guild_id, press.person, word, CallMeRow(channel_id, mention))
    found = await pledges.called_for(guild_id, press.person)
    games = tuple(key for key in GAMES if key in found)
    named = ", ".join(GAMES[key].info.name for key in games)
    return Kept(games, named or "none", named or "None", note)


CALL: Final = Setting(
    "Call me",
    "New tables here that I call you to: {}",
    "",
    (
        Choice(NONE, "None", (), "none", "I don't call you to new tables"),
        *(Choice(key, GAMES[key].info.name, key, f"a new table of {GAMES[key].info.name}") for key in GAMES),
    ),
    keep=_keep,
)


async def _end(by: Deliverer, row: Telling, match: Match) -> None:
    await end(by.bot, row, match)


def _added(bot: Client) -> None:
    bot.host.part(Pledges).why_closed = partial(places.closed, bot)


FACE: Final = Face(
    verbs=want.HANDLERS,
    help={
        "start": "Nobody there? **I'd play …** under `/tables` says that you'd play if others did: I ask you once "
        "there are enough. **Call me** in `/settings me` calls you when a table opens."
    },
    left_out="That table won't come about: I don't bring people together here any more.",
    of_people={"call": CALL},
    whispers={Kind.CALL_OVER: _end, Kind.STOOD: call_people, Kind.WANTED: call},
    to_servers={Kind.CALL: ask, Kind.CALL_OVER: end},
    added=_added,
    opened=opened,
    beside_tables=want.beside_tables,
)
