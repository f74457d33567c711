"""**Move here**: a match goes on in another channel of its server (P17)."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from cogs.post import old_threads
from cogs.press import places, rights
from cogs.press.components import Verb, of_match
from cogs.press.reply import Message, Press, whisper
from cogs.process import faults
from cogs.text import words
from matches.api import Match, NotAllowed, NotFound, Status


async def move(press: Press, match: Match) -> None:
    """Move a match to the channel of the press, and post its board there."""
    here = await places.playable(press)
    if match.guild_id != here.guild_id:
        raise NotFound("This match belongs to another server.")
    await rights.refuse_moving(press, match)
    if match.place_id == here.channel_id and match.lost is None:
        raise NotAllowed("This match is already being played here. Use `/match` in the channel that it should move to.")
    moderator = await rights.is_moderator(press, match)
    await press.host.reach.move(match.id, press.person, here.channel_id, moderator=moderator, in_thread=here.in_thread)
    await whisper(press, Message(f"{words.title(match)} will be played here from now on."))
    await _close_old_lobby(press, match, here.channel_id)
    if match.thread_id not in (None, here.channel_id):
        moved = f"{words.title(match)} has moved to <#{here.channel_id}>."
        with suppress(*faults.FAILURES):
            await old_threads.close(press.bot, match, match.thread_id, moved, f"{press.id}-moved")


async def _close_old_lobby(press: Press, match: Match, channel_id: int) -> None:
    """Edit the lobby message in the old channel, if it still exists, to say where the table is now."""
    if match.status is Status.LOBBY and match.lobby_message_id is not None:
        old = press.bot.get_partial_messageable(match.channel_id).get_partial_message(match.lobby_message_id)
        with suppress(*faults.FAILURES):
            await old.edit(content=f"{words.title(match)} has moved to <#{channel_id}>.", view=None)


HANDLERS: Final[dict[str, Verb]] = {"movehere": of_match(move)}
