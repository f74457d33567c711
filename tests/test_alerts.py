"""The alert rules, tried by Prometheus' own promtool: each fires in its case, and none on a healthy day.

Alertmanager's rules are applied to what has fired then: one outage pages once. The series are those that a bot exports.
"""

import asyncio
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample

from cogs.client import OUTCOMES
from cogs.process.lag import Lag
from cogs.process.metrics import Metrics
from cogs.process.pace import Pace
from cogs.process.wire import Wire
from tests.cogs.table import table
from tests.files import DEPLOY, ROOT, alerts, asked_by, yaml_of

EVERY: Final = 15
"""Seconds between two scrapes."""

WELL: Final = 40
"""So many scrapes find everything well before something happens."""

NOTHING: Final = "stale"
"""The target is gone, or no longer has this series."""

INSTANCE: Final = {"job": "ambit", "instance": "bot:9400"}
SOME_STORES: Final = {"ambit_backup_age_seconds": 3600.0, "ambit_replica_lag_seconds": 0.0}
"""What only some stores have, when all is well."""

QUIET: Final = {
    "ambit_healthy": 1.0,
    "ambit_discord_takes": 1.0,
    "ambit_shard_ready": 1.0,
    "ambit_disk_free_bytes": 5e10,
    "ambit_store_write_seconds": 0.01,
    "process_start_time_seconds": 1.7e9,
}
"""Values of a bot that is well, where the bot of the test may have others."""


def tool(name: str) -> str:
    found = shutil.which(name)
    if found is None:
        pytest.skip(f"{name} isn't installed here (make debian)")
    return found


@cache
def asked() -> set[str]:
    """The series that alerts ask for."""
    return {name for alert in alerts() for name in asked_by(alert.expression).series}


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> list[Sample]:
    """All samples of a process that has just started, in which no other test has logged anything."""

    async def scrape() -> bytes:
        async with table(tmp_path_factory.mktemp("bot") / "ambit.db", 1) as room:
            room.bot.doctor.wire = Wire(Pace.of_share(Fraction(1)))
            return await Metrics(room.bot.doctor, Lag()).text()

    families = text_string_to_metric_families(asyncio.run(scrape()).decode())
    found = [sample for family in families for sample in family.samples]
    samples = [each._replace(value=0.0) if each.name == "ambit_log_lines_total" else each for each in found]
    up = Sample("up", {}, 1.0)
    return [*samples, up, *(Sample(name, {"process": "all"}, value) for name, value in SOME_STORES.items())]


# FOUND O2


def test_every_counter_that_an_alert_watches_is_there_from_the_start_with_nothing(exported: list[Sample]) -> None:
    """An increase is seen only from a value on that was there before."""
    there = {sample.name for sample in exported}
    watched = set()
    for alert in alerts():
        assert asked_by(alert.expression).series <= there, alert.name
        watched |= set(re.findall(r"(?:increase|rate)\((\w+)", alert.expression))
    assert len(watched) > 5
    for name in watched - {"ambit_loop_lag_seconds_bucket", "ambit_log_lines_total"}:
        assert {sample.value for sample in exported if sample.name == name} == {0.0}, name
    words = {sample.labels["outcome"] for sample in exported if sample.name == "ambit_press_outcomes_total"}
    boundary = (ROOT / "cogs" / "press" / "boundary.py").read_text("utf-8")
    assert words == {*OUTCOMES} == set(re.findall(r'outcome(?:, number)? = "(\w+)"', boundary))
    assert {sample.labels["level"] for sample in exported if sample.name == "ambit_log_lines_total"} == {
        *("warning", "error", "critical")
    }


Values = Callable[[float, int], list[float | str]]
"""The values of a series from the moment on at which something happens: of its healthy value, so many."""


def stays(value: float) -> Values:
    return lambda _, count: [value] * count


def grows(by: float) -> Values:
    """By so much with each scrape."""
    return lambda before, count: [before + by * (1 + number) for number in range(count)]


def gone(_: float, count: int) -> list[float | str]:
    return [NOTHING, *["_"] * (count - 1)]


def then_gone(_: float, count: int) -> list[float | str]:
    """Of a series that isn't the bot's own: there while all is well, and then no more."""
    return [1.0] * WELL + gone(0, count - WELL)


class Case(NamedTuple):
    """What happens: by series (and some of its labels), its values; and which alerts begin how many seconds later.

    The alerts' names are without ``Ambit``.
    """

    happens: dict[str, Values]
    alerts: dict[int, str]
    more: tuple[tuple[str, Values], ...] = ()
    """Series that others don't have."""
    every: int = EVERY
    well: int = WELL

    @property
    def fire(self) -> dict[int, set[str]]:
        """The alerts that fire after so many seconds."""
        began = accumulate(self.alerts.values(), "{} {}".format)
        return {
            when: {f"Ambit{each}" for each in names.split()} for when, names in zip(self.alerts, began, strict=True)
        }


def series(sample: Sample) -> str:
    labels = ",".join(f'{name}="{value}"' for name, value in {**sample.labels, **INSTANCE}.items())
    return f"{sample.name}{{{labels}}}"


def fits(pattern: str, sample: Sample) -> bool:
    """Whether a key of `Case.happens` means this series: its name (or * for all), and perhaps labels after it."""
    name, _, labels = pattern.partition(" ")
    wanted = dict(each.split("=") for each in labels.split(",") if each)
    return name in {"*", sample.name} and wanted.items() <= sample.labels.items()


def histories(case: Case, exported: list[Sample]) -> Iterator[dict[str, str]]:
    """The series that alerts ask for, as promtool reads them."""
    count = max(case.fire) // case.every + 2
    used = set()
    for sample in exported:
        if sample.name in asked():
            healthy = QUIET.get(sample.name, sample.value)
            after: list[float | str] = [healthy] * count
            for pattern, values in case.happens.items():
                if fits(pattern, sample):
                    used.add(pattern)
                    after = values(healthy, count)
            yield {"series": series(sample), "values": " ".join(map(str, [*[healthy] * case.well, *after]))}
    assert used == case.happens.keys()
    for name, values in case.more:
        yield {"series": name, "values": " ".join(map(str, values(0.0, case.well + count)))}


PRESSES: Final = "ambit_press_outcomes_total outcome="
HEARD: Final = 30
"""Seconds that Alertmanager waits for more (`group_wait`)."""

STORE: Final = {"ambit_store_works": stays(0), "ambit_healthy": stays(0), f"{PRESSES}unavailable": grows(5)}
LATE: Final = {"ambit_outbox_oldest_seconds": grows(EVERY)}
"""Boards wait from now on."""

SILENT: Final = {"ambit_healthy": stays(0), f"{PRESSES}failed": grows(5), **LATE}
"""Discord takes nothing, so presses fail and boards wait."""

OUTAGES: Final = {
    "the process is down": Case({"*": gone, "up": stays(0)}, {105: "", 135: "Down ShardGone", 600: ""}),
    "Prometheus has lost it": Case({"*": gone}, {135: "Gone ShardGone", 600: ""}),
    "it crashes again and again": Case(
        {
            "process_start_time_seconds": lambda before, count: [before + 60 * (1 + i // 4) for i in range(count)],
            "ambit_shard_ready": stays(0),
            "ambit_healthy": stays(0),
        },
        {120: "CrashLoop", 600: "ShardDown Unhealthy"},
    ),
    "one of two processes isn't even a target any more": Case(
        {},
        {135: "ShardGone", 600: ""},
        more=(('ambit_shard_ready{process="1",shard="1",job="ambit",instance="other:9400"}', then_gone),),
    ),
    "the store takes no writes": Case(
        {**STORE, **LATE, "ambit_deadlines_oldest_seconds": grows(EVERY)},
        {75: "StoreFails", 135: "PressesFail NewsWaits", 600: "TurnsLate Unhealthy"},
    ),
    "the disk is full": Case(
        {**STORE, "ambit_disk_free_bytes": stays(1e6)}, {75: "StoreFails", 600: "PressesFail DiskNearlyFull Unhealthy"}
    ),
    "the store is gone": Case(
        {**STORE, **dict.fromkeys(("ambit_outbox_oldest_seconds", "ambit_matches", "ambit_schema_pending"), gone)},
        {75: "StoreFails", 600: "PressesFail Unhealthy"},
    ),
    "Discord's REST is gone": Case(
        {"ambit_discord_takes what=answers": stays(0), "ambit_discord_takes what=posts": stays(0), **SILENT},
        {75: "DiscordTakesNothing", 135: "PressesFail NewsWaits", 600: "Unhealthy"},
    ),
    "there is no DNS": Case(
        {"ambit_discord_takes what=answers": stays(0), "ambit_shard_ready": stays(0), **SILENT},
        {75: "DiscordTakesNothing", 600: "PressesFail NewsWaits Unhealthy ShardDown"},
    ),
    "the address is barred": Case(
        {"ambit_discord_takes what=requests": stays(0), **SILENT},
        {75: "DiscordTakesNothing", 600: "PressesFail NewsWaits Unhealthy"},
    ),
    "every message is answered by 429": Case(
        {"ambit_rate_limited_total scope=user": grows(10), "ambit_healthy": stays(0), **LATE},
        {105: "RateLimited", 135: "NewsWaits", 600: "Unhealthy"},
    ),
    "a shard is gone": Case(
        {"ambit_shard_ready": stays(0), "ambit_healthy": stays(0)}, {225: "", 255: "ShardDown Unhealthy", 600: ""}
    ),
    "a fault answers most presses": Case(
        {f"{PRESSES}error": grows(2), f"{PRESSES}answered": grows(1), "ambit_log_lines_total level=error": grows(2)},
        {15: "Errors", 135: "PressesFail", 600: ""},
    ),
    "boards wait": Case({"ambit_healthy": stays(0), **LATE}, {135: "NewsWaits", 600: "Unhealthy"}),
    "answers are slow": Case(
        {
            **{f"ambit_acknowledgement_seconds_bucket le={bound}": grows(3) for bound in ("2.5", "3", "5", "+Inf")},
            "ambit_acknowledgement_seconds_count": grows(3),
        },
        {165 - HEARD: "AnswersSlow", 600: ""},
    ),
    "the schema is another": Case({"ambit_schema_pending": stays(2)}, {75: "MigrationsPending"}),
    "something nobody knows": Case({"ambit_healthy": stays(0)}, {255: "Unhealthy"}),
}
"""What wakes somebody. At each of the times the alerts fire that have begun, and no others."""

HEALS: Final = {"a shard is gone", "something nobody knows"}
"""What mostly heals itself, and may take five minutes instead of three to wake somebody."""

CARE: Final = {
    "the disk is nearly full": Case({"ambit_disk_free_bytes": stays(9e8)}, {330: "DiskNearlyFull"}),
    "a start takes very long": Case(
        {"ambit_healthy": stays(0), "ambit_store_works": gone, "ambit_shard_ready": gone, "ambit_matches": gone},
        {600: "", 1830: "StillStarts"},
    ),
    "the store is slow": Case({"ambit_store_write_seconds": stays(2)}, {210: "StoreSlow"}),
    "the journal is large": Case({"ambit_wal_bytes": stays(2e9)}, {1830: "JournalLarge"}),
    "a standby is behind": Case({"ambit_replica_lag_seconds": stays(60)}, {330: "ReplicaBehind"}),
    "the last backup is old": Case({"ambit_backup_age_seconds": stays(140_000)}, {630: "BackupOld"}),
    "there was never a backup": Case(
        {"ambit_backup_age_seconds": gone}, {35 * 3600: "", 37 * 3600: "NeverBackedUp"}, every=900, well=0
    ),
    "the clock jumps": Case({"ambit_clock_jumps_total": stays(1)}, {30: "ClockJumped"}),
    "a lane is full": Case({"ambit_lane_full_seconds lane=messages": grows(15)}, {180: "LaneFull"}),
    "the own pace delays much": Case({"ambit_pace_waited_seconds_total": grows(150)}, {540: "OwnPace"}),
    "Discord opens no direct messages": Case({"ambit_dm_pause_seconds": stays(600)}, {75: "DirectMessagesPaused"}),
    "workers die": Case({"ambit_worker_deaths_total workers=thinking": grows(1)}, {90: "WorkersDie"}),
    "a match is frozen": Case({"ambit_matches status=frozen,game=gambo": stays(1)}, {75: "MatchFrozen"}),
    "matches lose their place": Case({"ambit_matches_lost": stays(2005)}, {15: "MatchesLost"}),
    "turns are late": Case({"ambit_deadlines_oldest_seconds": grows(15)}, {270: "TurnsLate"}),
    "the loop is slow": Case(
        {f"ambit_loop_lag_seconds_bucket le={bound}": grows(90) for bound in ("1", "2.5", "5", "+Inf")},
        {540: "LoopSlow"},
    ),
    "the first error": Case({"ambit_log_lines_total level=error": stays(1)}, {15: "Errors"}),
    "an error before the first scrape": Case({"ambit_log_lines_total level=error": stays(1)}, {15: "Errors"}, well=0),
}
"""What can wait until morning."""

FIRED: Final = 'group by (alertname, severity, layer, instance) (ALERTS{alertstate="firing"})'

WITHOUT_INSTANCE: Final = {"AmbitGone", "AmbitShardGone", "AmbitMatchesLost"}
"""Alerts about the bot as a whole."""


def labels_of(name: str) -> dict[str, str]:
    rule = next(alert for alert in alerts() if alert.name == name)
    found = {"alertname": name, "severity": rule.labels["severity"], "layer": rule.labels["layer"]}
    return found if name in WITHOUT_INSTANCE else {**found, "instance": INSTANCE["instance"]}


def expected(names: set[str]) -> list[dict[str, object]]:
    """What `FIRED` must be."""
    found = [",".join(f'{key}="{value}"' for key, value in labels_of(name).items()) for name in sorted(names)]
    return [{"labels": f"{{{labels}}}", "value": 1} for labels in found]


def try_rules(
    tmp_path: Path, every: int, history: list[dict[str, str]], questions: Sequence[Mapping[str, object]]
) -> None:
    """Run promtool on this history."""
    test = {"interval": f"{every}s", "input_series": history, "promql_expr_test": questions}
    written = {"rule_files": [str(DEPLOY / "alerts.yml")], "evaluation_interval": f"{every}s", "tests": [test]}
    (file := tmp_path / "alerts_test.yml").write_text(json.dumps(written), "utf-8")
    done = subprocess.run([tool("promtool"), "test", "rules", file], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


# FOUND O2


@pytest.mark.parametrize("what", [*OUTAGES, *CARE])
def test_each_alert_fires_when_it_should_and_no_other(what: str, exported: list[Sample], tmp_path: Path) -> None:
    case = (OUTAGES | CARE)[what]
    questions = [
        {"expr": FIRED, "eval_time": f"{case.well * case.every + seconds}s", "exp_samples": expected(names)}
        for seconds, names in case.fire.items()
    ]
    try_rules(tmp_path, case.every, list(histories(case, exported)), questions)


def test_every_alert_has_a_case_in_which_it_fires() -> None:
    fire = set().union(*(names for case in (OUTAGES | CARE).values() for names in case.fire.values()))
    assert fire == {alert.name for alert in alerts()}


ROUTES: Final[dict[str, Any]] = yaml_of(DEPLOY / "alertmanager.yml")


def matches(matchers: list[str], labels: dict[str, str]) -> bool:
    """Whether Alertmanager finds all these matchers true."""
    for matcher in matchers:
        name, how, wanted = re.fullmatch(r'(\w+)(=~|!=|=)"(.*)"', matcher).groups()
        value = labels.get(name, "")
        if not {"=": value == wanted, "!=": value != wanted, "=~": bool(re.fullmatch(wanted, value))}[how]:
            return False
    return True


def pages(names: set[str]) -> set[str]:
    """Which of these alerts wake somebody: pages that no other one keeps quiet."""
    firing = [labels_of(name) for name in names]
    heard = set()
    for target in firing:
        quiet = any(
            matches(rule["source_matchers"], source)
            and matches(rule["target_matchers"], target)
            and all(source.get(label) == target.get(label) for label in rule.get("equal", ()))
            for rule in ROUTES["inhibit_rules"]
            for source in firing
            if source is not target
        )
        if not quiet and target["severity"] == "page":
            heard.add(target["alertname"])
    return heard


@pytest.mark.parametrize("what", OUTAGES)
def test_one_outage_pages_once_and_in_time(what: str) -> None:
    heard = {seconds: pages(names) for seconds, names in OUTAGES[what].fire.items()}
    first, *others = [names for names in heard.values() if names]
    assert len(first) == 1
    assert all(names == first for names in others)
    began = min(seconds for seconds, names in heard.items() if names)
    assert began + EVERY + HEARD <= (300 if what in HEALS else 180)


def test_another_process_is_heard_all_the_same() -> None:
    """`equal` keeps each process's outage to itself. What has no instance is about all of them."""
    for rule in ROUTES["inhibit_rules"]:
        assert rule.get("equal") == ["instance"] or "AmbitShardGone" in rule["target_matchers"][0]


def test_every_alert_comes_to_somebody_and_names_its_heading() -> None:
    route = ROUTES["route"]
    assert route["group_wait"] == f"{HEARD}s"
    assert {each["receiver"] for each in (route, *route["routes"])} == {each["name"] for each in ROUTES["receivers"]}
    for alert in alerts():
        assert alert.labels.keys() == {"severity", "service", "layer"}, alert.name
        assert alert.runbook == f"docs/runbook.md#{alert.name.lower()}"


def quiet(exported: list[Sample], every: int, count: int) -> Iterator[dict[str, str]]:
    """So many scrapes of a bot that is well: people play, it starts, migrates, is reloaded, and shards reconnect."""
    starts, migrates, reloads, restarts = 60, 900, 2400, (3000, 3300)
    for sample in exported:
        if sample.name not in asked():
            continue
        healthy = QUIET.get(sample.name, sample.value)
        values: list[float | str] = [healthy] * count
        counted = sample.name.endswith(("_total", "_count", "_bucket"))
        for now in range(count):
            seconds = now * every
            is_up = seconds >= starts and not any(0 <= seconds - at < 60 for at in restarts)
            opening = migrates <= seconds < migrates + 600
            reconnects = seconds % 900 < 60
            if sample.name == "up":
                values[now] = float(is_up)
            elif not is_up or (opening and sample.name.startswith(("ambit_store", "ambit_shard", "ambit_matches"))):
                values[now] = NOTHING if now and values[now - 1] not in (NOTHING, "_") else "_"
            elif sample.name == "process_start_time_seconds":
                values[now] = healthy + sum(at for at in (migrates, reloads, *restarts) if at <= seconds)
            elif sample.name == "ambit_healthy":
                values[now] = float(not (opening or reconnects))
            elif sample.name == "ambit_shard_ready":
                values[now] = float(not reconnects)
            elif sample.name == "ambit_outbox_oldest_seconds":
                values[now] = seconds % 50
            elif sample.name == "ambit_backup_age_seconds":
                values[now] = seconds % 87_000
            elif sample.name == "ambit_matches_lost":
                values[now] = seconds // 10_000
            elif counted:
                values[now] = usual(sample, seconds)
        yield {"series": series(sample), "values": " ".join(map(str, values))}


def usual(sample: Sample, seconds: int) -> float:
    """How far a counter of a bot that is well has come after so many seconds."""
    labels = sample.labels
    if sample.name == "ambit_press_outcomes_total":
        return seconds // {"answered": 3, "refused": 20, "late": 600}.get(labels["outcome"], 3600)
    if sample.name.startswith("ambit_acknowledgement_seconds"):
        return seconds // 3 if labels.get("le") not in ("0.1", "0.25") else 0
    if sample.name.startswith("ambit_loop_lag_seconds"):
        return seconds * 10
    if sample.name == "ambit_rate_limited_total":
        return seconds // 120
    if sample.name == "ambit_worker_deaths_total":
        return seconds // 40_000
    return seconds // 60 if labels.get("level") == "warning" or "pace" in sample.name else 0


@pytest.mark.parametrize(("every", "hours"), [(EVERY, 2), (60, 24)])
def test_on_a_healthy_day_with_starts_reloads_and_reconnects_none_fires(
    every: int, hours: int, exported: list[Sample], tmp_path: Path
) -> None:
    last = hours * 3600
    fired = f'count by (alertname) (count_over_time(ALERTS{{alertstate="firing"}}[{hours}h]))'
    question = {"expr": fired, "eval_time": f"{last}s", "exp_samples": []}
    try_rules(tmp_path, every, list(quiet(exported, every, last // every)), [question])
