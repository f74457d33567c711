"""What one viewer of a match of Ambiente Abissal may see.

Cards are named as in the notation: suit, then number (``B4``). A hand or a play is a tuple of such names. Of the beaten
cards, only those of the current trick are shown (D12).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from games.abissal.components import Strength
from games.core import Observation


class Laid(NamedTuple):
    """One play of the current trick: the player, and the cards in the order of the notation."""

    player: int
    cards: tuple[str, ...]


class RoundResult(NamedTuple):
    """A finished round: its leader, the seats from the best place to the last, and the points by seat (D10, D11).

    `left` are the cards that the player in the last place still had. They are turned up when the round is over.
    """

    leader: int
    places: tuple[int, ...]
    points: tuple[int, ...]
    left: tuple[str, ...]


@dataclass(frozen=True)
class AbissalObservation(Observation):
    """Everything that `viewer` may see.

    Attributes:
        round_number: the current or coming round, from 1; after the end the last one.
        leader: the seat that leads or led the round (D2), ``None`` until chance has named it for round 1.
        hand: the viewer's own cards, by suit from weak to strong, then by number; empty for a spectator.
        counts: the number of cards in every seat's hand.
        trick: the plays of the current trick, oldest first; empty before its lead. After the end, the last trick.
        strength: what the current trick is played for (D5-D7), ``None`` before its lead.
        passed: the seats that have passed in this trick, in the order in which they passed.
        out: the seats that have gone out in this round, best place first.
        scores: the points of every seat.
        results: the finished rounds, oldest first.
        hands: the cards that every seat had left, once the match is over; before that ``None``.
        aside: the cards of the last round that weren't dealt (D1), once the match is over; before that ``None``.
    """

    round_number: int
    leader: int | None
    hand: tuple[str, ...]
    counts: tuple[int, ...]
    trick: tuple[Laid, ...]
    strength: Strength | None
    passed: tuple[int, ...]
    out: tuple[int, ...]
    scores: tuple[int, ...]
    results: tuple[RoundResult, ...]
    hands: tuple[tuple[str, ...], ...] | None
    aside: tuple[str, ...] | None
