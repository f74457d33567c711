"""``/help``: what a newcomer does first, then page by page what there is."""

import re

from cogs.commands.help import FORMER, PAGES
from games import GAMES
from tests.cogs.table import Table, labels, menu, private
from tests.cogs.test_rights import commands
from tests.sources import ROOT

BEGINNING = ["Start a match", "Learn a game", "My matches"]


async def test_help_begins_with_what_a_newcomer_does_and_every_page_has_these_buttons(room1: Table) -> None:
    (ann,) = room1.people
    page = (await ann.slash(room1.channel, "help")).response
    assert page.ephemeral
    await room1.restart()
    for name, each in PAGES.items():
        page = (await ann.select(page, [name])).response
        assert labels(page)[:3] == BEGINNING
        assert [option.value for option in menu(page).options if option.default] == [name]
        assert 100 < len(page.content) <= 2000, each.title
        added = [face.help[name] for face in room1.bot.faces if name in face.help]
        assert page.content.endswith("".join(f"\n{text}" for text in added))
    for command in commands(room1.bot.tree):
        group, _, word = command.qualified_name.partition(" ")
        row = "• `/<game> …`" if group in GAMES else f"• `/{group}{' …' if word else ''}`"
        (line,) = [line for line in page.content.split("\n") if line.startswith(row)]
        assert not word or word in line.replace(",", "").split()
    page = (await ann.select(page, ["home"])).response
    assert page.content.startswith("**Ambit hosts tabletop games.**")


async def test_a_newcomer_starts_a_match_and_finds_it_again(room2: Table) -> None:
    ann, bob = room2.people
    page = (await ann.slash(room2.channel, "help")).response
    page = private(await ann.click(page, label="My matches"))
    assert "You have no matches right now" in page.content
    page = private(await ann.click(page, label="Start a match"))
    assert [option.value for option in menu(page).options] == list(GAMES)
    opened = await ann.select(page, ["gambo"], custom_id=menu(page).custom_id)
    assert not opened.response.ephemeral
    await bob.click(room2.latest("Join"), label="Join")
    page = private(await ann.click(page, label="My matches"))
    assert "**Gambo #1**: " in page.content


async def test_in_a_dm_help_says_that_a_match_needs_a_server(room1: Table) -> None:
    user = room1.people[0].user
    page = (await user.slash("help")).response
    page = private(await user.click(page, label="Start a match"))
    assert "in the channels of a server" in page.content
    assert [option.value for option in menu(page).options][1:] == list(PAGES)


async def test_settings_and_privacy_are_a_button_away(room1: Table) -> None:
    (ann,) = room1.people
    page = (await ann.select((await ann.slash(room1.channel, "help")).response, ["choices"])).response
    assert private(await ann.click(page, label="Privacy")).content.startswith("**What Ambit stores about you**")
    page = (await ann.select((await ann.slash(room1.channel, "help")).response, ["choices"])).response
    assert private(await ann.click(page, label="My settings")).content.startswith("**Your settings**")


async def test_whoever_types_an_old_habit_finds_where_it_is_now(room1: Table) -> None:
    (ann,) = room1.people
    offered = await ann.autocomplete(room1.channel, "help", "about", "/match un")
    assert [each["value"] for each in offered] == ["match undo"]
    told = (await ann.slash(room1.channel, "help", about="match undo")).response.content
    assert told == "• `/match undo` is now **Take back** under `/match`."
    assert "keep away" in (await ann.slash(room1.channel, "help", about="block")).response.content
    assert "I know nothing about that" in (await ann.slash(room1.channel, "help", about="qwerty")).response.content


def test_every_former_command_of_the_document_is_found_by_its_name() -> None:
    """A row names a command, and after it others of the same group by their last word."""
    table = (ROOT / "docs/commands.md").read_text("utf-8").partition("| formerly | now |")[2]
    named = set()
    for row in table.split("\n"):
        group = ""
        for name in re.findall(r"`(/?[^`]+)`", row.partition(" | ")[0]) if "| options" not in row else ():
            *head, word = name.partition(" file:")[0].split()
            group = head[0].removeprefix("/") if head else group
            named.add(f"{group} {word}")
    assert len(named) > 20
    assert {name.replace("<game>", "saboteur") for name in named} <= set(FORMER)
