"""What a learner reads: a lesson, the end of a course, and the list of courses.

The pages of a lesson's step are those of every exercise (`cogs/learn/exercise_pages.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from cogs.learn import exercise_pages
from cogs.learn.exercise_pages import Sheet
from cogs.press import components
from cogs.press.custom_ids import Ref
from cogs.press.reply import Message
from games import GAMES
from games.lessons import Attempt
from matches.api import ExerciseView, Person, PlayerSettings, Ply
from matches.lessons import Standing
from matches.records.exercise_view import view
from render.grammar import counted
from render.illustrate import PEOPLE

TRY: Final = "try"
"""Prefix of the verbs of a lesson's panel, which tries moves instead of playing them."""

SHOW, OPEN = "showme", "lesson"
"""Verbs of **Show me**, and of the page on which somebody is."""

SKIP, GO_BACK, START_OVER = "skip", "goback", "startover"
"""Verbs that change somebody's course."""


class Learner(NamedTuple):
    """A learner: how they appear at the made-up table, and their settings."""

    person: Person
    settings: PlayerSettings


def seen(attempt: Attempt, learner: Learner) -> ExerciseView:
    """What the learner sees in a lesson; the others at the table are those of the rules' illustrations."""
    return view(attempt, learner.person, PEOPLE, learner.settings)


def sheet(standing: Standing, attempt: Attempt, learner: Learner) -> Sheet:
    """The step of a lesson that the learner has before them."""
    game, turn = standing.game, Ply(standing.turn)

    def ref(verb: str, path: tuple[str, ...], number: int) -> Ref:
        known = {"show": SHOW, "open": OPEN}.get(verb, f"{TRY}{verb}")
        return Ref(known, None, turn, (game, *path), number)

    return Sheet(
        attempt,
        seen(attempt, learner),
        _heading(standing, attempt),
        attempt.step.before if attempt.step is not None else "",
        ref,
        (("Skip", _ref(SKIP, standing)),),
        after_right=(components.button(_ref(OPEN, standing), "Next", components.Style.success),),
        after_shown=(components.button(_ref("shown", standing), "Next", components.Style.success),),
    )


async def lesson(standing: Standing, learner: Learner, *, in_server: bool) -> Message:
    """The task and the panel; or the end of the course."""
    if standing.attempt is None:
        return end(standing, in_server=in_server)
    return await exercise_pages.page(sheet(standing, standing.attempt, learner), (), 0)


def _heading(standing: Standing, attempt: Attempt) -> str:
    lesson, done, steps = attempt.lesson, len(attempt.answers), len(attempt.lesson.steps)
    number = 1 + [each.key for each in standing.lessons].index(lesson.key)
    part = f" ({done + 1} of {steps})" if steps > 1 else ""
    return f"**{GAMES[standing.game].info.name} · lesson {number} of {len(standing.lessons)}: {lesson.title}**{part}"


def _ref(verb: str, standing: Standing) -> Ref:
    return Ref(verb, None, Ply(standing.turn), (standing.game,))


def end(standing: Standing, *, in_server: bool) -> Message:
    """The end of a course: offers a table with easy computers, the skipped lessons, and starting over."""
    info = GAMES[standing.game].info
    total, left = len(standing.lessons), len(standing.skipped)
    computers = "an easy computer" if info.min_players == 2 else "easy computers"
    items = []
    if left:
        done = f"You've been through the lessons and skipped {counted(left, 'lesson')} of {total}."
        items.append(components.button(_ref(GO_BACK, standing), "Do what I skipped", components.Style.primary))
    else:
        praise = "You've been through all lessons." if standing.shown else "Well done, you've finished the course!"
        done = f"{praise} You know all you need to play {info.name}."
    if in_server:
        ready = f"**Play {computers}** opens a table in this channel, where everybody can watch."
        practise = Ref("practise", None, None, (standing.game,))
        items.append(components.button(practise, f"Play {computers}", components.Style.success))
    else:
        ready = f"In a server, `/{info.key} new` opens a table, and **Add missing computers** gives you {computers}."
    items.append(components.button(_ref(START_OVER, standing), "Start over"))
    items.append(components.button(Ref("rules", None, None, (standing.game, "0")), "Rules"))
    return Message(f"**{info.name} · your lessons**\n{done}\n{ready}", view=components.view(*items))


def courses(standings: Sequence[Standing]) -> Message:
    """All games that can be learned, as buttons, with the learner's progress."""
    lines = ["**Learn by playing.** A few positions of each game, just for you. A lesson takes less than a minute."]
    items = []
    for each in standings:
        info, total, done = GAMES[each.game].info, len(each.lessons), len(each.done)
        if each.attempt is None and not each.skipped:
            far = "finished"
        else:
            far = f"{done} of {counted(total, 'lesson')} done" if each.begun else counted(total, "lesson")
        lines.append(f"• **{info.name}**: {far}. {info.summary}")
        items.append(components.button(Ref("lesson", None, None, (each.game,)), info.name, components.Style.primary))
    return Message("\n".join(lines), view=components.view(*items))
