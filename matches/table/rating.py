"""What the end of a match means for ratings, for everybody's record, and for statistics (``docs/ratings.md``).

`meaning` alone decides this, from who acted, who left when, who was absent, who voted and who was helped. A person who
leaves never gains.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from db.model.enums import Ended, Rated, Status, Vote
from db.model.ids import SeatNumber, UserId
from games.core import State, places
from games.core.feat import feat
from matches.computers.thinking import judgement_of
from matches.errors import NotAllowed
from matches.records.match import Match
from matches.records.seat import Seat
from matches.results.result import Entrant
from matches.table.events import MatchEnded
from matches.table.limits import Deed
from matches.table.value import Table

_ENDING: Final = (Vote.CANCEL, Vote.END)


class Meaning(NamedTuple):
    """What the end of a match means.

    `rated`: whether it changes ratings. `entrants`, by place in the lobby, are those who are compared. `finished`, by
    place in the lobby, says whether the person who began the match there has finished it. For a missing place the match
    doesn't count in anybody's record. `winners` are seats, `places` the ranks of all seats if there is a winner.
    `counts`: it goes into the statistics.
    """

    rated: Rated
    entrants: Mapping[int, Entrant]
    finished: Mapping[int, bool]
    winners: tuple[SeatNumber, ...]
    places: tuple[int, ...] | None
    counts: bool


def meaning(table: Table) -> Meaning:
    """Return what the end of this match means. Its position must be known."""
    assert table.course is not None
    match, state = table.match, table.course.state
    merits = _merits(match, state)
    rated, entrants = _rated(table, merits), dict[int, Entrant]()
    if merits is not None and rated in (Rated.COUNTED, Rated.PRACTICE):
        entrants = _entrants(match, state, merits)
        if not entrants:
            rated = Rated.ENDED
    finished = {seat.position: is_so for seat in match.seats if (is_so := _finished(match, seat)) is not None}
    winners = _winners(match, state)
    standing = None
    if winners and merits is not None:
        stayed = [not (seat.left or seat.absent) or seat.level is not None for seat in match.seats]
        standing = places([(is_so, merit if is_so else None) for is_so, merit in zip(stayed, merits, strict=True)])
    counts = bool(winners) and _has_moved(match)
    if match.ended_by is Ended.RULES:
        counts = not any(seat.left for seat in match.seats)
    counts = counts and not match.is_branched
    return Meaning(rated, entrants, finished, winners, standing, counts)


def settled(table: Table) -> Table:
    """Store on the table what the end of its match means."""
    assert table.course is not None
    state = table.course.state
    found, points = meaning(table), tuple(map(int, state.returns()))
    for seat in table.match.seats:
        table = table.set_seat(seat.position, finished=found.finished.get(seat.position))
        if found.places is not None and seat.seat is not None:
            own: dict[str, Any] = {"won": seat.seat in found.winners, "points": points[seat.seat]}
            if seat.seat in found.winners and table.match.ended_by is Ended.RULES and not table.match.is_branched:
                own["feat"] = tuple(feat(seat.seat, points, state.scored()))
            table = table.set_seat(seat.position, **own, place=found.places[seat.seat])
    table = table.set(rating=found.rated, counts=found.counts)
    return table.with_event(MatchEnded(found.entrants, practice=found.rated is Rated.PRACTICE))


def deserted(before: Match, table: Table) -> Table:
    """Note who leaves, or doesn't come, at their own first turn or after it, without having acted.

    They count as last, like anybody who leaves. Once a day on a server the abort excuses them, and they are out of the
    result. Those who vote to end the match are compared as it stands, as if they had acted. All ways to leave end here.
    """
    match = table.match
    aborted = match.ended_by is Ended.ABORTED
    if before.status is not Status.RUNNING or table.course is None or not is_rated(match) or aborted:
        return table
    waited = match.ended_by is not Ended.ABANDONED or match.awaited
    ended = match.ended_by is Ended.VOTE and not _is_agreed(match)
    voters = {ballot.user_id for ballot in match.ballots if ballot.vote is Vote.CANCEL and ended}
    for seat in before.present:
        then = next(each for each in match.seats if each.position == seat.position)
        if then.acted or then.excused or seat.replaced or seat.seat not in table.course.asked or not waited:
            continue
        if _is_gone(then) and seat.user_id in table.may_abort:
            table = table.using(Deed.ABORT, seat.user_id)
        elif _is_gone(then) or seat.user_id in voters:
            table = table.set_seat(seat.position, deserted=True)
    return table


def costs_gain(match: Match, seat: Seat) -> bool:
    """Whether a hint would cost whoever has this seat their rating gain in this match."""
    return is_rated(match) and not seat.helped


def helped(table: Table, user_id: UserId | None) -> Table:
    """Note that this person has had help that the others don't see, so that they can't gain rating any more."""
    seat = table.match.seat_of(user_id)
    return table if seat is None or seat.helped else table.set_seat(seat.position, helped=True)


def is_rated(match: Match) -> bool:
    """Whether the result will change ratings, as far as one can know before the end."""
    return match.rated and match.guild_id is not None


def has_no_hints(match: Match) -> bool:
    """Whether nobody gets hints, because the match is rated and between people. A lobby with room may become that."""
    if match.status is Status.LOBBY:
        return is_rated(match) and sum(seat.user_id is not None for seat in match.seats) + match.has_room > 1
    return is_rated(match) and sum(seat.entered for seat in match.seats) > 1


def check_hints(match: Match) -> None:
    """Raise NotAllowed if nobody gets hints in this match."""
    if has_no_hints(match):
        raise NotAllowed(
            "There are no hints in a rated match between people. You get them in unrated matches, and if you play "
            "against computers alone."
        )


def _merits(match: Match, state: State[Any]) -> Sequence[Any] | None:
    """Return the merits by which the remaining seats are compared, higher is better; ``None`` if there is no result.

    If somebody was absent or resigned, all others are equal. A match that a vote ended without everybody's consent is
    compared as it stood.
    """
    equal = (0,) * len(match.seats)
    match match.ended_by:
        case Ended.RULES:
            return state.merits()
        case Ended.RESIGNED:
            return equal
        case Ended.ABANDONED:
            return equal if _is_resignation(match) else None
        case Ended.LEFT if any(seat.level is not None for seat in match.seats):
            return state.merits()
        case Ended.VOTE if any(seat.absent for seat in match.seats):
            return equal
        case Ended.VOTE:
            return None if _is_agreed(match) else state.merits()
        case _:
            return None


def _is_resignation(match: Match) -> bool:
    """Whether the player who let a match end has lost it: nothing excused them, and somebody waited for them."""
    absent = any(seat.absent and _is_compared(seat) for seat in match.seats)
    return absent and match.awaited and (len(match.seats) > 2 or all(map(_is_compared, match.seats)))


def _is_agreed(match: Match) -> bool:
    """Whether everybody who plays has agreed to end the match, and there are at least two of them."""
    agreed = {ballot.user_id for ballot in match.ballots if ballot.vote is Vote.CANCEL}
    return len(match.present) > 1 and all(seat.user_id in agreed for seat in match.present)


def _is_compared(seat: Seat) -> bool:
    """Whether whoever began the match at this seat is in its result. They have acted, or left too late not to be."""
    return seat.acted or seat.deserted or seat.level is not None


def _has_moved(match: Match) -> bool:
    """Whether everybody who began the match has acted."""
    return all(seat.acted or seat.level is not None for seat in match.seats)


def _rated(table: Table, merits: Sequence[Any] | None) -> Rated:
    match = table.match
    people = [seat for seat in match.seats if seat.entered]
    if table.unrated:
        return Rated.OFF
    if not is_rated(match):
        return Rated.AGREED
    if not people:
        return Rated.NOBODY
    if any(seat.excused for seat in match.seats):
        return Rated.EXCUSED
    if merits is None:
        return Rated.ENDED
    played = any(seat.acted or seat.level is not None for seat in match.seats)
    if not played or sum(map(_is_compared, people)) < min(2, len(people)):
        return Rated.UNMOVED
    return Rated.COUNTED if len(people) > 1 else Rated.PRACTICE


def _entrants(match: Match, state: State[Any], merits: Sequence[Any]) -> dict[int, Entrant]:
    """Return those who began the match and are compared, with their ranks, by place in the lobby; empty for no result.

    A computer's seat stays a computer's, even if a person takes it later.
    """
    absent = any(seat.absent for seat in match.seats)
    voters = frozenset[UserId]()
    if match.ended_by is Ended.VOTE and not absent:
        voters = frozenset(ballot.user_id for ballot in match.ballots if ballot.vote in _ENDING)
    seats = [seat for seat in match.seats if _is_compared(seat)]
    if len(seats) < 2 or (absent and (all(map(_is_gone, seats)) or not any(seat.absent for seat in seats))):
        return {}
    # Several people who are gone share the last place. They count as helped, so that none of them gains by it.
    several = sum(map(_is_gone, seats)) > 1
    # If somebody was absent or nobody stayed, the order of the others doesn't matter: those who are gone lose to each.
    equal = absent or match.ended_by is Ended.LEFT
    order = [
        (not _is_gone(seat), None if _is_gone(seat) else (merits[seat.seat or 0], -seat.position if equal else 0))
        for seat in seats
    ]
    parts, ranks = state.parts(), places(order)
    # Nobody loses to somebody who had help.
    aided = [(number, rank) for number, (seat, rank) in enumerate(zip(seats, ranks, strict=True)) if _had_help(seat)]
    return {
        seat.position: Entrant(
            rank,
            level=seat.level,
            helped=seat.level is None and (seat.helped or (several and _is_gone(seat)) or seat.user_id in voters),
            parts=parts[seat.seat or 0] if seat.level is None and not _is_gone(seat) else (),
            absent=absent and len(seats) > 2 and _is_gone(seat),
            spared=()
            if seat.level is not None
            else tuple(other for other, place in aided if place <= rank and seats[other] != seat),
            edition=0 if seat.level is None else judgement_of(match.game).edition,
        )
        for seat, rank in zip(seats, ranks, strict=True)
    }


def _had_help(seat: Seat) -> bool:
    """Whether the person who began the match here still plays, and had help."""
    return seat.helped and seat.level is None and not _is_gone(seat)


def _is_gone(seat: Seat) -> bool:
    """Whether the person who began the match at this seat is no longer there. A computer is never gone."""
    return seat.level is None and (seat.left or seat.replaced or seat.absent)


def _finished(match: Match, seat: Seat) -> bool | None:
    """Whether the match counts as finished for the person who began it at this seat; ``None``: it doesn't count."""
    how = match.ended_by
    if not seat.entered or seat.excused or how is Ended.MODERATOR:
        return None
    resigned = how is Ended.RESIGNED and seat.resigned and seat.computer is None and not seat.replaced
    if _is_gone(seat) and not resigned:
        return False
    match how:
        case Ended.RULES:
            return True if seat.acted else None
        case Ended.RESIGNED:
            return True if _has_moved(match) else False if resigned else None
        case Ended.ABANDONED:
            return True if _is_resignation(match) else None
        case Ended.HOST if seat.user_id == match.host_id and len(match.present) > 1:
            return False
        case _:
            return None


def _winners(match: Match, state: State[Any]) -> tuple[SeatNumber, ...]:
    one_left = match.ended_by is Ended.ABANDONED and len(match.seats) == 2 and _is_resignation(match)
    if match.ended_by is Ended.RESIGNED or one_left:
        stayed = (seat for seat in match.seats if seat.level is not None or not (seat.resigned or seat.absent))
        return tuple(seat.seat for seat in stayed if seat.seat is not None)
    outcome = state.outcome() if match.ended_by is Ended.RULES else None
    return () if outcome is None else tuple(map(SeatNumber, outcome.winners))
