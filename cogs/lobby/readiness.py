"""Whether people are ready, or still here, before a match starts: what they're asked, and their answer (P1, P40).

The decisions are in `matches/table/here.py`; `cogs/delivery/gathering.py` sends the questions.
"""

from __future__ import annotations

from typing import Final

import discord

from cogs.press import components
from cogs.press.components import Style, Verb, of_match
from cogs.press.custom_ids import Ref
from cogs.press.reply import Message, Press, answer
from cogs.text import words
from matches.api import Match, Status
from matches.features import start_of

READY: Final = "I'm ready"
HERE: Final = "I'm here"


def ready_post(match: Match) -> Message:
    """The question to everybody in the table's place; at a table without a time, to those who have been silent."""
    start = start_of(match)
    if start is None:
        silent = ", ".join(f"<@{seat.user_id}>" for seat in match.present if not seat.ready)
        ask = f"{words.title(match)} is about to start. {silent}, are you still here?"
        return Message(
            f"{ask} Whoever hasn't pressed **{HERE}** {_until(match)} loses their seat.", view=_ready_button(match)
        )
    lines = [f"{words.title(match)} starts {words.moment(start.at)}. {_mentioned(match, line=False)}, are you ready?"]
    if match.line:
        lines.append(f"Next in line: {_mentioned(match, line=True)}. Say so, too: a seat may be free.")
    heir = " to the next in line" if match.line else ""
    lines.append(f"Whoever hasn't pressed **{READY}** by then loses their seat{heir}.")
    return Message("\n".join(lines), view=_ready_button(match))


def ready_dm(match: Match) -> Message:
    """The same question for one person."""
    start = start_of(match)
    if start is None:
        where = f"{words.title(match)} ({words.link(match)}) is about to start. Are you still here?"
        return Message(f"{where} If not, you lose your seat {_until(match)}.", view=_ready_button(match))
    sentence = f"{words.title(match)} ({words.link(match)}) starts {words.moment(start.at)}. Are you ready?"
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


async def be_ready(press: Press, match: Match) -> None:
    """**I'm ready**, or **I'm here**."""
    after = await press.host.lobby.ready(press.once(match.id), press.person)
    if after.at_table(press.person) is None:
        await answer(press, Message(words.OUT_OF_DATE))
        return
    if (start := start_of(after)) is not None:
        seat = " You get a seat if one is free then." if after.seat_of(press.person) is None else ""
        starts = f"It starts {discord.utils.format_dt(start.at, 'R')}.{seat}"
    else:
        starts = "It starts once the others have answered." if after.status is Status.LOBBY else "It has started."
    await answer(press, Message(f"{words.title(after)} ({words.link(after)}): great! {starts}"))


HANDLERS: Final[dict[str, Verb]] = {"ready": of_match(be_ready, edits=True)}
