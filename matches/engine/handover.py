"""A handover: a process passes its shards on to a successor while both hear of every press.

The two communicate by a note in the store. Each replaces it only if it hasn't changed since they read it
(compare-and-swap). So they agree on every step, even if one of them dies. The steps:

1. The successor `ASKS`. The process that carries the shards is `WILLING`. The successor connects; each press is
   answered by the process that carries the shards, and held by the other for some seconds.
2. The successor is `READY`. The other holds what arrives from now on, and writes which presses it has taken (`CUT`).
3. The successor answers what wasn't taken, and everything that comes (`ANSWERS`). The other drops what it holds,
   finishes what it has begun, and passes on the locks (`PASSED`). If the locks are free before that, it has died,
   and may not have answered every press that it has taken.
4. The successor has the locks and delivers (`CARRIES`). The other ends.

Until the successor carries the shards, the other can take everything back.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Collection
from datetime import timedelta
from enum import StrEnum
from typing import Final, NamedTuple, Self

from db import Database
from db.store import meta
from db.store.locks import LockTaken
from matches.engine.processes import Processes

KEY: Final = "handover "
"""The prefix of the note's key in `meta`. The name of the shards follows."""

LOOK_EVERY: Final = 0.1
"""Seconds between two looks at the note while the other process is about to answer."""

WILLING_WITHIN: Final = timedelta(seconds=10)
"""How long a successor waits until the other process is willing. That one looks every few seconds."""

CUT_WITHIN: Final = timedelta(seconds=60)
"""How long a successor that is ready waits for the other process."""

DEAF: Final = (
    "The process that carries these shards doesn't answer. It may be stuck, have other AMBIT_SHARD_IDS, or be of a "
    "version that can't hand over: stop it first, then start this one."
)
GONE_DEAF: Final = "The process that carries these shards has stopped answering: stop it first, then start this one."


class Step(StrEnum):
    """How far a handover is."""

    ASKS = "asks"
    WILLING = "willing"
    READY = "ready"
    CUT = "cut"
    ANSWERS = "answers"
    PASSED = "passed"
    CARRIES = "carries"


class Note(NamedTuple):
    """What the two have agreed on. `token` is the successor's. `taken`: presses that the other has answered lately."""

    token: str
    step: Step
    taken: tuple[int, ...] = ()

    @classmethod
    def read(cls, text: str) -> Self:
        """Return what `text` says."""
        token, step, taken = json.loads(text)
        return cls(token, Step(step), tuple(taken))

    @property
    def text(self) -> str:
        return json.dumps(self)


class Handover:
    """One side of a handover of the shards with this name. Every method raises DatabaseError."""

    def __init__(self, database: Database, processes: Processes, name: str) -> None:
        self.processes = processes
        self._database = database
        self._key = KEY + name
        self._token = secrets.token_hex(8)

    async def note(self) -> Note | None:
        """Return the note; ``None`` if nobody has ever asked."""
        text = await self._database.read(meta.get, self._key)
        return None if text is None else Note.read(text)

    async def go_to(self, step: Step, before: Note, taken: Collection[int] = ()) -> Note | None:
        """Go to this step, if the note is still as it was before. Return the new note, ``None`` if it isn't."""
        new = Note(before.token, step, tuple(taken))
        swapped = await self._database.write(meta.swap, self._key, before.text, new.text)
        return new if swapped else None

    # The successor's steps.

    async def ask(self) -> bool:
        """Ask for the shards. Return whether the other process is willing; if not, this one carries them by now.

        Raises LockTaken if another successor is there, or nobody answers.
        """
        await self.processes.stand_in_line()
        await self._database.write(meta.put, self._key, Note(self._token, Step.ASKS).text)
        left = max(WILLING_WITHIN, self._database.locks.lag)
        while left > timedelta():
            if await self.processes.take():
                await self.processes.leave_line()
                return False
            note = await self._own()
            if note is not None and note.step is Step.WILLING:
                return True
            left -= await self._a_moment()
        raise LockTaken(DEAF)

    async def is_dead(self) -> bool:
        """Whether the other process has ended. Then this one carries its shards."""
        return await self.processes.take()

    async def take_over_presses(self) -> tuple[int, ...] | None:
        """Say that this process is ready. Return which presses the other has taken, once it answers no more.

        ``None``: it has ended, and this process carries the shards. Raises LockTaken if the other doesn't react.
        """
        left = CUT_WITHIN
        while left > timedelta():
            if await self.processes.take():
                return None
            note = await self._own()
            if note is None:
                raise LockTaken(DEAF)
            if note.step is Step.WILLING:
                await self.go_to(Step.READY, note)
            elif note.step is Step.CUT and await self.go_to(Step.ANSWERS, note) is not None:
                return note.taken
            left -= await self._a_moment()
        raise LockTaken(GONE_DEAF)

    async def is_passed(self) -> bool:
        """Whether the other process had finished what it had begun when it passed the shards on."""
        note = await self._own()
        return note is not None and note.step is Step.PASSED

    async def complete(self) -> None:
        """Say that this process carries the shards, and make room for its own successor."""
        note = await self._own()
        if note is not None:
            await self.go_to(Step.CARRIES, note)
        await self.processes.leave_line()

    async def _own(self) -> Note | None:
        note = await self.note()
        return note if note is not None and note.token == self._token else None

    async def _a_moment(self) -> timedelta:
        await asyncio.sleep(LOOK_EVERY)
        return timedelta(seconds=LOOK_EVERY)

    # The steps of the process that carries the shards.

    async def asked(self) -> Note | None:
        """Return the note of a successor that lives and doesn't carry the shards yet, ``None`` if there is none."""
        note = await self.note()
        if note is None or note.step is Step.CARRIES or not await self.processes.has_successor():
            return None
        return note

    async def pass_on(self, token: str) -> bool:
        """Pass the locks on to this successor. Return whether it lives."""
        note = await self.note()
        if note is None or note.token != token or not await self.processes.has_successor():
            return False
        if note.step is not Step.PASSED and await self.go_to(Step.PASSED, note) is None:
            return False
        await self.processes.pass_on()
        return True

    async def wait_for(self, step: Step, token: str, within: timedelta) -> Note | None:
        """Wait until the successor has gone to this step. Return ``None`` if it ends first, or takes too long."""
        left = within
        while left > timedelta() and await self.processes.has_successor():
            note = await self.note()
            if note is None or note.token != token:
                return None
            if note.step is step:
                return note
            left -= await self._a_moment()
        return None
