"""Saboteur read from its words (rules page saboteur.md, S5-S13, S18)."""

import re

Cell = tuple[int, int]

EDGES = "NESW"
SIDES = {"N": (0, 1), "E": (1, 0), "S": (0, -1), "W": (-1, 0)}
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}
TOOLS = {"pick": "P", "lantern": "L", "wagon": "W"}
DOORS = {(8, 2), (8, 0), (8, -2)}
ROW = re.compile(r" *(-?\d+) ([.?A-Za-z].*)")
LISTED = re.compile(r"(-?\d+),(-?\d+) ([?A-Za-z*]+)")
PLAYER = re.compile(r"[> ].*?: \d+ cards?.*")
HELD = re.compile(r"(\S+) \([a-z -]+\)")


def read_maze(rows: list[str]) -> dict[Cell, str]:
    """The sign in every cell."""
    signs: dict[Cell, str] = {}
    grid: list[tuple[int, list[str]]] = []
    for row in rows[2:]:
        if row.startswith("    ") and grid:
            left = int(row.split()[0])
            for y, words in grid:
                signs |= {(left + i, y): word for i, word in enumerate(words) if word != "."}
            break
        if found := ROW.fullmatch(row):
            grid.append((int(found[1]), found[2].split()))
        elif LISTED.match(row):
            return {(int(x), int(y)): sign for x, y, sign in LISTED.findall(row)}
    return signs


def turned(card: str) -> str:
    """A path card the other way up."""
    other = {OPPOSITE[edge] for edge in card.upper()}
    text = "".join(edge for edge in EDGES if edge in other)
    return text.lower() if card.islower() else text


def reached(maze: dict[Cell, str]) -> set[Cell]:
    """The cells that an unbroken path from the start reaches; a dead end doesn't lead on (S7)."""
    seen, to_visit = {(0, 0)}, [(0, 0)]
    while to_visit:
        x, y = to_visit.pop()
        if maze[x, y].islower():
            continue
        for edge in maze[x, y]:
            there = (x + SIDES[edge][0], y + SIDES[edge][1])
            if there in maze and there not in seen and OPPOSITE[edge] in maze[there].upper():
                seen.add(there)
                to_visit.append(there)
    return seen


def digs(maze: dict[Cell, str], doors: set[Cell], cards: set[str]) -> set[str]:
    """All places and orientations of these path cards (S6, S7)."""
    lit = {cell for cell in reached(maze) if not maze[cell].islower()}
    found = set()
    for x, y in {(x + dx, y + dy) for x, y in maze for dx, dy in SIDES.values()} - set(maze) - doors:
        around = {edge: (x + dx, y + dy) for edge, (dx, dy) in SIDES.items()}
        for lying in {way for card in cards for way in (card, turned(card))}:
            edges = lying.upper()
            fits = all(
                (edge in edges) == (OPPOSITE[edge] in maze[there].upper())
                for edge, there in around.items()
                if there in maze
            )
            joined = any(
                there in lit and OPPOSITE[edge] in maze[there] for edge, there in around.items() if edge in edges
            )
            if fits and joined:
                found.add(f"{lying}@{x},{y}")
    return found


def legal(board: str, hand: str) -> set[str]:
    """Every legal action of the player whose turn it is."""
    rows = board.splitlines()
    if "takes a gold card next" in rows[1]:
        offered = re.search(r"Take one gold card: (.*)\.", hand)
        assert offered
        return {f"take {value}" for value in re.findall(r"\d", offered[1])}
    signs = read_maze(rows)
    closed = {cell for cell, sign in signs.items() if sign.startswith("?")}
    maze = {cell: sign.rstrip("*") for cell, sign in signs.items() if cell not in closed}
    maze[0, 0] = EDGES
    players = [row for row in rows[2:] if PLAYER.fullmatch(row)]
    broken = [{TOOLS[tool] for tool in re.findall(r"pick|lantern|wagon", row.rpartition(": ")[2])} for row in players]
    me = next(seat for seat, row in enumerate(players) if row.startswith(">"))
    held = re.search(r"Your cards: (.*)\.", hand)
    cards = set(HELD.findall(held[1])) if held else set()
    if not cards:
        return {"pass"}
    actions = {f"drop {card}" for card in cards}
    paths = {card for card in cards if card not in {"rock", "map"} and card[0] not in "+-"}
    if not broken[me]:
        actions |= digs(maze, closed, paths)
    for card in cards - paths:
        if card == "rock":
            actions |= {f"rock@{x},{y}" for x, y in set(maze) - DOORS - {(0, 0)}}
        elif card == "map":
            actions |= {f"map@{x},{y}" for x, y in closed}
        elif card[0] == "-":
            actions |= {f"{card}>{seat}" for seat, tools in enumerate(broken) if card[1] not in tools}
        else:
            for seat, tools in enumerate(broken):
                for tool in set(card[1:]) & tools:
                    actions.add(f"{card}>{seat}:{tool}" if len(card) == 3 else f"{card}>{seat}")
    return actions


def worth(board: str, hand: str, action: str) -> float:
    """How good an action looks: a gold-digger digs eastward and repairs, a saboteur breaks, removes and blocks."""
    digger = "You are a saboteur" not in hand
    players = [row for row in board.splitlines()[2:] if PLAYER.fullmatch(row)]
    me = next(seat for seat, row in enumerate(players) if row.startswith(">"))
    if action.startswith(("drop", "pass")):
        return 0
    if action.startswith("take"):
        return int(action[-1])
    if action.startswith("map"):
        return 0.5
    if action.startswith("rock"):
        return -1 if digger else 2
    if action[0] in "+-":
        own = int(action.split(">")[1].split(":")[0]) == me
        if action[0] == "+":
            return 3 if own else 1 if digger else -1
        return -2 if own or digger else 2
    card, _, place = action.partition("@")
    x, y = map(int, place.split(","))
    if card.islower():
        return -1 if digger else 1 + x
    return (5 + x - abs(y) / 4 + ("E" in card)) * (1 if digger else -1)
