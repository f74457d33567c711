"""The exact search of the computer players: alpha-beta for two-player games without hidden information.

It is iterative deepening with a transposition table (Knuth and Moore, 1975; Slate and Atkin, 1977). A turn can have
several steps, so the sign of a value changes with the current player and not with every line. Steps and forced actions
cost no depth. A value is the current player's lead: `Judgement.estimate` at the horizon, `Judgement.result` at the end
of the match. A value that was found without reaching the horizon is true at every depth.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from math import inf
from random import Random
from typing import Any, Final, NamedTuple

from games.core import CHANCE, Stage, State
from matches.computers.judgement import DECIDED, Judgement
from matches.engine.workers import go_on

_EARLY: Final = 8
"""The number of actions of a position that are searched at full depth from the start."""


class Sight(NamedTuple):
    """The result of a search: the best `action`, whether it is `settled`, and the `lost` actions.

    A settled action wins, or the search has left nothing out. A lost action loses whatever follows.
    """

    action: Any
    settled: bool
    lost: frozenset[Any]


class Outlook(NamedTuple):
    """The value of an action for its player, found at some depth: their `lead`, and whether that is `exact`.

    `won` and `lost` are certain, whatever follows. The lead is certain only if it is `exact`.
    """

    value: float
    exact: bool

    @property
    def won(self) -> bool:
        """Whether the action wins."""
        return self.value >= DECIDED / 2

    @property
    def lost(self) -> bool:
        """Whether the action loses."""
        return self.value <= -DECIDED / 2

    @property
    def lead(self) -> float:
        """The lead, without what a win adds to it."""
        return self.value - DECIDED * (self.won - self.lost)

    @property
    def settled(self) -> bool:
        """Whether the winner is certain."""
        return self.exact or self.won or self.lost


class Outlooks(NamedTuple):
    """Outlooks by action, all searched to this `depth` in turns unless they are settled.

    `shallower` are those that were found one turn less deep.
    """

    depth: int
    by_action: dict[Any, Outlook]
    shallower: dict[Any, Outlook]


class _Known(NamedTuple):
    """An entry of the transposition table: the bounds of a position's value at this `depth`, and its best action."""

    depth: float
    low: float
    high: float
    best: Any

    @property
    def is_exact(self) -> bool:
        """Whether both bounds are the value itself."""
        return self.low == self.high


class _Spent(Exception):
    """The search has used up its positions."""


def look_ahead(judgement: Judgement[Any], nodes: int, rng: Random) -> Sight:
    """Search about `nodes` positions after `judgement.position`, one turn deeper each time, until all is settled.

    Every action is searched at least once, however few the nodes are. `rng` orders actions that look equally good, and
    the first of equally good ones is taken. Raises Stopped soon after the work was cancelled, and ValueError if chance
    has to decide something.
    """
    return _Lookahead(judgement, nodes).deepen(rng)


def look_at_each(judgement: Judgement[Any], actions: Sequence[Any], nodes: int) -> Outlooks:
    """Search about `nodes` positions after `judgement.position`, and return the value of each of these actions.

    All of them are searched equally deep, with the whole window, so that their values can be compared. The search ends
    early if all are settled. Raises as `look_ahead` does.
    """
    return _Lookahead(judgement, nodes).each(actions)


class _Lookahead:
    """One search: its transposition table, and how often each action has caused a cutoff."""

    def __init__(self, judgement: Judgement[Any], nodes: int) -> None:
        self._judgement = judgement
        self._nodes = nodes
        self._left = inf
        self._horizons = 0
        """How many times the horizon was reached, here or in an entry of the table."""
        self._table: dict[Hashable, _Known] = {}
        self._refuted: defaultdict[Any, float] = defaultdict(float)
        """By action, how much of the tree it has cut off (the history heuristic)."""

    def deepen(self, rng: Random) -> Sight:
        """Search one turn deeper each time (`look_ahead`)."""
        state = self._judgement.position
        actions = list(state.legal_actions(state.current_player))
        rng.shuffle(actions)
        order = self._ordered(state, actions, None)
        lost: set[Any] = set()
        depth, settled = 1, False
        while not settled:
            met, best = self._horizons, -inf
            try:
                for place, action in enumerate(tuple(order)):
                    value = self._tried(state, action, place, depth, best, inf)
                    if value <= -DECIDED:
                        lost.add(action)
                    if value > best:
                        best = value
                        order.remove(action)
                        order.insert(0, action)
            except _Spent:
                break
            settled = self._horizons == met or best >= DECIDED
            if depth == 1:
                self._left = self._nodes - len(order)
            depth += 1
        return Sight(order[0], settled, frozenset(lost))

    def each(self, actions: Sequence[Any]) -> Outlooks:
        """Search every action one turn deeper each time (`look_at_each`)."""
        state = self._judgement.position
        found: dict[Any, Outlook] = {}
        before = found
        reached, depth = 0, 1
        while len(found) < len(actions) or not all(outlook.settled for outlook in found.values()):
            deeper = dict(found)
            try:
                for action in actions:
                    if action in found and found[action].settled:
                        continue
                    met = self._horizons
                    value = self._after(state, action, depth, -inf, inf)
                    deeper[action] = Outlook(value, self._horizons == met)
            except _Spent:
                break
            before, found, reached = found or deeper, deeper, depth
            if depth == 1:
                self._left = self._nodes - len(actions)
            depth += 1
        return Outlooks(reached, found, before)

    def _tried(self, state: State[Any], action: Any, place: int, depth: int, low: float, high: float) -> float:
        """Return what `_after` returns. An action late in the order is first searched one turn less deep.

        That is usually enough.
        """
        if place >= _EARLY and depth > 1:
            value = self._after(state, action, depth - 1, low, high)
            if value <= low:
                return value
        return self._after(state, action, depth, low, high)

    def _after(self, state: State[Any], action: Any, depth: int, low: float, high: float) -> float:
        """Return the value of an action for its player, searched `depth` turns deep.

        A value outside of `low` and `high` is only a bound.
        """
        if self._left <= 0:
            raise _Spent
        self._left -= 1
        player = state.current_player
        if state.stage is Stage.TURN and len(state.legal_actions(player)) > 1:
            depth -= 1
        child = state.child(player, action)
        following = child.current_player
        if following == player:
            return self._value(child, depth, low, high)
        if following >= 0:
            return -self._value(child, depth, -high, -low)
        if following == CHANCE:
            raise ValueError("There is no exact search where chance decides.")
        return self._judgement.result(child, player)

    def _value(self, state: State[Any], depth: int, low: float, high: float) -> float:
        """Return the value of a position for its current player, like `_after`. A turn is searched to its end."""
        if depth <= 0 and state.stage is Stage.TURN:
            self._horizons += 1
            return self._judgement.estimate(state)
        key = self._judgement.key(state)
        known = self._table.get(key)
        if known is not None and known.depth >= depth and (known.low >= high or known.high <= low or known.is_exact):
            self._horizons += known.depth < inf
            return known.low if known.low > -inf else known.high
        go_on()
        met, best, chosen, bound = self._horizons, -inf, None, low
        order = self._ordered(state, state.legal_actions(state.current_player), known and known.best)
        for place, action in enumerate(order):
            value = self._tried(state, action, place, depth, bound, high)
            if value > best:
                best, chosen = value, action
                bound = max(bound, best)
                if best >= high:
                    self._refuted[action] += 4.0**depth
                    break
        self._table[key] = _Known(
            inf if met == self._horizons or abs(best) >= DECIDED else depth,
            best if best > low else -inf,
            best if best < high else inf,
            chosen,
        )
        return best

    def _ordered(self, state: State[Any], actions: Sequence[Any], best: Any) -> list[Any]:
        """Return the actions in search order: the best one so far, then by opinion, then by cutoffs."""
        if len(actions) == 1:
            return list(actions)
        refuted = self._refuted
        opinions = self._judgement.opinions(state, actions)
        promise = {
            action: (action == best, opinion, refuted.get(action, 0.0))
            for action, opinion in zip(actions, opinions, strict=True)
        }
        return sorted(actions, key=promise.__getitem__, reverse=True)
