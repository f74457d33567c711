"""Host.reviews: reviews of finished matches, computed step by step behind all other thinking.

How verdicts come about is in `matches/analysis/`, the queries in `db/review/kept.py`, the command in
`cogs/review/pages.py`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final

from cachetools import LRUCache

from db import Connection
from db.model.enums import Ended, Status
from db.model.ids import MatchId, UserId
from db.review import kept as reviews
from db.review.kept import ReviewRow
from db.store.leases import Lease
from db.store.transactions import wait_for_turn
from games.core import Played
from games.exercise import Answer, Task
from matches.analysis.progress import POSTED, VERSIONS, Moment, Plan
from matches.analysis.rounds import RoundsPlan, plan_of
from matches.analysis.trying import Option
from matches.computers.pool import Computers
from matches.computers.thinking import judgement_of
from matches.engine.workers import WorkerDied
from matches.errors import Busy, Frozen, NotAllowed, NotFound, Pruned, Unavailable, WrongTime
from matches.records.match import Match
from matches.review.branching import Branching
from matches.review.views import Retry, Review, Sight, Told
from matches.work.part import Chore
from matches.work.unit_of_work import UnitOfWork

log = logging.getLogger(__name__)

MOST_WAITING: Final = 1000
"""How many waiting people a process remembers."""

GONE: Final = "That moment isn't in the review any more. Press **Review** again."
NOT_YOURS: Final = "That's somebody else's moment. You can try it once they've posted it."
WAS_PLAYED: Final = "That's what was played."
POOR: Final = "There are much better moves."


class Reviews(Branching):
    """Reviews finished matches, and opens tables at which they are played on. All of it raises Unavailable."""

    def __init__(self, work: UnitOfWork, computers: Computers) -> None:
        super().__init__(work)
        self._computers = computers
        self._latest: tuple[MatchId, Plan] | None = None
        self._waiting: LRUCache[tuple[MatchId, UserId], Callable[[], Awaitable[None]]] = LRUCache(MOST_WAITING)
        """By match and person: the callback that tells them once this process has finished the review."""
        self._reviewing = Chore("reviewing", self.due, self.go_on)
        self.chores = (self._reviewing,)

    # What people ask.

    async def ask(self, match_id: MatchId, user_id: UserId, *, again: bool = False) -> Review:
        """Begin the review of a finished match unless there is one, and return how far it is, for this person.

        `again`: replace a review that an earlier version of judging made. Raises NotFound, WrongTime before the end,
        NotAllowed (a game without reviews), Pruned, Frozen, and Busy while this person waits for another review.
        """
        match, plan = await self._planned(match_id)
        version = VERSIONS[match.game]

        def work(connection: Connection) -> None:
            # One person may ask for two matches at the same time, and two people of a server for one turn.
            wait_for_turn(connection, "reviews")
            row = reviews.get(connection, match_id, lock=True)
            # After its person was forgotten, whoever asks next waits for it.
            left = row is not None and row.finished_at is None and row.user_id is None
            if row is not None and not left and (row.version == version or not again):
                return
            other = reviews.awaited_by(connection, user_id)
            if other not in (None, match_id):
                raise Busy(f"You're still waiting for the review of match {other}. One at a time, please.")
            turn = reviews.next_turn(connection, match_id)
            results = row.results if row is not None and left and row.version == version else {}
            reviews.begin(connection, match_id, ReviewRow(version, results, user_id, self._work.now(), turn=turn))

        await self._work.write(work, idempotent=True)
        self._reviewing.wake()
        return await self._shown(match, plan, user_id)

    async def when_finished(self, match_id: MatchId, user_id: UserId, told: Callable[[], Awaitable[None]]) -> None:
        """Call `told` once the review is finished, if this process finishes it, or at once if it is finished already.

        A restart forgets `told`. Then the person finds the review when they look for it.
        """
        self._waiting[match_id, user_id] = told
        row = await self._work.read(reviews.get, match_id)
        if row is not None and row.finished_at is not None:
            await self._tell(match_id)

    def no_longer_waits(self, match_id: MatchId, user_id: UserId) -> None:
        """Don't tell this person any more: they have looked."""
        self._waiting.pop((match_id, user_id), None)

    async def look(self, match_id: MatchId, user_id: UserId) -> Review:
        """Return the review of a match for this person. Raises NotFound if nobody has asked for one, and as `ask`."""
        return await self._shown(*await self._planned(match_id), user_id)

    async def to_try(self, match_id: MatchId, ply: int, user_id: UserId) -> Retry:
        """Return the moment at a line, for this person to try. Raises NotFound, NotAllowed, and as `ask`.

        A moment of somebody else's is refused until they have posted it.
        """
        match, plan = await self._planned(match_id)
        row = await self._work.read(reviews.get, match_id)
        if row is None or row.finished_at is None:
            raise NotFound(GONE)
        return await asyncio.to_thread(_retry, match, plan, row, ply, user_id)

    async def note_posted(self, match_id: MatchId, ply: int) -> None:
        """Note that a moment was posted, so that everybody may try it."""

        def work(connection: Connection) -> None:
            row = reviews.get(connection, match_id, lock=True)
            if row is not None and row.finished_at is not None:
                reviews.grow(connection, match_id, {**row.results, f"{POSTED} {ply}": True})

        await self._work.write(work, idempotent=True)

    async def _shown(self, match: Match, plan: Plan, user_id: UserId) -> Review:
        def look(connection: Connection) -> tuple[ReviewRow | None, int]:
            row = reviews.get(connection, match.id)
            waits = row is not None and row.finished_at is None
            return row, reviews.ahead(connection, row, match.id) if row is not None and waits else 0

        row, ahead = await self._work.read(look)
        if row is None:
            raise NotFound("This match hasn't been reviewed yet. Press **Review**.")
        return await asyncio.to_thread(_seen, match, plan, row, ahead, user_id)

    # What is computed.

    async def due(self, at_most: int = 1) -> tuple[MatchId, ...]:
        """Return at most this many reviews that aren't finished, in their order: servers take turns."""
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
        version = VERSIONS[plan.header.game]
        if row.version != version:
            row = row._replace(version=version, results={})
            await self._work.write(reviews.begin, match_id, row)
        step = await asyncio.to_thread(plan.next_step, row.results)
        if step is None:
            await self._work.write(reviews.finish, match_id, row.results, self._work.now())
            await self._tell(match_id)
            return
        found = await self._computers.in_background(plan.do, step, owner=row.user_id)
        await self._work.write(reviews.grow, match_id, {**row.results, step.key: found})

    async def _tell(self, match_id: MatchId) -> None:
        for key in [each for each in self._waiting if each[0] == match_id]:
            told = self._waiting.pop(key)
            try:
                await told()
            except Exception as error:  # The boundary: the review is stored, whoever hears of it.
                log.warning("match %s: somebody wasn't told of their review", match_id, exc_info=error)

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
        if match.game not in VERSIONS:
            raise NotAllowed(f"I can't review {match.info.name} yet.")
        people = (seat.seat for seat in match.seats if seat.user_id is not None or seat.computer is None)
        seats = frozenset(int(seat) for seat in people if seat is not None)
        plan = plan_of(match.header, tuple(lines), seats, self._computers.effort)
        if not plan.begun:
            raise WrongTime("Nobody has made a move in this match.")
        return match, plan


def _seen(match: Match, plan: Plan, row: ReviewRow, ahead: int, user_id: UserId) -> Review:
    """Return the review as this person may see it."""
    unit, outdated = judgement_of(match.game).unit, row.version != VERSIONS[match.game]
    if row.finished_at is None:
        return Review(match, unit, min(0.99, plan.progress(row.results)), ahead, outdated)
    own = match.seat_of(user_id)
    seat = None if own is None or own.seat is None else int(own.seat)
    return Review(
        match,
        unit,
        1.0,
        0,
        outdated,
        plan.outline(row.results),
        _told(match, plan, row, seat),
        seat,
        plan.luck(row.results),
        plan.rounds(row.results) if isinstance(plan, RoundsPlan) else (),
    )


def _told(match: Match, plan: Plan, row: ReviewRow, seat: int | None) -> tuple[Told, ...]:
    """Return the moments of the story, and the other ones of a seat, in the order of the match."""
    story = plan.story(row.results, by_rules=match.ended_by is Ended.RULES)
    own = [] if seat is None else plan.own(row.results, seat, story)
    numbers = {moment: number for number, moment in enumerate(story, 1)}
    found = []
    for moment in sorted({*story, *own}):
        mover, text = moment.decision.seat, moment.decision.text
        before, _ = plan.before(moment.decision.ply)
        action = before.string_to_action(mover, text)
        after = before.child(mover, action)
        public, private = (
            Sight(
                before.observation(viewer),
                Played(mover, before.seen_by(viewer, mover, action)),
                after.observation(viewer),
            )
            for viewer in (None, mover)
        )
        better = before.string_to_action(mover, moment.better) if moment.better else None
        can_try = bool(plan.options(row.results, moment))
        found.append(Told(moment, numbers.get(moment, 0), public, private, better, can_try))
    return tuple(found)


def _retry(match: Match, plan: Plan, row: ReviewRow, ply: int, user_id: UserId) -> Retry:
    """Return the moment at a line. Raises NotFound and NotAllowed."""
    decision = next((each for each in plan.decisions if each.ply == ply), None)
    if decision is None:
        raise NotFound(GONE)
    story = plan.story(row.results, by_rules=match.ended_by is Ended.RULES)
    moments = plan.own(row.results, decision.seat, story)
    number, moment = next(((at, each) for at, each in enumerate(moments, 1) if each.decision.ply == ply), (0, None))
    own = match.seat_of(user_id)
    is_own = own is not None and own.seat == decision.seat
    # A moment that doesn't exist must look like one that wasn't posted.
    if not is_own and (moment is None or f"{POSTED} {ply}" not in row.results):
        raise NotAllowed(NOT_YOURS)
    options = {} if moment is None else plan.options(row.results, moment)
    if moment is None or not options:
        raise NotFound(GONE)
    known = plan.known(ply)
    answers = {text: _answer(moment, text, option) for text, option in options.items()}
    task = Task(match.game, known.position, decision.seat, answers, Answer(False, POOR), moment.better)
    following = next((each.decision.ply for each in moments[number:] if plan.options(row.results, each)), None)
    return Retry(match, moment, task, number if is_own else None, len(moments), following)


def _answer(moment: Moment, text: str, option: Option) -> Answer:
    """Return the reply to an action at a moment."""
    if text == moment.better:
        return Answer(True, "I found nothing better.")
    if option.right:
        return Answer(True, "That's also good: I can't tell it from the best I found.")
    return Answer(False, WAS_PLAYED if text == moment.decision.text else POOR, then=option.then)
