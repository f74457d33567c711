"""The maze of Ambagibus: what lies where, where a tunnel card fits, and which sections are closed (A3-A6).

The maze keeps the empty cells that open passages lead to, each with all that a card there must respect. It updates them
when a card comes or goes, so that nobody searches the maze for the legal plays.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from games.ambagibus.components import CAVE, KIND, fitting_kinds
from games.grid import EDGES, OPPOSITE, Cell, neighbours

ORIGIN: Final[Cell] = (0, 0)
SEATS: Final = 4
FOREIGN: Final = 4
"""Added to the rank of a placement that joins only passages of other players (`Space`)."""

# What an edge shows to the cell beside it: no card, a wall, or the opening `priority` of `owner`, 1 to 16.
NOTHING: Final = -1
WALL: Final = 0


def _owner(opening: int) -> int:
    return (opening - 1) // 4


def _priority(opening: int) -> int:
    return (opening - 1) % 4 + 1


class Tile(NamedTuple):
    """A card in the maze: the card as it lies, its owner, and what its edges N E S W show.

    A Cave-in has walls all round. `under` is the tunnel card below it, as it lay.
    """

    card: str
    owner: int
    faces: tuple[int, ...]
    under: str | None = None


@cache
def tunnel(card: str, owner: int) -> Tile:
    """Return the tile of a tunnel card as it lies."""
    return Tile(card, owner, tuple(4 * owner + int(edge) if edge != "0" else WALL for edge in card))


def _caved_in(owner: int, under: str | None) -> Tile:
    return Tile(CAVE, owner, (WALL,) * len(EDGES), under)


class Space(NamedTuple):
    """An empty cell on which a tunnel card may be laid.

    Attributes:
        needed: the edges, as a mask, where the card must have an opening (A3).
        closed: the edges, as a mask, where the card must have a wall (A3).
        kinds: the kinds of card that can lie so.
        ranks: by seat the rank of a placement here, for A4 and A5. The lowest rank goes first. It is the lowest own
            priority that the placement joins, 1-4, or else the lowest priority of others plus `FOREIGN`.
        faces: what the cells beside it show, N E S W.
    """

    needed: int
    closed: int
    kinds: int
    ranks: tuple[int, ...]
    faces: tuple[int, ...]

    def passages(self) -> Iterator[tuple[int, int, int]]:
        """Yield the open passages that lead here: the edge of this cell, the priority, the owner."""
        for edge, face in enumerate(self.faces):
            if face > WALL:
                yield edge, _priority(face), _owner(face)


def priority_of_rank(rank: int) -> int:
    """Return the priority in a rank of `Space.ranks`."""
    return (rank - 1) % FOREIGN + 1


def _space_at(tiles: Mapping[Cell, Tile], cell: Cell) -> Space:
    """Return the space of an empty cell."""
    return space_between(
        *[
            tiles[beside].faces[OPPOSITE[edge]] if beside in tiles else NOTHING
            for edge, beside in enumerate(neighbours(cell))
        ]
    )


@cache
def space_between(*faces: int) -> Space:
    """Return the space between these faces. At most 18 to the power of 4 exist, and few of them ever occur."""
    needed = sum(1 << edge for edge, face in enumerate(faces) if face > WALL)
    closed = sum(1 << edge for edge, face in enumerate(faces) if face == WALL)
    passages = [face for face in faces if face > WALL]
    ranks = tuple(
        min((_priority(face) if _owner(face) == seat else FOREIGN + _priority(face) for face in passages), default=0)
        for seat in range(SEATS)
    )
    return Space(needed, closed, fitting_kinds(needed, closed), ranks, faces)


class Passage(NamedTuple):
    """An open passage: the cell and edge (``N`` …) of its opening, its priority and owner, the empty cell beyond."""

    cell: Cell
    edge: str
    priority: int
    owner: int
    leads_to: Cell


class Maze(NamedTuple):
    """The cards on the table: a value that never changes in place.

    `spaces` are the cells on which A3 may allow a tunnel card. Open passages lead to them. In an empty maze it is the
    origin alone (A15).
    """

    tiles: Mapping[Cell, Tile]
    spaces: Mapping[Cell, Space]

    def lay(self, cell: Cell, card: str, owner: int) -> Maze:
        """Return the maze with a tunnel card on a cell."""
        return self._survey({**self.tiles, cell: tunnel(card, owner)}, cell)

    def cave_in(self, cell: Cell) -> Maze:
        """Return the maze after a Cave-in on a tunnel card (A9)."""
        tile = self.tiles[cell]
        return self._survey({**self.tiles, cell: _caved_in(tile.owner, tile.card)}, cell)

    def bomb(self, cell: Cell) -> Maze:
        """Return the maze without the cards on a cell (A8)."""
        tiles = dict(self.tiles)
        del tiles[cell]
        return self._survey(tiles, cell)

    def _survey(self, tiles: dict[Cell, Tile], changed: Cell) -> Maze:
        """Return the maze of `tiles`, which differ from this maze's in one cell only."""
        if not tiles:
            return EMPTY
        spaces = dict(self.spaces) if self.tiles else {}
        for cell in (changed, *neighbours(changed)):
            spaces.pop(cell, None)
            if cell not in tiles:
                space = _space_at(tiles, cell)
                if space.needed:
                    spaces[cell] = space
        return Maze(tiles, spaces)

    def kinds(self) -> int:
        """Return the kinds of tunnel card that fit somewhere, whoever owns what (A3)."""
        kinds = 0
        for space in self.spaces.values():
            kinds |= space.kinds
        return kinds

    def placements(self, player: int, row: Sequence[str]) -> tuple[list[Cell], int]:
        """Return the cells on which tunnel cards of `row`, taken together, may be laid (A3-A6, A12), and their rank.

        The rank (`Space`) is the lowest at which one of the cards fits at all.
        """
        kinds = 0
        for card in row:
            kinds |= KIND[card]
        cells: list[Cell] = []
        lowest = 2 * FOREIGN + 1
        for cell, space in self.spaces.items():
            rank = space.ranks[player]
            if rank <= lowest and space.kinds & kinds:
                if rank < lowest:
                    lowest = rank
                    cells = []
                cells.append(cell)
        return cells, lowest

    def cells_of(self, owner: int) -> list[Cell]:
        """Return the cells of a player's cards, Cave-ins included. The player may bomb these (A8)."""
        return [cell for cell, tile in self.tiles.items() if tile.owner == owner]

    def passages(self) -> tuple[Passage, ...]:
        """Return all open passages, by cell and edge."""
        return tuple(
            sorted(
                Passage(neighbours(cell)[edge], EDGES[OPPOSITE[edge]], priority, owner, cell)
                for cell, space in self.spaces.items()
                for edge, priority, owner in space.passages()
            )
        )

    def open_cells_of(self, owner: int) -> list[Cell]:
        """Return the cells of a player's tunnel cards with an open passage. They may play a Cave-in there (A9)."""
        beside_own = [item for item in self.spaces.items() if 0 < item[1].ranks[owner] <= FOREIGN]
        cells = [
            neighbours(cell)[edge]
            for cell, space in beside_own
            for edge, _, whose in space.passages()
            if whose == owner
        ]
        return list(dict.fromkeys(cells))

    def closed_sections(self, owner: int) -> tuple[tuple[Cell, ...], ...]:
        """Return a player's closed sections, the largest first, each as its cells in order (A16)."""
        sections = []
        to_visit = {cell for cell, tile in self.tiles.items() if tile.owner == owner and any(tile.faces)}
        while to_visit:
            section, closed = self._section(to_visit.pop())
            to_visit -= section
            if closed:
                sections.append(tuple(sorted(section)))
        return tuple(sorted(sections, key=lambda section: (-len(section), section)))

    def _section(self, start: Cell) -> tuple[set[Cell], bool]:
        """Return the cards of one colour that are joined to the one at `start`, and whether the section is closed."""
        owner, section, to_visit, closed = self.tiles[start].owner, {start}, [start], True
        while to_visit:
            cell = to_visit.pop()
            for edge, beside in enumerate(neighbours(cell)):
                if self.tiles[cell].faces[edge] == WALL or beside in section:
                    continue
                other = self.tiles.get(beside)
                if other is None:
                    closed = False
                elif other.owner == owner and other.faces[OPPOSITE[edge]] != WALL:
                    section.add(beside)
                    to_visit.append(beside)
        return section, closed

    def __str__(self) -> str:
        """The cell of the upper left, then rows from the top: a card is ``owner:card``, a free cell is a dot."""
        if not self.tiles:
            return "(empty)"
        columns, rows = ([cell[axis] for cell in self.tiles] for axis in (0, 1))
        lines = [f"{min(columns)},{max(rows)}"]
        for y in range(max(rows), min(rows) - 1, -1):
            line = [self.tiles.get((x, y)) for x in range(min(columns), max(columns) + 1)]
            lines.append(" ".join(f"{tile.owner}:{tile.card}" if tile else ".     " for tile in line).rstrip())
        return "\n".join(lines)


EMPTY: Final = Maze({}, {ORIGIN: space_between(*(NOTHING,) * 4)})
"""The empty maze."""


def survey(cards: Iterable[tuple[Cell, str, int]]) -> Maze:
    """Return the maze of these cards, each as (cell, card as it lies or ``cave``, owner), computed from scratch.

    The card under a Cave-in stays unknown. No play depends on it.
    """
    tiles = {cell: _caved_in(owner, None) if card == CAVE else tunnel(card, owner) for cell, card, owner in cards}
    if not tiles:
        return EMPTY
    beside = {near for cell in tiles for near in neighbours(cell) if near not in tiles}
    spaces = {cell: _space_at(tiles, cell) for cell in sorted(beside)}
    return Maze(tiles, {cell: space for cell, space in spaces.items() if space.needed})
