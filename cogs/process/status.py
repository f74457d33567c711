"""What `python bot.py --status` prints: how the bot is, for whoever runs it and for cron."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, Final

import aiohttp

from cogs.process.environment import Address, Settings
from cogs.process.faults import FAILURES, reason
from matches.api import DatabaseError
from matches.host import store_state
from matches.host.store_state import Enrolled, StoreState, in_words, megabytes

ANSWERS_WITHIN: Final = 10.0
"""Seconds in which a process must answer. One whose event loop is stuck doesn't."""

EVERYWHERE: Final = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Addresses at which a process listens to all networks, and how to ask it on its own machine."""


async def status(settings: Settings) -> tuple[list[str], list[str]]:
    """Return what is to be said, and what is wrong, as sentences. Raises DatabaseError if the store can't be read."""
    said: list[str] = []
    wrong: list[str] = []
    found = await store_state.of_store(settings.database, datetime.now(UTC))
    if found is None:
        return ["There is no database yet; the first start makes one."], ["The bot has never run here."]
    state, processes = found
    store = None
    if isinstance(state, DatabaseError):
        wrong.append(str(state))
    else:
        store = state.totals.identity
        said += of_store(state)
        wrong += [*state.problems(), *state.warnings()]
    if not processes and not isinstance(state, DatabaseError):
        wrong.append("No process of the bot has noted that it runs.")
    sentences, faults = await of_processes(processes, store)
    return [*said, *sentences], [*wrong, *(fault for fault in faults if fault not in wrong)]


async def of_processes(processes: Iterable[Enrolled], store: str | None) -> tuple[list[str], list[str]]:
    """Return how these processes are, one sentence each, and what is wrong with any of them, each fault once.

    `store`: the identity of the store in which they have noted that they run, if it is known.
    """
    found = await asyncio.gather(*(_of_process(process, store) for process in processes))
    faults = dict.fromkeys(fault for _, wrong in found for fault in wrong)
    return [sentence for sentence, _ in found], list(faults)


def of_store(state: StoreState) -> Iterator[str]:
    """Say what is open and due, when the last backup was made, and how full the disk is."""
    found, disk = state.totals, state.disk
    yield f"Schema: {found.schema}"
    yield (
        f"Matches: {found.of('lobby')} in the lobby, {found.of('running')} running, {found.of('frozen')} frozen; "
        f"{found.lost} of them can't be reached"
    )
    oldest = f" (the oldest for {in_words(state.waited)})" if found.due else ""
    yield f"Messages: {found.due} due{oldest}, {found.later} later, {found.held} held"
    late = f" (the oldest for {in_words(state.late)})" if found.overdue else ""
    yield f"Deadlines: {sum(found.overdue.values())} due{late}"
    if disk is None:
        yield "Last backup: the server's own tools make it"
        return
    if found.backed_up is None:
        yield "Last backup: none by --backup"
    else:
        yield f"Last backup: {found.backed_up:%Y-%m-%d %H:%M} UTC, {in_words(state.at - found.backed_up)} ago"
    yield f"Disk: {megabytes(disk.free)} left, database {megabytes(disk.database)}, journal {megabytes(disk.journal)}"


async def _of_process(noted: Enrolled, store: str | None) -> tuple[str, list[str]]:
    """Return how a process is, and what is wrong with it."""
    name = f"Process {noted.process}: Ambit {noted.version} since {noted.since:%Y-%m-%d %H:%M} UTC"
    if noted.machine != socket.gethostname():
        return f"{name}, on the machine {noted.machine}: ask there", []
    if noted.address is None:
        return f"{name}; whether it runs can't be asked, because its AMBIT_METRICS isn't set", []
    try:
        report = await _asked(noted.address)
    except (*FAILURES, ValueError) as error:
        return f"{name}: no answer", [f"Process {noted.process} doesn't answer at {noted.address}: {reason(error)}."]
    if None not in (store, report.get("store")) and report["store"] != store:
        # This store is a copy of the one that the bot uses, or was one.
        return f"{name}: no answer", [f"At {noted.address} a bot with another database answers."]
    if report["process"] != noted.process:
        return f"{name}: no answer", [f"At {noted.address} another process answers: {report['process']}."]
    shards = report["shards"]
    how = "healthy" if report["healthy"] else "not healthy"
    sentence = f"{name}, {how}, shards {shards['carried'] or 'none'}, connected {shards['connected'] or 'none'}"
    return sentence, [*report["problems"], *report["warnings"]]


async def _asked(written: str) -> dict[str, Any]:
    """Return what a process says at `/healthz`."""
    host, _, port = written.rpartition(":")
    host = host.strip("[]")
    address = Address(EVERYWHERE.get(host, host), int(port))
    timeout = aiohttp.ClientTimeout(total=ANSWERS_WITHIN)
    async with (
        aiohttp.ClientSession(timeout=timeout) as session,
        session.get(f"http://{address}/healthz") as answer,
    ):
        found: dict[str, Any] = json.loads(await answer.text())
        return found
