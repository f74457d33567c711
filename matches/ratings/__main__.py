"""``python -m matches.ratings FILE``: compute a server's ratings once more from its results, and compare to the bit.

The exit code is 0 if every number in the file follows from its results, 1 if one doesn't, and 2 if the file can't be
read as an export of results.
"""

from __future__ import annotations

import argparse
import gzip
import sys
import zlib
from collections.abc import Sequence
from io import TextIOWrapper
from pathlib import Path

from games import GAMES
from matches.ratings.export import FileError, Table, checked


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables of the file that the arguments name, and whether they are right."""
    parser = argparse.ArgumentParser(prog="python -m matches.ratings", description="Check a server's ratings.")
    parser.add_argument("file", type=Path, help="what Results under a leaderboard gives")
    chosen = parser.parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A terminal may have no sign for a letter of somebody's name.
            stream.reconfigure(errors="backslashreplace")
    try:
        tables = checked(unpacked(chosen.file.read_bytes()).decode())
    except (EOFError, FileError, OSError, UnicodeDecodeError, zlib.error) as error:
        print(_plain(str(error)), file=sys.stderr)
        return 2
    for table in tables:
        show(table)
    if all(table.agrees for table in tables):
        print("Every number follows from the results, to the bit.")
        return 0
    print("Some numbers don't follow from the results.")
    return 1


def unpacked(data: bytes) -> bytes:
    """A file as it is, or what a gzip file holds."""
    return gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data


def show(table: Table) -> None:
    """Print the table of a game in a season."""
    name = GAMES[table.game].info.name if table.game in GAMES else table.game
    print(f"{_plain(name)}, season {table.season}: {'1 result' if table.results == 1 else f'{table.results} results'}")
    print("  rating        uncertainty  matches  won")
    for who, given, computed in table.rows:
        line = f"  {given.mu:<12.6f}  {given.sigma:<11.6f}  {given.matches:>7}  {given.won:>3}  {_plain(who)}"
        print(line if given == computed else f"{line}  <- not what the results come to")
    print()


def _plain(text: str) -> str:
    """The text without anything that a terminal obeys. A file may come from anybody."""
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)


if __name__ == "__main__":
    sys.exit(main())
