"""Players who see no picture: what may be done, found out from the words alone, by rules of their own.

A reader gets the texts that a person on turn gets (text board, hand in words) and gives every legal action in its
canonical text. A reader uses nothing of `games`: where a reader finds what the game finds, the words are enough to play
by (P24), and the game has been checked by somebody else's reading of the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from games import GAMES

READERS: dict[str, Callable[[str, str], set[str]]] = {
    key: import_module(f"tests.render.reading.{key}").legal for key in GAMES
}
"""By game: text board and hand in words to all legal actions."""

JUDGES: dict[str, Callable[[str, str, str], float]] = {
    key: import_module(f"tests.render.reading.{key}").worth for key in GAMES
}
"""By game: text board, hand in words and an action to how good it looks."""
