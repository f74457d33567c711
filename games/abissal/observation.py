"""What one viewer of a match of Ambiente Abissal may see (rules page, "What a viewer sees").

Cards are named as in the notation, suit then number (``B4``); cards that belong together, a hand or a play, are tuples
of such names. Of the cards already beaten only the present trick is shown (D12).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from games.abissal.components import Strength
from games.core import Observation


class Laid(NamedTuple):
    """One play of the present trick: who laid which cards, in the order in which the notation writes them."""

    player: int
    cards: tuple[str, ...]


class RoundResult(NamedTuple):
    """A finished round: who led it, the seats from the best place to the last, the points by seat (D10, D11)."""

    leader: int
    places: tuple[int, ...]
    points: tuple[int, ...]


@dataclass(frozen=True)
class AbissalObservation(Observation):
    """Everything that `viewer` may see.

    Attributes:
        round_number: the round being played or about to be dealt, from 1; after the end the last one.
        leader: the seat that leads or led the round (D2), ``None`` until chance has named it for round 1.
        hand: the viewer's own cards, by suit from weak to strong, then by number; empty for a spectator.
        counts: number of cards in every seat's hand.
        trick: the plays of the present trick, oldest first; empty when a trick is to be led. After the end of the
            match the trick that ended it.
        strength: what the present trick is played for (D5-D7), ``None`` when a trick is to be led.
        passed: seats that have passed in this trick, in the order in which they did.
        out: seats that have gone out in this round, best place first.
        scores: points of every seat.
        results: the finished rounds, oldest first.
        hands: the cards that every seat was left with, once the match is over; before that ``None``.
        aside: the cards of the last round that were not dealt (D1), once the match is over; before that ``None``.
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
