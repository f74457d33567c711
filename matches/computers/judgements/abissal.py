"""Ambiente Abissal: the fewest turns in which a hand can be played, and what a pass betrays (rules page abissal.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Final, NamedTuple

from games.abissal import AbissalState
from games.abissal.actions import PASS, Deal, Play
from games.abissal.components import CARDS, NUMBERS, indices, mask_of
from games.abissal.components import Strength as Kind
from games.abissal.tricks import followers, leads, strength_after, turn_after
from games.core import Played
from matches.computers.judgement import Judgement
from matches.computers.levels import STRENGTHS, Level, Strength

PASSING: Final = 0.12
"""The probability of a pass in a playout although the player could follow: strong cards are worth keeping."""

_FEWER: Final = 0.12
"""What one turn less to come adds to the opinion of an action."""
_PRICE: Final = 0.108
"""What strength that is worth one turn subtracts from it (`_PRICES`)."""


def _strength(cards: int) -> int:
    """Return the strength of a play: the sum of the suits and numbers of its cards, both counted from 0."""
    return sum(index // NUMBERS + index % NUMBERS for index in indices(cards))


_Groups = tuple[tuple[int, int], ...]
"""The groups of cards that are connected by suits and numbers: for each its numbers (a mask) and its size modulo 2."""

_GROUPS: Final[list[_Groups]] = [()]
"""All groups seen so far. Their index in this list stands for them."""

_PLACE: Final[dict[_Groups, int]] = {(): 0}
_ODD: Final[list[int]] = [0]
"""By index, how many of the groups have an odd size."""

_AFTER: Final[dict[int, int]] = {}
"""The index of the groups after the cards of one more suit. The key is the index before, then the cards as low bits."""

_SUIT: Final = (1 << NUMBERS) - 1


def _joined(step: int) -> int:
    """Return the value for a key that `_AFTER` doesn't have yet, and add it there."""
    groups, cards = _GROUPS[step >> NUMBERS], step & _SUIT
    numbers, count, apart = cards, cards.bit_count(), list[tuple[int, int]]()
    for group, odd in groups:
        if group & cards:
            numbers |= group
            count += odd
        else:
            apart.append((group, odd))
    found = tuple(sorted([*apart, (numbers, count & 1)])) if cards else groups
    place = _PLACE.setdefault(found, len(_GROUPS))
    if place == len(_GROUPS):
        _GROUPS.append(found)
        _ODD.append(sum(odd for _, odd in found))
    _AFTER[step] = place
    return place


def turns(hand: int) -> int:
    """Return the fewest leads with which a hand can be played, at most two cards of a suit or of a number each (D3).

    All cards of a connected group can be paired, except for one if their number is odd: a connected graph without claws
    has a matching that leaves out at most one vertex (Sumner, 1974). So each group counts half its cards, rounded up.
    The hand is read suit by suit. Only the numbers of each group and its parity matter for the next suit. So few
    different groups exist that all are cached.
    """
    groups, rest = 0, hand
    while rest:
        step = groups << NUMBERS | rest & _SUIT
        known = _AFTER.get(step)
        groups = _joined(step) if known is None else known
        rest >>= NUMBERS
    return (hand.bit_count() + _ODD[groups]) // 2


RELUCTANT: Final = (1.0, 0.2, 0.1)
"""The probability of a pass with no, one, or more ways to follow: counted in matches of experts."""

_PRICES: Final = {play.cards: _strength(play.cards) / play.cards.bit_count() / 9 for play in leads(mask_of(CARDS))}
"""The cost of every play's strength in turns: a ninth of a turn per point, for a pair the mean of its cards."""

_ITERATIONS: Final = {2: 2900, 3: 1500}
"""By the number of players. A round of three is twice as long."""

_HANDS: Final = 600
"""The number of worlds that are drawn for a decision. After that, worlds are drawn from these."""


class Pass(NamedTuple):
    """A pass: `seat` didn't follow `last` in a trick for `strength`. `later` are the cards they have played since."""

    seat: int
    strength: Kind
    last: Play
    later: int


def passes(position: AbissalState, lines: Sequence[Played[Any]]) -> list[Pass]:
    """Return the other players' passes in the current round of `position`."""
    begin = max((number for number, line in enumerate(lines) if isinstance(line.action, Deal)), default=len(lines))
    played = [line for line in lines[begin:] if isinstance(line.action, Play)]
    laid = [0] * position.players
    for line in played:
        laid[line.player] |= line.action.cards
    first = played[0].player if played else position.current_player
    state = position.evolve(
        hands=tuple(hand | cards for hand, cards in zip(position.hands, laid, strict=True)),
        current_player=first,
        gone=0,
        trick=(),
        strength=None,
        passed=(),
        out=(),
    )
    found = []
    for seat, play in played:
        laid[seat] &= ~play.cards
        if not play.cards and state.strength is not None and seat != position.current_player:
            found.append(Pass(seat, state.strength, state.trick[-1][1], laid[seat]))
        state = state.child(seat, play)
    return found


class AbissalJudgement(Judgement[AbissalState]):
    """Searches to the end of the round. Playouts prefer weak cards that leave fewer turns to come.

    An expert gives less weight to hands with which somebody could have followed where they passed.
    """

    exploration: ClassVar[float] = 0.5
    confidence: ClassVar[float] = 3.0
    strengths: ClassVar[Mapping[Level, Strength]] = {
        **{level: strength._replace(recalls=False) for level, strength in STRENGTHS.items()},
        Level.EXPERT: Strength(4.0, 0.0),
    }
    remembers: ClassVar[bool] = True

    def __init__(self, position: AbissalState, lines: Sequence[Played[Any]] = ()) -> None:
        super().__init__(position, lines)
        self.iterations = _ITERATIONS[position.players]
        self._rounds = len(position.results)
        self._passes = passes(position, lines)
        self._worlds: list[AbissalState] = []
        self._weights: list[float] = []
        """The cumulative weights of these worlds."""

    def world(self, rng: Random) -> AbissalState:
        """Return possible hands, weighted by how well they explain the passes."""
        if not self._passes:
            return super().world(rng)
        if len(self._worlds) < _HANDS:
            world = super().world(rng)
            self._worlds.append(world)
            self._weights.append(self._likely(world) + (self._weights[-1] if self._weights else 0.0))
        return rng.choices(self._worlds, cum_weights=self._weights)[0]

    def _likely(self, world: AbissalState) -> float:
        """Return the probability of the other players' passes with these hands."""
        likely = 1.0
        for seat, strength, last, later in self._passes:
            likely *= RELUCTANT[min(len(followers(world.hands[seat] | later, strength, last)), 2)]
        return likely

    def is_decided(self, state: AbissalState) -> bool:
        """Return whether the round is over. The next deal doesn't depend on it."""
        return len(state.results) > self._rounds

    def values(self, state: AbissalState) -> Sequence[float]:
        """Return the points of the round, scaled so that the best place is worth 1 (D10, D11)."""
        points = state.results[-1].points
        return [own / max(points) for own in points]

    def opinions(self, state: AbissalState, actions: Sequence[Any]) -> Sequence[float]:
        """Prefer actions that leave fewer turns to come, and weak cards. A pass is below most of them."""
        hand = state.hands[state.current_player]
        before = turns(hand)
        return [
            0.45 + _FEWER * (before - turns(hand & ~action.cards)) - _PRICE * _PRICES[action.cards]
            if action.cards
            else 0.4
            for action in actions
        ]

    def reply(self, state: AbissalState, rng: Random) -> Any:
        """Return the weakest cards that save a turn, or else the weakest; sometimes any lead, or a pass."""
        last = state.trick[-1][1] if state.trick else None
        return _reply(state.hands[state.current_player], state.strength, last, rng)

    def playout(self, state: AbissalState, rng: Random) -> Sequence[float]:
        """Play on by `reply` to the end of the round, which is always within the horizon.

        It makes no position for each line, which would take most of the time (D4-D9).
        """
        if self.is_decided(state):
            return self.values(state)
        players, player, strength = state.players, state.current_player, state.strength
        hands, out = list(state.hands), list(state.out)
        holder, last = state.trick[-1] if state.trick else (-1, None)
        passed = set(state.passed)
        while True:
            play = _reply(hands[player], strength, last, rng)
            if play.cards:
                strength = play.strength if strength is None or last is None else strength_after(strength, last, play)
                holder, last = player, play
                hands[player] &= ~play.cards
                if not hands[player]:
                    out.append(player)
                    if len(out) + 1 == players:
                        return _worth(out, players)
            else:
                passed.add(player)
            player, leads_next = turn_after(player, holder, hands, passed)
            if leads_next:
                strength, last = None, None
                passed.clear()


def _reply(hand: int, strength: Kind | None, last: Play | None, rng: Random) -> Play:
    """Return the play of a playout from a hand, in a trick for `strength` in which `last` must be beaten."""
    random = rng.random
    if strength is None or last is None:
        plays = leads(hand)
        if len(plays) == 1:
            return plays[0]
        if random() < 0.3:
            return plays[int(random() * len(plays))]
    else:
        plays = followers(hand, strength, last)
        if not plays or random() < PASSING:
            return PASS
        if len(plays) == 1:
            return plays[0]
    best, chosen = 99.0, plays[0]
    for play in plays:
        cards = play.cards
        worth = turns(hand & ~cards) + _PRICES[cards] + random() / 9
        if worth < best:
            best, chosen = worth, play
    return chosen


def _worth(out: Sequence[int], players: int) -> list[float]:
    """Return `AbissalJudgement.values` for the seats that went `out`, in order. The last seat isn't among them."""
    worth = [0.0] * players
    for place, seat in enumerate(out):
        worth[seat] = 1 - place / (players - 1)
    return worth


JUDGEMENT: Final = AbissalJudgement
