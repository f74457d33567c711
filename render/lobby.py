"""The picture of a lobby: the game, who sits, which seats are free, and the terms (P1).

`matches/host/lobby.py` knows the lobby, `matches/table/lobby.py` decides about it.

Nothing in a lobby is secret, so a strip shows what its message says.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from render import badges, emblems, fonts, frame
from render.canvas import Box, Canvas
from render.emblems import Computer
from render.frame import Emblem, Mood
from render.grammar import counted, listed
from render.palette import INK, Colour, mixed
from render.style import Style
from render.tiles import Pen, Point, square_tile

_SEAT: Final = 92
_GAP: Final = 14
_NAME_AT: Final = 96
_NAMES: Final = (46, 40, 36)
"""Font sizes of names; the first that fits is taken."""

_REMARK: Final = 36


class Sitting(NamedTuple):
    """A player at a table, before or after the match. The name of a computer is a `Computer`.

    `seat` is ``None`` until the seats are drawn. `remark` is a word or two after the name. `won`: they have won.
    """

    name: str
    seat: int | None = None
    remark: str = ""
    won: bool = False

    @property
    def computer(self) -> bool:
        """Whether the player is a computer."""
        return isinstance(self.name, Computer)


class Lobby(NamedTuple):
    """What a strip shows: the players, the number of free seats, the terms (`agreed`), the table's state (`note`)."""

    sitting: tuple[Sitting, ...]
    free: int
    agreed: str
    note: str


@square_tile
def person(pen: Pen, coat: Colour) -> None:
    """The sign of a person, before the seats are drawn."""
    for grow, colour in ((0, INK), (-6, coat)):
        pen.polygon(_shoulders(grow), colour)
        pen.circle(50, 30, 22 + grow, colour)


def _shoulders(grow: float) -> list[Point]:
    low, high = 94 + grow, 48 - grow
    right = [(66.0, high), (84 + grow, 62 - grow), (92 + grow, low)]
    return [(100 - x, y) for x, y in reversed(right)] + right


@square_tile
def plus(pen: Pen, colour: Colour) -> None:
    """The sign of a free seat: a plus."""
    for start, end in (((50, 22), (50, 78)), ((22, 50), (78, 50))):
        pen.line([start, end], 12, colour)


def paint(shown: Lobby, name: str, mood: Mood, emblem: Emblem, style: Style) -> Canvas:
    """Paint the strip for the game called `name`. Its height depends on the number of seats."""
    px = style.px
    columns = _columns(shown, style)
    rows = -(-(len(shown.sitting) + shown.free) // columns)
    top, step = px(frame.STRIP_BAR + frame.MARGIN), px(_SEAT + _GAP)
    canvas = Canvas(style.width, top + rows * step + px(frame.MARGIN - _GAP), mood.ground)
    frame.strip_bar(canvas, name, shown.agreed, shown.note, mood, emblem)
    wide, texts = _width(columns, style), _badges(shown, mood)
    for place in range(len(shown.sitting) + shown.free):
        x = px(frame.MARGIN) + place % columns * (wide + px(_GAP))
        y = top + place // columns * step
        box = (x, y, x + wide, y + px(_SEAT))
        if place < len(shown.sitting):
            _draw_sitting(canvas, shown.sitting[place], texts[place], box, mood)
        else:
            _draw_free(canvas, box, mood)
    return canvas


def _badges(shown: Lobby, mood: Mood) -> list[str]:
    """The text on everybody's badge, as on the boards of their match; "" before the seats are drawn."""
    seated = sorted((each.seat, each.name) for each in shown.sitting if each.seat is not None)
    texts = badges.texts(tuple(name for _, name in seated), mood.letters)
    by_seat = {seat: text for (seat, _), text in zip(seated, texts, strict=True)}
    return [by_seat.get(each.seat, "") if each.seat is not None else "" for each in shown.sitting]


def _width(columns: int, style: Style) -> int:
    """Width of a seat, in pixels."""
    return (style.width - 2 * style.px(frame.MARGIN) - (columns - 1) * style.px(_GAP)) // columns


def _columns(shown: Lobby, style: Style) -> int:
    """Number of columns: two, or one if a name would be cut otherwise."""
    wide = _width(2, style)
    smallest = style.px(_NAMES[-1])
    return 2 if all(fonts.width(each.name, smallest) <= _room(each, wide, style.px) for each in shown.sitting) else 1


def _room(sitting: Sitting, wide: int, px: Callable[[float], int]) -> int:
    """Room for the name in a seat that is `wide` pixels wide, in pixels."""
    remark = fonts.width(sitting.remark, px(_REMARK)) + px(20) if sitting.remark else 0
    return wide - px(_NAME_AT + 20) - remark


def _draw_sitting(canvas: Canvas, sitting: Sitting, badge: str, box: Box, mood: Mood) -> None:
    px = canvas.px
    x0, y0, x1, y1 = box
    ground, text, dim = mood.plate_colours(sitting.won)
    canvas.panel(*box, ground, mood.ground, px(18))
    size, middle, right = px(64), (y0 + y1) // 2, x1 - px(20)
    if sitting.seat is not None:
        sign = badges.drawn(size, ground, badge, sitting.seat, mood.seats)
    else:
        own = emblems.emblem(sitting.name, size, ground)
        sign = own or (emblems.machine if sitting.computer else person)(size, ground, mood.accent)
    canvas.put(sign, x0 + px(16), middle - size // 2)
    if sitting.remark:
        canvas.text(right, middle, sitting.remark, px(_REMARK), dim, ground, "right")
    room = _room(sitting, x1 - x0, px)
    name_size = fonts.size_for(sitting.name, map(px, _NAMES), room)
    # Once the seats are drawn, badges stand where the computers' pictures stood; these stand beside the names.
    beside = emblems.emblem(sitting.name, name_size * 5 // 4, ground) if sitting.seat is not None else None
    frame.signed(canvas, x0 + px(_NAME_AT), middle, sitting.name, name_size, text, ground, room, beside)


def _draw_free(canvas: Canvas, box: Box, mood: Mood) -> None:
    """Draw a free seat: an empty frame."""
    px = canvas.px
    x0, y0, x1, y1 = box
    rim, size, middle = px(4), px(64), (y0 + y1) // 2
    edge = mixed(mood.ground, mood.coordinate, 0.45)
    canvas.panel(*box, edge, mood.ground, px(18))
    canvas.panel(x0 + rim, y0 + rim, x1 - rim, y1 - rim, mood.ground, edge, px(14))
    canvas.put(plus(size, mood.ground, mood.coordinate), x0 + px(16), middle - size // 2)
    canvas.text(x0 + px(_NAME_AT), middle, "a free seat", px(42), mood.coordinate, mood.ground)


def alt_text(shown: Lobby, name: str) -> str:
    """The strip in words."""
    people = [f"{sitting.name}{f' ({sitting.remark})' if sitting.remark else ''}" for sitting in shown.sitting]
    are = "is" if len(people) < 2 else "are"
    sits = f"{listed(people) or 'Nobody'} {are} at the table"
    free = f"; {counted(shown.free, 'seat is', 'seats are')} free" if shown.free else ""
    return f"{name}, {shown.agreed}: {shown.note}. {sits}{free}."
