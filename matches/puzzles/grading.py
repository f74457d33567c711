"""How hard a puzzle is: by its length, by the share of actions that are right, and by which computers find it.

Once enough people have tried it, it's by their tries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log2
from random import Random
from statistics import median_low
from typing import Final

from games.exercise import followed
from games.log import Line, parse_log
from matches.computers.known import known
from matches.computers.levels import Level
from matches.computers.thinking import Question, answer, levels_of
from matches.puzzles.attempt import Attempt
from matches.puzzles.calendar import SHOWN, WRONG
from matches.puzzles.puzzle import Difficulty, Puzzle, Shelf, Step, length

TRIES: Final = 20
ENOUGH: Final = 15
"""A level finds a puzzle if it solves it in this many of `TRIES`."""

EFFORTS: Final = (1.0, 0.25)
"""The share of its work that each of the weakest levels does when it tries a puzzle."""

CUTS: Final[Mapping[tuple[str, Shelf], tuple[float, float]]] = {
    ("ambagibus", Shelf.PROVEN): (3.0, 3.5),
    ("ambush", Shelf.PROVEN): (3.1, 5.1),
    ("saboteur", Shelf.PROVEN): (2.8, 5.4),
    ("abissal", Shelf.PROVEN): (4.1, 5.5),
    ("gambo", Shelf.PROVEN): (5.1, 6.2),
    ("ambagibus", Shelf.JUDGED): (2.0, 3.0),
    ("abissal", Shelf.JUDGED): (2.0, 2.55),
    ("saboteur", Shelf.JUDGED): (0.21, 0.29),
}
"""By game and shelf, the least scores for two and three stars: about a third of the first puzzles had each number."""

PEOPLE: Final = 30
"""Once so many people have tried a puzzle, their tries say how hard it is."""


def by_tries(marks: Sequence[str]) -> Difficulty | None:
    """Return how hard a puzzle is by the marks of people who have tried it; ``None`` if they are too few.

    It's the number of tries in which half of them have found it. Who was shown an answer hasn't.
    """
    tries = (Difficulty.HARD if SHOWN in each else 1 + each.count(WRONG) for each in marks)
    return Difficulty(min(median_low(tries), Difficulty.HARD)) if len(marks) >= PEOPLE else None


def rank(puzzle: Puzzle) -> int:
    """Return how many of the weakest levels don't find a puzzle: 0 if the weakest does."""
    if not isinstance(puzzle.first, Step):
        return 0  # The levels choose actions.
    levels = levels_of(puzzle.game, puzzle.header.options, puzzle.header.players)
    tried = zip(levels, EFFORTS, strict=False)
    return next((number for number, (level, effort) in enumerate(tried) if finds(puzzle, level, effort)), len(EFFORTS))


def finds(puzzle: Puzzle, level: Level, effort: float) -> bool:
    """Return whether a level solves a puzzle in `ENOUGH` of `TRIES`. This stops as soon as that is certain."""
    solved = 0
    for number in range(TRIES):
        solved += _solves(puzzle, level, effort, Random(f"{puzzle.key} {level} {number}"))
        if solved >= ENOUGH or number + 1 - solved > TRIES - ENOUGH:
            break
    return solved >= ENOUGH


def _solves(puzzle: Puzzle, level: Level, effort: float, rng: Random) -> bool:
    attempt, lines = Attempt.begin(puzzle), list(parse_log(puzzle.log)[1])
    while not attempt.solved:
        knows = known(attempt.state, lines)
        text = answer(Question(knows.position, knows.lines, level, rng.randrange(1 << 30), effort))
        if not attempt.answer(text).right:
            return False
        then = [line for line, _ in followed(attempt, text, attempt.answer(text).then)]
        told = [(puzzle.seat, text), *((line.player, line.text) for line in then)]
        lines += [Line(number, player, said) for number, (player, said) in enumerate(told, len(lines))]
        attempt = attempt.after(text)
    return True


def score(length: int, share: float, rank: int) -> float:
    """Return how hard a puzzle is, as a number.

    Each of the solver's actions after the first counts 1. Each level that doesn't find it counts 1, too. Each halving
    of the `share` of actions that are right at first counts a half.
    """
    return round(length - 1 + rank - log2(share) / 2, 2)


def difficulty(puzzle: Puzzle, share: float, rank: int) -> Difficulty:
    """Return how hard a puzzle is for its shelf, by its `score`."""
    points, (medium, hard) = score(length(puzzle.first), share, rank), CUTS[puzzle.game, puzzle.shelf]
    return Difficulty.HARD if points >= hard else Difficulty.MEDIUM if points >= medium else Difficulty.EASY
