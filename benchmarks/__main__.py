"""``python -m benchmarks NAME [--quick]``: print one benchmark's table.

Ends with 0, with 1 when a figure misses its floor, with 2 when a peer to measure against is not installed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from typing import Final

from benchmarks import host, host_store, players, render, rules, strength, taps, thinking
from benchmarks.measure import PeerMissing

BENCHMARKS: Final[dict[str, Callable[[bool], bool]]] = {
    "host": host.run,
    "players": players.run,
    "render": render.run,
    "rules": rules.run,
    "store": host_store.run,
    "strength": strength.run,
    "taps": taps.run,
    "thinking": thinking.run,
}
"""Every benchmark by name: it prints its table (quickly and roughly, if asked) and says whether it kept its floors."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark that the arguments name."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Measure Ambit against its peers.")
    parser.add_argument("name", choices=BENCHMARKS)
    parser.add_argument("--quick", action="store_true", help="a rough table in a few seconds")
    chosen = parser.parse_args(arguments)
    try:
        return 0 if BENCHMARKS[chosen.name](chosen.quick) else 1
    except PeerMissing as missing:
        print(missing, file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
