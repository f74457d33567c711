"""The measurements as Prometheus reads them. Everything is counted where it happens; here it only gets names.

No label is a number or a name of a person, server, channel or match: labels are words of the program, shards, and the
process. `docs/metrics.md` explains each measurement.
"""

from __future__ import annotations

import asyncio
import math
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Final, TypeVar

from prometheus_client import ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from cogs import log_format
from cogs.client import OUTCOMES
from cogs.drawing import DRAWER
from cogs.process.arguments import VERSION
from cogs.process.health import Doctor, Health
from cogs.process.lag import Lag
from games import GAMES
from matches.api import Status
from matches.engine.measured import Histogram
from matches.engine.running import COLLECTIONS
from matches.host.store_state import StoreState

K = TypeVar("K", bound=str)
L = TypeVar("L", bound=tuple[str, ...])
"""The values of a sample's labels."""


class Metrics:
    """Writes all measurements of a process as text."""

    def __init__(self, doctor: Doctor, lag: Lag) -> None:
        self._doctor = doctor
        self._bot = doctor.bot
        self._lag = lag
        self._process: Collector = ProcessCollector(registry=None)

    async def text(self) -> bytes:
        """Return all measurements. Between two of them the event loop can do other work."""
        return b"".join([part async for part in self._parts(await self._doctor.look())])

    async def _parts(self, health: Health) -> AsyncIterator[bytes]:
        own = self._doctor.process
        for family in self._measured(health):
            for sample in family.samples:
                sample.labels["process"] = own
            yield generate_latest(_Alone(family))
            await asyncio.sleep(0)
        # This reads files of the system, which may take long.
        yield await asyncio.to_thread(generate_latest, self._process)

    def _measured(self, health: Health) -> Iterator[Metric]:
        schema = "unknown" if health.store is None else health.store.totals.schema
        yield _gauge("build_info", "Which program this is.", ("version", "schema"), {(VERSION, schema): 1})
        yield _gauge("healthy", "Whether /healthz says 200.", (), {(): not health.problems})
        # While the store is being opened or migrated, it is neither well nor ill.
        took = {(): health.wrote is not None} if self._doctor.is_prepared else {}
        yield _gauge("store_works", "Whether the store took the last write of the check.", (), took)
        wrote = {} if health.wrote is None else {(): health.wrote}
        yield _gauge("store_write_seconds", "How long the write of the check took.", (), wrote)
        yield from self._presses_and_requests()
        yield from self._work()
        yield from self._program()
        if health.store is not None:
            yield from self._store(health.store)

    def _presses_and_requests(self) -> Iterator[Metric]:
        yield _counter("presses", "Presses and commands.", ("verb", "outcome"), self._bot.presses)
        ended = Counter({(outcome,): 0 for outcome in OUTCOMES})
        for (_, outcome), count in self._bot.presses.items():
            ended[outcome,] += count
        yield _counter("press_outcomes", "The same, by outcome alone.", ("outcome",), ended)
        wire = self._doctor.wire
        if wire is None:
            return
        yield _histogram("acknowledgement_seconds", "From a press to its first answer.", {(): wire.acknowledged})
        yield _counter("requests", "Requests to Discord.", ("kind", "status"), wire.requests)
        yield _histogram("request_seconds", "How long Discord took to answer.", {(): wire.seconds})
        yield _counter("rate_limited", "Answers of 429.", ("scope",), _keyed(wire.limited))
        if wire.pace is not None:
            pace = wire.pace
            yield _gauge("pace_waiting", "Requests that wait for our own pace.", (), {(): pace.waiting})
            yield _counter("pace_delayed", "Requests that had to wait for our own pace.", (), {(): pace.delayed})
            yield _counter("pace_waited_seconds", "How long they waited.", (), {(): pace.waited})

        takes = {(what,): seconds is None for what, seconds in self._doctor.refused.items()}
        yield _gauge("discord_takes", "Whether Discord takes what the bot sends.", ("what",), takes)

    def _work(self) -> Iterator[Metric]:
        scheduler = self._bot.scheduler
        if scheduler is not None:
            told = {(str(kind), outcome): count for (kind, outcome), count in scheduler.tellings.items()}
            yield _counter("tellings", "Messages that were taken up.", ("kind", "outcome"), told)
            lanes = {(lane.kind,): lane for lane in scheduler.lanes}
            places = {key: lane.width for key, lane in lanes.items()}
            busy = {key: lane.busy for key, lane in lanes.items()}
            waiting = {key: lane.waiting for key, lane in lanes.items()}
            full = {key: lane.full_for.total_seconds() for key, lane in lanes.items()}
            yield _gauge("lane_places", "How much may be done at once.", ("lane",), places)
            yield _gauge("lane_busy", "How many places are taken.", ("lane",), busy)
            yield _gauge("lane_waiting", "How much waits for a place.", ("lane",), waiting)
            yield _gauge("lane_full_seconds", "For how long no place has been free.", ("lane",), full)
            for part in self._bot.host.parts.values():
                for name, counts in part.counted.items():
                    yield _counter(name, f"What people did with {name}.", ("what",), _keyed(counts))
        computers = self._bot.computers
        pools = {(pool.kind,): pool for pool in (computers.thinking, computers.background, DRAWER.process)}
        queued = {key: pool.in_queue for key, pool in pools.items()}
        deaths = {key: pool.deaths for key, pool in pools.items()}
        yield _gauge("work_waiting", "Work that waits for worker processes.", ("workers",), queued)
        processes = {key: pool.processes for key, pool in pools.items()}
        yield _gauge("worker_processes", "Worker processes that run.", ("workers",), processes)
        yield _counter("worker_deaths", "Worker processes that died at work.", ("workers",), deaths)
        seconds = {key: pool.seconds for key, pool in pools.items()}
        yield _histogram("work_seconds", "How long such work took, with its waiting.", seconds, ("workers",))
        yield _counter("pictures", "Pictures that were drawn.", ("game", "place"), DRAWER.pictures)
        yield _counter("picture_seconds", "How long that took, with waiting.", ("game", "place"), DRAWER.seconds)

    def _program(self) -> Iterator[Metric]:
        doctor = self._doctor
        ready = {(str(shard),): shard in doctor.connected for shard in doctor.carried}
        yield _gauge("shard_ready", "Whether the shard is connected.", ("shard",), ready)
        latency = {(str(shard),): found for shard, found in self._bot.latencies if math.isfinite(found)}
        yield _gauge("shard_latency_seconds", "How long a heartbeat takes.", ("shard",), latency)
        yield _histogram("loop_lag_seconds", "How late the event loop ran what was due.", {(): self._lag.seconds})
        yield _histogram("collection_seconds", "How long Python looked for garbage.", {(): COLLECTIONS})
        jumps = {(): self._bot.host.work.trust.jumps if doctor.is_prepared else 0}
        yield _counter("clock_jumps", "How often the clock has jumped.", (), jumps)
        if doctor.is_prepared:
            state = self._bot.host.state
            yield _counter("statements", "SQL statements.", ("kind",), _keyed(state.statements))
            yield _counter("transactions", "Transactions.", ("kind", "outcome"), state.transactions)
        yield _counter("log_lines", "Lines of the log.", ("level",), _keyed(log_format.LINES))
        yield _counter("errors", "Exceptions in the log.", ("kind",), _keyed(log_format.ERRORS))

    def _store(self, store: StoreState) -> Iterator[Metric]:
        found, at = store.totals, store.at
        rows = {"due": found.due, "later": found.later, "held": found.held}
        yield _gauge("outbox_rows", "Messages that must be sent.", ("state",), _keyed(rows))
        waited = store.waited.total_seconds()
        yield _gauge("outbox_oldest_seconds", "How long the oldest that could be sent has waited.", (), {(): waited})
        yield _gauge("deadlines_overdue", "Deadlines whose time has come.", ("kind",), _keyed(found.overdue))
        late = store.late.total_seconds()
        yield _gauge("deadlines_oldest_seconds", "How long the oldest has been due.", (), {(): late})
        matches = {**dict.fromkeys(product(OPEN, GAMES), 0), **found.matches}
        yield _gauge("matches", "Open matches.", ("status", "game"), matches)
        yield _gauge("matches_lost", "Open matches that the bot can't reach.", (), {(): found.lost})
        ration = self._bot.host.dms.ration
        opened = {("minute",): store.opened.minute.all, ("day",): store.opened.day.all}
        left = {("minute",): ration.a_minute, ("day",): ration.a_day}
        left = {key: max(0, most - opened[key]) for key, most in left.items()}
        yield _gauge("dm_openings", "New direct messages.", ("window",), opened)
        yield _gauge("dm_ration_left", "How many more may be opened.", ("window",), left)
        pause = store.dm_pause.total_seconds()
        yield _gauge("dm_pause_seconds", "For how long Discord lets the bot open none.", (), {(): pause})
        yield _gauge("schema_pending", "Migrations that the store lacks; -1: it is newer.", (), {(): found.pending})
        if store.disk is not None:
            yield _gauge("database_bytes", "Size of the file.", (), {(): store.disk.database})
            yield _gauge("wal_bytes", "Size of its journal.", (), {(): store.disk.journal})
            yield _gauge("disk_free_bytes", "Room beside the file.", (), {(): store.disk.free})
        if found.replica_lag is not None:
            yield _gauge("replica_lag_seconds", "How far the slowest standby is behind.", (), {(): found.replica_lag})
        if found.backed_up is not None:
            age = (at - found.backed_up).total_seconds()
            yield _gauge("backup_age_seconds", "Age of the last --backup.", (), {(): age})


class _Alone(Collector):
    """A registry of one measurement."""

    def __init__(self, family: Metric) -> None:
        self._family = family

    def collect(self) -> Iterable[Metric]:
        return (self._family,)


PREFIX: Final = "ambit_"
OPEN: Final = (Status.LOBBY.value, Status.RUNNING.value, Status.FROZEN.value)
"""What a match can be that hasn't ended."""


def _keyed(counts: Mapping[K, float]) -> dict[tuple[K], float]:
    """Return values by the only label that they have."""
    return {(key,): count for key, count in counts.items()}


def _gauge(name: str, about: str, labels: Sequence[str], values: Mapping[L, float]) -> Metric:
    return _filled(GaugeMetricFamily(PREFIX + name, about, labels=labels), values.items())


def _counter(name: str, about: str, labels: Sequence[str], values: Mapping[L, float]) -> Metric:
    return _filled(CounterMetricFamily(PREFIX + name, about, labels=labels), sorted(values.items()))


def _filled(family: GaugeMetricFamily | CounterMetricFamily, values: Iterable[tuple[L, float]]) -> Metric:
    for key, value in values:
        family.add_metric(key, value)
    return family


def _histogram(name: str, about: str, values: Mapping[L, Histogram], labels: Sequence[str] = ()) -> Metric:
    family = HistogramMetricFamily(PREFIX + name, about, labels=labels)
    for key, found in values.items():
        bounds = (*(f"{bound:g}" for bound in found.bounds), "+Inf")
        family.add_metric(key, list(zip(bounds, found.cumulative, strict=True)), found.sum)
    return family
