"""Which kinds of answers puzzles have, so that no single guess is right too often on a shelf or among the days."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from games.ambagibus.components import CARD_OF as TUNNEL_OF
from games.ambagibus.components import card_label
from games.saboteur.components import card_name
from matches.puzzles.puzzle import Asked, Odds, Places, Puzzle

ONE_IN: Final = 3
"""At most one in so many puzzles of a kind, on a shelf or among the days, has the same kind of answer."""

PASSED: Final = "the other player passes"


def _tunnel(text: str) -> str:
    """Return the shape of a card of Ambagibus, ``Corner`` or ``Cave-in``, from the action that plays it."""
    card = text.removeprefix("bury ").partition("@")[0]
    return card_label(TUNNEL_OF[card]).partition(" I")[0]


def _coaster(text: str) -> str:
    """Return the size of a pyramid that is laid in Ambush, or the angle by which a coaster is turned."""
    return text[2:-2] if "-" in text else text[0]


def _play(text: str) -> str:
    """Return what is laid in Ambiente Abissal: nothing, a single card, or a pair of a suit or of a number."""
    first, _, second = text.partition("+")
    if not second:
        return "pass" if text == "pass" else "single"
    return "suit pair" if first[0] == second[0] else "number pair"


_SORTS: Final[Mapping[str, Callable[[str], str]]] = {
    "sections": _tunnel,
    "ahead": _tunnel,
    "capture": _coaster,
    "setup": _coaster,
    "out": _play,
    "round": _play,
    "force": lambda text: text.partition(" ")[0],
    "treasure": lambda text: card_name(re.split("[@>]", text)[0]),
}
"""By kind of puzzle: what kind of answer the text of an action is."""


def answers(kind: str, first: Asked) -> frozenset[str]:
    """Return the kinds of all right answers to the first question of a puzzle. Odds have none."""
    match first:
        case Odds():
            return frozenset()
        case Places():
            return frozenset({first.text})
    # What the other player can't beat is laid without a thought.
    return frozenset(
        PASSED if kind == "out" and way.then and way.then[0].endswith(" pass") else _SORTS[kind](way.action)
        for way in first.right
    )


def varied(puzzles: Sequence[Puzzle], many: int) -> list[Puzzle]:
    """Return at most so many of these puzzles of a kind, the first ones if possible, of which enough are different."""
    found = {each.key: answers(each.kind, each.first) for each in puzzles}
    # If the first ones aren't different enough, those with one kind of answer leave most room for others.
    orders = (puzzles, sorted(puzzles, key=lambda each: len(found[each.key])))
    for wanted in range(min(many, len(puzzles)), 0, -1):
        for order in orders:
            taken, counts = list[Puzzle](), Counter[str]()
            for puzzle in order:
                if len(taken) < wanted and all(counts[each] < wanted // ONE_IN for each in found[puzzle.key]):
                    taken.append(puzzle)
                    counts.update(found[puzzle.key])
            if len(taken) == wanted:
                return taken
    return []
