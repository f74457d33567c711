"""``python -m benchmarks.review.who``: find puzzles of the kind *Who is it?* in rounds at mixed tables.

Experts play there with people who have rules of thumb, or none. What is found is kept in the folder from which
``python -m matches.puzzles publish`` takes it.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from benchmarks.players import Chooser
from benchmarks.review.mixed import KINDS, kinds_of
from games.core import State
from games.log import Line
from matches.puzzles.making import Decide, Pool, fill
from matches.puzzles.puzzle import Shelf

MIXTURES: Final[Sequence[Mapping[str, float]]] = ({"expert": 1}, {"expert": 3, "thumb": 2, "open": 1, "changing": 1})
"""Who sits at half of the tables, and who at the other half."""


def mixed(_: str, players: int, rng: Random) -> Sequence[Decide]:
    """Draw who sits at a table."""
    return [_reading(KINDS[kind](rng, 1.0)) for kind in kinds_of(rng.choice(MIXTURES), players, rng)]


def _reading(player: Chooser) -> Decide:
    """Return a player who is told a match by its lines."""

    def decide(state: State[Any], lines: Sequence[Line]) -> Any:
        log = [(line.player, state.string_to_action(line.player, line.text)) for line in lines]
        return player(state, state.current_player, log)

    return decide


def main() -> None:
    """Find puzzles, and print what was looked at, found and thrown away."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.review.who")
    parser.add_argument("--folder", type=Path, default=Path("puzzles"), help="where unpublished puzzles are kept")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--want", type=int, default=60)
    given = parser.parse_args()
    pool = Pool(given.folder, "saboteur", Shelf.JUDGED)
    for _ in fill(pool, given.seed, given.want, 20 * given.want, "who", mixed):
        pool.save()
    for reason, count in pool.counts.most_common():
        print(f"{count:8} {reason}")


if __name__ == "__main__":
    main()
