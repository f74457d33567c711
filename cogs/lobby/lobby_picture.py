"""The picture of a lobby message: the strip, which is drawn and sent anew only when it has changed (P1).

The file name identifies a strip, so the message itself says which one it has. The bot also remembers what it sent last,
because a press may carry an older state of the message.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from cogs.client import Client
from cogs.post import pictures
from cogs.press import places
from cogs.press.reply import Message, Press
from cogs.text import names
from matches.api import Match, Pace, Seat, Status
from matches.features import start_of
from render.lobby import Lobby, Sitting

PACES: Final = {
    Pace.LIVE: "5 minutes a turn",
    Pace.DAY: "24 hours a turn",
    Pace.SLOW: "3 days a turn",
    Pace.NONE: "no time limit",
}

_NOTES: Final = {Status.RUNNING: "under way", Status.OVER: "over", Status.CANCELLED: "closed", Status.FROZEN: "frozen"}


def agreed(match: Match) -> str:
    """The options, how many can play, and the pace, in a line."""
    info = match.info
    players = f"{info.min_players}–{info.max_players} players"
    options = [f"{option.label}: {match.options.get(option.name, option.default)}" for option in info.options]
    options += [players] if match.size is None and match.status is Status.LOBBY else []
    return " · ".join([*options, PACES[match.pace]])


def strip(match: Match) -> Lobby:
    """What the picture shows. Its message says the same in words where there is no picture."""
    enough = "ready" if start_of(match) is None else "by appointment"
    note = _NOTES.get(match.status) or (f"{match.missing} more needed" if match.missing else enough)
    free = max(match.missing, 1 if match.has_room else 0) if match.status is Status.LOBBY else 0
    return Lobby(tuple(_sitting(match, seat) for seat in match.seats), free, agreed(match), note)


def ready_note(match: Match) -> str:
    """Return what is said of somebody who is ready, or here."""
    return "here" if start_of(match) is None else "ready"


def _sitting(match: Match, seat: Seat) -> Sitting:
    host = seat.user_id is not None and seat.user_id == match.host_id
    level = [] if seat.computer is None else [f"{seat.computer} computer"]
    remarks = level or [*(["host"] if host else []), *([ready_note(match)] if seat.ready else [])]
    return Sitting(names.marked(seat), seat.seat, ", ".join(remarks), bool(seat.won))


async def add(message: Message, match: Match) -> None:
    """Draw the strip into a new message."""
    message.pictures = [await pictures.lobby(strip(match), match.game, _file_name(match))]


async def add_where_allowed(press: Press, message: Message, match: Match) -> None:
    """Draw the strip into an answer, or say in words what it shows if answers can't have pictures here (P29)."""
    await _add_if(message, match, places.may_attach(press))


async def add_to_pressed(press: Press, message: Message, match: Match) -> None:
    """Let the lobby message that was pressed keep its strip, or give it a new one."""
    name, pressed = _file_name(match), press.interaction.message
    shown = [file.filename for file in pressed.attachments] if pressed is not None else []
    if [press.bot.lobby_pictures.get(match.id, name), *shown] == [name, name]:
        message.keeps_pictures = True
    else:
        await add_where_allowed(press, message, match)


async def add_to_posted(bot: Client, message: Message, match: Match) -> None:
    """Let a lobby message that was posted keep its strip, or give it a new one."""
    if bot.lobby_pictures.get(match.id) == _file_name(match):
        message.keeps_pictures = True
    else:
        await _add_if(message, match, places.may_attach_in(bot, match, to_lobby=True))


async def _add_if(message: Message, match: Match, may_attach: bool) -> None:
    if may_attach:
        await add(message, match)
    else:
        message.content = message.without_pictures().content


def remember(bot: Client, message: Message, match: Match) -> None:
    """Remember which strip the lobby message of a match has, after it was sent."""
    bot.lobby_pictures.pop(match.id, None)
    if message.keeps_pictures or message.pictures:
        bot.lobby_pictures[match.id] = _file_name(match)


def forget(bot: Client, match: Match) -> None:
    """Forget the strip of a lobby message that is gone."""
    bot.lobby_pictures.pop(match.id, None)


def _file_name(match: Match) -> str:
    """A name that differs if the picture does."""
    return f"lobby-{sha256(repr(strip(match)).encode()).hexdigest()[:12]}.png"
