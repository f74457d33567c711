"""What a match has changed in ratings, and ratings in words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from cogs.client import Client
from cogs.post.boards import Outcome
from cogs.press.reply import Press
from cogs.text import names, words
from matches.api import Ended, Match, Rated, Reliability, Seat, UserId
from matches.ratings import Ratings
from matches.ratings.asking import Change
from matches.ratings.profiles import Rating
from render import leaderboard
from render.grammar import counted, listed

SPARED: Final = ", and nobody loses to them"

_WHY_NOT: Final = {
    Rated.AGREED: "This match didn't count for ratings.",
    Rated.ENDED: "Nobody's rating changes, because the match wasn't played to its end.",
    Rated.EXCUSED: "Nobody's rating changes, because somebody couldn't play on.",
    Rated.UNMOVED: "Nobody's rating changes, because too few players had made a move.",
}


async def outcome(bot: Client, match: Match, briefly: bool) -> Outcome:
    """Return what to tell of the ratings of a match that is over; `briefly` without the changes."""
    changes = () if briefly else await bot.host.part(Ratings).changes(match.id)
    return Outcome(partial(in_words, match, changes), frozenset(change.person for change in changes))


async def own(press: Press, match: Match) -> str:
    """The change of the person's rating if they hide it, because the end post doesn't show it then."""
    host, user = press.host, press.person
    if match.seat_of(user) is None or not (await host.settings.player_settings(user)).hidden:
        return ""
    own = [change for change in await host.part(Ratings).changes(match.id, user) if change.person == user]
    return "".join(f"\nYour rating, which only you can see: {number_and_change(change)}." for change in own)


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
