"""Moor in pictures and words."""

from __future__ import annotations

from functools import partial
from typing import Final

from render.renderer import Renderer
from tests.sixth.render import board, components, hand, words

RENDERER: Final = Renderer(
    mood=board.MOOD,
    emblem=partial(components.cairn, stones=4),
    paint=board.paint,
    alt_text=words.alt_text,
    text_board=words.text_board,
    say=words.say,
    advise=words.advise,
    headline=words.headline,
    end_text=words.end_text,
    paint_hand=hand.paint_hand,
    hand_text=words.hand_text,
)
