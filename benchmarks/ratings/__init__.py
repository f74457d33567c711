"""How well each rating system finds out who is better, and how much CPU ratings take.

Leagues draw their results from a bank of matches among computers (`benchmarks.ratings.bank`), so everybody's true
strength is known (`benchmarks.ratings.leagues`). The tables are printed, and stand in ``docs/ratings.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from math import log
from pathlib import Path
from statistics import mean
from typing import Any, Final

from openskill.models import BradleyTerryFull, PlackettLuce, ThurstoneMostellerFull

from benchmarks.measure import UNDER, Length
from benchmarks.page import Block, row, write
from benchmarks.ratings import speed
from benchmarks.ratings.bank import STOCKS, Stock, levels_kept, load, strength_of
from benchmarks.ratings.leagues import (
    CLEAR,
    LIKELIEST,
    PLAYERS,
    SPANS,
    Elo,
    Likeliest,
    Rater,
    Score,
    Weng,
    before,
    fitted,
    scored,
)
from matches.computers.levels import Level
from matches.ratings.model import BETA, COMPUTERS, MU, SIGMA, TAU

DOCUMENT: Final = Path(__file__).parent.parent.parent / "docs" / "ratings.md"

OURS: Final = "PlackettLuce"
ELO: Final = "Elo"

_CONSTANTS: Final[Mapping[str, Any]] = {"mu": MU, "sigma": SIGMA, "beta": BETA, "tau": TAU}
RATERS: Final[Mapping[str, Callable[[], Rater]]] = {
    OURS: partial(Weng, PlackettLuce(**_CONSTANTS)),
    "ThurstoneMostellerFull": partial(Weng, ThurstoneMostellerFull(**_CONSTANTS)),
    "BradleyTerryFull": partial(Weng, BradleyTerryFull(**_CONSTANTS)),
    ELO: partial(Elo, 32),
    LIKELIEST: Likeliest,
}
"""The rating systems. The models have the constants of `matches.ratings.model`."""

RIGHT: Final = 0.93
"""Least share of the clear pairs that are in the right order in the end."""

BEHIND: Final = 0.03
"""Most that this share may be below that of the likeliest strengths, which know all results at once."""

WORSE: Final = 0.005
"""Most that the log-loss may be above Elo's."""

APART: Final = 0.10
"""If the expected score between two levels differs from a half by this much, the log-loss must beat a coin's."""


def run(length: Length) -> bool:
    """Print the tables, and write them into the document after a full run. Returns whether all floors are kept."""
    bank, kept, leagues = load(), True, length.of(200, 10, 1)
    rows = []
    for stock in STOCKS:
        game = stock.table.game
        _warn_of_other_levels(stock)
        scores = scored(bank[game], RATERS, leagues)
        apart = max(abs(share - 0.5) for share in before(bank[game]).values()) >= APART
        missed = _missed(scores, apart)
        kept &= not missed
        rows += [_row(stock, name, score, missed if name == OURS else []) for name, score in scores.items()]
    spans = " | ".join(f"after {span}" for span in SPANS)
    clear = " | ".join(f"clear, after {span}" for span in SPANS)
    blocks = [
        Block(
            [
                f"Pairs ordered rightly in {leagues} leagues of {PLAYERS} after so many matches a head, "
                f"all of them and the clear ones (a true expected score of {CLEAR:.2f} or more), and the log-loss of "
                "who is before whom in the next match.",
            ],
            f"| game | rated by | {spans} | {clear} | log-loss | |",
            rows,
        ),
        Block(
            ["How good the computers are, on the scale of the ratings: the strengths that make the bank likeliest."],
            f"| game | {' | '.join(Level)} |",
            [_levels(stock) for stock in STOCKS],
        ),
    ]
    for block in blocks:
        print(block, end="\n\n")
    fast, timed = speed.block(length)
    print(timed)
    if length is Length.WHOLE:
        write("results", [*blocks, timed], document=DOCUMENT)
    return kept and fast


def _missed(scores: Mapping[str, Score], apart: bool) -> list[str]:
    """The floors that our rating system misses in a game."""
    ours, elo, best = scores[OURS], scores[ELO], scores[LIKELIEST]
    missed = []
    if ours.clear and ours.clear[SPANS[-1]] < RIGHT:
        missed.append("clear pairs")
    if any(ours.clear[span] < best.clear[span] - BEHIND for span in ours.clear):
        missed.append("behind the likeliest")
    if ours.loss > elo.loss + WORSE:
        missed.append("log-loss above Elo's")
    if apart and ours.loss >= log(2):
        missed.append("log-loss above a coin's")
    return missed


def _row(stock: Stock, name: str, score: Score, missed: Sequence[str]) -> str:
    right = [f"{score.right[span]:.3f}" for span in SPANS]
    clear = [f"{score.clear[span]:.3f}" if span in score.clear else "none" for span in SPANS]
    loss = "" if name == LIKELIEST else f"{score.loss:.3f}"
    verdict = f"{UNDER}: {', '.join(missed)}" if missed else ""
    return row(stock.table, name, *right, *clear, loss, verdict)


def measured(stock: Stock) -> dict[str, float]:
    """The strength of each level at a table on the scale of the ratings, with a mean of 1500.

    A level that isn't in the bank is halfway between its neighbours. The levels think little in the bank, so one may
    come out below the level before it. Then both get their mean.
    """
    found = fitted(load()[stock.table.game])
    levels = [level for level in stock.table.levels if level in found]
    middle = mean(found[level] for level in levels)
    rising = _rising([MU + found[level] - middle for level in levels])
    numbers = {str(level): round(number, -1) for level, number in zip(levels, rising, strict=True)}
    for low, level, high in zip(stock.table.levels, stock.table.levels[1:], stock.table.levels[2:], strict=False):
        if level not in numbers:
            numbers[level] = (numbers[low] + numbers[high]) / 2
    return numbers


def _rising(values: Sequence[float]) -> list[float]:
    """Isotonic regression: the nearest values that don't fall. Neighbours that fall are replaced by their mean."""
    pools: list[list[float]] = []
    for value in values:
        pools.append([value])
        while len(pools) > 1 and mean(pools[-2]) > mean(pools[-1]):
            pools[-2:] = [pools[-2] + pools[-1]]
    return [mean(pool) for pool in pools for _ in pool]


def _levels(stock: Stock) -> str:
    found, used = measured(stock), COMPUTERS[stock.table.game]
    cells = [f"{found[level]:.0f}" if level in found else "" for level in Level]
    notes = " (not what is used)" if {level: used[level] for level in found} != found else ""
    return row(f"{stock.table}{notes}", *cells)


def _warn_of_other_levels(stock: Stock) -> None:
    game = stock.table.game
    kept = levels_kept(game)
    other = [level for level in stock.levels if kept.get(level) != strength_of(game, level)]
    if other:
        print(f"{stock.table}: {', '.join(other)} played the bank with other strengths than today.")
