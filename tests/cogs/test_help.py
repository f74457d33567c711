"""``/help``: what a newcomer does first, then page by page what there is."""

from __future__ import annotations

from pathlib import Path

from cogs.commands.help import PAGES
from games import GAMES
from tests.cogs.table import labels, menu, private, table
from tests.cogs.test_rights import commands

BEGINNING = ["Start a match", "Learn a game", "My matches"]


async def test_help_begins_with_what_a_newcomer_does_and_every_page_has_these_buttons(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 1) as room:
        (ann,) = room.people
        page = (await ann.slash(room.channel, "help")).response
        assert page.ephemeral
        await room.restart()
        for name, each in PAGES.items():
            page = (await ann.select(page, [name])).response
            assert labels(page)[:3] == BEGINNING
            assert [option.value for option in menu(page).options if option.default] == [name]
            assert 100 < len(page.content) <= 2000, each.title
        for command in commands(room.bot.tree):
            group, _, word = command.qualified_name.partition(" ")
            row = "• `/<game> …`" if group in GAMES else f"• `/{group}{' …' if word else ''}`"
            (line,) = [line for line in page.content.split("\n") if line.startswith(row)]
            assert not word or word in line.replace(",", "").split()
        page = (await ann.select(page, ["home"])).response
        assert page.content.startswith("**Ambit hosts tabletop games.**")


async def test_a_newcomer_starts_a_match_and_finds_it_again(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        ann, bob = room.people
        page = (await ann.slash(room.channel, "help")).response
        page = private(await ann.click(page, label="My matches"))
        assert "You have no matches right now." in page.content
        page = private(await ann.click(page, label="Start a match"))
        assert [option.value for option in menu(page).options] == list(GAMES)
        opened = await ann.select(page, ["gambo"], custom_id=menu(page).custom_id)
        assert not opened.response.ephemeral
        await bob.click(room.latest("Join"), label="Join")
        page = private(await ann.click(page, label="My matches"))
        assert "**Gambo #1**: " in page.content


async def test_in_a_dm_help_says_that_a_match_needs_a_server(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 1) as room:
        user = room.people[0].user
        page = (await user.slash("help")).response
        page = private(await user.click(page, label="Start a match"))
        assert "in the channels of a server" in page.content
        assert [option.value for option in menu(page).options][1:] == list(PAGES)


async def test_settings_and_privacy_are_a_button_away(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 1) as room:
        (ann,) = room.people
        page = (await ann.select((await ann.slash(room.channel, "help")).response, ["choices"])).response
        assert private(await ann.click(page, label="Privacy")).content.startswith("**What Ambit stores about you**")
        page = (await ann.select((await ann.slash(room.channel, "help")).response, ["choices"])).response
        assert private(await ann.click(page, label="My settings")).content.startswith("**Your settings**")
