"""Host.presence: whose people can press now. Time in which they couldn't is given back to their matches (P13).

People can press while the shard of their server is connected, Discord calls the server available, the store takes what
is written, and Discord takes posts and answers. All else is a gap: the time from the last note in the store until they
can press again. No deadline that a person can miss fires in a gap, or before the gap was given back.

The queries are in `db/matches/gaps.py`. What a gap moves at a table is in `matches/table/time.py`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Final

from db import Connection
from db.matches import gaps
from db.matches.gaps import NOTED_EVERY, Arrival, Shard
from db.model.rows import GapRow
from db.store.leases import LONGEST_PAUSE, Shards
from matches.errors import NotFound, Unavailable
from matches.table.time import given_back
from matches.work import notices
from matches.work.unit_of_work import Effect, UnitOfWork

STUCK: Final = 30.0
"""If the event loop doesn't come round for so many seconds, nobody could press meanwhile."""

EVERYWHERE: Final = 10
"""If posts are refused in so many places, and none gets through, it's Discord that refuses them."""

PRESSES: Final = 3
"""If the answers to so many presses don't get through, and none does, it's Discord that takes none."""

UNHEARD: Final = timedelta(minutes=2)
"""If nobody has pressed for so long, nobody knows whether Discord takes answers."""

AT_ONCE: Final = 20
"""To how many matches one transaction gives time back."""


class Refusals:
    """What Discord hasn't taken since it last took anything of the kind, by what it was for.

    It refuses everything once `enough` different ones were refused. A refusal counts for so long as it is `remembered`.
    """

    def __init__(self, enough: int, remembered: timedelta) -> None:
        self._enough, self._remembered = enough, remembered
        self._refused: set[int] = set()
        self._first = self._last = datetime.min.replace(tzinfo=UTC)

    def note(self, what: int, now: datetime, *, taken: bool) -> bool:
        """Note whether Discord has taken something. Return whether it refuses everything now."""
        if taken or now - self._last >= self._remembered:
            self._refused.clear()
        if taken:
            return False
        if not self._refused:
            self._first = now
        if len(self._refused) < self._enough:
            self._refused.add(what)
        self._last = now
        return len(self._refused) >= self._enough

    def since(self, now: datetime) -> datetime | None:
        """Return since when Discord has refused everything; ``None`` if it doesn't, or if nobody knows."""
        fresh = now - self._last < self._remembered
        return self._first if fresh and len(self._refused) >= self._enough else None


class Presence:
    """The part of the host that knows whose people can press. Without Discord (`of` is 0) everybody can."""

    def __init__(self, work: UnitOfWork) -> None:
        self._work = work
        self._ticked = time.monotonic()
        self.of = 0
        """How many shards there are."""
        self._here: dict[int, Arrival] = {}
        """The shards whose people can press, and whose matches have all time back."""
        self._arriving: dict[int, Arrival] = {}
        self._away: dict[int, datetime] = {}
        """Servers that Discord calls unavailable, or whose matches don't have that time back yet, and since when."""
        self._returning: dict[int, datetime] = {}
        self._posts = Refusals(EVERYWHERE, LONGEST_PAUSE)
        """The places that have refused posts since the last one that got through."""
        self._answers = Refusals(PRESSES, UNHEARD)
        """The presses whose answers Discord hasn't taken since the last one that got through."""
        self._noted: datetime | None = None
        self._jumps = 0
        """How many jumps of the clock it has noticed."""
        self._settling = asyncio.Lock()

    @property
    def shards(self) -> Shards | None:
        """The shards whose people's deadlines may fire; ``None``: all."""
        return Shards(self.of, tuple(sorted(self._here)), strictly=True) if self.of else None

    @property
    def away(self) -> frozenset[int] | None:
        """The servers whose people's deadlines may not fire; ``None``: nobody needs to be told anything."""
        return frozenset(self._away) if self.of else None

    def arrive(self, shard: int, of: int, at: datetime, *, replayed: bool, away: Collection[int] = ()) -> None:
        """Note that a shard is connected since `at`. `away`: the servers on it that are unavailable.

        `replayed`: its session goes on, so Discord tells what has happened, also to servers. Call `settle` then.
        """
        self.of = of
        self.leave(shard)
        self._arriving[shard] = Arrival(at, replayed, frozenset(away))
        for guild_id in away:
            self.lose_server(guild_id)

    def leave(self, shard: int) -> None:
        """Note that a shard has lost its connection."""
        self._here.pop(shard, None)
        self._arriving.pop(shard, None)

    def lose_server(self, guild_id: int) -> None:
        """Note that a server is unavailable."""
        self._away.setdefault(guild_id, self._work.now())
        self._returning.pop(guild_id, None)
        self._correct(guild_id, away=True)

    def find_server(self, guild_id: int) -> bool:
        """Note that a server is available. Return whether it wasn't. Call `settle` then."""
        self._correct(guild_id, away=False)
        if guild_id in self._away:
            self._returning[guild_id] = self._work.now()
        return guild_id in self._away

    def _correct(self, guild_id: int, *, away: bool) -> None:
        """Correct what was known of a server when its shard connected, until that is settled."""
        shard = gaps.shard_of(guild_id, self.of or 1).id
        arrival = self._arriving.get(shard)
        if arrival is not None:
            known = arrival.away | {guild_id} if away else arrival.away - {guild_id}
            self._arriving[shard] = arrival._replace(away=known)

    def note_post(self, place: int, *, taken: bool) -> None:
        """Note whether Discord has taken a post in a place."""
        if self._posts.note(place, self._work.now(), taken=taken):
            self._interrupted()

    def note_answer(self, press: int, *, taken: bool) -> None:
        """Note whether Discord has taken an answer to a press."""
        if self._answers.note(press, self._work.now(), taken=taken):
            self._interrupted()

    @property
    def refuses_posts_since(self) -> datetime | None:
        """Since when Discord has refused posts everywhere; ``None`` if it takes them."""
        return self._posts.since(self._work.now())

    @property
    def refuses_answers_since(self) -> datetime | None:
        """Since when Discord has taken no answer to a press; ``None`` if it takes them."""
        return self._answers.since(self._work.now())

    def look_at_clock(self) -> None:
        """Notice a clock that has jumped ahead: the machine has slept, or that time hasn't passed."""
        trust = self._work.trust
        trust.holds()
        if trust.jumps > self._jumps and trust.jumped is not None and trust.jumped > timedelta(0):
            self._interrupted()
        self._jumps = trust.jumps

    async def tick(self, *, last: bool = False) -> None:
        """Note in the store that people can press. Raises Unavailable.

        Call it every few seconds, and a `last` time before the shards are left.
        """
        now, loop_time = self._work.now(), time.monotonic()
        self.look_at_clock()
        if loop_time - self._ticked >= STUCK:
            self._interrupted()
        self._ticked = loop_time
        try:
            await self.settle()
            is_fresh = self._noted is not None and timedelta(0) <= now - self._noted < NOTED_EVERY
            if self._here and (last or not is_fresh):
                if await self._work.read(gaps.is_needed):
                    away = {each: since for each, since in self._away.items() if each not in self._returning}
                    await self._work.write(gaps.note, self.of, list(self._here), away, now, idempotent=True)
                self._noted = now
        except Unavailable:
            self._interrupted()
            raise

    async def settle(self) -> None:
        """Give back the gaps of shards and servers that people can use again. Raises Unavailable."""
        if self.refuses_posts_since is not None or self.refuses_answers_since is not None:
            return
        async with self._settling:
            for number, arrival in list(self._arriving.items()):
                await self._settle_shard(Shard(self.of, number), arrival)
            for guild_id, until in list(self._returning.items()):
                since, shard = min(self._away[guild_id], until), gaps.shard_of(guild_id, self.of)
                await self._work.write(gaps.return_server, shard, guild_id, since, until, idempotent=True)
                # If it's lost again meanwhile, this time isn't given back once more.
                self._away[guild_id] = until
                await self._give_back(shard)
                if self._returning.get(guild_id) == until:
                    del self._returning[guild_id], self._away[guild_id]

    async def _settle_shard(self, shard: Shard, arrival: Arrival) -> None:
        now = self._work.now()
        were_away = await self._work.write(gaps.arrive, shard, arrival, now, idempotent=True)
        await self._give_back(shard)
        if (latest := self._arriving.get(shard.id)) is None or latest.at != arrival.at:
            return  # It was cut again meanwhile.
        arrival = latest
        self._away |= dict.fromkeys(were_away | arrival.away, now)
        if not arrival.replayed:
            back = (each for each in self._away if shard.carries(each) and each not in arrival.away)
            self._returning |= dict.fromkeys(back, now)
        self._here[shard.id] = self._arriving.pop(shard.id)

    async def _give_back(self, shard: Shard) -> None:
        for gap in await self._work.read(gaps.unfinished, shard):
            is_over = False
            while not is_over:
                is_over, effects = await self._work.write(self._give_some_back, gap, idempotent=True)
                self._work.announce(*effects)

    def _give_some_back(self, connection: Connection, gap: GapRow) -> tuple[bool, list[Effect]]:
        numbers, effects = gaps.next_matches(connection, gap, AT_ONCE), list[Effect]()
        if numbers is None:
            return True, effects
        is_over = len(numbers) < AT_ONCE
        if is_over:
            self._give_back_to_features(connection, gap)
        for number in numbers:
            with suppress(NotFound):
                effects.append(self._work.change_within(connection, number, lambda table: given_back(table, gap)))
        return is_over, effects

    def _give_back_to_features(self, connection: Connection, gap: GapRow) -> None:
        """Give what features have asked people a gap back. The time of a pause is given back at its end."""
        assert gap.until is not None
        pause = notices.paused(connection)
        missed = gap.since, gap.until if pause is None else min(gap.until, pause.since)
        for feature in self._work.features:
            feature.given_back(connection, lambda guild_id: missed if gaps.concerns(gap, guild_id) else None)

    def _interrupted(self) -> None:
        """Note that nobody could press for a while, though the shards stayed connected."""
        now = self._work.now()
        for number in self._here:
            away = frozenset(filter(Shard(self.of, number).carries, self._away))
            self._arriving[number] = Arrival(now, replayed=False, away=away)
        self._here = {}
