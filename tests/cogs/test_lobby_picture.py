"""The strip of the lobby message: who sits, what is agreed; sent again only when it has changed (P1, P29)."""

from pathlib import Path

from cogs.delivery import lobbies
from matches.api import Person
from tests.cogs.table import Table, behind, strip, table
from tests.cogs.test_lobby import play_to_the_end


async def test_p01_the_strip_shows_who_sits_and_how_many_are_needed(room3: Table) -> None:
    await room3.open("saboteur", pace="slow")
    lobby = room3.latest("Join")
    assert strip(lobby).description == (
        "Saboteur, 3–10 players · 3 days a turn: 2 more needed. Ann (host) is at the table; 2 seats are free."
    )
    for person in room3.people[1:]:
        await person.click(lobby, label="Join")
    assert strip(room3.refreshed(lobby)).description == (
        "Saboteur, 3–10 players · 3 days a turn: ready. Ann (host), Bob and Cleo are at the table; 1 seat is free."
    )
    await behind(room3.people[1], lobby, "Leave")
    assert "Bob" not in strip(room3.refreshed(lobby)).description
    asked = (await room3.people[1].slash(room3.channel, "match", match=1)).response
    assert asked.ephemeral
    assert strip(asked).filename == strip(room3.refreshed(lobby)).filename


async def test_p01_the_strip_follows_the_match_to_its_end(room2: Table) -> None:
    number = await room2.open("gambo")
    lobby = room2.latest("Join")
    await room2.people[1].click(lobby, label="Join")
    assert "under way" in strip(room2.refreshed(lobby)).description
    await play_to_the_end(room2, number)
    assert "Gambo, 24 hours a turn: over." in strip(room2.refreshed(lobby)).description


async def test_p01_a_strip_that_has_not_changed_is_not_sent_again(room2: Table) -> None:
    number = await room2.open("abissal", players=3)
    lobby = room2.latest("Join")
    room2.close_dms()
    await room2.people[1].click(lobby, label="Join")
    assert "By **My hand**: Bob" in room2.refreshed(lobby).content
    sent = strip(room2.refreshed(lobby)).id
    await lobbies.redraw(room2.bot, await room2.bot.host.look.match(number))
    assert strip(room2.refreshed(lobby)).id == sent
    await room2.restart()
    await lobbies.redraw(room2.bot, await room2.bot.host.look.match(number))
    assert strip(room2.refreshed(lobby)).id != sent, "whoever does not know what is shown sends it"


async def test_p01_after_a_restart_a_press_still_brings_the_strip_up_to_date(room3: Table) -> None:
    await room3.open("saboteur")
    lobby = room3.latest("Join")
    await room3.restart()
    await room3.people[1].click(lobby, label="Join")
    assert "Bob" in strip(room3.refreshed(lobby)).description
    await behind(room3.people[1], lobby, "Leave")
    assert "Bob" not in strip(room3.refreshed(lobby)).description


async def test_p29_where_files_are_forbidden_the_lobby_does_without_its_strip(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2, denied="attach_files") as room:
        await room.open("ambush")
        lobby = room.latest("Join")
        assert not lobby.attachments
        assert "Ann (host)" in lobby.content
        adding = await room.people[0].click(lobby, label="Add computer")
        await room.people[0].select(adding.response, ["easy"])
        assert not room.refreshed(lobby).attachments
        assert "(easy computer)" in room.refreshed(lobby).content


async def test_p17_p29_a_lobby_that_may_have_no_strip_any_more_or_is_gone_goes_on(room2: Table) -> None:
    number = await room2.open("saboteur")
    lobby = room2.latest("Join")
    await room2.bot.host.lobby.join(number, Person(room2.people[1].id, "Bob"))
    room2.env.inject_error("PATCH", f"/channels/{room2.channel.id}/messages/{lobby.id}", status=403, code=50013)
    await lobbies.redraw(room2.bot, await room2.bot.host.look.match(number))
    assert not room2.refreshed(lobby).attachments
    assert "Bob" in room2.refreshed(lobby).content
    room2.env.inject_error("PATCH", f"/channels/{room2.channel.id}/messages/{lobby.id}", status=404, code=10008)
    await lobbies.redraw(room2.bot, await room2.bot.host.look.match(number))
    again = room2.latest("Join")
    assert again.id != lobby.id
    assert "Bob" in strip(again).description
