"""Computer players that think in worker processes, so that nobody at another table waits for them."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Executor, Future
from datetime import datetime
from typing import Any, Final, ParamSpec, TypeVar, TypeVarTuple

from games.core import Played, State
from matches.computers.levels import Level
from matches.computers.thinking import Advice, Question, advise, answer, judgement_of, unconsidered
from matches.computers.timing import due_after, told_after
from matches.engine.fair_queue import Rank
from matches.engine.shared import Shared
from matches.engine.workers import WorkerDied, Workers
from matches.errors import Unavailable

log = logging.getLogger(__name__)

BEAT: Final = 1.0
"""How many seconds a delay of one second takes (`matches.computers.timing`). Tests shorten it."""

HINTS_KEPT: Final = 1000

LITTLE: Final = 0.003
"""The effort of `Computers.casual`."""

NICENESS: Final = 10
"""That of all worker processes. A busy processor still gives them a tenth of its time (and to 19 a seventieth).

The background comes after turns because there is one process for it, and because it rests during them.
"""

P = ParamSpec("P")
R = TypeVar("R")
A = TypeVarTuple("A")


class InProcess(Executor):
    """An executor that runs everything at once in this process."""

    def submit(self, work: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Call `work` and return its finished future. Raises what the call raises."""
        future: Future[R] = Future()
        future.set_result(work(*args, **kwargs))
        return future


class Computers:
    """The computer players of all matches.

    They think in `executor`, or without one in worker `processes` (by default one less than the machine has CPUs).
    Workers start with the first decision and end with this process, however it ends. `effort` scales the searches.
    `beat` is how many seconds a delay of one second takes; 0 is as fast as possible.

    A match waits for a computer's turn, so the processes for turns do nothing else. Hints and all other long work run
    one after the other in the `background`. It pauses during turns for which people wait. Both queues are ordered by
    `Rank` first, then fairly by owner. A turn at a table without people (`Rank.WATCHED`) gives up its process to
    others, and pauses while somebody waits for a hint.
    """

    def __init__(
        self,
        executor: Executor | None = None,
        *,
        processes: int | None = None,
        effort: float = 1.0,
        beat: float = BEAT,
    ) -> None:
        self._executor = executor
        # One CPU is left for the rest of the program.
        self.thinking = Workers(processes or max(1, (os.cpu_count() or 1) - 1), NICENESS, kind="thinking")
        self.background = Workers(1, NICENESS, kind="background")
        self._hints: Shared[Advice] = Shared(HINTS_KEPT)
        self._turns = 0
        """The number of searches for turns for which people wait."""
        self._hinting = 0
        """The number of searches for hints."""
        self.effort = effort
        """What scales all searches."""
        self._beat = beat

    @classmethod
    def casual(cls) -> Computers:
        """Return weak computers that answer at once, in this process."""
        return cls(InProcess(), effort=LITTLE, beat=0)

    @staticmethod
    def remember(game: str) -> bool:
        """Return whether `choose` uses the lines of a match of this game."""
        return judgement_of(game).remembers

    async def choose(
        self,
        level: str,
        position: State[Any],
        lines: Sequence[Played[Any]],
        seed: int,
        *,
        owner: int | None = None,
        rank: Rank = Rank.TABLE,
    ) -> str:
        """Return the canonical text of the current player's action, as a computer of this level chooses it.

        `position` is one that they could be in (`State.resample_from_infostate`), never the true one. `lines` are those
        of the match as they saw them (`State.seen_by`). Equal questions have equal answers. The answer comes after a
        delay that tells nothing (`matches.computers.timing`). Searches are ordered by `rank`, then fairly by `owner` of
        the table. If the search kills every worker, the action is chosen without a search, because the match waits.
        Cancelling stops the search. Raises ValueError for an unknown level.
        """
        question = Question(position, tuple(lines), Level(level), seed, self.effort)
        loop = asyncio.get_running_loop()
        begun = loop.time()
        try:
            text = await self._of_a_turn(question, owner, rank)
        except WorkerDied:
            text = unconsidered(question)
        if self._beat:
            thought = loop.time() - begun
            due = due_after(position, question.level)
            await asyncio.sleep(told_after(due, thought / self._beat) * self._beat - thought)
        return text

    async def hint(
        self,
        position: State[Any],
        lines: Sequence[Played[Any]],
        seed: int,
        *,
        owner: int,
        question: Hashable,
    ) -> Advice:
        """Return what the strongest computer would do for the current player, and why, by arguments as of `choose`.

        Owners take turns. Hints with an equal `question` (match, ply and seat) are the same and are searched once.
        Raises Unavailable if the search kills every worker.
        """
        asked = Question(position, tuple(lines), Level.EXPERT, seed, self.effort)
        try:
            return await self._hints.get(question, lambda: self._hinted(asked, owner))
        except WorkerDied as error:
            raise Unavailable("I couldn't think of a hint here. Please try again later.") from error

    async def in_background(self, work: Callable[[*A], R], /, *args: *A, owner: int | None) -> R:
        """Run long work for which nobody's turn waits, after all hints. Raises WorkerDied.

        The work must be pure, and call `stopped` often. A hint interrupts it, and afterwards it starts again.
        """
        if self._executor is None:
            return await self.background.run(work, *args, owner=owner, rank=Rank.TIDYING)
        return await asyncio.get_running_loop().run_in_executor(self._executor, work, *args)

    def let_idle_go(self, now: datetime) -> None:
        """End worker processes that have been idle for long. The scheduler calls this."""
        self.thinking.let_idle_go(now)
        self.background.let_idle_go(now)

    def close(self) -> None:
        """End the worker processes and cancel their callers. A given executor is its owner's to close."""
        self.thinking.close()
        self.background.close()

    async def _of_a_turn(self, question: Question, owner: int | None, rank: Rank) -> str:
        """Answer for a table. If people wait there, the background pauses."""
        waits = rank < Rank.WATCHED
        self._turns += waits
        self.background.give_way(self._turns > 0)
        try:
            return await self._answered(answer, question, self.thinking, owner, rank)
        finally:
            self._turns -= waits
            self.background.give_way(self._turns > 0)

    async def _hinted(self, question: Question, owner: int) -> Advice:
        """Answer for a person. Tables without people pause meanwhile."""
        self._hinting += 1
        self.thinking.give_way(True, Rank.WATCHED)
        try:
            return await self._answered(advise, question, self.background, owner, Rank.PERSON)
        finally:
            self._hinting -= 1
            self.thinking.give_way(self._hinting > 0, Rank.WATCHED)

    async def _answered(
        self, work: Callable[[Question], R], question: Question, workers: Workers, owner: int | None, rank: Rank
    ) -> R:
        if self._executor is None:
            try:
                return await workers.run(work, question, owner=owner, rank=rank)
            except WorkerDied as error:
                # The log doesn't get the position, which is somebody's secret.
                log.error("%s, level %s: thinking was given up: %s", question.position.info.key, question.level, error)
                raise
        return await asyncio.get_running_loop().run_in_executor(self._executor, work, question)
