"""The actions of Saboteur and their notation.

Every kind of action has a `kind` of its own as its last field, so that no two actions of different kinds are equal
tuples. There is one shared object for every action of a player: search meets the same ones millions of times.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Final, Literal, NamedTuple

from games.core import CHANCE, HIDDEN, Choice, InvalidAction
from games.grid import Cell, cell_to_string, string_to_cell
from games.saboteur.components import (
    ACTION_CARDS,
    CARD_OF,
    FINISH,
    GOALS,
    LABELS,
    MAP,
    PATH_CARDS,
    PIECES,
    PIECES_OF,
    ROCK,
    TOOL_NAMES,
    piece_label,
)
from games.typed import shortened


class Dig(NamedTuple):
    """Lay a path card as `piece` on `cell` (S6, S7)."""

    piece: str
    cell: Cell
    kind: Literal["dig"] = "dig"


class Break(NamedTuple):
    """Break the `tool` of `seat` (S9)."""

    tool: str
    seat: int
    kind: Literal["break"] = "break"


class Repair(NamedTuple):
    """Repair the `tool` of `seat` with `card`, which may be a double one (S10)."""

    card: str
    seat: int
    tool: str
    kind: Literal["repair"] = "repair"


class RockFall(NamedTuple):
    """Remove the path card on `cell` (S11)."""

    cell: Cell
    kind: Literal["rock"] = "rock"


class LookAt(NamedTuple):
    """Look at the finish card on `cell` with a map (S12)."""

    cell: Cell
    kind: Literal["map"] = "map"


class Drop(NamedTuple):
    """Discard `card` face down (S5, S13)."""

    card: str
    kind: Literal["drop"] = "drop"


class Pass(NamedTuple):
    """Do nothing, for want of cards (S5)."""

    kind: Literal["pass"] = "pass"


class Take(NamedTuple):
    """Take a gold card worth `value` nuggets (S18). The value is `HIDDEN_GOLD` for other viewers."""

    value: int
    kind: Literal["take"] = "take"


class Roles(NamedTuple):
    """Chance deals the role cards by seat, with the left-over one last (S1). `HIDDEN` stands for all of them."""

    roles: str
    kind: Literal["roles"] = "roles"


class Goals(NamedTuple):
    """Chance lays the finish cards, from the top of the table to its bottom (S2)."""

    goals: tuple[str, ...]
    kind: Literal["goals"] = "goals"


class Deal(NamedTuple):
    """Chance deals the hands, each sorted. The rest is the `stock`, next card first (S3)."""

    hands: tuple[tuple[str, ...], ...]
    stock: tuple[str, ...]
    kind: Literal["deal"] = "deal"


class First(NamedTuple):
    """Chance draws who begins the first round (S3)."""

    seat: int
    kind: Literal["first"] = "first"


class Gold(NamedTuple):
    """Chance draws the gold cards after a diggers' win, sorted (S18). Hidden cards are `HIDDEN_GOLD`."""

    cards: tuple[int, ...]
    kind: Literal["gold"] = "gold"


Action = Dig | Break | Repair | RockFall | LookAt | Drop | Pass | Take | Roles | Goals | Deal | First | Gold

HIDDEN_GOLD: Final = 0
"""Stands for the value of a hidden gold card (`games.core.HIDDEN`)."""

PASS: Final = Pass()
DROPS: Final = {card: Drop(card) for card in (*PATH_CARDS, *ACTION_CARDS)}
TAKES: Final = {value: Take(value) for value in (1, 2, 3)}
LOOKS: Final = {cell: LookAt(cell) for cell in FINISH}


@cache
def digs(cell: Cell) -> tuple[Dig, ...]:
    """Return the actions that lay each piece on `cell`, in the order of `PIECES`."""
    return tuple(Dig(piece, cell) for piece in PIECES)


@lru_cache(maxsize=1 << 16)
def numbers(pieces: int) -> tuple[int, ...]:
    """Return the numbers of the pieces in a mask."""
    return _bits(pieces)


@cache
def rock_fall(cell: Cell) -> RockFall:
    """Return the rock-fall on `cell`."""
    return RockFall(cell)


@cache
def breaks(tool: str, seats: int) -> tuple[Break, ...]:
    """Return the actions that break `tool` of each of `seats` (a mask)."""
    return tuple(Break(tool, seat) for seat in _bits(seats))


@cache
def repairs(card: str, tool: str, seats: int) -> tuple[Repair, ...]:
    """Return the actions that repair `tool` of each of `seats` (a mask) with `card`."""
    return tuple(Repair(card, seat, tool) for seat in _bits(seats))


def _bits(mask: int) -> tuple[int, ...]:
    return tuple(bit for bit in range(mask.bit_length()) if mask >> bit & 1)


def card_played(action: Action) -> str | None:
    """Return the card of the hand that a player spends on `action`; ``None`` if there is none."""
    match action:
        case Dig(piece):
            return CARD_OF.get(piece)
        case Break(tool):
            return f"-{tool}"
        case RockFall():
            return ROCK
        case LookAt():
            return MAP
        case Repair(card) | Drop(card):
            return card
        case _:
            return None


def cell_of(action: Action) -> Cell | None:
    """Return the cell of the maze that an action affects; ``None`` if it affects none."""
    return action.cell if isinstance(action, Dig | RockFall | LookAt) else None


def action_to_string(action: Action) -> str:
    """Return the canonical text of an action."""
    match action:
        case Dig(piece, cell):
            return f"{piece}@{cell_to_string(cell)}"
        case Break(tool, seat):
            return f"-{tool}>{seat}"
        case Repair(card, seat, tool):
            return f"{card}>{seat}:{tool}" if len(card) > 2 else f"{card}>{seat}"
        case RockFall(cell):
            return f"rock@{cell_to_string(cell)}"
        case LookAt(cell):
            return f"map@{cell_to_string(cell)}"
        case Drop(card):
            return f"drop {card}"
        case Pass():
            return "pass"
        case Take(value):
            return f"take {_gold_card(value)}"
        case Roles(roles):
            return f"roles {roles if roles == HIDDEN else f'{roles[:-1]}/{roles[-1:]}'}"
        case Goals(goals):
            return f"goals {','.join(goals)}"
        case Deal(hands, stock):
            return f"deal {'/'.join(map(','.join, hands))}|{','.join(stock)}"
        case First(seat):
            return f"first {seat}"
        case Gold(cards):
            return f"gold {','.join(map(_gold_card, cards))}"


def _gold_card(value: int) -> str:
    return HIDDEN if value == HIDDEN_GOLD else str(value)


def seen_by(viewer: int | None, player: int, action: Action) -> Action:
    """Return the action as `viewer` may see it while the match goes on (S1, S13, S20).

    It hides roles, finish cards, other hands, the stock, and other players' discards and gold.
    """
    match action:
        case Drop() if player != viewer:
            return Drop(HIDDEN)
        case Take() if player != viewer:
            return Take(HIDDEN_GOLD)
        case Roles():
            return Roles(HIDDEN)
        case Goals(goals):
            return Goals(_covered(goals))
        case Deal(hands, stock):
            return Deal(
                tuple(hand if seat == viewer else _covered(hand) for seat, hand in enumerate(hands)), _covered(stock)
            )
        case Gold(cards):
            return Gold((HIDDEN_GOLD,) * len(cards))
        case _:
            return action


def _covered(cards: tuple[str, ...]) -> tuple[str, ...]:
    return (HIDDEN,) * len(cards)


_SEAT: Final = r"(?P<seat>0|[1-9][0-9]?)"
_CELL: Final = r"(?P<cell>[-0-9]+,[-0-9]+)"
_BY_PLAYERS: Final = tuple(
    re.compile(pattern, re.ASCII)
    for pattern in (
        rf"(?P<piece>[NESW]+|[nesw]+)@{_CELL}",
        rf"-(?P<breaks>[PLW])>{_SEAT}",
        rf"(?P<repair>\+[PLW]{{1,2}})>{_SEAT}(:(?P<tool>[PLW]))?",
        rf"(?P<at>rock|map)@{_CELL}",
        r"drop (?P<drop>\S+)",
        r"(?P<pass>pass)",
        r"take (?P<take>[1-3])",
    )
)
_BY_CHANCE: Final = tuple(
    re.compile(pattern, re.ASCII)
    for pattern in (
        r"roles (?P<roles>[DS]+/[DS])",
        r"goals (?P<goals>[A-Z,]+)",
        r"deal (?P<hands>[^|]*)\|(?P<stock>[^|]*)",
        r"first (?P<first>[0-9])",
        r"gold (?P<gold>[1-3](,[1-3])*)",
    )
)


def string_to_action(player: int, text: str) -> Action:
    """Read a canonical text of a player or of chance, legal or not. Raises InvalidAction."""
    for pattern in _BY_CHANCE if player == CHANCE else _BY_PLAYERS:
        match = pattern.fullmatch(text)
        if match:
            action = _action_of(match.groupdict())
            if action is not None:
                return action
    raise InvalidAction(f"“{shortened(text)}” isn't a move in Saboteur.")


def _action_of(part: dict[str, str | None]) -> Action | None:
    """Return the action made of the named parts of a text; ``None`` if they name no card, finish card or cell."""
    cell = string_to_cell(part.get("cell") or "")
    match part:
        case {"piece": str(piece)}:
            return Dig(piece, cell) if piece in CARD_OF and cell else None
        case {"breaks": str(tool), "seat": str(seat)}:
            return Break(tool, int(seat))
        case {"repair": str(card), "seat": str(seat), "tool": tool}:
            mended = tool or card[1:]
            return Repair(card, int(seat), mended) if card in ACTION_CARDS and mended in tuple(card[1:]) else None
        case {"at": str(card)}:
            return (RockFall(cell) if card == ROCK else LookAt(cell)) if cell else None
        case {"drop": str(card)}:
            return DROPS.get(card)
        case {"pass": _}:
            return PASS
        case {"take": str(value)}:
            return TAKES[int(value)]
        case {"roles": str(roles)}:
            return Roles(roles.replace("/", ""))
        case {"goals": str(text)}:
            goals = tuple(text.split(","))
            return Goals(goals) if set(goals) <= set(GOALS) else None
        case {"hands": str(text), "stock": str(rest)}:
            hands, stock = tuple(map(_cards, text.split("/"))), _cards(rest)
            return Deal(hands, stock) if DROPS.keys() >= {*stock, *sum(hands, ())} else None
        case {"first": str(seat)}:
            return First(int(seat))
        case {"gold": str(cards)}:
            return Gold(tuple(map(int, cards.split(","))))
    return None


def _cards(text: str) -> tuple[str, ...]:
    return tuple(text.split(",")) if text else ()


_SYNONYMS: Final = (
    (re.compile(r"^(discard|throw away|put down)\b", re.IGNORECASE), "drop"),
    (re.compile(r"^(rock[- ]?fall|rockslide)\b", re.IGNORECASE), "rock"),
    (re.compile(r"^(look|look at|peek|peek at)(?=\W)", re.IGNORECASE), "map "),
    (re.compile(r"^(gold|pick|choose)\b", re.IGNORECASE), "take"),
    (re.compile(r"^skip$", re.IGNORECASE), "pass"),
    (re.compile(r"[()\[\]]"), " "),
    (re.compile(r"\s+(at|on|to)\s+|\s*@\s*", re.IGNORECASE), "@"),
    (re.compile(r"(?<=[a-z])\s+(?=-?\d+\s*[,;/ ]\s*-?\d+\s*$)", re.IGNORECASE), "@"),
    (re.compile(r"^([-+][a-z]+)\s*[@ ]\s*(?=\d)", re.IGNORECASE), r"\1>"),
    (re.compile(r"(?<=\d)\s*[;/]\s*(?=-?\d)"), ","),
    (re.compile(r"^([^,]*\d)\s+(?=-?\d+$)"), r"\1,"),
)


def read(text: str, legal: tuple[Action, ...]) -> str:
    """Return what somebody typed with everyday words and signs replaced by the notation."""
    for pattern, canonical in _SYNONYMS:
        text = pattern.sub(canonical, text.strip())
    return text


CARD_STEP: Final = "card"
TARGET_STEP: Final = "target"
TURN_STEP: Final = "turn"
TOOL_STEP: Final = "tool"


def choices(action: Action, hand: tuple[str, ...]) -> tuple[Choice, ...]:
    """Return the steps in which a person with this hand picks `action`.

    They pick the card, then its place, its player or the discard, then how it lies or what it repairs. Cards are
    numbered as in the picture of the hand.
    """
    match action:
        case Take(value):
            return (Choice(CARD_STEP, str(value), f"Gold card worth {value}"),)
        case Pass():
            return (Choice(CARD_STEP, "pass", "Pass: no cards left", gives_up=True),)
    card = card_played(action)
    assert card is not None, "chance is not asked to choose"
    number = f"{1 + hand.index(card)} · " if card in hand else ""
    first = Choice(CARD_STEP, card, f"{number}{LABELS[card]}")
    match action:
        case Dig(piece, cell):
            turn = Choice(TURN_STEP, piece, f"Open {piece_label(piece)}")
            return (first, _place(cell), turn) if len(PIECES_OF[card]) > 1 else (first, _place(cell))
        case RockFall(cell) | LookAt(cell):
            return first, _place(cell)
        case Break(_, seat):
            return first, _person(seat)
        case Repair(_, seat, tool):
            repaired = Choice(TOOL_STEP, tool, TOOL_NAMES[tool].capitalize())
            return (first, _person(seat), repaired) if len(card) > 2 else (first, _person(seat))
        case _:
            return first, Choice(TARGET_STEP, "drop", "Discard it face down", gives_up=True)


def _place(cell: Cell) -> Choice:
    place = cell_to_string(cell)
    return Choice(TARGET_STEP, place, place, place=place)


def _person(seat: int) -> Choice:
    return Choice(TARGET_STEP, str(seat), "A player", seat=seat)
