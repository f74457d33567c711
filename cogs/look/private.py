"""What a person looks at in private: hand, board and log (P9, P18)."""

from __future__ import annotations

import asyncio
import io
from collections.abc import Sequence
from typing import Any, Final

import discord

from cogs.look.replay import STEP, posting
from cogs.post import boards, pictures
from cogs.press import attachments, components
from cogs.press.components import Verb, of_match
from cogs.press.custom_ids import Ref
from cogs.press.reply import Message, Press, answer, whisper
from cogs.text import suspicions, words
from matches.api import Match, MatchId, NotAllowed, NotSeated, Shown, Status, WrongTime
from matches.features import said

LINES_A_PAGE: Final = 20
"""Lines of the log on a page. A page has several parts if its words don't fit one message."""

MAX_LOG: Final = 1900
"""Characters of a part, below its heading."""


async def show_hand(press: Press, match: Match) -> None:
    """Show the person's own cards and secrets as they are now."""
    view = await press.host.look.view(match, press.person)
    if view.seat is None:
        raise NotSeated("You're not at this table, so you have no cards.")
    if not view.match.info.hands:
        raise NotAllowed(f"{view.match.info.name} has no secret cards: everything is on the board.")
    await whisper(press, await boards.my_hand(view))


async def show_board(press: Press, match: Match) -> None:
    """Show the board as this person may see it. Raises WrongTime before the start, where no button leads here."""
    view = await press.host.look.view(match, press.person)
    sentence = words.whose_turn(view, ping=False) or words.how_it_ended(match)
    message = await boards.now(press.bot, view, sentence)
    if match.status is Status.OVER:
        message.view = components.view(posting(match, STEP, view.ply))
        message.content += "".join([await face.beside_end(press, match) for face in press.bot.faces])
    await whisper(press, message)


async def show_details(press: Press, match: Match) -> None:
    """**Details**: the lists of a match that is over."""
    if match.status is not Status.OVER:
        raise WrongTime("The match isn't over yet.")
    view = await press.host.look.view(match, None)
    course = await press.host.look.course(match.id) if said(match) else ()
    told = boards.details(view, await boards.outcome(press.bot, match), course)
    await whisper(press, Message(f"{words.title(match)}\n{told}"))


async def log_page(press: Press, match: Match, page: int | None, part: int | None = None) -> Message:
    """A page of the log in words, or a part of one; by default the latest.

    A page has a fixed number of lines, so that only the wanted lines are put into words.
    """
    last = max(0, match.ply - 1) // LINES_A_PAGE
    page = last if page is None else min(max(page, 0), last)
    first = page * LINES_A_PAGE
    shown = await press.host.look.history(match, press.person, first, first + LINES_A_PAGE)
    parts = await asyncio.to_thread(_parts, match, shown)
    part = len(parts) - 1 if part is None else min(max(part, 0), len(parts) - 1)
    items = []
    if part > 0:
        items.append(_turning(match.id, page, part - 1, "◀ Earlier"))
    elif page > 0:
        items.append(_turning(match.id, page - 1, None, "◀ Earlier"))
    if part < len(parts) - 1:
        items.append(_turning(match.id, page, part + 1, "Later ▶"))
    elif page < last:
        items.append(_turning(match.id, page + 1, 0, "Later ▶"))
    if match.status is Status.OVER:
        items.append(components.button(Ref("logfile", match.id), "As a file"))
    where = f"page {page + 1} of {last + 1}" + (f", part {part + 1} of {len(parts)}" if len(parts) > 1 else "")
    return Message(
        f"{words.title(match)} · log, {where}\n{parts[part]}", view=components.view(*items) if items else None
    )


async def log_file(press: Press, match: Match) -> Message:
    """The whole log of a match that is over, as a file with which anybody can check the deals."""
    attachments.refuse_without(press)
    text = await press.host.look.exported(match.id)
    file = discord.File(io.BytesIO(text.encode("ascii")), f"{match.game}-{match.id}.log")
    return Message(
        f"{words.title(match)}: the whole log. `python -m games replay` checks every move, and "
        "`python verify_deals.py` (in `docs/`) every deal.",
        [file],
    )


def _turning(number: MatchId, page: int, part: int | None, label: str) -> discord.ui.Item[Any]:
    return components.button(Ref("logpage", number, None, () if part is None else (str(part),), page), label)


def _parts(match: Match, shown: Sequence[Shown]) -> list[str]:
    """Lines of a log in words, split into parts that fit a message."""
    parts: list[list[str]] = [[]]
    for line, sentence in zip(shown, words.sentences(match, shown), strict=True):
        rows = [f"`{line.ply}` {sentence}"] if sentence else []
        for row in (*rows, *suspicions.at(match, line.ply + 1)):
            if len("\n".join((*parts[-1], row))) > MAX_LOG:
                parts.append([])
            parts[-1].append(row)
    return ["\n".join(rows) for rows in parts]


async def show_log(press: Press, match: Match) -> None:
    """Show the latest page of the log."""
    await whisper(press, await log_page(press, match, None))


async def send_log(press: Press, match: Match) -> None:
    """**As a file**: show all of the log of a match that is over."""
    await whisper(press, await log_file(press, match))


async def _turn_log_page(press: Press, match: Match) -> None:
    path = press.ref.path
    part = int(path[0]) if path and path[0].isdecimal() else None
    await answer(press, await log_page(press, match, press.ref.page, part))


async def _in_words(press: Press, match: Match) -> None:
    view = await press.host.look.view(match, press.person)
    board = pictures.in_words(view)
    await whisper(press, Message(f"{words.title(view.match)}\n{board}", view=boards.private_buttons(view)))


async def _bring_down(press: Press, match: Match) -> None:
    """Have the board posted again, at the bottom."""
    await press.host.reach.bring_down(match.id, press.person)
    await answer(press, Message(f"{words.title(match)}: I'm posting the board again."))


HANDLERS: Final[dict[str, Verb]] = {
    "bring": of_match(_bring_down, edits=True),
    "hand": of_match(show_hand),
    "details": of_match(show_details),
    "board": of_match(show_board),
    "log": of_match(show_log),
    "logfile": of_match(send_log),
    "logpage": of_match(_turn_log_page, edits=True),
    "inwords": of_match(_in_words),
}
