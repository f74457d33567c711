"""The bank: how matches end among computers of all levels, in every line-up, in each game of `STOCKS`.

``python -m benchmarks.ratings.bank`` plays what is missing of it and writes it into ``bank.json``, with what the levels
were then; where a level has changed since, the matches in which it sat are played anew. Each match has a seed of its
own, so the same levels make the same bank. A league draws its matches from here instead of playing them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from benchmarks.players import RANDOM, Table, chooser, positions
from benchmarks.sequential import workers
from matches.computers.levels import Level
from matches.computers.thinking import judgement_of

FILE: Final = Path(__file__).parent / "bank.json"

EFFORTS: Final[Mapping[str, float]] = {
    RANDOM: 1.0,
    Level.EASY: 0.4,
    Level.NORMAL: 0.03,
    Level.HARD: 0.03,
    Level.EXPERT: 0.03,
}
"""Which part of what they look at in a match the levels look at here."""


class Stock(NamedTuple):
    """A table, and how many matches are kept of each line-up there.

    Where very many could sit together it is `without` one level, taken to be halfway between those beside it.
    """

    table: Table
    matches: int
    without: str = ""

    @property
    def levels(self) -> tuple[str, ...]:
        """Who plays, the weakest first."""
        return (RANDOM, *(level for level in self.table.levels if level != self.without))

    @property
    def line_ups(self) -> list[tuple[str, ...]]:
        """Who may sit together, in the order of `levels`."""
        return list(combinations_with_replacement(self.levels, self.table.players))


STOCKS: Final = (
    Stock(Table("ambush", 2), 20),
    Stock(Table("gambo", 2), 20),
    Stock(Table("ambagibus", 2, "advanced"), 20),
    Stock(Table("saboteur", 5), 3),
    Stock(Table("abissal", 3), 8, Level.HARD),
)


class Task(NamedTuple):
    """One match of a line-up."""

    table: Table
    line_up: tuple[str, ...]
    number: int


Results = Mapping[tuple[str, ...], Sequence[tuple[int, ...]]]
"""By line-up the places, in the order of the line-up, of every match."""


def strength_of(game: str, level: str) -> dict[str, float]:
    """What a level is made of in this game, as the bank notes it; empty of who plays at random."""
    if level == RANDOM:
        return {}
    made_of = judgement_of(game).strengths[Level(level)]._asdict()
    return {"effort": EFFORTS[level], **{part: value for part, value in made_of.items() if value is not None}}


def played(task: Task) -> list[int]:
    """The places in which a match leaves its line-up; the seats are drawn."""
    rng = Random(f"{task}")
    seats = list(range(task.table.players))
    rng.shuffle(seats)
    choosers = [chooser(level, EFFORTS[level], rng) for level in task.line_up]
    *_, end = positions(task.table, task.number, lambda _, player: choosers[seats.index(player)])
    standing = end.standing()
    return [standing[seat] for seat in seats]


def load() -> dict[str, Results]:
    """The bank by game. Raises FileNotFoundError where there is none."""
    kept: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return {game: _results(found["results"]) for game, found in kept.items()}


def levels_kept(game: str) -> dict[str, dict[str, float]]:
    """What the levels were when the bank's matches were played."""
    found: dict[str, dict[str, float]] = json.loads(FILE.read_text(encoding="utf-8"))[game]["levels"]
    return found


def _results(found: Mapping[str, str]) -> Results:
    return {
        tuple(line_up.split()): [tuple(map(int, match)) for match in matches.split()]
        for line_up, matches in found.items()
    }


def main() -> None:
    """Play what is missing, and write the bank."""
    kept: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    with workers() as pool:
        for stock in STOCKS:
            game = stock.table.game
            levels = {level: strength_of(game, level) for level in stock.levels}
            old = kept.get(game, {"levels": {}, "results": {}})
            same = {level for level in levels if old["levels"].get(level) == levels[level]}
            # Those that still hold stay in the file while the others are played, or who stops would lose them.
            unchanged = {name: found for name, found in old["results"].items() if same.issuperset(name.split())}
            results: dict[str, str] = {}
            for line_up in stock.line_ups:
                found = unchanged.get(" ".join(line_up), "").split()
                missing = [Task(stock.table, line_up, number) for number in range(len(found), stock.matches)]
                found += ["".join(map(str, places)) for places in pool.map(played, missing)]
                results[" ".join(line_up)] = " ".join(found[: stock.matches])
                print(stock.table, *line_up, results[" ".join(line_up)], flush=True)
                every = {**unchanged, **results}
                ordered = {name: every[name] for name in map(" ".join, stock.line_ups) if name in every}
                kept[game] = {"table": list(stock.table), "levels": levels, "results": ordered}
                FILE.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
