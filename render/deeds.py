"""What was done since the last picture: by whom, in which order, where, and with what effect.

A game says where and what (`Trace`). How that looks is the same in all games: the mover's badge beside the place, with
the number of the action if there are several. `Canvas.told` notes what tells an action while it is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, TypeVar

from games.core import Observation, Played
from render import frame, marks, sentences
from render.canvas import Box, Canvas, Told
from render.frame import Mood, Say
from render.marks import Find, Spot
from render.story import Passed
from render.style import Mark, Marks, People

O = TypeVar("O", bound=Observation)  # noqa: E741 - the usual name for a type of observation

Trace = Callable[[Marks, Played[Any], O, O | None], Marks]
"""Adds the marks of an action, without number, to those of earlier actions, which may have changed their places.

It is given the observations of a spectator after the action and before it; ``None`` if that isn't known.
"""

BADGE: Final = 58
"""Size of a badge, in units of a picture 1200 wide."""

_TAB: Final = 44
_CORNERS: Final = ((1, 1), (-1, 1), (1, -1), (-1, -1))


def made(trace: Trace[O], say: Say[O], lines: Sequence[Passed], before: O | None = None) -> Marks:
    """Mark the actions of players among these lines. A new deal clears the table, and so removes earlier marks.

    `before`: what a spectator saw before them.
    """
    found, number = Marks(), 0
    for line, seen in lines:
        if line.player >= 0:
            number += 1
            new = trace(found, line, seen, before)
            found = _numbered(new, number, line.player, say(line, seen, sentences.seats(seen.players)))
        elif seen.last is None:
            found, number = (), 0
        before = seen
    return found


def shown(trace: Trace[O], seen: O, given: Iterable[Mark]) -> Marks:
    """The marks of actions among these, or that of the last action if there are none."""
    done = tuple(mark for mark in given if mark.seat is not None)
    if done or seen.last is None:
        return done
    return _numbered(trace((), seen.last, seen, None), 1, seen.last.player, "")


def _numbered(found: Marks, number: int, seat: int, said: str) -> Marks:
    """The same with all that new marks share; the first of them has the sentence."""
    new = [
        mark._replace(number=number, seat=seat if mark.seat is None else mark.seat) for mark in found if not mark.number
    ]
    return (*(mark for mark in found if mark.number), *(mark._replace(said=said) for mark in new[:1]), *new[1:])


def stamp(
    canvas: Canvas, mood: Mood, people: People, mark: Mark, x: int, y: int, size: int, side: int = 1, rise: int = 1
) -> None:
    """Draw the mark of an action with the badge's middle at a pixel.

    Its number is on the right, or left if `side` is -1, and below the middle, or above it if `rise` is -1.
    """
    assert mark.seat is not None
    frame.draw_small_badge(canvas, mood, people, mark.seat, size, x, y)
    side *= canvas.numbered and mark.number > 0
    if side:
        high = _tab(canvas, size)
        canvas.centre(marks.tab(high, None, mark.number), x + side * (size // 2 + high // 8), y + rise * (size // 4))
    canvas.told.append(Told(mark.number, mark.place, _box(canvas, x, y, size, side)))


def width(canvas: Canvas, mark: Mark, size: int) -> int:
    """The width of a mark with a badge of this size: with its number, if it has one."""
    left, _, right, _ = _box(canvas, 0, 0, size, canvas.numbered and mark.number > 0)
    return right - left


def _tab(canvas: Canvas, size: int) -> int:
    """The size of the number beside a badge."""
    return min(size * _TAB // BADGE, canvas.px(_TAB))


def _box(canvas: Canvas, x: int, y: int, size: int, side: int) -> Box:
    """The rectangle of a mark around a pixel, whose number is on the right (1) or left (-1), or which has none."""
    half, beside = size // 2, _tab(canvas, size) * 5 // 8
    return x - half - beside * (side < 0), y - half, x + half + beside * (side > 0), y + half


def draw(canvas: Canvas, mood: Mood, people: People, done: Iterable[Mark], find: Find, size: int = BADGE) -> None:
    """Mark the places that `find` knows, each at a corner (`Spot.corner`) where the mark covers no other one."""
    size = canvas.px(size)
    for mark in done:
        spot = find(mark.place)
        if spot is not None:
            ways = (_way(canvas, spot, across, down, size) for across, down in _CORNERS)
            free = next((way for way in ways if _is_free(canvas, way)), None)
            way = free or _way(canvas, spot, 1, 1, size)
            # The number is on the far side of the place, so that it hides little of what lies there.
            stamp(canvas, mood, people, mark, *way, rise=1 if way[1] >= spot.y else -1)


def _way(canvas: Canvas, spot: Spot, across: int, down: int, size: int) -> tuple[int, int, int, int]:
    """Where a mark stands at one of the corners, within the picture; its size, and the side of its number."""
    x, y = spot.x + across * spot.corner[0], spot.y + down * spot.corner[1]
    side = canvas.numbered * (1 if x >= spot.x else -1)
    left, top, right, bottom = _box(canvas, x, y, size, side)
    x += max(0, -left) - max(0, right - canvas.width)
    return x, y + max(0, -top) - max(0, bottom - canvas.height), size, side


def _is_free(canvas: Canvas, way: tuple[int, int, int, int]) -> bool:
    left, top, right, bottom = _box(canvas, *way)
    return not any(
        left < each.box[2] and each.box[0] < right and top < each.box[3] and each.box[1] < bottom
        for each in canvas.told
    )
