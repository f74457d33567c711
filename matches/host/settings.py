"""Host.settings: the settings of servers and people (P19).

The commands are in `cogs/commands/settings.py`, the queries in `db/people/settings.py`.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Final

from db import Connection
from db.model.ids import UserId
from db.model.setting_rows import GuildSettings, PlayerSettings
from db.people import bars, lists, settings
from db.results import keyed
from matches.errors import NotAllowed
from matches.work import barring
from matches.work.part import Part

MOST_BLOCKED: Final = 100


class Settings(Part):
    """What servers and people have set. All of it raises Unavailable."""

    async def guild_settings(self, guild_id: int) -> GuildSettings:
        """Return what a server has set."""
        return await self._work.read(settings.guild_settings, guild_id)

    async def set_guild_settings(self, guild_id: int, chosen: GuildSettings) -> None:
        """Store what a server has set."""
        await self._work.write(settings.set_guild_settings, guild_id, chosen, idempotent=True)

    async def seasons(self, guild_id: int) -> tuple[keyed.Season, ...]:
        """Return the seasons of a server, the present one last."""
        return tuple(await self._work.read(keyed.seasons, guild_id))

    async def begin_season(self, guild_id: int) -> int:
        """Begin a new season of the server, and return its number. Old ones stay readable.

        A season without any result continues instead.
        """
        return await self._work.write(keyed.begin_season, guild_id, self._work.now())

    async def player_settings(self, user_id: UserId) -> PlayerSettings:
        """Return what a person has set."""
        return await self._work.read(settings.player_settings, user_id)

    async def set_player_settings(self, user_id: UserId, chosen: PlayerSettings) -> None:
        """Store what a person has set."""
        await self._work.write(settings.set_player_settings, user_id, chosen, idempotent=True)

    async def block(self, user_id: UserId, other_id: UserId) -> None:
        """Put another person on this one's list. Raises NotAllowed for themselves, or if the list is full."""
        if user_id == other_id:
            raise NotAllowed("That's you.")

        def work(connection: Connection) -> None:
            lists.put(connection, user_id, other_id)
            if lists.length(connection, user_id) > MOST_BLOCKED:
                raise NotAllowed(f"Your list can hold {MOST_BLOCKED} people. Take somebody off first.")

        await self._work.write(work, idempotent=True)

    async def unblock(self, user_id: UserId, other_id: UserId) -> bool:
        """Take somebody off this person's list. Returns whether they were on it."""
        return await self._work.write(lists.remove, user_id, other_id)

    async def blocked(self, user_id: UserId) -> tuple[UserId, ...]:
        """Return who is on this person's list. Show it to nobody else."""
        return tuple(await self._work.read(lists.of_person, user_id))

    async def rung_by(self, user_id: UserId, others: Collection[UserId], guild_id: int | None) -> tuple[UserId, ...]:
        """Return those of the `others` whom an invitation by this person on a server may ping."""
        if not others:
            return ()
        now, apart = self._work.now(), await self._work.read(lists.among, (user_id, *others))
        barred = await self._work.read(bars.among, guild_id, others)
        return tuple(each for each in others if (each, user_id) not in apart and barred.get(each, now) <= now)

    async def blocked_among(self, user_id: UserId, others: Collection[UserId]) -> tuple[UserId, ...]:
        """Return those of the `others` who are on this person's list."""
        apart = await self._work.read(lists.among, (user_id, *others))
        return tuple(each for each in others if (user_id, each) in apart)

    async def bar(self, guild_id: int, user_id: UserId, until: datetime) -> None:
        """Bar this person from new matches on this server until then. They leave its lobbies."""
        await barring.bar(self._work, guild_id, user_id, until)

    async def unbar(self, guild_id: int, user_id: UserId) -> bool:
        """Let this person play on this server again. Returns whether they were barred."""
        return await self._work.write(bars.remove, guild_id, user_id)

    async def barred(self, guild_id: int) -> tuple[tuple[UserId, datetime], ...]:
        """Return who is barred on this server, and until when."""
        now = self._work.now()
        found = await self._work.read(bars.of_guild, guild_id)
        return tuple((user_id, until) for user_id, until in found if until > now)
