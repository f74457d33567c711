"""The search of the computer players: information-set Monte Carlo tree search, the same for every game.

It is the single-observer variant of Cowling, Powley and Whitehouse (2012). Every iteration draws a world: a position
that the searching player could be in. All worlds share one tree, whose edges are actions. An action counts as available
only in the worlds where it is legal. Every player maximises their own value, and chance is sampled. Values lie between
0 (lost) and 1 (won).

The prior of a new action is the opinion of the game's `Judgement`. Good opinions narrow the search. If all opinions are
equal, the search is plain UCB1.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log, sqrt
from random import Random
from typing import Any, Final

from games.core import CHANCE, State
from matches.computers.judgement import Judgement
from matches.engine.workers import go_on

_TIE: Final = 1e-3
"""The most random noise on an opinion, so that equal ones are tried in random order."""


class Node:
    """A node of the tree: what is known about one action, for the player who takes it.

    `available` is the number of times that it was legal, `visits` the number of times that it was taken, and `total`
    the sum of its values. All three include the prior. `tried` is whether it was ever taken. `children` are the actions
    that followed.
    """

    __slots__ = ("available", "children", "total", "tried", "visits")

    def __init__(self, opinion: float, confidence: float) -> None:
        self.visits = self.available = confidence
        self.total = confidence * opinion
        self.tried = False
        self.children: dict[Any, Node] = {}

    @property
    def value(self) -> float:
        """The mean value of the action, 0 to 1."""
        return self.total / self.visits


def search(judgement: Judgement[Any], iterations: int, rng: Random) -> dict[Any, Node]:
    """Search from `judgement.position`, and return the node of every action of its player.

    The search looks only at positions that `judgement.world` draws. Raises Stopped soon after the work was cancelled.
    """
    root = Node(0.0, 1.0)
    position = judgement.position
    candidates = tuple(judgement.candidates(position.legal_actions(position.current_player)))
    for _ in range(iterations):
        go_on()
        visit(judgement, root, candidates, judgement.world(rng), rng)
    return root.children


def visit(
    judgement: Judgement[Any], root: Node, candidates: tuple[Any, ...], world: State[Any], rng: Random
) -> tuple[Any, Sequence[float]]:
    """Walk down the tree in this world, play out, and add the values to the nodes on the way.

    The first action is one of the `candidates`. Returns the end of the playout and its values.
    """
    state = world
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
    end = judgement.played_on(state, rng)
    values = judgement.values(end)
    for player, node in path:
        node.visits += 1
        node.total += values[player]
    return end, values


def _select(
    judgement: Judgement[Any], state: State[Any], actions: tuple[Any, ...], parent: Node, rng: Random
) -> tuple[Any, Node]:
    """Return the action with the highest UCB1 bound. Availability takes the place of the parent's visits."""
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
