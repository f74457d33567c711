"""Writes the tables of benchmarks into a page of `docs/`, all of them or those of some games.

A part of the page stands between two marks. It consists of blocks: some lines of text, then a table. A run over some
games replaces their rows and keeps all others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from games import GAMES

DOCUMENT: Final = Path(__file__).parent.parent / "docs" / "computer-players.md"


class Block(NamedTuple):
    """A table in Markdown with the lines of text above it. Its `head`, the row of column names, identifies it.

    `by_game`: the first cell of each row names a game.
    """

    text: Sequence[str]
    head: str
    rows: Sequence[str]
    by_game: bool = True

    def __str__(self) -> str:
        above = [*self.text, ""] if self.text else []
        return "\n".join([*above, self.head, "|---" * (self.head.count("|") - 1) + "|", *self.rows])


def row(*cells: object) -> str:
    """A row of a table."""
    return f"| {' | '.join(map(str, cells))} |"


def write(part: str, blocks: Sequence[Block], games: Collection[str] = GAMES, document: Path = DOCUMENT) -> None:
    """Write the blocks of a run over these games between the marks of a part of the document.

    Rows of other games stay, and so do tables that the run didn't make.
    """
    begin, end = f"<!-- {part} -->", f"<!-- end of {part} -->"
    before, _, rest = document.read_text("utf-8").partition(begin)
    old, _, after = rest.partition(end)
    if set(games) != set(GAMES):
        blocks = _merged(list(_blocks(old)), blocks, games)
    text = "\n\n".join(map(str, blocks))
    document.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", "utf-8")


def _blocks(text: str) -> Iterator[Block]:
    """Parse a text into its blocks."""
    above: list[str] = []
    for in_table, group in groupby(text.strip().splitlines(), lambda line: line.startswith("|")):
        lines = list(group)
        if in_table:
            head, _, *rows = lines
            yield Block("\n".join(above).strip().splitlines(), head, rows)
        above = lines


def _merged(old: Sequence[Block], new: Sequence[Block], games: Collection[str]) -> list[Block]:
    found = {block.head: block for block in old}
    for block in new:
        rows = block.rows
        if block.by_game and block.head in found:
            kept = [row for row in found[block.head].rows if _game(row) not in games]
            rows = sorted([*kept, *rows], key=lambda row: list(GAMES).index(_game(row)))
        found[block.head] = block._replace(rows=rows)
    return list(found.values())


def _game(row: str) -> str:
    """The key of the game that a row begins with."""
    return next(key for key, game in GAMES.items() if row.startswith(f"| {game.info.name}"))
