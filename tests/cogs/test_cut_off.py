"""Players whom Discord keeps from pressing: what they read, what the others read, and who is looked at (P13, P17)."""

import re
from collections.abc import Callable
from datetime import timedelta

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.builders import ChannelHandle
from simcord.enums import ChannelType, OverwriteType

from cogs.text import words
from matches.api import CutOff, Lost, Rated
from tests.cogs.table import Clocked, Member, Table, labels, private

WHY = {
    CutOff.SILENCED: "you're timed out on that server",
    CutOff.UNSEEN: "you can't see the channel where it's played",
    CutOff.GONE: "you're not on that server any more",
}
PUBLIC = re.compile(r"timed? ?out|timeout|silenc|see the channel|on (this|that) server|left", re.IGNORECASE)


def silence(table: Clocked, person: Member, **time: float) -> None:
    """A moderator times this person out; no time: lets them speak again."""
    until = (table.clock.now() + timedelta(**time)).isoformat() if time else None
    guild = table.channel.guild
    table.env.backend.edit_member(guild.id, person.id, {"timed_out_until": until})


def hide(room: Table, person: Member) -> None:
    """A moderator hides the channel from this person."""
    denied = Overwrite(person.id, OverwriteType.MEMBER, 0, discord.Permissions(view_channel=True).value)
    room.env.backend.set_overwrite(room.channel.id, denied)


def expel(table: Clocked, person: Member) -> None:
    guild = table.channel.guild
    guild.remove_member(person)


CUTS: dict[CutOff, Callable[[Clocked, Member], None]] = {
    CutOff.SILENCED: lambda table, person: silence(table, person, days=28),
    CutOff.UNSEEN: lambda table, person: hide(table, person),
    CutOff.GONE: expel,
}


async def begun(table: Clocked, **options: str) -> Member:
    """A rated match in which both have moved. Return the person whose turn it is."""
    await table.begin("gambo", 2, **options)
    await table.move()
    await table.move()
    return await mover(table)


async def mover(table: Clocked) -> Member:
    seat = (await table.match()).mover
    assert seat.user_id is not None
    return table.person(seat.user_id)


def read(channel: ChannelHandle, *words: str) -> list[str]:
    return [each.content for each in channel.history() if any(word in each.content for word in words)]


def looks(room: Table) -> int:
    """How often the bot has asked Discord for a member."""
    return sum(request.method == "GET" and "/members/" in request.path for request in room.env.http_requests)


@pytest.mark.parametrize("why", [CutOff.SILENCED, CutOff.UNSEEN])
async def test_c3_c4_they_read_why_and_the_others_only_that_they_cannot_play(timed2: Clocked, why: CutOff) -> None:
    # FOUND C3
    # FOUND C4
    person = await begun(timed2, pace="live")
    CUTS[why](timed2, person)
    await timed2.later(minutes=4)
    (told,) = read(person.user.dm_channel, WHY[why])
    assert "Your clock is paused for at most 10 minutes" in told
    (public,) = read(timed2.channel, "can't play right now")
    assert public.endswith("so their clock is paused for at most 10 minutes.")
    for _ in range(9):
        await timed2.later(minutes=1)
        assert not read(timed2.channel, "the table is waiting", "has run out of time", "End the match")
    assert len(read(person.user.dm_channel, WHY[why])) == 1
    for _ in range(3):
        await timed2.later(minutes=1)
    asked = timed2.latest("End the match")
    assert "can't play right now" in asked.content
    assert not read(timed2.channel, "the table is waiting"), "nobody is reminded who can't press"
    (other,) = (each for each in timed2.people if each is not person)
    await other.click(asked, label="End the match")
    assert (await timed2.match()).rating is Rated.EXCUSED
    assert read(timed2.channel, "Nobody's rating changes, because somebody couldn't play on.")


@pytest.mark.parametrize("why", CUTS)
async def test_c3_c4_nobody_is_reminded_who_was_cut_off_while_the_place_was_lost(timed2: Clocked, why: CutOff) -> None:
    # FOUND C3
    # FOUND C4
    person = await begun(timed2, pace="day")
    posts = "POST", f"/channels/{timed2.channel.id}/messages"
    timed2.env.inject_error(*posts, status=403, code=50013)
    await timed2.later(hours=20)
    assert (await timed2.match()).lost is Lost.PLACE
    CUTS[why](timed2, person)
    for _ in range(3):
        await timed2.later(minutes=20)
    assert not read(timed2.channel, "the table is waiting")


async def test_c3_whoever_takes_no_dms_reads_why_with_the_next_press(timed2: Clocked) -> None:  # FOUND C3
    timed2.close_dms()
    person = await begun(timed2)
    silence(timed2, person, hours=22)
    await timed2.later(hours=20)
    assert (await timed2.match()).cut_off is CutOff.SILENCED
    await timed2.later(hours=3)
    silence(timed2, person)
    shown = private(await person.click(timed2.latest("Play"), label="Play"))
    assert WHY[CutOff.SILENCED] in shown.content
    match = await timed2.match()
    assert match.cut_off is None
    assert match.mover.away_used == timedelta(hours=3)
    assert read(timed2.channel, "is back")
    again = private(await person.click(timed2.latest("Play"), label="Play"))
    assert WHY[CutOff.SILENCED] not in again.content


async def test_c3_a_moderator_does_not_win_by_timing_the_other_out_in_the_last_moment(timed2: Clocked) -> None:
    # FOUND C3
    person = await begun(timed2)
    await timed2.later(hours=24)
    asked = timed2.latest("End the match")
    assert "has run out of time" in asked.content
    silence(timed2, person, days=28)
    (other,) = (each for each in timed2.people if each is not person)
    refused = private(await other.click(asked, label="End the match"))
    assert "nobody's time is up" in refused.content
    assert (await timed2.match()).ended_at is None


@pytest.mark.parametrize(
    ("time", "words_for_it"),
    [(timedelta(minutes=10), "10 minutes"), (timedelta(days=14), "14 days"), (timedelta(hours=36), "36 hours")],
)
def test_a_pause_is_not_a_minute_or_a_day_shorter_by_the_second_in_which_it_is_told(
    time: timedelta, words_for_it: str
) -> None:
    assert [words.span(time), words.span(time - timedelta(seconds=1))] == [words_for_it] * 2


@pytest.mark.parametrize("why", CUTS)
async def test_the_channel_reads_the_same_whatever_keeps_them_from_playing(timed3: Clocked, why: CutOff) -> None:
    # FOUND C3
    person = await begun(timed3, pace="live")
    before = len(timed3.channel.history())
    CUTS[why](timed3, person)
    for _ in range(20):
        await timed3.later(minutes=1)
        if "End the match" in labels(timed3.channel.history()[-1]):
            break
    posts = [re.sub(r"<t:\d+", "<t:0", each.content) for each in timed3.channel.history()[before:]]
    assert not any(PUBLIC.search(post) for post in posts)
    name = timed3.env.backend.users[person.id].name
    question = posts[-1]
    assert f"{name} can't play right now." in question
    paused = [post for post in posts if "clock is paused" in post]
    expected = f"**Gambo #1**: {name} can't play right now, so their clock is paused for at most 10 minutes."
    assert paused == [expected]


async def test_c5_whoever_is_called_and_has_not_pressed_for_an_hour_is_looked_at_once(timed_gambo: Clocked) -> None:
    # FOUND C5
    assert looks(timed_gambo) == 0, "both have just pressed"
    await timed_gambo.move()
    assert looks(timed_gambo) == 0
    await timed_gambo.later(hours=2)
    await timed_gambo.move()
    assert looks(timed_gambo) == 1
    await timed_gambo.move()
    await timed_gambo.move()
    assert looks(timed_gambo) == 2, "a move in a direct message tells nothing of the server"


async def test_c5_about_somebody_who_left_the_server_the_others_are_asked_after_one_pause(timed_gambo: Clocked) -> None:
    # FOUND C5
    person = await mover(timed_gambo)
    (other,) = (each for each in timed_gambo.people if each is not person)
    await timed_gambo.later(hours=2)
    expel(timed_gambo, other)
    await timed_gambo.move()
    assert "is paused for at most 14 days" in timed_gambo.channel.history()[-1].content
    await timed_gambo.later(hours=5)
    asked = timed_gambo.latest("Computer takes over")
    assert f"{timed_gambo.env.backend.users[other.id].name} can't play right now" in asked.content


async def test_looks_are_left_out_while_requests_wait(timed_gambo: Clocked) -> None:
    await timed_gambo.later(hours=2)
    timed_gambo.bot.is_crowded = lambda: True
    await timed_gambo.move()
    assert looks(timed_gambo) == 0


async def test_c4_a_private_thread_is_seen_by_whoever_is_in_it(timed2: Clocked) -> None:  # FOUND C4
    (ann, bob) = timed2.people
    backend = timed2.env.backend
    made = backend.create_thread(timed2.channel.id, "den", ann.id, type=ChannelType.PRIVATE_THREAD)
    for member in (ann, bob, timed2.env.bot.user):
        backend.add_thread_member(made.id, member.id)
    (den,) = timed2.channel.threads
    await timed2.open("gambo", channel=den)
    await bob.click(timed2.latest("Join", den), label="Join")
    await timed2.later(hours=20)
    assert (await timed2.match()).cut_off is None
    person = await mover(timed2)
    backend.remove_thread_member(made.id, person.id)
    await timed2.later(hours=4)
    assert (await timed2.match()).cut_off is CutOff.UNSEEN
