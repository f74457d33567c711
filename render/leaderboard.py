"""The picture of a leaderboard: rating, uncertainty and number of matches by rank (P34).

`cogs/ratings/leaderboard.py` asks for it.

The viewer's row is marked. If it is on another page, it stands below the others.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from render import fonts, frame
from render.cache import cached
from render.canvas import Canvas
from render.frame import Emblem, Mood
from render.grammar import within
from render.palette import Colour, mixed, shade
from render.style import Style
from render.tiles import Pen, Sprite

_ROW: Final = 116
_GAP: Final = 6
_PLACE: Final = 96
"""Middle of the place's number, from the row's left."""

_NAME_AT: Final = 150
_RATING: Final = 250
"""Room for the rating at the right of a row."""

_NAMES: Final = (42, 36)
"""Font sizes of names; the first that fits is taken."""

_SMALL: Final = 36
_BAR_AT, _BAR_WIDE, _BAR_HIGH = 560, 360, 30
_GREY: Final = shade("slate", 0.3)
_GREY_TEXT: Final = shade("slate", 0.95)
"""The ground and the text of a row without a place."""

_NARROWEST: Final = 40
"""Least length of the scale, in points, so that it isn't zero if every rating is certain."""


class Rated(NamedTuple):
    """A row of the leaderboard: a person's `rating` in points, and its standard deviation, `spread`.

    `place` counts from 1; 0 means that they have none. `change` is the change by their last match, in points.
    `provisional`: the rating is still uncertain. `own`: the row is the viewer's. `lacks`: so many matches are missing
    before they get a place.
    """

    place: int
    name: str
    rating: int
    spread: int
    matches: int
    change: int | None = None
    provisional: bool = False
    own: bool = False
    lacks: int = 0


class Leaderboard(NamedTuple):
    """A page of the leaderboard, best first. `about` says where and when it counts, `note` says which page it is.

    `beside` is the viewer's row if it is on another page.
    """

    rows: tuple[Rated, ...]
    about: str
    note: str
    beside: Rated | None = None


def paint(shown: Leaderboard, name: str, mood: Mood, emblem: Emblem, style: Style) -> Canvas:
    """Paint the page for the game called `name`. Its height depends on the number of rows."""
    px = style.px
    rows = [*shown.rows, *([shown.beside] if shown.beside else [])]
    top, step = px(frame.STRIP_BAR + frame.MARGIN), px(_ROW + _GAP)
    apart = px(frame.MARGIN) if shown.beside else 0
    canvas = Canvas(style.width, top + len(rows) * step + apart + px(frame.MARGIN - _GAP), mood.ground)
    frame.strip_bar(canvas, name, shown.about, shown.note, mood, emblem)
    low, high = _scale(rows)
    for number, row in enumerate(rows):
        y = top + number * step + (apart if row is shown.beside else 0)
        _draw_row(canvas, row, y, (low, high), mood)
    return canvas


def number(rating: int, provisional: bool) -> str:
    """A rating in words: ``1512``, or ``1512?`` while it is provisional."""
    return f"{rating}{'?' if provisional else ''}"


def change(points: int) -> str:
    """The change of a rating in words: ``+14``, ``−9``, ``±0``."""
    return f"+{points}" if points > 0 else f"−{-points}" if points else "±0"


def _scale(rows: list[Rated]) -> tuple[int, int]:
    """The ends of the scale: the range of every rating, ± its spread, fits between them."""
    low = min((row.rating - row.spread for row in rows), default=0)
    high = max((row.rating + row.spread for row in rows), default=0)
    return low, max(high, low + _NARROWEST)


def _draw_row(canvas: Canvas, row: Rated, y: int, scale: tuple[int, int], mood: Mood) -> None:
    px = canvas.px
    ground, text, dim = mood.plate_colours(row.own)
    if row.lacks and not row.own:
        ground, text, dim = _GREY, _GREY_TEXT, _GREY_TEXT
    x0, x1 = px(frame.MARGIN), canvas.width - px(frame.MARGIN)
    canvas.panel(x0, y, x1, y + px(_ROW), ground, mood.ground, px(18))
    upper, lower, right = y + px(35), y + px(88), x1 - px(24)
    if row.own:
        canvas.put(frame.arrow(px(40), ground, text), x0 + px(10), y + px(_ROW - 40) // 2)
    if row.place:
        size = fonts.size_for(str(row.place), map(px, (54, 44, 36)), px(84))
        canvas.text(x0 + px(_PLACE), y + px(_ROW) // 2, str(row.place), size, text, ground, "middle")
    elif row.lacks:
        canvas.text(x0 + px(_PLACE), y + px(_ROW) // 2, "new", px(_SMALL), text, ground, "middle")
    name_room = right - px(_RATING) - x0 - px(_NAME_AT)
    size = fonts.size_for(row.name, map(px, _NAMES), name_room)
    canvas.text(x0 + px(_NAME_AT), upper, row.name, size, text, ground, room=name_room)
    canvas.text(right, upper, number(row.rating, row.provisional), px(52), text, ground, "right")
    canvas.text(x0 + px(_NAME_AT), lower, _played(row), px(_SMALL), dim, ground)
    left = x0 + px(_BAR_AT - 150)
    canvas.paste(_uncertainty(px(_BAR_WIDE), px(_BAR_HIGH), *_shares(row, scale), text, ground), left, lower - px(15))
    canvas.text(left + px(_BAR_WIDE + 20), lower, f"±{row.spread}", px(_SMALL), dim, ground)
    if row.change is not None:
        canvas.text(right, lower, change(row.change), px(_SMALL), dim, ground, "right")


def _played(row: Rated) -> str:
    """How many matches are behind a rating: ``12 played``, or ``2 of 5 played`` before somebody has a place."""
    return f"{row.matches} of {row.matches + row.lacks} played" if row.lacks else f"{row.matches} played"


def _shares(row: Rated, scale: tuple[int, int]) -> tuple[float, float, float]:
    """Where the rating's range begins, the rating is, and the range ends, as shares (0 to 1) of the scale."""
    low, high = scale
    begin, middle, end = (
        round((points - low) / (high - low), 2)
        for points in (row.rating - row.spread, row.rating, row.rating + row.spread)
    )
    return begin, middle, end


@cached
def _uncertainty(
    wide: int, high: int, begin: float, middle: float, end: float, colour: Colour, ground: Colour
) -> Sprite:
    """A bar from `begin` to `end` on a line that is the whole scale, with a knob where the rating is."""
    pen = Pen(wide, high, wide, ground)
    edge, room = high / 2, wide - high
    line, range_ = mixed(ground, colour, 0.25), mixed(ground, colour, 0.5)
    at = [edge + room * share for share in (begin, middle, end)]
    pen.line([(edge, edge), (edge + room, edge)], high * 0.14, line)
    pen.line([(at[0], edge), (at[2], edge)], high * 0.5, range_)
    pen.circle(at[1], edge, edge * 0.95, colour)
    return pen.tile()


def alt_text(shown: Leaderboard, name: str, limit: int) -> str:
    """The page in words, in at most `limit` characters."""
    beside = [f"You: {in_words(shown.beside)}"] if shown.beside else []
    return within(limit, [f"Ratings in {name}, {shown.about}, {shown.note}.", *beside, *map(in_words, shown.rows)])


def in_words(row: Rated) -> str:
    """``2. Ann 1512? ±80, 12 played, last +14.``"""
    place = f"{row.place}. " if row.place else "New: " if row.lacks else ""
    last = f", last {change(row.change)}" if row.change is not None else ""
    return f"{place}{row.name} {number(row.rating, row.provisional)} ±{row.spread}, {_played(row)}{last}."
