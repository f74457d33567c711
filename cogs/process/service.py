"""Tells systemd how the process is (sd_notify): started, stopping, followed by another, and that its event loop runs.

The protocol is a datagram of text to the socket that `NOTIFY_SOCKET` names, so no package is needed. Without that
variable nothing is sent.
"""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Mapping
from typing import Final

BEATS: Final = 3
"""How many watchdog messages the event loop sends in the time after which systemd would end a silent process."""

LONGER: Final = 60.0
"""Seconds of more time that a long start asks of systemd with each message."""


class Service:
    """The service manager that has started this process, if any."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        # A name in Linux's abstract namespace begins with a zero byte, which is written as "@".
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        own = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
        microseconds = environment.get("WATCHDOG_USEC", "")
        self._every = int(microseconds) / 1_000_000 / BEATS if own and microseconds.isdigit() else 0.0
        self._longer: asyncio.TimerHandle | None = None

    def starting(self) -> None:
        """Ask for more time, again and again until `started`: a migration may take long. Call it in the event loop."""
        if self._address:
            self._tell(f"EXTEND_TIMEOUT_USEC={LONGER * 1_000_000:.0f}")
            self._longer = asyncio.get_running_loop().call_later(LONGER / BEATS, self.starting)

    def started(self) -> None:
        """Say that the process has started. Call it in the event loop, which is watched from then on."""
        if self._longer is not None:
            self._longer.cancel()
        self._tell("READY=1")
        if self._every > 0:
            self._beat()

    def stopping(self) -> None:
        """Say that the process is about to end. Its loop is watched until then."""
        self._tell("STOPPING=1")

    def pass_on(self, process: int) -> None:
        """Say that the service's main process is this one (its pid) from now on."""
        self._tell(f"MAINPID={process}")

    def _beat(self) -> None:
        # A callback of the loop, not a task, so it shows exactly that the loop runs.
        self._tell("WATCHDOG=1")
        asyncio.get_running_loop().call_later(self._every, self._beat)

    def _tell(self, text: str) -> None:
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
                channel.setblocking(False)
                channel.sendto(text.encode(), self._address)
        except OSError:
            # systemd isn't there, or its queue is full. If that lasts, the watchdog ends the process.
            return
