"""What one person looks at and only that person sees: hand, board, log, and what stands behind **More** (P9, P18)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

import discord

from cogs.lobby import lobby_picture, lobby_post
from cogs.post import boards, pictures
from cogs.press import components
from cogs.press.ids import Ref, match_of
from cogs.press.reply import Interaction, Message, in_time, turn_into, whisper
from cogs.text import words
from matches import Match, MatchId, NotAllowed, NotSeated, Shown, Status, UserId, WrongTime

LINES_A_PAGE: Final = 20
MAX_LOG: Final = 1900
"""Characters of a page of the log, below its heading."""

_STYLE = discord.ButtonStyle


async def show_hand(interaction: Interaction, number: MatchId) -> None:
    """The person's own cards and secrets, always fresh."""
    view = await interaction.client.host.look.view(number, UserId(interaction.user.id))
    if view.seat is None:
        raise NotSeated("You do not sit at this table, so you hold no cards.")
    if not view.match.info.hands:
        raise NotAllowed(f"{view.match.info.name} is played without secret cards: everything is on the board.")
    await whisper(interaction, await in_time(interaction, boards.my_hand(view)))


async def show_board(interaction: Interaction, number: MatchId) -> None:
    """The board as this person may see it; the lobby's list before the start."""
    match = await interaction.client.host.look.match(number)
    if match.status in (Status.LOBBY, Status.CANCELLED):
        message = lobby_post.message(match)
        message.view = None
        await lobby_picture.add_where_allowed(interaction, message, match)
        await whisper(interaction, message)
        return
    view = await interaction.client.host.look.view(number, UserId(interaction.user.id))
    sentence = words.whose_turn(view, ping=False) or words.how_it_ended(match)
    await whisper(interaction, await in_time(interaction, boards.now(view, sentence)))


async def log_page(interaction: Interaction, number: MatchId, page: int | None) -> Message:
    """A page of the log in words; the latest page where none is named."""
    bot, user = interaction.client, UserId(interaction.user.id)
    match = await bot.host.look.match(number)
    if match.status in (Status.LOBBY, Status.CANCELLED):
        raise WrongTime("This match has not begun, so there is no log.")
    shown = await bot.host.look.history(number, user)
    pages = await asyncio.to_thread(_pages, match, shown)
    last = len(pages) - 1
    page = last if page is None else min(max(page, 0), last)
    items = []
    if page > 0:
        items.append(components.button(Ref("logpage", number, None, (), page - 1), "◀ Earlier"))
    if page < last:
        items.append(components.button(Ref("logpage", number, None, (), page + 1), "Later ▶"))
    return Message(
        f"{words.title(match)} · log, page {page + 1} of {len(pages)}\n{pages[page]}",
        view=components.view(*items) if items else None,
    )


def _pages(match: Match, shown: Sequence[Shown]) -> list[str]:
    """A log in words by pages that each fit a message; a page that is full stays as it is when lines are added."""
    pages: list[list[str]] = [[]]
    for line in shown:
        if not (sentence := words.in_words(match, line)):
            continue
        row = f"`{line.ply}` {sentence}"
        if len(pages[-1]) == LINES_A_PAGE or len("\n".join((*pages[-1], row))) > MAX_LOG:
            pages.append([])
        pages[-1].append(row)
    return ["\n".join(page) for page in pages]


async def _hand(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    await show_hand(interaction, match_of(ref))


async def _board(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    await show_board(interaction, match_of(ref))


async def _log(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    await whisper(interaction, await in_time(interaction, log_page(interaction, match_of(ref), None)))


async def _turn_log_page(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    await turn_into(interaction, await in_time(interaction, log_page(interaction, match_of(ref), ref.page), edit=True))


async def _more(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """**More**: log, board in words, remind, resign."""
    view = await interaction.client.host.look.view(match_of(ref), UserId(interaction.user.id))
    number = view.match.id
    items = [
        components.button(Ref("log", number), "Log"),
        components.button(Ref("inwords", number), "Board in words"),
    ]
    if view.match.status is Status.RUNNING and view.seat is None and any(seat.computer for seat in view.match.seats):
        items.append(components.button(Ref("sit", number), "Take a seat"))
    if view.seat is not None and view.match.status is Status.RUNNING:
        items.append(components.button(Ref("remind", number), "Remind"))
        items.append(components.button(Ref("resign", number), "Resign", _STYLE.danger))
    await whisper(interaction, Message(f"{words.title(view.match)}: what else?", view=components.view(*items)))


async def _in_words(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    view = await interaction.client.host.look.view(match_of(ref), UserId(interaction.user.id))
    board = pictures.in_words(view)
    await whisper(interaction, Message(f"{words.title(view.match)}\n{board}", view=boards.private_buttons(view)))


HANDLERS: Final[dict[str, components.Handler]] = {
    "hand": _hand,
    "board": _board,
    "log": _log,
    "logpage": _turn_log_page,
    "more": _more,
    "inwords": _in_words,
}
