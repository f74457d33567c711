"""The pages for operators: requirements, exit codes, figures, alerts. `test_docs.py` and `test_deploy.py` have more."""

from __future__ import annotations

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from benchmarks import growth
from cogs.process.exits import EXIT_CHANGE, EXIT_INTERRUPTED, EXIT_LATER
from cogs.process.faults import Fault
from tests.files import ROOT, alerts, pinned
from tests.pages import page

OPERATING, RUNBOOK, SCALING = (page(f"docs/{name}.md") for name in ("operating", "runbook", "scaling"))

MAX_LINES = 150
"""How long the page is that leads from nothing to a bot that is watched and backed up."""

PINNED = {
    "requirements.txt": (),
    "requirements-postgresql.txt": ("postgresql",),
    "requirements-full.txt": ("postgresql", "uvloop"),
    "requirements-server.txt": ("dev", "server"),
    "requirements-dev.txt": ("dev",),
    "requirements-bench.txt": ("dev", "bench"),
}


@pytest.mark.parametrize(("file", "extras"), PINNED.items())
def test_what_is_required_has_an_upper_bound_and_what_is_pinned_keeps_to_it(file: str, extras: tuple[str, ...]) -> None:
    """FOUND E12: somebody tries the next major version of a library before it is allowed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *(each for extra in extras for each in project["optional-dependencies"][extra])]
    for requirement in map(Requirement, wanted):
        if requirement.name != project["name"]:
            assert any(each.operator == "<" for each in requirement.specifier), requirement
            assert pinned(ROOT / file)[canonicalize_name(requirement.name)] in requirement.specifier, requirement


def test_the_classes_of_faults_in_lines_of_the_log_are_those_of_the_program() -> None:
    named = set(re.findall(r"is dropped \((\w+)\)", RUNBOOK.text))
    assert named
    assert named <= set(Fault)


def number(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-"))


def test_the_page_names_each_exit_code() -> None:
    codes = {int(code) for code, *_ in RUNBOOK.under("Exit codes").rows if code.isdecimal()}
    assert codes == {0, 1, EXIT_CHANGE, EXIT_LATER, EXIT_INTERRUPTED}


def test_what_the_pages_write_with_other_programs_is_for_its_owner_alone() -> None:
    """FOUND E7."""
    lines = [line for each in (OPERATING, RUNBOOK, SCALING) for code in each.blocks for line in code.splitlines()]
    written = [line for line in lines if ("pg_dump" in line and "--file" in line) or "--export" in line]
    assert len(written) > 1
    assert all("umask 077" in line for line in written)


def test_the_first_page_leads_from_nothing_to_a_watched_bot_and_is_short() -> None:
    way = ["Deploy", "Watch it", "Back up", "Restore", "Upgrade"]
    assert [title for title in OPERATING.headings if title in way] == way
    assert len(OPERATING.source.splitlines()) <= MAX_LINES


def test_the_runbook_begins_with_what_to_do_and_has_a_heading_for_each_alert() -> None:
    assert list(RUNBOOK.headings)[1] == "What to do first"
    first = RUNBOOK.under("What to do first").source
    assert all(len(case.splitlines()) == 3 for case in first.strip().split("\n\n"))
    of_alerts = RUNBOOK.under("Alerts")
    assert list(of_alerts.headings) == [alert.name for alert in alerts()]
    assert all(of_alerts.under(title).text for title in of_alerts.headings)


def test_what_the_page_computes_about_memory_and_processors_is_so() -> None:  # FOUND E13
    told = {row[0]: number(row[1]) for row in SCALING.rows if len(row) == 2 and re.fullmatch(r"−?[\d,]+", row[1])}
    assert told["all that discord.py keeps"] == pytest.approx(growth.of_a_server(whole=True), rel=0.1)
    assert told["what the bot keeps"] == pytest.approx(growth.of_a_server(), rel=0.1)
    assert told["… if no two channels share overwrites"] == pytest.approx(growth.of_a_server(apart=True), rel=0.1)
