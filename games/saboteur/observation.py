"""What one viewer of a match of Saboteur may see (rules page, "What a viewer sees").

Cards are named as in the notation: a path card by its open edges as it lies (``NES``, ``es`` for a dead end), in hands
in the orientation that the table of components lists first; action cards ``-P``, ``+LW``, ``rock``, ``map``. Roles are
``D`` (gold-digger) and ``S`` (saboteur), tools ``P`` pick, ``L`` lantern, ``W`` wagon, gold cards the numbers 1 to 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from games.core import Observation
from games.grid import Cell

Phase = Literal["deal", "dig", "gold", "over"]
"""``deal``: chance sets up a round; ``dig``: turns; ``gold``: the gold of a diggers' win is handed out; ``over``."""


@dataclass(frozen=True)
class FinishCard:
    """One of the three finish cards (S2), from the top of the table to its bottom.

    `card` is the card as it lies once it is turned up (``NESW`` for the treasure, ``NW`` ``ES`` ``NE`` ``SW`` for a
    stone), ``None`` while it is face down. `kind` is what the viewer knows it to be: ``T``, ``NW`` or ``NE``, by
    looking under it with a map in this round or because it is turned up (or the match is over); else ``None``.
    `seen_by` are the seats that have looked at it with a map in this round, in rising order; that is public.
    """

    cell: Cell
    card: str | None
    kind: str | None
    seen_by: tuple[int, ...]


@dataclass(frozen=True)
class RoundResult:
    """How a round ended; there from the moment it is decided, when all roles are shown (S17).

    `number` is 1 to 3, `winners` the side ``D`` or ``S`` (S15, S16), `roles` the role of every seat, `left_over` the
    role that nobody had. `reached_by` is the seat that reached the treasure, ``None`` when saboteurs won. `pay` is what
    every saboteur among the players is owed in nuggets when saboteurs won (S19), else 0. `gold_cards` is the
    number of gold cards that every seat has got for this round so far; their values are secret.
    """

    number: int
    winners: str
    roles: tuple[str, ...]
    left_over: str
    reached_by: int | None
    pay: int
    gold_cards: tuple[int, ...]


@dataclass(frozen=True)
class Uncovered:
    """What was hidden until the match was over: the end of its last round, and everybody's gold.

    `hands`, `gold` (values, rising), `discards` (face-down discards of the last round, in order) and `totals` (nuggets)
    are by seat; `stock` is in the order in which it would have been drawn. The finish cards that stayed face down
    are told by `FinishCard.kind`.
    """

    hands: tuple[tuple[str, ...], ...]
    stock: tuple[str, ...]
    discards: tuple[tuple[str, ...], ...]
    gold: tuple[tuple[int, ...], ...]
    totals: tuple[int, ...]


@dataclass(frozen=True)
class SaboteurObservation(Observation):
    """Everything that `viewer` may see; a spectator's (`viewer` is ``None``) private fields are empty.

    The table of a finished round stays until the next round's roles are dealt (S17).

    Attributes:
        round_number: the round being played, 1 to 3.
        phase: what is going on, see `Phase`.
        maze: the start card and every path card on the table, by cell, as it lies; finish cards are not in it.
        cut_off: the cells of `maze` and of turned-up finish cards that no unbroken path from the start card
            reaches any more (S7).
        finish_cards: the three finish cards, at ``8,2``, ``8,0`` and ``8,-2``; empty until they are laid.
        turned_up: cells of the finish cards that `last` has turned up (S14), in the order of `finish_cards`.
        removed: what a rock-fall that is `last` has removed, as it lay (its cell stands in `last`).
        broken: the broken tools in front of every seat, letters in the order ``PLW``.
        hand_sizes: number of cards in every seat's hand.
        stock_size: number of cards left to draw.
        gold_counts: number of gold cards of every seat.
        gold_left: number of gold cards left in the gold stock.
        gold_passing: number of gold cards being passed around (S18), else 0.
        roles: the role of every seat as far as the viewer knows it: his own during a round, all after its end.
        left_over: the role that nobody has, after the end of the round, else ``None``.
        results: the rounds that are decided, the present one too once it is.
        role: the viewer's own role in this round.
        hand: the viewer's own cards, sorted.
        discards: what the viewer has himself discarded face down in this round, in order.
        gold: values of the viewer's own gold cards, rising.
        offered: values of the gold cards passed to the viewer when it is he who takes one (S18), rising.
        uncovered: everything that was hidden, once the match is over.
    """

    round_number: int
    phase: Phase
    maze: Mapping[Cell, str]
    cut_off: frozenset[Cell]
    finish_cards: tuple[FinishCard, ...]
    turned_up: tuple[Cell, ...]
    removed: str | None
    broken: tuple[str, ...]
    hand_sizes: tuple[int, ...]
    stock_size: int
    gold_counts: tuple[int, ...]
    gold_left: int
    gold_passing: int
    roles: tuple[str | None, ...]
    left_over: str | None
    results: tuple[RoundResult, ...]
    role: str | None
    hand: tuple[str, ...]
    discards: tuple[str, ...]
    gold: tuple[int, ...]
    offered: tuple[int, ...]
    uncovered: Uncovered | None
