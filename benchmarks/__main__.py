"""``python -m benchmarks NAME [--quick | --tiny] [--only GAME ...]``: print one benchmark's table.

The exit code is 0, 1 if a figure misses its floor, or 2 if a library to measure against isn't installed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection, Sequence
from typing import Final

from benchmarks import (
    growth,
    host,
    memory,
    move_cost,
    odds,
    players,
    postgresql,
    ratings,
    render,
    retelling,
    review,
    rules,
    strength,
    taps,
    thinking_cost,
)
from benchmarks.measure import Length, PeerMissing
from games import GAMES

BENCHMARKS: Final[dict[str, Callable[[Length], bool]]] = {
    "host": host.run,
    "memory": memory.run,
    "moves": move_cost.run,
    "odds": odds.run,
    "ratings": ratings.run,
    "render": render.run,
    "retelling": retelling.run,
    "rules": rules.run,
    "server": postgresql.run,
    "store": growth.run,
    "taps": taps.run,
}
"""Benchmarks by name. Each prints its tables and returns whether every figure kept its floor."""

BY_GAME: Final[dict[str, Callable[[Length, Collection[str]], bool]]] = {
    "players": players.run,
    "review": review.run,
    "strength": strength.run,
    "thinking": thinking_cost.run,
}
"""Benchmarks that `--only` can limit to some games."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark that the arguments name."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure Ambit against its peers.")
    parser.add_argument("name", choices=sorted({*BENCHMARKS, *BY_GAME}))
    parser.add_argument(
        "--quick", dest="length", action="store_const", const=Length.QUICK, default=Length.WHOLE, help="a rough table"
    )
    parser.add_argument(
        "--tiny", dest="length", action="store_const", const=Length.TINY, help="one tiny round, to see that it runs"
    )
    parser.add_argument("--only", nargs="+", choices=GAMES, metavar="GAME", help="measure these games, keep other rows")
    chosen = parser.parse_args(arguments)
    if chosen.only and chosen.name not in BY_GAME:
        parser.error(f"--only goes with {', '.join(BY_GAME)}")
    try:
        if chosen.name in BY_GAME:
            return 0 if BY_GAME[chosen.name](chosen.length, chosen.only or GAMES) else 1
        return 0 if BENCHMARKS[chosen.name](chosen.length) else 1
    except PeerMissing as missing:
        print(missing, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
