"""Equal questions that are asked at the same time, or again, and answered once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from cachetools import LRUCache

R = TypeVar("R")


@dataclass
class _Work(Generic[R]):
    """What is being worked out, and how many wait for it."""

    task: asyncio.Task[R]
    waiting: int = 0


class Shared(Generic[R]):
    """Answers by their questions: each is worked out by one task however many wait for it, and then kept a while.

    The latest answers are kept, up to `most` together by `weight` (1 each, so that `most` is a number of answers). A
    question says everything that its answer depends on, also what whoever asks may know.
    """

    def __init__(self, most: int, weight: Callable[[R], int] = lambda _: 1) -> None:
        self._kept: LRUCache[Hashable, R] = LRUCache(most, weight)
        self._doing: dict[Hashable, _Work[R]] = {}

    async def get(self, question: Hashable, work: Callable[[], Coroutine[Any, Any, R]]) -> R:
        """The answer: a kept one, the one that is being worked out, or what `work` returns or raises.

        When nobody waits any more the work is cancelled. What it raises is raised for everybody and not kept.
        """
        if question in self._kept:
            return self._kept[question]
        doing = self._doing.get(question)
        if doing is None:
            doing = self._doing[question] = _Work(asyncio.ensure_future(self._worked_out(question, work)))
        doing.waiting += 1
        try:
            return await asyncio.shield(doing.task)
        finally:
            doing.waiting -= 1
            if not doing.waiting:
                doing.task.cancel()
                if self._doing.get(question) is doing:
                    del self._doing[question]

    async def _worked_out(self, question: Hashable, work: Callable[[], Coroutine[Any, Any, R]]) -> R:
        answer = await work()
        if self._kept.getsizeof(answer) <= self._kept.maxsize:
            self._kept[question] = answer
        return answer
