"""The table of outages of `docs/runbook.md`: what people and operators notice of each, and within how many seconds.

`test_outages.py` makes each on the wire.
"""

import re
from typing import Final, NamedTuple

import promql_parser as promql

from tests.files import DEPLOY, ROOT, alerts, yaml_of

_EVERY: Final = yaml_of(DEPLOY / "prometheus.yml")["global"]
SCRAPED, EVALUATED = (int(_EVERY[f"{what}_interval"].removesuffix("s")) for what in ("scrape", "evaluation"))
"""Seconds between two scrapes, and between two evaluations of the rules, as the compose file has it."""

HEALTHY: Final = "healthy"
NONE: Final = "none"
HEALING: Final = ("The database is slow", "All connections are cut", "One shard is gone")
"""They pass by themselves, so that their alerts have more time."""


class Outage(NamedTuple):
    """What is noticed of an outage. `…` stands for any words.

    `sees`: what people at a table see. `line`: how the first line of the log begins. `says`: how a problem or a warning
    of `/healthz` begins. `metric`: a condition. `alert`: its name, and after how many seconds the page lets it fire.
    """

    name: str
    sees: str
    line: tuple[str, int]
    says: tuple[str, int]
    metric: tuple[str, int]
    alert: tuple[str, int]

    @property
    def alerted(self) -> int:
        """Seconds until the alert fires."""
        return self.metric[1] + SCRAPED + EVALUATED + waits(self.alert[0])


def waits(alert: str) -> int:
    """Return for how many seconds an alert's condition must hold before it fires."""
    held = next(each.held for each in alerts() if each.name == alert)
    return 0 if held is None else int(promql.parse_duration(held).total_seconds())


def _cell(cell: str) -> tuple[str, int]:
    found = re.fullmatch(r"`?(.+?)`? \((\d+) s\)", cell)
    return (cell, 0) if found is None else (found[1], int(found[2]))


def _outage(row: str) -> Outage:
    name, sees, *noticed = row.removeprefix("| ").removesuffix(" |").split(" | ")
    line, says, metric, alert = map(_cell, noticed)
    return Outage(name, sees, line, says, metric, alert)


_PAGE: Final = (ROOT / "docs" / "runbook.md").read_text("utf-8")
_ROWS: Final = _PAGE.split("<!-- outages -->\n")[1].split("\n<!-- end of outages -->")[0].splitlines()[2:]
OUTAGES: Final = tuple(map(_outage, _ROWS))
