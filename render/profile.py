"""The picture of a person's page: their rating in each game over time, and what else the server knows (P34).

`cogs/ratings/profile.py` asks for it.

Every game has a chart of its own, in which each match is as wide as any other: an evening shows as much as a year. Five
lines in one chart could be told apart by their colours alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final

from render import fonts, frame
from render.cache import cached
from render.canvas import Canvas
from render.emblems import machine
from render.frame import Emblem, Mood
from render.grammar import counted, within
from render.leaderboard import number
from render.lobby import person
from render.palette import Colour, mixed, shade
from render.style import Style
from render.tiles import Pen, Point, Sprite


@dataclass(frozen=True)
class Course:
    """A person's rating in a game, its standard deviation (`spread`), and its history.

    `key` and `name` are the game's. `points` are moments and ratings, oldest first: before the first match, and after
    each. `place` is the person's place on the leaderboard; ``None`` if they aren't listed. `practice`: the rating is
    about matches against computers only, and stands on no leaderboard.
    """

    key: str
    name: str
    rating: int
    spread: int
    matches: int
    won: int
    points: tuple[tuple[datetime, float], ...] = ()
    place: int | None = None
    provisional: bool = False
    practice: bool = False


@dataclass(frozen=True)
class Role:
    """A person's matches and wins in a role, and the average share of wins at tables of the same sizes.

    `average` is ``None`` if it is unknown.
    """

    name: str
    played: int
    won: int
    average: float | None = None


@dataclass(frozen=True)
class Between:
    """The viewer's matches with the person: in how many the viewer finished ahead of them, and behind."""

    matches: int
    ahead: int
    behind: int


@dataclass(frozen=True)
class Profile:
    """All that a page shows: `about` says where and when it counts, `facts` are sentences at the bottom."""

    name: str
    about: str
    courses: tuple[Course, ...] = ()
    roles: tuple[Role, ...] = ()
    between: Between | None = None
    facts: tuple[str, ...] = ()


Span = tuple[datetime, datetime]
"""When the first and the last match ended."""

MOOD: Final = Mood(
    ground=shade("slate", 0.11),
    coordinate=shade("slate", 0.85),
    bar=shade("slate", 0.0),
    bar_edge=shade("gold", 0.55),
    bar_dim=shade("gold", 0.82),
    plate=shade("slate", 0.23),
    plate_dim=shade("slate", 0.88),
    lit_dim=shade("brown", 0.22),
)

MOST_COURSES: Final = 5
MOST_ROLES: Final = 2
MOST_FACTS: Final = 3
"""Most games, roles and facts on a page."""

_HIGHEST: Final = 1600
"""The greatest height of the picture, if it is 1200 wide."""

_TOP: Final = 214
_COURSE: Final = 176
_GAP: Final = 8
_DATES: Final = 52
_LINE: Final = 64
_SIGN: Final = 92
_SMALL: Final = 36
_LEFT: Final = 132
"""Where the words of a row begin, in units from the row's left."""

_FIELD: Final = (474, 366, 112)
"""The chart of a row: its left from the row's left, its width and its height."""

_INSET: Final = 0.09
"""Margin of the line in a chart, as a share of the chart's height. The knob at the line's end needs it."""

_COLUMNS: Final = 48
"""Most corners of a line: as many as a phone can show."""

_DOTS: Final = 30
"""Most matches of which a line shows each one as a dot."""

_NARROWEST: Final = 40.0
"""Least height of a chart, in points of rating, so that a rating that hardly changed looks flat."""


def paint(shown: Profile, emblems: Mapping[str, Emblem], style: Style) -> Canvas:
    """Paint a person's page. `emblems` are the games', by their keys. Its height depends on what there is to show."""
    px = style.px
    courses, roles, facts = shown.courses[:MOST_COURSES], shown.roles[:MOST_ROLES], shown.facts[: _facts_in(shown)]
    span = _span(courses)
    lines = len(roles) + (shown.between is not None) + len(facts)
    high = _TOP + len(courses) * (_COURSE + _GAP) + (_DATES if span else 0) + lines * (_LINE + _GAP)
    canvas = Canvas(style.width, px(high + frame.MARGIN - _GAP), MOOD.ground)
    frame.strip_bar(canvas, shown.name, shown.about, "", MOOD, partial(person, coat=MOOD.accent))
    y = _TOP
    for course in courses:
        _draw_course(canvas, course, px(y), emblems[course.key])
        y += _COURSE + _GAP
    if span is not None:
        _draw_dates(canvas, px(y + _DATES // 2 - 6), span)
        y += _DATES
    for role in roles:
        _draw_role(canvas, role, px(y))
        y += _LINE + _GAP
    for sentence in (*([between(shown.between)] if shown.between else []), *facts):
        _draw_sentence(canvas, sentence, px(y))
        y += _LINE + _GAP
    return canvas


def _facts_in(shown: Profile) -> int:
    """How many facts the picture has room for below the rest."""
    courses = shown.courses[:MOST_COURSES]
    dates = _DATES if _span(courses) else 0
    room = _HIGHEST - frame.MARGIN + _GAP - _TOP - len(courses) * (_COURSE + _GAP) - dates
    lines = room // (_LINE + _GAP) - len(shown.roles[:MOST_ROLES]) - (shown.between is not None)
    return min(MOST_FACTS, lines)


def left_out(shown: Profile) -> tuple[str, ...]:
    """The facts for which the picture has no room."""
    return shown.facts[_facts_in(shown) :]


def draw(shown: Profile, emblems: Mapping[str, Emblem], style: Style) -> bytes:
    """Draw a person's page as a PNG file; see `paint`."""
    return paint(shown, emblems, style).png()


def _span(courses: Sequence[Course]) -> Span | None:
    """When the first and the last match of all charts ended; ``None`` if there are none."""
    moments = [moment for course in courses for moment, _ in course.points]
    return (min(moments), max(moments)) if moments else None


def _plate(canvas: Canvas, y: int, high: int) -> tuple[int, int]:
    """Draw the ground of a row. Returns its left and its right."""
    x0, x1 = canvas.px(frame.MARGIN), canvas.width - canvas.px(frame.MARGIN)
    canvas.panel(x0, y, x1, y + high, MOOD.plate, MOOD.ground, canvas.px(18))
    return x0, x1


def _draw_course(canvas: Canvas, course: Course, y: int, emblem: Emblem) -> None:
    px = canvas.px
    x0, x1 = _plate(canvas, y, px(_COURSE))
    ground, text, dim = MOOD.plate, MOOD.plate_text, MOOD.plate_dim
    size = px(_SIGN)
    # The emblem needn't be legible beside the game's name.
    canvas.paste(emblem(size, ground), x0 + px(16), y + px(16))
    if course.practice:
        face = machine(px(52), ground, MOOD.accent)
        canvas.put(face, x0 + px(16) + (size - face.width) // 2, y + px(116))
    left, at, wide, high = x0 + px(_LEFT), x0 + px(_FIELD[0]), px(_FIELD[1]), px(_FIELD[2])
    room = at - px(16) - left
    name_size = fonts.size_for(course.name, map(px, (40, 36)), room)
    canvas.text(left, y + px(36), course.name, name_size, text, ground, room=room)
    canvas.text(left, y + px(90), number(course.rating, course.provisional), px(60), text, ground)
    place = f" · #{course.place}" if course.place else ""
    below = "practice" if course.practice else f"±{course.spread}{place}"
    canvas.text(left, y + px(144), below, px(_SMALL), dim, ground, room=room)
    if course.points:
        canvas.paste(_line(wide, high, _corners(course, wide, high), MOOD.accent, ground), at, y + px(32))
        low, top = _scale(course)
        for row, points in ((36, top), (140, low)):
            canvas.text(at + wide + px(16), y + px(row), str(round(points)), px(_SMALL), dim, ground)
    right = x1 - px(24)
    for row, words in ((36, f"{course.matches} played"), (90, f"{course.won} won")):
        canvas.text(right, y + px(row), words, px(_SMALL), text, ground, "right")


def _scale(course: Course) -> tuple[float, float]:
    """The ratings at the lower and the upper edge of a chart."""
    ratings = [points for _, points in course.points]
    middle, room = (min(ratings) + max(ratings)) / 2, max(max(ratings) - min(ratings), _NARROWEST)
    return middle - room / 2, middle + room / 2


def _corners(course: Course, wide: int, high: int) -> tuple[Point, ...]:
    """The corners of a line in pixels of its chart, one match after another.

    Of several matches in one column, the last one counts.
    """
    low, top = _scale(course)
    inset = high * _INSET
    columns: dict[int, float] = {}
    for played, (_, points) in enumerate(course.points):
        x = inset + (wide - 2 * inset) * played / max(1, len(course.points) - 1)
        columns[round(x / wide * _COLUMNS)] = round(inset + (high - 2 * inset) * (top - points) / (top - low), 1)
    return tuple((column * wide / _COLUMNS, y) for column, y in sorted(columns.items()))


@cached
def _line(wide: int, high: int, corners: tuple[Point, ...], colour: Colour, ground: Colour) -> Sprite:
    """A chart: lines at its highest and its lowest rating, the curve, and a knob at its end.

    If there are few matches, each one is a dot.
    """
    pen = Pen(wide, high, wide, ground)
    edge = mixed(ground, colour, 0.18)
    for y in (_INSET * high, (1 - _INSET) * high):
        pen.line([(0, y), (wide, y)], high / 90, edge)
    pen.line(corners if len(corners) > 1 else corners * 2, high / 22, colour)
    for corner in corners if len(corners) <= _DOTS else ():
        pen.circle(*corner, high * 0.042, colour)
    pen.circle(*corners[-1], high * 0.075, colour)
    return pen.tile()


def _draw_dates(canvas: Canvas, y: int, span: Span) -> None:
    """Say what the charts show, and the first and the last day."""
    first, last = (f"{day.day} {day:%b %Y}" for day in span)
    if span[0].year == span[1].year and first != last:
        first = first.rsplit(" ", 1)[0]
    days = first if first == last else f"{first} to {last}"
    size, text = canvas.px(_SMALL), f"By match · {days}"
    middle = canvas.width // 2
    canvas.text(middle, y, text, size, MOOD.coordinate, MOOD.ground, "middle")


def _draw_role(canvas: Canvas, role: Role, y: int) -> None:
    """Draw a role: a bar as long as the share of matches won, and a stroke at the average."""
    px = canvas.px
    x0, x1 = _plate(canvas, y, px(_LINE))
    ground, text, dim, middle = MOOD.plate, MOOD.plate_text, MOOD.plate_dim, y + px(_LINE) // 2
    canvas.text(x0 + px(24), middle, role.name, px(_SMALL), text, ground, room=px(270))
    left, wide, high = x0 + px(310), px(260), px(36)
    share = round(role.won / role.played, 2)
    average = None if role.average is None else round(role.average, 2)
    canvas.paste(_share(wide, high, share, average, MOOD.accent, ground), left, middle - high // 2)
    canvas.text(left + wide + px(20), middle, f"{role.won} of {role.played} won", px(_SMALL), text, ground)
    if average is not None:
        canvas.text(x1 - px(24), middle, f"average {average:.0%}", px(_SMALL), dim, ground, "right")


@cached
def _share(wide: int, high: int, share: float, average: float | None, colour: Colour, ground: Colour) -> Sprite:
    pen = Pen(wide, high, wide, ground)
    edge, room = high * 0.3, wide - high * 0.6
    for part, shown in ((1.0, mixed(ground, colour, 0.25)), (share, colour)):
        if part:
            pen.line([(edge, high / 2), (edge + room * part, high / 2)], high * 0.5, shown)
    if average is not None:
        at = edge + room * average
        pen.box(at - high * 0.15, 0, at + high * 0.15, high, ground)
        pen.box(at - high * 0.07, 0, at + high * 0.07, high, MOOD.plate_text)
    return pen.tile()


def between(pair: Between) -> str:
    """The viewer's matches with the person, as a sentence."""
    even = pair.matches - pair.ahead - pair.behind
    draws = f", {even} even" if even else ""
    together = counted(pair.matches, "match", "matches")
    return f"You two: {together}, you ahead in {pair.ahead}, behind in {pair.behind}{draws}"


def _draw_sentence(canvas: Canvas, sentence: str, y: int) -> None:
    px = canvas.px
    x0, x1 = _plate(canvas, y, px(_LINE))
    room = x1 - x0 - px(48)
    size = fonts.size_for(sentence, map(px, (42, 36)), room)
    canvas.text(x0 + px(24), y + px(_LINE) // 2, sentence, size, MOOD.plate_text, MOOD.plate, room=room)


def alt_text(shown: Profile, limit: int) -> str:
    """The page in words, in at most `limit` characters."""
    return within(limit, (f"{shown.name}, {shown.about}.", *in_words(shown)))


def in_words(shown: Profile) -> tuple[str, ...]:
    """All that the page says, in sentences."""
    return (
        *map(_course_in_words, shown.courses),
        *map(_role_in_words, shown.roles),
        *([f"{between(shown.between)}."] if shown.between else []),
        *(f"{fact}." for fact in shown.facts),
    )


def _course_in_words(course: Course) -> str:
    """``Gambo 1512? ±80 (1490 to 1530), place 3: 12 played, 7 won.``"""
    ratings = [round(points) for _, points in course.points]
    reach = f" ({min(ratings)} to {max(ratings)})" if ratings else ""
    place = f", place {course.place}" if course.place else ""
    rating = f"{number(course.rating, course.provisional)} ±{course.spread}"
    kind = " in practice" if course.practice else ""
    return f"{course.name}{kind} {rating}{reach}{place}: {course.matches} played, {course.won} won."


def _role_in_words(role: Role) -> str:
    average = "" if role.average is None else f", {role.average:.0%} on average"
    return f"{role.name}: {role.won} of {role.played} won{average}."
