"""What the table could have believed of each player of Saboteur, after each turn of a round.

Bayes' rule over all assignments of the role cards and all places of the treasure. The likelihood is the computers'
conduct (`judgements/saboteur/conduct.py`): it asks how likely a public action is for a digger and for a saboteur whose
cards nobody has seen. Unknown hands are samples, which are updated with everything that is seen. Nothing else is
sampled. Only what a spectator sees goes in, so equal rounds give equal numbers, whatever was hidden.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from math import exp, log
from random import Random
from typing import Any, Final, NamedTuple

from games.saboteur import SaboteurState
from games.saboteur.actions import Drop, LookAt, card_played
from games.saboteur.components import (
    CARD_OF,
    DECK,
    DIGGER,
    FINISH,
    FIXED,
    GOALS,
    ROLES,
    SABOTEUR,
    TOOLS,
    TREASURE,
    TREASURE_CARD,
)
from matches.computers.judgements.saboteur.conduct import Conduct, Rank, goes_with
from matches.computers.judgements.saboteur.roles import Sign, likely_saboteurs, possible_roles, sign, weighed

SAMPLES: Final = 300
"""Sampled hands for each seat, role and knowledge of the treasure."""

SLIP: Final = 0.02
"""How often a player does anything at all that is legal, instead of what the conduct considers."""

CARDS: Final = tuple(dict.fromkeys(DECK))
"""The kinds of cards. A card of a sample is its index here."""

_NUMBER: Final = {card: number for number, card in enumerate(CARDS)}
_IN_DECK: Final = tuple(DECK.count(card) for card in CARDS)

_LEAST: Final = 0.5
"""If the effective sample size falls below this share of the samples, they are resampled."""

_USEFUL_ENOUGH: Final = 0.1
"""Cards whose use is at most this much above the least useful one's are discarded, too (`Conduct`)."""

Sights = tuple[tuple[int, bool], ...]
"""What a seat has seen with maps: the number of each finish card, and whether it is the treasure."""


class Habit(NamedTuple):
    """What the conduct says of each kind of card, on one turn of a player with one role and one knowledge.

    Attributes:
        ranks: the best rank of the card's actions.
        considered: how many of its actions have that rank, if they are considered at all.
        legal: how many actions the card has, with its discard.
        uses: how useful it is, by how many of it are held.
        rank: the rank of what was done.
    """

    ranks: Sequence[int]
    considered: Sequence[int]
    legal: Sequence[int]
    uses: Sequence[Sequence[float]]
    rank: Rank

    def least_useful(self, hand: Sequence[int]) -> list[int]:
        """Return the kinds of cards that a player with this hand discards."""
        found = {card: self.uses[card][min(hand.count(card), 3) - 1] for card in dict.fromkeys(hand)}
        most = min(found.values()) + _USEFUL_ENOUGH
        return [card for card, use in found.items() if use <= most]

    def chance(self, hand: Sequence[int], kinds: Collection[int], *, discards: bool) -> float:
        """Return how likely a player with this hand is to discard, or else to do exactly what was done.

        `kinds` are the kinds of cards in the hand. `discards` says which of the two is asked.
        """
        best = min(self.ranks[kind] for kind in kinds)
        if best == Rank.DROP:
            return float(discards)
        if discards and best != Rank.HELP:
            return 0.0
        if not discards and (self.rank == Rank.DROP or not goes_with(self.rank, best)):
            return 0.0
        total = sum(self.considered[kind] for kind in kinds if goes_with(self.ranks[kind], best))
        least = len(self.least_useful(hand)) if best == Rank.HELP else 0
        return (least if discards else 1) / (total + least)


def habit(conduct: Conduct, state: SaboteurState, action: Any) -> Habit:
    """Return what the conduct says of all cards that the player holds in `state`, and of the `action`."""
    ranks, considered, legal = [int(Rank.DROP)] * len(CARDS), [0] * len(CARDS), [0] * len(CARDS)
    for each in state.legal_actions(state.current_player):
        card = _NUMBER[card_played(each) or ""]
        legal[card] += 1
        rank = conduct.rank(each)
        if rank < ranks[card]:
            ranks[card], considered[card] = rank, 0
        if rank == ranks[card] != Rank.DROP:
            considered[card] += 1
    uses = [[conduct.use_of(card, held) for held in (1, 2, 3)] for card in CARDS]
    return Habit(ranks, considered, legal, uses, conduct.rank(action))


class Samples:
    """Possible hands of a seat with one role and one knowledge of the treasure, with their weights.

    A hand is a list of cards. `gone` are the cards that its player has discarded face down.
    """

    def __init__(self, hands: list[list[int]], gone: list[list[int]]) -> None:
        self.hands = hands
        self.gone = gone
        self.weights = [1.0] * len(hands)

    @classmethod
    def dealt(cls, count: int, size: int, unseen: Sequence[int], rng: Random) -> Samples:
        """Return `count` hands, dealt from the cards that nobody has seen."""
        cards = [kind for kind, left in enumerate(unseen) for _ in range(left)]
        return cls([rng.sample(cards, size) for _ in range(count)], [[] for _ in range(count)])

    def copy(self) -> Samples:
        """Return a copy of these samples, to go on with other knowledge."""
        new = Samples([list(hand) for hand in self.hands], [list(cards) for cards in self.gone])
        new.weights = list(self.weights)
        return new

    def see(self, seen: Habit, card: int | None, unseen: Sequence[int], draws: bool, rng: Random) -> float:
        """Take account of what their player did, with this `card` (``None``: a discard). Returns how likely it was.

        `unseen` says how many cards of each kind nobody had seen before the action. `draws`: a card was drawn.
        """
        likelihood, before = 1.0, sum(self.weights)
        if card is not None and not any(w and card in hand for w, hand in zip(self.weights, self.hands, strict=True)):
            likelihood = self._given(card, unseen, rng)
        for number, hand in enumerate(self.hands):
            if card is not None and card not in hand:
                self.weights[number] = 0.0
            elif self.weights[number]:
                self.weights[number] *= self._spend(number, seen, card, rng)
        likelihood *= sum(self.weights) / before
        self._resample(rng)
        if draws:
            left = list(unseen)
            if card is not None:
                left[card] -= 1
            self._draw(left, rng)
        return likelihood

    def _spend(self, number: int, seen: Habit, card: int | None, rng: Random) -> float:
        """Take a card from a hand. Returns how likely its player did what was done."""
        hand = self.hands[number]
        kinds = list(dict.fromkeys(hand))
        usual = (1 - SLIP) * seen.chance(hand, kinds, discards=card is None)
        slip = SLIP / sum(seen.legal[kind] for kind in kinds)
        if card is not None:
            hand.remove(card)
            return usual + slip
        chance = usual + slip * len(kinds)
        dropped = rng.choice(seen.least_useful(hand) if rng.random() * chance < usual else kinds)
        hand.remove(dropped)
        self.gone[number].append(dropped)
        return chance

    def _given(self, card: int, unseen: Sequence[int], rng: Random) -> float:
        """Put this card into every sampled hand, since none has it. Return about how likely a hand has it."""
        size = len(self.hands[0])
        for hand in self.hands:
            hand[rng.randrange(size)] = card
        return min(1.0, size * unseen[card] / max(sum(unseen), 1))

    def _resample(self, rng: Random) -> None:
        """Resample by weight, if a sample has no weight left or the effective sample size is too small (`_LEAST`)."""
        total = sum(self.weights)
        self.weights = [weight / total for weight in self.weights]
        count = len(self.weights)
        if min(self.weights) > 0 and 1 / sum(weight * weight for weight in self.weights) >= _LEAST * count:
            return
        left = [number for number, weight in enumerate(self.weights) if weight > 0]
        hands, gone = [], []
        at, place = rng.random() / count, 0
        below = self.weights[left[0]]
        for _ in range(count):
            while at > below and place < len(left) - 1:
                place += 1
                below += self.weights[left[place]]
            hands.append(list(self.hands[left[place]]))
            gone.append(list(self.gone[left[place]]))
            at += 1 / count
        self.hands, self.gone, self.weights = hands, gone, [1 / count] * count

    def _draw(self, unseen: Sequence[int], rng: Random) -> None:
        """Add a card to each sampled hand that neither its player nor anybody else has seen."""
        pool = [kind for kind, count in enumerate(unseen) for _ in range(count)]
        for hand, gone in zip(self.hands, self.gone, strict=True):
            for _ in range(40):
                card = pool[rng.randrange(len(pool))]
                own = hand.count(card) + gone.count(card)
                if not own or rng.random() * unseen[card] < unseen[card] - own:
                    break
            hand.append(card)

    def others_showed(self, card: int, unseen: Sequence[int], rng: Random) -> None:
        """Take account of a card that somebody else has played. `unseen` is as in `see`."""
        count = unseen[card]
        weights = [
            weight * (count - hand.count(card) - gone.count(card)) if card in hand or card in gone else weight * count
            for weight, hand, gone in zip(self.weights, self.hands, self.gone, strict=True)
        ]
        if any(weight > 0 for weight in weights):
            self.weights = [max(weight, 0.0) for weight in weights]
        self._resample(rng)


def unseen(state: SaboteurState) -> list[int]:
    """Return how many cards of each kind nobody but their players has seen."""
    left = list(_IN_DECK)
    for cell, piece in state.maze.cards.items():
        if cell not in FIXED:
            left[_NUMBER[CARD_OF[piece]]] -= 1
    for tool, seats in zip(TOOLS, state.broken, strict=True):
        left[_NUMBER[f"-{tool}"]] -= seats.bit_count()
    for card in state.pile:
        left[_NUMBER[card]] -= 1
    return left


class World(NamedTuple):
    """A place of the treasure and the roles, the left-over one last."""

    treasure: int
    roles: str


class Watched:
    """What a spectator can believe in one round, turn by turn, from the position `start` on.

    The positions that it is given must hold no more than a spectator knows.
    """

    def __init__(self, start: SaboteurState, samples: int = SAMPLES) -> None:
        self.players = players = start.players
        self._rng = Random(f"saboteur {players}")
        places = range(players + 1)
        count = ROLES[players].count(SABOTEUR)
        self._deals = [
            "".join(SABOTEUR if place in chosen else DIGGER for place in places)
            for chosen in combinations(places, count)
        ]
        self._own: list[list[Any]] = [[] for _ in range(players)]
        self._signs: list[Sign] = []
        self._goals = [number for number, cell in enumerate(FINISH) if cell not in start.maze.cards]
        self._looked = [
            [number for number in range(len(FINISH)) if start.seen[number] >> seat & 1] for seat in range(players)
        ]
        left = unseen(start)
        self._samples: dict[tuple[int, str, Sights], Samples] = {
            (seat, role, sights): Samples.dealt(samples, len(start.hands[seat]), left, self._rng)
            for seat in range(players)
            for role in (DIGGER, SABOTEUR)
            for sights in dict.fromkeys(self._sights(seat, goal) for goal in self._goals)
        }
        self._logs = {(goal, seat, role): 0.0 for goal in self._goals for seat in range(players) for role in "DS"}

    def see(self, before: SaboteurState, action: Any, after: SaboteurState) -> None:
        """Take account of an action, as a spectator sees it. Once the round is lost, no action says anything."""
        if before.is_lost:
            return
        seat, card = before.current_player, card_played(action)
        number = None if card is None or isinstance(action, Drop) else _NUMBER[card]
        if number is not None or isinstance(action, Drop):
            self._judge(before, seat, action, number, len(after.hands[seat]) == len(before.hands[seat]))
        said = sign(before.maze, seat, action)
        if said is not None:
            self._signs.append(said)
        self._own[seat].append(action)
        if isinstance(action, LookAt):
            self._look(seat, FINISH.index(action.cell))
        self._rule_out(after)

    def _judge(self, before: SaboteurState, seat: int, action: Any, card: int | None, draws: bool) -> None:
        left = unseen(before)
        # The conduct is asked about each kind of card, so the player holds one of each.
        hands = (*before.hands[:seat], CARDS, *before.hands[seat + 1 :])
        exposed = self._suspected(before, None)[seat]
        found: dict[tuple[str, Sights], float] = {}
        for goal in self._goals:
            sights = self._sights(seat, goal)
            if (DIGGER, sights) not in found:
                known = before.evolve(goals=goals_with(goal), hands=hands)
                for role in (DIGGER, SABOTEUR):
                    seen = self._habit(known, seat, role, exposed, action)
                    likelihood = self._samples[seat, role, sights].see(seen, card, left, draws, self._rng)
                    found[role, sights] = log(likelihood)
            for role in (DIGGER, SABOTEUR):
                self._logs[goal, seat, role] += found[role, sights]
        if card is not None:
            for (place, _, _), samples in self._samples.items():
                if place != seat:
                    samples.others_showed(card, left, self._rng)

    def _habit(self, state: SaboteurState, seat: int, role: str, exposed: float, action: Any) -> Habit:
        """Return what the conduct says to a player with this role. The roles of others don't matter to it."""
        other = SABOTEUR if role == DIGGER else DIGGER
        state = state.evolve(roles="".join(role if place == seat else other for place in range(self.players + 1)))
        chances = self._suspected(state, seat)
        foes = [chance if role == DIGGER else 1 - chance for chance in chances]
        foes[seat] = 0.0
        return habit(Conduct(state, foes, exposed, self._own[seat]), state, action)

    def _suspected(self, state: SaboteurState, player: int | None) -> list[float]:
        """Return by seat the probability that it is a saboteur, as a computer in the seat of `player` sees it."""
        roles, weights = possible_roles(state, player, weighed(state, player, self._signs))
        return likely_saboteurs(roles, weights, self.players)

    def _sights(self, seat: int, goal: int) -> Sights:
        """Return what a seat has seen with maps if the treasure is there."""
        return tuple((number, number == goal) for number in self._looked[seat])

    def _look(self, seat: int, number: int) -> None:
        """Note that a seat has looked at a finish card: split its samples by what it may have seen."""
        if number in self._looked[seat]:
            return
        for goal in self._goals:
            for role in (DIGGER, SABOTEUR):
                old = self._samples.get((seat, role, self._sights(seat, goal)))
                assert old is not None
                self._samples.setdefault(
                    (seat, role, (*self._sights(seat, goal), (number, number == goal))), old.copy()
                )
        self._looked[seat].append(number)
        self._forget()

    def _rule_out(self, state: SaboteurState) -> None:
        """Rule out places of the treasure by the finish cards that have been turned up."""
        left = [goal for goal in self._goals if FINISH[goal] not in state.maze.cards]
        if len(left) < len(self._goals):
            shown = [goal for goal in self._goals if state.maze.cards.get(FINISH[goal]) == TREASURE_CARD]
            self._goals = shown or left
            self._forget()

    def _forget(self) -> None:
        """Forget samples whose knowledge of the treasure has become impossible."""
        wanted = {(seat, self._sights(seat, goal)) for seat in range(self.players) for goal in self._goals}
        self._samples = {key: samples for key, samples in self._samples.items() if (key[0], key[2]) in wanted}

    # What can be believed.

    def worlds(self) -> tuple[list[World], list[float]]:
        """Return all worlds that are possible, and how likely each is."""
        found, logs = list[World](), list[float]()
        for goal in self._goals:
            base = sum(self._logs[goal, seat, DIGGER] for seat in range(self.players))
            lift = [self._logs[goal, seat, SABOTEUR] - self._logs[goal, seat, DIGGER] for seat in range(self.players)]
            for roles in self._deals:
                found.append(World(goal, roles))
                logs.append(base + sum(more for more, role in zip(lift, roles, strict=False) if role == SABOTEUR))
        most = max(logs)
        weights = [exp(each - most) for each in logs]
        total = sum(weights)
        return found, [weight / total for weight in weights]

    def saboteurs(self, own: tuple[int, str] | None = None, treasures: Collection[int] = ()) -> list[float]:
        """Return by seat the probability that it is a saboteur.

        `own` and `treasures` are what a player knows beyond a spectator: their seat with its role, and the finish cards
        that may be the treasure.
        """
        chances, total = [0.0] * self.players, 0.0
        for (treasure, roles), weight in zip(*self.worlds(), strict=True):
            if (own and roles[own[0]] != own[1]) or (treasures and treasure not in treasures):
                continue
            total += weight
            for seat in range(self.players):
                if roles[seat] == SABOTEUR:
                    chances[seat] += weight
        return [chance / total for chance in chances] if total else self.saboteurs(own)

    def by_treasure(self, count: int, rng: Random) -> Iterator[tuple[float, list[World]]]:
        """Yield for each place where the treasure can be how likely that is, and `count` worlds drawn with it there."""
        worlds, weights = self.worlds()
        for goal in self._goals:
            those = [number for number, world in enumerate(worlds) if world.treasure == goal]
            chances = [weights[number] for number in those]
            yield sum(chances), [worlds[number] for number in rng.choices(those, chances, k=count)]

    def hand(self, seat: int, world: World, rng: Random) -> tuple[str, ...]:
        """Return possible cards of a seat in a world."""
        samples = self._samples[seat, world.roles[seat], self._sights(seat, world.treasure)]
        (hand,) = rng.choices(samples.hands, samples.weights)
        return tuple(sorted(CARDS[card] for card in hand))


def goals_with(treasure: int) -> tuple[str, ...]:
    """Return finish cards with the treasure at this place."""
    stones = iter(goal for goal in GOALS if goal != TREASURE)
    return tuple(TREASURE if number == treasure else next(stones) for number in range(len(FINISH)))
