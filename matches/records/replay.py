"""Replays a match for one viewer: its log, and the moments at which it waited for somebody.

`cogs/look/replay.py` shows it.

How a match ended follows from the rules of its game, or from what people decided.

A replay is a value that holds lines, and computes positions on demand. That takes time, so callers that show more than
one position do it off the event loop.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, Final, NamedTuple, Self

from db.model.enums import Ended, Status
from db.model.ids import Ply, SeatNumber, UserId
from games.core import CHANCE, Observation, Outcome, State
from games.log import BRANCH, Beat, Branch, Course, Line, beats, branched, is_seen_from
from matches.errors import NotSeated, WrongTime
from matches.records import frames
from matches.records.match import Match
from matches.records.seen import Shown, in_force, seen_of

_REASONS: Final = {
    Ended.RESIGNED: "The other player resigned.",
    Ended.VOTE: "The table ended the match.",
    Ended.MODERATOR: "A moderator ended the match.",
    Ended.HOST: "The host ended the match.",
    Ended.ABORTED: "A player left before their first move, or didn't make it.",
    Ended.ABANDONED: "Nobody played on, so the match ended by itself.",
}


def ended_for(match: Match, state: State[Any], observation: Observation) -> Observation:
    """Return what a viewer sees of the last position: if people have ended the match, its outcome, and nobody's turn.

    `observation` is the viewer's own of that position.
    """
    outcome = outcome_of(match, state)
    return observation if outcome is None or observation.outcome is not None else observation.closed(outcome)


def outcome_of(match: Match, state: State[Any]) -> Outcome | None:
    """The outcome of a match, ``None`` while it is open; `state` is its last position."""
    if match.ended_by is None:
        return None
    if match.ended_by is Ended.RULES:
        return state.outcome()
    won = (seat.seat for seat in match.seats if seat.seat is not None and seat.won)
    return Outcome(tuple(won), _REASONS.get(match.ended_by, "Nobody was left to play."))


ONLY_PLAYERS: Final = (
    "This game has hidden cards. So only people who played this match can play on from it, each from their own seat."
)


class Moment(NamedTuple):
    """A position in which the match waited for somebody, or ended.

    `ply` is the number on its board post. `lines` are those since the moment before. The end of a round is a moment,
    too, even if a deal follows. `before` are earlier lines: all of them at the end of a round, else only the last.
    """

    ply: Ply
    lines: tuple[Shown, ...]
    before: tuple[Shown, ...] = ()

    @property
    def observation(self) -> Observation:
        """What the viewer sees then: the same as on the board of that ply, unless the replay shows everything."""
        return self.lines[-1].observation


@dataclass(frozen=True)
class Replay:
    """The lines of a match for one viewer (``None``: a spectator); with `everything` nothing is hidden from them.

    `branches`: where it was played on from another match. The lines before that are shown as people saw them while that
    match ran: to the person who played on as their seat saw them, to everybody else as a spectator did.
    """

    match: Match
    viewer: SeatNumber | None
    everything: bool
    _lines: tuple[Line, ...] = field(repr=False)
    branches: tuple[Branch, ...] = ()

    @classmethod
    def of(
        cls,
        match: Match,
        course: Course | None,
        user_id: UserId | None,
        lines: Iterable[Line],
        *,
        everything: bool = False,
    ) -> Self:
        """Return a match that has begun, with these of its lines, as this person may see it."""
        seat = match.seat_of(user_id)
        assert course is not None
        return cls(match, None if seat is None else seat.seat, everything, tuple(lines), course.branches)

    @cached_property
    def plies(self) -> tuple[Ply, ...]:
        """The plies of all moments, rising: after every line that no chance line follows."""
        following = (*(line.player for line in self._lines[1:]), None)
        return tuple(Ply(line.ply + 1) for line, then in zip(self._lines, following, strict=True) if then != CHANCE)

    def nearest(self, ply: Ply) -> Ply:
        """Return the ply of the last moment up to `ply`, or of the first moment if there is none."""
        return self.plies[max(0, bisect_right(self.plies, ply) - 1)]

    def shown(self, since: int = 0, until: int | None = None) -> Iterator[Shown]:
        """Yield the lines from number `since` up to `until` (exclusive). Once the match is over, nothing is hidden."""
        course = Course.begin(self.match.header)
        for line in self._lines[:until]:
            before, course = course.state, course.after(line, trusted=True)
            if line.ply >= since:
                yield self.line(line, before, course.state)

    def is_copied(self, number: int) -> bool:
        """Whether this line comes from the match from which this one was played on."""
        return bool(self.branches) and number < self.branches[-1].ply

    def can_play_on(self, ply: Ply) -> bool:
        """Whether `seats_from` returns any."""
        try:
            return bool(self.seats_from(ply))
        except (WrongTime, NotSeated):
            return False

    def seats_from(self, ply: Ply) -> tuple[SeatNumber, ...]:
        """Return the seats from which the viewer can play on after `ply` lines, their own first.

        In games with hidden information that is their own seat alone. Raises WrongTime (before the end of the match, or
        if nobody had to act there), NotSeated.
        """
        match = self.match
        if match.status is not Status.OVER:
            raise WrongTime("You can play on from a match once it's over.")
        if ply != self.nearest(ply) or (match.ended_by is Ended.RULES and ply == self.plies[-1]):
            raise WrongTime("The match was over there. Go back a step, then you can play on from it.")
        own = () if self.viewer is None else (self.viewer,)
        if not match.info.hidden_information:
            return (*own, *(SeatNumber(each) for each in range(len(match.seats)) if each not in own))
        if not own or not is_seen_from(own[0], ply - 1, self.branches):
            raise NotSeated(ONLY_PLAYERS)
        return own

    @cached_property
    def rounds(self) -> tuple[Ply, ...]:
        """The plies of the moments that begin a round, rising: the first moment, and one after each deal.

        A game without rounds has only one. Computing them takes as long as computing a position.
        """
        course, begun = Course.begin(self.match.header), [self.plies[0]]
        for line in self._lines:
            over = course.state.rounds_over
            course = course.after(line, trusted=True)
            # At the end of the last round nothing begins.
            if course.state.rounds_over > over and course.ply < self.plies[-1]:
                begun.append(self.plies[bisect_right(self.plies, course.ply)])
        return tuple(begun)

    def round_end(self, ply: Ply) -> Moment | None:
        """Return the end of the last round that was over at `ply`, before the next deal; ``None`` if none was."""
        course, lines, begun = Course.begin(self.match.header), list[Shown](), [0]
        for line in self._lines[:ply]:
            before, course = course.state, course.after(line, trusted=True)
            lines.append(self.line(line, before, course.state))
            if course.state.rounds_over > before.rounds_over:
                begun.append(len(lines))
        if len(begun) == 1:
            return None
        first, end = begun[-2:]
        return Moment(Ply(lines[end - 1].ply + 1), tuple(lines[first:end]), tuple(lines[:first]))

    def in_force(self) -> tuple[Shown, ...]:
        """Return all lines that players and chance have made, without those that were taken back."""
        return in_force(self.shown())

    def line(self, line: Line, before: State[Any], state: State[Any]) -> Shown:
        """Return one line as the viewer may see it, given the positions before and after it."""
        copied = self.is_copied(line.ply)
        viewer = self.viewer if is_seen_from(self.viewer, line.ply, self.branches) else None
        played = seen_of(viewer, line, state, over=self.match.status is Status.OVER and not copied)
        text = line.text if played is None else state.action_to_string(played.action)
        if (branch := branched(line)) is not None:
            # Leave out the branch's seed, because everything that was drawn for it follows from that.
            text = f"{BRANCH} {branch.seat}"
        seen = state.open_observation() if self.everything and not copied else state.observation(viewer)
        if self._lines and line is self._lines[-1] and not self.everything:
            seen = ended_for(self.match, state, seen)
        forced = line.player >= 0 and before.forced_action() is not None
        return Shown(Ply(line.ply), line.player, text, played, seen, forced)

    def moment(self, ply: Ply) -> Moment:
        """The moment at `nearest(ply)`."""
        index = self.plies.index(self.nearest(ply))
        first = self.plies[index - 1] if index else 0
        earlier = 1 if first else 0
        lines = tuple(self.shown(first - earlier, self.plies[index]))
        return Moment(self.plies[index], lines[earlier:], lines[:earlier])

    def beats(self) -> tuple[Beat, ...]:
        """Return the match line by line as a spectator saw it (`games.log.beats`)."""
        return tuple(beats(self.match.header, self._lines, everything=self.everything))

    @property
    def beats_copied(self) -> int:
        """The number of `beats` that come from the match from which this one was played on."""
        return self.branches[-1].ply - len(self.branches) + 1 if self.branches else 0

    def film(self, paint: frames.Paint, people: tuple[str, ...]) -> Callable[[], bytes]:
        """Return the work of painting the match, for a worker process, as a call of `frames.painted`.

        It is painted as a spectator saw it, whoever the viewer is.
        """
        return partial(frames.painted, self.match.header, self._lines, self.everything, paint, people)
