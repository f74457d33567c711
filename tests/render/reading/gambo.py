"""Gambo read from its words (rules page gambo.md, G1-G11)."""

import re
from itertools import combinations, pairwise

LANE = re.compile(r"(?:(n\d) (\S\S))? *(\d+) (\S\S)(?: +(s\d) (\S\S))?")
TURN = re.compile(r"It’s (.*)’s turn\.")
KINDS = "ECM"


def legal(board: str, hand: str) -> set[str]:
    """Every legal action of the player whose turn it is."""
    rows = board.splitlines()
    turn = TURN.fullmatch(rows[1])
    if turn is None:
        return {"side north", "side south"}
    side = "north" if f"{turn[1]} (north)" in rows[2] else "south"
    corridor: dict[int, str] = {}
    waiting: list[str] = []
    for found in filter(None, map(LANE.fullmatch, rows)):
        north, north_piece, square, walking, south, south_piece = found.groups()
        corridor[int(square)] = walking.strip(".")
        piece = (north_piece if side == "north" else south_piece) or "--"
        if (north or south) and piece != "--":
            waiting.append(piece)
    # Even squares are north's, odd ones south's (rules page, Board).
    mine = {square: piece for square, piece in corridor.items() if piece and square % 2 == (side == "south")}
    actions = {f"adv {piece}" for piece in waiting}
    standing = [(square, piece) for square, piece in sorted(corridor.items()) if piece]
    for (left, one), (right, other) in pairwise(standing):
        if left in mine and right not in mine:
            actions.add(f"duel {one}x{other}")
        if right in mine and left not in mine:
            actions.add(f"duel {other}x{one}")
    if not any(row.startswith("No swap this turn") for row in rows):
        own = sorted([*waiting, *mine.values()], key=lambda piece: (KINDS.index(piece[0]), piece[1]))
        actions |= {f"swap {one} {other}" for one, other in combinations(own, 2)}
    return actions or {"pass"}


def worth(board: str, hand: str, action: str) -> float:
    """How good an action looks: win duels, as high as possible; lose none; else step forward."""
    verb, _, rest = action.partition(" ")
    if verb != "duel":
        return {"adv": 0.5, "swap": 0.25}.get(verb, 0)
    one, other = rest.split("x")
    beats = {"E": "C", "C": "M", "M": "E"}
    wins = one[1] >= other[1] if one[0] == other[0] else beats[one[0]] == other[0]
    return int(one[1]) * int(other[1]) * (1 if wins else -1)
