"""Ambiente Abissal: in how few turns a hand can be got rid of, and what a pass betrays (rules page abissal.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from random import Random
from typing import Any, ClassVar, Final, NamedTuple

from games.abissal import AbissalState
from games.abissal.actions import Deal, Play
from games.abissal.components import COLUMNS, NUMBERS, ROWS, indices
from games.abissal.components import Strength as Kind
from games.abissal.tricks import followers
from games.core import Played
from matches.computers.judgement import Judgement
from matches.computers.levels import STRENGTHS, Level, Strength

PASSING: Final = 0.12
"""How often a playout passes although it could follow: strong cards are worth keeping."""

_FEWER: Final = 0.12
"""What a turn less to come is worth at first sight, and what each step of strength costs."""
_STEP: Final = 0.012


@lru_cache(maxsize=1 << 16)
def _strength(cards: int) -> int:
    """How strong a play is: suits and numbers, both counted from 0, of all its cards."""
    return sum(index // NUMBERS + index % NUMBERS for index in indices(cards))


@lru_cache(maxsize=1 << 18)
def turns(hand: int) -> int:
    """In how few leads a hand can be laid down, two cards of a suit or of a number at a time (D3).

    Cards that hang together by suits and numbers can all be paired but for one where they are odd (a connected graph
    without claws has a matching that leaves out at most one: Sumner, 1974), so each such group counts half its cards.
    """
    count = 0
    while hand:
        group = hand & -hand
        grown = 0
        while group != grown:
            grown = group
            for line in _LINES:
                if group & line:
                    group |= hand & line
        count += (group.bit_count() + 1) // 2
        hand &= ~group
    return count


_LINES: Final = (*ROWS, *COLUMNS)

RELUCTANT: Final = (1.0, 0.2, 0.1)
"""How often somebody passes who could follow in no, in one, in more ways: counted in matches of experts."""

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
        Level.EXPERT: Strength(2.3, 0.0),
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
            0.45
            + _FEWER * (before - turns(hand & ~action.cards))
            - _STEP * _strength(action.cards) / action.cards.bit_count()
            if action.cards
            else 0.4
            for action in actions
        ]

    def reply(self, state: AbissalState, rng: Random) -> Any:
        """The weakest cards that leave a turn less to come, else the weakest; now and then any lead, or a pass."""
        player = state.current_player
        actions: Sequence[Any] = state.legal_actions(player)
        if len(actions) == 1:
            return actions[0]
        if state.strength is None:
            if rng.random() < 0.3:
                return actions[int(rng.random() * len(actions))]
        elif rng.random() < PASSING:
            return actions[-1]
        else:
            actions = actions[:-1]
        hand = state.hands[player]
        best, chosen = 99.0, actions[0]
        for action in actions:
            cards = action.cards
            worth = 9.0 * turns(hand & ~cards) + _strength(cards) / cards.bit_count() + rng.random()
            if worth < best:
                best, chosen = worth, action
        return chosen
