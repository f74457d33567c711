"""The page of one match: what somebody can look at and do there. **⋯** and ``/match`` show it (P18)."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from cogs.lobby import lobby_buttons, lobby_picture, lobby_post
from cogs.post import boards
from cogs.press import components, rights
from cogs.press.components import Item, Style, Verb, of_match
from cogs.press.custom_ids import Ref
from cogs.press.reply import Message, Press, whisper
from cogs.text import words
from matches.api import Frozen, Match, Status, View


async def show(press: Press, match: Match) -> None:
    """Show the page of a match for this person; before the start with what its lobby message says."""
    if match.status not in (Status.LOBBY, Status.CANCELLED):
        await _behind(press, match)
        return
    message = await lobby_post.message(press.bot, match)
    message.view = components.view(*await _before(press, match)) if match.status is Status.LOBBY else None
    await lobby_picture.add_where_allowed(press, message, match)
    await whisper(press, message)


async def _behind(press: Press, match: Match) -> None:
    """**⋯**: show the buttons alone."""
    if match.status in (Status.LOBBY, Status.CANCELLED):
        items = await lobby_buttons.more(press, match) if match.status is Status.LOBBY else []
    elif match.status is Status.OVER:
        items = [_button(match, "board", "Board"), *boards.after_end(press.bot, match)]
        items += boards.afterwards(press.bot, match, first=True)
    else:
        items = []
        with suppress(Frozen):  # What doesn't replay can still be ended and moved.
            items = await playing(press, await press.host.look.view(match, press.person))
        items += await _arranging(press, match)
    where = f"{words.title(match)} ({words.link(match)}): what would you like?"
    await whisper(press, Message(where, view=components.view(*items) if items else None))


async def _before(press: Press, match: Match) -> list[Item]:
    """The buttons of a table that hasn't started."""
    moves = _moves(press, match) if await _may_move(press, match) else []
    return [*await lobby_buttons.more(press, match), *moves]


async def playing(press: Press, view: View) -> list[Item]:
    """Return the buttons of a match under way, for whoever looks on and for its players."""
    match, plays = view.match, view.seat is not None and view.match.status is Status.RUNNING
    items = [_button(match, "board", "Board")]
    if view.seat is not None and match.info.hands:
        items.append(_button(match, "hand", "My hand"))
    items += [_button(match, *each) for each in (("log", "Log"), ("inwords", "Board as text"), ("replay", "Replay"))]
    if view.seat is None and match.status is Status.RUNNING and any(seat.computer for seat in match.seats):
        items.append(_button(match, "sit", "Take a seat"))
    items += boards.offered(view)
    if plays:
        items.append(_button(match, "bring", "Bring the board down"))
        if match.mover is not None and match.mover.present and view.match.to_move != view.seat:
            items.append(_button(match, "remind", "Remind"))
        if await press.host.votes.may_undo(match):
            items.append(components.button(Ref("undo", match.id, view.ply), "Take back"))
        items.append(components.button(Ref("away"), "Away"))
        if len(match.seats) > 2 or match.own_seat(press.person).replaced:  # Otherwise to leave is to resign.
            items.append(_button(match, "askdepart", "Leave"))
        items.append(_button(match, "resign", "Resign", Style.danger))
    return items


async def _arranging(press: Press, match: Match) -> list[Item]:
    """The buttons that need no position: to end or move the match, and what everybody finds."""
    items = []
    if await _may_move(press, match):
        items += [_button(match, "askcancel", "End …", Style.danger), *_moves(press, match)]
    return [*items, *(_button(match, verb, label) for verb, label in boards.CHECKING.items())]


def _moves(press: Press, match: Match) -> list[Item]:
    """**Move here**, except where the match is."""
    here = match.place_id == press.interaction.channel_id and match.lost is None
    return [] if here else [_button(match, "movehere", "Move here")]


async def _may_move(press: Press, match: Match) -> bool:
    at_table = match.host_id == press.person or match.at_table(press.person) is not None
    return at_table or await rights.is_moderator(press, match)


def _button(match: Match, verb: str, label: str, style: Style = Style.secondary) -> Item:
    return components.button(Ref(verb, match.id), label, style)


HANDLERS: Final[dict[str, Verb]] = {"more": of_match(_behind)}
