"""The log of the process: how it is set up, and what it never says.

The log names no seed, no deal and no hand. But an exception's message can quote an action, and with it a hidden card.
So the log shows only an exception's location and type. It shows the message, too, if that comes from the network, the
disk or the store.
"""

from __future__ import annotations

import json
import logging
import os
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Final

import aiohttp
import discord

from matches.api import Unavailable
from matches.engine.workers import WorkerDied

PLAIN: Final = "[{asctime}] [{levelname:<8}] {name}: {message}"
"""A line of the log without colours."""

LIBRARIES: Final = ("aiohttp", "alembic", "asyncio", "discord", "sqlalchemy")

_HARMLESS: Final = (
    aiohttp.ClientError,
    discord.HTTPException,
    discord.ConnectionClosed,
    discord.GatewayNotFound,
    OSError,
    Unavailable,
    WorkerDied,
)
"""Exceptions whose messages are about the network and the disk alone."""

_OF_THE_STORE: Final = ("db", "sqlite3")
"""Packages of the store's errors and its driver's. Each of SQLAlchemy's errors has one of these as its cause."""

_WITHHELD: Final = "(what it says is withheld: it could name what somebody holds)"
_CAUSE: Final = "\nThe above exception was the direct cause of the following exception:\n\n"
_CONTEXT: Final = "\nDuring handling of the above exception, another exception occurred:\n\n"


LINES: Final[Counter[str]] = Counter(warning=0, error=0, critical=0)
"""How many lines at WARNING or above were logged, by level."""

ERRORS: Final[Counter[str]] = Counter()
"""How many exceptions were logged, by class."""


def set_up(level: str, *, of_libraries: int, shards: Sequence[int] = (), as_json: bool = False) -> None:
    """Log to standard error: our own words from `level` on, those of libraries from theirs (DEBUG: discord.py's INFO).

    Never more: the libraries would log what goes over the wire and into the store: tokens, seeds and hands. If the
    process carries only some `shards`, each line names them. `as_json`: one object a line.
    """
    handler = logging.StreamHandler()
    handler.addFilter(_count)
    handler.addFilter(_connection_troubles_in_one_line)
    handler.addFilter(_discreet)
    if shards and not as_json:
        handler.addFilter(_of_shards(in_ranges(shards)))
    formatter: Any = _Json(in_ranges(shards)) if as_json else None
    if formatter is None and not (sys.stderr.isatty() and not os.environ.get("NO_COLOR")):
        # discord.py would also write colours into the log of a container.
        formatter = logging.Formatter(PLAIN, "%Y-%m-%d %H:%M:%S", style="{")
    # Without a formatter discord.py chooses one with colours.
    chosen = {} if formatter is None else {"formatter": formatter}
    discord.utils.setup_logging(handler=handler, level=logging.getLevelName(level), **chosen)
    for library in LIBRARIES:
        logging.getLogger(library).setLevel(of_libraries)
    if level == "DEBUG":
        logging.getLogger("discord").setLevel(logging.INFO)
    # The bot never uses voice, so the missing voice libraries need no warning.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    sys.excepthook = _uncaught


class _Json(logging.Formatter):
    """Writes a record as one object: `time` (UTC), `level`, `logger`, `message`, and perhaps `shards`, `exception`."""

    def __init__(self, shards: str) -> None:
        super().__init__()
        self._always = {"shards": shards} if shards else {}

    def format(self, record: logging.LogRecord) -> str:
        """Return the record in one line. Its exception is text already (`_discreet`)."""
        said = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **self._always,
        }
        if record.exc_text:
            said["exception"] = record.exc_text
        return json.dumps(said, ensure_ascii=False)


def _uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    logging.getLogger(__name__).critical("the program ends", exc_info=(kind, error, trace))


def _of_shards(shards: str) -> Callable[[logging.LogRecord], bool]:
    def name_them(record: logging.LogRecord) -> bool:
        record.msg = f"[shards {shards}] {record.msg}"
        return True

    return name_them


def in_ranges(numbers: Sequence[int]) -> str:
    """Sorted numbers as text, consecutive ones as a range like ``3-7``."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ",".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def _count(record: logging.LogRecord) -> bool:
    """Count a record, before other filters remove its exception."""
    if record.levelno >= logging.WARNING:
        LINES[record.levelname.lower()] += 1
    if record.exc_info and record.exc_info[0] is not None:
        ERRORS[record.exc_info[0].__name__] += 1
    return True


def _connection_troubles_in_one_line(record: logging.LogRecord) -> bool:
    """Drop the traceback with which discord.py logs a lost connection before it reconnects."""
    error = record.exc_info[1] if record.exc_info else None
    if isinstance(error, (aiohttp.ClientError, discord.ConnectionClosed, OSError)):
        record.msg, record.args, record.exc_info = f"{record.getMessage()} ({error})", (), None
    return True


def _discreet(record: logging.LogRecord) -> bool:
    """Replace every exception of a record by `in_short`: its arguments and its traceback."""
    if isinstance(record.args, tuple):
        record.args = tuple(in_short(each) if isinstance(each, BaseException) else each for each in record.args)
    if isinstance(record.msg, BaseException):
        record.msg = in_short(record.msg)
    error = record.exc_info[1] if record.exc_info else None
    if error is not None:
        record.exc_info, record.exc_text = None, "".join(_traceback(error, set())).rstrip()
    return True


def in_short(error: BaseException) -> str:
    """The message of an exception if it can't name a hidden card; otherwise only its type."""
    harmless = isinstance(error, _HARMLESS) or type(error).__module__.partition(".")[0] in _OF_THE_STORE
    return str(error) or _kind(error) if harmless else f"{_kind(error)} {_WITHHELD}"


def _kind(error: BaseException) -> str:
    kind = type(error)
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _traceback(error: BaseException, told: set[int]) -> Iterator[str]:
    """The traceback as Python writes it, with causes and contexts, but with `in_short` for each exception."""
    told.add(id(error))
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if before is not None and id(before) not in told:
        yield from _traceback(before, told)
        yield _CONTEXT if error.__cause__ is None else _CAUSE
    yield "Traceback (most recent call last):\n"
    yield from traceback.format_tb(error.__traceback__)
    said = in_short(error)
    yield f"{said}\n" if said.startswith(_kind(error)) else f"{_kind(error)}: {said}\n"
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            if id(each) not in told:
                yield from _traceback(each, told)
