"""Ambiente Abissal: the fewest turns in which a hand can be played, and what a pass betrays (rules page abissal.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from math import inf
from random import Random
from typing import Any, ClassVar, Final

from games.abissal import AbissalState
from games.abissal.actions import PASS, Play
from games.abissal.components import HAND_SIZE, indices
from games.abissal.state import GOAL
from games.abissal.tricks import strength_after
from games.core import Played, shuffled
from matches.computers.judgement import Judgement, Worth, ahead
from matches.computers.judgements.abissal.exact import UNBOUNDED, Ends, TooLarge
from matches.computers.judgements.abissal.passes import likelihood, passes
from matches.computers.judgements.abissal.playing import played_on, reply_from
from matches.computers.judgements.abissal.stakes import leads_ahead, prizes, stakes
from matches.computers.judgements.abissal.turns import turns
from matches.computers.levels import STRENGTHS, Level, Strength

__all__ = ["JUDGEMENT", "AbissalJudgement", "passes", "turns"]

_ITERATIONS: Final = {2: 10000, 3: 5000}
"""By the number of players."""

_FEWEST_WORLDS, _MOST_WORLDS = 60, 600
"""How many worlds are kept for a decision: one for every two draws, within these bounds. Draws come from these."""

_UNLIKELY: Final = 0.05
"""Worlds are left out of exact ends if their likelihood is less than this part of the mean."""

_WORLDS_NEEDED: Final = 4
"""Exact ends are worked out where the work is likely to be enough for this many worlds."""


def _likely_positions(cards: int) -> float:
    """Return about how many positions an end has in which two players hold this many cards together."""
    return 1000 * 2.2 ** (cards - 12)


class AbissalJudgement(Judgement[AbissalState]):
    """Samples and exact ends of the round. Samples prefer weak cards that leave fewer turns to come.

    An expert gives less weight to hands with which a player could have followed when they passed.
    """

    strengths: ClassVar[Mapping[Level, Strength]] = {
        **{level: strength._replace(recalls=False) for level, strength in STRENGTHS.items()},
        Level.EXPERT: Strength(2.5, 0.0, nodes=200_000),
    }
    remembers: ClassVar[bool] = True
    races: ClassVar[bool] = True
    has_luck: ClassVar[bool] = True

    def __init__(self, position: AbissalState, lines: Sequence[Played[Any]] = ()) -> None:
        super().__init__(position, lines)
        self.iterations = _ITERATIONS[position.players]
        self._rounds = len(position.results)
        self._scores = position.scores
        self._passes = passes(position, lines)
        self.worlds: list[AbissalState] = []
        self._weights: list[float] = []
        self._up_to: list[float] = []
        """The cumulative weights of these worlds."""
        self._draws = 0
        self._most_worlds = _MOST_WORLDS
        self._ends = Ends()
        self._asides: list[int] = []
        self._all_ended = False
        """Whether every world was among the latest exact ends."""

    @classmethod
    def stake(cls, players: int) -> str:
        """Return "round" for two players: for three, places are worth what they bring in the match (`stakes`)."""
        return "round" if players == 2 else "match"

    def count_this_round_only(self) -> None:
        """Let later rounds count for nothing: a place is worth its share of the points that the round brings."""
        self._scores = (GOAL[self.position.players] - 2,) * self.position.players

    def world(self, rng: Random) -> AbissalState:
        """Return possible hands, weighted by how well they explain the passes."""
        self._draws += 1
        while len(self.worlds) < max(_FEWEST_WORLDS, self._draws // 2) and self._grow(rng):
            pass
        return rng.choices(self.worlds, cum_weights=self._up_to)[0]

    def keep(self, worlds: int, rng: Random) -> None:
        """Draw this many worlds now, or all that there are."""
        self._most_worlds = max(self._most_worlds, worlds)
        while len(self.worlds) < worlds and self._grow(rng):
            pass

    def kept(self) -> float:
        """Return the effective sample size of the kept worlds; infinite if these are all possible worlds."""
        if self.position.players == 2 and self.worlds and not self._asides:
            return inf
        return sum(self._weights) ** 2 / sum(weight * weight for weight in self._weights)

    def _grow(self, rng: Random) -> bool:
        """Add one more world, and return whether there was one to add.

        With two players each possible world comes once, in random order.
        """
        if self.position.players > 2:
            if len(self.worlds) >= self._most_worlds:
                return False
            world = super().world(rng)
        else:
            if not self.worlds:
                self._asides = self._every_aside(rng)
            if not self._asides:
                return False
            aside, position = self._asides.pop(), self.position
            hands = [(position.aside | position.hands[1 - self.player]) & ~aside] * 2
            hands[self.player] = position.hands[self.player]
            world = position.evolve(hands=tuple(hands), aside=aside)
        weight = likelihood(self._passes, world.hands)
        self.worlds.append(world)
        self._weights.append(weight)
        self._up_to.append(weight + (self._up_to[-1] if self._up_to else 0.0))
        return True

    def _every_aside(self, rng: Random) -> list[int]:
        """Return all sets of cards that may lie aside if two play, at most 364, in random order."""
        position = self.position
        unseen = indices(position.aside | position.hands[1 - self.player])
        chosen = combinations([1 << card for card in unseen], position.aside.bit_count())
        return [*shuffled(map(sum, chosen), rng)]

    def is_decided(self, state: AbissalState) -> bool:
        """Return whether the round is over. The next deal doesn't depend on it."""
        return len(state.results) > self._rounds

    def values(self, state: AbissalState) -> Sequence[float]:
        """Return what the end of the round is worth in the match for every seat.

        For each seat only the places up to its own count. Later ones are left to luck (`stakes`).
        """
        places = state.results[-1].places
        return [stakes(self._scores, places[: places.index(seat) + 1])[seat] for seat in range(state.players)]

    def reply(self, state: AbissalState, rng: Random) -> Any:
        """Return what the current player does in a sample."""
        last = state.trick[-1][1] if state.trick else PASS
        return reply_from(state.hands, state.current_player, state.strength, last, rng)

    def sample(self, world: AbissalState, action: Play, rng: Random) -> float:
        """Return the value for the player if they take this action and everybody plays on by `reply`."""
        return self._worth(played_on(world, action, self._ends if self.positions else None, rng))

    def gauge(self, world: AbissalState, action: Play, rng: Random) -> Worth:
        """Return what `sample` returns, with the lead in points after the round."""
        out = played_on(world, action, self._ends if self.positions else None, rng)
        return Worth(self._worth(out), ahead(self._points(out))[self.player])

    def prospects(self, state: AbissalState, rng: Random) -> Sequence[float]:
        """Play on to the end of the round, and return the leads in points there."""
        out = played_on(state, self.reply(state, rng), None, rng, for_all=True)
        return ahead(self._points(out))

    def after_deal(self, choose: Callable[[AbissalState], Play]) -> Sequence[float] | None:
        """Play the round with these choices. Later rounds count by their mean over all deals."""
        state = self.position
        if state.trick or any(hand.bit_count() < HAND_SIZE for hand in state.hands):
            return None
        leader = state.leader
        assert leader is not None
        while not self.is_decided(state):
            state = state.child(state.current_player, choose(state))
        return leads_ahead(state.scores, self._rounds + 1, leader)

    def fortune_after(self, world: AbissalState, action: Play, rng: Random) -> Sequence[float]:
        """Play the round on from a world to its end. Later rounds count by their mean over all deals."""
        assert world.leader is not None
        out = played_on(world, action, None, rng, for_all=True)
        return leads_ahead(self._points(out), self._rounds + 1, world.leader)

    def facts(self, action: Play) -> Mapping[str, float]:
        """Return in how many turns the rest of the hand can be played, and how many cards that is."""
        left = self.position.hands[self.player] & ~action.cards
        return {"turns": turns(left), "cards": left.bit_count()}

    def _points(self, out: Sequence[int]) -> tuple[int, ...]:
        """Return every seat's points after the round if they go `out` in this order."""
        won = prizes(len(self._scores), self._rounds, out)
        return tuple(score + prize for score, prize in zip(self._scores, won, strict=True))

    def known_to_all(self, state: AbissalState, rng: Random) -> AbissalState:
        """Return the position: its hands are known to their players, and so all know together what lies aside."""
        return state

    def _worth(self, out: Sequence[int]) -> float:
        """Return what it is worth for the player if the seats go `out` in this order."""
        return stakes(self._scores, out)[self.player]

    def ends(self, actions: Sequence[Play], rng: Random) -> Iterator[tuple[float, Sequence[float]]]:
        """Yield for some worlds how likely they are and the values of these actions if everybody plays perfectly.

        Yield nothing unless two players are left, one of them leads or holds the trick, and their cards are few enough.
        """
        position = self.position
        left = [hand.bit_count() for hand in position.hands if hand]
        held = not position.trick or position.hands[position.trick[-1][0]]
        if len(left) > 2 or not held or _likely_positions(sum(left)) * _WORLDS_NEEDED > self.positions:
            return
        self._ends.allow(self.positions)
        try:
            yield from self._endings(actions, rng)
        finally:
            # Samples use `Ends` without a limit, because their ends are small.
            self._ends.most = UNBOUNDED

    def _endings(self, actions: Sequence[Play], rng: Random) -> Iterator[tuple[float, Sequence[float]]]:
        number, self._all_ended = 0, False
        while number < len(self.worlds) or self._grow(rng):
            world, weight = self.worlds[number], self._weights[number] * len(self.worlds) / self._up_to[-1]
            number += 1
            if weight < _UNLIKELY:
                continue
            try:
                yield weight, [self._ending(world, action) for action in actions]
            except TooLarge:
                return
        self._all_ended = self.position.players == 2

    def ends_are_all(self) -> bool:
        """Return whether `ends` has just yielded every world. All of them are drawn only in matches of two players."""
        return self._all_ended

    def _ending(self, world: AbissalState, play: Play) -> float:
        """Return the value of the player's action in a world if both players who have cards then play perfectly."""
        other = next(seat for seat, hand in enumerate(world.hands) if hand and seat != self.player)
        hand, others = world.hands[self.player] & ~play.cards, world.hands[other]
        if not hand:
            wins = True
        elif not play.cards:
            wins = not self._ends.leader_wins(others, hand)
        else:
            strength = play.strength
            if world.strength is not None:
                strength = strength_after(world.strength, world.trick[-1][1], play)
            assert strength is not None
            wins = not self._ends.follower_wins(others, hand, strength, play)
        return self._worth((*world.out, self.player if wins else other))


JUDGEMENT: Final = AbissalJudgement
