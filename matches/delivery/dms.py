"""Direct messages are rationed (P2, P32): whether one may be opened, and what is known of everybody's.

Discord stops bots that open many new ones, and quarantines them. So all processes share one budget. Whoever has just
pressed for it comes first; what the bot would open by itself gets only a part.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from fractions import Fraction
from typing import Final, NamedTuple

from db import dms, settings
from db.dms import Spent, Standing
from matches.desk import Desk
from matches.records import Dm, Match, Telling

UNASKED: Final = Fraction(2, 5)
"""The part of the budget that may be spent on who has not asked."""

FIRST_PAUSE: Final = timedelta(minutes=10)
LONGEST_PAUSE: Final = timedelta(days=1)
"""Where Discord lets the bot open none, the next is tried after waits that double from the one to the other."""


class Ration(NamedTuple):
    """How many new direct messages may be opened within any minute, and within any day."""

    a_minute: int = 5
    a_day: int = 100

    def allows(self, found: Standing, *, asked: bool) -> bool:
        """Whether one more may be opened, for somebody who has `asked` for it by pressing, or has not."""
        return _has_room(found.minute, self.a_minute, asked) and _has_room(found.day, self.a_day, asked)


class Door(NamedTuple):
    """The way to somebody's direct messages: the channel that is known, or leave to open one; neither: not now.

    `new`: opening it was counted, since this person has had none from the bot before.
    """

    dm: Dm
    channel_id: int | None = None
    may_open: bool = False
    new: bool = False


class DirectMessages(Desk):
    """The part of the host that rations direct messages."""

    ration: Ration = Ration()

    async def dm_of(self, user_id: int) -> Dm:
        """What is known of this person's direct messages. Raises Unavailable."""
        async with self._reading() as connection:
            return Dm((await settings.dm_of(connection, user_id))[0] or Dm.UNKNOWN)

    async def door(self, user_id: int, *, asked: bool) -> Door:
        """The way to this person's direct messages; leave to open new ones is given once and counted at once.

        Most who are refused cost one reading. Raises Unavailable.
        """
        async with self._reading() as connection:
            known, channel_id = await settings.dm_of(connection, user_id)
            found = await dms.standing(connection, self._clock.now())
        dm = Dm(known or Dm.UNKNOWN)
        new = dm is not Dm.OPEN
        if channel_id is not None:
            return Door(dm, channel_id)
        if not found.askew and not self._may_open(found, asked=asked, new=new):
            return Door(dm)
        async with self._transaction() as connection:
            now = self._clock.now()
            found = await dms.standing(connection, now, lock=True)
            if found.askew:
                found = await dms.set_right(connection, now, found)
            may_open = self._may_open(found, asked=asked, new=new)
            if may_open and new:
                await dms.note_opening(connection, now, asked=asked)
        return Door(dm, None, may_open, new)

    def _may_open(self, found: Standing, *, asked: bool, new: bool) -> bool:
        return not found.pauses(self._clock.now()) and (not new or self.ration.allows(found, asked=asked))

    async def note_dm_channel(self, user_id: int, channel_id: int | None) -> None:
        """Remember the channel of this person's direct messages; ``None``: it is not there, nothing is known."""
        async with self._transaction() as connection:
            await settings.set_dm_channel(connection, user_id, channel_id)
            if channel_id is None:
                await settings.set_dm(connection, user_id, Dm.UNKNOWN)

    async def note_dm(self, user_id: int, open: bool, *, new: bool = False) -> None:
        """Remember whether this person takes direct messages; `new`: the first one went well, so no pause grows."""
        async with self._transaction() as connection:
            await settings.set_dm(connection, user_id, Dm.OPEN if open else Dm.CLOSED)
            if new:
                await dms.end_pause(connection, self._clock.now())

    async def pause_dms(self) -> datetime | None:
        """Discord lets the bot open no more for now, whoever they are for: none are opened for a while.

        Until when; ``None`` where somebody has noted that before. Raises Unavailable.
        """
        async with self._transaction() as connection:
            now = self._clock.now()
            found = await dms.standing(connection, now, lock=True)
            if found.askew:
                found = await dms.set_right(connection, now, found)
            if found.pauses(now):
                return None
            wait = min(LONGEST_PAUSE, max(FIRST_PAUSE, 2 * found.wait))
            await dms.set_pause(connection, now + wait, wait)
        return now + wait


def has_just_pressed(row: Telling, match: Match) -> bool:
    """Whether the telling is the first deal to the person who sat down last and so filled the table and started it.

    The deal itself is the first direct message that they could get for that press.
    """
    if match.size != len(match.seats) or row.put_at != match.started_at:
        return False
    people = [seat for seat in match.seats if seat.user_id is not None]
    return row.seat == max(people, key=lambda seat: seat.position).seat if people else False


def _has_room(spent: Spent, limit: int, asked: bool) -> bool:
    return spent.all < limit and (asked or spent.unasked < int(limit * UNASKED))
