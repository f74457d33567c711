"""Everything that is stored about a person, as a file for them."""

import gzip
import json
import re
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from sqlalchemy import Connection, insert, select

from db import KEPT, Database
from db.model import schema
from db.people import own
from db.puzzles import kept as puzzles
from db.puzzles.rows import SolverRow
from games.core import CHANCE
from matches.api import Host, MatchId, NewMatch, Person, PlayerSettings, TooSoon, UserId
from matches.lessons import LessonPage, Lessons
from matches.orders import Orders
from matches.pledges import CallMeRow, Pledges
from matches.puzzles import Puzzles
from matches.puzzles.standing import PuzzlePage
from matches.review import Reviews
from matches.table.limits import Deed
from tests.matches.pledges.promising import pledge
from tests.matches.puzzles.made import WRONG, Book, made
from tests.matches.ratings.test_ratings import ANN, BOB, CLEO, GUILD, resigned
from tests.matches.tables import CHANNEL, DAY, PEOPLE, Hosted, lobby, moved, play, raised, running
from tests.statements import statements

TOLD = {
    **{table.name: ("about", table.name) for table in own.ABOUT},
    "matches": ("matches",),
    "seats": ("matches",),
    "ratings": ("ratings",),
    "rating_points": ("results",),
    "rated_results": ("results",),
}
"""By table that deleting a person changes: where in the file its data about the person is."""

OF_NOBODY = {
    "ladders": "how far a cache is computed",
    "deadlines": "what a match does when a time is up",
    "presses": "which presses changed a lobby, not whose they were",
}
"""Tables that deleting a person may change, though these tables say nothing about the person."""

ZED = Person(UserId(987_654_321_012_345_678), "Zed Zwart")


async def exported(host: Host, user_id: UserId) -> dict[str, Any]:
    made = await host.privacy.exported(user_id)
    found: dict[str, Any] = json.loads(gzip.decompress(made.data))
    return found


def changed(made: Sequence[str]) -> set[str]:
    """The tables that these statements update or delete from."""
    found = (re.match(r"(?:UPDATE|DELETE FROM) (\w+)", statement) for statement in made)
    return {match[1] for match in found if match is not None}


async def with_everything(host: Host) -> None:
    """Give Zed a row in every table that can hold one about a person."""
    await host.settings.set_player_settings(ZED.user_id, PlayerSettings(large=True))
    await host.settings.block(ZED.user_id, PEOPLE[8].user_id)
    await host.settings.bar(GUILD + 1, ZED.user_id, host.now() + DAY)
    await pledge(host, ZED)
    await host.part(Pledges).call_me(GUILD, ZED.user_id, "gambo", CallMeRow(CHANNEL))
    puzzled = host.part(Puzzles)
    puzzled.book = Book.of_shelf(made("one"))
    await puzzled.answer(PuzzlePage(ZED.user_id, "one", None, 987_654_321_012_345_678), WRONG)
    await puzzled.report(PuzzlePage(ZED.user_id, "one", None, None, GUILD))
    await host.work.write(puzzles.put_solver, ZED.user_id, 3, SolverRow(name=ZED.name, tries=1, run=1, best=1))
    await host.part(Lessons).skip(LessonPage(ZED.user_id, "ambush", None, 987_654_321_012_345_679))
    for others in ((BOB,), ()):
        # One result that counts, and one of practice.
        match = await host.lobby.open(NewMatch("ambush", CHANNEL, guild_id=GUILD), ZED)
        for person in others:
            match = await host.lobby.join(match.id, person)
        if not others:
            match = await host.lobby.add_computer(match.id, ZED.user_id)
        # Zed has a list of blocked people, so the table waits for its host.
        match = await host.lobby.start(match.id, ZED.user_id)
        await host.play.resign((await moved(host, match)).id, ZED.user_id)
    await host.part(Reviews).ask(match.id, ZED.user_id)
    await lobby(host, "saboteur", invited=(ZED.user_id, BOB.user_id))
    match = await host.lobby.open(NewMatch("saboteur", CHANNEL, guild_id=GUILD), ZED)
    for person in (ANN, BOB, CLEO):
        await host.lobby.join(match.id, person)
    await host.lobby.start(match.id, ZED.user_id)
    match = await host.look.match(match.id)
    while match.waits_for(ZED.user_id):
        match = await play(host, match, Random(1))
    await host.part(Orders).instruct(match.id, ZED.user_id, "gold", ply=match.ply)
    await host.votes.cancel(match.id, ZED.user_id)
    await host.play.depart(match.id, ANN.user_id)
    await host.absence.apply(match.id, PEOPLE[5])
    await host.absence.agree(match.id, ZED.user_id, PEOPLE[5].user_id)
    other = await running(host, "saboteur", 3, computers=1)
    await host.absence.apply(other.id, ZED)
    await host.work.write(of_features, match.id)


def of_features(connection: Connection, match_id: MatchId) -> None:
    """Give Zed a row in each table of a feature in which there is none yet. What it says doesn't matter here."""
    for table in (each.table for each in KEPT if "user_id" in each.table.columns):
        if connection.execute(select(table.c.user_id).where(table.c.user_id == ZED.user_id)).first() is None:
            plain: dict[str, Any] = {column.name: column.type.python_type() for column in table.columns}
            known = {"user_id": ZED.user_id, "match_id": match_id}
            connection.execute(insert(table).values({name: known.get(name, value) for name, value in plain.items()}))


async def test_p36_the_file_has_every_table_that_deleting_touches(host: Host) -> None:
    await with_everything(host)
    found = await exported(host, ZED.user_id)
    with statements() as made:
        await host.privacy.forget_wholly(ZED.user_id)
    touched = changed(made) - OF_NOBODY.keys()
    assert touched == TOLD.keys() - {"bars"}, "a bar stays, and is in the file all the same"
    for table in TOLD.keys() - {"forgotten"}:
        section: Any = found
        for name in TOLD[table]:
            section = section[name]
        assert section, table
    assert (await exported(host, ZED.user_id))["about"].keys() == {"bars"}


async def test_p36_the_file_says_what_open_tables_hold_about_the_person(host: Host) -> None:
    await with_everything(host)
    found = await exported(host, ZED.user_id)
    assert [(each["status"], each["opened"], each["invited"]) for each in found["matches"]] == [
        ("over", True, False),
        ("over", True, False),
        ("lobby", False, True),
        ("running", True, False),
    ]
    number = found["matches"][-1]["id"]
    assert [(each["match_id"], each["agreed"]) for each in found["answers"]] == [(number, True)]
    assert [(each["match_id"], each["choice"]) for each in found["about"]["votes"]] == [(number, "cancel")]
    assert [each["other_id"] for each in found["about"]["kept_away"]] == [PEOPLE[8].user_id]
    assert [(each["practice"], each["place"]) for each in found["results"]] == [(False, 2), (True, 2)]
    assert [(each["practice"], each["matches"]) for each in found["ratings"]] == [(False, 1), (True, 1)]
    assert [each["results"] for each in found["encounters"]] == [1]


async def test_nobody_learns_from_their_file_who_keeps_away_from_them(host: Host) -> None:
    await resigned(host)
    before = await exported(host, ANN.user_id)
    await host.settings.block(BOB.user_id, ANN.user_id)
    after = await exported(host, ANN.user_id)
    assert before | {"made_at": ""} == after | {"made_at": ""}


@pytest.mark.parametrize("game", ["saboteur", "abissal"])
async def test_the_file_holds_no_seed_and_no_card_of_a_match_that_goes_on(host: Hosted, game: str) -> None:
    match = await running(host, game, 3, guild_id=GUILD)
    for seed in range(3):
        match = await play(host, match, Random(seed))
    text = json.dumps(await exported(host, ANN.user_id))
    seed_of = select(schema.matches.c.seed)
    secret: bytes = await host.database.read(lambda connection: connection.execute(seed_of).scalar_one())
    assert secret.hex() not in text
    dealt = [line.action for line in await lines_of(host.database, match.id) if line.player == CHANCE]
    assert dealt
    assert not [action for action in dealt if action in text]
    assert json.loads(text)["moves"] == []


async def lines_of(database: Database, number: MatchId) -> list[Any]:
    statement = select(schema.log).where(schema.log.c.match_id == number)
    return await database.read(lambda connection: list(connection.execute(statement).all()))


async def test_whoever_took_a_seat_over_has_only_their_own_moves_in_the_file(host: Host) -> None:
    match = await running(host, "saboteur", 3, guild_id=GUILD)
    for seed in range(3):
        match = await play(host, match, Random(seed))
    taken = match.own_seat(ANN.user_id).seat
    before = match.ply
    await host.play.depart(match.id, ANN.user_id)
    await host.absence.apply(match.id, PEOPLE[7])
    for voter in (BOB, CLEO):
        await host.absence.agree(match.id, voter.user_id, PEOPLE[7].user_id)
    match = await host.look.match(match.id)
    assert match.own_seat(PEOPLE[7].user_id).seat == taken
    made = 0
    while made < 2:
        mover = match.mover
        made += mover.user_id == PEOPLE[7].user_id
        match = await play(host, match, Random(made))
    await host.votes.cancel(match.id, UserId(0), moderator=True)
    mine = (await exported(host, PEOPLE[7].user_id))["moves"]
    assert len(mine) == 2
    assert min(move["ply"] for move in mine) > before
    assert (await exported(host, ANN.user_id))["moves"] == []


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


async def test_nothing_of_anybody_else_is_in_the_file_and_no_move_of_a_match_that_goes_on(host: Hosted) -> None:
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
    keys = await host.work.read_at_length(None, lambda connection: own.keys_of(connection, ANN.user_id))
    assert not [key for _, key in keys if key in text]
    assert found["about"]["player_settings"][0]["hidden"] is True
    assert not (await exported(host, PEOPLE[5].user_id))["matches"]


async def test_whoever_is_forgotten_has_an_empty_file(host: Host) -> None:
    await resigned(host)
    await host.privacy.forget(ANN.user_id)
    found = await exported(host, ANN.user_id)
    assert found["about"].keys() == {"forgotten"}, "the wish itself, until the last row is rewritten"
    assert not [name for name, rows in found.items() if isinstance(rows, list) and rows]
    await host.privacy.forget_wholly(ANN.user_id)
    assert (await exported(host, ANN.user_id))["about"] == {}


async def test_nobody_has_their_data_written_without_end(host: Host) -> None:
    for _ in range(Deed.RESULTS.most):
        await exported(host, ANN.user_id)
    await raised(TooSoon, exported(host, ANN.user_id), Deed.RESULTS.refusal)
    await exported(host, BOB.user_id)
