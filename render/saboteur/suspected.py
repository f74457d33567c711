"""The picture of a match with hidden roles: each side's odds along each round, and whom the table could suspect.

A column is a round and a row is a player, so that every curve has a place of its own. `cogs/review/unmasked.py` makes
what it shows from a `Review` of `matches/review/views.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from render import fonts, frame
from render.cache import cached
from render.canvas import Box, Canvas
from render.frame import Emblem, Mood
from render.palette import INK, PAPER, Colour, mixed, shade
from render.review import Corners, fill_lead, turn_sign
from render.saboteur.dwarfs import sign_card
from render.style import People, Style
from render.tiles import Pen, Sprite, square_tile


class Said(NamedTuple):
    """A player's suspicion, and the number of turns of the round `after` which they said it."""

    after: int
    seat: int
    suspect: int


@dataclass(frozen=True)
class Round:
    """A round on the picture.

    Attributes:
        number: from 1.
        odds: the gold-diggers' probability to win, before the first turn and after each.
        believed: at the same times, by seat how probable it was that it is a saboteur.
        roles: by seat ``D`` or ``S`` once they are shown, else empty.
        winners: ``D`` or ``S``, empty for a round that isn't decided.
        said: each player's last suspicion.
        turn: the turn, from 0, at which the odds show the number `fact`, ``None`` if there is none.
        fact: the number of the sentence about that turn.
    """

    number: int
    odds: tuple[float, ...]
    believed: tuple[tuple[float, ...], ...]
    roles: str = ""
    winners: str = ""
    said: tuple[Said, ...] = ()
    turn: int | None = None
    fact: int = 0


@dataclass(frozen=True)
class Suspected:
    """What the picture shows: its title and what it is, and the rounds.

    `facts` are sentences for those who can't see it, with `{0}` for the name of seat 0.
    """

    title: str
    below: str
    rounds: tuple[Round, ...]
    facts: tuple[str, ...] = ()


_LEFT: Final = 262
"""Where the first round begins: right of the players' names."""

_GAP: Final = 10
_HEAD: Final = 84
"""Height of the line with the numbers of the rounds and their winners."""

_ODDS: Final = (220, 180)
_CAPTION: Final = 62
_ROWS: Final = {3: 158, 4: 146, 5: 128, 6: 112, 7: 120, 8: 108, 9: 98, 10: 88}
"""Height of a player's row, by the number of players."""

_FEW: Final = 6
"""With more players, the odds are lower, and suspicions have signs instead of badges."""

MOST_BYTES: Final = 60_000
"""A picture that would be larger has signs instead of the badges of those who suspected somebody."""

_SMALL: Final = 38
_SIGN: Final = 60
_BADGE: Final = 66
_FLAG: Final = 40
"""The size of the badge of somebody who said whom they suspect, and of its sign among many."""

_MOST_CORNERS: Final = 60
"""Most corners of a curve: more than a phone can show."""

WHO: Final = "Who the table could take for a saboteur"

_LIT: Final = shade("rock", 0.42)
"""The ground of a saboteur's curve, lighter than a digger's."""


def paint(shown: Suspected, mood: Mood, emblem: Emblem, people: People, style: Style, *, badges: bool = True) -> Canvas:
    """Paint the review of a match with hidden roles. Its height depends on the players.

    `badges`: show who suspected somebody, unless there are too many players for that.
    """
    px = style.px
    many = len(people) > _FEW
    row, odds = _ROWS[len(people)], _ODDS[many]
    rows_at = frame.STRIP_BAR + _HEAD + odds + _CAPTION
    high = rows_at + (row + _GAP) * len(people) + frame.MARGIN
    canvas = Canvas(style.width, px(high), mood.ground)
    frame.strip_bar(canvas, shown.title, shown.below, "", mood, emblem)
    columns = _columns(style, len(shown.rounds))
    y = frame.STRIP_BAR + _HEAD
    _draw_sides(canvas, mood, px(y), px(odds))
    for told, (x0, x1) in zip(shown.rounds, columns, strict=True):
        _draw_heading(canvas, told, mood, x0, x1)
        _draw_odds(canvas, told, mood, (x0, px(y), x1, px(y + odds)))
    canvas.text(px(frame.MARGIN), px(rows_at - _CAPTION // 2), WHO, px(_SMALL), mood.coordinate, mood.ground)
    for seat in range(len(people)):
        top = rows_at + seat * (row + _GAP)
        _draw_name(canvas, people, seat, mood, px(top + row // 2), row)
        for told, (x0, x1) in zip(shown.rounds, columns, strict=True):
            _draw_cell(canvas, told, seat, people, mood, (x0, px(top), x1, px(top + row)), badges and not many)
    return canvas


def draw(shown: Suspected, mood: Mood, emblem: Emblem, people: People, style: Style) -> bytes:
    """Draw the review of a match with hidden roles as a PNG file; see `paint`."""
    data = paint(shown, mood, emblem, people, style).png(once=True)
    if len(data) > MOST_BYTES:
        data = paint(shown, mood, emblem, people, style, badges=False).png(once=True)
    return data


def _columns(style: Style, rounds: int) -> list[tuple[int, int]]:
    """Return the left and right edges of the rounds."""
    wide = (1200 - frame.MARGIN - _LEFT - _GAP * (rounds - 1)) / max(rounds, 1)
    lefts = [_LEFT + number * (wide + _GAP) for number in range(rounds)]
    return [(style.px(left), style.px(left + wide)) for left in lefts]


def _draw_sides(canvas: Canvas, mood: Mood, y: int, high: int) -> None:
    """Draw beside the odds which side is above and which below."""
    px = canvas.px
    for role, text, middle in (("D", "diggers", y + px(38)), ("S", "saboteurs", y + high - px(38))):
        canvas.centre(sign_card(px(60), mood.ground, role), px(frame.MARGIN + 30), middle)
        canvas.text(px(frame.MARGIN + 70), middle, text, px(36), mood.coordinate, mood.ground)


def _draw_heading(canvas: Canvas, told: Round, mood: Mood, x0: int, x1: int) -> None:
    """Draw the number of a round, and the sign of the side that won it."""
    px, middle = canvas.px, canvas.px(frame.STRIP_BAR + _HEAD // 2)
    text, size = f"Round {told.number}", px(44)
    wide = fonts.width(text, size)
    canvas.text(x0 + px(6), middle, text, size, mood.coordinate, mood.ground)
    if told.winners:
        canvas.centre(sign_card(px(60), mood.ground, told.winners), x0 + wide + px(50), middle)
        if x1 - x0 > wide + px(190):
            canvas.text(x0 + wide + px(90), middle, "won", px(36), mood.coordinate, mood.ground)


def _draw_odds(canvas: Canvas, told: Round, mood: Mood, box: Box) -> None:
    px, (x0, y0, x1, y1) = canvas.px, box
    wide, high = x1 - x0, y1 - y0
    curve = _corners(told.odds, wide, high, px(8))
    canvas.paste(_odds(wide, high, curve, mood.plate, mood.plate_text), x0, y0)
    if told.turn is not None:
        spot = _at(told.odds, told.turn + 0.5, wide, high, px(8))
        half = px(_SIGN // 2 + 2)
        # Beside the curve, where there is more room.
        off = px(_SIGN) if spot[1] < high / 2 else -px(_SIGN)
        x, y = min(max(round(spot[0]), half), wide - half), min(max(round(spot[1]) + off, half), high - half)
        canvas.centre(turn_sign(px(_SIGN), str(told.fact), None), x0 + x, y0 + y)


def _draw_name(canvas: Canvas, people: People, seat: int, mood: Mood, middle: int, row: int) -> None:
    px = canvas.px
    size = min(84, row - 8)
    canvas.centre(frame.badge(mood, people, seat, px(size), mood.ground), px(frame.MARGIN + size // 2), middle)
    left = frame.MARGIN + size + 14
    room = px(_LEFT - 8 - left)
    canvas.text(px(left), middle, people[seat], px(36), mood.coordinate, mood.ground, room=room)


def _draw_cell(canvas: Canvas, told: Round, seat: int, people: People, mood: Mood, box: Box, badges: bool) -> None:
    """Draw how probable the table could think it that a player is a saboteur, their role, and who suspected them."""
    px, (x0, y0, x1, y1) = canvas.px, box
    wide = x1 - x0
    role = told.roles[seat] if told.roles else ""
    ground = _LIT if role == "S" else mood.plate
    room = wide - px(78)
    values = tuple(row[seat] for row in told.believed)
    canvas.fill(x0, y0, x1, y1, ground)
    _draw_steps(canvas, values, (x0, y0, x0 + room, y1), mixed(ground, mood.seats[seat][0], 0.8))
    if role:
        canvas.centre(sign_card(px(62), ground, role), x1 - px(42), (y0 + y1) // 2)
    words = [word for word in told.said if word.suspect == seat]
    size = px(_BADGE if badges else _FLAG)
    lefts = _spread([room * (word.after + 0.5) / len(values) - size / 2 for word in words], size, room)
    for word, left in zip(words, lefts, strict=True):
        # Where the curve is high there is room below it, and the other way round.
        above = values[min(word.after, len(values) - 1)] < 0.5
        sign = frame.badge(mood, people, word.seat, size, None) if badges else _flag(size, None)
        canvas.put(sign, x0 + round(left), y0 + px(4) if above else y1 - size - px(4))


@square_tile
def _flag(pen: Pen) -> None:
    """The sign for a suspicion where there is no room for the badge of whoever had it."""
    pen.box(0, 0, 100, 100, INK, 0)
    pen.box(10, 10, 90, 90, PAPER, 0)
    pen.box(42, 22, 58, 58, INK, 0)
    pen.box(42, 66, 58, 80, INK, 0)


def _across(turns: float, points: int, wide: int) -> float:
    inset = wide * 0.02
    return inset + (wide - 2 * inset) * turns / max(points - 1, 1)


def _spread(lefts: Sequence[float], size: int, wide: int) -> list[float]:
    """Return these left edges, moved so that they stay inside, rise, and don't overlap if there is room for that."""
    count = len(lefts)
    step = min(float(size + 2), (wide - size) / max(count - 1, 1))
    placed, least = list[float](), 0.0
    for left in lefts:
        placed.append(max(left, least))
        least = placed[-1] + step
    most = float(wide - size)
    for number in range(count - 1, -1, -1):
        placed[number] = min(placed[number], most)
        most = placed[number] - step
    return [max(0.0, left) for left in placed]


def _corners(values: Sequence[float], wide: int, high: int, inset: int) -> Corners:
    """Return the corners of a curve in pixels. Of a long round, some points are left out."""
    count = len(values)
    each = -(-count // _MOST_CORNERS)
    chosen = sorted({*range(0, count, each), count - 1})
    return tuple((round(_across(at, count, wide), 1), round(_down(values[at], high, inset), 1)) for at in chosen)


def _down(value: float, high: int, inset: int) -> float:
    return high - inset - (high - 2 * inset) * value


def _at(values: Sequence[float], turns: float, wide: int, high: int, inset: int) -> tuple[float, float]:
    """Return the place on a curve after so many turns, between two points."""
    first = min(int(turns), len(values) - 1)
    mean = (values[first] + values[min(first + 1, len(values) - 1)]) / 2
    return _across(turns, len(values), wide), _down(mean, high, inset)


@cached
def _odds(wide: int, high: int, curve: Corners, ground: Colour, text: Colour) -> Sprite:
    """Return the odds: the area between the curve and the middle has the colour of the side that is ahead."""
    pen, middle = Pen(wide, high, wide, ground), high / 2
    for above, colour in ((True, shade("gold", 0.5)), (False, shade("red", 0.42))):
        fill_lead(pen, curve, middle, mixed(ground, colour, 0.85), above=above)
    pen.line([(0, middle), (wide, middle)], wide / 140, mixed(ground, text, 0.6))
    pen.line(curve if len(curve) > 1 else curve * 2, wide / 50, PAPER)
    pen.circle(*curve[-1], wide / 40, PAPER)
    return pen.tile()


def _draw_steps(canvas: Canvas, values: Sequence[float], box: Box, colour: Colour) -> None:
    """Draw a curve in steps, over its area. Straight edges keep the file small: a picture has up to thirty curves."""
    px, (x0, y0, x1, y1) = canvas.px, box
    thick, inset = px(6), px(10)
    ends = [x0 + round((x1 - x0) * number / len(values)) for number in range(len(values) + 1)]
    heights = [y0 + round(_down(value, y1 - y0, inset)) for value in values]
    steps = [(*pair, y) for pair, y in zip(pairwise(ends), heights, strict=True)]
    for left, right, y in steps:
        canvas.fill(left, y, right, y1, colour)
    for number, (left, right, y) in enumerate(steps):
        before = heights[max(number - 1, 0)]
        canvas.fill(left, y - thick // 2, max(right, left + thick), y + thick // 2, PAPER)
        canvas.fill(left, min(y, before) - thick // 2, left + thick, max(y, before) + thick // 2, PAPER)
