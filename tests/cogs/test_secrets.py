"""What nobody may read in the process's log: no seed, no deal, no hand, no action, whatever fails."""

import asyncio
import io
import logging
import random
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from cogs import log_format
from db import Database
from db.model import schema
from games.core import CHANCE
from games.log import TABLE, LogError
from matches.api import MatchId, Status
from tests.cogs.table import TICK, Table, entropy, labels, table
from tests.failing import Failing, failing_once, of_the_disk, of_the_program
from tests.process_log import log_as_before
from tests.store import fresh

HANDED = ("abissal", "saboteur")
TURNS = 400
TRIES = 30

T = TypeVar("T")


@contextmanager
def logged(shards: Sequence[int] = (), *, as_json: bool = False) -> Iterator[io.StringIO]:
    """Everything that the process logs meanwhile at the level DEBUG."""
    root, said = logging.getLogger(), io.StringIO()
    with log_as_before():
        before = list(root.handlers)
        log_format.set_up("DEBUG", of_libraries=logging.WARNING, shards=shards, as_json=as_json)
        (handler,) = [each for each in root.handlers if each not in before]
        assert isinstance(handler, logging.StreamHandler)
        handler.setStream(said)
        yield said


async def stored_actions(room: Table) -> list[str]:
    """The actions of players and chance in the store."""
    rows = schema.log.select().where(schema.log.c.player != TABLE)
    found = await room.bot.database.read(lambda connection: connection.execute(rows).fetchall())
    assert any(row.player == CHANCE for row in found)
    return [row.action for row in found]


def check(said: str, actions: list[str]) -> None:
    """Search the log. A short action may be part of any word; a deal, or one of its lists of cards, isn't."""
    parts = {part for action in actions for part in (action, *action.split()) if len(part) > 4 and not part.isalpha()}
    assert parts
    assert not [part for part in parts if part in said]
    assert entropy(32).hex() not in said
    assert repr(entropy(32))[2:-1] not in said


async def asked(failing: Failing, question: Awaitable[T]) -> T:
    """Query the store for the test itself; this never fails."""
    failing.paused = True
    try:
        return await question
    finally:
        failing.paused = False


async def opened(room: Table, game: str, failing: Failing) -> MatchId:
    """The number of a table that the first person opens, with as many tries as it takes."""
    opener = room.people[0]
    for _ in range(TRIES):
        await opener.slash(room.channel, f"{game} new")
        found = await asked(failing, room.bot.host.look.matches_of(opener.id))
        if found:
            # If something has failed between the table and its post, that comes a moment later.
            while not any("Join" in labels(message) for message in room.channel.history()):
                await room.env.advance_time(TICK)
            return found[0].id
    raise AssertionError("no table could be opened")


# Disk failures become sentences before they reach the log, so these long runs reveal less.
@pytest.mark.parametrize("fault", [pytest.param(of_the_disk, marks=pytest.mark.soak), of_the_program])
@pytest.mark.parametrize(
    "game", [game if game == "saboteur" else pytest.param(game, marks=pytest.mark.soak) for game in HANDED]
)
async def test_the_log_names_nothing_secret_when_each_statement_of_a_match_fails_once(
    tmp_path: Path, game: str, fault: Callable[[Any], Exception]
) -> None:
    rng = random.Random(5)
    with logged() as said:
        async with table(tmp_path / "ambit.db", 3) as room, failing_once(fault) as failing:
            number = await opened(room, game, failing)
            for _ in range(TRIES):
                match = await asked(failing, room.bot.host.look.match(number))
                if match.status is Status.RUNNING:
                    break
                lobby = room.latest("Join")
                for person in room.people:
                    if match.seat_of(person.id) is None:
                        await person.click(lobby, label="Join")
                if "Start" in labels(room.refreshed(lobby)):
                    await room.people[0].click(lobby, label="Start")
            for _ in range(TURNS):
                match = await asked(failing, room.bot.host.look.match(number))
                if match.status is Status.OVER:
                    break
                assert match.mover.user_id is not None
                view = await asked(failing, room.bot.host.look.view(match, match.mover.user_id))
                person = room.person(match.mover.user_id)
                await person.slash(room.channel, f"{game} play", match=number, move=rng.choice(view.moves).text)
                await room.env.advance_time(TICK)
            assert match.status is Status.OVER
            actions = await asked(failing, stored_actions(room))
    struck = " ".join(failing.failed)
    for begins in ("INSERT INTO log", "INSERT INTO matches", "UPDATE matches", "INSERT INTO outbox"):
        assert begins in struck
    assert ("disk" if fault is of_the_disk else "ValueError") in said.getvalue()
    check(said.getvalue(), actions)


async def test_an_exception_says_in_the_log_where_it_was_raised_and_nothing_that_it_was_made_of() -> None:
    secret = "deal NSW|NS,ESW|map"
    with logged() as said:
        try:
            try:
                raise LogError(f"Line 5 (5 c {secret}) can't be replayed: no.")
            except LogError as error:
                raise KeyError(secret) from error
        except KeyError as error:
            logging.getLogger("cogs.press.boundary").exception("error %s: %s", "1a2b3c", error)
            logging.getLogger("ambit").error(error)
        sys.excepthook(ValueError, ValueError(secret), None)

        async def fails() -> None:
            raise ExceptionGroup(secret, [ValueError(secret)])

        (failed,) = await asyncio.gather(fails(), return_exceptions=True)
        asyncio.get_running_loop().call_exception_handler({"message": "nobody asked", "exception": failed})
    found = said.getvalue()
    assert "NSW" not in found
    for kept in ("games.log.LogError", "KeyError", "ValueError", "ExceptionGroup", "1a2b3c", "test_secrets.py"):
        assert kept in found


async def test_what_the_network_and_the_store_say_stays_in_the_log(tmp_path: Path) -> None:
    with logged() as said:
        try:
            raise ConnectionResetError("the line is dead")
        except ConnectionResetError as error:
            logging.getLogger("ambit").warning("again soon: %s", error)
    assert "the line is dead" in said.getvalue()


async def test_no_statement_that_fails_names_what_it_was_given(tmp_path: Path) -> None:
    async with await Database.open(fresh(tmp_path / "ambit.db")) as database:
        with pytest.raises(Exception) as caught:  # noqa: PT011 (whatever it is)
            await database.write(lambda c: c.execute(text("SELECT :hand FROM nowhere"), {"hand": "NSW|NS"}) and None)
    errors = [caught.value, caught.value.__cause__]
    assert isinstance(errors[1], DBAPIError)
    assert not [error for error in errors if "NSW" in str(error)]
