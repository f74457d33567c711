"""The lobby message: who sits, what is agreed, the commitment of the deals, and the buttons (P1)."""

from __future__ import annotations

from typing import Final

import discord

from cogs.client import Client
from cogs.lobby import lobby_picture
from cogs.post import boards
from cogs.press import components
from cogs.press.components import Style
from cogs.press.custom_ids import Ref
from cogs.press.reply import Message
from cogs.text import names
from cogs.text.words import MAX_CONTENT, how_it_ended, link, moment, title
from games import GAMES
from matches.api import Details, Dm, Ended, Match, Seat, Status, Where
from matches.features import start_of, unowned_of
from matches.table.rating import has_no_hints
from render.grammar import listed

_TOO_FEW_CAME: Final = (Ended.EXPIRED, Ended.CALLED_OFF)

COUNTS: Final = "counts for ratings"
DOES_NOT_COUNT: Final = "unrated: hints are free"
FOR_THE_RELIABLE: Final = "for people who finish their matches"
AND_NEWCOMERS: Final = f"{FOR_THE_RELIABLE}, and newcomers"

READY: Final = "I'm ready"
HERE: Final = "I'm here"

DIGITS: Final = 20
"""Shown digits of the commitment: one line on a phone. **Fair deal** and the answer to **Join** show all of it."""


async def message(bot: Client, match: Match) -> Message:
    """The lobby message as the match stands now; without its buttons once there is nothing to press."""
    details = await bot.host.look.details(match.id)
    return Message(text(match, details), view=_buttons(bot, match, details))


def text(match: Match, details: Details) -> str:
    """The text of the lobby message as the match stands now."""
    return names.fitting(MAX_CONTENT, lambda longest: _text(match, details, longest))


def _text(match: Match, details: Details, longest: int) -> str:
    """Its text, with names of at most this length."""
    info = GAMES[match.game].info
    lines = [f"{title(match)} · {info.summary}", _terms(match, details), _played_on(match)]
    if (start := start_of(match)) is not None:
        lines.append(f"**Starts {moment(start.at)}**")
    lines += [f"**{number}** {_sitting(match, seat, longest)}" for number, seat in enumerate(match.seats, 1)]
    if match.status is Status.LOBBY:
        if match.line:
            lines.append(f"In line: {listed([_sitting(match, seat, longest) for seat in match.line])}")
        lines.append(_needed(match, details))
        if match.seat_of(match.host_id) is None:
            lines.append(f"<@{match.host_id}> (host) only watches.")
        invited = [f"<@{user}>" for user in details.invited if match.at_table(user) is None]
        if invited:
            lines.append(f"Invited: {' '.join(invited)}")
    lines.append(_now(match))
    lines.append(f"-# Fair deals: `{match.commitment[:DIGITS]}…`")
    if details.first_here and match.status is Status.LOBBY:
        lines.append(
            "-# For moderators: `/settings server` says where matches can be played, in the channel or in threads."
        )
    return "\n".join(line for line in lines if line)


def _terms(match: Match, details: Details) -> str:
    """What is agreed; until the start also what can still change: whether it is rated, and where it will be played."""
    terms = lobby_picture.agreed(match)
    if match.status is not Status.LOBBY:
        return terms
    return f"{terms} · {_counts(match, details)} · {_place(match)}, for everyone to watch"


def _played_on(match: Match) -> str:
    """Who plays on from another match, and as which player; empty after the end, and for any other match."""
    if match.branch_seat is None or match.status in (Status.OVER, Status.CANCELLED):
        return ""
    hidden = " What they couldn't know is dealt again." if match.info.hidden_information else ""
    return f"<@{match.host_id}> plays on as Player {match.branch_seat + 1}.{hidden}"


def _place(match: Match) -> str:
    """Where it will be played."""
    if match.in_thread:
        return "in this thread"
    if match.thread_id is not None:
        return f"in <#{match.thread_id}>"
    return "in a thread of its own" if match.where is Where.THREAD else "right here in the channel"


def _needed(match: Match, details: Details) -> str:
    info = GAMES[match.game].info
    sitting = len(match.seats)
    if (start := start_of(match)) is not None:
        most = match.size or info.max_players
        return f"{sitting} of {most} seats taken. {start.missing}"
    if match.asking and match.turn_due is not None:
        when = discord.utils.format_dt(match.turn_due, "R")
        return f"Starts once everybody is known to be here, {when} at the latest."
    if (unowned := unowned_of(match)) is not None:
        when = discord.utils.format_dt(unowned.at, "R")
        return f"{sitting} of {match.size or info.max_players} seats taken. {unowned.why} Starts by itself {when}."
    if match.size is not None:
        if sitting >= match.size:
            return "Everybody's here: the host can press **Start**."
        every = "both" if match.size == 2 else "all"
        when = "The host starts it" if details.host_starts else f"Starts when {every} are filled"
        return f"{sitting} of {match.size} seats taken. {when}."
    if match.missing:
        return f"{match.missing} more needed ({info.min_players} to {info.max_players} can play)."
    room = f"Up to {info.max_players} can play." if sitting < info.max_players else "All seats are taken."
    return f"Ready to start. {room}"


def _sitting(match: Match, seat: Seat, longest: int) -> str:
    notes = []
    if seat.user_id == match.host_id:
        notes.append("host")
    if seat.ready:
        notes.append(lobby_picture.ready_note(match))
    if match.info.hands and seat.user_id is not None and seat.dm is Dm.CLOSED:
        notes.append("uses **My hand**")
    return names.of(seat, longest) + (f" ({', '.join(notes)})" if notes else "")


def _now(match: Match) -> str:
    if match.status is Status.RUNNING:
        return f"The match is under way: <#{match.place_id}>" if match.thread_id else "The match is under way."
    return how_it_ended(match)


def _buttons(bot: Client, match: Match, details: Details) -> discord.ui.View | None:
    """What can be pressed now: on a phone every button that does nothing costs a line."""
    if match.status is not Status.LOBBY:
        closed = match.status is Status.CANCELLED and match.ended_by in _TOO_FEW_CAME
        offers = boards.afterwards(bot, match) if closed else []
        return components.view(*offers) if offers else None
    start = start_of(match)
    joins = "Join" if match.has_room or start is None else "Get in line"
    return components.view(
        _press(match, 0, "join", joins, Style.primary),
        _press(match, 0, "leave", "Leave"),
        *([_press(match, 0, "ready", ready_label(match), Style.success)] if match.asking else []),
        *([_press(match, 0, "start", "Start", Style.success)] if start is None or match.asking else []),
        _press(match, 0, "close", "Cancel", Style.danger),
        *([_press(match, 1, "computer", "Add computer")] if match.has_room else []),
        *([_press(match, 1, "fill", "Add missing computers")] if match.missing > 1 else []),
        *([_press(match, 1, "change", "Change …")] if _changes(match, details) else []),
        _press(match, 2, "rules", "Rules"),
        *boards.of_game(bot, match.game, row=2),
        *(_press(match, 2, each.verb, each.label) for f in bot.host.work.features for each in f.in_lobby),
        _press(match, 2, "fair", "Fair deal"),
    )


def _counts(match: Match, details: Details) -> str:
    """Whether an open match counts for ratings, and who may join, in a few words."""
    counts = (f"{COUNTS}: no hints" if has_no_hints(match) else COUNTS) if match.rated else DOES_NOT_COUNT
    return f"{counts} · {AND_NEWCOMERS if details.newcomers else FOR_THE_RELIABLE}" if details.reliable else counts


def ready_post(match: Match) -> Message:
    """The question to everybody in the table's place; at a table without a time, to those who have been silent."""
    start = start_of(match)
    if start is None:
        silent = ", ".join(f"<@{seat.user_id}>" for seat in match.present if not seat.ready)
        ask = f"{title(match)} is about to start. {silent}, are you still here?"
        return Message(
            f"{ask} Whoever hasn't pressed **{HERE}** {_until(match)} loses their seat.", view=_ready_button(match)
        )
    lines = [f"{title(match)} starts {moment(start.at)}. {_mentioned(match, line=False)}, are you ready?"]
    if match.line:
        lines.append(f"Next in line: {_mentioned(match, line=True)}. Say so, too: a seat may be free.")
    heir = " to the next in line" if match.line else ""
    lines.append(f"Whoever hasn't pressed **{READY}** by then loses their seat{heir}.")
    return Message("\n".join(lines), view=_ready_button(match))


def ready_dm(match: Match) -> Message:
    """The same question for one person."""
    start = start_of(match)
    if start is None:
        where = f"{title(match)} ({link(match)}) is about to start. Are you still here?"
        return Message(f"{where} If not, you lose your seat {_until(match)}.", view=_ready_button(match))
    sentence = f"{title(match)} ({link(match)}) starts {moment(start.at)}. Are you ready?"
    return Message(sentence, view=_ready_button(match))


def _mentioned(match: Match, *, line: bool) -> str:
    return ", ".join(f"<@{seat.user_id}>" for seat in (match.line if line else match.seats) if seat.user_id is not None)


def _until(match: Match) -> str:
    return "" if match.turn_due is None else discord.utils.format_dt(match.turn_due, "R")


def ready_label(match: Match) -> str:
    """Return what people press when they're asked before the start."""
    return HERE if start_of(match) is None else READY


def _ready_button(match: Match) -> discord.ui.View:
    return components.view(components.button(Ref("ready", match.id), ready_label(match), Style.success))


async def changing(bot: Client, match: Match) -> Message:
    """What only the host may change at the table, shown to them alone. The lobby message shows the result."""
    details = await bot.host.look.details(match.id)
    lines = [title(match), _terms(match, details)]
    if (start := start_of(match)) is not None:
        lines.append(f"Starts {moment(start.at)}. {start.change[0]}")
    return Message("\n".join(lines), view=components.view(*_changes(match, details)))


def _changes(match: Match, details: Details) -> list[components.Item]:
    """A button for each change that can be made now."""
    elsewhere = "In the channel" if match.where is Where.THREAD else "In a thread"
    otherwise = "Start when full" if details.host_starts else "Wait for host"
    others = any(seat.user_id != match.host_id for seat in match.seats)
    may_watch = match.seat_of(match.host_id) is not None and not match.is_branched
    agreed = match.is_branched or any(seat.user_id not in (None, match.host_id) for seat in match.seats)
    start = start_of(match)
    return [
        *([_press(match, 0, "watch", "Host only watches")] if may_watch else []),
        *([_press(match, 0, "seats", "Remove …")] if others else []),
        *([] if match.in_thread else [_press(match, 0, "where", elsewhere)]),
        *([] if start is None else [_press(match, 0, offer.verb, offer.label) for offer in start.change[1]]),
        *([] if match.size is None or start is not None else [_press(match, 0, "starts", otherwise)]),
        *([] if agreed else [_press(match, 0, "counts", "Make it unrated" if match.rated else "Make it rated")]),
    ]


def _press(match: Match, row: int, verb: str, label: str, style: Style = Style.secondary) -> components.Item:
    return components.button(Ref(verb, match.id), label, style, row=row)
