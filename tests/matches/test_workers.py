"""Processes that work for the bot: what they load, and what happens when one is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from matches.workers import Workers

PROGRAM = """
import asyncio
import much_to_load
from matches.workers import Workers
from tests.matches.test_workers import loaded

async def main():
    print(*await Workers(1).run(loaded, ("matches", "much_to_load")))

if __name__ == "__main__":
    asyncio.run(main())
    print(__spec__)
"""


def loaded(modules: tuple[str, ...]) -> list[str]:
    """Which of these modules this process has."""
    return [name for name in modules if name in sys.modules]


def killed() -> None:
    """The end of the process that is asked."""
    os.kill(os.getpid(), signal.SIGKILL)


def killed_once(sign: Path) -> str:
    """The end of the process that is asked, unless there is a sign that another has ended so."""
    if not sign.exists():
        sign.touch()
        killed()
    return "done"


@pytest.fixture
async def workers() -> AsyncIterator[Workers]:
    workers = Workers(1)
    yield workers
    workers.close()


async def test_work_is_done_in_another_process_and_the_next_in_the_same(workers: Workers) -> None:
    first = await workers.run(os.getpid)
    assert first != os.getpid()
    assert await workers.run(os.getpid) == first


async def test_what_the_work_raises_is_raised_here(workers: Workers) -> None:
    with pytest.raises(ValueError, match="invalid literal"):
        await workers.run(int, "seven")


async def test_work_whose_process_is_killed_is_done_by_another(workers: Workers, tmp_path: Path) -> None:
    assert await workers.run(killed_once, tmp_path / "killed") == "done"


async def test_work_that_kills_every_process_is_given_up(workers: Workers) -> None:
    with pytest.raises(BrokenProcessPool):
        await workers.run(killed)
    assert await workers.run(int, "7") == 7


async def test_processes_that_were_let_go_begin_again_when_there_is_work(workers: Workers) -> None:
    first = await workers.run(os.getpid)
    workers.close()
    assert await workers.run(os.getpid) != first


async def test_workers_give_way_as_they_were_told() -> None:
    lowly = Workers(1, niceness=7)
    try:
        assert await lowly.run(os.nice, 0) - os.nice(0) == 7
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
