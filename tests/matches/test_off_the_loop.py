"""Long logs are replayed off the event loop, so that nobody else waits for a person who looks at one."""

import asyncio
import sys
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from random import Random
from types import FrameType
from typing import Any

import pytest

from db import Database
from games.log import Course
from matches.api import Host, ManualClock, Match, MatchId, Status
from matches.work.positions import LINES_ON_LOOP
from tests.matches.tables import PEOPLE, Hosted, Seeds, play_on, running, true_position

ANN = PEOPLE[0].user_id


@contextmanager
def replayed_here() -> Iterator[list[int]]:
    """Records the numbers of the lines that this thread, the loop's, replays."""
    found: list[int] = []

    def note(frame: FrameType, what: str, _: Any) -> None:
        if what == "call" and frame.f_code is Course.after.__code__:
            found.append(frame.f_locals["line"].ply)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(before)


async def long_one(host: Host, *, until: int | None = None) -> Match:
    """A match with a long log, over unless it should go on after this many lines."""
    match = await running(host, "saboteur", 3)
    match = await play_on(host, match, Random(1), lambda match: until is not None and match.ply >= until)
    assert match.ply > LINES_ON_LOOP
    return match


ASKING: dict[str, Callable[[Host, int], Coroutine[Any, Any, Any]]] = {
    "view": lambda host, number: host.look.view(MatchId(number), ANN),
    "history": lambda host, number: host.look.history(MatchId(number), ANN),
    "replay": lambda host, number: host.look.replay(MatchId(number), ANN),
    "verify": lambda host, number: host.look.verify(MatchId(number)),
}


@pytest.mark.parametrize("name", ASKING)
async def test_whoever_looks_at_a_long_match_that_is_not_in_memory_delays_nobody(host: Hosted, name: str) -> None:
    match = await long_one(host)
    assert match.status is Status.OVER
    warm = await ASKING[name](host, match.id)
    with replayed_here() as lines:
        cold = await ASKING[name](Host(host.database, host.clock), match.id)
    assert len(lines) <= LINES_ON_LOOP
    if name != "view":
        assert cold == warm


async def test_neither_does_who_plays_on_in_one(host: Host, database: Database, clock: ManualClock) -> None:
    match = await long_one(host, until=100)
    assert match.status is Status.RUNNING
    assert match.mover.user_id is not None
    later = Host(database, clock, Seeds())
    text = (await host.look.view(match.id, match.mover.user_id)).moves[0].text
    with replayed_here() as lines:
        after_it = await later.play.act(match.id, match.mover.user_id, text)
    assert after_it.ply > match.ply
    assert len(lines) <= LINES_ON_LOOP


async def test_of_many_who_look_at_a_long_match_after_a_start_one_replays_it(host: Hosted) -> None:
    match = await long_one(host)
    later = Host(host.database, host.clock)
    await asyncio.gather(*(later.look.view(match.id, None) for _ in range(10)))
    positions = await asyncio.gather(*(true_position(later, match.id) for _ in range(10)))
    assert len(set(map(id, positions))) == 1


async def test_the_loops_own_replaying_is_noticed(host: Host) -> None:
    match = await long_one(host)
    replay = await host.look.replay(match.id, ANN)
    with replayed_here() as lines:
        assert len(list(replay.shown())) == match.ply
    assert lines == list(range(match.ply))
