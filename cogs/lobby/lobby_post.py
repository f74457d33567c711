"""The lobby message: who sits, what is agreed, the commitment of the deals, and the buttons (P1)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final, NamedTuple

import discord

from cogs.client import Client
from cogs.lobby import lobby_picture
from cogs.post import boards
from cogs.press import components
from cogs.press.components import Style
from cogs.press.custom_ids import Ref
from cogs.press.reply import Message
from cogs.text import names
from cogs.text.words import MAX_CONTENT, MORE, how_it_ended, link, moment, title
from games import GAMES
from matches.api import Details, Dm, Ended, Match, Seat, Status, UserId, Where
from matches.features import start_of, unowned_of
from matches.table.rating import has_no_hints
from render.grammar import counted, listed

_TOO_FEW_CAME: Final = (Ended.EXPIRED, Ended.CALLED_OFF)

COUNTS: Final = "Rated"
DOES_NOT_COUNT: Final = "Unrated"
FOR_THE_RELIABLE: Final = "for people who finish their matches"
AND_NEWCOMERS: Final = f"{FOR_THE_RELIABLE}, and newcomers"

READY: Final = "I'm ready"
HERE: Final = "I'm here"

DIGITS: Final = 20
"""Shown digits of the commitment: one line on a phone. **Fair deal** shows all of it."""


async def message(bot: Client, match: Match) -> Message:
    """The lobby message as the match stands now; without its buttons once there is nothing to press."""
    content, in_words = text(match, await bot.host.look.details(match.id))
    return Message(content, view=_buttons(bot, match), in_words=in_words)


def text(match: Match, details: Details) -> tuple[str, str]:
    """Its text, and what its picture shows, in words. Together they fit a message."""
    content, in_words = "", ""
    for longest in names.SHORTER:
        content, in_words = _said(match, details, longest), _pictured(match, longest)
        if len(content) + len(in_words) < MAX_CONTENT:
            break
    return content, in_words


def _said(match: Match, details: Details, longest: int) -> str:
    """What the picture doesn't show, with names of at most this length."""
    lines = [f"{title(match)} · {GAMES[match.game].info.summary}", _played_on(match)]
    if (start := start_of(match)) is not None:
        lines.append(f"**Starts {moment(start.at)}**")
    if match.status is Status.LOBBY:
        lines.append(". ".join(filter(None, (_terms(match, details), _starts(match, details)))))
        if match.line:
            lines.append(f"In line: {listed([_noted(match, seat, longest) for seat in match.line])}")
        if match.seat_of(match.host_id) is None:
            lines.append(f"<@{match.host_id}> (host) only watches.")
        if invited := [f"<@{user}>" for user in details.invited if match.at_table(user) is None]:
            lines.append(f"Invited: {' '.join(invited)}")
        if by_hand := [names.of(seat, longest) for seat in match.seats if match.info.hands and seat.dm is Dm.CLOSED]:
            lines.append(f"-# By **My hand**: {listed(by_hand)}")
    lines += [_now(match), f"-# Fair deals: `{match.commitment[:DIGITS]}…`"]
    return "\n".join(line for line in lines if line)


def _pictured(match: Match, longest: int) -> str:
    """What the picture shows, with names of at most this length."""
    shown = lobby_picture.strip(match)
    free = [counted(shown.free, "free seat")] if shown.free else []
    seats = (
        f"**{number}** {names.person_at(seat, longest)}{f' ({sitting.remark})' if sitting.remark else ''}"
        for number, (seat, sitting) in enumerate(zip(match.seats, shown.sitting, strict=True), 1)
    )
    return "\n".join((f"{shown.agreed} · {shown.note}", *seats, *free))


def _played_on(match: Match) -> str:
    """Who plays on from another match, and as which player; empty after the end, and for any other match."""
    if match.branch_seat is None or match.status in (Status.OVER, Status.CANCELLED):
        return ""
    hidden = " What they couldn't know is dealt again." if match.info.hidden_information else ""
    return f"<@{match.host_id}> plays on as Player {match.branch_seat + 1}.{hidden}"


def _place(match: Match) -> str:
    """Where it will be played; empty for the channel of the lobby."""
    if match.in_thread:
        return "in this thread"
    if match.thread_id is not None:
        return f"in <#{match.thread_id}>"
    return "in a thread" if match.where is Where.THREAD else ""


def _starts(match: Match, details: Details) -> str:
    """How and when it starts, if that can be said."""
    if (start := start_of(match)) is not None:
        return start.missing
    if match.asking and match.turn_due is not None:
        return (
            f"Starts once everybody is known to be here, {discord.utils.format_dt(match.turn_due, 'R')} at the latest."
        )
    if (unowned := unowned_of(match)) is not None:
        return f"{unowned.why} Starts by itself {discord.utils.format_dt(unowned.at, 'R')}."
    if match.size is not None and not match.has_room:
        return "Everybody's here: the host can press **Start**."
    if match.size is not None:
        return "The host starts it." if details.host_starts else "Starts when full."
    return "" if match.has_room else "All seats are taken."


def _noted(match: Match, seat: Seat, longest: int) -> str:
    return names.of(seat, longest) + (f" ({lobby_picture.ready_note(match)})" if seat.ready else "")


def _now(match: Match) -> str:
    if match.status is Status.RUNNING:
        return f"Play in <#{match.place_id}>" if match.thread_id else ""
    return how_it_ended(match)


def _buttons(bot: Client, match: Match) -> discord.ui.View | None:
    """What most people press now. The rest is behind **⋯**."""
    if match.status is not Status.LOBBY:
        closed = match.status is Status.CANCELLED and match.ended_by in _TOO_FEW_CAME
        offers = boards.afterwards(bot, match) if closed else []
        return components.view(*offers) if offers else None
    start = start_of(match)
    return components.view(
        _press(match, "join", "Join" if match.has_room or start is None else "Get in line", Style.primary),
        *([_press(match, "ready", ready_label(match), Style.success)] if match.asking else []),
        *([_press(match, "computer", "Add computer")] if match.has_room else []),
        *([_press(match, "start", "Start", Style.success)] if start is None or match.asking else []),
        _press(match, "more", MORE),
    )


async def more(bot: Client, match: Match, user_id: UserId, *, closes: bool) -> list[components.Item]:
    """Return what is behind **⋯** for this person, who perhaps may close the table (`closes`)."""
    hosts, changes = match.host_id == user_id, _changes(match, await bot.host.look.details(match.id))
    here = partial(_press, match, row=0)
    return [
        *([here("leave", "Leave")] if hosts or match.at_table(user_id) is not None else []),
        *([here("change", "Change …")] if hosts and changes else []),
        *([here("fill", "Add missing computers")] if hosts and match.missing > 1 else []),
        *([here("close", "Cancel", Style.danger)] if closes else []),
        _press(match, "rules", "Rules", row=1),
        *boards.of_game(bot, match.game, row=1),
        *(_press(match, each.verb, each.label, row=1) for f in bot.host.work.features for each in f.in_lobby),
        _press(match, "fair", "Fair deal", row=1),
    ]


def _terms(match: Match, details: Details) -> str:
    """What else is agreed about an open match, and where it will be played."""
    counts = (f"{COUNTS}, no hints" if has_no_hints(match) else COUNTS) if match.rated else DOES_NOT_COUNT
    reliable = (AND_NEWCOMERS if details.newcomers else FOR_THE_RELIABLE) if details.reliable else ""
    stands = "no taking back" if match.moves_stand else ""
    return " · ".join(filter(None, (counts, stands, reliable, _place(match))))


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
    lines = [title(match), f"{lobby_picture.agreed(match)} · {_terms(match, details)}"]
    if (start := start_of(match)) is not None:
        lines.append(f"Starts {moment(start.at)}.")
    return Message("\n".join(lines), view=components.view(*_changes(match, details)))


class Term(NamedTuple):
    """One of the things that can be agreed on: how it's called, and the fields of `Terms` that say so."""

    label: str
    means: Mapping[str, Any]

    def is_of(self, match: Match, details: Details) -> bool:
        """Whether it's what is agreed now."""
        known = vars(match) | vars(details)
        return all(known[field] == value for field, value in self.means.items())


_TERMS: Final = {
    "rated": {
        "yes": Term("Make it rated", {"rated": True}),
        "no": Term("Make it unrated", {"rated": False}),
    },
    "undo": {
        "yes": Term("Allow taking back", {"moves_stand": False}),
        "no": Term("No taking back", {"moves_stand": True}),
    },
    "pace": {pace.value: Term(words, {"pace": pace}) for pace, words in lobby_picture.PACES.items()},
    "join": {
        "all": Term("Everybody can join", {"reliable": False, "newcomers": False}),
        "reliable": Term(f"Only {FOR_THE_RELIABLE}", {"reliable": True, "newcomers": False}),
        "new": Term(f"Only {AND_NEWCOMERS}", {"reliable": True, "newcomers": True}),
    },
}


_MENUS: Final = {"pace": "Time per turn", "join": "Who can join", "players": "How many players"}


def terms(match: Match) -> dict[str, dict[str, Term]]:
    """What its host can say about a table before anybody else joins, by what it's about, and by a word for each."""
    numbers = range(match.info.min_players, match.info.max_players + 1)
    sizes = {str(size): Term(f"{size} players", {"size": size}) for size in numbers}
    any_number = {"any": Term("Any number of players", {"size": None})}
    return {**_TERMS, **({"players": any_number | sizes} if len(sizes) > 1 else {})}


def _changes(match: Match, details: Details) -> list[components.Item]:
    """A button for each change that can be made now, and menus for what those agree to who join."""
    elsewhere = "In the channel" if match.where is Where.THREAD else "In a thread"
    otherwise = "Start when full" if details.host_starts else "Wait for host"
    others = any(seat.user_id != match.host_id for seat in match.seats)
    may_watch = match.seat_of(match.host_id) is not None and not match.is_branched
    agreed = match.is_branched or any(seat.user_id not in (None, match.host_id) for seat in match.everybody)
    start = start_of(match)
    found = {} if agreed else terms(match)
    return [
        *([_press(match, "watch", "Host only watches", row=0)] if may_watch else []),
        *([_press(match, "seats", "Remove …", row=0)] if others else []),
        *([] if match.in_thread else [_press(match, "where", elsewhere, row=0)]),
        *([] if start is None else [_press(match, offer.verb, offer.label, row=0) for offer in start.change]),
        *([] if match.size is None or start is not None else [_press(match, "starts", otherwise, row=0)]),
        *(_offer(match, details, about, offered) for about, offered in found.items()),
    ]


def _offer(match: Match, details: Details, about: str, offered: Mapping[str, Term]) -> components.Item:
    """A button for the other one of two terms, or a menu of several that shows which one is agreed now."""
    ref = Ref("terms", match.id, path=(about,))
    if len(offered) == 2:
        other = next(word for word, term in offered.items() if not term.is_of(match, details))
        return components.button(ref._replace(path=(about, other)), offered[other].label, row=1)
    now = [word for word, term in offered.items() if term.is_of(match, details)]
    return components.menu(ref, {word: term.label for word, term in offered.items()}, _MENUS[about], now)


def _press(
    match: Match, verb: str, label: str, style: Style = Style.secondary, *, row: int | None = None
) -> components.Item:
    return components.button(Ref(verb, match.id), label, style, row=row)
