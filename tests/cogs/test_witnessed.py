"""Where people read what the deals depend on, and the file by which they check them (docs/fair-deals.md)."""

from __future__ import annotations

from pathlib import Path

import pytest

from docs.verify_deals import troubles
from games import GAMES
from matches.api import Status
from tests.cogs.table import table
from tests.cogs.test_lobby import play_to_the_end
from tests.cogs.test_manners import one_sentence
from tests.slowness import some_slow


@pytest.mark.parametrize("game", ["gambo", "saboteur"])
async def test_whoever_joins_gets_the_commitment_in_private_and_the_number_of_their_press(
    tmp_path: Path, game: str
) -> None:
    async with table(tmp_path / "ambit.db", 3) as room:
        number = await room.open(game)
        answer = await room.people[1].click(room.latest("Join"), label="Join")
        match = await room.bot.host.look.match(number)
        (told,) = answer.followups
        assert told.ephemeral
        assert match.commitment in told.content
        (press,) = match.pressed
        assert press.startswith("join-1")
        assert f"`{press}`" in told.content
        again = await room.people[1].click(room.latest("Join"), label="Join") if game == "saboteur" else None
        if again is not None:
            assert press not in again.followups[0].content, "that press does not count"


async def test_the_press_that_starts_a_match_counts_too(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 3) as room:
        number = await room.begin("saboteur", 3)
        presses = (await room.bot.host.look.match(number)).pressed
        assert [press.partition("-")[0] for press in presses] == ["join", "join", "start"]
        assert len({press.partition("-")[2] for press in presses}) == 3
        assert not any(press.endswith("-0") for press in presses)


@pytest.mark.parametrize("game", some_slow(GAMES, "abissal", "saboteur"))
async def test_the_first_board_of_a_match_says_it_again_and_no_later_one(tmp_path: Path, game: str) -> None:
    players = GAMES[game].info.min_players
    async with table(tmp_path / "ambit.db", players) as room:
        match = await room.bot.host.look.match(await room.begin(game, players))
        first = room.latest("More")
        assert match.commitment in first.content
        await play_to_the_end(room, match.id)
        boards = [message for message in room.channel.history() if message.id > first.id and message.attachments]
        assert boards
        assert not any(match.commitment in message.content for message in boards)


@pytest.mark.slow
async def test_whoever_asks_for_the_file_of_a_match_that_is_over_can_check_it(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 3) as room:
        number = await room.begin("saboteur", 3)
        early = await room.people[0].slash(room.channel, "match log", match=number, file="yes")
        assert "secret until the match is over" in one_sentence(early)
        await play_to_the_end(room, number)
        assert (await room.bot.host.look.match(number)).status is Status.OVER
        answer = (await room.people[0].slash(room.channel, "match log", match=number, file="yes")).response
        assert answer.ephemeral
        (file,) = answer.attachments
        assert file.filename == f"saboteur-{number}.log"
        text = (await file.read()).decode("ascii")
        verified = (await room.people[1].slash(room.channel, "match verify", match=number)).response.content
        told = text.partition("\n")[0].removeprefix("# sum=")
        assert f"`{told}`" in verified
        assert list(troubles(text, told)) == []
        pages = (await room.people[0].slash(room.channel, "match log", match=number, file="no")).response
        assert not pages.attachments


@pytest.mark.slow
async def test_where_files_are_not_allowed_that_is_said(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 2, denied="attach_files") as room:
        number = await room.begin("gambo", 2)
        await play_to_the_end(room, number)
        answer = await room.people[0].slash(room.channel, "match log", match=number, file="yes")
        assert "Attach Files" in one_sentence(answer)
