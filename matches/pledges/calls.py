"""People who want to be called when a table opens, and which of them a new table calls (P40).

The queries are in `db/pledges/kept.py`. `resting` limits how often a person is called.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Final

from db import Connection
from db.matches import outbox
from db.matches.outbox import News
from db.model.enums import Kind, Status
from db.model.ids import NO_LINES, MatchId, UserId
from db.model.rows import Telling
from db.people import allowances, lists
from db.pledges import kept as pledges
from db.pledges.rows import CallMeRow
from matches.errors import TooSoon
from matches.pledges import resting
from matches.records import quiet
from matches.records.match import Match
from matches.table import limits
from matches.table.limits import Limit
from matches.table.value import Table
from matches.work import stored
from matches.work.difference import use_allowance
from matches.work.part import FeaturePart
from matches.work.unit_of_work import Effect

CALL: Final = Limit("call", 1, timedelta(days=1), "Your table of this game has called people today already.")
"""Somebody's new table calls people who want that; counted for each game."""

CALLED_TO_TABLE: Final = Limit("called to table", 1, timedelta(days=1), "You've been called to a table today.")
"""Somebody is called because a table has opened."""

MOST_CALLED: Final = 20
"""How many people one new table calls at most."""

STANDS: Final = timedelta(minutes=2)
"""How long a new table must have stood before it calls anybody."""

SEVERAL: Final = 2
"""The least number of people who asked for calls of which a host is told. They could guess who a single one is."""


class Calls(FeaturePart):
    """Calls people to new tables. All of it raises Unavailable."""

    async def call_me(self, guild_id: int, user_id: UserId, game: str, row: CallMeRow | None) -> None:
        """Note that a person wants to be called when a table of this game opens here; ``None``: that they don't."""
        if row is None:
            await self._work.write(pledges.remove_call_wish, guild_id, user_id, game, idempotent=True)
        else:
            await self._work.write(pledges.put_call_wish, guild_id, user_id, game, row, idempotent=True)

    async def called_for(self, guild_id: int, user_id: UserId) -> tuple[str, ...]:
        """Return the games for whose tables a person wants to be called on a server."""
        return tuple(await self._work.read(pledges.called_for, guild_id, user_id))

    async def mentions(self, guild_id: int, game: str, user_id: UserId) -> bool:
        """Whether a person who wants to be called has agreed to a mention, if they can't be reached otherwise."""
        wants = await self._work.read(pledges.wants_calls, guild_id, game)
        return any(each.user_id == user_id and each.row.by_mention for each in wants)

    async def call_later(self, match_id: MatchId, by: UserId, *, everywhere: bool) -> bool:
        """Have a new table call people who want that, once it has stood for a while (`call_to`).

        Returns whether several have asked for it. They are counted before lists, quiet hours and earlier calls, so that
        the answer reveals none of these.
        """

        def work(connection: Connection) -> bool:
            now = self._work.now()
            match = stored.table(connection, match_id, now, lock=True).match
            if match.status is not Status.LOBBY or match.guild_id is None:
                return False
            asking = _asking(connection, match, everywhere=everywhere)
            rows = [News(Kind.STOOD, None, by)] if asking else []
            outbox.put(connection, match.id, match.guild_id, NO_LINES, rows, now, due=now + STANDS)
            return len(asking) >= SEVERAL

        return await self._work.write(work)

    async def call_to(self, match_id: MatchId, by: UserId, *, everywhere: bool) -> int:
        """Call people who want that to a table which has stood for a while, and return how many.

        It uses an allowance of the person who opened it, if they still host it: one table a day calls, in each game.
        What it uses of those who are called is given back if nothing reaches them (`not_reached`). `everywhere`:
        everybody on the server can see where it is. Otherwise it calls only people who asked for calls in its channel.
        """

        def work(connection: Connection) -> int:
            now = self._work.now()
            table = stored.table(connection, match_id, now, lock=True)
            match = table.match
            open_here = match.status is Status.LOBBY and match.lost is None and match.has_room
            if not open_here or match.guild_id is None or match.host_id != by:
                return 0
            asking = _asking(connection, match, everywhere=everywhere)
            if not asking:
                return 0
            try:
                use_allowance(connection, limits.mark_on(CALL, by, match.game), CALL, now)
            except TooSoon:
                return 0
            people = self._called(connection, table, asking)
            rows = [News(Kind.WANTED, None, each, rings=True) for each in people]
            outbox.put(connection, match.id, match.guild_id, NO_LINES, rows, now)
            return len(rows)

        called = await self._work.write(work)
        if called:
            self._work.announce(Effect(await self._work.read(stored.table, match_id, self._work.now()), owed=True))
        return called

    def _called(self, connection: Connection, table: Table, asking: list[UserId]) -> list[UserId]:
        """Return whom of these people a table calls, and use up their allowances."""
        match, now = table.match, table.now
        assert match.guild_id is not None
        there = {match.host_id, *table.details.invited, *(seat.user_id for seat in match.seats if seat.user_id)}
        # In another order at each table, so that nobody is always called first.
        asking = sorted({*asking} - there, key=lambda _: self._work.entropy(8))
        apart = lists.among(connection, {*asking, *there})
        away = {pair[0] for pair in apart if pair[1] in there} | {pair[1] for pair in apart if pair[0] in there}
        about = pledges.about(connection, asking)
        standing = stored.standing(connection, match.guild_id, asking, now, reliable=table.details.reliable)
        table = replace(table, standing=standing)
        called: list[UserId] = []
        for each in asking:
            known = about.get(each, pledges.About())
            hours = quiet.stored(known.quiet, known.zone)
            asleep = hours is not None and hours.covers(now)
            full = known.at_once and known.playing >= known.at_once
            if each in away or asleep or full or not table.is_welcome(each):
                continue
            if len(called) == MOST_CALLED:
                break
            mark = limits.mark_on(CALLED_TO_TABLE, each, 0)
            once = allowances.lock_used_until(connection, mark, now)
            if not limits.is_left(CALLED_TO_TABLE, once, now):
                continue
            try:
                rests = resting.use_call(connection, each, now)
            except TooSoon:
                continue
            if rests is not None:
                pledges.rest(connection, each, rests)
            allowances.use(connection, mark, limits.used(CALLED_TO_TABLE, once, now))
            called.append(each)
        return called

    async def not_reached(self, row: Telling) -> None:
        """Give the call of this row back: nothing reached the person. Deletes the row, so that this happens once."""

        def work(connection: Connection) -> None:
            now = self._work.now()
            if outbox.remove(connection, row.id) is None or row.user_id is None:
                return
            resting.give_back(connection, row.user_id, now)
            if row.kind is Kind.WANTED:
                mark = limits.mark_on(CALLED_TO_TABLE, row.user_id, 0)
                allowances.lock_used_until(connection, mark, now)
                allowances.use(connection, mark, now)

        await self._work.write(work, idempotent=True)


def _asking(connection: Connection, match: Match, *, everywhere: bool) -> list[UserId]:
    """Return who besides the host has asked to be called to a table like this, whether or not they can be called."""
    assert match.guild_id is not None
    wants = pledges.wants_calls(connection, match.guild_id, match.game)
    here = (each for each in wants if everywhere or each.row.channel_id == match.channel_id)
    return [each.user_id for each in here if each.user_id != match.host_id]
