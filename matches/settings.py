"""The part of the host that keeps what servers and people have set (P19)."""

from __future__ import annotations

from db import settings
from db.ids import UserId
from db.rows import GuildSettings, PlayerSettings
from matches.unit_of_work import UnitOfWork


class Settings:
    """What servers and people have set. All of it raises Unavailable."""

    def __init__(self, work: UnitOfWork) -> None:
        self._work = work

    async def guild_settings(self, guild_id: int) -> GuildSettings:
        """What a server has set."""
        return await self._work.read(settings.guild_settings, guild_id)

    async def set_guild_settings(self, guild_id: int, chosen: GuildSettings) -> None:
        """Keep what a server has set."""
        await self._work.write(settings.set_guild_settings, guild_id, chosen)

    async def player_settings(self, user_id: UserId) -> PlayerSettings:
        """What a person has set."""
        return await self._work.read(settings.player_settings, user_id)

    async def set_player_settings(self, user_id: UserId, chosen: PlayerSettings) -> None:
        """Keep what a person has set."""
        await self._work.write(settings.set_player_settings, user_id, chosen)
