"""Whether somebody finishes the matches that they begin, and how soon they answer.

Counted are matches on one server that ended in the last `WINDOW`, of answers those with a clock. Nothing counts
against anybody that they could not help, or that the table agreed to: an answer is left out where the bot was started
meanwhile, where it took longer than a turn's time (the others had voted to wait), and as many of the longest ones as
cover the time that the person was away.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

from db import Connection, meta, ratings
from db import matches as queries
from db.ids import UserId
from db.turns import wait_for_turn
from matches.match import Match
from matches.seat import Seat

WINDOW: Final = timedelta(days=90)

LEAST: Final = 10
"""So many matches somebody must have begun before anything is said of them."""

FINISHES: Final = 0.8
"""Who has finished at least this part of them is reliable, and so is everybody of whom nothing is said."""

BOUNDS: Final = tuple(timedelta(minutes=m) for m in (1, 2, 5, 10, 20, 30)) + tuple(
    timedelta(hours=h) for h in (1, 2, 3, 4, 6, 8, 12, 24, 48, 72)
)
"""Answers are counted by the first of these within which they came; the last count is of those that took longer."""

_STARTS: Final = "starts"
_KEPT: Final = 500


class Reliability(NamedTuple):
    """Somebody has `finished` so many of the matches that they have `begun`; half of their answers came within this."""

    finished: int
    begun: int
    answers: timedelta | None

    @property
    def is_known(self) -> bool:
        """Whether there is enough to say anything."""
        return self.begun >= LEAST

    @property
    def is_enough(self) -> bool:
        """Whether somebody may sit down where people are asked to finish what they begin."""
        return not self.is_known or self.finished >= FINISHES * self.begun


def of(connection: Connection, server: int, person: UserId, now: datetime) -> Reliability:
    """How reliable somebody is on a server."""
    known = ratings.known(connection, server, person)
    if known is None:
        return Reliability(0, 0, None)
    since = now - WINDOW
    finished, begun = ratings.record_of(connection, known.key, since)
    return Reliability(finished, begun, middle(ratings.answers_of(connection, known.key, since)))


def middle(counted: Sequence[Sequence[int]]) -> timedelta | None:
    """Within which of the bounds half of all answers came; ``None`` where there are none, or it took longer."""
    sums = [sum(counts[place] for counts in counted if place < len(counts)) for place in range(len(BOUNDS) + 1)]
    place = bisect_left(list(accumulate(sums)), sum(sums) / 2)
    return BOUNDS[place] if sum(sums) and place < len(BOUNDS) else None


def note_start(connection: Connection, now: datetime) -> None:
    """The bot has been down until now."""
    wait_for_turn(connection, _STARTS)
    starts = [*starts_of(connection), now][-_KEPT:]
    meta.put(connection, _STARTS, json.dumps([each.isoformat() for each in starts]))


def starts_of(connection: Connection) -> list[datetime]:
    """When the bot was started, the latest last."""
    return [datetime.fromisoformat(each).astimezone(UTC) for each in json.loads(meta.get(connection, _STARTS) or "[]")]


def note_answers(connection: Connection, match: Match) -> None:
    """Count how soon those who have played a match to its end have answered in it."""
    turn = match.pace.turn
    if turn is None or match.guild_id is None:
        return
    times, starts = queries.times(connection, match.id), starts_of(connection)
    for seat in match.seats:
        if seat.entered and not seat.left and not seat.replaced and seat.user_id is not None:
            counts = answers(times, starts, seat, turn)
            queries.update_seat(connection, match.id, seat.position, answers=counts)


def answers(
    times: Sequence[tuple[int, datetime]], starts: Sequence[datetime], seat: Seat, turn: timedelta
) -> tuple[int, ...]:
    """How many answers of a seat came within each of the bounds, of lines with their players and moments.

    Several lines of one turn are one answer.
    """
    taken: list[timedelta] = []
    for (before, since), (player, at) in pairwise(times):
        if player == seat.seat != before and at > since and not any(since < start <= at for start in starts):
            taken.append(at - since)
    taken.sort(reverse=True)
    away = timedelta(0)
    while taken and away < seat.away_used:
        away += taken.pop(0)
    counts = [0] * (len(BOUNDS) + 1)
    for each in taken:
        if each <= turn:
            counts[bisect_left(BOUNDS, each)] += 1
    return tuple(counts)
