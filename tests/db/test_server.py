"""The tests' server runs as long as a command, and only tests about SQLite are skipped on it."""

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.store import of_server

ROOT = Path(__file__).parents[2]
ASKS = (
    "import asyncio, asyncpg, os, sys\n"
    "where = os.environ['AMBIT_TEST_SERVER'].replace('+asyncpg', '')\n"
    "async def ask():\n"
    "    connection = await asyncpg.connect(where)\n"
    "    print(await connection.fetchval('SHOW data_directory'), flush=True)\n"
    "    await connection.close()\n"
    "asyncio.run(ask())\n"
)


@of_server
@pytest.mark.parametrize(
    ("ends", "code"), [("sys.exit(3)", 3), ("sys.stdin.read()", -signal.SIGTERM)], ids=["by itself", "stopped"]
)
def test_a_server_is_gone_when_its_command_has_ended(ends: str, code: int) -> None:
    command = [sys.executable, "-m", "tests.server", sys.executable, "-c", ASKS + ends]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        data = Path(process.stdout.readline().strip())
        if code < 0:
            process.send_signal(-code)
        assert process.stderr.read() == ""
    assert process.returncode == code % 256
    assert data.name == "data"
    assert not data.parent.exists()


def test_whatever_is_skipped_on_a_server_has_sqlite_for_its_subject(request: pytest.FixtureRequest) -> None:
    """Checks all skipped tests among all collected ones. A test may skip itself only if this machine
    lacks something.
    """
    marks = [mark for item in request.session.items for mark in item.iter_markers() if mark.name in ("skip", "skipif")]
    reasons = {mark.kwargs["reason"] for mark in marks if mark.name == "skip" or any(mark.args)}
    assert [reason for reason in reasons if "SQLite" not in reason] == []
    skipping = re.compile(r"pytest\.(skip|importorskip|xfail)\(")
    files = {path.relative_to(ROOT) for path in (ROOT / "tests").rglob("*.py") if skipping.search(path.read_text())}
    lacking = (
        "tests/conftest.py",
        "tests/cogs/test_preview_page.py",
        "tests/debian.py",
        "tests/test_alerts.py",
        "tests/test_deploy.py",
        "tests/test_exposure.py",
        "tests/wire/conftest.py",
    )
    assert files == set(map(Path, lacking))
