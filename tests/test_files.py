"""Every file that another program reads is read here as that program reads it, so that a broken one is noticed."""

import json
import re
import shlex
import shutil
import subprocess
import tomllib
from collections.abc import Callable
from fnmatch import fnmatch
from io import StringIO
from pathlib import Path
from typing import Any, Final

import pytest
import tinycss2
from check_jsonschema import main as check_jsonschema
from dotenv.parser import parse_stream
from mako.template import Template
from PIL import Image, ImageFont

from tests.files import ROOT, alerts, asked_by, container_of, pinned, steps, tracked, unit_of, yaml_of

INSTRUCTIONS: Final = {
    *("ADD", "ARG", "CMD", "COPY", "ENTRYPOINT", "ENV", "EXPOSE", "FROM", "HEALTHCHECK", "LABEL"),
    *("ONBUILD", "RUN", "SHELL", "STOPSIGNAL", "USER", "VOLUME", "WORKDIR"),
}
"""What a container file can say."""


NEWER: Final = ("RestartSteps", "RestartMaxDelaySec")
"""What systemd knows since version 254 (2023); an older one ignores it."""


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of JSON in which no key comes twice."""
    assert len(dict(pairs)) == len(pairs), f"a key comes twice among {[name for name, _ in pairs]}"
    return dict(pairs)


def json_text(path: Path) -> None:
    for line in [path.read_text("utf-8")] if path.suffix == ".json" else path.read_text("utf-8").splitlines():
        json.loads(line, object_pairs_hook=once)


def dashboard(path: Path) -> None:
    json_text(path)
    board = json.loads(path.read_text("utf-8"))
    assert board["title"]
    for panel in board["panels"]:
        assert panel["type"]
        assert {"x", "y", "w", "h"} == panel["gridPos"].keys(), panel
        for target in panel.get("targets", ()):
            assert asked_by(target["expr"]).series, target["expr"]


def by_schema(name: str) -> Callable[[Path], None]:
    """A reader of YAML that compares a file with a schema of SchemaStore."""

    def read(path: Path) -> None:
        yaml_of(path)
        arguments = ["--verbose", "--builtin-schema", f"vendor.{name}", str(path)]
        assert check_jsonschema(arguments, standalone_mode=False) == 0, "as it has printed"

    return read


def workflow(path: Path) -> None:
    by_schema("github-workflows")(path)
    jobs = yaml_of(path)["jobs"]
    for job in jobs.values():
        assert {*job.get("needs", ())} <= jobs.keys()
        for how, what in steps(job):
            if how == "run":
                said = subprocess.run(["bash", "-n"], input=re.sub(r"\$\{\{.*?\}\}", "x", what), text=True, check=False)
                assert said.returncode == 0, what


def hooks(path: Path) -> None:
    for repository in yaml_of(path)["repos"]:
        for hook in repository["hooks"]:
            assert {"id", "name", "entry", "language"} <= hook.keys(), hook
            assert shlex.split(hook["entry"])


def alert_rules(path: Path) -> None:
    found = alerts()
    assert len({alert.name for alert in found}) == len(found)
    if (tool := shutil.which("promtool")) is not None:
        subprocess.run([tool, "check", "rules", path], check=True, capture_output=True)
    for alert in found:
        assert asked_by(alert.expression).series, alert.name


def routes(path: Path) -> None:
    found = yaml_of(path)
    assert found.keys() == {"route", "receivers", "inhibit_rules"}
    for rule in found["inhibit_rules"]:
        assert {"source_matchers", "target_matchers"} <= rule.keys() <= {"source_matchers", "target_matchers", "equal"}
    if (tool := shutil.which("amtool")) is not None:
        subprocess.run([tool, "check-config", path], check=True, capture_output=True)


def scraping(path: Path) -> None:
    found = yaml_of(path)
    assert found.keys() == {"global", "rule_files", "alerting", "scrape_configs"}
    if (tool := shutil.which("promtool")) is not None:
        subprocess.run([tool, "check", "config", path], check=True, capture_output=True)


def provisioning(path: Path) -> None:
    found = yaml_of(path)
    assert found.pop("apiVersion") == 1
    ((kind, entries),) = found.items()
    needed = {"datasources": {"name", "uid", "type", "url"}, "providers": {"name", "type", "options"}}[kind]
    assert all(needed <= entry.keys() for entry in entries)


def unit(path: Path) -> None:
    sections = unit_of(path)
    assert "Unit" in sections
    assert {"service": "Service", "timer": "Timer"}[path.suffix[1:]] in sections
    if (tool := shutil.which("systemd-analyze")) is not None:
        said = subprocess.run([tool, "verify", "--man=no", path], capture_output=True, text=True, check=False).stderr
        # The program isn't installed here, and systemd may be older than some settings.
        known = ("is not executable", *(f"'{name}' in section" for name in NEWER))
        assert [line for line in said.splitlines() if not any(each in line for each in known)] == []


def container(path: Path) -> None:
    instructions = container_of(path)
    assert {name for name, _ in instructions} <= INSTRUCTIONS
    assert instructions[0][0] == "FROM"
    for name, value in instructions:
        assert value, name
        if name in {"CMD", "ENTRYPOINT"}:
            assert all(isinstance(each, str) for each in json.loads(value)), value


def script(path: Path) -> None:
    shell = path.read_text("utf-8").splitlines()[0].rpartition("/")[2].removeprefix("env ")
    subprocess.run([shell, "-n", path], check=True)


def style(path: Path) -> None:
    rules = tinycss2.parse_stylesheet(path.read_text("utf-8"))
    blocks = (tinycss2.parse_blocks_contents(rule.content) for rule in rules if rule.type == "qualified-rule")
    assert [each.message for part in (rules, *blocks) for each in part if each.type == "error"] == []


def module_of_javascript(path: Path) -> None:
    if (node := shutil.which("node")) is not None:
        source = path.read_text("utf-8")
        subprocess.run([node, "--input-type=module", "--check"], input=source, text=True, check=True)


def environment(path: Path) -> None:
    assert [line.original.string for line in parse_stream(StringIO(path.read_text("utf-8"))) if line.error] == []


def makefile(path: Path) -> None:
    subprocess.run(["make", "--dry-run", "--file", path, "clean"], cwd=path.parent, check=True, capture_output=True)


def picture(path: Path) -> None:
    with Image.open(path) as opened:
        opened.verify()


READERS: Final[dict[str, Callable[[Path], object]]] = {
    ".github/workflows/*.yml": workflow,
    ".github/ISSUE_TEMPLATE/config.yml": by_schema("github-issue-config"),
    ".github/ISSUE_TEMPLATE/*.yml": by_schema("github-issue-forms"),
    ".pre-commit-config.yaml": hooks,
    "docs/deploy/alerts.yml": alert_rules,
    "docs/deploy/alertmanager.yml": routes,
    "docs/deploy/compose.yml": by_schema("compose-spec"),
    "docs/deploy/prometheus.yml": scraping,
    "docs/deploy/grafana/*.yml": provisioning,
    "docs/deploy/dashboard.json": dashboard,
    "docs/deploy/Containerfile": container,
    "docs/deploy/ambit": script,
    "docs/deploy/ambit-backup": script,
    ".ci/run": script,
    "*.service": unit,
    "*.timer": unit,
    "*.toml": lambda path: tomllib.loads(path.read_text("utf-8")),
    "*.json": json_text,
    "*.jsonl": json_text,
    "*.css": style,
    "*.js": module_of_javascript,
    "*.mako": lambda path: Template(filename=str(path)),
    "*.png": picture,
    "*.gif": picture,
    "*.ttf": lambda path: ImageFont.truetype(path, 20),
    "requirements*.txt": pinned,
    ".env.example": environment,
    "Makefile": makefile,
}
"""Who reads which files as the program does for which they are. The first pattern counts."""

ELSEWHERE: Final = {
    "*.py": "pyproject.toml",  # by ruff and mypy
    "*.md": "tests/test_docs.py",
    "*.log": "tests/conformance/matches.py",
    "*.result": "tests/conformance/matches.py",
    "*.tsv": "tests/cogs/test_faults.py",
    "*.html": "tests/cogs/test_preview_page.py",
    ".editorconfig": "tests/test_releases.py",
    ".gitignore": "tests/files.py",  # by Git, for the list of files
    "LICENSE": "tests/test_releases.py",
    "render/assets/*.txt": "tests/test_releases.py",  # licences, which people read
}
"""What is read by other tests, and where."""


def reader_of(path: Path) -> Callable[[Path], object] | None:
    return next((reader for pattern, reader in READERS.items() if fnmatch(path.as_posix(), pattern)), None)


# FOUND B1
def test_every_file_is_read_as_the_program_reads_it_for_which_it_is() -> None:
    nobody, broken = [], []
    for path in tracked():
        reader = reader_of(path)
        if reader is None:
            if not any(fnmatch(path.as_posix(), pattern) for pattern in ELSEWHERE):
                nobody.append(str(path))
            continue
        try:
            reader(ROOT / path)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a parser raises is the finding
            broken.append(f"{path}: {error}")
    assert nobody == [], "say in READERS how these are read"
    assert broken == []
    assert [test for test in ELSEWHERE.values() if not (ROOT / test).is_file()] == []
    unused = [each for each in (*READERS, *ELSEWHERE) if not any(fnmatch(str(path), each) for path in tracked())]
    assert unused == []


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (".github/workflows/check.yml", "on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: echo a: b\n"),
        (".github/workflows/check.yml", "on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - runs: echo\n"),
        (".github/workflows/check.yml", "on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: 'if'\n"),
        (".github/ISSUE_TEMPLATE/idea.yml", "name: An idea\ndescription: What\nbody: [{type: inputs}]\n"),
        (".pre-commit-config.yaml", "repos: [{repo: local, hooks: [{id: a, name: a, language: system}]}]\n"),
        (
            "docs/deploy/alertmanager.yml",
            "route: {receiver: a}\nreceivers: [{name: a}]\ninhibit_rules: [{equal: [b]}]\n",
        ),
        ("docs/deploy/compose.yml", "services: {bot: {image: a, restrat: always}}\n"),
        ("docs/deploy/prometheus.yml", "rule_files: []\n"),
        ("docs/deploy/grafana/datasources.yml", "apiVersion: 1\ndatasources: [{name: a}]\n"),
        ("docs/deploy/dashboard.json", '{"title": "a", "title": "b", "panels": []}'),
        ("docs/deploy/Containerfile", "FROM a\nCOPPY a b\n"),
        ("docs/deploy/ambit", "#!/bin/sh\nif true; then\n"),
        ("a.service", "[Unit]\nDescription=a\n[Servce]\nExecStart=/bin/true\n"),
        ("a.timer", "[Unit]\nno sign\n[Timer]\nOnCalendar=daily\n"),
        ("a.toml", "a = 1\na = 2\n"),
        ("a.jsonl", "{}\n{,}\n"),
        ("a.css", "a { color red }\n"),
        ("requirements.txt", "a=1\n"),
        (".env.example", "A=1\nB C\n"),
        ("Makefile", "clean:\n    spaces\n"),
    ],
)
def test_a_broken_file_is_noticed(tmp_path: Path, name: str, text: str) -> None:
    (broken := tmp_path / Path(name).name).write_text(text)
    reader = reader_of(Path(name))
    assert reader is not None
    with pytest.raises((Exception, SystemExit)):
        reader(broken)
