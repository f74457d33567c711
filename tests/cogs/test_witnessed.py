"""Where people read what the deals depend on, and the file by which they check them (docs/fair-deals.md)."""

import re
from pathlib import Path

import pytest

from docs.verify_deals import troubles
from games import GAMES
from matches.api import MatchId, Status
from tests.cogs.table import Table, at_match, behind, labels, table
from tests.cogs.test_lobby import play_to_the_end
from tests.cogs.test_manners import one_sentence
from tests.matches.tables import whole


@pytest.mark.parametrize("game", ["gambo", "saboteur"])
async def test_whoever_joins_finds_the_commitment_and_their_press_behind_fair_deal(room3: Table, game: str) -> None:
    number = await room3.open(game)
    lobby = room3.latest("Join")
    early = one_sentence(await behind(room3.people[1], lobby, "Fair deal"))
    answer = await room3.people[1].click(lobby, label="Join")
    match = await room3.bot.host.look.match(number)
    assert match.commitment in early, "all of it is there before anybody joins"
    assert match.commitment[:20] in lobby.content
    assert not answer.followups
    (press,) = (await room3.bot.host.look.details(match.id)).pressed
    assert press.startswith("join-1")
    deal = one_sentence(await behind(room3.people[1], room3.latest("⋯"), "Fair deal"))
    for what in (match.commitment, f"\n`{press}` <t:", "When the match is over"):
        assert what in deal
    if game == "saboteur":
        again = await room3.people[1].click(room3.latest("Join"), label="Join")
        assert again.followups[0].content.startswith("You already have a seat")
        assert (await room3.bot.host.look.details(match.id)).pressed == (press,), "that press does not count"


async def test_the_press_that_starts_a_match_counts_too(at_saboteur: Table) -> None:
    presses = (await at_saboteur.bot.host.look.details(MatchId(1))).pressed
    assert [press.partition("-")[0] for press in presses] == ["join", "join", "start"]
    assert len({press.partition("-")[2] for press in presses}) == 3
    assert not any(press.endswith("-0") for press in presses)


def said_twice(post: str) -> list[str]:
    """Return what a post says twice: people, scores, and clauses of three words or more."""
    plain = re.sub(r"[*`#]|-# ", "", post)
    clauses = [clause.strip() for clause in re.split(r"[.;:,·()\n]| and ", plain)]
    facts = [clause for clause in clauses if clause.count(" ") >= 2]
    facts += re.findall(r"\d+ : \d+|<@\d+>", plain)
    return sorted({fact for fact in facts if facts.count(fact) > 1})


@pytest.mark.parametrize(
    "post",
    [
        "## Ann wins 29 : 13.\nThe higher total wins, 29 : 13.",
        "1 more needed (2 can play).\nStarts when both are filled. 1 of 2 seats: starts when both are filled.".lower(),
        "Ratings: <@1> **1526?** +26\nPlayed by <@1> <@2>",
    ],
)
def test_what_a_post_says_twice_is_found(post: str) -> None:
    assert said_twice(post)


@pytest.mark.parametrize("game", GAMES)
async def test_lobby_and_end_say_nothing_twice_and_only_the_lobby_a_part_of_the_commitment(
    tmp_path: Path, game: str
) -> None:
    players = GAMES[game].info.min_players
    async with table(tmp_path / "ambit.db", players) as room:
        number = await room.open(game)
        lobby = room.latest("Join")
        assert not said_twice(lobby.content)
        for person in room.people[1:]:
            await person.click(lobby, label="Join")
            assert not said_twice(room.refreshed(lobby).content)
        if "Start" in labels(room.refreshed(lobby)):
            await room.people[0].click(lobby, label="Start")
        assert not said_twice(room.refreshed(lobby).content)
        await play_to_the_end(room, number)
        match = await room.bot.host.look.match(number)
        assert not said_twice(room.refreshed(lobby).content)
        assert not said_twice(room.latest("Rematch").content)
        assert len(room.latest("Rematch").content.split("\n")) <= 7, "the picture is on a phone's first screen"
        assert match.commitment[:20] in room.refreshed(lobby).content
        seed = (await whole(room.bot.host, match)).hidden.seed.hex()
        places = (room.channel, *(person.user.dm_channel for person in room.people))
        told = [message for place in places for message in place.history() if message.id > lobby.id]
        assert room.latest("Rematch") in told
        for message in told:
            assert match.commitment[:20] not in message.content
            assert seed[:20] not in message.content


async def test_whoever_asks_for_the_file_of_a_match_that_is_over_can_check_it(room3: Table) -> None:
    number = await room3.begin("saboteur", 3)
    early = await at_match(room3.people[0], room3.channel, "logfile", match=number)
    assert "secret until the match is over" in one_sentence(early)
    await play_to_the_end(room3, number)
    assert (await room3.bot.host.look.match(number)).status is Status.OVER
    log = (await at_match(room3.people[0], room3.channel, "log", match=number)).response
    answer = (await room3.people[0].click(log, label="As a file")).response
    assert answer.ephemeral
    (file,) = answer.attachments
    assert file.filename == f"saboteur-{number}.log"
    text = (await file.read()).decode("ascii")
    verified = (await at_match(room3.people[1], room3.channel, "verify", match=number)).response.content
    told = text.partition("\n")[0].removeprefix("# sum=")
    assert f"`{told}`" in verified
    assert list(troubles(text, told)) == []
    assert not log.attachments


async def test_where_files_are_not_allowed_that_is_said(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2, denied="attach_files") as room:
        number = await room.begin("gambo", 2)
        await play_to_the_end(room, number)
        answer = await at_match(room.people[0], room.channel, "logfile", match=number)
        assert "Attach Files" in one_sentence(answer)
