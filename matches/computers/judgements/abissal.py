"""Ambiente Abissal: in how few turns a hand can be got rid of, and what a pass betrays (rules page abissal.md)."""

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
"""How often a playout passes although it could follow: strong cards are worth keeping."""

_FEWER: Final = 0.12
"""What a turn less to come is worth at first sight, and a turn's worth of strength costs."""
_PRICE: Final = 0.108


def _strength(cards: int) -> int:
    """How strong a play is: suits and numbers, both counted from 0, of all its cards."""
    return sum(index // NUMBERS + index % NUMBERS for index in indices(cards))


_Groups = tuple[tuple[int, int], ...]
"""Cards that hang together by suits and numbers: of each group the numbers, as a set, and 1 where its cards are odd."""

_GROUPS: Final[list[_Groups]] = [()]
"""All that have been met; a place in this list stands for them."""

_PLACE: Final[dict[_Groups, int]] = {(): 0}
_ODD: Final[list[int]] = [0]
"""By place, how many of the groups are odd."""

_AFTER: Final[dict[int, int]] = {}
"""What groups become by the cards of one suit more (the place of the one, and in the lower bits the other)."""

_SUIT: Final = (1 << NUMBERS) - 1


def _joined(step: int) -> int:
    """What becomes of a step of which `_AFTER` does not know it yet."""
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
    """In how few leads a hand can be laid down, two cards of a suit or of a number at a time (D3).

    Cards that hang together by suits and numbers can all be paired but for one where they are odd (a connected graph
    without claws has a matching that leaves out at most one: Sumner, 1974), so each such group counts half its cards.
    Suit by suit only the numbers of each group matter, and whether it is odd: so few groups differ that they are known.
    """
    groups, rest = 0, hand
    while rest:
        step = groups << NUMBERS | rest & _SUIT
        known = _AFTER.get(step)
        groups = _joined(step) if known is None else known
        rest >>= NUMBERS
    return (hand.bit_count() + _ODD[groups]) // 2


RELUCTANT: Final = (1.0, 0.2, 0.1)
"""How often somebody passes who could follow in no, in one, in more ways: counted in matches of experts."""

_PRICES: Final = {play.cards: _strength(play.cards) / play.cards.bit_count() / 9 for play in leads(mask_of(CARDS))}
"""Of every play what its strength costs, in turns: a ninth of a turn for each step of it, of a pair in the mean."""

_ITERATIONS: Final = {2: 2900, 3: 1500}
"""By the number of players: a round of three is twice as long."""

_HANDS: Final = 600
"""So many ways in which the others' hands can lie are drawn for a decision, one each time; then they are drawn from."""


class Pass(NamedTuple):
    """Somebody did not follow `last` in a trick for `strength`; `later` are the cards that they have laid since."""

    seat: int
    strength: Kind
    last: Play
    later: int


def passes(position: AbissalState, lines: Sequence[Played[Any]]) -> list[Pass]:
    """The passes of the others in the round that is played at `position`."""
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
    """Looks ahead to the end of the round; playouts lay the weakest cards that leave fewer turns to come.

    An expert draws hands less often with which somebody could have followed where they passed.
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
        """Of each of these worlds with all before it."""

    def world(self, rng: Random) -> AbissalState:
        """Hands as they may be after what everybody has passed on."""
        if not self._passes:
            return super().world(rng)
        if len(self._worlds) < _HANDS:
            world = super().world(rng)
            self._worlds.append(world)
            self._weights.append(self._likely(world) + (self._weights[-1] if self._weights else 0.0))
        return rng.choices(self._worlds, cum_weights=self._weights)[0]

    def _likely(self, world: AbissalState) -> float:
        """How likely the others would have passed where they did, with these hands."""
        likely = 1.0
        for seat, strength, last, later in self._passes:
            likely *= RELUCTANT[min(len(followers(world.hands[seat] | later, strength, last)), 2)]
        return likely

    def is_decided(self, state: AbissalState) -> bool:
        """The end of the round: the next deal has nothing to do with it."""
        return len(state.results) > self._rounds

    def values(self, state: AbissalState) -> Sequence[float]:
        """The points of the round, the best place being worth 1 (D10, D11)."""
        points = state.results[-1].points
        return [own / max(points) for own in points]

    def opinions(self, state: AbissalState, actions: Sequence[Any]) -> Sequence[float]:
        """What leaves fewer turns to come, and weak cards, first; a pass below most."""
        hand = state.hands[state.current_player]
        before = turns(hand)
        return [
            0.45 + _FEWER * (before - turns(hand & ~action.cards)) - _PRICE * _PRICES[action.cards]
            if action.cards
            else 0.4
            for action in actions
        ]

    def reply(self, state: AbissalState, rng: Random) -> Any:
        """The weakest cards that leave a turn less to come, else the weakest; now and then any lead, or a pass."""
        last = state.trick[-1][1] if state.trick else None
        return _reply(state.hands[state.current_player], state.strength, last, rng)

    def playout(self, state: AbissalState, rng: Random) -> Sequence[float]:
        """As any judgement plays on, to the end of the round, which always comes within the horizon.

        Without a position for every line, which takes most of the time otherwise (D4-D9).
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
    """What is laid in a playout from a hand, in a trick for `strength` in which `last` is to be beaten."""
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
    """What places in a round are worth to every seat, as `AbissalJudgement.values` has it; `out` lacks the last one."""
    worth = [0.0] * players
    for place, seat in enumerate(out):
        worth[seat] = 1 - place / (players - 1)
    return worth


JUDGEMENT: Final = AbissalJudgement
