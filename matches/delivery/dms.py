"""Host.dms: the budget for new direct messages, and who accepts them (P2, P32).

`cogs/post/dms.py` sends them, `db/people/dms.py` counts them.

Discord stops bots that open many new ones, and quarantines them. So all processes share one budget. Messages that
somebody has just pressed for may use all of it, and messages that nobody has asked for only a part (`UNASKED`).
"""

from __future__ import annotations

from datetime import datetime, timedelta
from fractions import Fraction
from typing import Final, NamedTuple

from db import Connection
from db.model.enums import Dm
from db.model.ids import UserId
from db.model.rows import Telling
from db.people import dms, settings
from db.people.dms import Opened, Standing
from matches.records import fair
from matches.records.match import Match
from matches.work import stored
from matches.work.unit_of_work import UnitOfWork

UNASKED: Final = Fraction(2, 5)
"""The part of the budget for people who haven't asked."""

FIRST_PAUSE: Final = timedelta(minutes=10)
LONGEST_PAUSE: Final = timedelta(days=1)
"""While Discord lets the bot open none, the pauses between tries double from the first to the longest."""


class Ration(NamedTuple):
    """How many new direct messages may be opened within any minute, and within any day."""

    a_minute: int = 5
    a_day: int = 100

    def allows(self, found: Standing, *, asked: bool) -> bool:
        """Whether one more may be opened; `asked`: the person has pressed for it."""
        return _has_room(found.minute, self.a_minute, asked) and _has_room(found.day, self.a_day, asked)


class Door(NamedTuple):
    """How to reach a person's direct messages: by a known channel, or by opening one if that is allowed now.

    `new`: no message of the bot is known to have reached this person, so opening one counts in the budget.
    """

    dm: Dm
    channel_id: int | None = None
    may_open: bool = False
    new: bool = False


class DirectMessages:
    """The part of the host that rations direct messages. Every method raises Unavailable."""

    def __init__(self, work: UnitOfWork, ration: Ration) -> None:
        self._work = work
        self.ration = ration

    async def dm_of(self, user_id: UserId) -> Dm:
        """Return whether this person accepts direct messages, as far as known."""
        return (await self._work.read(settings.person, user_id)).dm

    async def door(self, user_id: UserId, *, asked: bool) -> Door:
        """Return the way to this person's direct messages. Permission to open a new channel is counted at once.

        Most refusals cost one read.
        """
        now = self._work.now()
        person, found = await self._work.read(lambda c: (settings.person(c, user_id), dms.standing(c, now)))
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
        """Return how much has been opened, and lock it until this transaction ends."""
        now = self._work.now()
        found = dms.standing(connection, now, lock=True)
        return dms.correct_skew(connection, now, found) if found.skewed else found

    def _may_open(self, found: Standing, *, asked: bool, new: bool) -> bool:
        return not found.pauses(self._work.now()) and (not new or self.ration.allows(found, asked=asked))

    async def note_dm_channel(self, user_id: UserId, channel_id: int | None) -> None:
        """Store the channel of this person's direct messages; ``None``: it doesn't exist any more."""
        known = {"dm_channel_id": channel_id, **({"dm": Dm.UNKNOWN} if channel_id is None else {})}
        await self._work.write(lambda c: settings.note(c, user_id, **known), idempotent=True)

    async def note_dm(self, user_id: UserId, open: bool, *, new: bool = False) -> None:
        """Store whether this person accepts direct messages; `new`: the first one succeeded, which ends any pause."""

        def note(connection: Connection) -> None:
            settings.note(connection, user_id, dm=Dm.OPEN if open else Dm.CLOSED)
            if new:
                dms.end_pause(connection, self._work.now())

        await self._work.write(note, idempotent=True)

    async def pause_dms(self) -> datetime | None:
        """Pause opening direct messages, because Discord refuses any, and return until when.

        ``None`` if there is a pause already.
        """

        def pause(connection: Connection) -> datetime | None:
            now, found = self._work.now(), self._standing(connection)
            if found.pauses(now):
                return None
            wait = min(LONGEST_PAUSE, max(FIRST_PAUSE, 2 * found.wait))
            dms.set_pause(connection, now + wait, wait)
            return now + wait

        return await self._work.write(pause)

    async def has_just_pressed(self, row: Telling, match: Match) -> bool:
        """Whether the row is the first deal to the player whose join filled the table and started the match.

        This deal is the first direct message that they could get for that press.
        """
        people = [seat for seat in match.seats if seat.user_id is not None]
        last = max(people, key=lambda seat: seat.position, default=None)
        if last is None or row.seat != last.seat or match.size != len(match.seats):
            return False
        table = await self._work.read(stored.table, match.id, self._work.now())
        unpressed = any(press.startswith(fair.POST) for press in table.details.pressed)
        return not unpressed and row.put_at == table.details.started_at


def _has_room(opened: Opened, limit: int, asked: bool) -> bool:
    return opened.all < limit and (asked or opened.unasked < int(limit * UNASKED))
