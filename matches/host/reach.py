"""Host.reach: which matches the bot can't reach. Their clocks stand still until it can (P17).

The decisions are in `matches/table/reach.py`.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from db import Connection, features
from db.matches import outbox, queries
from db.model.ids import MatchId, UserId
from db.people import settings as chosen
from db.store.leases import Shards
from matches.engine.sweep import sweep
from matches.table import limits, reach
from matches.table.limits import Deed
from matches.table.reach import OPEN
from matches.table.value import Decision
from matches.work import stored
from matches.work.difference import use_allowance
from matches.work.part import Part, deed

DELETED: Final = "the channel was deleted"


class Reach(Part):
    """Where matches are played, and whether the bot can post there. All of it raises Unavailable.

    A method for many matches goes on after a failure, and raises all failures as an ExceptionGroup at the end.
    """

    move = deed(reach.move)
    show = deed(reach.show)
    bring_down = deed(reach.bring_down)
    bring_back = deed(reach.bring_back)
    leave_server = deed(reach.lose_server)
    find = deed(reach.found)
    stay_in_channel = deed(reach.stay_in_channel)
    note_thread = deed(reach.note_thread)

    async def show_on(self, guild_id: int, by: UserId) -> None:
        """Use the allowance for posting something in public that is about no match. Raises TooSoon."""
        await self._work.write(use_allowance, limits.mark_on(Deed.SHOW, by, guild_id), Deed.SHOW, self._work.now())

    async def lose(self, match_id: MatchId, why: str = "") -> bool:
        """Note that nothing can be posted where the match is played, and `why`, as the end of a sentence.

        Returns whether its people must be told now.
        """
        return (await self._work.change(match_id, lambda table: reach.lose_place(table, why))).owed

    async def lose_channel(self, channel_id: int, guild_id: int | None = None) -> None:
        """Note that a channel or thread was deleted. A match in a thread of its own goes on in the thread's channel.

        `guild_id`: its server, in whose settings it may be named.
        """

        def work(connection: Connection) -> dict[MatchId, bool]:
            numbers = queries.matches_of_channel(connection, channel_id, OPEN)
            return {match.id: match.channel_id == channel_id for match in stored.read_all(connection, numbers)}

        await self._work.write(_forget_channel, channel_id, guild_id, idempotent=True)
        in_channel = await self._work.read(work)

        async def lose(number: MatchId) -> None:
            if in_channel[number]:
                await self.lose(number, DELETED)
            else:
                await self._work.change(number, lambda table: reach.lose_thread(table, channel_id))

        await sweep("match", in_channel, lose)

    async def lose_server(self, guild_id: int) -> None:
        """Note that the bot was removed from this server, as `table.reach.lose_server` says.

        What features keep of the server is deleted.
        """

        def forget(connection: Connection) -> None:
            outbox.drop_of_server(connection, guild_id)
            features.forget_guild(connection, guild_id)

        await self._work.write(forget, idempotent=True)
        await self._everywhere(guild_id, reach.lose_server)

    async def find_server(self, guild_id: int) -> None:
        """Note that the bot is on this server (again), as `table.reach.find_server` says."""
        await self._work.write(features.find_guild, guild_id, self._work.now(), idempotent=True)
        await self._everywhere(guild_id, reach.find_server)

    async def notice_servers(self, present: Collection[int], shards: Shards | None = None) -> None:
        """Note at the start on which servers the bot is `present`, of those of these `shards` (default: its own)."""
        known = await self._work.read_at_length(None, queries.guilds_with, OPEN)
        kept = await self._work.read_at_length(None, features.guilds)
        known = dict.fromkeys(kept, False) | known

        async def notice(guild_id: int) -> None:
            if guild_id in present and known[guild_id]:
                await self.find_server(guild_id)
            elif guild_id not in present and not known[guild_id] and self._carries(guild_id, shards):
                await self.lose_server(guild_id)

        await sweep("server", known, notice)

    def _carries(self, guild_id: int, shards: Shards | None) -> bool:
        carried = shards or self._work.shards
        return carried is None or carried.carry(guild_id)

    async def _everywhere(self, guild_id: int, decide: Decision) -> None:
        numbers = await self._work.read_at_length(guild_id, queries.open_in_guild, guild_id, OPEN)
        await sweep("match", numbers, lambda number: self._work.change(number, decide))


def _forget_channel(connection: Connection, channel_id: int, guild_id: int | None) -> None:
    if guild_id is not None:
        chosen.forget_channel(connection, guild_id, channel_id)
    features.forget_channel(connection, channel_id)
