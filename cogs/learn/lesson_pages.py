"""What a learner reads: a lesson with its panel, the answer to a try, the end of a course, and the list of courses.

All of a lesson is made from the learner's view, as in a match.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

import discord

from cogs.play import panel_pages
from cogs.play.panel_pages import Panel
from cogs.play.panel_steps import as_asked, position
from cogs.post import pictures
from cogs.press import components
from cogs.press.custom_ids import Ref
from cogs.press.reply import Message
from cogs.text import names, sections
from games import GAMES
from games.illustrations import Illustration
from games.lessons import Attempt
from matches.api import LessonView, Move, Person, PlayerSettings, Ply, Standing, Tried
from matches.records.lesson_view import preview, view
from matches.records.seen import seen_of
from render import Mark
from render.illustrate import PEOPLE

TRY: Final = "try"
"""Prefix of the verbs of a lesson's panel, which tries moves instead of playing them."""

SKIP, GO_BACK, START_OVER = "skip", "goback", "startover"
"""Verbs that change somebody's course."""

TRAPS: Final = "-# Careful, there are traps: choices that break a rule. In a match you wouldn't see them."

_STYLE = discord.ButtonStyle


class Learner(NamedTuple):
    """A learner: how they appear at the made-up table, and their settings."""

    person: Person
    settings: PlayerSettings


def seen(attempt: Attempt, learner: Learner) -> LessonView:
    """What the learner sees in a lesson; the others at the table are those of the rules' illustrations."""
    return view(attempt, learner.person, PEOPLE, learner.settings)


async def lesson(
    standing: Standing, learner: Learner, path: tuple[str, ...] = (), number: int = 0, *, in_server: bool = True
) -> Message:
    """The task and the panel after the choices `path`; or the end of the course."""
    if standing.attempt is None:
        return end(standing, in_server=in_server)
    panel = _panel(standing, standing.attempt, learner)
    message = await panel_pages.page(panel, path, number)
    here = position(panel.view, path)
    if here is not None and here.move is None and not here.marks and panel.view.match.info.hands:
        # In a match the board stands in the channel.
        message.pictures.insert(0, await pictures.board(panel.view))
    return message


async def as_read(standing: Standing, attempt: Attempt, learner: Learner, text: str) -> Message:
    """The last page of the panel for a move that was typed differently from its canonical `text`."""
    return await panel_pages.as_read(_panel(standing, attempt, learner), text)


def _panel(standing: Standing, attempt: Attempt, learner: Learner) -> Panel:
    game, turn = standing.game, Ply(standing.turn)

    def ref(verb: str, path: tuple[str, ...], number: int) -> Ref:
        return Ref(f"{TRY}{verb}", None, turn, (game, *path), number)

    task = attempt.step.before if attempt.step is not None else ""
    if attempt.tempting:
        task = f"{task}\n{TRAPS}"
    return Panel(
        seen(attempt, learner),
        f"{_heading(standing, attempt)}\n{task}\n",
        ref,
        (("Show me", _ref("showme", standing)), ("Skip", _ref(SKIP, standing))),
        partial(preview, attempt),
    )


def _heading(standing: Standing, attempt: Attempt) -> str:
    lesson, done, steps = attempt.lesson, len(attempt.answers), len(attempt.lesson.steps)
    number = 1 + [each.key for each in standing.lessons].index(lesson.key)
    part = f" ({done + 1} of {steps})" if steps > 1 else ""
    return f"**{GAMES[standing.game].info.name} · lesson {number} of {len(standing.lessons)}: {lesson.title}**{part}"


def _ref(verb: str, standing: Standing) -> Ref:
    return Ref(verb, None, Ply(standing.turn), (standing.game,))


async def answer(tried: Tried, learner: Learner) -> Message:
    """The answer to a try. A wrong one is explained, and can be repeated."""
    attempt = tried.before.attempt
    assert attempt is not None
    if tried.answer.right:
        message = await _done(tried.before, attempt, learner, tried.text, "**Right!** ")
        message.view = components.view(components.button(_ref("lesson", tried.before), "Next", _STYLE.success))
        return message
    shown = seen(attempt, learner)
    move = shown.move(tried.text)
    rule = tried.answer.rule
    items = [components.button(_ref("lesson", tried.before), "Try again", _STYLE.primary)]
    section = None if rule is None else sections.section_for_rule(rule)
    if section is not None:
        items.append(components.button(Ref("rules", None, None, section), "Rules"))
    items.append(components.button(_ref("showme", tried.before), "Show me"))
    items.append(components.button(_ref(SKIP, tried.before), "Skip"))
    lines = [_heading(tried.before, attempt), f"**Not this time.** {tried.answer.words}"]
    lines.append(f"-# You picked: {_picked(shown, move)}")
    example = None if tried.answer.legal else _example(section)
    if (place := _place(move)) is not None:
        picture = await _crossed_out(shown, move, place)
    elif example is not None:
        (picture,) = await pictures.illustrations((example,), learner.settings)
        lines.append(f"-# An example from the rules: {example.alt}")
    else:
        picture = await pictures.hand(shown) or await pictures.board(shown)
    return Message("\n".join(lines), [picture], components.view(*items))


async def shown(standing: Standing, attempt: Attempt, learner: Learner) -> Message:
    """**Show me**: what is right, and what it leads to; **Next** plays it."""
    assert attempt.step is not None
    text = attempt.shown
    picked = _picked(seen(attempt, learner), seen(attempt, learner).move(text))
    message = await _done(standing, attempt, learner, text, f"**Like this:** {picked}.\n")
    message.view = components.view(
        components.button(_ref("shown", standing), "Next", _STYLE.success),
        components.button(_ref("lesson", standing), "Let me try"),
    )
    return message


async def _done(standing: Standing, attempt: Attempt, learner: Learner, text: str, first: str) -> Message:
    """After a right answer: what it achieved, and what the others do next."""
    assert attempt.step is not None
    after = view(attempt, learner.person, PEOPLE, learner.settings, attempt.played(text))
    renderer, people, seat = pictures.renderer(after), names.people(after.match), attempt.lesson.seat
    followed = []
    for line, state in attempt.following(text):
        played = seen_of(seat, line, state)
        if played is not None:
            followed.append(renderer.say(played, state.observation(seat), people))
    then = " ".join(sentence for sentence in followed if sentence)
    lines = [_heading(standing, attempt), f"{first}{attempt.step.right}", *([f"Then: {then}"] if then else [])]
    return Message("\n".join(lines), [await pictures.board(after)])


def _picked(shown: LessonView, move: Move) -> str:
    """A move as the learner picked it, step by step."""
    picked = dict.fromkeys(as_asked(shown, move))
    return " → ".join(picked) or f"`{move.text}`"


def _place(move: Move) -> str | None:
    """The place of a move on the board, if it has one."""
    return next((choice.place for choice in reversed(move.choices) if choice.place is not None), None)


async def _crossed_out(shown: LessonView, move: Move, place: str) -> discord.File:
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


def end(standing: Standing, *, in_server: bool) -> Message:
    """The end of a course: offers a table with easy computers, the skipped lessons, and starting over."""
    info = GAMES[standing.game].info
    total, left = len(standing.lessons), len(standing.skipped)
    computers = "an easy computer" if info.min_players == 2 else "easy computers"
    items = []
    if left:
        done = f"You've been through the lessons and skipped {_lessons(left)} of {total}."
        items.append(components.button(_ref(GO_BACK, standing), "Do what I skipped", _STYLE.primary))
    else:
        praise = "You've been through all lessons." if standing.shown else "Well done, you've finished the course!"
        done = f"{praise} You know all you need to play {info.name}."
    if in_server:
        ready = f"**Play {computers}** opens a table in this channel, where everybody can watch."
        practise = Ref("practise", None, None, (standing.game,))
        items.append(components.button(practise, f"Play {computers}", _STYLE.success))
    else:
        ready = f"In a server, `/{info.key} new` opens a table, and **Add missing computers** gives you {computers}."
    items.append(components.button(_ref(START_OVER, standing), "Start over"))
    items.append(components.button(Ref("rules", None, None, (standing.game, "0")), "Rules"))
    return Message(f"**{info.name} · your lessons**\n{done}\n{ready}", view=components.view(*items))


def _lessons(number: int) -> str:
    return "1 lesson" if number == 1 else f"{number} lessons"


def courses(standings: Sequence[Standing]) -> Message:
    """All games that can be learned, as buttons, with the learner's progress."""
    lines = ["**Learn by playing.** A few positions of each game, just for you. A lesson takes less than a minute."]
    items = []
    for each in standings:
        info, total, done = GAMES[each.game].info, len(each.lessons), len(each.done)
        if each.attempt is None and not each.skipped:
            far = "finished"
        else:
            far = f"{done} of {_lessons(total)} done" if each.begun else _lessons(total)
        lines.append(f"• **{info.name}**: {far}. {info.summary}")
        items.append(components.button(Ref("lesson", None, None, (each.game,)), info.name, _STYLE.primary))
    return Message("\n".join(lines), view=components.view(*items))
