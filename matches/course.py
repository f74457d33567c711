"""The course of a match: its header, its log so far, and the position that follows from them. Pure values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Self

from games.core import CHANCE, Outcome, State
from games.log import HOST, Header, Line, LogError, after, initial_state
from matches import fair
from matches.records import Ended, Match

RECENT: Final = 12
"""Lines that a course keeps with the positions after them: as many as one message tells."""


@dataclass(frozen=True)
class Course:
    """Where a match stands: `ply` lines were written, `draws` of them by chance, and led to `state`.

    `recent` are the latest of these lines, each with the position after it, so that telling what has just happened
    replays nothing.
    """

    header: Header
    state: State[Any]
    ply: int = 0
    draws: int = 0
    recent: tuple[tuple[Line, State[Any]], ...] = field(default=(), repr=False, compare=False)

    @classmethod
    def begin(cls, header: Header) -> Self:
        """Before the first line. Raises LogError where the header does not fit the game of today."""
        return cls(header, initial_state(header))

    def after(self, line: Line, *, trusted: bool = False) -> Self:
        """With one more line of a stored log, checked unless `trusted`. Raises LogError."""
        return self._next(line, after(self.state, line, trusted=trusted))

    def through(self, lines: Iterable[Line]) -> Self:
        """With more lines of a stored log, each checked.

        Raises LogError, whose sentence everybody may read: the line's number, not what it says.
        """
        course = self
        for line in lines:
            try:
                course = course.after(line)
            except LogError as error:
                raise LogError(f"Line {line.ply} of its log cannot be replayed.") from error
        return course

    def played(self, player: int, action: Any) -> tuple[Line, Self]:
        """The line of an action that is known to be legal, and the course with it."""
        line = Line(self.ply, player, self.state.action_to_string(action))
        return line, self._next(line, self.state.child(player, action))

    def noted(self, event: str) -> tuple[Line, Self]:
        """The line of an event of the host's own, and the course with it."""
        line = Line(self.ply, HOST, event)
        return line, self._next(line, self.state)

    def settled(self, seed: bytes, match_id: int) -> Iterator[tuple[Line, Self]]:
        """The lines that need nobody's decision, until somebody must decide or the match is over.

        Chance draws from the seed; an action that everybody can see is forced is taken for its player (P8).
        """
        course = self
        while not course.state.is_terminal:
            state = course.state
            if state.current_player == CHANCE:
                action = state.sample_chance(fair.chance(seed, match_id, course.draws))
            else:
                action = state.forced_action()
                if action is None:
                    return
            line, course = course.played(state.current_player, action)
            yield line, course

    def since(self, ply: int) -> tuple[tuple[Line, State[Any]], ...] | None:
        """The lines from number `ply` on, each with the position after it; ``None`` where not all of them are kept."""
        missing = self.ply - max(ply, 0)
        return None if missing > len(self.recent) else self.recent[len(self.recent) - max(missing, 0) :]

    def _next(self, line: Line, state: State[Any]) -> Self:
        recent = (*self.recent[1 - RECENT :], (line, state))
        return type(self)(self.header, state, self.ply + 1, self.draws + (line.player == CHANCE), recent)


def is_secret(line: Line, state: State[Any]) -> bool:
    """Whether a chance line told something to somebody that it did not tell everybody; `state` stands after it."""
    if line.player != CHANCE:
        return False
    action = state.string_to_action(CHANCE, line.text)
    public = state.seen_by(None, CHANCE, action)
    return any(state.seen_by(seat, CHANCE, action) != public for seat in range(state.players))


def outcome_of(match: Match, state: State[Any]) -> Outcome | None:
    """How the match ended: by its rules, or by what people decided."""
    match match.ended_by:
        case None:
            return None
        case Ended.RULES:
            return state.outcome()
        case Ended.RESIGNED:
            winners = tuple(seat.seat for seat in match.seats if seat.seat is not None and not seat.resigned)
            return Outcome(winners, "The other player resigned.")
        case Ended.VOTE:
            return Outcome((), "The table ended the match.")
        case Ended.MODERATOR:
            return Outcome((), "A moderator ended the match.")
        case Ended.HOST:
            return Outcome((), "The host ended the match.")
        case _:
            return Outcome((), "Nobody was left to play.")
