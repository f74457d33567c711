"""People whose board is late read so in their first answer, and nobody else does (`cogs/press/coming_back.py`)."""

import random
from pathlib import Path

import pytest

from games import GAMES
from matches.api import Lost
from tests.cogs.table import LONG, Clocked, at_match, clocked, play_by_panel
from tests.cogs.test_refused import board_path

LATE = "board was due"


async def more(timed: Clocked, person: int = 0) -> str:
    """What somebody reads who presses **More** under the latest board."""
    answer = (await timed.people[person].click(timed.latest("⋯"), label="⋯")).response
    return str(answer.content)


@pytest.mark.parametrize("game", GAMES)
async def test_a_turn_that_takes_its_time_is_not_called_late(game: str, tmp_path: Path) -> None:
    async with clocked(tmp_path / "ambit.db", GAMES[game].info.min_players) as timed:
        await timed.begin(game, len(timed.people), **LONG.get(game, {}))
        rng = random.Random(7)
        for _ in range(4):
            mover = (await timed.match()).mover
            if mover is None or mover.user_id is None:
                return
            await timed.later(seconds=100)
            answer = await play_by_panel(timed.person(mover.user_id), timed.latest("Play"), rng)
            assert LATE not in answer.content
            await timed.later(seconds=100)
            assert LATE not in await more(timed)


async def test_who_presses_while_discord_refuses_boards_reads_it_once_and_since_when(timed_saboteur: Clocked) -> None:
    for _ in range(2):
        timed_saboteur.env.inject_error("POST", board_path(timed_saboteur), status=503, times=None)
        due = int(timed_saboteur.clock.now().timestamp())
        await timed_saboteur.move()
        assert LATE not in await more(timed_saboteur), "it isn't late yet"
        await timed_saboteur.later(seconds=40)
        board = timed_saboteur.latest("⋯")
        for person, way in zip(timed_saboteur.people, ("My hand", "⋯", "/match"), strict=True):
            for again in (False, True):
                slash = person.slash(timed_saboteur.channel, way[1:], match=1) if way.startswith("/") else None
                read = (await (slash or person.click(board, label=way))).response.content
                late = f"The newest board was due <t:{due}:R>, but Discord isn't taking it yet. I keep trying"
                assert (f"\n-# {late}, and you can play on without it." in read) is not again, "said once"
        timed_saboteur.env.backend.faults.clear()
        await timed_saboteur.later(minutes=1)
        assert LATE not in await more(timed_saboteur)


async def test_an_answer_that_discord_does_not_take_has_told_nobody(timed_gambo: Clocked) -> None:
    timed_gambo.env.inject_error("POST", board_path(timed_gambo), status=503, times=None)
    await timed_gambo.move()
    await timed_gambo.later(seconds=40)
    for path in ("/interactions/*/callback", "/webhooks/*"):
        timed_gambo.env.inject_error("POST", path, status=403, times=None)
    await timed_gambo.people[0].click(timed_gambo.latest("⋯"), label="⋯")
    timed_gambo.env.backend.faults.clear()
    assert LATE in await more(timed_gambo)


async def test_the_final_board_is_late_like_any_other(timed_gambo: Clocked) -> None:
    for _ in timed_gambo.people:
        await timed_gambo.move()
    timed_gambo.env.inject_error("POST", board_path(timed_gambo), status=503, times=None)
    asked = await at_match(timed_gambo.people[1], timed_gambo.channel, "resign")
    await timed_gambo.people[1].click(asked.response, label="Yes, resign")
    await timed_gambo.later(seconds=40)
    told = await more(timed_gambo)
    assert "-# The final board was due <t:" in told
    assert told.endswith("I keep trying, and `/match` shows it now.")
    assert LATE not in await more(timed_gambo)
    assert LATE in await more(timed_gambo, 1)


async def test_who_plays_where_nothing_can_be_posted_reads_what_to_do(timed3: Clocked) -> None:
    await timed3.begin("gambo", 2)
    timed3.env.inject_error("POST", board_path(timed3), status=400, code=40058, times=None)
    await timed3.move()
    assert (await timed3.match()).lost is Lost.PLACE
    why = "a forum takes no messages outside its posts"
    told = f"-# I can't post the board where this match is played: {why}. `/match` in another channel has **Move here**"
    assert told in await more(timed3)
    assert "I can't post" not in await more(timed3)
    assert "I can't post" not in await more(timed3, 2), "somebody who watches can't move it"
