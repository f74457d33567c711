"""Sentences about ratings: whether a match counts, and what it changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cogs.text import names, words
from matches.api import Change, Ended, Match, Rated, Rating, Reliability, Seat, UserId
from matches.table.rating import has_no_hints
from render import leaderboard
from render.grammar import counted, listed

COUNTS: Final = "counts for ratings"
DOES_NOT_COUNT: Final = "unrated: hints are free"
FOR_THE_RELIABLE: Final = "for people who finish their matches"
AND_NEWCOMERS: Final = f"{FOR_THE_RELIABLE}, and newcomers"

NO_HINTS: Final = "-# No hints in rated matches."
"""For the players of a rated match between people."""

SPARED: Final = ", and nobody loses to them"

NO_GAIN: Final = "-# You can't gain rating in this match any more."
"""For somebody who had help in a rated match."""

LEAVING: Final = "-# For ratings you're last if you don't return; if you do, you can't gain, and nobody loses to you."
"""For somebody who is about to let a computer play for them in a rated match."""

EXCUSED: Final = (
    "-# You haven't moved yet, so your rating stays as it is, once a day on this server. For you it counts as not "
    "finished."
)
NOT_EXCUSED: Final = (
    "-# You've already left a match before your first move today. Once your turn has come, you're last for ratings."
)
"""For somebody who is about to leave a larger rated match before their own first move, by the day's abort or not."""

_WHY_NOT: Final = {
    Rated.AGREED: "This match didn't count for ratings.",
    Rated.ENDED: "Nobody's rating changes, because the match wasn't played to its end.",
    Rated.EXCUSED: "Nobody's rating changes, because somebody couldn't play on.",
    Rated.UNMOVED: "Nobody's rating changes, because too few players had made a move.",
}


def agreed(match: Match) -> str:
    """Return whether an open match counts, and who may join, in a few words."""
    counts = (f"{COUNTS}: no hints" if has_no_hints(match) else COUNTS) if match.rated else DOES_NOT_COUNT
    return f"{counts} · {AND_NEWCOMERS if match.newcomers else FOR_THE_RELIABLE}" if match.reliable else counts


def number(rating: Rating) -> str:
    """Return a rating with its uncertainty and its number of matches."""
    return f"{rating} ±{rating.uncertainty} after {counted(rating.matches, 'match', 'matches')}"


def number_and_change(change: Change) -> str:
    """Return a rating after a match, and the change: ``1512? +14``."""
    number = leaderboard.number(change.number, change.provisional)
    return f"**{number}** {leaderboard.change(change.change)}"


def reliability(record: Reliability) -> str:
    """Return a person's reliability in the last three months: ``finished 18 of 20, answers in 3 hours (median)``."""
    soon = "" if record.answers is None else f", answers in {words.span(record.answers)} (median)"
    return f"finished {record.finished} of {record.begun}{soon}"


def in_words(match: Match, changes: Sequence[Change], longest: int | None = names.LONGEST) -> str:
    """Return how a match that is over changed ratings, or why it didn't; empty if there is nothing to say.

    Names are cut to `longest` characters; ``None``: people are mentioned instead, which is always short.
    """
    if match.rating not in (Rated.COUNTED, Rated.PRACTICE):
        if match.rating is None or match.ended_by is Ended.ABORTED:
            return ""
        return _WHY_NOT.get(match.rating, "")
    what = "Ratings" if match.rating is Rated.COUNTED else "Practice rating (against computers)"
    if match.ended_by is Ended.VOTE:
        absent = any(seat.absent for seat in match.seats)
        what += ", only against who was absent" if absent else ", by how the match stood"
    named = [(change, _name(match, change.person, change, longest)) for change in changes]
    told = " · ".join(f"{name} {number_and_change(change)}" for change, name in named)
    # There are no changes to show if all of the people hide, or are forgotten.
    lines = [f"{what}: {told}"] if changes else []
    helped = [name for change, name in named if change.helped]
    if helped:
        why = "had help, or voted to end it" if match.ended_by is Ended.VOTE else "had help"
        lines.append(f"-# {listed(helped)} {why}, so they can't gain rating{'' if 'vote' in why else SPARED}.")
    late = [
        _name(match, seat.user_id, seat, longest) for seat in match.seats if seat.replaced and seat.user_id is not None
    ]
    if late:
        lines.append(f"-# Taking over a seat doesn't count: {listed(late)}.")
    return "\n".join(lines)


def _name(match: Match, user_id: UserId, named: Change | Seat, longest: int | None) -> str:
    if longest is None:
        return f"<@{user_id}>"
    seat = match.seat_of(user_id)
    return names.in_message(named.name, longest) if seat is None else names.person_at(seat, longest)
