"""The picture of the desk toy: four wooden coasters, pyramids on them, the players' trees beside them."""

from __future__ import annotations

from functools import partial
from typing import Final

from games.ambush.actions import Action, Place, Rotate
from games.ambush.board import TURNED, Stack
from games.ambush.components import COASTERS, COLUMNS, PYRAMIDS, ROWS, SIZES, SQUARES
from games.ambush.observation import AmbushObservation
from games.core import CHANCE, Played
from render import deeds, fonts, frame
from render.ambush import components, words
from render.cache import cached
from render.canvas import Canvas, Told
from render.frame import Mood
from render.grammar import counted
from render.marks import Spot, draw_marks
from render.palette import PAPER, Colour, shade
from render.style import Mark, Marks, People, Style
from render.tiles import Pen, Sprite

MOOD: Final = Mood(
    ground=shade("felt", 0.11),
    coordinate=shade("teal", 0.9),
    bar=shade("felt", 0.0),
    bar_edge=shade("felt", 0.55),
    bar_dim=shade("felt", 1.0),
    plate=shade("felt", 0.33),
    plate_dim=shade("teal", 0.9),
    seats=components.COLOURS,
)

_CELL: Final = 166
_GAP: Final = 14
"""Between two coasters."""

_RIM: Final = 10
"""Wood around the squares of a coaster."""

_THICK: Final = 12
"""Height of a coaster as seen from the front."""

_EDGE: Final = 58
"""Room for the letters of the columns."""

_NAME: Final = 92
"""Height of the upper part of a player's plate."""

_STRIP: Final = 188
"""Height of a player's plate. Plates stand side by side, so that a change of turn changes few rows of pixels."""

_TREE: Final = 44
_TREE_STEP: Final = 46
_RAIL: Final = 34
"""Height of the front edge of the table."""

_FELT: Final = shade("felt", 0.33)
_FELT_SHADOW: Final = shade("felt", 0.11)
_WOOD: Final = (shade("brown", 0.89), shade("brown", 0.78))
_WOOD_EDGE: Final = shade("brown", 0.44)
_LIGHT: Final = shade("brown", 1.0)
_GROOVE: Final = shade("brown", 0.67)
_SHADOW: Final = shade("brown", 0.56)


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


@cached
def _coasters(side: int, height: int) -> Sprite:
    """The four empty coasters, blocks of wood that lie on the felt."""
    pen = Pen(side, height, _BOARD + 12, _FELT)
    wide = 3 * _CELL + 2 * _RIM
    for x in (0, wide + _GAP):
        for y in (0, wide + _GAP):
            pen.box(x + 5, y + 10, x + wide + 11, y + wide + 13, _FELT_SHADOW, 20)
            pen.box(x, y + 12, x + wide, y + wide + 2, _WOOD_EDGE, 20)
            pen.box(x, y, x + wide, y + wide - _THICK + 2, _LIGHT, 20)
            pen.box(x + 3, y + 3, x + wide, y + wide - _THICK + 2, _GROOVE, 18)
            pen.box(x + 3, y + 3, x + wide - 2, y + wide - _THICK, _WOOD[0], 17)
    for square in SQUARES:
        x, y = _corner(square)
        pen.box(x + 2, y + 2, x + _CELL - 2, y + _CELL - 8, _LIGHT, 9)
        pen.box(x + 2, y + 2, x + _CELL - 4, y + _CELL - 10, _SHADOW, 8)
        pen.box(x + 5, y + 5, x + _CELL - 4, y + _CELL - 10, _ground_of(square), 6)
    return pen.tile()


def _draw_table(canvas: Canvas, top: int, bottom: int) -> None:
    """Draw a table covered with felt in a wooden frame, with its front edge at the bottom."""
    px = canvas.px
    wide, rail = canvas.width, px(16)
    canvas.seam(top)
    canvas.fill(0, top, wide, bottom, shade("brown", 0.33))
    canvas.fill(0, top, wide, top + px(4), shade("brown", 0.67))
    canvas.fill(rail - px(4), top + rail - px(4), wide - rail + px(4), bottom, shade("brown", 0.11))
    canvas.fill(rail, top + rail, wide - rail, bottom, _FELT)
    canvas.fill(rail, top + rail, wide - rail, top + rail + px(8), _FELT_SHADOW)
    canvas.fill(rail, top + rail, rail + px(6), bottom, _FELT_SHADOW)
    canvas.fill(0, bottom, wide, bottom + px(5), shade("brown", 0.67))
    canvas.fill(0, bottom + px(5), wide, bottom + px(24), shade("brown", 0.44))
    canvas.fill(0, bottom + px(24), wide, bottom + px(_RAIL), shade("brown", 0.11))


def _draw_board(canvas: Canvas, seen: AmbushObservation, x: int, y: int) -> None:
    px = canvas.px
    canvas.put(_coasters(px(_BOARD + 12), px(_BOARD + 14)), x, y)
    size = px(_CELL - 16)
    for square, stack in zip(SQUARES, seen.board, strict=True):
        if stack.sizes:
            left, top = (px(part) for part in _corner(square))
            tile = components.stack(size, _ground_of(square), stack.owner, stack.sizes, stack.strength, _SHADOW)
            canvas.put(tile, x + left + px(6), y + top + px(6))
    for column in COLUMNS:
        at = x + px(_corner(f"{column}1")[0] + _CELL // 2)
        canvas.text(at, y - px(30), column, px(42), MOOD.coordinate, _FELT, "middle")
    for coaster in COASTERS:
        # In the outer corners, beside the letters and numbers.
        down, out = (px(-30), px(24)) if "N" in coaster else (px(_BOARD - 26), px(29))
        across = -out if "W" in coaster else px(_BOARD) + out
        canvas.text(x + across, y + down, coaster, px(36), MOOD.coordinate, _FELT, "middle")
    for row in ROWS:
        canvas.seam(y + px(_corner(f"A{row}")[1]) - px(3))
        at = y + px(_corner(f"A{row}")[1] + _CELL // 2)
        canvas.text(x - px(30), at, row, px(42), MOOD.coordinate, _FELT, "middle")


def _frame_square(canvas: Canvas, square: str, x: int, y: int, colour: Colour) -> None:
    px = canvas.px
    left, top = (px(part) for part in _corner(square))
    frame.ring(canvas, x + left, y + top, x + left + px(_CELL), y + top + px(_CELL - 6), px(6), colour)


def _label_square(canvas: Canvas, square: str, x: int, y: int, text: str, wide: int, colour: Colour) -> None:
    """Put a chip on the right edge of a square."""
    px = canvas.px
    left, top = (px(part) for part in _corner(square))
    chip = frame.chip(text, wide, px(58), colour, PAPER, 8, 40, 66)
    canvas.put(chip, x + left + px(_CELL + 2) - wide, y + top + px(46))


def trace(marks: Marks, played: Played[Action], seen: AmbushObservation, before: AmbushObservation | None) -> Marks:
    """Mark the square played or the coaster turned, and what fell. What stood on a turned coaster is marked there."""
    action, turned = played.action, seen.turned
    # Of a turn whose beginning isn't known, all its captures.
    fell = seen.turn_captures if before is None else seen.last_captures
    new = [Mark(0, item.square, gone=f"{item.size}{item.owner}", seat=1 - item.owner) for item in fell]
    if isinstance(action, Place):
        new.insert(0, Mark(0, action.square))
    elif isinstance(action, Rotate) or (turned is not None and before is None):
        assert turned is not None
        came = TURNED[turned.coaster, turned.angle](tuple(Stack(0, square, 0) for square in SQUARES))
        places = {stack.sizes: square for square, stack in zip(SQUARES, came, strict=True)}
        marks = tuple(mark._replace(place=places.get(mark.place, mark.place)) for mark in marks)
        new.insert(0, Mark(0, turned.coaster, sign=str(turned.angle)))
    return (*marks, *new)


def _draw_done(canvas: Canvas, seen: AmbushObservation, x: int, y: int) -> None:
    """Draw what was done: what fell, what may fall next, and the coasters turned."""
    px, done, wide = canvas.px, canvas.done, 3 * _CELL + 2 * _RIM
    for mark in done:
        if mark.gone:
            _frame_square(canvas, mark.place, x, y, shade("pink", 0.6))
            colour = components.COLOURS[int(mark.gone[1])][0]
            _label_square(canvas, mark.place, x, y, f"-{mark.gone[0]}", px(80), colour)
    for square in seen.pending:
        _frame_square(canvas, square, x, y, shade("blue", 0.7))
        _label_square(canvas, square, x, y, "?", px(64), shade("blue", 0.45))
    for mark in done:
        if mark.sign:
            index = COASTERS.index(mark.place)
            left, top = x + px((index % 2) * (wide + _GAP)), y + px((index // 2) * (wide + _GAP))
            frame.ring(canvas, left, top, left + px(wide), top + px(wide), px(6), MOOD.accent)
            # Beside the board, between the numbers of two rows.
            across = left - px(26) if index % 2 == 0 else left + px(wide + 26)
            down, size = top + px(_RIM + _CELL), px(104)
            canvas.centre(components.turning(size, None, int(mark.sign)), across, down)
            box = (across - size // 2, down - size // 2, across + size // 2, down + size // 2)
            canvas.told.append(Told(mark.number, mark.place, box))


def _spot(canvas: Canvas, x: int, y: int, place: str) -> Spot | None:
    """The spot of a square, or of a coaster: at its far edge, where a mark hides only the tip of a pyramid."""
    px, wide = canvas.px, 3 * _CELL + 2 * _RIM
    if place in SQUARES:
        left, top = _corner(place)
        return Spot(x + px(left + _CELL / 2), y + px(top + _CELL / 2), px(88), corner=(px(-46), px(-52)))
    if place in COASTERS:
        index = COASTERS.index(place)
        left, top = (index % 2) * (wide + _GAP) + wide // 2, (index // 2) * (wide + _GAP) + 50
        # What was done is marked beside the board, below the arrow of a turn.
        corner = (px(wide / 2 + 26) * (2 * (index % 2) - 1), px(_RIM + 2 * _CELL - 50))
        return Spot(x + px(left), y + px(top), px(96), small=False, corner=corner)
    return None


def _draw_plate(
    canvas: Canvas, seen: AmbushObservation, people: People, seat: int, box: tuple[int, int, int, int]
) -> None:
    """Draw a player's plate: name and pips captured; below them the five trees, what was captured, what was paid."""
    px = canvas.px
    x0, y0, x1, _ = box
    plate = frame.plate(canvas, MOOD, box, seen, seat, people)
    middle, right = y0 + px(_NAME // 2 + 4), plate.right
    pips = counted(seen.scores[seat], "pip")
    right -= canvas.text(right, middle, pips, px(48), plate.text, plate.ground, "right") + px(20)
    frame.name(canvas, plate.left, middle, people[seat], px(42), plate.text, plate.ground, right - plate.left)
    left, top = x0 + px(18), y0 + px(_NAME + 16)
    trees = [left for left, count in zip((3, 2, 1, 0), seen.trees[seat], strict=True) for _ in range(count)]
    for i, remaining in enumerate(trees):
        tile = components.tree(seat, remaining, px(_TREE), px(_TREE * 4 // 3), plate.ground)
        canvas.put(tile, left + i * px(_TREE_STEP), top)
    x, y = left + PYRAMIDS // 3 * px(_TREE_STEP) + px(6), top + px(_TREE * 2 // 3)
    for size, count in zip(SIZES, seen.captured[seat], strict=True):
        if count:
            canvas.centre(components.bare(px(44), plate.ground, 1 - seat, size), x + px(20), y)
            x += px(40)
            x += canvas.text(x, y, str(count), px(38), plate.text, plate.ground) + px(4)
    paid = f"paid {sum(seen.paid[seat])}"
    # There is no room beside twelve captured pyramids of each size. The words tell it too.
    if any(seen.paid[seat]) and x + fonts.width(paid, px(36)) <= x1 - px(14):
        canvas.text(x1 - px(14), y, paid, px(36), plate.dim, plate.ground, "right")


def paint(seen: AmbushObservation, people: People, marks: Marks, style: Style) -> Canvas:
    """Paint the board."""
    px = style.px
    margin = px(frame.MARGIN)
    top = px(frame.HEADER) + margin
    table = top + px(_STRIP) + margin
    x, y = (style.width - px(_BOARD)) // 2, table + px(16 + _EDGE)
    bottom = y + px(_BOARD) + px(26)
    canvas = Canvas(style.width, bottom + px(_RAIL), MOOD.ground, deeds.shown(trace, seen, marks))

    head = frame.title(seen, people, "Who begins?", " decides" if seen.pending else "’s turn")
    if seen.outcome is not None and len(seen.outcome.winners) > 1:
        head = frame.Title(None, "A draw", "")
    used = PYRAMIDS - sum(seen.stash[max(seen.current_player, 0)])
    turn = min(used + (seen.outcome is None and not seen.pending), PYRAMIDS)
    notes = (frame.Note(f"turn {turn}/{PYRAMIDS}"),) if seen.current_player != CHANCE else ()
    frame.title_bar(canvas, MOOD, head, notes, seen, words.say, people, "No pyramids yet.")
    half = (canvas.width - 3 * margin) // 2
    for seat in range(seen.players):
        start = margin + seat * (half + margin)
        _draw_plate(canvas, seen, people, seat, (start, top, start + half, top + px(_STRIP)))
    _draw_table(canvas, table, bottom)
    _draw_board(canvas, seen, x, y)
    _draw_done(canvas, seen, x, y)
    stands = {square for square, stack in zip(SQUARES, seen.board, strict=True) if stack.sizes}
    marks = tuple(
        mark._replace(aside=mark.aside or (mark.place in stands and bool(mark.number or mark.name))) for mark in marks
    )
    turns_first = sorted(canvas.done, key=lambda mark: mark.place not in COASTERS)
    deeds.draw(canvas, MOOD, people, turns_first, partial(_spot, canvas, x, y))
    draw_marks(canvas, marks, partial(_spot, canvas, x, y))
    return canvas
