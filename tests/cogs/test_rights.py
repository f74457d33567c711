"""The match's own place decides what somebody may do with it, for every command, button and menu."""

import random
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import discord
import pytest
from discord import app_commands
from simcord.builders import ChannelHandle

from cogs import HANDLERS
from cogs.press import components
from cogs.press.custom_ids import FORM, Ref
from cogs.text.words import OUT_OF_DATE
from games import GAMES
from matches.api import MatchId, Ply, Status
from tests.cogs.table import Member, Table, at_match, behind, cancel, fill_in, finished, labels, play_by_panel, table

ABOUT_NO_MATCH = {
    *("section", "forget", "forgotten", "notnow", "away", "awayuntil"),
    *("ladder", "postladder", "profile", "postprofile", "results", "mydata", "setme", "setserver"),
    *("help", "newtable", "courses", "privacy", "operate", "finished"),
    *("wantset", "wantcall", "unwant", "willplay", "wontplay"),
    *("puzpick", "puzpage", "puzback", "puzconfirm", "puzshow", "puzplayshown", "puzopen", "puzday", "puznext"),
    *("puzshare", "puzstreaks", "puzwrong", "puzreport", "puzset", "puzgive"),
}
"""Buttons and menus that name no match."""

WITHOUT_A_MATCH = {
    *("play", "tables", "help", "learn", "puzzle", "privacy", "settings server", "settings me", "leaderboard"),
    "profile",
    *(f"{game} {verb}" for game in GAMES for verb in ("new", "rules")),
}
"""Commands that are about no match, about one's own, or about finished ones."""

KNOWN = pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
"""With a server that Discord has described, and without, as if a new process had resumed the session."""

FORGED = ("b", "s", FORM)
"""What can be forged: buttons, menus, and forms that were never opened."""

UNSEEN = "You can't see where match 1 is being played, and you don't have a seat in it."
NOT_HERE = "There's no match 1 here"
NO_MATCH = 99


@dataclass
class Scene:
    """A match (number 1) in a private channel, and people outside it who may manage messages elsewhere."""

    room: Table
    private: ChannelHandle
    public: ChannelHandle
    stranger: Member
    elsewhere: Member
    blind: Member
    moderator: Member

    async def state(self) -> Any:
        return await self.room.bot.host.look.match(MatchId(1))

    async def posted(
        self, verb: str, *, place: ChannelHandle, kind: str = "b", number: int | None = 1
    ) -> discord.Message:
        """A message with a button or menu of this verb, as a client that forges one would have it."""
        ref = Ref(verb, None if number is None else MatchId(number), Ply(0))
        item: Any = components.button(ref, "Forged")
        if kind == FORM:
            item = discord.ui.Button(label="Forged", custom_id=ref.custom_id(FORM))
        if kind == "s":
            item = components.menu(ref, {"0": "Forged"}, "Forged")
        channel = await self.room.bot.fetch_channel(place.id)
        return await channel.send("here", view=components.view(item))

    async def forge(
        self, person: Any, verb: str, *, place: ChannelHandle, kind: str = "b", number: int | None = 1
    ) -> Any:
        return await self.press(person, await self.posted(verb, place=place, kind=kind, number=number), kind)

    async def press(self, person: Any, message: discord.Message, kind: str) -> Any:
        """Press or pick what `posted` has sent. If that opens a form, fill it in."""
        if kind == "s":
            return await person.select(message, ["0"])
        pressed = await person.click(message, label="Forged")
        return pressed if pressed.modal is None else await fill_in(person, pressed, "2 days")


def change_presses(room: Table, change: Callable[[dict[str, Any]], object]) -> None:
    """Change each interaction before the bot reads it."""
    room.bot.servers._before("INTERACTION_CREATE", change)


def as_sent(data: dict[str, Any]) -> None:
    """Let a press on a button with a form's custom_id be that form, which was never opened."""
    custom_id = data["data"].get("custom_id", "")
    if custom_id.startswith(f"{FORM}:"):
        line = {"type": discord.ComponentType.text_input.value, "id": 2, "custom_id": FORM, "value": "2 days"}
        row = {"type": discord.ComponentType.label.value, "id": 1, "component": line}
        kind = discord.InteractionType.modal_submit.value
        data.update(type=kind, data={"custom_id": custom_id, "components": [row]})


@asynccontextmanager
async def scene(path: Path, *, begin: bool = True, known: bool = True) -> AsyncIterator[Scene]:
    """The scene. Unless the server is `known`, the bot has to ask for it with each press."""
    async with table(path, 3) as room:
        guild = room.channel.guild
        see, hidden = discord.PermissionOverwrite(view_channel=True), discord.PermissionOverwrite(view_channel=False)
        manage = discord.PermissionOverwrite(manage_messages=True)
        user = room.env.create_user
        moderators = guild.create_role("Moderators", permissions=discord.Permissions(manage_messages=True))
        stranger, elsewhere = Member(guild.add_member(user("Zoe"))), Member(guild.add_member(user("Yan")))
        blind = Member(guild.add_member(user("Xia"), roles=[moderators]))
        moderator = Member(guild.add_member(user("Mo")))
        public = guild.create_text_channel("public", overwrites={elsewhere: manage})
        mine = discord.PermissionOverwrite(view_channel=True, manage_messages=True)
        insiders: dict[Any, discord.PermissionOverwrite] = dict.fromkeys((room.env.bot.user, *room.people[:2]), see)
        private = guild.create_text_channel(
            "private", overwrites={guild.default_role: hidden, moderator: mine, **insiders}
        )
        room.channel = private
        if begin:
            assert await room.begin("abissal", 2, players=2) == 1
        else:
            assert await room.open("abissal", players=2) == 1
        await room.told()
        change_presses(room, as_sent)
        if not known:
            room.forget_servers()
        yield Scene(room, private, public, stranger, elsewhere, blind, moderator)


@pytest.fixture
def known() -> bool:
    return True


@pytest.fixture
async def at(tmp_path: Path, known: bool) -> AsyncIterator[Scene]:
    async with scene(tmp_path / "ambit.db", known=known) as made:
        yield made


@pytest.fixture
async def waiting(tmp_path: Path, known: bool) -> AsyncIterator[Scene]:
    """The scene, before the match begins."""
    async with scene(tmp_path / "ambit.db", begin=False, known=known) as made:
        yield made


def said(result: Any) -> str:
    assert result.response is not None, "nothing was answered"
    text: str = result.response.content
    return text


def commands(tree: app_commands.CommandTree[Any]) -> Iterator[app_commands.Command[Any, ..., Any]]:
    for command in tree.walk_commands():
        if isinstance(command, app_commands.Command):
            yield command


@KNOWN
async def test_every_button_and_menu_that_names_a_match_is_refused_to_whoever_cannot_see_it(at: Scene) -> None:
    before = await at.state()
    for verb in sorted(set(HANDLERS) - ABOUT_NO_MATCH):
        for person in (at.stranger, at.elsewhere, at.blind):
            for kind in FORGED:
                if kind == FORM and HANDLERS[verb].form is None:
                    assert said(await at.forge(person, verb, place=at.public, kind=kind)) == OUT_OF_DATE
                    continue
                result = await at.forge(person, verb, place=at.public, kind=kind)
                assert said(result) == UNSEEN, verb
                assert not result.response.attachments, verb
    assert await at.state() == before


# FOUND D10
@pytest.mark.parametrize("begin", [True, False], ids=["running", "waiting"])
async def test_no_button_tells_a_hidden_match_from_one_that_does_not_exist(tmp_path: Path, begin: bool) -> None:
    async with scene(tmp_path / "ambit.db", begin=begin) as at:
        for verb in HANDLERS:
            hidden = await at.forge(at.stranger, verb, place=at.public)
            missing = await at.forge(at.stranger, verb, place=at.public, number=NO_MATCH)
            assert said(hidden).replace("1", str(NO_MATCH)) == said(missing), verb
            assert hidden.response.ephemeral is missing.response.ephemeral is True, verb
        for verb in ("play", "pick", "hint", "confirm", "which"):
            by_dm = at.stranger.user
            assert said(await at.forge(by_dm, verb, place=by_dm.dm_channel)) == UNSEEN


# FOUND D10
@KNOWN
async def test_a_forged_panel_answers_as_for_a_number_that_does_not_exist(at: Scene) -> None:
    guild = at.public.guild
    assert guild is not None
    for verb in ("play", "pick", "page", "back", "confirm", "hint"):
        for number in (1, NO_MATCH):
            result = await at.forge(at.stranger, verb, place=at.public, number=number)
            assert said(result) == UNSEEN.replace("1", str(number)), verb
            # Discord was asked for the server either way, or the time of the answer would tell them apart.
            assert at.room.bot.servers.known(guild.id) is not None, verb


async def test_a_page_for_one_person_never_takes_the_place_of_a_public_message(at: Scene) -> None:
    for verb in sorted(HANDLERS):
        for kind in FORGED:
            message = await at.posted(verb, place=at.private, kind=kind)
            for person in at.room.people[:2]:
                if not at.private.history()[-1].components:
                    continue  # Somebody before has pressed it as a former board, which loses its buttons.
                await at.press(person, message, kind)
            now = next(each for each in at.private.history() if each.id == message.id)
            assert (now.content, len(now.attachments)) == ("here", 0), verb


@KNOWN
async def test_the_servers_history_lists_what_was_played_where_one_can_see_it(at: Scene) -> None:
    await at.room.bot.host.votes.cancel(MatchId(1), at.moderator.id, moderator=True)
    at.room.channel = at.public
    assert await at.room.begin("gambo", 2) == 2
    await at.room.bot.host.votes.cancel(MatchId(2), at.moderator.id, moderator=True)
    for person, seen in ((at.stranger, [2]), (at.elsewhere, [2]), (at.blind, [2]), (at.moderator, [2, 1])):
        listed = said(await finished(person, at.public, "This server's"))
        assert [f"#{number}" in listed for number in (2, 1)] == [True, 1 in seen], person.name
    player = said(await finished(at.room.people[0], at.public, "This server's"))
    assert "#1" in player


@KNOWN
async def test_open_tables_are_listed_to_whoever_can_see_where_they_are(waiting: Scene) -> None:
    waiting.room.channel = waiting.public
    assert await waiting.room.open("gambo") == 2
    for person, seen in (
        (waiting.stranger, [2]),
        (waiting.elsewhere, [2]),
        (waiting.blind, [2]),
        (waiting.moderator, [2, 1]),
    ):
        result = await person.slash(waiting.public, "tables")
        assert result.response.ephemeral
        assert [f"#{number}**" in said(result) for number in (2, 1)] == [True, 1 in seen], person.name
        offered = {2: "Join Gambo #2", 1: "Join Ambiente Abissal #1"}
        shown = [label for label in labels(result.response) if label.startswith("Join")]
        assert shown == [offered[number] for number in seen]
        forged = await waiting.forge(person, "join", place=waiting.public)
        assert (said(forged) == UNSEEN) is (1 not in seen)


async def test_no_button_is_refused_for_that_to_whoever_sees_the_match_or_sits_in_it(at: Scene) -> None:
    for verb in sorted(set(HANDLERS) - ABOUT_NO_MATCH - {"forgotten"}):
        result = await at.forge(at.moderator, verb, place=at.public)
        assert result.response is None or UNSEEN not in said(result), verb
    for verb in ("board", "hand", "log", "more", "replay", "inwords"):
        assert UNSEEN not in said(await at.forge(at.room.people[0], verb, place=at.public)), verb


@KNOWN
async def test_every_command_that_names_a_match_is_refused_to_whoever_is_not_in_its_place(at: Scene) -> None:
    before = await at.state()
    walked = set()
    for command in commands(at.room.bot.tree):
        name = command.qualified_name
        if not {"match"}.intersection(each.name for each in command.parameters):
            assert name in WITHOUT_A_MATCH, f"{name}: is it under the rule of cogs/press/rights.py?"
            continue
        walked.add(name)
        given = {each.name: "2 days" for each in command.parameters if each.required}
        for person in (at.stranger, at.elsewhere, at.blind):
            assert NOT_HERE in said(await person.slash(at.public, name, match=1, **given)), name
            assert NOT_HERE in said(await person.user.slash(name, match=1, **given)), name
        hidden = said(await at.stranger.slash(at.public, name, match=1, **given))
        missing = said(await at.stranger.slash(at.public, name, match=NO_MATCH, **given))
        assert hidden.replace("1", str(NO_MATCH)) == missing, name  # FOUND D10
    assert walked == {"match", *(f"{game} play" for game in GAMES)}
    assert await at.state() == before


async def test_numbers_that_are_offered_are_those_of_the_channel_and_ones_own(at: Scene) -> None:
    for person, offered in ((at.elsewhere, []), (at.room.people[0], [1])):
        found = await person.autocomplete(at.public, "match", "match", "")
        assert [choice["value"] for choice in found] == offered
    for number in (1, NO_MATCH):  # FOUND D10
        assert await at.elsewhere.autocomplete(at.public, "abissal play", "move", "", match=number) == []


async def test_a_lobby_is_cancelled_by_whoever_moderates_its_own_channel_and_by_nobody_elses_moderator(
    waiting: Scene,
) -> None:
    for person in (waiting.elsewhere, waiting.blind):
        assert said(await waiting.forge(person, "close", place=waiting.public)) == UNSEEN
    assert (await waiting.state()).status is Status.LOBBY
    await behind(waiting.moderator, waiting.room.latest("Join"), "Cancel")
    assert (await waiting.state()).status is Status.CANCELLED


async def test_a_seat_gives_no_right_over_the_match_to_a_moderator_of_another_channel(at: Scene) -> None:
    guild = at.public.guild
    bob = at.room.people[1]
    own = guild.create_text_channel("own", overwrites={bob: discord.PermissionOverwrite(manage_messages=True)})
    assert "1 of 2" in said(await cancel(bob, own, match=1))
    assert (await at.state()).status is Status.RUNNING


@KNOWN
async def test_a_player_who_was_shut_out_moves_nothing_until_the_channel_is_gone(at: Scene) -> None:
    ann = at.room.people[0]
    guild = at.public.guild
    await at.room.bot.host.reach.move(MatchId(1), ann.id, at.public.id)
    shut = guild.create_text_channel("shut", overwrites={ann: discord.PermissionOverwrite(view_channel=False)})
    await at.room.bot.host.reach.move(MatchId(1), at.room.people[1].id, shut.id)
    await at.room.told()
    assert "You can't move this match" in said(await at_match(ann, at.public, "move", match=1))
    assert "There's no match" not in said(await at_match(ann, at.public, "hand", match=1))
    at.room.env.backend.delete_channel(shut.id)
    await at.room.env.settle()
    await at_match(ann, at.public, "move", match=1)
    assert (await at.state()).channel_id == at.public.id


async def test_whoever_watches_in_the_channel_looks_at_everything_that_is_public(at: Scene) -> None:
    await at_match(at.room.people[0], at.public, "move", match=1)
    await at.room.told()
    board = at.room.latest("Play", at.public)
    for wanted in ((), ("Rules",)):
        assert said(await behind(at.stranger, board, *wanted)) != UNSEEN
    assert said(await at_match(at.stranger, at.public, "board")) != UNSEEN


@pytest.mark.parametrize("where", ["channel", "thread"])
async def test_a_match_in_its_thread_is_seen_by_whoever_sees_the_channel(room3: Table, where: str) -> None:
    await room3.begin("gambo", 2, where=where)
    await room3.told()
    guild = room3.channel.guild
    other = guild.create_text_channel("other")
    at = Scene(room3, room3.channel, other, *[room3.people[2]] * 4)
    assert said(await at.forge(room3.people[2], "board", place=other)) != UNSEEN
    assert said(await at_match(room3.people[2], room3.channel, "board", match=1)) != UNSEEN
    actor, board = room3.to_play()
    await play_by_panel(actor, board, random.Random(1))


async def test_in_a_direct_message_only_ones_own_matches_are_shown(at: Scene) -> None:
    for person, shown in ((at.moderator, False), (at.room.people[0], True)):
        answer = said(await person.user.slash("match", match=1))
        assert (NOT_HERE not in answer) is shown
