"""The pages of a panel: what is asked next, and the last look at a move before it is played (P5).

Made from a `View` alone. A `Panel` says what it is for, a match or a lesson.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from itertools import chain, count
from typing import Final, NamedTuple

import discord

from cogs.play.panel_steps import Entry, Position, position
from cogs.post import pictures
from cogs.press import components
from cogs.press.custom_ids import BETWEEN, BUTTON, MAX_LENGTH, Ref
from cogs.press.reply import Message
from cogs.text import names
from games.core import Observation
from matches.api import LastLook, Stale, View
from render import Mark
from render.marks import TICK

PAGE: Final = 25
"""Discord's limit of entries in one menu."""

A_ROW, ROWS = 5, 4
"""Buttons in a row on Discord, and rows above the one with **Hint** and **Back**."""

LONGEST_LABEL: Final = 80
"""Discord's limit of characters on a button."""

PHONE, PADDING = 44, 4
"""Characters that fit beside each other on a phone, and how many of them a button's edges take."""

CONFIRM: Final = "Confirm"
SOMETHING_ELSE: Final = "Something else"
TURN: Final = "Turn"
THEIR_MOVE: Final = "Their move?"


class Panel(NamedTuple):
    """What a panel is for: whose choices it shows, and the heading of every page.

    `ref` makes a button's `Ref` from a verb (``pick``, ``page``, ``back`` or ``confirm``), the choices so far and the
    page number. `beside` are the labels and meanings of the buttons beside **Back**. `preview` returns what the viewer
    sees after a move, given as canonical text, or ``None`` if nobody can know that. `asks`: the question of every page,
    if the choices are another player's; by default each step asks its own.
    """

    view: View
    heading: str
    ref: Callable[[str, tuple[str, ...], int], Ref]
    beside: tuple[tuple[str, Ref], ...]
    preview: Callable[[str], Awaitable[Observation | None]]
    asks: str | None = None


def wants_last_look(view: View, place: Position) -> bool:
    """Whether the mover confirms the move that they have picked before it is played.

    A card that can be turned is always shown, because that page turns it.
    """
    wanted = LastLook.ALWAYS if view.settings is None else view.settings.confirm
    if place.turned or wanted is LastLook.ALWAYS:
        return True
    return wanted is LastLook.UNSEEN and (place.move is None or place.move.choices[-1].place is None)


async def page(panel: Panel, place: Position | None, number: int, *, yes: str = CONFIRM) -> Message:
    """The panel at a position, at page `number` of its menu; `yes` is the button that plays a move."""
    view = panel.view
    if place is None:
        raise Stale("That choice is no longer possible. Please press **Play** again.")
    so_far = " → ".join(place.picked)
    if place.move is not None:
        return await _last_look(panel, place, so_far or "Your only move", yes)
    in_menu = _rows(panel, place) is None
    pages = -(-len(place.entries) // PAGE) if in_menu else 1
    number = min(max(number, 0), pages - 1)
    shown = place.entries[number * PAGE : (number + 1) * PAGE]
    question = place.question if panel.asks is None else panel.asks
    lines = [line for line in (panel.heading, so_far) if line] + [f"**{question}**"]
    if pages > 1:
        lines.append(f"Page {number + 1} of {pages}.")
    picture = await pictures.board(view, place.marks) if place.marks else await _mood(view)
    return Message("\n".join(lines), [picture], _controls(panel, place, shown, number, pages))


async def as_read(panel: Panel, text: str) -> Message:
    """The last page for a move that was typed differently from its canonical `text`: what it will do, to confirm.

    **Back** leads into the panel.
    """
    message = await of_move(panel, text, CONFIRM)
    message.content = f"I read that as `{text}`. Press **{CONFIRM}** to play it.\n{message.content}"
    return message


async def of_move(panel: Panel, text: str, yes: str) -> Message:
    """The last page for a legal move; `text` is the canonical one, and `yes` the button that plays it."""
    move = next(move for move in panel.view.moves if move.text == text)
    return await page(panel, position(panel.view, move.values), 0, yes=yes)


async def _mood(view: View) -> discord.File:
    """The picture for a step without places: the person's hand, or the board in games without hands."""
    return await pictures.hand(view) or await pictures.board(view)


def _controls(panel: Panel, place: Position, shown: tuple[Entry, ...], number: int, pages: int) -> discord.ui.View:
    rows = _rows(panel, place)
    last = None if rows is None else len(rows)
    back = [components.button(ref, label, row=last) for label, ref in panel.beside]
    if place.back is not None:
        back.append(_back(panel, place.back, "Back", last))
    if rows is not None:
        items = [_button(panel, entry, row) for row, entries in enumerate(rows) for entry in entries]
        return components.view(*items, *back)
    offered = {BETWEEN.join(entry.path[len(place.path) :]): entry.label for entry in shown}
    turning = []
    if number > 0:
        turning.append(components.button(panel.ref("page", place.path, number - 1), "◀ Earlier"))
    if number < pages - 1:
        turning.append(components.button(panel.ref("page", place.path, number + 1), "More ▶"))
    placeholder = place.question if panel.asks is None else THEIR_MOVE
    menu = components.menu(panel.ref("pick", place.path, 0), offered, placeholder)
    return components.view(menu, *turning, *back)


def _rows(panel: Panel, place: Position) -> list[list[Entry]] | None:
    """The entries as rows of buttons; ``None`` if they need a menu. Entries with `gives_up` have a row of their own.

    A row is no wider than a phone, or if that takes too many rows, as little wider as possible. Squares of a board
    stand in the rows of the board. The last row is for **Hint** and **Back**.
    """
    entries = [entry for entry in place.entries if not entry.gives_up]
    last = [entry for entry in place.entries if entry.gives_up]
    rooms = ROWS - bool(last)
    if len(last) > A_ROW or len(entries) > rooms * A_ROW or not all(map(partial(_fits, panel), place.entries)):
        return None
    wider = (_narrow(entries, room) for room in count(PHONE))
    rows = next(rows for rows in chain([_narrow(entries, PHONE, as_board=True)], wider) if len(rows) <= rooms)
    return [*rows, last] if last else rows


def _narrow(entries: list[Entry], room: int, *, as_board: bool = False) -> list[list[Entry]]:
    """Rows of at most `room` characters, unless a single label is longer."""
    rows: list[list[Entry]] = []
    for entry in entries:
        wide = sum(len(other.label) + PADDING for other in (*(rows[-1] if rows else ()), entry))
        if not rows or len(rows[-1]) == A_ROW or wide > room or (as_board and _is_lower(rows[-1][-1], entry)):
            rows.append([])
        rows[-1].append(entry)
    return rows


def _is_lower(before: Entry, entry: Entry) -> bool:
    """Whether two entries are squares in different rows of a board, such as ``C1`` and ``A2``."""
    one, other = (each.mark.name if each.mark is not None else None for each in (before, entry))
    return one is not None and other is not None and one[1:] != other[1:]


def _fits(panel: Panel, entry: Entry) -> bool:
    return len(entry.label) <= LONGEST_LABEL and len(_pick(panel, entry).text(BUTTON)) <= MAX_LENGTH


def _pick(panel: Panel, entry: Entry) -> Ref:
    return panel.ref("pick", entry.path, 0)


def _back(panel: Panel, path: tuple[str, ...], label: str, row: int | None = None) -> components.Item:
    return components.button(panel.ref("back", path, 0), label, row=row)


def _button(panel: Panel, entry: Entry, row: int) -> components.Item:
    style = components.Style.secondary if entry.gives_up else components.Style.primary
    return components.button(_pick(panel, entry), entry.label, style, row=row)


async def _last_look(panel: Panel, place: Position, chosen: str, yes: str) -> Message:
    """Before the last step: the resulting board if nothing is hidden, else the move on the mover's board.

    The text says the move as the log will say it, but to its mover. If that isn't known, or the card can be turned, it
    says `chosen`.
    """
    assert place.move is not None
    view = panel.view
    renderer, after = pictures.renderer(view), await panel.preview(place.move.text)
    if after is not None:
        picture = await pictures.board(_still_theirs(view, after))
        if after.last is not None and not place.turned:
            people = names.people_to(view.match, view.seat if panel.asks is None else None)
            chosen = renderer.say(after.last, after, people)
    elif where := [choice.place for choice in place.move.choices if choice.place is not None]:
        foreseen = replace(view, observation=renderer.foresee(view.observation, place.move.action))
        # An open game comes here only with an illegal move, in a lesson: mark where it would lie.
        marks = () if view.match.info.hidden_information else (Mark(1, where[-1]),)
        picture = await pictures.board(foreseen, marks)
    else:
        cards = tuple(Mark(0, choice.value, name=TICK) for choice in place.move.choices if choice.card)
        picture = await pictures.hand(view, cards) or await pictures.board(view)
    items = [components.button(panel.ref("confirm", place.path, 0), yes, components.Style.success)]
    items += [components.button(_pick(panel, entry), TURN) for entry in place.turned[:1]]
    if place.back is not None:
        items.append(_back(panel, place.back, SOMETHING_ELSE))
    return Message(f"{panel.heading}\n{chosen}".strip(), [picture], components.view(*items))


def _still_theirs(view: View, after: Observation) -> View:
    """The view after a move that isn't confirmed yet: it is still its mover's turn, unless the move ends the match."""
    if after.outcome is None and view.match.to_move is not None:
        after = replace(after, current_player=view.match.to_move)
    return replace(view, observation=after)
