"""A server's moderators bar somebody from its matches for a time."""

from __future__ import annotations

from pathlib import Path

import discord

from matches.api import MatchId
from tests.cogs.table import clocked, with_right
from tests.cogs.test_manners import one_sentence
from tests.cogs.test_rights import said

BARRED = "The moderators of this server have barred you from its matches. You can join again <t:"


async def test_whoever_is_barred_opens_and_joins_nothing_until_then_and_plays_on_what_runs(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 4) as timed:
        room = timed.room
        ann, bob, cleo, dan = room.people
        chief = with_right(room, "Chief", manage_messages=True)
        await room.begin("saboteur", 3)
        await room.bot.host.play.depart(MatchId(1), cleo.id)
        await dan.slash(room.channel, "match sit", match=1)
        for person in (bob, dan):
            told = one_sentence(await chief.slash(room.channel, "settings bar", person=person, days=3))
            assert f"<@{person.id}> can't open or join matches on this server until <t:" in told
        await room.told()
        agree = room.latest("Agree")
        for person in (ann, bob):
            agreed = await person.click(agree, label="Agree")
        assert said(agreed) == "That request is no longer open."
        assert said(await bob.slash(room.channel, "gambo new")).startswith(BARRED)
        await ann.slash(room.channel, "gambo new")
        assert said(await bob.click(room.latest("Join"), label="Join")).startswith(BARRED)
        mover = (await timed.match()).mover
        if mover is not None and mover.user_id == bob.id:
            await timed.move()
        assert f"<@{bob.id}> until <t:" in said(await chief.slash(room.channel, "settings barred"))
        await timed.later(days=3)
        await ann.slash(room.channel, "gambo new")
        await bob.click(room.latest("Join"), label="Join")
        newest = max(match.id for match in await room.bot.host.look.matches_of(bob.id))
        assert (await room.bot.host.look.match(newest)).seat_of(ann.id) is not None
        assert said(await chief.slash(room.channel, "settings barred")) == "Nobody is barred on this server."


async def test_only_who_manages_messages_on_the_whole_server_bars_somebody_and_only_there(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 2) as timed:
        room = timed.room
        ann, bob = room.people
        guild = room.channel.guild
        own = guild.create_text_channel("own", overwrites={bob: discord.PermissionOverwrite(manage_messages=True)})
        for name, given in (("bar", {"person": ann, "days": 1}), ("unbar", {"person": ann}), ("barred", {})):
            for place in (own, room.channel):
                refused = one_sentence(await bob.slash(place, f"settings {name}", **given))
                assert "manage messages on the whole server" in refused
        assert "only works in a server" in said(await bob.user.slash("settings barred"))
        chief = with_right(room, "Chief", manage_messages=True)
        await chief.slash(room.channel, "settings bar", person=bob, days=1)
        assert "again" in said(await chief.slash(room.channel, "settings unbar", person=bob))
        assert "isn't barred" in said(await chief.slash(room.channel, "settings unbar", person=bob))
        await room.bot.host.settings.bar(guild.id + 1, bob.id, room.bot.host.now().replace(year=2100))
        await bob.slash(room.channel, "gambo new")
        assert (await timed.match()).seat_of(bob.id) is not None
