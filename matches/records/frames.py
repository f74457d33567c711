"""The frames of an animation, made in a worker process: this module imports neither the store nor discord."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TypeAlias

from games.core import Observation
from games.log import Course, Header, Line
from matches.engine.workers import Stopped, stopped

Paint: TypeAlias = Callable[[Sequence[Observation], tuple[str, ...], Callable[[], bool]], bytes]
"""Makes a file from observations and the names by seat. Its last argument says whether to stop early."""


def painted(
    header: Header,
    lines: Sequence[Line],
    plies: Collection[int],
    everything: bool,
    paint: Paint,
    people: tuple[str, ...],
) -> bytes:
    """Return what `paint` makes of the positions at `plies`, as a spectator saw them, or with `everything` open.

    Raises Stopped soon after the work was cancelled.
    """
    course, seen = Course.begin(header), []
    for line in lines:
        if stopped():
            raise Stopped
        course = course.after(line, trusted=True)
        if line.ply + 1 in plies:
            state = course.state
            seen.append(state.open_observation() if everything else state.observation(None))
    return paint(seen, people, stopped)
