"""The scheduler: starts work on matches as soon as it is stored. Each tick takes up what is left over.

It runs without Discord. The caller gives it a function that delivers news (`Deliver`), and calls `tick` every few
seconds. Lanes keep different work apart: messages (many matches at once, one after another within a match), tidying
(old messages), time (reminders, turns that are overdue) and thinking (computers). Tables without people have lanes of
their own for thinking and for their posts, so they never fill those of others. Each chore of a part of the host has a
lane that works in small steps (`matches/work/part.py`).
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from itertools import product
from types import MappingProxyType
from typing import Any, Final, TypeAlias, TypeVar

from db.model.enums import AWAITED, TIDYING, WATCHED, Due, Kind, Status
from db.model.rows import DeadlineRow, Telling
from db.store.leases import Shards
from matches.delivery.timekeeper import BY_TIME
from matches.engine.lanes import Lane
from matches.errors import HostError, Unavailable
from matches.host.host import Host
from matches.records.match import Match
from matches.records.posts import Posted
from matches.work.part import Chore

log = logging.getLogger(__name__)

L = TypeVar("L", bound=Lane[Any, Any])

TICK: Final = 5.0
"""Seconds between two calls of `Scheduler.tick`."""

OUTCOMES: Final = ("told", "postponed", "given up", "dropped")
"""What can become of a row of the outbox that is taken up."""

MATCHES_AT_ONCE: Final = 25
POSTS_AT_ONCE: Final = 2
"""How many posts of matches without people are edited at once. Only spectators wait for them."""

TIDIED_AT_ONCE: Final = 4
"""In how many matches old messages are tidied up at once. Nobody waits for that."""

TIDIED_AGAIN: Final = timedelta(minutes=1)
TIDIED_AT_MOST: Final = 3
"""Tidying that fails, or gives way to work for people: the pause before a retry, and the most tries in all."""

TIDIED_WITHIN: Final = timedelta(hours=1)
"""Tidying that has waited this long is dropped. Pressing a button of an old message does no harm."""

ROWS_OF_A_MATCH: Final = 4
DEADLINES_AT_ONCE: Final = 20
THOUGHTS_AT_ONCE: Final = 100
"""How many computers' turns are taken up. The worker processes decide how many of them think at once."""

WATCHED_AT_ONCE: Final = 10
"""The same for tables without people. However many there are, they cost the rest of the program little."""

FIRST_PUT_OFF: Final = timedelta(seconds=30)
LONGEST_PUT_OFF: Final = timedelta(minutes=30)

SOON: Final = (timedelta(seconds=4), timedelta(seconds=30))
"""The first and the longest pause before a retry if Discord or the network fails."""

LATER: Final = (timedelta(minutes=5), timedelta(hours=6))
"""The same if Discord refuses the message, or if it can't be made. Discord bars bots that repeat refused requests."""

GIVEN_UP: Final = timedelta(days=3)
"""News that can't be delivered for so long is dropped. The match is kept, and can be moved."""


class Undelivered(Exception):
    """Raised by `Deliver`: retry the row, in seconds if `soon`, else in minutes. Its text says why."""

    def __init__(self, why: str, *, soon: bool) -> None:
        super().__init__(why)
        self.soon = soon


class MovedOn(Exception):
    """Raised by `Deliver`: the match has moved on, so read it again. Later rows may have replaced this one."""


DeliverToServer: TypeAlias = Callable[[Telling], Awaitable[None]]
"""Delivers an outbox row about a server. It raises Undelivered if that should be retried."""

Deliver: TypeAlias = Callable[[Telling, Match], Awaitable[Posted | None]]
"""Delivers an outbox row about a match as it stands now.

It returns the post that it has made, if the store must know it. It returns None if nothing needs to be told any
more. It makes the news from the view of the receiver, so nothing secret is stored.
"""


class Scheduler:
    """Runs all background work of one host, from the moment it is made until `stop`.

    `to_servers` are the functions that deliver rows about servers, by kind. `each_tick` is called with the time at the
    end of each tick. Its errors are logged like the tick's own. `waits` says whether a task of `deliver` only waits for
    an answer from outside. Its match then takes no place in the lane.
    """

    def __init__(
        self,
        host: Host,
        deliver: Deliver,
        waits: Callable[[asyncio.Task[Any]], bool] = lambda task: False,
        each_tick: Callable[[datetime], None] = lambda now: None,
        to_servers: Mapping[Kind, DeliverToServer] = MappingProxyType({}),
    ) -> None:
        self.host = host
        self._deliver = deliver
        self._waits = waits
        self._to_servers = to_servers
        self._each_tick = each_tick
        self.tellings: Counter[tuple[Kind, str]] = Counter(dict.fromkeys(product(Kind, OUTCOMES), 0))
        """How many rows of the outbox were taken up, by kind and outcome."""
        self._only: Shards | None = None
        self._stopped = False
        self.lanes: list[Lane[Any, Any]] = []
        self.messages = self._of_messages("messages", MATCHES_AT_ONCE, AWAITED)
        self.posts = self._of_messages("posts", POSTS_AT_ONCE, WATCHED)
        self.tidying = self._of_messages("tidying", TIDIED_AT_ONCE, TIDYING)
        self.time = self._of_deadlines("time", BY_TIME, host.time.happen, DEADLINES_AT_ONCE)
        self.thinking = self._of_deadlines("thinking", (Due.COMPUTER,), host.thinking.computers_turn, THOUGHTS_AT_ONCE)
        self.watching = self._of_deadlines("watching", (Due.WATCHED,), host.thinking.computers_turn, WATCHED_AT_ONCE)
        for chore in host.chores:
            chore.wake = self._of_steps(chore).wake
        self._posting = (self.messages, self.posts, self.tidying)
        self.host.work.on_commit = self.ring

    def _added(self, lane: L) -> L:
        self.lanes.append(lane)
        return lane

    def _of_messages(self, name: str, width: int, kinds: frozenset[Kind]) -> Lane[Telling, int]:
        """A lane for messages of these kinds, of `width` matches or servers at once, one after another within each."""
        lane = Lane(
            name,
            lambda room: self.host.outbox.claim(limit=room * ROWS_OF_A_MATCH, only=self._only, kinds=kinds),
            self.tell,
            key=lambda row: (row.match_id, row.guild_id),
            number=lambda row: row.id,
            width=width,
            now=self.host.now,
            waits=self._waits,
            logged_as=lambda key: f"server {key[1]}" if key[0] is None else key[0],
        )
        return self._added(lane)

    def _of_steps(self, chore: Chore[Any]) -> Lane[Any, Any]:
        """A lane of one short step at a time, each claimed anew, so that `stop` doesn't have to wait long."""

        async def claim(room: int) -> Sequence[Any]:
            here = self.host.presence
            if not chore.for_people:
                return await chore.due(room)
            here.look_at_clock()
            return await chore.due(room, here.shards, here.away)

        async def go_on(cause: Any, *_: Any) -> None:
            await chore.go_on(cause)

        def cause(cause: Any) -> Any:
            return cause

        return self._added(Lane(chore.name, claim, go_on, key=cause, number=cause, width=1, now=self.host.now))

    def _of_deadlines(
        self, name: str, kinds: tuple[Due, ...], carry_out: Callable[[DeadlineRow], Awaitable[None]], width: int
    ) -> Lane[DeadlineRow, tuple[int, Due]]:
        """A lane for deadlines of these kinds, one at a time of each match and kind."""

        async def claim(room: int) -> Sequence[DeadlineRow]:
            return await self.host.time.claim_due(kinds, room, self._only)

        async def work(row: DeadlineRow, *_: Any) -> None:
            await self._or_later(row, carry_out(row))

        def key(row: DeadlineRow) -> tuple[int, Due]:
            return row.match_id, row.kind

        lane = Lane(
            name, claim, work, key=key, number=key, width=width, now=self.host.now, logged_as=lambda key: key[0]
        )
        return self._added(lane)

    @property
    def tasks(self) -> frozenset[asyncio.Task[None]]:
        """The tasks that run now. When nothing is due there are none."""
        return frozenset(task for lane in self.lanes for task in lane.tasks)

    def stop(self) -> None:
        """Take up nothing more. What is in hand is finished, the rest is left to the next process."""
        self._stopped = True
        self.host.work.on_commit = None
        for lane in self.lanes:
            lane.stop()

    def go_on(self) -> None:
        """Take up work again after `stop`."""
        self._stopped = False
        self.host.work.on_commit = self.ring
        for lane in self.lanes:
            lane.go_on()

    def limit_to(self, shards: Shards | None) -> None:
        """Take up only work of these shards from now on; ``None``: of all that this process carries."""
        self._only = shards
        for lane in (self.messages, self.posts, self.tidying, self.time, self.thinking, self.watching):
            lane.wake()

    def ring(self, match: Match, tellings: Sequence[Telling]) -> None:
        """Start the work that a commit has made due for this match.

        `tellings` are leased to this process already. There may be more.
        """
        watched = [row for row in tellings if row.kind in WATCHED]
        others = [row for row in tellings if row.kind in AWAITED]
        self.posts.hand(watched, match)
        self.tidying.hand([row for row in tellings if row.kind in TIDYING], match)
        if others:
            self.messages.hand(others, match)
        elif not watched and not (match.of_computers and match.status is Status.RUNNING and match.board_message_id):
            # Other news of a match without people waits for the next tick.
            self.messages.wake(mended=True)
        if match.of_computers and match.status is not Status.RUNNING:
            self.posts.drop((match.id, match.guild_id))
        kind, lane = (Due.WATCHED, self.watching) if match.of_computers else (Due.COMPUTER, self.thinking)
        key = (match.id, kind)
        thought = lane.in_hand.get(key)
        if thought is not None and not self.host.thinking.is_needed(thought, match):
            lane.drop(key)
        if match.status is Status.RUNNING and match.mover is not None and not match.mover.present:
            lane.wake(mended=True)

    async def tick(self) -> None:
        """Renew the leases of what is in hand, and wake the lanes. Faults are logged, and the next tick tries again."""
        if self._stopped:
            return
        try:
            await self._look()
        except HostError as error:
            # Each lane has its own pauses; here it is enough that nothing is asked before the next tick.
            self.messages.trouble.warn(error)
        except Exception as error:  # The boundary: the caller's loop must go on.
            if self.messages.trouble.note(error):
                log.exception("the scheduler's look at what is due failed", exc_info=error)

    async def _look(self) -> None:
        outbox = self.host.outbox
        await self.host.presence.tick()
        deadlines = {*self.time.in_hand, *self.thinking.in_hand, *self.watching.in_hand}
        claiming = any(lane.is_claiming for lane in self.lanes)
        messages = {*self.messages.in_hand, *self.posts.in_hand, *self.tidying.in_hand}
        await outbox.renew(messages, deadlines, claiming)
        if not self.messages.trouble.pausing and await outbox.owes():
            for posts in self._posting:
                posts.wake()
        for lane in self.lanes:
            if lane not in self._posting:
                lane.wake()
        self._each_tick(self.host.now())

    async def tell(self, row: Telling, read: Match | None = None, behind: Sequence[Telling] = ()) -> Match | None:
        """Deliver a row, or postpone it. Raises Unavailable if the store fails; then the lease expires.

        `read`: its match, if that was stored or read a moment ago. Returns the match of the first row `behind` it, read
        in the transaction that notes this one as told.
        """
        outbox, place = self.host.outbox, row.guild_id or 0
        try:
            if row.kind in TIDYING and self.host.now() - row.put_at >= TIDIED_WITHIN:
                await outbox.told(row.id)
                return None
            if row.match_id is None:
                await self._to_servers[row.kind](row)
                await outbox.told(row.id)
                self.tellings[row.kind, "told"] += 1
                return None
            while (match := read or await outbox.still_owed(row)) is not None:
                place, read = match.place_id, None
                with suppress(MovedOn):
                    posted = await self._deliver(row, match)
                    if posted is not None:
                        self.host.presence.note_post(place, taken=True)
                    then = await outbox.told(row.id, posted, next(iter(behind), None))
                    self.tellings[row.kind, "told"] += 1
                    return then
        except Undelivered as error:
            if row.kind in TIDYING:
                await self._tidy_later(row, str(error))
            else:
                self.host.presence.note_post(place, taken=False)
                await self._put_off(row, str(error), *(SOON if error.soon else LATER))
        except Unavailable:
            raise
        except HostError as error:  # The match is frozen, and another row says so.
            await (self._tidy_later(row, str(error)) if row.kind in TIDYING else self._put_off(row, error, *LATER))
        except Exception as error:  # The boundary: one message that cannot be made must not keep the others back.
            log.exception("%s: telling %s at ply %s", _subject(row), row.kind, row.ply, exc_info=error)
            await self._put_off(row, error, *LATER)
        return None

    async def _tidy_later(self, row: Telling, why: str) -> None:
        """Try tidying again after a while, `TIDIED_AT_MOST` times and for `TIDIED_WITHIN` in all. Then drop it."""
        outbox = self.host.outbox
        if row.tries + 1 >= TIDIED_AT_MOST or self.host.now() - row.put_at >= TIDIED_WITHIN:
            self.tellings[row.kind, "dropped"] += 1
            log.info("%s: %s at ply %s is dropped: %s", _subject(row), row.kind, row.ply, why)
            await outbox.told(row.id)
        else:
            self.tellings[row.kind, "postponed"] += 1
            await outbox.retry(row.id, TIDIED_AGAIN)

    async def _put_off(self, row: Telling, why: object, first: timedelta, longest: timedelta) -> None:
        """Retry after a pause that doubles with every try, until `GIVEN_UP`."""
        if self.host.now() - row.put_at >= GIVEN_UP:
            self.tellings[row.kind, "given up"] += 1
            log.warning("%s: telling %s at ply %s is given up: %s", _subject(row), row.kind, row.ply, why)
            await self.host.outbox.told(row.id)
            return
        self.tellings[row.kind, "postponed"] += 1
        pause = min(longest, first * 2 ** min(row.tries, 16))
        log.warning("%s: telling %s at ply %s, again in %s: %s", _subject(row), row.kind, row.ply, pause, why)
        await self.host.outbox.retry(row.id, pause)

    async def _or_later(self, row: DeadlineRow, work: Awaitable[None]) -> None:
        """Do it. If it fails for a reason of its own, retry after growing pauses, so that it delays nobody else."""
        try:
            await work
        except Unavailable:
            raise
        except Exception as error:  # The boundary: one match that cannot go on must not keep the others back.
            log.exception("match %s: %s at ply %s", row.match_id, row.kind, row.ply, exc_info=error)
            await self.host.time.put_off(row, min(LONGEST_PUT_OFF, FIRST_PUT_OFF * 2**row.tries))


def _subject(row: Telling) -> str:
    """What the row is about, for the log."""
    return f"server {row.guild_id}" if row.match_id is None else f"match {row.match_id}"
