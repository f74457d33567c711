"""Everything that is stored about a person, as a file for them."""

from __future__ import annotations

import gzip
import json
from random import Random
from typing import Any

import pytest

from db import Database
from db.model import schema
from db.people import own
from matches.api import Host, PlayerSettings, TooSoon, UserId
from matches.table.limits import LIMITS, Deed
from tests.matches.tables import PEOPLE, moved, play, running
from tests.matches.test_ratings import ANN, BOB, GUILD, resigned

ELSEWHERE = {"seats": "with its match", "outbox": "what somebody is about to be told", "forgotten": "a wish"}
"""Tables with people's ids that the file doesn't list row by row, and why."""


async def exported(host: Host, user_id: UserId) -> dict[str, Any]:
    made = await host.privacy.exported(user_id)
    found: dict[str, Any] = json.loads(gzip.decompress(made.data))
    return found


def test_every_table_that_names_a_person_is_in_the_file_or_says_why_not() -> None:
    named = {table.name for table in schema.metadata.sorted_tables if "user_id" in table.columns}
    assert named == {table.name for table in own.ABOUT} | set(ELSEWHERE)


# FOUND S1
async def test_p36_own_results_are_told_in_full_with_matches_and_moments(host: Host) -> None:
    matches = [await resigned(host, loser) for loser in (BOB, ANN)]
    alone = await moved(host, await running(host, "ambush", 1, 1, guild_id=GUILD))
    matches.append(await host.play.resign(alone.id, ANN.user_id))
    found = await exported(host, ANN.user_id)
    assert [(each["match_id"], each["place"]) for each in found["results"]] == [
        (matches[0].id, 1),
        (matches[1].id, 2),
        (matches[2].id, 2),
    ]
    assert [each["ended_at"] for each in found["results"]] == [match.ended_at.isoformat() for match in matches]
    assert [(each["id"], each["name"], each["opened"]) for each in found["matches"]] == [
        (match.id, "Ann", True) for match in matches
    ]


async def test_nothing_of_anybody_else_is_in_the_file_and_no_move_of_a_match_that_goes_on(
    host: Host, database: Database
) -> None:
    over = await running(host, "gambo", 2, guild_id=GUILD)
    for seed in range(4):
        over = await play(host, over, Random(seed))
    await host.play.resign(over.id, BOB.user_id)
    goes_on = await running(host, "abissal", 2, guild_id=GUILD)
    for seed in range(3):
        goes_on = await play(host, goes_on, Random(seed))
    await host.settings.set_player_settings(ANN.user_id, PlayerSettings(hidden=True))
    found = await exported(host, ANN.user_id)
    seat = over.seat_of(ANN.user_id)
    assert seat is not None
    lines = list((await host.look.replay(over.id, None, everything=True)).shown(0, over.ply))
    assert [(each["match_id"], each["ply"], each["action"]) for each in found["moves"]] == [
        (over.id, line.ply, line.text) for line in lines if line.player == seat.seat
    ]
    assert {each["id"] for each in found["matches"]} == {over.id, goes_on.id}
    text = json.dumps(found)
    assert "Bob" not in text
    keys = await host.work.read_at_length(None, lambda connection: own.ratings_of(connection, ANN.user_id))
    assert not [each for each in keys if each.key in text]
    assert found["about"]["player_settings"][0]["hidden"] is True
    assert not (await exported(host, PEOPLE[5].user_id))["matches"]


async def test_whoever_is_forgotten_has_an_empty_file(host: Host) -> None:
    await resigned(host)
    await host.privacy.forget(ANN.user_id)
    found = await exported(host, ANN.user_id)
    assert (found["about"], found["matches"], found["moves"], found["results"]) == ({}, [], [], [])


async def test_nobody_has_their_data_written_without_end(host: Host) -> None:
    for _ in range(LIMITS[Deed.RESULTS].most):
        await exported(host, ANN.user_id)
    with pytest.raises(TooSoon, match=LIMITS[Deed.RESULTS].refusal):
        await exported(host, ANN.user_id)
    await exported(host, BOB.user_id)
