"""Whom players suspect of having a hidden role. It is talk that everybody reads: no rule and no position depends on it.

A game whose players can do this names the role in `GameInfo.suspected`, and overrides `Observation.roles_hidden` and
`Observation.unmasked_by_round`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from games.core.observation import Observation


class Suspicion(NamedTuple):
    """A player says whom they suspect.

    `seat` has said it in the round with this number, from 1, when the log had `ply` lines. `suspect` is another seat,
    or ``None`` for nobody. It holds until the same seat says something else in the same round.
    """

    seat: int
    round: int
    ply: int
    suspect: int | None


def number_of_round(seen: Observation) -> int:
    """Return the number of the round in which somebody would say something now."""
    return len(seen.unmasked_by_round) + 1


def standing(said: Iterable[Suspicion], number: int) -> Mapping[int, Suspicion]:
    """Return what each seat said last in a round, by seat. `said` is in the order of saying."""
    return {each.seat: each for each in said if each.round == number}


def is_right(suspicion: Suspicion, unmasked: Collection[int]) -> bool:
    """Whether the suspicion was right, given the seats that had the role. Suspecting nobody is right if none had it."""
    return not unmasked if suspicion.suspect is None else suspicion.suspect in unmasked


def right(said: Iterable[Suspicion], number: int, unmasked: Collection[int]) -> tuple[Suspicion, ...]:
    """Return each seat's last suspicion in a round, if it was right, the earliest first."""
    found = [each for each in standing(said, number).values() if is_right(each, unmasked)]
    return tuple(sorted(found, key=lambda each: (each.ply, each.seat)))
