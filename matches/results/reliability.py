"""Whether somebody finishes the matches that they begin, and how soon they answer.

Only matches on one server that ended in the last `WINDOW` count. Answers are timed only in matches with a clock. What
a person couldn't help, or what the table agreed to, doesn't count against them. So these answers aren't counted:

* those during which they couldn't press for a while, because the bot, their server or Discord was away;
* those that took longer than a turn's time, because the others had voted to wait;
* the longest ones, as many as cover the time that the person was away.

Nothing that a computer played in a person's place counts for them. Moves that they said in advance are no answers.

A person is unknown before `PROVEN`. They begin anew if they have their data deleted, so a newcomer may be anybody.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import accumulate
from typing import Final, NamedTuple, TypeAlias

from db import Connection
from db.matches import gaps, log_lines, queries
from db.matches.log_lines import LineAt
from db.model.ids import UserId
from db.results import keyed
from games.log import TABLE, UNDO
from matches.records.match import Match
from matches.records.seat import Seat

WINDOW: Final = timedelta(days=90)

LEAST: Final = 10
"""A person is unknown until they have begun this many matches."""

PROVEN: Final = timedelta(days=30)
"""A person is unknown until their first match here ended this long ago."""

FINISHES: Final = 0.8
"""A person who has finished a smaller share of at least `LEAST` matches leaves too often."""

BOUNDS: Final = tuple(timedelta(minutes=m) for m in (1, 2, 5, 10, 20, 30)) + tuple(
    timedelta(hours=h) for h in (1, 2, 3, 4, 6, 8, 12, 24, 48, 72)
)
"""The upper bounds of the bins in which answers are counted. One more bin is for those that took longer."""

_COMPUTER: Final = "computer"
_PLAYERS: Final = (_COMPUTER, "return", "person")
"""The table's lines after which a computer, or a person again, plays a seat."""


Gaps: TypeAlias = Sequence[tuple[datetime, datetime]]
"""The times in which nobody on a server could press: disjoint and in order."""


class Reliability(NamedTuple):
    """How many of the matches that a person has `begun` they have `finished`, and the median time of their `answers`.

    `proven`: their first match here ended at least `PROVEN` ago.
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
        """Whether the person leaves too many matches to join a table for reliable people."""
        return self.begun >= LEAST and self.finished < FINISHES * self.begun


def of(connection: Connection, server: int, person: UserId, now: datetime) -> Reliability:
    """Return how reliable a person is on a server."""
    known = keyed.known(connection, server, person)
    if known is None:
        return Reliability(0, 0, None, proven=False)
    since = now - WINDOW
    finished, begun = keyed.count_finished(connection, known.key, since)
    answered = middle(keyed.answers_of(connection, known.key, since))
    return Reliability(finished, begun, answered, _is_proven(connection, known.key, now))


def whole(connection: Connection, key: str, now: datetime) -> tuple[int, int]:
    """Return how many of all their matches on a server a person has finished and begun; 0 and 0 while unknown."""
    finished, begun = keyed.count_finished(connection, key)
    return (finished, begun) if begun >= LEAST and _is_proven(connection, key, now) else (0, 0)


def _is_proven(connection: Connection, key: str, now: datetime) -> bool:
    first = keyed.first_end_of(connection, key)
    return first is not None and first <= now - PROVEN


def middle(counted: Sequence[Sequence[int]]) -> timedelta | None:
    """Return the bound of the median answer, ``None`` if there are no answers or it lies above all bounds."""
    sums = [sum(counts[place] for counts in counted if place < len(counts)) for place in range(len(BOUNDS) + 1)]
    place = bisect_left(list(accumulate(sums)), sum(sums) / 2)
    return BOUNDS[place] if sum(sums) and place < len(BOUNDS) else None


def note_answers(connection: Connection, match: Match, since: datetime) -> None:
    """Count the answer times of the people who have played a match from then to its end."""
    turn = match.pace.turn
    if turn is None or match.guild_id is None:
        return
    lines = log_lines.line_times(connection, match.id)
    missed = gaps.of_server(connection, match.guild_id, since)
    for seat in match.seats:
        if seat.entered and not seat.left and not seat.replaced and seat.user_id is not None:
            counts = answers(lines, missed, seat, turn)
            queries.update_seat(connection, match.id, seat.position, answers=counts)


def answers(lines: Sequence[LineAt], missed: Gaps, seat: Seat, turn: timedelta) -> tuple[int, ...]:
    """Return how many answers of a seat's person came within each of the bounds.

    Several lines of one turn are one answer. A computer's moves are none. The time of an answer begins with the move
    before it, or when the person came back; the table's lines about others don't matter.
    """
    taken = sorted(_answered(lines, missed, seat), reverse=True)
    away = timedelta(0)
    while taken and away < seat.away_used:
        away += taken.pop(0)
    counts = [0] * (len(BOUNDS) + 1)
    for each in taken:
        if each <= turn:
            counts[bisect_left(BOUNDS, each)] += 1
    return tuple(counts)


def _answered(lines: Sequence[LineAt], missed: Gaps, seat: Seat) -> Iterator[timedelta]:
    """Yield how long the seat's person took for each answer, without those during which there was a gap."""
    ends = [until for _, until in missed]
    theirs, last, since = True, None, None
    for player, at, event, by_order in lines:
        if player == TABLE:
            verb, *numbers = event.split(" ")
            if verb in _PLAYERS and numbers[:1] == [str(seat.seat)]:
                theirs = verb != _COMPUTER
            elif verb != UNDO:
                continue
        elif player == seat.seat != last and theirs and not by_order and since is not None and at > since:
            first = bisect_right(ends, since)
            if first == len(missed) or missed[first][0] > at:
                yield at - since
        last, since = player, at
