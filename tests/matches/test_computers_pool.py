"""The processes of computer players: they end with the bot, can be replaced, and keep time."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import active_children
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from games.core import Played
from games.log import parse_log
from matches.api import ManualClock, Unavailable
from matches.computers.levels import NAMES, Level, name_for
from matches.computers.pool import Computers, InProcess
from matches.computers.thinking import Question, answer
from matches.engine.fair_queue import Rank
from matches.engine.workers import IDLE
from matches.records.frames import painted
from render import RENDERERS
from tests.conformance.matches import LOGS, SETUPS, recorded
from tests.matches.imagined import decisions, question
from tests.matches.test_workers import MODULES, TOO_HEAVY

WAIT = 60
"""Seconds in which a process must end."""

PARENT = """
import asyncio, os, sys
from multiprocessing import active_children
from matches.computers.pool import Computers
from tests.matches.test_computers_pool import asked

async def main():
    computers = Computers(beat=0, effort=1000)
    thinking = asyncio.create_task(computers.choose("hard", asked().position, (), 1))
    while not active_children():
        await asyncio.sleep(0)
    print(*(child.pid for child in active_children()), flush=True)
    await thinking

if __name__ == "__main__":
    asyncio.run(main())
"""


def asked(number: int = 20) -> Question:
    """A question for a computer."""
    state, log = list(decisions(next(setup for setup in SETUPS if setup.key == "ambush"), 1))[number]
    return question(state, log)


@pytest.fixture
def at() -> Question:
    return asked()


class Deadly(Played[Any]):
    """A line that ends every process to which it is sent."""

    def __reduce__(self) -> tuple[Any, ...]:
        return signal.raise_signal, (signal.SIGKILL,)


def has_worked(pid: int, seconds: float = 0.2) -> None:
    """Wait until this process has used that much CPU time from now on."""

    def used() -> float:
        ticks = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11]
        return int(ticks) / os.sysconf("SC_CLK_TCK")

    enough, end = used() + seconds, monotonic() + WAIT
    while used() < enough:
        assert monotonic() < end
        sleep(0.01)


@pytest.fixture
async def computers() -> AsyncIterator[Computers]:
    computers = Computers(effort=0.01, beat=0)
    yield computers
    computers.close()


async def test_a_worker_process_chooses_what_this_process_would_choose(at: Question, computers: Computers) -> None:
    assert await computers.choose(at.level, at.position, at.lines, at.seed) == answer(at)


async def test_a_process_that_thinks_or_draws_frames_loads_neither_the_store_nor_discord(computers: Computers) -> None:
    """`tests/cogs/test_drawing.py` asks the same of the process that draws boards."""
    await computers.hint(asked().position, asked().lines, 1, owner=1, question=1)
    header, lines = parse_log((LOGS / "abissal-2-players.log").read_text())
    frames: tuple[Any, ...] = painted, header, lines[:40], True, RENDERERS["abissal"].animate, ("Ann", "Bob")
    assert (await computers.background.run(*frames)).startswith(b"GIF89a")
    assert not TOO_HEAVY.intersection(await computers.background.run(eval, MODULES))


async def test_the_event_loop_runs_on_while_a_worker_thinks(at: Question, computers: Computers) -> None:
    thinking = asyncio.create_task(computers.choose(at.level, at.position, at.lines, at.seed))
    turns = 0
    while not thinking.done():
        await asyncio.sleep(0)
        turns += 1
    assert turns > 100


# FOUND V7
async def test_work_in_the_background_gets_a_share_of_a_busy_processor(computers: Computers) -> None:
    own = os.nice(0)
    for pool in (computers.thinking, computers.background):
        niceness = await pool.run(os.nice, 0) - own
        # Linux gives a process 1.25 times the time of one that is nicer by 1.
        assert 0.05 < 1 / (1 + 1.25**niceness) < 0.2, "people's presses come first, and this isn't left with crumbs"


async def test_a_worker_that_is_killed_is_replaced(at: Question, computers: Computers) -> None:
    of_others = set(active_children())  # which may be about to end
    text = await computers.choose(at.level, at.position, at.lines, at.seed)
    workers = set(active_children()) - of_others
    assert workers
    for worker in workers:
        worker.kill()
        worker.join()
    asking = [computers.choose(at.level, at.position, at.lines, at.seed) for _ in range(3)]
    assert await asyncio.gather(*asking) == [text] * 3


async def test_hints_delay_no_computer_at_another_table() -> None:
    """Counted, not timed: each hint takes far longer than the computer's turn."""
    computers = Computers(beat=0)
    try:
        order: list[str] = []

        async def hinted(number: int) -> None:
            at = asked(number)
            await computers.hint(at.position, at.lines, at.seed, owner=1, question=number)
            order.append("hint")

        hints = [asyncio.create_task(hinted(number)) for number in range(10)]
        await asyncio.sleep(0)
        at = asked()
        await computers.choose(Level.EASY, at.position, at.lines, at.seed)
        order.append("turn")
        for hint in hints:
            hint.cancel()
        await asyncio.gather(*hints, return_exceptions=True)
        assert order.count("hint") <= 1
    finally:
        computers.close()


# FOUND P1
async def test_tables_without_people_delay_no_computer_at_another_table(at: Question) -> None:
    """Counted, not timed: each of their turns would take half an hour."""
    computers = Computers(processes=1, effort=1000, beat=0)
    process = await computers.thinking.run(os.getpid)
    watched = [
        asyncio.create_task(
            computers.choose(Level.EXPERT, at.position, at.lines, number, owner=number, rank=Rank.WATCHED)
        )
        for number in range(10)
    ]
    try:
        await asyncio.to_thread(has_worked, process)
        computers.effort = 0.01
        for seed in range(3):
            await asyncio.wait_for(computers.choose(Level.EASY, at.position, at.lines, seed, owner=99), WAIT)
            await asyncio.to_thread(has_worked, process)
        assert not any(task.done() for task in watched)
    finally:
        for task in watched:
            task.cancel()
        await asyncio.gather(*watched, return_exceptions=True)
        computers.close()


# FOUND P1
async def test_hints_do_not_rest_for_tables_without_people_which_rest_for_them() -> None:
    at, long = asked(), Computers(processes=1, effort=1000, beat=0)
    watched = asyncio.create_task(long.choose(Level.EXPERT, at.position, at.lines, 1, rank=Rank.WATCHED))
    try:
        await asyncio.sleep(0)
        assert not long.background._every[0]._rest.value
        hint = asyncio.create_task(long.hint(at.position, at.lines, at.seed, owner=1, question=1))
        for _ in range(2):  # the hint, and the task that all who ask the same question share
            await asyncio.sleep(0)
        assert long.thinking._every[0]._rest.value
        assert not long.background._every[0]._rest.value
        hint.cancel()
        await asyncio.gather(hint, return_exceptions=True)
        assert not long.thinking._every[0]._rest.value
        turn = asyncio.create_task(long.choose(Level.EXPERT, at.position, at.lines, 1))
        await asyncio.sleep(0)
        assert long.background._every[0]._rest.value
        turn.cancel()
        await asyncio.gather(turn, return_exceptions=True)
        assert not long.background._every[0]._rest.value
    finally:
        watched.cancel()
        await asyncio.gather(watched, return_exceptions=True)
        long.close()


async def test_one_persons_hints_delay_anothers_by_one(computers: Computers) -> None:
    order = []

    async def hinted(person: int, number: int) -> None:
        at = asked(number)
        await computers.hint(at.position, at.lines, at.seed, owner=person, question=number)
        order.append(person)

    await asyncio.gather(*(hinted(1, number) for number in range(5)), hinted(2, 5))
    assert order == [1, 2, 1, 1, 1, 1]


async def test_equal_hints_are_thought_of_once_and_other_seats_get_their_own(computers: Computers) -> None:
    at, other = asked(), asked(21)
    right = [answer(each._replace(level=Level.EXPERT)) for each in (at, other)]

    async def hinted(each: Question, question: object, person: int) -> str:
        return (await computers.hint(each.position, each.lines, each.seed, owner=person, question=question)).text

    wanted = [(at, (1, 20, 0)), (other, (1, 20, 1)), (at, (1, 20, 0)), (at, (1, 20, 0))]
    asking = [asyncio.create_task(hinted(*each, person)) for person, each in enumerate(wanted)]
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    waiting = [computers.background.waiting(person) for person in range(4)]
    assert waiting == [0, 1, 0, 0], "the first is being thought of, the last two wait for it"
    assert await asyncio.gather(*asking) == [right[0], right[1], right[0], right[0]]
    computers.close()
    assert await hinted(at, (1, 20, 0), 7) == right[0]
    assert computers.background.processes == 0, "it was known"


@pytest.mark.parametrize("of", ["turn", "hint"])
async def test_a_thought_that_nobody_waits_for_ends_and_the_same_process_thinks_on(of: str) -> None:
    """It would take half an hour."""
    computers = Computers(effort=1000, beat=0)
    workers = computers.background if of == "hint" else computers.thinking
    try:
        at, process = asked(), await workers.run(os.getpid)
        hint = partial(computers.hint, owner=1, question=1)
        think = hint if of == "hint" else partial(computers.choose, Level.HARD)
        thinking = asyncio.create_task(think(at.position, at.lines, at.seed))
        await asyncio.to_thread(has_worked, process)
        thinking.cancel()
        await asyncio.gather(thinking, return_exceptions=True)
        assert thinking.cancelled()
        assert await asyncio.wait_for(workers.run(os.getpid), WAIT) == process
    finally:
        computers.close()


async def test_a_decision_that_kills_every_process_is_made_without_thought_and_noted(
    at: Question, computers: Computers, caplog: pytest.LogCaptureFixture
) -> None:
    wanted = [
        computers.choose(at.level, at.position, (Deadly(0, "secret"),), at.seed),
        *(computers.choose(at.level, at.position, at.lines, at.seed) for _ in range(3)),
    ]
    done, *others = await asyncio.gather(*wanted)
    assert others == [answer(at)] * 3
    legal = at.position.legal_actions(at.position.current_player)
    assert done in [at.position.action_to_string(action) for action in legal]
    assert done == await computers.choose(at.level, at.position, (Deadly(0, "secret"),), at.seed)
    assert "ambush, level normal" in caplog.text
    assert "secret" not in caplog.text
    assert done not in caplog.text


async def test_a_decision_without_thought_is_the_games_own_where_it_has_one(computers: Computers) -> None:
    match = recorded(Path("tests/logs/saboteur-3-players.log"))
    state = next(state for state in match.states if state.default_action() is not None)
    at = question(state)
    default = at.position.action_to_string(at.position.default_action())
    assert await computers.choose(at.level, at.position, (Deadly(0, ""),), 1) == default


async def test_whoever_asked_for_a_hint_that_kills_every_process_is_told_so(at: Question, computers: Computers) -> None:
    with pytest.raises(Unavailable, match="hint"):
        await computers.hint(at.position, (Deadly(0, ""),), at.seed, owner=1, question="q")
    assert await computers.hint(at.position, at.lines, at.seed, owner=1, question="q")


async def test_processes_that_nobody_needs_are_let_go(computers: Computers) -> None:
    at, clock = asked(), ManualClock()
    await computers.choose(at.level, at.position, at.lines, at.seed)
    await computers.hint(at.position, at.lines, at.seed, owner=1, question=1)
    computers.let_idle_go(clock.now())
    clock.advance(IDLE)
    assert (computers.thinking.processes, computers.background.processes) == (1, 1)
    computers.let_idle_go(clock.now())
    assert (computers.thinking.processes, computers.background.processes) == (0, 0)


def test_workers_end_when_the_bot_is_killed(tmp_path: Path) -> None:
    """Kills the bot in the middle of a search of hours. Workers inherit standard output, which closes with the last
    one.
    """
    script = tmp_path / "parent.py"
    script.write_text(PARENT, "utf-8")
    environment = {**os.environ, "PYTHONPATH": os.getcwd()}
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True, env=environment) as parent:
        workers = [int(pid) for pid in parent.stdout.readline().split()]
        try:
            assert workers
            parent.kill()
            assert parent.communicate(timeout=WAIT)[0] == ""
        except subprocess.TimeoutExpired:
            for worker in workers:
                os.kill(worker, signal.SIGKILL)
            raise AssertionError("a worker lives on") from None


@pytest.mark.parametrize("count", [1, 2])
async def test_so_many_processes_think_as_were_asked_for(count: int) -> None:
    of_others = set(active_children())
    computers, at = Computers(processes=count, effort=0.01, beat=0), asked()
    await asyncio.gather(*(computers.choose(at.level, at.position, at.lines, at.seed) for _ in range(3)))
    assert len(set(active_children()) - of_others) == count
    computers.close()


async def test_a_pool_that_was_given_is_left_to_its_owner(at: Question) -> None:
    with ProcessPoolExecutor(1) as pool:
        for _ in range(2):
            computers = Computers(pool, effort=0.01, beat=0)
            await computers.choose(at.level, at.position, at.lines, at.seed)
            computers.close()


async def test_there_is_no_other_level(at: Question) -> None:
    with pytest.raises(ValueError, match="perfect"):
        await Computers(InProcess(), beat=0).choose("perfect", at.position, at.lines, at.seed)


def test_nine_computers_of_a_level_have_nine_names_and_more_are_numbered() -> None:
    for level in Level:
        taken: set[str] = {"Ann"}
        for _ in range(20):
            taken.add(name_for(level, taken))
        assert len(taken) == 21
        assert sum(name in NAMES[level] for name in taken) == 9


def test_no_name_stands_at_two_levels() -> None:
    names = [name for level in Level for name in NAMES[level]]
    assert len(set(names)) == len(names)
