"""The bot as a process of its own, which can be stopped, killed and restarted on the same file."""

import asyncio
import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Final

from tests.store import fresh

from .discord_standin import Discord

LAUNCHER: Final = Path(__file__).with_name("launcher.py")
ROOT: Final = LAUNCHER.parents[2]
ENTROPY: Final = "wire"
DEADLINE: Final = 30.0
KILLED: Final = -signal.SIGKILL


class Nursery:
    """Starts bots by fork from a process that has imported everything (``launcher.py --nursery``, or `command`)."""

    def __init__(self, *command: str) -> None:
        command = command or (str(LAUNCHER), "--nursery")
        self._process = subprocess.Popen(
            [sys.executable, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        self._said()

    def _said(self) -> str:
        """Wait for its next line."""
        return self._process.stdout.readline()

    def start(self, order: dict[str, Any]) -> int:
        """Start a bot. Return its process id."""
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return int(self._said())

    def close(self) -> None:
        """Start no more bots."""
        self._process.stdin.close()
        self._process.wait()


class BotProcess:
    """One bot on one database file, started by the nursery, or (without one) exactly like ``python launcher.py``."""

    def __init__(
        self,
        discord: Discord,
        folder: Path,
        nursery: Nursery | None = None,
        *,
        name: str = "bot",
        sessions: int = 1,
        **settings: str,
    ) -> None:
        self.discord, self.folder, self.name = discord, folder, name
        self.database = folder / "ambit.db"
        self.settings: dict[str, Any] = settings
        self.seconds_ahead = 0.0
        self.starts = 0
        self._nursery, self._sessions = nursery, sessions
        self._log, self._clock, self._exit = (folder / f"{name}.{what}" for what in ("log", "clock", "exit"))
        self._machine = folder / f"{name}.machine"
        self._pid = self._handle = 0
        self._said = ""
        self.alive = False
        self.ahead(0)
        self.jump(0)

    def ahead(self, seconds: float) -> None:
        """Let all time run ahead of (or behind) the true one for this bot, including its server's."""
        _put(self._clock, seconds)
        self.seconds_ahead = seconds

    def jump(self, seconds: float) -> None:
        """Let only the clock of the bot's machine run ahead of (or behind) the time."""
        _put(self._machine, seconds)

    async def start(self, *arguments: str, kill: str | None = None, connect: bool = True) -> None:
        """Start it with these arguments, and wait until it is connected; `kill` is the launcher's `WIRE_KILL`.

        A bot that should die may do so before it is connected.
        """
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(("AMBIT_", "WIRE_"))}
        environment = inherited | {
            "AMBIT_TOKEN": self.discord.token,
            "AMBIT_DATABASE": fresh(self.database),
            "WIRE_PORT": str(self.discord.port),
            "WIRE_CLOCK": str(self._clock),
            "WIRE_MACHINE": str(self._machine),
            "WIRE_EXIT": str(self._exit),
            "WIRE_ENTROPY": ENTROPY,
            # Many people join within a few seconds here; rationing has tests of its own.
            "AMBIT_DMS_A_MINUTE": "1000",
            "AMBIT_DMS_A_DAY": "10000",
        }
        environment |= self.settings | ({} if kill is None else {"WIRE_KILL": kill})
        order = {"environment": environment, "folder": str(self.folder), "log": str(self._log), "arguments": arguments}
        self.discord.gateway.forget()
        before = self.discord.gateway.identified_or_resumed
        self._exit.unlink(missing_ok=True)
        self._pid = self._nursery.start(order) if self._nursery is not None else _plainly(order)
        self._handle = os.pidfd_open(self._pid)
        self.alive = True
        self.starts += 1
        asyncio.get_running_loop().add_reader(self._handle, self._ended)
        if not connect:
            return
        await self.discord.until(
            lambda: self.discord.gateway.identified_or_resumed - before >= self._sessions or not self.alive, DEADLINE
        )
        assert self.alive or kill is not None, f"The bot did not start:\n{self.log()}"

    def _ended(self) -> None:
        asyncio.get_running_loop().remove_reader(self._handle)
        os.close(self._handle)
        self.alive = False
        self.discord.changed()

    def kill(self) -> bool:
        """SIGKILL, immediately. Return True, so that a fault can also cut the connection."""
        if self.alive:
            with contextlib.suppress(ProcessLookupError):  # it has ended, and we don't know yet
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
        return True

    async def gone(self, seconds: float = DEADLINE) -> int:
        """Wait until it has ended. Return its exit code."""
        await self.discord.until(lambda: not self.alive, seconds)
        return int(self._exit.read_text()) if self._exit.exists() else KILLED

    async def stop(self) -> tuple[int, float]:
        """SIGTERM. Return the exit code, and how many seconds it took."""
        began = time.monotonic()
        signal.pidfd_send_signal(self._handle, signal.SIGTERM)
        return await self.gone(), time.monotonic() - began

    @property
    def pid(self) -> int:
        """The id of its process, or of the last one."""
        return self._pid

    @property
    def workers(self) -> list[int]:
        """The ids of its worker processes (without multiprocessing's own)."""
        return [pid for pid in children(self._pid) if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]

    def limit_files(self, size: int) -> None:
        """Limit the size of the bot's files (-1: no limit). To the bot that looks like a full disk.

        The file of the log begins anew, so that there is room in it.
        """
        self._said = self.log()
        os.truncate(self._log, 0)
        _, most = resource.prlimit(self._pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self._pid, resource.RLIMIT_FSIZE, (size, most))

    async def close(self) -> None:
        """Make sure that nothing is left of it."""
        self.kill()
        await self.gone()

    def log(self) -> str:
        """Everything it has logged."""
        return self._said + (self._log.read_text("utf-8") if self._log.exists() else "")

    def complaints(self) -> list[str]:
        """The lines of its log that report a fault in the program."""
        return [line for line in self.log().splitlines() if "Traceback" in line or "ERROR" in line]


def _put(file: Path, seconds: float) -> None:
    """Write the file atomically: the bot reads it at any time."""
    new = file.with_name(f"{file.name}.new")
    new.write_text(str(seconds))
    new.replace(file)


def children(pid: int) -> list[int]:
    """The ids of a process's children, as Linux knows them."""
    return [
        int(child) for each in Path(f"/proc/{pid}/task").iterdir() for child in (each / "children").read_text().split()
    ]


def _plainly(order: dict[str, Any]) -> int:
    """Start it as anybody would. The process is our child, so we must reap it when it ends."""
    with Path(order["log"]).open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, str(LAUNCHER), *order["arguments"]],
            env=order["environment"],
            cwd=order["folder"],
            stdout=log,
            stderr=log,
        )
    asyncio.get_running_loop().run_in_executor(None, process.wait)
    return process.pid
