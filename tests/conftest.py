"""Settings for every test."""

import fcntl
import gc
import os
import sys
from collections.abc import Generator, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import aiosqlite
import pytest
from hypothesis import HealthCheck, settings

from tests import slowness
from tests.dialect import use_one_dialect
from tests.lighter_simcord import lighten
from tests.process_log import log_as_before
from tests.store import SERVER, swept_up
from tests.wire.bot_process import Nursery

settings.register_profile("whatever the load", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("whatever the load")

COMPILED = Path(__file__).with_name("__pycache__") / "compiled"
"""It exists once a process has collected tests here."""
LONG = 10.0
"""CPU seconds of a test that is one of the first."""

# Modules and tests are made until collection ends, and hardly any garbage.
gc.disable()

use_one_dialect()
lighten()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let `make seconds` measure the tests."""
    parser.addoption("--seconds", action="store_true", help=f"measure the tests and write {slowness.FILE.name}")


def pytest_configure(config: pytest.Config) -> None:
    if config.option.seconds:
        config.pluginmanager.register(slowness.Meter())


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, Any, Any]:
    """Collect in one process after the other in a fresh clone: the first one compiles the sources for the others."""
    if COMPILED.exists() or sys.dont_write_bytecode:
        return (yield)
    with COMPILED.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        found = yield
    if session.items:
        COMPILED.touch()
    return found


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Iterator[None]:
    """Mark the slow tests, leave out those of a server if there is none, and begin with the longest."""
    config.stash[slowness.COLLECTED] = [item.nodeid for item in items]
    for item in slowness.slow(items, slowness.measured()):
        item.add_marker("slow")
    yield
    if SERVER is None:
        config.hook.pytest_deselected(items=[item for item in items if item.get_closest_marker("server")])
        items[:] = [item for item in items if not item.get_closest_marker("server")]
    items[:] = longest_first(items, int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1")))


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Let the garbage collector scan less, and less often: it took a tenth of the CPU time of the tests."""
    gc.collect()
    # Modules and tests live as long as the process.
    gc.freeze()
    gc.set_threshold(10_000)
    gc.enable()


def longest_first(items: list[pytest.Item], processes: int) -> list[pytest.Item]:
    """Order the tests so that the last part begins with those on the wire, and every part with its share of the slow.

    `--dist worksteal` gives every process such a part. The tests on the wire mostly wait, so they run while the other
    processes compute. Every part begins with the slowest of its slow tests, and the last tests of all are quick, so no
    process waits long for another. Otherwise tests stay in the order of their modules, which share what they cache.
    """
    wire = [item for item in items if item.get_closest_marker("wire")]
    slow = [item for item in items if item.get_closest_marker("slow") and not item.get_closest_marker("wire")]
    slow.sort(key=seconds, reverse=True)
    long = {*wire, *slow}
    quick = (item for item in items if item not in long)
    ordered: list[pytest.Item] = []
    for process in range(processes):
        size = (len(items) - len(ordered)) // (processes - process)
        share = slow[process::processes]
        if process == processes - 1:
            share = [*filter(seconds, share), *wire, *(item for item in share if not seconds(item))]
        ordered += [*share, *islice(quick, max(size - len(share), 0))]
    return ordered


def seconds(item: pytest.Item) -> float:
    """Return the CPU seconds of a test that takes long, or 0."""
    known = slowness.measured().get(item.nodeid, 0.0)
    return known if known >= LONG else 0.0


@pytest.fixture(autouse=True, scope="session")
def _no_store_is_left_after_all() -> Iterator[None]:
    with swept_up():
        yield


@pytest.fixture(scope="session")
def nursery() -> Iterator[Nursery]:
    """Starts bots quickly."""
    if not hasattr(os, "pidfd_open"):
        pytest.skip("only Linux can watch a process that is not one's own child")
    made = Nursery()
    yield made
    made.close()


@pytest.fixture(autouse=True)
def _no_store_is_left() -> Iterator[None]:
    with swept_up():
        yield


@pytest.fixture(autouse=True)
def _the_log_is_as_before() -> Iterator[None]:
    """Restore the log after each test: modes of the program set up the log of their process."""
    with log_as_before():
        yield


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    """Stop the threads of stores that tests have left open: SimCord closes no bot, and the process would never end."""
    for each in gc.get_objects():
        if isinstance(each, aiosqlite.Connection):
            each.stop()
