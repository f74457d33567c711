"""The pages of an exercise: its task with the panel, the answer to a try, and **Show me**.

All of it is made from the view of the person who does the exercise, as in a match.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

import discord

from cogs.play import panel_pages
from cogs.play.panel_pages import Panel
from cogs.play.panel_steps import as_asked, position
from cogs.post import pictures
from cogs.press import components
from cogs.press.components import Item, Style
from cogs.press.custom_ids import Ref
from cogs.press.reply import Message
from cogs.text import names, sections
from games.exercise import Answer, Exercise, followed, played
from games.illustrations import Illustration
from matches.api import ExerciseView, Move, View
from matches.records.exercise_view import preview, view_after
from matches.records.seen import seen_of
from render import Mark

TRAPS: Final = "-# Careful, there are traps: choices that break a rule. In a match you wouldn't see them."

ONLY_MOVE: Final = " That was your only move."


class Sheet(NamedTuple):
    """An exercise as one person has it before them.

    `heading` is the first line of every page, and `task` what is asked. `ref` makes a button's `Ref` from a verb (those
    of a `Panel`; ``show`` for **Show me**, ``open`` for the first page), the choices so far and the page number.
    `beside` are the labels and meanings of more buttons under the panel and under a wrong try. `after_right` and
    `after_shown` are the buttons under a right answer and under **Show me**.
    """

    exercise: Exercise
    view: ExerciseView
    heading: str
    task: str
    ref: Callable[[str, tuple[str, ...], int], Ref]
    beside: tuple[tuple[str, Ref], ...] = ()
    after_right: tuple[Item, ...] = ()
    after_shown: tuple[Item, ...] = ()

    def to(self, verb: str) -> Ref:
        """Return what a button carries that leads to a page without choices."""
        return self.ref(verb, (), 0)


async def page(sheet: Sheet, path: tuple[str, ...] = (), number: int = 0) -> Message:
    """The task and the panel after the choices `path`."""
    panel = _panel(sheet)
    here = position(panel.view, path)
    message = await panel_pages.page(panel, here, number)
    if here is not None and here.move is None and not here.marks and panel.view.match.info.hands:
        # In a match the board stands in the channel.
        message.pictures.insert(0, await pictures.board(panel.view))
    return message


async def as_read(sheet: Sheet, text: str) -> Message:
    """The last page of the panel for a move that was typed differently from its canonical `text`."""
    return await panel_pages.as_read(_panel(sheet), text)


def _panel(sheet: Sheet) -> Panel:
    task = f"{sheet.task}\n{TRAPS}" if sheet.exercise.tempting else sheet.task
    return Panel(
        sheet.view,
        f"{sheet.heading}\n{task}\n",
        sheet.ref,
        (("Show me", sheet.to("show")), *sheet.beside),
        partial(preview, sheet.exercise),
    )


async def answer(sheet: Sheet, text: str, found: Answer) -> Message:
    """The answer to a try. It explains a wrong one, and has a button to try again."""
    if found.right:
        message = await _done(sheet, text, found, "**Right!** ")
        message.view = components.view(*sheet.after_right)
        return message
    shown = sheet.view
    move = shown.move(text)
    items = [components.button(sheet.to("open"), "Try again", Style.primary)]
    section = None if found.rule is None else sections.section_for_rule(found.rule)
    if section is not None:
        items.append(components.button(Ref("rules", None, None, section), "Rules"))
    items.append(components.button(sheet.to("show"), "Show me"))
    items += [components.button(ref, label) for label, ref in sheet.beside]
    lines = [sheet.heading, f"**Not this time.** {found.words}", f"-# You picked: {picked(shown, move)}"]
    example = None if found.legal else _example(section)
    if found.then:
        after, then = _followed(sheet, text, found)
        lines.insert(2, f"Then: {then}")
        picture = await pictures.board(after)
    elif (place := _place(move)) is not None:
        picture = await _crossed_out(shown, move, place)
    elif example is not None and shown.settings is not None:
        (picture,) = await pictures.illustrations((example,), shown.settings)
        lines.append(f"-# An example from the rules: {example.alt}")
    else:
        picture = await pictures.hand(shown) or await pictures.board(shown)
    return Message("\n".join(lines), [picture], components.view(*items))


async def shown(sheet: Sheet) -> Message:
    """**Show me**: what is right, and what it leads to."""
    text = sheet.exercise.shown
    first = f"**Like this:** {picked(sheet.view, sheet.view.move(text))}.\n"
    message = await _done(sheet, text, sheet.exercise.answer(text), first)
    again = components.button(sheet.to("open"), "Let me try")
    message.view = components.view(*sheet.after_shown, again)
    return message


async def _done(sheet: Sheet, text: str, found: Answer, first: str) -> Message:
    """After a right answer: what it achieved, and what the others do next."""
    after = view_after(sheet.view, played(sheet.exercise, text))
    _, then = _followed(sheet, text, found)
    lines = [sheet.heading, f"{first}{found.words}", *([f"Then: {then}"] if then else [])]
    return Message("\n".join(lines), [await pictures.board(after)])


def _followed(sheet: Sheet, text: str, found: Answer) -> tuple[View, str]:
    """Return what the person sees after the lines that follow an action, and these lines in words."""
    state, told = played(sheet.exercise, text), []
    renderer, seat = pictures.renderer(sheet.view), sheet.exercise.seat
    people = names.people_to(sheet.view.match, seat)
    for line, after in followed(sheet.exercise, text, found.then):
        forced = line.player == seat and len(state.legal_actions(seat)) == 1
        state, seen = after, seen_of(seat, line, after)
        if seen is not None:
            told.append(f"{renderer.say(seen, state.observation(seat), people)}{ONLY_MOVE * forced}")
    return view_after(sheet.view, state), found.meanwhile or " ".join(sentence for sentence in told if sentence)


def picked(shown: ExerciseView, move: Move) -> str:
    """A move as it was picked, step by step."""
    steps = dict.fromkeys(as_asked(shown, move))
    return " → ".join(steps) or f"`{move.text}`"


def _place(move: Move) -> str | None:
    """The place of a move on the board, if it has one."""
    return next((choice.place for choice in reversed(move.choices) if choice.place is not None), None)


async def _crossed_out(shown: ExerciseView, move: Move, place: str) -> discord.File:
    """The board with what the move would put there, crossed out."""
    supposed = pictures.renderer(shown).suppose(shown.observation, move.action)
    mark = Mark(0, place, aside=True, supposed=supposed is not shown.observation)
    return await pictures.board(replace(shown, observation=supposed), (mark,))


def _example(section: tuple[str, str] | None) -> Illustration | None:
    """The first illustration of a section of the rules."""
    if section is None:
        return None
    game, number = section
    return next(iter(sections.sections(game)[int(number)].illustrations), None)
