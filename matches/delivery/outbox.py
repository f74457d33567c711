"""What has to be told, handed to whoever tells it, and what they report back."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta

from db import deadlines, outbox
from db import matches as queries
from matches import stored
from matches.desk import Desk
from matches.records import BoardPost, HandPost, Kind, Match, Telling


class Outbox(Desk):
    """The part of the host between the matches and whoever tells their news."""

    async def claim(self, lease: timedelta, match_id: int | None = None, limit: int = 100) -> tuple[Telling, ...]:
        """What has to be told now (of one match, or of all), oldest first, leased for so long to the caller.

        What belongs to another process is left to that for ten seconds.
        """
        now = self._clock.now()
        async with self._transaction() as connection:
            rows = await outbox.claim(connection, now, lease, limit, self.name, match_id=match_id, shards=self.shards)
        return tuple(map(stored.telling, rows))

    async def owes(self) -> bool:
        """Whether anything has to be told now, by anybody; cheaper than claiming it in vain."""
        async with self._reading() as connection:
            return await outbox.due(connection, self._clock.now())

    async def take_over(self) -> None:
        """Before anything else: whoever bore this host's name before is dead, and what they had begun is free at once.

        Raises Unavailable.
        """
        async with self._transaction() as connection:
            await outbox.release(connection, self.name, self._clock.now())
            await deadlines.release(connection, self.name)

    async def renew(self, lease: timedelta, tellings: Collection[int], turns: Collection[tuple[int, str]] = ()) -> None:
        """Renew what this process has in hand (tellings by number, deadlines by match and kind) at half a lease.

        What is leased under its name and not in hand is free again: the answer to the claim never came. Must not run
        while a claim does. Raises Unavailable.
        """
        now = self._clock.now()
        soon, until = now + lease / 2, now + lease
        async with self._reading() as connection:
            rows = await outbox.leased(connection, self.name)
            keys = await deadlines.leased(connection, self.name)
        short = [number for number, end in rows.items() if number in tellings and end < soon]
        lost = [number for number in rows if number not in tellings]
        short_keys = [key for key, end in keys.items() if key in turns and end < soon]
        lost_keys = [key for key in keys if key not in turns]
        if short or lost or short_keys or lost_keys:
            async with self._transaction() as connection:
                await outbox.renew(connection, short, until)
                await outbox.free(connection, lost)
                await deadlines.renew(connection, short_keys, until)
                await deadlines.free(connection, lost_keys)

    async def still_owed(self, telling: Telling) -> Match | None:
        """The match as it stands; ``None`` where what was to be told of it has been dropped meanwhile."""
        async with self._reading() as connection:
            return await stored.read_for(connection, telling)

    async def told(self, telling_id: int, by: BoardPost | HandPost | None = None) -> None:
        """It was told, or is no longer worth telling.

        Where a board or a hand has told it, that is remembered as the latest; a board that is older than the known one
        changes nothing.
        """
        async with self._transaction() as connection:
            if isinstance(by, BoardPost):
                await queries.note_board(connection, *by)
            elif by is not None:
                await queries.update_seat(connection, by.match_id, by.position, hand_message_id=by.message_id)
            await outbox.told(connection, telling_id)

    async def retry(self, telling_id: int, after: timedelta) -> None:
        """It could not be told: offer it again after this time."""
        async with self._transaction() as connection:
            await outbox.postpone(connection, telling_id, self._clock.now() + after)

    async def redraw_lobby(self, match_id: int) -> None:
        """The lobby's message has to be drawn anew. Raises NotFound, Frozen, Unavailable."""
        async with self._sitting(match_id) as sitting:
            await sitting.tell(Kind.LOBBY)

    async def set_lobby_message(self, match_id: int, message_id: int | None) -> None:
        """Remember the lobby message (``None``: it is gone); once there is one, none need be posted."""
        async with self._transaction() as connection:
            if message_id is not None:
                await outbox.drop(connection, match_id, (Kind.LOBBY,), ply=0)
            await queries.update_match(connection, match_id, lobby_message_id=message_id)

    async def set_thread(self, match_id: int, thread_id: int | None) -> None:
        """Remember the thread in which the match is played (``None``: the channel after all)."""
        async with self._transaction() as connection:
            await queries.update_match(connection, match_id, thread_id=thread_id)
