"""``/match leave|sit|move``: people and places that change (P14-P17).

The commands over `matches/host/absence.py`, whose decisions are in `matches/table/absence.py`.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from cogs.commands import finding
from cogs.commands.finding import Which, match_command, match_option
from cogs.commands.slash import Choices, Command, Option
from cogs.lobby import lobby_buttons
from cogs.play import seats
from cogs.post import old_threads
from cogs.press import places, rights
from cogs.press.reply import Message, Press, whisper
from cogs.process import faults
from cogs.text import names, words
from matches.api import Match, MatchId, NotAllowed, NotFound, Status


async def _offer_seats(press: Press, current: str) -> Choices:
    """The seats that computers play in the match that is meant."""
    match = await finding.find_match(press, vars(press.interaction.namespace).get("match") or None)
    absent = [names.called(seat) for seat in match.seats if seat.computer is not None]
    return [(name, name) for name in absent if current.casefold() in name.casefold()]


async def _leave(press: Press, match: Match) -> None:
    await (lobby_buttons.leave if match.status is Status.LOBBY else seats.ask_depart)(press, match)


async def _move(press: Press, match: int | None) -> None:
    here = await places.playable(press)
    found = await _managed(press, match) or await finding.find_match(press, match, Which.SEATED)
    if found.guild_id != here.guild_id:
        raise NotFound("This match belongs to another server.")
    await rights.refuse_moving(press, found)
    if found.place_id == here.channel_id and found.lost is None:
        raise NotAllowed("This match is already being played here.")
    moderator = await rights.is_moderator(press, found)
    await press.host.reach.move(found.id, press.person, here.channel_id, moderator=moderator, in_thread=here.in_thread)
    await whisper(press, Message(f"{words.title(found)} will be played here from now on."))
    await _close_old_lobby(press, found, here.channel_id)
    if found.thread_id not in (None, here.channel_id):
        moved = f"{words.title(found)} has moved to <#{here.channel_id}>."
        with suppress(*faults.FAILURES):
            await old_threads.close(press.bot, found, found.thread_id, moved, f"{press.id}-moved")


async def _managed(press: Press, number: int | None) -> Match | None:
    """The match with this number if this person moderates its place, from anywhere on its server."""
    if number is not None:
        with suppress(NotFound):  # `find_match` says so, as to everybody else.
            match = await press.host.look.match(MatchId(number))
            return match if await rights.is_moderator(press, match) else None
    return None


async def _close_old_lobby(press: Press, match: Match, channel_id: int) -> None:
    """Edit the lobby message in the old channel, if it still exists, to say where the table is now."""
    if match.status is Status.LOBBY and match.lobby_message_id is not None:
        old = press.bot.get_partial_messageable(match.channel_id).get_partial_message(match.lobby_message_id)
        with suppress(*faults.FAILURES):
            await old.edit(content=f"{words.title(match)} has moved to <#{channel_id}>.", view=None)


COMMANDS: Final = (
    match_command(
        "leave",
        "Leave a table. In a match a computer takes your seat; with two you lose, once you've moved.",
        _leave,
        Which.SEATED,
    ),
    match_command(
        "sit",
        "Ask to take over a seat that a computer is playing.",
        seats.ask_for_seat,
        after={"seat": Option(str, "Whose seat (default: the first one that a computer plays).", _offer_seats)},
    ),
    Command("move", "Move a match to this channel and repost its board.", _move, {"match": match_option()}),
)
