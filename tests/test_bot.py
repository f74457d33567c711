"""The command line, the settings, and when Discord gets the commands."""

import asyncio
import base64
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from asyncio.subprocess import Process
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import pydantic
import pytest
import simcord
from simcord.backend.ops.commands import COMMAND_FIELDS

from bot import Ambit, main
from cogs.process.environment import Settings
from cogs.process.exits import EXIT_CHANGE, EXIT_LATER, StartError
from cogs.process.modes import check
from db import Database, DatabaseError, alone
from db.appointments.kept import Appointment
from db.model import schema
from db.store import leases
from db.store.leases import SHARD_BITS
from db.store.server_locks import ServerLocks
from games import GAMES
from matches.api import Host, NewMatch, Person, Ration, Status, UserId
from matches.engine.handover import Step
from matches.engine.processes import Processes
from tests.cogs.table import AT_REST
from tests.cogs.test_secrets import logged
from tests.db.test_locks import cut
from tests.db.test_migrations import with_another
from tests.matches.tables import raised
from tests.store import SERVER, fresh, fresh_file, of_server, of_sqlite, vacant
from tests.wire.bot_process import BotProcess, Nursery
from tests.wire.discord_standin import Discord

ROOT = Path(__file__).parent.parent
TOKEN = f"{base64.b64encode(b'1234567890').decode()}.part.part"
NO_SERVER = "postgres://nobody:secret@127.0.0.1:1/ambit"
"""An address where nobody listens."""

AGAINST = """
import sys, discord, yarl
discord.http.Route.BASE = sys.argv[1]
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(sys.argv[2])
import bot
sys.exit(bot.main([]))
"""
"""The command line, with other addresses instead of Discord's."""


def surroundings(**settings: str) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.upper().startswith("AMBIT_")}
    settings = {"LOG_LEVEL": "warning"} | settings
    return clean | {"PYTHONPATH": str(ROOT), **{f"AMBIT_{name}": value for name, value in settings.items()}}


def the_sentence(code: int | None, err: str, expected: int = EXIT_CHANGE) -> str:
    """Check that the command line ended with this exit code and printed one sentence. Return the sentence."""
    assert "Traceback" not in err
    assert code == expected
    assert err.count("\n") == 1
    assert err.rstrip().endswith((".", "?"))
    return err.rstrip()


async def end(discord: Discord, folder: Path, nursery: Nursery, **settings: str) -> tuple[int, str]:
    """How a bot ends that can't start: its exit code, and everything that it says."""
    bot = BotProcess(discord, folder, nursery, AMBIT_LOG_LEVEL="warning", **settings)  # type: ignore[arg-type]
    try:
        await bot.start(connect=False)
        return await bot.gone(), bot.log()
    finally:
        await bot.close()


# What prevents a start.


def test_a_missing_token_is_one_sentence_that_names_the_setting(tmp_path: Path) -> None:
    program = [sys.executable, str(ROOT / "bot.py")]
    ended = subprocess.run(program, cwd=tmp_path, env=surroundings(), capture_output=True, text=True)
    assert ended.stdout == ""
    assert "AMBIT_TOKEN" in the_sentence(ended.returncode, ended.stderr)


NO_TOKENS = ["secret", "a.b.c", f"{TOKEN}.more", TOKEN.rpartition(".")[0] + ".", "MTIz.ü.x"]


@pytest.mark.parametrize("token", NO_TOKENS)
def test_what_is_no_token_is_not_taken_for_one(token: str) -> None:
    with pytest.raises(StartError, match="isn't a bot token") as refused:
        Settings(token=pydantic.SecretStr(token), _env_file=None).bot_token()  # type: ignore[call-arg]
    assert token not in str(refused.value)


def test_the_token_can_stand_in_a_file_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "token"
    named = Settings(token_file=file, _env_file=None)  # type: ignore[call-arg]
    with pytest.raises(StartError, match=f"AMBIT_TOKEN_FILE: {file} can't be read"):
        named.bot_token()
    file.write_text(f"{TOKEN}\n", "utf-8")
    assert named.bot_token() == TOKEN
    file.write_text("secret", "utf-8")
    with pytest.raises(StartError, match=f"What the file {file} holds isn't a bot token"):
        named.bot_token()
    both = Settings(token_file=file, token=pydantic.SecretStr(TOKEN), _env_file=None)  # type: ignore[call-arg]
    with pytest.raises(StartError, match="There are two tokens"):
        both.bot_token()


def test_status_of_a_folder_without_a_database_is_a_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # The bot would refuse the tests' own variable as an unknown setting.
    monkeypatch.delenv("AMBIT_TEST_SERVER", raising=False)
    monkeypatch.setenv("AMBIT_DATABASE", f"sqlite+aiosqlite:///{tmp_path}/ambit.db")
    with logged():
        assert main(["--status"]) == 1
    assert "There is no database yet" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("_no_settings")
def test_a_server_that_is_not_there_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """FOUND E7: it names host, port and cause, and never the password. FOUND E4: it may be up later."""
    for name, value in {"DATABASE": NO_SERVER, "TOKEN": TOKEN, "LOG_LEVEL": "warning"}.items():
        monkeypatch.setenv(f"AMBIT_{name}", value)
    with logged():
        code = main([])
    sentence = the_sentence(code, capsys.readouterr().err, EXIT_LATER)
    assert sentence == "The database server at 127.0.0.1:1 can't be reached (Connection refused)."


@pytest.mark.usefixtures("_no_settings")
def test_a_missing_driver_is_one_sentence_that_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AMBIT_DATABASE", NO_SERVER)
    monkeypatch.delitem(sys.modules, "db.store.postgres", raising=False)
    monkeypatch.setitem(sys.modules, "asyncpg", None)
    assert main(["--restored"]) == 2
    assert "pip install -r requirements-postgresql.txt" in the_sentence(2, capsys.readouterr().err)


@of_server
@pytest.mark.usefixtures("_no_settings")
@pytest.mark.parametrize(
    ("address", "words"), [("/nowhere?", "no such database"), ("/postgres?user=nobody&", "refuses this user")]
)
def test_an_address_that_the_server_refuses_is_one_sentence(
    address: str, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    server, _, options = str(SERVER).partition("?")
    monkeypatch.setenv("AMBIT_DATABASE", f"{server.rpartition('/')[0]}{address}{options}")
    assert main(["--restored"]) == 2
    assert words in the_sentence(2, capsys.readouterr().err)


def newer_database(path: Path) -> None:
    fresh_file(path)
    with changing(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")


@contextmanager
def changing(path: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(path)
    with connection:
        yield connection
    connection.close()


WRONG_SETTINGS = [
    ("LOG_LEVEL", "loud", "AMBIT_LOG_LEVEL"),
    ("SHARD_COUNT", "0", "AMBIT_SHARD_COUNT"),
    ("SHARD_COUNT", "many", "AMBIT_SHARD_COUNT"),
    ("SHARD_IDS", "0,1", "AMBIT_SHARD_COUNT"),
    ("SHARD_IDS", "one", "AMBIT_SHARD_IDS: It must be numbers with commas between them: write 0,1,2,3."),
    # FOUND O13
    ("SHARD_IDS", "0-3", "AMBIT_SHARD_IDS: It must be numbers with commas between them: write 0,1,2,3."),
    ("SHARD_IDS", "4 - 5, 7", "write 4,5,7."),
    ("SHARD_IDS", "2..4", "write 2,3,4."),
    ("SHARD_IDS", "0 1 2", "write 0,1,2,3."),
    ("SHARD_IDS", "0-99999", "write 0,1,2,3."),
    ("SHARD_IDS", "3-0", "write 0,1,2,3."),
    ("DMS_A_MINUTE", "-1", "AMBIT_DMS_A_MINUTE"),
    ("DMS_A_DAY", "few", "AMBIT_DMS_A_DAY"),
    ("COMPUTER_PROCESSES", "0", "AMBIT_COMPUTER_PROCESSES"),
    ("API", "discord", "AMBIT_API"),
    ("API", "ftp://127.0.0.1", "AMBIT_API"),
    ("API", "http://127.0.0.1:8080/api/v10", r"AMBIT_API: It must be an address without a path.*8080\.$"),
    ("POLICY_URL", "our policy", "AMBIT_POLICY_URL"),
    ("POLICY_URL", f"https://example.org/{'a' * 512}", "AMBIT_POLICY_URL"),
    ("KEEP_DAYS", "0", "AMBIT_KEEP_DAYS"),
    ("KEEP_DAYS", "1000000000", "AMBIT_KEEP_DAYS"),
    ("KEEP_DAYS", "long", "AMBIT_KEEP_DAYS"),
    ("SHARD_COUNT", "1000000000000", "AMBIT_SHARD_COUNT"),
    ("WITHOUT", "orders,leagues", "It must name features with commas between them; they are .*lessons, orders"),
    ("COMPUTER_PROCESSES", "1000000", "AMBIT_COMPUTER_PROCESSES"),
    ("KEEPDAYS", "30", "no setting AMBIT_KEEPDAYS.* in the environment; did you mean AMBIT_KEEP_DAYS"),  # FOUND E7
    ("TOKN", "x", "no setting AMBIT_TOKN.*did you mean AMBIT_TOKEN"),
]


@pytest.fixture
def _no_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment and a folder without settings."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.upper().startswith("AMBIT_")]:
        monkeypatch.delenv(name)


@pytest.mark.usefixtures("_no_settings")
@pytest.mark.parametrize(("setting", "value", "word"), WRONG_SETTINGS)
def test_a_wrong_setting_is_named(monkeypatch: pytest.MonkeyPatch, setting: str, value: str, word: str) -> None:
    monkeypatch.setenv(f"AMBIT_{setting}", value)
    with pytest.raises(StartError, match=word):
        Settings.load()


@pytest.mark.usefixtures("_no_settings")
def test_an_unreadable_env_file_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path(".env").write_bytes(b"AMBIT_TOKEN=\xff\xfe")
    assert ".env" in the_sentence(main([]), capsys.readouterr().err)


@pytest.mark.usefixtures("_no_settings")
def test_settings_are_read_from_the_env_file() -> None:
    Path(".env").write_text(
        f"AMBIT_TOKEN={TOKEN}\nAMBIT_LOG_LEVEL=debug\nAMBIT_SHARD_COUNT=4\nAMBIT_SHARD_IDS=0,2\nAMBIT_DMS_A_DAY=7\n"
        "AMBIT_KEEP_DAYS=90\nAMBIT_API=http://proxy:8080/\nAMBIT_COMPUTER_PROCESSES=3\nOTHER=x\n"
    )
    settings = Settings.load()
    assert settings.bot_token() == TOKEN
    assert settings.log_level == "DEBUG"
    assert settings.shards == {"shard_count": 4, "shard_ids": [0, 2]}
    assert settings.ration == Ration(5, 7)
    assert settings.keep_days == 90
    assert (str(settings.api), settings.computer_processes) == ("http://proxy:8080/", 3)


@pytest.mark.usefixtures("_no_settings")
def test_one_shard_alone_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AMBIT_SHARD_COUNT", "2")
    monkeypatch.setenv("AMBIT_SHARD_IDS", "0")
    assert Settings.load().shards == {"shard_count": 2, "shard_ids": [0]}


@pytest.mark.usefixtures("_no_settings")
def test_shards_beyond_the_count_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AMBIT_SHARD_COUNT", "2")
    monkeypatch.setenv("AMBIT_SHARD_IDS", "1,2")
    with pytest.raises(StartError, match="AMBIT_SHARD_IDS"):
        Settings.load()


@pytest.mark.usefixtures("_no_settings")
def test_a_shard_that_is_named_twice_is_carried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AMBIT_SHARD_COUNT", "4")
    monkeypatch.setenv("AMBIT_SHARD_IDS", "2,0,2")
    settings = Settings.load()
    assert (settings.shard_ids, settings.share) == ((0, 2), Fraction(1, 2))


# Discord's refusals, from the stand-in of the wire tests.


async def start(folder: Path, discord: Discord, *, gateway: str = "", **settings: str) -> Process:
    """The command line against the stand-in, as anybody starts it; `gateway` is another address to connect to."""
    gateway = gateway or f"ws://127.0.0.1:{discord.port}"
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", AGAINST, f"http://127.0.0.1:{discord.port}/api/v10", gateway),
        cwd=folder,
        env=surroundings(**{"TOKEN": discord.token, "SHARD_COUNT": "1"} | settings),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def end_of(process: Process) -> tuple[int | None, str]:
    _, err = await asyncio.wait_for(process.communicate(), 600)
    return process.returncode, err.decode()


async def test_what_discord_says_at_the_login_and_no_network_at_all_are_one_sentence(
    tmp_path: Path, nursery: Nursery
) -> None:
    async with Discord() as discord:
        ended = await end(discord, tmp_path, nursery, AMBIT_TOKEN=TOKEN)
        assert "doesn't know this token" in the_sentence(*ended)
        # FOUND O13: Cloudflare's answers are pages, and pass.
        for status, page, code in (
            *((503, False, EXIT_LATER), (403, False, EXIT_CHANGE)),
            *((403, True, EXIT_LATER), (401, True, EXIT_LATER)),
        ):
            (discord.faults.shut if page else discord.faults.answer)(status)
            ended = await end(discord, tmp_path, nursery, name=f"{status} {page}")
            assert f"HTTP {status}" in the_sentence(*ended, code)
            discord.faults.clear()
        # FOUND O4: whatever starts a bot again after a crash, it can't cost the token.
        discord.logins_left = 0
        ended = await end(discord, tmp_path, nursery, name="no logins")
        assert discord.gateway.connected() == 0
        assert "allows only 0 more logins today" in the_sentence(*ended, EXIT_LATER)
    ended = await end(discord, tmp_path, nursery, name="no network")
    assert "can't be reached" in the_sentence(*ended, EXIT_LATER)


FOR_GOOD = [
    (4004, {}, "no longer valid", EXIT_CHANGE),
    (4010, {}, "don't fit", EXIT_CHANGE),
    (4011, {}, "the next start asks", EXIT_LATER),
    (4011, {"AMBIT_SHARD_COUNT": "1"}, "more shards (AMBIT_SHARD_COUNT)", EXIT_CHANGE),
    (4012, {}, "code 4012", EXIT_CHANGE),
    (4013, {}, "code 4013", EXIT_CHANGE),
    (4014, {}, "intents", EXIT_CHANGE),
]
"""Every code by which Discord forbids reconnecting (Discord's page “Opcodes and Status Codes”)."""


@pytest.mark.parametrize(("code", "settings", "words", "expected"), FOR_GOOD)
async def test_a_connection_that_discord_closes_for_good_is_one_sentence(
    tmp_path: Path, nursery: Nursery, code: int, settings: dict[str, str], words: str, expected: int
) -> None:
    """FOUND E4: the next start corrects too few shards, unless somebody has set their number."""
    async with Discord() as discord:
        discord.gateway.refusal = code
        assert words in the_sentence(*await end(discord, tmp_path, nursery, **settings), expected)


async def test_a_stop_signal_ends_the_bot_cleanly(tmp_path: Path) -> None:
    """Ctrl+C. `tests/wire` stops bots by SIGTERM."""
    async with Discord() as discord:
        process = await start(tmp_path, discord)
        await discord.connected(seconds=60)
        process.send_signal(signal.SIGINT)
        assert await end_of(process) == (0, "")
    assert not (tmp_path / "ambit.db-wal").exists()


async def test_a_gateway_out_of_reach_is_tried_again_without_a_traceback_until_the_bot_is_stopped(
    tmp_path: Path,
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        closed = f"ws://127.0.0.1:{listener.getsockname()[1]}"
    async with Discord() as discord:
        process = await start(tmp_path, discord, gateway=closed)
        while b"Retrying" not in (line := await asyncio.wait_for(process.stderr.readline(), 600)):
            assert line
        process.send_signal(signal.SIGTERM)
        code, err = await end_of(process)
    assert code == 0
    assert "Traceback" not in err


# `--check`.


@pytest.fixture
def checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], _no_settings: None
) -> Callable[..., tuple[int, str]]:
    """Runs `--check` with a token, or without one. Returns its exit code, and what it prints."""

    def run(*, token: str = TOKEN) -> tuple[int, str]:
        if token:
            monkeypatch.setenv("AMBIT_TOKEN", token)
        code, printed = main(["--check"]), capsys.readouterr()
        assert printed.err == ""
        return code, printed.out

    return run


def test_check_of_a_fresh_folder_passes_and_leaves_no_database_behind(checked: Any, tmp_path: Path) -> None:
    code, said = checked()
    assert code == 0
    assert "no database yet" in said
    assert "Problem" not in said
    assert list(tmp_path.iterdir()) == []


def test_check_names_a_missing_token_and_looks_at_the_rest(checked: Any) -> None:
    code, said = checked(token="")
    assert code == 1
    assert "Problem: There is no token" in said
    assert "Database: " in said


def test_check_names_a_database_of_a_newer_version(checked: Any, tmp_path: Path) -> None:
    newer_database(tmp_path / "ambit.db")
    code, said = checked()
    assert code == 1
    assert "newer version" in said


def test_check_looks_at_an_older_database_as_it_will_be_brought_up_to_date(checked: Any, tmp_path: Path) -> None:
    (tmp_path / "ambit.db").touch()
    code, said = checked()
    assert code == 0
    assert "every open match can go on" in said
    assert (tmp_path / "ambit.db").stat().st_size == 0


def test_check_names_the_match_that_does_not_replay_and_changes_nothing(checked: Any, tmp_path: Path) -> None:
    path = tmp_path / "ambit.db"
    good, bad = asyncio.run(two_matches(fresh_file(path)))
    with changing(path) as connection:
        connection.execute("UPDATE log SET action = 'nonsense' WHERE match_id = ? AND ply = 0", (bad,))
    before = path.read_bytes()
    code, said = checked()
    assert code == 1
    assert f"Match {bad} " in said
    assert f"Match {good} " not in said
    assert path.read_bytes() == before


async def two_matches(url: str) -> tuple[int, int]:
    """Two running matches of the first game."""
    async with await Database.open(url) as database:
        host = Host(database)
        numbers = []
        for _ in range(2):
            key, game = next(iter(GAMES.items()))
            match = await host.lobby.open(NewMatch(key, channel_id=1), Person(UserId(1), "Ann"))
            for number in range(2, game.info.min_players + 1):
                match = await host.lobby.join(match.id, Person(UserId(number), f"P{number}"))
            if match.status is Status.LOBBY:
                match = await host.lobby.start(match.id, UserId(1))
            numbers.append(match.id)
    return numbers[0], numbers[1]


@pytest.mark.usefixtures("_no_settings")
async def test_check_brings_the_database_itself_up_to_date_only_where_it_is_told_to_and_no_bot_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "ambit.db"
    url = vacant(path)
    path.touch()
    monkeypatch.setenv("AMBIT_DATABASE", url)
    monkeypatch.setenv("AMBIT_TOKEN", TOKEN)
    monkeypatch.setattr("db.store.server_locks.ServerLocks.lag", timedelta())
    async with alone(url):
        assert await check(migrate=True) == 1
    assert "Problem: The database is in use: stop the bot first." in capsys.readouterr().out
    await raised(DatabaseError, Database.open(url, migrate=False), "nothing in this database")
    assert await check(migrate=True) == 0
    assert "The database has been brought up to date." in capsys.readouterr().out
    await (await Database.open(url, migrate=False)).close()


@of_sqlite
@pytest.mark.usefixtures("_no_settings")
async def test_check_says_whether_the_new_program_can_take_over_or_needs_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AMBIT_TOKEN", TOKEN)
    fresh(tmp_path / "old.db")
    with with_another(tmp_path, monkeypatch):
        await (await Database.open(f"sqlite+aiosqlite:///{tmp_path}/new.db")).close()
        for name, restart in (("old.db", True), ("new.db", False)):
            monkeypatch.setenv("AMBIT_DATABASE", f"sqlite+aiosqlite:///{tmp_path / name}")
            assert await check() == 0
            assert ("restart the bot for it" in capsys.readouterr().out) is restart


def test_what_belongs_to_check_is_refused_alone(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--migrate"])
    assert ended.value.code == 2
    assert "--migrate is a part of --check" in capsys.readouterr().err


# Commands on the whole database.


@pytest.mark.usefixtures("_no_settings")
def test_a_database_is_moved_and_it_is_said_what_to_set_now(capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(two_matches(fresh_file(Path("ambit.db"))))
    assert main(["--move-to", "sqlite+aiosqlite:///new.db"]) == 0
    old, new, told, rest = capsys.readouterr().out.split("\n")
    here = Path().absolute()
    assert old == f"Database: {here}/ambit.db (the default: AMBIT_DATABASE isn't set)"  # FOUND E5
    assert new == f"New database: {here}/new.db"
    assert told.startswith("Copied to the new database: matches 2, lines of their logs 4. Set AMBIT_DATABASE")
    assert rest == ""
    assert main(["--move-to", "sqlite+aiosqlite:///new.db"]) == 2
    assert "has to be an empty one" in the_sentence(2, capsys.readouterr().err)


@pytest.mark.usefixtures("_no_settings")
def test_what_is_stored_about_a_person_is_printed_and_deleted_beside_a_running_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    url = fresh(tmp_path / "ambit.db")
    monkeypatch.setenv("AMBIT_DATABASE", url)
    numbers = asyncio.run(two_matches(url))

    async def beside(*arguments: str) -> int:
        async with alone(url):
            return await asyncio.to_thread(main, arguments)

    assert asyncio.run(beside("--export", "1")) == 0
    printed = capsys.readouterr()
    assert [each["id"] for each in json.loads(printed.out)["matches"]] == list(numbers)
    assert printed.err.startswith("Database: ")
    assert asyncio.run(beside("--forget", "1")) == 0
    told = capsys.readouterr().out.splitlines()[-1]
    assert told == "Everything about 1 has been deleted; it was in 2 matches."
    assert asyncio.run(beside("--export", "1")) == 0
    again = json.loads(capsys.readouterr().out)
    assert (again["about"], again["matches"]) == ({}, [])
    assert main(["--forget", "1"]) == 0
    assert capsys.readouterr().out.endswith("no match named them.\n")


@pytest.mark.usefixtures("_no_settings")
@pytest.mark.parametrize("mode", ["--export", "--forget"])
def test_a_person_is_looked_for_only_in_a_database_that_is_there(mode: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([mode, "1"]) == EXIT_CHANGE
    assert capsys.readouterr().err.splitlines()[-1].endswith("There is no database at ambit.db.")
    assert not Path("ambit.db").exists()
    for wrong in ("Ann", "0", str(2**63)):
        with pytest.raises(SystemExit):
            main([mode, wrong])


SERVERS = {
    "--backup": "copied by pg_dump",
    "--restore": "put back by pg_restore, and then by bot.py --restored",
    "--move-to": "pg_dump, pg_restore",
    "--restored": "can't be reached",
}


@pytest.mark.usefixtures("_no_settings")
@pytest.mark.parametrize(("option", "words"), SERVERS.items())
def test_of_a_server_it_is_said_what_does_it_there(
    option: str, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AMBIT_DATABASE", NO_SERVER)
    code = EXIT_LATER if option == "--restored" else EXIT_CHANGE
    assert main([option] if option == "--restored" else [option, "postgres://elsewhere/ambit"]) == code
    printed = capsys.readouterr()
    assert words in the_sentence(code, printed.err, code)
    assert printed.out.splitlines()[0] == "Database: ambit at 127.0.0.1:1"


@pytest.mark.usefixtures("_no_settings")
def test_a_file_is_not_said_to_be_restored(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--restored"]) == 2
    assert "--restore FILE" in the_sentence(2, capsys.readouterr().err)
    assert not Path("ambit.db").exists()


@of_server
@pytest.mark.usefixtures("_no_settings")
def test_the_numbers_of_a_restored_server_are_moved_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    url = fresh(Path("ambit.db").resolve())
    monkeypatch.setenv("AMBIT_DATABASE", url)
    asyncio.run(two_matches(url))
    assert main(["--restored"]) == 0
    assert "\nThe next match is number 100003: " in capsys.readouterr().out


# When Discord gets the commands.


class OneMore(Ambit):
    """The bot with one more command."""

    async def add_cogs(self) -> None:
        await super().add_cogs()

        @self.tree.command(name="more", description="One more.")
        async def more(interaction: Any) -> None: ...


def times_told(env: simcord.Env) -> int:
    return sum(request.method == "PUT" and request.path.endswith("/commands") for request in env.http_requests)


async def test_discord_is_told_the_commands_only_when_they_have_changed(tmp_path: Path) -> None:
    url = fresh_file(tmp_path / "ambit.db")
    first = Ambit(database_url=url, shard_count=1)
    async with simcord.run(first, settle_timeout=AT_REST) as env:
        assert times_told(env) == 1
        await first.close()
        same = Ambit(database_url=url, shard_count=1)
        await env.restart_bot(same)
        assert times_told(env) == 1
        await same.close()
        changed = OneMore(database_url=url, shard_count=1)
        await env.restart_bot(changed)
        assert times_told(env) == 2
        await changed.close()


# FOUND W3


async def test_commands_that_another_program_has_replaced_come_back_at_the_next_start(tmp_path: Path) -> None:
    url = fresh_file(tmp_path / "ambit.db")
    first = Ambit(database_url=url, shard_count=1)
    async with simcord.run(first, settle_timeout=AT_REST) as env:
        there = env.backend.commands[None].values()
        ours = [{key: each[key] for key in each if key in COMMAND_FIELDS} for each in there]
        theirs = [{"type": 1, "name": "theirs", "description": "Not ours."}]
        changed = [{**command, "contexts": [0]} if command["name"] == "gambo" else command for command in ours]
        fewer = [command for command in ours if command["name"] != "help"]
        for count, replaced in enumerate((theirs, [*ours, *theirs], changed, fewer), 2):
            env.backend.register_commands(None, replaced)
            await env.bot.close()
            await env.restart_bot(Ambit(database_url=url, shard_count=1))
            assert times_told(env) == count
            assert {command["name"] for command in env.backend.commands[None].values()} == {
                command["name"] for command in ours
            }
        # The same in another order is the same, and an order is all that a list of commands has.
        env.backend.register_commands(None, ours[::-1])
        await env.bot.close()
        await env.restart_bot(Ambit(database_url=url, shard_count=1))
        assert times_told(env) == 5
        await env.bot.close()


# FOUND W3


@pytest.mark.parametrize(("method", "status", "code"), [("GET", 503, 0), ("GET", 403, 50001), ("PUT", 400, 30034)])
async def test_a_bot_starts_where_discord_does_not_tell_its_commands_or_takes_no_more_of_them_today(
    tmp_path: Path, method: str, status: int, code: int
) -> None:
    url = fresh_file(tmp_path / "ambit.db")
    first = Ambit(database_url=url, shard_count=1)
    async with simcord.run(first, settle_timeout=AT_REST) as env:
        await first.close()
        env.backend.register_commands(None, [])
        env.inject_error(method, "/applications/*/commands", status=status, code=code, times=None)
        await env.restart_bot(Ambit(database_url=url, shard_count=1))
        assert env.bot.is_ready()
        env.backend.faults.clear()
        await env.bot.close()
        await env.restart_bot(Ambit(database_url=url, shard_count=1))
        assert len(env.backend.commands[None]) > 5
        await env.bot.close()


async def test_a_process_without_the_first_shard_leaves_the_commands_to_the_one_that_has_it(tmp_path: Path) -> None:
    bot = Ambit(database_url=fresh_file(tmp_path / "ambit.db"), shard_count=2, shard_ids=[1])
    async with simcord.run(bot, settle_timeout=AT_REST) as env:
        assert times_told(env) == 0
        await bot.close()


async def test_a_bot_that_closes_before_it_reached_discord_leaves_no_task(tmp_path: Path) -> None:
    """A task that still waits is destroyed with its loop, which logs an error (`--check` did)."""
    async with Ambit(database_url=fresh_file(tmp_path / "ambit.db"), shard_count=1) as bot:
        await bot.open()
        await bot.add_cogs()
    # Tasks that are ending need a few turns of the loop.
    for _ in range(10):
        await asyncio.sleep(0)
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_commands_that_discord_did_not_take_are_told_again(tmp_path: Path) -> None:
    url = fresh_file(tmp_path / "ambit.db")
    bot = Ambit(database_url=url, shard_count=1)
    env = simcord.Env(bot, settle_timeout=AT_REST)
    env.inject_error("PUT", "/applications/*/commands", status=503)
    await raised(Exception, env.start(), "503")
    await bot.close()
    async with simcord.run(Ambit(database_url=url, shard_count=1), settle_timeout=AT_REST) as again:
        assert times_told(again) == 1
        await again.bot.close()


async def test_a_bot_that_stops_has_nothing_in_hand_any_more_and_one_that_is_refused_frees_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ServerLocks, "lag", timedelta(seconds=1))
    url = fresh(tmp_path / "ambit.db")

    async def in_hand() -> dict[tuple[int, ...], datetime]:
        async with await Database.open(url) as database:
            return await database.read(leases.leased, schema.outbox, bot.host.work.name)

    async with Ambit(database_url=url, shard_count=2, shard_ids=[1]) as bot:
        await bot.open()
        match = await bot.host.lobby.open(NewMatch("gambo", 1000, guild_id=1 << SHARD_BITS), Person(UserId(10), "Ann"))
        await bot.host.outbox.redraw_lobby(match.id)
        (row,) = await bot.host.outbox.claim()
        async with Ambit(database_url=url, shard_count=2, shard_ids=[1]) as twin:
            await raised(DatabaseError, twin.open(), "Another process carries shard 1")
        async with Ambit(database_url=url, shard_count=2, shard_ids=[0], without=("orders",)) as other:
            await raised(DatabaseError, other.open(), r"carries the shards 1 .* has AMBIT_WITHOUT set to nothing")
        assert list(await in_hand()) == [(row.id,)]
    assert await in_hand() == {}
    async with Ambit(database_url=url, shard_count=2, shard_ids=[0], without=("orders",)) as other:
        await other.open()


@of_sqlite
async def test_what_was_begun_until_a_bot_without_the_feature_took_over_ends_then(tmp_path: Path) -> None:
    url = fresh(tmp_path / "ambit.db")
    async with (
        Ambit(database_url=url, shard_count=1) as old,
        Ambit(database_url=url, shard_count=1, take_over=True, without=("appointments",)) as new,
    ):
        await old.open()
        opening = asyncio.create_task(new.open())
        while (asked := await old.handover.asked()) is None:
            pass
        await old.handover.go_to(Step.WILLING, asked)
        await opening
        shown = {"appointments": Appointment(appointed=old.host.now() + timedelta(days=1))}
        request = NewMatch("gambo", 1000, guild_id=1, shown=shown)
        match = await old.host.lobby.open(request, Person(UserId(10), "Ann"))
        assert await old.handover.pass_on(asked.token)
        assert await new.processes.take()
        await new._take_charge()
        assert (await new.host.look.match(match.id)).shown == {}


@of_server
async def test_a_bot_that_stops_since_another_carries_its_shards_frees_nothing_of_that_one(tmp_path: Path) -> None:
    url = fresh(tmp_path / "ambit.db")
    async with await Database.open(url) as database:
        async with Ambit(database_url=url, shard_count=2, shard_ids=[1]) as bot:
            await bot.open()
            match = await bot.host.lobby.open(
                NewMatch("gambo", 1000, guild_id=1 << SHARD_BITS), Person(UserId(10), "Ann")
            )
            await bot.host.outbox.redraw_lobby(match.id)
            await database.write(cut)
            await Processes(database, bot.host.work.shards).carry()
            (row,) = await Host(database, name=bot.host.work.name, shards=bot.host.work.shards).outbox.claim()
        assert list(await database.read(leases.leased, schema.outbox, bot.host.work.name)) == [(row.id,)]


@of_sqlite
async def test_a_bot_that_cannot_tell_the_store_what_it_lets_go_of_stops_all_the_same(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "ambit")
    async with Ambit(database_url=fresh_file(tmp_path / "ambit.db"), shard_count=2, shard_ids=[1]) as bot:
        await bot.open()
        with sqlite3.connect(tmp_path / "ambit.db") as other:
            other.execute("DROP TABLE outbox")
    assert "what is left in hand is free when its leases end" in caplog.text


def test_the_bot_asks_for_no_privileged_intent_and_mentions_nobody_by_itself() -> None:
    bot = Ambit()
    wanted = {"guilds", "guild_scheduled_events"}
    assert dict(bot.intents) == {name: name in wanted for name, _ in bot.intents}
    assert dict(bot.allowed_mentions.to_dict()) == {"parse": []}
