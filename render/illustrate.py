"""Illustrations of the rules: a position of a made-up match with marks (`games.illustrations`)."""

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
"""The players of the made-up matches. No name begins with the letter of a column, a suit or a side."""


def paint(shown: Illustration, style: Style) -> Canvas:
    """Paint an illustration. Raises ValueError for a missing hand or role, and what `games.illustrations` raises."""
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
    """Draw an illustration as a PNG file. Cached, because the rules don't change while the program runs."""
    return paint(shown, style).png()


@lru_cache(maxsize=128)
def alt_text(shown: Illustration) -> str:
    """The illustration in words, at most `MAX_ALT_TEXT` characters: what it is about, then the position."""
    draw: Renderer[Any] = RENDERERS[illustrations.game_of(shown)]
    seen = illustrations.observed(shown)
    tell = draw.alt_text if shown.viewer is None else draw.role_text if shown.hand is None else draw.hand_text
    return within(MAX_ALT_TEXT, (shown.alt, tell(seen, PEOPLE[: seen.players]) or ""))
