"""The bank: results of matches among computers of all levels, in every line-up, in each game of `STOCKS`.

``python -m benchmarks.ratings.bank`` plays the missing matches and writes them into ``bank.json``, with the settings of
the levels. If a level has changed since, its matches are played anew. Each match has its own seed, so the same levels
make the same bank. Leagues draw their matches from the bank instead of playing them.
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
"""The part of its iterations that a level has in the bank."""


class Stock(NamedTuple):
    """A table, and the number of matches of each line-up there.

    If there are too many line-ups, the bank is `without` one level, whose strength is halfway between its neighbours.
    """

    table: Table
    matches: int
    without: str = ""

    @property
    def levels(self) -> tuple[str, ...]:
        """The levels that play, the weakest first."""
        return (RANDOM, *(level for level in self.table.levels if level != self.without))

    @property
    def line_ups(self) -> list[tuple[str, ...]]:
        """Every combination of levels at the table, in the order of `levels`."""
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
"""By line-up: the places of every match, in the order of the line-up."""


def strength_of(game: str, level: str) -> dict[str, float]:
    """The settings of a level in this game, as the bank stores them; empty for random play."""
    if level == RANDOM:
        return {}
    kind = judgement_of(game)
    made_of = {**kind.strengths[Level(level)]._asdict(), "edition": kind.edition or None}
    return {"effort": EFFORTS[level], **{part: value for part, value in made_of.items() if value is not None}}


def played(task: Task) -> list[int]:
    """Play a match with drawn seats. Returns the places in the order of the line-up."""
    rng = Random(f"{task}")
    seats = list(range(task.table.players))
    rng.shuffle(seats)
    choosers = [chooser(level, EFFORTS[level], rng) for level in task.line_up]
    *_, end = positions(task.table, task.number, lambda _, player: choosers[seats.index(player)])
    standing = end.standing()
    return [standing[seat] for seat in seats]


def load() -> dict[str, Results]:
    """The bank by game. Raises FileNotFoundError if there is none."""
    kept: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return {game: _results(found["results"]) for game, found in kept.items()}


def levels_kept(game: str) -> dict[str, dict[str, float]]:
    """The settings of the levels when the bank's matches were played."""
    found: dict[str, dict[str, float]] = json.loads(FILE.read_text(encoding="utf-8"))[game]["levels"]
    return found


def _results(found: Mapping[str, str]) -> Results:
    return {
        tuple(line_up.split()): [tuple(map(int, match)) for match in matches.split()]
        for line_up, matches in found.items()
    }


def main() -> None:
    """Play the missing matches, and write the bank."""
    kept: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    with workers() as pool:
        for stock in STOCKS:
            game = stock.table.game
            levels = {level: strength_of(game, level) for level in stock.levels}
            old = kept.get(game, {"levels": {}, "results": {}})
            same = {level for level in levels if old["levels"].get(level) == levels[level]}
            # Valid matches stay in the file while the others are played, so that stopping the program loses none.
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
