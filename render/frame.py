"""What the pictures of all games share: moods, bars on top, badges, names and plates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

from games.core import Observation, Played
from render import badges, fonts, marks, sentences
from render.badges import SEAT_COLOURS, SeatColours
from render.cache import cached
from render.canvas import Box, Canvas, Told
from render.emblems import Computer, emblem, machine
from render.grammar import cut, listed
from render.palette import INK, PAPER, Colour, shade
from render.sentences import Fitted
from render.style import Mark, People
from render.tiles import Pen, Sprite, square_tile

O = TypeVar("O", bound=Observation)  # noqa: E741 - the usual name for a type of observation

Say = Callable[[Played[Any], O, People], str]
"""Makes a sentence of a line of the log; see `Renderer.say`."""

_LIGHT: Final = shade("gold", 0.82)
_UMBER: Final = shade("brown", 0.3)


@dataclass(frozen=True)
class Mood:
    """The colours of one game: the picture's `ground` with its coordinates, the title `bar`, the players' `plate`s.

    `dim` is for less important text. `lit` is the plate of the player who acts. `accent` marks the last action.
    `letters` is the least number of letters on a badge, and `seats` has the colours of the players' badges.
    """

    ground: Colour
    coordinate: Colour
    bar: Colour
    bar_edge: Colour
    bar_dim: Colour
    plate: Colour
    plate_dim: Colour
    bar_text: Colour = PAPER
    plate_text: Colour = PAPER
    lit: Colour = _LIGHT
    lit_text: Colour = INK
    lit_dim: Colour = _UMBER
    accent: Colour = _LIGHT
    letters: int = 1
    seats: SeatColours = SEAT_COLOURS

    def plate_colours(self, lit: bool) -> tuple[Colour, Colour, Colour]:
        """The ground of a plate, its text and its dim text."""
        return (self.lit, self.lit_text, self.lit_dim) if lit else (self.plate, self.plate_text, self.plate_dim)


def badge(mood: Mood, people: People, seat: int, size: int, ground: Colour | None) -> Sprite:
    """The badge of a seat's player, `size` pixels square. Without `ground` it is transparent around its shape."""
    return badges.drawn(size, ground, badges.texts(people, mood.letters)[seat], seat, mood.seats)


def draw_small_badge(canvas: Canvas, mood: Mood, people: People, seat: int, size: int, x: int, y: int) -> None:
    """Draw a badge with its middle at a pixel, without its text if that were too small to read on a phone.

    Its shape and its colour tell the player, too. What an overview shows needn't be legible.
    """
    tile = badge(mood, people, seat, size, None)
    within = any(left <= x < right and top <= y < bottom for left, top, right, bottom in canvas.overviews)
    if tile.reading is not None and tile.reading.size < canvas.px(_SAID) and not within:
        tile = badges.drawn(size, None, "", seat, mood.seats)
    canvas.centre(tile, x, y)


@square_tile
def arrow(pen: Pen, colour: Colour) -> None:
    """A triangle that points to the right."""
    pen.polygon([(22, 10), (88, 50), (22, 90)], colour)


@cached
def chip(
    text: str, width: int, height: int, colour: Colour, ink: Colour, rim: float, radius: float, size: float
) -> Sprite:
    """Letters, or none, on a small coloured sign; `rim`, `radius` and font `size` are in percent of its height."""
    units = 100 * width / height
    pen = Pen(width, height, units, None)
    pen.box(0, 0, units, 100, colour, radius - 6, rim=rim, outer=radius)
    if text:
        pen.text(units / 2, 50, text, size, ink)
    return pen.tile()


def ring(canvas: Canvas, x0: int, y0: int, x1: int, y1: int, wide: int, colour: Colour) -> None:
    """Draw the mark of the last action: a bright frame with dark edges, which shows on any ground."""
    thin = max(1, wide // 3)
    canvas.frame(x0 - thin, y0 - thin, x1 + thin, y1 + thin, wide + 2 * thin, INK)
    canvas.frame(x0, y0, x1, y1, wide, colour)


HEADER: Final = 144
"""Height of the title bar, in units of a picture 1200 wide."""

HAND_BAR: Final = 112
"""Top of a private picture's content, below its bar."""

_SAID: Final = 36
"""Font size of the sentence about the last action: the smallest that is legible on a phone."""

MARGIN: Final = 18
"""Room between the parts of a picture and its edge."""


class Title(NamedTuple):
    """The sentence in the title bar: the badge of a `seat` if it is about one player, a `name`, and the `rest`."""

    seat: int | None
    name: str
    rest: str


@square_tile
def pile(pen: Pen) -> None:
    """A pile of cards, face down."""
    for i in range(3):
        x, y = 22 - 8 * i, 26 - 8 * i
        pen.box(x, y, x + 62, y + 72, shade("brown", 0.75 if i == 2 else 0.55), 6, rim=6, outer=10)
    pen.circle(37, 46, 13, shade("gold", 0.72), rim=5)


class Note(NamedTuple):
    """A fact at the right of the title bar, with an optional sign before it."""

    text: str
    sign: Callable[[int, Colour], Sprite] | None = None


def title(seen: Observation, people: People, idle: str, doing: str = "’s turn") -> Title:
    """The title: whose turn it is (`doing`), who has won, or `idle` while nobody acts; ``Your move`` for the viewer."""
    if seen.outcome is not None:
        winners = seen.outcome.winners
        if len(winners) == 1:
            return Title(winners[0], people[winners[0]], " wins")
        names = listed([fonts.isolated(people[seat]) for seat in winners])
        return Title(None, names, " win") if names else Title(None, "Nobody wins", "")
    if seen.current_player < 0:
        return Title(None, idle, "")
    if seen.viewer == seen.current_player:
        return Title(seen.current_player, "Your move", "")
    return Title(seen.current_player, people[seen.current_player], doing)


def _said(seen: O, say: Say[O], before: str, people: People) -> str:
    """The line below the title: why the match ended, else the last action, else `before`, if nobody has acted yet."""
    if seen.outcome is not None:
        return seen.outcome.reason
    return say(seen.last, seen, people) if seen.last else before


def _on_one_line(say: Callable[[People], str], people: People, size: int, room: int) -> str | None:
    """A sentence about people, their names shortened until it fits into `room` pixels; ``None`` if it can't."""
    for length in (32, 20, 14, 9):
        text = say(tuple(fonts.isolated(cut(name, length)) for name in people))
        text = text.replace(f"{fonts.ELLIPSIS}{fonts.ISOLATE_END}.", f"{fonts.ELLIPSIS}{fonts.ISOLATE_END}")
        if fonts.width(text, size) <= room:
            return text
    return None


def signed(
    canvas: Canvas,
    x: int,
    y: int,
    who: str,
    size: int,
    colour: Colour,
    ground: Colour,
    room: int,
    sign: Sprite | None,
    *,
    sign_first: bool = False,
) -> int:
    """Draw a name in `room` pixels, with a sign beside it if there is room for both. Returns the width."""
    if sign is None or fonts.width(who, size) > room - size // 4 - sign.width:
        return canvas.text(x, y, who, size, colour, ground, room=room)
    beside = size // 4 + sign.width
    wide = canvas.text(x + beside if sign_first else x, y, who, size, colour, ground) + beside
    canvas.put(sign, x if sign_first else x + wide - sign.width, y - sign.height // 2)
    return wide


def captions(
    done: Sequence[Mark], people: People, size: int, room: int, least: int = 1
) -> tuple[Fitted, list[int]] | None:
    """The latest actions in at most two lines of text, as many as fit, and their numbers.

    ``None`` if fewer than `least` fit.
    """
    told = [mark for mark in done if mark.said]
    for start in range(len(told) - least + 1):
        some = told[start:]
        text = " ".join(f"{mark.number}: {mark.said}" if some[-1].number > 1 else mark.said for mark in some)
        # To try a text that is too long takes time.
        if len(text) * size < 5 * room:
            lines = sentences.fitted(text, people, [size], room, 3 * size)
            if lines.height <= 3 * size and all(fonts.width(line, size) <= room for line in lines.lines):
                return lines, [mark.number for mark in some]
    return None


_COAT: Final = shade("slate", 0.85)
"""The colour of a computer's face beside a name."""


def name(canvas: Canvas, x: int, y: int, who: str, size: int, colour: Colour, ground: Colour, room: int) -> int:
    """Draw a player's name in `room` pixels; after a computer's name its own picture and a face.

    Returns the width. A name has its room before anything else: the face is left out if the name would be cut.
    """
    sign = emblem(who, size * 5 // 4, ground)
    if not isinstance(who, Computer):
        return signed(canvas, x, y, who, size, colour, ground, room, sign)
    face, gap = machine(size, ground, _COAT), size // 4
    beside = room - gap - face.width
    if fonts.width(who, size) > beside:
        return canvas.text(x, y, who, size, colour, ground, room=room)
    wide = signed(canvas, x, y, who, size, colour, ground, beside, sign) + gap
    canvas.put(face, x + wide, y - face.height // 2)
    return wide + face.width


def title_bar(
    canvas: Canvas,
    mood: Mood,
    head: Title,
    notes: tuple[Note, ...],
    seen: O,
    say: Say[O],
    people: People,
    before: str = "",
) -> None:
    """Draw the bar on top: `head` in large letters, up to two notes, and a sentence about the last action below.

    `say` makes the sentence. `before` stands there until somebody acts. The names of the people are shortened if need
    be. A sentence that is still too long for one line has two, and the rest of the bar is smaller. If the picture marks
    several actions, as many of the latest have sentences as fit.
    """
    px = canvas.px
    high, upper, lower = px(HEADER), px(42), px(104)
    canvas.fill(0, 0, canvas.width, high, mood.bar)
    canvas.fill(0, high - px(8), canvas.width, high, mood.bar_edge)
    canvas.seam(high)
    left = px(24)
    room = _draw_note(canvas, mood, notes[1:], lower) - px(30) - left
    said, small = partial(_said, seen, say, before), px(_SAID)
    names, numbers = tuple(map(sentences.bare, people)), [mark.number for mark in canvas.done[-1:]]
    found = captions(canvas.done, names, small, room, 2) if seen.outcome is None else None
    text = _on_one_line(said, people, small, room) if found is None else None
    if found is not None and len(found[0].lines) == 1:
        (text,), numbers = found[0].lines, found[1]
    if text is not None:
        lines, size, badge_size = [(lower, text)], px(52), px(84)
    else:
        upper, size, badge_size = px(28), px(44), px(56)
        whole = said(sentences.seats(len(people)))
        told, numbers = found or (sentences.fitted(whole, names, [small], room, 3 * small), numbers)
        lines = list(zip((px(74), px(112)), told.lines, strict=False))
    x, end = left, _draw_note(canvas, mood, notes[:1], upper) - px(30)
    if head.seat is not None:
        canvas.centre(badge(mood, people, head.seat, badge_size, mood.bar), x + badge_size // 2, upper + px(2))
        x += badge_size + px(16)
    winners = () if seen.outcome is None else seen.outcome.winners
    if len(winners) > 1:
        who_win = _on_one_line(lambda names: f"{listed([names[seat] for seat in winners])} win", people, size, end - x)
        head = Title(None, who_win or f"{len(winners)} players win", "")
    own = emblem(head.name, size * 5 // 4, mood.bar)
    room = end - x - fonts.width(head.rest, size)
    x += signed(canvas, x, upper, head.name, size, mood.bar_text, mood.bar, room, own, sign_first=True)
    canvas.text(x, upper, head.rest, size, mood.bar_text, mood.bar)
    for y, line in lines:
        canvas.text(left, y, line, small, mood.bar_dim, mood.bar)
    if seen.outcome is None:
        box = (left, lines[0][0] - small // 2, left + room, lines[-1][0] + small // 2)
        canvas.told += [Told(number, "", box) for number in numbers]


def _draw_note(canvas: Canvas, mood: Mood, notes: tuple[Note, ...], y: int) -> int:
    """Draw a note, if there is one, at the right of the bar. Returns its left end."""
    end = canvas.width - canvas.px(24)
    for note in notes[:1]:
        end -= canvas.text(end, y, note.text, canvas.px(40), mood.bar_dim, mood.bar, "right")
        if note.sign is not None:
            sign = note.sign(canvas.px(46), mood.bar)
            end -= canvas.px(12) + sign.width
            canvas.centre(sign, end + sign.width // 2, y)
    return end


Emblem = Callable[[int, Colour], Sprite]
"""Draws the picture that stands for a game: takes its side in pixels and the colour that it lies on."""

STRIP_BAR: Final = 196
"""Height of the bar on top of a picture that shows no board."""

_EMBLEM: Final = 164
_HEADS: Final = (76, 64, 52, 44)
_BELOW: Final = (42, 38)
"""Font sizes of such a picture's heading, and of the line below it; the first that fits is taken."""


def strip_bar(canvas: Canvas, head: str, below: str, note: str, mood: Mood, emblem: Emblem) -> None:
    """Draw the bar on top of a picture that shows no board: an emblem, two lines, and a note on a tag."""
    px = canvas.px
    canvas.fill(0, 0, canvas.width, px(STRIP_BAR), mood.bar)
    canvas.fill(0, px(STRIP_BAR - 8), canvas.width, px(STRIP_BAR), mood.bar_edge)
    # The emblem needn't be legible beside the name of its game.
    canvas.paste(emblem(px(_EMBLEM), mood.bar), px(20), px(12))
    left, right, size = px(_EMBLEM + 48), canvas.width - px(24), px(46)
    room = right - left
    if note:
        wide = fonts.width(note, size) + px(48)
        canvas.panel(right - wide, px(26), right, px(98), mood.lit, mood.bar, px(36))
        canvas.text(right - wide // 2, px(62), note, size, mood.lit_text, mood.lit, "middle")
        room -= wide + px(24)
    large = fonts.size_for(head, map(px, _HEADS), room)
    canvas.text(left, px(64), head, large, mood.bar_text, mood.bar, room=room)
    small = fonts.size_for(below, map(px, _BELOW), right - left)
    canvas.text(left, px(142), below, small, mood.bar_dim, mood.bar, room=right - left)


def hand_bar(canvas: Canvas, mood: Mood, seat: int, people: People, note: str = "") -> None:
    """Draw the bar on top of a private picture: its owner, and a note at the right."""
    px = canvas.px
    high, middle, right = px(HAND_BAR - 16), px(46), canvas.width - px(24)
    canvas.fill(0, 0, canvas.width, high, mood.bar)
    canvas.fill(0, high - px(8), canvas.width, high, mood.bar_edge)
    canvas.centre(badge(mood, people, seat, px(84), mood.bar), px(60), middle)
    if note:
        right -= canvas.text(right, middle, note, px(40), mood.bar_dim, mood.bar, "right") + px(30)
    canvas.text(px(116), middle, people[seat], px(48), mood.bar_text, mood.bar, room=right - px(116))


class Plate(NamedTuple):
    """The free room on a player's plate: from `left` to `right`, and the middles of an `upper` and a `lower` line."""

    left: int
    right: int
    upper: int
    lower: int
    ground: Colour
    text: Colour
    dim: Colour


def plate(
    canvas: Canvas, mood: Mood, box: Box, seen: Observation, seat: int, people: People, lit: bool | None = None
) -> Plate:
    """Draw a player's plate with the badge; the caller writes the name.

    The plate is lit if the player acts or has won, or as `lit` says.
    """
    px = canvas.px
    x0, y0, x1, y1 = box
    if lit is None:
        lit = seat == seen.current_player if seen.outcome is None else seat in seen.outcome.winners
    ground, text, dim = mood.plate_colours(lit)
    canvas.seam(y0)
    canvas.panel(x0, y0, x1, y1, ground, mood.ground, px(18))
    high = y1 - y0
    size = min(high - px(22), px(88))
    left, top = x0 + px(12), y0 + (min(high, px(122)) - size) // 2
    canvas.put(badge(mood, people, seat, size, ground), left, top)
    text_at = draw_own(canvas, seat, left, top, size) + px(16)
    upper, lower = y0 + min(high, px(122)) * 26 // 100, y0 + min(high, px(122)) * 77 // 100
    return Plate(text_at, x1 - px(16), upper, lower, ground, text, dim)


def at_plate(seat: int) -> str:
    """The place of marks on a player's plate."""
    return f"#{seat + 1}"


def draw_own(canvas: Canvas, seat: int, left: int, top: int, size: int, signs: Sequence[str] = marks.SIGNS) -> int:
    """Draw beside a badge which of the `signs` tells what the player has done last, and its number.

    Returns the right end of both.
    """
    own = [mark for mark in canvas.done if mark.place == at_plate(seat) and mark.seat == seat and mark.sign in signs]
    if not own:
        return left + size
    px, x, y = canvas.px, left + size + canvas.px(8), top + size - canvas.px(19)
    canvas.centre(marks.sign(px(46), None, own[-1].sign), x, y)
    if canvas.numbered:
        canvas.centre(marks.tab(px(44), None, own[-1].number), x, y - px(44))
    canvas.told.append(Told(own[-1].number, own[-1].place, (left, top, x + px(23), top + size)))
    return x + px(23)
