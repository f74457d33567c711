"""Choices of servers and people take effect (P19), and a turn pings one person once, as they want (P26)."""

import io
import random
from dataclasses import fields, replace
from typing import Any

import discord
import pytest
from PIL import Image

from cogs import internals
from cogs.play import panel_pages
from cogs.play.panel_steps import position
from cogs.press import components
from cogs.press.custom_ids import Ref
from cogs.press.places import WHO_CHANGES
from matches.api import GuildSettings, LastLook, MatchId, Pace, Person, PlayerSettings, Status, UserId, Where
from tests.cogs.table import (
    Clocked,
    Member,
    Table,
    at_match,
    cancel,
    entries,
    labels,
    menu,
    pick,
    play_by_panel,
    private,
    set_to,
    with_right,
)
from tests.cogs.test_healing import delete
from tests.cogs.test_manners import one_sentence

SILENT = 1 << 12


class Rings:
    """Who was pinged since this was made: by a mention in the channel, or by a DM that isn't silent."""

    def __init__(self, room: Table) -> None:
        self.room = room
        self.before = len(room.env.http_requests)

    def heard(self) -> list[tuple[str, str]]:
        dms = {person.user.dm_channel.id: person.name for person in self.room.people}
        names = {person.id: person.name for person in self.room.people}
        rung = []
        for request in self.room.env.http_requests[self.before :]:
            if request.method != "POST" or not request.path.endswith("/messages"):
                continue
            body: Any = request.json
            channel = int(request.path.split("/")[2])
            if channel in dms and not body.get("flags", 0) & SILENT:
                rung.append((dms[channel], "dm"))
            elif channel not in dms:
                users = (body.get("allowed_mentions") or {}).get("users", [])
                rung += [(names[UserId(int(user))], "mention") for user in users]
        return rung


async def test_p19_only_who_may_manage_the_server_chooses_for_it(room1: Table) -> None:
    refused = await room1.people[0].slash(room1.channel, "settings server")
    assert "permission: Manage Server" in one_sentence(refused)
    chief = with_right(room1, "Chief", manage_guild=True)
    await set_to(chief, room1.channel, "settings server", pace="slow", where="thread", cancel="hosts")
    assert "3 days a turn" in (await chief.slash(room1.channel, "settings server")).response.content
    await room1.open("gambo")
    match = await room1.bot.host.look.match(MatchId(1))
    assert (match.pace, match.where) == (Pace.SLOW, Where.THREAD)
    await room1.open("gambo", by=chief, pace="live", where="channel")
    match = await room1.bot.host.look.match(MatchId(2))
    assert (match.pace, match.where) == (Pace.LIVE, Where.CHANNEL)


async def test_p19_what_is_typed_is_chosen_and_shown(room1: Table) -> None:
    person, shown = with_right(room1, "Chief", manage_guild=True), ""
    group = room1.bot.tree.get_command("settings")
    texts = {"quiet": "22-8", "zone": "Europe/Berlin", "puzzles": room1.channel.mention, "channels": "none"}
    assert texts.keys() == {each.name for name in ("me", "server") for each in group.get_command(name).parameters}
    for name in ("me", "server"):
        for option in group.get_command(name).parameters:
            for text in (texts[option.name], "all" if option.name == "channels" else "none"):
                answer = (await person.slash(room1.channel, f"settings {name}", **{option.name: text})).response.content
                assert answer != shown, (option.name, text)
                shown = answer


# FOUND W7


def channels_in(settings: GuildSettings) -> dict[str, object]:
    """The settings of a server that can name a channel."""
    ids = {each.name for each in fields(GuildSettings) if "int" in str(each.type) or "Id" in str(each.type)}
    return {name: getattr(settings, name) for name in ids}


async def test_a_deleted_channel_leaves_every_setting_that_named_it_and_locks_nobody_out(room1: Table) -> None:
    ann, guild = room1.people[0], room1.channel.guild
    settings = room1.bot.host.settings
    only, also = guild.create_text_channel("only"), guild.create_text_channel("also")
    named = {"channels": (only.id, also.id)}
    assert named.keys() == channels_in(GuildSettings()).keys(), "what becomes of a setting that names a channel?"
    await settings.set_guild_settings(guild.id, replace(await settings.guild_settings(guild.id), **named))
    room1.env.backend.delete_channel(only.id)
    await room1.env.settle()
    assert channels_in(await settings.guild_settings(guild.id)) == {"channels": (also.id,)}
    refused = one_sentence(await ann.slash(room1.channel, "gambo new"))
    assert refused == f"On this server, matches can only be started in {also.mention}. {WHO_CHANGES}"
    room1.env.backend.delete_channel(also.id)
    await room1.env.settle()
    assert channels_in(await settings.guild_settings(guild.id)) == channels_in(GuildSettings())
    assert "Gambo #1" in (await ann.slash(room1.channel, "gambo new")).response.content


# FOUND W7


@pytest.mark.parametrize("known", [True, False])
async def test_channels_that_were_deleted_while_the_bot_was_away_lock_nobody_out(room1: Table, known: bool) -> None:
    ann, guild = room1.people[0], room1.channel.guild
    settings, old = room1.bot.host.settings, guild.create_text_channel("old")
    thread = room1.env.backend.create_thread(old.id, "games", ann.id)
    chosen = replace(await settings.guild_settings(guild.id), channels=(old.id, thread.id, 77))
    await settings.set_guild_settings(guild.id, chosen)
    if not known:
        room1.forget_servers()
    refused = one_sentence(await ann.slash(room1.channel, "gambo new"))
    assert f"only be started in {old.mention}, <#{thread.id}>. " in refused
    assert (await settings.guild_settings(guild.id)).channels == (old.id, thread.id)
    parsers, kept = internals.parsers(room1.bot), room1.bot.get_guild(guild.id)
    assert kept is not None
    heard = parsers["CHANNEL_DELETE"], parsers["THREAD_DELETE"]
    parsers["CHANNEL_DELETE"] = parsers["THREAD_DELETE"] = lambda data: None
    for number in (thread.id, old.id):
        room1.env.backend.delete_channel(number)
        kept._channels.pop(number, None)
        kept._threads.pop(number, None)
    await room1.env.settle()
    parsers["CHANNEL_DELETE"], parsers["THREAD_DELETE"] = heard
    assert "Gambo #1" in (await ann.slash(room1.channel, "gambo new")).response.content
    assert (await settings.guild_settings(guild.id)).channels is None


# FOUND W7


async def test_a_deleted_thread_is_no_place_for_matches_any_more_and_one_in_the_archive_still_is(room1: Table) -> None:
    ann, guild = room1.people[0], room1.channel.guild
    settings = room1.bot.host.settings
    thread = room1.env.backend.create_thread(room1.channel.id, "games", ann.id)
    await room1.env.settle()
    chosen = replace(await settings.guild_settings(guild.id), channels=(thread.id,))
    await settings.set_guild_settings(guild.id, chosen)
    kept = room1.bot.get_guild(guild.id)
    kept._threads.pop(thread.id)  # As if it had been archived.
    assert WHO_CHANGES in one_sentence(await ann.slash(room1.channel, "gambo new"))
    room1.env.backend.delete_channel(thread.id)
    await room1.env.settle()
    assert (await settings.guild_settings(guild.id)).channels is None


# FOUND W7


@pytest.mark.parametrize("known", [True, False])
async def test_what_is_no_channel_of_the_server_can_not_be_the_only_place_for_matches(
    room1: Table, known: bool
) -> None:
    chief, guild = with_right(room1, "Chief", manage_guild=True), room1.channel.guild
    settings = room1.bot.host.settings
    category = room1.env.backend.create_channel(guild.id, "rooms", type=discord.ChannelType.category.value)
    await room1.env.settle()
    if not known:
        room1.forget_servers()
    theirs = room1.env.create_guild("Elsewhere").create_text_channel("games")
    for wrong in (theirs.id, category.id, 10**17):
        text = f"{room1.channel.mention} <#{wrong}>"
        told = one_sentence(await chief.slash(room1.channel, "settings server", channels=text))
        assert told == f"<#{wrong}> isn't a channel of this server that I can see, so nothing has changed."
        assert (await settings.guild_settings(guild.id)).channels is None
    # One that was named in an earlier version, or became a category, locks nobody out.
    chosen = replace(await settings.guild_settings(guild.id), channels=(theirs.id, category.id))
    await settings.set_guild_settings(guild.id, chosen)
    assert "Gambo #1" in (await chief.slash(room1.channel, "gambo new")).response.content
    assert (await settings.guild_settings(guild.id)).channels is None


async def test_p19_matches_are_made_only_where_the_server_wants_them(room1: Table) -> None:
    chief = with_right(room1, "Chief", manage_guild=True)
    other = room1.channel.guild.create_text_channel("chat")
    shown = await chief.slash(other, "settings server", channels=f"{room1.channel.mention} and nowhere else")
    assert room1.channel.mention in shown.response.content
    refused = await room1.people[0].slash(other, "gambo new")
    assert f"matches can only be started in {room1.channel.mention}. {WHO_CHANGES}" in one_sentence(refused)
    await room1.open("gambo")
    await chief.slash(other, "settings server", channels="none")
    assert "Matches can't be started" in one_sentence(await room1.people[0].slash(room1.channel, "gambo new"))
    assert "couldn't tell which channels" in one_sentence(
        await chief.slash(other, "settings server", channels="somewhere")
    )
    await chief.slash(other, "settings server", channels="all")
    assert (await room1.people[0].slash(other, "gambo new")).response is not None


async def test_p18_p19_hosts_end_their_matches_where_the_server_lets_them(room2: Table) -> None:
    chief = with_right(room2, "Chief", manage_guild=True)
    number = await room2.begin("gambo", 2, rated="no")
    asked = await cancel(room2.people[0], room2.channel)
    assert "1 of 2" in asked.response.content
    assert "would like to end this match" in room2.latest("End the match").content
    await set_to(chief, room2.channel, "settings server", cancel="hosts")
    await cancel(room2.people[0], room2.channel)
    assert (await room2.bot.host.look.match(number)).status is Status.OVER
    assert "The host closed this table." in room2.latest("Rematch").content


async def test_p18_the_others_agree_to_the_end_with_one_button(at_gambo: Table) -> None:
    await cancel(at_gambo.people[1], at_gambo.channel)
    await at_gambo.people[0].click(at_gambo.latest("End the match"), label="End the match")
    assert (await at_gambo.bot.host.look.match(MatchId(1))).status is Status.OVER


async def test_p18_a_moderator_of_another_server_decides_nothing_here(room1: Table) -> None:
    guild = room1.env.create_guild("Elsewhere")
    elsewhere = guild.create_text_channel("games")
    role = guild.create_role("Moderator", permissions=discord.Permissions(manage_messages=True))
    ann = Member(guild.add_member(room1.people[0].user, roles=[role]))
    number = await room1.open("ambush")
    await room1.bot.host.lobby.join(number, Person(UserId(5), "Bob"))
    answer = await cancel(ann, elsewhere, match=number)
    assert "1 of 2" in answer.response.content
    assert (await room1.bot.host.look.match(number)).status is Status.RUNNING


@pytest.mark.parametrize(
    ("ping", "ways"), [("mention", ["mention"]), ("dm", ["dm"]), ("both", ["mention", "dm"]), ("none", [])]
)
@pytest.mark.parametrize("game", ["abissal", "gambo"])
async def test_p26_a_turn_pings_one_person_once_as_that_person_wants(
    room2: Table, game: str, ping: str, ways: list[str]
) -> None:
    for person in room2.people:
        await set_to(person.user, "settings me", ping=ping)
    number = await room2.begin(game, 2, **({"players": 2} if game == "abissal" else {}))
    host = room2.bot.host
    rings = Rings(room2)
    mover = (await host.look.match(number)).mover
    view = await host.look.view(number, mover.user_id)
    person = room2.person(mover.user_id)
    await person.slash(room2.channel, f"{game} play", move=view.moves[0].text)
    after = (await host.look.match(number)).mover
    assert after.user_id != mover.user_id
    name = room2.person(after.user_id).name
    assert rings.heard() == [(name, way) for way in ways]


@pytest.mark.parametrize(("confirm", "asks"), [("always", True), ("unseen", False), ("never", False)])
async def test_p19_a_person_says_before_which_moves_they_want_a_last_look(
    room2: Table, confirm: str, asks: bool
) -> None:
    for person in room2.people:
        await set_to(person, room2.channel, "settings me", confirm=confirm)
    number = await room2.begin("gambo", 2)
    # A choice of side has no place on the picture, so it's made before.
    first = room2.mover(room2.latest("Play"))
    sides = (await room2.bot.host.look.view(number, first.id)).moves
    await first.slash(room2.channel, "gambo play", move=sides[0].text)
    actor = room2.mover(room2.latest("Play"))
    before = (await room2.bot.host.look.match(number)).ply
    shown = (await actor.click(room2.latest("Play"), label="Play")).response
    while "Confirm" not in labels(shown) and (await room2.bot.host.look.match(number)).ply == before:
        # The first piece can swap, and so has two places.
        shown = (await pick(actor, shown, entries(shown)[0 if "Which piece?" in shown.content else -1])).response
    assert ("Confirm" in labels(shown)) is asks
    assert ((await room2.bot.host.look.match(number)).ply == before) is asks


async def test_p19_a_move_that_no_place_has_shown_and_a_card_that_can_be_turned_get_a_last_look(room3: Table) -> None:
    """In Saboteur a discarded card is given up unseen, and a tunnel can be laid both ways round."""
    number = await room3.begin("saboteur", 3)
    host = room3.bot.host
    mover = (await host.look.match(number)).mover
    assert mover is not None
    for confirm, looks in ((LastLook.UNSEEN, {True}), (LastLook.NEVER, {False})):
        await host.settings.set_player_settings(mover.user_id, PlayerSettings(confirm=confirm))
        view = await host.look.view(number, mover.user_id)
        seen: dict[bool, set[bool]] = {False: set(), True: set()}
        for move in view.moves:
            place = position(view, tuple(choice.value for choice in move.choices))
            assert place.move is not None
            if place.turned:
                seen[True].add(panel_pages.wants_last_look(view, place))
            elif move.choices[-1].place is None:
                seen[False].add(panel_pages.wants_last_look(view, place))
        assert seen[True] <= {True}
        assert seen[False] == looks


async def test_p26_whose_dms_are_closed_is_mentioned_after_all(room2: Table) -> None:
    for person in room2.people:
        await set_to(person.user, "settings me", ping="dm")
    await room2.begin("gambo", 2)
    room2.close_dms()
    board = room2.latest("Play")
    mover = (await room2.bot.host.look.match(MatchId(1))).mover
    rings = Rings(room2)
    await play_by_panel(room2.person(mover.user_id), board, random.Random(1))
    after = (await room2.bot.host.look.match(MatchId(1))).mover
    assert (room2.person(after.user_id).name, "mention") in rings.heard()


async def test_p19_large_and_covered_pictures_come_to_whoever_wants_them(room2: Table) -> None:
    await room2.begin("abissal", 2, players=2)
    person = room2.people[0]
    plain = await at_match(person, room2.channel, "hand")
    (before,) = plain.response.attachments
    assert before.filename == "hand.png"
    await set_to(person, room2.channel, "settings me", large="large", spoiler="spoiler")
    assert "Private pictures: large" in (await person.slash(room2.channel, "settings me")).response.content
    covered = await at_match(person, room2.channel, "hand")
    (after,) = covered.response.attachments
    assert after.filename == "SPOILER_hand.png"
    board = await at_match(person, room2.channel, "board")
    assert await width(board.response.attachments[0]) == 1200
    other = await at_match(room2.people[1], room2.channel, "board")
    assert await width(other.response.attachments[0]) == 900


async def width(attachment: discord.Attachment) -> int:
    with Image.open(io.BytesIO(await attachment.read())) as picture:
        return picture.width


@pytest.mark.parametrize(
    ("ping", "ways"), [("mention", ["mention"]), ("dm", ["dm"]), ("both", ["mention"]), ("none", [])]
)
async def test_p26_a_reminder_pings_once_too(timed2: Clocked, ping: str, ways: list[str]) -> None:
    for person in timed2.people:
        await set_to(person.user, "settings me", ping=ping)
    await timed2.begin("gambo", 2)
    mover = (await timed2.match()).mover
    rings = Rings(timed2)
    await timed2.later(hours=20)
    assert rings.heard() == [(timed2.person(mover.user_id).name, each) for each in ways]
    sent = [request.json for request in timed2.env.http_requests[rings.before :] if request.method == "POST"]
    nonces = [body["nonce"] for body in sent if "nonce" in body]
    assert len(set(nonces)) == len(nonces), "Discord takes a second message under a nonce for the first"
    assert "the table is waiting for you" in timed2.channel.history()[-1].content


# The pages.


def chosen(shown: Any) -> list[str]:
    """The labels of the buttons that show what is set."""
    return [label.removeprefix("✓ ") for label in labels(shown) if label and label.startswith("✓ ")]


@pytest.mark.parametrize("name", ["server", "me"])
async def test_p19_every_setting_can_be_chosen_on_its_page_which_says_what_each_choice_does(
    name: str, room1: Table
) -> None:
    chief = with_right(room1, "Chief", manage_guild=True, manage_messages=True)

    async def stored() -> dict[str, Any]:
        settings = room1.bot.host.settings
        if name == "me":
            return vars(await settings.player_settings(UserId(chief.id)))
        return vars(await settings.guild_settings(room1.channel.guild.id))

    if name == "server":
        # On its page, a channel is picked from a menu.
        await chief.slash(room1.channel, "settings server", puzzles=room1.channel.mention)
    left = set(await stored())
    page = (await chief.slash(room1.channel, f"settings {name}")).response
    titles = {entry: option.label for entry, option in zip(entries(page), menu(page).options, strict=True)}
    await room1.restart()
    for entry, title in titles.items():
        page = (await chief.select(page, [entry], custom_id=menu(page).custom_id)).response
        assert title in page.content.split("\n")[0]
        offered = [label for label in labels(page) if label != "◀ All settings"]
        for label in reversed(offered):
            word = label.removeprefix("✓ ")
            assert f"**{word}**: " in page.content
            before = await stored()
            page = (
                await chief.click(page, label=next(each for each in labels(page) if each[-len(word) :] == word))
            ).response
            left -= {field for field, now in (await stored()).items() if now != before[field]}
            if word == "New season":
                page = (await chief.click(page, label="Yes: New season")).response
                word = "On"
            assert "✓ Saved." in page.content
            # People can choose several games to be called to.
            assert word in chosen(page) if entry == "call" else chosen(page) == [word]
        page = (await chief.click(page, label="◀ All settings")).response
        assert titles.keys() == set(entries(page))
    assert not left, f"no page changes {left}"


async def test_p19_channels_are_picked_from_a_menu(room1: Table) -> None:
    chief, guild = with_right(room1, "Chief", manage_guild=True), room1.channel.guild
    other, gone = guild.create_text_channel("chat"), guild.create_text_channel("old")
    page = (await chief.slash(room1.channel, "settings server")).response
    page = (await chief.select(page, ["channels"])).response
    picker = Ref("setserver", path=("channels", "these")).custom_id("s")
    page = (await chief.select(page, [other, gone], custom_id=picker)).response
    assert f"Matches can be started in: {other.mention} {gone.mention}" in page.content
    assert chosen(page) == []
    assert (await room1.bot.host.settings.guild_settings(guild.id)).channels == (other.id, gone.id)
    assert "2 channels" in [option.description for option in menu(page).options]
    delete(room1, gone)
    await room1.env.settle()
    page = (await chief.select(page, ["channels"], custom_id=menu(page).custom_id)).response
    raw = room1.env.backend.messages[room1.channel.id][page.id].components[1]["components"][0]
    assert [int(each["id"]) for each in raw["default_values"]] == [other.id]
    assert "only be started in" in one_sentence(await room1.people[0].slash(room1.channel, "gambo new"))


async def forged(room: Table, place: Any, person: Any, verb: str, *path: str, match: MatchId | None = None) -> str:
    """The private answer to a forged button with this path, under a message that others can see, too."""
    button = components.button(Ref(verb, match, path=path), "Forged")
    message = await room.bot.get_partial_messageable(place.id).send("here", view=components.view(button))
    result = await person.click(message, label="Forged")
    assert private(result).ephemeral
    return str(private(result).content)


async def test_p19_every_press_on_a_servers_page_asks_again_who_may_manage_it(room1: Table) -> None:
    settings, guild = room1.bot.host.settings, room1.channel.guild
    chief, before = with_right(room1, "Chief", manage_guild=True), await settings.guild_settings(guild.id)
    for path in ((), ("where",), ("where", "thread"), ("ratings", "new season"), ("channels", "these", "1" * 18)):
        refused = await forged(room1, room1.channel, room1.people[0], "setserver", *path)
        assert "permission: Manage Server" in refused, path
    for path in (("nothing",), ("where", "moon"), ("where", "these", "1" * 18)):
        assert "This page is out of date. Use `/settings server`" in await forged(
            room1, room1.channel, chief, "setserver", *path
        )
    assert await settings.guild_settings(guild.id) == before
    assert "only works in a server" in await forged(
        room1, chief.user.dm_channel, chief.user, "setserver", "where", "thread"
    )
