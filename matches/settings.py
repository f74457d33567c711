"""What servers and people have set (P19)."""

from __future__ import annotations

from db import settings
from db.settings import GuildSettings, PlayerSettings
from matches.desk import Desk


class Settings(Desk):
    """The part of the host that keeps settings."""

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
