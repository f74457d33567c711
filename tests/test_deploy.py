"""What `docs/deploy/` offers: services, wrapper, a backup that is tried, container, alerts and dashboard."""

import ast
import asyncio
import json
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from cogs.process.environment import Settings
from cogs.process.exits import EXIT_CHANGE
from cogs.process.service import BEATS, Service
from tests.files import DEPLOY, ROOT, alerts, asked_by, container_of, directives, health_check
from tests.pages import page
from tests.store import fresh, of_sqlite
from tests.test_bot import TOKEN, end_of, start, two_matches
from tests.wire.discord_standin import Discord

UNITS: Final = tuple(sorted(DEPLOY.glob("*.service")))
EXPOSURE: Final = 2.0
"""How exposed a unit may be, of 10, as `systemd-analyze security` measures it."""

DASHBOARD: Final[dict[str, Any]] = json.loads((DEPLOY / "dashboard.json").read_text("utf-8"))
SUFFIXES: Final = ("_bucket", "_count", "_sum")
"""What Prometheus appends to the name of a histogram."""


def watchdog() -> int:
    """After how many seconds systemd ends a process whose loop doesn't turn."""
    return int(directives(DEPLOY / "ambit.service")["WatchdogSec"])


def copies() -> int:
    """How many backups the nightly unit keeps."""
    return int(directives(DEPLOY / "ambit-backup.service")["ExecStart"].split()[-1])


@cache
def measured() -> dict[str, set[str]]:
    """The measurements of the page for operators, with their labels."""
    rows = [[set(re.findall(r"`(\w+)`", cell)) for cell in row[:2]] for row in page("docs/metrics.md").rows]
    return {name: labels | {"process"} for names, labels in rows for name in names if name.startswith("ambit_")}


def expressions() -> Iterator[tuple[str, str]]:
    """Every expression of the alerts and of the dashboard, with where it stands."""
    yield from ((alert.name, alert.expression) for alert in alerts())
    for panel in DASHBOARD["panels"]:
        for target in panel.get("targets", ()):
            yield panel["title"], target["expr"]


def names_in(expression: str) -> set[str]:
    """The bot's measurements in an expression, without the suffixes of histograms."""
    found = {name for name in asked_by(expression).series if name.startswith("ambit_")}
    return {re.sub(f"({'|'.join(SUFFIXES)})$", "", name) if name not in measured() else name for name in found}


@pytest.mark.parametrize(("where", "expression"), list(expressions()))
def test_alerts_and_panels_ask_for_measurements_and_labels_that_the_bot_has(where: str, expression: str) -> None:
    names, asked = names_in(expression), asked_by(expression)
    assert names <= measured().keys(), where
    known = set().union(*(measured()[name] for name in names)) | {"job", "instance"}
    if any(name.endswith("_bucket") for name in asked.series):
        known.add("le")
    assert not names or asked.matched | asked.grouped <= known, where


def test_everything_that_is_measured_is_on_the_dashboard() -> None:
    shown = {name for _, expression in expressions() for name in names_in(expression)}
    assert measured().keys() - shown <= {"ambit_lane_places"}


def test_panels_lie_beside_each_other() -> None:
    places = [tuple(panel["gridPos"].values()) for panel in DASHBOARD["panels"]]
    cells = [(x + i, y + j) for x, y, w, h in places for i in range(w) for j in range(h)]
    assert len(cells) == len(set(cells))
    assert all(x + w <= 24 for x, _, w, _ in places)
    numbers = [panel["id"] for panel in DASHBOARD["panels"]]
    assert len(numbers) == len(set(numbers))


def test_every_alert_says_what_is_wrong_how_bad_and_what_to_do() -> None:
    assert len(alerts()) > 15
    for alert in alerts():
        assert alert.labels["severity"] in {"page", "ticket"}, alert.name
        assert alert.summary, alert.name
        assert alert.description.endswith("."), alert.name
        used = set(re.findall(r"\$labels\.(\w+)", alert.summary + alert.description)) - {"instance"}
        kept = asked_by(alert.expression).grouped
        labels = set().union(*(measured()[each] for each in names_in(alert.expression)))
        assert used <= (kept or labels), alert.name


def test_the_service_tries_again_after_what_passes_and_never_after_what_somebody_has_to_change() -> None:
    """FOUND E4, E5: the unit uses the exit codes, and a settings file that every mode can read."""
    unit = directives(DEPLOY / "ambit.service")
    assert unit["Restart"] == "on-failure"
    assert unit["RestartPreventExitStatus"] == str(EXIT_CHANGE)
    assert unit["StartLimitIntervalSec"] == "0"
    # FOUND O4: the first restart comes soon, and later ones don't use up the thousand logins of a day.
    assert int(unit["RestartSec"]) <= 10
    assert int(unit["RestartSteps"]) >= 3
    assert 24 * 3600 / (60 * int(unit["RestartMaxDelaySec"].removesuffix("min"))) < 1000
    assert (unit["OOMPolicy"], unit["MemoryMax"]) == ("continue", "80%")
    assert unit["ExecStart"].endswith("bot.py --env /etc/ambit.env")
    assert "EnvironmentFile" not in unit
    assert (unit["Type"], unit["NotifyAccess"]) == ("notify", "main")
    assert watchdog() / BEATS == 20, "as the comment says"


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_unit_is_hardly_exposed(unit: Path) -> None:
    hardened = directives(unit)
    assert (hardened["NoNewPrivileges"], hardened["ProtectSystem"], hardened["CapabilityBoundingSet"]) == (
        *("yes", "strict"),
        "",
    )
    tool = shutil.which("systemd-analyze")
    if tool is None:
        pytest.skip("systemd-analyze isn't installed here")
    limit = f"--threshold={EXPOSURE * 10:.0f}"
    done = subprocess.run(
        [tool, "security", "--offline=true", "--no-pager", limit, str(unit)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-300:] + done.stderr


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    """The end of systemd's for notifications, at `notify`."""
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as end:
        end.bind(str(tmp_path / "notify"))
        end.setblocking(False)
        yield end


async def test_systemd_is_told_the_start_the_stop_and_that_the_loop_turns(
    manager: socket.socket, tmp_path: Path
) -> None:
    told = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "30000", "WATCHDOG_PID": str(os.getpid())}
    service = Service(told)
    loop = asyncio.get_running_loop()
    service.started()
    heard = [(await loop.sock_recv(manager, 100)).decode() for _ in range(4)]
    assert heard == ["READY=1", "WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1"]
    service.stopping()
    while (last := (await loop.sock_recv(manager, 100)).decode()) == "WATCHDOG=1":
        pass
    assert last == "STOPPING=1"
    Service(told | {"WATCHDOG_PID": "1"}).started()
    Service({}).started()


def received(manager: socket.socket) -> str:
    """The next notification; empty if there is none."""
    with suppress(BlockingIOError):
        return manager.recv(100).decode()
    return ""


async def test_systemd_waits_for_a_start_as_long_as_the_loop_turns(
    manager: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cogs.process.service.LONGER", 0.03)
    service = Service({"NOTIFY_SOCKET": str(tmp_path / "notify")})
    loop = asyncio.get_running_loop()
    service.starting()
    heard = [(await loop.sock_recv(manager, 100)).decode() for _ in range(3)]
    assert heard == ["EXTEND_TIMEOUT_USEC=30000"] * 3
    service.started()
    while (last := (await loop.sock_recv(manager, 100)).decode()) != "READY=1":
        pass
    await asyncio.sleep(0.03)
    with pytest.raises(BlockingIOError):
        manager.recv(100)
    assert last == "READY=1"
    Service({}).starting()


async def test_the_process_says_that_it_has_started_once_discord_knows_its_token(
    manager: socket.socket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    monkeypatch.setenv("WATCHDOG_USEC", "1000000")
    loop = asyncio.get_running_loop()
    async with Discord() as discord:
        assert (await end_of(await start(tmp_path, discord, TOKEN=TOKEN)))[0] == EXIT_CHANGE
        while longer := received(manager):
            assert longer.startswith("EXTEND_TIMEOUT_USEC="), "it never said that it has started"
        process = await start(tmp_path, discord)
        heard = [(await asyncio.wait_for(loop.sock_recv(manager, 100), 60)).decode() for _ in range(4)]
        process.terminate()
        code, _ = await end_of(process)
    assert heard == ["EXTEND_TIMEOUT_USEC=60000000", "READY=1", "WATCHDOG=1", "WATCHDOG=1"]
    assert code == 0
    # The last message in the socket says that the bot stops. Without it the read fails.
    while heard[-1] != "STOPPING=1":
        heard.append(manager.recv(100).decode())


def surroundings(tmp_path: Path) -> dict[str, str]:
    """The environment for the scripts: this program, its Python, and a file of settings in the folder."""
    settings = tmp_path / "ambit.env"
    settings.write_text(f"AMBIT_TOKEN={TOKEN}\nAMBIT_DATABASE=sqlite+aiosqlite:///{tmp_path}/ambit.db\n")
    clean = {name: value for name, value in os.environ.items() if not name.startswith("AMBIT_")}
    user = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()
    return clean | {
        "BOT_HOME": str(ROOT),
        "BOT_PYTHON": sys.executable,
        "BOT_SETTINGS": str(settings),
        "BOT_USER": user,
        "BOT_COMMAND": str(DEPLOY / "ambit"),
    }


def run(tmp_path: Path, script: str, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(DEPLOY / script), *arguments],
        cwd=tmp_path,
        env=surroundings(tmp_path) | more,
        capture_output=True,
        text=True,
        check=False,
    )


def script(path: Path, line: str) -> str:
    """Write a script of one line, and return its name."""
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)
    return str(path)


def test_the_wrapper_runs_every_mode_with_the_services_settings(tmp_path: Path) -> None:
    """Python tells with what it was started. The backup below starts the program by the wrapper."""
    python = script(tmp_path / "python", 'printf "%s\\n" "$@" "$(pwd)" "$(umask)"; exit 75')
    mode = ("--announce", "Back at 20:00 UTC.")
    done = run(tmp_path, "ambit", *mode, BOT_PYTHON=python)
    assert (done.returncode, done.stderr) == (75, "")
    started = [str(ROOT / "bot.py"), "--env", str(tmp_path / "ambit.env"), *mode]
    assert done.stdout.splitlines() == [*started, str(tmp_path), "0077"]
    if os.geteuid() != 0:
        refused = run(tmp_path, "ambit", "--check", BOT_USER="somebody-else")
        assert (refused.returncode, refused.stderr) == (2, "Run this as root, or as the user somebody-else.\n")


OLDER: Final = [f"ambit-2026-01-0{day}T04-00-00Z.db" for day in range(1, 5)]


@pytest.fixture
def backups(tmp_path: Path) -> Path:
    """A folder with older copies, and with another file."""
    folder = tmp_path / "backups"
    folder.mkdir()
    for name in (*OLDER, "mine.db"):
        (folder / name).touch()
    return folder


@of_sqlite
def test_a_backup_is_restored_and_checked_and_only_the_newest_are_kept(tmp_path: Path, backups: Path) -> None:
    asyncio.run(two_matches(fresh(tmp_path / "ambit.db")))
    done = run(tmp_path, "ambit-backup", str(backups), "3")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"Database: {tmp_path}/ambit.db\n" in done.stdout
    assert "every open match can go on" in done.stdout
    *older, newest, mine = sorted(path.name for path in backups.iterdir())
    assert (older, mine) == (OLDER[2:], "mine.db")
    assert (backups / newest).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("step", ["--backup", "--restore", "--check"])
def test_a_backup_that_fails_at_any_step_deletes_nothing(tmp_path: Path, backups: Path, step: str) -> None:
    failed = run(
        tmp_path, "ambit-backup", str(backups), "3", BOT_COMMAND=script(tmp_path / "bot", f'[ "$1" != {step} ]')
    )
    assert failed.returncode != 0
    assert sorted(path.name for path in backups.iterdir()) == [*OLDER, "mine.db"]


def test_the_container_runs_as_nobody_in_particular_with_settings_that_exist() -> None:
    instructions = container_of(DEPLOY / "Containerfile")
    users = [value for name, value in instructions if name == "USER"]
    assert users == ["10001:10001"]
    known = {f"AMBIT_{name.upper()}" for name in Settings.model_fields}
    set_here = set(re.findall(r"\b(AMBIT_\w+)=", " ".join(value for name, value in instructions if name == "ENV")))
    assert set_here
    assert set_here <= known
    assert [name for name, _ in instructions].count("FROM") == 2
    ast.parse(health_check()[2])
    assert "/livez" in health_check()[2]


def test_what_the_container_file_copies_is_all_that_the_bot_needs(tmp_path: Path) -> None:
    copied = [value.split() for name, value in container_of(DEPLOY / "Containerfile") if name == "COPY"]
    for source, target in (each for each in copied if len(each) == 2):
        if source.startswith("requirements"):
            assert (ROOT / source).is_file()
        elif (ROOT / source).is_dir():
            shutil.copytree(ROOT / source, tmp_path / target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / source, tmp_path / target)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("AMBIT_", "PYTHON"))}
    environment |= {"AMBIT_TOKEN": "MTIz.a.b", "AMBIT_DATABASE": f"sqlite+aiosqlite:///{tmp_path}/new.db"}
    program = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import bot; sys.exit(bot.main(['--check']))"
    done = subprocess.run(
        [sys.executable, "-I", "-c", program],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "The settings are complete." in done.stdout
