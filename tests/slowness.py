"""Which tests are slow, by the CPU seconds that `make seconds` has measured. `make test` leaves them out."""

import json
import os
from collections import defaultdict
from collections.abc import Collection, Generator, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

FILE: Final = Path(__file__).with_name("seconds.json")
MOST: Final = 0.2
"""CPU seconds that a test may take in `make test`."""
DEAREST: Final = 3 * MOST
"""What the cheapest case of a test may take if all are slow."""
LEAST: Final = 0.1
"""The file leaves out tests that take less."""

COLLECTED: Final = pytest.StashKey[list[str]]()
"""The names of all tests that pytest has found, also of those that it then leaves out."""


@cache
def measured() -> dict[str, float]:
    """CPU seconds by the name of the test. They include setup, teardown and child processes."""
    modules: dict[str, dict[str, float]] = json.loads(FILE.read_text("utf-8"))
    return {f"{module}::{name}": seconds for module, tests in modules.items() for name, seconds in tests.items()}


def write(seconds: Mapping[str, float]) -> None:
    """Replace what is measured."""
    modules: dict[str, dict[str, float]] = {}
    for name in sorted(seconds):
        module, _, test = name.partition("::")
        modules.setdefault(module, {})[test] = seconds[name]
    FILE.write_text(json.dumps(modules, indent=1) + "\n", "utf-8")


def slow(items: Iterable[pytest.Item], seconds: Mapping[str, float]) -> list[pytest.Item]:
    """The tests that `make test` leaves out.

    Of cases that are alike (of one test, and mostly of one game), the cheapest stay: as many as take `MOST` together.
    If a test would be left out with all its cases, the cheapest stays. What is marked `always` stays with its cheapest
    case of each game, whatever that takes.
    """
    taken, kept, found = defaultdict[str, float](float), set[str](), list[pytest.Item]()
    for item in sorted(items, key=lambda item: seconds.get(item.nodeid, 0)):
        test, alike = item.nodeid.partition("[")[0], item.nodeid.partition("-")[0]
        takes = seconds.get(item.nodeid, 0)
        taken[alike] += takes
        first = test != item.nodeid and test not in kept and takes <= DEAREST
        always = item.get_closest_marker("always") is not None and alike not in kept
        if taken[alike] <= MOST or first or always:
            kept |= {test, alike}
        else:
            found.append(item)
    return found


def gone(seconds: Iterable[str], there: Collection[str]) -> list[str]:
    """The measured tests that no longer exist, as far as their modules are among the tests that are there."""
    modules = {name.partition("::")[0] for name in there}

    def exists(name: str) -> bool:
        module = name.partition("::")[0]
        return name in there if module in modules else (FILE.parents[1] / module).exists()

    return [name for name in seconds if not exists(name)]


def merged(before: Mapping[str, float], now: Mapping[str, float], there: Collection[str]) -> dict[str, float]:
    """The seconds of before and of now. What differs by less than a third stays, so that the file changes little."""
    lost = gone(before, there)
    merged = {name: seconds for name, seconds in before.items() if name not in lost}
    for name, seconds in now.items():
        if abs(seconds - (known := before.get(name, LEAST))) >= known / 3:
            merged[name] = float(f"{seconds:.2g}")
    return {name: seconds for name, seconds in merged.items() if seconds >= LEAST}


class Meter:
    """A plugin of pytest that measures tests and writes the file."""

    def __init__(self) -> None:
        self._begun, self._passed = 0.0, False
        self._there: set[str] = set()
        self._found: dict[str, float] = {}

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        collected = session.config.stash.get(COLLECTED, list[str]())
        self._there.update(collected)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: list[str]) -> None:
        self._there.update(ids)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self) -> None:
        self._begun, self._passed = _spent(), False

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Generator[None, Any, Any]:
        """What tests share isn't the first one's."""
        if fixturedef.scope == "function":
            return (yield)
        begun = _spent()
        try:
            return (yield)
        finally:
            self._begun += _spent() - begun

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        report = yield
        if report.when == "call":
            self._passed = report.passed
        elif report.when == "teardown" and self._passed:
            report.user_properties.append(("CPU seconds", _spent() - self._begun))
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        for name, value in report.user_properties:
            if name == "CPU seconds":
                self._found[report.nodeid] = float(str(value))

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if not hasattr(session.config, "workerinput"):
            write(merged(measured(), self._found, self._there))


def _spent() -> float:
    """CPU seconds of this process so far, and of its descendants."""
    from benchmarks.crowd import usage

    while True:
        try:
            return usage(os.getpid(), buried=True).seconds
        except (FileNotFoundError, ProcessLookupError):
            continue  # A process has ended while we read.
