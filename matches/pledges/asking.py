"""The part of the host for pledges: people who would play if others did, and how tables come about from that (P40).

The decisions are in `matches/pledges/`, the queries in `db/pledges/kept.py`, the commands in `cogs/pledges/want.py`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from db import Connection
from db.model.ids import MatchId, UserId
from db.people import bars, lists
from db.pledges import kept as pledges
from db.pledges.kept import Pledged
from db.pledges.rows import Answer, GatheringRow, PledgeRow
from db.store.leases import Shards
from games import GAMES
from matches.errors import NotAllowed, NotFound, WrongTime
from matches.pledges import gathered, gathering, matching, public, resting
from matches.pledges.calls import Calls
from matches.pledges.matching import Apart
from matches.pledges.pledge import Pledge
from matches.pledges.public import Count
from matches.records.match import Match
from matches.records.requests import Person
from matches.table import limits
from matches.table import lobby as decisions
from matches.table.limits import Limit
from matches.table.standing import check_bar
from matches.work import stored
from matches.work.difference import use_allowance
from matches.work.notices import check_open, paused
from matches.work.part import Chore
from matches.work.unit_of_work import Effect, UnitOfWork

PLEDGE: Final = Limit("pledge", 10, timedelta(minutes=5), "You've changed your mind here many times in a row.")
"""Somebody says that they'd play."""

LONGEST: Final = timedelta(days=30)
"""How long a pledge lasts at most."""

CHECKED_EACH: Final = timedelta(hours=1)
"""A server with pledges is checked at least this often: lists, bars and running matches change unnoticed."""

CHECK_LASTS: Final = timedelta(minutes=1)
"""While one process checks a server, the others don't, for this long at most."""

SOON: Final = timedelta(seconds=5)
"""A check that found something changed meanwhile is repeated after this time."""

A_PAGE: Final = 100
"""How many pledges are read at once. Reading them takes a few milliseconds."""

OVER: Final = "This call is over, or it isn't for you. What you'd play stays: `/tables` shows it."
ASKED_NOW: Final = "You're being asked about a table of this game right now. Answer that first."


class Call(NamedTuple):
    """The question to somebody whether they're ready to play at this `table`, as they had `pledged`."""

    pledged: Pledged
    table: GatheringRow


class Readiness(NamedTuple):
    """What follows from a press on **Ready**: the `match` that they sit in now, or the `table` that waits."""

    table: GatheringRow
    match: Match | None


class Pledges(Calls):
    """Takes pledges, brings tables together from them, and calls people. All of it raises Unavailable."""

    def __init__(self, work: UnitOfWork) -> None:
        super().__init__(work)
        self.why_closed: Callable[[int, int], Awaitable[str]] = _open
        """Why nothing can be posted in a channel of a server; an empty text if it can. Discord's side sets it."""
        self.chores = (Chore("pledging", self.due, self.go_on, for_people=True),)

    # What people ask.

    async def pledge(self, wanted: Pledged) -> None:
        """Store what a person would play, in place of what they said about that game here before.

        They keep their place in the queue unless they wish something else now. Raises NotFound (game), NotAllowed
        (impossible wishes, or they are just being asked), and TooSoon (barred, or too often).
        """
        _check(wanted.row, wanted.game, self._work.now())
        await self._work.write(self._pledged, wanted)

    def _pledged(self, connection: Connection, wanted: Pledged) -> None:
        now, (guild_id, user_id, game, row) = self._work.now(), wanted
        gathered.lock(connection, guild_id)
        check_bar(bars.among(connection, guild_id, [user_id]).get(user_id), now)
        use_allowance(connection, limits.mark_on(PLEDGE, user_id, guild_id), PLEDGE, now)
        before = gathered.own(connection, guild_id, user_id, game)
        if before is not None and before.row.gathering is not None:
            raise NotAllowed(ASKED_NOW)
        wishes = ("fewest", "most", "pace", "near", "channel_id")
        same = before is not None and all(getattr(before.row, name) == getattr(row, name) for name in wishes)
        since = before.row.since if before is not None and same else now
        row = replace(row, since=since, rests_until=resting.resting(connection, user_id, now))
        pledges.put(connection, guild_id, user_id, game, row)
        pledges.set_next_check(connection, guild_id, now)

    async def withdraw(self, guild_id: int, user_id: UserId, game: str) -> bool:
        """Delete a pledge, and return whether there was one.

        If the person has said that they're ready, that counts as not coming (`resting.MISS`).
        """
        work = self._work
        return await work.write(gathered.withdraw, guild_id, user_id, game, work.now(), idempotent=True)

    async def forget(self, user_id: UserId) -> None:
        """Withdraw all pledges of a person: nobody waits for their answer any more, and the question to them ends."""
        for each in await self._work.read(pledges.of_person, user_id):
            await self.withdraw(each.guild_id, user_id, each.game)

    async def of_person(self, user_id: UserId, guild_id: int | None = None) -> tuple[Pledged, ...]:
        """Return what a person would play on this server, or anywhere."""
        now, found = self._work.now(), await self._work.read(pledges.of_person, user_id)
        here = (each for each in found if guild_id in (None, each.guild_id))
        return tuple(each for each in here if each.row.until > now or each.row.gathering is not None)

    async def call(self, guild_id: int, user_id: UserId) -> Call | None:
        """Return about which table a person is being asked on this server; ``None`` if that is over, or answered."""
        return await self._work.read(self._call, guild_id, user_id)

    def _call(self, connection: Connection, guild_id: int, user_id: UserId) -> Call | None:
        for each in pledges.of_people(connection, guild_id, [user_id]):
            if each.row.gathering is not None and each.row.answer is Answer.ASKED:
                found = pledges.gathering(connection, each.row.gathering)
                if found is not None and found[1].until > self._work.now():
                    return Call(each, found[1])
        return None

    async def note_call(self, call: Call, channel_id: int, message_id: int) -> bool:
        """Note the message that asks somebody. Returns whether it's still needed."""

        def work(connection: Connection) -> bool:
            guild_id, user_id, game, _ = call.pledged
            gathered.lock(connection, guild_id)
            found = gathered.own(connection, guild_id, user_id, game)
            if found is None or found.row.gathering != call.table.id:
                return False
            pledges.change(connection, guild_id, user_id, game, message_id=message_id, message_in=channel_id)
            return True

        return await self._work.write(work, idempotent=True)

    async def ready(self, number: int, person: Person) -> Readiness:
        """Note that a person who was asked says yes. Once enough have, their lobby opens; if it's open, they join it.

        Raises WrongTime if the call is over, NotAllowed if it can't open anywhere or not now, and what joining a lobby
        raises.
        """
        closed = await self._closed(number)

        def work(connection: Connection) -> tuple[Readiness, list[Effect]]:
            now, (guild_id, found) = self._work.now(), self._asked(connection, number, person.user_id)
            own = next(each for each in pledges.of_gathering(connection, number) if each.user_id == person.user_id)
            if found.match_id is not None:
                join = self._work.change_within(
                    connection,
                    found.match_id,
                    lambda table: decisions.join(table, person),
                    people=(person.user_id,),
                )
                gathered.joins(connection, guild_id, number, own, join.match, now)
                return Readiness(found, join.match), [join]
            check_open(connection)
            if own.row.answer is not Answer.YES and found.until <= now:
                raise WrongTime(OVER)
            pledges.change(connection, guild_id, person.user_id, own.game, answer=Answer.YES, name=person.name)
            there = gathered.loaded(connection, guild_id, found, now)
            if gathering.is_enough(there.ready, now):
                match = gathered.open_lobby(connection, guild_id, number, now, self._work.open_within, closed)
                if match is not None:
                    return Readiness(found, match), [_opened(connection, match.id, now)]
            if not there.asked:
                pledges.check_soon(connection, guild_id, now)
            return Readiness(found, None), []

        readiness, effects = await self._work.write(work)
        self._work.announce(*effects)
        return readiness

    async def not_now(self, number: int, user_id: UserId) -> None:
        """Note that a person who was asked says no. If they had said yes, their pledges rest. Raises WrongTime."""

        def work(connection: Connection) -> None:
            self._asked(connection, number, user_id)
            for each in pledges.of_gathering(connection, number):
                if each.user_id == user_id:
                    gathered.leave(connection, each, self._work.now())

        await self._work.write(work)

    def _asked(self, connection: Connection, number: int, user_id: UserId) -> tuple[int, GatheringRow]:
        """Return the gathering of this number, with its server, if this person is in it. Raises WrongTime."""
        found = pledges.gathering(connection, number)
        if found is not None:
            gathered.lock(connection, found[0])
            found = pledges.gathering(connection, number)
        if found is None or all(each.user_id != user_id for each in pledges.of_gathering(connection, number)):
            raise WrongTime(OVER)
        return found

    async def unreachable(self, call: Call) -> None:
        """Leave out somebody whom the bot can't ask because it can't write to them, as if they had said no."""
        try:
            await self.not_now(call.table.id, call.pledged.user_id)
        except WrongTime:
            return

    # What everybody is told.

    async def counts(self, guild_id: int) -> tuple[Count, ...]:
        """Return what everybody is told about a server's pledges, as it was counted within the last hour."""
        found = await self._work.read(pledges.next_check, guild_id)
        return () if found is None else public.from_texts(found.counts)

    # Bringing tables together.

    async def due(
        self, at_most: int = 1, shards: Shards | None = None, away: Collection[int] | None = None
    ) -> tuple[int, ...]:
        """Return at most this many servers whose pledges are due to be checked; none while no new tables open.

        `shards`: those whose people can press. `away`: the servers on them whose people can't.
        """
        now = self._work.now()

        def look(connection: Connection) -> list[int]:
            latest = now + 2 * CHECKED_EACH
            return [] if paused(connection) else pledges.due(connection, now, latest, at_most, shards, away)

        return tuple(await self._work.read(look))

    async def go_on(self, guild_id: int) -> None:
        """Check a server's pledges: go on with the tables that are being brought together, and find new ones.

        Reading and matching are done in short slices. What is found is checked again in the transaction that asks the
        people, so two processes may check at the same time.
        """
        now = self._work.now()
        mine = now + CHECK_LASTS
        await self._work.write(_begin_check, guild_id, mine, now, idempotent=True)
        known, apart = await self._read(guild_id, now)
        for row in await self._work.read(pledges.gatherings, guild_id):
            free = [each for each in known if not each.busy]
            await self._gather(guild_id, row.id, free, apart)
        # Somebody may just have been asked.
        known, apart = await self._read(guild_id, now)
        again = False
        for party in matching.found(known, now, apart):
            if party is None:
                await asyncio.sleep(0)
            else:
                again |= not await self._work.write(gathered.begin, guild_id, party, now)
        await self._work.write(_end_check, guild_id, mine, now, known, again, idempotent=True)

    async def _gather(self, guild_id: int, number: int, free: Sequence[Pledge], apart: Apart) -> None:
        """Do what follows for one gathering."""
        closed = await self._closed(number)

        def work(connection: Connection) -> Effect | None:
            now = self._work.now()
            gathered.lock(connection, guild_id)
            match = gathered.go_on(connection, guild_id, number, free, apart, now, self._work.open_within, closed)
            return None if match is None else _opened(connection, match.id, now)

        effect = await self._work.write(work)
        if effect is not None:
            self._work.announce(effect)

    async def _closed(self, number: int) -> dict[int, str]:
        """Return for which channels of a gathering's people nothing can be posted there, and why."""
        people = await self._work.read(pledges.of_gathering, number)
        places = {each.row.channel_id: each.guild_id for each in people}
        asked = {channel: await self.why_closed(guild_id, channel) for channel, guild_id in places.items()}
        return {channel: why for channel, why in asked.items() if why}

    async def _read(self, guild_id: int, now: datetime) -> tuple[tuple[Pledge, ...], Apart]:
        """Read a server's pledges page by page, and who keeps away from whom among their people."""
        found: list[Pledge] = []
        after = (UserId(0), "")
        people: set[UserId] = set()
        while page := await self._work.read(pledges.page, guild_id, after, A_PAGE):
            after = page[-1].user_id, page[-1].game
            found += await self._work.read(gathered.values, guild_id, page, now)
            people.update(each.user_id for each in page)
        apart: set[tuple[UserId, UserId]] = set()
        everybody = sorted(people)
        for start in range(0, len(everybody), A_PAGE):
            apart.update(await self._work.read(lists.of_people, everybody[start : start + A_PAGE]))
        return tuple(found), frozenset(pair for pair in apart if pair[1] in people)


def _check(wanted: PledgeRow, key: str, now: datetime) -> None:
    """Raises NotFound (game) or NotAllowed (impossible wishes)."""
    game = GAMES.get(key)
    if game is None:
        raise NotFound("There's no such game.")
    info = game.info
    if not info.min_players <= wanted.fewest <= wanted.most <= info.max_players:
        raise NotAllowed(f"{info.name} is for {info.min_players} to {info.max_players} players.")
    if wanted.until <= now:
        raise NotAllowed("That moment has passed.")
    if wanted.until > now + LONGEST:
        raise NotAllowed(f"That's too long: I can keep it in mind for at most {LONGEST.days} days.")


async def _open(guild_id: int, channel_id: int) -> str:
    return ""


def _opened(connection: Connection, match_id: MatchId, now: datetime) -> Effect:
    """The effect of a lobby that was opened within this transaction."""
    return Effect(stored.table(connection, match_id, now), owed=True)


def _begin_check(connection: Connection, guild_id: int, until: datetime, now: datetime) -> None:
    """Let no other process check meanwhile. Delete pledges whose time is over."""
    gathered.lock(connection, guild_id)
    pledges.set_next_check(connection, guild_id, until)
    pledges.lapse(connection, guild_id, now)


def _end_check(
    connection: Connection, guild_id: int, mine: datetime, now: datetime, known: Sequence[Pledge], again: bool
) -> None:
    """Count for everybody if an hour has passed, and note when to check again."""
    gathered.lock(connection, guild_id)
    found = pledges.next_check(connection, guild_id)
    if found is None:  # The server has gone.
        return
    if public.is_due(found.counted_at, now):
        # The first count isn't published. Otherwise its appearance would show who was the second to pledge.
        counts = () if found.counted_at is None else public.to_texts(public.counted(known, now))
        pledges.note_counts(connection, guild_id, now, counts)
        found = found._replace(counted_at=now, counts=counts)
    gatherings = pledges.gatherings(connection, guild_id)
    if not known and not gatherings and not found.counts:
        pledges.stop_checks(connection, guild_id)
        return
    if found.due != mine:  # Something has changed meanwhile, so it's due again.
        return
    assert found.counted_at is not None
    times = [now + CHECKED_EACH, found.counted_at + public.EACH, *(each.until for each in gatherings)]
    times += [each.next_change(now) for each in known if not each.busy]
    pledges.set_next_check(connection, guild_id, now + SOON if again else max(min(times), now + SOON))
