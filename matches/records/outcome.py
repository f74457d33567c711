"""How a match ended: by the rules of its game, or by what people decided."""

from __future__ import annotations

from typing import Any

from db.model.enums import Ended
from games.core import Outcome, State
from matches.records.match import Match


def outcome_of(match: Match, state: State[Any]) -> Outcome | None:
    """How the match ended: by its rules, or by what people decided."""
    match match.ended_by:
        case None:
            return None
        case Ended.RULES:
            return state.outcome()
        case Ended.RESIGNED:
            return Outcome(_won(match), "The other player resigned.")
        case Ended.VOTE:
            return Outcome((), "The table ended the match.")
        case Ended.MODERATOR:
            return Outcome((), "A moderator ended the match.")
        case Ended.HOST:
            return Outcome((), "The host ended the match.")
        case Ended.ABORTED:
            return Outcome((), "A player left before their first move.")
        case Ended.ABANDONED:
            return Outcome(_won(match), "Nobody played on, so the match ended by itself.")
        case _:
            return Outcome((), "Nobody was left to play.")


def _won(match: Match) -> tuple[int, ...]:
    return tuple(seat.seat for seat in match.seats if seat.seat is not None and seat.won)
