"""The animation of a match, made in a worker process: this module imports neither the store nor discord."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from games.log import Beat, Header, Line, beats
from matches.engine.workers import go_on, stopped

Paint: TypeAlias = Callable[[Sequence[Beat], tuple[str, ...], Callable[[], bool]], bytes]
"""Makes a file from a match and the names by seat. Its last argument says whether to stop early."""


def painted(header: Header, lines: Sequence[Line], everything: bool, paint: Paint, people: tuple[str, ...]) -> bytes:
    """Return what `paint` makes of a match as a spectator saw it, or with `everything` open.

    Raises Stopped soon after the work was cancelled.
    """
    seen = []
    for beat in beats(header, lines, everything=everything):
        go_on()
        seen.append(beat)
    return paint(seen, people, stopped)
