"""What people read about puzzles: the day's post, what is shared, streaks, and what is said about reports."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import discord

from cogs.press import components
from cogs.press.custom_ids import Ref
from cogs.press.reply import Message
from cogs.text import names
from games import GAMES
from matches.api import Ply
from matches.puzzles import Streak, calendar
from matches.puzzles.calendar import NEAR, RIGHT, SHOWN, WRONG
from matches.puzzles.kinds import KINDS, question
from matches.puzzles.puzzle import Difficulty, Puzzle, Shelf, Step
from matches.puzzles.standing import DayResult, OwnStreak, PuzzleStanding, PuzzleWish
from render.grammar import counted, listed

DAY: Final = "puzday"
OPEN: Final = "puzopen"
NEXT: Final = "puznext"
EASY: Final = "puzeasy"
SHARE: Final = "puzshare"
STREAKS: Final = "puzstreaks"
WRONG_PUZZLE: Final = "puzwrong"
REPORT: Final = "puzreport"
REPORT_IT: Final = "Report this puzzle"

SOLVER: Final = "Solver"
"""The solver's name at the made-up table. It's the same for everybody, so each picture is drawn once."""

SIGNS: Final = {RIGHT: "🟩", NEAR: "🟨", WRONG: "🟧"}
GIVEN_UP: Final = "⬜"
STARS: Final = "★"
MOST_SIGNS: Final = 12
MOST_NAMED: Final = 4
"""How many people the post about a day that is over names at most."""

BY_KIND: Final = "="
"""In a button, after the key of a puzzle whose kind was asked for."""


JUDGED: Final = "-# Judged: after a long think, the computers found one move clearly best. There's no proof."
NOBODY: Final = "Nobody here has a streak right now. Solve the day's puzzle, and come back tomorrow: `/puzzle`."
NOT_YET: Final = "There's no puzzle of the day right now. `/puzzle game:` has others."
SHARED: Final = "I've posted it."
NO_GAME: Final = (
    "You don't know a game yet. `/learn` teaches you one, or finish a match of it. `/puzzle` alone shows the day's "
    "puzzle."
)

ASK: Final = """**What's wrong with this puzzle?** Report it if you've found another answer that's just as good, or \
if the one I call right isn't.
-# I'll check it again if it's a proven one. Enough reports withdraw a judged one. Whoever runs this bot hears of it."""


def stars(difficulty: Difficulty) -> str:
    """How hard a puzzle is."""
    return STARS * difficulty


def title(puzzle: Puzzle, number: int | None) -> str:
    """The name of a puzzle: that of its day, if it has one."""
    name = GAMES[puzzle.game].info.name
    return f"Puzzle · {name}" if number is None else f"Ambit {number} · {name}"


def heading(standing: PuzzleStanding) -> str:
    """The first line of a puzzle's pages. It names the kind as ``/puzzle kind:`` does, and says if its day is over."""
    puzzle, number = standing.puzzle, standing.number
    first = f"**{title(puzzle, number)}** {stars(standing.difficulty)} · {KINDS[puzzle.kind].title}"
    if number is None or standing.is_open:
        return first
    day = discord.utils.format_dt(calendar.opens_at(number), "D")
    return f"{first}\n-# This is an old one, from {day}. It doesn't count for your streak any more."


def task(standing: PuzzleStanding) -> str:
    """What a puzzle asks."""
    puzzle, attempt = standing.puzzle, standing.attempt
    lines = [question(puzzle, attempt.state, len(attempt.answers))]
    if standing.puzzle.shelf is Shelf.JUDGED and isinstance(standing.puzzle.first, Step):
        lines.append(JUDGED)
    if standing.withdrawn:
        lines.append("-# This puzzle was withdrawn, so it doesn't count.")
    return "\n".join(lines)


def solved(standing: PuzzleStanding, streak: OwnStreak | None) -> str:
    """What is added to the last right answer: how many tries it took, and the person's streak after the day's."""
    if standing.row.shown:
        how = "-# You were shown an answer, so it doesn't count as solved."
    else:
        how = "Solved, first try!" if standing.tries == 1 else f"Solved, in {standing.tries} tries."
    if streak is None or standing.row.shown:
        return how
    longest = " Your longest so far!" if streak.run == streak.best > 1 else ""
    return f"{how} Your streak: **{counted(streak.run, 'puzzle')}**.{longest}"


def over(standing: PuzzleStanding) -> str:
    """What people read when they open a puzzle that they have finished."""
    if standing.row.shown:
        return "You've been shown the answer."
    return f"You've solved it, in {counted(standing.tries, 'try', 'tries')}."


def none_left(wish: PuzzleWish) -> str:
    """What somebody reads who has finished all that they wish for."""
    if wish.kind is None:
        return "You've finished every puzzle there. Well done! Try another game or shelf: `/puzzle`."
    kind = KINDS[wish.kind]
    name = GAMES[kind.game].info.name
    return f"You've finished every {name} puzzle of the kind “{kind.title}”. Well done! Try another kind: `/puzzle`."


def named(standing: PuzzleStanding) -> str:
    """How a button names somebody's puzzle."""
    return f"{standing.puzzle.key}{BY_KIND * standing.by_kind}"


def to(verb: str, standing: PuzzleStanding) -> Ref:
    """The `Ref` of a button about somebody's puzzle."""
    return Ref(verb, None, Ply(standing.row.turn), (named(standing),))


def after_solving(standing: PuzzleStanding, *, in_server: bool) -> tuple[components.Item, ...]:
    """The buttons under a puzzle that is finished."""
    number = standing.number
    items = [components.button(to(NEXT, standing), "Another puzzle", components.Style.primary)]
    if number is not None:
        items.insert(0, components.button(to(SHARE, standing), "Share", components.Style.success))
        if in_server:
            items.append(components.button(Ref(STREAKS), "Streaks"))
    return (*items, components.button(to(WRONG_PUZZLE, standing), REPORT_IT))


def shared(standing: PuzzleStanding) -> str:
    """One line about how somebody did with the day's puzzle, which gives nothing away."""
    row, tries = standing.row, standing.tries
    # Answers after **Show me** don't count as theirs.
    by_themselves, _, _ = row.marks.partition(SHOWN)
    signs = "".join(SIGNS[mark] for mark in by_themselves if mark in SIGNS)
    if len(signs) > MOST_SIGNS:
        signs = f"{signs[: MOST_SIGNS - 2]}…{signs[-1]}"
    how = "shown" if row.shown else counted(tries, "try", "tries")
    named = f"{title(standing.puzzle, standing.number)} · {stars(standing.difficulty)}"
    return f"{named} {how} · {signs}{GIVEN_UP * row.shown}"


def streaks(found: Sequence[Streak], own: OwnStreak) -> str:
    """The board of a server's streaks, and the reader's own."""
    rows = [
        f"{place}. **{names.in_message(each.name)}**: {counted(each.run, 'puzzle')}"
        for place, each in enumerate(found, 1)
    ]
    lines = ["**Streaks here**", *rows] if rows else [NOBODY]
    if own.best:
        now = f"{counted(own.run, 'puzzle')} now" if own.run else "none right now"
        lines.append(f"You: {now}, {own.best} at best.")
    lines.append("-# A streak counts the days' puzzles in a row. You can miss one, and each stays open for 48 hours.")
    return "\n".join(lines)


def day_post(number: int, puzzle: Puzzle) -> Message:
    """The post that tells a server the day's puzzle."""
    until = discord.utils.format_dt(calendar.closes_at(number), "f")
    text = f"**{title(puzzle, number)}** {stars(puzzle.difficulty)}\n{question(puzzle)}\n-# Open until {until}."
    return Message(text, view=_day_buttons(number, "Solve it", components.Style.primary))


def day_over(result: DayResult) -> Message:
    """What that post becomes when its time is over."""
    here, everywhere = result.here, result.everywhere
    if here.tried:
        first = f"{here.solved} of {here.tried} solved it here"
        if result.names:
            first += f", {_named(result.names)} in {_tries(result.tries)}"
    else:
        first = "Nobody tried it here"
    lines = [f"**{title(result.puzzle, result.number)}** {stars(result.puzzle.difficulty)} is over", f"{first}."]
    if everywhere.tried > here.tried:
        lines.append(f"-# Everywhere: {everywhere.solved} of {everywhere.tried}.")
    view = _day_buttons(result.number, "Try it", components.Style.secondary)
    return Message("\n".join(lines), view=view, keeps_pictures=True)


def _day_buttons(number: int, label: str, style: components.Style) -> discord.ui.View:
    return components.view(
        components.button(Ref(DAY, path=(str(number),)), label, style), components.button(Ref(STREAKS), "Streaks")
    )


def _named(people: Sequence[str]) -> str:
    shown = people if len(people) <= MOST_NAMED else people[: MOST_NAMED - 1]
    more = len(people) - len(shown)
    return listed([*(names.in_message(each) for each in shown), *([counted(more, "other")] if more else [])])


def _tries(tries: int) -> str:
    return "one try" if tries == 1 else counted(tries, "try", "tries")
