"""The same work for many matches, servers or people. One failure doesn't stop the others."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from typing import Final, TypeVar

from matches.errors import NotFound, Unavailable

IN_A_ROW: Final = 5
"""After this many failures of the store in a row a sweep ends early, because each one waits for its time limit."""

K = TypeVar("K", bound=int | str)
T = TypeVar("T")


async def sweep(what: str, keys: Iterable[K], work: Callable[[K], Awaitable[T]]) -> list[T]:
    """Do `work` for each key, one after another, and return the results. A key that is NotFound is skipped.

    Raises all failures at the end as one ExceptionGroup. Each has a note that names `what` and the key.
    """
    done: list[T] = []
    failures: list[Exception] = []
    in_a_row = 0
    for key in keys:
        (result,) = await asyncio.gather(work(key), return_exceptions=True)
        if isinstance(result, NotFound):
            continue
        if isinstance(result, ExceptionGroup):  # a nested sweep, whose failures have their notes
            failures += result.exceptions
        elif isinstance(result, Exception):
            result.add_note(f"{what} {key}")
            failures.append(result)
        elif isinstance(result, BaseException):
            raise result
        else:
            done.append(result)
        in_a_row = in_a_row + 1 if isinstance(result, Unavailable) else 0
        if in_a_row == IN_A_ROW:
            break
    if failures:
        # Only their types: the text of an exception may be secret.
        named = (f"{' '.join(getattr(each, '__notes__', ()))}: {type(each).__name__}" for each in failures)
        raise ExceptionGroup(", ".join(named), failures)
    return done
