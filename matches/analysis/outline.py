"""How a match went: every seat's expected result along it, from what all seats together knew."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from hashlib import sha256
from itertools import pairwise
from random import Random
from statistics import fmean
from typing import Any, Final, NamedTuple

from games.core import State
from matches.computers.alphabeta import look_ahead, look_at_each
from matches.computers.judgement import Judgement, ahead
from matches.computers.known import written
from matches.computers.levels import Level
from matches.computers.search import Node, visit
from matches.computers.thinking import judgement_of, prepared
from matches.engine.workers import go_on

PLAYOUTS: Final = 100
"""How often a position is played on in games that race."""

VISITS: Final = 400
"""The visits of a tree in other games."""

POSITIONS: Final = 4000
"""How many positions the exact search, where it decides alone, searches for the best action, and again to judge it."""


class Point(NamedTuple):
    """The leads that every seat is expected to have at the end, in the game's unit, before line `ply`."""

    ply: int
    leads: tuple[float, ...]


class Turn(NamedTuple):
    """A turning point: from line `ply` to the next point, the expected lead of `seat` rose by `gained`."""

    ply: int
    seat: int
    gained: float


def expected(state: State[Any], effort: float = 1.0) -> tuple[float, ...]:
    """Return the leads that every seat can expect at a position in which somebody decides. Raises Stopped."""
    rng = Random(sha256(written(state.observation(None)).encode()).digest())
    ready = prepared(state, (), Level.EXPERT)
    if ready.exact_decides:
        return _sighted(state, ready.judgement, max(8, round(POSITIONS * effort)), rng)
    if not ready.judgement.races:
        return _mean(_grown(ready.judgement, max(8, round(VISITS * effort)), rng))
    judgement, found = judgement_of(state.info.key)(state), []
    for _ in range(max(4, round(PLAYOUTS * effort))):
        go_on()
        found.append(judgement.prospects(judgement.known_to_all(state, rng), rng))
    return _mean(found)


def _mean(found: Sequence[Sequence[float]]) -> tuple[float, ...]:
    return tuple(round(fmean(leads), 3) for leads in zip(*found, strict=True))


def _sighted(state: State[Any], judgement: Judgement[Any], nodes: int, rng: Random) -> tuple[float, ...]:
    """Return the leads of both seats after the best action, by the exact search."""
    action, player = look_ahead(judgement, nodes, rng).action, state.current_player
    lead = round(look_at_each(judgement, (action,), nodes).by_action[action].lead, 3)
    return (lead, -lead) if player == 0 else (-lead, lead)


def _grown(judgement: Judgement[Any], visits: int, rng: Random) -> list[Sequence[float]]:
    """Return the leads at the ends of a tree's visits. The first half, which finds the answers, doesn't count."""
    root, leads, player = Node(0.0, 1.0), list[Sequence[float]](), judgement.player
    candidates = tuple(judgement.candidates(judgement.position.legal_actions(player)))
    for number in range(visits):
        go_on()
        end, _ = visit(judgement, root, candidates, judgement.world(rng), rng)
        if number >= visits // 2:
            leads.append(judgement.leads(end))
    return leads


def final(state: State[Any]) -> tuple[float, ...]:
    """Return the leads at the end of a match."""
    return tuple(ahead(state.returns()))


def turning_points(
    points: Sequence[Point], most: int, least: float, turns: Callable[[Turn], bool], apart: Collection[int] = ()
) -> list[Turn]:
    """Return the greatest gains of a seat between two points, at most `most`, in the order of the match.

    Each is at least `least`. Of neighbouring gains only the greatest counts, and none that is beside a line in `apart`.
    `turns` says of each whether it's a turning point at all.
    """
    gains = []
    for number, (one, two) in enumerate(pairwise(points)):
        changes = [after - before for before, after in zip(one.leads, two.leads, strict=True)]
        seat = max(range(len(changes)), key=changes.__getitem__)
        gains.append((changes[seat], number, seat))
    taken, chosen = [number for number, point in enumerate(points) if point.ply in apart], list[Turn]()
    for gain, number, seat in sorted(gains, reverse=True):
        turn = Turn(points[number].ply, seat, round(gain, 3))
        if gain < least or len(chosen) >= most:
            break
        if all(abs(number - other) > 1 for other in taken) and turns(turn):
            taken.append(number)
            chosen.append(turn)
    return sorted(chosen)
