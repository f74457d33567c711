"""The processes in which computers think: they end with the bot, can be replaced, and keep time."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import active_children
from pathlib import Path

import pytest

from matches.computers import Computers, InProcess, Level, name_for
from matches.computers.levels import NAMES
from matches.computers.thinking import Question, answer
from tests.conformance.matches import SETUPS
from tests.matches.imagined import decisions, question

WAIT = 60
"""Seconds that a process is given to end."""

PARENT = """
import asyncio, os, sys
from multiprocessing import active_children
from matches.computers import Computers
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


def asked() -> Question:
    """Something to think about."""
    state, log = list(decisions(next(setup for setup in SETUPS if setup.key == "ambush"), 1))[20]
    return question(state, log)


@pytest.fixture
async def computers() -> AsyncIterator[Computers]:
    computers = Computers(effort=0.01, beat=0)
    yield computers
    computers.close()


async def test_a_worker_process_chooses_what_this_process_would_choose(computers: Computers) -> None:
    at = asked()
    assert await computers.choose(at.level, at.position, at.lines, at.seed) == answer(at)


async def test_the_event_loop_runs_on_while_a_worker_thinks(computers: Computers) -> None:
    at = asked()
    thinking = asyncio.create_task(computers.choose(at.level, at.position, at.lines, at.seed))
    turns = 0
    while not thinking.done():
        await asyncio.sleep(0)
        turns += 1
    assert turns > 100


async def test_a_worker_that_is_killed_is_replaced(computers: Computers) -> None:
    at = asked()
    of_others = set(active_children())  # which may be about to end
    text = await computers.choose(at.level, at.position, at.lines, at.seed)
    workers = set(active_children()) - of_others
    assert workers
    for worker in workers:
        worker.kill()
        worker.join()
    asking = [computers.choose(at.level, at.position, at.lines, at.seed) for _ in range(3)]
    assert await asyncio.gather(*asking) == [text] * 3


def test_workers_end_when_the_bot_is_killed(tmp_path: Path) -> None:
    """In the middle of a search that would take hours. Workers inherit the standard output: it closes with the last."""
    script = tmp_path / "parent.py"
    script.write_text(PARENT, "utf-8")
    environment = {**os.environ, "PYTHONPATH": os.getcwd()}
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True, env=environment) as parent:
        assert parent.stdout is not None
        workers = [int(pid) for pid in parent.stdout.readline().split()]
        try:
            assert workers
            parent.kill()
            assert parent.communicate(timeout=WAIT) == ("", None)
        except subprocess.TimeoutExpired:
            for worker in workers:
                os.kill(worker, signal.SIGKILL)
            raise AssertionError("a worker lives on") from None


async def test_a_decision_takes_a_whole_number_of_beats() -> None:
    at = asked()
    loop = asyncio.get_running_loop()
    for beat in (0.2, 0.4):
        begun = loop.time()
        await Computers(InProcess(), effort=0.0001, beat=beat).choose(at.level, at.position, at.lines, at.seed)
        assert loop.time() - begun >= beat - 0.01


async def test_a_pool_that_was_given_is_left_to_its_owner() -> None:
    at = asked()
    with ProcessPoolExecutor(1) as pool:
        for _ in range(2):
            computers = Computers(pool, effort=0.01, beat=0)
            await computers.choose(at.level, at.position, at.lines, at.seed)
            computers.close()


async def test_there_is_no_other_level() -> None:
    at = asked()
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
