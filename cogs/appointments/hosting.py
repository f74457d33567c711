"""Appointed tables: when they start, who is ready, and what happens to missing seats (P40).

The decisions are in `matches/appointments/appointed.py`; `cogs/delivery/gathering.py` sends the calls.
"""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from typing import Final

import discord

from cogs.press import components, typed_times
from cogs.press.components import Style, Verb, choice, of_match
from cogs.press.custom_ids import Ref
from cogs.press.reply import Message, Press, answer, whisper
from cogs.text import times, words
from matches.api import Match, NotAllowed, Status
from matches.computers.levels import Level
from matches.computers.thinking import levels_of

READY: Final = "I'm ready"
HERE: Final = "I'm here"
CALL_OFF: Final = "call off"
TIMES: Final = ("1 hour", "3 hours", "1 day", "2 days", "1 week")
"""What `at` offers, besides what is typed (`cogs/press/typed_times.py`)."""


def read(text: str, now: datetime, zone: tzinfo = UTC) -> datetime:
    """Return the moment that somebody in this time zone means, at a full minute. Raises NotAllowed."""
    too_far = f"A table can start at most {times.LONGEST.days} days from now."
    moment = times.read_time(text, now, zone, too_far=too_far, instead="a time as Discord writes it: type “@time”")
    return datetime.fromtimestamp(-(-moment.timestamp() // 60) * 60, UTC)


def missing_seats(match: Match) -> str:
    """Return what happens to missing seats, as a sentence."""
    if match.fill_with is None:
        return "If too few are ready then, the table is called off."
    return f"Computers ({match.fill_with}) take the seats of those who aren't ready then."


def ready_post(match: Match) -> Message:
    """The question to everybody in the table's place; at a table without a time, to those who have been silent."""
    if match.appointed is None:
        silent = ", ".join(f"<@{seat.user_id}>" for seat in match.present if not seat.ready)
        ask = f"{words.title(match)} is about to start. {silent}, are you still here?"
        return Message(
            f"{ask} Whoever hasn't pressed **{HERE}** {_until(match)} loses their seat.", view=_ready_button(match)
        )
    lines = [f"{words.title(match)} starts {words.appointed(match)}. {_mentioned(match, line=False)}, are you ready?"]
    if match.line:
        lines.append(f"Next in line: {_mentioned(match, line=True)}. Say so, too: a seat may be free.")
    heir = " to the next in line" if match.line else ""
    lines.append(f"Whoever hasn't pressed **{READY}** by then loses their seat{heir}.")
    return Message("\n".join(lines), view=_ready_button(match))


def ready_dm(match: Match) -> Message:
    """The same question for one person."""
    if match.appointed is None:
        where = f"{words.title(match)} ({words.link(match)}) is about to start. Are you still here?"
        return Message(f"{where} If not, you lose your seat {_until(match)}.", view=_ready_button(match))
    sentence = f"{words.title(match)} ({words.link(match)}) starts {words.appointed(match)}. Are you ready?"
    return Message(sentence, view=_ready_button(match))


def rescheduled_post(match: Match) -> Message:
    """The news for everybody that the table has another time."""
    everybody = ", ".join(f"<@{seat.user_id}>" for seat in match.everybody if seat.user_id not in (None, match.host_id))
    return Message(f"{words.title(match)} has another time: {words.appointed(match)}. {everybody}, {_OR_LEAVE}")


def rescheduled_dm(match: Match) -> Message:
    """The same news for one person."""
    said = f"{words.title(match)} ({words.link(match)}) has another time: {words.appointed(match)}."
    return Message(f"{said} You keep your seat. {_OR_LEAVE[0].upper()}{_OR_LEAVE[1:]}")


_OR_LEAVE: Final = "if you can't come, please press **Leave** in its lobby, or use `/match leave`."


def _mentioned(match: Match, *, line: bool) -> str:
    return ", ".join(f"<@{seat.user_id}>" for seat in (match.line if line else match.seats) if seat.user_id is not None)


def _until(match: Match) -> str:
    return "" if match.turn_due is None else discord.utils.format_dt(match.turn_due, "R")


def ready_label(match: Match) -> str:
    """Return what people press when they're asked before the start."""
    return HERE if match.appointed is None else READY


def _ready_button(match: Match) -> discord.ui.View:
    return components.view(components.button(Ref("ready", match.id), ready_label(match), Style.success))


async def be_ready(press: Press, match: Match) -> None:
    """**I'm ready**, or **I'm here**."""
    after = await press.host.appointed.ready(press.once(match.id), press.person)
    if after.at_table(press.person) is None:
        await answer(press, Message(words.OUT_OF_DATE))
        return
    if after.appointed is not None:
        seat = " You get a seat if one is free then." if after.seat_of(press.person) is None else ""
        starts = f"It starts {discord.utils.format_dt(after.appointed, 'R')}.{seat}"
    else:
        starts = "It starts once the others have answered." if after.status is Status.LOBBY else "It has started."
    await answer(press, Message(f"{words.title(after)} ({words.link(after)}): great! {starts}"))


async def ask_missing(press: Press, match: Match) -> None:
    """**If too few come …**: the host picks what happens then."""
    if match.host_id != press.person:
        raise NotAllowed("Only the host can decide that.")
    offered = {CALL_OFF: "Call the table off"}
    levels = levels_of(match.game, match.options, match.players_with(0))
    offered |= {level.value: f"Computers take the seats: {level}" for level in levels}
    text = f"{words.title(match)}: what if too few people are ready at its time?"
    await whisper(press, choice(text, Ref("missingpick", match.id), offered, "If too few come …"))


async def choose_missing(press: Press, match: Match) -> None:
    """The host has picked what happens to missing seats."""
    if press.picked != CALL_OFF and press.picked not in set(Level):
        raise NotAllowed(words.OUT_OF_DATE)
    level = None if press.picked == CALL_OFF else press.picked
    after = await press.host.appointed.fill_with(press.once(match.id), press.person, level)
    await answer(press, Message(f"{words.title(after)}: {missing_seats(after)}"))


async def reschedule(press: Press, match: Match, at: str) -> None:
    """``/match reschedule``: the host gives the table another time, and everybody else is told."""
    when = await typed_times.understood(press, "at", at, read)
    after = await press.host.appointed.reschedule(press.once(match.id), press.person, when)
    others = any(seat.user_id not in (None, press.person) for seat in after.everybody)
    told = " I'm telling the others." if others else ""
    await answer(press, Message(f"{words.title(after)} now starts {words.appointed(after)}.{told}"))


HANDLERS: Final[dict[str, Verb]] = {
    "ready": of_match(be_ready, edits=True),
    "missing": of_match(ask_missing),
    "missingpick": of_match(choose_missing, edits=True),
}
