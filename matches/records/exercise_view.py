"""The view of whoever does an exercise: it looks like a match to them, but this match is made up and never stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from db.model.enums import Pace, Status, Where
from db.model.ids import MatchId, Ply, SeatNumber
from db.model.setting_rows import PlayerSettings
from games.core import Move, Observation, State
from games.exercise import Exercise, played
from matches.records.match import Match
from matches.records.requests import Person
from matches.records.seat import Seat
from matches.records.seen import View

NO_MATCH: Final = MatchId(0)
"""The number of a made-up match. No stored match has it."""


@dataclass(frozen=True)
class ExerciseView(View):
    """The position of an exercise as its player may see it.

    `tempting` are the texts of illegal actions that they can try: each teaches a rule by its refusal.
    """

    tempting: tuple[str, ...] = ()

    def move(self, text: str) -> Move:
        """Return the action with this canonical text, legal or not. Raises InvalidAction."""
        return self.turn.move_of(self.turn.string_to_action(text))

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """All moves that can be tried. Illegal ones stand among the legal ones, so the order betrays nothing."""
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
    exercise: Exercise,
    person: Person,
    others: Sequence[str],
    settings: PlayerSettings,
    options: Mapping[str, str] | None = None,
) -> ExerciseView:
    """Return what `person` sees of the exercise.

    `others` holds names by seat, and `options` are those of the match.
    """
    state = exercise.state
    seats = tuple(
        Seat(position=seat, seat=SeatNumber(seat), user_id=person.user_id, name=person.name, settings=settings)
        if seat == exercise.seat
        else Seat(position=seat, seat=SeatNumber(seat), name=others[seat])
        for seat in range(state.players)
    )
    match = Match(
        id=NO_MATCH,
        game=exercise.game,
        options=dict(options or {}),
        rules_version=state.info.rules_version,
        status=Status.RUNNING,
        host_id=person.user_id,
        guild_id=None,
        channel_id=0,
        pace=Pace.NONE,
        where=Where.CHANNEL,
        size=state.players,
        to_move=_to_move(state),
        everybody=seats,
    )
    return _of(match, exercise.seat, settings, state, exercise.tempting)


def view_after(now: ExerciseView, state: State[Any]) -> ExerciseView:
    """Return what the person sees of a later position of their exercise."""
    assert now.seat is not None
    assert now.settings is not None
    return _of(replace(now.match, to_move=_to_move(state)), now.seat, now.settings, state, ())


def _of(
    match: Match, seat: int, settings: PlayerSettings, state: State[Any], tempting: tuple[str, ...]
) -> ExerciseView:
    return ExerciseView(
        match=match,
        seat=SeatNumber(seat),
        ply=Ply(0),
        observation=state.observation(seat),
        stage=state.stage,
        outcome=state.outcome(),
        settings=settings,
        round_ply=Ply(0),
        turn=state.turn(seat),
        tempting=tempting,
    )


def _to_move(state: State[Any]) -> SeatNumber | None:
    return SeatNumber(state.current_player) if state.current_player >= 0 else None


async def preview(exercise: Exercise, text: str) -> Observation | None:
    """Return what the seat sees after the action with this canonical text.

    ``None`` in games with hidden information, and for an action that isn't legal.
    """
    if exercise.state.info.hidden_information or text in exercise.tempting:
        return None
    return played(exercise, text).observation(exercise.seat)
