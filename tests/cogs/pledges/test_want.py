"""People who would play if others did, in Discord: their private page, **Ready?**, and the table (P40)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import discord
import pytest

from cogs import FACES
from cogs.pledges.want import NOTHING
from cogs.press import components
from cogs.press.custom_ids import Ref
from matches.api import MatchId, PlayerSettings, Private, Status
from matches.pledges import Pledges
from tests.cogs.table import TICK, Clocked, Table, at_match, behind, clocked, labels, private, set_to, strip
from tests.matches.tables import dump


async def pledge(room: Table, *people: int, **options: Any) -> list[Any]:
    """These people say what they'd play; return the last answers."""
    wish = {"game": "saboteur", "players": "3-5", "pace": "live"} | options
    return [await wanted(room, room.people[each], **wish) for each in people]


async def wanted(room: Table, person: Any, game: str | None = None, **wishes: str) -> Any:
    """Press **I'd play …**, and pick a game, and then what else is wished. Return the last page."""
    page = private(await person.click((await person.slash(room.channel, "tables")).response, label="I'd play …"))
    picks = {} if game is None else {Ref("want"): game}
    picks |= {Ref("wantset", path=(game or "", what)): value for what, value in wishes.items()}
    for ref, value in picks.items():
        if ref.custom_id("s") not in ids(page):
            break  # They're asked first whether a mention is all right.
        page = private(await person.select(page, [value], custom_id=ref.custom_id("s")))
    return page


def ids(message: Any) -> set[str]:
    """The custom_ids of everything below a message."""
    return {part.custom_id for row in message.message.components for part in row.children}


async def later(timed: Clocked, **time: float) -> None:
    """Time passes. The scheduler looks at pledges, and then delivers."""
    await timed.later(**time)
    for _ in range(2):
        await timed.room.env.advance_time(TICK)
        await timed.room.told()


def question(room: Table, person: int) -> discord.Message | None:
    """The latest **Ready?** in a person's DM."""
    dm = room.people[person].user.dm_channel
    return next((each for each in room.newest_first(dm) if "I'm ready" in labels(each)), None)


async def ready(room: Table, person: int, label: str = "I'm ready") -> Any:
    asked = question(room, person)
    assert asked is not None
    return await room.people[person].user.click(asked, label=label)


async def test_p40_three_who_would_play_are_asked_by_dm_and_play_without_anybody_opening_a_table(
    tmp_path: Path,
) -> None:
    async with clocked(tmp_path / "ambit.db", 4) as timed:
        room = timed.room
        pages = await pledge(room, 0, 1)
        assert "**Saboteur** with 3-5 players, 5 minutes a turn" in pages[0].content
        assert "by direct message" in pages[0].content
        before = len(list(room.newest_first(room.channel)))
        await later(timed)
        assert question(room, 0) is None
        await pledge(room, 2)
        await later(timed)
        assert len(list(room.newest_first(room.channel))) == before, "nobody else sees anything of it"
        page = await wanted(room, room.people[0])
        assert "You're being asked right now." in page.content
        asked = question(room, 0)
        assert "3 people would play, 5 minutes a turn" in asked.content
        assert "You said you'd play on [The Tavern](" in asked.content
        assert all(person.user.name not in asked.content for person in room.people)
        for person in (0, 1):
            await ready(room, person)
            dm = next(room.newest_first(room.people[person].user.dm_channel))
            assert "You're in" in dm.content
            assert labels(dm) == ["I can't after all"]
            page = await wanted(room, room.people[person])
            assert "You've said that you're ready." in page.content
        await ready(room, 2)
        await room.told()
        match = await room.bot.host.look.match(MatchId(1))
        assert (match.status, len(match.seats)) == (Status.LOBBY, 3)
        lobby = room.latest("Join")
        assert "Starts by itself" in lobby.content
        for person in range(3):
            dm = next(room.newest_first(room.people[person].user.dm_channel))
            assert "Your table is open" in dm.content
        await later(timed, seconds=75)
        assert (await room.bot.host.look.match(MatchId(1))).status is Status.RUNNING
        for member in room.people[:3]:
            said = [message.content for message in member.user.dm_channel.history()]
            assert sum("**Saboteur #1** has started: " in each for each in said) == 1


# FOUND D6
@pytest.mark.parametrize("door", ["Cancel", "End …"])
async def test_the_host_of_a_table_that_pledges_have_made_reads_that_cancelling_it_leaves_it_to_the_others(
    tmp_path: Path, door: str
) -> None:
    async with clocked(tmp_path / "ambit.db", 3) as timed:
        room = timed.room
        await pledge(room, 0, 1, 2)
        await later(timed)
        for person in range(3):
            await ready(room, person)
        await room.told()
        ann = room.people[0]
        if door == "Cancel":
            said = [(await behind(ann, room.latest("Join"), "Cancel")).response.content]
        else:
            asked = private(await at_match(ann, room.channel, "cancel"))
            assert "leave this table? The others had said they'd play, so they keep it" in asked.content
            said = [(await ann.click(asked, label="Yes, leave it")).response.content]
        assert any("you've left. The others had said they'd play, so they keep the table." in each for each in said)
        await room.told()
        match = await room.bot.host.look.match(MatchId(1))
        assert (match.status, match.host_id, len(match.seats)) == (Status.LOBBY, room.people[1].id, 2)
        assert "Bob (host)" in strip(room.latest("Join")).description


async def test_a_bot_that_begins_without_pledges_withdraws_them_and_tells_whoever_was_asked(
    tmp_path: Path,
) -> None:
    async with clocked(tmp_path / "ambit.db", 3) as timed:
        room = timed.room
        await pledge(room, 0, 1, 2)
        await later(timed)
        assert question(room, 0).content != FACES["pledges"].left_out
        await room.restart(without=("pledges",))
        await room.told()
        for person in room.people:
            (told, *_) = room.newest_first(person.user.dm_channel)
            assert (told.content, labels(told)) == (FACES["pledges"].left_out, [])
        stored = await dump(room.bot.database)
        assert not stored["pledges"]
        assert not stored["gatherings"]


async def test_somebody_whose_dms_are_closed_agrees_to_a_mention_or_is_not_called(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 3) as timed:
        room = timed.room
        room.close_dms()
        (asked,) = await pledge(room, 0)
        assert "I could only call you by a mention in" in asked.content
        refused = private(await room.people[0].click(asked, label="No, don't call me"))
        assert "I won't call you" in refused.content
        host = room.bot.host
        assert not await host.part(Pledges).of_person(room.people[0].id)
        for person in range(3):
            (asked,) = await pledge(room, person)
            page = private(await room.people[person].click(asked, label="Mention me there"))
            assert "by a mention in <#" in page.content
        await later(timed)
        posts = [each for each in room.newest_first(room.channel) if "I'm ready" in labels(each)]
        assert sorted(each.content.split(">")[0] for each in posts) == sorted(f"<@{p.id}" for p in room.people)
        theirs = next(each for each in posts if each.content.startswith(f"<@{room.people[0].id}>"))
        stranger = private(await room.people[1].click(theirs, label="Not now"))
        assert "won't ask you again" in stranger.content, "it's about the same table, so it counts for whoever presses"
        for person in (0, 2):
            mine = next(each for each in posts if each.content.startswith(f"<@{room.people[person].id}>"))
            await room.people[person].click(mine, label="I'm ready")
        await later(timed, minutes=16)
        assert not [each for each in room.newest_first(room.channel) if "I'm ready" in labels(each)], "deleted"


async def test_whoever_wants_no_dms_is_asked_whether_a_mention_is_all_right(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 1) as timed:
        room = timed.room
        await room.bot.host.settings.set_player_settings(room.people[0].id, PlayerSettings(private=Private.BUTTON))
        (asked,) = await pledge(room, 0)
        assert "I could only call you by a mention" in asked.content


async def test_the_page_changes_what_somebody_would_play_and_takes_it_back(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 1) as timed:
        room = timed.room
        ann = room.people[0]
        page = await wanted(room, ann)
        assert page.content == NOTHING
        page = private(await ann.select(page, ["saboteur"]))
        assert "**Saboteur** with 3-10 players, 24 hours a turn" in page.content
        for what, value, shown in (("players", "4", "with 4 players"), ("pace", "slow", "3 days a turn")):
            menu = Ref("wantset", path=("saboteur", what)).custom_id("s")
            page = private(await ann.select(page, [value], custom_id=menu))
            assert shown in page.content
        page = private(await ann.click(page, label="Only similar ratings"))
        assert "with similar ratings" in page.content
        page = private(await ann.click(page, label="I don't want Saboteur any more"))
        assert page.content == NOTHING


async def test_open_tables_tell_roughly_how_many_would_play_and_no_names(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 4) as timed:
        room = timed.room
        await pledge(room, 0, 1, players="5")
        await later(timed)
        listed = private(await room.people[3].slash(room.channel, "tables"))
        assert "Would be played" not in listed.content
        await later(timed, hours=1)
        listed = private(await room.people[3].slash(room.channel, "tables"))
        assert "**Would be played**: Saboteur (some people)" in listed.content
        assert all(person.user.name not in listed.content for person in room.people)
        await room.bot.host.settings.block(room.people[1].id, room.people[2].id)
        await pledge(room, 1, 2, game="gambo", players="2")
        await later(timed, hours=1)
        listed = private(await room.people[3].slash(room.channel, "tables"))
        assert "Gambo (enough people for a table, once it suits them all)" in listed.content, "it promises nothing"


async def test_one_tap_under_a_closed_lobby(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 2) as timed:
        room = timed.room
        await room.open("saboteur", players=4, pace="live")
        lobby = room.latest("Join")
        await later(timed, hours=25)
        assert labels(room.refreshed(lobby)) == ["I'd play another time"]
        page = private(await room.people[1].click(room.refreshed(lobby), label="I'd play another time"))
        assert "**Saboteur** with 3-5 players, 5 minutes a turn" in page.content


async def test_whoever_would_play_what_an_open_table_offers_is_told_of_the_seat(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 2) as timed:
        room, seat = timed.room, "There's a seat: **Join Saboteur #1**."
        _, bob = room.people
        await room.open("saboteur", players=5)
        for wishes, told in (({"players": "4"}, False), ({"players": "3-5"}, True)):
            page = await wanted(room, bob, "saboteur", **wishes)
            assert (seat in page.content, "Join Saboteur #1" in labels(page)) == (told, told)
        listed = private(await bob.slash(room.channel, "tables"))
        assert seat in listed.content
        assert labels(listed).count("Join Saboteur #1") == 1
        near = private(await bob.click(page, label="Only similar ratings"))
        assert seat not in near.content
        page = private(await bob.click(near, label="Any rating"))
        assert "You've joined the table" in private(await bob.click(page, label="Join Saboteur #1")).content
        assert seat not in (await wanted(room, bob)).content


async def test_forged_buttons_do_nothing(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 2) as timed:
        room = timed.room
        channel = room.bot.get_channel(room.channel.id)
        assert isinstance(channel, discord.TextChannel)
        for ref in (
            Ref("willplay"),
            Ref("willplay", path=("7",)),
            Ref("willplay", path=(str(2**62),)),
            Ref("willplay", path=("x",)),
            Ref("willplay", path=("-1",)),
            Ref("willplay", path=("9" * 40,)),
            Ref("willplay", path=("1", str(room.people[1].id))),
            Ref("wontplay", path=("1",)),
            Ref("wantcall", path=("saboteur", "3-5", "live", str(2**62), "near", "1")),
            Ref("wantcall", path=("chess", "3-5", "live", "1", "near", "1")),
            Ref("wantcall", path=("saboteur",)),
            Ref("wantset", path=("saboteur", "pace", "now")),
            Ref("want", path=("chess",)),
            Ref("unwant", path=("chess",)),
        ):
            message = await channel.send("here", view=components.view(components.button(ref, "Forged")))
            result = await room.people[0].click(message, label="Forged")
            assert "Something went wrong" not in private(result).content, ref
        assert not await room.bot.host.part(Pledges).of_person(room.people[0].id)


async def test_whoever_deletes_their_data_while_they_are_asked_has_no_question_any_more_and_the_next_has(
    tmp_path: Path,
) -> None:
    async with clocked(tmp_path / "ambit.db", 4) as timed:
        room = timed.room
        await pledge(room, 0, 1, 2, 3, players="3")
        await later(timed)
        assert [person for person in range(4) if question(room, person)] == [0, 1, 2]
        await ready(room, 1)
        await room.bot.host.privacy.forget_wholly(room.people[0].id)
        await later(timed)
        assert [person for person in range(4) if question(room, person)] == [2, 3]
        for person in (2, 3):
            await ready(room, person)
        assert [seat.user_id for seat in (await timed.match()).seats] == [each.id for each in room.people[1:]]


async def test_a_table_that_still_has_room_after_two_minutes_calls_those_who_want_it(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 4) as timed:
        room = timed.room
        for person in room.people[1:3]:
            page = private(await set_to(person, room.channel, "settings me", call="saboteur"))
            assert "New tables here that I call you to: Saboteur" in page.content
        result = await room.people[0].slash(room.channel, "saboteur new")
        await room.told()
        said = "Some people here want to know of new Saboteur tables. If yours still has room in 2 minutes, I'll call"
        assert any(said in each.content for each in result.followups)
        assert not any("A table is open" in each.content for each in room.people[1].user.dm_channel.history())
        await later(timed, minutes=2)
        for person in room.people[1:3]:
            dm = next(room.newest_first(person.user.dm_channel))
            assert "A table is open: **Saboteur #1**" in dm.content
        page = private(await set_to(room.people[1], room.channel, "settings me", call="none"))
        assert "New tables here that I call you to: none" in page.content


# FOUND D4
async def test_whoever_no_call_reaches_can_be_called_again_the_same_day(tmp_path: Path) -> None:
    """Bob's DMs are closed, and they agreed to no mention. Then they open them."""
    async with clocked(tmp_path / "ambit.db", 4) as timed:
        room = timed.room
        ann, bob, cleo, _ = room.people
        await set_to(bob, room.channel, "settings me", call="gambo")
        await room.bot.host.settings.set_player_settings(bob.id, PlayerSettings(private=Private.BUTTON))
        for host, called in ((ann, False), (cleo, True)):
            await host.slash(room.channel, "gambo new")
            await later(timed, minutes=2)
            await room.told()
            newest = next(room.newest_first(bob.user.dm_channel))
            assert ("A table is open: **Gambo #2**" in newest.content) == called
            assert "Gambo #1" not in newest.content
            await room.bot.host.settings.set_player_settings(bob.id, PlayerSettings())


async def test_quiet_hours_are_set_in_words_and_with_a_zone(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 1) as timed:
        room = timed.room
        ann = room.people[0]
        page = private(await ann.slash(room.channel, "settings me", quiet="22 - 8"))
        assert "22-8 in UTC (choose your time zone" in page.content
        page = private(await ann.slash(room.channel, "settings me", zone="europe/berlin"))
        assert "Your time zone, for quiet hours and days that you type: Europe/Berlin" in page.content
        for wrong in ({"quiet": "night"}, {"zone": "Middle/Earth"}):
            assert "✓ Saved." not in private(await ann.slash(room.channel, "settings me", **wrong)).content
        chosen = await room.bot.host.settings.player_settings(ann.id)
        assert (chosen.quiet, chosen.zone) == ("22-8", "Europe/Berlin")
