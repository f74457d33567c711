"""How the command line ends, whatever happens: FOUND E4 (what the code says) and E6 (never by a traceback).

`test_bot.py` covers Discord and settings. Here are the disk, the database, and what somebody can type.
"""

import errno
import os
import re
import signal
import sqlite3
import ssl
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import asyncpg
import pytest
from sqlalchemy.exc import OperationalError

import db.store.postgres
import db.store.sqlite
from bot import main
from cogs.press.custom_ids import id_in, is_id
from cogs.preview.world import NAMES
from cogs.process.arguments import MOST_MEMBERS, MOST_USER, VERSION
from cogs.process.environment import Settings
from cogs.process.exits import EXIT_CHANGE, EXIT_INTERRUPTED, EXIT_LATER, of_database
from db import DatabaseError
from db.store.addresses import address_of, place_of
from db.upkeep import backup
from matches.api import NotAllowed
from matches.host.operating import LONGEST
from tests.cogs.test_secrets import logged
from tests.store import fresh, fresh_file, of_sqlite
from tests.test_bot import TOKEN, newer_database, surroundings, the_sentence
from tests.wire.bot_process import BotProcess, Nursery
from tests.wire.discord_standin import Discord

ROOT = Path(__file__).parent.parent

OUT_OF_ROOM = """
import resource, signal, sys
sys.path.insert(0, {root!r})
import bot
resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
sys.exit(bot.main(sys.argv[1:]))
"""
"""The command line on a disk that takes at most this many bytes in a file."""


def run_without_room(folder: Path, size: int, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", OUT_OF_ROOM.format(root=str(ROOT), size=size), *arguments],
        cwd=folder,
        env=surroundings(TOKEN=TOKEN, DATABASE=f"sqlite+aiosqlite:///{folder}/ambit.db"),
        capture_output=True,
        text=True,
        timeout=60,
    )


# The code of each failure.


@of_sqlite
def test_a_full_disk_at_the_start_may_have_room_later(tmp_path: Path) -> None:
    ended = run_without_room(tmp_path, 4096)
    assert "disk" in the_sentence(ended.returncode, ended.stderr, EXIT_LATER).lower()


@of_sqlite
@pytest.mark.parametrize("size", [0, 40_960], ids=["no room at all", "none for the copy"])
def test_a_check_that_finds_no_room_for_its_copy_says_so_and_can_be_repeated(tmp_path: Path, size: int) -> None:
    fresh_file(tmp_path / "ambit.db")
    ended = run_without_room(tmp_path, size, "--check")
    sentences = ended.stdout + ended.stderr
    assert "Traceback" not in sentences
    assert "older version" not in sentences
    assert ("couldn't be copied" in ended.stdout) is (size > 0)
    assert re.fullmatch(r"[^\n]+\.\n", ended.stderr)
    assert ended.returncode == EXIT_LATER


ENDINGS: dict[tuple[str, ...], dict[str, int]] = {
    (): {"junk": EXIT_CHANGE, "nowhere": EXIT_CHANGE},
    ("--take-over",): {"junk": EXIT_CHANGE, "nowhere": EXIT_CHANGE},
    ("--check",): {"junk": 1, "nowhere": 1, "good": 0},
    ("--check", "--migrate"): {"junk": 1, "nowhere": 1, "good": 0},
    ("--status",): {"junk": EXIT_CHANGE, "nowhere": 1, "good": 1},
    ("--restored",): {"junk": EXIT_CHANGE, "nowhere": EXIT_CHANGE, "good": EXIT_CHANGE},
    **{
        arguments: {"junk": EXIT_CHANGE, "nowhere": EXIT_CHANGE, "good": 0}
        for arguments in (
            *(("--backup", "copy.db"), ("--restore", "good.db"), ("--move-to", "sqlite+aiosqlite:///new.db")),
            *(("--export", "1"), ("--forget", "1")),
            *(("--pause",), ("--resume",), ("--announce", "x"), ("--leave", "1"), ("--bar", "1"), ("--unbar", "1")),
        )
    },
}
"""How each command ends on a file that is no database, in a folder that isn't there, and on a database."""


# FOUND B5
@of_sqlite
@pytest.mark.parametrize("arguments", ENDINGS, ids=" ".join)
def test_every_command_ends_with_its_code_and_leaves_no_thread(
    arguments: tuple[str, ...], nothing_set: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The threads of the file aren't daemons: one that is left keeps the process from ending."""
    fresh(nothing_set / "good.db")
    (nothing_set / "junk.db").write_text("Dear diary, nothing happened. " * 100)
    monkeypatch.setenv("AMBIT_TOKEN", TOKEN)
    before = set(threading.enumerate())
    for name, code in ENDINGS[arguments].items():
        file = nothing_set / ("nowhere/a.db" if name == "nowhere" else f"{name}.db")
        monkeypatch.setenv("AMBIT_DATABASE", f"sqlite+aiosqlite:///{file}")
        with logged():
            assert main([*arguments]) == code, name
        left = [thread for thread in threading.enumerate() if thread not in before and not thread.daemon]
        for thread in left:
            thread.join(60)
        assert not any(thread.is_alive() for thread in left), name


def test_every_command_is_among_these(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    options = set(re.findall(r"^  (--[a-z-]+)", capsys.readouterr().out, re.MULTILINE))
    # These don't look at a database of theirs; `--preview` is stopped by signals in `test_preview.py`.
    assert options - {"--version", "--env", "--members", "--port", "--preview"} == {
        each for arguments in ENDINGS for each in arguments if each.startswith("--")
    }


@contextmanager
def kept_locked(path: Path) -> Iterator[None]:
    """Another program that lets nobody even read the store."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        other.execute("CREATE TABLE theirs (id INTEGER)")
        yield


INTERRUPTED = (("--export", "1"), ("--forget", "1"), ("--status",))
"""Commands that aren't done if Ctrl+C ends them. `0` would say that they are."""


# FOUND B5
@of_sqlite
@pytest.mark.parametrize(
    ("number", "arguments"),
    [(None, ("--backup", "copy.db")), (signal.SIGTERM, ()), *((signal.SIGINT, each) for each in INTERRUPTED)],
)
async def test_a_command_ends_while_its_transaction_waits_for_a_lock(
    number: signal.Signals | None, arguments: tuple[str, ...], tmp_path: Path, nursery: Nursery
) -> None:
    """By itself, after the time that a lock is waited for; also if it is told to stop in the middle."""
    bot = BotProcess(Discord(), tmp_path, nursery, AMBIT_LOG_LEVEL="warning", AMBIT_TOKEN=TOKEN)
    fresh(bot.database)
    with kept_locked(bot.database):
        try:
            await bot.start(*arguments, connect=False)
            await bot.discord.until(lambda: not bot.alive or has_open(bot.pid, bot.database))
            if number is not None:
                os.kill(bot.pid, number)
            code = await bot.gone()
        finally:
            await bot.close()
    assert "Traceback" not in bot.log()
    if number is signal.SIGINT and code == EXIT_INTERRUPTED:
        assert "locked" not in bot.log()
    else:
        # On a busy machine the lock can be given up just before the interrupt arrives.
        assert code == EXIT_LATER
        assert "locked" in bot.log()


def has_open(pid: int, file: Path) -> bool:
    """Whether this process has the file open."""
    with suppress(OSError):
        return any(each.resolve() == file for each in Path(f"/proc/{pid}/fd").iterdir())
    return False


OF_SQLITE = {
    "database is locked": EXIT_LATER,
    "database or disk is full": EXIT_LATER,
    "disk I/O error": EXIT_LATER,
    "unable to open database file": EXIT_CHANGE,
    "attempt to write a readonly database": EXIT_CHANGE,
    "database disk image is malformed": EXIT_CHANGE,
    "file is not a database": EXIT_CHANGE,
}


@pytest.mark.parametrize(("words", "code"), OF_SQLITE.items())
def test_what_passes_on_a_disk_is_told_from_what_somebody_has_to_mend(words: str, code: int) -> None:
    cause = sqlite3.OperationalError(words)
    cause.sqlite_errorcode = sqlite3.SQLITE_ERROR
    assert of_database(db.store.sqlite._fault(OperationalError("SELECT", None, cause), False)).code == code


OF_A_SERVER = {
    "08006": EXIT_LATER,  # connection failure
    "25006": EXIT_LATER,  # a standby, which may become the primary
    "53100": EXIT_LATER,  # disk full
    "53300": EXIT_LATER,  # too many connections
    "55P03": EXIT_LATER,  # lock not available
    "57014": EXIT_LATER,  # took too long
    "57P01": EXIT_LATER,  # shutting down
    "57P03": EXIT_LATER,  # starting up
    "58030": EXIT_LATER,  # disk error
    "28P01": EXIT_CHANGE,  # wrong password
    "3D000": EXIT_CHANGE,  # no such database
    "42501": EXIT_CHANGE,  # not the owner
    "XX001": EXIT_CHANGE,  # damaged
}


@pytest.mark.parametrize(("state", "code"), OF_A_SERVER.items())
def test_what_passes_at_a_server_is_told_from_what_somebody_has_to_mend(state: str, code: int) -> None:
    cause = asyncpg.PostgresError("words")
    cause.sqlstate = state
    assert of_database(db.store.postgres._fault("host:1", cause, False)).code == code


UNREACHED = [
    (OSError(errno.ECONNREFUSED, "Connect call failed ('10.0.0.1', 1)"), "Connection refused", EXIT_LATER),
    (OSError(errno.ENETUNREACH, "x"), "Network is unreachable", EXIT_LATER),
    (TimeoutError(), "doesn't answer", EXIT_LATER),
    (asyncpg.exceptions.TargetServerAttributeNotMatched("x"), "target_session_attrs", EXIT_LATER),
    (asyncpg.exceptions.ClientConfigurationError("secret"), "an option in its address", EXIT_CHANGE),
    (ssl.SSLCertVerificationError(1, "x"), "host:1", EXIT_CHANGE),
]


@pytest.mark.parametrize(("cause", "words", "code"), UNREACHED)
def test_a_server_out_of_reach_is_named_with_the_cause(cause: Exception, words: str, code: int) -> None:
    """FOUND E7."""
    error = of_database(db.store.postgres._fault("host:1", cause, False), "ambit at host:1")
    assert words in str(error)
    assert "host:1" in str(error)
    assert "secret" not in str(error)
    assert error.code == code


# Which database is meant.

ADDRESSES = {
    "sqlite+aiosqlite:///{here}/a.db": "{here}/a.db",
    "sqlite+aiosqlite:///a.db?timeout=5": "{here}/a.db",
    "postgres://me:secret@db.example.org/ambit": "ambit at db.example.org:5432",
    "postgresql+asyncpg://me:secret@/ambit?host=one:1&host=two:2&password=secret": "ambit at one:1, two:2",
    "postgresql://me:secret@[::1]:5433/ambit?sslmode=require": "ambit at ::1:5433",
    "postgresql+asyncpg:///ambit?host=/run/postgresql": "ambit at /run/postgresql",
}


@pytest.mark.parametrize(("address", "place"), ADDRESSES.items())
def test_every_address_is_named_without_its_password(
    address: str, place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """FOUND E5."""
    monkeypatch.chdir(tmp_path)
    assert place_of(address.format(here=tmp_path)) == place.format(here=tmp_path)


@pytest.fixture
def nothing_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in, and an environment without settings."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.upper().startswith("AMBIT_")]:
        monkeypatch.delenv(name)
    return tmp_path


@of_sqlite
def test_the_command_line_and_the_service_mean_the_same_database(
    nothing_set: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """FOUND E5: a file that the service reads can be given to every mode, too."""
    data = nothing_set / "data"
    data.mkdir()
    fresh_file(data / "ambit.db")
    (nothing_set / "ambit.env").write_text(
        f"AMBIT_TOKEN={TOKEN}\nAMBIT_DATABASE=sqlite+aiosqlite:///{data}/ambit.db?timeout=9\n"
    )
    env, place = ("--env", "ambit.env"), f"Database: {data}/ambit.db\n"
    for arguments, code in ((["--check"], 0), (["--backup", "copy.db"], 0), (["--restore", "copy.db"], 0)):
        assert main([*arguments, *env]) == code
        assert place in capsys.readouterr().out
    assert main(["--restored", *env]) == EXIT_CHANGE
    assert capsys.readouterr().out == place
    assert sorted(each.name for each in nothing_set.iterdir()) == ["ambit.env", "copy.db", "data"]


@of_sqlite
def test_a_restore_needs_to_be_told_where_and_a_wrong_setting_leads_nowhere(
    nothing_set: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """FOUND E5."""
    fresh_file(nothing_set / "copy.db")
    assert main(["--restore", "copy.db"]) == EXIT_CHANGE
    assert "AMBIT_DATABASE isn't set" in capsys.readouterr().err
    assert not Path("ambit.db").exists()
    Path("ambit.db").touch()
    monkeypatch.setenv("AMBIT_SHARD_COUNT", "many")
    assert main(["--check", "--migrate"]) == 1
    assert "wasn't looked at" in capsys.readouterr().out
    assert Path("ambit.db").stat().st_size == 0


@of_sqlite
def test_a_copy_of_a_newer_version_is_not_restored(tmp_path: Path) -> None:
    """FOUND E6."""
    newer_database(tmp_path / "copy.db")
    with pytest.raises(DatabaseError, match="newer version"):
        backup.restore(f"sqlite+aiosqlite:///{tmp_path}/ambit.db", tmp_path / "copy.db")
    assert not (tmp_path / "ambit.db").exists()


@of_sqlite
async def test_whatever_root_makes_beside_a_database_belongs_to_the_folders_owner(tmp_path: Path) -> None:
    """FOUND E5: a restore as root leaves nothing that the service's user can't open."""
    folder = tmp_path / "data"
    folder.mkdir()
    if os.geteuid() == 0:
        os.chown(folder, 65534, 65534)
    owner = (folder.stat().st_uid, folder.stat().st_gid)
    fresh_file(tmp_path / "copy.db")
    url = f"sqlite+aiosqlite:///{folder}/ambit.db"
    for _ in range(2):
        backup.restore(url, tmp_path / "copy.db")
    async with db.alone(url):
        found = {each.name: (each.stat().st_uid, each.stat().st_gid) for each in folder.iterdir()}
    assert found == dict.fromkeys(("ambit.db", "ambit.db.before-restore-1", "ambit.db.shards"), owner)


def test_a_password_on_the_command_line_is_refused_and_a_setting_takes_its_place(
    nothing_set: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """FOUND E7."""
    fresh_file(nothing_set / "ambit.db")
    for address in ("postgres://me:secret@127.0.0.1:1/new", "postgres://127.0.0.1:1/new?user=me&password=secret"):
        assert main(["--move-to", address]) == EXIT_CHANGE
        printed = capsys.readouterr()
        assert "AMBIT_MOVE_TO" in printed.err
        assert "secret" not in printed.out + printed.err
        monkeypatch.setenv("AMBIT_MOVE_TO", address)
        assert main(["--move-to"]) == EXIT_LATER
        printed = capsys.readouterr()
        assert "New database: new at 127.0.0.1:1\n" in printed.out
        assert "127.0.0.1:1 can't be reached (Connection refused)" in printed.err
        assert "secret" not in printed.out + printed.err
        monkeypatch.delenv("AMBIT_MOVE_TO")
    assert main(["--move-to"]) == EXIT_CHANGE
    assert "Say where to" in capsys.readouterr().err


# Whatever somebody can type.

WORDS = ["-1", "99999999999999999999", "9" * 5000, "1e9", " ", "ä", "\udcff", "a" * 300, "/nowhere/x", "%(x)s{0}"]
"""Bad values for anything."""

BAD_ADDRESSES = [
    *("sqlite://", "sqlite+aiosqlite:///:memory:", "sqlite:///", "sqlite://ambit.db", "sqlite:///a.db?uri=many"),
    *("sqlite:///file::memory:?uri=true", "sqlite+nodriver:///a.db", "mysql://localhost/a", "ambit.db", "://"),
    *("postgres://u:secret@h:99999/a", "postgres://h:many/a", "postgres://h/a?port=0", "postgres://h/a?loop=1"),
    *("postgres://h/a?host=x&host=y", "postgres://h/a?prepared_statement_cache_size=x", "postgres://[::1/a"),
    *("postgres://u:secret@127.0.0.1:1/a?ssl=bogus", "postgres://127.0.0.1:1/a?statement_cache_size=0"),
    "sqlite:////" + "a" * 300 + "/x.db",
]


def bad_values(setting: str) -> list[str]:
    return WORDS + (BAD_ADDRESSES if setting in ("DATABASE", "MOVE_TO") else [])


@pytest.mark.parametrize("setting", [name.upper() for name in Settings.model_fields])
def test_no_value_of_a_setting_ends_in_a_traceback(
    setting: str, nothing_set: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Sets ten bad values and more in the environment, for commands that read it and then look at the database."""
    for value in bad_values(setting):
        monkeypatch.setenv(f"AMBIT_{setting}", value)
        code = main(["--move-to"] if setting == "MOVE_TO" else ["--restored"])
        printed = capsys.readouterr()
        assert code in (EXIT_CHANGE, EXIT_LATER), value
        assert re.fullmatch(r"[^\n]+[.?]\n", printed.err), (value, printed.err)
        assert "Traceback" not in printed.err
        assert "secret" not in printed.out + printed.err


TOO_LONG = [letter * (LONGEST + 1) for letter in "abcd.<@ä😀\udcff"]
BAD_PEOPLE = ["", "0", "-1", str(MOST_USER + 1), "1.5", "9" * 5000, "x", " ", "\udcff", "<@1>"]
OPTIONS = {
    "--backup": ["", "/", ".", "/nowhere/x", "a" * 300, "\udcff/x", "/dev/null", "/dev/full", "a/b", "/proc/x"],
    "--restore": ["", "/", ".", "/nowhere/x", "a" * 300, "\udcff", "/dev/null", "/proc/self/mem", "a/b", "text"],
    "--env": ["", "/", ".", "/nowhere/x", "a" * 300, "\udcff", "a/b", "/proc/self/mem", "latin-1", "unknown"],
    "--members": ["", "0", "-1", str(MOST_MEMBERS + 1), "1.5", "9" * 5000, "x", " ", "\udcff", "1e3"],
    "--port": ["", "99999", "65536", "-1", "1.5", "9" * 5000, "x", " ", "\udcff", "1e3"],
    "--move-to": ["x", *BAD_ADDRESSES],
    "--export": BAD_PEOPLE,
    "--forget": BAD_PEOPLE,
    **dict.fromkeys(("--leave", "--bar", "--unbar"), BAD_PEOPLE),
    **dict.fromkeys(("--pause", "--announce"), TOO_LONG),
}


@pytest.mark.parametrize("option", OPTIONS)
def test_no_value_of_an_option_ends_in_a_traceback(
    option: str, nothing_set: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AMBIT_DATABASE", fresh_file(nothing_set / "ambit.db"))
    Path("text").write_text("Dear diary")
    Path("latin-1").write_bytes(b"AMBIT_TOKEN=\xff")
    Path("unknown").write_text("AMBIT_DATABSE=x\n")
    mode = ["--preview"] if option in ("--members", "--port") else ["--restored"] if option == "--env" else []
    for value in OPTIONS[option]:
        try:
            code = main([*mode, f"{option}={value}"])
        except SystemExit as ended:  # argparse
            code = int(str(ended.code))
        printed = capsys.readouterr()
        assert code in (EXIT_CHANGE, EXIT_LATER), value
        assert printed.err.endswith((".\n", "?\n")) or "error: argument" in printed.err, (value, printed.err)
        assert "Traceback" not in printed.err
    assert len(OPTIONS[option]) >= 10


def test_each_hand_says_what_follows_and_another_command_sees_it(
    nothing_set: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AMBIT_DATABASE", fresh_file(nothing_set / "ambit.db"))
    for arguments, said in (
        (["--pause", "Tea."], "No new tables open from now on."),
        (["--status"], "No new tables open: paused (Tea.) for "),
        (["--pause"], "No new tables open from now on."),
        (["--status"], "No new tables open: paused for "),
        (["--resume"], "New tables open again."),
        (["--resume"], "New tables open already."),
        (["--announce", "Back at 8."], "The next board that each match posts in 3 days carries that once."),
        (["--announce", ""], "No board carries an announcement any more."),
        (["--leave", "7"], "The bot leaves the server 7 within seconds, if it's there."),
        (["--bar", "10"], "10 can't open or join matches any more, on any server."),
        (["--unbar", "10"], "10 can play again."),
        (["--unbar", "10"], "10 isn't barred everywhere."),
    ):
        assert main(arguments) == (1 if arguments == ["--status"] else 0)
        assert said in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["--pause", "--resume"])


def test_every_option_that_takes_a_value_is_among_these(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    assert set(re.findall(r"^  (--[a-z-]+) \[?[A-Z]", capsys.readouterr().out, re.MULTILINE)) == set(OPTIONS)


def test_an_address_that_is_read_twice_is_the_same() -> None:
    for address in ADDRESSES:
        once = address_of(address)
        assert address_of(once.render_as_string(hide_password=False)) == once


@of_sqlite
async def test_the_log_says_which_version_starts_where_what_was_migrated_and_that_it_stops(
    tmp_path: Path, nursery: Nursery
) -> None:
    async with Discord() as discord:
        bot = BotProcess(discord, tmp_path, nursery, AMBIT_LOG_LEVEL="info")
        await bot.start()
        assert (await bot.stop())[0] == 0
    assert f"Ambit {VERSION} starts on the database {tmp_path}/ambit.db\n" in bot.log()
    assert f"Ambit {VERSION} stops: it was told to\n" in bot.log()
    assert "schema" not in bot.log()


def test_the_version_is_that_of_the_project_and_the_preview_has_so_many_names() -> None:
    assert f'\nversion = "{VERSION}"\n' in (ROOT / "pyproject.toml").read_text("utf-8")
    assert len(NAMES) == MOST_MEMBERS


@pytest.mark.parametrize("text", ["", "x", "-1", str(2**63), "9" * 90, "１２", "²"])
def test_a_number_that_nobody_can_have_given_is_no_id(text: str) -> None:
    """FOUND E6: forged ids in buttons and mentions never reach the store."""
    assert not is_id(text)
    assert is_id(str(2**63 - 1))
    with pytest.raises(NotAllowed):
        id_in(text)
