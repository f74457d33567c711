"""Settings of servers and people (P19), and facts about the store."""

from db import Database
from db.model.enums import Cancellers, Dm, Pace, Ping, Where
from db.model.ids import UserId
from db.model.setting_rows import GuildSettings, PlayerSettings
from db.people import settings
from db.store import meta

LARGE = UserId(2**63 - 1)


async def test_whoever_has_set_nothing_gets_what_everybody_gets(database: Database) -> None:
    servers = GuildSettings(Where.THREAD, Pace.DAY, None, Cancellers.MODERATORS)
    assert await database.read(settings.guild_settings, 1) == servers
    assert await database.read(settings.player_settings, UserId(1)) == PlayerSettings(
        Ping.MENTION, large=False, spoiler=False
    )


async def test_a_server_keeps_what_it_has_set_last(database: Database) -> None:
    first = GuildSettings(Where.THREAD, Pace.LIVE, (1, LARGE), Cancellers.HOSTS)
    second = GuildSettings(Where.CHANNEL, Pace.SLOW, (), Cancellers.MODERATORS)
    for chosen in (first, second):
        await database.write(settings.set_guild_settings, LARGE, chosen)
        assert await database.read(settings.guild_settings, LARGE) == chosen
        assert await database.read(settings.guild_settings, 1) == GuildSettings()


async def test_a_person_keeps_what_they_have_set_last(database: Database) -> None:
    for chosen in (PlayerSettings(Ping.DM, large=True), PlayerSettings(Ping.NONE, spoiler=True)):
        await database.write(settings.set_player_settings, LARGE, chosen)
        assert await database.read(settings.player_settings, LARGE) == chosen


async def test_what_is_known_of_direct_messages_and_what_is_set_do_not_touch_each_other(database: Database) -> None:
    chosen = PlayerSettings(Ping.BOTH, large=True)
    await database.write(lambda connection: settings.note(connection, UserId(1), dm=Dm.CLOSED))
    assert await database.read(settings.player_settings, UserId(1)) == PlayerSettings()
    await database.write(settings.set_player_settings, UserId(1), chosen)
    await database.write(lambda connection: settings.note(connection, UserId(1), dm=Dm.OPEN))
    assert await database.read(settings.player_settings, UserId(1)) == chosen


async def test_a_fact_about_the_store_is_replaced(database: Database) -> None:
    assert await database.read(meta.get, "commands") is None
    for value in ("one", "two"):
        await database.write(meta.put, "commands", value)
    assert await database.read(meta.get, "commands") == "two"
