"""What one person asks for and only that person sees: hand, board, log, and what stands behind **More** (P9, P18)."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Final

import discord

from cogs.lobby import lobby_picture, lobby_post
from cogs.play import panel_steps
from cogs.post import boards, pictures
from cogs.press import components
from cogs.press.ids import Ref
from cogs.press.one_at_a_time import Long, one_at_a_time
from cogs.press.reply import Interaction, Message, in_time, turn_into, whisper
from cogs.text import names, words
from matches import Match, NotAllowed, NotSeated, Shown, Status, View, Vote, WrongTime

LINES_A_PAGE: Final = 20
MAX_LOG: Final = 1900
"""Characters of a page of the log, below its heading."""

_STYLE = discord.ButtonStyle


async def show_hand(interaction: Interaction, number: int) -> None:
    """The person's own cards and secrets, always fresh."""
    view = await interaction.client.host.view(number, interaction.user.id)
    if view.seat is None:
        raise NotSeated("You do not sit at this table, so you hold no cards.")
    if not view.match.info.hands:
        raise NotAllowed(f"{view.match.info.name} is played without secret cards: everything is on the board.")
    await whisper(interaction, await in_time(interaction, boards.my_hand(view)))


async def show_board(interaction: Interaction, number: int) -> None:
    """The board as this person may see it; the lobby's list before the start."""
    match = await interaction.client.host.match(number)
    if match.status in (Status.LOBBY, Status.CANCELLED):
        message = lobby_post.message(match)
        message.view = None
        await lobby_picture.add_where_allowed(interaction, message, match)
        await whisper(interaction, message)
        return
    view = await interaction.client.host.view(number, interaction.user.id)
    sentence = words.whose_turn(view, ping=False) or words.how_it_ended(match)
    await whisper(interaction, await in_time(interaction, boards.now(view, sentence)))


async def log_page(interaction: Interaction, number: int, page: int | None) -> Message:
    """A page of the log in words; the latest page where none is named."""
    bot, user = interaction.client, interaction.user.id
    match = await bot.host.match(number)
    if match.status in (Status.LOBBY, Status.CANCELLED):
        raise WrongTime("This match has not begun, so there is no log.")
    shown = await bot.host.history(number, user)
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


async def hint(interaction: Interaction, number: int) -> Message:
    """What the computer would do with what this person knows, in words; nothing is played."""
    host, user = interaction.client.host, interaction.user.id
    with one_at_a_time(interaction, Long.HINT):
        text = await host.hint(number, user)
    view = await host.view(number, user)
    move = next((move for move in view.moves if move.text == text), None)
    if move is None:
        raise WrongTime("The match has gone on meanwhile: please ask again when it is your turn.")
    steps = " → ".join(panel_steps.words(view, choice) for choice in move.choices)
    return Message(f"{words.title(view.match)}: I would play {steps} (`{text}`).", view=boards.private_buttons(view))


async def _hand(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    await show_hand(interaction, _number(ref))


async def _board(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    await show_board(interaction, _number(ref))


async def _log(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    await whisper(interaction, await in_time(interaction, log_page(interaction, _number(ref), None)))


async def _turn_log_page(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    await turn_into(interaction, await in_time(interaction, log_page(interaction, _number(ref), ref.page), edit=True))


async def _more(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """**More**: log, board in words, remind, resign."""
    view = await interaction.client.host.view(_number(ref), interaction.user.id)
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
    view = await interaction.client.host.view(_number(ref), interaction.user.id)
    board = pictures.in_words(view)
    await whisper(interaction, Message(f"{words.title(view.match)}\n{board}", view=boards.private_buttons(view)))


async def _remind(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """**Remind**: one ping a turn to the person on turn, whoever asks for it."""
    await in_time(interaction, interaction.client.host.remind(_number(ref), interaction.user.id))
    await whisper(interaction, Message("I remind the player on turn."))


async def ask_resign(interaction: Interaction, match: Match) -> None:
    """Before somebody resigns they read what that means. Raises as the host does for who cannot resign."""
    match.check_running()
    match.own_seat(interaction.user.id)
    meaning = (
        "Your opponent wins at once."
        if len(match.seats) == 2
        else "A computer plays your seat to the end; you can't come back."
    )
    yes = components.button(Ref("resigned", match.id), "Yes, resign", _STYLE.danger)
    await whisper(
        interaction, Message(f"{words.title(match)}: resign from this match? {meaning}", view=components.view(yes))
    )


async def _ask_resign(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    await ask_resign(interaction, await interaction.client.host.match(_number(ref)))


async def _resign(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    resigning = interaction.client.host.resign(_number(ref), interaction.user.id, interaction.id)
    match = await in_time(interaction, resigning, edit=True)
    await turn_into(interaction, Message(f"{words.title(match)}: you have resigned."))


async def _return(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """**Take my seat back** from the computer (P14)."""
    returning = interaction.client.host.take_back(_number(ref), interaction.user.id, interaction.id)
    match = await in_time(interaction, returning, edit=True)
    view: View = await interaction.client.host.view(match.id, interaction.user.id)
    sentence = f"Welcome back. {words.whose_turn(view, ping=False)}"
    await turn_into(interaction, await in_time(interaction, boards.now(view, sentence), edit=True))


async def _vote(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """What the table decides about somebody whose time is up (P13)."""
    if ref.path[:1] not in {(vote.value,) for vote in Vote}:
        raise NotAllowed(words.OUT_OF_DATE)
    voting = interaction.client.host.vote(_number(ref), interaction.user.id, Vote(ref.path[0]), ply=ref.ply)
    match = await in_time(interaction, voting)
    await whisper(interaction, Message(f"{words.title(match)}: your vote is counted."))


async def _cancel(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """Somebody agrees to end the match (P18)."""
    match = await interaction.client.host.match(_number(ref))
    match.own_seat(interaction.user.id)
    after = await in_time(interaction, interaction.client.host.cancel(match.id, interaction.user.id))
    await whisper(interaction, Message(f"{words.title(after)}: {words.cancelled(after)}"))


async def ask_for_seat(interaction: Interaction, number: int, name: str | None) -> None:
    """Ask the table for a seat that the computer plays (P14)."""
    applying = interaction.client.host.apply(number, names.person(interaction.user), name)
    match = await in_time(interaction, applying)
    await whisper(interaction, Message(f"{words.title(match)}: I ask the table. `/match list` says when you play."))


async def _sit(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    await ask_for_seat(interaction, _number(ref), None)


async def _agree(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    """Somebody at the table agrees that another person takes a seat (P14)."""
    if not ref.path or not ref.path[0].isdecimal():
        raise NotAllowed(words.OUT_OF_DATE)
    agreeing = interaction.client.host.agree(_number(ref), interaction.user.id, int(ref.path[0]))
    match = await in_time(interaction, agreeing)
    taken = match.seat_of(int(ref.path[0])) is not None
    sentence = "the seat is taken." if taken else "your consent is counted; more than half of the players must agree."
    await whisper(interaction, Message(f"{words.title(match)}: {sentence}"))


async def ask_depart(interaction: Interaction, match: Match) -> None:
    """Before somebody leaves a match that runs they read what that means (P15). Raises as the host does."""
    match.seat_to_leave(interaction.user.id)
    if len(match.seats) == 2:
        await ask_resign(interaction, match)
        return
    yes = components.button(Ref("depart", match.id), "Yes, leave", _STYLE.danger)
    sentence = "A computer plays for you until you return, or someone takes your seat if the table agrees."
    await whisper(
        interaction, Message(f"{words.title(match)}: leave this match? {sentence}", view=components.view(yes))
    )


async def _depart(interaction: Interaction, ref: Ref, values: tuple[str, ...]) -> None:
    leaving = interaction.client.host.depart(_number(ref), interaction.user.id, interaction.id)
    match = await in_time(interaction, leaving, edit=True)
    back = components.button(Ref("return", match.id), "Take my seat back", _STYLE.success)
    view = components.view(back) if match.status is Status.RUNNING else None
    await turn_into(interaction, Message(f"{words.title(match)}: you have left.", view=view))


def _number(ref: Ref) -> int:
    if ref.match is None:
        raise NotAllowed(words.OUT_OF_DATE)
    return ref.match


HANDLERS: Final[dict[str, components.Handler]] = {
    "hand": _hand,
    "board": _board,
    "log": _log,
    "logpage": _turn_log_page,
    "more": _more,
    "inwords": _in_words,
    "remind": _remind,
    "resign": _ask_resign,
    "resigned": _resign,
    "return": _return,
    "vote": _vote,
    "cancel": _cancel,
    "sit": _sit,
    "agree": _agree,
    "depart": _depart,
}
