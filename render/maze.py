"""The layout of mazes on an unbounded grid (Saboteur, Ambagibus): which part is shown, how large, and where.

A picture shows the cards played plus one ring. If a game wants it, empty columns to the left and right fill the
picture. Cards have a least size. A maze that doesn't fit at that size is shown in two parts: an overview, and the part
around the last action (P21).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

from games.grid import Cell, neighbours, string_to_cell
from render import deeds, frame, marks
from render.canvas import Canvas
from render.frame import Mood
from render.marks import Spot
from render.palette import PAPER, Colour, blank, shade
from render.style import MAX_SIDE, Mark, People, Style
from render.tiles import Point, Sprite

EDGE: Final = 56
"""Room for the coordinates on the left and below, in units of a picture 1200 wide."""

LARGEST: Final = 132
"""Greatest width of a card, in units of a picture 1200 wide."""

OUT: Final[dict[str, Point]] = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
"""From a card's middle towards each edge, across and down."""


class Sizes(NamedTuple):
    """Sizes that suit a game's cards, in units of a picture 1200 wide.

    `smallest`: the least width of a card; a larger maze is shown in two parts. `region`: the width of a card in the
    part around the last action. `beside`: the width of an overview on the left; 0 if it is always on top. `above`: the
    height of an overview on top. `widened`: empty columns to the left and right fill the picture.
    """

    smallest: int
    region: int
    beside: int
    above: int
    widened: bool = True


SIZES: Final = Sizes(54, 84, 520, 300)

_TEXT: Final = 38
_STEP: Final = 4


class Area(NamedTuple):
    """A rectangle of cells, all four ends included."""

    left: int
    bottom: int
    right: int
    top: int

    @property
    def columns(self) -> int:
        """Number of cells from left to right."""
        return self.right - self.left + 1

    @property
    def rows(self) -> int:
        """Number of cells from top to bottom."""
        return self.top - self.bottom + 1

    def window(self, cells: Sequence[Cell], columns: int, rows: int) -> Area:
        """The part with most of these cells, the last if possible, of at most so many columns and rows.

        It moves in steps of about a third of its size, so that it seldom moves between two actions.
        """
        columns, rows = min(columns, self.columns), min(rows, self.rows)
        starts = [Area(x, y, x + columns - 1, y + rows - 1) for x, _ in cells for _, y in cells]
        best = max(starts, key=lambda part: (sum(map(part.holds, cells)), part.holds(cells[-1])))
        part = around(filter(best.holds, cells))
        left = _begun(part.left, part.right, columns, self.left, self.right)
        bottom = _begun(part.bottom, part.top, rows, self.bottom, self.top)
        return Area(left, bottom, left + columns - 1, bottom + rows - 1)

    def holds(self, cell: Cell) -> bool:
        """Whether a cell lies in it."""
        return self.left <= cell[0] <= self.right and self.bottom <= cell[1] <= self.top

    def cells(self) -> Iterable[Cell]:
        """Its cells, column by column."""
        return ((x, y) for x in range(self.left, self.right + 1) for y in range(self.bottom, self.top + 1))


def _begun(first: int, last: int, size: int, least: int, most: int) -> int:
    """Where a window of this size begins that holds all from `first` to `last` and lies between `least` and `most`."""
    step, start = max(1, size // 3), (first + last) // 2 - size // 2
    start = (start + step // 2) // step * step
    return min(max(start, least, last - size + 1), most - size + 1, first)


def around(cells: Iterable[Cell]) -> Area:
    """The smallest area that holds all `cells`; there has to be at least one."""
    xs, ys = zip(*cells, strict=True)
    return Area(min(xs), min(ys), max(xs), max(ys))


def ringed(cells: Iterable[Cell]) -> set[Cell]:
    """Cells and their neighbours: every place that a card can go to beside them."""
    return {beside for cell in cells for beside in (cell, *neighbours(cell))}


@dataclass(frozen=True)
class Grid:
    """An area of cells on a canvas: its upper left corner in pixels, and cards of `wide` × `high` pixels."""

    area: Area
    x: int
    y: int
    wide: int
    high: int

    @property
    def step(self) -> tuple[int, int]:
        """Distance from one cell to the next, across and down, in pixels."""
        gap = _gap(self.wide)
        return self.wide + gap, self.high + gap

    @property
    def width(self) -> int:
        """Width of the grid in pixels."""
        return self.area.columns * self.step[0]

    @property
    def height(self) -> int:
        """Height of the grid in pixels."""
        return self.area.rows * self.step[1]

    def corner(self, cell: Cell) -> tuple[int, int]:
        """The upper left corner of a cell, in pixels."""
        across, down = self.step
        return self.x + (cell[0] - self.area.left) * across, self.y + (self.area.top - cell[1]) * down

    def middle(self, cell: Cell) -> tuple[int, int]:
        """The middle of a cell, in pixels."""
        x, y = self.corner(cell)
        return x + self.wide // 2, y + self.high // 2


def _gap(wide: int) -> int:
    """Room between two cards."""
    return max(2, wide // 28)


@dataclass(frozen=True)
class Plan:
    """The layout of a maze: a `grid` with coordinates, an `overview` if there is one, and the `bottom` of both."""

    grid: Grid
    overview: Grid | None
    bottom: int


def planned(
    area: Area, focus: Sequence[Cell], style: Style, below: int, ratio: int = 100, sizes: Sizes = SIZES
) -> Plan:
    """Lay out `area`. If it is too large, lay out the part with most of `focus` and an overview.

    `below` is the height in pixels of what stands under the maze, `ratio` the height of a card in percent of its width.
    """
    px = style.px
    edge, margin, y = px(EDGE), px(frame.MARGIN), px(frame.HEADER + frame.MARGIN)
    x, room_x = edge, style.width - edge - margin
    room_y = px(MAX_SIDE) - y - edge - below - margin
    # Room for even numbers of columns and rows, so that only every second new one makes the cards smaller.
    roomy = area._replace(right=area.right + area.columns % 2, top=area.top + area.rows % 2)
    wide = min(px(LARGEST), fitting(roomy, room_x, room_y, ratio))
    if wide < px(sizes.smallest):
        wide = fitting(area, room_x, room_y, ratio)
    if wide >= px(sizes.smallest):
        grid = _grid(area, x, y, wide, ratio)
        if sizes.widened:
            grid = _grid(_widened(area, room_x // grid.step[0]), x, y, wide, ratio)
        grid = _grid(grid.area, x + (room_x - grid.width) // 2, y, wide, ratio)
        return Plan(grid, None, y + grid.height + edge)
    if sizes.beside and area.rows * ratio > area.columns * 60:
        overview = _grid(area, margin, y, fitting(area, px(sizes.beside), room_y, ratio), ratio)
        x += overview.width + margin
        room_x -= overview.width + margin
    else:
        overview = _grid(area, 0, y, fitting(area, room_x, px(sizes.above), ratio), ratio)
        overview = _grid(area, (style.width - overview.width) // 2, y, overview.wide, ratio)
        y += overview.height + margin
        room_y -= overview.height + margin
    across, down = _grid(area, 0, 0, px(sizes.region), ratio).step
    grid = _grid(area.window(focus, room_x // across, room_y // down), x, y, px(sizes.region), ratio)
    return Plan(grid, overview, max(grid.y + grid.height + edge, overview.y + overview.height + margin))


def _widened(area: Area, columns: int) -> Area:
    """Widen an area to so many columns.

    Its first column is a multiple of the largest power of two possible. While the maze grows, that column mostly stays
    the same, and so do the places of the cards on the picture.
    """
    lowest, step = area.right - columns + 1, 1
    while step < columns and -(-lowest // (2 * step)) * 2 * step <= area.left:
        step *= 2
    left = -(-lowest // step) * step
    return area._replace(left=left, right=left + columns - 1)


def _grid(area: Area, x: int, y: int, wide: int, ratio: int) -> Grid:
    return Grid(area, x, y, wide, wide * ratio // 100)


def filling(area: Area, x: int, y: int, room_x: int, room_y: int, ratio: int = 100) -> Grid:
    """A grid of the whole area, as large as fits into a room that begins at a pixel, and in the middle of it."""
    grid = _grid(area, x, y, fitting(area, room_x, room_y, ratio), ratio)
    return _grid(area, x + (room_x - grid.width) // 2, y + (room_y - grid.height) // 2, grid.wide, ratio)


def fitting(area: Area, room_x: int, room_y: int, ratio: int) -> int:
    """The greatest width of cards, in pixels, with which an area and its gaps fit into a room."""
    wide = min(room_x // area.columns, room_y * 100 // (area.rows * ratio))
    # In steps, so that few sizes of every card are ever drawn.
    return max(_STEP, (wide - _gap(wide)) // _STEP * _STEP)


def draw_slots(canvas: Canvas, grid: Grid, slot: Callable[[int, int], Sprite], ground: Colour) -> None:
    """Draw all empty places as one tile. `slot` draws one place by its width and height."""
    image, tile = blank((grid.width, grid.height), ground), slot(grid.wide, grid.high)
    for cell in grid.area.cells():
        x, y = grid.corner(cell)
        image.paste(tile.image, (x - grid.x, y - grid.y))
    canvas.put(Sprite(image), grid.x, grid.y)


def draw_window(canvas: Canvas, plan: Plan, mood: Mood) -> None:
    """Frame the part of the overview that is also shown large, and note where the overview is."""
    overview = plan.overview
    if overview is None:
        return
    canvas.overviews.append((overview.x, overview.y, overview.x + overview.width, overview.y + overview.height))
    area, wide = plan.grid.area, canvas.px(3)
    x0, y0 = overview.corner((area.left, area.top))
    x1, y1 = overview.corner((area.right + 1, area.bottom - 1))
    canvas.frame(x0 - wide, y0 - wide, x1, y1, wide, mood.plate_text)


def draw_coordinates(canvas: Canvas, grid: Grid, mood: Mood) -> None:
    """Write the columns' numbers below the grid, and the rows' on its left (P23)."""
    size, edge = canvas.px(_TEXT), canvas.px(EDGE)
    for x in range(grid.area.left, grid.area.right + 1):
        across, _ = grid.middle((x, 0))
        canvas.text(across, grid.y + grid.height + edge // 2 - 2, str(x), size, mood.coordinate, mood.ground, "middle")
    for y in range(grid.area.bottom, grid.area.top + 1):
        _, down = grid.middle((0, y))
        # The ring of the last action reaches a little beyond its card.
        canvas.seam(grid.corner((0, y))[1] - _gap(grid.wide))
        canvas.text(grid.x - edge // 5, down, str(y), size, mood.coordinate, mood.ground, "right")


def draw_ring(canvas: Canvas, grid: Grid, cell: Cell, wide: int, colour: Colour) -> None:
    """Frame a cell."""
    if grid.area.holds(cell):
        x, y = grid.corner(cell)
        frame.ring(canvas, x - 1, y - 1, x + grid.wide + 1, y + grid.high + 1, wide, colour)


def draw_deeds(canvas: Canvas, plan: Plan, mood: Mood, people: People, size: int = deeds.BADGE) -> None:
    """Mark what was done; in the overview only what the grid doesn't show."""
    if plan.overview is not None:
        far = [mark for mark in canvas.done if (at := string_to_cell(mark.place)) and not plan.grid.area.holds(at)]
        deeds.draw(canvas, mood, people, far, partial(_spot, plan.overview, canvas.px(42)), 42)
    deeds.draw(canvas, mood, people, canvas.done, partial(_spot, plan.grid, canvas.px(size)), size)


def cells_of(done: Iterable[Mark], otherwise: Cell) -> list[Cell]:
    """The cells that are marked."""
    return [cell for mark in done if (cell := string_to_cell(mark.place)) is not None] or [otherwise]


def draw_marks(canvas: Canvas, plan: Plan, pointed_out: Sequence[Mark]) -> None:
    """Draw marks of places, in the overview too."""
    for grid, size in ((plan.overview, canvas.px(30)), (plan.grid, canvas.px(72))):
        if grid is not None:
            largest = max(min(size, grid.wide * 5 // 6), canvas.px(22))
            for mark in pointed_out:
                _draw_supposed(canvas, grid, mark)
            marks.draw_marks(canvas, pointed_out, partial(_spot, grid, largest))


def _draw_supposed(canvas: Canvas, grid: Grid, mark: Mark) -> None:
    """Frame a card that is shown, but isn't really there."""
    cell = string_to_cell(mark.place)
    if mark.supposed and cell is not None:
        draw_ring(canvas, grid, cell, canvas.px(4), PAPER if mark.number else shade("red", 0.5))


def _spot(grid: Grid, size: int, place: str) -> Spot | None:
    cell = string_to_cell(place)
    if cell is None or not grid.area.holds(cell):
        return None
    across, down = grid.wide * 2 // 5, grid.high * 2 // 5
    if grid.wide < size:
        # There it would hide the card.
        across, down = grid.wide // 2 + size * 3 // 8, grid.high // 2 + size * 3 // 8
    return Spot(*grid.middle(cell), size, corner=(across, -down))
