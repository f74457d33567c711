"""A server's moderators bar somebody from its matches for a time."""

import discord

from matches.api import MatchId
from tests.cogs.table import Clocked, with_right
from tests.cogs.test_manners import one_sentence
from tests.cogs.test_rights import said

BARRED = "The moderators of this server have barred you from its matches. You can join again <t:"


async def test_whoever_is_barred_opens_and_joins_nothing_until_then_and_plays_on_what_runs(timed4: Clocked) -> None:
    ann, bob, cleo, dan = timed4.people
    chief = with_right(timed4, "Chief", manage_messages=True)
    await timed4.begin("saboteur", 3)
    await timed4.bot.host.play.depart(MatchId(1), cleo.id)
    await dan.slash(timed4.channel, "match sit", match=1)
    for person in (bob, dan):
        told = one_sentence(await chief.slash(timed4.channel, "settings bar", person=person, days=3))
        assert f"<@{person.id}> can't open or join matches on this server until <t:" in told
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
    assert f"<@{bob.id}> until <t:" in said(await chief.slash(timed4.channel, "settings barred"))
    await timed4.later(days=3)
    await ann.slash(timed4.channel, "gambo new")
    await bob.click(timed4.latest("Join"), label="Join")
    newest = max(match.id for match in await timed4.bot.host.look.matches_of(bob.id))
    assert (await timed4.bot.host.look.match(newest)).seat_of(ann.id) is not None
    assert said(await chief.slash(timed4.channel, "settings barred")) == "Nobody is barred on this server."


async def test_only_who_manages_messages_on_the_whole_server_bars_somebody_and_only_there(timed2: Clocked) -> None:
    ann, bob = timed2.people
    guild = timed2.channel.guild
    own = guild.create_text_channel("own", overwrites={bob: discord.PermissionOverwrite(manage_messages=True)})
    for name, given in (("bar", {"person": ann, "days": 1}), ("unbar", {"person": ann}), ("barred", {})):
        for place in (own, timed2.channel):
            refused = one_sentence(await bob.slash(place, f"settings {name}", **given))
            assert "manage messages on the whole server" in refused
    assert "only works in a server" in said(await bob.user.slash("settings barred"))
    chief = with_right(timed2, "Chief", manage_messages=True)
    await chief.slash(timed2.channel, "settings bar", person=bob, days=1)
    assert "again" in said(await chief.slash(timed2.channel, "settings unbar", person=bob))
    assert "isn't barred" in said(await chief.slash(timed2.channel, "settings unbar", person=bob))
    await timed2.bot.host.settings.bar(guild.id + 1, bob.id, timed2.bot.host.now().replace(year=2100))
    await bob.slash(timed2.channel, "gambo new")
    assert (await timed2.match()).seat_of(bob.id) is not None
