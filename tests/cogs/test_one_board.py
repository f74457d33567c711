"""Servers where one board a match is edited: what is posted, what is edited, and who is called (P4, P26)."""

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import discord
import pytest

from cogs.delivery.board_posts import BOARD_STAYS
from cogs.text.words import MAX_LINES
from db.matches import messages
from matches.api import Boards, MatchId
from tests.cogs.table import Clocked, Member, Table, at_match, clocked, labels, play_by_panel, set_to
from tests.cogs.test_limits import Noise
from tests.cogs.test_manners import one_sentence


@asynccontextmanager
async def calm(path: Path, game: str = "gambo", people: int = 2, **options: Any) -> AsyncIterator[Clocked]:
    """A match on a server where one board is edited."""
    async with clocked(path / "ambit.db", people) as table:
        guild = table.channel.guild
        chosen = await table.bot.host.settings.guild_settings(guild.id)
        await table.bot.host.settings.set_guild_settings(guild.id, replace(chosen, boards=Boards.ONE))
        await table.begin(game, people, **options)
        yield table


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Clocked]:
    async with calm(tmp_path) as made:
        yield made


def boards(room: Table) -> list[Any]:
    """The boards of the match, oldest first."""
    found = [each for each in room.newest_first(room.place()) if "⋯" in labels(each)]
    return found[::-1]


def calls(room: Table) -> list[Any]:
    """The posts that call somebody, besides boards."""
    found = [each for each in room.newest_first(room.place()) if "Play" in labels(each) and "⋯" not in labels(each)]
    return found[::-1]


def style(message: Any) -> discord.ButtonStyle:
    """How **Play** looks."""
    return next(each.style for row in message.components for each in row.children if each.label == "Play")


async def move(table: Clocked) -> None:
    """The player whose turn it is moves, by the newest **Play**."""
    match = await table.match()
    person = table.person(match.mover.user_id or 0)
    await play_by_panel(person, table.latest("Play", table.place()), random.Random(match.ply))


def counted(room: Table, since: int) -> list[str]:
    """The methods of the requests that show something, and aren't answers to a press."""
    asked = room.env.http_requests[since:]
    return [each.method for each in asked if "/messages" in each.path and not each.path.startswith("/webhooks")]


@pytest.mark.parametrize("game", ["gambo", "saboteur"])
async def test_a_match_is_one_board_and_a_call_that_goes_with_its_turn(tmp_path: Path, game: str) -> None:
    people = 3 if game == "saboteur" else 2
    async with calm(tmp_path, game, people) as table:
        (board,) = boards(table)
        assert calls(table) == []
        assert [user.id for user in board.mentions] == [(await table.match()).mover.user_id]
        for _ in range(5):
            called, since, mover = calls(table), len(table.env.http_requests), (await table.match()).mover
            await move(table)
            match = await table.match()
            asked = counted(table, since)
            assert asked.count("POST") == 1
            assert asked.count("PATCH") == (2 if match.info.hands else 1)
            assert asked.count("DELETE") == len(called)
            (edited,) = boards(table)
            assert (edited.id, len(edited.attachments)) == (board.id, 1)
            assert mover.name in edited.content
            assert edited.mentions == []
            assert "Due" not in edited.content
            (call,) = calls(table)
            assert call.mentions[0].id == match.mover.user_id
            assert f"/{table.channel.id}/{board.id})" in call.content
            assert "Due <t:" in call.content
            assert [style(edited), style(call)] == [discord.ButtonStyle.success, discord.ButtonStyle.secondary]


async def test_after_a_round_the_board_stands_below_the_post_of_its_end_and_calls_its_player(tmp_path: Path) -> None:
    async with calm(tmp_path, "abissal", 3) as table:
        host, rng = table.bot.host, random.Random(1)
        (first,) = boards(table)
        round_ply = 0
        while not round_ply:
            match = await table.match()
            view = await host.look.view(match, match.mover.user_id)
            await host.play.act(match.id, view.match.mover.user_id, rng.choice(view.moves).text, ply=view.ply)  # type: ignore[arg-type]
            await table.told()
            round_ply = (await host.look.view(match.id, None)).round_ply
        await table.later(seconds=1)
        newest, ended = islice(table.newest_first(table.channel), 2)
        assert ("Play" in labels(newest), "wins round 1" in ended.content, labels(ended)) == (True, True, [])
        assert [each.id for each in table.newest_first(table.channel) if "Play" in labels(each)] == [newest.id]
        assert first.id not in [each.id for each in boards(table)]
        assert calls(table) == []
        assert [user.id for user in newest.mentions] == [(await table.match()).mover.user_id]


async def test_the_edited_board_keeps_the_latest_lines_and_numbers_only_what_is_new(table: Clocked) -> None:
    for turn in range(1, MAX_LINES + 3):
        await move(table)
        (board,) = boards(table)
        lines = [line for line in board.content.split("\n")[:-1] if line]
        assert len(lines) <= MAX_LINES
        small = [line.startswith("-# ") for line in lines]
        assert small == sorted(small, reverse=True)
        assert not small[-1]
        assert len(lines) == min(turn, MAX_LINES)


async def test_whoever_wants_no_ping_in_the_channel_gets_no_call_there(table: Clocked) -> None:
    for person in table.people:
        await set_to(person, table.channel, "settings me", ping="none")
    for _ in range(3):
        await move(table)
    assert (len(boards(table)), calls(table)) == (1, [])
    assert "'s turn." in boards(table)[0].content


async def test_after_a_day_the_board_is_posted_anew_and_calls_its_player_itself(tmp_path: Path) -> None:
    async with calm(tmp_path, pace="slow") as table:
        (first,) = boards(table)
        await move(table)
        table.clock.advance(BOARD_STAYS)
        await move(table)
        await table.later(seconds=1)
        (second,) = boards(table)
        assert second.id != first.id
        assert calls(table) == []
        assert [user.id for user in second.mentions] == [(await table.match()).mover.user_id]
        await move(table)
        assert [each.id for each in boards(table)] == [second.id]
        assert len(calls(table)) == 1


async def test_a_board_that_discord_refuses_to_edit_is_posted_anew_and_edited_from_then_on(table: Clocked) -> None:
    refusals = ((429, 30046), (404, 10008), (403, 50001), (403, 50013), (400, 50021), (400, 50083))
    for status, code in refusals:
        (first,) = boards(table)
        path = f"/channels/{table.channel.id}/messages/{first.id}"
        table.env.inject_error("PATCH", path, status=status, code=code, times=None)
        await move(table)
        assert (boards(table)[0].id, len(boards(table)), calls(table)) == (first.id, 2, [])
        table.env.backend.faults.clear()
        await table.later(seconds=1)
        (second,) = boards(table)
        assert (len(second.attachments), len(second.mentions)) == (1, 1)
        await move(table)
        assert [each.id for each in boards(table)] == [second.id]
    assert (await table.match()).lost is None


async def test_an_edit_that_fails_for_a_moment_is_made_up_for(table: Clocked) -> None:
    (first,) = boards(table)
    table.env.inject_error("PATCH", f"/channels/{table.channel.id}/messages/{first.id}", status=503, times=1)
    await move(table)
    await table.later(minutes=1)
    (edited,), (call,) = boards(table), calls(table)
    assert edited.id == first.id
    assert style(edited) == discord.ButtonStyle.success
    assert edited.content != first.content
    assert [user.id for user in call.mentions] == [(await table.match()).mover.user_id]


async def test_a_board_that_was_deleted_comes_back_with_the_next_turn_or_a_reminder(table: Clocked) -> None:
    await table.move()
    assert len(calls(table)) == 1
    for way in ("turn", "reminder"):
        for message in (*boards(table), *calls(table)):
            table.env.backend.delete_message(table.channel.id, message.id)
        await (table.move() if way == "turn" else table.later(hours=20))
        await table.later(seconds=1)
        (board,) = boards(table)
        assert (len(board.mentions), calls(table)) == (1, []), way


async def test_where_others_write_a_player_brings_the_board_down_a_few_times(table: Clocked) -> None:
    await move(table)
    (board,), (_,) = boards(table), calls(table)
    watcher = Member(table.channel.guild.add_member(table.env.create_user("Zoe")))
    for line in range(5):
        await watcher.send(table.channel, f"Nice weather, line {line}")
    assert "Bring the board down" not in labels((await watcher.click(board, label="⋯")).response)
    ann = table.people[0]
    more, noise = (await ann.click(board, label="⋯")).response, Noise(table)
    said = one_sentence(await ann.click(more, label="Bring the board down"))
    assert said == "**Gambo #1**: I'm posting the board again."
    await table.later(seconds=1)
    (down,) = boards(table)
    assert down.id > board.id
    assert noise.pings == 0, "the turn has rung already"
    assert next(table.newest_first(table.channel)).id == down.id
    assert calls(table) == [], "it linked to the old board"
    for said in ("posting", "posting", "several times"):
        more = (await ann.click(boards(table)[-1], label="⋯")).response
        assert said in one_sentence(await ann.click(more, label="Bring the board down"))
        await table.later(seconds=1)
    await move(table)
    await table.later(seconds=1)
    (edited,) = boards(table)
    assert len(calls(table)) == 1
    assert edited.id != board.id


async def test_the_end_is_a_post_of_its_own_and_the_board_keeps_no_button(table: Clocked) -> None:
    for _ in range(2):
        await move(table)
    (board,) = boards(table)
    await table.bot.host.play.resign(MatchId(1), table.people[0].id)
    await table.told()
    await table.later(seconds=1)
    assert "Rematch" in labels(table.latest("Rematch"))
    assert labels(table.refreshed(board)) == []
    assert calls(table) == []


# FOUND W8


async def test_an_edited_board_says_what_became_of_its_last_turn_beside_the_text_that_it_had_then(
    table: Clocked,
) -> None:
    for _ in range(3):
        await move(table)
    (board,) = boards(table)
    *happened, turn = board.content.splitlines()
    assert turn.endswith("'s turn.")
    await table.bot.host.play.resign(MatchId(1), table.people[0].id)
    await table.told()
    await table.later(seconds=60)
    *kept, became = table.refreshed(board).content.splitlines()
    assert (kept, became) == (happened, f"-# Then: {table.people[0].name} has resigned.")


async def test_a_restart_between_edit_and_call_calls_once_and_edits_again(table: Clocked) -> None:
    path = f"/channels/{table.channel.id}/messages"
    table.env.inject_error("POST", path, status=503, code=0, times=None)
    await move(table)
    assert calls(table) == []
    table.env.backend.faults.clear()
    await table.restart()
    await table.later(minutes=1)
    assert (len(boards(table)), len(calls(table))) == (1, 1)


async def test_a_match_that_moves_posts_its_board_there_and_leaves_no_play_behind(table: Clocked) -> None:
    await move(table)
    other = table.channel.guild.create_text_channel("other")
    await at_match(table.people[0], other, "move", match=1)
    await table.later(seconds=1)
    assert "Play" in labels(table.latest("Play", other))
    assert not [each for each in table.newest_first(table.channel) if "Play" in labels(each)]


async def test_taking_back_edits_the_board_and_calls_the_player_again(tmp_path: Path) -> None:
    async with calm(tmp_path, "ambush") as table:
        first = (await table.match()).mover
        await move(table)
        for person in table.people:
            await at_match(person, table.channel, "undo")
        await table.later(seconds=1)
        (board,) = boards(table)
        assert "The last move was taken back." in board.content
        (call,) = calls(table)
        assert call.mentions[0].id == first.user_id


async def test_a_big_moment_has_a_post_of_its_own_that_stays(table: Clocked) -> None:
    (board,) = boards(table)
    await move(table)
    # As if the latest board showed a big moment.
    await table.bot.host.work.write(lambda connection: messages.note(connection, MatchId(1), board_at=None))
    await move(table)
    await table.later(seconds=1)
    stayed, newest = boards(table)
    assert (stayed.id, "Play" in labels(stayed), "Play" in labels(newest)) == (board.id, False, True)
