"""Host.reviews: reviews of finished matches, computed step by step behind all other thinking.

How verdicts come about is in `matches/review/`, the queries in `db/matches/reviews.py`, the command in
`cogs/look/review.py`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Final

from db import Connection
from db.matches import reviews
from db.matches.leases import Lease
from db.model.enums import Status
from db.model.ids import MatchId, UserId
from db.model.rows import ReviewRow
from db.store.transactions import wait_for_turn
from matches.computers.pool import Computers
from matches.computers.thinking import judgement_of
from matches.engine.workers import WorkerDied
from matches.errors import Busy, Frozen, NotAllowed, NotFound, Pruned, Unavailable, WrongTime
from matches.host.part import Part
from matches.host.unit_of_work import UnitOfWork
from matches.records.match import Match
from matches.records.review import OwnMoment, Review
from matches.review.outline import turning_points
from matches.review.progress import REVIEWED, VERSION, Plan

log = logging.getLogger(__name__)

TURNS: Final = 3
"""How many turning points a story has at most."""

LEAST_TURN: Final = 1.0
"""The least change of a lead that is a turning point, in the game's unit."""


class Reviews(Part):
    """Reviews finished matches. All of it raises Unavailable."""

    def __init__(self, work: UnitOfWork, computers: Computers) -> None:
        super().__init__(work)
        self._computers = computers
        self._latest: tuple[MatchId, Plan] | None = None
        self.on_asked: Callable[[], None] | None = None
        """Called when there is something to do."""

    # What people ask.

    async def ask(self, match_id: MatchId, user_id: UserId, *, again: bool = False) -> Review:
        """Begin the review of a finished match unless there is one, and return how far it is, for this person.

        `again`: replace a review by an earlier version of judging. Raises NotFound, WrongTime before the end,
        NotAllowed (no such game), Pruned, Frozen, and Busy while this person waits for another review.
        """
        match, plan = await self._planned(match_id)

        def work(connection: Connection) -> None:
            # One person may ask for two matches at the same time.
            wait_for_turn(connection, "reviews", user_id)
            row = reviews.get(connection, match_id, lock=True)
            if row is not None and (row.version == VERSION or not again):
                return
            other = reviews.awaited_by(connection, user_id)
            if other not in (None, match_id):
                raise Busy(f"You're still waiting for the review of match {other}. One at a time, please.")
            reviews.begin(connection, match_id, ReviewRow(VERSION, {}, user_id, self._work.now()))

        await self._work.write(work, idempotent=True)
        if self.on_asked is not None:
            self.on_asked()
        return await self._shown(match, plan, user_id)

    async def look(self, match_id: MatchId, user_id: UserId) -> Review:
        """Return the review of a match for this person. Raises NotFound if nobody has asked for one, and as `ask`."""
        return await self._shown(*await self._planned(match_id), user_id)

    async def _shown(self, match: Match, plan: Plan, user_id: UserId) -> Review:
        def look(connection: Connection) -> tuple[ReviewRow | None, int]:
            row = reviews.get(connection, match.id)
            waits = row is not None and row.finished_at is None
            return row, reviews.ahead(connection, row.asked_at, match.id) if row is not None and waits else 0

        row, ahead = await self._work.read(look)
        if row is None:
            raise NotFound("This match hasn't been reviewed yet. Use `/match review`.")
        return await asyncio.to_thread(_seen, match, plan, row, ahead, user_id)

    # What is computed.

    async def due(self, at_most: int = 1) -> tuple[MatchId, ...]:
        """Return at most this many reviews that aren't finished, in the order in which they were asked for."""
        return tuple(await self._work.read(reviews.unfinished, self._work.now(), self._work.name, at_most))

    async def go_on(self, match_id: MatchId) -> None:
        """Do one step of a review, and store it. A review that can't be finished is deleted."""
        now = self._work.now()
        row = await self._work.write(reviews.lease, match_id, Lease(self._work.name, now + self._work.lease), now)
        if row is None:
            return
        try:
            await self._step(match_id, row)
        except (NotFound, Pruned, Frozen, WrongTime):
            await self._work.write(reviews.remove, match_id)
        except WorkerDied as error:
            log.error("match %s: its review was given up: %s", match_id, error)
            await self._work.write(reviews.remove, match_id)
        except Unavailable:
            raise
        except Exception as error:  # The boundary: one review that can't go on must not keep the others back.
            log.exception("match %s: its review was given up", match_id, exc_info=error)
            await self._work.write(reviews.remove, match_id)

    async def _step(self, match_id: MatchId, row: ReviewRow) -> None:
        plan = await self._plan(match_id)
        if row.version != VERSION:
            row = row._replace(version=VERSION, results={})
            await self._work.write(reviews.begin, match_id, row)
        step = await asyncio.to_thread(plan.next_step, row.results)
        if step is None:
            await self._work.write(reviews.finish, match_id, row.results, self._work.now())
            return
        found = await self._computers.in_background(plan.do, step, owner=row.user_id)
        await self._work.write(reviews.grow, match_id, {**row.results, step.key: found})

    async def _plan(self, match_id: MatchId) -> Plan:
        """Return what is reviewed. The latest plan is kept, since a review has many steps."""
        if self._latest is None or self._latest[0] != match_id:
            self._latest = match_id, (await self._planned(match_id))[1]
        return self._latest[1]

    async def _planned(self, match_id: MatchId) -> tuple[Match, Plan]:
        """Return a match with what is reviewed of it. Raises as `ask`."""
        table, lines = await self._work.snapshot(match_id, with_lines=lambda _: True)
        match = table.match
        if match.status is not Status.OVER:
            raise WrongTime("A match can be reviewed once it's over.")
        if match.game not in REVIEWED:
            raise NotAllowed(f"I can't review {match.info.name} yet.")
        people = (seat.seat for seat in match.seats if seat.user_id is not None or seat.computer is None)
        seats = frozenset(int(seat) for seat in people if seat is not None)
        plan = Plan(match.header, tuple(lines), seats, self._computers.effort)
        if not plan.begun:
            raise WrongTime("Nobody has made a move in this match.")
        return match, plan


def _seen(match: Match, plan: Plan, row: ReviewRow, ahead: int, user_id: UserId) -> Review:
    """Return the review as this person may see it."""
    unit, outdated = judgement_of(match.game).unit, row.version != VERSION
    if row.finished_at is None:
        return Review(match, unit, min(0.99, plan.progress(row.results)), ahead, outdated)
    points = plan.outline(row.results)
    turns = tuple(turning_points(points, TURNS, LEAST_TURN))
    own = match.seat_of(user_id)
    if own is None or own.seat is None:
        return Review(match, unit, 1.0, 0, outdated, points, turns)
    seat, moments = int(own.seat), list[OwnMoment]()
    for moment in plan.moments(row.results, seat):
        state, _ = plan.before(moment.decision.ply)
        played, better = (state.string_to_action(seat, text) for text in (moment.decision.text, moment.better))
        moments.append(OwnMoment(moment, state.observation(seat), played, better))
    return Review(match, unit, 1.0, 0, outdated, points, turns, seat, tuple(moments))
