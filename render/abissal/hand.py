"""The private picture of the deep sea: a player's hand."""

from __future__ import annotations

from typing import Final

from games.abissal.observation import AbissalObservation
from render import frame
from render.abissal import components
from render.abissal.board import MOOD
from render.canvas import Canvas
from render.grammar import counted
from render.marks import Spot, draw_marks
from render.style import Mark, People, Style

_CARD: Final = 178
_COLUMNS: Final = 6


def paint_hand(seen: AbissalObservation, people: People, marks: tuple[Mark, ...], style: Style) -> Canvas | None:
    """Paint the viewer's cards; ``None`` for a spectator."""
    if seen.viewer is None:
        return None
    px = style.px
    high = px(frame.HAND_BAR)
    wide = px(_CARD)
    card_high = wide * components.HIGH // 100
    rows = max(1, -(-len(seen.hand) // _COLUMNS))
    canvas = Canvas(style.width, high + rows * (card_high + px(18)) + px(24), MOOD.ground)
    frame.hand_bar(canvas, MOOD, seen.viewer, people, counted(len(seen.hand), "card"))
    step = (style.width - 2 * px(18)) // _COLUMNS
    spots: dict[str, Spot] = {}
    for i, name in enumerate(seen.hand):
        x = px(18) + (i % _COLUMNS) * step + (step - wide) // 2
        down = high + px(8) + (i // _COLUMNS) * (card_high + px(18))
        canvas.put(components.card(wide, MOOD.ground, name), x, down)
        spots[name] = Spot(x + wide // 2, down + card_high - px(32), px(72))
    draw_marks(canvas, marks, spots.get)
    if not seen.hand:
        y = high + card_high // 2
        canvas.text(style.width // 2, y, "No cards in your hand", px(48), MOOD.plate_dim, MOOD.ground, "middle")
    return canvas
