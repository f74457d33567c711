"""PostgreSQL and PgBouncer as Debian packages them, for as long as a test needs them.

They listen on sockets in a temporary folder, and on no port. Neither runs as root: for root they run as Debian's user
postgres.
"""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from tests.server import SETTINGS

USER: Final = "postgres" if os.geteuid() == 0 else None
"""The user as whom the programs run, if it isn't ours."""

PORT: Final = 6432
"""Part of the name of PgBouncer's socket."""


def _version(folder: Path) -> int:
    return int(folder.name) if folder.name.isdigit() else 0


VERSIONS: Final = sorted(Path("/usr/lib/postgresql").glob("[0-9]*"), key=_version)
"""The folders of the installed servers, the oldest version first."""


@contextmanager
def postgresql() -> Iterator[Path]:
    """The oldest installed server, running. Yields the folder of its socket. Skips the test if none is installed."""
    pytest.importorskip("asyncpg", reason="the driver for PostgreSQL isn't installed")
    if not VERSIONS:
        pytest.skip("Debian's package postgresql isn't installed")
    programs = VERSIONS[0] / "bin"
    with _folder() as folder:
        data = folder / "data"
        _run(programs / "initdb", "-D", data, "-A", "trust", "-U", "postgres", "-N")
        with (data / "postgresql.auto.conf").open("a") as file:
            file.write(f"{SETTINGS}\nlisten_addresses = ''\nunix_socket_directories = '{folder}'\n")
        _run(programs / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "start")
        try:
            yield folder
        finally:
            _run(programs / "pg_ctl", "-D", data, "-m", "immediate", "stop")


class Pooler:
    """A running PgBouncer."""

    def __init__(self, folder: Path, server: Path, settings: dict[str, object]) -> None:
        self._file, self._server, self.folder = folder / "pgbouncer.ini", server, folder
        (folder / "users").write_text('"postgres" ""\n')
        self.configure(settings)
        program = shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")
        if program is None:
            pytest.skip("Debian's package pgbouncer isn't installed")
        self._process = subprocess.Popen(
            [program, self._file], stderr=subprocess.PIPE, text=True, user=USER, cwd=folder
        )
        self._until("process up")

    def configure(self, settings: dict[str, object]) -> None:
        """Write its settings."""
        ours = {"unix_socket_dir": self.folder, "listen_port": PORT, "auth_type": "trust"}
        lines = {**ours, "auth_file": self.folder / "users", **settings}
        written = "\n".join(f"{name} = {value}" for name, value in lines.items())
        self._file.write_text(f"[databases]\n* = host={self._server}\n[pgbouncer]\n{written}\n")
        if USER is not None:
            shutil.chown(self._file, USER)

    def reload(self, settings: dict[str, object]) -> None:
        """Let it read other settings, while everybody stays connected."""
        self.configure(settings)
        self._process.send_signal(signal.SIGHUP)
        self._until("SIGHUP")

    def address(self, database: str) -> str:
        """The address of a database through it."""
        return f"postgresql+asyncpg://postgres@/{database}?host={self.folder}&port={PORT}"

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()

    def _until(self, words: str) -> None:
        """Read its log up to a line with these words."""
        assert self._process.stderr is not None
        read = []
        for line in self._process.stderr:
            read.append(line)
            if words in line:
                return
        raise AssertionError("".join(read))


@contextmanager
def pgbouncer(server: Path, **settings: object) -> Iterator[Pooler]:
    """A PgBouncer before the server whose socket is in this folder. Skips the test if it isn't installed."""
    with _folder() as folder:
        pooler = Pooler(folder, server, settings)
        try:
            yield pooler
        finally:
            pooler.close()


@contextmanager
def _folder() -> Iterator[Path]:
    # A socket's path may have some hundred characters, fewer than a test's folder.
    with tempfile.TemporaryDirectory(prefix="ambit-", ignore_cleanup_errors=True) as name:
        if USER is not None:
            shutil.chown(name, USER)
        yield Path(name)


def _run(*command: str | Path) -> None:
    # The server keeps its output open, so nobody may wait for the end of that.
    subprocess.run(command, check=True, user=USER, cwd="/", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
