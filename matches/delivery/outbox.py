"""Host.outbox: leases outbox rows to the scheduler, and stores whether they were sent.

It also stores the messages that were posted, and has the ones that they replace tidied up. The queries are in
`db/matches/outbox.py` and `db/matches/messages.py`.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from db import Connection
from db.matches import deadlines, gaps, messages, outbox, queries
from db.matches.messages import Messages
from db.matches.outbox import News
from db.model import schema
from db.model.enums import CALLING, Due, Kind, Status
from db.model.ids import NO_LINES, MatchId
from db.model.rows import Telling
from db.store import leases
from db.store.leases import Lease, Shards
from matches.errors import NotFound
from matches.records.match import Match
from matches.records.posts import BoardPost, CallPost, HandPost, Posted
from matches.table.opening import SHOWN_WITHIN
from matches.table.time import heard
from matches.work import stored
from matches.work.part import Part

LATE: Final = timedelta(seconds=5)
"""What is told later than this moves the deadline of what it asks."""


def put_posted(connection: Connection, by: Posted, now: datetime) -> bool:
    """Store a message as the latest of its kind, unless a later one is known. The older one is tidied up.

    A call whose turn is over by now is tidied up itself. Return whether a player hears only now, late, that it's their
    turn.
    """
    before = messages.of_match(connection, by.match_id)
    if before is None:
        return False
    old: list[News] = []
    if isinstance(by, HandPost):
        older = messages.note_hand(connection, by.match_id, by.position, by.message_id)
        if older is not None and by.channel_id is not None:
            old.append(News(Kind.OLD_POST, message_id=older, channel_id=by.channel_id))
    elif isinstance(by, BoardPost):
        old += _board(connection, by, before, now)
        if by.call_id is not None and by.turn_ply is not None:
            old += _call(connection, CallPost(by.match_id, by.call_id, by.turn_ply), before)
    else:
        old += _call(connection, by, before)
    # Of an old board, the row's ply is the one that it shows.
    shown = by.ply if isinstance(by, BoardPost) and by.ply < before.board_ply else before.board_ply
    outbox.put(connection, by.match_id, before.guild_id, shown, old, now)
    return is_untold(before, now) and not (isinstance(by, BoardPost) and by.ply < before.turn_ply)


def is_untold(match: Match | Messages, now: datetime) -> bool:
    """Whether a turn has begun of which its player hasn't heard, though it's late."""
    is_late = match.turn_at is not None and now - match.turn_at > LATE
    return match.status is Status.RUNNING and is_late and match.board_ply < match.turn_ply


def _board(connection: Connection, by: BoardPost, before: Messages, now: datetime) -> list[News]:
    later, old = by.ply >= before.board_ply, list[News]()
    older = before.board_message_id if later else by.message_id
    if later:
        changes: dict[str, Any] = {"board_message_id": by.message_id, "board_ply": by.ply}
        if by.message_id != before.board_message_id:
            changes["board_at"] = None if by.stays else now
            if by.alone and before.calls:
                # The calls link to the previous board. The new one stands at the bottom of the channel.
                old += [_post(call, before) for call in before.calls]
                changes["calls"] = ()
        messages.note(connection, by.match_id, **changes)
    if older is None or (later and older == by.message_id) or (not later and older == before.board_message_id):
        return old
    goes = by.alone and before.board_at is not None and before.status is Status.RUNNING
    return [*old, _post(older, before, Kind.OLD_POST if goes else Kind.OLD_BOARD)]


def _call(connection: Connection, by: CallPost, before: Messages) -> list[News]:
    if before.status not in (Status.LOBBY, Status.RUNNING) or by.turn_ply != before.turn_ply:
        return [_post(by.message_id, before)]
    if by.message_id not in before.calls:
        messages.note(connection, by.match_id, calls=(*before.calls, by.message_id))
    return []


def _post(message_id: int, of: Messages, kind: Kind = Kind.OLD_POST) -> News:
    return News(kind, message_id=message_id, channel_id=of.place_id)


class Outbox(Part):
    """The part of the host between the matches and the scheduler. Every method raises Unavailable."""

    async def claim(
        self,
        lease: timedelta | None = None,
        match_id: MatchId | None = None,
        limit: int = 100,
        *,
        only: Shards | None = None,
        kinds: Collection[Kind] | None = None,
    ) -> tuple[Telling, ...]:
        """Lease the due rows (of one match, or of all) to this process, and return them, oldest first.

        Rows of other processes are left to them until they are overdue (`db.store.leases.OVERDUE_AFTER`). `only`:
        these shards instead of the process's own. `kinds`: only rows of these kinds.
        """
        work = self._work
        claim = partial(outbox.claim, match_id=match_id, shards=only or work.shards, kinds=kinds)
        return tuple(await work.write(claim, work.now(), lease or work.lease, limit, work.name))

    async def owes(self) -> bool:
        """Whether any row is due, whoever owns it. This is cheaper than a claim that finds nothing."""
        return await self._work.read(outbox.any_due, self._work.now())

    async def take_over(self) -> None:
        """Release what a dead process of this name had leased. Call this before anything else."""

        def release(connection: Connection) -> None:
            outbox.release_all(connection, self._work.name, self._work.now())
            deadlines.release_all(connection, self._work.name)

        await self._work.write(release, idempotent=True)

    async def renew(
        self,
        tellings: Collection[int],
        turns: Collection[tuple[int, Due]] = (),
        claiming: bool = False,
        *,
        lease: timedelta | None = None,
    ) -> None:
        """Renew the leases of what this process has in hand: rows by number, deadlines by match and kind.

        Leases are renewed when half of their time is over. Rows that are leased under this name but not in hand are
        released, because the answer to their claim was lost. They are kept while this process is `claiming`, since the
        answer may still come, and if they were leased after this call began.
        """
        now, name, lease = self._work.now(), self._work.name, lease or self._work.lease
        newest = Lease(name, now + lease)
        in_hand: list[tuple[Any, set[Any]]] = [
            (schema.outbox, {(number,) for number in tellings}),
            (schema.deadlines, {*turns}),
        ]

        def look(connection: Connection) -> list[dict[tuple[Any, ...], datetime]]:
            return [leases.leased(connection, table, name) for table, _ in in_hand]

        changes = []
        for (table, mine), ends in zip(in_hand, await self._work.read(look), strict=True):
            short = [key for key, end in ends.items() if key in mine and end < now + lease / 2]
            lost = [key for key, end in ends.items() if key not in mine and end <= newest.until and not claiming]
            if short or lost:
                changes.append((table, short, lost))

        def renewed(connection: Connection) -> None:
            for table, short, lost in changes:
                leases.renew(connection, table, short, newest)
                leases.release(connection, table, lost, newest)

        if changes:
            await self._work.write(renewed)

    async def still_owed(self, telling: Telling) -> Match | None:
        """Return the row's match as it stands now, ``None`` if the row was dropped.

        If the row comes late, the match has the times that it will have once the row is `told`: people read these.
        """
        return await self._work.read(self._owed, telling)

    def _owed(self, connection: Connection, telling: Telling) -> Match | None:
        now = self._work.now()
        table = stored.table_for(connection, telling, now)
        if table is None or telling.kind not in {*CALLING, Kind.ANEW} or now - telling.put_at <= LATE:
            return None if table is None else table.match
        return heard(table, telling, begins=is_untold(table.match, now)).match

    async def board_waiting(self, match_id: MatchId) -> Telling | None:
        """Return the row of the match's board, or of its end, that isn't sent yet; ``None`` if there is none."""
        return await self._work.read(outbox.waiting, match_id, (Kind.BOARD, Kind.END))

    async def told(self, telling_id: int, by: Posted | None = None, then: Telling | None = None) -> Match | None:
        """Delete a row that was sent or needn't be sent any more. Store `by`, the message that was sent for it.

        If that comes late, the time for an answer to what the row asks begins now. Return what `still_owed` returns for
        the row that comes `then`, read in the same transaction.
        """

        def note(connection: Connection) -> Match | None:
            begins = by is not None and put_posted(connection, by, self._work.now())
            row = outbox.remove(connection, telling_id)
            if row is not None and row.match_id is not None and row.kind in {*CALLING, Kind.ANEW}:
                self._note_heard(connection, row, row.match_id, begins=begins)
            return None if then is None else self._owed(connection, then)

        return await self._work.write(note, idempotent=True)

    def _note_heard(self, connection: Connection, row: Telling, match_id: MatchId, *, begins: bool) -> None:
        now = self._work.now()
        late = now - row.put_at > LATE
        if begins and late and row.guild_id is not None:
            gaps.remember(connection, row.guild_id, row.put_at, now)
        if begins or late:
            with suppress(NotFound):
                self._work.change_within(connection, match_id, lambda table: heard(table, row, begins=begins))

    async def note(self, by: Posted) -> None:
        """Store a message that was sent besides the one that a row is about."""
        await self._work.write(lambda connection: put_posted(connection, by, self._work.now()), idempotent=True)

    async def retry(self, telling_id: int, after: timedelta) -> None:
        """Retry a row that could not be sent, after this time."""
        await self._work.write(outbox.retry_at, telling_id, self._work.now() + after)

    async def redraw_lobby(self, match_id: MatchId) -> None:
        """Have the lobby's message redrawn. Raises NotFound, Frozen."""
        await self._work.change(match_id, lambda table: table.telling(Kind.LOBBY))

    async def set_lobby_message(self, match_id: MatchId, message_id: int | None) -> None:
        """Store the lobby's message (``None``: it is gone). Once there is one, the row for posting it is dropped."""

        def note(connection: Connection) -> None:
            if message_id is not None:
                outbox.drop(connection, match_id, (Kind.LOBBY,), ply=NO_LINES)
                # What else is owed of a new lobby may link the message.
                outbox.hasten(connection, match_id, self._work.now(), SHOWN_WITHIN)
            queries.update_match(connection, match_id, lobby_message_id=message_id)

        await self._work.write(note, idempotent=True)

    async def set_thread(self, match_id: MatchId, thread_id: int | None) -> None:
        """Store the thread in which the match is played (``None``: it is played in the channel)."""
        await self._work.write(lambda c: queries.update_match(c, match_id, thread_id=thread_id), idempotent=True)
