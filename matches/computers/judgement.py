"""What a good player knows of a game beyond its rules, where search alone would play badly.

A `Judgement` is made for one decision: it holds a position that the player on turn could be in, and says what may be
true, how a line of play goes on, and what the end of it is worth. The base class knows nothing of any game and plays
all of them; `matches.computers.judgements` has one for every game that deserves better.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Final, Generic, TypeVar

from games.core import CHANCE, Outcome, Played, State
from matches.computers.levels import STRENGTHS, Level, Strength

S = TypeVar("S", bound=State[Any])

DECIDED: Final = 1000.0
"""What a win is worth to the exact search, beside the lead in points; no estimate comes near it."""


class Judgement(Generic[S]):
    """The judgement of the player on turn at `position`, who remembers the lines of the match as they saw them.

    Class attributes: `exploration` is the constant of UCB1; `confidence`, 1 or more, for how many visits an opinion
    counts; `horizon` the number of lines after which a playout is judged instead of played on; `iterations` the unit
    in which `strengths` count, some 0.4 seconds' work, which may differ with what everybody sees of the position;
    `strengths` what makes the levels in this game; `remembers` whether the lines of the match are of any use.
    """

    exploration: ClassVar[float] = 0.5
    confidence: ClassVar[float] = 1.0
    horizon: int = 1000
    iterations: int = 300
    strengths: ClassVar[Mapping[Level, Strength]] = STRENGTHS
    remembers: ClassVar[bool] = False

    @classmethod
    def levels(cls, options: Mapping[str, str]) -> tuple[Level, ...]:
        """The levels that are worth choosing from where this is agreed: fewer where luck leaves no room for all."""
        return tuple(Level)

    def __init__(self, position: S, lines: Sequence[Played[Any]] = ()) -> None:
        self.position = position
        self.player = position.current_player

    def world(self, rng: Random) -> S:
        """A position that the player could be in."""
        return self.position.resample_from_infostate(self.player, rng)

    def is_decided(self, state: S) -> bool:
        """Whether the search need not look further: the end of the match, or of the part of it that is played for."""
        return state.is_terminal

    def candidates(self, actions: Sequence[Any]) -> Sequence[Any]:
        """Those of the legal actions at `position` that come into question at all; at least one."""
        return actions

    def throws_away(self, action: Any) -> bool:
        """Whether an action at `position` gives something up for nothing, so that not even a beginner takes it."""
        return False

    def opinions(self, state: S, actions: Sequence[Any]) -> Sequence[float]:
        """What each of these actions of the current player seems worth to him at first sight, 0 to 1."""
        return [0.5] * len(actions)

    def reply(self, state: S, rng: Random) -> Any:
        """What the current player does in a playout: any legal action."""
        actions = state.legal_actions(state.current_player)
        return actions[int(rng.random() * len(actions))]

    def values(self, state: S) -> Sequence[float]:
        """What the position is worth to every seat, 0 to 1, as the search sees it at the end of a playout."""
        outcome = state.outcome()
        return [0.5] * state.players if outcome is None else won(outcome, state.players)

    def playout(self, state: S, rng: Random) -> Sequence[float]:
        """Play on from `state` as `reply` says until it is decided or the horizon is reached; what that is worth."""
        for _ in range(self.horizon):
            if self.is_decided(state):
                break
            player = state.current_player
            action = state.sample_chance(rng) if player == CHANCE else self.reply(state, rng)
            state = state.child(player, action)
        return self.values(state)

    # What the exact search asks, for two players.

    def may_settle(self) -> bool:
        """Whether the end is near enough for a look at `position` to be worth the time, unless it decides alone."""
        return True

    def estimate(self, state: S) -> float:
        """How many points the player on turn is likely to be ahead of the other one in the end."""
        points = state.returns()
        return points[state.current_player] - points[1 - state.current_player]

    def result(self, end: S, player: int) -> float:
        """What the end of a match is worth to `player`: the lead in points, and `DECIDED` for who alone has won."""
        points, outcome = end.returns(), end.outcome()
        lead = points[player] - points[1 - player]
        if outcome is None or len(outcome.winners) > 1:
            return lead
        return lead + (DECIDED if outcome.winners == (player,) else -DECIDED)

    def key(self, state: S) -> Hashable:
        """What the rest of the match depends on: positions with equal keys are worth the same."""
        return state


def won(outcome: Outcome, players: int) -> list[float]:
    """1 for the winner and 0 for the others; several winners share it."""
    return [1 / len(outcome.winners) if seat in outcome.winners else 0.0 for seat in range(players)]
