"""Several processes over one store: who carries a shard, who may identify, and whose clock is wrong."""

import asyncio
import re
import time
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from db import Database, DatabaseError
from db.store.leases import SHARD_BITS, Shards
from matches.api import Host, ManualClock, NewMatch
from matches.engine.processes import Processes, skew_sentence
from tests.db.test_locks import cut
from tests.matches.tables import CHANNEL, PEOPLE, raised
from tests.proxy import Proxy
from tests.store import of_server, of_sqlite

FIRST, SECOND = Shards(2, (0,)), Shards(2, (1,))


class Naps:
    """Sleep that lasts until the test ends it."""

    def __init__(self) -> None:
        self._begun: asyncio.Queue[tuple[float, asyncio.Event]] = asyncio.Queue()

    async def sleep(self, seconds: float) -> None:
        awake = asyncio.Event()
        self._begun.put_nowait((seconds, awake))
        await awake.wait()

    async def next(self) -> tuple[float, asyncio.Event]:
        """How long the next sleeper wants to sleep, and what wakes them."""
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
    await raised(DatabaseError, old.carry(timedelta()), "shard 0")


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


class Machine:
    """A machine with a clock that is off by some seconds, and a monotonic counter that doesn't follow the clock."""

    def __init__(self, off_by: float = 0.0) -> None:
        self.off_by, self._slept = timedelta(seconds=off_by), 0.0

    def now(self) -> datetime:
        return datetime.now(UTC) + self.off_by

    def passed(self) -> float:
        return time.monotonic() - self._slept

    def sleep(self, seconds: float) -> None:
        """Sleep for this long. The clock is set on waking up; the counter doesn't notice the sleep."""
        self._slept += seconds


def of_machine(database: Database, machine: Machine) -> Processes:
    return Processes(database, clock=machine, passed=machine.passed)


def is_about_now(moment: datetime) -> bool:
    """Whether this is about the time of the server, whose clock is this machine's."""
    return abs(moment - datetime.now(UTC)) < timedelta(seconds=1)


async def test_a_clock_like_the_stores_is_no_news(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    process = Processes(database)
    await process.set_clock()
    await process.keep_clock()
    assert caplog.text == ""


@of_sqlite
async def test_a_file_has_no_clock(database: Database, caplog: pytest.LogCaptureFixture) -> None:
    process = Processes(database, clock=ManualClock())
    await process.set_clock()
    assert (process.clock, caplog.text) == (None, "")


@of_server
@pytest.mark.parametrize(("seconds", "how"), [(-60, r"(59|60|61) seconds behind"), (60, r"(59|60) seconds ahead of")])
async def test_a_process_whose_clock_is_off_says_so_at_the_start_and_goes_by_the_servers(
    database: Database, caplog: pytest.LogCaptureFixture, seconds: float, how: str
) -> None:
    process = of_machine(database, Machine(seconds))
    await process.set_clock()
    (line,) = caplog.records
    assert re.match(
        rf"This machine's clock is {how} the database server's\. The bot goes by the server's\.", line.message
    )
    assert is_about_now(process.clock.now())
    await process.keep_clock()
    assert len(caplog.records) == 1, "it was said again"


@of_server
async def test_a_clock_that_jumps_while_the_bot_runs_changes_nothing_and_is_said_each_time(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    machine = Machine()
    process = of_machine(database, machine)
    await process.set_clock()
    assert process.clock is not None
    for seconds in (3600, 0, -3600):
        machine.off_by = timedelta(seconds=seconds)
        assert is_about_now(process.clock.now())
        await process.keep_clock()
        assert is_about_now(process.clock.now())
    assert ["ahead" in caplog.records[0].message, "behind" in caplog.records[1].message] == [True, True]
    assert len(caplog.records) == 2


@of_server
async def test_a_machine_that_has_slept_knows_the_time_again(database: Database) -> None:
    machine = Machine()
    process = of_machine(database, machine)
    await process.set_clock()
    machine.sleep(7200)
    assert not is_about_now(process.clock.now())
    await process.keep_clock()
    assert is_about_now(process.clock.now())


@of_server
async def test_what_one_process_stores_is_due_to_another_at_once_whatever_their_machines_clocks_say(
    url: str, database: Database, other: Database
) -> None:
    hosts = []
    for store, shards, off_by in ((database, FIRST, 3600), (other, SECOND, -3600)):
        process = of_machine(store, Machine(off_by))
        await process.set_clock()
        hosts.append(Host(store, process.clock, name=f"shards {shards.ids}", shards=shards))
    one, two = hosts
    of_second = 1 << SHARD_BITS
    match = await one.lobby.open(NewMatch("gambo", CHANNEL, guild_id=of_second), PEOPLE[0])
    await one.outbox.redraw_lobby(match.id)
    assert await one.outbox.claim() == ()
    assert [row.match_id for row in await two.outbox.claim()] == [match.id]


@of_server
async def test_a_server_that_cannot_tell_the_time_is_said_once_and_the_clock_goes_on(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with Proxy(url) as proxy, await Database.open(proxy.address(url)) as database:
        process = Processes(database)
        await process.set_clock()
        await proxy.refuse()
        await process.keep_clock()
        await process.keep_clock()
    (line,) = caplog.records
    assert line.message.startswith("the store cannot tell now what time it is: ")
    assert is_about_now(process.clock.now())


def test_how_far_a_clock_is_off_is_told_as_a_sentence() -> None:
    assert skew_sentence(timedelta(seconds=-61)) == "This machine's clock is 61 seconds behind the database server's."
    assert skew_sentence(timedelta(seconds=2)) == "This machine's clock is 2 seconds ahead of the database server's."
