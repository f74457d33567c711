"""How far reviews can be trusted: which mistakes they tell, which of their verdicts stay, and what they cost.

Each of `PARTS` yields the figures of its rows. A figure has a floor, or a ceiling. It counts as missed only if the
whole 95 % interval is beyond it. The table is printed, and stands in ``docs/review.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import Final

from benchmarks.measure import Length
from benchmarks.page import Block, row, write
from benchmarks.review import believing, dealing, verdicts
from benchmarks.review.figures import HEAD, Figure
from games import GAMES
from matches.analysis.progress import VERSIONS

DOCUMENT: Final = Path(__file__).parents[2] / "docs" / "review.md"

PARTS: Final[Sequence[Callable[[Length, Collection[str]], Iterable[Figure]]]] = (
    verdicts.figures,
    dealing.figures,
    believing.figures,
)
"""What the rows are made of. Each gets the length of the run and the games."""


def run(length: Length, games: Collection[str] = GAMES) -> bool:
    """Measure, print the table, and write it into the document. Returns whether no figure is under its floor.

    A tiny run measures one match at the first table, and writes nothing.
    """
    found = list[Figure]()
    for part in PARTS:
        for figure in part(length, games):
            print(figure, flush=True)
            found.append(figure)
    block = table(found)
    print(f"\n{block}")
    if length is not Length.TINY:
        write("measured", [block], games, DOCUMENT)
    return all(figure.kept for figure in found)


def table(figures: Sequence[Figure]) -> Block:
    """The figures as a table, by game. Each row tells its day, and the game's version of judging.

    A run over some games keeps the rows of others, so no line above the table can tell that.
    """
    ordered = sorted(figures, key=lambda figure: list(GAMES).index(figure.table.game))
    above = f"The last column names the day and the version of judging. Experts do {verdicts.SKILL:.0%} of their work."
    rows = [row(*each.cells, f"{date.today()}, version {VERSIONS[each.table.game]}") for each in ordered]
    return Block((above,), HEAD, rows)
