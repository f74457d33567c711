"""The actions of Ambagibus, their notation, and other ways in which people type them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NamedTuple

from games.ambagibus.components import CARD_OF, CAVE
from games.core import reader
from games.grid import Cell, cell_to_string, string_to_cell
from games.typed import fold


class Shuffle(NamedTuple):
    """Chance shuffles every deck: before the first reveal (A1), and `again` after it (A2).

    `decks` are by seat, from the top.
    """

    decks: tuple[tuple[str, ...], ...]
    again: bool


class Play(NamedTuple):
    """The player lays a card on a cell: a tunnel card as it lies, a Bomb or a Cave-in."""

    card: str
    cell: Cell


class Bury(NamedTuple):
    """The player puts a face-up card, by its name in the deck list, at the bottom of their deck (A7-A9, A14)."""

    card: str


@dataclass(frozen=True)
class Pass:
    """The player has no card left (A10). A dataclass, because an empty tuple counts as false."""


Action = Shuffle | Play | Bury | Pass

PASS: Final = Pass()

_WORDS: Final = {False: "decks", True: "reshuffle"}
_TYPED: Final = re.compile(
    r"(?P<verb>play|lay|put|place|use|bury|discard|drop)?(?:the|an|a)?(?P<card>[0-4]{4}|bomb|cave-?in|cave)?"
    r"(?:(?P<sign>@|at|on|to|:|,|;)?\(?(?P<x>-?[0-9]{1,4})[,;/|](?P<y>-?[0-9]{1,4})\)?)?",
    re.ASCII,
)
_TYPED_PASS: Final = frozenset({"pass", "skip", "nothing"})
_BURYING: Final = frozenset({"bury", "discard", "drop"})


def action_to_string(action: Action) -> str:
    """Return the canonical text of an action."""
    match action:
        case Play(card, cell):
            return f"{card}@{cell_to_string(cell)}"
        case Bury(card):
            return f"bury {card}"
        case Shuffle(decks, again):
            return f"{_WORDS[again]} {'/'.join(map(','.join, decks))}"
        case Pass():
            return "pass"


def _shuffle(word: str, text: str) -> Shuffle | None:
    """Return the shuffle of any decks of cards of the game."""
    decks = tuple(tuple(deck.split(",")) for deck in text.split("/"))
    is_of_game = all(CARD_OF.get(card) == card for deck in decks for card in deck)
    return Shuffle(decks, word == _WORDS[True]) if is_of_game else None


def _play(card: str, place: str) -> Play | None:
    cell = string_to_cell(place)
    return Play(card, cell) if card in CARD_OF and cell is not None else None


string_to_action: Final = reader(
    "isn't a move: write a card and its place, bury and a card, or pass.",
    {
        "pass": lambda: PASS,
        "bury (.+)": lambda card: Bury(card) if CARD_OF.get(card) == card else None,
        "([^@]+)@(.+)": _play,
    },
    {f"({'|'.join(_WORDS.values())}) (.+)": _shuffle},
)


def read(text: str, legal: tuple[Action, ...]) -> str:
    """Return the notation for what somebody typed, or the text itself if nothing fits.

    People may use verbs and brackets, and write ``cave-in``. A card before ``@`` lies as it is written. In words,
    ``1020 at 0,1``, any rotation stands for the only one that fits. People may leave out the card to bury if only one
    can be buried.
    """
    typed = fold(text)
    if typed in _TYPED_PASS:
        return "pass"
    match = _TYPED.fullmatch(typed)
    if match is None:
        return text
    card = (match["card"] or "").replace("-", "").replace("cavein", CAVE)
    if match["verb"] in _BURYING and match["x"] is None:
        if card:
            return f"bury {CARD_OF.get(card, card)}"
        buried = [action for action in legal if isinstance(action, Bury)]
        return action_to_string(buried[0]) if len(buried) == 1 else text
    if not card or match["x"] is None:
        return text
    play = Play(card, (int(match["x"]), int(match["y"])))
    if play not in legal and match["sign"] != "@" and card in CARD_OF:
        others = [
            action
            for action in legal
            if isinstance(action, Play) and action.cell == play.cell and CARD_OF[action.card] == CARD_OF[card]
        ]
        if len(others) == 1:
            return action_to_string(others[0])
    return action_to_string(play)
