"""Ambagibus read from its words (rules page ambagibus.md, A3-A15)."""

import re

Cell = tuple[int, int]
Maze = dict[Cell, tuple[str, str]]
"""Owner's badge and openings (``cave`` where it has caved in) by cell."""

PLAYER = re.compile(r"[> ](\D{1,3}|#\d) .*: \d+ closed sections?, (\d+) cards? in the deck(?:, face up (.*))?")
NOTATION = {"Bomb": "bomb", "Cave-in": "cave"}
WIDE_ROW = re.compile(r" *(-?\d+) ([^\d\s].*)")
NARROW_ROW = re.compile(r"(-?\d+): (.*)")
CARD = re.compile(r"(\D{1,3}|#\d(?=:)):?(\d{4}|cave)")
SIDES = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""From a cell to its neighbours N E S W."""


def read_card(word: str) -> tuple[str, str]:
    """The owner's badge and the openings of a card."""
    found = CARD.fullmatch(word)
    assert found is not None, word
    return found[1], found[2]


def read_maze(rows: list[str]) -> Maze:
    """The cards on the table, from either way in which they are written."""
    maze: Maze = {}
    wide: list[tuple[int, list[str]]] = []
    for row in rows:
        if found := NARROW_ROW.fullmatch(row):
            x = 0
            for word in found[2].split():
                if re.fullmatch(r"-?\d+", word):
                    x = int(word)
                    continue
                if word != ".":
                    maze[x, int(found[1])] = read_card(word)
                x += 1
        elif found := WIDE_ROW.fullmatch(row):
            wide.append((int(found[1]), found[2].split()))
        elif wide and row.startswith("    "):
            left = int(row.split()[0])
            for y, words in wide:
                maze |= {(left + i, y): read_card(word) for i, word in enumerate(words) if word != "."}
            break
    return maze


def beside(cell: Cell) -> list[Cell]:
    return [(cell[0] + dx, cell[1] + dy) for dx, dy in SIDES]


def opening(maze: Maze, cell: Cell, side: int) -> int:
    """The number at an edge of a card, 0 for a wall."""
    card = maze[cell][1]
    return 0 if card == "cave" else int(card[side])


def placements(maze: Maze, cards: list[str], me: str) -> set[str]:
    """All placements of these tunnel cards that A3, A4 and A5 allow."""
    if not maze:
        return {f"{card[turn:]}{card[:turn]}@0,0" for card in cards for turn in range(4)}
    targets = {
        there
        for cell in maze
        for side, there in enumerate(beside(cell))
        if there not in maze and opening(maze, cell, side)
    }
    ranked: dict[str, tuple[bool, int]] = {}
    for cell in targets:
        for lying in {card[turn:] + card[:turn] for card in cards for turn in range(4)}:
            joined: list[tuple[bool, int]] = []
            fits = True
            for side, there in enumerate(beside(cell)):
                if there in maze:
                    number = opening(maze, there, (side + 2) % 4)
                    fits = fits and bool(number) == (lying[side] != "0")
                    if number:
                        joined.append((maze[there][0] != me, number))
            if fits and joined:
                ranked[f"{lying}@{cell[0]},{cell[1]}"] = min(joined)
    best = min(ranked.values(), default=None)
    return {text for text, rank in ranked.items() if rank == best}


def legal(board: str, hand: str) -> set[str]:
    """Every legal action of the player whose turn it is."""
    rows = board.splitlines()
    player = next(found for row in rows if row.startswith(">") and (found := PLAYER.fullmatch(row)))
    me, names = player[1], player[3].split(", ") if player[3] else []
    cards = [NOTATION.get(name, name) for name in names]
    maze = read_maze(rows)
    if not cards:
        return {"pass"}
    actions = placements(maze, [card for card in cards if card.isdecimal()], me)
    for cell, (owner, card) in maze.items():
        if owner != me:
            continue
        place = f"{cell[0]},{cell[1]}"
        if "bomb" in cards:
            actions.add(f"bomb@{place}")
        is_open = any(there not in maze and opening(maze, cell, side) for side, there in enumerate(beside(cell)))
        if "cave" in cards and card != "cave" and is_open:
            actions.add(f"cave@{place}")
    return actions or {f"bury {card}" for card in cards}


def sections(maze: Maze, owner: str) -> tuple[int, int]:
    """How many sections of a player are closed, and how many open passages the others have (A16)."""
    closed, passages = 0, 0
    to_visit = {cell for cell, (whose, card) in maze.items() if whose == owner and card != "cave"}
    while to_visit:
        reached, leads = [to_visit.pop()], 0
        for cell in reached:
            for side, there in enumerate(beside(cell)):
                if opening(maze, cell, side):
                    leads += there not in maze
                    if there in to_visit and opening(maze, there, (side + 2) % 4):
                        to_visit.remove(there)
                        reached.append(there)
        closed += not leads
        passages += leads
    return closed, passages


def worth(board: str, hand: str, action: str) -> float:
    """How good an action looks: closed sections for oneself and not for others, few open passages of one's own."""
    rows = board.splitlines()
    me = next(found[1] for row in rows if row.startswith(">") and (found := PLAYER.fullmatch(row)))
    maze = read_maze(rows)
    card, _, place = action.partition("@")
    if place:
        x, y = map(int, place.split(","))
        if card == "bomb":
            del maze[x, y]
        else:
            maze[x, y] = (me, card)
    closed, passages = sections(maze, me)
    others = {owner for owner, _ in maze.values()} - {me}
    return 6 * closed - passages - 3 * sum(sections(maze, owner)[0] for owner in others)
