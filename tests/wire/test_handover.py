"""A new process takes over from the one that runs, while people play (docs/scaling.md, "Hand over")."""

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator, Collection
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from db.model.enums import AWAITED
from tests.store import execute, of_server, of_sqlite

from .bot_process import BotProcess, Nursery
from .discord_standin import Discord
from .scraping import Scraper
from .stored import Stored
from .table import Table

pytestmark = pytest.mark.wire

TAKE_OVER = "--take-over"
TAKEN = "this process has taken the shards over"
GOES_ON = "this one goes on"
AWAITED_KINDS = ", ".join(f"'{kind}'" for kind in AWAITED)
ONCE_CONNECTED = "it gets them once it is connected"


@pytest.fixture
def table(in_gambo: Table) -> Table:
    return in_gambo


@pytest.fixture
async def successor(bot: BotProcess, nursery: Nursery) -> AsyncIterator[BotProcess]:
    """Another process on the same store, not yet started."""
    made = another(bot, nursery, "successor")
    yield made
    await made.close()
    assert made.complaints() == [], made.log()


def another(bot: BotProcess, nursery: Nursery, name: str, **settings: Any) -> BotProcess:
    return BotProcess(bot.discord, bot.folder, nursery, name=name, AMBIT_LOG_LEVEL="INFO", **settings)


async def press_until_over(table: Table, over: asyncio.Event) -> int:
    """Let somebody press again and again. Each press is answered in time, or `Unanswered` is raised."""
    count = 0
    while not over.is_set():
        person = table.people[count % len(table.people)]
        answer = await person.command(table.channel, "match")
        assert "#1" in answer.text
        count += 1
    return count


def check_once(table: Table) -> None:
    """Check that no board was posted twice, and that every press was answered once."""
    boards = table.offers()
    assert len(boards) == len(set(boards)), boards
    answered = [each.values["interaction_id"] for each in table.discord.requests if each.is_callback()]
    assert len(answered) == len(set(answered)), "two processes have answered a press"


async def test_a_successor_takes_over_while_people_press(
    table: Table, discord: Discord, bot: BotProcess, successor: BotProcess
) -> None:
    over = asyncio.Event()
    pressing = [asyncio.create_task(press_until_over(table, over)) for _ in range(2)]
    await successor.start(TAKE_OVER)
    await table.turn()
    await discord.until(lambda: TAKEN in successor.log() or any(each.done() for each in pressing))
    assert await bot.gone() == 0
    await table.turn()
    over.set()
    assert all(await asyncio.gather(*pressing))
    assert "another process carries on" in bot.log()
    check_once(table)


def says(process: BotProcess, since: int, words: Collection[str]) -> bool:
    """Whether a process has logged any of these words after the first `since` letters."""
    log = process.log()[since:]
    return any(each in log for each in words)


ENDS = [
    ("successor", "before ready"),
    ("bot", "before willing"),
    ("successor", "after ready"),
    ("bot", "after willing"),
    ("successor", "before answers"),
    ("bot", "before cut"),
    ("successor", "after answers"),
    ("bot", "after cut"),
    ("successor", "before carries"),
    ("successor", "after carries"),
]
"""Who dies, and when. One process after the other takes over, or tries to."""


async def test_whoever_dies_in_the_middle_the_other_carries_on(
    table: Table, discord: Discord, bot: BotProcess, nursery: Nursery
) -> None:
    processes = [bot]

    def new(**settings: str) -> BotProcess:
        processes.append(another(bot, nursery, f"process {len(processes)}", **settings))
        return processes[-1]

    async def taken_over(running: BotProcess, **settings: str) -> BotProcess:
        """Let another process take over, and wait until it has."""
        successor = new(**settings)
        await successor.start(TAKE_OVER)
        await discord.until(lambda: TAKEN in successor.log())
        assert await running.gone() == 0
        return successor

    discord.impatient = True
    running = bot
    for who, step in ENDS:
        if who == "bot":
            running = await taken_over(running, WIRE_STEP=step)
        successor = new(**({"WIRE_STEP": step} if who == "successor" else {}))
        dying, other = (running, successor) if who == "bot" else (successor, running)
        went_on = partial(says, other, len(other.log()), (TAKEN, "is ready:") if other is successor else (GOES_ON,))
        await successor.start(TAKE_OVER, connect=False)
        await dying.gone()
        await discord.until(went_on, seconds=40.0)
        # A successor that hears of the other's death while it connects takes over before it is connected.
        await discord.until(lambda: discord.gateway.connected() == 1)
        await table.turn()
        await table.turn()
        assert other.alive
        running = other
    await taken_over(running)
    await table.turn()
    boards = table.offers()
    assert len(boards) == len(set(boards)), boards
    for process in processes:
        await process.close()
        assert process.complaints() == [], process.log()


async def test_until_the_successor_is_connected_a_third_process_is_refused_and_either_of_the_two_can_be_stopped(
    table: Table, discord: Discord, bot: BotProcess, successor: BotProcess, nursery: Nursery
) -> None:
    next_one = another(bot, nursery, "next")
    for number, process in enumerate((successor, next_one), 1):
        discord.gateway.held[0] = asyncio.Event()
        await process.start(TAKE_OVER, connect=False)
        await discord.until(
            lambda number=number: (
                bot.log().count(ONCE_CONNECTED) == number and len(discord.gateway.identifies) == number + 1
            )
        )
        if process is successor:
            third = another(bot, nursery, "third")
            await third.start(TAKE_OVER, connect=False)
            assert await third.gone() == 2
            assert third.log().rstrip().endswith("Another process is taking these shards over already: wait for it.")
        stopped, other = (successor, bot) if process is successor else (bot, next_one)
        assert (await stopped.stop())[0] == 0
        discord.gateway.held[0].set()
        await discord.until(lambda other=other: (GOES_ON if other is bot else TAKEN) in other.log())
        await discord.until(lambda: discord.gateway.connected() == 1)
        await table.turn()
    check_once(table)
    await next_one.close()
    assert next_one.complaints() == []


@of_sqlite
async def test_with_nobody_to_take_over_from_it_just_starts_and_refuses_a_version_with_another_schema(
    discord: Discord, bot: BotProcess, successor: BotProcess
) -> None:
    table = Table.of(discord, 2)
    await bot.start(TAKE_OVER)
    await table.begin("gambo")
    execute(bot.database, "UPDATE alembic_version SET version_num = '0028'")
    await successor.start(TAKE_OVER, connect=False)
    assert await successor.gone() == 2
    assert "changes the schema of the database" in successor.log().splitlines()[-1]
    await table.turn()


async def test_a_signal_starts_the_successor_which_gets_the_port_and_the_service_follows(
    discord: Discord, tmp_path: Path
) -> None:
    scraper = Scraper()
    manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    manager.bind(str(tmp_path / "notify"))
    manager.setblocking(False)
    # Started as anybody would: the successor is started in the same way.
    bot = BotProcess(
        discord, tmp_path, AMBIT_LOG_LEVEL="INFO", AMBIT_METRICS=scraper.address, NOTIFY_SOCKET=str(tmp_path / "notify")
    )
    table = Table.of(discord, 2)
    await bot.start()
    await table.begin("gambo")
    os.kill(bot.pid, signal.SIGUSR2)
    await table.turn()
    assert await bot.gone() == 0
    log = await discord.until(lambda: bot.log() if TAKEN in bot.log() else None)
    assert log is not None
    (said,) = [each for each in heard(manager) if each.startswith("MAINPID=")]
    child = int(said.removeprefix("MAINPID="))
    assert f"process {child} was started to take over" in log
    try:
        await table.turn()
        found = await scraper.until(lambda each: each.of("ambit_healthy") == 1)
        assert found.of("ambit_matches", status="running") == 1
    finally:
        os.kill(child, signal.SIGTERM)
        await discord.until(lambda: discord.gateway.connected() == 0)
        manager.close()
    check_once(table)
    assert Stored(bot.database).rows("SELECT 1 FROM meta WHERE key LIKE 'handover%'")
    assert bot.complaints() == []


def heard(manager: socket.socket) -> list[str]:
    """What a process has said to its service manager."""
    found = []
    while True:
        try:
            found.append(manager.recv(4096).decode())
        except BlockingIOError:
            return found


# The long run.

RESTARTS = 20
LONGEST = 3.0
"""Seconds within which everybody has an answer."""

LEFT_OVER = 10.0
"""Seconds from the new session until everything is told that was owed before."""


class Crowd:
    """Tables at which people play all the time, and others who press all the time."""

    def __init__(self, tables: list[Table]) -> None:
        self.tables = tables
        self.over = asyncio.Event()
        self.waits: list[float] = []
        self.turns = 0

    async def play(self, table: Table) -> None:
        """Play match after match."""
        while not self.over.is_set():
            # By turns they open the tables, as nobody may open very many in a short time.
            table.people = table.people[::-1]
            await table.begin("gambo")
            while not self.over.is_set() and not (await table.called(), table.over)[1]:
                await table.turn()
                self.turns += 1

    async def press(self, table: Table) -> None:
        """Press again and again. `Unanswered` is raised after three seconds without an answer."""
        loop = asyncio.get_running_loop()
        while not self.over.is_set():
            for person in table.people:
                began = loop.time()
                await person.command(table.channel, "match")
                self.waits.append(loop.time() - began)


@pytest.mark.soak
@pytest.mark.parametrize("store", [pytest.param("file", marks=of_sqlite), pytest.param("server", marks=of_server)])
async def test_twenty_restarts_under_load_are_noticed_by_nobody(
    store: str, discord: Discord, nursery: Nursery, tmp_path: Path
) -> None:
    crowd = Crowd([Table.of(discord, 2, number=number) for number in range(1, 4)])
    bot = BotProcess(discord, tmp_path, nursery, name="bot0", AMBIT_LOG_LEVEL="INFO")
    bots = [bot]
    await bot.start()
    people = [asyncio.create_task(each) for table in crowd.tables for each in (crowd.play(table), crowd.press(table))]
    longest = 0.0
    try:
        for number in range(1, RESTARTS + 1):
            turns = crowd.turns
            await discord.until(lambda turns=turns: crowd.turns >= turns + 3 or any(each.done() for each in people), 60)
            if any(each.done() for each in people):
                break
            successor = another(bot, nursery, f"bot{number}")
            if number % 2:
                # It dies in the middle of its own handover.
                successor.settings["WIRE_STEP"] = f"{'before' if number % 4 == 1 else 'after'} cut"
            bots.append(successor)
            await successor.start(TAKE_OVER)
            session = asyncio.get_running_loop().time()
            owed = Stored(bot.database).rows("SELECT max(id) AS last FROM outbox")[0]["last"] or 0
            await bot.gone()
            gone = asyncio.get_running_loop().time() - session
            await discord.until(lambda successor=successor: TAKEN in successor.log())
            taken = asyncio.get_running_loop().time() - session
            left = f"SELECT 1 FROM outbox WHERE id <= {owed} AND tries = 0 AND kind IN ({AWAITED_KINDS})"
            await discord.until(lambda left=left, bot=bot: not Stored(bot.database).rows(left))
            told = asyncio.get_running_loop().time() - session
            print(f"{number}: gone after {gone:.1f} s, taken over after {taken:.1f} s, told after {told:.1f} s")
            longest = max(longest, told)
            bot = successor
    finally:
        crowd.over.set()
        results = await asyncio.gather(*people, return_exceptions=True)
    logs = "\n".join(each.log() for each in bots[-2:])
    assert [each for each in results if isinstance(each, BaseException)] == [], logs
    await discord.until(lambda: not Stored(bot.database).rows(f"SELECT 1 FROM outbox WHERE kind IN ({AWAITED_KINDS})"))
    await bot.close()
    print(
        f"{crowd.turns} turns, {len(crowd.waits)} answers, longest {max(crowd.waits):.1f} s; left over {longest:.1f} s"
    )
    assert max(crowd.waits) < LONGEST
    assert longest < LEFT_OVER
    moves = "SELECT count(DISTINCT interaction_id) AS many FROM log WHERE player >= 0"
    presses = Stored(bot.database).rows(moves)[0]["many"]
    assert presses == sum(table.moves for table in crowd.tables), "a press was counted twice, or not at all"
    for table in crowd.tables:
        boards = table.offers()
        assert len(boards) == len(set(boards)), boards
    for each in bots:
        assert each.complaints() == [], each.log()
