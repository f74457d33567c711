"""A server's moderators bar somebody from its matches for a time."""

import discord

from cogs.commands.setting_pages import PUT, TAKE
from cogs.press.custom_ids import MENU, Ref
from matches.api import MatchId
from tests.cogs.table import Clocked, at_match, with_right
from tests.cogs.test_rights import said
from tests.cogs.test_settings import forged

BAR, LIFT = (Ref("setserver", path=("barred", what)).custom_id(MENU) for what in (PUT, TAKE))
BARRED = "The moderators of this server have barred you from its matches. You can join again <t:"


async def test_whoever_is_barred_opens_and_joins_nothing_until_then_and_plays_on_what_runs(timed4: Clocked) -> None:
    ann, bob, cleo, dan = timed4.people
    chief = with_right(timed4, "Chief", manage_messages=True)
    await timed4.begin("saboteur", 3)
    await timed4.bot.host.play.depart(MatchId(1), cleo.id)
    await at_match(dan, timed4.channel, "sit", match=1)
    page = (await chief.slash(timed4.channel, "settings server")).response
    for person in (bob, dan):
        question = (await chief.select(page, [person], custom_id=BAR)).response
        page = (await chief.select(question, ["3"])).response
        assert f"<@{person.id}> is barred until <t:" in page.content
    await timed4.told()
    agree = timed4.latest("Agree")
    for person in (ann, bob):
        agreed = await person.click(agree, label="Agree")
    assert said(agreed) == "That request is no longer open."
    assert said(await bob.slash(timed4.channel, "gambo new")).startswith(BARRED)
    await ann.slash(timed4.channel, "gambo new")
    assert said(await bob.click(timed4.latest("Join"), label="Join")).startswith(BARRED)
    mover = (await timed4.match()).mover
    if mover is not None and mover.user_id == bob.id:
        await timed4.move()
    assert f"<@{bob.id}> until <t:" in said(await chief.slash(timed4.channel, "settings server"))
    await timed4.later(days=3)
    await ann.slash(timed4.channel, "gambo new")
    await bob.click(timed4.latest("Join"), label="Join")
    newest = max(match.id for match in await timed4.bot.host.look.matches_of(bob.id))
    assert (await timed4.bot.host.look.match(newest)).seat_of(ann.id) is not None
    assert "Nobody is on this list." in said(await chief.slash(timed4.channel, "settings server"))


async def test_only_who_manages_messages_on_the_whole_server_bars_somebody_and_only_there(timed2: Clocked) -> None:
    ann, bob = timed2.people
    guild = timed2.channel.guild
    own = guild.create_text_channel("own", overwrites={bob: discord.PermissionOverwrite(manage_messages=True)})
    manager, chief = (with_right(timed2, name, **{name: True}) for name in ("manage_guild", "manage_messages"))
    for path in ((), (PUT, str(ann.id)), (PUT, str(ann.id), "1"), (TAKE, str(ann.id))):
        for person, place in ((bob, own), (bob, timed2.channel), (manager, timed2.channel)):
            refused = await forged(timed2, place, person, "setserver", "barred", *path)
            assert "manage messages on the whole server" in refused
        dm = bob.user.dm_channel
        assert "only works in a server" in await forged(timed2, dm, bob.user, "setserver", "barred", *path)
    assert "permission: Manage Server" in said(await bob.slash(timed2.channel, "settings server"))
    page = (await manager.slash(timed2.channel, "settings server")).response
    assert "manage messages on the whole server" in said(await manager.select(page, ["barred"]))
    for days in ("2", "999", "x"):
        question = await forged(timed2, timed2.channel, chief, "setserver", "barred", PUT, str(bob.id), days)
        assert question.endswith("for how long?")
    await forged(timed2, timed2.channel, chief, "setserver", "barred", PUT, str(bob.id), "1")
    page = (await chief.slash(timed2.channel, "settings server")).response
    assert "can play on this server again" in said(await chief.select(page, [str(bob.id)], custom_id=LIFT))
    assert "isn't barred" in await forged(timed2, timed2.channel, chief, "setserver", "barred", TAKE, str(bob.id))
    await timed2.bot.host.settings.bar(guild.id + 1, bob.id, timed2.bot.host.now().replace(year=2100))
    await bob.slash(timed2.channel, "gambo new")
    assert (await timed2.match()).seat_of(bob.id) is not None
