"""Worker processes: what they load, and what happens when one is killed."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from ctypes import CDLL
from datetime import timedelta
from itertools import count
from multiprocessing import active_children
from multiprocessing.connection import wait
from pathlib import Path
from time import monotonic, process_time, sleep

import pytest

from matches.engine.clock import ManualClock
from matches.engine.fair_queue import PATIENCE, Rank
from matches.engine.workers import IDLE, OOM, REST, TRIM_EVERY, WorkerDied, Workers, go_on, stopped
from tests.matches.tables import raised

PROGRAM = """
import asyncio
import much_to_load
from matches.engine.workers import Workers
from tests.matches.test_workers import loaded

async def main():
    print(*await Workers(1).run(loaded, ("matches", "much_to_load")))

if __name__ == "__main__":
    asyncio.run(main())
    print(__spec__)
"""

MODULES = "[name.partition('.')[0] for name in __import__('sys').modules]"
"""An expression for a worker to evaluate: the top-level packages that it has loaded."""

TOO_HEAVY = {"db", "sqlalchemy", "discord", "aiohttp", "cogs"}
"""What no worker needs. Loading them took 1.6 s and 60 MiB for each process."""


def loaded(modules: tuple[str, ...]) -> list[str]:
    """Which of these modules this process has loaded."""
    return [name for name in modules if name in sys.modules]


HELD: list[bytes] = []


def resident(hold: bool = False) -> int:
    """The bytes of this process that are in memory. With `hold`, it first allocates 80 MB and frees most of them."""
    if hold:
        HELD[:] = [bytes(4000) for _ in range(20_000)][::100]
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def killed() -> None:
    """Kill the process that runs this."""
    os.kill(os.getpid(), signal.SIGKILL)


def killed_once(sign: Path) -> str:
    """Kill the process that runs this, unless a file shows that another one was killed."""
    if not sign.exists():
        sign.touch()
        killed()
    return "done"


def noted(file: Path, word: str) -> str:
    """Return the word after writing it to a file."""
    with file.open("a") as lines:
        lines.write(f"{word}\n")
    return word


def worked_until_stopped(sign: Path, seconds: float = 60) -> None:
    """Write a sign, then work for this long, or until nobody wants the result."""
    sign.touch()
    end = monotonic() + seconds
    while monotonic() < end:
        go_on()
        sleep(0.001)


def done_when_told(begun: Path, end: Path) -> int:
    """Write a sign, and wait for another. Return the id of this process."""
    begun.touch()
    while not end.exists():
        sleep(0.001)
    return os.getpid()


async def seen(sign: Path) -> None:
    """Wait until there is a sign."""

    def wait() -> None:
        end = monotonic() + SOON
        while not sign.exists():
            assert monotonic() < end
            sleep(0.001)

    await asyncio.to_thread(wait)


SOON = 20
"""A time limit in seconds for something that happens at once on an idle machine."""


@pytest.fixture
async def workers() -> AsyncIterator[Workers]:
    workers = Workers(1)
    yield workers
    workers.close()


async def test_work_is_done_in_another_process_and_the_next_in_the_same(workers: Workers) -> None:
    first = await workers.run(os.getpid)
    assert first != os.getpid()
    assert await workers.run(os.getpid) == first


@pytest.mark.skipif(not hasattr(CDLL(None), "malloc_trim"), reason="The C library isn't glibc.")
async def test_a_process_returns_what_is_free_between_what_it_still_uses(workers: Workers) -> None:
    before = await workers.run(resident, True)
    assert before > 80_000_000
    for _ in range(TRIM_EVERY):
        after = await workers.run(resident)
    assert after < before - 60_000_000


async def test_what_the_work_raises_is_raised_here(workers: Workers) -> None:
    await raised(ValueError, workers.run(int, "seven"), "invalid literal")


async def test_work_whose_process_is_killed_is_done_by_another(workers: Workers, tmp_path: Path) -> None:
    assert await workers.run(killed_once, tmp_path / "killed") == "done"


async def test_work_that_kills_every_process_is_given_up(workers: Workers) -> None:
    await raised(WorkerDied, workers.run(killed))
    assert await workers.run(int, "7") == 7


async def test_work_that_kills_its_process_costs_no_other_work_its_own(tmp_path: Path) -> None:
    workers = Workers(2)
    try:
        other = asyncio.create_task(workers.run(done_when_told, tmp_path / "begun", tmp_path / "end"))
        await seen(tmp_path / "begun")
        after = [asyncio.create_task(workers.run(noted, tmp_path / "notes", str(number))) for number in range(3)]
        for _ in range(3):
            await raised(WorkerDied, workers.run(killed))
        assert await asyncio.gather(*after) == ["0", "1", "2"]
        (tmp_path / "end").touch()
        assert await other != os.getpid()
        assert (tmp_path / "notes").read_text().split() == ["0", "1", "2"]
    finally:
        workers.close()


async def test_a_process_that_was_killed_while_it_had_nothing_to_do_is_no_fault_of_the_next_work(
    workers: Workers,
) -> None:
    for _ in range(3):
        os.kill(await workers.run(os.getpid), signal.SIGKILL)
    assert await workers.run(int, "7") == 7


async def test_one_person_with_much_to_do_delays_nobody_else(workers: Workers, tmp_path: Path) -> None:
    held = asyncio.create_task(workers.run(done_when_told, tmp_path / "begun", tmp_path / "end", owner=1))
    await seen(tmp_path / "begun")
    notes = tmp_path / "notes"
    wanted = [("one", 1, 0)] * 10 + [("two", 2, 0), ("late", 3, 1), ("three", 3, 0)]
    asking = [asyncio.create_task(workers.run(noted, notes, word, owner=who, rank=at)) for word, who, at in wanted]
    await asyncio.sleep(0)
    assert [workers.waiting(who) for who in (1, 2, 3, None)] == [10, 1, 2, 0]
    (tmp_path / "end").touch()
    await asyncio.gather(held, *asking)
    assert notes.read_text().split() == ["two", "three", *["one"] * 10, "late"]


async def test_work_that_nobody_waits_for_any_more_stops_and_the_same_process_does_the_next(
    workers: Workers, tmp_path: Path
) -> None:
    before = await workers.run(os.getpid)
    long = asyncio.create_task(workers.run(worked_until_stopped, tmp_path / "begun"))
    await seen(tmp_path / "begun")
    long.cancel()
    await asyncio.gather(long, return_exceptions=True)
    assert long.cancelled()
    assert await asyncio.wait_for(workers.run(os.getpid), SOON) == before


async def test_work_that_has_not_started_is_dropped_with_who_waited_for_it(workers: Workers, tmp_path: Path) -> None:
    held = asyncio.create_task(workers.run(done_when_told, tmp_path / "begun", tmp_path / "end"))
    await seen(tmp_path / "begun")
    notes = tmp_path / "notes"
    dropped, kept = (asyncio.create_task(workers.run(noted, notes, word)) for word in ("dropped", "kept"))
    await asyncio.sleep(0)
    dropped.cancel()
    (tmp_path / "end").touch()
    await asyncio.gather(held, dropped, kept, return_exceptions=True)
    assert notes.read_text().split() == ["kept"]


async def test_a_process_that_became_free_for_somebody_who_has_just_gone_is_given_to_the_next(
    workers: Workers, tmp_path: Path
) -> None:
    held = asyncio.create_task(workers.run(done_when_told, tmp_path / "begun", tmp_path / "end"))
    await seen(tmp_path / "begun")
    gone, next_one = (asyncio.create_task(workers.run(noted, tmp_path / "notes", word)) for word in ("gone", "next"))
    await asyncio.sleep(0)
    held.add_done_callback(lambda _: gone.cancel())
    (tmp_path / "end").touch()
    assert await asyncio.wait_for(next_one, SOON) == "next"
    assert gone.cancelled()


async def test_an_order_to_stop_stops_nothing_that_comes_after(workers: Workers, tmp_path: Path) -> None:
    for number in range(20):
        hasty = asyncio.create_task(workers.run(worked_until_stopped, tmp_path / str(number)))
        for _ in range(number % 4):
            await asyncio.sleep(0)
        hasty.cancel()
        assert await asyncio.wait_for(workers.run(int, "7"), SOON) == 7
        assert not await workers.run(stopped)


async def test_a_process_without_work_for_long_is_let_go_and_comes_back_when_needed(workers: Workers) -> None:
    clock = ManualClock()
    first = await workers.run(os.getpid)
    for _ in range(3):
        workers.let_idle_go(clock.now())
        clock.advance(IDLE - timedelta(seconds=1))
        assert await workers.run(os.getpid) == first
    workers.let_idle_go(clock.now())
    assert workers.processes == 1
    clock.advance(IDLE)
    workers.let_idle_go(clock.now())
    assert workers.processes == 0
    assert await workers.run(os.getpid) != first


async def test_a_process_at_work_is_not_let_go_however_long_that_takes(workers: Workers, tmp_path: Path) -> None:
    clock = ManualClock()
    held = asyncio.create_task(workers.run(done_when_told, tmp_path / "begun", tmp_path / "end"))
    await seen(tmp_path / "begun")
    for _ in range(3):
        workers.let_idle_go(clock.now())
        clock.advance(IDLE)
    (tmp_path / "end").touch()
    assert await held == await workers.run(os.getpid)


async def test_whoever_waits_when_the_processes_are_let_go_is_cancelled_and_no_process_stays(tmp_path: Path) -> None:
    of_others = set(active_children())
    workers = Workers(1)
    long = asyncio.create_task(workers.run(worked_until_stopped, tmp_path / "begun"))
    await seen(tmp_path / "begun")
    never = asyncio.create_task(workers.run(int, "7"))
    await asyncio.sleep(0)
    (process,) = set(active_children()) - of_others
    workers.close()
    await asyncio.gather(long, never, return_exceptions=True)
    assert long.cancelled()
    assert never.cancelled()
    # Its pool joins it, too. Of two threads that join it, one may find it alive when it isn't.
    assert await asyncio.to_thread(wait, [process.sentinel], SOON)


async def test_processes_that_were_let_go_begin_again_when_there_is_work(workers: Workers) -> None:
    first = await workers.run(os.getpid)
    workers.close()
    assert await workers.run(os.getpid) != first


async def test_workers_give_way_as_they_were_told() -> None:
    lowly = Workers(1, niceness=7)
    try:
        assert await lowly.run(os.nice, 0) - os.nice(0) == 7
        if OOM.exists():  # FOUND O4
            assert int(await lowly.run(OOM.read_text)) > int(OOM.read_text()), "it ends, and the bot goes on"
    finally:
        lowly.close()


def test_a_worker_does_not_load_the_program_that_started_it(tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    script.write_text(PROGRAM, "utf-8")
    (tmp_path / "much_to_load.py").touch()
    environment = {**os.environ, "PYTHONPATH": os.getcwd()}
    said = subprocess.run(
        [sys.executable, script], env=environment, capture_output=True, text=True, check=True, timeout=60
    )
    assert said.stdout.split() == ["matches", "None"]


def rested(worked: float) -> float:
    """Work for this much CPU time, asking all the time whether to stop. Return the seconds of its pauses."""
    rests = [0.0]
    end, rest = process_time() + worked, sleep

    def noted(seconds: float) -> None:
        rests.append(seconds)
        rest(seconds)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("time.sleep", noted)
        while process_time() < end:
            assert not stopped()
    return sum(rests)


def rests_while_others_work(asked: int) -> float:
    """Ask so often whether to stop while the clock jumps and this process hardly works. Return the rests' seconds."""
    clock, rests = count(), [0.0]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("time.sleep", rests.append)
        patch.setattr("time.monotonic", lambda: float(next(clock)))
        for _ in range(asked):
            assert not stopped()
    return sum(rests)


# FOUND V7
async def test_time_that_a_busy_machine_gives_to_others_is_no_work_to_rest_from(workers: Workers) -> None:
    workers.give_way(True)
    assert await workers.run(rests_while_others_work, 100) <= 2 * REST


async def test_work_that_gives_way_rests_for_the_most_part_of_its_time_but_never_wholly(workers: Workers) -> None:
    assert await workers.run(rested, 0.05) == 0
    workers.give_way(True)
    assert await workers.run(rested, 0.05) > 4 * 0.05
    workers.give_way(False)
    assert await workers.run(rested, 0.05) == 0


def begun_and_done_when_told(starts: Path, end: Path) -> str:
    """Record every start. Return the word once there is a sign, unless it is given up before."""
    noted(starts, "begun")
    while not end.exists():
        go_on()
        sleep(0.001)
    return "done"


async def begun_times(starts: Path, times: int) -> None:
    """Wait until something was started this often."""

    def wait() -> None:
        end = monotonic() + SOON
        while not starts.exists() or len(starts.read_text().split()) < times:
            assert monotonic() < end
            sleep(0.001)

    await asyncio.to_thread(wait)


# FOUND P1
async def test_what_only_spectators_wait_for_gives_its_process_up_and_is_started_again(
    workers: Workers, tmp_path: Path
) -> None:
    starts, end = tmp_path / "starts", tmp_path / "end"
    process = await workers.run(os.getpid)
    watched = asyncio.create_task(workers.run(begun_and_done_when_told, starts, end, owner=1, rank=Rank.WATCHED))
    for times in range(1, 4):
        await begun_times(starts, times)
        assert await asyncio.wait_for(workers.run(os.getpid, owner=2), SOON) == process
    await begun_times(starts, 4)
    end.touch()
    assert await watched == "done"


# FOUND P1
async def test_what_only_spectators_wait_for_gives_way_to_nothing_of_its_own_rank(
    workers: Workers, tmp_path: Path
) -> None:
    starts, end, notes = (tmp_path / name for name in ("starts", "end", "notes"))
    first = asyncio.create_task(workers.run(begun_and_done_when_told, starts, end, owner=1, rank=Rank.WATCHED))
    await begun_times(starts, 1)
    second = asyncio.create_task(workers.run(noted, notes, "second", owner=2, rank=Rank.WATCHED))
    await asyncio.sleep(0)
    end.touch()
    assert list(await asyncio.gather(first, second)) == ["done", "second"]
    assert starts.read_text().split() == ["begun"]


# FOUND P1
async def test_what_was_given_up_often_enough_is_done_to_its_end(workers: Workers, tmp_path: Path) -> None:
    starts, end, notes = (tmp_path / name for name in ("starts", "end", "notes"))
    watched = asyncio.create_task(workers.run(begun_and_done_when_told, starts, end, owner=1, rank=Rank.WATCHED))
    for times in range(1, PATIENCE + 1):
        await begun_times(starts, times)
        await asyncio.wait_for(workers.run(int, "7", owner=2), SOON)
    await begun_times(starts, PATIENCE + 1)
    late = asyncio.create_task(workers.run(noted, notes, "late", owner=2))
    await asyncio.sleep(0)
    end.touch()
    assert list(await asyncio.gather(watched, late)) == ["done", "late"]
    assert len(starts.read_text().split()) == PATIENCE + 1


# FOUND P1
async def test_what_is_given_up_before_its_process_has_it_comes_after_who_waits(
    workers: Workers, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    await workers.run(os.getpid)
    watched = asyncio.create_task(workers.run(noted, notes, "watched", owner=1, rank=Rank.WATCHED))
    turn = asyncio.create_task(workers.run(noted, notes, "turn", owner=2))
    await asyncio.gather(watched, turn)
    assert notes.read_text().split() == ["turn", "watched"]


# FOUND P1
async def test_what_is_given_up_and_wanted_no_more_is_not_started_again(workers: Workers, tmp_path: Path) -> None:
    starts, end = tmp_path / "starts", tmp_path / "end"
    watched = asyncio.create_task(workers.run(begun_and_done_when_told, starts, end, owner=1, rank=Rank.WATCHED))
    await begun_times(starts, 1)
    turn = asyncio.create_task(workers.run(done_when_told, tmp_path / "turn", end, owner=2))
    await seen(tmp_path / "turn")
    watched.cancel()
    end.touch()
    await asyncio.gather(watched, turn, return_exceptions=True)
    assert watched.cancelled()
    assert await workers.run(int, "7") == 7
    assert starts.read_text().split() == ["begun"]


# FOUND P1
async def test_of_several_processes_one_is_given_up_for_each_who_waits(tmp_path: Path) -> None:
    workers = Workers(2)
    try:
        end = tmp_path / "end"
        watched = []
        for name in ("one", "two"):
            watched.append(
                asyncio.create_task(
                    workers.run(begun_and_done_when_told, tmp_path / name, end, owner=1, rank=Rank.WATCHED)
                )
            )
            await begun_times(tmp_path / name, 1)
        assert await asyncio.wait_for(workers.run(int, "7", owner=2), SOON) == 7
        await begun_times(tmp_path / "two", 2)
        end.touch()
        assert await asyncio.gather(*watched) == ["done"] * 2
        assert (tmp_path / "one").read_text().split() == ["begun"], "what was begun first is kept"
    finally:
        workers.close()


# FOUND P1
async def test_work_of_a_rank_rests_while_better_work_goes_on(workers: Workers) -> None:
    workers.give_way(True, Rank.WATCHED)
    assert await workers.run(rested, 0.05) == 0
    assert await workers.run(rested, 0.05, rank=Rank.WATCHED) > 4 * 0.05
