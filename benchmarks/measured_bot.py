"""The bot's process under load: the real bot on a Discord of this machine, which counts and notes what it does.

Started with ``--nursery`` like the wire tests' launcher, whose orders it takes. Orders of its own are environment
variables:

* `BENCH_PLAIN`: the plain way. Pictures are painted in RGB and saved with Pillow's defaults, in threads, which is
  faster for them than one process (Pillow lets other threads run meanwhile), and every statement that writes is
  committed by itself.
* `BENCH_NOTE`: what is noted in milliseconds, a line each: ``waits`` of boards for the porter, or ``stretches`` of the
  event loop.
* `BENCH_AT_ONCE`: computers tell their decisions at once; with ``people`` only those that play with people.
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
from pathlib import Path
from time import thread_time
from types import ModuleType
from typing import Any, Final

from sqlalchemy import Connection, Engine, event

import bot
from benchmarks.render import PlainCanvas
from cogs.drawing import DRAWER
from games import GAMES
from matches.api import Kind, Telling
from matches.computers import timing
from matches.computers.levels import Level
from matches.computers.pool import Computers
from matches.delivery.scheduler import Scheduler
from matches.engine.fair_queue import Rank
from tests.wire import launcher

LONG: Final = 2.0
"""Milliseconds from which on a stretch of the loop is noted."""

_WRITING: Final = ("INSERT", "UPDATE", "DELETE")


def paint_plainly() -> None:
    """Let every picture be painted on a plain canvas."""
    for module in painters():
        vars(module)["Canvas"] = PlainCanvas
    DRAWER.few = math.inf


def painters() -> list[ModuleType]:
    """The modules of the games' renderers that make canvases, or only speak of them."""
    packages = [importlib.import_module(f"render.{key}") for key in GAMES]
    modules = [
        importlib.import_module(f"{package.__name__}.{each.name}")
        for package in packages
        for each in pkgutil.iter_modules(package.__path__)
    ]
    return [module for module in modules if "Canvas" in vars(module)]


def commit_every_statement() -> None:
    """Let no statement that writes share its commit with others."""

    @event.listens_for(Engine, "before_cursor_execute")
    def _(connection: Connection, _cursor: Any, statement: str, *_: Any) -> None:
        if not connection.get_execution_options().get("ambit_write"):
            return
        # Only now what the one before has returned is fetched, and SQLite commits nothing before that.
        if connection.info.pop("has_written", False):
            cursor = connection.connection.cursor()
            cursor.execute("COMMIT")
            cursor.execute("BEGIN IMMEDIATE")
            cursor.close()
        connection.info["has_written"] = statement.lstrip().startswith(_WRITING)

    @event.listens_for(Engine, "begin")
    def _(connection: Connection) -> None:
        # The last one of the transaction before was committed with that.
        connection.info.pop("has_written", None)


def note_waits(file: Path) -> None:
    """Write down how many milliseconds each board has waited for the scheduler, a line each."""
    tell = Scheduler.tell

    async def noted(self: Scheduler, row: Telling) -> None:
        if row.kind is Kind.BOARD:
            wait = (self.host.now() - row.put_at).total_seconds()
            with file.open("a") as lines:
                lines.write(f"{1e3 * wait:.3f}\n")
        await tell(self, row)

    Scheduler.tell = noted  # type: ignore[method-assign]


def note_stretches(file: Path) -> None:
    """Write down the milliseconds of the processor that each long stretch of the loop has used."""
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
    """Keep in the file, as a number of eight bytes, how many statements have been made so far."""
    file.write_bytes(bytes(8))
    with file.open("r+b") as opened:
        counter = mmap.mmap(opened.fileno(), 8)
    made = itertools.count(1)

    @event.listens_for(Engine, "before_cursor_execute")
    def _(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        # A server's driver begins transactions by itself, and does not tell.
        if not statement.startswith("BEGIN"):
            counter[:] = next(made).to_bytes(8, sys.byteorder)


def let_computers_tell_at_once() -> None:
    """Let computers tell what they have thought of without waiting for the end of a whole second."""
    init: Any = Computers.__init__
    init.__kwdefaults__["beat"] = 0.0


def let_watched_computers_take_their_time() -> None:
    """Where only computers play they tell their decisions after whole seconds, whatever the others do."""
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


def run() -> int:
    """What ``python bot.py`` does, once the orders are carried out."""
    launcher.point_at(int(os.environ["WIRE_PORT"]))
    # The Discord of this machine takes as many requests as there are; a proxy's pace is no business of the bot's.
    os.environ["AMBIT_API"] = f"http://127.0.0.1:{os.environ['WIRE_PORT']}"
    exit_code = Path(os.environ["WIRE_EXIT"])
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
    code = bot.main([])
    exit_code.write_text(str(code))
    return code


if __name__ == "__main__":
    launcher.nursery(run)
