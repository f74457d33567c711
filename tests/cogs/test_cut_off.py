"""Players whom Discord keeps from pressing: what they read, what the others read, and who is looked at (P13, P17)."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.builders import ChannelHandle
from simcord.enums import ChannelType, OverwriteType

from cogs.text import words
from matches.api import CutOff, Lost, Rated
from tests.cogs.table import Clocked, Member, Table, clocked, labels, private

WHY = {
    CutOff.SILENCED: "you're timed out on that server",
    CutOff.UNSEEN: "you can't see the channel where it's played",
    CutOff.GONE: "you're not on that server any more",
}
PUBLIC = re.compile(r"timed? ?out|timeout|silenc|see the channel|on (this|that) server|left", re.IGNORECASE)


def silence(table: Clocked, person: Member, **time: float) -> None:
    """A moderator times this person out; no time: lets them speak again."""
    until = (table.clock.now() + timedelta(**time)).isoformat() if time else None
    guild = table.room.channel.guild
    table.room.env.backend.edit_member(guild.id, person.id, {"timed_out_until": until})


def hide(room: Table, person: Member) -> None:
    """A moderator hides the channel from this person."""
    denied = Overwrite(person.id, OverwriteType.MEMBER, 0, discord.Permissions(view_channel=True).value)
    room.env.backend.set_overwrite(room.channel.id, denied)


def expel(table: Clocked, person: Member) -> None:
    guild = table.room.channel.guild
    guild.remove_member(person)


CUTS: dict[CutOff, Callable[[Clocked, Member], None]] = {
    CutOff.SILENCED: lambda table, person: silence(table, person, days=28),
    CutOff.UNSEEN: lambda table, person: hide(table.room, person),
    CutOff.GONE: expel,
}


async def begun(table: Clocked, **options: str) -> Member:
    """A rated match in which both have moved. Return the person whose turn it is."""
    await table.room.begin("gambo", 2, **options)
    await table.move()
    await table.move()
    return await mover(table)


async def mover(table: Clocked) -> Member:
    seat = (await table.match()).mover
    assert seat.user_id is not None
    return table.room.person(seat.user_id)


def read(channel: ChannelHandle, *words: str) -> list[str]:
    return [each.content for each in channel.history() if any(word in each.content for word in words)]


def looks(room: Table) -> int:
    """How often the bot has asked Discord for a member."""
    return sum(request.method == "GET" and "/members/" in request.path for request in room.env.http_requests)


@pytest.mark.parametrize("why", [CutOff.SILENCED, CutOff.UNSEEN])
async def test_c3_c4_they_read_why_and_the_others_only_that_they_cannot_play(tmp_path: Path, why: CutOff) -> None:
    # FOUND C3
    # FOUND C4
    async with clocked(tmp_path / "ambit.db", 2) as table:
        room, person = table.room, await begun(table, pace="live")
        CUTS[why](table, person)
        await table.later(minutes=4)
        (told,) = read(person.user.dm_channel, WHY[why])
        assert "Your clock is paused for at most 10 minutes" in told
        (public,) = read(room.channel, "can't play right now")
        assert public.endswith("so their clock is paused for at most 10 minutes.")
        for _ in range(9):
            await table.later(minutes=1)
            assert not read(room.channel, "the table is waiting", "has run out of time", "End the match")
        assert len(read(person.user.dm_channel, WHY[why])) == 1
        for _ in range(3):
            await table.later(minutes=1)
        asked = room.latest("End the match")
        assert "can't play right now" in asked.content
        assert not read(room.channel, "the table is waiting"), "nobody is reminded who can't press"
        (other,) = (each for each in room.people if each is not person)
        await other.click(asked, label="End the match")
        assert (await table.match()).rating is Rated.EXCUSED
        assert read(room.channel, "Nobody's rating changes, because somebody couldn't play on.")


@pytest.mark.parametrize("why", CUTS)
async def test_c3_c4_nobody_is_reminded_who_was_cut_off_while_the_place_was_lost(tmp_path: Path, why: CutOff) -> None:
    # FOUND C3
    # FOUND C4
    async with clocked(tmp_path / "ambit.db", 2) as table:
        room, person = table.room, await begun(table, pace="day")
        posts = "POST", f"/channels/{room.channel.id}/messages"
        room.env.inject_error(*posts, status=403, code=50013)
        await table.later(hours=20)
        assert (await table.match()).lost is Lost.PLACE
        CUTS[why](table, person)
        for _ in range(3):
            await table.later(minutes=20)
        assert not read(room.channel, "the table is waiting")


async def test_c3_whoever_takes_no_dms_reads_why_with_the_next_press(tmp_path: Path) -> None:  # FOUND C3
    async with clocked(tmp_path / "ambit.db", 2) as table:
        table.room.close_dms()
        person = await begun(table)
        silence(table, person, hours=22)
        await table.later(hours=20)
        assert (await table.match()).cut_off is CutOff.SILENCED
        await table.later(hours=3)
        silence(table, person)
        shown = private(await person.click(table.room.latest("Play"), label="Play"))
        assert WHY[CutOff.SILENCED] in shown.content
        match = await table.match()
        assert match.cut_off is None
        assert match.mover.away_used == timedelta(hours=3)
        assert read(table.room.channel, "is back")
        again = private(await person.click(table.room.latest("Play"), label="Play"))
        assert WHY[CutOff.SILENCED] not in again.content


async def test_c3_a_moderator_does_not_win_by_timing_the_other_out_in_the_last_moment(tmp_path: Path) -> None:
    # FOUND C3
    async with clocked(tmp_path / "ambit.db", 2) as table:
        room, person = table.room, await begun(table)
        await table.later(hours=24)
        asked = room.latest("End the match")
        assert "has run out of time" in asked.content
        silence(table, person, days=28)
        (other,) = (each for each in room.people if each is not person)
        refused = private(await other.click(asked, label="End the match"))
        assert "nobody's time is up" in refused.content
        assert (await table.match()).ended_at is None


@pytest.mark.parametrize(
    ("time", "words_for_it"),
    [(timedelta(minutes=10), "10 minutes"), (timedelta(days=14), "14 days"), (timedelta(hours=36), "36 hours")],
)
def test_a_pause_is_not_a_minute_or_a_day_shorter_by_the_second_in_which_it_is_told(
    time: timedelta, words_for_it: str
) -> None:
    assert [words.span(time), words.span(time - timedelta(seconds=1))] == [words_for_it] * 2


@pytest.mark.parametrize("why", CUTS)
async def test_the_channel_reads_the_same_whatever_keeps_them_from_playing(tmp_path: Path, why: CutOff) -> None:
    # FOUND C3
    async with clocked(tmp_path / "ambit.db", 3) as table:
        room, person = table.room, await begun(table, pace="live")
        before = len(room.channel.history())
        CUTS[why](table, person)
        for _ in range(20):
            await table.later(minutes=1)
            if "End the match" in labels(room.channel.history()[-1]):
                break
        posts = [re.sub(r"<t:\d+", "<t:0", each.content) for each in room.channel.history()[before:]]
        assert not any(PUBLIC.search(post) for post in posts)
        name = room.env.backend.users[person.id].name
        question = posts[-1]
        assert f"{name} can't play right now." in question
        paused = [post for post in posts if "clock is paused" in post]
        expected = f"**Gambo #1**: {name} can't play right now, so their clock is paused for at most 10 minutes."
        assert paused == [expected]


async def test_c5_whoever_is_called_and_has_not_pressed_for_an_hour_is_looked_at_once(tmp_path: Path) -> None:
    # FOUND C5
    async with clocked(tmp_path / "ambit.db", 2) as table:
        room = table.room
        await room.begin("gambo", 2)
        assert looks(room) == 0, "both have just pressed"
        await table.move()
        assert looks(room) == 0
        await table.later(hours=2)
        await table.move()
        assert looks(room) == 1
        await table.move()
        await table.move()
        assert looks(room) == 2, "a move in a direct message tells nothing of the server"


async def test_c5_about_somebody_who_left_the_server_the_others_are_asked_after_one_pause(tmp_path: Path) -> None:
    # FOUND C5
    async with clocked(tmp_path / "ambit.db", 2) as table:
        room = table.room
        await room.begin("gambo", 2)
        person = await mover(table)
        (other,) = (each for each in room.people if each is not person)
        await table.later(hours=2)
        expel(table, other)
        await table.move()
        assert "is paused for at most 14 days" in room.channel.history()[-1].content
        await table.later(hours=5)
        asked = room.latest("Computer takes over")
        assert f"{room.env.backend.users[other.id].name} can't play right now" in asked.content


async def test_looks_are_left_out_while_requests_wait(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 2) as table:
        room = table.room
        await room.begin("gambo", 2)
        await table.later(hours=2)
        room.bot.is_crowded = lambda: True
        await table.move()
        assert looks(room) == 0


async def test_c4_a_private_thread_is_seen_by_whoever_is_in_it(tmp_path: Path) -> None:  # FOUND C4
    async with clocked(tmp_path / "ambit.db", 2) as table:
        room, (ann, bob) = table.room, table.room.people
        backend = room.env.backend
        made = backend.create_thread(room.channel.id, "den", ann.id, type=ChannelType.PRIVATE_THREAD)
        for member in (ann, bob, room.env.bot.user):
            backend.add_thread_member(made.id, member.id)
        (den,) = room.channel.threads
        await ann.slash(den, "gambo new", rated="yes")
        await bob.click(room.latest("Join", den), label="Join")
        await table.later(hours=20)
        assert (await table.match()).cut_off is None
        person = await mover(table)
        backend.remove_thread_member(made.id, person.id)
        await table.later(hours=4)
        assert (await table.match()).cut_off is CutOff.UNSEEN
