"""Ambiente Abissal in pictures and words: the deep sea."""

from __future__ import annotations

from functools import partial
from typing import Final

from render.abissal import board, components, finale, hand, words
from render.renderer import Renderer

RENDERER: Final = Renderer(
    mood=board.MOOD,
    emblem=partial(components.creature, suit="P"),
    paint=board.paint,
    alt_text=words.alt_text,
    text_board=words.text_board,
    say=words.say,
    advise=words.advise,
    headline=words.headline,
    end_text=words.end_text,
    paint_hand=hand.paint_hand,
    hand_text=words.hand_text,
    round_text=words.round_text,
    paint_round=finale.paint_round,
    round_alt=finale.round_alt,
    paint_end=finale.paint_end,
    end_alt=finale.end_alt,
    moment=finale.moment,
    trace=board.trace,
)
