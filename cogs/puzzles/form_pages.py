"""The pages of a puzzle whose answer isn't an action: a menu for each part of the answer, and what is right.

All of it is made from what the solver's seat has seen. What has been picked so far is in the buttons.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log
from typing import Final

import discord

from cogs.learn.exercise_pages import Sheet, picked
from cogs.post import pictures
from cogs.press import components
from cogs.press.reply import Message
from cogs.puzzles import puzzle_pages
from cogs.text import names
from games.log import Course, parse_log
from games.saboteur.components import DIGGER, ROLE_NAMES, SABOTEUR
from matches.api import NotAllowed
from matches.puzzles.attempt import Attempt, fields
from matches.puzzles.puzzle import KNOWN, NOWHERE, RULED_OUT, TOO_FAR, Moved, Odds, Places
from matches.puzzles.standing import OwnStreak, PuzzleStanding
from matches.records.seen import seen_of
from render import RENDERERS
from render.grammar import listed

SET: Final = "puzset"
GIVE: Final = "puzgive"

OPEN: Final = ""
"""In a path: nothing has been picked for this part."""

PLACES: Final = ("top", "middle", "bottom")
BELIEVED: Final = "-# The odds count with computers, careful people and careless ones. Somebody else can surprise you."
SURE: Final = "By what you've seen, nobody can be surer: even these odds are some {} points off the truth."
ODDS: Final = "-# Pick odds for each of them, then **Answer**. Nobody can be sure, so no answer is right or wrong."

CLOSE: Final = ((7, "Spot on!"), (15, "Very close!"), (25, "Not bad!"))
"""What is said of odds that are at most so many points off."""

TIMES: Final = (1.5, 2, 3, 4, 5, 7, 10, 15, KNOWN)
"""How many times as often one side does something, as it's told. The samples of hands allow no finer steps."""


Given = tuple[str, ...]
"""The values that have been picked, in the order of `fields`; `OPEN` where there's none."""


def given_in(attempt: Attempt, path: Sequence[str]) -> Given:
    """Return the values in a path. Raises NotAllowed for what none of our buttons carries."""
    parts = fields(attempt.puzzle.first)
    fits = len(path) == len(parts) and all(
        value == OPEN or value in offered for value, offered in zip(path, parts, strict=True)
    )
    if not parts or not fits:
        raise NotAllowed("That answer isn't possible here.")
    return tuple(path)


async def page(sheet: Sheet, standing: PuzzleStanding, given: Given = ()) -> Message:
    """The question, and a menu for each part of the answer."""
    attempt = standing.attempt
    parts = fields(attempt.puzzle.first)
    given = given or (OPEN,) * len(parts)
    items = [
        components.menu(
            sheet.ref("set", (str(number), *given), 0),
            {value: _label(sheet, attempt, number, value) for value in offered},
            _placeholder(sheet, attempt, number),
            given[number : number + 1],
        )
        for number, offered in enumerate(parts)
    ]
    items += [
        components.button(sheet.ref("give", given, 0), "Answer", components.Style.success, disabled=OPEN in given),
        components.button(sheet.to("show"), "Show me"),
        *(components.button(ref, label) for label, ref in sheet.beside),
    ]
    lines = [sheet.heading, sheet.task]
    hand = None
    if isinstance(attempt.puzzle.first, Odds):
        lines += ["**So far in this round:**", *(told for _, told in _happened(sheet, attempt)), ODDS]
    else:
        hand = await pictures.hand(sheet.view)
    board = await pictures.board(sheet.view)
    return Message("\n".join(lines), [board] if hand is None else [board, hand], components.view(*items))


async def answered(sheet: Sheet, standing: PuzzleStanding, streak: OwnStreak | None = None) -> Message:
    """The page after the answer that finished the puzzle: what is right, and how good the answer is."""
    (text,) = standing.attempt.answers
    match standing.puzzle.first:
        case Odds() as asked:
            guess = [int(each) for each in text.split(",")]
            lines = [*_score(asked, guess), *_odds(sheet, standing.attempt, asked, guess)]
            if standing.row.shown:
                lines.append("-# You were shown these odds before, so it doesn't count.")
        case _:
            answer = f"**Right!** {_in_words(text)}"
            lines = [answer, *_reasons(sheet, standing.attempt), puzzle_pages.solved(standing, streak)]
    return await _told(sheet, lines, components.view(*sheet.after_right))


async def refused(sheet: Sheet, text: str, words: str) -> Message:
    """The page after a wrong answer, with a button to try again."""
    items = [
        components.button(sheet.to("open"), "Try again", components.Style.primary),
        components.button(sheet.to("show"), "Show me"),
        *(components.button(ref, label) for label, ref in sheet.beside),
    ]
    lines = [f"**Not this time.** {words}", f"-# You picked: {_in_words(text)}"]
    return await _told(sheet, lines, components.view(*items))


async def shown(sheet: Sheet, standing: PuzzleStanding) -> Message:
    """**Show me**: what is right."""
    again = components.button(sheet.to("open"), "Let me try")
    match standing.puzzle.first:
        case Odds() as asked:
            lines = ["**How likely each of them is a saboteur:**", *_odds(sheet, standing.attempt, asked, None)]
        case asked:
            assert isinstance(asked, Places)
            lines = [f"**Like this:** {_in_words(asked.text)}", *_reasons(sheet, standing.attempt)]
    return await _told(sheet, lines, components.view(*sheet.after_shown, again))


async def _told(sheet: Sheet, lines: Sequence[str], view: discord.ui.View) -> Message:
    return Message("\n".join((sheet.heading, *lines)), [await pictures.board(sheet.view)], view)


def _label(sheet: Sheet, attempt: Attempt, number: int, value: str) -> str:
    if isinstance(attempt.puzzle.first, Odds):
        return f"{names.people(sheet.view.match)[attempt.others[number]]}: {value}%"
    return _in_words(value)


def _placeholder(sheet: Sheet, attempt: Attempt, number: int) -> str:
    if isinstance(attempt.puzzle.first, Odds):
        return f"How likely is {names.people(sheet.view.match)[attempt.others[number]]} a saboteur?"
    return "Which finish cards?"


# Places.


def _in_words(text: str) -> str:
    """Put into words an answer that is a list of places."""
    if text == NOWHERE:
        return "None of them"
    places = [PLACES[int(each)] for each in text.split(",")]
    return "All three" if len(places) == len(PLACES) else f"The {listed(places)}{' one' * (len(places) == 1)}"


def _reasons(sheet: Sheet, attempt: Attempt) -> Iterator[str]:
    asked = attempt.puzzle.first
    assert isinstance(asked, Places)
    for place, why in zip(PLACES, asked.reasons, strict=True):
        if why == RULED_OUT:
            told = "you know that it isn't there."
        elif why == TOO_FAR:
            told = "it can be there, but none of your cards gets you there this turn."
        else:
            told = f"it can be there, and this card turns it up: {picked(sheet.view, sheet.view.move(why))}."
        yield f"{place.capitalize()}: {told}"


# Odds.


def _score(asked: Odds, guess: Sequence[int]) -> Iterator[str]:
    """How good some odds are, in words."""
    off, base = asked.off(guess), asked.off([asked.base / 10] * len(guess))
    how = next((words for most, words in CLOSE if off <= most), "That's some way off.")
    yield (
        f"**{how}** You're {round(off)} points off, on average. Whoever gives everybody the {round(asked.base / 10)}% "
        f"that they had before the first turn is {round(base)} off."
    )


def _odds(sheet: Sheet, attempt: Attempt, asked: Odds, guess: Sequence[int] | None) -> Iterator[str]:
    people = names.people(sheet.view.match)
    for number, (seat, chance) in enumerate(zip(attempt.others, asked.chances, strict=True)):
        said = "" if guess is None else f" (you said {guess[number]}%)"
        yield f"{people[seat]}: **{_percent(chance)}**{said}"
    moved = {each.ply: each for each in asked.moved}
    yield SURE.format(round(asked.unsure))
    yield "**What moved them most:**"
    for ply, told in _happened(sheet, attempt):
        if ply in moved:
            before, after = _percent(moved[ply].before), _percent(moved[ply].after)
            yield f"{told} {before} → {after}: {_why(moved[ply])}"
    yield BELIEVED


def _why(moved: Moved) -> str:
    """Why a turn changed the odds: who of both sides does that more often, and about how many times."""
    sides = [f"a {ROLE_NAMES[role]}" for role in (SABOTEUR, DIGGER)]
    likelier, other = sides if moved.ratio > 1 else sides[::-1]
    times = max(moved.ratio, 1 / moved.ratio)
    if times > KNOWN:
        how = f"over {KNOWN}"
    else:
        how = f"about {min(TIMES, key=lambda each: abs(log(each / times))):g}"
    return f"{likelier} does that {how} times as often as {other}."


def _percent(chance: int) -> str:
    """Put a chance in thousandths into words. Nobody can be sure, so it never says 0 or 100 %."""
    return "under 1%" if chance < 10 else "over 99%" if chance > 990 else f"{round(chance / 10)}%"


def _happened(sheet: Sheet, attempt: Attempt) -> Iterator[tuple[int, str]]:
    """Yield each turn before the question: the number of its line, and a sentence, as the solver saw it."""
    puzzle, people = attempt.puzzle, names.people_to(sheet.view.match, attempt.seat)
    course, number = Course.begin(puzzle.header), 0
    for line in parse_log(puzzle.log)[1]:
        course = course.after(line, trusted=True)
        seen = seen_of(attempt.seat, line, course.state)
        if line.player < 0 or seen is None:
            continue
        number += 1
        told = RENDERERS[puzzle.game].say(seen, course.state.observation(attempt.seat), people)
        yield line.ply, f"{number} · {told}"
