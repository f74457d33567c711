"""Puts found puzzles into the repository's data files: the shelves of every game, and the days.

A day's puzzle is proven. A hash that is published a year ahead seals it, so a line that stands in the days' file is
never changed or moved: new ones are added at its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Final

from matches.puzzles import calendar, shelves
from matches.puzzles.grading import difficulty
from matches.puzzles.making import Pool
from matches.puzzles.puzzle import Puzzle, Shelf
from matches.puzzles.variety import varied

DATA: Final = Path(__file__).with_name("data")


def publish(pools: Sequence[Pool], shelf: int, seed: int) -> str:
    """Write the files from found puzzles: `shelf` proven ones of each game for its shelf, and the rest for days.

    All judged ones are for the shelf. What is published keeps its place, unless too many puzzles of its shelf have the
    same kind of answer (`variety`). Returns what was done, for the tool's report.
    """
    days = {each.key for each in shelves.days() if each is not None}
    new: list[list[Puzzle]] = []
    told = []
    on_shelves: dict[str, list[Puzzle]] = {}
    for pool in pools:
        there = shelves.shelf(pool.game, pool.shelf)
        known = {each.key for each in there} | days
        fresh = [_graded(*kept) for key, kept in pool.kept.items() if key not in known]
        Random(f"{pool.title} {seed}").shuffle(fresh)
        kinds = dict.fromkeys(each.kind for each in (*there, *fresh))
        rows = [[each for each in (*there, *fresh) if each.kind == kind] for kind in kinds]
        on_shelf, for_days = list[Puzzle](), list[Puzzle]()
        # Each kind has the same share of the shelf, but for those that have too few.
        for number, row in enumerate(sorted(rows, key=lambda row: len(varied(row, len(row))))):
            share = (shelf - len(on_shelf)) // (len(rows) - number) if pool.shelf is Shelf.PROVEN else len(row)
            taken = varied(row, share)
            on_shelf += taken
            left = [each for each in row if each not in taken and each not in there]
            for_days += varied(left, len(left)) if pool.shelf is Shelf.PROVEN else []
        on_shelves.setdefault(pool.game, []).extend(on_shelf)
        Random(f"days {pool.game} {seed}").shuffle(for_days)
        new.append(for_days)
        stars = [sum(each.difficulty == level for each in [*on_shelf, *for_days]) for level in (1, 2, 3)]
        told.append(f"{pool.title}: {len(on_shelf)} on the shelf, {len(for_days)} for days, by stars {stars}")
    for game, each in on_shelves.items():
        each.sort(key=lambda puzzle: (list(Shelf).index(puzzle.shelf), puzzle.kind, puzzle.difficulty, puzzle.key))
        _write(game, map(shelves.written, each))
    since = [*shelves.lines(shelves.DAYS), *map(shelves.written, _spread(new, Random(f"days {seed}")))]
    _write(shelves.DAYS, since)
    last = shelves.SINCE + len(since) - 1
    return "\n".join((*told, f"| {shelves.SINCE} to {last} | `{calendar.seal(since)}` |"))


def _graded(puzzle: Puzzle, share: float, rank: int) -> Puzzle:
    return replace(puzzle, difficulty=difficulty(puzzle, share, rank))


def _spread(games: Sequence[Sequence[Puzzle]], rng: Random) -> list[Puzzle]:
    """Return the puzzles of all games, those of each game spread evenly over the whole.

    If all games have equally many, that is one of each game in random order, then one of each again.
    """
    most = max(map(len, games), default=0)
    placed = [((number + rng.random()) * most / len(row), puzzle) for row in games for number, puzzle in enumerate(row)]
    return [puzzle for _, puzzle in sorted(placed, key=lambda each: each[0])]


def _write(name: str, lines: Iterable[str]) -> None:
    DATA.mkdir(exist_ok=True)
    (DATA / f"{name}.jsonl").write_text("".join(f"{line}\n" for line in lines), "ascii")
