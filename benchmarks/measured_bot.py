"""The process of the bot under load: the real bot on a Discord of this machine, with counters and options.

It is started with ``--nursery``, like the wire tests' launcher, and takes the launcher's options. Its own options are
environment variables:

* `BENCH_PLAIN`: the plain variant. Pictures are painted in RGB and saved with Pillow's defaults. They are painted in
  threads, which is faster for them than one process, because Pillow releases the GIL. Every statement that writes is
  committed by itself.
* `BENCH_NOTE`: what is noted, in milliseconds, one a line: ``waits`` of boards for the porter, or long ``stretches`` of
  the event loop.
* `BENCH_AT_ONCE`: computers show their decisions at once; with ``people``, only computers that play with people do.
"""

from __future__ import annotations

import asyncio
import importlib
import itertools
import math
import mmap
import os
import pkgutil
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from time import thread_time
from types import ModuleType
from typing import Any, Final

from sqlalchemy import Connection, Engine, event

import bot
from benchmarks.render import PlainCanvas
from cogs.drawing import DRAWER
from games import GAMES
from matches.api import Kind, Match, Telling
from matches.computers import timing
from matches.computers.levels import Level
from matches.computers.pool import Computers
from matches.engine.fair_queue import Rank
from matches.host.scheduler import Scheduler
from tests.wire import launcher

LONG: Final = 2.0
"""Least milliseconds of a stretch of the loop that is noted."""

_WRITING: Final = ("INSERT", "UPDATE", "DELETE")


def paint_plainly() -> None:
    """Paint every picture on a plain canvas."""
    for module in painters():
        vars(module)["Canvas"] = PlainCanvas
    DRAWER.few = math.inf


def painters() -> list[ModuleType]:
    """The modules of the games' renderers that import `Canvas`."""
    packages = [importlib.import_module(f"render.{key}") for key in GAMES]
    modules = [
        importlib.import_module(f"{package.__name__}.{each.name}")
        for package in packages
        for each in pkgutil.iter_modules(package.__path__)
    ]
    return [module for module in modules if "Canvas" in vars(module)]


def commit_every_statement() -> None:
    """Commit every statement that writes by itself."""

    @event.listens_for(Engine, "before_cursor_execute")
    def _(connection: Connection, _cursor: Any, statement: str, *_: Any) -> None:
        if not connection.get_execution_options().get("ambit_write"):
            return
        # SQLite commits only after the rows of the statement before were fetched. By now they were.
        if connection.info.pop("has_written", False):
            cursor = connection.connection.cursor()
            cursor.execute("COMMIT")
            cursor.execute("BEGIN IMMEDIATE")
            cursor.close()
        connection.info["has_written"] = statement.lstrip().startswith(_WRITING)

    @event.listens_for(Engine, "begin")
    def _(connection: Connection) -> None:
        # The end of the last transaction has committed its last statement.
        connection.info.pop("has_written", None)


def note_waits(file: Path) -> None:
    """Note the milliseconds that each board waits for the scheduler."""
    tell = Scheduler.tell

    async def noted(
        self: Scheduler, row: Telling, read: Match | None = None, behind: Sequence[Telling] = ()
    ) -> Match | None:
        if row.kind is Kind.BOARD:
            wait = (self.host.now() - row.put_at).total_seconds()
            with file.open("a") as lines:
                lines.write(f"{1e3 * wait:.3f}\n")
        return await tell(self, row, read, behind)

    Scheduler.tell = noted  # type: ignore[method-assign]


def note_stretches(file: Path) -> None:
    """Note the CPU milliseconds of each long stretch of the loop."""
    go: Any = asyncio.Handle._run

    def timed(self: asyncio.Handle) -> None:
        begun = thread_time()
        go(self)
        spent = 1e3 * (thread_time() - begun)
        if spent >= LONG:
            with file.open("a") as lines:
                lines.write(f"{spent:.3f}\n")

    asyncio.Handle._run = timed  # type: ignore[method-assign]


def count_statements(file: Path) -> None:
    """Count statements, transactions and, of SQLite, writing transactions, in a file of eight bytes for each count."""
    file.write_bytes(bytes(24))
    with file.open("r+b") as opened:
        counter = mmap.mmap(opened.fileno(), 24)
    statements, transactions, writing = (itertools.count(1) for _ in range(3))

    @event.listens_for(Engine, "before_cursor_execute")
    def _(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        # A server's driver begins transactions itself, without an event.
        if not statement.startswith("BEGIN"):
            counter[:8] = next(statements).to_bytes(8, sys.byteorder)

    @event.listens_for(Engine, "begin")
    def _(connection: Connection) -> None:
        counter[8:16] = next(transactions).to_bytes(8, sys.byteorder)
        if connection.get_execution_options().get("ambit_write"):
            counter[16:] = next(writing).to_bytes(8, sys.byteorder)


def name_threads() -> None:
    """Let Linux know how threads are called: `benchmarks.crowd` finds by that what each has used of the processor."""
    bootstrap: Any = threading.Thread._bootstrap_inner  # type: ignore[attr-defined]
    name: Any = threading.Thread.name

    def tell(name: str) -> None:
        Path("/proc/thread-self/comm").write_text(name[:15])

    def begun(self: threading.Thread) -> None:
        tell(self.name)
        bootstrap(self)

    def named(self: threading.Thread, called: str) -> None:
        name.fset(self, called)
        tell(called)

    threading.Thread._bootstrap_inner = begun  # type: ignore[attr-defined]
    threading.Thread.name = name.setter(named)


def let_computers_tell_at_once() -> None:
    """Let computers show their decisions without waiting for whole seconds."""
    init: Any = Computers.__init__
    init.__kwdefaults__["beat"] = 0.0


def let_watched_computers_take_their_time() -> None:
    """Let computers at tables without people show their decisions after whole seconds again."""
    choose: Any = Computers.choose

    async def timed(self: Computers, level: str, position: Any, *arguments: Any, **whose: Any) -> str:
        loop = asyncio.get_running_loop()
        begun = loop.time()
        text: str = await choose(self, level, position, *arguments, **whose)
        if whose.get("rank") is Rank.WATCHED:
            thought = loop.time() - begun
            await asyncio.sleep(timing.told_after(timing.due_after(position, Level(level)), thought) - thought)
        return text

    Computers.choose = timed  # type: ignore[method-assign]


def run(arguments: Sequence[str] = ()) -> int:
    """Apply the options, then do what ``python bot.py`` does."""
    launcher.point_at(int(os.environ["WIRE_PORT"]))
    # With a proxy's address, the bot leaves rate limits to the proxy. The Discord of this machine has none.
    os.environ["AMBIT_API"] = f"http://127.0.0.1:{os.environ['WIRE_PORT']}"
    exit_code = Path(os.environ["WIRE_EXIT"])
    name_threads()
    count_statements(exit_code.with_suffix(".statements"))
    if "BENCH_NOTE" in os.environ:
        {"stretches": note_stretches, "waits": note_waits}[os.environ["BENCH_NOTE"]](exit_code.with_suffix(".notes"))
    if "BENCH_PLAIN" in os.environ:
        paint_plainly()
        commit_every_statement()
    if "BENCH_AT_ONCE" in os.environ:
        let_computers_tell_at_once()
        if os.environ["BENCH_AT_ONCE"] == "people":
            let_watched_computers_take_their_time()
    code = bot.main(arguments)
    exit_code.write_text(str(code))
    return code


if __name__ == "__main__":
    launcher.nursery(run)
