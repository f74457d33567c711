"""The picture of the jungle path: two rows of waiting animals and the winding corridor between them.

Neighbouring corridor squares belong to different sides, so the path is drawn as a zigzag: north's squares lie a little
higher, south's a little lower, and every stone has room for a piece that can be read on a phone.
"""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Final

from games.core import Played
from games.gambo.actions import Action, Pass
from games.gambo.board import LANES, START_SQUARES
from games.gambo.components import DUELS_IN_A_MATCH, KINDS
from games.gambo.observation import GamboObservation
from render import deeds, fonts, frame
from render.cache import cached
from render.canvas import Canvas
from render.frame import Mood
from render.gambo import components, words
from render.marks import CHOICE, PASS, Spot, draw_marks
from render.palette import PAPER, Colour, shade
from render.style import Mark, Marks, People, Style
from render.tiles import Pen, Sprite

MOOD: Final = Mood(
    ground=shade("jungle", 0.2),
    coordinate=PAPER,
    bar=shade("jungle", 0.06),
    bar_edge=shade("jungle", 0.42),
    bar_dim=shade("jungle", 0.85),
    plate=shade("jungle", 0.3),
    plate_dim=shade("jungle", 0.92),
    accent=shade("gold", 0.85),
    seats=components.PIECE_COLOURS[:2],
)

_PLATE: Final = 112
_ORDER: Final = 72
"""Height of the strip that shows which animal beats which."""

_FIELD: Final = 640
"""Height of everything between the plates."""

_LEFT: Final = 62.0
_STEP: Final = 63.3
"""Distance from one square of the corridor to the next, left to right."""

_NORTH_ROW, _UPPER, _LOWER, _SOUTH_ROW = 108.0, 270.0, 358.0, 526.0
_WAITING: Final = 112
_WALKING: Final = 100
_TRAIL: Final = shade("earth", 0.42)
_TRAIL_EDGE: Final = shade("earth", 0.16)
_STONE: Final = shade("rock", 0.66)
_STONE_EDGE: Final = shade("rock", 0.2)
_LEAF: Final = shade("jungle", 0.4)


def _walking(lane: int) -> tuple[float, float]:
    """The middle of a lane's corridor square, in units of the field."""
    return _LEFT + _STEP * lane, _UPPER if lane % 2 else _LOWER


def _waiting(lane: int) -> tuple[float, float]:
    """The middle of a lane's starting square, in units of the field."""
    return _LEFT + _STEP * lane, _NORTH_ROW if lane % 2 else _SOUTH_ROW


def _leaf(pen: Pen, x: float, y: float, size: float, lean: float, colour: Colour) -> None:
    """Draw a fern: a stalk with leaves on both sides."""
    pen.line([(x, y), (x + lean * size, y - size)], 4, colour)
    for i in range(3):
        px, py = x + lean * i * size / 3, y - i * size / 3
        reach = size * (0.5 - 0.11 * i)
        for side in (-1, 1):
            tip = (px + side * reach, py - size * 0.16)
            pen.polygon([(px, py + size * 0.06), (px + side * reach * 0.5, py - size * 0.14), tip], colour)


@cached
def _field(width: int, height: int) -> Sprite:
    """The empty field: jungle, trail, stones, starting squares."""
    pen = Pen(width, height, 1200, MOOD.ground)
    rng = Random("jungle")
    # Only where nothing hides them: a leaf that is half hidden would make the file larger, too.
    for lanes, base, size in ((range(1, LANES, 8), 482, 78), (range(6, LANES, 8), 226, 66)):
        for lane in lanes:
            x = _LEFT + _STEP * lane + rng.uniform(-9, 9)
            _leaf(pen, x, base, size + rng.uniform(-8, 8), rng.uniform(-0.3, 0.3), _LEAF)
    trail = [(-40.0, _UPPER), *(_walking(lane) for lane in range(LANES)), (1240.0, _LOWER)]
    for lane in range(LANES):
        (x, y), (start_x, start_y) = _walking(lane), _waiting(lane)
        pen.line([(x, y), (start_x, start_y)], 34, _TRAIL_EDGE)
    pen.line(trail, 92, _TRAIL_EDGE)
    for lane in range(LANES):
        (x, y), (start_x, start_y) = _walking(lane), _waiting(lane)
        pen.line([(x, y), (start_x, start_y)], 22, _TRAIL)
    pen.line(trail, 78, _TRAIL)
    for lane in range(LANES):
        x, y = _walking(lane)
        pen.circle(x, y, 46, _STONE_EDGE)
        pen.circle(x, y - 2, 42, _STONE)
        x, y = _waiting(lane)
        pen.circle(x, y, 53, _STONE_EDGE)
        pen.circle(x, y, 48, shade("jungle", 0.34))
    return pen.tile()


def trace(marks: Marks, played: Played[Action], seen: GamboObservation, before: GamboObservation | None) -> Marks:
    """Mark the squares of pieces that the action moved or took from the board, or else the player's plate."""
    if seen.moved:
        gone = [f"{move.piece}{move.player}" if move.destination is None else "" for move in seen.moved]
        places = [move.destination or move.origin for move in seen.moved]
        return (*marks, *(Mark(0, place, gone=left) for place, left in zip(places, gone, strict=True)))
    return (
        *marks,
        Mark(0, frame.at_plate(played.player), sign=PASS if isinstance(played.action, Pass) else CHOICE),
    )


def _draw_squares(canvas: Canvas, seen: GamboObservation, top: int) -> None:
    """Draw the signs of the squares, the pieces, and what has left the board."""
    px, fallen = canvas.px, {mark.place: mark.gone for mark in canvas.done if mark.gone}
    for lane, piece in enumerate(seen.corridor):
        owner = words.owner_of(seen, lane)
        start = START_SQUARES[lane]
        waiting = (seen.north if lane % 2 else seen.south)[lane // 2]
        for square, place, name, size in (
            (str(lane + 1), _walking(lane), piece, _WALKING),
            (start, _waiting(lane), waiting, _WAITING),
        ):
            x, y = px(place[0]), top + px(place[1])
            if name:
                canvas.centre(components.piece(px(size), None, name, 2 if owner is None else owner), x, y)
            elif square in fallen:
                fell, side = fallen[square][:-1], int(fallen[square][-1])
                canvas.centre(components.piece(px(size), None, fell, side, _TRAIL), x, y)
            offset = (72 if size == _WALKING else 79) * (-1 if lane % 2 else 1)
            wide = 62 if size == _WALKING else 70
            sign = frame.chip(square, px(wide), px(46), shade("brown", 0.3), PAPER, 7, 30, 81)
            canvas.centre(sign, x, y + px(offset))


def _draw_order(canvas: Canvas, y: int) -> None:
    """Draw which animal beats which, whatever their strengths (G6)."""
    px, size, beats = canvas.px, canvas.px(56), "beats"
    middle, gap, wide = y + px(_ORDER) // 2, px(14), fonts.width(beats, px(38))
    x = (canvas.width - (len(KINDS) + 1) * size - len(KINDS) * (wide + 2 * gap)) // 2
    for kind in KINDS:
        canvas.put(components.animal(size, MOOD.ground, kind), x, middle - size // 2)
        x += size + gap
        x += canvas.text(x, middle, beats, px(38), MOOD.plate_dim, MOOD.ground) + gap
    canvas.put(components.animal(size, MOOD.ground, KINDS[0]), x, middle - size // 2)


def _draw_plate(canvas: Canvas, seen: GamboObservation, people: People, seat: int, y: int, side: str) -> None:
    """Draw a player's plate: name, side, points, and the points of each duel won."""
    px = canvas.px
    box = (px(frame.MARGIN), y, canvas.width - px(frame.MARGIN), y + px(_PLATE))
    plate = frame.plate(canvas, MOOD, box, seen, seat, people)
    middle = (box[1] + box[3]) // 2
    total = str(seen.scores[seat])
    right = plate.right - canvas.text(plate.right, middle, total, px(76), plate.text, plate.ground, "right") - px(24)
    frame.name(canvas, plate.left, plate.upper, people[seat], px(42), plate.text, plate.ground, right - plate.left)
    x = plate.left
    if side:
        x += canvas.text(x, plate.lower, side, px(36), plate.dim, plate.ground) + px(28)
    gains = [f"+{fought.points}" for fought in seen.duels if fought.winner == seat]
    if len(seen.duels) == DUELS_IN_A_MATCH and seen.duels[-1].winner == seat:
        gains.append("+4 last duel")
    for gain in gains:
        wide = canvas.text(x, plate.lower, gain, px(36), plate.text, plate.ground)
        x += wide + px(18)


def _draw_free(canvas: Canvas, side: str, y: int) -> None:
    """Draw the plate of a side that nobody has chosen yet."""
    px, high = canvas.px, canvas.px(_PLATE)
    canvas.panel(px(frame.MARGIN), y, canvas.width - px(frame.MARGIN), y + high, MOOD.plate, MOOD.ground, px(18))
    text = f"The {side}, still free"
    canvas.text(canvas.width // 2, y + high // 2, text, px(42), MOOD.plate_dim, MOOD.plate, "middle")


def paint(seen: GamboObservation, people: People, marks: Marks, style: Style) -> Canvas:
    """Paint the board."""
    px = style.px
    margin, plate = px(frame.MARGIN), px(_PLATE)
    top = px(frame.HEADER) + margin + plate
    bottom = top + px(_FIELD) + plate
    canvas = Canvas(style.width, bottom + px(_ORDER) + px(8), MOOD.ground, deeds.shown(trace, seen, marks))

    doing = "’s turn" if seen.sides else " chooses a side"
    head = frame.title(seen, people, "The rows are being filled", doing)
    notes = (frame.Note(f"Duel {min(len(seen.duels) + 1, 9)}/9"),)
    frame.title_bar(canvas, MOOD, head, notes, seen, words.say, people)
    canvas.put(_field(style.width, px(_FIELD)), 0, top)
    for middle, size in ((_NORTH_ROW, _WAITING), (_UPPER, _WALKING), (_LOWER, _WALKING), (_SOUTH_ROW, _WAITING)):
        for side in (-1, 1):
            canvas.seam(top + px(middle) + side * (px(size + 16) // 2 + 1))
    _draw_squares(canvas, seen, top)
    for row, y in (("north", top - plate), ("south", top + px(_FIELD))):
        if seen.sides:
            _draw_plate(canvas, seen, people, seen.sides.index(row), y, row)
        else:
            _draw_free(canvas, row, y)
    _draw_order(canvas, bottom + px(4))
    canvas.seam(top)
    canvas.seam(bottom)
    find = partial(_spot, canvas, top)
    deeds.draw(canvas, MOOD, people, canvas.done, find)
    draw_marks(canvas, marks, find)
    return canvas


def _spot(canvas: Canvas, top: int, place: str) -> Spot | None:
    """The spot of a square."""
    places = {str(lane + 1): _walking(lane) for lane in range(LANES)}
    places |= {START_SQUARES[lane]: _waiting(lane) for lane in range(LANES)}
    if place not in places:
        return None
    px, (x, y) = canvas.px, places[place]
    # Beside the middle, so that the piece there can be seen, and away from the strength of the piece to the upper left.
    across = 30 if y == _LOWER else -30
    # The mark of an action stands in the gap between two pieces of the upper row, or at the upper left.
    corner = (px(6), px(-58)) if y == _LOWER else (px(-40), px(-40))
    return Spot(px(x), top + px(y), px(72), shift=(px(across), px(-34)), corner=corner)
