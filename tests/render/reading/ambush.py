"""Ambush read from its words (rules page ambush.md, B2, B7-B9)."""

import re

NAMES = {"small": "S", "medium": "M", "large": "L"}
PENDING = re.compile(r".* chooses the next capture: (.*)\.")
SHOWN = re.compile(r"\d+ (small|medium|large)")


def legal(board: str, hand: str) -> set[str]:
    """Every legal action of the player whose turn it is."""
    rows = board.splitlines()
    if pending := PENDING.fullmatch(rows[1]):
        return {f"x{square}" for square in re.findall(r"[A-F][1-6]", pending[1])}
    mine = next(row for row in rows if row.startswith(">"))
    trees = re.search(r"trees show (.*?), captured", mine)
    tops = {NAMES[size] for size in SHOWN.findall(trees[1])} if trees else set()
    black = "(black)" in mine
    actions = set()
    for row in rows[3:9]:
        number, *cells = row.split()
        for column, cell in zip("ABCDEF", cells, strict=True):
            if cell == "." or cell.isupper() == black:
                actions |= {f"{size}{column}{number}" for size in tops}
    turned = next((row.removeprefix("last turned: ")[:2] for row in rows if row.startswith("last turned: ")), "")
    for coaster in {"NW", "NE", "SW", "SE"} - {turned}:
        actions |= {f"{coaster}{angle}-{size}" for angle in (90, 180, 270) for size in tops}
    return actions


def strength(stack: str) -> int:
    """The pips visible from above (B3)."""
    pips = ["SML".index(size) + 1 for size in stack.upper()]
    return sum(value for i, value in enumerate(pips) if value >= max(pips[i:]))


def worth(board: str, hand: str, action: str) -> float:
    """How good an action looks: the pips that a placement captures (B4-B6); rotations only if nothing
    else is possible.
    """
    if action[0] == "x" or "-" in action:
        return 0 if action[0] == "x" else -1
    rows = board.splitlines()
    black = "(black)" in next(row for row in rows if row.startswith(">"))
    stacks = {
        (column, int(row[0])): cell.strip(".")
        for row in rows[3:9]
        for column, cell in zip(range(6), row.split()[1:], strict=True)
    }
    x, y = "ABCDEF".index(action[1]), int(action[2])
    mine = strength(stacks[x, y] + action[0])
    captured = 0
    for dx in (-1, 0, 1):
        for dy in (-1, 0, 1):
            target, beyond = stacks.get((x + dx, y + dy), ""), stacks.get((x + 2 * dx, y + 2 * dy), "")
            hostile = bool(target) and target.isupper() != black
            if hostile and beyond and beyond.isupper() == black and mine + strength(beyond) > strength(target):
                captured += "SML".index(target[-1].upper()) + 1
    return captured
