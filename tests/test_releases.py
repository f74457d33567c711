"""A release's version, bill of materials, licences, workflow and templates agree with the program."""

import json
import re
import subprocess
import sys
import tomllib
from datetime import date
from importlib import metadata
from typing import Any, Final

from editorconfig import get_properties
from packaging.version import Version

from cogs.process.arguments import VERSION
from docs import sbom
from tests.files import pinned, steps, targets, tracked, yaml_of
from tests.pages import page
from tests.sources import ROOT

PROJECT: Final[dict[str, Any]] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LOCKS: Final = sorted(ROOT.glob("requirements*.txt"))
CHECKS: Final = ROOT / ".github" / "workflows" / "check.yml"
WORKFLOW: Final[dict[str, Any]] = yaml_of(CHECKS)
LICENCES: Final = sbom.licences(sbom.LICENCES.read_text("utf-8"))
BILL: Final = sbom.bill(sbom.LOCK.read_text("utf-8"), sbom.LICENCES.read_text("utf-8"), PROJECT)

SAID_OTHERWISE: Final = {
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD License": "BSD-3-Clause",
    "GNU General Public License v3 or later (GPLv3+)": "GPL-3.0-or-later",
    "GNU Library or Lesser General Public License (LGPL)": "LGPL-3.0-or-later",
    "MIT License": "MIT",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
    "The MIT License (MIT)": "MIT",
}
"""What packages say about themselves in other words than SPDX's."""


def versions() -> list[tuple[Version, str]]:
    """The versions of the changelog with what follows them, from the newest on."""
    parts = (title.partition(", ") for title, (level, *_) in page("CHANGELOG.md").headings.items() if level == 2)
    return [(Version(number), when) for number, _, when in parts]


def test_the_program_the_project_and_the_changelog_have_one_version() -> None:
    assert VERSION == PROJECT["version"] == str(versions()[0][0])


def test_the_changelog_goes_by_version_and_all_but_the_newest_have_a_date() -> None:
    numbers = [number for number, _ in versions()]
    assert numbers == sorted(set(numbers), reverse=True)
    (_, newest), *older = versions()
    assert newest == "not yet released" or date.fromisoformat(newest)
    assert all(date.fromisoformat(when) for _, when in older)


def test_corrections_are_promised_for_the_latest_minor_version() -> None:
    assert page("SECURITY.md").rows == [[VERSION.rpartition(".")[0], "yes"]]


def test_the_bill_of_materials_is_equal_to_the_lock_file() -> None:
    assert [(each["name"], each["version"]) for each in BILL["components"]] == [*pinned(sbom.LOCK).items()]
    hashes = [each["content"] for component in BILL["components"] for each in component["hashes"]]
    assert hashes == re.findall(r"sha256:([0-9a-f]+)", sbom.LOCK.read_text("utf-8"))
    assert all(component["hashes"] for component in BILL["components"])


def test_the_bill_of_materials_is_whole() -> None:
    """The schema's rules that matter: unique references, and a graph in which everything is reached from the bot."""
    assert (BILL["bomFormat"], BILL["specVersion"]) == ("CycloneDX", "1.6")
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", BILL["serialNumber"])
    root = BILL["metadata"]["component"]["bom-ref"]
    refs = [component["bom-ref"] for component in BILL["components"]]
    assert len(refs) == len(set(refs))
    graph = {each["ref"]: each["dependsOn"] for each in BILL["dependencies"]}
    assert graph.keys() == {root, *refs}
    reached, waiting = {root}, [root]
    while waiting:
        new = set(graph[waiting.pop()]) - reached
        reached |= new
        waiting += new
    assert reached == graph.keys()
    assert {name.partition("@")[0] for name in graph[root]} >= {"discord-py", "sqlalchemy", "pillow", "asyncpg"}


def test_the_bill_of_materials_is_printed_without_any_package() -> None:
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(ROOT / "docs" / "sbom.py")], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == BILL


def test_every_pinned_package_has_a_licence_in_the_table_and_no_other() -> None:
    assert LICENCES.keys() == {name for lock in LOCKS for name in pinned(lock)}


def test_installed_packages_say_the_same_licence() -> None:
    compared = 0
    for name, licence in LICENCES.items():
        try:
            known = metadata.metadata(name)
        except metadata.PackageNotFoundError:
            continue
        classes = [each.rpartition(" :: ")[2] for each in known.get_all("Classifier") or [] if "License :: OSI" in each]
        files = metadata.files(name) or []
        texts = (each.read_text().strip() for each in files if ".dist-info" in str(each) and each.stem == "LICENSE")
        said = known["License-Expression"] or (classes or [known["License"]])[0]
        said = said or next(texts, "").partition("\n")[0]
        assert SAID_OTHERWISE.get(said, said) == licence, name
        compared += 1
    assert compared > 40


def test_nothing_that_runs_has_a_licence_that_asks_for_more_than_a_notice_or_exchangeability() -> None:
    licences = {component["licenses"][0]["expression"] for component in BILL["components"]}
    allowed = {"MIT", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "PSF-2.0", "MIT-CMU", "LGPL-3.0-or-later"}
    assert {part for each in licences for part in each.split(" AND ")} <= allowed


def test_the_workflow_runs_make_check_on_each_supported_python() -> None:
    check = WORKFLOW["jobs"]["check"]
    tested = check["strategy"]["matrix"]["python"]
    (supported,) = (text for part, text in page("docs/releases.md").rows if part == "Python")
    assert tested == re.findall(r"\d\.\d+", supported.partition(". The")[0])
    assert PROJECT["requires-python"] == f">={tested[0]}"
    assert ("run", "make check") in steps(check)
    assert {word for command in commands() for word in re.findall(r"^make ([\w-]+)", command)} <= targets()


def commands() -> list[str]:
    """What the jobs of the workflow run."""
    return [what for job in WORKFLOW["jobs"].values() for how, what in steps(job) if how == "run"]


def test_actions_are_pinned_by_their_commits_and_get_no_more_rights_than_they_need() -> None:
    used = [what for job in WORKFLOW["jobs"].values() for how, what in steps(job) if how == "uses"]
    assert used
    assert all(re.fullmatch(r"[\w-]+/[\w-]+@[0-9a-f]{40}", each) for each in used), used
    # The version is a comment, which no parser of YAML keeps.
    assert re.findall(r"uses: (\S+) # v\d+\.\d+\.\d+$", CHECKS.read_text("utf-8"), re.MULTILINE) == used
    assert WORKFLOW["permissions"] == {"contents": "read"}
    rights = {name: job["permissions"] for name, job in WORKFLOW["jobs"].items() if "permissions" in job}
    assert rights == {"release": {"contents": "write"}}, "the release alone writes"
    taken = [step for job in WORKFLOW["jobs"].values() for step in job["steps"] if "checkout@" in step.get("uses", "")]
    assert all(step["with"] == {"persist-credentials": False} for step in taken)


def test_the_part_of_the_changelog_that_a_release_shows_is_its_own() -> None:
    (command,) = (each.partition(" > ")[0] for each in commands() if each.startswith("awk "))
    shown = subprocess.run(
        ["sh", "-c", command],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "GITHUB_REF_NAME": f"v{VERSION}"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "### Playing" in shown
    assert "## " not in re.sub(r"^###.*", "", shown, flags=re.MULTILINE)


def test_a_release_has_the_version_that_the_program_says() -> None:
    (command,) = (each for each in commands() if each.startswith("grep "))
    for named, code in ((f"v{VERSION}", 0), ("v0.0.0", 1)):
        environment = {"PATH": "/usr/bin:/bin", "GITHUB_REF_NAME": named}
        assert subprocess.run(["bash", "-e", "-c", command], cwd=ROOT, env=environment, check=False).returncode == code


def test_commits_are_checked_by_the_same_ruff_and_mypy() -> None:
    hooks = [hook for repo in yaml_of(ROOT / ".pre-commit-config.yaml")["repos"] for hook in repo["hooks"]]
    assert {hook["entry"].split()[0] for hook in hooks} == {".venv/bin/ruff", ".venv/bin/mypy"}
    lint = re.search(r"^lint:.*?(?=\n\n)", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert lint is not None
    assert "ruff check ." in lint[0]
    assert "ruff format --check ." in lint[0]


def test_whoever_reports_a_fault_is_asked_for_the_errors_number() -> None:
    fields = yaml_of(ROOT / ".github" / "ISSUE_TEMPLATE" / "fault.yml")["body"]
    assert "The error's number" in [field["attributes"].get("label") for field in fields]
    assert "SECURITY.md" in fields[0]["attributes"]["value"]


def test_files_keep_to_the_editors_settings() -> None:
    line_length = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["ruff"]["line-length"]
    assert get_properties(str(ROOT / "bot.py"))["max_line_length"] == str(line_length)
    for path in tracked():
        if path.suffix == ".py" or b"\0" in (raw := (ROOT / path).read_bytes())[:8192]:
            continue  # ruff format, or no text
        settings = get_properties(str(ROOT / path))
        text = raw.decode(settings["charset"])
        assert "\r" not in text, path
        if settings.get("insert_final_newline") == "true":
            assert text.endswith("\n"), path
            assert not text.endswith("\n\n"), path
        if settings.get("trim_trailing_whitespace") == "true":
            assert not re.search(r"[ \t]$", text, re.MULTILINE), path
        if settings.get("indent_style") == "tab":
            assert not re.search(r"^ ", text, re.MULTILINE), path
