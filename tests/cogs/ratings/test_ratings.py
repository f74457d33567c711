"""Tables of ratings and pages of people, as people ask for them on a server (P34)."""

from __future__ import annotations

import gzip
import io
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import discord
import pytest
from PIL import Image

from cogs.press import components
from cogs.press.custom_ids import Ref
from cogs.ratings.leaderboard import SWITCHED_OFF
from cogs.text import names
from db import Connection
from db.model.rows import Ladder, ResultRow
from db.model.setting_rows import GuildSettings, PlayerSettings
from db.ratings import kept as ladders
from db.ratings.kept import RatingRow
from db.results import keyed
from games import GAMES
from matches.api import MatchId, NewMatch, Person, UserId
from matches.lessons import LessonPage, Lessons
from matches.ratings import Ratings, export
from matches.ratings.model import LISTED, SCHEME
from matches.ratings.profiles import average
from matches.results.reliability import LEAST
from matches.table.limits import Deed
from render.leaderboard import change as signed
from tests.cogs.markdown import active
from tests.cogs.nasty import NASTY
from tests.cogs.table import Table, at_match, behind, clocked, labels, menu, table
from tests.cogs.test_limits import attacked
from tests.cogs.test_lobby import play_to_the_end
from tests.cogs.test_manners import one_sentence
from tests.cogs.test_rights import said
from tests.matches.tables import moved
from tests.matches.test_reliability import long_ago

POST = "Post it here"


def server(room: Table) -> int:
    guild = room.channel.guild
    assert guild is not None
    return guild.id


async def resigned(room: Table, winner: Any, loser: Any, game: str = "ambush", guild: int | None = None) -> MatchId:
    """A match that counts, which one of two has resigned; it needs no Discord."""
    host = room.bot.host
    request = NewMatch(game, room.channel.id, guild_id=guild or server(room))
    match = await host.lobby.open(request, Person(winner.id, winner.name))
    await moved(host, await host.lobby.join(match.id, Person(loser.id, loser.name)))
    await host.play.resign(match.id, loser.id)
    return match.id


async def rate(room: Table, people: Mapping[int, str], game: str = "ambush", season: int = 1) -> None:
    """List these people on the server, the best first, as if they had played five matches."""
    of, guild = Ladder(server(room), game, season, False), server(room)

    def work(connection: Connection) -> None:
        keyed.add_keys(connection, guild, MatchId(0), dict(enumerate((UserId(each), people[each]) for each in people)))
        keys = {known.user_id: key for key, known in keyed.people_of(connection, guild).items()}
        rows = {keys[UserId(each)]: RatingRow(2000.0 - at, 80.0, LISTED, 3, 4.0, 1) for at, each in enumerate(people)}
        ladders.put_ratings(connection, of, rows)
        result = ResultRow(MatchId(10**9 + len(game)), room.bot.host.now(), ())
        ladders.set_cache_state(connection, of, SCHEME, keyed.add_result(connection, of, result).number)

    await room.bot.database.write(work)


async def rated(room: Table, game: str = "ambush") -> None:
    """List everybody at the table, in their order."""
    await rate(room, {person.id: person.name for person in room.people}, game)


async def picture(message: Any) -> Image.Image:
    (attachment,) = message.attachments
    return Image.open(io.BytesIO(await attachment.read()))


def words_of(message: Any) -> str:
    """The picture's description."""
    (attachment,) = message.attachments
    return str(attachment.description)


async def test_p34_a_newcomer_finds_the_table_and_is_told_what_it_takes_to_be_listed(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 3) as room:
        ann, bob, zoe = room.people
        page = said(await ann.select((await ann.slash(room.channel, "help")).response, ["ranks"]))
        assert "`/leaderboard`" in page
        assert "`/profile`" in page
        empty = (await ann.slash(room.channel, "leaderboard", game="gambo")).response
        assert empty.ephemeral
        assert "Nobody is listed yet: that takes 5 matches that count" in empty.content
        assert "`/gambo new`" in empty.content
        for _ in range(2):
            await resigned(room, ann, bob)
        shown = (await ann.slash(room.channel, "leaderboard")).response
        assert "Ratings in Ambush" in shown.content, "the game that is played here"
        assert "You're at 1" in shown.content
        assert "Three more rated matches and you're on the list." in shown.content
        assert "2 players on this server" in shown.content
        assert "Grey: fewer than 5 rated matches, so not on the list yet." in shown.content
        assert ". New: Ann 1" in words_of(shown)
        assert "? = still uncertain (±" in shown.content
        for _ in range(3):
            await resigned(room, ann, bob)
        shown = (await bob.slash(room.channel, "leaderboard")).response
        assert shown.ephemeral
        assert "2 players on this server" in shown.content
        assert "You're number 2 with " in shown.content
        text = words_of(shown)
        assert text.startswith("Ratings in Ambush, 2 players on this server, page 1 of 1. 1. Ann ")
        assert "2. Bob " in text
        assert (await picture(shown)).width == 900
        assert "You haven't played a match that counts here." in said(await zoe.slash(room.channel, "leaderboard"))


async def test_end_post_table_and_page_say_the_same_of_a_whole_match(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        for _ in range(LISTED - 1):
            await resigned(room, *room.people, game="gambo")
        number = await room.begin("gambo", 2)
        await play_to_the_end(room, number)
        end = room.latest("Rematch").content
        (line,) = [line for line in end.splitlines() if line.startswith("Ratings: ")]
        shown = words_of((await room.people[0].slash(room.channel, "leaderboard")).response)
        for change in await room.bot.host.part(Ratings).changes(number):
            person = room.person(change.person or 0)
            assert f"{person.mention} **{change.number}?** {signed(change.change)}" in line
            assert f". {person.name} {change.number}? ±" in shown
            assert f"5 played, last {signed(change.change)}." in shown
            page = words_of((await person.slash(room.channel, "profile")).response)
            assert f"Gambo {change.number}? ±" in page
            assert "inished" not in page, "too little is known of them"
            seat = next(seat for seat in (await room.bot.host.look.match(number)).seats if seat.user_id == person.id)
            score = " : ".join(map(str, seat.feat[:2]))
            assert (f"Best moment: {score} in Gambo" in page) == bool(seat.won)


async def test_a_page_says_which_games_somebody_has_learned_by_their_lessons(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        await resigned(room, *room.people)
        ann, lessons = room.people[0], room.bot.host.part(Lessons)
        assert "Lessons done" not in (await ann.slash(room.channel, "profile")).response.content
        while (attempt := (await lessons.standing(UserId(ann.id), "ambush")).attempt) is not None:
            turn = (await lessons.standing(UserId(ann.id), "ambush")).turn
            await lessons.answer(LessonPage(UserId(ann.id), "ambush", turn), attempt.shown)
        assert "Lessons done: Ambush." in (await ann.slash(room.channel, "profile")).response.content


async def test_a_page_of_somebody_tells_how_they_did_and_how_they_did_against_the_viewer(tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", 3) as timed:
        room = timed.room
        ann, bob, zoe = room.people
        assert "You haven't started a match on this server yet." in one_sentence(
            await ann.slash(room.channel, "profile")
        )
        assert f"nothing to see of <@{bob.id}>" in one_sentence(
            await ann.slash(room.channel, "profile", person=bob.user)
        )
        for winner, loser in ((ann, bob),) * 4 + ((bob, ann),):
            await resigned(room, winner, loser)
        for _ in range(LEAST - 5):
            await resigned(room, ann, bob, game="gambo")
        assert "inished" not in words_of((await ann.slash(room.channel, "profile")).response)
        await long_ago(room.bot.database)
        own = (await ann.slash(room.channel, "profile")).response
        assert own.ephemeral
        assert own.content.startswith("**Ann** on this server")
        text = words_of(own)
        assert "place 1: 5 played, 4 won." in text
        assert "Gambo 1" in text
        assert "Finished 10 of 10 matches. Last 90 days: finished 10 of 10." in text
        assert "You two" not in text
        seen = (await bob.slash(room.channel, "profile", person=ann.user)).response
        assert "You two: 10 matches, you ahead in 1, behind in 9." in words_of(seen)
        assert labels(seen) == []
        assert "You two" not in words_of((await zoe.slash(room.channel, "profile", person=ann.user)).response)
        assert (await picture(seen)).width == 900
        await room.bot.host.settings.set_player_settings(bob.id, PlayerSettings(large=True))
        assert (await picture((await bob.slash(room.channel, "profile")).response)).width == 1200


async def test_a_profile_says_how_somebody_does_against_computers_alone(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 1) as room:
        (ann,) = room.people
        host = room.bot.host
        match = await host.lobby.open(
            NewMatch("ambush", room.channel.id, guild_id=server(room)), Person(ann.id, ann.name)
        )
        match = await moved(host, await host.lobby.add_computer(match.id, ann.id))
        await host.play.resign(match.id, ann.id)
        await room.told()
        alone = (await ann.slash(room.channel, "profile")).response
        assert "Ambush in practice 1" in words_of(alone)
        assert "`/ambush new`" in said(await ann.slash(room.channel, "leaderboard", game="ambush"))


async def test_a_profile_says_how_somebody_did_in_each_role(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 3) as room:
        await play_to_the_end(room, await room.begin("saboteur", 3))
        text = words_of((await room.people[0].slash(room.channel, "profile")).response)
        found = re.findall(r"As (gold-digger|saboteur): (\d) of (\d) won, (\d+)% on average\.", text)
        assert sum(int(rounds) for _, _, rounds, _ in found) == 3
        averages = {
            "gold-digger": average("saboteur", 3, "gold-digger"),
            "saboteur": average("saboteur", 3, "saboteur"),
        }
        assert all(f"{averages[role]:.0%}" == f"{percent}%" for role, _, _, percent in found)


async def test_ratings_are_about_a_server_and_a_direct_message_says_so(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        ann = room.people[0]
        await rated(room)
        for command in ("leaderboard", "profile"):
            assert "This only works in a server" in one_sentence(await ann.user.slash(command))


async def test_whoever_hides_is_in_no_table_and_shows_no_page_but_sees_their_own(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        ann, bob = room.people
        await rated(room)
        await room.bot.host.settings.set_player_settings(ann.id, PlayerSettings(hidden=True))
        seen = (await bob.slash(room.channel, "leaderboard")).response
        assert "Ann" not in words_of(seen) + seen.content
        assert "You're number 1" in seen.content
        asked = one_sentence(await bob.slash(room.channel, "profile", person=ann.user))
        assert asked == f"There's nothing to see of <@{ann.id}> on this server."
        mine = said(await ann.slash(room.channel, "leaderboard"))
        assert "which only you can see (`/settings me`)" in mine
        assert "Ambush 2000" in words_of((await ann.slash(room.channel, "profile")).response)


# FOUND S2
async def test_the_rating_of_somebody_who_hides_stands_in_no_end_post_and_they_alone_are_told(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 3) as room:
        ann, bob, zoe = room.people
        host = room.bot.host
        await host.settings.set_player_settings(UserId(ann.id), PlayerSettings(hidden=True))
        number = await room.begin("ambush", 2)
        await moved(host, await host.look.match(number))
        await host.play.resign(number, UserId(bob.id))
        await room.told()
        end = room.latest("Rematch").content
        (change,) = await host.part(Ratings).changes(number)
        assert f"Ratings: {bob.mention} **{change.number}?** " in end
        (own,) = [each for each in await host.part(Ratings).changes(number, UserId(ann.id)) if each.person == ann.id]
        assert str(own.number) not in end
        told = f"Your rating, which only you can see: **{own.number}?** {signed(own.change)}."
        assert told in said(await at_match(ann, room.channel, "board", match=number))
        for other in (bob, zoe):
            assert str(own.number) not in said(await at_match(other, room.channel, "board", match=number))
        # If all hide, or are forgotten, there is nothing to say.
        await host.settings.set_player_settings(UserId(bob.id), PlayerSettings(hidden=True))
        number = await room.begin("ambush", 2)
        await moved(host, await host.look.match(number))
        await host.play.resign(number, UserId(bob.id))
        await room.told()
        assert "Ratings:" not in room.latest("Rematch").content
        await host.privacy.forget(UserId(ann.id))
        assert await host.part(Ratings).changes(number) == ()


# FOUND S2
@pytest.mark.parametrize("hides", [False, True])
async def test_ratings_in_a_lobby_tell_outsiders_what_the_leaderboard_does_and_nothing_of_whoever_hides(
    tmp_path: Path, hides: bool
) -> None:
    async with clocked(tmp_path / "ambit.db", 4) as timed:
        room, host = timed.room, timed.room.bot.host
        ann, bob, cleo, dan = room.people
        for winner, loser in ((ann, bob), (bob, ann)) * (LEAST // 2):
            await resigned(room, winner, loser)
        await resigned(room, cleo, ann)
        await long_ago(room.bot.database)
        await host.settings.set_player_settings(UserId(ann.id), PlayerSettings(hidden=hides))
        await room.open("ambush", pace="day")
        lobby = room.latest("Join")

        def rating(number: int) -> str:
            return rf"• Ann: \d+\?? ±\d+ after {number} matches; finished {number} of {number}"

        own = (await behind(ann, lobby, "Ratings")).response.content
        assert re.search(rating(LEAST + 1), own)
        outside = (await behind(dan, lobby, "Ratings")).response.content
        assert "finished" not in outside
        assert ("• Ann: no rating to show" in outside) is hides
        # People without a match in this game have none.
        await room.open("gambo", by=cleo, pace="day")
        told = (await behind(dan, room.latest("Join"), "Ratings")).response.content
        assert told.startswith("**Gambo #")
        assert "• Cleo: no rating to show" in told


async def test_a_server_without_ratings_says_so_and_still_shows_what_there_was(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        ann = room.people[0]
        await room.bot.host.settings.set_guild_settings(server(room), GuildSettings(unrated=True))
        assert SWITCHED_OFF in one_sentence(await ann.slash(room.channel, "leaderboard"))
        await room.bot.host.settings.set_guild_settings(server(room), GuildSettings())
        await rated(room)
        await room.bot.host.settings.set_guild_settings(server(room), GuildSettings(unrated=True))
        shown = (await ann.slash(room.channel, "leaderboard")).response
        assert SWITCHED_OFF in shown.content
        assert "1. Ann" in words_of(shown)


async def test_three_hundred_people_are_looked_through_page_by_page(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        ann, bob = room.people
        crowd = {70_000_000_000_000_000 + number: f"Player {number}" for number in range(298)}
        await rate(room, crowd | {ann.id: "Ann", bob.id: "Bob"})
        shown = (await ann.slash(room.channel, "leaderboard")).response
        assert "300 players on this server" in shown.content
        assert labels(shown) == ["◀ Back", "Next ▶", "My place", POST, "Results"]
        assert "page 1 of 30. You: 299. Ann" in words_of(shown)
        for page in (2, 3):
            shown = (await ann.click(shown, label="Next ▶")).response
            assert f"page {page} of 30" in words_of(shown)
        assert "21. Player 20 " in words_of(shown)
        shown = (await ann.click(shown, label="◀ Back")).response
        assert "page 2 of 30" in words_of(shown)
        shown = (await ann.click(shown, label="My place")).response
        assert "page 30 of 30" in words_of(shown)
        assert "299. Ann" in words_of(shown)
        assert "My place" not in labels(shown)
        (attachment,) = shown.attachments
        assert attachment.size <= 60_000


async def test_another_game_and_another_season_are_picked_from_menus(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        ann = room.people[0]
        await rated(room)
        shown = (await ann.slash(room.channel, "leaderboard")).response
        games = menu(shown)
        assert games is not None
        assert {option.value for option in games.options} == set(GAMES)
        other = (await ann.select(shown, ["gambo"], custom_id=games.custom_id)).response
        assert "Nobody is listed yet" in other.content
        assert not other.attachments
        await room.bot.host.settings.begin_season(server(room))
        now = (await ann.slash(room.channel, "leaderboard", game="ambush")).response
        assert "season 2" in now.content
        assert "Nobody is listed yet" in now.content
        old = (await ann.slash(room.channel, "leaderboard", game="ambush", season=1)).response
        assert "season 1" in old.content
        assert "1. Ann" in words_of(old)
        picked = (await ann.select(now, ["1"], custom_id="s:ladder::::ambush|")).response
        assert words_of(picked) == words_of(old)
        page = (await ann.slash(room.channel, "profile", season=1)).response
        assert "season 1" in page.content
        assert "place 1" in words_of(page)
        page = (await ann.select(page, ["2"])).response
        assert "season 2" in page.content
        empty = (await ann.slash(room.channel, "leaderboard", game="gambo", season=1)).response
        assert "Nobody was listed in that season." in empty.content


async def test_without_leave_to_attach_everything_comes_in_words(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2, denied="attach_files") as room:
        ann, bob = room.people
        await rated(room)
        shown = (await bob.slash(room.channel, "leaderboard")).response
        assert not shown.attachments
        assert "1. Ann " in shown.content
        assert "You're number 2" in shown.content
        for label in (POST, "Results"):
            assert "Attach Files" in one_sentence(await bob.click(shown, label=label))
        page = (await ann.slash(room.channel, "profile")).response
        assert not page.attachments
        assert "place 1: 5 played, 3 won." in page.content


async def test_p31_the_strangest_names_do_nothing_in_tables_pages_and_lobbies(tmp_path: Path) -> None:
    """Calm names in the same places give the same constructs."""
    found = []
    for number, given in enumerate((NASTY[:10], [f"Q{each}" for each in range(10)])):
        async with table(tmp_path / f"{number}.db", 2, denied="attach_files") as room:
            ann, bob = room.people
            plain = [names.plain(name) for name in given]
            await rate(room, {70_000_000_000_000_000 + at: name for at, name in enumerate(plain)} | {ann.id: plain[0]})
            table_of = (await bob.slash(room.channel, "leaderboard")).response.content
            page = (await ann.slash(room.channel, "profile")).response.content
            found.append([active(table_of), active(page)])
    assert found[0] == found[1]


async def test_the_results_are_a_file_from_which_the_same_ratings_follow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        ann, bob = room.people
        for winner, loser in ((ann, bob),) * 4 + ((bob, ann),):
            await resigned(room, winner, loser)
        shown = (await bob.slash(room.channel, "leaderboard")).response
        given = (await bob.click(shown, label="Results")).response
        assert given.ephemeral
        assert "`python -m matches.ratings FILE`" in given.content
        (attachment,) = given.attachments
        assert attachment.filename == "ratings.json"
        (found,) = export.checked((await attachment.read()).decode())
        assert found.agrees
        numbers = [(line.who, round(line.given.mu)) for line in found.rows]
        for place, (name, number) in enumerate(numbers, 1):
            assert f"{place}. {name} {number}?" in words_of(shown)
        text = await attachment.read()
        monkeypatch.setattr("cogs.press.attachments.PLAIN_BYTES", len(text) - 1)
        packed = (await bob.click(shown, label="Results")).response
        assert "packed" in packed.content
        unpacked = gzip.decompress(await packed.attachments[0].read())
        assert export.checked(unpacked.decode()) == (found,)
        monkeypatch.setattr("matches.engine.packing.MAX_BYTES", 10)
        assert "too much of it for one file" in one_sentence(await bob.click(shown, label="Results"))


async def test_what_is_posted_marks_nobody_and_pings_nobody(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 3) as room:
        ann, bob, zoe = room.people
        await rated(room)
        shown = (await bob.slash(room.channel, "leaderboard")).response
        posted = (await bob.click(shown, label=POST)).response
        assert not posted.ephemeral
        assert labels(posted) == []
        assert f"-# Posted by <@{bob.id}>" in posted.content
        assert "You're number" not in posted.content
        other = (await zoe.click((await zoe.slash(room.channel, "leaderboard")).response, label=POST)).response
        assert (await picture(other)).tobytes() == (await picture(posted)).tobytes()
        page = (await ann.slash(room.channel, "profile")).response
        posted = (await ann.click(page, label=POST)).response
        assert not posted.ephemeral
        assert words_of(posted) == words_of(page)


@pytest.mark.parametrize("command", ["leaderboard", "profile"])
async def test_twenty_presses_post_a_few_tables(tmp_path: Path, command: str) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        ann = room.people[0]
        await rated(room)
        shown = (await ann.slash(room.channel, command)).response
        noise, refused = await attacked(room, lambda _: ann.click(shown, label=POST))
        assert (noise.posts, noise.pings) == (Deed.SHOW.most, 0)
        assert refused[0].startswith(Deed.SHOW.refusal)


async def test_whoever_may_not_write_in_a_channel_posts_no_ratings_there(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2) as room:
        bob = room.people[1]
        await rated(room)
        guild = room.channel.guild
        assert guild is not None
        mute: Any = {bob: discord.PermissionOverwrite(view_channel=True, send_messages=False)}
        silent = guild.create_text_channel("silent", overwrites=mute)
        for command in ("leaderboard", "profile"):
            shown = (await bob.slash(silent, command)).response
            assert "You can't post in this channel" in one_sentence(await bob.click(shown, label=POST))
        assert silent.history() == []


async def test_the_lobby_shows_the_ratings_of_whoever_sits_there_to_whoever_asks(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 3) as room:
        ann, bob, zoe = room.people
        await rate(room, {ann.id: "Ann", bob.id: "Bob"}, "saboteur")
        await room.begin("saboteur", 2)
        await zoe.click(room.latest("Join"), label="Join")
        before = len(room.channel.history())
        answer = (await behind(zoe, room.latest("Join"), "Ratings")).response
        assert answer.ephemeral
        assert len(room.channel.history()) == before
        ann_row, bob_row, zoe_row = answer.content.split("\n")[1:4]
        assert ann_row == "• Ann: 2000 ±80 after 5 matches"
        assert bob_row == "• Bob: 1999 ±80 after 5 matches"
        assert zoe_row == "• Cleo: no rating to show"


@pytest.mark.parametrize(
    ("verb", "path"),
    [
        ("ladder", ("gambo",)),
        ("ladder", ("cluedo", "1")),
        ("ladder", ("gambo", "-1")),
        ("ladder", ("gambo", "9" * 30)),
        ("postladder", ("", "")),
        ("profile", ("me", "1")),
        ("profile", ("1" * 40, "1")),
        ("postprofile", ("one",)),
    ],
)
async def test_a_forged_button_is_out_of_date(tmp_path: Path, verb: str, path: tuple[str, ...]) -> None:
    async with table(tmp_path / "ambit.db", 1) as room:
        channel = room.bot.get_channel(room.channel.id)
        assert isinstance(channel, discord.TextChannel)
        button = components.button(Ref(verb, None, None, path), "Forged")
        message = await channel.send("here", view=components.view(button))
        assert "out of date" in one_sentence(await room.people[0].click(message, label="Forged"))
