"""The attacks of `test_ladder_weights.py` as lives at stored tables: the second accounts leave on their first turn."""

from __future__ import annotations

from datetime import timedelta
from itertools import combinations
from random import Random

import pytest

from matches.api import Host, ManualClock, Match, NewMatch, Person, Status, Terms
from matches.ratings import Ratings
from matches.ratings.ladder import FROM_FEW, FROM_NEW
from matches.ratings.model import MU
from matches.table.play import computers_turn
from matches.table.value import Table
from tests.matches.ratings.test_ratings import GUILD
from tests.matches.tables import CHANNEL, PEOPLE

# FOUND D1

MAIN, *FEEDERS = PEOPLE[:6]


async def next_turn(host: Host, match: Match) -> Match:
    """The first legal action of the player to move, stored as theirs."""
    _, course = await host.work.position(match)
    state, mover = course.state, match.mover
    assert mover is not None
    text = state.action_to_string(state.legal_actions(state.current_player)[0])
    if mover.present and mover.user_id is not None:
        return await host.play.act(match.id, mover.user_id, text)

    def played(table: Table) -> Table:
        return computers_turn(table, mover, text)

    return (await host.work.change(match.id, played)).match


async def fed(host: Host, winner: Person, *losers: Person, game: str = "ambush", deletes: bool = False) -> Match:
    """A rated match that all of `losers` leave at their first turn, and that goes on to its end."""
    terms = Terms(size=1 + len(losers))
    match = await host.lobby.open(NewMatch(game, CHANNEL, terms, guild_id=GUILD), winner)
    for loser in losers:
        match = await host.lobby.join(match.id, loser)
    if match.status is Status.LOBBY:
        match = await host.lobby.start(match.id, winner.user_id)
    while match.status is Status.RUNNING:
        mover = match.mover
        assert mover is not None
        if mover.present and mover.user_id is not None and mover.user_id != winner.user_id:
            match = await host.play.depart(match.id, mover.user_id)
        else:
            match = await next_turn(host, match)
    if deletes:
        for loser in losers:
            await host.privacy.forget(loser.user_id)
    return match


async def rating(host: Host, match: Match, person: Person = MAIN) -> float | None:
    """The rating that a match has given somebody, ``None`` if it wasn't rated."""
    found = {change.person: change.number for change in await host.part(Ratings).changes(match.id)}
    return found.get(person.user_id)


@pytest.mark.parametrize("deletes", [False, True])
async def test_a_second_account_that_leaves_on_its_first_turn_gains_no_more_than_one_that_loses(
    host: Host, clock: ManualClock, deletes: bool
) -> None:
    ratings = []
    for _ in range(40):
        ratings.append(await rating(host, await fed(host, MAIN, FEEDERS[0], deletes=deletes)))
        clock.advance(timedelta(hours=5))
    gained = [number - MU for number in ratings if number is not None]
    assert len(gained) < len(ratings), "the day's abort isn't rated, nor is a match in which they move first"
    assert 20 < max(gained) <= FROM_NEW


async def test_a_ring_of_six_whose_accounts_leave_on_their_first_turn_gains_under_150_points(
    host: Host, clock: ManualClock
) -> None:
    rng, strongest = Random(1), MU
    pairs = [*combinations((MAIN, *FEEDERS), 2)]
    for _ in range(45):
        pairs += [(MAIN, rng.choice(FEEDERS)), (*rng.sample(FEEDERS, 2),)]
    for winner, loser in pairs:
        number = await rating(host, await fed(host, winner, loser))
        strongest = max(strongest, number if number is not None and winner == MAIN else MU)
        clock.advance(timedelta(hours=3))
    assert 50 < strongest - MU <= FROM_FEW


async def test_tables_of_six_of_which_five_leave_on_their_first_turn_gain_under_150_points(
    host: Host, clock: ManualClock
) -> None:
    gained = []
    for _ in range(4):
        number = await rating(host, await fed(host, MAIN, *FEEDERS, game="saboteur"))
        gained += [] if number is None else [number - MU]
        clock.advance(timedelta(hours=3))
    assert 0 < max(gained) <= FROM_FEW
