"""Illustrations of the rules: a position of a made-up match with what is pointed out in it (`games.illustrations`)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from games import illustrations
from games.illustrations import Illustration
from render import RENDERERS
from render.canvas import Canvas
from render.grammar import MAX_ALT_TEXT, within
from render.renderer import Renderer
from render.style import Mark, People, Style

PEOPLE: Final[People] = ("Hana", "Jon", "Kim", "Mia", "Otto", "Rosa", "Tess", "Uma", "Vito", "Zoe")
"""Who plays the made-up matches; no name begins like a column, a suit or a side that a page speaks of."""


def paint(shown: Illustration, style: Style) -> Canvas:
    """The picture. Raises ValueError for a hand or a role that there is not, and what `games.illustrations` raises."""
    draw: Renderer[Any] = RENDERERS[illustrations.game_of(shown)]
    seen = illustrations.observed(shown)
    people, marks = PEOPLE[: seen.players], []
    for number, place, action in illustrations.pointed_out(shown):
        if action is None or shown.viewer is not None:
            marks.append(Mark(number, place))
            continue
        supposed = draw.suppose(seen, action)
        marks.append(Mark(number, place, aside=True, supposed=supposed is not seen))
        seen = supposed
    marks += [Mark(0, start, end) for start, end in shown.arrows]
    if shown.viewer is None:
        return draw.paint(seen, people, tuple(marks), style)
    canvas = (
        draw.paint_role(seen, people, style)
        if shown.hand is None
        else draw.paint_hand(seen, people, tuple(marks), style)
    )
    if canvas is None:
        raise ValueError(f"The illustration {shown.name} shows cards or a role that don't exist.")
    return canvas


@lru_cache(maxsize=128)
def drawn(shown: Illustration, style: Style) -> bytes:
    """The picture as a PNG file; the rules do not change while the program runs, so each is drawn once."""
    return paint(shown, style).png()


@lru_cache(maxsize=128)
def alt_text(shown: Illustration) -> str:
    """The picture in words, at most `MAX_ALT_TEXT` characters: what is to be seen in it, then all of it."""
    draw: Renderer[Any] = RENDERERS[illustrations.game_of(shown)]
    seen = illustrations.observed(shown)
    tell = draw.alt_text if shown.viewer is None else draw.role_text if shown.hand is None else draw.hand_text
    return within(MAX_ALT_TEXT, (shown.alt, tell(seen, PEOPLE[: seen.players]) or ""))
