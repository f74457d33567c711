"""How a match ended: by the rules of its game, or by what people decided."""

from __future__ import annotations

from typing import Any, Final

from db.model.enums import Ended
from games.core import Observation, Outcome, State
from matches.records.match import Match

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
