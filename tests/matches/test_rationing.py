"""New direct messages are rationed (P32): one budget for all processes, whatever the clock and the process do."""

import asyncio
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from db import Connection, Database
from db.people import dms
from matches.api import Dm, Host, ManualClock, MatchId, Ration, Seat, UserId
from matches.delivery.dms import FIRST_PAUSE, LONGEST_PAUSE, Door
from tests.db.pausing import pause
from tests.matches.tables import PEOPLE, Hosted, lobby, sql

ANN, BOB = PEOPLE[:2]
SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)
DAY = timedelta(days=1)


async def opened(host: Host, times: int, *, asked: bool = True, first: int = 1000) -> int:
    """Let this many people ask for a new direct message at once. Return how many may have one."""
    doors = await asyncio.gather(*(host.dms.door(UserId(first + each), asked=asked) for each in range(times)))
    assert all(door.new and door.channel_id is None for door in doors if door.may_open)
    return sum(door.may_open for door in doors)


@pytest.fixture
async def another(url: str, database: Database, clock: ManualClock) -> AsyncIterator[Host]:
    """The host of another process over the same store."""
    async with await Database.open(url) as theirs:
        yield Host(theirs, clock, name="another")


async def test_p32_within_any_minute_and_any_day_no_more_are_opened(host: Host, clock: ManualClock) -> None:
    assert await opened(host, 3) == 3
    clock.advance(MINUTE / 2)
    assert await opened(host, 3) == 2
    clock.advance(MINUTE / 2 - SECOND)
    assert await opened(host, 3) == 0
    clock.advance(SECOND)
    assert await opened(host, 9) == 3
    total = 8
    for _ in range(30):
        clock.advance(MINUTE)
        total += await opened(host, 9)
    assert total == 100
    clock.advance(DAY - 31 * MINUTE - SECOND)
    assert await opened(host, 9) == 0
    clock.advance(SECOND)
    assert await opened(host, 9) == 3


@pytest.mark.parametrize("asks", [300, pytest.param(10_000, marks=pytest.mark.soak)])
async def test_p32_an_hour_of_asking_by_two_processes_keeps_to_the_ration(
    host: Host, another: Host, clock: ManualClock, asks: int
) -> None:
    at: list[datetime] = []
    for each in range(asks // 2):
        doors = await asyncio.gather(*(each_host.dms.door(UserId(each), asked=True) for each_host in (host, another)))
        at += [clock.now() for door in doors if door.may_open]
        clock.advance(timedelta(hours=1) / (asks // 2))
    assert len(at) == 100
    assert max(sum(begin <= moment < begin + MINUTE for moment in at) for begin in at) == 5


async def test_p32_two_processes_share_one_budget(host: Host, another: Host, clock: ManualClock) -> None:
    for _ in range(3):
        granted = await asyncio.gather(opened(host, 20), opened(another, 20))
        assert sum(granted) == 5
        clock.advance(MINUTE)
    host.dms.ration = another.dms.ration = Ration(1000, 100)
    granted = await asyncio.gather(opened(host, 100), opened(another, 100))
    assert sum(granted) == 100 - 15


async def test_p32_what_nobody_asked_for_gets_a_part_and_who_presses_the_rest(host: Host, clock: ManualClock) -> None:
    assert await opened(host, 9, asked=False) == 2
    assert await opened(host, 9) == 3
    clock.advance(MINUTE)
    # People who press may use the whole budget.
    assert await opened(host, 9) == 5
    assert await opened(host, 9, asked=False) == 0
    host.dms.ration = Ration(1000, 100)
    clock.advance(DAY)
    assert await opened(host, 50, asked=False) == 40
    assert await opened(host, 70) == 60


async def test_p32_a_restart_keeps_the_budget_and_the_pause(host: Host, another: Host, clock: ManualClock) -> None:
    assert await opened(host, 4) == 4
    assert await opened(another, 9) == 1
    assert await host.dms.pause_dms() == clock.now() + FIRST_PAUSE
    clock.advance(FIRST_PAUSE - SECOND)
    assert await opened(another, 1) == 0
    clock.advance(SECOND)
    assert await opened(another, 1) == 1


@pytest.mark.parametrize("back", [SECOND / 1000, timedelta(hours=3), 400 * DAY])
async def test_p32_a_clock_that_is_set_back_gives_no_more_and_withholds_nothing(host: Hosted, back: timedelta) -> None:
    assert await opened(host, 9) == 5
    host.clock.advance(-back)
    assert await opened(host, 9) == 0
    host.clock.advance(MINUTE)
    assert await opened(host, 9) == 5
    host.dms.ration = Ration(1000, 10)
    host.clock.advance(DAY - MINUTE)
    assert await opened(host, 9) == 5


@pytest.mark.parametrize("back", [SECOND / 1000, timedelta(hours=3), 400 * DAY])
async def test_p32_a_pause_is_as_long_as_it_was_after_the_clock_is_set_back(host: Hosted, back: timedelta) -> None:
    await host.dms.pause_dms()
    host.clock.advance(-back)
    assert await opened(host, 1) == 0
    host.clock.advance(FIRST_PAUSE - SECOND)
    assert await opened(host, 1) == 0
    host.clock.advance(SECOND)
    assert await opened(host, 1) == 1


async def test_p32_pauses_double_up_to_a_day_until_one_is_opened_well(host: Host, clock: ManualClock) -> None:
    waits = []
    for _ in range(10):
        began = clock.now()
        until = await host.dms.pause_dms()
        assert until is not None
        waits.append(until - began)
        assert await host.dms.pause_dms() is None, "it is known already"
        clock.advance(until - began)
    assert waits == [min(LONGEST_PAUSE, FIRST_PAUSE * 2**each) for each in range(10)]
    # A known direct message says nothing about new ones.
    await host.dms.note_dm(BOB.user_id, open=True)
    assert await host.dms.pause_dms() == clock.now() + LONGEST_PAUSE
    clock.advance(LONGEST_PAUSE)
    await host.dms.note_dm(ANN.user_id, open=True, new=True)
    assert await host.dms.pause_dms() == clock.now() + FIRST_PAUSE


async def test_p32_what_was_on_its_way_when_a_pause_began_does_not_end_it(host: Hosted, another: Host) -> None:
    noted = await asyncio.gather(host.dms.pause_dms(), another.dms.pause_dms())
    assert sorted(noted, key=str) == [host.clock.now() + FIRST_PAUSE, None], "two refusals at once are one pause"
    await another.dms.note_dm(ANN.user_id, open=True, new=True)
    assert await opened(host, 1) == 0


async def test_p32_known_channels_cost_nothing_and_those_known_to_be_open_are_not_counted(host: Host) -> None:
    host.dms.ration = Ration(0, 0)
    await host.dms.note_dm_channel(ANN.user_id, 77)
    await host.dms.note_dm(BOB.user_id, open=True)  # by a program that did not record where
    door = await host.dms.door(ANN.user_id, asked=False)
    assert (door.dm, door.channel_id) == (Dm.UNKNOWN, 77)
    door = await host.dms.door(BOB.user_id, asked=False)
    assert (door.dm, door.may_open, door.new) == (Dm.OPEN, True, False)
    await host.dms.note_dm(ANN.user_id, open=False)
    door = await host.dms.door(ANN.user_id, asked=True)
    assert (door.dm, door.channel_id) == (Dm.CLOSED, 77)
    await host.dms.note_dm_channel(ANN.user_id, None)
    assert await host.dms.door(ANN.user_id, asked=True) == Door(Dm.UNKNOWN)
    await host.dms.pause_dms()
    assert not (await host.dms.door(BOB.user_id, asked=True)).may_open


async def test_p32_whoever_is_refused_does_not_wait_for_whoever_writes(
    host: Host, another: Host, database: Database, clock: ManualClock, tmp_path: Path
) -> None:
    assert await opened(host, 9) == 5
    with pause(tmp_path / "ambit.db") as standing_still:

        def write(connection: Connection) -> None:
            # Keep other processes from deciding who may get a new direct message.
            dms.standing(connection, clock.now(), lock=True)
            standing_still.here(connection)

        writer = asyncio.create_task(database.write(write))
        await standing_still.reached.wait()
        assert await asyncio.wait_for(opened(another, 9), 20) == 0
        standing_still.end()
        await writer


async def test_p32_what_is_kept_of_openings_names_nobody_and_not_for_long(host: Hosted) -> None:
    for _ in range(3):
        assert await opened(host, 9) == 5
        host.clock.advance(DAY)
    rows = await host.database.read(lambda connection: connection.exec_driver_sql("SELECT * FROM dm_openings").all())
    assert len(rows) == 5


async def seat(host: Host, number: MatchId) -> Seat:
    return (await host.look.match(number)).seats[0]


async def test_p32_a_person_decides_how_private_things_come_else_the_server(host: Host, database: Database) -> None:
    number = (await lobby(host, "saboteur", guild_id=5)).id
    await host.dms.note_dm(ANN.user_id, open=True)
    found = []
    for server in ("dm", "button"):
        await sql(database, "DELETE FROM guild_settings")
        await sql(
            database,
            "INSERT INTO guild_settings (guild_id, setting, pace, who_cancels, private)"
            f" VALUES (5, 'channel', 'day', 'hosts', '{server}')",
        )
        for person in ("server", "dm", "button"):
            await sql(database, f"UPDATE player_settings SET private = '{person}', ping = 'dm'")
            own = await seat(host, number)
            assert own.by_button is (own.dm is Dm.CLOSED)
            assert own.rings_in_place is not own.rings_by_dm
            found.append(own.dm)
    assert found == [Dm.OPEN, Dm.OPEN, Dm.CLOSED, Dm.CLOSED, Dm.OPEN, Dm.CLOSED]
