"""Where a match is played, whether it can be reached there, and what happens when it cannot (P17)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from db import matches as queries
from db import outbox
from matches import stored
from matches.delivery.outbox import Outbox
from matches.records import Kind, Lost, Match, Status
from matches.sitting import Sitting

_OPEN: Final = (Status.LOBBY, Status.RUNNING)


class Reach(Outbox):
    """The part of the host that knows which matches are out of reach; their clocks stand still until they are back."""

    async def move(
        self, match_id: int, by: int, channel_id: int, *, moderator: bool = False, in_thread: bool = False
    ) -> Match:
        """Play on in another channel or thread (`in_thread`) of the server, where everything is posted anew.

        For whoever plays and for moderators. Raises WrongTime once it is over, NotSeated, Frozen.
        """
        async with self._sitting(match_id) as sitting:
            if sitting.match.status is not Status.LOBBY:
                sitting.running()
            if not moderator:
                sitting.seated(by)
            sitting.set(
                channel_id=channel_id,
                thread_id=None,
                lobby_message_id=None,
                board_message_id=None,
                in_thread=in_thread,
            )
            await sitting.find()
            await _show_again(sitting)
        return sitting.match

    async def lose(self, match_id: int) -> bool:
        """Nothing can be posted where the match is played: its people are told so once; True if they are to be now."""
        async with self._sitting(match_id) as sitting:
            known = sitting.match.lost is not None or sitting.match.status not in _OPEN
            if not known:
                await sitting.lose(Lost.PLACE)
                await sitting.tell(Kind.LOST)
        return not known

    async def find(self, match_id: int) -> None:
        """Something could be posted after all: the match's clocks run on."""
        async with self._sitting(match_id) as sitting:
            await sitting.find()

    async def lose_channel(self, channel_id: int) -> None:
        """A channel or thread was deleted. A match in a thread of its own goes on in the thread's channel."""
        async with self._reading() as connection:
            found = await stored.read_all(connection, await queries.matches_at(connection, channel_id, _OPEN))
        for match in found:
            if match.channel_id == channel_id:
                await self.lose(match.id)
            else:
                async with self._sitting(match.id) as sitting:
                    if sitting.match.thread_id == channel_id and sitting.match.status in _OPEN:
                        # The board that was posted keeps another thread from being made (P3).
                        sitting.set(thread_id=None)
                        await sitting.tell(Kind.LOBBY)
                        await _show_again(sitting)

    async def lose_server(self, guild_id: int) -> None:
        """The bot is no longer on this server: nothing is tried there any more, and nothing becomes due."""
        for number in await self._open_in(guild_id):
            async with self._sitting(number) as sitting:
                if sitting.match.status in _OPEN:
                    await sitting.lose(Lost.SERVER)
                    await outbox.drop(sitting.connection, number, tuple(set(Kind) - {Kind.SECRETS}))
                    await outbox.hold(sitting.connection, number, True, sitting.now)

    async def find_server(self, guild_id: int) -> None:
        """The bot is on this server (again): what was lost with it goes on where it stopped."""
        for number in await self._open_in(guild_id):
            async with self._sitting(number) as sitting:
                if sitting.match.lost is Lost.SERVER and sitting.match.status in _OPEN:
                    await sitting.find()
                    await outbox.hold(sitting.connection, number, False, sitting.now)
                    await _show_again(sitting)

    async def notice_servers(self, present: Collection[int]) -> None:
        """At the start: the bot is on these servers, of those whose shards this process carries, and on no others."""
        async with self._reading() as connection:
            known = await queries.guilds_with(connection, _OPEN)
        for guild_id, lost in known.items():
            if guild_id in present and lost:
                await self.find_server(guild_id)
            elif guild_id not in present and not lost and self._carries(guild_id):
                await self.lose_server(guild_id)

    def _carries(self, guild_id: int) -> bool:
        return self.shards is None or self.shards.carry(guild_id)

    async def _open_in(self, guild_id: int) -> list[int]:
        async with self._reading() as connection:
            return await queries.open_in_guild(connection, guild_id, _OPEN)


async def _show_again(sitting: Sitting) -> None:
    """Have the lobby or the board posted where the match is now; it rings nobody anew (P26)."""
    running = sitting.match.status is Status.RUNNING
    mover = sitting.match.mover
    await sitting.tell(Kind.BOARD if running else Kind.LOBBY, None, mover.user_id if running and mover else None)
