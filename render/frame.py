"""What all five pictures share, so that they look drawn by one hand: moods, the title bar, badges, plates and marks."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple

from games.core import Observation
from render import fonts
from render.canvas import Canvas
from render.emblems import emblem
from render.palette import Colour, shade
from render.renderer import People, Style
from render.tiles import Pen, Point, Sprite
from render.words import cut, listed

LETTERS: Final = "ABCDEFGHIJ"
"""What stands for a seat beside its colour (P22)."""

INK: Final = shade("ink", 0)
PAPER: Final = shade("ink", 1)


@dataclass(frozen=True)
class Mood:
    """The colours of one game: the `ground` of the picture and the coordinates on it, the title `bar`, the `plate`s.

    `dim` colours are for what matters less; `lit` is the plate of whoever acts; `accent` marks the last action.
    """

    ground: Colour
    coordinate: Colour
    bar: Colour
    bar_edge: Colour
    bar_text: Colour
    bar_dim: Colour
    plate: Colour
    plate_text: Colour
    plate_dim: Colour
    lit: Colour
    lit_text: Colour
    lit_dim: Colour
    accent: Colour


SeatColours = tuple[tuple[Colour, Colour], ...]
"""By seat its colour, and that of the letter on it."""

SEAT_COLOURS: Final[SeatColours] = (
    (shade("red", 0.33), PAPER),
    (shade("blue", 0.27), PAPER),
    (shade("gold", 0.82), INK),
    (shade("green", 0.45), INK),
    (shade("purple", 0.67), INK),
    (shade("orange", 0.67), INK),
    (shade("teal", 0.78), INK),
    (shade("pink", 0.56), INK),
    (shade("brown", 0.22), PAPER),
    (shade("ink", 1.0), INK),
)
"""The colours of the seats in games that name none.

Of each family the lightness at which any two stay furthest apart for who does not see red, green or blue light.
"""


_RIM: Final = shade("ink", 0.85)


def _regular(corners: int, radius: float, turn: float = -90) -> list[Point]:
    """A regular polygon about 50,50."""
    angles = [math.radians(turn + 360 * i / corners) for i in range(corners)]
    return [(50 + radius * math.cos(a), 50 + radius * math.sin(a)) for a in angles]


def _shape(pen: Pen, seat: int, grow: float, colour: Colour) -> None:
    """The outline of a seat's badge, a different one each; `grow` makes it larger by so much."""
    if seat == 0:
        pen.circle(50, 50, 40 + grow, colour)
    elif seat == 1:
        pen.box(14 - grow, 14 - grow, 86 + grow, 86 + grow, colour, 14)
    elif seat == 2:
        pen.polygon(_regular(4, 48 + 1.4 * grow), colour)
    elif seat == 3:
        pen.polygon(_regular(6, 45 + 1.15 * grow), colour)
    elif seat == 4:
        g = grow
        shield = [(12 - g, 14 - g), (88 + g, 14 - g), (88 + g, 52), (50, 94 + 1.3 * g), (12 - g, 52)]
        pen.polygon(shield, colour)
    elif seat == 5:
        pen.polygon(_regular(8, 45 + 1.1 * grow, -67.5), colour)
    elif seat == 6:
        for i in range(8):
            a = math.radians(45 * i)
            pen.circle(50 + 29 * math.cos(a), 50 + 29 * math.sin(a), 15 + grow, colour)
        pen.circle(50, 50, 32, colour)
    elif seat == 7:
        pen.polygon(_regular(5, 48 + 1.25 * grow), colour)
    elif seat == 8:
        pen.box(28 - grow, 8 - grow, 72 + grow, 92 + grow, colour, 8)
        pen.box(8 - grow, 28 - grow, 92 + grow, 72 + grow, colour, 8)
    else:
        g = grow
        pen.polygon([(22 - g, 12 - g), (78 + g, 12 - g), (94 + 1.3 * g, 88 + g), (6 - 1.3 * g, 88 + g)], colour)


@lru_cache(maxsize=512)
def badge(seat: int, size: int, ground: Colour | None, colours: SeatColours = SEAT_COLOURS) -> Sprite:
    """A seat's badge: its colour, its shape and its letter, `size` pixels square; without `ground` a sprite."""
    pen = Pen(size, size, 100, ground)
    colour, letter = colours[seat]
    # A light rim within the dark one: the shape shows on any ground, whatever the colour.
    for grow, layer in ((5, INK), (1, _RIM), (-4, colour)):
        _shape(pen, seat, grow, layer)
    pen.text(50, 52 if seat != 7 else 55, LETTERS[seat], 50, letter)
    return pen.tile()


@lru_cache(maxsize=64)
def arrow(size: int, colour: Colour, ground: Colour) -> Sprite:
    """A triangle that points to the right: whose turn it is."""
    pen = Pen(size, size, 100, ground)
    pen.polygon([(22, 10), (88, 50), (22, 90)], colour)
    return pen.tile()


def ring(canvas: Canvas, x0: int, y0: int, x1: int, y1: int, wide: int, colour: Colour) -> None:
    """The mark of the last action: a bright frame with dark edges, so that it shows on anything."""
    thin = max(1, wide // 3)
    canvas.frame(x0 - thin, y0 - thin, x1 + thin, y1 + thin, wide + 2 * thin, INK)
    canvas.frame(x0, y0, x1, y1, wide, colour)


HEADER: Final = 144
"""Height of the title bar, in units of a picture 1200 wide."""

HAND_BAR: Final = 112
"""Where a private picture goes on below its bar."""

MARGIN: Final = 18
"""Room between the parts of a picture and its edge."""


class Title(NamedTuple):
    """Who does what: a badge where one player is meant, his name, and the rest of the sentence."""

    seat: int | None
    name: str
    rest: str


@lru_cache(maxsize=64)
def pile(size: int, ground: Colour) -> Sprite:
    """A pile of cards, face down."""
    pen = Pen(size, size, 100, ground)
    for i in range(3):
        x, y = 22 - 8 * i, 26 - 8 * i
        pen.box(x, y, x + 62, y + 72, INK, 10)
        pen.box(x + 6, y + 6, x + 56, y + 66, shade("brown", 0.75 if i == 2 else 0.55), 6)
    pen.circle(37, 46, 13, INK)
    pen.circle(37, 46, 8, shade("gold", 0.72))
    return pen.tile()


class Note(NamedTuple):
    """A fact at the right of the title bar, with a sign before it or without."""

    text: str
    sign: Callable[[int, Colour], Sprite] | None = None


def title(seen: Observation, people: People, idle: str, doing: str = "’s turn") -> Title:
    """Whose turn it is (`doing`), who has won, or `idle` while nobody acts."""
    if seen.outcome is not None:
        winners = seen.outcome.winners
        if len(winners) == 1:
            return Title(winners[0], people[winners[0]], " wins")
        return Title(None, listed([fonts.isolated(people[seat]) for seat in winners]), " win")
    if seen.current_player < 0:
        return Title(None, idle, "")
    return Title(seen.current_player, people[seen.current_player], doing)


def sentence(say: Callable[[People], str], people: People, size: int, room: int) -> str:
    """A sentence about people, their names shortened until it fits into `room` pixels."""
    text = ""
    for length in (32, 20, 14, 9):
        text = say(tuple(fonts.isolated(cut(name, length)) for name in people))
        text = text.replace(f"{fonts.ELLIPSIS}{fonts.ISOLATE_END}.", f"{fonts.ELLIPSIS}{fonts.ISOLATE_END}")
        if fonts.width(text, size) <= room:
            return text
    return fonts.fitted(text, size, room)


def name(
    canvas: Canvas,
    x: int,
    y: int,
    who: str,
    size: int,
    colour: Colour,
    ground: Colour,
    room: int,
    *,
    sign_first: bool = False,
) -> int:
    """A player's name in `room` pixels, with a computer's picture beside it where there is room. Gives the width."""
    sign = emblem(who, size * 5 // 4, ground)
    beside = size // 4 + size * 5 // 4
    if sign is None or fonts.width(who, size) > room - beside:
        return canvas.text(x, y, who, size, colour, ground, room=room)
    wide = canvas.text(x + beside if sign_first else x, y, who, size, colour, ground) + beside
    canvas.put(sign, x if sign_first else x + wide - sign.width, y - sign.height // 2)
    return wide


def title_bar(
    canvas: Canvas,
    style: Style,
    mood: Mood,
    head: Title,
    say: Callable[[People], str],
    people: People,
    notes: tuple[Note, ...] = (),
    colours: SeatColours = SEAT_COLOURS,
) -> None:
    """The bar on top: `head` in large letters, below it what happened (`say`, told the names), up to two notes."""
    px = style.px
    high, upper, lower = px(HEADER), px(42), px(104)
    canvas.fill(0, 0, canvas.width, high, mood.bar)
    canvas.fill(0, high - px(8), canvas.width, high, mood.bar_edge)
    canvas.seam(high)
    left, right = px(24), canvas.width - px(24)
    ends = [right, right]
    for row, note in enumerate(notes):
        y, size = (upper, lower)[row], px(40)
        ends[row] -= canvas.text(right, y, note.text, size, mood.bar_dim, mood.bar, "right")
        if note.sign is not None:
            sign = note.sign(px(46), mood.bar)
            canvas.centre(sign, ends[row] - px(12) - sign.width // 2, y)
            ends[row] -= px(12) + sign.width
    x, end = left, ends[0] - px(30)
    if head.seat is not None:
        size = px(64)
        canvas.centre(badge(head.seat, size, mood.bar, colours), x + size // 2, upper)
        x += size + px(16)
    after = fonts.width(head.rest, px(52))
    x += name(canvas, x, upper, head.name, px(52), mood.bar_text, mood.bar, end - x - after, sign_first=True)
    canvas.text(x, upper, head.rest, px(52), mood.bar_text, mood.bar)
    room = ends[1] - px(30) - left
    size = px(36) if fonts.width(say(people), px(36)) <= room else px(32)
    canvas.text(left, lower, sentence(say, people, size, room), size, mood.bar_dim, mood.bar)


def hand_bar(
    canvas: Canvas, style: Style, mood: Mood, seat: int, name: str, note: str = "", colours: SeatColours = SEAT_COLOURS
) -> None:
    """The bar on top of a private picture: whose it is, and a note at the right."""
    px = style.px
    high, middle, right = px(HAND_BAR - 16), px(46), canvas.width - px(24)
    canvas.fill(0, 0, canvas.width, high, mood.bar)
    canvas.fill(0, high - px(8), canvas.width, high, mood.bar_edge)
    canvas.centre(badge(seat, px(68), mood.bar, colours), px(60), middle)
    if note:
        right -= canvas.text(right, middle, note, px(40), mood.bar_dim, mood.bar, "right") + px(30)
    canvas.text(px(110), middle, name, px(48), mood.bar_text, mood.bar, room=right - px(110))


class Plate(NamedTuple):
    """What is left of a player's plate to write on: between `left` and `right`, lines about `upper` and `lower`."""

    left: int
    right: int
    upper: int
    lower: int
    ground: Colour
    text: Colour
    dim: Colour


def plate(
    canvas: Canvas,
    style: Style,
    mood: Mood,
    box: tuple[int, int, int, int],
    seat: int,
    lit: bool,
    colours: SeatColours = SEAT_COLOURS,
    touched: bool = False,
) -> Plate:
    """A player's plate with the badge; the name is written by the caller.

    `lit` for whoever acts or has won; `touched` where the last action was done to this player: a bright rim.
    """
    px = style.px
    x0, y0, x1, y1 = box
    ground, text, dim = (
        (mood.lit, mood.lit_text, mood.lit_dim) if lit else (mood.plate, mood.plate_text, mood.plate_dim)
    )
    outside, rim = mood.ground, px(5)
    canvas.seam(y0 - rim)
    if touched:
        # On a plate that is bright itself a rim of the accent would not show.
        outside = PAPER if lit else mood.accent
        canvas.panel(x0 - rim, y0 - rim, x1 + rim, y1 + rim, outside, mood.ground, px(16))
    canvas.panel(x0, y0, x1, y1, ground, outside, px(18))
    high = y1 - y0
    size = min(high - px(34), px(88))
    canvas.put(badge(seat, size, ground, colours), x0 + px(12), y0 + (min(high, px(122)) - size) // 2)
    upper, lower = y0 + min(high, px(122)) * 26 // 100, y0 + min(high, px(122)) * 77 // 100
    return Plate(x0 + size + px(28), x1 - px(16), upper, lower, ground, text, dim)


def is_lit(seen: Observation, seat: int) -> bool:
    """Whether a player acts now, or has won."""
    return seat == seen.current_player if seen.outcome is None else seat in seen.outcome.winners
