"""The view of a learner: a lesson looks like a match to them, but this match is made up and never stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Final

from db.model.enums import Pace, Status, Where
from db.model.ids import MatchId, Ply, SeatNumber
from db.model.rows import PlayerSettings
from games.core import Move, Observation, State
from games.lessons import Attempt
from matches.records.match import Match
from matches.records.requests import Person
from matches.records.seat import Seat
from matches.records.seen import View

NO_MATCH: Final = MatchId(0)
"""The number of a lesson's made-up match. No stored match has it."""

_BEFORE_ALL: Final = datetime(1970, 1, 1, tzinfo=UTC)
"""The opening time of a made-up match."""


@dataclass(frozen=True)
class LessonView(View):
    """The position of a lesson as the learner may see it.

    `tempting` are the texts of illegal actions that the learner can try: each teaches a rule by its refusal.
    """

    tempting: tuple[str, ...] = ()

    def move(self, text: str) -> Move:
        """Return the action with this canonical text, legal or not. Raises InvalidAction."""
        return self.turn.move_of(self.turn.string_to_action(text))

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """All moves that the learner can try. Illegal ones stand among the legal ones, so the order betrays nothing."""
        found = list(super().moves)
        for text in self.tempting:
            move = self.move(text)
            found.insert(_place_among(found, move), move)
        return tuple(found)


def _place_among(moves: Sequence[Move], move: Move) -> int:
    """Return the index for a new move: among the moves with most choices in common, sorted by value."""

    def alike(other: Move) -> int:
        pairs = zip(other.choices, move.choices, strict=False)
        return next((depth for depth, (one, two) in enumerate(pairs) if one.value != two.value), len(move.choices))

    most = max(map(alike, moves), default=0)
    nearest = [index for index, other in enumerate(moves) if alike(other) == most]
    values = [choice.value for choice in move.choices]
    after = (index for index in nearest if [choice.value for choice in moves[index].choices] > values)
    return next(after, nearest[-1] + 1 if nearest else 0)


def view(
    attempt: Attempt, learner: Person, others: Sequence[str], settings: PlayerSettings, state: State[Any] | None = None
) -> LessonView:
    """Return what the learner sees of the lesson now, or of another `state` of it. `others` holds names by seat."""
    lesson, now = attempt.lesson, attempt.state if state is None else state
    seats = tuple(
        Seat(position=seat, seat=SeatNumber(seat), user_id=learner.user_id, name=learner.name, settings=settings)
        if seat == lesson.seat
        else Seat(position=seat, seat=SeatNumber(seat), name=others[seat])
        for seat in range(now.players)
    )
    to_move = SeatNumber(now.current_player) if now.current_player >= 0 else None
    match = Match(
        id=NO_MATCH,
        game=lesson.game,
        options={},
        rules_version=now.info.rules_version,
        status=Status.RUNNING,
        host_id=learner.user_id,
        guild_id=None,
        channel_id=0,
        pace=Pace.NONE,
        where=Where.CHANNEL,
        size=now.players,
        created_at=_BEFORE_ALL,
        to_move=to_move,
        seats=seats,
    )
    return LessonView(
        match=match,
        seat=SeatNumber(lesson.seat),
        ply=Ply(len(attempt.answers)),
        observation=now.observation(lesson.seat),
        to_move=to_move,
        stage=now.stage,
        outcome=now.outcome(),
        settings=settings,
        round_ply=Ply(0),
        legal=now.legal_actions(lesson.seat),
        tempting=attempt.tempting if state is None else (),
    )


async def preview(attempt: Attempt, text: str) -> Observation | None:
    """Return what the learner sees after the action with this canonical text.

    ``None`` in games with hidden information, and for an action that isn't legal.
    """
    if attempt.state.info.hidden_information or text in attempt.tempting:
        return None
    return attempt.played(text).observation(attempt.lesson.seat)
