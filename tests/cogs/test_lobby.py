"""From ``new`` to the first board, and from the last board to the rematch, as people see it (P1-P3, P11)."""

import random
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import discord
import pytest

from cogs.lobby import lobby_post
from cogs.press.custom_ids import MENU, Ref
from cogs.text.words import MORE, OUT_OF_DATE
from db.people import bars
from matches.api import MatchId, Private, Status, UserId, Where
from matches.computers.judgements.saboteur import CROWD
from tests.cogs.table import Clocked, Table, at_match, behind, change, entries, labels, menu, strip, table, with_right
from tests.cogs.test_manners import one_sentence
from tests.cogs.test_settings import forged
from tests.matches.tables import whole


async def play_to_the_end(room: Table, number: MatchId, seed: int = 1) -> None:
    """Random moves at the host, without Discord; the bot announces the end."""
    host, rng = room.bot.host, random.Random(seed)
    while (match := await host.look.match(number)).status is Status.RUNNING:
        mover = match.mover
        assert mover.user_id is not None
        view = await host.look.view(number, mover.user_id)
        await host.play.act(number, mover.user_id, rng.choice(view.moves).text)
    await room.told()


async def test_p01_a_lobby_says_who_sits_what_is_agreed_and_commits_to_the_deals(room3: Table) -> None:
    ann, bob, cleo = room3.people
    number = await room3.open("saboteur", pace="slow", invite=f"{bob.mention} please")
    lobby = room3.latest("Join")
    assert labels(lobby) == ["Join", "Add computer", "Start", MORE]
    assert strip(lobby).description.startswith("Saboteur, 3–10 players · 3 days a turn: 2 more needed.")
    assert "3 days a turn" not in lobby.content, "the picture says it"
    assert f"Invited: {bob.mention}" in lobby.content
    commitment = (await room3.bot.host.look.match(number)).commitment
    assert f"-# Fair deals: `{commitment[:20]}…`" in lobby.content
    deal = one_sentence(await behind(cleo, lobby, "Fair deal"))
    assert f"`{commitment}`" in deal
    assert "Nobody has pressed anything that counts yet." in deal
    assert [user.id for user in lobby.mentions] == [bob.id]
    assert "at least 3 players" in one_sentence(await ann.click(lobby, label="Start"))
    await bob.click(lobby, label="Join")
    await cleo.click(lobby, label="Join")
    assert "you've left the table" in one_sentence(await behind(ann, lobby, "Leave"))
    assert "Bob (host)" in strip(room3.refreshed(lobby)).description
    assert "Only the host" in one_sentence(await cleo.click(lobby, label="Start"))
    adding = await bob.click(lobby, label="Add computer")
    await bob.select(adding.response, ["normal"])
    picking = await change(bob, lobby, "Remove …")
    options = {option.label: option.value for option in menu(picking.response).options}
    await bob.select(picking.response, [options["Cleo"]])
    seats = (await room3.bot.host.look.match(number)).seats
    assert [(seat.user_id, seat.computer) for seat in seats] == [(bob.id, None), (None, "normal")]
    assert "closed this table" in one_sentence(await behind(bob, lobby, "Cancel"))
    assert labels(room3.refreshed(lobby)) == []
    assert "closed this table" in room3.refreshed(lobby).content


async def test_p01_a_table_that_nobody_starts_is_closed_after_a_day_and_says_so(timed1: Clocked) -> None:
    await timed1.open("saboteur")
    lobby = timed1.latest("Join")
    await timed1.later(hours=24)
    closed = timed1.refreshed(lobby)
    assert "Nobody started this match in time" in closed.content
    assert labels(closed) == ["I'd play another time"]


async def test_p02_a_closed_dm_is_shown_and_delays_nothing(room2: Table) -> None:
    room2.close_dms()
    await room2.open("abissal", players=2)
    lobby = room2.latest("Join")
    assert "-# By **My hand**: Ann" in room2.refreshed(lobby).content
    joined = await room2.people[1].click(lobby, label="Join")
    assert joined.acknowledged
    hand = await room2.people[1].click(room2.latest("Play"), label="My hand")
    assert hand.response.ephemeral
    assert hand.response.attachments[0].filename == "hand.png"


async def test_p03_a_second_match_gets_a_thread_that_the_lobby_links_and_then_tells_the_result(room2: Table) -> None:
    await room2.begin("ambush", 2)
    assert not room2.channel.threads
    number = await room2.begin("gambo", 2)
    (thread,) = room2.channel.threads
    lobby = next(m for m in room2.channel.history() if m.content.startswith("**Gambo") and "Fair deals" in m.content)
    assert thread.mention in lobby.content
    assert room2.latest("Play", thread).attachments
    await play_to_the_end(room2, number)
    assert "The match is over; " in room2.refreshed(lobby).content


async def test_p11_the_end_tells_everything_and_offers_a_rematch_with_the_same_people(room3: Table) -> None:
    number = await room3.begin("abissal", 3)
    await play_to_the_end(room3, number)
    last = room3.latest("Rematch")
    match = await room3.bot.host.look.match(number)
    kept = await whole(room3.bot.host, match)
    assert kept.hidden.seed.hex() not in last.content
    assert last.attachments
    for person in room3.people:
        assert person.mention in last.content
    deal = one_sentence(await behind(room3.people[2], last, "Fair deal"))
    for told in (kept.hidden.seed.hex(), match.commitment, *kept.details.pressed, "everything checks out"):
        assert told in deal
    proof = await at_match(room3.people[0], room3.channel, "verify", match=number)
    assert "everything checks out" in proof.response.content
    await room3.people[1].click(last, label="Rematch")
    lobby = room3.latest("Join")
    invited = lobby.content.split("Invited: ")[1].split("\n")[0]
    assert set(invited.split(" ")) == {room3.people[0].mention, room3.people[2].mention}
    await room3.people[0].click(last, label="Rematch")
    await room3.people[2].click(lobby, label="Join")
    again = await room3.bot.host.look.match(MatchId(number + 1))
    assert (again.status, len(again.seats)) == (Status.RUNNING, 3)
    assert (await room3.bot.host.look.details(again.id)).rematch_of == number


async def test_p03_the_press_that_starts_a_match_leaves_the_lobby_to_whoever_knows_the_thread(room3: Table) -> None:
    await room3.open("saboteur", where="thread")
    lobby = room3.latest("Join")
    for person in room3.people[1:]:
        await person.click(lobby, label="Join")
    before = len(room3.env.http_requests)
    await room3.people[0].click(lobby, label="Start")
    sent = room3.env.http_requests[before:]
    answers = [request.json for request in sent if request.path.endswith("/callback")]
    assert [answer["type"] for answer in answers] == [discord.InteractionResponseType.deferred_message_update.value]
    assert not [request for request in sent if request.path.startswith("/webhooks") and request.method == "PATCH"]
    assert room3.channel.threads[-1].mention in room3.refreshed(lobby).content


async def test_p11_a_rematch_with_computers_shows_its_commitment_and_starts_in_its_thread(room1: Table) -> None:
    number = await room1.open("gambo", where="thread")
    await room1.bot.host.lobby.add_computer(number, room1.people[0].id)
    await room1.told()
    await room1.bot.host.play.resign(number, room1.people[0].id)
    await room1.told()
    first = room1.channel.threads[-1]
    await room1.people[0].click(room1.latest("Rematch", first), label="Rematch")
    await room1.told()
    again = await room1.bot.host.look.match(MatchId(number + 1))
    assert (again.status, (await room1.bot.host.look.details(again.id)).pressed) == (Status.LOBBY, ())
    shown = room1.latest("Start", first)
    assert again.commitment[:20] in shown.content
    assert "the host can press **Start**" in shown.content
    await room1.people[0].click(shown, label="Start")
    await room1.told()
    again = await room1.bot.host.look.match(again.id)
    assert again.status is Status.RUNNING
    (about,) = [message.id for message in first.history() if message.content.startswith(f"**Gambo #{again.id}**")]
    assert about == again.lobby_message_id
    assert again.board_message_id in {None, *(message.id for message in first.history() if message.id > about)}


async def test_p11_a_rematch_asked_for_in_a_thread_is_played_in_that_thread(room2: Table) -> None:
    number = await room2.begin("gambo", 2, where="thread")
    (thread,) = room2.channel.threads
    await play_to_the_end(room2, number)
    await room2.people[0].click(room2.latest("Rematch", thread), label="Rematch")
    await room2.people[1].click(room2.latest("Join", thread), label="Join")
    assert room2.mover(room2.latest("Play", thread)) is not None
    assert len(room2.channel.threads) == 1


@pytest.mark.parametrize(("size", "sitting"), [({}, 3), ({"players": 5}, 5)])
async def test_p01_the_host_fills_the_missing_seats_with_computers_in_one_go(
    room2: Table, size: dict[str, int], sitting: int
) -> None:
    host, other = room2.people
    number = await room2.open("saboteur", **size)
    lobby = room2.latest("Join")
    assert "Add missing computers" not in labels((await behind(other, lobby)).response)
    asked, again = [(await behind(host, lobby, "Add missing computers")).response for _ in range(2)]
    assert f"{sitting - 1} computers will join, so that {sitting} play." in asked.content
    told = (await host.select(asked, ["easy"])).response
    match = await room2.bot.host.look.match(number)
    assert len(match.seats) == sitting
    assert [seat.computer for seat in match.seats if seat.user_id is None] == ["easy"] * (sitting - 1)
    assert "the table." in told.content
    # With an agreed size a full table starts; otherwise its host can still add people.
    assert match.status is (Status.RUNNING if size else Status.LOBBY)
    if not size:
        assert "enough players" in one_sentence(await host.select(again, ["easy"]))
        assert "Add missing computers" not in labels((await behind(host, lobby)).response)


async def test_p01_the_lobby_has_only_buttons_that_do_something_now(room2: Table) -> None:
    await room2.open("gambo", start="host")
    lobby, (host, other) = room2.latest("Join"), room2.people
    everybody = ["Rules", "Learn", "Ratings", "Fair deal"]

    async def changes() -> list[str]:
        return labels((await behind(host, lobby, "Change …")).response)

    assert labels(lobby) == ["Join", "Add computer", "Start", MORE]
    assert labels((await behind(host, lobby)).response) == ["Leave", "Change …", "Cancel", *everybody]
    assert labels((await behind(other, lobby)).response) == everybody
    agreed = ["Make it unrated", "No taking back"]
    assert await changes() == ["Host only watches", "In a thread", "Start when full", *agreed]
    await other.click(lobby, label="Join")
    assert labels(room2.refreshed(lobby)) == ["Join", "Start", MORE]
    assert labels((await behind(other, lobby)).response) == ["Leave", *everybody]
    assert await changes() == ["Host only watches", "Remove …", "In a thread", "Start when full"]
    left = (await change(host, lobby, "Host only watches")).response
    assert labels(left) == ["Remove …", "In a thread", "Start when full"]
    assert labels(room2.refreshed(lobby)) == ["Join", "Add computer", "Start", MORE]
    moderator = with_right(room2, "Mod", manage_messages=True)
    assert labels((await behind(moderator, lobby)).response) == ["Cancel", *everybody]


@pytest.mark.parametrize("game", ["gambo", "saboteur"])
async def test_p01_the_buttons_of_a_lobby_are_one_line_on_a_phone(room1: Table, game: str) -> None:
    await room1.open(game)
    # A phone shows this many letters side by side. A button is about four letters wider than its label.
    wide, found = 44, 0
    for row in room1.latest("Join").components:
        left = 0
        for button in getattr(row, "children", ()):
            needed = len(button.label or "") + 4
            found, left = (found, left) if needed <= left else (found + 1, wide)
            left -= needed
    assert found == 1


async def test_p01_a_full_table_says_so_and_only_people_use_my_hand(room1: Table) -> None:
    guild, settings = room1.channel.guild, room1.bot.host.settings
    chosen = await settings.guild_settings(guild.id)
    await settings.set_guild_settings(guild.id, replace(chosen, private=Private.BUTTON))
    number = await room1.open("abissal")
    for full in (False, True):
        await room1.bot.host.lobby.add_computer(MatchId(number), UserId(room1.people[0].id))
        await room1.told()
        content = room1.latest("Join").content
        assert ("All seats are taken." in content) == full
    assert "-# By **My hand**: Ann" in content
    assert content.count("My hand") == 1


async def test_p01_the_computers_that_fill_a_table_are_named_also_when_that_starts_it(tmp_path: Path) -> None:
    for evening in range(4):
        async with table(tmp_path / f"{evening}.db", 1) as room:
            await room.env.advance_time(evening)
            number, host, lobby = await room.open("saboteur", players=4), room.people[0], room.latest("Join")
            asked = (await host.click(lobby, label="Add computer")).response
            first = (await host.select(asked, ["easy"])).response.content
            asked = (await behind(host, lobby, "Add missing computers")).response
            told = (await host.select(asked, ["easy"])).response.content
            match = await room.bot.host.look.match(number)
            assert match.status is Status.RUNNING
            computers = [seat.name for seat in match.seats if seat.user_id is None]
            assert [name in told for name in computers] == [name not in first for name in computers]


async def test_the_levels_that_a_host_can_pick_are_those_that_a_table_of_this_size_has(room1: Table) -> None:
    for players, levels in ((3, ["easy", "normal", "expert"]), (CROWD, ["easy", "expert"])):
        await room1.open("saboteur", players=players)
        lobby, (ann,) = room1.latest("Join"), room1.people
        for asked in (await ann.click(lobby, label="Add computer"), await behind(ann, lobby, "Add missing computers")):
            assert entries(asked.response) == levels


async def test_p03_the_host_switches_between_channel_and_thread_and_the_lobby_says_which(room2: Table) -> None:
    host, other = room2.people
    await room2.open("ambush")
    lobby = room2.latest("Join")
    assert "in a thread" not in lobby.content
    assert "Change …" not in labels((await behind(other, lobby)).response)
    await change(host, lobby, "In a thread")
    lobby = room2.refreshed(lobby)
    assert "in a thread" in lobby.content
    await change(host, lobby, "In the channel")
    await change(host, lobby, "In a thread")
    await other.click(room2.refreshed(lobby), label="Join")
    (thread,) = room2.channel.threads
    assert room2.latest("Play", thread).attachments


@pytest.mark.parametrize("game", ["gambo", "saboteur"])
async def test_the_host_changes_whatever_is_agreed_and_the_lobby_says_so(room2: Table, game: str) -> None:
    ann, bob = room2.people
    number = await room2.open(game)
    lobby, before = room2.latest("Join"), ""
    page = (await behind(ann, lobby, "Change …")).response
    match = await room2.bot.host.look.match(number)
    changed = dict[str, Any]()
    for about, offered in lobby_post.terms(match).items():
        for word, term in reversed(offered.items()):
            match = await room2.bot.host.look.match(number)
            details = await room2.bot.host.look.details(number)
            if term.is_of(match, details) or (term.means.get("reliable") and not term.means["newcomers"]):
                continue  # Nobody is known here yet.
            if len(offered) == 2:
                page = (await ann.click(page, label=term.label)).response
            else:
                picker = Ref("terms", number, path=(about,)).custom_id(MENU)
                page = (await ann.select(page, [word], custom_id=picker)).response
            await room2.told()
            now = room2.refreshed(lobby)
            shown = now.content + "".join(each.description or "" for each in now.attachments)
            assert shown != before, (about, word)
            before = shown
            assert len(page.components) <= 5
            changed |= term.means
            match = await room2.bot.host.look.match(number)
            known = vars(match) | vars(await room2.bot.host.look.details(number))
            assert {field: known[field] for field in changed} == changed
    for path in ((), ("pace",), ("pace", "moon"), ("moon", "live"), ("players", "99")):
        assert OUT_OF_DATE in await forged(room2, room2.channel, ann, "terms", *path, match=number)
    for path in (("rated", "no"), ("pace", "live")):
        assert "Only the host" in await forged(room2, room2.channel, bob, "terms", *path, match=number)
    await room2.bot.host.lobby.agree(number, ann.id, host_starts=True)
    await bob.click(lobby, label="Join")
    left = (await behind(ann, lobby, "Change …")).response
    assert menu(left) is None
    assert {"Make it rated", "Make it unrated", "No taking back", "Allow taking back"}.isdisjoint(labels(left))
    assert "Somebody has joined already" in one_sentence(await ann.click(page, label=labels(page)[-1]))


async def test_p29_without_the_right_to_make_threads_the_switch_says_so(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 1, denied="create_public_threads") as room:
        number = await room.open("ambush")
        refused = one_sentence(await change(room.people[0], room.latest("Join"), "In a thread"))
        assert "Create Public Threads" in refused
        assert (await room.bot.host.look.match(number)).where is Where.CHANNEL


async def test_p01_a_second_join_says_that_one_sits_there_already(room2: Table) -> None:
    await room2.open("saboteur")
    lobby, bob = room2.latest("Join"), room2.people[1]
    first = await bob.click(lobby, label="Join")
    second = await bob.click(lobby, label="Join")
    assert [each.content for each in first.followups] == []
    assert [each.content for each in second.followups] == ["You already have a seat at this table."]


@pytest.mark.parametrize("manages", [True, False])
async def test_only_who_manages_a_server_is_told_of_its_settings_when_they_open_its_first_table(
    room1: Table, manages: bool
) -> None:
    opener = with_right(room1, "Owner", manage_guild=manages)
    for first in (True, False):
        opened = await opener.slash(room1.channel, "saboteur new")
        told = [each.content for each in opened.followups if "/settings server" in each.content]
        assert bool(told) == (manages and first)
        assert "/settings" not in room1.latest("Join").content


async def test_p03_a_lobby_says_that_it_will_get_a_thread_where_a_match_is_being_played(room2: Table) -> None:
    await room2.begin("ambush", 2)
    await room2.open("gambo")
    lobby = room2.latest("Join")
    assert "in a thread" in lobby.content
    refused = await change(room2.people[0], lobby, "In the channel")
    assert "Another match is being played in this channel" in one_sentence(refused)


async def test_the_lobby_says_how_it_starts_and_its_host_switches_that(room3: Table) -> None:  # FOUND F7
    ann, bob, cleo = room3.people
    number = await room3.open("gambo", start="host")
    lobby = room3.latest("Join")
    assert "The host starts it." in lobby.content
    assert "Change …" not in labels((await behind(bob, lobby)).response)
    await change(ann, lobby, "Start when full")
    assert "Starts when full." in room3.refreshed(lobby).content
    await change(ann, lobby, "Wait for host")
    await bob.click(lobby, label="Join")
    assert "Everybody's here: the host can press **Start**." in room3.refreshed(lobby).content
    picking = await change(ann, lobby, "Remove …")
    options = {option.label: option.value for option in menu(picking.response).options}
    await ann.select(picking.response, [options["Bob"]])
    assert "The host removed you from this table" in one_sentence(await bob.click(lobby, label="Join"))
    await cleo.click(lobby, label="Join")
    await change(ann, lobby, "Start when full")
    assert (await room3.bot.host.look.match(number)).status is Status.RUNNING
    await room3.open("saboteur")
    offered = (await behind(ann, room3.latest("Join"), "Change …")).response
    assert not {"Start when full", "Wait for host"} & set(labels(offered))


async def test_the_host_is_told_why_a_table_that_seemed_full_does_not_start(timed2: Clocked) -> None:  # FOUND F8
    ann, bob = timed2.people
    await timed2.open("gambo", start="host")
    lobby = timed2.latest("Join")
    await bob.click(lobby, label="Join")
    until = timed2.bot.host.now() + timedelta(days=1)
    await timed2.bot.database.write(bars.put, timed2.channel.guild.id, bob.id, until)
    assert "their seat is free again" in one_sentence(await ann.click(lobby, label="Start"))
    assert "1 more needed" in strip(timed2.refreshed(lobby)).description
