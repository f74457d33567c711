"""The bot and its command line.

`python bot.py` connects to Discord. `--check` tests whether it could. `--preview` runs the same bot in a simulated
Discord on a local web page. A failure is one sentence on standard error, and an exit code that says whether a later
retry can help (`cogs.process.exits`).
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import io
import logging
import secrets
import socket
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import datetime
from typing import Any, Final

if __name__ == "__main__":
    # Until all modules are there, hardly anything is garbage.
    gc.disable()

import discord
from discord.ext import commands
from yarl import URL

import cogs
from cogs import log_format as process_log
from cogs.client import Client
from cogs.drawing import DRAWER
from cogs.process.arguments import VERSION, read
from cogs.process.environment import DATABASE, Settings
from cogs.process.exits import EXIT_INTERRUPTED, StartError, of_database, plain_sentences
from cogs.process.exposure import exposed
from cogs.process.health import Doctor
from cogs.process.modes import check, keep_database, operate, print_status, serve_person, temporary_folder
from cogs.process.pace import Pace, ask_through
from cogs.process.passing import FINISHING, Predecessor, Successor
from cogs.process.registering import tell_commands, tell_operators_commands
from cogs.process.service import Service
from cogs.process.sessions import Sessions
from cogs.process.slimming import Slimming
from cogs.process.stopping import on_signal, stop_signals, until
from cogs.process.wire import SILENCE_OF_A_PROXY, Wire
from db import Database, DatabaseError, alone
from db.migrations import Empty, Outdated
from db.store.addresses import place_of
from matches.api import Clock, Host, Ration, Shards, Unavailable
from matches.computers.pool import Computers
from matches.engine.clock import SystemClock
from matches.engine.handover import Handover
from matches.engine.processes import Processes
from matches.engine.running import collect_seldom, run
from matches.features import FEATURES
from matches.host.host import NAME
from matches.host.store_state import Enrolled

log = logging.getLogger("ambit")

LAST: Final = 1.0
"""Seconds to finish presses that arrived while `close` was finishing earlier ones."""

UNRATIONED: Final = Ration(1_000_000, 1_000_000)
"""The preview's limits for direct messages: in practice, none."""


class DiscordClock(SystemClock):
    """The clock of matches with an SQLite database: discord.py's clock, so that SimCord can move it."""

    def now(self) -> datetime:
        """Return the time in UTC."""
        return discord.utils.utcnow()


class Ambit(Client):
    """The bot: the connection to Discord, the store, the host of all matches, and the cogs.

    It needs no privileged intent, has no cache that grows with the servers' members, and mentions only people whom a
    message names. `without`: the features that it doesn't have. Further `options` go to discord.py (shards, …).
    """

    database: Database

    def __init__(
        self,
        *,
        database_url: str = DATABASE,
        clock: Clock | None = None,
        entropy: Callable[[int], bytes] = secrets.token_bytes,
        computers: Computers | None = None,
        ration: Ration | None = None,
        keep_days: int | None = None,
        take_over: bool = False,
        without: tuple[str, ...] = (),
        **options: Any,
    ) -> None:
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=discord.Intents(guilds=True, guild_scheduled_events=True),
            allowed_mentions=discord.AllowedMentions.none(),
            allowed_installs=discord.app_commands.AppInstallationType(guild=True, user=False),
            max_messages=None,
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            # Shards of several processes identify in turn, so connecting has no timeout.
            **({"shard_connect_timeout": None} if options.get("shard_ids") else {}),
            **options,
        )
        Slimming(self)
        self._database_url = database_url
        self._clock = clock
        self._entropy = entropy
        self.computers = computers or Computers.casual()
        self._ration = ration
        self._keep_days = keep_days
        self._takes_over = take_over
        self._without = without
        self._is_open = False
        self.on_started: Callable[[], None] = lambda: None
        """Called once everything is prepared and Discord knows the token. `run_on_discord` sets it."""
        self.doctor = Doctor(self)
        self._sessions = Sessions(self, self.doctor.process)
        self._enrolled: Enrolled | None = None
        self.address: str | None = None
        """Where this process answers questions about itself. `run_on_discord` sets it."""
        self._max_concurrency = 1
        """How many shards may identify at once, according to Discord."""

    async def open(self) -> None:
        """Open the store, lock the shards and make the host, once. Raises DatabaseError.

        The command line calls this before it connects, so that it reports an unusable store, or another process with
        one of these shards, before Discord notices anything. A process that takes over waits until the other one is
        willing to hand over.
        """
        if not self._is_open:
            self.database = await (_opened_beside if self._takes_over else Database.open)(self._database_url)
            self._is_open = True
            # A restarted process has the same shards, and no other process has them. So they make its name.
            name = f"shards {','.join(map(str, self.shard_ids))}" if self.shard_ids else NAME
            shards = Shards(self.shard_count, tuple(self.shard_ids)) if self.shard_ids and self.shard_count else None
            self.processes = Processes(self.database, shards)
            self.handover = Handover(self.database, self.processes, self.doctor.process)
            await self.processes.set_clock()
            clock = self._clock or self.processes.clock or DiscordClock()
            features = tuple(each for each in FEATURES if each.key not in self._without)
            self.host = Host(
                *(self.database, clock, self._entropy, self.computers, name, shards, self._ration, self._keep_days),
                features,
            )
            self._enrolled = Enrolled(
                *(self.doctor.process, VERSION, self.doctor.since, socket.gethostname(), self.address),
                self.shard_count if self.shard_ids else None,
                self._without,
            )
            await self.host.state.refuse_unlike(self._enrolled, self.processes.is_carried)
            if not self._takes_over:
                await self.processes.carry()
            elif not await self.processes.take() and await self.handover.ask():
                self.gate.hold()
            if self.processes.carries:
                await self._take_charge()
            self.doctor.is_prepared = True

    async def _take_charge(self) -> None:
        """Begin to deliver, now that this process carries its shards. Raises DatabaseError."""
        assert self._enrolled is not None
        try:
            await self.host.outbox.take_over()
            await self.host.end_what_is_left_out()
        except Unavailable as error:
            passes = isinstance(error.__cause__, DatabaseError) and error.__cause__.passes
            raise DatabaseError(str(error), passes=passes) from error
        await self.host.state.enroll(self._enrolled)
        if self.scheduler is not None:
            self.scheduler.go_on()
        self.in_charge.set()

    async def add_cogs(self) -> None:
        """Add the commands and the background work."""
        await self.add_cog(self.doctor)
        await cogs.add_all(self)

    async def setup_hook(self) -> None:
        """Prepare everything that the first interaction needs, after the login and before the gateway."""
        await self.open()
        await self.host.time.attend()
        await self.add_cogs()
        if self.in_charge.is_set():
            await self._tell_commands()
            self._started()

    def _started(self) -> None:
        """Say once that everything is prepared."""
        self.on_started()
        self.on_started = lambda: None

    async def _tell_commands(self) -> None:
        """Tell Discord the commands if the bot has logged in. If it hasn't, `setup_hook` tells them later."""
        if self.application_id is None:
            return
        if await tell_commands(self):
            log.info("Discord has been told the commands")
        await tell_operators_commands(self)

    async def take_over(self) -> None:
        """Take these shards over if another process is about to hand them over. Return once this process carries them.

        Raises DatabaseError, or discord.py's error if Discord refuses the commands.
        """
        if not self.in_charge.is_set():
            successor = Successor(self, self.handover, self._take_charge)
            await successor.take_over(self._tell_commands, self.doctor.is_connected)
            if self.application_id is not None:
                self._started()

    async def connect(self, *, reconnect: bool = True) -> None:
        """Connect to the gateway until the bot is closed."""
        if self.in_charge.is_set():
            await self._sessions.load()
        needed = (len(self.shard_ids or ()) or 1) - self._sessions.left
        if self.shard_ids or needed > 0:
            limits = await self.fetch_session_start_limits()
            self._max_concurrency = limits.max_concurrency
            # A bot that logs in more often than that loses its token, and whatever starts it again knows no such limit.
            if limits.remaining < needed:
                how = "is tried again later" if self.in_charge.is_set() else "the one that runs goes on"
                raise StartError(
                    f"Discord allows only {limits.remaining} more logins today, and this process needs {needed}: "
                    f"{how}.",
                    passes=True,
                )
        await super().connect(reconnect=reconnect)

    async def launch_shard(self, gateway: URL, shard_id: int, *, initial: bool = False) -> None:
        """Connect a shard, unless it has resumed its session from the process before this one."""
        await self._sessions.resume()
        if not self._sessions.is_connected(shard_id):
            await super().launch_shard(gateway, shard_id, initial=initial)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Let the shards of all processes identify in turn. discord.py does this only within a process."""
        if self.shard_ids and shard_id is not None:
            await self.processes.identify_in_turn(shard_id % self._max_concurrency)
        else:
            await super().before_identify_hook(shard_id, initial=initial)

    async def close(self) -> None:
        """Finish what was begun (for at most `FINISHING` seconds), leave Discord, close the store.

        It also ends the worker processes.
        """
        try:
            await self.finish(FINISHING)
            if self._is_open and self.processes.carries:
                with contextlib.suppress(Unavailable):
                    await self.host.presence.tick(last=True)
                await self._sessions.close_and_store()
                await self.finish(LAST)
            await super().close()
        finally:
            self.computers.close()
            DRAWER.close()
            await self._close_store()

    async def _close_store(self) -> None:
        if self._is_open:
            self._is_open = False
            try:
                await self._release_leases()
                await self._leave()
            finally:
                await self.database.close()

    async def _leave(self) -> None:
        """Note that this process has stopped, unless another one has its shards already."""
        if self._enrolled is not None and self.processes.carries:
            with contextlib.suppress(DatabaseError):
                await self.host.state.leave(self._enrolled)

    async def _release_leases(self) -> None:
        """Release the rows leased to this process. If that fails, their leases expire.

        A single process leaves them to its successor, which has its name. A process without its shards has none: rows
        leased under its name are in use by the process that has the shards.
        """
        if self.processes.carries and self.host.work.shards is not None and await self.processes.keep() is None:
            try:
                await self.host.outbox.take_over()
            except Unavailable as error:
                log.info("what is left in hand is free when its leases end: %s", error)


# The command line.


async def _opened_beside(url: str) -> Database:
    """Open the store for a process that takes over. Raises DatabaseError if that needs migrations while a bot runs."""
    try:
        return await Database.open(url, migrate=False)
    except (Empty, Outdated) as error:
        try:
            async with alone(url):
                pass
        except DatabaseError:
            raise DatabaseError(
                "This version changes the schema of the database, so the process that runs can't hand over to it: stop "
                "that one, then start this one."
            ) from error
    return await Database.open(url)


async def run_on_discord(settings: Settings, *, take_over: bool = False) -> None:
    """Run the bot on Discord until somebody stops the process, or another one takes over.

    Raises StartError, DatabaseError.
    """
    token = settings.bot_token()
    if settings.api is not None:
        ask_through(settings.api)
    # A proxy limits the rate of all processes. Without one each process has its share.
    has_proxy, counted = settings.api is not None, settings.shard_count is not None
    wire = Wire(silence=SILENCE_OF_A_PROXY) if has_proxy else Wire(Pace.of_share(settings.share))
    place = place_of(settings.database)
    log.info("Ambit %s starts on the database %s", VERSION, place)
    service = Service()
    with stop_signals() as stop, plain_sentences(place=place, has_proxy=has_proxy, counted=counted):
        async with Ambit(
            database_url=settings.database,
            computers=Computers(processes=settings.computer_processes),
            http_trace=wire.trace(),
            connector=wire.connector(),
            ration=settings.ration,
            keep_days=settings.keep_days,
            without=settings.without,
            take_over=take_over,
            **settings.shards,
        ) as ambit:
            ambit.on_started = service.started
            ambit.policy_url = None if settings.policy_url is None else str(settings.policy_url)
            ambit.waits_for_discord = wire.waits
            ambit.is_crowded = wire.is_crowded
            ambit.doctor.wire = wire
            wire.on_answer = lambda press, taken: ambit.host.presence.note_answer(press, taken=taken)
            ambit.operator_guild = settings.operator_guild
            ambit.address = None if settings.metrics is None else str(settings.metrics)
            ended: list[str] = []

            def end(why: str) -> None:
                ended.append(why)
                stop.set()

            ambit.end = end
            service.starting()
            followed = asyncio.Event()
            async with _answering(settings, ambit.doctor) as insist:
                await ambit.open()
                if ambit.in_charge.is_set():
                    await insist(0)
                collect_seldom()
                predecessor = Predecessor(ambit, ambit.handover)

                async def in_line() -> None:
                    if not ambit.in_charge.is_set():
                        await ambit.take_over()
                        try:
                            await insist(2 * FINISHING)
                        except StartError as error:
                            # People are answered. So this process goes on without measurements.
                            log.error("%s", error)
                    await predecessor.serve()
                    followed.set()

                with on_signal("SIGUSR2", predecessor.start_successor):
                    await until(stop, ambit.start(token), in_line())
            if followed.is_set() and predecessor.child is not None:
                service.pass_on(predecessor.child.pid)
            else:
                service.stopping()
            if ended:
                raise StartError(ended[0])
            why = "another process carries on" if followed.is_set() else "it was told to"
            log.info("Ambit %s stops: %s", VERSION, why)


@contextlib.asynccontextmanager
async def _answering(settings: Settings, doctor: Doctor) -> AsyncIterator[Callable[[float], Awaitable[None]]]:
    """Within the block, answer `/livez`, `/healthz` and `/metrics` if AMBIT_METRICS is set. Raises StartError.

    Yields a function to call once this process has its shards. It waits for an address that is still in use, for so
    many seconds, and then raises StartError.
    """
    if settings.metrics is None:

        async def insist(patience: float) -> None:
            pass

        yield insist
        return
    # Without the setting nothing of this is loaded.
    from cogs.process.endpoint import Endpoint

    async with Endpoint(settings.metrics, doctor) as endpoint:
        yield endpoint.insist


async def run_preview(members: int, port: int) -> None:
    """Serve the preview until somebody stops the process. Raises StartError, DatabaseError.

    Its database is always a new file in a temporary folder, whatever the settings say: the simulated server begins
    afresh each time, and must not get into a real database.
    """
    try:
        from cogs.preview.web import PreviewError, serve
    except ModuleNotFoundError as error:
        raise StartError(
            f"The preview needs {error.name}: install what requirements-dev.txt lists, or use “make play”."
        ) from error
    with stop_signals() as stop, temporary_folder("ambit-preview-") as folder:
        ambit = Ambit(
            database_url=f"sqlite+aiosqlite:///{folder}/ambit.db",
            computers=Computers(),
            ration=UNRATIONED,
            shard_count=1,
        )
        try:
            await serve(ambit, members, port, stop)
        except PreviewError as error:
            raise StartError(str(error)) from error


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line, and return the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A file's name can contain bytes that aren't text.
            stream.reconfigure(errors="backslashreplace")
    chosen = read(arguments)
    as_json, interrupted = False, EXIT_INTERRUPTED
    keeps_database = bool(chosen.backup or chosen.restore or chosen.restored or chosen.move_to is not None)
    try:
        if chosen.check:
            process_log.set_up("ERROR", of_libraries=logging.ERROR)
            return asyncio.run(check(chosen.migrate, chosen.env))
        settings = Settings.load(chosen.env)
        if chosen.status:
            process_log.set_up("ERROR", of_libraries=logging.ERROR)
            return print_status(settings)
        if keeps_database:
            keep_database(settings, chosen)
            return 0
        if chosen.export is not None or chosen.forget is not None:
            serve_person(settings, chosen)
            return 0
        if operate(settings, chosen):
            return 0
        of_libraries = logging.ERROR if chosen.preview else logging.WARNING
        as_json = settings.log_format == "json"
        process_log.set_up(
            settings.log_level, of_libraries=of_libraries, shards=settings.shard_ids or (), as_json=as_json
        )
        interrupted = 0
        if chosen.preview:
            asyncio.run(run_preview(chosen.members, chosen.port))
        else:
            for sentence in exposed(settings, chosen.env):
                log.warning("worth a look: %s", sentence)
            run(run_on_discord(settings, take_over=chosen.take_over))
    except (StartError, DatabaseError) as error:
        fault = of_database(error) if isinstance(error, DatabaseError) else error
        if as_json:
            # As text: the log withholds what an exception says.
            log.critical("%s", str(fault))
        else:
            print(fault, file=sys.stderr)
        return fault.code
    except KeyboardInterrupt:
        return interrupted
    return 0


if __name__ == "__main__":
    gc.freeze()
    gc.enable()
    sys.exit(main())
