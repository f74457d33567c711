"""Do pledges help? A server of 30 people for 60 days, with lobbies alone and with pledges (P40)."""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, datetime, timedelta
from heapq import heappop, heappush
from pathlib import Path
from random import Random
from typing import Final

import pytest
from sqlalchemy import select

from db import Connection, Database
from db.model import schema
from db.model.enums import Due
from matches.api import Host, HostError, Kind, ManualClock, MatchId, NewMatch, Pace, Person, Status, Terms, UserId
from matches.pledges import Pledges
from matches.pledges.resting import CALLS_A_DAY
from tests.matches.pledges.promising import GUILD, pledge
from tests.matches.tables import CHANNEL, DAY, Seeds
from tests.store import fresh

PEOPLE: Final = tuple(Person(UserId(1000 + number), f"P{number}") for number in range(30))
MINUTE: Final = timedelta(minutes=1)
STAYS: Final = 20 * MINUTE
MORNING: Final = 8
LOOKS, AWAKE, WOULD_PLAY, OPENS, ANSWERS = 3, 16, 1 / 5, 1 / 50, 2 / 3
"""How often each person looks in on a day, and within how many hours. Then probabilities: that they'd play, that they
open a lobby, and that they answer a call.
"""


class Server:
    """People who look in, and a host that runs their matches. Events happen in the order of their moments."""

    def __init__(self, host: Host, clock: ManualClock, *, pledges: bool) -> None:
        self.host, self.clock, self.pledges = host, clock, pledges
        self.random = Random(34)
        self.begun = 0
        self.called: dict[int, list[datetime]] = defaultdict(list)
        self._lobbies: set[MatchId] = set()
        self._events: list[tuple[datetime, int, str, tuple[object, ...]]] = []
        self._count = 0

    def plan(self, moment: datetime, what: str, *about: object) -> None:
        self._count += 1
        heappush(self._events, (moment, self._count, what, about))

    async def live(self, days: int) -> None:
        start = self.clock.now()
        for day in range(days):
            for person in PEOPLE:
                for _ in range(LOOKS):
                    hour = MORNING + self.random.random() * AWAKE
                    self.plan(start + day * DAY + timedelta(hours=hour), "look", person)
        while self._events:
            moment, _, what, about = heappop(self._events)
            # What the scheduler does in between happens at the full minute after it is due.
            while (due := await self._next_due(moment)) is not None:
                self.clock.advance(max(timedelta(0), due - self.clock.now()))
                await self._work()
            self.clock.advance(max(timedelta(0), moment - self.clock.now()))
            try:
                await getattr(self, f"_{what}")(*about)
            except HostError:
                continue  # They can't do that right now, as anybody would find.
            await self._work()

    async def _next_due(self, until: datetime) -> datetime | None:
        """The next moment before this one at which the host does something about pledges or lobbies."""

        def look(connection: Connection) -> list[datetime]:
            looks = connection.execute(select(schema.metadata.tables["pledge_looks"].c.due)).scalars()
            starts = connection.execute(select(schema.deadlines.c.due).where(schema.deadlines.c.kind == Due.START))
            return [*looks, *starts.scalars()]

        found = [each for each in await self.host.work.read(look) if each < until]
        return max(min(found), self.clock.now() + timedelta(seconds=1)) if found else None

    async def _work(self) -> None:
        """Do what the scheduler would do now. Calls ring at once. `ANSWERS` of them are answered, at a random time."""
        for guild_id in await self.host.part(Pledges).due(1):
            await self.host.part(Pledges).go_on(guild_id)
        for row in await self.host.outbox.claim(timedelta(seconds=30), None, 1000):
            await self.host.outbox.told(row.id)
            if row.kind is Kind.CALL and row.user_id is not None:
                call = await self.host.part(Pledges).call(GUILD, row.user_id)
                self.called[row.user_id].append(self.clock.now())
                if call is not None and self.random.random() < ANSWERS:
                    within = (call.table.until - self.clock.now()) * self.random.random()
                    self.plan(self.clock.now() + within, "answer", call.table.id, row.user_id)
            elif row.kind is Kind.LOBBY and row.match_id is not None:
                match = await self.host.look.match(row.match_id)
                if match.status is Status.LOBBY and match.lobby_message_id is None:
                    await self.host.outbox.set_lobby_message(match.id, 10**9 + match.id)
        for deadline in await self.host.time.claim_due((Due.START,)):
            await self.host.time.happen(deadline)
            await self._noticed(MatchId(deadline.match_id))

    async def _noticed(self, number: MatchId) -> None:
        """Count a match that has begun, and end it: how long people play is another question."""
        match = await self.host.look.match(number)
        if match.status is Status.RUNNING:
            self.begun += 1
            self._lobbies.discard(number)
            await self.host.votes.cancel(number, match.host_id, moderator=True)

    async def _look(self, person: Person) -> None:
        """Somebody looks in: joins a lobby that is open, or opens one, or says that they'd play."""
        for number in sorted(self._lobbies):
            if self.random.random() < WOULD_PLAY:
                match = await self.host.lobby.join(number, person)
                self.plan(self.clock.now() + STAYS, "leave", number, person)
                if len(match.seats) >= match.info.min_players:
                    await self.host.lobby.start(number, match.host_id)
                    await self._noticed(number)
                return
        if self.random.random() < OPENS:
            match = await self.host.lobby.open(NewMatch("saboteur", CHANNEL, Terms(pace=Pace.LIVE), GUILD), person)
            self._lobbies.add(match.id)
            self.plan(self.clock.now() + STAYS, "leave", match.id, person)
        elif self.pledges and self.random.random() < WOULD_PLAY:
            await pledge(self.host, person, fewest=3, most=5, pace=Pace.LIVE, until=self.clock.now() + DAY)

    async def _leave(self, number: MatchId, person: Person) -> None:
        """They have waited long enough."""
        match = await self.host.look.match(number)
        if match.status is Status.LOBBY and match.seat_of(person.user_id) is not None:
            left = await self.host.lobby.leave(number, person.user_id)
            if left.status is not Status.LOBBY:
                self._lobbies.discard(number)

    async def _answer(self, number: int, user_id: int) -> None:
        person = next(each for each in PEOPLE if each.user_id == user_id)
        readiness = await self.host.part(Pledges).ready(number, person)
        if readiness.match is not None:
            await self._noticed(readiness.match.id)


async def lived(url: str, days: int, *, pledges: bool) -> Server:
    clock = ManualClock()
    clock.advance(datetime(2030, 3, 1, tzinfo=UTC) - clock.now())
    async with await Database.open(url) as database:
        server = Server(Host(database, clock, Seeds()), clock, pledges=pledges)
        await server.live(days)
        return server


@pytest.mark.soak
@pytest.mark.parametrize("days", [60])
async def test_p40_with_pledges_three_times_as_many_tables_begin_and_nobody_is_called_more_than_twice_a_day(
    tmp_path: Path, days: int
) -> None:
    alone = await lived(fresh(tmp_path / "alone.db"), days, pledges=False)
    together = await lived(fresh(tmp_path / "together.db"), days, pledges=True)

    assert together.begun >= 3 * max(1, alone.begun)
    for rung in together.called.values():
        for first, third in zip(rung, rung[CALLS_A_DAY:], strict=False):
            assert third - first >= DAY
