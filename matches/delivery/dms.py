"""Host.dms: the budget for new direct messages, and who accepts them (P2, P32).

`cogs/post/dms.py` sends them, `db/people/dms.py` counts them.

Discord stops bots that open many new ones, and quarantines them. So all processes share one budget. Whoever has just
pressed for it comes first; what the bot would open by itself gets only a part.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from fractions import Fraction
from typing import Final, NamedTuple

from db import Connection
from db.model.enums import Dm
from db.model.ids import UserId
from db.model.rows import PersonRow, Telling
from db.people import dms, settings
from db.people.dms import Opened, Standing
from matches.host.unit_of_work import UnitOfWork
from matches.records.match import Match
from matches.table import fair

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


class DirectMessages:
    """The part of the host that rations direct messages. All of it raises Unavailable."""

    def __init__(self, work: UnitOfWork, ration: Ration) -> None:
        self._work = work
        self.ration = ration

    async def dm_of(self, user_id: UserId) -> Dm:
        """What is known of this person's direct messages."""
        return (await self._work.read(settings.person, user_id)).dm

    async def door(self, user_id: UserId, *, asked: bool) -> Door:
        """The way to this person's direct messages; leave to open new ones is given once and counted at once.

        Most who are refused cost one reading.
        """

        def look(connection: Connection) -> tuple[PersonRow, Standing]:
            return settings.person(connection, user_id), dms.standing(connection, self._work.now())

        person, found = await self._work.read(look)
        dm = person.dm
        new = dm is not Dm.OPEN
        if person.dm_channel_id is not None:
            return Door(dm, person.dm_channel_id)
        if not found.skewed and not self._may_open(found, asked=asked, new=new):
            return Door(dm)

        def ask(connection: Connection) -> bool:
            found = self._standing(connection)
            may_open = self._may_open(found, asked=asked, new=new)
            if may_open and new:
                dms.note_opening(connection, self._work.now(), asked=asked)
            return may_open

        return Door(dm, None, await self._work.write(ask), new)

    def _standing(self, connection: Connection) -> Standing:
        """How much has been opened, which nobody else changes until this transaction ends."""
        now = self._work.now()
        found = dms.standing(connection, now, lock=True)
        return dms.correct_skew(connection, now, found) if found.skewed else found

    def _may_open(self, found: Standing, *, asked: bool, new: bool) -> bool:
        return not found.pauses(self._work.now()) and (not new or self.ration.allows(found, asked=asked))

    async def note_dm_channel(self, user_id: UserId, channel_id: int | None) -> None:
        """Remember the channel of this person's direct messages; ``None``: it is not there, nothing is known."""

        def note(connection: Connection) -> None:
            settings.set_dm_channel(connection, user_id, channel_id)
            if channel_id is None:
                settings.set_dm(connection, user_id, Dm.UNKNOWN)

        await self._work.write(note, idempotent=True)

    async def note_dm(self, user_id: UserId, open: bool, *, new: bool = False) -> None:
        """Remember whether this person takes direct messages; `new`: the first one went well, so no pause grows."""

        def note(connection: Connection) -> None:
            settings.set_dm(connection, user_id, Dm.OPEN if open else Dm.CLOSED)
            if new:
                dms.end_pause(connection, self._work.now())

        await self._work.write(note, idempotent=True)

    async def pause_dms(self) -> datetime | None:
        """Discord lets the bot open no more for now, whoever they are for: none are opened for a while.

        Until when; ``None`` where somebody has noted that before.
        """

        def pause(connection: Connection) -> datetime | None:
            now, found = self._work.now(), self._standing(connection)
            if found.pauses(now):
                return None
            wait = min(LONGEST_PAUSE, max(FIRST_PAUSE, 2 * found.wait))
            dms.set_pause(connection, now + wait, wait)
            return now + wait

        return await self._work.write(pause)


def has_just_pressed(row: Telling, match: Match) -> bool:
    """Whether the telling is the first deal to the person who sat down last and so filled the table and started it.

    The deal itself is the first direct message that they could get for that press.
    """
    unpressed = any(press.startswith(fair.POST) for press in match.pressed)
    if unpressed or match.size != len(match.seats) or row.put_at != match.started_at:
        return False
    people = [seat for seat in match.seats if seat.user_id is not None]
    return row.seat == max(people, key=lambda seat: seat.position).seat if people else False


def _has_room(opened: Opened, limit: int, asked: bool) -> bool:
    return opened.all < limit and (asked or opened.unasked < int(limit * UNASKED))
