"""``python -m benchmarks NAME [--quick] [--only GAME ...]``: print one benchmark's table.

Ends with 0, with 1 when a figure misses its floor, with 2 when a peer to measure against is not installed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Collection, Sequence
from typing import Final

from benchmarks import (
    host,
    host_server,
    host_store,
    players,
    ratings,
    render,
    roles,
    rules,
    strength,
    taps,
    thinking_cost,
)
from benchmarks.measure import PeerMissing
from games import GAMES

BENCHMARKS: Final[dict[str, Callable[[bool], bool]]] = {
    "host": host.run,
    "ratings": ratings.run,
    "render": render.run,
    "roles": roles.run,
    "rules": rules.run,
    "server": host_server.run,
    "store": host_store.run,
    "taps": taps.run,
}
"""Benchmarks by name: each prints its table (quickly and roughly, if asked) and says whether it kept its floors."""

BY_GAME: Final[dict[str, Callable[[bool, Collection[str]], bool]]] = {
    "players": players.run,
    "strength": strength.run,
    "thinking": thinking_cost.run,
}
"""Those that can be confined to some games."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark that the arguments name."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure Ambit against its peers.")
    parser.add_argument("name", choices=sorted({*BENCHMARKS, *BY_GAME}))
    parser.add_argument("--quick", action="store_true", help="a rough table in a few seconds")
    parser.add_argument("--only", nargs="+", choices=GAMES, metavar="GAME", help="measure these games, keep other rows")
    chosen = parser.parse_args(arguments)
    if chosen.only and chosen.name not in BY_GAME:
        parser.error(f"--only goes with {', '.join(BY_GAME)}")
    try:
        if chosen.name in BY_GAME:
            return 0 if BY_GAME[chosen.name](chosen.quick, chosen.only or GAMES) else 1
        return 0 if BENCHMARKS[chosen.name](chosen.quick) else 1
    except PeerMissing as missing:
        print(missing, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
