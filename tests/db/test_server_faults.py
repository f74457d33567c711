"""A server fails, or the network to it: every failure is a sentence that claims no more than is known."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.engine import make_url

from db import Database, DatabaseError
from db.store import meta
from tests.proxy import Proxy
from tests.store import fresh, of_server, outsider

pytestmark = of_server

SOON = timedelta(milliseconds=100)
SENTENCE = re.compile(r"[A-Z][^\n]*[^.]\.")


@pytest.fixture
async def proxy(path: Path) -> AsyncIterator[Proxy]:
    async with Proxy(fresh(path)) as proxy:
        yield proxy


@pytest.fixture
async def far(proxy: Proxy, url: str) -> AsyncIterator[Database]:
    """The store beyond the proxy."""
    async with await Database.open(proxy.address(url)) as database:
        yield database


async def fault(database: Database, work: Callable[[Connection], Any], *, writes: bool = True) -> DatabaseError:
    with pytest.raises(DatabaseError) as raised:
        await (database.write if writes else database.read)(work)
    assert SENTENCE.fullmatch(str(raised.value)), str(raised.value)
    return raised.value


async def reading(database: Database) -> str | None:
    return await database.read(meta.get, "key")


def put(value: str) -> Callable[[Connection], None]:
    return lambda connection: meta.put(connection, "key", value)


def look(connection: Connection) -> str | None:
    return meta.get(connection, "key")


# The network.


async def test_connections_that_were_cut_while_nobody_used_them_are_nobodys_trouble(
    proxy: Proxy, far: Database
) -> None:
    await asyncio.gather(*(reading(far) for _ in range(30)))
    for value in ("one", "two"):
        await proxy.cut()
        await far.write(meta.put, "key", value)
        await proxy.cut()
        assert await reading(far) == value


async def test_a_commit_whose_answer_is_lost_is_said_to_be_uncertain_for_it_is_kept(
    proxy: Proxy, far: Database
) -> None:
    proxy.cut_at_commits(1)
    error = await fault(far, put("kept"))
    assert error.uncertain
    assert "connection" in str(error)
    assert await reading(far) == "kept"


async def test_whoever_only_reads_does_not_notice_that_an_answer_is_lost(proxy: Proxy, far: Database) -> None:
    await far.write(meta.put, "key", "value")
    proxy.cut_at_commits(1)
    assert await reading(far) == "value"
    assert proxy.cut_commits == 1


async def test_a_server_that_is_away_is_told_at_once_and_asked_again_by_whoever_comes_next(
    proxy: Proxy, far: Database, url: str
) -> None:
    await proxy.refuse()
    for writes in (True, False):
        error = await fault(far, look, writes=writes)
        assert re.fullmatch(r"The database server at \S+ can't be reached \(.+\)\.", str(error))  # FOUND E7
        assert (error.uncertain, error.passes) == (False, True)
    with pytest.raises(DatabaseError, match="can't be reached"):
        await Database.open(proxy.address(url))
    await proxy.listen()
    await far.write(meta.put, "key", "value")
    assert await reading(far) == "value"


@pytest.mark.soak
async def test_a_server_that_says_nothing_is_not_waited_for_without_end(proxy: Proxy, far: Database) -> None:
    await asyncio.gather(*(reading(far) for _ in range(30)))
    proxy.be_silent()
    errors = await asyncio.gather(fault(far, put("one")), *(fault(far, look, writes=False) for _ in range(20)))
    assert not any(error.uncertain for error in errors)
    await proxy.listen()
    assert await reading(far) is None
    await far.write(meta.put, "key", "two")
    assert await reading(far) == "two"


# The server. The test raises its errors about a full disk, or a start.


def saying(state: str) -> Callable[[Connection], object]:
    """Work that the server interrupts with this SQLSTATE."""
    raised = text(f"DO $$ BEGIN RAISE EXCEPTION 'secret' USING ERRCODE = '{state}'; END $$")
    return lambda connection: connection.execute(raised)


@pytest.mark.parametrize(
    ("state", "words", "passes"),
    [
        ("53100", "disk of the database server is full", False),
        ("53200", "out of room", False),
        ("53300", "no connection left", True),
        ("57P03", "starting or stopping", True),
        ("40001", "in each other's way", True),
        ("40P01", "in each other's way", True),
        ("58030", "couldn't read or write its disk", False),
        ("25006", "can only be read", False),
        ("42501", "isn't allowed", False),
        ("XX001", "fault of its own", False),
        ("P0001", "SQLSTATE P0001", False),
    ],
)
async def test_what_a_server_says_is_a_sentence_and_is_certain(
    database: Database, state: str, words: str, passes: bool
) -> None:
    error = await fault(database, saying(state))
    assert words in str(error)
    assert "secret" not in str(error)
    assert (error.transient, error.uncertain) == (passes, False)
    await database.write(meta.put, "key", "value")


async def test_a_commit_that_the_server_itself_refuses_has_certainly_kept_nothing(database: Database) -> None:
    def full(connection: Connection) -> None:
        for statement in (
            "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'full' USING ERRCODE = '53100'; END $$",
            "CREATE CONSTRAINT TRIGGER full_disk AFTER INSERT ON meta DEFERRABLE INITIALLY DEFERRED "
            "FOR EACH ROW EXECUTE FUNCTION full_disk()",
        ):
            connection.execute(text(statement))

    await database.write(full)
    error = await fault(database, put("lost"))
    assert "full" in str(error)
    assert not error.uncertain
    assert await reading(database) is None


async def test_a_server_that_stops_ends_a_transaction_with_a_sentence(database: Database) -> None:
    def end(connection: Connection) -> None:
        meta.put(connection, "key", "lost")
        connection.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))

    error = await fault(database, end)
    assert "stopping" in str(error)
    assert (error.transient, error.uncertain) == (True, False)
    assert await reading(database) is None


async def test_what_another_program_keeps_locked_is_waited_for_no_longer_than_that(path: Path, url: str) -> None:
    async with await Database.open(fresh(path), busy_timeout=SOON) as database:
        await database.write(meta.put, "key", "one")
        with outsider(path) as other:
            other.lock()
            error = await fault(database, put("two"))
            assert "in use by another program" in str(error)
            assert (error.transient, error.uncertain) == (True, False)
            assert await reading(database) == "one"
            other.let_go()
        await database.write(meta.put, "key", "two")


async def test_a_server_without_a_connection_left_is_a_sentence_and_soon_over(database: Database, url: str) -> None:
    user = make_url(url).database
    assert user is not None

    def few(connection: Connection) -> None:
        connection.execute(text(f"CREATE ROLE {user} LOGIN CONNECTION LIMIT 1"))
        connection.execute(text(f"GRANT ALL ON ALL TABLES IN SCHEMA public TO {user}"))

    def gone(connection: Connection) -> None:
        connection.execute(text(f"DROP OWNED BY {user}"))
        connection.execute(text(f"DROP ROLE {user}"))

    await database.write(few)
    address = make_url(url).set(username=user).render_as_string(hide_password=False)
    async with await Database.open(address, migrate=False) as poor:
        results = await asyncio.gather(*(reading(poor) for _ in range(3)), return_exceptions=True)
        refused = [str(result) for result in results if result is not None]
        assert refused
        assert set(refused) == {"The database server has no connection left; please try again."}
        assert await reading(poor) is None
    await database.write(gone)


@pytest.mark.parametrize(("part", "words"), [("username", "user or password"), ("database", "no such database")])
async def test_a_wrong_address_is_a_sentence(url: str, part: str, words: str) -> None:
    changed: dict[str, Any] = {part: "nobody_knows_this"}
    wrong = make_url(url).set(**changed)
    with pytest.raises(DatabaseError, match=words):
        await Database.open(wrong.render_as_string(hide_password=False))
