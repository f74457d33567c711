"""Plays systemd for the bot, as docs/deploy/ambit.service has it: a start in time, the watchdog, and another start."""

import asyncio
import contextlib
import os
import signal
import socket
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

from .bot_process import BotProcess

EXTEND: Final = "EXTEND_TIMEOUT_USEC="


class Systemd:
    """Watches one bot: ``async with systemd(…)``. `heard` are its notifications, `aborted` counts what was ended."""

    def __init__(self, bot: BotProcess, folder: Path, *, watchdog: float, start: float) -> None:
        self.bot = bot
        self.heard: list[str] = []
        self.aborted = 0
        self._watchdog, self._start = watchdog, start
        self._channel = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._channel.bind(str(folder / "notify"))
        self._channel.setblocking(False)
        bot.settings |= {
            "NOTIFY_SOCKET": str(folder / "notify"),
            "WATCHDOG_USEC": f"{watchdog * 1_000_000:.0f}",
            "PYTHONFAULTHANDLER": "1",
        }

    def beats(self) -> int:
        """How often the loop has said that it turns."""
        return self.heard.count("WATCHDOG=1")

    async def watch(self) -> None:
        """End the bot with SIGABRT when it is silent for too long, with all its processes, and start it anew."""
        limit = time.monotonic() + self._start
        while True:
            try:
                left = max(0.0, limit - time.monotonic())
                told = await asyncio.wait_for(asyncio.get_running_loop().sock_recv(self._channel, 4096), left)
            except TimeoutError:
                workers = self.bot.workers
                os.kill(self.bot.pid, signal.SIGABRT)
                await self.bot.gone()
                for worker in workers:
                    with contextlib.suppress(ProcessLookupError):
                        os.kill(worker, signal.SIGKILL)
                self.aborted += 1
                await self.bot.start(connect=False)
                limit = time.monotonic() + self._start
                continue
            for line in told.decode().splitlines():
                self.heard.append(line)
                if line in ("READY=1", "WATCHDOG=1"):
                    limit = time.monotonic() + self._watchdog
                elif line.startswith(EXTEND):
                    limit = max(limit, time.monotonic() + int(line.removeprefix(EXTEND)) / 1_000_000)

    def close(self) -> None:
        """Remove the socket."""
        self._channel.close()


@contextlib.asynccontextmanager
async def systemd(bot: BotProcess, folder: Path, *, watchdog: float, start: float = 60.0) -> AsyncIterator[Systemd]:
    """Watch the bot, which isn't started yet. `watchdog` and `start` are WatchdogSec and TimeoutStartSec."""
    manager = Systemd(bot, folder, watchdog=watchdog, start=start)
    watching = asyncio.create_task(manager.watch())
    try:
        yield manager
    finally:
        watching.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await watching
        manager.close()
