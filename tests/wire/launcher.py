"""Starts the real, unmodified bot against the stand-in: ``python launcher.py`` instead of ``python bot.py``.

With ``--nursery`` it imports everything once, and begins a match of every game (`practise`). Then it forks a bot for
every line of JSON that it reads (settings, folder, log). Tests start many bots. Imports were most of a start, and
compiled statements, fonts and tiles most of a bot's first turn.

Two attributes of discord.py point it at this machine (REST and interactions, and the gateway). Everything else here is
for tests alone: what `hurry` says, and these environment variables:

* `WIRE_CLOCK`: a file with seconds by which all time is ahead
* `WIRE_MACHINE`: a file with seconds by which only the machine's clock is further ahead
* `WIRE_ENTROPY`: the same secret seed for every match
* `WIRE_IMAGINE`: a seed; in every match what a spectator can't know is different
* `WIRE_PACE`: ``10 1.6``, how many requests Discord accepts from all processes in how many seconds
* `WIRE_SILENCE`: ``3 0.5``, a request fails after 3 seconds of silence, and others don't wait for it after 0.5
* `WIRE_PLACES`: how many matches get news at once
* `WIRE_FREE`: how many bytes are left on the disk
* `WIRE_MIGRATION`: for how many seconds the store is migrated at the start
* `WIRE_STORE`: a file, for an SQLite store; it says that writing is ``refused``, or how many seconds it takes
* `WIRE_DNS`: a file; while it exists, no name of a host can be looked up. Discord is at `localhost` then
* `WIRE_STUCK`: a file; when it exists, the event loop hangs for an hour
* `WIRE_STEP`: ``before ready`` or ``after ready``, SIGKILL before or after it goes to that step of a handover
* `WIRE_KILL`: ``before 3`` or ``after 3``, SIGKILL before or after the third writing commit
"""

import asyncio
import contextlib
import dataclasses
import gc
import json
import os
import random
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import lru_cache, partialmethod
from pathlib import Path
from typing import Any

import discord
from sqlalchemy import Connection, Engine, event, text
from sqlalchemy.engine.default import DefaultDialect
from yarl import URL

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import bot
from cogs.delivery import porter
from cogs.process import health, pace, wire
from cogs.text import names
from db import Database
from db.store import database, meta
from db.store.server_locks import ServerLocks
from games import GAMES
from matches.api import Host, NewMatch, Person, Status, UserId
from matches.computers.pool import Computers
from matches.engine import processes
from matches.engine.clock import Clock, SteadyClock, SystemClock
from matches.engine.handover import Handover, Note, Step
from matches.host import scheduler
from matches.work import positions
from render import RENDERERS
from tests.dialect import use_one_dialect
from tests.statements import writes


def point_at(port: int) -> None:
    """Let discord.py use 127.0.0.1 as Discord, and not wait two seconds for servers that might still come."""
    discord.http.Route.BASE = f"http://127.0.0.1:{port}/api/v10"
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = URL(f"ws://127.0.0.1:{port}")
    make = discord.state.ConnectionState.__init__

    def without_waiting(self: Any, **options: Any) -> None:
        make(self, **{"guild_ready_timeout": 0.05} | options)

    discord.state.ConnectionState.__init__ = without_waiting  # type: ignore[method-assign]


def shift_clocks(time: Path, machine: Path) -> None:
    """Shift all time by the seconds in one file, and the machine's clocks by those in both."""
    for clock in (bot.DiscordClock, SystemClock):
        clock.now = partialmethod(_shifted, clock.now, time, machine)  # type: ignore[method-assign, assignment]
        clock.passed = partialmethod(_later, clock.passed, time)  # type: ignore[method-assign, assignment]
    SteadyClock.now = partialmethod(_shifted, SteadyClock.now, time)  # type: ignore[method-assign, assignment]
    SteadyClock.passed = partialmethod(_later, SteadyClock.passed, time)  # type: ignore[method-assign, assignment]
    servers = meta.server_time

    def now(transaction: Connection) -> datetime | None:
        return None if (found := servers(transaction)) is None else found + _seconds(time)

    meta.server_time = now


def _shifted(self: Clock, true_now: Callable[[Clock], datetime], *by: Path) -> datetime:
    return true_now(self) + sum(map(_seconds, by), timedelta())


def _later(self: Clock, true_passed: Callable[[Clock], float], by: Path) -> float:
    return true_passed(self) + _seconds(by).total_seconds()


def _seconds(file: Path) -> timedelta:
    now = file.stat()
    return _read(file, now.st_ino, now.st_mtime_ns)


@lru_cache(maxsize=2)
def _read(file: Path, *_version: int) -> timedelta:
    """What the file says. A bot asks for the time hundreds of times a second, and a test replaces the file at times."""
    return timedelta(seconds=float(file.read_text() or 0))


def hurry() -> None:
    """Look for leftovers, and at the health, ten times as often as usual, and shorten waits.

    Computers search briefly. The bot waits two seconds for a locked store, and for the end of a dead process. Between
    two sessions on the gateway it doesn't wait at all (Discord wants five seconds), unless `WIRE_IDENTIFY` gives the
    seconds.
    """
    porter.Porter.tick.change_interval(seconds=scheduler.TICK / 10)
    health.Doctor.watch.change_interval(seconds=health.EVERY / 10)
    _by_default(Computers.__init__, effort=0.05, beat=0.05)
    _by_default(Database.open.__func__, busy_timeout=timedelta(seconds=2))  # type: ignore[attr-defined]
    # No machine dies here; the server notices a dead process at once.
    ServerLocks.lag = timedelta(seconds=2)

    if "WIRE_IDENTIFY" in os.environ:
        processes.IDENTIFY_EVERY = timedelta(seconds=float(os.environ["WIRE_IDENTIFY"]))  # type: ignore[misc]
        return

    async def at_once(self: bot.Ambit, shard_id: int | None, *, initial: bool = False) -> None:
        pass

    bot.Ambit.before_identify_hook = at_once  # type: ignore[method-assign]


def _by_default(function: Any, **values: Any) -> None:
    """Give keyword arguments of a function other defaults."""
    assert set(values) <= set(function.__kwdefaults__)
    function.__kwdefaults__ |= values


def fix_entropy(text: str) -> None:
    """Use the same seed for every match, so that two runs deal the same cards."""
    _by_default(bot.Ambit.__init__, entropy=lambda count: text.encode().ljust(count, b"\0")[:count])


def die_at_commit(moment: str, number: int) -> None:
    """SIGKILL this process, before or after its `number`-th commit that writes."""
    count = 0
    writing = False
    commit: Callable[..., None] = DefaultDialect.do_commit

    @event.listens_for(Engine, "commit")
    def count_it(connection: Connection) -> None:
        nonlocal count, writing
        writing = writes(connection)
        count += writing

    def counted(self: DefaultDialect, connection: Any) -> None:
        nonlocal writing
        mine, writing = writing and count == number, False
        if mine and moment == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        commit(self, connection)
        if mine:
            os.kill(os.getpid(), signal.SIGKILL)

    DefaultDialect.do_commit = counted  # type: ignore[method-assign]


def migrate_for(seconds: float) -> None:
    """Let the migration of the store take this long, like one statement that rewrites a large table."""
    true_migration = database.bring_up_to_date  # type: ignore[attr-defined]

    def slowly(connection: Connection) -> Any:
        if connection.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_sleep({seconds})"))
        else:
            time.sleep(seconds)
        return true_migration(connection)

    database.bring_up_to_date = slowly  # type: ignore[attr-defined]


def hinder(sign: Path) -> None:
    """Let writing transactions be refused, as on a file system that is read-only, or take as long as this file says."""

    @event.listens_for(Engine, "begin")
    def begin(connection: Connection) -> None:
        if connection.dialect.name != "sqlite":
            return
        said = sign.read_text() if sign.exists() else ""
        connection.exec_driver_sql(f"PRAGMA query_only = {said == 'refused'}")
        if said not in ("", "refused") and connection.get_execution_options().get("ambit_write"):
            time.sleep(float(said))


def lose_names(port: int, sign: Path) -> None:
    """Ask for Discord by a name that can't be looked up while this file exists."""
    discord.http.Route.BASE = f"http://localhost:{port}/api/v10"
    true_look = socket.getaddrinfo

    def look(*arguments: Any, **options: Any) -> Any:
        if sign.exists():
            raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")
        return true_look(*arguments, **options)

    socket.getaddrinfo = look


def hang_at(sign: Path) -> None:
    """Let the event loop hang once this file exists. The file is removed, so that the next process doesn't."""
    true_start = bot.Ambit.setup_hook

    def look() -> None:
        if sign.exists():
            sign.unlink()
            time.sleep(3600)
        asyncio.get_running_loop().call_later(0.02, look)

    async def start(self: bot.Ambit) -> None:
        await true_start(self)
        look()

    bot.Ambit.setup_hook = start  # type: ignore[method-assign]


def die_at_step(moment: str, step: str) -> None:
    """SIGKILL this process before or after it goes to a step of a handover."""
    go_to = Handover.go_to

    async def then_die(self: Handover, to: Step, *arguments: Any) -> Note | None:
        if (moment, step) == ("before", to):
            os.kill(os.getpid(), signal.SIGKILL)
        found = await go_to(self, to, *arguments)
        if (moment, step) == ("after", to):
            os.kill(os.getpid(), signal.SIGKILL)
        return found

    Handover.go_to = then_die  # type: ignore[method-assign, assignment]


def imagined(state: Any, seed: int, match_id: int) -> Any:
    """Another position that looks the same to a spectator; equal for equal arguments."""
    return state.resample_from_infostate(None, random.Random(f"{seed} {match_id}"))


def imagine(seed: int) -> None:
    """Replace the hidden part of every running match by another that a spectator could imagine."""
    true_behind = positions.Positions.behind

    def behind(self: positions.Positions, connection: Connection, match: Any) -> positions.Behind:
        found = true_behind(self, connection, match).caught_up()
        if not found.state.is_terminal:
            found = dataclasses.replace(found, state=imagined(found.state, seed, match.id), recent=())
        return positions.Behind(found, [])

    positions.Positions.behind = behind  # type: ignore[method-assign]


def run(arguments: Sequence[str] = ()) -> int:
    """Run ``python bot.py`` with these arguments and the environment's settings."""
    point_at(int(os.environ["WIRE_PORT"]))
    shift_clocks(Path(os.environ["WIRE_CLOCK"]), Path(os.environ["WIRE_MACHINE"]))
    hurry()
    if "WIRE_ENTROPY" in os.environ:
        fix_entropy(os.environ["WIRE_ENTROPY"])
    if "WIRE_IMAGINE" in os.environ:
        imagine(int(os.environ["WIRE_IMAGINE"]))
    if "WIRE_PACE" in os.environ:
        many, seconds = os.environ["WIRE_PACE"].split(" ")
        pace.A_SECOND, pace.WINDOW = int(many), float(seconds)  # type: ignore[misc]
    if "WIRE_SILENCE" in os.environ:
        wire.SILENCE, wire.LATE = map(float, os.environ["WIRE_SILENCE"].split(" "))  # type: ignore[misc]
    if "WIRE_PLACES" in os.environ:
        scheduler.MATCHES_AT_ONCE = int(os.environ["WIRE_PLACES"])  # type: ignore[misc]
    if "WIRE_FREE" in os.environ:
        usage = shutil.disk_usage(".")._replace(free=int(os.environ["WIRE_FREE"]))
        shutil.disk_usage = lambda path: usage
    if "WIRE_MIGRATION" in os.environ:
        migrate_for(float(os.environ["WIRE_MIGRATION"]))
    if "WIRE_STORE" in os.environ:
        hinder(Path(os.environ["WIRE_STORE"]))
    if "WIRE_DNS" in os.environ:
        lose_names(int(os.environ["WIRE_PORT"]), Path(os.environ["WIRE_DNS"]))
    if "WIRE_STUCK" in os.environ:
        hang_at(Path(os.environ["WIRE_STUCK"]))
    if "WIRE_KILL" in os.environ:
        moment, number = os.environ["WIRE_KILL"].split(" ")
        die_at_commit(moment, int(number))
    if "WIRE_STEP" in os.environ:
        die_at_step(*os.environ["WIRE_STEP"].split(" "))
    code = bot.main(arguments)
    Path(os.environ["WIRE_EXIT"]).write_text(str(code))
    return code


async def practise(file: Path) -> None:
    """Begin and draw a match of every game, so that bots inherit what is compiled and kept for it."""
    use_one_dialect()
    async with await Database.open(f"sqlite+aiosqlite:///{file}") as database:
        host = Host(database, entropy=random.Random(1).randbytes)
        for key, game in GAMES.items():
            first, *others = (Person(UserId(number), str(number)) for number in range(1, game.info.min_players + 1))
            match = await host.lobby.open(NewMatch(key, 1), first)
            for person in others:
                match = await host.lobby.join(match.id, person)
            if match.status is Status.LOBBY:
                match = await host.lobby.start(match.id, first.user_id)
            for _ in range(2):
                if match.mover is None:  # One card may end a match of Ambagibus.
                    break
                view = await host.look.view(match.id, UserId(match.mover.user_id or 0))
                people = names.people(match)
                RENDERERS[key].draw(view.observation, people)
                RENDERERS[key].draw_hand(view.observation, people)
                RENDERERS[key].draw_role(view.observation, people)
                match = await host.play.act(match.id, UserId(match.mover.user_id or 0), view.moves[0].text)


def reap(*_: object) -> None:
    """Reap the children that have ended."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass


def nursery(run: Callable[[Sequence[str]], int] = run) -> None:
    """Fork a bot for every order, and print its process id. Reap it, so that its CPU seconds count as ours."""
    signal.signal(signal.SIGCHLD, reap)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(practise(Path(folder) / "practice.db"))
    # A bot needn't look through what it inherits.
    gc.collect()
    gc.freeze()
    print("ready", flush=True)
    for line in sys.stdin:
        order = json.loads(line)
        child = os.fork()
        if child:
            print(child, flush=True)
            continue
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        os.chdir(order["folder"])
        log = os.open(order["log"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(log, 1)
        os.dup2(log, 2)
        os.environ.clear()
        os.environ.update(order["environment"])
        sys.exit(run(order.get("arguments", ())))


if __name__ == "__main__":
    if sys.argv[1:] == ["--nursery"]:
        nursery()
    else:
        sys.exit(run(sys.argv[1:]))
