"""A cache that also coalesces requests: equal questions at the same time are answered once."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from cachetools import LRUCache

R = TypeVar("R")


@dataclass
class _Work(Generic[R]):
    """A task that works out an answer, and how many requests wait for it."""

    task: asyncio.Task[R]
    waiting: int = 0


class Shared(Generic[R]):
    """A cache of answers by question. One task works an answer out, however many requests wait for it.

    The least recently used answers are dropped when the sum of their weights exceeds `most`. Without `weight`, each
    weighs 1. A question contains everything that its answer depends on, also what the person who asks may know.
    """

    def __init__(self, most: int, weight: Callable[[R], int] = lambda _: 1) -> None:
        self._kept: LRUCache[Hashable, R] = LRUCache(most, weight)
        self._doing: dict[Hashable, _Work[R]] = {}

    async def get(self, question: Hashable, work: Callable[[], Coroutine[Any, Any, R]]) -> R:
        """Return the answer from the cache, or from the task that works it out, or else begin `work`.

        When no request waits any more, the work is cancelled. An error is raised for all that wait, and not cached.
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
