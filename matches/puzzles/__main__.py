"""Finds puzzles: `python -m matches.puzzles GAME`, then `grade GAME` and `publish`. `docs/puzzles.md` says how.

Each continues where it was interrupted. What they have found is kept in a folder beside the repository's files.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import monotonic
from typing import Final

from games import GAMES
from matches.puzzles import publishing
from matches.puzzles.grading import rank
from matches.puzzles.making import Pool, fill
from matches.puzzles.puzzle import Shelf

_SAVED_EVERY: Final = 10.0
"""In seconds."""


def main(arguments: list[str]) -> None:
    """Find, grade or publish puzzles, and print what was looked at, found and thrown away."""
    parser = argparse.ArgumentParser(prog="python -m matches.puzzles", description=__doc__)
    parser.add_argument("what", choices=[*GAMES, "grade", "publish"])
    parser.add_argument("games", nargs="*", choices=[*GAMES, []], help="the games to grade; by default all")
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
    elif given.what == "grade":
        for game in given.games or GAMES:
            for shelf in Shelf:
                _grade(Pool(given.folder, game, shelf))
    else:
        shelf = Shelf.JUDGED if given.judged else Shelf.PROVEN
        _find(Pool(given.folder, given.what, shelf), given.seed, given.want, given.matches, given.kind)


def _find(pool: Pool, seed: int, want: int, matches: int, kind: str | None) -> None:
    begun = saved = monotonic()
    for _ in fill(pool, seed, want, matches, kind):
        if monotonic() >= saved + _SAVED_EVERY:
            pool.save()
            saved = monotonic()
    pool.save()
    print(f"{pool.title}: {pool.next} matches, {len(pool.kept)} puzzles, {monotonic() - begun:.0f} s")
    for reason, count in pool.counts.most_common():
        print(f"{count:8} {reason}")


def _grade(pool: Pool) -> None:
    saved = monotonic()
    for key, kept in list(pool.kept.items()):
        if kept.rank is None:
            pool.kept[key] = kept._replace(rank=rank(kept.puzzle))
            if monotonic() >= saved + _SAVED_EVERY:
                pool.save()
                saved = monotonic()
    pool.save()
    print(f"{pool.title}: {len(pool.kept)} puzzles graded")


if __name__ == "__main__":
    main(sys.argv[1:])
