"""``/match open``: tables with a free seat, and joining one from the list."""

from pathlib import Path
from typing import Any

import discord

from matches.api import MatchId, NewMatch, Person, Status, UserId
from tests.cogs.table import Table, labels, strip, table
from tests.cogs.test_manners import one_sentence
from tests.statements import statements


def joins(message: Any) -> list[str]:
    """The buttons of a list with which one joins."""
    return [label for label in labels(message) if label.startswith("Join")]


async def test_a_table_is_joined_from_the_list_and_its_own_message_shows_that(room4: Table) -> None:
    _, bob, cleo, dan = room4.people
    number = await room4.open("saboteur", players=3)
    lobby = room4.latest("Join")
    listed = (await bob.slash(room4.channel, "tables")).response
    assert listed.ephemeral
    assert "1 of 3 seats taken (Ann)" in listed.content
    joined = await bob.click(listed, label=f"Join Saboteur #{number}")
    assert joined.response.id == listed.id
    assert "You've joined the table: **Saboteur #1**" in joined.response.content
    assert labels(joined.response) == []
    await room4.told()
    assert "Bob" in strip(room4.refreshed(lobby)).description
    yours = (await bob.slash(room4.channel, "tables")).response
    assert "You're at this table." in yours.content
    assert joins(yours) == []

    stale = (await dan.slash(room4.channel, "tables")).response
    await cleo.click((await cleo.slash(room4.channel, "tables")).response, label="Join Saboteur #1")
    assert (await room4.bot.host.look.match(number)).status is Status.RUNNING
    await room4.told()
    assert "already started" in one_sentence(await dan.click(stale, label="Join Saboteur #1"))
    assert "No table that you can see has a free seat" in one_sentence(await dan.slash(room4.channel, "tables"))


async def test_a_full_table_is_not_listed_and_ten_are_offered_at_once(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 5) as room:
        zoe = room.people[-1]
        for host in room.people[:3]:
            for _ in range(4):
                await host.slash(room.channel, "gambo new")
        listed = (await zoe.slash(room.channel, "tables")).response
        assert len(joins(listed)) == 10
        assert "And 2 more." in listed.content
        for number in range(12, 1, -1):
            await room.bot.host.lobby.add_computer(
                MatchId(number), (await room.bot.host.look.match(MatchId(number))).host_id
            )
        left = (await zoe.slash(room.channel, "tables")).response
        assert joins(left) == ["Join Gambo #1"]


async def test_in_a_direct_message_there_is_no_server_to_list(room1: Table) -> None:
    assert "use the command there" in one_sentence(await room1.people[0].user.slash("tables"))


async def test_of_very_many_tables_only_those_that_are_listed_are_read(room2: Table) -> None:  # FOUND P4
    host, guild = room2.bot.host, room2.channel.guild
    unseen: Any = {guild.default_role: discord.PermissionOverwrite(view_channel=False)}
    secret = guild.create_text_channel("secret", overwrites=unseen)
    for number in range(60):
        place = secret.id if number % 2 else room2.channel.id
        await host.lobby.open(NewMatch("gambo", place, guild_id=guild.id), Person(UserId(number + 1), f"P{number}"))
    bob = room2.people[1]
    own = await host.lobby.open(NewMatch("saboteur", secret.id, guild_id=guild.id), Person(bob.id, "Bob"))
    with statements() as made:
        listed = (await bob.slash(room2.channel, "tables")).response
    assert "And 21 more." in listed.content
    assert listed.content.startswith(f"**Saboteur #{own.id}**"), "one's own, in a place that one can't see"
    assert joins(listed) == [f"Join Gambo #{number}" for number in range(59, 42, -2)]
    # Not one query per table.
    assert len([each for each in made if "FROM matches" in each]) == 2
