"""Computer players that think in processes of their own, so that nobody at another table waits for them."""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Executor, Future
from datetime import datetime
from typing import Any, Final, ParamSpec, TypeVar

from games.core import Played, State
from matches.computers.levels import Level
from matches.computers.thinking import Question, answer, judgement_of, unconsidered
from matches.computers.timing import due_after, told_after
from matches.engine.fair_queue import Rank
from matches.engine.shared import Shared
from matches.engine.workers import WorkerDied, Workers
from matches.errors import Unavailable

log = logging.getLogger(__name__)

BEAT: Final = 1.0
"""How long each of the seconds lasts after which a decision is told (`matches.computers.timing`)."""

HINTS_KEPT: Final = 1000

LITTLE: Final = 0.003
"""The effort of computers that nobody asked to be any good."""

_NICENESS: Final = 10
_BACKGROUND_NICENESS: Final = 19

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

    They think in `executor`; without one in worker `processes` (one less than there are processors) that start with the
    first decision and end with this process, however it ends. `effort` scales how long they think; `beat` is how long a
    second of a decision lasts, 0 for as fast as possible.

    A match waits for a computer's turn, so nothing else is done by the processes that think about turns. What somebody
    asks for by the way, hints and all other long work, is done one after the other in the `background`, which gives
    way to all turns for which people wait. Both go by `Rank` first, then by turns of the owners. A turn at a table
    without people (`Rank.WATCHED`) gives its process up to others, and rests while somebody waits for a hint.
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
        # A processor is left to the rest of the program.
        self._thinking = Workers(processes or max(1, (os.cpu_count() or 1) - 1), _NICENESS)
        self.background = Workers(1, _BACKGROUND_NICENESS)
        self._hints: Shared[str] = Shared(HINTS_KEPT)
        self._turns = 0
        """How many turns are thought of for which people wait."""
        self._hinting = 0
        """How many hints are."""
        self._effort = effort
        self._beat = beat

    @classmethod
    def casual(cls) -> Computers:
        """Such as think little, at once and in this very process: where nobody asked for any that are good."""
        return cls(InProcess(), effort=LITTLE, beat=0)

    @staticmethod
    def remember(game: str) -> bool:
        """Whether the lines of a match of this game are of use to `choose`."""
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
        """The canonical text of what a computer of this level does for the player on turn.

        `position` is one that they could be in (`State.resample_from_infostate`), never the true one, and `lines` are
        those of the match as they saw them (`State.seen_by`). Equal questions have equal answers, which come after a
        time that tells nothing (`matches.computers.timing`). Turns are thought of by `rank`, then by turns of the
        `owner` of the table. Where thinking kills every process it is done without any
        thought, since the match waits. Cancelled, it stops the thought. Raises ValueError for a level that does not
        exist.
        """
        question = Question(position, tuple(lines), Level(level), seed, self._effort)
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
        person: int | None = None,
        question: Hashable | None = None,
    ) -> str:
        """What the strongest computer would do in the place of the player on turn; the rest is as for `choose`.

        It is asked for by this `person`. Hints with an equal `question` are the same (the match, its ply and the seat)
        and thought of once. Raises Unavailable where thinking kills every process.
        """
        asked = Question(position, tuple(lines), Level.EXPERT, seed, self._effort)
        try:
            if question is None:
                return await self._hinted(asked, person)
            return await self._hints.get(question, lambda: self._hinted(asked, person))
        except WorkerDied as error:
            raise Unavailable("I couldn't think of a hint here. Please try again later.") from error

    def let_idle_go(self, now: datetime) -> None:
        """Let worker processes go that nobody has needed for long; somebody who has a clock calls this."""
        self._thinking.let_idle_go(now)
        self.background.let_idle_go(now)

    def close(self) -> None:
        """Let the worker processes go, and cancel who waits for them; an executor that was given is its owner's."""
        self._thinking.close()
        self.background.close()

    async def _of_a_turn(self, question: Question, owner: int | None, rank: Rank) -> str:
        """Thought of for a table; where people wait there, all that is done in the background gives way."""
        waits = rank < Rank.WATCHED
        self._turns += waits
        self.background.give_way(self._turns > 0)
        try:
            return await self._answered(question, self._thinking, owner, rank)
        finally:
            self._turns -= waits
            self.background.give_way(self._turns > 0)

    async def _hinted(self, question: Question, person: int | None) -> str:
        """Thought of for a person, to whom the tables give way where no people play."""
        self._hinting += 1
        self._thinking.give_way(True, Rank.WATCHED)
        try:
            return await self._answered(question, self.background, person, Rank.PERSON)
        finally:
            self._hinting -= 1
            self._thinking.give_way(self._hinting > 0, Rank.WATCHED)

    async def _answered(self, question: Question, workers: Workers, owner: int | None, rank: Rank) -> str:
        if self._executor is None:
            try:
                return await workers.run(answer, question, owner=owner, rank=rank)
            except WorkerDied as error:
                # Not what was thought about: that is somebody's secret.
                log.error("%s, level %s: thinking was given up: %s", question.position.info.key, question.level, error)
                raise
        return await asyncio.get_running_loop().run_in_executor(self._executor, answer, question)
