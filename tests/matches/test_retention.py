"""What is kept for a while only: it goes in small steps, and what has to stay stays."""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest

from db import Database
from matches import Host, ManualClock, Match, NewMatch, Stale, retention
from matches.retention import PRESSES_KEPT, REST
from tests.matches.tables import CHANNEL, PEOPLE, dump, mover_view, play_on, running, sql

ANN, BOB = PEOPLE[:2]
A_MINUTE = timedelta(minutes=1)
PRESS = 2**60
"""The numbers of interactions rise, as Discord's do."""


async def all_done(host: Host) -> None:
    while await host.run_due():
        pass


async def presses(database: Database) -> list[int]:
    """The numbers of interactions that the logs hold, rising."""
    rows = (await dump(database))["log"]
    return sorted(row[-1] for row in rows if row[-1] is not None)


async def act(host: Host, match: Match, press: int) -> Match:
    """Some move of whoever is to move."""
    view = await mover_view(host, match)
    assert match.mover is not None
    assert match.mover.user_id is not None
    return await host.play.act(match.id, match.mover.user_id, view.moves[0].text, ply=view.ply, interaction_id=press)


# The numbers of interactions.


async def test_an_interaction_is_known_for_a_day_and_then_forgotten(
    host: Host, database: Database, clock: ManualClock
) -> None:
    match = await running(host, "gambo", pace="none")
    first = await act(host, match, PRESS)
    clock.advance(PRESSES_KEPT - A_MINUTE)
    later = await act(host, first, PRESS + 1)
    await all_done(host)
    before = await dump(database)
    assert await host.play.act(match.id, ANN.user_id, "junk", ply=match.ply, interaction_id=PRESS) == later
    assert await dump(database) == before

    clock.advance(2 * A_MINUTE)
    await all_done(host)
    assert await presses(database) == [PRESS + 1]
    # A board that old has long been another's: the ply tells.
    assert match.mover is not None
    with pytest.raises(Stale):
        await act_on(host, match, PRESS)


async def act_on(host: Host, match: Match, press: int) -> Match:
    """What was pressed on the board of `match`, as it stood then."""
    assert match.mover is not None
    assert match.mover.user_id is not None
    return await host.play.act(match.id, match.mover.user_id, "junk", ply=match.ply, interaction_id=press)


async def test_the_numbers_of_many_interactions_go_in_small_steps(
    host: Host, database: Database, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retention, "PRESSES_AT_ONCE", 2)
    match = await running(host, "gambo", pace="none")
    for press in range(PRESS, PRESS + 5):
        match = await act(host, match, press)
    clock.advance(PRESSES_KEPT + A_MINUTE)
    match = await act(host, match, PRESS + 5)
    left = []
    while chores := await host.retention.due():
        await host.retention.go_on(chores[0])
        left.append(len(await presses(database)))
    assert left == [4, 2, 1]


async def test_the_presses_that_count_in_the_draws_are_never_forgotten(
    host: Host, database: Database, clock: ManualClock
) -> None:
    match = await host.lobby.open(NewMatch("saboteur", CHANNEL, pace="none"), ANN, PRESS)
    for number, person in enumerate(PEOPLE[1:3], 1):
        match = await host.lobby.join(match.id, person, PRESS + number)
    match = await host.lobby.start(match.id, ANN.user_id, PRESS + 3)
    over = await play_on(host, await act(host, match, PRESS + 4), Random(1))
    clock.advance(PRESSES_KEPT + A_MINUTE)
    await all_done(host)
    assert await presses(database) == []
    assert (await host.look.match(over.id)).pressed == (f"join-{PRESS + 1}", f"join-{PRESS + 2}", f"start-{PRESS + 3}")
    assert (await host.look.verify(over.id)).ok


async def test_the_store_is_asked_for_old_things_now_and_then_only(
    host: Host, database: Database, clock: ManualClock
) -> None:
    await act(host, await running(host, "gambo", pace="none"), PRESS)
    assert await host.retention.due() == ()
    await sql(database, "UPDATE log SET at = 0")
    assert await host.retention.due() == ()
    clock.advance(REST)
    assert await host.retention.due() != ()
    # A clock that was set back shortens no rest for long.
    clock.advance(-timedelta(days=3))
    assert await host.retention.due() != ()
