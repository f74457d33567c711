"""What a good player knows of a game beyond its rules.

A `Judgement` is made for one decision. It holds a position that the current player could be in. It draws possible
positions, plays on from them, and evaluates the end. The base class knows nothing of any game and can play all of
them. `matches.computers.judgements` has a better one for each game.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from math import inf
from random import Random
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeVar

from games.core import CHANCE, Outcome, Played, State
from matches.computers.levels import STRENGTHS, Level, Strength

S = TypeVar("S", bound=State[Any])

DECIDED: Final = 1000.0
"""What a win adds to the lead in points in the exact search. It is far above every estimate."""


SEED_BITS: Final = 62
"""The size of a seed that several playouts share."""


class Worth(NamedTuple):
    """What something is worth to a player: the `value`, 0 (lost) to 1 (won), and the `lead` in the game's unit."""

    value: float
    lead: float


class Fork(NamedTuple):
    """Every seat's expected lead after a world was played on: `usual` by habit, `other` after another action.

    `sooner` is the same as `usual`, but judged one line earlier.
    """

    sooner: Sequence[float]
    usual: Sequence[float]
    other: Sequence[float]


class Judgement(Generic[S]):
    """The judgement of the current player of `position`, given the lines of the match as they saw them.

    Attributes:
        exploration: the constant of UCB1.
        confidence: the number of visits that an opinion counts as, at least 1.
        horizon: the number of lines after which a playout is evaluated instead of played on.
        iterations: the unit of `Strength.share`, about 0.4 seconds of work. It may depend on public facts.
        strengths: what makes each level in this game.
        edition: which players the levels are. It rises when they become others, as strong as those or not.
        remembers: whether the judgement uses the lines of the match.
        positions: the number of positions that `ends` may look at; 0 if it yields nothing.
        finalists: how many actions of a race are compared by `ends`.
        races: whether actions are compared by the race (`matches.computers.race`) instead of by the tree search.
        unit: what a lead is counted in, in the singular.
        has_luck: whether reviews tell luck apart from play, because cards come up during a match that favour somebody.
    """

    exploration: ClassVar[float] = 0.5
    confidence: ClassVar[float] = 1.0
    horizon: int = 1000
    iterations: int = 300
    positions: int = 0
    finalists: ClassVar[int] = 8
    strengths: ClassVar[Mapping[Level, Strength]] = STRENGTHS
    edition: ClassVar[int] = 0
    remembers: ClassVar[bool] = False
    races: ClassVar[bool] = False
    unit: ClassVar[str] = "point"
    has_luck: ClassVar[bool] = False

    @classmethod
    def levels(cls, options: Mapping[str, str], players: int) -> tuple[Level, ...]:
        """Return the levels to choose from with these options and players: fewer if luck makes them nearly equal."""
        return tuple(Level)

    @classmethod
    def stake(cls, players: int) -> str:
        """Return what a value of 1 is: the whole match, or only the round, if later rounds don't count."""
        return "match"

    @classmethod
    def strength(cls, level: Level, position: S) -> Strength:
        """Return what makes a level at this position: one of `strengths`, unless an option of the match changes it."""
        return cls.strengths[level]

    def __init__(self, position: S, lines: Sequence[Played[Any]] = ()) -> None:
        self.position = position
        self.player = position.current_player

    def world(self, rng: Random) -> S:
        """Return a position that the player could be in."""
        return self.position.resample_from_infostate(self.player, rng)

    def is_decided(self, state: S) -> bool:
        """Return whether the search can stop: at the end of the match, or of the part that is played for."""
        return state.is_terminal

    def candidates(self, actions: Sequence[Any]) -> Sequence[Any]:
        """Return the legal actions of `position` that are worth a search; at least one."""
        return actions

    def throws_away(self, action: Any) -> bool:
        """Return whether an action at `position` gives something up for nothing. Not even a beginner takes it."""
        return False

    def opinions(self, state: S, actions: Sequence[Any]) -> Sequence[float]:
        """Return the prior value of each action for the current player, 0 to 1."""
        return [0.5] * len(actions)

    def reply(self, state: S, rng: Random) -> Any:
        """Return the current player's action in a playout: any legal one."""
        actions = state.legal_actions(state.current_player)
        return actions[int(rng.random() * len(actions))]

    def planned(self, rng: Random) -> Any:
        """Return the player's action at `position` by rules of thumb alone."""
        return self.reply(self.position, rng)

    def values(self, state: S) -> Sequence[float]:
        """Return the value of the end of a playout for every seat, 0 to 1."""
        outcome = state.outcome()
        return [0.5] * state.players if outcome is None else won(outcome, state.players)

    def leads(self, state: S) -> Sequence[float]:
        """Return by how much every seat is ahead of the best other one at the end of a playout, in `unit`.

        At the horizon, it is what they are likely to be ahead by at the end of the match.
        """
        return ahead(state.returns())

    def played_on(self, state: S, rng: Random) -> S:
        """Play on from `state` by `reply` until the end or the horizon, and return the position there."""
        for _ in range(self.horizon):
            if self.is_decided(state):
                break
            player = state.current_player
            action = state.sample_chance(rng) if player == CHANCE else self.reply(state, rng)
            state = state.child(player, action)
        return state

    def playout(self, state: S, rng: Random) -> Sequence[float]:
        """Play on from `state`, and return the values of the end."""
        return self.values(self.played_on(state, rng))

    def prospects(self, state: S, rng: Random) -> Sequence[float]:
        """Play on from `state`, and return the leads at the end."""
        return self.leads(self.played_on(state, rng))

    def fortune(self, state: S, rng: Random) -> Sequence[float]:
        """Play on from `state`, where chance may be next, to the end of the match, and return every seat's lead."""
        while not state.is_terminal:
            player = state.current_player
            state = state.child(player, state.sample_chance(rng) if player == CHANCE else self.reply(state, rng))
        return ahead(state.returns())

    def forked(self, world: S, action: Any, rng: Random) -> Fork:
        """Play on from a world to the end of the match, once by habit and once after this action of the player.

        Both have the same chance and the same random numbers. A game that judges at a horizon overrides this.
        """
        usual, seed = self.reply(world, rng), rng.getrandbits(SEED_BITS)
        found = self.fortune_after(world, usual, Random(seed))
        return Fork(found, found, found if action == usual else self.fortune_after(world, action, Random(seed)))

    def fortune_after(self, world: S, action: Any, rng: Random) -> Sequence[float]:
        """Return `fortune` after an action of the player."""
        return self.fortune(world.child(self.player, action), rng)

    def after_deal(self, choose: Callable[[S], Any]) -> Sequence[float] | None:
        """Play on with these choices from a deal that habits misjudge, and return every seat's lead.

        Return ``None`` if `position` isn't such a deal. `choose` returns the action of a position's current player.
        """
        return None

    def known_to_all(self, state: S, rng: Random) -> S:
        """Return a position that fits what all seats know together at `state`. The rest is drawn again."""
        return state.resample_from_infostate(None, rng)

    def keep(self, worlds: int, rng: Random) -> None:
        """Make `world` draw from at least this many worlds, in judgements that keep worlds and draw from them.

        Here each draw is a new world, so there is nothing to do. A review compares actions in more worlds than a
        decision needs.
        """

    def kept(self) -> float:
        """Return how many independent worlds the kept ones are worth, infinite if draws aren't limited by them."""
        return inf

    # What the race asks.

    def sample(self, world: S, action: Any, rng: Random) -> float:
        """Return the value for the player if they take this action in this world and everybody plays on by `reply`."""
        return self.playout(world.child(self.player, action), rng)[self.player]

    def gauge(self, world: S, action: Any, rng: Random) -> Worth:
        """Return what `sample` returns, with the lead."""
        end = self.played_on(world.child(self.player, action), rng)
        return Worth(self.values(end)[self.player], self.leads(end)[self.player])

    def ends(self, actions: Sequence[Any], rng: Random) -> Iterator[tuple[float, Sequence[float]]]:
        """Yield for some worlds how likely they are, and what these actions are worth if everybody then plays best.

        Best play is searched to the end of the match or of the round, or as far as the judgement can look ahead.
        """
        return iter(())

    def ends_are_all(self) -> bool:
        """Return whether `ends` has just yielded every world that is possible, so that their mean is no estimate."""
        return False

    # What a review asks.

    def facts(self, action: Any) -> Mapping[str, float]:
        """Return what follows at once from an action, in numbers that people can check.

        Here these are the `gain`, which the action adds to the player's lead, and the `answer`, the most that the next
        player can then take back.
        """
        child = self.position.child(self.player, action)
        gain = self._lead_at(child) - self._lead_at(self.position)
        other = child.current_player
        if other < 0 or other == self.player:
            return {"gain": gain}
        worst = min(self._lead_at(child.child(other, reply)) for reply in child.legal_actions(other))
        return {"gain": gain, "answer": self._lead_at(child) - worst}

    def _lead_at(self, state: S) -> float:
        return ahead(state.returns())[self.player]

    def winners(self, effort: float) -> Mapping[Any, bool]:
        """Return for every legal action whether it wins whatever follows; empty if that isn't known.

        `effort` scales the work. Raises Stopped soon after the work was cancelled.
        """
        return {}

    # What the exact search asks, in two-player games.

    def may_settle(self) -> bool:
        """Return whether the end is near enough for the exact search to help the other search."""
        return True

    def estimate(self, state: S) -> float:
        """Return the lead in points that the current player is likely to have at the end."""
        points = state.returns()
        return points[state.current_player] - points[1 - state.current_player]

    def result(self, end: S, player: int) -> float:
        """Return the value of the end of a match for `player`: their lead in points, and `DECIDED` for a win."""
        points, outcome = end.returns(), end.outcome()
        lead = points[player] - points[1 - player]
        if outcome is None or len(outcome.winners) > 1:
            return lead
        return lead + (DECIDED if outcome.winners == (player,) else -DECIDED)

    def end_value(self, winning: float, lead: float) -> float:
        """Return the value of an end, 0 to 1: `winning` is 1 for a win, 0 for a defeat, 0.5 for a draw."""
        return winning

    def likely_value(self, lead: float) -> float:
        """Return the value of a lead that `estimate` expects, 0 to 1. Here whoever leads wins."""
        return self.end_value(1.0 if lead > 0 else 0.0 if lead < 0 else 0.5, lead)

    def key(self, state: S) -> Hashable:
        """Return what the rest of the match depends on. Positions with equal keys have the same value."""
        return state


def ahead(points: Sequence[float]) -> list[float]:
    """Return by how much every seat is ahead of the best other one."""
    return [own - max([*points[:seat], *points[seat + 1 :]]) for seat, own in enumerate(points)]


def won(outcome: Outcome, players: int) -> list[float]:
    """Return 1 for the winner and 0 for the others, by seat. Several winners share the 1."""
    return [1 / len(outcome.winners) if seat in outcome.winners else 0.0 for seat in range(players)]
