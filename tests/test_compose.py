"""The compose file: a whole server in two commands, of which nobody outside reads anything."""

import asyncio
import json
import os
import re
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from cogs.process.endpoint import Endpoint
from cogs.process.environment import Address, Settings
from matches.host.keeping import place_of
from tests.cogs.table import table
from tests.files import DEPLOY, ROOT, health_check, yaml_of
from tests.wire.scraping import free_port

COMPOSE: Final[dict[str, Any]] = yaml_of(DEPLOY / "compose.yml")
SERVICES: Final[dict[str, Any]] = COMPOSE["services"]
BOT: Final[dict[str, Any]] = SERVICES["bot"]


def settings() -> Settings:
    """What the bot is started with, beside the token."""
    said = {name.removeprefix("AMBIT_").lower(): value for name, value in BOT["environment"].items()}
    return Settings(_env_file=None, **said)  # type: ignore[call-arg]


def mounts(service: str) -> dict[str, Path]:
    """The files that a service gets from here, by where it finds them."""
    found = (volume.split(":") for volume in SERVICES[service].get("volumes", ()) if volume.startswith("."))
    return {target: DEPLOY / source for source, target, *_ in found}


# FOUND O5


def test_a_token_in_the_example_is_all_that_the_compose_file_needs() -> None:
    (file,) = BOT["env_file"]
    assert (DEPLOY / file).resolve() == ROOT / ".env"
    assert (DEPLOY / BOT["build"]["context"]).resolve() == ROOT
    assert (ROOT / BOT["build"]["dockerfile"]).is_file()
    assert "$" not in (DEPLOY / "compose.yml").read_text("utf-8"), "nothing else is to be set"
    assert place_of(settings().database) == "ambit at postgres:5432"
    assert SERVICES["postgres"]["environment"]["POSTGRES_USER"] == "ambit"
    for service in SERVICES:
        assert all(path.is_file() for path in mounts(service).values()), service


def test_measurements_and_the_database_are_reached_by_the_services_alone() -> None:
    published = [port for service in SERVICES.values() for port in service.get("ports", ())]
    assert published
    assert all(port.startswith("127.0.0.1:") for port in published)
    assert not any("ports" in SERVICES[name] for name in ("bot", "postgres", "prometheus"))
    assert SERVICES["postgres"]["networks"] == ["store"]
    assert [name for name, service in SERVICES.items() if "store" in service["networks"]] == ["bot", "postgres"]
    assert COMPOSE["networks"]["store"] == {"internal": True}
    grafana = SERVICES["grafana"]["environment"]
    assert grafana["GF_AUTH_ANONYMOUS_ORG_ROLE"] == "Viewer"
    assert (grafana["GF_AUTH_DISABLE_LOGIN_FORM"], grafana["GF_AUTH_BASIC_ENABLED"]) == ("true", "false")


def test_all_start_again_and_come_in_a_version_that_was_chosen() -> None:
    assert all(service["restart"] == "unless-stopped" for service in SERVICES.values())
    images = [service["image"] for name, service in SERVICES.items() if name != "bot"]
    assert all(re.fullmatch(r"docker\.io/[\w/]+:v?\d+(\.\d+)*", image) for image in images)
    assert {*BOT["networks"]} == {"store", "watch"}
    named = {volume.partition(":")[0] for service in SERVICES.values() for volume in service.get("volumes", ())}
    assert {name for name in named if not name.startswith(".")} == COMPOSE["volumes"].keys()


def test_each_service_finds_the_others() -> None:
    scraped = yaml_of(DEPLOY / "prometheus.yml")
    metrics = settings().metrics
    assert scraped["scrape_configs"] == [
        {"job_name": "ambit", "static_configs": [{"targets": [f"bot:{metrics.port}"]}]}
    ]
    assert scraped["alerting"]["alertmanagers"] == [{"static_configs": [{"targets": ["alertmanager:9093"]}]}]
    assert {"/etc/prometheus/prometheus.yml", f"/etc/prometheus/{scraped['rule_files'][0]}"} == mounts(
        "prometheus"
    ).keys()
    (source,) = yaml_of(DEPLOY / "grafana" / "datasources.yml")["datasources"]
    assert (source["url"], source["type"]) == ("http://prometheus:9090", "prometheus")
    (provider,) = yaml_of(DEPLOY / "grafana" / "dashboards.yml")["providers"]
    board = SERVICES["grafana"]["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"]
    assert board.startswith(f"{provider['options']['path']}/")
    (variable,) = json.loads(mounts("grafana")[board].read_text("utf-8"))["templating"]["list"]
    assert (variable["type"], variable["query"]) == ("datasource", source["type"])
    watching = {name for name, service in SERVICES.items() if "watch" in service["networks"]}
    assert watching == SERVICES.keys() - {"postgres"}


def test_the_check_is_in_the_image_and_beside_it() -> None:
    """Podman's own format has none, so the image must be built in Docker's."""
    assert BOT["healthcheck"]["test"] == ["CMD", *health_check()]
    for name in ("docs/deploy/Containerfile", "docs/operating.md"):
        builds = re.findall(r"podman build .*", (ROOT / name).read_text("utf-8"))
        assert builds
        assert all("--format docker" in build for build in builds)


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
async def test_the_check_asks_whether_the_loop_turns_wherever_the_bot_answers(tmp_path: Path, host: str) -> None:
    address = Address(host, free_port())

    async def code() -> int | None:
        asked = await asyncio.create_subprocess_exec(
            *(sys.executable, *health_check()[1:]),
            env=os.environ | {"AMBIT_METRICS": str(address)},
            stderr=asyncio.subprocess.DEVNULL,
        )
        return await asyncio.wait_for(asked.wait(), 60)

    async with table(tmp_path / "ambit.db", 1) as room:
        async with Endpoint(address, room.bot.doctor):
            assert await code() == 0
        assert await code() == 1
