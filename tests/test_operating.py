"""The pages for operators: requirements, exit codes, figures, alerts. `test_docs.py` and `test_deploy.py` have more."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from benchmarks import growth
from benchmarks.__main__ import BENCHMARKS, BY_GAME
from cogs.process.exits import EXIT_CHANGE, EXIT_INTERRUPTED, EXIT_LATER
from cogs.process.faults import Fault
from cogs.process.slimming import Drops
from tests.files import alerts

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
OPERATING, RUNBOOK, SCALING = ((DOCS / f"{name}.md").read_text("utf-8") for name in ("operating", "runbook", "scaling"))

MAX_LINES = 150
"""How long the page is that leads from nothing to a bot that is watched and backed up."""

PINNED = {
    "requirements.txt": (),
    "requirements-postgresql.txt": ("postgresql",),
    "requirements-server.txt": ("dev", "server"),
    "requirements-dev.txt": ("dev",),
    "requirements-bench.txt": ("dev", "bench"),
}


@pytest.mark.parametrize(("file", "extras"), PINNED.items())
def test_what_is_required_has_an_upper_bound_and_what_is_pinned_keeps_to_it(file: str, extras: tuple[str, ...]) -> None:
    """FOUND E12: somebody tries the next major version of a library before it is allowed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    wanted = [*project["dependencies"], *(each for extra in extras for each in project["optional-dependencies"][extra])]
    pinned = dict(re.findall(r"^([a-z0-9-]+)==([^ ]+)", (ROOT / file).read_text("utf-8"), re.MULTILINE))
    for requirement in map(Requirement, wanted):
        if requirement.name != project["name"]:
            assert any(each.operator == "<" for each in requirement.specifier), requirement
            assert pinned[canonicalize_name(requirement.name)] in requirement.specifier, requirement


def test_the_classes_of_faults_in_lines_of_the_log_are_those_of_the_program() -> None:
    named = set(re.findall(r"is dropped \((\w+)\)", RUNBOOK))
    assert named
    assert named <= set(Fault)


def number(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-"))


def test_every_benchmark_that_the_page_names_exists() -> None:
    named = set(re.findall(r"python -m benchmarks (\w+)", SCALING))
    assert named
    assert named <= {*BENCHMARKS, *BY_GAME}


def test_the_page_names_each_exit_code() -> None:
    codes = {int(code) for code in re.findall(r"^\| (\d+) \| [a-zA-Z`]", RUNBOOK, re.MULTILINE)}
    assert codes == {0, 1, EXIT_CHANGE, EXIT_LATER, EXIT_INTERRUPTED}


def test_what_the_pages_write_with_other_programs_is_for_its_owner_alone() -> None:
    """FOUND E7."""
    pages = f"{OPERATING}{RUNBOOK}{SCALING}"
    written = [line for line in pages.splitlines() if ("pg_dump" in line and "--file" in line) or "--export" in line]
    assert len(written) > 1
    assert all("umask 077" in line for line in written if line.startswith("    "))


def test_the_first_page_leads_from_nothing_to_a_watched_bot_and_is_short() -> None:
    titles = re.findall(r"^## (.+)$", OPERATING, re.MULTILINE)
    assert [each for each in titles if each in {"Deploy", "Watch it", "Back up", "Restore", "Upgrade"}] == [
        *("Deploy", "Watch it", "Back up", "Restore", "Upgrade"),
    ]
    assert len(OPERATING.splitlines()) <= MAX_LINES


def test_the_runbook_begins_with_what_to_do_and_has_a_heading_for_each_alert() -> None:
    first, *others = re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", RUNBOOK, re.MULTILINE | re.DOTALL)
    assert first[0] == "What to do first"
    assert all(len(case.splitlines()) == 3 for case in first[1].strip().split("\n\n"))
    (of_alerts,) = (text for title, text in others if title == "Alerts")
    told = dict(re.findall(r"^### (\w+)\n\n(.+?)$", of_alerts, re.MULTILINE))
    assert list(told) == [alert.name for alert in alerts()]


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.name)
def test_every_heading_that_a_page_links_is_there(page: Path) -> None:
    for target, heading in re.findall(r"\]\(([\w./-]*)#([\w-]+)\)", page.read_text("utf-8")):
        linked = (page.parent / target if target else page).read_text("utf-8")
        titles = re.findall(r"^#+ (.+)$", linked, re.MULTILINE)
        assert heading in {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in titles}, target


@pytest.mark.slow
def test_what_the_page_computes_about_memory_and_processors_is_so() -> None:  # FOUND E13
    told = {
        title: number(bytes) for title, bytes in re.findall(r"^\| ([^|]+) \| (−?[\d,]+) \|$", SCALING, re.MULTILINE)
    }
    drops, before = growth.EVERYTHING, growth.of_a_server(growth.EVERYTHING)
    assert told["all that discord.py keeps"] == pytest.approx(before, rel=0.1)
    names = list(told)
    first = names.index("all that discord.py keeps") + 1
    for title, name in zip(names[first:], Drops._fields, strict=False):
        drops = drops._replace(**{name: True})
        after = growth.of_a_server(drops)
        assert told[title] == pytest.approx(after - before, rel=0.15, abs=200), title
        before = after
    assert told["what the bot keeps"] == pytest.approx(before, rel=0.1)
    assert told["… if no two channels share overwrites"] == pytest.approx(growth.of_a_server(apart=True), rel=0.1)


def measured(row: str) -> list[float]:
    """The figures that the page has in a row of its tables."""
    found = re.search(rf"^\| {row}[^|]* \| ([^|]+) \|", SCALING, re.MULTILINE)
    assert found is not None, row
    return [number(each) for each in re.findall(r"[\d,]*\d(?:\.\d+)?", found[1])]


def test_what_the_page_computes_of_one_token_follows_from_what_it_measured() -> None:  # FOUND E13
    (a_second,) = measured("moves a second")
    (of_a_match,), (picture,) = measured("moves of a match"), measured("pictures sent a move")
    (milliseconds,), (bytes_of_a_match,) = measured("processor time a move"), measured("a finished match in a file")
    a_day = a_second * 86_400 / 3
    assert measured("moves a day") == [pytest.approx(a_day, rel=0.02)]
    assert measured("people who play on a day") == [pytest.approx(a_day / 20, rel=0.02)]
    assert measured("matches a day") == [pytest.approx(a_day / of_a_match, rel=0.02)]
    assert measured("what they add to the database") == [
        pytest.approx(a_day / of_a_match * bytes_of_a_match / 1e6, abs=0.05)
    ]
    assert measured("pictures sent") == [pytest.approx(a_second * picture * 8 / 1000, rel=0.03)]
    assert measured("drawing and deciding") == [pytest.approx(a_second * milliseconds / 1000, abs=0.1)]
    assert measured("transactions a second") == [
        pytest.approx(a_second * each, rel=0.03) for each in measured("transactions a move")
    ]
