"""The picture of the hill: four cairns in a row, the players below them."""

from __future__ import annotations

from functools import partial
from typing import Final

from render import frame
from render.canvas import Canvas
from render.frame import Mood
from render.marks import Spot, draw_marks
from render.palette import PAPER, shade
from render.style import Mark, People, Style
from tests.sixth.game.components import LETTERS
from tests.sixth.game.observation import MoorObservation
from tests.sixth.render import components, words

MOOD: Final = Mood(
    ground=shade("slate", 0.3),
    coordinate=PAPER,
    bar=shade("slate", 0.1),
    bar_edge=shade("slate", 0.5),
    bar_dim=shade("slate", 0.9),
    plate=shade("slate", 0.4),
    plate_dim=PAPER,
)

_HILL: Final = 330
"""Height of everything between the title bar and the plates."""

_CAIRN: Final = 220
_PLATE: Final = 96


def paint(seen: MoorObservation, people: People, marks: tuple[Mark, ...], style: Style) -> Canvas:
    """Draw the table."""
    px = style.px
    top = px(frame.HEADER)
    plates, step = top + px(_HILL), px(_PLATE + 12)
    canvas = Canvas(style.width, plates + seen.players * step + px(6), MOOD.ground)

    head = frame.title(seen, people, "The tokens are being dealt")
    notes = (frame.Note(f"up to {seen.most} stones"),)
    frame.title_bar(canvas, MOOD, head, notes, seen, words.say, people)
    for place, letter in enumerate(LETTERS):
        spot = _spot(canvas, letter)
        assert spot is not None
        owner = seen.owners[place]
        if owner is None:
            canvas.centre(components.cairn(px(_CAIRN), MOOD.ground, seen.stones[place]), spot.x, spot.y)
        else:
            canvas.centre(frame.badge(MOOD, people, owner, px(_CAIRN // 2), MOOD.ground), spot.x, spot.y)
        foot = f"{letter} · {seen.stones[place]}"
        canvas.text(spot.x, top + px(290), foot, px(44), MOOD.coordinate, MOOD.ground, "middle")
    for seat in range(seen.players):
        _draw_plate(canvas, seen, people, seat, plates + seat * step)
    draw_marks(canvas, marks, partial(_spot, canvas))
    return canvas


def _spot(canvas: Canvas, letter: str) -> Spot | None:
    """Where a cairn is."""
    if letter not in LETTERS:
        return None
    across = canvas.width * (2 * LETTERS.index(letter) + 1) // (2 * len(LETTERS))
    return Spot(across, canvas.px(frame.HEADER + 140), canvas.px(72))


def _draw_plate(canvas: Canvas, seen: MoorObservation, people: People, seat: int, y: int) -> None:
    px = canvas.px
    box = (px(frame.MARGIN), y, canvas.width - px(frame.MARGIN), y + px(_PLATE))
    plate = frame.plate(canvas, MOOD, box, seen, seat, people)
    middle, right = (box[1] + box[3]) // 2, plate.right
    points = words.player_words(seen, seat)
    right -= canvas.text(right, middle, points, px(44), plate.text, plate.ground, "right") + px(30)
    frame.name(canvas, plate.left, middle, people[seat], px(44), plate.text, plate.ground, right - plate.left)
