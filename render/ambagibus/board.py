"""The picture of the paper maze: the cards on the table, their open passages, the players below."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from games.ambagibus.actions import Action, Pass, Play
from games.ambagibus.board import Passage
from games.ambagibus.components import BOMB, CAVE
from games.ambagibus.observation import AmbagibusObservation
from games.core import Played
from games.grid import EDGES, Cell, cell_to_string, string_to_cell
from render import deeds, frame, maze
from render.ambagibus import components, words
from render.cache import cached
from render.canvas import Canvas
from render.frame import Mood
from render.marks import CARD, PASS
from render.maze import Area, Grid
from render.palette import shade
from render.style import Mark, Marks, People, Style
from render.tiles import Pen, Sprite

MOOD: Final = Mood(
    ground=shade("brown", 0.11),
    coordinate=shade("brown", 1.0),
    bar=shade("brown", 0.0),
    bar_edge=shade("brown", 0.56),
    bar_dim=shade("paper", 0.66),
    plate=shade("brown", 0.22),
    plate_dim=shade("paper", 0.66),
    lit_dim=shade("brown", 0.33),
    accent=shade("pink", 0.56),
)

TABLE: Final = replace(MOOD, ground=shade("brown", 0.33))
"""The colours on the wood of the table."""

MAT: Final = shade("teal", 0.22)
_MAT_LINE: Final = shade("teal", 0.33)
_SHADOW: Final = shade("teal", 0.0)
_PLANK: Final = shade("brown", 0.22)
_RAIL: Final = 30
"""Height of the table's front edge and its shadow."""

_PLATE: Final = 110
_ROW_CARD: Final = 98

_SIZES: Final = maze.Sizes(smallest=88, region=96, beside=400, above=280)
"""Sizes of cards at which numerals are legible on a phone."""

_COUNTS: Final = 240
"""Room on a plate for the closed sections and the cards of the deck."""

_NEXT: Final = 3
"""How many cards of every deck, from the top, are shown if nothing is hidden."""


def shown_area(seen: AmbagibusObservation) -> Area:
    """The cards plus one ring, which holds every place that a card can go to."""
    cells: set[Cell] = maze.ringed({item.cell for item in seen.maze} or {(0, 0)})
    if seen.last_cell is not None:
        cells.add(seen.last_cell)
    return maze.around(cells)


_CROSSED: Final = 60
"""Least width in pixels at which empty places have crosses."""


@cached
def _slot(width: int, height: int) -> Sprite:
    """An empty place: a field of the mat."""
    pen = Pen(width, height, 100, MAT)
    if width >= _CROSSED:
        pen.box(48, 40, 52, 60, _MAT_LINE)
        pen.box(40, 48, 60, 52, _MAT_LINE)
    return pen.tile()


def draw_planks(canvas: Canvas, top: int, bottom: int) -> None:
    """Draw the wood of the table."""
    px = canvas.px
    canvas.fill(0, top, canvas.width, bottom, TABLE.ground)
    for y in range(top + px(70), bottom - px(20), px(150)):
        canvas.fill(0, y, canvas.width, y + px(4), _PLANK)


def _draw_table(canvas: Canvas, plan: maze.Plan) -> None:
    """Draw the wooden table with its front edge, and the mat on which the maze lies."""
    px = canvas.px
    top, bottom, wide = px(frame.HEADER), plan.bottom, canvas.width
    draw_planks(canvas, top, bottom)
    canvas.fill(0, bottom, wide, bottom + px(5), shade("brown", 0.67))
    canvas.fill(0, bottom + px(5), wide, bottom + px(20), shade("brown", 0.44))
    canvas.fill(0, bottom + px(20), wide, bottom + px(28), shade("brown", 0.0))
    canvas.seam(bottom)
    for grid, rim in ((plan.overview, 4), (plan.grid, 8)):
        if grid is not None:
            x0, y0, x1, y1 = grid.x - px(rim), grid.y - px(rim), grid.x + grid.width, grid.y + grid.height
            canvas.fill(x0 + px(7), y0 + px(9), x1 + px(rim + 7), y1 + px(rim + 9), MOOD.ground)
            canvas.fill(x0, y0, x1 + px(rim), y1 + px(rim), MAT)
            canvas.frame(x0, y0, x1 + px(rim), y1 + px(rim), px(3), _MAT_LINE)


def draw_ground(canvas: Canvas, grid: Grid, cells: Iterable[Cell]) -> None:
    """Draw the empty places, and the shadows of the cards that lie on some of them."""
    maze.draw_slots(canvas, grid, _slot, MAT)
    right, down = max(2, grid.wide // 18), max(2, grid.wide // 13)
    for cell in filter(grid.area.holds, cells):
        x, y = grid.corner(cell)
        canvas.fill(x + right, y + down, x + grid.wide + right, y + grid.high + down, _SHADOW)


def _draw_cards(
    canvas: Canvas, grid: Grid, seen: AmbagibusObservation, arrows: tuple[Passage, ...] | None = None
) -> None:
    """Draw the cards, without the numbers that stand on `arrows`; in an overview (``None``) without any numbers."""
    laid = {item.cell: item for item in seen.maze}
    closed = {cell for sections in seen.closed_sections for section in sections for cell in section}
    draw_ground(canvas, grid, laid)
    pointed = {(item.cell, item.edge) for item in arrows or ()}
    for cell, item in laid.items():
        if not grid.area.holds(cell):
            continue
        at = grid.corner(cell)
        if item.card == CAVE:
            canvas.put(components.caved_in(grid.wide, MAT, item.owner), *at)
        else:
            numbered = "".join(edge for edge in EDGES if arrows is not None and (cell, edge) not in pointed)
            components.lay(canvas, at, grid.wide, MAT, item.card, item.owner, cell in closed, numbered)


def _arrows(grid: Grid, seen: AmbagibusObservation) -> tuple[Passage, ...]:
    """The open passages with both ends in the grid."""
    holds = grid.area.holds
    return tuple(item for item in seen.passages if holds(item.cell) and holds(item.leads_to))


def _draw_passages(canvas: Canvas, grid: Grid, arrows: tuple[Passage, ...]) -> None:
    """Draw an arrow with its number out of every opening that leads to an empty cell."""
    size = grid.wide * 60 // 100
    for item in arrows:
        (x0, y0), (x1, y1) = grid.middle(item.cell), grid.middle(item.leads_to)
        across, down = (x0 * 37 + x1 * 63) // 100, (y0 * 37 + y1 * 63) // 100
        canvas.centre(components.passage(size, None, item.edge, item.priority, item.owner), across, down)


def trace(
    marks: Marks, played: Played[Action], seen: AmbagibusObservation, before: AmbagibusObservation | None
) -> Marks:
    """Mark the cell of a card played, with the card that a bomb has removed, or else the player's plate."""
    action = played.action
    if not isinstance(action, Play):
        return (*marks, Mark(0, frame.at_plate(played.player), sign=PASS if isinstance(action, Pass) else CARD))
    gone = "" if action.card != BOMB else "?"
    for item in before.maze if before is not None and gone else ():
        gone = f"{item.card}:{item.owner}" if item.cell == action.cell else gone
    return (*marks, Mark(0, cell_to_string(action.cell), gone=gone))


def draw_done(canvas: Canvas, grid: Grid, seen: AmbagibusObservation) -> None:
    """Draw what bombs have removed."""
    for mark in canvas.done:
        cell = string_to_cell(mark.place)
        if mark.gone and cell is not None and grid.area.holds(cell) and all(item.cell != cell for item in seen.maze):
            card, _, owner = mark.gone.partition(":")
            if owner:
                canvas.put(components.final(grid.wide, MAT, card, int(owner), False, True), *grid.corner(cell))
            canvas.centre(components.blast(grid.wide * 6 // 10, None), *grid.middle(cell))


def _draw_plate(canvas: Canvas, seen: AmbagibusObservation, people: People, seat: int, y: int) -> None:
    """Draw a player's plate: name, closed sections, cards in the deck, cards face up with their names."""
    px = canvas.px
    box = (px(frame.MARGIN), y, canvas.width - px(frame.MARGIN), y + px(_PLATE))
    plate = frame.plate(canvas, MOOD, box, seen, seat, people)
    size, middle = px(_ROW_CARD), y + px(_PLATE) // 2
    right = plate.right
    for name in reversed(seen.rows[seat]):
        right -= (
            canvas.text(right, middle, words.in_row(name), px(36), plate.text, plate.ground, "right") + px(10) + size
        )
        canvas.put(components.card(name, seat, size, plate.ground), right, middle - size // 2)
        right -= px(22)
    if seen.decks is not None and seen.outcome is None:
        right = _draw_next(canvas, seen.decks[seat], seat, (plate.left + px(_COUNTS), right), middle, plate)
    frame.name(canvas, plate.left, plate.upper, people[seat], px(40), plate.text, plate.ground, right - plate.left)
    x, sign = plate.left, px(42)
    for tile, count in (
        (components.seal(sign, plate.ground), seen.scores[seat]),
        (frame.pile(sign, plate.ground), seen.deck_sizes[seat]),
    ):
        canvas.centre(tile, x + sign // 2, plate.lower)
        canvas.text(x + sign + px(8), plate.lower, str(count), px(40), plate.text, plate.ground)
        x += px(_COUNTS // 2)


def _draw_next(
    canvas: Canvas, deck: tuple[str, ...], seat: int, room: tuple[int, int], middle: int, plate: frame.Plate
) -> int:
    """Draw the next cards of a deck, as many as fit into `room` (left and right). Returns their left end."""
    size, step = canvas.px(_ROW_CARD), canvas.px(_ROW_CARD + 8)
    left, right = room
    shown = deck[: min(_NEXT, (right - left) // step)]
    for number, name in enumerate(shown):
        canvas.put(components.card(name, seat, size, plate.ground), left + number * step, middle - size // 2)
    return left if shown else right


def paint(seen: AmbagibusObservation, people: People, marks: Marks, style: Style, sizes: maze.Sizes = _SIZES) -> Canvas:
    """Paint the maze with cards of these sizes, and the players."""
    px = style.px
    step = px(_PLATE + 10)
    below = seen.players * step + px(_RAIL)
    pointed_out = [cell for mark in marks if mark.seat is None and (cell := string_to_cell(mark.place))]
    done = deeds.shown(trace, seen, marks)
    focus = pointed_out or maze.cells_of(done, (0, 0))
    plan = maze.planned(shown_area(seen), focus, style, below, sizes=sizes)
    canvas = Canvas(style.width, plan.bottom + below + px(8), MOOD.ground, done)

    notes = (frame.Note(seen.variant), frame.Note(f"open {len(seen.passages)}"))
    head = frame.title(seen, people, "The decks are shuffled")
    frame.title_bar(canvas, MOOD, head, notes, seen, words.say, people, "The maze begins.")
    _draw_table(canvas, plan)
    if plan.overview is not None:
        _draw_cards(canvas, plan.overview, seen)
        draw_done(canvas, plan.overview, seen)
        maze.draw_window(canvas, plan, TABLE)
    arrows = _arrows(plan.grid, seen)
    _draw_cards(canvas, plan.grid, seen, arrows)
    maze.draw_coordinates(canvas, plan.grid, TABLE)
    draw_done(canvas, plan.grid, seen)
    _draw_passages(canvas, plan.grid, arrows)
    maze.draw_deeds(canvas, plan, MOOD, people)
    maze.draw_marks(canvas, plan, marks)
    for seat in range(seen.players):
        _draw_plate(canvas, seen, people, seat, plan.bottom + px(_RAIL) + seat * step)
    return canvas
