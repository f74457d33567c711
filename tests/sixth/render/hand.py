"""What only one player may see: their own token."""

from __future__ import annotations

from typing import Final

from render import frame
from render.canvas import Canvas
from render.marks import Spot, draw_marks
from render.style import Mark, People, Style
from tests.sixth.game.observation import MoorObservation
from tests.sixth.render import components
from tests.sixth.render.board import MOOD

_TOKEN: Final = 200


def paint_hand(seen: MoorObservation, people: People, marks: tuple[Mark, ...], style: Style) -> Canvas | None:
    """The viewer's token; ``None`` for a spectator."""
    if seen.viewer is None:
        return None
    px = style.px
    canvas = Canvas(style.width, px(frame.HAND_BAR + _TOKEN + 30), MOOD.ground)
    frame.hand_bar(canvas, MOOD, seen.viewer, people, "your token")
    if seen.token is not None:
        spot = Spot(style.width // 2, px(frame.HAND_BAR + _TOKEN // 2), px(72))
        canvas.centre(components.token(px(_TOKEN), MOOD.ground, seen.token), spot.x, spot.y)
        draw_marks(canvas, marks, {seen.token: spot}.get)
    return canvas
