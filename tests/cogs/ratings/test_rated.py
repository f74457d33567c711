"""Ratings as people see them: in the lobby, at the end, in their settings."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from cogs.drawing import Drawer
from cogs.lobby import lobby_post
from matches.api import Busy, MatchId, Unavailable
from matches.computers.pool import Computers, InProcess
from matches.ratings import Ratings
from matches.results.reliability import LEAST
from tests.cogs.table import Clocked, Table, at_match, behind, change, labels, set_to, table, with_right
from tests.cogs.test_computer_seats import sit_with_computers
from tests.matches.tables import PEOPLE, moved, running
from tests.matches.test_reliability import long_ago


async def given_up(room: Table, loser: int = 1, **options: str) -> str:
    """The end post of a match of Ambush that one of two has resigned."""
    number = await room.begin("ambush", 2, **options)
    await moved(room.bot.host, await room.bot.host.look.match(number))
    await room.bot.host.play.resign(number, room.people[loser].id)
    await room.told()
    return str(room.channel.history()[-1].content)


async def test_the_end_post_says_what_the_match_has_made_of_whose_rating(room2: Table) -> None:
    told = await given_up(room2)
    (line,) = [line for line in told.splitlines() if line.startswith("Ratings: ")]
    first, second = (change for change in await room2.bot.host.part(Ratings).changes(MatchId(1)))
    winner, loser = room2.people[0].mention, room2.people[1].mention
    assert line == (
        f"Ratings: {winner} **{first.number}?** +{first.change} · {loser} **{second.number}?** −{-second.change}"
    )


async def test_a_lobby_says_before_anybody_joins_whether_the_match_counts(room2: Table) -> None:
    await room2.open("ambush")
    assert lobby_post.COUNTS in room2.latest("Join").content
    await room2.open("ambush", rated="no")
    assert lobby_post.DOES_NOT_COUNT in room2.latest("Join").content


async def test_the_end_post_says_why_a_match_counts_for_nobody(room2: Table) -> None:
    told = await given_up(room2, rated="no")
    assert "This match didn't count for ratings." in told
    assert "Ratings:" not in told


async def test_a_server_can_switch_ratings_off_and_begin_a_season(room2: Table) -> None:
    chief = with_right(room2, "Chief", manage_guild=True)

    async def new_season() -> Any:
        asked = await set_to(chief, room2.channel, "settings server", ratings="new season")
        return await chief.click(asked.response, label="Yes: New season")

    shown = await chief.slash(room2.channel, "settings server")
    assert "Ratings: on, season 1" in shown.response.content
    await given_up(room2)
    shown = await new_season()
    assert "Ratings: on, season 2" in shown.response.content
    # Nobody has played in it, so there is nothing to start again.
    shown = await new_season()
    assert "Ratings: on, season 2" in shown.response.content
    await set_to(chief, room2.channel, "settings server", ratings="off")
    shown = await chief.slash(room2.channel, "settings server")
    assert "Ratings: off" in shown.response.content
    opened = await room2.people[0].slash(room2.channel, "ambush new")
    assert lobby_post.DOES_NOT_COUNT in opened.response.content


async def test_somebodys_first_match_of_a_game_is_unrated_and_its_hints_are_free_unless_they_choose(
    room2: Table,
) -> None:
    host, ann = room2.bot.host, room2.people[0]
    opened = (await ann.slash(room2.channel, "ambush new")).response
    assert lobby_post.DOES_NOT_COUNT in opened.content
    await change(ann, opened, "Make it rated")
    assert lobby_post.COUNTS in room2.refreshed(opened).content
    await change(ann, opened, "Make it unrated")
    await room2.people[1].click(room2.refreshed(opened), label="Join")
    board = room2.latest("Play")
    mover = room2.mover(board)
    panel = (await mover.click(board, label="Play")).response
    shown = (await mover.click(panel, label="Hint")).response
    assert "**Hint:**" in shown.content
    assert "Play it" in labels(shown)
    match = await moved(host, await moved(host, await host.look.match(MatchId(1))))
    await host.play.resign(match.id, ann.id)
    await room2.told()
    later = (await ann.slash(room2.channel, "ambush new")).response
    assert lobby_post.COUNTS in later.content, "they have played it now"
    assert lobby_post.DOES_NOT_COUNT in (await ann.slash(room2.channel, "gambo new")).response.content, "another game"


# FOUND F10
async def test_before_a_hint_is_shown_somebody_reads_that_the_match_cannot_raise_their_rating_then(
    room1: Table,
) -> None:
    number, mover = await alone(room1, "ambush"), room1.people[0]
    asked = await at_match(mover, room1.channel, "hint")
    assert "Show a hint? You can't gain rating in this match then." in asked.response.content
    assert "**Hint:**" not in asked.response.content
    assert not asked.response.attachments
    panel = await mover.click(asked.response, label="Not now")
    assert panel.response.content == "**What do you do?**"
    again = await mover.click(panel.response, label="Hint")
    assert not (await room1.bot.host.look.match(number)).seat_of(mover.id).helped, "asking costs nothing"
    shown = await mover.click(again.response, label="Show")
    assert "**Hint:**" in shown.response.content
    assert (await room1.bot.host.look.match(number)).seat_of(mover.id).helped
    paid = await at_match(mover, room1.channel, "hint")
    assert "**Hint:**" in paid.response.content, "what is paid for is not asked about again"


# FOUND D2
async def test_there_are_no_hints_in_a_rated_match_between_people(room2: Table) -> None:
    await room2.open("gambo")
    lobby = room2.latest("Join")
    assert "Rated, no hints" in lobby.content
    await room2.people[1].click(lobby, label="Join")
    board = room2.latest("Play")
    mover = room2.mover(board)
    shown = (await mover.click(board, label="Play")).response
    assert "Hint" not in labels(shown)
    refused = await at_match(mover, room2.channel, "hint")
    assert "There are no hints in a rated match between people." in refused.response.content
    assert not any(seat.helped for seat in (await room2.bot.host.look.match(MatchId(1))).seats)


async def alone(room: Table, game: str) -> MatchId:
    """The number of a rated match of two against a computer, in which it's the person's turn."""
    number = await sit_with_computers(room, game, 2, "easy")
    await room.told()
    assert (await room.bot.host.look.match(number)).waits_for(room.people[0].id)
    return number


class Hinting(Computers):
    """Computer players that give the hint that a test chooses."""

    def __init__(self) -> None:
        super().__init__(InProcess(), effort=0.01, beat=0)
        self.asked = asyncio.Event()
        self.answered = asyncio.Event()
        self.answer = ""

    async def hint(self, *_: Any, **__: Any) -> str:
        self.asked.set()
        await self.answered.wait()
        if not self.answer:
            raise Unavailable("I couldn't think of a hint here.")
        return self.answer


# FOUND F10
@pytest.mark.parametrize("how", ["fails", "comes too late", "cannot be drawn"])
async def test_a_hint_that_is_never_seen_costs_nothing(
    tmp_path: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    thinker = Hinting()

    async def busy(*_: object) -> None:
        raise Busy("I'm still drawing.")

    async with table(tmp_path / "ambit.db", 1, computers=thinker) as room:
        host, number, mover = room.bot.host, await alone(room, "gambo"), room.people[0]
        asked = (await at_match(mover, room.channel, "hint")).response
        pressing = asyncio.create_task(mover.click(asked, label="Show"))
        await thinker.asked.wait()
        text = (await host.look.view(number, mover.id)).moves[0].text
        if how != "fails":
            thinker.answer = text
        if how == "comes too late":
            await host.play.act(number, mover.id, text)
        if how == "cannot be drawn":
            monkeypatch.setattr(Drawer, "drawn", busy)
        thinker.answered.set()
        answer = (await pressing).response
        assert "**Hint:**" not in answer.content
        assert not any(seat.helped for seat in (await host.look.match(number)).seats)


# FOUND F10
async def test_a_hint_is_paid_for_before_anybody_can_see_it(room1: Table) -> None:
    host, mover = room1.bot.host, room1.people[0]
    await alone(room1, "gambo")
    asked = (await at_match(mover, room1.channel, "hint")).response

    async def failing(*_: object) -> None:
        raise Unavailable("I can't save anything right now.")

    host.thinking.note_hint = failing
    answer = (await mover.click(asked, label="Show")).response
    assert "I can't save anything right now." in answer.content
    assert "**Hint:**" not in answer.content


@pytest.mark.parametrize("listed", ["with", "without"])
async def test_everybody_says_whether_lists_have_them(room1: Table, listed: str) -> None:
    shown = await set_to(room1.people[0], room1.channel, "settings me", listed=listed)
    assert f"✓ {listed.capitalize()} me" in labels(shown.response)
    assert (await room1.bot.host.settings.player_settings(room1.people[0].id)).hidden is (listed == "without")


async def test_a_lobby_with_a_clock_tells_who_asks_who_finishes_what_they_begin(timed2: Clocked) -> None:
    for _ in range(LEAST):
        match = await moved(
            timed2.bot.host, await running(timed2.bot.host, "ambush", 2, guild_id=timed2.channel.guild.id)
        )
        await timed2.bot.host.play.resign(match.id, PEOPLE[1].user_id)
    await long_ago(timed2.bot.database)
    await timed2.open("ambush", join="new", pace="day")
    lobby = timed2.latest("Join")
    assert "for people who finish their matches, and newcomers" in lobby.content
    host = timed2.people[0]
    page = (await behind(host, lobby)).response
    shown = await host.click(page, label="Ratings")
    assert "finished" not in shown.response.content
    await timed2.bot.host.lobby.join(MatchId(LEAST + 1), PEOPLE[1])
    shown = await host.click(page, label="Ratings")
    assert f"after {LEAST} matches; finished {LEAST} of {LEAST}" in shown.response.content


async def test_whoever_leaves_or_takes_back_where_nobody_is_asked_reads_what_that_does_to_their_rating(
    room3: Table,
) -> None:
    number = await room3.begin("abissal", 3)
    mover = room3.mover(room3.latest("Play"))
    asked = await at_match(mover, room3.channel, "leave")
    assert "so your rating stays as it is, once a day on this server" in asked.response.content  # FOUND D1
    left = await mover.click(asked.response, label="Yes, leave")
    await mover.click(left.response, label="Take my seat back")
    asked = await at_match(mover, room3.channel, "leave")
    assert "already left a match before your first move today" in asked.response.content
    asked = await at_match(mover, room3.channel, "resign")
    assert "already left a match before your first move today" in asked.response.content
    await room3.bot.host.play.resign(number, room3.people[0].id)
    number = await room3.begin("gambo", 2)
    match = await moved(room3.bot.host, await room3.bot.host.look.match(number))
    await room3.told()
    asking = next(person for person in room3.people[:2] if not match.waits_for(person.id))
    told = await at_match(asking, room3.channel, "undo", match=number)
    assert "rating" not in told.response.content, "a question costs nothing"  # FOUND F4
