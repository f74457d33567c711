"""The exact search of the computer players: alpha-beta for games of two without hidden information.

Iterative deepening with a transposition table (Knuth and Moore, 1975; Slate and Atkin, 1977). A turn of several steps
keeps the mover, so the sign of a value changes where the player on turn does, not with every line; steps and forced
actions cost no depth. A value is the lead of the player on turn: what `Judgement.estimate` says at the horizon, or from
`DECIDED` on how the match ends. What was found without meeting the horizon is true at every depth.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from math import inf
from random import Random
from typing import Any, Final, NamedTuple

from games.core import CHANCE, Stage, State
from matches.computers.judgement import DECIDED, Judgement
from matches.engine.workers import Stopped, stopped

_EARLY: Final = 8
"""So many actions of a position are looked at in full depth at once."""


class Sight(NamedTuple):
    """What was seen: the best `action`, whether that is `settled` (it wins, or nothing was left out), what is `lost`.

    A lost action is known to lose, whatever follows.
    """

    action: Any
    settled: bool
    lost: frozenset[Any]


class _Known(NamedTuple):
    """Between what bounds the value of a position lies, when looking `depth` deep, and the best action there."""

    depth: float
    low: float
    high: float
    best: Any

    @property
    def is_exact(self) -> bool:
        """Whether it is the value itself."""
        return self.low == self.high


class _Spent(Exception):
    """All the positions that the search may look at have been looked at."""


def look_ahead(judgement: Judgement[Any], nodes: int, rng: Random) -> Sight:
    """Look at some `nodes` positions after `judgement.position`, a turn deeper time after time until all is settled.

    Every action is looked at once, however few the nodes are. Of actions that promise the same, `rng` says which comes
    first, and of equal ones the first is taken. Raises Stopped soon after nobody wants to know any more, and ValueError
    where chance has anything to decide.
    """
    return _Lookahead(judgement, nodes).deepen(rng)


class _Lookahead:
    """One search: its table, and which actions have refuted others so far."""

    def __init__(self, judgement: Judgement[Any], nodes: int) -> None:
        self._judgement = judgement
        self._nodes = nodes
        self._left = inf
        self._horizons = 0
        """How many times the horizon was met, here or by what the table remembers."""
        self._table: dict[Hashable, _Known] = {}
        self._refuted: defaultdict[Any, float] = defaultdict(float)
        """By action, how much of the tree it has cut off."""

    def deepen(self, rng: Random) -> Sight:
        """Look one turn further time after time; see `look_ahead`."""
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

    def _tried(self, state: State[Any], action: Any, place: int, depth: int, low: float, high: float) -> float:
        """As `_after`; what comes late in the order is looked at a turn less deep first, and mostly that is enough."""
        if place >= _EARLY and depth > 1:
            value = self._after(state, action, depth - 1, low, high)
            if value <= low:
                return value
        return self._after(state, action, depth, low, high)

    def _after(self, state: State[Any], action: Any, depth: int, low: float, high: float) -> float:
        """What an action is worth to who takes it, looking on `depth` deep; outside the bounds only a bound of it."""
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
        """What a position is worth to the player on turn, as `_after` says; a turn is looked at to its end."""
        if depth <= 0 and state.stage is Stage.TURN:
            self._horizons += 1
            return self._judgement.estimate(state)
        key = self._judgement.key(state)
        known = self._table.get(key)
        if known is not None and known.depth >= depth and (known.low >= high or known.high <= low or known.is_exact):
            self._horizons += known.depth < inf
            return known.low if known.low > -inf else known.high
        if stopped():
            raise Stopped
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
        """The actions by how early they are worth a look: what was best before, then by opinion, then what refutes."""
        if len(actions) == 1:
            return list(actions)
        refuted = self._refuted
        opinions = self._judgement.opinions(state, actions)
        promise = {
            action: (action == best, opinion, refuted.get(action, 0.0))
            for action, opinion in zip(actions, opinions, strict=True)
        }
        return sorted(actions, key=promise.__getitem__, reverse=True)
