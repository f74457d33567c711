"""How a match ended: by the rules of its game, or by what people decided."""

from __future__ import annotations

from typing import Any

from db.words import Ended
from games.core import Outcome, State, places
from matches.match import Match


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


def standing_of(match: Match, state: State[Any]) -> tuple[int, ...] | None:
    """The place of every seat of a match that ended by its rules or by resigning, ``None`` of any other.

    Whoever has left their seat is last, whatever a computer has made of it.
    """
    if match.ended_by not in (Ended.RULES, Ended.RESIGNED):
        return None
    merits = state.merits() if match.ended_by is Ended.RULES else (0,) * len(match.seats)
    stayed = [(not seat.left, None if seat.left else merit) for seat, merit in zip(match.seats, merits, strict=True)]
    return places(stayed)
