"""Several processes over a PostgreSQL server: failures of any of them, or between them, cost nobody anything."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.engine import make_url

from db.store.addresses import place_of
from tests.server import Running, running
from tests.store import fresh, of_server

from .bot_process import BotProcess, Nursery
from .discord_standin import Spec
from .enduring import Endurance, endurance

pytestmark = [pytest.mark.wire, of_server]


async def test_two_processes_go_on_after_a_death_and_after_a_server_that_was_away(
    tmp_path: Path, nursery: Nursery, spec: Spec | None
) -> None:
    async with endurance(fresh(tmp_path / "ambit.db"), tmp_path, nursery, spec, processes=2, tables=2) as run:
        await run.go_on()
        await run.kill(run.bots[1])
        await run.go_on()
        async with run.fail():
            run.proxy.cut_at_commits(3)
            await run.discord.until(lambda: run.proxy.cut_commits == 3)
            await run.proxy.refuse()
            await run.pass_time(2)
            await run.proxy.listen()
        await run.go_on()


# The long runs, over a server of their own, since it is killed, too.

DEATHS = 6
CRASHES = 2
COMMITS = 10


@pytest.fixture
def server() -> Iterator[Running]:
    """A server that may break down. What was committed is there after a restart."""
    with running("synchronous_commit = on", "max_connections = 80") as server:
        yield server


async def connect(address: str) -> Any:
    import asyncpg

    return await asyncpg.connect(address.replace("+asyncpg", ""))


async def made(server: Running) -> str:
    """The address of a new database."""
    connection = await connect(server.address)
    await connection.execute("CREATE DATABASE enduring")
    await connection.close()
    return make_url(server.address).set(database="enduring").render_as_string(hide_password=False)


async def bots_die(run: Endurance) -> None:
    for death in range(DEATHS):
        await run.kill(run.bots[death % len(run.bots)])
        await run.pass_time(2)


async def server_crashes(run: Endurance, server: Running) -> None:
    for _ in range(CRASHES):
        async with run.fail():
            await asyncio.to_thread(server.crash)
            await run.pass_time(1)
            await asyncio.to_thread(server.start)
        await run.pass_time(5)


async def server_is_away(run: Endurance) -> None:
    async with run.fail():
        await run.proxy.refuse()
        await run.pass_time(20)
        await run.proxy.listen()


async def server_is_silent(run: Endurance) -> None:
    async with run.fail():
        run.proxy.be_silent()
        await run.pass_time(15)
        await run.proxy.listen()


async def answers_to_commits_are_lost(run: Endurance) -> None:
    async with run.fail():
        for count in range(1, COMMITS + 1):
            run.proxy.cut_at_commits(1)
            await run.discord.until(lambda count=count: run.proxy.cut_commits >= count)


async def connections_are_used_up(run: Endurance, url: str) -> None:
    import asyncpg

    taken: list[Any] = []

    async def take_all() -> None:
        while True:
            try:
                taken.append(await connect(url))
            except asyncpg.PostgresError:
                return

    async with run.fail():
        await take_all()
        await run.proxy.cut()
        await take_all()
        await run.pass_time(8)
        for connection in taken:
            await connection.close()


async def rows_are_locked(run: Endurance, url: str) -> None:
    other = await connect(url)
    async with run.fail(), other.transaction():
        await other.execute("SELECT 1 FROM matches FOR UPDATE")
        await run.pass_time(8)
    await other.close()


async def a_shard_is_started_twice(run: Endurance, nursery: Nursery) -> None:
    twin = BotProcess(run.discord, run.bots[0].folder, nursery, name="twin", **run.bots[0].settings)
    await twin.start(connect=False)
    assert await twin.gone() == 2
    sentence = f"{place_of(run.bots[0].settings['AMBIT_DATABASE'])}: Another process carries shard 0 "
    assert twin.log().splitlines()[-1].startswith(sentence)


async def a_clock_is_off(run: Endurance) -> None:
    async with run.fail():
        for seconds in (60, -60, 0):
            run.bots[-1].jump(seconds)
            await run.pass_time(6)


async def shards_are_divided_anew(run: Endurance, nursery: Nursery) -> None:
    every = ",".join(bot.settings["AMBIT_SHARD_IDS"] for bot in run.bots)
    settings = run.bots[0].settings | {"AMBIT_SHARD_IDS": every}
    whole = BotProcess(run.discord, run.bots[0].folder, nursery, name="whole", sessions=len(run.bots), **settings)
    async with run.fail():
        await run.rest(run.bots)
        await whole.start()
    await run.go_on()
    async with run.fail():
        await whole.stop()
        await run.wake(run.bots)
    assert whole.complaints() == [], whole.log()


@pytest.mark.soak
@pytest.mark.parametrize("processes", [2, 3])
async def test_whatever_fails_nothing_is_lost_and_nobody_waits_for_long(
    processes: int, server: Running, tmp_path: Path, nursery: Nursery, spec: Spec | None
) -> None:
    url = await made(server)
    async with endurance(url, tmp_path, nursery, spec, processes=processes, tables=6) as run:
        await run.go_on()
        await run.go_on()
        run.expect()
        phases = {
            "bots die": bots_die(run),
            "the server crashes": server_crashes(run, server),
            "the server is away": server_is_away(run),
            "the server is silent": server_is_silent(run),
            "answers to commits are lost": answers_to_commits_are_lost(run),
            "connections are used up": connections_are_used_up(run, url),
            "rows are locked": rows_are_locked(run, url),
            "a shard is started twice": a_shard_is_started_twice(run, nursery),
            "a clock is off": a_clock_is_off(run),
            "shards are divided anew": shards_are_divided_anew(run, nursery),
        }
        for name, phase in phases.items():
            await phase
            await run.go_on()
            print(f"{name}: {run.phase()}")
