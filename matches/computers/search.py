"""The search of the computer players: information-set Monte Carlo tree search, the same for every game.

The single-observer variant of Cowling, Powley and Whitehouse (2012): every iteration draws a world that the searching
player could be in, and walks one tree that is shared by all worlds. An edge is an action, so what is only possible in
some worlds is counted as available in those alone. Every player maximises his own value; chance is sampled. All values
lie between 0 (lost) and 1 (won).

An action that was never tried counts as if it had been tried a little and had brought what the game's `Judgement`
thinks of it. So good judgement narrows the search by itself, and without any the search is plain UCB1.
"""

from __future__ import annotations

from math import log, sqrt
from random import Random
from typing import Any, Final

from games.core import CHANCE, State
from matches.computers.judgement import Judgement
from matches.engine.workers import Stopped, stopped

_TIE: Final = 1e-3
"""Opinions are this far from exact, so that equal ones are tried in no fixed order."""


class Node:
    """What the search has found out about one action, from the seat that takes it.

    `available` is the number of times that it could have been taken, `visits` the number of times that it was, with
    the mean `value` of those; the first opinion is in all three. `tried` tells whether it ever was; `children` are the
    actions that followed.
    """

    __slots__ = ("available", "children", "total", "tried", "visits")

    def __init__(self, opinion: float, confidence: float) -> None:
        self.visits = self.available = confidence
        self.total = confidence * opinion
        self.tried = False
        self.children: dict[Any, Node] = {}

    @property
    def value(self) -> float:
        """What the action has brought on average, 0 to 1."""
        return self.total / self.visits


def search(judgement: Judgement[Any], iterations: int, rng: Random) -> dict[Any, Node]:
    """Look ahead from `judgement.position` and return what was found about every action of its player.

    The position is one that the player could be in; nothing but its worlds, drawn anew, is looked at. Raises Stopped
    soon after nobody wants to know any more.
    """
    root = Node(0.0, 1.0)
    position = judgement.position
    candidates = tuple(judgement.candidates(position.legal_actions(position.current_player)))
    for _ in range(iterations):
        if stopped():
            raise Stopped
        _iterate(judgement, root, candidates, rng)
    return root.children


def _iterate(judgement: Judgement[Any], root: Node, candidates: tuple[Any, ...], rng: Random) -> None:
    """One walk down the tree in one world, a playout, and what it tells every action on the way."""
    state = judgement.world(rng)
    node, path = root, []
    while not judgement.is_decided(state):
        player = state.current_player
        if player == CHANCE:
            state = state.child(CHANCE, state.sample_chance(rng))
            continue
        actions = candidates if node is root else state.legal_actions(player)
        if len(actions) == 1 and node is not root:
            state = state.child(player, actions[0])
            continue
        action, node = _select(judgement, state, actions, node, rng)
        path.append((player, node))
        state = state.child(player, action)
        if not node.tried:
            node.tried = True
            break
    values = judgement.playout(state, rng)
    for player, node in path:
        node.visits += 1
        node.total += values[player]


def _select(
    judgement: Judgement[Any], state: State[Any], actions: tuple[Any, ...], parent: Node, rng: Random
) -> tuple[Any, Node]:
    """The action that is worth a visit most, by UCB1 with availability for visits of the parent."""
    children = parent.children
    new = [action for action in actions if action not in children]
    if new:
        for action, opinion in zip(new, judgement.opinions(state, new), strict=True):
            children[action] = Node(opinion + _TIE * rng.random(), judgement.confidence)
    exploration = judgement.exploration
    best, chosen = -1.0, actions[0]
    for action in actions:
        child = children[action]
        child.available += 1
        visits = child.visits
        bound = child.total / visits + exploration * sqrt(log(child.available) / visits)
        if bound > best:
            best, chosen = bound, action
    return chosen, children[chosen]
