"""What servers and people have set (P19), and facts about the store."""

from __future__ import annotations

from db import Database, meta, settings
from db.settings import Cancellers, GuildSettings, Ping, PlayerSettings

LARGE = 2**63 - 1


async def test_who_has_set_nothing_gets_what_everybody_gets(database: Database) -> None:
    async with database.reading() as connection:
        assert await settings.guild_settings(connection, 1) == GuildSettings(
            "channel", "day", None, Cancellers.MODERATORS
        )
        assert await settings.player_settings(connection, 1) == PlayerSettings(Ping.MENTION, large=False, spoiler=False)


async def test_a_server_keeps_what_it_has_set_last(database: Database) -> None:
    first = GuildSettings("thread", "live", (1, LARGE), Cancellers.HOSTS)
    second = GuildSettings("channel", "slow", (), Cancellers.MODERATORS)
    for chosen in (first, second):
        async with database.transaction() as connection:
            await settings.set_guild_settings(connection, LARGE, chosen)
        async with database.reading() as connection:
            assert await settings.guild_settings(connection, LARGE) == chosen
            assert await settings.guild_settings(connection, 1) == GuildSettings()


async def test_a_person_keeps_what_he_has_set_last(database: Database) -> None:
    for chosen in (PlayerSettings(Ping.DM, large=True), PlayerSettings(Ping.NONE, spoiler=True)):
        async with database.transaction() as connection:
            await settings.set_player_settings(connection, LARGE, chosen)
        async with database.reading() as connection:
            assert await settings.player_settings(connection, LARGE) == chosen


async def test_what_is_known_of_direct_messages_and_what_is_set_do_not_touch_each_other(database: Database) -> None:
    chosen = PlayerSettings(Ping.BOTH, large=True)
    async with database.transaction() as connection:
        await settings.set_dm(connection, 1, "closed")
        assert await settings.player_settings(connection, 1) == PlayerSettings()
        await settings.set_player_settings(connection, 1, chosen)
        await settings.set_dm(connection, 1, "open")
        assert await settings.player_settings(connection, 1) == chosen


async def test_a_fact_about_the_store_is_replaced(database: Database) -> None:
    async with database.transaction() as connection:
        assert await meta.get(connection, "commands") is None
        await meta.put(connection, "commands", "one")
        await meta.put(connection, "commands", "two")
        assert await meta.get(connection, "commands") == "two"
