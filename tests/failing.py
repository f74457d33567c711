"""A store whose statements fail one after the other, as on a failing disk."""

import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import Engine, event


def of_the_disk(_parameters: Any) -> Exception:
    """The error of a disk that can't be read or written."""
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR
    error.sqlite_errorname = "SQLITE_IOERR"
    return error


def of_the_program(parameters: Any) -> Exception:
    """A fault in the program whose message holds everything that the statement was given."""
    return ValueError(f"cannot be stored: {parameters!r}")


class Failing:
    """Makes every statement with parameters fail the first time. While `paused` is set, nothing fails."""

    def __init__(self, fault: Callable[[Any], Exception]) -> None:
        self.fault = fault
        self.failed: Counter[str] = Counter()
        self.paused = False

    def strike(self, _cursor: Any, statement: str, parameters: Any, _context: Any) -> None:
        """Raise the fault if the statement should fail. SQLAlchemy calls this before the driver."""
        if self.paused or not parameters or self.failed[statement]:
            return
        self.failed[statement] += 1
        raise self.fault(parameters)


@asynccontextmanager
async def failing_once(fault: Callable[[Any], Exception] = of_the_disk) -> AsyncIterator[Failing]:
    """Let every statement with parameters fail once meanwhile, in every store of this process."""
    failing = Failing(fault)
    kinds = ("do_execute", "do_executemany")
    for kind in kinds:
        event.listen(Engine, kind, failing.strike)
    try:
        yield failing
    finally:
        for kind in kinds:
            event.remove(Engine, kind, failing.strike)
