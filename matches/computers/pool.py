"""Computer players that think in processes of their own, so that nobody at another table waits for them."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from math import ceil
from typing import Any, Final, ParamSpec, TypeVar

from games.core import Played, State
from matches.computers.levels import Level
from matches.computers.thinking import Question, answer, judgement_of
from matches.workers import Workers

BEAT: Final = 1.0
"""Seconds: every decision takes a whole number of beats, so that the time tells nothing about a hand."""

_NICENESS: Final = 10

P = ParamSpec("P")
R = TypeVar("R")


class InProcess(Executor):
    """Does what it is given at once and in this very process: for tests and benchmarks."""

    def submit(self, work: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """The finished future of a call; what the call raises comes out here."""
        future: Future[R] = Future()
        future.set_result(work(*args, **kwargs))
        return future


class Computers:
    """The computer players of all matches.

    They think in `executor`; without one in worker processes that start with the first decision and end with this
    process, however it ends. `effort` scales how long they think; `beat` is the unit of time of a decision in seconds,
    0 for as fast as possible.
    """

    def __init__(self, executor: Executor | None = None, *, effort: float = 1.0, beat: float = BEAT) -> None:
        self._executor = executor
        # A processor is left to the rest of the program.
        self._workers = Workers(max(1, (os.cpu_count() or 1) - 1), _NICENESS)
        self._effort = effort
        self._beat = beat

    @staticmethod
    def remember(game: str) -> bool:
        """Whether the lines of a match of this game are of use to `choose`."""
        return judgement_of(game).remembers

    async def choose(self, level: str, position: State[Any], lines: Sequence[Played], seed: int) -> str:
        """The canonical text of what a computer of this level does for the player on turn.

        `position` is one that he could be in (`State.resample_from_infostate`), never the true one, and `lines` are
        those of the match as he saw them (`State.line_for`). Equal questions have equal answers. Raises ValueError
        for a level that does not exist.
        """
        question = Question(position, tuple(lines), Level(level), seed, self._effort)
        loop = asyncio.get_running_loop()
        begun = loop.time()
        text = await self._answered(question)
        if self._beat:
            thought = loop.time() - begun
            await asyncio.sleep(ceil(thought / self._beat) * self._beat - thought)
        return text

    async def hint(self, position: State[Any], lines: Sequence[Played], seed: int) -> str:
        """What the strongest computer would do in the place of the player on turn; as `choose`."""
        return await self.choose(Level.HARD, position, lines, seed)

    def close(self) -> None:
        """Let the worker processes go; an executor that was given is its owner's."""
        self._workers.close()

    async def _answered(self, question: Question) -> str:
        if self._executor is None:
            return await self._workers.run(answer, question)
        return await asyncio.get_running_loop().run_in_executor(self._executor, answer, question)
