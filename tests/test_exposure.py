"""What others could read or use, and where the operator is told: in `--check`, at the start, after `--export`."""

import asyncio
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pydantic
import pytest

from bot import main
from cogs.process import exposure
from cogs.process.environment import Address, Settings
from cogs.process.exposure import exposed
from tests.cogs.test_secrets import logged
from tests.files import ROOT
from tests.store import fresh, of_sqlite
from tests.test_bot import TOKEN, two_matches


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that other people of the machine may enter. The tests themselves may run in a container."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o711)
        if not all(each.stat().st_mode & 0o001 for each in folder.parents):
            pytest.skip("the folder of temporary files is nobody else's here")
        monkeypatch.setattr(exposure, "CONTAINERS", (str(folder / "container"),))
        monkeypatch.chdir(folder)
        yield folder


def said(env: Path | None = None, **chosen: object) -> list[str]:
    settings = Settings(_env_file=env, **chosen)  # type: ignore[arg-type, call-arg]
    return list(exposed(settings, env))


# FOUND O10


def test_a_file_with_the_token_that_everybody_can_read_is_named_with_its_cure(machine: Path) -> None:
    token = machine / "token"
    token.write_text(TOKEN)
    token.chmod(0o644)
    named = [f"Everybody on this machine can read {token}, which holds the bot's token: chmod o-rwx {token}"]
    assert said(token_file=token) == named
    token.chmod(0o640)
    assert said(token_file=token) == [], "that of the service's group"
    token.chmod(0o644)
    machine.chmod(0o700)
    assert said(token_file=token) == [], "nobody else comes so far"
    machine.chmod(0o711)
    (machine / "container").touch()
    assert said(token_file=token) == [], "nobody else is there"


@pytest.mark.parametrize("name", ["nothing", "a" * 300, "file/token"])
def test_what_cannot_be_looked_at_is_left_to_whoever_needs_it(machine: Path, name: str) -> None:
    (machine / "file").touch()
    assert said(token_file=machine / name, database=f"sqlite+aiosqlite:///{machine}/{name}") == []


@pytest.mark.parametrize(
    ("line", "secret"),
    [
        (f"AMBIT_TOKEN={TOKEN}", True),
        ("AMBIT_MOVE_TO=postgres://ambit:x@y/ambit", True),
        ("AMBIT_DATABASE=postgres://ambit:x@y/ambit", True),
        ("AMBIT_DATABASE=postgres://ambit@y/ambit", False),
        ("AMBIT_TOKEN=", False),
        ("AMBIT_LOG_LEVEL=INFO", False),
    ],
)
def test_a_file_of_settings_is_as_secret_as_what_it_holds(
    machine: Path, line: str, secret: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AMBIT_TEST_SERVER", raising=False)
    (machine / ".env").write_text(line)
    (machine / ".env").chmod(0o644)
    assert bool(list(exposed(Settings.load(), None))) is secret
    (machine / ".env").chmod(0o600)
    assert list(exposed(Settings.load(), None)) == []


def test_a_database_that_everybody_can_read_is_named(machine: Path) -> None:
    database = machine / "ambit.db"
    database.touch(0o644)
    database.chmod(0o644)
    (sentence,) = said(database="sqlite+aiosqlite:///ambit.db")
    assert sentence == f"Everybody on this machine can read {database}, which holds everybody's hands: " + (
        f"chmod o-rwx {database}"
    )


@pytest.mark.parametrize(
    ("host", "is_open"),
    [
        *((host, True) for host in ("0.0.0.0", "::", "0", "8.8.8.8", "2600::1")),
        *((host, False) for host in ("127.0.0.1", "::1", "10.1.2.3", "192.168.0.5", "bot")),
    ],
)
def test_measurements_that_everybody_can_ask_for_are_named(host: str, is_open: bool) -> None:
    found = said(metrics=Address(host, 9400))
    assert bool(found) is is_open
    assert all(sentence.startswith("AMBIT_METRICS=") and "answers everybody" in sentence for sentence in found)


@of_sqlite
def test_check_and_the_start_say_it_and_it_prevents_nothing(
    machine: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    (machine / ".env").write_text(f"AMBIT_TOKEN={TOKEN}\nAMBIT_METRICS=0.0.0.0:9400\nAMBIT_API=http://127.0.0.1:1\n")
    (machine / ".env").chmod(0o644)
    with logged():
        assert main(["--check"]) == 0
        checked = re.findall("^Worth a look: (.*)$", capsys.readouterr().out, re.MULTILINE)
        assert [sentence.partition(" ")[0] for sentence in checked] == ["Everybody", "AMBIT_METRICS=0.0.0.0:9400"]
    with logged():
        assert main([]) == 75, "nobody listens there"
        err = capsys.readouterr().err
        assert all(f"worth a look: {sentence}" in err for sentence in checked)


@of_sqlite
@pytest.mark.parametrize(("mode", "told"), [(0o644, True), (0o600, False), (0o640, False)])
def test_whoever_sends_an_export_to_a_file_for_everybody_reads_it(
    machine: Path, mode: int, told: bool, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AMBIT_DATABASE", fresh(machine / "ambit.db"))
    asyncio.run(two_matches(fresh(machine / "ambit.db")))
    file = machine / "person.json"
    with file.open("w") as stream:
        file.chmod(mode)
        monkeypatch.setattr("sys.stdout", stream)
        assert main(["--export", "1"]) == 0
    assert ("begin with umask 077" in capfd.readouterr().err) is told


# FOUND O5


def test_the_example_sets_nothing_but_the_token_and_its_first_setting_is_that() -> None:
    lines = (ROOT / ".env.example").read_text("utf-8").splitlines()
    assert [line for line in lines if line and not line.startswith("#")] == ["AMBIT_TOKEN="]
    assert next(line for line in lines if "AMBIT_" in line) == "AMBIT_TOKEN="
    defaults = dict(line[1:].split("=", 1) for line in lines if line.startswith("#AMBIT_"))
    assert {f"AMBIT_{name.upper()}" for name in Settings.model_fields} == {"AMBIT_TOKEN", *defaults}
    said_there = {name.removeprefix("AMBIT_").lower(): value for name, value in defaults.items() if value}
    assert Settings(_env_file=None, **said_there) == Settings(_env_file=None)  # type: ignore[arg-type, call-arg]


def test_a_secret_is_not_in_what_is_printed_about_it(machine: Path) -> None:
    file = machine / "ambit.env"
    file.write_text(f"AMBIT_TOKEN={TOKEN}\nAMBIT_DATABASE=postgres://ambit:hushhush@y/ambit\n")
    file.chmod(0o644)
    settings = Settings(_env_file=file, token=pydantic.SecretStr(TOKEN))  # type: ignore[call-arg]
    assert not any(secret in each for secret in (TOKEN, "hushhush") for each in exposed(settings, file))
