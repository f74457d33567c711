"""Moor read from its words (rules page moor.md, M1-M5)."""

from __future__ import annotations

import re

MOST = re.compile(r"up to (\d) stones")
CAIRN = re.compile(r"([A-D])  (o*) .*")
TOKEN = re.compile(r"Your token is ([A-D])\.")


def cairns(board: str) -> dict[str, int]:
    """How many stones each cairn has."""
    found = filter(None, map(CAIRN.fullmatch, board.splitlines()[2:6]))
    return {row[1]: len(row[2]) for row in found}


def most(board: str) -> int:
    """How many stones a player can take at a time."""
    found = MOST.search(board.splitlines()[1])
    return int(found[1]) if found else 0


def legal(board: str, hand: str) -> set[str]:
    """Every legal action of the player whose turn it is."""
    return {
        f"{cairn}-{count}" for cairn, left in cairns(board).items() for count in range(1, min(left, most(board)) + 1)
    }


def worth(board: str, hand: str, action: str) -> float:
    """How good an action looks: take last stones, above all those of one's own cairn, and leave none to the next
    player.
    """
    cairn, _, count = action.partition("-")
    left = cairns(board)[cairn] - int(count)
    token = TOKEN.search(hand)
    if left == 0:
        return 5 if token and token[1] == cairn else 2
    return -1 if left <= most(board) else 0
