"""Appointed tables as people see them: the time, the line, **Ready?**, and what becomes of missing seats (P40)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import discord
import pytest

from cogs import appointments
from cogs.press import components
from cogs.press.custom_ids import Ref
from matches.api import ManualClock, MatchId, Ping, PlayerSettings, Status, UserId
from tests.cogs.table import Clocked, Table, behind, change, fill_in, labels, private, strip, table
from tests.cogs.test_limits import Noise
from tests.cogs.test_manners import one_sentence
from tests.matches.tables import appointment


@asynccontextmanager
async def appointed(path: Path, people: int) -> AsyncIterator[Clocked]:
    """A table whose clock stands still at the moment at which SimCord's begins, so that events aren't over at once."""
    clock = ManualClock(datetime(2026, 1, 1, tzinfo=UTC))
    async with table(path, people, clock=clock) as room:
        yield Clocked(room, clock)


def rung(room: Table, message: discord.Message) -> list[int]:
    """Whom a message has pinged."""
    bodies: list[Any] = [request.json for request in room.env.http_requests if isinstance(request.json, dict)]
    (sent,) = [body for body in bodies if body.get("content") == message.content]
    return [int(user) for user in (sent["allowed_mentions"] or {}).get("users", ())]


async def test_p40_an_appointed_table_from_its_opening_to_its_first_board(tmp_path: Path) -> None:
    async with appointed(tmp_path / "ambit.db", 4) as timed:
        room, host = timed.room, timed.room.bot.host
        ann, bob, cleo, dan = room.people
        await host.settings.set_player_settings(bob.id, PlayerSettings(ping=Ping.DM))
        await host.dms.note_dm(bob.id, True)
        await room.open("gambo", at="2 days")
        page = private(await behind(ann, room.latest("Join"), "Change …"))
        await ann.select(private(await ann.click(page, label="If too few come …")), ["easy"])
        await timed.later(seconds=5)
        starts = int(appointment(await timed.match()).appointed.timestamp())
        lobby = room.latest("Join")
        assert f"**Starts <t:{starts}:f> (<t:{starts}:R>)**" in lobby.content
        assert "Computers (easy) take the seats of those who aren't ready then." in lobby.content
        assert {"Start", "I'm ready", "Start when full"}.isdisjoint(labels(lobby))
        await bob.click(lobby, label="Join")
        waits = private(await cleo.click(room.refreshed(lobby), label="Get in line"))
        assert "you're number 1 in line" in waits.content
        assert "In line: Cleo" in room.refreshed(lobby).content
        assert f"starts <t:{starts}:f>" in private(await cleo.slash(room.channel, "match")).content
        page = private(await behind(ann, room.refreshed(lobby), "Change …"))
        assert "Start when full" not in labels(page)
        picked = private(await ann.click(page, label="If too few come …"))
        await ann.select(picked, ["call off"])
        await timed.later(seconds=5)
        assert "If too few are ready then, the table is called off." in room.refreshed(lobby).content

        await timed.later(days=1, hours=23, minutes=50)
        question = next(m for m in room.channel.history() if "are you ready?" in m.content)
        assert rung(room, question) == [ann.id, cleo.id]
        assert f"Next in line: {cleo.mention}." in question.content
        asked = next(room.newest_first(bob.user.dm_channel))
        assert "Are you ready?" in asked.content
        said = one_sentence(await dan.click(question, label="I'm ready"))
        assert said == "You aren't at this table. Press **Join** on its lobby message first."
        await bob.user.click(asked, label="I'm ready")
        assert f"great! It starts <t:{starts}:R>." in next(room.newest_first(bob.user.dm_channel)).content
        assert "You get a seat if one is free then." in one_sentence(await cleo.click(question, label="I'm ready"))
        await timed.later(seconds=5)
        assert "Bob (ready)" in strip(room.refreshed(lobby)).description

        await timed.later(minutes=10)
        match = await timed.match()
        assert (match.status, sorted(match.seat_names)) == (Status.RUNNING, ["Bob", "Cleo"])
        assert "Play" in labels(room.latest("Play"))
        assert question.id not in {message.id for message in room.channel.history()}, "the question is tidied up"


async def test_a_table_that_is_called_off_says_so_in_its_lobby_and_where_it_asked(tmp_path: Path) -> None:
    async with appointed(tmp_path / "ambit.db", 2) as timed:
        room = timed.room
        await room.open("gambo", at="3 hours")
        lobby = room.latest("Join")
        await timed.later(hours=2, minutes=50)
        question = room.latest("I'm ready")
        assert question.id != lobby.id
        await timed.later(minutes=10)
        await timed.later(seconds=5)
        closed = room.refreshed(lobby)
        assert "Too few people were ready in time, so the table was called off." in closed.content
        assert labels(closed) == ["I'd play another time"]
        asked = room.refreshed(question)
        assert asked.content == "**Gambo #1**: Too few people were ready in time, so the table was called off."
        assert labels(asked) == []


async def test_another_time_under_an_end_invites_the_same_people_to_a_table_then(tmp_path: Path) -> None:
    """Who is barred, or keeps away from whoever invites, isn't rung; who asks second is told of that table."""
    async with appointed(tmp_path / "ambit.db", 4) as timed:
        room, host = timed.room, timed.room.bot.host
        ann, bob, cleo, dan = room.people
        number = await room.begin("saboteur", 4)
        await host.votes.cancel(number, UserId(0), moderator=True)
        await timed.later(seconds=5)
        await room.told()
        end, match = room.latest("Rematch"), await host.look.match(number)
        await host.settings.block(bob.id, ann.id)
        await host.settings.bar(match.guild_id or 0, dan.id, timed.clock.now() + timedelta(days=9))
        noise = Noise(room)
        await fill_in(ann, await behind(ann, end, "Another time"), "2 days")
        await room.told()
        lobby, match = room.latest("Join"), await host.look.match(MatchId(2))
        starts = int(appointment(match).appointed.timestamp())
        assert 0 <= starts - (timed.clock.now() + timedelta(days=2)).timestamp() < 60, "it's at a full minute"
        assert f"**Starts <t:{starts}:f> (<t:{starts}:R>)**" in lobby.content
        assert f"Invited: {bob.mention} {cleo.mention} {dan.mention}" in lobby.content
        assert [users for each in noise._posts() if (users := each["allowed_mentions"].get("users"))] == [[cleo.id]]
        told = private(await fill_in(cleo, await behind(cleo, end, "Another time"), "3 hours"))
        assert f"There's a table for that already: **Saboteur #2**, which starts <t:{starts}:f>" in told.content
        await cleo.click(told, label="Join Saboteur #2")
        assert [seat.user_id for seat in (await host.look.match(match.id)).seats] == [ann.id, cleo.id]
        told = private(await fill_in(cleo, await behind(cleo, end, "Another time"), "3 hours"))
        assert labels(told) == []


async def test_whoever_has_played_with_computers_alone_is_not_offered_another_time(room1: Table) -> None:
    (ann,), host = room1.people, room1.bot.host
    await room1.open("gambo")
    await host.lobby.add_computer(MatchId(1), ann.id)
    await room1.told()
    await host.play.resign(MatchId(1), ann.id)
    await room1.told()
    assert "Another time" not in labels(private(await behind(ann, room1.latest("Rematch", room1.place()))))


async def test_everybody_but_the_host_is_told_once_of_another_time(tmp_path: Path) -> None:
    async with appointed(tmp_path / "ambit.db", 3) as timed:
        room = timed.room
        ann, bob, cleo = room.people
        await room.open("gambo", at="3 hours")
        lobby = room.latest("Join")
        await bob.click(lobby, label="Join")
        page = (await behind(ann, lobby, "Change …")).response
        said = one_sentence(await fill_in(ann, await ann.click(page, label="Another time …"), "1 day"))
        starts = int((room.bot.host.now() + timedelta(days=1)).timestamp())
        assert said == f"**Gambo #1** now starts <t:{starts}:f> (<t:{starts}:R>). I'm telling the others."
        await timed.later(seconds=5)
        (told,) = [message for message in room.channel.history() if "has another time" in message.content]
        assert rung(room, told) == [bob.id]
        assert f"<t:{starts}:f>" in room.refreshed(lobby).content
        # FOUND D5: what changes within an hour is told at its end.
        await fill_in(ann, await change(ann, lobby, "Another time …"), "2 days")
        for minutes, count in ((58, 1), (3, 2), (62, 2)):
            await timed.later(minutes=minutes)
            changes = [message.content for message in room.channel.history() if "has another time" in message.content]
            assert len(changes) == count
        assert f"<t:{int(appointment(await timed.match()).appointed.timestamp())}:f>" in changes[-1]
        await timed.later(hours=4)
        assert (await timed.match()).status is Status.LOBBY
        offered = components.view(components.button(Ref("reschedule", MatchId(1)), "Another time …"))
        forged = await room.bot.get_partial_messageable(room.channel.id).send("here", view=offered)
        for person in (bob, cleo):
            opened = await person.click(forged, label="Another time …")
            assert private(await fill_in(person, opened, "1 day")).content == "Only the host can do that."


async def test_a_form_is_kept_nowhere_and_rights_are_checked_when_it_is_sent(tmp_path: Path) -> None:
    async with appointed(tmp_path / "ambit.db", 2) as timed:
        room = timed.room
        ann, bob = room.people
        await room.open("gambo", at="3 hours")
        lobby = room.latest("Join")
        await bob.click(lobby, label="Join")
        first, second = [await change(ann, room.refreshed(lobby), "Another time …") for _ in range(2)]
        before = len(room.env.http_requests)
        await timed.restart()
        said = one_sentence(await fill_in(ann, first, "1 day"))
        assert "now starts" in said
        (answered,) = [each.json for each in room.env.http_requests[before:] if each.path.endswith("/callback")]
        assert answered is not None
        assert answered["type"] == discord.InteractionResponseType.message_update.value
        await behind(ann, room.latest("Get in line"), "Leave")
        assert one_sentence(await fill_in(ann, second, "2 days")) == "Only the host can do that."


@pytest.mark.parametrize("summer_time_changes", ["2026-03-29T00:30:00+00:00", "2026-10-25T00:30:00+00:00"])
def test_a_table_starts_at_the_moment_that_was_meant_whatever_clocks_are_put_forward(summer_time_changes: str) -> None:
    now = datetime.fromisoformat(summer_time_changes)
    assert appointments.read("1 day", now) - now == timedelta(days=1)
    assert appointments.read(f"<t:{int(now.timestamp()) + 7200}:F>", now) - now == timedelta(hours=2)
    assert appointments.read("45 minutes", now + timedelta(seconds=1)).second == 0


async def test_what_cannot_be_appointed_is_refused_with_the_reason(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 1) as room:
        for options, refusal in (
            ({"at": "soon"}, "I didn't understand that: try “3 days”, “20:00”"),
            ({"at": "61 days"}, "A table can start at most 60 days from now."),
            ({"at": "<t:0>"}, "That moment has passed."),
        ):
            assert refusal in one_sentence(await room.people[0].slash(room.channel, "gambo new", **options))
        assert not list(room.channel.history())
