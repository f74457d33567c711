"""Reads the files of the repository that other programs read, as strictly as those do."""

import json
import re
import subprocess
from collections.abc import Iterator
from configparser import ConfigParser
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import promql_parser as promql
from dockerfile_parse import DockerfileParser
from packaging.requirements import Requirement
from ruamel.yaml import YAML

from tests.sources import ROOT

DEPLOY: Final = ROOT / "docs" / "deploy"


@cache
def tracked() -> tuple[Path, ...]:
    """Every file of the repository, from its root; also a new one that Git doesn't ignore."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return tuple(sorted({Path(name) for name in listed.split("\0") if name and (ROOT / name).is_file()}))


def yaml_of(path: Path) -> Any:
    """A YAML file, read as YAML 1.2. A key that comes twice is an error, as GitHub and Prometheus have it."""
    return YAML(typ="safe", pure=True).load(path.read_text("utf-8"))


def unit_of(path: Path) -> dict[str, dict[str, str]]:
    """The sections of a systemd unit with their settings, of each name the last."""
    parser = ConfigParser(strict=False, interpolation=None, delimiters="=", comment_prefixes=("#", ";"))
    parser.optionxform = str  # type: ignore[assignment,method-assign]
    parser.read_string(path.read_text("utf-8"), str(path))
    return {name: dict(parser[name]) for name in parser.sections()}


def directives(path: Path) -> dict[str, str]:
    """The settings of a systemd unit, whatever their section."""
    return {name: value for section in unit_of(path).values() for name, value in section.items()}


@cache
def targets() -> set[str]:
    """What `make` can be asked for."""
    return set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


def container_of(path: Path) -> list[tuple[str, str]]:
    """The instructions of a container file with their values; no comments."""
    with path.open("rb") as file:
        structure = DockerfileParser(fileobj=file).structure
    return [(each["instruction"], each["value"]) for each in structure if each["instruction"] != "COMMENT"]


@cache
def pinned(path: Path) -> dict[str, str]:
    """The packages of a file of requirements with their versions. Raises InvalidRequirement if it is none."""
    found = {}
    for line in re.sub(r" *\\\n *", " ", path.read_text("utf-8")).splitlines():
        if line.strip() and not line.strip().startswith("#"):
            requirement = Requirement(re.sub(r" --hash=sha256:[0-9a-f]{64}", "", line))
            (pin,) = requirement.specifier
            found[requirement.name] = pin.version
    return found


def health_check() -> list[str]:
    """The command of the image's HEALTHCHECK."""
    (said,) = (value for name, value in container_of(DEPLOY / "Containerfile") if name == "HEALTHCHECK")
    command: list[str] = json.loads(said.partition("CMD ")[2])
    return command


class Alert(NamedTuple):
    """One rule of `docs/deploy/alerts.yml`."""

    name: str
    expression: str
    held: str | None
    """For how long its condition must hold before it fires."""
    labels: dict[str, str]
    summary: str
    description: str
    runbook: str


@cache
def alerts() -> tuple[Alert, ...]:
    """The alert rules, in the order of the file. Raises if a rule has no more or less than Prometheus knows of it."""
    found = []
    for group in yaml_of(DEPLOY / "alerts.yml")["groups"]:
        assert group.keys() <= {"name", "interval", "limit", "labels", "rules"}, group["name"]
        for rule in group["rules"]:
            assert rule.keys() <= {"alert", "expr", "for", "keep_firing_for", "labels", "annotations"}, rule["alert"]
            promql.parse_duration(rule.get("for", "1m"))
            said = rule["annotations"]
            assert said.keys() == {"summary", "description", "runbook_url"}, rule["alert"]
            found.append(Alert(rule["alert"], rule["expr"], rule.get("for"), rule["labels"], *said.values()))
    return tuple(found)


class Asked(NamedTuple):
    """What an expression of PromQL asks for."""

    series: frozenset[str]
    matched: frozenset[str]
    """Labels by which it selects or joins."""
    grouped: frozenset[str]
    """Labels that its aggregations keep; empty if it has none."""


@cache
def asked_by(expression: str) -> Asked:
    """Return the series and labels in an expression of PromQL. Raises ValueError if it is none."""
    series: set[str] = set()
    matched: set[str] = set()
    grouped: set[str] = set()

    def look(node: Any) -> None:
        if isinstance(node, promql.VectorSelector):
            if node.name:
                series.add(node.name)
            alternatives = [node.matchers.matchers, *node.matchers.or_matchers]
            matched.update(matcher.name for matchers in alternatives for matcher in matchers)
        elif isinstance(node, promql.BinaryExpr) and node.modifier is not None and node.modifier.matching is not None:
            matched.update(node.modifier.matching.labels or (), node.modifier.group_labels or ())
        elif isinstance(node, promql.AggregateExpr) and node.modifier is not None:
            (matched if node.modifier.type == promql.LabelModifierType.Exclude else grouped).update(
                node.modifier.labels
            )

    promql.walk(promql.parse(expression), look)
    return Asked(frozenset(series), frozenset(matched), frozenset(grouped))


def steps(job: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Every step of a workflow's job: `run` or `uses`, and what."""
    for step in job["steps"]:
        (how,) = step.keys() & {"run", "uses"}
        yield how, step[how]
