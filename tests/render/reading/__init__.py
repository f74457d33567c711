"""Players who see no picture: what may be done, found out from the words alone, by rules of their own.

A reader gets the texts that a person on turn gets (text board, hand in words) and gives every legal action in its
canonical text. Nothing of `games` is used here: where a reader finds what the game finds, the words are enough to play
by (P24), and the game has been checked by somebody else's reading of the rules.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.render.reading import abissal, ambagibus, ambush, gambo, saboteur

READERS: dict[str, Callable[[str, str], set[str]]] = {
    "abissal": abissal.legal,
    "ambagibus": ambagibus.legal,
    "ambush": ambush.legal,
    "gambo": gambo.legal,
    "saboteur": saboteur.legal,
}
"""By game: text board and hand in words to all legal actions."""

JUDGES: dict[str, Callable[[str, str, str], float]] = {
    "abissal": abissal.worth,
    "ambagibus": ambagibus.worth,
    "ambush": ambush.worth,
    "gambo": gambo.worth,
    "saboteur": saboteur.worth,
}
"""By game: text board, hand in words and an action to how good it looks."""
