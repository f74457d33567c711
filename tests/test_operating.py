"""What the page for whoever runs the bot says is true of this program."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from datetime import timedelta
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from benchmarks import growth
from cogs.process.exits import EXIT_CHANGE, EXIT_INTERRUPTED, EXIT_LATER
from cogs.process.faults import Fault
from cogs.process.pace import A_SECOND, WINDOW
from cogs.process.wire import LATE, SILENCE, SILENCE_OF_A_PROXY
from db.matches.leases import OVERDUE_AFTER
from matches.delivery.scheduler import GIVEN_UP, LATER, MATCHES_AT_ONCE, SOON, TICK
from matches.engine.fair_queue import PATIENCE
from matches.engine.lanes import FULL, LONGEST_PAUSE
from matches.host.positions import KEPT
from matches.table.limits import WATCHED_ON_A_SERVER, WATCHED_TABLES
from matches.table.news import WATCHED_EVERY
from render.cache import MAX_BYTES

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "operating.md").read_text("utf-8")


def test_what_the_container_file_copies_is_all_that_the_bot_needs(tmp_path: Path) -> None:
    copied = re.findall(r"^    COPY (\S+) (\S+)$", PAGE, re.MULTILINE)
    for source, target in copied:
        if (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, tmp_path / target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / source, tmp_path / target)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("AMBIT_", "PYTHON"))}
    environment |= {"AMBIT_TOKEN": "MTIz.a.b", "AMBIT_DATABASE": f"sqlite+aiosqlite:///{tmp_path}/new.db"}
    done = subprocess.run(
        [
            sys.executable,
            "-I",
            "-c",
            f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import bot; sys.exit(bot.main(['--check']))",
        ],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "The settings are complete." in done.stdout


def test_every_file_that_the_page_names_is_there() -> None:
    for name in re.findall(r"-r (\S+\.txt)", PAGE):
        assert (ROOT / name.strip("`")).is_file()
    asked = subprocess.run([sys.executable, ROOT / "bot.py", "--help"], capture_output=True, text=True, check=True)
    for option in re.findall(r"python bot\.py (--[a-z]+)", PAGE):
        assert option in asked.stdout


PINNED = {
    "requirements.txt": (),
    "requirements-postgresql.txt": ("postgresql",),
    "requirements-server.txt": ("dev", "server"),
    "requirements-dev.txt": ("dev",),
    "requirements-bench.txt": ("dev", "bench"),
}


@pytest.mark.parametrize(("file", "extras"), PINNED.items())
def test_what_is_required_has_an_upper_bound_and_what_is_pinned_keeps_to_it(file: str, extras: tuple[str, ...]) -> None:
    """FOUND E12: the next major version of a library comes when somebody has tried it, never by itself."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *(each for extra in extras for each in project["optional-dependencies"][extra])]
    pinned = dict(re.findall(r"^([a-z0-9-]+)==([^ ]+)", (ROOT / file).read_text("utf-8"), re.MULTILINE))
    for requirement in map(Requirement, wanted):
        if requirement.name != project["name"]:
            assert any(each.operator == "<" for each in requirement.specifier), requirement
            assert pinned[canonicalize_name(requirement.name)] in requirement.specifier, requirement


def test_the_lines_of_the_log_that_the_page_explains_are_those_that_the_program_writes() -> None:
    assert f"silent for {SILENCE:.0f} seconds" in PAGE
    assert f"({SILENCE_OF_A_PROXY:.0f} with `AMBIT_API`)" in PAGE
    assert f"all {MATCHES_AT_ONCE} places have been taken for {FULL.total_seconds():.0f} s" in PAGE
    assert f"({A_SECOND} requests in {WINDOW} s)" in PAGE
    promises = (ROOT / "docs" / "reliability.md").read_text("utf-8")
    assert f"{SILENCE:.0f} seconds of silence on the wire" in promises
    assert f"After {LATE:.0f} seconds of it" in promises
    assert {"refused", "malformed"} <= set(Fault)


def test_the_pauses_that_the_pages_name_are_those_that_the_program_makes() -> None:
    promises = " ".join((ROOT / "docs" / "reliability.md").read_text("utf-8").split())
    words = {
        timedelta(seconds=4): "four seconds",
        timedelta(seconds=5): "five seconds",
        timedelta(seconds=10): "ten seconds",
        timedelta(seconds=30): "half a minute",
        timedelta(minutes=5): "five minutes",
        timedelta(hours=6): "six hours",
        timedelta(days=3): "three days",
    }
    assert f"it looks every {words[timedelta(seconds=TICK)]} for what was left over" in promises
    assert f"another takes it once it is {words[OVERDUE_AFTER]} overdue" in promises
    assert f"asked again after pauses that grow to {words[LONGEST_PAUSE]}" in promises
    for first, longest in (SOON, LATER):
        assert f"after pauses from {words[first]} to {words[longest]}" in promises
    assert f"What could not be told for {words[GIVEN_UP]} is given up" in promises
    assert f"it was refused for {words[GIVEN_UP]}" in PAGE


def test_the_service_tries_again_after_what_passes_and_never_after_what_somebody_has_to_change() -> None:
    """FOUND E4, E5: the unit goes by the exit codes, and reads its settings from where every mode can read them."""
    unit = dict(re.findall(r"^    ([A-Z]\w+)=(.*)$", PAGE, re.MULTILINE))
    assert unit["Restart"] == "on-failure"
    assert unit["RestartPreventExitStatus"] == str(EXIT_CHANGE)
    assert unit["StartLimitIntervalSec"] == "0"
    assert 24 * 3600 / int(unit["RestartSec"]) < 1000, "Discord takes a thousand logins a day"
    assert unit["ExecStart"].endswith("bot.py --env /etc/ambit.env")
    assert "EnvironmentFile" not in unit
    codes = {int(code) for code in re.findall(r"^\| (\d+) \| [a-zA-Z`]", PAGE, re.MULTILINE)}
    assert codes == {0, 1, EXIT_CHANGE, EXIT_LATER, EXIT_INTERRUPTED}


def test_what_the_page_writes_with_other_programs_is_for_its_owner_alone() -> None:
    """FOUND E7."""
    dumps = [line for line in PAGE.splitlines() if "pg_dump" in line and "--file" in line]
    assert dumps
    assert all("umask 077" in line for line in dumps)


# FOUND P1
def test_what_the_pages_say_about_tables_without_people_is_so() -> None:
    words = {2: "two", 5: "five", 10: "ten"}
    computers = " ".join((ROOT / "docs" / "computer-players.md").read_text("utf-8").split())
    mine, ours = words[WATCHED_TABLES], words[WATCHED_ON_A_SERVER]
    assert f"A host may have {mine} such matches running at the same time" in computers
    assert f"and a server {ours}." in computers
    assert f"what was given up {PATIENCE} times is done to its end, and after {PATIENCE} turns of people" in computers
    first = WATCHED_EVERY.total_seconds()
    assert f"changes every {words[first]} to {words[first + TICK]} seconds" in computers
    assert f"have {mine} of them at the same time, a server {ours}." in " ".join(PAGE.split())


def test_what_the_page_says_about_memory_is_what_the_program_keeps() -> None:  # FOUND E13
    assert f"{MAX_BYTES // 10**6} MB at most are drawn tiles" in " ".join(PAGE.split())
    assert f"{KEPT // 10**6} MB positions" in PAGE
    assert f"{growth.CHANNELS} channels and {growth.ROLES} roles" in PAGE
    assert 35_000 < growth.of_a_server() < 65_000, "some 50 kB"
    moves, processors = (
        re.search(rf"^\| {row} \| ([0-9.]+)", PAGE, re.MULTILINE) for row in ("moves a second", "drawing and deciding")
    )
    milliseconds = re.search(r"([0-9]+) ms of a processor", PAGE)
    assert moves is not None
    assert processors is not None
    assert milliseconds is not None
    assert abs(float(moves[1]) * int(milliseconds[1]) / 1000 - float(processors[1])) < 0.1
