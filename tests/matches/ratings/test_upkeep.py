"""Ratings that must be recomputed: once for all who wait, whatever changes meanwhile."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from random import Random
from typing import Any

import pytest

from db import Connection, Database
from db.model.ids import MatchId
from db.model.rows import Ladder, ResultRow
from db.ratings import kept as ladders
from db.results import keyed
from matches.api import Host, NewMatch, Person, Status
from matches.engine.workers import Workers
from matches.ratings import Ratings, storing
from matches.ratings.ladder import computed
from matches.ratings.storing import FEW
from matches.results.result import Entrant, written
from tests.matches.ratings.test_ratings import ANN, BOB, CACHE, GUILD
from tests.matches.tables import Hosted, at_length, dump, moved, run_due, sql
from tests.statements import statements

OF = Ladder(GUILD, "ambush", 1, False)
ALONE = OF._replace(practice=True)


class Interrupted(Workers):
    """Workers that let something else happen during each piece of work."""

    def __init__(self, meanwhile: Callable[[], Awaitable[Any]]) -> None:
        super().__init__(1)
        self.meanwhile = meanwhile
        self.worked = 0

    async def run(self, *args: Any, **options: Any) -> Any:
        self.worked += 1
        found = await super().run(*args, **options)
        await self.meanwhile()
        return found


async def fill(host: Host, database: Database, of: Ladder = OF, count: int = FEW + 1) -> None:
    """Store enough results for a worker to compute, and nothing but results."""
    rng = Random(1)

    def put(connection: Connection) -> None:
        for number in range(1, count + 1):
            one, other = rng.sample("abcdefg", 2)
            entrants = (Entrant(1, one), Entrant(2, level="easy") if of.practice else Entrant(2, other))
            row = ResultRow(MatchId(number), host.now(), tuple(map(written, entrants)))
            keyed.add_result(connection, of, row)

    await database.write(put)


async def one_more(host: Host, database: Database) -> None:
    def put(connection: Connection) -> None:
        number = keyed.latest_result(connection, OF) + 1
        row = ResultRow(MatchId(number), host.now(), (written(Entrant(1, "a")), written(Entrant(2, "z"))))
        storing.follow(connection, keyed.add_result(connection, OF, row))

    await database.write(put)


async def is_right(database: Database, of: Ladder = OF) -> bool:
    """Whether everything stored of a ladder follows from its results."""
    rows = await at_length(database, keyed.results_of, of)
    whole = computed(of.game, [storing.of_row(*row) for row in rows])
    kept = await dump(database)
    points = sorted(row[4:] for row in kept["rating_points"] if row[:4] == of)
    return (
        await database.read(storing.is_complete, of)
        and await at_length(database, ladders.all_ratings, of) == whole.ratings
        and points == sorted(whole.points)
        and {row[4:] for row in kept["rating_pairs"] if row[:4] == of}
        == {(*pair, *row) for pair, row in whole.pairs.items()}
    )


@pytest.fixture
async def busy(host: Host, database: Database) -> AsyncIterator[tuple[Ratings, Interrupted]]:
    async def nothing() -> None:
        return

    workers = Interrupted(nothing)
    yield Ratings(host.work, workers), workers
    workers.close()


# FOUND P3
async def test_six_who_look_at_once_wait_for_the_same_computation(
    host: Host, database: Database, busy: tuple[Ratings, Interrupted]
) -> None:
    upkeep, workers = busy
    await fill(host, database)
    with statements() as made:
        await asyncio.gather(*(upkeep.bring_up_to_date(OF) for _ in range(6)))
    assert workers.worked == 1
    assert sum(each.startswith("INSERT INTO ladders") for each in made) == 1
    assert await is_right(database)


# FOUND P3
async def test_results_that_come_meanwhile_are_added_behind(host: Hosted, busy: tuple[Ratings, Interrupted]) -> None:
    upkeep, workers = busy
    await fill(host, host.database)
    # One comes with every computation, for ever.
    workers.meanwhile = lambda: one_more(host, host.database)
    await asyncio.wait_for(upkeep.bring_up_to_date(OF), 60)
    assert workers.worked == 1
    assert await is_right(host.database)
    await one_more(host, host.database)
    assert await is_right(host.database)


# FOUND P3
async def test_more_that_came_meanwhile_than_one_transaction_should_compute_are_computed_on_top(
    host: Host, database: Database, busy: tuple[Ratings, Interrupted]
) -> None:
    upkeep, workers = busy
    await fill(host, database)

    async def many() -> None:
        if workers.worked == 1:
            await host.work.write(lambda connection: [add(connection, number) for number in range(FEW + 1)] and None)

    def add(connection: Connection, number: int) -> None:
        seats = tuple(map(written, (Entrant(1, "a"), Entrant(2, "bcd"[number % 3]))))
        keyed.add_result(connection, OF, ResultRow(MatchId(10_000 + number), host.now(), seats))

    workers.meanwhile = many
    await upkeep.bring_up_to_date(OF)
    assert workers.worked == 2
    assert await is_right(database)


# FOUND P3
async def test_whoever_gives_up_waiting_takes_the_computation_from_nobody(
    host: Host, database: Database, busy: tuple[Ratings, Interrupted]
) -> None:
    upkeep, workers = busy
    await fill(host, database)
    first, second = (asyncio.create_task(upkeep.bring_up_to_date(OF)) for _ in range(2))

    async def give_up() -> None:
        first.cancel()

    workers.meanwhile = give_up
    await second
    assert first.cancelled()
    assert workers.worked == 1
    assert await is_right(database)


# FOUND E11
@pytest.mark.parametrize("which", ["number = 1", "number > 300", "true"])
async def test_results_that_vanish_meanwhile_leave_nothing_behind(
    host: Host, database: Database, busy: tuple[Ratings, Interrupted], which: str
) -> None:
    upkeep, workers = busy
    await fill(host, database, ALONE)

    async def vanish() -> None:
        await sql(database, f"DELETE FROM rated_results WHERE {which}")

    workers.meanwhile = vanish
    await upkeep.bring_up_to_date(ALONE)
    assert await is_right(database, ALONE)


# FOUND P3
async def test_deleting_ones_data_touches_ones_own_practice_alone(host: Host, database: Database) -> None:
    async def practise(person: Person, game: str = "ambush") -> None:
        request = NewMatch(game, 1, guild_id=GUILD, computers=("easy",))
        match = await host.lobby.open(request, person)
        if match.status is Status.LOBBY:
            match = await host.lobby.start(match.id, person.user_id)
        match = await moved(host, match)
        await host.play.resign(match.id, person.user_id)

    await practise(ANN)
    await practise(BOB)
    await practise(BOB, "gambo")
    await practise(ANN)
    await practise(ANN)
    before = await dump(database)
    await host.privacy.forget(ANN.user_id)
    await run_due(host)
    with statements() as made:
        for game in ("ambush", "gambo"):
            await host.part(Ratings).bring_up_to_date(Ladder(GUILD, game, 1, True))
    assert not [each for each in made if each.startswith(("INSERT", "DELETE", "UPDATE"))]
    after = await dump(database)
    for name in ("rated_results", "ratings", "rating_points"):
        assert 0 < len(after[name]) < len(before[name])
        assert all(row in before[name] for row in after[name])
    # A reused number stands for its new result.
    await practise(BOB)
    assert await is_right(database, ALONE)
    for name in CACHE:
        await sql(database, f"DELETE FROM {name}")
    kept = await dump(database)
    await host.part(Ratings).bring_up_to_date(ALONE)
    assert (await dump(database))["rated_results"] == kept["rated_results"]
    assert await is_right(database, ALONE)
