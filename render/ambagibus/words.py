"""Ambagibus in words (rules page ambagibus.md, Notation)."""

from __future__ import annotations

from games.ambagibus.deck import CARD_OF, CAVE, ROMAN, card_label
from games.ambagibus.observation import AmbagibusObservation
from games.core import CHANCE, Played
from games.grid import Cell, cell_to_string
from render.frame import LETTERS
from render.renderer import MAX_ALT_TEXT, MAX_TEXT_BOARD, People
from render.words import counted, cut, listed, plain, within


def say(played: Played, seen: AmbagibusObservation, people: People) -> str:
    """One line of the log as a sentence."""
    player, text = played
    if player == CHANCE:
        if text.startswith("decks"):
            return "Everybody turns up a card." if seen.starter is None else f"{people[seen.starter]} starts the maze."
        return "The decks are shuffled."
    who = people[player]
    if text == "pass":
        return f"{who} has no card left and passes."
    if text.startswith("bury "):
        return f"{who} puts {_named(text.removeprefix('bury '))} under the deck."
    card, _, place = text.partition("@")
    if card == "bomb":
        return f"{who} bombs {place}."
    if card == "cave":
        return f"{who} lets {place} cave in."
    return f"{who} lays {_named(CARD_OF[card])} at {place}."


def _named(card: str) -> str:
    """A card in a sentence: ``a corner IV-I``, ``a bomb``."""
    label = card_label(card)
    head, _, numbers = label.partition(" ")
    return f"a {head.lower()} {numbers}".rstrip()


def turn(seen: AmbagibusObservation, people: People) -> str:
    """Whose turn it is, as a sentence."""
    if seen.outcome is not None:
        winners = seen.outcome.winners
        return f"The match is over: {listed([people[seat] for seat in winners])} {'win' if winners[1:] else 'wins'}."
    if seen.current_player < 0:
        return "The decks are being shuffled."
    return f"It is {people[seen.current_player]}’s turn."


def player_words(seen: AmbagibusObservation, seat: int) -> str:
    """What is known of a player, in words."""
    parts = [counted(seen.scores[seat], "closed section"), counted(seen.deck_sizes[seat], "card") + " in the deck"]
    if seen.rows[seat]:
        parts.append(f"face up {', '.join(seen.rows[seat])}")
    return ", ".join(parts)


def passages_words(seen: AmbagibusObservation) -> list[str]:
    """The open passages, by the empty cell they lead to: ``3,1: A II from W``."""
    by_cell: dict[Cell, list[str]] = {}
    for passage in seen.passages:
        side = {"N": "S", "E": "W", "S": "N", "W": "E"}[passage.edge]
        sign = f"{LETTERS[passage.owner]} {ROMAN[passage.priority]} from {side}"
        by_cell.setdefault(passage.leads_to, []).append(sign)
    return [f"{cell_to_string(cell)}: {', '.join(signs)}" for cell, signs in sorted(by_cell.items())]


def alt_text(seen: AmbagibusObservation, people: People) -> str:
    """The picture in words."""
    short = tuple(plain(name) for name in people)
    parts = [f"Ambagibus, {seen.variant} game.", say(seen.last, seen, short) if seen.last else "", turn(seen, short)]
    parts += [f"{LETTERS[seat]} {short[seat]}: {player_words(seen, seat)}." for seat in range(seen.players)]
    opened = passages_words(seen)
    parts.append("Open passages by the cell they lead to:" if opened else "No open passages.")
    parts += [f"{text};" for text in opened]
    parts.append("Cards in the maze:")
    parts += [f"{cell_to_string(item.cell)} {LETTERS[item.owner]} {item.card};" for item in seen.maze]
    return within(MAX_ALT_TEXT, parts)


def text_board(seen: AmbagibusObservation, people: People) -> str:
    """The position for a fixed-width font: players, open passages, and as much of the maze as fits."""
    names = tuple(plain(name, 20) for name in people)
    rows = [f"Ambagibus, {seen.variant}", turn(seen, names)]
    for seat, name in enumerate(names):
        sign = ">" if seat == seen.current_player else " "
        rows.append(f"{sign}{LETTERS[seat]} {name}: {player_words(seen, seat)}")
    rows.append("cards by their openings N E S W, 0 a wall")
    head = "\n".join(rows)
    room = MAX_TEXT_BOARD - len(head) - 1
    full = "\n".join([_grid(seen), "open passages, by the cell they lead to:", *passages_words(seen)])
    if len(full) <= room:
        return f"{head}\n{full}"
    # A large maze: what can be played on comes first, then the cards beside it.
    beside = {passage.cell for passage in seen.passages}
    cards = [f"{cell_to_string(i.cell)} {LETTERS[i.owner]}{i.card}" for i in seen.maze if i.cell in beside]
    short = "open passages, by the cell they lead to:\n" + "; ".join(passages_words(seen))
    text = f"{short}\nthe cards they belong to: {', '.join(cards)}"
    grid = _grid(seen)
    if len(grid) + len(short) + 1 <= room:
        text = f"{grid}\n{short}"
    return f"{head}\n{cut(text, room)}"


def _grid(seen: AmbagibusObservation) -> str:
    """The maze as rows, each card as its owner's letter and its openings; rows and columns numbered."""
    if not seen.maze:
        return "(nothing lies yet)"
    signs = {item.cell: f"{LETTERS[item.owner]}{item.card if item.card != CAVE else 'cave'}" for item in seen.maze}
    xs, ys = [x for x, _ in signs], [y for _, y in signs]
    rows = []
    for y in range(max(ys), min(ys) - 1, -1):
        cells = "".join(signs.get((x, y), ".").ljust(6) for x in range(min(xs), max(xs) + 1))
        rows.append(f"{y:>3} {cells}".rstrip())
    rows.append(f"    {''.join(str(x).ljust(6) for x in range(min(xs), max(xs) + 1))}".rstrip())
    return "\n".join(rows)


def end_text(seen: AmbagibusObservation, people: People) -> str:
    """Standings: closed sections, and the sizes that break ties (A16)."""
    if seen.outcome is None:
        return ""
    sizes = [[len(section) for section in sections] for sections in seen.closed_sections]
    order = sorted(range(seen.players), key=lambda seat: (-seen.scores[seat], [-size for size in sizes[seat]], seat))
    lines = []
    for seat in order:
        better = sum((seen.scores[other], sizes[other]) > (seen.scores[seat], sizes[seat]) for other in order)
        cards = f" (of {listed([str(size) for size in sizes[seat]])} cards)" if sizes[seat] else ""
        lines.append(f"{better + 1}. {people[seat]}: {counted(seen.scores[seat], 'closed section')}{cards}")
    return "\n".join([*lines, seen.outcome.reason])
