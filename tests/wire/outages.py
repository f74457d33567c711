"""The table of outages: what people and operators notice of each, and within how many seconds.

`test_outages.py` makes each on the wire. `docs/runbook.md` has the same table, as `page` writes it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import promql_parser as promql

from cogs.process import health
from tests.files import DEPLOY, alerts, yaml_of

_EVERY: Final = yaml_of(DEPLOY / "prometheus.yml")["global"]
SCRAPED, EVALUATED = (int(_EVERY[f"{what}_interval"].removesuffix("s")) for what in ("scrape", "evaluation"))
"""Seconds between two scrapes, and between two evaluations of the rules, as the compose file has it."""

SOON: Final = 15
"""Seconds for what is noticed where it happens."""

LOOK: Final = int(health.EVERY)
"""Seconds for what the doctor notices."""

HEALTHY: Final = "healthy"
NONE: Final = "none"


class Outage(NamedTuple):
    """What is noticed of an outage. `…` stands for any words.

    `sees`: what people at a table see. `line`: how the first line of the log begins. `says`: how a problem or a warning
    of `/healthz` begins. `metric`: a condition. `heals`: it passes by itself, so that its alert has more time.
    """

    name: str
    sees: str
    line: tuple[str, int]
    says: tuple[str, int]
    metric: tuple[str, int]
    alert: str = NONE
    heals: bool = False

    @property
    def alerted(self) -> int:
        """Seconds until the alert fires."""
        return self.metric[1] + SCRAPED + EVALUATED + waits(self.alert)


NOT_SAVED: Final = "“I can't save anything right now, so nothing was changed”"
NO_ANSWER: Final = "“This interaction failed”"
WAITS: Final = "the board comes when it's over"
NOTHING_TAKEN: Final = "AmbitDiscordTakesNothing"

OUTAGES: Final = (
    Outage(
        "The disk is full",
        NOT_SAVED,
        ("…: The disk ", SOON),
        ("The store takes nothing: The disk ", SOON),
        ("ambit_store_works == 0", SOON),
        "AmbitStoreFails",
    ),
    Outage(
        "The file system is read-only",
        NOT_SAVED,
        ("…: The database can only be read", SOON),
        ("The store takes nothing: The database can only be read", SOON),
        ("ambit_store_works == 0", SOON),
        "AmbitStoreFails",
    ),
    Outage(
        "The file of the database is gone",
        NOT_SAVED,
        ("…: The database's file is gone", SOON),
        ("The store takes nothing: The database's file is gone", SOON),
        ("ambit_store_works == 0", SOON),
        "AmbitStoreFails",
    ),
    Outage(
        "Another program locks the database",
        NOT_SAVED,
        ("…: The database is in use by another program", SOON),
        ("The store takes nothing: The database is in use", SOON),
        ("ambit_store_works == 0", SOON),
        "AmbitStoreFails",
    ),
    Outage(
        "The database is slow",
        "nothing for a second, then the answer",
        ("worth a look: The store is slow", LOOK),
        ("The store is slow", SOON),
        ("ambit_store_write_seconds > 1", SOON),
        "AmbitStoreSlow",
        heals=True,
    ),
    Outage(
        "A worker process is killed",
        "nothing: another one does the work",
        (NONE, 0),
        (HEALTHY, 0),
        ("ambit_worker_deaths_total > 0", SOON),
    ),
    Outage(
        "The clock jumps",
        "times change by as much; nobody loses their turn by it",
        ("the clock has jumped ahead by 2:00:00", SOON),
        ("The clock has jumped ahead by 2:00:00", SOON),
        ("ambit_clock_jumps_total > 0", SOON),
        "AmbitClockJumped",
    ),
    Outage(
        "No name can be looked up (DNS)",
        NO_ANSWER,
        ("Discord hasn't taken an answer to interaction …: ", SOON),
        ("Discord takes no answers to presses", SOON),
        ('ambit_discord_takes{what="answers"} == 0', SOON),
        NOTHING_TAKEN,
    ),
    Outage(
        "Discord answers everything with 5xx",
        f"{NO_ANSWER}; {WAITS}",
        ("match …: telling board at ply …, again in …: 503 ", SOON),
        ("Discord refuses posts everywhere", SOON),
        ('ambit_discord_takes{what="posts"} == 0', SOON),
        NOTHING_TAKEN,
    ),
    Outage(
        "Discord answers every message with 429",
        WAITS,
        ("We are being rate limited. ", SOON),
        ("Discord refuses posts everywhere", SOON),
        ('ambit_discord_takes{what="posts"} == 0', SOON),
        NOTHING_TAKEN,
    ),
    Outage(
        "Discord bars the address (error 1015)",
        NO_ANSWER,
        ("Discord's network has barred this machine's address", SOON),
        ("Discord's network has barred this machine's address", SOON),
        ('ambit_discord_takes{what="requests"} == 0', SOON),
        NOTHING_TAKEN,
    ),
    Outage(
        "All connections are cut",
        "the answer comes after a moment",
        ("shard … has lost its connection", SOON),
        (HEALTHY, SOON),
        ("ambit_shard_ready == 1", SOON),
        heals=True,
    ),
    Outage(
        "One shard is gone",
        NO_ANSWER,
        ("shard … has lost its connection", SOON),
        ("Shards that aren't connected: 1.", SOON),
        ('ambit_shard_ready{shard="1"} == 0', SOON),
        "AmbitShardDown",
        heals=True,
    ),
    Outage(
        "A channel is deleted",
        "a direct message: “the channel was deleted”",
        ("place … of server … was deleted", SOON),
        (HEALTHY, 0),
        ("ambit_matches_lost > 0", SOON),
    ),
    Outage(
        "Another program replaces the commands",
        "the commands are gone until the next start; buttons go on",
        ("Discord has been told the commands", SOON),
        (HEALTHY, 0),
        ("ambit_healthy == 1", SOON),
    ),
    Outage(
        "The token is revoked",
        NO_ANSWER,
        ("Discord has closed the connection for good: the token is no longer valid.", SOON),
        (NONE, 0),
        (NONE, 0),
        "AmbitDown",
    ),
)


def waits(alert: str) -> int:
    """Return for how many seconds an alert's condition must hold before it fires."""
    if alert == NONE:
        return 0
    held = next(each.held for each in alerts() if each.name == alert)
    return 0 if held is None else int(promql.parse_duration(held).total_seconds())


def page() -> str:
    """Return the table as the page for operators has it."""
    lines = [
        "| what fails | a table sees | the log begins | `/healthz` | metric | alert |",
        "|---|---|---|---|---|---|",
    ]
    for each in OUTAGES:
        said = [_cell(*each.line), _cell(*each.says), _cell(*each.metric)]
        alert = NONE if each.alert == NONE else f"{each.alert} ({each.alerted} s)"
        lines.append(f"| {' | '.join((each.name, each.sees, *said, alert))} |")
    return "\n".join(lines)


def _cell(what: str, seconds: int) -> str:
    if what in (NONE, HEALTHY):
        return what
    return f"`{what.strip()}` ({seconds} s)"
