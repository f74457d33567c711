"""The picture of the mine: the maze, the players, what just happened."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache, partial
from typing import Final, NamedTuple

from games.grid import Cell, neighbours, string_to_cell
from games.saboteur.observation import SaboteurObservation
from render import frame
from render.canvas import Canvas
from render.frame import Mood
from render.palette import Colour, shade
from render.renderer import MAX_SIDE, Mark, People, Style
from render.saboteur import cards, icons, words
from render.tiles import Pen, Sprite

MOOD: Final = Mood(
    ground=shade("rock", 0.1),
    bar=shade("brown", 0.3),
    bar_edge=shade("brown", 0.18),
    bar_text=frame.PAPER,
    bar_dim=shade("gold", 0.8),
    plate=shade("rock", 0.27),
    plate_text=frame.PAPER,
    plate_dim=shade("rock", 1.0),
    lit=shade("gold", 0.82),
    lit_text=frame.INK,
    lit_dim=shade("brown", 0.3),
    accent=shade("gold", 0.82),
)

SMALLEST_CELL: Final = 54
"""Width of a card, in units of a 1200 wide picture, below which the maze is shown in two parts (P21)."""

_REGION_CELL: Final = 84
"""Width of a card in the part about the last action."""

_OVERVIEW_HEIGHT: Final = 300
_OVERVIEW_WIDTH: Final = 520

_EDGE: Final = 56
"""Room for the coordinates on the left and below."""

_PLATE_GAP: Final = 12
_LARGEST_CELL: Final = 132


class Area(NamedTuple):
    """A rectangle of cells, all four ends included."""

    left: int
    bottom: int
    right: int
    top: int

    @property
    def columns(self) -> int:
        return self.right - self.left + 1

    @property
    def rows(self) -> int:
        return self.top - self.bottom + 1

    def window(self, middle: Cell, columns: int, rows: int) -> Area:
        """The part of it of at most so many columns and rows that lies about a cell."""
        columns, rows = min(columns, self.columns), min(rows, self.rows)
        left = min(max(middle[0] - columns // 2, self.left), self.right - columns + 1)
        bottom = min(max(middle[1] - rows // 2, self.bottom), self.top - rows + 1)
        return Area(left, bottom, left + columns - 1, bottom + rows - 1)

    def holds(self, cell: Cell) -> bool:
        """Whether a cell lies in it."""
        return self.left <= cell[0] <= self.right and self.bottom <= cell[1] <= self.top


def around(cells: Iterable[Cell]) -> Area:
    """The smallest area that holds all `cells`."""
    xs, ys = zip(*cells, strict=True)
    return Area(min(xs), min(ys), max(xs), max(ys))


def shown_area(seen: SaboteurObservation) -> Area:
    """What is played plus one ring, and the finish cards: every place that a card can go to is in it."""
    cells: set[Cell] = {(0, 0), (8, 2), (8, -2)}
    built = set(seen.maze) | {door.cell for door in seen.finish_cards if door.card}
    for cell in built | {(0, 0)}:
        cells.update(neighbours(cell))
    if seen.last is not None and (place := words.read(seen.last.text).cell):
        cells.add(place)
    return around(cells)


@lru_cache(maxsize=64)
def _slot(width: int, height: int) -> Sprite:
    """A place where nothing lies."""
    pen = Pen(width, height, 100, MOOD.ground)
    high = 100 * height / width
    pen.box(2, 2, 98, high - 2, shade("rock", 0.19), 7)
    return pen.tile()


class Grid:
    """An area of cells laid out on a canvas: cards of `wide` × `high` pixels from a corner."""

    def __init__(self, area: Area, x: int, y: int, wide: int) -> None:
        self.area, self.x, self.y = area, x, y
        self.wide, self.high = wide, wide * cards.HIGH // 100
        self.gap = max(2, wide // 28)

    @property
    def step(self) -> tuple[int, int]:
        """From one cell to the next, across and down, in pixels."""
        return self.wide + self.gap, self.high + self.gap

    @property
    def width(self) -> int:
        return self.area.columns * self.step[0]

    @property
    def height(self) -> int:
        return self.area.rows * self.step[1]

    def corner(self, cell: Cell) -> tuple[int, int]:
        """The upper left corner of a cell, in pixels."""
        across, down = self.step
        return self.x + (cell[0] - self.area.left) * across, self.y + (self.area.top - cell[1]) * down

    def middle(self, cell: Cell) -> tuple[int, int]:
        """The middle of a cell, in pixels."""
        x, y = self.corner(cell)
        return x + self.wide // 2, y + self.high // 2


def _draw_maze(canvas: Canvas, grid: Grid, seen: SaboteurObservation, size: int) -> None:
    """Slots, cards, finish cards and the badges of those who looked under them."""
    w, h, ground = grid.wide, grid.high, MOOD.ground
    slot = _slot(w, h)
    doors = {door.cell: door for door in seen.finish_cards}
    for x in range(grid.area.left, grid.area.right + 1):
        for y in range(grid.area.bottom, grid.area.top + 1):
            cell = (x, y)
            at = grid.corner(cell)
            lit = cell not in seen.cut_off
            if cell in doors:
                door = doors[cell]
                if door.card:
                    canvas.put(cards.finish_card(door.card, door.kind == "T", w, h, ground, lit), *at)
                else:
                    canvas.put(cards.door(w, h, ground, door.kind), *at)
                _draw_lookers(canvas, grid, cell, door.seen_by, size)
            elif cell == words.START and cell in seen.maze:
                canvas.put(cards.start_card(w, h, ground), *at)
            elif cell in seen.maze:
                canvas.put(cards.path_card(seen.maze[cell], w, h, ground, lit), *at)
            else:
                canvas.put(slot, *at)


def _draw_lookers(canvas: Canvas, grid: Grid, cell: Cell, seats: tuple[int, ...], size: int) -> None:
    """Who has looked under a finish card: badges along its lower edge."""
    if not seats:
        return
    x, y = grid.corner(cell)
    step = min(size, grid.wide // len(seats))
    for i, seat in enumerate(seats):
        canvas.put(frame.badge(seat, size, None), x + i * step, y + grid.high - size)


def _draw_coordinates(canvas: Canvas, grid: Grid, size: int, edge: int) -> None:
    ground = MOOD.ground
    colour = MOOD.plate_dim
    for x in range(grid.area.left, grid.area.right + 1):
        across, _ = grid.middle((x, 0))
        canvas.text(across, grid.y + grid.height + edge // 2 - 2, str(x), size, colour, ground, "middle")
    for y in range(grid.area.bottom, grid.area.top + 1):
        _, down = grid.middle((0, y))
        canvas.text(grid.x - edge // 5, down, str(y), size, colour, ground, "right")


def _draw_last(canvas: Canvas, grid: Grid, seen: SaboteurObservation, wide: int) -> None:
    """Frame what the last action touched."""
    if seen.last is None:
        return
    line = words.read(seen.last.text)
    for cell in (line.cell, *seen.turned_up):
        if cell is None or not grid.area.holds(cell):
            continue
        x, y = grid.corner(cell)
        frame.ring(canvas, x - 1, y - 1, x + grid.wide + 1, y + grid.high + 1, wide, MOOD.accent)
        if line.kind in {"rock", "map"} and cell == line.cell:
            size = grid.wide * 7 // 10
            canvas.centre(icons.icon("rock" if line.kind == "rock" else "eye", size, None), *grid.middle(cell))


def _draw_marks(canvas: Canvas, grid: Grid, marks: tuple[Mark, ...], size: int) -> None:
    for mark in marks:
        cell = string_to_cell(mark.place)
        if cell is not None and grid.area.holds(cell):
            canvas.centre(frame.number_mark(mark.number, min(size, grid.wide * 2 // 3)), *grid.middle(cell))


class _Plates:
    """The plates of the players, two in a row, in the order of the seats."""

    def __init__(self, seen: SaboteurObservation, style: Style) -> None:
        px = style.px
        self.gap = px(_PLATE_GAP)
        self.margin = px(frame.MARGIN)
        self.wide = (style.width - 2 * self.margin - self.gap) // 2
        self.high = px(122 if seen.players <= 6 else 106)
        self.rows = (seen.players + 1) // 2
        self.height = self.rows * (self.high + self.gap)

    def corner(self, place: int, top: int) -> tuple[int, int]:
        column, row = place % 2, place // 2
        return self.margin + column * (self.wide + self.gap), top + row * (self.high + self.gap)


def _order(seen: SaboteurObservation) -> list[int]:
    """Seats as they sit; at the end of the match as they stand."""
    seats = list(range(seen.players))
    if seen.uncovered is not None:
        totals = seen.uncovered.totals
        seats.sort(key=lambda seat: (-totals[seat], seat))
    return seats


def _draw_plate(
    canvas: Canvas,
    seen: SaboteurObservation,
    people: People,
    seat: int,
    at: tuple[int, int],
    plates: _Plates,
    style: Style,
) -> None:
    px = style.px
    x, y = at
    box = (x, y, x + plates.wide, y + plates.high)
    left, right, upper, lower, ground, text, dim = frame.plate(canvas, style, MOOD, box, seat, frame.is_lit(seen, seat))
    role = seen.roles[seat]
    if seen.outcome is not None:
        right = _draw_roles(canvas, seen, seat, right, lower, ground, px(50))
    elif role is not None:
        size = plates.high - px(20)
        canvas.put(icons.icon(role, size, ground), right - size, y + px(10))
        right -= size + px(12)
    name_end = box[2] - px(16) if seen.outcome else right
    canvas.text(left, upper, people[seat], px(40), text, ground, room=name_end - left)
    size, number = px(42), px(38)
    if seen.uncovered is not None:
        _draw_gold(canvas, seen.uncovered.gold[seat], seen.uncovered.totals[seat], left, lower, ground, text, style)
        return
    for sign, count in (("cards", seen.hand_sizes[seat]), ("nugget", seen.gold_counts[seat])):
        canvas.centre(icons.icon(sign, size, ground), left + size // 2, lower)
        canvas.text(left + size + px(8), lower, str(count), number, text if count else dim, ground)
        left += px(104)
    tool = px(50)
    for i, letter in enumerate(seen.broken[seat]):
        canvas.put(icons.broken_tool(letter, tool, ground), left + i * (tool + px(8)), lower - tool // 2)


def _draw_roles(
    canvas: Canvas, seen: SaboteurObservation, seat: int, right: int, y: int, ground: Colour, size: int
) -> int:
    """What a player was in every round, the last one rightmost. Gives where they begin."""
    for result in reversed(seen.results):
        right -= size
        canvas.put(icons.icon(result.roles[seat], size, ground), right, y - size // 2)
        right -= size // 6
    return right


def _draw_gold(
    canvas: Canvas, gold: tuple[int, ...], total: int, x: int, y: int, ground: Colour, text: Colour, style: Style
) -> None:
    """A player's gold at the end: the sum, and every card's worth."""
    px = style.px
    size = px(46)
    canvas.centre(icons.icon("nugget", size, ground), x + size // 2, y)
    x += size + px(8)
    x += canvas.text(x, y, str(total), px(44), text, ground) + px(14)
    if len(gold) > 1:
        canvas.text(x, y, "= " + " + ".join(map(str, reversed(gold))), px(34), text, ground)


def _draw_header(canvas: Canvas, seen: SaboteurObservation, people: People, style: Style) -> None:
    def said(names: People) -> str:
        if seen.outcome is not None:
            return seen.outcome.reason
        if seen.last is not None:
            return words.say(seen.last, seen, names)
        return "" if seen.current_player < 0 else f"Round {seen.round_number} begins."

    doing = " takes gold" if seen.phase == "gold" else "’s turn"
    head = frame.title(seen, people, f"Round {seen.round_number} is being dealt", doing)
    notes = (frame.Note(f"Round {seen.round_number}/3"), frame.Note(str(seen.stock_size), partial(icons.icon, "stock")))
    frame.title_bar(canvas, style, MOOD, head, said, people, notes)


def draw(seen: SaboteurObservation, people: People, marks: tuple[Mark, ...], style: Style) -> bytes:
    """The board as a PNG file."""
    px = style.px
    plates = _Plates(seen, style)
    edge, margin = px(_EDGE), px(frame.MARGIN)
    grid, overview = _grids(seen, style, plates.height)
    top = max(grid.y + grid.height + edge, overview.y + overview.height + margin if overview else 0)
    canvas = Canvas(style.width, top + plates.height + margin - plates.gap, MOOD.ground)
    _draw_header(canvas, seen, people, style)
    if overview is not None:
        _draw_maze(canvas, overview, seen, overview.wide // 2)
        _draw_last(canvas, overview, seen, px(3))
        _draw_marks(canvas, overview, marks, overview.high)
        (x0, y0), (x1, y1) = (
            overview.corner((grid.area.left, grid.area.top)),
            overview.corner((grid.area.right + 1, grid.area.bottom - 1)),
        )
        canvas.frame(x0 - 3, y0 - 3, x1, y1, 3, MOOD.plate_text)
    _draw_maze(canvas, grid, seen, min(px(44), grid.wide // 2))
    _draw_coordinates(canvas, grid, px(34), edge)
    _draw_last(canvas, grid, seen, px(5))
    _draw_marks(canvas, grid, marks, px(64))
    for place, seat in enumerate(_order(seen)):
        _draw_plate(canvas, seen, people, seat, plates.corner(place, top), plates, style)
    return canvas.png()


def _grids(seen: SaboteurObservation, style: Style, below: int) -> tuple[Grid, Grid | None]:
    """Where the maze goes: all of it, or the part about the last action and above it an overview.

    `below` is the height that the plates of the players take.
    """
    px = style.px
    edge, margin, header = px(_EDGE), px(frame.MARGIN), px(frame.HEADER)
    area = shown_area(seen)
    room_x = style.width - margin - edge
    room_y = px(MAX_SIDE) - header - below - 2 * margin - edge
    wide = min(px(_LARGEST_CELL), _cell_width(area.columns, area.rows, room_x, room_y))
    x, y = edge, header + margin
    if wide >= px(SMALLEST_CELL):
        grid = Grid(area, 0, y, wide)
        grid.x = edge + (room_x - grid.width) // 2
        return grid, None
    if area.rows * cards.HIGH > area.columns * 70:
        # A tall maze: the overview stands on the left, the part on its right.
        overview = Grid(area, margin, y, _cell_width(area.columns, area.rows, px(_OVERVIEW_WIDTH), room_y))
        x += overview.width + margin
        room_x -= overview.width + margin
    else:
        overview = Grid(area, 0, y, _cell_width(area.columns, area.rows, room_x, px(_OVERVIEW_HEIGHT)))
        overview.x = (style.width - overview.width) // 2
        y += overview.height + margin
        room_y -= overview.height + margin
    wide = px(_REGION_CELL)
    place = words.read(seen.last.text).cell if seen.last else None
    step_x, step_y = Grid(area, 0, 0, wide).step
    return Grid(area.window(place or words.START, room_x // step_x, room_y // step_y), x, y, wide), overview


def _cell_width(columns: int, rows: int, room_x: int, room_y: int) -> int:
    """The widest card of which so many fit into a room, with the gaps between them."""
    by_width = room_x / columns
    by_height = room_y / rows * 100 / cards.HIGH
    return int(min(by_width, by_height) * 28 / 29) - 1
