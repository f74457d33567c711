"""Both sides of a handover as Discord sees it: which process answers presses, and which delivers.

The steps are those of `matches.engine.handover`.
"""

from __future__ import annotations

import asyncio
import logging
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final

from cogs.client import Client
from cogs.process.arguments import TAKE_OVER
from matches.api import DatabaseError, Unavailable
from matches.engine.handover import LOOK_EVERY, Handover, Note, Step

log = logging.getLogger(__name__)

IDLE_LOOK_EVERY: Final = 2.0
"""Seconds between two checks whether a successor asks."""

HEARS_FOR: Final = 3.0
"""Seconds for which a successor receives every press before it is ready.

Discord waits this long for an answer. So the successor knows every press that the other process could still answer.
"""

ANSWERS_WITHIN: Final = timedelta(seconds=1.5)
"""How long presses are held for a successor that doesn't answer. Discord waits 3 seconds for an answer."""

FINISHING: Final = 7.0
"""Seconds that a process may take to finish what it has begun, when it stops or hands over."""


class Successor:
    """Takes the shards over. `carry` is called once nobody else carries them."""

    def __init__(self, bot: Client, handover: Handover, carry: Callable[[], Awaitable[None]]) -> None:
        self._bot, self._handover, self._carry = bot, handover, carry

    async def take_over(self, prepare: Callable[[], Awaitable[None]], is_ready: Callable[[], bool]) -> None:
        """Take over once every shard `is_ready` and `prepare` is done, or at once if the other process dies.

        `prepare` is called again at the end, because it was skipped if the other process died early. Raises
        DatabaseError, and what `prepare` raises.
        """
        bot, handover = self._bot, self._handover
        taken: tuple[int, ...] | None = None
        if not await self._is_dead_before(is_ready):
            await prepare()
            taken = await handover.take_over_presses()
        if taken is None:
            log.warning("the process that was about to hand over has ended; this one carries its shards")
            # It may have answered some of the presses that are held here.
            bot.gate.open(in_doubt=True)
        else:
            bot.gate.open(without=taken)
            await self._wait_for_locks()
            if not await handover.is_passed():
                log.warning("the process that handed over has died; what it hadn't answered is answered now")
                bot.gate.reconsider()
        await self._carry()
        await handover.complete()
        await prepare()
        log.info("this process has taken the shards over")

    async def _is_dead_before(self, is_ready: Callable[[], bool]) -> bool:
        """Wait until everything has been ready for `HEARS_FOR`. Return whether the other process has ended before."""
        loop = asyncio.get_running_loop()
        since = loop.time()
        while True:
            if await self._handover.is_dead():
                return True
            if not is_ready():
                since = loop.time()
            elif loop.time() - since >= HEARS_FOR:
                return False
            await asyncio.sleep(IDLE_LOOK_EVERY / 10)

    async def _wait_for_locks(self) -> None:
        while True:
            try:
                if await self._handover.is_dead():
                    return
            except DatabaseError as error:
                log.warning("the locks of the shards can't be taken now: %s", error)
            await asyncio.sleep(LOOK_EVERY)


class Predecessor:
    """Hands the shards over when a successor asks, and starts one itself when it is told to."""

    def __init__(self, bot: Client, handover: Handover) -> None:
        self._bot, self._handover = bot, handover
        self.child: subprocess.Popen[bytes] | None = None
        """The successor that this process has started."""
        self._successor_token = ""
        """The token of the successor to which this process is willing to hand over."""

    def start_successor(self) -> None:
        """Start the program anew, as this process was started, to take over. Call it for a signal."""
        if not self._bot.in_charge.is_set():
            log.warning("this process doesn't carry its shards yet, so it starts no successor")
            return
        if self.child is not None and self.child.poll() is None:
            log.warning("a successor (process %d) has been started already", self.child.pid)
            return
        command = [sys.executable, *sys.orig_argv[1:]]
        if TAKE_OVER not in command:
            command.append(TAKE_OVER)
        # WATCHDOG_PID is this process's id. But the successor, too, must tell the watchdog that it is alive.
        environment = {name: value for name, value in os.environ.items() if name != "WATCHDOG_PID"}
        try:
            self.child = subprocess.Popen(command, env=environment)
        except OSError as error:
            log.warning("no successor could be started: %s", error)
        else:
            log.info("process %d was started to take over", self.child.pid)

    async def serve(self) -> None:
        """Return once a successor carries the shards."""
        await self._bot.in_charge.wait()
        pause = IDLE_LOOK_EVERY
        while True:
            await asyncio.sleep(pause)
            self._reap()
            try:
                if not self._handover.processes.carries:
                    if await self._is_followed():
                        return
                    continue
                note = await self._handover.asked()
                if note is not None:
                    await self._step(note)
                elif pause < IDLE_LOOK_EVERY:
                    log.warning("the process that was to take over has ended; this one goes on")
                pause = IDLE_LOOK_EVERY if note is None else LOOK_EVERY
            except (DatabaseError, Unavailable) as error:
                log.warning("whether another process takes over can't be known now: %s", error)

    def _reap(self) -> None:
        """Log a warning if the successor that this process has started has ended."""
        if self.child is not None and (code := self.child.poll()) is not None:
            log.warning("process %d hasn't taken over: it ended with code %d", self.child.pid, code)
            self.child = None

    async def _step(self, note: Note) -> None:
        """Do this process's part after a step of a successor that lives."""
        handover, gate = self._handover, self._bot.gate
        if note.step is Step.ASKS:
            log.info("another process asks for the shards; it gets them once it is connected")
            self._successor_token = note.token
            await handover.go_to(Step.WILLING, note)
        elif note.token != self._successor_token:
            # The note is an earlier successor's. The new one hasn't replaced it yet.
            return
        elif note.step is Step.READY:
            gate.hold()
            answers = False
            try:
                answers = await self._is_answered(note)
            finally:
                if not answers:
                    gate.open()
            if answers:
                await self._finish()
        elif note.step is Step.CUT:
            # The store failed in the middle of the step before.
            await handover.go_to(Step.WILLING, note)
        elif note.step in (Step.ANSWERS, Step.PASSED):
            gate.hold()
            await self._finish()

    async def _is_answered(self, ready: Note) -> bool:
        """Leave presses to the successor, and return whether it answers them."""
        handover = self._handover
        cut = await handover.go_to(Step.CUT, ready, self._bot.gate.taken())
        if cut is None:
            return False
        if await handover.wait_for(Step.ANSWERS, cut.token, ANSWERS_WITHIN) is not None:
            return True
        return await handover.go_to(Step.WILLING, cut) is None

    async def _finish(self) -> None:
        """Finish what was begun, and pass the locks on, unless the successor has ended meanwhile."""
        await self._bot.finish(FINISHING)
        if not await self._handover.pass_on(self._successor_token):
            self._go_on()

    async def _is_followed(self) -> bool:
        """Whether a successor carries the shards that were passed on. If it has ended, this one takes them again."""
        processes = self._handover.processes
        if await processes.has_successor():
            return False
        if await processes.take():
            self._go_on()
            return False
        return True

    def _go_on(self) -> None:
        """Answer and deliver again. The successor may have answered some of the presses that are held here."""
        log.warning("the process that was to take over has ended; this one goes on")
        if self._bot.scheduler is not None:
            self._bot.scheduler.go_on()
        self._bot.gate.open(in_doubt=True)
