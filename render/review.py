"""The picture of a review: every seat's expected result along the match, with its turning points numbered.

`cogs/review/pages.py` asks for it. Its `Outline` is made from a `Review` of `matches/review/views.py`. The match runs
from left to right. A curve shows which lead over the best of the others a seat could expect at each point. With two
players one curve is the other upside down, so there is only one: above the middle the first player leads, below it the
second.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, hypot
from statistics import fmean
from typing import Final

from render import frame
from render.badges import SeatColours
from render.cache import cached
from render.canvas import Canvas
from render.frame import Emblem, Mood
from render.grammar import cut, within
from render.palette import INK, PAPER, Colour, mixed
from render.style import People, Style
from render.tiles import Pen, Sprite

Corners = tuple[tuple[float, float], ...]
Rows = tuple[float, float]


@dataclass(frozen=True)
class Outline:
    """What the picture shows.

    Attributes:
        title: the game and the number of the match.
        below: what the picture is.
        unit: what leads are counted in, in the plural.
        leads: every seat's expected lead, by point of the match.
        turns: for each turning point, the number of the point before it, and the seat that gained.
        facts: sentences for those who can't see it, with `{0}` for the name of seat 0.
    """

    title: str
    below: str
    unit: str
    leads: tuple[tuple[float, ...], ...]
    turns: tuple[tuple[int, int], ...] = ()
    facts: tuple[str, ...] = ()


_CHART: Final = 560
_TOP: Final = frame.STRIP_BAR + 24
_SCALE: Final = 96
_RIGHT: Final = 1170
_INSETS: Final = {True: 0.22, False: 0.09}
"""Shares of the chart above and below the scale: with two players, whose names stand there, and with more."""

_SIGN: Final = 60
"""The size of a turning point's sign."""

_BADGE: Final = 84
"""The size of a player's badge."""

_SMALL: Final = 38
_MOST_CORNERS: Final = 72
"""Most corners of a curve: more than a phone can show."""

_LEAST: Final = 2.0
"""The least range of the scale, so that a match in which nobody led looks flat."""


def paint(shown: Outline, mood: Mood, emblem: Emblem, people: People, style: Style) -> Canvas:
    """Paint the review of a match."""
    high = _TOP + _CHART + (64 if len(people) == 2 else 140) + frame.MARGIN
    canvas = Canvas(style.width, style.px(high), mood.ground)
    frame.strip_bar(canvas, shown.title, shown.below, "", mood, emblem)
    _draw_chart(canvas, shown, mood, people)
    return canvas


def draw(shown: Outline, mood: Mood, emblem: Emblem, people: People, style: Style) -> bytes:
    """Draw the review of a match as a PNG file; see `paint`."""
    return paint(shown, mood, emblem, people, style).png()


def _most(shown: Outline) -> float:
    """Return the lead at the edge of the scale: the chart reaches from it to the same lead of the others."""
    highest = max((abs(lead) for leads in shown.leads for lead in leads), default=0.0)
    step = _step(max(highest, _LEAST))
    return step * ceil(max(highest, _LEAST) / step)


def _step(most: float) -> int:
    return next(step for step in (1, 2, 5, 10, 20, 50, 100) if most <= 3 * step or step == 100)


def _draw_chart(canvas: Canvas, shown: Outline, mood: Mood, people: People) -> None:
    px = canvas.px
    left, top, wide, high = px(_SCALE), px(_TOP), px(_RIGHT - _SCALE), px(_CHART)
    most = _most(shown)
    two = len(people) == 2
    canvas.seam(top)
    seats = (0,) if two else tuple(range(len(people)))
    rows, turns = _thinned(shown)
    curves = tuple(_corners([leads[seat] for leads in rows], wide, high, most, two) for seat in seats)
    canvas.paste(_chart(wide, high, curves, two, most, mood.plate, mood.plate_text, mood.seats), left, top)
    step = _step(most)
    for lead in range(-round(most), round(most) + 1, step):
        y = top + round(_row(lead, high, most, two))
        text = str(abs(lead)) if two else f"{lead:+d}".replace("-", "−") if lead else "0"
        canvas.text(left - px(14), y, text, px(_SMALL), mood.coordinate, mood.ground, "right")
    # Whose half it is, or whose curve.
    if two:
        for seat, y in ((0, top + px(46)), (1, top + high - px(46))):
            canvas.centre(frame.badge(mood, people, seat, px(_BADGE), mood.plate), left + px(52), y)
            name = f"{cut(people[seat], 20)} leads"
            canvas.text(left + px(106), y, name, px(_SMALL), mood.plate_text, mood.plate, room=wide - px(130))
    else:
        x = left
        for seat, name in enumerate(people):
            wide_each = wide // len(people)
            canvas.centre(frame.badge(mood, people, seat, px(_BADGE), mood.ground), x + px(44), top + high + px(92))
            room = wide_each - px(112)
            canvas.text(x + px(96), top + high + px(92), name, px(36), mood.coordinate, mood.ground, room=room)
            x += wide_each
        x_end = round(curves[0][-1][0]) - px(14)
        for seat, end in enumerate(_apart([curve[-1][1] for curve in curves], px(_BADGE + 2), high)):
            canvas.centre(frame.badge(mood, people, seat, px(_BADGE), None), left + x_end, top + round(end))
    taken, within_scale = list[tuple[float, float]](), (_row(most, high, most, two), _row(-most, high, most, two))
    for number, (at, seat) in enumerate(turns, 1):
        curve = curves[0 if two else seat]
        (x0, y0), (x1, y1) = curve[at], curve[min(at + 1, len(curve) - 1)]
        across = min(max((x0 + x1) / 2, px(34)), wide - px(34 if two else 34 + _BADGE))
        taken.append((across, _free(taken, across, (y0 + y1) / 2, px(_SIGN + 2), within_scale)))
        sign = turn_sign(px(_SIGN), str(number), None)
        canvas.centre(sign, *(round(at) for at in (left + across, top + taken[-1][1])))
    under = f"expected lead in {shown.unit}, from the first move to the end"
    canvas.text(left + wide // 2, top + high + px(32), under, px(36), mood.coordinate, mood.ground, "middle")


def _thinned(shown: Outline) -> tuple[tuple[tuple[float, ...], ...], list[tuple[int, int]]]:
    """Return the points and turning points. In a long match, a point is the mean of some neighbours."""
    each = ceil(len(shown.leads) / _MOST_CORNERS)
    groups = [shown.leads[first : first + each] for first in range(0, len(shown.leads), each)]
    rows = tuple(tuple(map(fmean, zip(*group, strict=True))) for group in groups[:-1])
    # The end is the result itself.
    turns = [(max(0, min(at // each, len(rows) - 1)), seat) for at, seat in shown.turns]
    return (*rows, shown.leads[-1]), turns


def _apart(rows: Sequence[float], least: float, high: int) -> list[float]:
    """Return these heights in the same order, inside the chart and at least so far apart."""
    placed = dict[int, float]()
    down = least / 2
    for number in sorted(range(len(rows)), key=rows.__getitem__):
        placed[number] = max(rows[number], down)
        down = placed[number] + least
    up = high - least / 2
    for number in sorted(placed, key=placed.__getitem__, reverse=True):
        placed[number] = min(placed[number], up)
        up = placed[number] - least
    return [placed[number] for number in range(len(rows))]


def _free(taken: Sequence[tuple[float, float]], across: float, down: float, size: float, rows: Rows) -> float:
    """Return the height nearest to `down`, between the two `rows`, at which a sign of this size covers no other one."""
    steps = (down + sign * step * size / 4 for step in range(4 * len(taken) + 5) for sign in (1, -1))
    inside = [min(max(y, rows[0]), rows[1]) for y in steps]
    return next((y for y in inside if all(hypot(across - x, y - other) >= size for x, other in taken)), inside[0])


def _row(lead: float, high: int, most: float, two: bool) -> float:
    inset = high * _INSETS[two]
    return high / 2 - (high / 2 - inset) * lead / most


def _corners(leads: Sequence[float], wide: int, high: int, most: float, two: bool) -> Corners:
    """Return the corners of a curve in pixels."""
    last = max(1, len(leads) - 1)
    inset = wide * 0.03
    return tuple(
        (round(inset + (wide - 2 * inset) * number / last, 1), round(_row(lead, high, most, two), 1))
        for number, lead in enumerate(leads)
    )


@cached
def _chart(
    wide: int,
    high: int,
    curves: tuple[Corners, ...],
    two: bool,
    most: float,
    ground: Colour,
    text: Colour,
    seats: SeatColours,
) -> Sprite:
    """Return the curves on a grid. With two players, the area between curve and middle has the leader's colour."""
    pen = Pen(wide, high, wide, ground)
    faint, middle = mixed(ground, text, 0.2), high / 2
    for lead in range(-round(most), round(most) + 1, _step(most)):
        y = _row(lead, high, most, two)
        pen.line([(0, y), (wide, y)], wide / 500, faint)
    if two:
        for seat in (0, 1):
            fill_lead(pen, curves[0], middle, mixed(ground, seats[seat][0], 0.85), above=not seat)
    pen.line([(0, middle), (wide, middle)], wide / 250, mixed(ground, text, 0.6))
    for seat, curve in reversed(tuple(enumerate(curves))):
        colour = PAPER if two else seats[seat][0]
        row = curve if len(curve) > 1 else curve * 2
        pen.line(row, wide / 95, INK)
        pen.line(row, wide / 150, colour)
        pen.circle(*curve[-1], wide / 90, INK)
        pen.circle(*curve[-1], wide / 120, colour)
    return pen.tile()


def fill_lead(pen: Pen, curve: Corners, middle: float, colour: Colour, *, above: bool) -> None:
    """Fill the area between the middle and the parts of a curve that are above it, or below it."""
    bound = min if above else max
    for (x0, y0), (x1, y1) in pairwise(curve):
        corners = [(x0, middle), (x0, bound(y0, middle))]
        if (y0 - middle) * (y1 - middle) < 0:
            corners.append((x0 + (x1 - x0) * (middle - y0) / (y1 - y0), middle))
        corners += [(x1, bound(y1, middle)), (x1, middle)]
        if any(y != middle for _, y in corners):
            pen.polygon(corners, colour)


@cached
def turn_sign(size: int, text: str, ground: Colour | None) -> Sprite:
    """Return the sign with the number of a turning point."""
    pen = Pen(size, size, 100, ground)
    pen.circle(50, 50, 49, INK)
    pen.circle(50, 50, 41, frame.Mood.lit)
    pen.text(50, 50, text, 74, INK)
    return pen.tile()


def alt_text(title: str, facts: Sequence[str], people: People, limit: int) -> str:
    """Return a picture in words, in at most `limit` characters. `facts` have `{0}` for the name of seat 0."""
    return within(limit, (title, *(fact.replace("**", "").format(*people) for fact in facts)))
