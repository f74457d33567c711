"""The strip of the lobby message: who sits, what is agreed; sent again only when it has changed (P1, P29)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cogs.delivery import lobbies
from matches.api import Person
from tests.cogs.table import table
from tests.cogs.test_lobby import play_to_the_end


def strip(message: Any) -> Any:
    """The one picture of a lobby message."""
    (picture,) = message.attachments
    assert picture.filename.startswith("lobby-")
    return picture


async def test_p01_the_strip_shows_who_sits_and_how_many_are_needed(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 3) as room:
        await room.open("saboteur", pace="slow")
        lobby = room.latest("Join")
        assert strip(lobby).description == (
            "Saboteur, 3 days a turn: 2 more needed. Ann (host) is at the table; 2 seats are free."
        )
        for person in room.people[1:]:
            await person.click(lobby, label="Join")
        assert strip(room.refreshed(lobby)).description == (
            "Saboteur, 3 days a turn: ready. Ann (host), Bob and Cleo are at the table; 1 seat is free."
        )
        await room.people[1].click(lobby, label="Leave")
        assert "Bob" not in strip(room.refreshed(lobby)).description
        asked = (await room.people[1].slash(room.channel, "match board")).response
        assert asked.ephemeral
        assert strip(asked).filename == strip(room.refreshed(lobby)).filename


async def test_p01_the_strip_follows_the_match_to_its_end(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        number = await room.open("gambo")
        lobby = room.latest("Join")
        await room.people[1].click(lobby, label="Join")
        assert "under way" in strip(room.refreshed(lobby)).description
        await play_to_the_end(room, number)
        assert "Gambo, 24 hours a turn: over." in strip(room.refreshed(lobby)).description


async def test_p01_a_strip_that_has_not_changed_is_not_sent_again(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        number = await room.open("abissal", players=3)
        lobby = room.latest("Join")
        room.close_dms()
        await room.people[1].click(lobby, label="Join")
        assert "uses **My hand**" in room.refreshed(lobby).content
        sent = strip(room.refreshed(lobby)).id
        await lobbies.redraw(room.bot, await room.bot.host.look.match(number))
        assert strip(room.refreshed(lobby)).id == sent
        await room.restart()
        await lobbies.redraw(room.bot, await room.bot.host.look.match(number))
        assert strip(room.refreshed(lobby)).id != sent, "whoever does not know what is shown sends it"


async def test_p01_after_a_restart_a_press_still_brings_the_strip_up_to_date(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 3) as room:
        await room.open("saboteur")
        lobby = room.latest("Join")
        await room.restart()
        await room.people[1].click(lobby, label="Join")
        assert "Bob" in strip(room.refreshed(lobby)).description
        await room.people[1].click(room.refreshed(lobby), label="Leave")
        assert "Bob" not in strip(room.refreshed(lobby)).description


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


async def test_p17_p29_a_lobby_that_may_have_no_strip_any_more_or_is_gone_goes_on(
    tmp_path: Path,
) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        number = await room.open("saboteur")
        lobby = room.latest("Join")
        await room.bot.host.lobby.join(number, Person(room.people[1].id, "Bob"))
        room.env.inject_error("PATCH", f"/channels/{room.channel.id}/messages/{lobby.id}", status=403, code=50013)
        await lobbies.redraw(room.bot, await room.bot.host.look.match(number))
        assert not room.refreshed(lobby).attachments
        assert "Bob" in room.refreshed(lobby).content
        room.env.inject_error("PATCH", f"/channels/{room.channel.id}/messages/{lobby.id}", status=404, code=10008)
        await lobbies.redraw(room.bot, await room.bot.host.look.match(number))
        again = room.latest("Join")
        assert again.id != lobby.id
        assert "Bob" in strip(again).description
