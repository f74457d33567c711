"""How a match went: every seat's expected result along it, from what all seats together knew."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from itertools import pairwise
from random import Random
from statistics import fmean
from typing import Any, Final, NamedTuple

from games.core import State
from matches.computers.known import written
from matches.computers.thinking import judgement_of
from matches.engine.workers import Stopped, stopped

PLAYOUTS: Final = 100
"""How often a position is played on."""


class Point(NamedTuple):
    """The leads that every seat is expected to have at the end, in the game's unit, before line `ply`."""

    ply: int
    leads: tuple[float, ...]


class Turn(NamedTuple):
    """A turning point: at line `ply`, `seat` gained so much of expected lead."""

    ply: int
    seat: int
    gained: float


def expected(state: State[Any], effort: float = 1.0) -> tuple[float, ...]:
    """Return the leads that every seat can expect at a position in which somebody decides. Raises Stopped."""
    kind = judgement_of(state.info.key)
    rng = Random(sha256(written(state.observation(None)).encode()).digest())
    judgement = kind(state)
    found = []
    for _ in range(max(4, round(PLAYOUTS * effort))):
        if stopped():
            raise Stopped
        found.append(judgement.prospects(judgement.known_to_all(state, rng), rng))
    return tuple(round(fmean(leads), 3) for leads in zip(*found, strict=True))


def final(state: State[Any]) -> tuple[float, ...]:
    """Return the leads at the end of a match."""
    points = state.returns()
    return tuple(own - max([*points[:seat], *points[seat + 1 :]]) for seat, own in enumerate(points))


def turning_points(points: Sequence[Point], most: int, least: float) -> list[Turn]:
    """Return the greatest gains of a seat between two points, at most so many, in the order of the match.

    Each is at least `least`. Of neighbours only the greatest counts.
    """
    gains = []
    for number, (one, two) in enumerate(pairwise(points)):
        changes = [after - before for before, after in zip(one.leads, two.leads, strict=True)]
        seat = max(range(len(changes)), key=changes.__getitem__)
        gains.append((changes[seat], number, seat))
    chosen: list[tuple[float, int, int]] = []
    for gain, number, seat in sorted(gains, reverse=True):
        if gain >= least and len(chosen) < most and all(abs(number - other) > 1 for _, other, _ in chosen):
            chosen.append((gain, number, seat))
    return sorted(Turn(points[number].ply, seat, round(gain, 3)) for gain, number, seat in chosen)


def leaders(points: Iterable[Point], margin: float) -> list[tuple[int, int]]:
    """Return who led from which ply on: pairs of ply and seat, the first where somebody led by `margin`."""
    found: list[tuple[int, int]] = []
    for point in points:
        best = max(range(len(point.leads)), key=point.leads.__getitem__)
        if point.leads[best] >= margin and (not found or found[-1][1] != best):
            found.append((point.ply, best))
    return found
