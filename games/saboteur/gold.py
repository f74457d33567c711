"""Gold in Saboteur (S18-S20): who takes in which order, what saboteurs are paid, and what a viewer can infer.

A gold card is its number of nuggets, 1 to 3. A collection of gold cards is a rising tuple.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, product
from math import comb, prod
from typing import Final

from games.core import Rng, shuffled
from games.saboteur.components import DIGGER, SABOTEUR

GOLD: Final = (1,) * 16 + (2,) * 8 + (3,) * 4
"""All 28 gold cards."""
MOST_DRAWN: Final = 9
"""Ten players share nine gold cards. Fewer players share as many cards as there are players (S18)."""
_VALUES: Final = (1, 2, 3)
_PAY: Final = {1: 4, 2: 3, 3: 3, 4: 2}


@dataclass(frozen=True)
class Round:
    """A decided round with its secrets: which gold cards went where.

    Attributes:
        winners: the side that won.
        roles: the roles by seat, with the left-over one last.
        reached_by: the seat that reached the treasure; ``None`` after a saboteurs' win.
        drawn: the gold cards drawn for a diggers' win (S18), empty until then.
        takes: those of `drawn` that were taken so far, in order of time.
        paid: the gold cards that every seat got for a saboteurs' win (S19).
    """

    winners: str
    roles: str
    reached_by: int | None = None
    drawn: tuple[int, ...] = ()
    takes: tuple[int, ...] = ()
    paid: tuple[tuple[int, ...], ...] = ()

    @property
    def passing(self) -> tuple[int, ...]:
        """The gold cards that players are still passing around."""
        return without(self.drawn, self.takes)

    def taker(self, take: int) -> int:
        """Return the seat that takes card number `take` (from 0) of a diggers' win: counter-clockwise (S18)."""
        assert self.reached_by is not None, "nobody takes gold after a saboteurs' win"
        players = len(self.roles) - 1
        seats = [(self.reached_by - step) % players for step in range(players)]
        diggers = [seat for seat in seats if self.roles[seat] == DIGGER]
        return diggers[take % len(diggers)]

    def cards_of(self, seat: int) -> tuple[int, ...]:
        """Return the gold cards of `seat` for this round, rising."""
        if self.winners == SABOTEUR:
            return self.paid[seat]
        return tuple(sorted(value for take, value in enumerate(self.takes) if self.taker(take) == seat))


def without(cards: Iterable[int], removed: Iterable[int]) -> tuple[int, ...]:
    """Return `cards` without `removed`, rising. Raises ValueError if a removed card isn't there."""
    left = sorted(cards)
    for card in removed:
        left.remove(card)
    return tuple(left)


def pay(roles: str) -> int:
    """Return what each saboteur among the players is owed after a saboteurs' win; 0 if nobody is one (S19)."""
    return _PAY.get(roles[:-1].count(SABOTEUR), 0)


def pay_saboteurs(stock: tuple[int, ...], roles: str) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Return what every seat gets after a saboteurs' win, and the remaining gold stock (S19). Seat 0 is paid first."""
    owed, paid = pay(roles), []
    for role in roles[:-1]:
        cards = payment(stock, owed) if role == SABOTEUR else ()
        stock = without(stock, cards)
        paid.append(cards)
    return tuple(paid), stock


@lru_cache(maxsize=4096)
def payment(stock: tuple[int, ...], owed: int) -> tuple[int, ...]:
    """Return the cards of `stock` that pay `owed` (S19).

    They are worth as much as possible without exceeding `owed`. Among these, the fewest cards win, then the highest
    card.
    """
    possible = (cards for number in range(owed + 1) for cards, _ in draws(stock, number) if sum(cards) <= owed)
    return max(possible, key=lambda cards: (sum(cards), -len(cards), cards[::-1]))


def draws(stock: Iterable[int], number: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield every collection of `number` cards of `stock`, with the number of ways to draw it."""
    held = Counter(stock)
    for counts in product(*(range(min(held[value], number) + 1) for value in _VALUES)):
        if sum(counts) == number:
            chosen = dict(zip(_VALUES, counts, strict=True))
            yield tuple(Counter(chosen).elements()), prod(comb(held[value], n) for value, n in chosen.items())


def resample(
    rounds: tuple[Round, ...], viewer: int | None, picking: bool, rng: Rng
) -> tuple[tuple[Round, ...], tuple[int, ...]]:
    """Redeal the gold of all decided rounds so that `viewer` could have seen the same (S20).

    `picking`: the viewer takes a gold card now, and so sees the cards that are being passed around. The roles, who took
    when, and the number of cards paid to each saboteur are public. The viewer also knows their own cards, and all that
    was left whenever they took one. How many cards saboteurs were paid depends on earlier draws, so earlier draws are
    chosen among those that lead to these numbers. Later draws are free. Returns the rounds and the gold stock.
    """
    sights = [_Sight(past, viewer, picking and past is rounds[-1]) for past in rounds]
    settled = max((number for number, past in enumerate(rounds, 1) if past.winners == SABOTEUR), default=0)
    reserved = [card for sight in sights[settled:] for card in sight.known]

    histories: list[tuple[int, tuple[int, ...], list[tuple[int, ...]]]] = [(1, GOLD, [])]
    for sight in sights[:settled]:
        histories = [
            (weight * ways, left, [*unseen, cards])
            for weight, stock, unseen in histories
            for ways, left, cards in sight.possible(stock)
        ]
    histories = [history for history in histories if Counter(history[1]) >= Counter(reserved)]
    stock, unseen = _drawn(histories, rng)
    pool = [*shuffled(without(stock, reserved), rng)]
    for sight in sights[settled:]:
        unseen = [*unseen, tuple(pool[: sight.blind])]
        del pool[: sight.blind]

    stock, result = GOLD, []
    for sight, cards in zip(sights, unseen, strict=True):
        past = sight.dealt(stock, cards, rng)
        stock = without(stock, (*past.drawn, *sum(past.paid, ())))
        result.append(past)
    return tuple(result), stock


def _drawn(
    histories: list[tuple[int, tuple[int, ...], list[tuple[int, ...]]]], rng: Rng
) -> tuple[tuple[int, ...], list[tuple[int, ...]]]:
    """Return one of the histories without its weight. Each is as likely as its weight."""
    number = rng.randrange(sum(weight for weight, _, _ in histories))
    for weight, stock, unseen in histories:
        if number < weight:
            return stock, unseen
        number -= weight
    raise AssertionError("a number below the sum of the weights falls into one of them")


class _Sight:
    """What one viewer has seen of the gold of one decided round.

    `in_order` are the cards of a diggers' win as they were taken, then those still being passed around. `cuts` are the
    numbers of the viewer's own takes: at each, the viewer saw all cards from that number on. The number of cards before
    the first cut is `blind`: the viewer doesn't know these. The `known` cards are the rest, though the viewer doesn't
    always know who took which.
    """

    def __init__(self, past: Round, viewer: int | None, picking: bool) -> None:
        self.past = past
        self.viewer = viewer
        self.in_order = (*past.takes, *past.passing)
        self.cuts = [take for take in range(len(past.takes)) if past.taker(take) == viewer]
        if picking:
            self.cuts.append(len(past.takes))
        self.blind = self.cuts[0] if self.cuts else len(self.in_order)
        self.known = self.in_order[self.blind :]

    def possible(self, stock: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...], tuple[int, ...]]]:
        """Yield the possible rounds that begin with `stock`: (ways, stock afterwards, the unseen cards)."""
        if self.past.winners == SABOTEUR:
            paid, left = pay_saboteurs(stock, self.past.roles)
            if self._looks_like(paid):
                yield 1, left, ()
        elif Counter(stock) >= Counter(self.known):
            rest = without(stock, self.known)
            for cards, ways in draws(rest, self.blind):
                yield ways, without(rest, cards), cards

    def _looks_like(self, paid: tuple[tuple[int, ...], ...]) -> bool:
        return all(
            cards == true if seat == self.viewer else len(cards) == len(true)
            for seat, (cards, true) in enumerate(zip(paid, self.past.paid, strict=True))
        )

    def dealt(self, stock: tuple[int, ...], unseen: tuple[int, ...], rng: Rng) -> Round:
        """Return the round with the `unseen` cards. The seen ones are shuffled among their possible takers."""
        if self.past.winners == SABOTEUR:
            return replace(self.past, paid=pay_saboteurs(stock, self.past.roles)[0])
        cards = [*shuffled(sorted(unseen), rng)]
        for cut, end in pairwise((*self.cuts, len(self.in_order))):
            own = self.in_order[cut : cut + 1] if cut < len(self.past.takes) else ()
            cards += [*own, *shuffled(sorted(self.in_order[cut + len(own) : end]), rng)]
        return replace(self.past, drawn=tuple(sorted(cards)), takes=tuple(cards[: len(self.past.takes)]))
