"""Finds puzzles: `python -m matches.puzzles GAME`, then `publish`. `docs/puzzles.md` says how.

A search goes on where it was interrupted. What it has found is kept in a folder beside the repository's files.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import monotonic

from games import GAMES
from matches.puzzles import publishing
from matches.puzzles.making import Pool, fill
from matches.puzzles.puzzle import Shelf


def main(arguments: list[str]) -> None:
    """Find or publish puzzles, and print what was looked at, found and thrown away."""
    parser = argparse.ArgumentParser(prog="python -m matches.puzzles", description=__doc__)
    parser.add_argument("what", choices=[*GAMES, "publish"])
    parser.add_argument(
        "--judged", action="store_true", help="look for judged puzzles of the game, not for proven ones"
    )
    parser.add_argument("--kind", help="look only for puzzles of this kind")
    parser.add_argument("--folder", type=Path, default=Path("puzzles"), help="where unpublished puzzles are kept")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--want", type=int, default=150, help="how many of each kind")
    parser.add_argument("--matches", type=int, default=2000, help="the most matches of this run")
    parser.add_argument("--shelf", type=int, default=66, help="how many of a game are for the shelf")
    given = parser.parse_args(arguments)
    if given.what == "publish":
        pools = [Pool(given.folder, game, shelf) for game in GAMES for shelf in Shelf]
        print(publishing.publish(pools, given.shelf, given.seed))
    else:
        shelf = Shelf.JUDGED if given.judged else Shelf.PROVEN
        _find(Pool(given.folder, given.what, shelf), given.seed, given.want, given.matches, given.kind)


def _find(pool: Pool, seed: int, want: int, matches: int, kind: str | None) -> None:
    begun = monotonic()
    for _ in fill(pool, seed, want, matches, kind):
        pool.save()
    print(f"{pool.title}: {pool.next} matches, {len(pool.kept)} puzzles, {monotonic() - begun:.0f} s")
    for reason, count in pool.counts.most_common():
        print(f"{count:8} {reason}")


if __name__ == "__main__":
    main(sys.argv[1:])
