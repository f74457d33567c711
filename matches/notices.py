"""What has to be told, and what those who tell it report back; the settings of servers and people."""

from __future__ import annotations

from datetime import timedelta

from db import deadlines, outbox, settings
from db import matches as queries
from db.settings import GuildSettings, PlayerSettings
from matches.desk import Desk
from matches.records import BoardPost, Dm, Kind, Match, Status, Telling


class Notices(Desk):
    """The part of the host between the matches and whoever shows them."""

    async def claim(self, lease: timedelta, match_id: int | None = None, limit: int = 100) -> tuple[Telling, ...]:
        """What has to be told now (of one match, or of all), oldest first, leased for so long to the caller."""
        now = self._clock.now()
        async with self._reading() as connection:
            if not await outbox.due(connection, now, match_id):
                return ()
        async with self._transaction() as connection:
            rows = await outbox.claim(connection, now, lease, match_id, limit, self.name)
        return tuple(Telling(row.id, row.match_id, row.ply, Kind(row.kind), row.seat) for row in rows)

    async def take_over(self) -> None:
        """Before anything else: whoever bore this host's name before is dead, and what he had begun is free at once.

        Raises Unavailable.
        """
        async with self._transaction() as connection:
            await outbox.release(connection, self.name, self._clock.now())
            await deadlines.release_all(connection, self.name)

    async def told(self, telling_id: int, board: BoardPost | None = None) -> None:
        """It was told, or is no longer worth telling.

        Where a `board` has told it, that is remembered as the latest; one older than the known changes nothing.
        """
        async with self._transaction() as connection:
            if board is not None:
                await queries.note_board(connection, *board)
            await outbox.told(connection, telling_id)

    async def retry(self, telling_id: int, after: timedelta) -> None:
        """It could not be told: offer it again after this time."""
        async with self._transaction() as connection:
            await outbox.postpone(connection, telling_id, self._clock.now() + after)

    async def note_dm(self, user_id: int, open: bool) -> None:
        """Remember whether this person's direct messages are open."""
        async with self._transaction() as connection:
            await settings.set_dm(connection, user_id, Dm.OPEN if open else Dm.CLOSED)

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

    async def note_unreachable(self, match_id: int, unreachable: bool) -> bool:
        """Remember whether its people know that nothing can be posted for a match; True if they did not."""
        async with self._transaction() as connection:
            found = await queries.table(connection, match_id, lock=True)
            if found is None or found.match.unreachable is unreachable:
                return False
            await queries.update_match(connection, match_id, unreachable=unreachable)
            return True

    async def move(self, match_id: int, by: int, channel_id: int, *, moderator: bool = False) -> Match:
        """Play on in another channel or thread of the server, where everything is posted anew (P17).

        For whoever plays and for moderators. Raises WrongTime once it is over, NotSeated, Frozen.
        """
        async with self._sitting(match_id) as sitting:
            if sitting.match.status is not Status.LOBBY:
                sitting.running()
            if not moderator:
                sitting.seated(by)
            sitting.set(
                channel_id=channel_id, thread_id=None, lobby_message_id=None, board_message_id=None, unreachable=False
            )
            running = sitting.match.status is Status.RUNNING
            await sitting.tell(Kind.BOARD if running else Kind.LOBBY)
        return sitting.match

    async def guild_settings(self, guild_id: int) -> GuildSettings:
        """What a server has set."""
        async with self._reading() as connection:
            return await settings.guild_settings(connection, guild_id)

    async def set_guild_settings(self, guild_id: int, chosen: GuildSettings) -> None:
        """Keep what a server has set."""
        async with self._transaction() as connection:
            await settings.set_guild_settings(connection, guild_id, chosen)

    async def player_settings(self, user_id: int) -> PlayerSettings:
        """What a person has set."""
        async with self._reading() as connection:
            return await settings.player_settings(connection, user_id)

    async def set_player_settings(self, user_id: int, chosen: PlayerSettings) -> None:
        """Keep what a person has set."""
        async with self._transaction() as connection:
            await settings.set_player_settings(connection, user_id, chosen)
