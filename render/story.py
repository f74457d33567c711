"""The big moments of a match: the values that their pictures are made from, and the bars on top of them.

Captions and headlines are sentences of `render.sentences`: long names are shortened, and nothing else is cut.
"""

from __future__ import annotations

import math
from typing import Any, Final, NamedTuple

from games.core import Observation, Outcome, Played, Suspicion
from render import fonts
from render.canvas import Canvas, Told
from render.frame import HEADER, Mood, badge, captions
from render.palette import INK, Colour, shade
from render.sentences import Fitted, fitted
from render.style import Marks, People, Style
from render.tiles import Pen, square_tile


class Passed(NamedTuple):
    """A line of the log as a spectator sees it: what was done, and what they saw after it."""

    line: Played[Any]
    observation: Any


class End(NamedTuple):
    """How a match ended: its winners, and the headline, a sentence about people.

    `by_rules`: played to its end. Otherwise people ended it: somebody resigned, the table voted, nobody came back.
    """

    winners: tuple[int, ...]
    headline: str
    by_rules: bool = True


class Story(NamedTuple):
    """A match so far as a spectator sees it.

    `course` has a line for every action in force, chance included, from the first one on. It is never empty, and lines
    that were taken back aren't in it. `end` is ``None`` while the match goes on. In games with hidden roles,
    `suspicions` are what players have said in the rounds that are over. `marks` are those of the actions since the last
    picture.
    """

    course: tuple[Passed, ...]
    end: End | None = None
    suspicions: tuple[Suspicion, ...] = ()
    marks: Marks = ()

    @property
    def seen(self) -> Any:
        """What a spectator sees now. If people have ended the match, its outcome names `End.winners`."""
        seen: Observation = self.course[-1].observation
        if self.end is None or seen.outcome is not None:
            return seen
        return seen.closed(Outcome(self.end.winners, ""))


_GOLD: Final = shade("gold", 0.82)
_SHADE: Final = shade("gold", 0.55)


@square_tile
def trophy(pen: Pen) -> None:
    """A cup with two handles: the sign of who has won."""
    for x in (24, 76):
        pen.circle(x, 32, 20, INK)
        pen.circle(x, 32, 14, _SHADE)
        pen.circle(x, 32, 8, INK)
    pen.polygon([(20, 8), (80, 8), (74, 46), (58, 62), (42, 62), (26, 46)], INK)
    pen.polygon([(26, 14), (74, 14), (69, 43), (55, 56), (45, 56), (31, 43)], _GOLD)
    pen.polygon([(58, 14), (74, 14), (69, 43), (55, 56)], _SHADE)
    pen.box(43, 56, 57, 80, INK)
    pen.box(47, 56, 53, 80, _SHADE)
    pen.box(24, 76, 76, 94, INK, 6)
    pen.box(30, 81, 70, 89, _GOLD, 3)


@square_tile
def flash(pen: Pen) -> None:
    """A star with twelve points: the sign of a big moment."""
    for radius, colour in ((49, INK), (42, shade("red", 0.5)), (24, _GOLD)):
        points = []
        for step in range(24):
            reach = radius if step % 2 == 0 else radius * 0.66
            angle = math.tau * step / 24
            points.append((50 + reach * math.sin(angle), 50 - reach * math.cos(angle)))
        pen.polygon(points, colour)


_HEADS: Final = (64, 56, 48, 42)
_BELOW: Final = (40, 36)
"""Font sizes of a headline, and of the line below it."""

_BADGE: Final = 116


class Heading(NamedTuple):
    """The bar on top of the picture of a round or a match that is over: a headline, and a line below it.

    `seats`: the winners. One winner has a large badge, two or three have small ones, and more have none. `last`: the
    latest actions in words, and their numbers.
    """

    head: Fitted
    below: Fitted
    seats: tuple[int, ...]
    last: tuple[Fitted, list[int]]
    height: int


def heading(
    style: Style, people: People, headline: str, below: str = "", seats: tuple[int, ...] = (), done: Marks = ()
) -> Heading:
    """Lay out the bar for these two sentences, and for those of the actions that the picture doesn't show otherwise.

    Its height is known before there is a canvas.
    """
    px = style.px
    room = style.width - px(24) - _left(style, seats)
    head = fitted(headline, people, [px(size) for size in _HEADS], room, px(_HEADS[0]) * 3)
    under = fitted(below, people, [px(size) for size in _BELOW], room, px(_BELOW[0]) * 3)
    last = captions(done, people, px(_BELOW[-1]), room) or (Fitted((), px(_BELOW[-1])), [])
    high = head.height + under.height + last[0].height + px(28)
    return Heading(head, under, seats, last, max(high, px(_BADGE + 44)))


def _left(style: Style, seats: tuple[int, ...]) -> int:
    """Where the text of a heading begins: behind the badges."""
    return style.px(24 + (_BADGE + 24) * (0 < len(seats) <= 3))


def draw_heading(canvas: Canvas, mood: Mood, shown: Heading, people: People, style: Style) -> None:
    """Draw the bar at the top of the canvas."""
    px = style.px
    canvas.fill(0, 0, canvas.width, shown.height, mood.bar)
    canvas.fill(0, shown.height - px(8), canvas.width, shown.height, mood.bar_edge)
    canvas.seam(shown.height)
    middle = (shown.height - px(8)) // 2
    if len(shown.seats) == 1:
        canvas.centre(badge(mood, people, shown.seats[0], px(_BADGE), mood.bar), px(24 + _BADGE // 2), middle)
    elif len(shown.seats) <= 3:
        size = px(64 if len(shown.seats) == 2 else 54)
        for place, seat in enumerate(shown.seats):
            y = middle + (2 * place - len(shown.seats) + 1) * (size + px(4)) // 2
            canvas.centre(badge(mood, people, seat, size, mood.bar), px(24 + _BADGE // 2), y)
    told, numbers = shown.last
    left, y = _left(style, shown.seats), middle - (shown.head.height + shown.below.height + told.height) // 2
    _write(canvas, shown.head, left, y, mood.bar_text, mood.bar)
    _write(canvas, shown.below, left, y + shown.head.height, mood.bar_dim, mood.bar)
    y += shown.head.height + shown.below.height
    _write(canvas, told, left, y, mood.bar_text, mood.bar)
    canvas.told += [Told(number, "", (left, y, canvas.width, y + told.height)) for number in numbers]


def _write(canvas: Canvas, text: Fitted, x: int, y: int, colour: Colour, ground: Colour) -> None:
    """Write lines from the row `y` down."""
    for number, line in enumerate(text.lines):
        middle = y + number * text.step + text.step // 2
        canvas.text(x, middle, line, text.size, colour, ground, room=canvas.width - x)


def draw_banner(canvas: Canvas, mood: Mood, caption: str, people: People, acting: int) -> None:
    """Turn a finished board into the frame of a big moment: a caption on a bright bar instead of its own.

    `acting`: the seat whose turn it is now, because this covers the bar that said so; negative if it's nobody's.
    """
    px = canvas.px
    high = px(HEADER)
    canvas.cover(0, 0, canvas.width, high)
    canvas.fill(0, 0, canvas.width, high, mood.lit)
    canvas.fill(0, high - px(8), canvas.width, high, INK)
    size = px(104)
    canvas.centre(flash(size, mood.lit), px(24) + size // 2, (high - px(8)) // 2)
    left, right = px(24) + size + px(20), canvas.width - px(24)
    if acting >= 0:
        width = fonts.width("next", px(36))
        right -= max(width, px(84))
        canvas.text((right + canvas.width - px(24)) // 2, px(28), "next", px(36), mood.lit_dim, mood.lit, "middle")
        canvas.centre(badge(mood, people, acting, px(84), mood.lit), (right + canvas.width - px(24)) // 2, px(90))
        right -= px(20)
    shown = fitted(caption, people, [px(size) for size in (60, 52, 44, 40)], right - left, high - px(8))
    _write(canvas, shown, left, (high - px(8) - shown.height) // 2, mood.lit_text, mood.lit)
