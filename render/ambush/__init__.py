"""Ambush in pictures and words: the desk toy."""

from __future__ import annotations

from functools import partial
from typing import Final

from render.ambush import board, components, finale, words
from render.renderer import Renderer

RENDERER: Final = Renderer(
    mood=board.MOOD,
    emblem=partial(components.pyramid, owner=1, name="L"),
    paint=board.paint,
    alt_text=words.alt_text,
    text_board=words.text_board,
    say=words.say,
    advise=words.advise,
    headline=words.headline,
    end_text=words.end_text,
    paint_end=finale.paint_end,
    end_alt=finale.end_alt,
    eventful=finale.eventful,
    moment=finale.moment,
    trace=board.trace,
)
