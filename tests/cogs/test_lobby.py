"""From ``new`` to the first board, and from the last board to the rematch, as people see it (P1-P3, P11)."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import discord
import pytest

from db.people import bars
from matches.api import MatchId, Private, Status, UserId, Where
from matches.computers.judgements.saboteur import CROWD
from tests.cogs.table import Table, change, clocked, entries, labels, menu, table
from tests.cogs.test_manners import one_sentence


async def play_to_the_end(room: Table, number: MatchId, seed: int = 1) -> None:
    """Random moves at the host, without Discord; the bot announces the end."""
    host, rng = room.bot.host, random.Random(seed)
    while (match := await host.look.match(number)).status is Status.RUNNING:
        mover = match.mover
        assert mover is not None
        assert mover.user_id is not None
        view = await host.look.view(number, mover.user_id)
        await host.play.act(number, mover.user_id, rng.choice(view.moves).text)
    await room.told()


async def test_p01_a_lobby_says_who_sits_what_is_agreed_and_commits_to_the_deals(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 3) as room:
        ann, bob, cleo = room.people
        number = await room.open("saboteur", pace="slow", invite=f"{bob.mention} please")
        lobby = room.latest("Join")
        assert labels(lobby)[:4] == ["Join", "Leave", "Start", "Cancel"]
        assert "3 days a turn" in lobby.content
        assert "2 more needed (3 to 10 can play)" in lobby.content
        assert f"Invited: {bob.mention}" in lobby.content
        commitment = (await room.bot.host.look.match(number)).commitment
        assert f"-# Fair deals: `{commitment[:20]}…`" in lobby.content
        deal = one_sentence(await cleo.click(lobby, label="Fair deal"))
        assert f"`{commitment}`" in deal
        assert "Nobody has pressed anything that counts yet." in deal
        assert [user.id for user in lobby.mentions] == [bob.id]
        assert "at least 3 players" in one_sentence(await ann.click(lobby, label="Start"))
        await bob.click(lobby, label="Join")
        await cleo.click(lobby, label="Join")
        await ann.click(lobby, label="Leave")
        assert "Bob (host)" in room.refreshed(lobby).content
        assert "Only the host" in one_sentence(await cleo.click(lobby, label="Start"))
        adding = await bob.click(lobby, label="Add computer")
        await bob.select(adding.response, ["normal"])
        picking = await change(bob, lobby, "Remove …")
        options = {option.label: option.value for option in menu(picking.response).options}
        await bob.select(picking.response, [options["Cleo"]])
        seats = (await room.bot.host.look.match(number)).seats
        assert [(seat.user_id, seat.computer) for seat in seats] == [(bob.id, None), (None, "normal")]
        await bob.click(lobby, label="Cancel")
        assert labels(room.refreshed(lobby)) == []
        assert "closed this table" in room.refreshed(lobby).content


async def test_p01_a_table_that_nobody_starts_is_closed_after_a_day_and_says_so(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 1) as timed:
        await timed.room.open("saboteur")
        lobby = timed.room.latest("Join")
        await timed.later(hours=24)
        closed = timed.room.refreshed(lobby)
        assert "Nobody started this match in time" in closed.content
        assert labels(closed) == ["I'd play another time"]


async def test_p02_a_closed_dm_is_shown_and_delays_nothing(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        room.close_dms()
        await room.open("abissal", players=2)
        lobby = room.latest("Join")
        assert "Ann (host, uses **My hand**)" in room.refreshed(lobby).content
        joined = await room.people[1].click(lobby, label="Join")
        assert joined.acknowledged
        board = room.latest("Play")
        hand = await room.people[1].click(board, label="My hand")
        assert hand.response.ephemeral
        assert hand.response.attachments[0].filename == "hand.png"


async def test_p03_a_second_match_gets_a_thread_that_the_lobby_links_and_then_tells_the_result(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        await room.begin("ambush", 2)
        assert not room.channel.threads
        number = await room.begin("gambo", 2)
        (thread,) = room.channel.threads
        lobby = next(m for m in room.channel.history() if m.content.startswith("**Gambo") and "Fair deals" in m.content)
        assert thread.mention in lobby.content
        assert room.latest("Play", thread).attachments
        await play_to_the_end(room, number)
        assert "The match is over; " in room.refreshed(lobby).content


async def test_p11_the_end_tells_everything_and_offers_a_rematch_with_the_same_people(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 3) as room:
        number = await room.begin("abissal", 3)
        await play_to_the_end(room, number)
        last = room.latest("Rematch")
        match = await room.bot.host.look.match(number)
        assert match.seed is not None
        assert match.seed.hex() not in last.content
        assert last.attachments
        for person in room.people:
            assert person.mention in last.content
        deal = one_sentence(await room.people[2].click(last, label="Fair deal"))
        for told in (match.seed.hex(), match.commitment, *match.pressed, "everything checks out"):
            assert told in deal
        proof = await room.people[0].slash(room.channel, "match verify", match=number)
        assert "everything checks out" in proof.response.content
        await room.people[1].click(last, label="Rematch")
        lobby = room.latest("Join")
        invited = lobby.content.split("Invited: ")[1].split("\n")[0]
        assert set(invited.split(" ")) == {room.people[0].mention, room.people[2].mention}
        await room.people[0].click(last, label="Rematch")
        await room.people[2].click(lobby, label="Join")
        again = await room.bot.host.look.match(MatchId(number + 1))
        assert (again.status, again.rematch_of, len(again.seats)) == (Status.RUNNING, number, 3)


async def test_p03_the_press_that_starts_a_match_leaves_the_lobby_to_whoever_knows_the_thread(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 3) as room:
        await room.open("saboteur", where="thread")
        lobby = room.latest("Join")
        for person in room.people[1:]:
            await person.click(lobby, label="Join")
        before = len(room.env.http_requests)
        await room.people[0].click(lobby, label="Start")
        sent = room.env.http_requests[before:]
        answers = [request.json for request in sent if request.path.endswith("/callback")]
        assert [answer["type"] for answer in answers] == [discord.InteractionResponseType.deferred_message_update.value]
        assert not [request for request in sent if request.path.startswith("/webhooks") and request.method == "PATCH"]
        assert room.channel.threads[-1].mention in room.refreshed(lobby).content


async def test_p11_a_rematch_with_computers_shows_its_commitment_and_starts_in_its_thread(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 1) as room:
        number = await room.open("gambo", where="thread")
        await room.bot.host.lobby.add_computer(number, room.people[0].id)
        await room.told()
        await room.bot.host.play.resign(number, room.people[0].id)
        await room.told()
        first = room.channel.threads[-1]
        await room.people[0].click(room.latest("Rematch", first), label="Rematch")
        await room.told()
        again = await room.bot.host.look.match(MatchId(number + 1))
        assert (again.status, again.pressed) == (Status.LOBBY, ())
        shown = room.latest("Start", first)
        assert again.commitment[:20] in shown.content
        assert "the host can press **Start**" in shown.content
        await room.people[0].click(shown, label="Start")
        await room.told()
        again = await room.bot.host.look.match(again.id)
        assert again.status is Status.RUNNING
        about = [message.id for message in first.history() if message.content.startswith(f"**Gambo #{again.id}**")]
        assert about[0] == again.lobby_message_id
        assert again.board_message_id is None or again.board_message_id in about[1:]


async def test_p11_a_rematch_asked_for_in_a_thread_is_played_in_that_thread(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        number = await room.begin("gambo", 2, where="thread")
        (thread,) = room.channel.threads
        await play_to_the_end(room, number)
        await room.people[0].click(room.latest("Rematch", thread), label="Rematch")
        lobby = room.latest("Join", thread)
        await room.people[1].click(lobby, label="Join")
        assert room.mover(room.latest("Play", thread)) is not None
        assert len(room.channel.threads) == 1


@pytest.mark.parametrize(("size", "sitting"), [({}, 3), ({"players": 5}, 5)])
async def test_p01_the_host_fills_the_missing_seats_with_computers_in_one_go(
    tmp_path: Path, size: dict[str, int], sitting: int
) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        host, other = room.people
        number = await room.open("saboteur", **size)
        lobby = room.latest("Join")
        assert "Only the host" in one_sentence(await other.click(lobby, label="Add missing computers"))
        asked = (await host.click(lobby, label="Add missing computers")).response
        again = (await host.click(lobby, label="Add missing computers")).response
        assert f"{sitting - 1} computers will join, so that {sitting} play." in asked.content
        told = (await host.select(asked, ["easy"])).response
        match = await room.bot.host.look.match(number)
        assert len(match.seats) == sitting
        assert [seat.computer for seat in match.seats if seat.user_id is None] == ["easy"] * (sitting - 1)
        assert "the table." in told.content
        # With an agreed size a full table starts; otherwise its host can still add people.
        assert match.status is (Status.RUNNING if size else Status.LOBBY)
        if not size:
            assert "enough players" in one_sentence(await host.select(again, ["easy"]))
            assert "Add missing computers" not in labels(room.refreshed(lobby))


async def test_p01_the_lobby_has_only_buttons_that_do_something_now(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        await room.open("gambo", start="host")
        lobby, (host, other) = room.latest("Join"), room.people
        always = ["Join", "Leave", "Start", "Cancel", "Change …", "Rules", "Learn", "Ratings", "Fair deal"]

        async def changes() -> list[str]:
            return labels((await host.click(lobby, label="Change …")).response)

        assert sorted(labels(lobby)) == sorted([*always, "Add computer"])
        assert await changes() == ["Host only watches", "In a thread", "Start when full", "Make it unrated"]
        await other.click(lobby, label="Join")
        assert labels(room.refreshed(lobby)) == always
        assert await changes() == ["Host only watches", "Remove …", "In a thread", "Start when full"]
        left = (await change(host, lobby, "Host only watches")).response
        assert labels(left) == ["Remove …", "In a thread", "Start when full"]
        assert sorted(labels(room.refreshed(lobby))) == sorted([*always, "Add computer"])


@pytest.mark.parametrize(("game", "lines"), [("gambo", 3), ("saboteur", 4)])
async def test_p01_the_buttons_of_a_lobby_are_few_lines_on_a_phone(tmp_path: Path, game: str, lines: int) -> None:
    async with table(tmp_path / "ambit.db", 1) as room:
        await room.open(game)
        # A phone shows this many letters side by side. A button is about four letters wider than its label.
        wide, found = 44, 0
        for row in room.latest("Join").components:
            left = 0
            for button in getattr(row, "children", ()):
                needed = len(button.label or "") + 4
                found, left = (found, left) if needed <= left else (found + 1, wide)
                left -= needed
        assert found == lines


async def test_p01_a_full_table_says_so_and_only_people_use_my_hand(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 1) as room:
        guild, settings = room.channel.guild, room.bot.host.settings
        assert guild is not None
        chosen = await settings.guild_settings(guild.id)
        await settings.set_guild_settings(guild.id, replace(chosen, private=Private.BUTTON))
        number = await room.open("abissal")
        for said in ("Up to 3 can play.", "All seats are taken."):
            await room.bot.host.lobby.add_computer(MatchId(number), UserId(room.people[0].id))
            await room.told()
            content = room.latest("Join").content
            assert f"Ready to start. {said}" in content
        assert "(host, uses **My hand**)" in content
        assert content.count("My hand") == 1


async def test_p01_the_computers_that_fill_a_table_are_named_also_when_that_starts_it(tmp_path: Path) -> None:
    for evening in range(4):
        async with table(tmp_path / f"{evening}.db", 1) as room:
            await room.env.advance_time(evening)
            number, host, lobby = await room.open("saboteur", players=4), room.people[0], room.latest("Join")
            asked = (await host.click(lobby, label="Add computer")).response
            first = (await host.select(asked, ["easy"])).response.content
            asked = (await host.click(lobby, label="Add missing computers")).response
            told = (await host.select(asked, ["easy"])).response.content
            match = await room.bot.host.look.match(number)
            assert match.status is Status.RUNNING
            computers = [seat.name for seat in match.seats if seat.user_id is None]
            assert [name in told for name in computers] == [name not in first for name in computers]


async def test_the_levels_that_a_host_can_pick_are_those_that_a_table_of_this_size_has(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 1) as room:
        for players, levels in ((3, ["easy", "normal", "expert"]), (CROWD, ["easy", "expert"])):
            await room.open("saboteur", players=players)
            for label in ("Add computer", "Add missing computers"):
                asked = (await room.people[0].click(room.latest("Join"), label=label)).response
                assert entries(asked) == levels


async def test_p03_the_host_switches_between_channel_and_thread_and_the_lobby_says_which(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        host, other = room.people
        await room.open("ambush")
        lobby = room.latest("Join")
        assert "right here in the channel, for everyone to watch" in lobby.content
        assert "Only the host" in one_sentence(await other.click(lobby, label="Change …"))
        await change(host, lobby, "In a thread")
        lobby = room.refreshed(lobby)
        assert "in a thread of its own, for everyone to watch" in lobby.content
        await change(host, lobby, "In the channel")
        await change(host, lobby, "In a thread")
        await other.click(room.refreshed(lobby), label="Join")
        (thread,) = room.channel.threads
        assert room.latest("Play", thread).attachments


async def test_p29_without_the_right_to_make_threads_the_switch_says_so(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 1, denied="create_public_threads") as room:
        number = await room.open("ambush")
        refused = one_sentence(await change(room.people[0], room.latest("Join"), "In a thread"))
        assert "Create Public Threads" in refused
        assert (await room.bot.host.look.match(number)).where is Where.CHANNEL


async def test_p01_a_second_join_says_that_one_sits_there_already(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        await room.open("saboteur")
        lobby, bob = room.latest("Join"), room.people[1]
        first = await bob.click(lobby, label="Join")
        second = await bob.click(lobby, label="Join")
        said = [" ".join(each.content for each in result.followups) for result in (first, second)]
        assert "already have a seat" not in said[0]
        assert "You already have a seat at this table." in said[1]


async def test_only_the_first_lobby_of_a_server_tells_its_moderators_of_the_settings(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        await room.open("saboteur")
        first = room.latest("Join")
        assert "For moderators: `/settings server`" in first.content
        await room.people[1].click(first, label="Join")
        assert "For moderators" in room.refreshed(first).content
        await room.open("gambo")
        assert "For moderators" not in room.latest("Join").content


async def test_p03_a_lobby_says_that_it_will_get_a_thread_where_a_match_is_being_played(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        await room.begin("ambush", 2)
        await room.open("gambo")
        lobby = room.latest("Join")
        assert "in a thread of its own, for everyone to watch" in lobby.content
        refused = await change(room.people[0], lobby, "In the channel")
        assert "Another match is being played in this channel" in one_sentence(refused)


async def test_the_lobby_says_how_it_starts_and_its_host_switches_that(tmp_path: Path) -> None:  # FOUND F7
    async with table(tmp_path / "ambit.db", 3) as room:
        ann, bob, cleo = room.people
        number = await room.open("gambo", start="host")
        lobby = room.latest("Join")
        assert "1 of 2 seats taken. The host starts it." in lobby.content
        assert "Only the host" in one_sentence(await bob.click(lobby, label="Change …"))
        await change(ann, lobby, "Start when full")
        assert "1 of 2 seats taken. Starts when both are filled." in room.refreshed(lobby).content
        await change(ann, lobby, "Wait for host")
        await bob.click(lobby, label="Join")
        assert "Everybody's here: the host can press **Start**." in room.refreshed(lobby).content
        picking = await change(ann, lobby, "Remove …")
        options = {option.label: option.value for option in menu(picking.response).options}
        await ann.select(picking.response, [options["Bob"]])
        assert "The host removed you from this table" in one_sentence(await bob.click(lobby, label="Join"))
        await cleo.click(lobby, label="Join")
        await change(ann, lobby, "Start when full")
        assert (await room.bot.host.look.match(number)).status is Status.RUNNING
        await room.open("saboteur")
        offered = (await ann.click(room.latest("Join"), label="Change …")).response
        assert not {"Start when full", "Wait for host"} & set(labels(offered))


async def test_the_host_is_told_why_a_table_that_seemed_full_does_not_start(tmp_path: Path) -> None:  # FOUND F8
    async with clocked(tmp_path / "ambit.db", 2) as timed:
        room = timed.room
        ann, bob = room.people
        await room.open("gambo", start="host")
        lobby = room.latest("Join")
        await bob.click(lobby, label="Join")
        until = room.bot.host.now() + timedelta(days=1)
        assert room.channel.guild is not None
        await room.bot.database.write(bars.put, room.channel.guild.id, bob.id, until)
        assert "their seat is free again" in one_sentence(await ann.click(lobby, label="Start"))
        assert "1 of 2 seats taken" in room.refreshed(lobby).content
