"""What one viewer of a match of Saboteur may see.

Cards are named as in the notation. A path card is its open edges as it lies (``NES``, ``es`` for a dead end); in hands
it lies as in `games.saboteur.components.PATH_CARDS`. Action cards are ``-P``, ``+LW``, ``rock``, ``map``. Roles are
``D`` (gold-digger) and ``S`` (saboteur), tools ``P`` pick, ``L`` lantern, ``W`` wagon, gold cards the numbers 1 to 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from games.core import Observation
from games.grid import Cell
from games.saboteur.components import SABOTEUR
from games.saboteur.hopeless import is_lost

Phase = Literal["deal", "dig", "gold", "over"]
"""``deal``: chance sets up a round. ``dig``: turns. ``gold``: the diggers who won take gold. ``over``: the end."""


@dataclass(frozen=True)
class FinishCard:
    """One of the three finish cards (S2), from the top of the table to its bottom.

    Attributes:
        card: the card as it lies once it is turned up (``NESW`` for the treasure, ``NW`` ``ES`` ``NE`` ``SW`` for a
            stone), ``None`` while it is face down.
        kind: what the viewer knows it to be, ``T``, ``NW`` or ``NE``, else ``None``. The viewer knows it after looking
            at it with a map in this round, once it is turned up, and once the round is over (S17).
        seen_by: the seats that have looked at it with a map in this round, rising. This is public.
    """

    cell: Cell
    card: str | None
    kind: str | None
    seen_by: tuple[int, ...]


@dataclass(frozen=True)
class RoundResult:
    """How a round ended, from the moment when it is decided and all roles are shown (S17).

    Attributes:
        number: 1 to 3.
        winners: the side, ``D`` or ``S`` (S15, S16).
        roles: the role of every seat.
        left_over: the role that nobody had.
        reached_by: the seat that reached the treasure, ``None`` if saboteurs won.
        pay: what every saboteur among the players is owed in nuggets if saboteurs won (S19), else 0.
        gold_cards: the number of gold cards that every seat got for this round so far. Their values are secret.
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

    Attributes:
        hands: by seat.
        stock: in the order of drawing.
        discards: by seat the face-down discards of the last round, in order.
        gold: by seat, for every decided round, the values of the gold cards that it brought, rising.
        totals: by seat the nuggets.
    """

    hands: tuple[tuple[str, ...], ...]
    stock: tuple[str, ...]
    discards: tuple[tuple[str, ...], ...]
    gold: tuple[tuple[tuple[int, ...], ...], ...]
    totals: tuple[int, ...]


@dataclass(frozen=True)
class SaboteurObservation(Observation):
    """Everything that `viewer` may see. A spectator's (`viewer` is ``None``) private fields are empty.

    The table of a finished round stays until the next round's roles are dealt (S17).

    Attributes:
        round_number: the current round, 1 to 3.
        phase: what is going on, see `Phase`.
        maze: the start card and every path card on the table, by cell, as it lies. Finish cards aren't in it.
        cut_off: the cells of `maze` and of turned-up finish cards that no unbroken path from the start card reaches
            any more (S7).
        finish_cards: the three finish cards, at ``8,2``, ``8,0`` and ``8,-2``; empty until they are laid.
        turned_up: the cells of the finish cards that `last` turned up (S14), in the order of `finish_cards`.
        removed: the card that the rock-fall `last` removed, as it lay. Its cell is in `last`.
        gone: the cards that were played face up in this round and are gone from the table, in order.
        broken: the broken tools in front of every seat, letters in the order ``PLW``.
        hand_sizes: the number of cards in every seat's hand.
        stock_size: the number of cards left to draw.
        gold_counts: the number of gold cards of every seat.
        gold_left: the number of gold cards left in the gold stock.
        gold_passing: the number of gold cards that players pass around (S18), else 0.
        roles: the role of every seat as far as the viewer knows it: their own during a round, all after its end.
        left_over: the role that nobody has, after the end of the round, else ``None``.
        results: the decided rounds, the current one included once it is decided.
        role: the viewer's own role in this round.
        hand: the viewer's own cards, sorted.
        discards: the viewer's own face-down discards in this round, in order.
        gold: the values of the viewer's own gold cards, rising.
        offered: the values of the gold cards from which the viewer takes one now (S18), rising.
        uncovered: everything that was hidden, once the match is over.
    """

    round_number: int
    phase: Phase
    maze: Mapping[Cell, str]
    cut_off: frozenset[Cell]
    finish_cards: tuple[FinishCard, ...]
    turned_up: tuple[Cell, ...]
    removed: str | None
    gone: tuple[str, ...]
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

    @property
    def roles_hidden(self) -> bool:
        """Whether a round is being played. Its roles are shown as soon as it is decided (S17)."""
        return self.phase == "dig"

    @property
    def is_lost(self) -> bool:
        """Whether everybody can see that nobody will reach the treasure in this round: it's proven."""
        cards = dict(self.maze) | {door.cell: door.card for door in self.finish_cards if door.card is not None}
        return self.phase == "dig" and bool(is_lost(cards, self.gone, sum(self.hand_sizes) + self.stock_size))

    @property
    def unmasked_by_round(self) -> tuple[frozenset[int], ...]:
        """The saboteurs of each decided round (S17)."""
        return tuple(
            frozenset(seat for seat, role in enumerate(result.roles) if role == SABOTEUR) for result in self.results
        )
