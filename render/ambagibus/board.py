"""The picture of the paper maze: the cards on the table, their open passages, the players below."""

from __future__ import annotations

from typing import Final

from games.ambagibus.components import CAVE
from games.ambagibus.observation import AmbagibusObservation
from games.grid import Cell, string_to_cell
from render import frame, maze
from render.ambagibus import components, words
from render.canvas import Canvas
from render.frame import Mood
from render.maze import Area, Grid
from render.palette import shade
from render.renderer import Mark, People, Style
from render.tiles import Pen, Sprite

MOOD: Final = Mood(
    ground=shade("paper", 0.62),
    coordinate=shade("brown", 0.35),
    bar=shade("brown", 0.2),
    bar_edge=shade("paper", 0.2),
    bar_text=frame.PAPER,
    bar_dim=shade("paper", 0.66),
    plate=shade("paper", 0.9),
    plate_text=frame.INK,
    plate_dim=shade("brown", 0.35),
    lit=shade("brown", 0.3),
    lit_text=frame.PAPER,
    lit_dim=shade("paper", 0.66),
    accent=shade("pink", 0.5),
)

_PLATE: Final = 118
_ROW_CARD: Final = 88

_NEXT: Final = 3
"""How many cards are shown of every deck, from the top, where nothing is hidden."""


def shown_area(seen: AmbagibusObservation) -> Area:
    """What lies there plus one ring: every place that a card can go to is in it."""
    cells: set[Cell] = maze.ringed({item.cell for item in seen.maze} or {(0, 0)})
    if seen.last_cell is not None:
        cells.add(seen.last_cell)
    return maze.around(cells)


def _slot(width: int, height: int) -> Sprite:
    """A place where nothing lies: a faint sheet."""
    pen = Pen(width, height, 100, MOOD.ground)
    pen.box(3, 3, 97, 97, shade("paper", 0.69), 7)
    return pen.tile()


def _draw_cards(canvas: Canvas, grid: Grid, seen: AmbagibusObservation) -> None:
    laid = {item.cell: item for item in seen.maze}
    closed = {cell for sections in seen.closed_sections for section in sections for cell in section}
    maze.draw_slots(canvas, grid, _slot, MOOD.ground)
    for cell, item in laid.items():
        if not grid.area.holds(cell):
            continue
        at = grid.corner(cell)
        if item.card == CAVE:
            canvas.put(components.caved_in(item.owner, grid.wide, MOOD.ground), *at)
        else:
            canvas.put(components.tunnel(item.card, item.owner, grid.wide, MOOD.ground, cell in closed), *at)


def _draw_passages(canvas: Canvas, grid: Grid, seen: AmbagibusObservation) -> None:
    """An arrow out of every opening that leads to an empty cell."""
    size = grid.wide * 44 // 100
    for item in seen.passages:
        if not grid.area.holds(item.cell) or not grid.area.holds(item.leads_to):
            continue
        (x0, y0), (x1, y1) = grid.middle(item.cell), grid.middle(item.leads_to)
        across, down = (x0 * 32 + x1 * 68) // 100, (y0 * 32 + y1 * 68) // 100
        canvas.centre(components.passage(item.edge, item.priority, item.owner, size), across, down)


def _draw_last(canvas: Canvas, grid: Grid, seen: AmbagibusObservation, wide: int) -> None:
    cell = seen.last_cell
    if cell is None or not grid.area.holds(cell):
        return
    maze.draw_ring(canvas, grid, cell, wide, MOOD)
    if all(item.cell != cell for item in seen.maze):
        canvas.centre(components.blast(grid.wide * 7 // 10), *grid.middle(cell))


def _draw_plate(canvas: Canvas, seen: AmbagibusObservation, people: People, seat: int, y: int, style: Style) -> None:
    """A player's plate: name, closed sections, cards in the deck, cards face up with their names."""
    px = style.px
    box = (px(frame.MARGIN), y, canvas.width - px(frame.MARGIN), y + px(_PLATE))
    plate = frame.plate(canvas, style, MOOD, box, seat, frame.is_lit(seen, seat))
    size, middle = px(_ROW_CARD), y + px(_PLATE) // 2
    right = plate.right
    for name in reversed(seen.rows[seat]):
        right -= canvas.text(right, middle, name, px(36), plate.text, plate.ground, "right") + px(10) + size
        canvas.put(components.card(name, seat, size, plate.ground), right, middle - size // 2)
        right -= px(22)
    frame.name(canvas, plate.left, plate.upper, people[seat], px(40), plate.text, plate.ground, right - plate.left)
    x, sign = plate.left, px(42)
    for tile, count in (
        (components.seal(sign, plate.ground), seen.scores[seat]),
        (frame.pile(sign, plate.ground), seen.deck_sizes[seat]),
    ):
        canvas.centre(tile, x + sign // 2, plate.lower)
        canvas.text(x + sign + px(8), plate.lower, str(count), px(40), plate.text, plate.ground)
        x += px(120)
    if seen.decks is not None and seen.outcome is None:
        for name in seen.decks[seat][:_NEXT]:
            canvas.put(components.card(name, seat, px(48), plate.ground), x, plate.lower - px(24))
            x += px(54)


def paint(seen: AmbagibusObservation, people: People, marks: tuple[Mark, ...], style: Style) -> Canvas:
    """The maze."""
    px = style.px
    step = px(_PLATE + 10)
    below = seen.players * step
    focus = seen.last_cell or next((cell for mark in marks if (cell := string_to_cell(mark.place))), (0, 0))
    plan = maze.planned(shown_area(seen), focus, style, below)
    canvas = Canvas(style.width, plan.bottom + below + px(8), MOOD.ground)

    def said(names: People) -> str:
        if seen.outcome is not None:
            return seen.outcome.reason
        return words.say(seen.last, seen, names) if seen.last else "The maze begins."

    notes = (frame.Note(seen.variant), frame.Note(f"open {len(seen.passages)}"))
    head = frame.title(seen, people, "The decks are shuffled")
    frame.title_bar(canvas, style, MOOD, head, said, people, notes)
    if plan.overview is not None:
        _draw_cards(canvas, plan.overview, seen)
        _draw_last(canvas, plan.overview, seen, px(3))
        maze.draw_window(canvas, plan, MOOD, style)
    _draw_cards(canvas, plan.grid, seen)
    _draw_passages(canvas, plan.grid, seen)
    maze.draw_coordinates(canvas, plan.grid, MOOD, style)
    _draw_last(canvas, plan.grid, seen, px(5))
    maze.draw_marks(canvas, plan, marks, style)
    for seat in range(seen.players):
        _draw_plate(canvas, seen, people, seat, plan.bottom + seat * step, style)
    return canvas
