"""The picture of the desk toy: four wooden coasters, pyramids on them, the players' trees beside them."""

from __future__ import annotations

from functools import lru_cache, partial
from typing import Final

from games.ambush.actions import Place
from games.ambush.components import COASTERS, COLUMNS, PIPS, PYRAMIDS, ROWS, SIZES, SQUARES
from games.ambush.observation import AmbushObservation
from render import frame
from render.ambush import components, words
from render.canvas import Canvas
from render.frame import Mood
from render.marks import Spot, draw_marks
from render.palette import Colour, shade
from render.renderer import Mark, People, Style
from render.tiles import Pen, Sprite
from render.words import counted

MOOD: Final = Mood(
    ground=shade("felt", 0.22),
    coordinate=shade("teal", 0.9),
    bar=shade("felt", 0.05),
    bar_edge=shade("felt", 0.55),
    bar_text=frame.PAPER,
    bar_dim=shade("felt", 1.0),
    plate=shade("felt", 0.33),
    plate_text=frame.PAPER,
    plate_dim=shade("teal", 0.9),
    lit=shade("gold", 0.82),
    lit_text=frame.INK,
    lit_dim=shade("brown", 0.3),
    accent=shade("gold", 0.82),
)

_CELL: Final = 120
_GAP: Final = 14
"""Between two coasters."""

_RIM: Final = 10
"""Wood around the squares of a coaster."""

_EDGE: Final = 50
_STRIP: Final = 96
"""Height of the players' plates, which stand side by side, so that a change of turn changes few rows."""

_WOOD: Final = (shade("brown", 0.9), shade("brown", 0.82))
_WOOD_EDGE: Final = shade("brown", 0.56)
_GROOVE: Final = shade("brown", 0.66)


def _corner(square: str) -> tuple[int, int]:
    """The upper left corner of a square on the board, in units."""
    column, row = COLUMNS.index(square[0]), ROWS.index(square[1])
    shift = _RIM, _RIM + 2 * _RIM + _GAP
    return column * _CELL + shift[column > 2], row * _CELL + shift[row > 2]


_BOARD: Final = 6 * _CELL + 4 * _RIM + _GAP
"""Side of the four coasters together."""


def _ground_of(square: str) -> Colour:
    """The wood of a square; light and dark alternate."""
    return _WOOD[(COLUMNS.index(square[0]) + ROWS.index(square[1])) % 2]


@lru_cache(maxsize=8)
def _coasters(side: int) -> Sprite:
    """The four empty coasters."""
    pen = Pen(side, side, _BOARD, MOOD.ground)
    wide = 3 * _CELL + 2 * _RIM
    for x in (0, wide + _GAP):
        for y in (0, wide + _GAP):
            pen.box(x, y + 6, x + wide, y + wide, shade("brown", 0.2), 22)
            pen.box(x, y, x + wide, y + wide - 5, _WOOD_EDGE, 22)
            pen.box(x + 3, y + 3, x + wide - 3, y + wide - 9, _WOOD[0], 19)
    for square in SQUARES:
        x, y = _corner(square)
        pen.box(x + 1, y + 1, x + _CELL - 1, y + _CELL - 1, _GROOVE, 8)
        pen.box(x + 3, y + 3, x + _CELL - 3, y + _CELL - 3, _ground_of(square), 7)
    return pen.tile()


@lru_cache(maxsize=64)
def _chip(text: str, width: int, height: int, colour: Colour) -> Sprite:
    """A few letters on a small coloured chip."""
    units = 100 * width / height
    pen = Pen(width, height, units, None)
    pen.box(0, 0, units, 100, frame.INK, 40)
    pen.box(8, 8, units - 8, 92, colour, 34)
    pen.text(units / 2, 50, text, 64, frame.PAPER)
    return pen.tile()


def _draw_board(canvas: Canvas, seen: AmbushObservation, x: int, y: int, style: Style) -> None:
    px = style.px
    canvas.put(_coasters(px(_BOARD)), x, y)
    size = px(_CELL - 10)
    for square, stack in zip(SQUARES, seen.board, strict=True):
        if stack.sizes:
            left, top = (px(part) for part in _corner(square))
            tile = components.stack(stack.owner, stack.sizes, stack.strength, size, _ground_of(square))
            canvas.put(tile, x + left + px(5), y + top + px(5))
    for column in COLUMNS:
        at = x + px(_corner(f"{column}1")[0] + _CELL // 2)
        canvas.text(at, y - px(24), column, px(38), MOOD.coordinate, MOOD.ground, "middle")
    for row in ROWS:
        canvas.seam(y + px(_corner(f"A{row}")[1]) - px(3))
        at = y + px(_corner(f"A{row}")[1] + _CELL // 2)
        canvas.text(x - px(26), at, row, px(38), MOOD.coordinate, MOOD.ground, "middle")


def _frame_square(canvas: Canvas, square: str, x: int, y: int, colour: Colour, style: Style) -> None:
    px = style.px
    left, top = (px(part) for part in _corner(square))
    frame.ring(canvas, x + left, y + top, x + left + px(_CELL), y + top + px(_CELL), px(5), colour)


def _draw_last(canvas: Canvas, seen: AmbushObservation, x: int, y: int, style: Style) -> None:
    """The square played, the coaster turned, what fell, what may fall next."""
    px = style.px
    if seen.last is not None and isinstance(seen.last.action, Place):
        _frame_square(canvas, seen.last.action.square, x, y, MOOD.accent, style)
    if seen.turned is not None:
        wide = 3 * _CELL + 2 * _RIM
        index = COASTERS.index(seen.turned.coaster)
        left, top = x + px((index % 2) * (wide + _GAP)), y + px((index // 2) * (wide + _GAP))
        frame.ring(canvas, left, top, left + px(wide), top + px(wide), px(6), MOOD.accent)
        size = px(84)
        across = left - px(20) if index % 2 == 0 else left + px(wide) + px(20) - size
        down = top - px(20) if index < 2 else top + px(wide) + px(20) - size
        canvas.put(components.turning(seen.turned.angle, size), across, down)
    for item in seen.turn_captures:
        _frame_square(canvas, item.square, x, y, shade("pink", 0.6), style)
        left, top = (px(part) for part in _corner(item.square))
        canvas.put(_chip(f"-{item.size}", px(58), px(42), components.COLOURS[item.owner][0]), x + left, y + top)
    for square in seen.pending:
        _frame_square(canvas, square, x, y, shade("blue", 0.7), style)
        left, top = (px(part) for part in _corner(square))
        canvas.put(_chip("?", px(48), px(42), shade("blue", 0.45)), x + left, y + top)


def _spot(x: int, y: int, style: Style, place: str) -> Spot | None:
    """Where a square is, or the middle of a coaster."""
    px, wide = style.px, 3 * _CELL + 2 * _RIM
    if place in SQUARES:
        left, top = _corner(place)
        return Spot(x + px(left + _CELL / 2), y + px(top + _CELL / 2), px(64))
    if place in COASTERS:
        index = COASTERS.index(place)
        left, top = (index % 2) * (wide + _GAP) + wide // 2, (index // 2) * (wide + _GAP) + wide // 2
        return Spot(x + px(left), y + px(top), px(96), small=False)
    return None


def _draw_plate(
    canvas: Canvas, seen: AmbushObservation, people: People, seat: int, box: tuple[int, int, int, int], style: Style
) -> None:
    """A player's plate: name, turns used, pips captured."""
    px = style.px
    plate = frame.plate(canvas, style, MOOD, box, seat, people, frame.is_lit(seen, seat), components.COLOURS)
    middle = (box[1] + box[3]) // 2
    right = plate.right
    pips = counted(seen.scores[seat], "pip")
    right -= canvas.text(right, middle, pips, px(46), plate.text, plate.ground, "right") + px(20)
    frame.name(canvas, plate.left, middle, people[seat], px(42), plate.text, plate.ground, right - plate.left)


def _draw_material(
    canvas: Canvas,
    seen: AmbushObservation,
    people: People,
    seat: int,
    box: tuple[int, int, int, int],
    style: Style,
) -> None:
    """What a player has and has got: the five trees, what was captured, what was paid."""
    px = style.px
    x0, y0, x1, y1 = box
    ground, text = MOOD.plate, MOOD.plate_text
    canvas.panel(x0, y0, x1, y1, ground, MOOD.ground, px(18))
    left = x0 + px(18)
    canvas.centre(frame.badge(MOOD, people, seat, px(56), ground, components.COLOURS), left + px(28), y0 + px(54))
    used = PYRAMIDS - sum(seen.stash[seat])
    canvas.text(x1 - px(18), y0 + px(54), f"turn {used}/{PYRAMIDS}", px(36), MOOD.plate_dim, ground, "right")
    top, wide, high = y0 + px(84), px(56), px(70)
    trees = [left for left, count in zip((3, 2, 1, 0), seen.trees[seat], strict=True) for _ in range(count)]
    for i, kept in enumerate(trees):
        canvas.put(components.tree(seat, kept, wide, high, ground), left + i * px(58), top)
    y, x = top + high + px(44), left
    for size, count in zip(SIZES, seen.captured[seat], strict=True):
        if count:
            tile = components.pyramid(1 - seat, size, px(30 + 10 * PIPS[size]), ground)
            canvas.centre(tile, x + tile.width // 2, y)
            x += tile.width + px(4)
            x += canvas.text(x, y, f"×{count}", px(34), text, ground) + px(12)
    if any(seen.paid[seat]):
        canvas.text(left, y + px(62), f"paid {sum(seen.paid[seat])}", px(34), MOOD.plate_dim, ground)


def paint(seen: AmbushObservation, people: People, marks: tuple[Mark, ...], style: Style) -> Canvas:
    """The board."""
    px = style.px
    margin, strip = px(frame.MARGIN), px(_STRIP)
    top = px(frame.HEADER) + margin
    x, y = margin + px(_EDGE), top + strip + px(_EDGE) + px(8)
    canvas = Canvas(style.width, y + px(_BOARD) + margin, MOOD.ground)

    def said(names: People) -> str:
        if seen.outcome is not None:
            return seen.outcome.reason
        return words.say(seen.last, seen, names) if seen.last else "No pyramid stands yet."

    head = frame.title(seen, people, "Who begins?", " decides" if seen.pending else "’s turn")
    if seen.outcome is not None and len(seen.outcome.winners) > 1:
        head = frame.Title(None, "A draw", "")
    frame.title_bar(canvas, style, MOOD, head, said, people, (), components.COLOURS)
    _draw_board(canvas, seen, x, y, style)
    _draw_last(canvas, seen, x, y, style)
    left = x + px(_BOARD) + margin
    canvas.seam(top + strip + px(5))
    half = (canvas.width - 3 * margin) // 2
    for seat in range(seen.players):
        start = margin + seat * (half + margin)
        _draw_plate(canvas, seen, people, seat, (start, top, start + half, top + strip), style)
        # Beside the upper or the lower coasters; what changes with every turn stands beside one row of squares.
        upper = y + px(_corner(f"A{1 + 3 * seat}")[1] - 38)
        lower = y + px(_corner("A4")[1] - 38) - margin if seat == 0 else y + px(_BOARD)
        _draw_material(canvas, seen, people, seat, (left, upper, canvas.width - margin, lower), style)
    draw_marks(canvas, marks, partial(_spot, x, y, style))
    return canvas
