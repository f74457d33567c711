"""Several processes over one store: who carries a shard, who may identify, and whose clock is wrong."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from db import Database, DatabaseError
from db.leases import Shards
from matches import ManualClock
from matches.processes import Processes, told
from tests.db.test_locks import cut
from tests.store import of_server, of_sqlite

FIRST, SECOND = Shards(2, (0,)), Shards(2, (1,))


class Naps:
    """Whoever sleeps here sleeps until they are woken."""

    def __init__(self) -> None:
        self._begun: asyncio.Queue[tuple[float, asyncio.Event]] = asyncio.Queue()

    async def sleep(self, seconds: float) -> None:
        awake = asyncio.Event()
        self._begun.put_nowait((seconds, awake))
        await awake.wait()

    async def next(self) -> tuple[float, asyncio.Event]:
        """For how long the next one goes to sleep, and what wakes them."""
        return await self._begun.get()


@pytest.fixture
async def other(database: Database, url: str) -> AsyncIterator[Database]:
    """The same store, opened by another process."""
    async with await Database.open(url) as other:
        yield other


async def test_a_successor_waits_for_the_shards_until_they_are_passed_on(database: Database, other: Database) -> None:
    naps = Naps()
    old, new = Processes(database, FIRST), Processes(other, FIRST, sleep=naps.sleep)
    await old.carry()
    waiting = asyncio.create_task(new.carry(timedelta(minutes=1)))
    _, awake = await naps.next()
    await old.pass_on()
    awake.set()
    await waiting
    assert await old.keep() is None, "who has passed its shards on has lost none"
    with pytest.raises(DatabaseError, match="shard 0"):
        await old.carry(timedelta())


@of_server
async def test_a_process_is_told_why_it_has_to_end_when_another_has_taken_its_shard(
    database: Database, other: Database, caplog: pytest.LogCaptureFixture
) -> None:
    old, new = Processes(database, FIRST), Processes(other, FIRST)
    await old.carry()
    assert await old.keep() is None
    await other.write(cut)
    await new.carry()
    why = await old.keep()
    assert why is not None
    assert why.startswith("Another process carries shard 0")
    assert caplog.text == ""


# Identifying.


async def test_shards_of_a_bucket_identify_five_seconds_apart_whatever_process_has_them(
    database: Database, other: Database
) -> None:
    mine, theirs = Naps(), Naps()
    first, second = Processes(database, FIRST, sleep=mine.sleep), Processes(other, SECOND, sleep=theirs.sleep)
    await first.identify_in_turn(0)
    seconds, over = await mine.next()
    assert seconds == 5
    await second.identify_in_turn(1)
    await theirs.next()
    waiting = asyncio.create_task(second.identify_in_turn(0))
    _, awake = await theirs.next()
    awake.set()
    _, awake = await theirs.next()
    assert not waiting.done()
    over.set()
    while not waiting.done():
        awake.set()
        looking = asyncio.create_task(theirs.next())
        await asyncio.wait({waiting, looking}, return_when=asyncio.FIRST_COMPLETED)
        if looking.done():
            _, awake = looking.result()
        looking.cancel()


async def test_a_shard_that_is_to_identify_again_waits_for_its_own_turn_too(database: Database) -> None:
    naps = Naps()
    process = Processes(database, FIRST, sleep=naps.sleep)
    await process.identify_in_turn(0)
    await naps.next()
    again = asyncio.create_task(process.identify_in_turn(0))
    seconds, _ = await naps.next()
    assert seconds < 1
    assert not again.done()
    again.cancel()


async def test_nobody_waits_for_a_process_that_died_while_it_identified(database: Database, other: Database) -> None:
    first, second = Processes(database, FIRST, sleep=Naps().sleep), Processes(other, SECOND, sleep=Naps().sleep)
    await first.identify_in_turn(0)
    await database.close()
    await second.identify_in_turn(0)


@of_sqlite
async def test_where_the_store_cannot_be_asked_five_seconds_are_waited(
    database: Database, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tmp_path.joinpath("ambit.db.identify-0").mkdir()
    naps = Naps()
    waiting = asyncio.create_task(Processes(database, FIRST, sleep=naps.sleep).identify_in_turn(0))
    seconds, awake = await naps.next()
    assert seconds == 5
    awake.set()
    await waiting
    assert "a shard identifies without knowing of the others" in caplog.text


# Clocks.


async def test_a_clock_like_the_stores_is_no_news(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    process = Processes(database)
    await process.check_clock()
    await process.look_at_clock()
    assert caplog.text == ""


@of_sqlite
async def test_a_file_has_no_other_clock_than_this_machine(database: Database) -> None:
    assert await Processes(database, clock=ManualClock()).ahead() == timedelta()


def off_by(seconds: float) -> ManualClock:
    return ManualClock(datetime.now(UTC) + timedelta(seconds=seconds))


@of_server
@pytest.mark.parametrize(("seconds", "how"), [(-60, r"(59|60|61) seconds behind"), (60, r"(59|60) seconds ahead of")])
async def test_a_process_whose_clock_is_far_off_does_not_start(database: Database, seconds: float, how: str) -> None:
    with pytest.raises(DatabaseError, match=rf"^This machine's clock is {how} the database server's\. Set both by NTP"):
        await Processes(database, clock=off_by(seconds)).check_clock()


@of_server
async def test_a_process_whose_clock_is_a_little_off_says_so_and_starts(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    await Processes(database, clock=off_by(10)).check_clock()
    (line,) = caplog.records
    assert (line.levelname, "seconds ahead of the database server's" in line.message) == ("WARNING", True)


@of_server
async def test_a_clock_that_goes_wrong_while_the_bot_runs_is_an_error_in_the_log(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    await Processes(database, clock=off_by(40)).look_at_clock()
    (line,) = caplog.records
    assert line.levelname == "ERROR"


def test_how_far_a_clock_is_off_is_told_as_a_sentence() -> None:
    assert told(timedelta(seconds=-61)) == "This machine's clock is 61 seconds behind the database server's."
    assert told(timedelta(seconds=2)) == "This machine's clock is 2 seconds ahead of the database server's."
