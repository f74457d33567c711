"""Pledges: bringing people together who would each play if others did, and calling people to tables (P40).

`pledge` is a promise and what it allows now. `matching` finds people who can play together. `gathering` decides how a
table comes about from people who were asked, and `starting` starts it. `public` counts what everybody is told about
pledges. All of these are pure. `gathered` and `resting` store, within a transaction of `asking`, the part of the host.
"""

from __future__ import annotations

from typing import Final

from db.model.enums import Due, Kind, Status
from db.pledges.kept import Pledged
from db.pledges.rows import Answer, CallMeRow, PledgeRow
from matches.pledges import gathered, resting, starting
from matches.pledges.asking import Call, Pledges, Readiness
from matches.records.match import Match
from matches.records.seen import Offer
from matches.table.feature import Feature
from matches.table.value import Table

__all__ = ["FEATURE", "Answer", "Call", "CallMeRow", "PledgeRow", "Pledged", "Pledges", "Readiness"]


def _again(match: Match) -> tuple[Offer, ...]:
    """Return the button that stores that the presser would play what too few people came to."""
    closed = match.status is Status.CANCELLED and match.guild_id is not None
    return (Offer("want", "I'd play another time"),) if closed else ()


FEATURE: Final = Feature[Table](
    key=starting.KEY,
    part=lambda work, _: Pledges(work),
    unowned=starting.unowned,
    due={Due.START: starting.started},
    # A call that reaches nobody is given back.
    undropped=frozenset({Kind.WANTED}),
    stored=resting.seats_changed,
    given_back=gathered.given_back,
    afterwards=_again,
    withdrawn=gathered.all_over,
    left_out=starting.left_out,
)
