"""Whether somebody finishes the matches that they begin, and how soon they answer.

Counted are matches on one server that ended in the last `WINDOW`, of answers those with a clock. Nothing counts
against anybody that they could not help, or that the table agreed to: an answer is left out where the bot was started
meanwhile, where it took longer than a turn's time (the others had voted to wait), and as many of the longest ones as
cover the time that the person was away. Nothing counts for anybody that a computer played in their place.

Nobody is known before `PROVEN`, and whoever has their data deleted begins anew: so a newcomer may be anybody.
"""

from __future__ import annotations

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from typing import Final, NamedTuple

from db import Connection
from db.matches import queries
from db.matches.queries import LineAt
from db.model.ids import UserId
from db.ratings import ladders
from db.store.transactions import wait_for_turn
from db.upkeep import meta
from games.log import TABLE, UNDO
from matches.records.match import Match
from matches.records.seat import Seat

WINDOW: Final = timedelta(days=90)

LEAST: Final = 10
"""So many matches somebody must have begun before anything is said of them."""

PROVEN: Final = timedelta(days=30)
"""So long ago somebody's first match here must have ended before anything is said of them."""

FINISHES: Final = 0.8
"""Who has finished less than this part of at least `LEAST` matches leaves too often."""

BOUNDS: Final = tuple(timedelta(minutes=m) for m in (1, 2, 5, 10, 20, 30)) + tuple(
    timedelta(hours=h) for h in (1, 2, 3, 4, 6, 8, 12, 24, 48, 72)
)
"""Answers are counted by the first of these within which they came; the last count is of those that took longer."""

_COMPUTER: Final = "computer"
_PLAYERS: Final = (_COMPUTER, "return", "person")
"""The table's lines about a seat after which a computer plays it, or a person does again."""

_STARTS: Final = "starts"
_KEPT: Final = 500


class Reliability(NamedTuple):
    """Somebody has `finished` so many of the matches that they have `begun`; half of their answers came within this.

    `proven`: the first of all their matches here ended at least `PROVEN` ago.
    """

    finished: int
    begun: int
    answers: timedelta | None
    proven: bool = True

    @property
    def is_known(self) -> bool:
        """Whether there is enough to say anything."""
        return self.proven and self.begun >= LEAST

    @property
    def leaves(self) -> bool:
        """Whether somebody leaves too many matches to sit down where people are asked to finish what they begin."""
        return self.begun >= LEAST and self.finished < FINISHES * self.begun


def of(connection: Connection, server: int, person: UserId, now: datetime) -> Reliability:
    """How reliable somebody is on a server."""
    known = ladders.known(connection, server, person)
    if known is None:
        return Reliability(0, 0, None, proven=False)
    since = now - WINDOW
    finished, begun = ladders.count_finished(connection, known.key, since)
    answered = middle(ladders.answers_of(connection, known.key, since))
    return Reliability(finished, begun, answered, _is_proven(connection, known.key, now))


def whole(connection: Connection, key: str, now: datetime) -> tuple[int, int]:
    """How many of all their matches on a server somebody has finished, and begun; 0 and 0 while nothing is said."""
    finished, begun = ladders.count_finished(connection, key)
    return (finished, begun) if begun >= LEAST and _is_proven(connection, key, now) else (0, 0)


def _is_proven(connection: Connection, key: str, now: datetime) -> bool:
    first = ladders.first_end_of(connection, key)
    return first is not None and first <= now - PROVEN


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
    """When the bot was started, the latest last, whatever its clock said when it noted them."""
    noted = json.loads(meta.get(connection, _STARTS) or "[]")
    return sorted(datetime.fromisoformat(each).astimezone(UTC) for each in noted)


def note_answers(connection: Connection, match: Match) -> None:
    """Count how soon those who have played a match to its end have answered in it."""
    turn = match.pace.turn
    if turn is None or match.guild_id is None:
        return
    lines, starts = queries.line_times(connection, match.id), starts_of(connection)
    for seat in match.seats:
        if seat.entered and not seat.left and not seat.replaced and seat.user_id is not None:
            counts = answers(lines, starts, seat, turn)
            queries.update_seat(connection, match.id, seat.position, answers=counts)


def answers(lines: Sequence[LineAt], starts: Sequence[datetime], seat: Seat, turn: timedelta) -> tuple[int, ...]:
    """How many answers of a seat's person came within each of the bounds.

    Several lines of one turn are one answer. What a computer has played is none. The time of an answer begins with the
    move before it, or when the person came back: not with what the table has noted meanwhile about others. `starts`
    rise.
    """
    taken = sorted(_answered(lines, starts, seat), reverse=True)
    away = timedelta(0)
    while taken and away < seat.away_used:
        away += taken.pop(0)
    counts = [0] * (len(BOUNDS) + 1)
    for each in taken:
        if each <= turn:
            counts[bisect_left(BOUNDS, each)] += 1
    return tuple(counts)


def _answered(lines: Sequence[LineAt], starts: Sequence[datetime], seat: Seat) -> Iterator[timedelta]:
    """How long the person of a seat took for each answer, without those during which the bot was started."""
    theirs, last, since = True, None, None
    for player, at, event in lines:
        if player == TABLE:
            verb, *numbers = event.split(" ")
            if verb in _PLAYERS and numbers[:1] == [str(seat.seat)]:
                theirs = verb != _COMPUTER
            elif verb != UNDO:
                continue
        elif player == seat.seat != last and theirs and since is not None and at > since:
            start = bisect_right(starts, since)
            if start == len(starts) or starts[start] > at:
                yield at - since
        last, since = player, at
