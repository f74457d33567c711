"""Calls people: asks those whose pledges fit whether they're ready, and tells others that a table is open (P40).

The functions send rows of the outbox. Those about pledges belong to a server, the others to a match.
"""

from __future__ import annotations

import logging

import discord

from cogs.client import Client
from cogs.delivery.posting import Deliverer
from cogs.pledges import call_posts
from cogs.post import dms
from cogs.press.reply import Message
from cogs.process import faults
from cogs.process.faults import Fault, fault_of, may_pass, reason
from matches.api import Dm, Match, Private, Status, Telling, UserId
from matches.host.scheduler import Undelivered
from matches.pledges import Call, Pledges

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
        if fault_of(error) is Fault.TRANSIENT or may_pass(error):
            raise Undelivered(reason(error), soon=fault_of(error) is Fault.TRANSIENT) from error
        log.warning("server %s: somebody can't be asked: %s", row.guild_id, error)
        sent = None
    if sent is None:
        await _pledges(bot).unreachable(call)
        await _pledges(bot).not_reached(row)
    elif not await _pledges(bot).note_call(call, sent.channel.id, sent.id):
        await _close(bot, row.guild_id, sent.channel.id, sent.id, None)


async def _asked(bot: Client, call: Call, row: Telling) -> discord.Message | None:
    """Ask by DM, or if that is closed, by the mention that the person has agreed to."""
    sent = await _by_dm(bot, call.pledged.user_id, call_posts.question(call, mention=False), row)
    if sent is None and call.pledged.row.by_mention:
        channel = bot.get_partial_messageable(call.pledged.row.channel_id, guild_id=call.pledged.guild_id)
        message = call_posts.question(call, mention=True)
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
        if fault_of(error) is Fault.TRANSIENT:
            raise Undelivered(reason(error), soon=True) from error
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
        if fault_of(error) is Fault.TRANSIENT or may_pass(error):
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
