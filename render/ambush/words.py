"""Ambush in words (rules page ambush.md, Notation)."""

from __future__ import annotations

from typing import Final

from games.ambush.actions import Action, Capture, First, Place, Rotate
from games.ambush.components import COASTER_NAMES, COLUMNS, ROWS, SIZE_NAMES, SIZES, SQUARES
from games.ambush.observation import AmbushObservation, Captured, Counts
from games.core import Played
from render.grammar import (
    MAX_ALT_TEXT,
    MAX_TEXT_BOARD,
    acts,
    counted,
    cut,
    does,
    listed,
    plain,
    spelled,
    verb,
    verdict,
    within,
)
from render.style import People

COLOUR_NAMES: Final = ("black", "red")
LISTED: Final = 3
"""The most captured pyramids that a sentence names one by one; one less after a rotation, which takes more words."""

_ANGLES: Final = {90: "a quarter right", 180: "half a turn", 270: "a quarter left"}


def _captures(captured: tuple[Captured, ...], *, turned: bool) -> str:
    """The captured pyramids in words: ``a small pyramid on B2 and a medium one on C3``, or just how many they are.

    `turned`: the sentence is about a rotation, and has named the pyramid that pays for it.
    """
    if len(captured) > LISTED - turned:
        return f"{spelled(len(captured))} pyramids"
    nouns = ("one" if turned else "pyramid", *("one",) * len(captured))
    return listed(
        [f"a {SIZE_NAMES[each.size]} {noun} on {each.square}" for each, noun in zip(captured, nouns, strict=False)]
    )


def say(played: Played[Action], seen: AmbushObservation, people: People) -> str:
    """One line of the log as a sentence."""
    player, action = played
    if isinstance(action, First):
        return f"{does(people[action.player], 'begins')}."
    who = people[player]
    fallen = _captures(seen.last_captures, turned=isinstance(action, Rotate)) if seen.last == played else ""
    fell = f": {fallen} fall{'s' if len(seen.last_captures) == 1 else ''}" if fallen else ""
    match action:
        case Capture(square):
            return f"{does(who, 'makes')} the capture on {square} first{fell}."
        case Rotate(coaster, angle, price):
            turned = f"{does(who, 'turns')} the {COASTER_NAMES[coaster]} coaster {_ANGLES[angle]}"
            return f"{turned}, paying a {SIZE_NAMES[price]} pyramid{fell}."
        case Place(size, square):
            taken = f" and {verb(who, 'captures')} {fallen}" if fallen else ""
            return f"{does(who, 'places')} a {SIZE_NAMES[size]} pyramid on {square}{taken}."


def advise(action: Action, seen: AmbushObservation, people: People) -> str:
    """A possible action as advice."""
    match action:
        case Place(size, square):
            return f"place a {SIZE_NAMES[size]} pyramid on {square}"
        case Rotate(coaster, angle, price):
            turned = f"turn the {COASTER_NAMES[coaster]} coaster {_ANGLES[angle]}"
            return f"{turned}, paying a {SIZE_NAMES[price]} pyramid"
        case Capture(square):
            return f"make the capture on {square} first"
        case First(player):
            return f"let {people[player]} begin"


def turn(seen: AmbushObservation, people: People) -> str:
    """Whose turn it is, as a sentence."""
    if seen.outcome is not None and len(seen.outcome.winners) > 1:
        return "The match is over: a draw."
    says = f"{{}} chooses the next capture: {listed(seen.pending, 'or')}." if seen.pending else "It’s {}’s turn."
    return acts(seen, people, "The starting player is being drawn.", says)


def counts(held: Counts) -> str:
    """Numbers of pyramids in words: ``2 small, 1 large``; ``nothing``."""
    parts = [f"{count} {SIZE_NAMES[size]}" for size, count in zip(SIZES, held, strict=True) if count]
    return ", ".join(parts) or "nothing"


def player_words(seen: AmbushObservation, seat: int) -> str:
    """What a player has, in words."""
    top = seen.trees[seat]
    shows = [f"{count} {SIZE_NAMES[size]}" for size, count in zip(SIZES, top[:3], strict=True) if count]
    trees = f"trees show {', '.join(shows)}" if shows else "no trees left"
    paid = f", paid {counts(seen.paid[seat])} for turns" if any(seen.paid[seat]) else ""
    return f"{counted(seen.scores[seat], 'pip')}, {trees}, captured {counts(seen.captured[seat])}{paid}"


def alt_text(seen: AmbushObservation, people: People) -> str:
    """The picture in words."""
    short = tuple(plain(name) for name in people)
    parts = ["Ambush.", say(seen.last, seen, short) if seen.last else "", turn(seen, short)]
    parts += [f"{short[seat]} ({COLOUR_NAMES[seat]}): {player_words(seen, seat)}." for seat in range(seen.players)]
    for seat in range(seen.players):
        stacks = [
            f"{square} {stack.sizes}{f' ({stack.strength})' if len(stack.sizes) > 1 else ''}"
            for square, stack in zip(SQUARES, seen.board, strict=True)
            if stack.sizes and stack.owner == seat
        ]
        parts.append(f"Stacks of {COLOUR_NAMES[seat]}: {', '.join(stacks) or 'none'}.")
    return within(MAX_ALT_TEXT, parts)


def text_board(seen: AmbushObservation, people: People) -> str:
    """The position for a fixed-width font; stacks from the bottom up, black in capitals, red in small letters."""
    names = tuple(plain(name, 24) for name in people)
    cells = [(stack.sizes.lower() if stack.owner == 1 else stack.sizes) or "." for stack in seen.board]
    wide = max(3, *(len(cell) for cell in cells)) + 1
    rows = ["Ambush", turn(seen, names), "  " + "".join(column.ljust(wide) for column in COLUMNS)]
    for i, row in enumerate(ROWS):
        rows.append(f"{row} {''.join(cell.ljust(wide) for cell in cells[6 * i : 6 * i + 6])}".rstrip())
    rows.append("bottom to top; BLACK capitals, red small letters")
    for seat, name in enumerate(names):
        sign = ">" if seat == seen.current_player else " "
        rows.append(f"{sign}{name} ({COLOUR_NAMES[seat]}): {player_words(seen, seat)}")
    if seen.turned is not None:
        rows.append(f"last turned: {seen.turned.coaster} coaster by {seen.turned.angle}")
    return cut("\n".join(rows), MAX_TEXT_BOARD)


def headline(seen: AmbushObservation, people: People) -> str:
    """Who wins, by how many captured pips (B11)."""
    return verdict(seen.outcome.winners if seen.outcome else (), seen.scores, people, "pip")


def end_text(seen: AmbushObservation, people: People) -> str:
    """Standings, and why the match ended so."""
    if seen.outcome is None:
        return ""
    order = sorted(range(seen.players), key=lambda seat: (-seen.scores[seat], seat))
    lines = []
    for seat in order:
        place = 1 + sum(score > seen.scores[seat] for score in seen.scores)
        lines.append(f"{place}. {people[seat]}: {counted(seen.scores[seat], 'pip')} ({counts(seen.captured[seat])})")
    return "\n".join([*lines, seen.outcome.reason])
