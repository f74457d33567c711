"""The actions of Saboteur and their notation.

Every kind of action has a `kind` of its own as its last field, so that no two actions of different kinds are equal
tuples. There is one shared object for every action of a player: search meets the same ones millions of times.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache, partial
from typing import Final, Literal, NamedTuple

from games.core import HIDDEN, reader
from games.grid import Cell, cell_to_string, string_to_cell
from games.saboteur.components import ACTION_CARDS, CARD_OF, FINISH, GOALS, MAP, PATH_CARDS, PIECES, ROCK


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
def numbers(mask: int) -> tuple[int, ...]:
    """Return the numbers of the pieces, or seats, in a mask."""
    return tuple(bit for bit in range(mask.bit_length()) if mask >> bit & 1)


@cache
def rock_fall(cell: Cell) -> RockFall:
    """Return the rock-fall on `cell`."""
    return RockFall(cell)


@cache
def breaks(tool: str, seats: int) -> tuple[Break, ...]:
    """Return the actions that break `tool` of each of `seats` (a mask)."""
    return tuple(Break(tool, seat) for seat in numbers(seats))


@cache
def repairs(card: str, tool: str, seats: int) -> tuple[Repair, ...]:
    """Return the actions that repair `tool` of each of `seats` (a mask) with `card`."""
    return tuple(Repair(card, seat, tool) for seat in numbers(seats))


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


def _dig(piece: str, place: str) -> Dig | None:
    cell = string_to_cell(place)
    return Dig(piece, cell) if piece in CARD_OF and cell else None


def _repair(card: str, seat: str, tool: str | None) -> Repair | None:
    mended = tool or card[1:]
    return Repair(card, int(seat), mended) if card in ACTION_CARDS and mended in tuple(card[1:]) else None


def _at(kind: Callable[[Cell], Action], place: str) -> Action | None:
    cell = string_to_cell(place)
    return kind(cell) if cell else None


def _goals(text: str) -> Goals | None:
    goals = tuple(text.split(","))
    return Goals(goals) if set(goals) <= set(GOALS) else None


def _deal(text: str, rest: str) -> Deal | None:
    hands, stock = tuple(map(_cards, text.split("/"))), _cards(rest)
    return Deal(hands, stock) if DROPS.keys() >= {*stock, *sum(hands, ())} else None


def _cards(text: str) -> tuple[str, ...]:
    return tuple(text.split(",")) if text else ()


_SEAT: Final = "(0|[1-9][0-9]?)"
_CELL: Final = "([-0-9]+,[-0-9]+)"

string_to_action: Final = reader(
    "isn't a move in Saboteur.",
    {
        f"([NESW]+|[nesw]+)@{_CELL}": _dig,
        f"-([PLW])>{_SEAT}": lambda tool, seat: Break(tool, int(seat)),
        rf"(\+[PLW]{{1,2}})>{_SEAT}(?::([PLW]))?": _repair,
        f"rock@{_CELL}": partial(_at, RockFall),
        f"map@{_CELL}": partial(_at, LookAt),
        r"drop (\S+)": DROPS.get,
        "pass": lambda: PASS,
        "take ([1-3])": lambda value: TAKES[int(value)],
    },
    {
        "roles ([DS]+/[DS])": lambda roles: Roles(roles.replace("/", "")),
        "goals ([A-Z,]+)": _goals,
        r"deal ([^|]*)\|([^|]*)": _deal,
        "first ([0-9])": lambda seat: First(int(seat)),
        "gold ([1-3](?:,[1-3])*)": lambda cards: Gold(tuple(map(int, cards.split(",")))),
    },
)


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


_NUMBERED: Final = re.compile(r"\s*[>@]?\s*#\s*([1-9][0-9]?)")


def read(text: str, legal: tuple[Action, ...]) -> str:
    """Return what somebody typed with everyday words and signs replaced by the notation.

    People count players from 1, as the plates do: ``#3`` is player 2 of the notation.
    """
    for pattern, canonical in _SYNONYMS:
        text = pattern.sub(canonical, text.strip())
    return _NUMBERED.sub(lambda found: f">{int(found[1]) - 1}", text)
