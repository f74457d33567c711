"""Verifies that the deals of a match follow from the seed and the presses before its start (docs/fair-deals.md)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import NamedTuple

from games.core import CHANCE
from games.log import Branch, Course, Line, branched, to_text
from matches.records import fair
from matches.records.match import Match


class Verification(NamedTuple):
    """The result: whether the seed is that of the commitment, and whether seats and chance lines follow from it.

    In a match that was played on from another one, only the lines after its branch are checked, with the seed of the
    branch. What was dealt before isn't sealed by this match: somebody can play on from there as often as they like.
    `sum` is the checksum of the match's file, with which anybody can compare a copy. `chance_ok` is ``None`` if the
    match's lines were deleted, so that its chance lines can't be checked.
    """

    seed: str
    commitment: str
    commitment_ok: bool
    seats_ok: bool
    chance_ok: bool | None
    explanation: str
    sum: str

    @property
    def ok(self) -> bool:
        """Whether everything that can be checked agrees."""
        return self.commitment_ok and self.seats_ok and self.chance_ok is not False


def verified(match: Match, draws: fair.Draws, lines: Sequence[Line]) -> Verification:
    """Check commitment, seats and every chance line of a finished match against its draws. Raises LogError.

    If its lines were deleted, only commitment and seats are checked.
    """
    in_lobby = sorted(match.seats, key=lambda seat: seat.position)
    order = draws.seats(len(match.seats), match.branch_seat)
    seats_ok = all(in_lobby[position].seat == seat for seat, position in enumerate(order))
    good, drawn = (0, 0) if match.is_pruned else _deals(match, draws, lines)
    pruned, commitment_ok = match.log_sum, draws.commitment == match.commitment
    return Verification(
        seed=draws.seed.hex(),
        commitment=match.commitment,
        commitment_ok=commitment_ok,
        seats_ok=seats_ok,
        chance_ok=good == drawn if pruned is None else None,
        explanation=_explained(match, commitment_ok, seats_ok, good, None if pruned else drawn),
        sum=pruned or sum_of(match, draws, lines),
    )


def _deals(match: Match, draws: fair.Draws, lines: Sequence[Line]) -> tuple[int, int]:
    """Return how many draws of this match follow from the seed, and how many there are. Raises LogError."""
    course, good, there = Course.begin(match.header), 0, 0
    begun = next((line.ply for line in reversed(lines) if branched(line) is not None), -1)
    for line in lines:
        if line.ply == begun:
            there += 1
            good += line.text == Branch(line.ply, match.branch_seat or 0, draws.branch(course.draws)).event
        elif line.player == CHANCE and line.ply > begun:
            drawn = course.state.sample_chance(draws.chance(course.draws))
            there += 1
            good += course.state.action_to_string(drawn) == line.text
        course = course.after(line, trusted=True)
    return good, there


def sum_of(match: Match, draws: fair.Draws, lines: Iterable[Line]) -> str:
    """Return the checksum of the match's file."""
    return _sum(_told(match, draws, lines))


def exported(match: Match, draws: fair.Draws, lines: Iterable[Line]) -> str:
    """Return the file of a finished match: what is needed to check its deals, then its log."""
    told = _told(match, draws, lines)
    return f"# sum={_sum(told)}\n{told}"


def _told(match: Match, draws: fair.Draws, lines: Iterable[Line]) -> str:
    remarks = {
        "match": match.id,
        "scheme": draws.scheme,
        "commitment": match.commitment,
        "seed": draws.seed.hex(),
        "presses": ",".join(draws.pressed),
        "seats": ",".join(str(seat.position) for seat in match.seats),
    }
    return "".join(f"# {name}={value}\n" for name, value in remarks.items()) + to_text(match.header, lines)


def _sum(text: str) -> str:
    return sha256(text.encode("ascii")).hexdigest()


def _explained(match: Match, commitment_ok: bool, seats_ok: bool, good: int, draws: int | None) -> str:
    """Return the result in sentences. `draws` counts this match's draws, ``None`` if its lines were deleted."""
    if not commitment_ok:
        return "The seed isn't the one that the lobby committed to."
    if not seats_ok:
        return "The seats aren't the ones that follow from the seed."
    if draws is None:
        return (
            "The seed is the one that the lobby committed to before anybody joined, and the seats follow from it. "
            "I can't check the deals any more, because the moves have been deleted."
        )
    if good != draws:
        return f"Only {good} of {draws} deals follow from the seed."
    if match.is_branched:
        return (
            f"This match was played on from another one{_origin(match)}, so **its deals aren't sealed**. What was "
            f"dealt there is a copy. What Player {1 + (match.branch_seat or 0)} couldn't know was drawn again, and "
            "they could play on until they liked the cards. What was drawn since then follows from the seed."
        )
    return (
        "The seed is the one that the lobby committed to before anybody joined; the seats and "
        f"{'the only deal' if draws == 1 else f'all {draws} deals'} follow from it."
    )


def _origin(match: Match) -> str:
    return "" if match.branch_of is None else f" (match {match.branch_of})"
