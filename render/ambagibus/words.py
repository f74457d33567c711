"""Ambagibus in words (rules page ambagibus.md, Notation)."""

from __future__ import annotations

from games.ambagibus.actions import Action, Bury, Pass, Play, Shuffle
from games.ambagibus.components import BOMB, CARD_OF, CAVE, ROMAN, SPECIALS, card_label
from games.ambagibus.observation import AmbagibusObservation
from games.core import Played
from games.grid import Cell, cell_to_string
from render import badges
from render.grammar import MAX_ALT_TEXT, MAX_TEXT_BOARD, acts, counted, does, grid, listed, plain, verb, verdict, within
from render.style import People


def say(played: Played[Action], seen: AmbagibusObservation, people: People) -> str:
    """One line of the log as a sentence."""
    player, action = played
    if isinstance(action, Shuffle):
        if action.again:
            return "The decks are shuffled."
        if seen.starter is None:
            return "Everybody turns up a card."
        return f"{does(people[seen.starter], 'starts')} the maze."
    who = people[player]
    match action:
        case Pass():
            return f"{does(who, 'has')} no cards left and {verb(who, 'passes')}."
        case Bury(card):
            return f"{does(who, 'puts')} {_named(card)} at the bottom of the deck."
        case Play(card, cell) if card == BOMB:
            return f"{does(who, 'bombs')} {cell_to_string(cell)}."
        case Play(card, cell) if card == CAVE:
            return f"{does(who, 'plays')} a Cave-in on {cell_to_string(cell)}."
        case Play(card, cell):
            return f"{does(who, 'lays')} {_named(CARD_OF[card])} at {cell_to_string(cell)}."


def advise(action: Action, seen: AmbagibusObservation, people: People) -> str:
    """A possible action as advice."""
    match action:
        case Bury(card):
            return f"put {_named(card)} at the bottom of the deck"
        case Play(card, cell) if card == BOMB:
            return f"play a Bomb on {cell_to_string(cell)}"
        case Play(card, cell) if card == CAVE:
            return f"play a Cave-in on {cell_to_string(cell)}"
        case Play(card, cell):
            return f"lay {_named(CARD_OF[card])} at {cell_to_string(cell)}"
        case _:
            return "pass"


def _named(card: str) -> str:
    """A card in a sentence: ``a corner IV-I``, ``a Bomb``."""
    label = card_label(card)
    return f"a {label if card in SPECIALS else label[0].lower() + label[1:]}"


def turn(seen: AmbagibusObservation, people: People) -> str:
    """Whose turn it is, as a sentence."""
    return acts(seen, people, "The decks are being shuffled.")


def in_row(card: str) -> str:
    """A card that lies face up, by its openings as in the notation or by its name."""
    return card_label(card) if card in SPECIALS else card


def player_words(seen: AmbagibusObservation, seat: int) -> str:
    """What is known of a player, in words."""
    parts = [counted(seen.scores[seat], "closed section"), counted(seen.deck_sizes[seat], "card") + " in the deck"]
    if seen.rows[seat]:
        parts.append(f"face up {', '.join(map(in_row, seen.rows[seat]))}")
    return ", ".join(parts)


def owners_of(people: People) -> list[str]:
    """The text on everybody's badge; a seat's number is written ``#2``."""
    return [f"#{text}" if text.isdecimal() else text for text in badges.texts(people)]


def passages_words(seen: AmbagibusObservation, people: People) -> list[str]:
    """The open passages, by the empty cell they lead to: ``3,1: A II from W``."""
    by_cell: dict[Cell, list[str]] = {}
    owners = owners_of(people)
    for passage in seen.passages:
        side = {"N": "S", "E": "W", "S": "N", "W": "E"}[passage.edge]
        sign = f"{owners[passage.owner]} {ROMAN[passage.priority]} from {side}"
        by_cell.setdefault(passage.leads_to, []).append(sign)
    return [f"{cell_to_string(cell)}: {', '.join(signs)}" for cell, signs in sorted(by_cell.items())]


def alt_text(seen: AmbagibusObservation, people: People) -> str:
    """The picture in words."""
    short, owners = tuple(plain(name) for name in people), owners_of(people)
    parts = [f"Ambagibus, {seen.variant} game.", say(seen.last, seen, short) if seen.last else "", turn(seen, short)]
    parts += [f"{owners[seat]} {short[seat]}: {player_words(seen, seat)}." for seat in range(seen.players)]
    opened = passages_words(seen, people)
    parts.append("Open passages by the cell they lead to:" if opened else "No open passages.")
    parts += [f"{text};" for text in opened]
    parts.append("Cards in the maze:")
    parts += [f"{cell_to_string(item.cell)} {owners[item.owner]} {item.card};" for item in seen.maze]
    return within(MAX_ALT_TEXT, parts)


def text_board(seen: AmbagibusObservation, people: People) -> str:
    """The position for a fixed-width font: players, open passages, and as much of the maze as fits."""
    names, owners = tuple(plain(name, 20) for name in people), owners_of(people)
    rows = [f"Ambagibus, {seen.variant}", turn(seen, names)]
    for seat, name in enumerate(names):
        sign = ">" if seat == seen.current_player else " "
        rows.append(f"{sign}{owners[seat]} {name}: {player_words(seen, seat)}")
    rows.append("cards by their openings N E S W, 0 a wall")
    head = "\n".join(rows)
    room = MAX_TEXT_BOARD - len(head) - 1
    opened = "open passages, by the cell they lead to:" if seen.passages else "no open passages"
    maze = grid(_signs(seen, people)) if seen.maze else "(no cards yet)"
    full = "\n".join([maze, opened, *passages_words(seen, people)])
    if len(full) <= room:
        return f"{head}\n{full}"
    # A large maze: its rows without the room between the cards, and the passages side by side, as many as fit.
    text = within(
        room, [f"{_rows(seen, people)}\n{opened}", *(f"{passage};" for passage in passages_words(seen, people))]
    )
    return f"{head}\n{text}"


def _rows(seen: AmbagibusObservation, people: People) -> str:
    """The maze in rows that aren't aligned: the row's number, the column of its first card, and the cards."""
    signs = _signs(seen, people)
    rows = []
    for y in sorted({y for _, y in signs}, reverse=True):
        xs = sorted(x for x, other in signs if other == y)
        parts = [f"{y}:"]
        for before, x in zip([None, *xs], xs, strict=False):
            if before is None or x - before > 2:
                parts.append(str(x))
            elif x - before == 2:
                parts.append(".")
            parts.append(signs[x, y])
        rows.append(" ".join(parts))
    return "\n".join([*rows, "(row: column of the card after it, . an empty cell)"])


def _signs(seen: AmbagibusObservation, people: People) -> dict[Cell, str]:
    """The sign of every card: its owner's badge and its openings, or ``cave``."""
    owners = [f"{text}:" if text.startswith("#") else text for text in owners_of(people)]
    return {item.cell: f"{owners[item.owner]}{item.card if item.card != CAVE else 'cave'}" for item in seen.maze}


def headline(seen: AmbagibusObservation, people: People) -> str:
    """Who wins, by how many closed sections, and the sizes that break a tie (A16)."""
    winners = seen.outcome.winners if seen.outcome else ()
    return verdict(winners, seen.scores, people, "closed section", _better_sizes(seen, winners))


def _better_sizes(seen: AmbagibusObservation, winners: tuple[int, ...]) -> str:
    """The sizes of sections that break a tie, in words; "" without a tie."""
    sizes = [[len(section) for section in sections] for sections in seen.closed_sections]
    rivals = [
        sizes[seat] for seat in range(seen.players) if seat not in winners and seen.scores[seat] == max(seen.scores)
    ]
    if not winners or not rivals:
        return ""
    own, next_best = sizes[winners[0]], max(rivals)
    place = next(number for number, (mine, theirs) in enumerate(zip(own, next_best, strict=True)) if mine != theirs)
    which = ("largest", "second largest", "third largest")[place] if place < 3 else f"{place + 1}th largest"
    return f"{which} section {own[place]} against {next_best[place]}"


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
