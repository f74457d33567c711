"""Ambiente Abissal read from its words (rules page abissal.md, D3-D7)."""

import re
from itertools import combinations

CARD = re.compile(r"\b[GOYTBP][1-6]\b")
PLAY = re.compile(r" {2}([GOYTBP]\d(?:\+[GOYTBP]\d)?) ")


def pair(one: str, other: str, suits: str) -> str:
    """Two cards as the notation writes them: the higher number first, then the weaker suit."""
    return "+".join(sorted((one, other), key=lambda card: (-int(card[1]), suits.index(card[0]))))


def legal(board: str, hand: str) -> set[str]:
    """Every legal action of the player whose turn it is."""
    rows = board.splitlines()
    suits = next(row for row in rows if row.startswith("suits, weak to strong: ")).split(": ")[1].replace(" ", "")
    cards = CARD.findall(hand)
    pairs = [(one, other) for one, other in combinations(cards, 2) if one[0] == other[0] or one[1] == other[1]]
    head = next((row for row in rows if row.startswith("trick, ")), None)
    if head is None:
        return {*cards, *(pair(one, other, suits) for one, other in pairs)}
    strength = head.removeprefix("trick, ").rstrip(":")
    plays = [found[1] for row in rows if (found := PLAY.match(row))]
    last = plays[-1]

    def by_suit(card: str) -> bool:
        return suits.index(card[0]) > suits.index(last[0])

    def by_number(card: str) -> bool:
        return card[1] > last[1]

    if strength == "suit pairs":
        stronger = {pair(a, b, suits) for a, b in pairs if a[0] == b[0] and by_suit(a)}
    elif strength == "number pairs":
        stronger = {pair(a, b, suits) for a, b in pairs if a[1] == b[1] and by_number(a)}
    else:
        beats = {"by suit": (by_suit,), "by number": (by_number,)}.get(strength, (by_suit, by_number))
        stronger = {card for card in cards if any(better(card) for better in beats)}
    return stronger | {"pass"}


def worth(board: str, hand: str, action: str) -> float:
    """How good an action looks: two cards before one, the weakest that suffices, and passing only if necessary."""
    if action == "pass":
        return -100
    cards = action.split("+")
    return 20 * len(cards) - sum("GOYTBP".index(card[0]) + int(card[1]) for card in cards) / len(cards)
