"""A store is moved in the middle of play, to a server if the tests have one, and back: nobody notices."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from db import Database
from db.matches import numbers
from db.upkeep.moving import move
from games import GAMES
from matches.api import Host, ManualClock, Match, MatchId, Status
from tests.matches.tables import PEOPLE, Seeds, dump, lobby, play_on, running, tellings
from tests.matches.tables import numbers as numbers_of
from tests.store import fresh


def file(path: Path) -> str:
    return f"sqlite+aiosqlite:///{path}"


@pytest.fixture
def new(tmp_path: Path) -> str:
    """The address of an empty store, on the server if there is one."""
    return fresh(tmp_path / "new.db")


async def everything(host: Host, match: Match) -> list[Any]:
    """Everything that people at the table, or beside it, can see."""
    found: list[Any] = []
    for user_id in (None, *(seat.user_id for seat in match.seats if seat.user_id is not None)):
        view = await host.look.view(match.id, user_id)
        found += [view, await host.look.history(match.id, user_id)]
    return found


async def test_a_match_of_every_game_is_moved_in_mid_play_and_back_and_goes_on(
    tmp_path: Path, new: str, clock: ManualClock
) -> None:
    old, back = file(tmp_path / "old.db"), file(tmp_path / "back.db")
    known: dict[int, list[Any]] = {}
    async with await Database.open(old) as database:
        host = Host(database, clock, Seeds())
        for game in GAMES:
            match = await running(host, game, GAMES[game].info.min_players, guild_id=5)
            match = await play_on(host, match, Random(game), lambda match: match.ply >= 15)
            known[match.id] = await everything(host, match)
        waiting = await lobby(host, "saboteur", 3)
        before, given = await dump(database), await database.read(numbers.last_given)
    for source, target in ((old, new), (new, back)):
        counts = await move(source, target)
        assert counts == {name: len(rows) for name, rows in before.items()}
        async with await Database.open(target, migrate=False) as database:
            host = Host(database, clock, Seeds("new"))
            assert await dump(database) == before
            assert await database.read(numbers.last_given) == given
            for number, seen in known.items():
                assert await everything(host, await host.look.match(MatchId(number))) == seen
    async with await Database.open(back) as database:
        host = Host(database, clock, Seeds("new"))
        for number in known:
            match = await play_on(host, await host.look.match(MatchId(number)), Random(number))
            assert match.status is Status.OVER
            assert (await host.look.verify(MatchId(number))).ok
        assert (await lobby(host, "ambush")).id == given["matches"] + 1
        await tellings(host)
        await host.lobby.start(waiting.id, PEOPLE[0].user_id)
        assert min(numbers_of(await tellings(host, waiting.id))) > given["outbox"]
