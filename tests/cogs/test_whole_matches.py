"""Whole matches of Saboteur in SimCord by commands and buttons alone; the results equal a replay of the stored log."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from db import matches as queries
from games import GAMES
from games.core import CHANCE
from games.log import Header, Line, replay, to_text
from matches import Status
from tests.cogs.table import Table, play_by_panel, table

MAX_MOVES = 700


async def stored_log(room: Table, number: int) -> tuple[Header, tuple[Line, ...]]:
    """The log as it stands in the database file."""
    match = await room.bot.host.match(number)
    async with room.bot.database.reading() as connection:
        rows = await queries.lines(connection, number)
    header = Header(match.game, len(match.seats), match.options, match.rules_version)
    return header, tuple(Line(*row) for row in rows)


async def assert_result_equals_replay(room: Table, number: int) -> None:
    """The final post tells what a replay of the stored log comes to, and the deals are fair."""
    header, lines = await stored_log(room, number)
    *_, (_, final) = replay(header, lines)
    assert final.is_terminal, to_text(header, lines)
    match = await room.bot.host.match(number)
    assert match.status is Status.OVER
    post = room.latest("Rematch", room.place()).content
    for seat, nuggets in enumerate(final.returns()):
        assert f"{match.people[seat]}: {nuggets:.0f} nugget" in post
    assert (await room.bot.host.verify(number)).ok
    assert sum(line.player == CHANCE for line in lines) >= 10


async def play_by_slash(room: Table, actor: Any, rng: random.Random) -> Any:
    """Fill in the options of ``/saboteur play`` from what autocomplete offers, one after the other."""
    filled: dict[str, str] = {}
    for step in (step.name for step in GAMES["saboteur"].info.steps):
        offers = await actor.autocomplete(room.place(), "saboteur play", step, "", **filled)
        if offers:
            filled[step] = rng.choice(offers)["value"]
    shown = (await actor.slash(room.place(), "saboteur play", **filled)).response
    assert shown is not None
    return shown


async def play_on(room: Table, number: int, rng: random.Random, *, how: str, restart_every: int = 0) -> int:
    """Play until the match is over; how many moves it took."""
    for moves in range(MAX_MOVES):
        if (await room.bot.host.match(number)).status is not Status.RUNNING:
            return moves
        if restart_every and moves % restart_every == restart_every - 1:
            await room.restart()
        actor, message = room.to_play()
        by_slash = how == "slash" or (how == "both" and moves % 2)
        if by_slash and hasattr(actor, "guild"):
            await play_by_slash(room, actor, rng)
        else:
            await play_by_panel(actor, message, rng)
    pytest.fail("the match has no end")


async def test_three_people_play_a_whole_match_through_the_panel(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 3) as room:
        number = await room.begin("saboteur", 3)
        await play_on(room, number, random.Random(1), how="panel")
        await assert_result_equals_replay(room, number)


async def test_ten_people_with_closed_dms_play_a_whole_match_by_command(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 10) as room:
        room.close_dms()
        number = await room.begin("saboteur", 10, players=10)
        await play_on(room, number, random.Random(2), how="slash")
        await assert_result_equals_replay(room, number)


async def test_a_match_goes_on_although_the_bot_restarts_after_every_tenth_action(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 3) as room:
        number = await room.begin("saboteur", 3, where="thread")
        await play_on(room, number, random.Random(3), how="both", restart_every=10)
        await assert_result_equals_replay(room, number)
