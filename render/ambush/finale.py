"""The picture of a match of Ambush that is over: the pips as two curves, and who captured what in which turn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from games.ambush.components import PIPS, PYRAMIDS, SIZE_NAMES, SIZES
from games.ambush.observation import AmbushObservation, Captured
from render import curves, fonts, frame, story
from render.ambush import components
from render.ambush.board import MOOD
from render.cache import cached
from render.canvas import Canvas
from render.grammar import MAX_ALT_TEXT, counted, listed, plain, spelled, within
from render.palette import PAPER, mixed, shade
from render.sentences import told
from render.story import End, Passed, Story
from render.style import MAX_SIDE, People, Style
from render.tiles import Pen, Sprite

MANY: Final = 3
"""A turn in which somebody captures at least this many pyramids is a big moment."""

_PLATE: Final = 194
_CHART: Final = 330
_LEFT: Final = 96
_AXIS: Final = 62
_PYRAMID: Final = 72
_STEP: Final = 54
"""Usual distance between neighbouring pyramids in a pile."""

_GAIN: Final = 52
"""Room for the pips beyond a pile."""

_MOST: Final = (330, 240, 160, 90)
"""Limits for the height of a pile. The first one with which the picture isn't too high is used.

In a pile that would exceed it, the pyramids stand closer together.
"""

_CURVES: Final = curves.Look(PYRAMIDS, _LEFT, (shade("slate", 0.85), shade("red", 0.72)), shade("felt", 0.05))
_GROUND: Final = shade("felt", 0.22)
_WOOD: Final = shade("brown", 0.44)


class Course(NamedTuple):
    """A match turn by turn: the pips after each pair of turns, and by turn what each player captured."""

    scores: curves.Scores
    captures: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]

    def worst(self, player: int) -> int:
        """The turn after which a player was furthest behind; 0 if they never were."""
        behind = [pair[1 - player] - pair[player] for pair in self.scores]
        most = max(behind, default=0)
        return len(behind) - behind[::-1].index(most) if most > 0 else 0

    def best(self, player: int) -> int:
        """The turn in which a player captured the most; 0 if that was fewer than `MANY`."""
        sizes = [len(pair[player]) for pair in self.captures]
        most = max(sizes, default=0)
        return sizes.index(most) + 1 if most >= MANY else 0


def course_of(lines: Sequence[Passed]) -> Course:
    """Return the match turn by turn."""
    scores: dict[int, tuple[int, int]] = {}
    captures: dict[int, tuple[list[str], list[str]]] = {}
    for line, seen in lines:
        if line.player < 0:
            continue
        turn = PYRAMIDS - sum(seen.stash[line.player])
        scores[turn] = (seen.scores[0], seen.scores[1])
        made = captures.setdefault(turn, ([], []))
        for item in seen.last_captures:
            made[1 - item.owner].append(item.size)
    turns = sorted(scores)
    return Course(
        tuple(scores[turn] for turn in turns),
        tuple((tuple(captures[turn][0]), tuple(captures[turn][1])) for turn in turns),
    )


def moment(before: AmbushObservation, passed: Passed) -> str | None:
    """The caption of a turn in which somebody captures at least `MANY` pyramids."""
    seen: AmbushObservation = passed.observation
    if not seen.last_captures:
        return None
    captor = max(range(seen.players), key=lambda seat: len(_of(seen.turn_captures, seat)))
    sizes = _of(seen.turn_captures, captor)
    if len(sizes) < MANY:
        return None
    turn = "" if captor == passed.line.player else f" in {{{passed.line.player}}}’s turn"
    return f"{{{captor}}} captures {spelled(len(sizes))}{turn}: {counted(_pips(sizes), 'pip')}!"


def eventful(seen: AmbushObservation) -> bool:
    """Whether anything was captured."""
    return any(seen.scores)


def _of(captured: Sequence[Captured], captor: int) -> tuple[str, ...]:
    return tuple(item.size for item in captured if item.owner != captor)


def _pips(sizes: Sequence[str]) -> int:
    return sum(PIPS[size] for size in sizes)


def course(shown: Story) -> str:
    """How the score went, as a sentence."""
    seen: AmbushObservation = shown.seen
    passed, end = course_of(shown.course), shown.end
    if end is None or not end.by_rules:
        return f"It stood {seen.scores[0]} : {seen.scores[1]} in turn {len(passed.scores)} of {PYRAMIDS}."
    if len(end.winners) != 1:
        return f"{counted(seen.scores[0], 'pip')} each."
    (winner,) = end.winners
    behind, best = passed.worst(winner), passed.best(winner)
    how = "Never behind"
    if behind:
        pair = passed.scores[behind - 1]
        how = f"{pair[winner]} : {pair[1 - winner]} behind after turn {behind}"
    if best:
        how += f"; {spelled(len(passed.captures[best - 1][winner]))} captured in turn {best}"
    return f"{how}."


def end_alt(shown: Story, people: People) -> str:
    """The picture in words."""
    seen: AmbushObservation = shown.seen
    short = tuple(plain(name) for name in people)
    headline = "" if shown.end is None else told(shown.end.headline, people)
    parts = ["Ambush.", headline, course(shown)]
    passed = course_of(shown.course)
    for seat in range(seen.players):
        turns = [
            f"turn {turn}: {listed([SIZE_NAMES[size] for size in pair[seat]])}"
            for turn, pair in enumerate(passed.captures, 1)
            if pair[seat]
        ]
        captured = f"captured in {'; in '.join(turns)}" if turns else "captured nothing"
        parts.append(f"{short[seat]}: {counted(seen.scores[seat], 'pip')}, {captured}.")
    return within(MAX_ALT_TEXT, parts)


def _draw_plate(canvas: Canvas, seen: AmbushObservation, people: People, seat: int, y: int) -> None:
    """Draw a player's half of the row of plates: name, pips, and what they captured by size."""
    px = canvas.px
    half = (canvas.width - 3 * px(frame.MARGIN)) // 2
    x = px(frame.MARGIN) + seat * (half + px(frame.MARGIN))
    plate = frame.plate(canvas, MOOD, (x, y, x + half, y + px(_PLATE)), seen, seat, people)
    middle, right = y + px(56), plate.right
    right -= canvas.text(right, middle, str(seen.scores[seat]), px(76), plate.text, plate.ground, "right") + px(20)
    if seen.outcome is not None and seat in seen.outcome.winners:
        canvas.put(story.trophy(px(72), plate.ground), right - px(72), middle - px(36))
        right -= px(88)
    room = right - plate.left
    frame.name(canvas, plate.left, middle, people[seat], px(42), plate.text, plate.ground, room)
    at, lower, size = x + px(20), y + px(148), px(66)
    for number, name in zip(seen.captured[seat], SIZES, strict=True):
        if number:
            canvas.put(components.bare(size, None, 1 - seat, name), at, lower - size * 3 // 5)
            canvas.text(at + size, lower, f"×{number}", px(40), plate.text, plate.ground)
            at += size + px(68)
    canvas.text(plate.right, lower, "pips", px(38), plate.dim, plate.ground, "right")


@cached
def _axis(wide: int, high: int) -> Sprite:
    """A board of wood between the piles of both players."""
    pen = Pen(wide, high, wide, _GROUND)
    pen.box(0, 0, wide, high, shade("brown", 0.22))
    pen.box(0, high * 0.06, wide, high * 0.9, _WOOD)
    pen.box(0, high * 0.06, wide, high * 0.12, shade("brown", 0.67))
    return pen.tile()


class Piles(NamedTuple):
    """The heights of both players' piles, in pixels, and of the highest pile, in units."""

    above: int
    below: int
    most: int


def piles_of(passed: Course, style: Style, room: int) -> Piles:
    """Lay out the piles so that they fill at most `room` pixels."""
    for most in _MOST:
        piles = Piles(_height(passed, 0, style, most), _height(passed, 1, style, most), most)
        if piles.above + piles.below <= room:
            break
    return piles


def _draw_piles(canvas: Canvas, passed: Course, people: People, top: int, piles: Piles) -> None:
    """Draw what was captured by turn: by the first player above the board of wood, by the second below it."""
    px = canvas.px
    above, below, most = piles
    axis = top + above
    canvas.seam(top)
    canvas.fill(0, top, canvas.width, axis + px(_AXIS) + below, _GROUND)
    canvas.seam(axis)
    canvas.paste(_axis(canvas.width, px(_AXIS)), 0, axis)
    size = px(_PYRAMID)
    for seat, edge, step in ((0, axis, -1), (1, axis + px(_AXIS), 1)):
        middle = edge + step * min(piles[seat], px(_PYRAMID + 20)) // 2
        canvas.centre(frame.badge(MOOD, people, seat, px(76), _GROUND), px(50), middle)
    best = [passed.best(seat) for seat in (0, 1)]
    for turn in range(1, PYRAMIDS + 1):
        x = _CURVES.column(turn, canvas.width)
        done = turn <= len(passed.captures)
        colour = PAPER if done else mixed(_WOOD, PAPER, 0.35)
        canvas.text(x, axis + px(_AXIS) // 2 - px(2), str(turn), px(38), colour, _WOOD, "middle")
        for seat, sizes in enumerate(passed.captures[turn - 1] if done else ()):
            if not sizes:
                continue
            apart = _apart(len(sizes), most, px)
            for number, name in enumerate(sizes):
                if seat == 0:
                    y = axis - px(4) - size - number * apart
                else:
                    y = axis + px(_AXIS + 8) + number * apart
                canvas.put(components.bare(size, None, 1 - seat, name), x - size // 2, y)
            reach = size + (len(sizes) - 1) * apart + px(8)
            y = axis - reach - px(_GAIN) // 2 if seat == 0 else axis + px(_AXIS) + reach + px(_GAIN) // 2
            gain, ground = f"+{_pips(sizes)}", MOOD.lit if turn == best[seat] else _GROUND
            if turn == best[seat]:
                wide = fonts.width(gain, px(40)) // 2 + px(10)
                canvas.panel(x - wide, y - px(26), x + wide, y + px(26), MOOD.lit, _GROUND, px(14))
            ink = MOOD.lit_text if turn == best[seat] else MOOD.plate_dim
            canvas.text(x, y, gain, px(40), ink, ground, "middle")


def _apart(number: int, most: int, px: Callable[[float], int]) -> int:
    """The distance between neighbours in a pile of `number` pyramids, in pixels, if it may be `most` units high."""
    return px(min(_STEP, (most - _PYRAMID) / max(1, number - 1)))


def _height(passed: Course, seat: int, style: Style, most: int) -> int:
    """The room for a player's piles, which are at most `most` units high."""
    number = max((len(pair[seat]) for pair in passed.captures), default=0)
    pile = style.px(_PYRAMID + _GAIN + 16) + max(0, number - 1) * _apart(number, most, style.px)
    return pile if number else style.px(_PYRAMID + 16)


def paint_end(shown: Story, people: People, style: Style) -> Canvas:
    """Paint the end of a match, however it ended."""
    seen: AmbushObservation = shown.seen
    end = shown.end or End((), "")
    passed, px = course_of(shown.course), style.px
    winners = end.winners if len(end.winners) == 1 else ()
    head = story.heading(style, people, end.headline, course(shown), winners, shown.marks)
    plates = head.height + px(frame.MARGIN)
    chart = plates + px(_PLATE + frame.MARGIN)
    top = chart + px(_CHART)
    piles = piles_of(passed, style, px(MAX_SIDE) - top - px(_AXIS))
    canvas = Canvas(style.width, top + piles.above + px(_AXIS) + piles.below, MOOD.ground)
    story.draw_heading(canvas, MOOD, head, people, style)
    for seat in range(seen.players):
        _draw_plate(canvas, seen, people, seat, plates)
    low = passed.worst(end.winners[0]) if end.by_rules and len(end.winners) == 1 else 0
    curves.draw(canvas, MOOD, _CURVES, chart, px(_CHART), passed.scores, low)
    _draw_piles(canvas, passed, people, top, piles)
    return canvas
