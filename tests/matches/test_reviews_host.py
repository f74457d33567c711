"""Reviews at the host: who may ask, who sees what, and what becomes of one if something ends in the middle."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from db import Database
from db.matches import retention, reviews
from matches.api import Busy, Host, ManualClock, Match, MatchId, NotAllowed, NotFound, Pruned, WrongTime
from matches.computers.pool import Computers
from matches.engine.workers import WorkerDied
from matches.host import reviews as reviewing
from tests.matches.tables import DAY, LEASE, PEOPLE, Seeds, dump, play, running, tellings

ANN, BOB, CLEO = (person.user_id for person in PEOPLE[:3])


async def ended(host: Host, game: str = "gambo", moves: int = 6, **request: Any) -> Match:
    """A match that somebody has resigned from after some moves, with all its news delivered."""
    match = await running(host, game, **request)
    rng = Random(moves)
    for _ in range(moves):
        match = await play(host, match, rng)
    match = await host.play.resign(match.id, ANN)
    await tellings(host, match.id)
    return match


async def reviewed(host: Host, match_id: MatchId) -> int:
    """Do all steps of a review. Returns how many there were."""
    steps = 0
    while match_id in await host.reviews.due(100):
        await host.reviews.go_on(match_id)
        steps += 1
    return steps


async def stored(host: Host, match_id: MatchId) -> Any:
    return await host.work.read(reviews.get, match_id)


async def test_a_review_grows_step_by_step_and_is_then_shown(host: Host) -> None:
    match = await ended(host)
    review = await host.reviews.ask(match.id, BOB)
    assert (review.finished, review.progress, review.ahead) == (False, 0, 0)
    assert not review.points
    await host.reviews.go_on(match.id)
    assert 0 < (await host.reviews.look(match.id, BOB)).progress < 1
    await reviewed(host, match.id)
    review = await host.reviews.look(match.id, BOB)
    assert review.finished
    assert review.unit == "point"
    assert len(review.points) > 4
    assert review.seat == next(seat.seat for seat in match.seats if seat.user_id == BOB)
    row = await stored(host, match.id)
    assert row.user_id is None
    assert row.finished_at == host.now()


async def test_only_finished_matches_are_reviewed(host: Host) -> None:
    match = await running(host, "gambo")
    with pytest.raises(WrongTime):
        await host.reviews.ask(match.id, ANN)
    await host.play.resign(match.id, ANN)
    with pytest.raises(WrongTime, match="Nobody has made a move"):
        await host.reviews.ask(match.id, ANN)
    with pytest.raises(NotFound):
        await host.reviews.ask(MatchId(999), ANN)
    with pytest.raises(NotFound):
        await host.reviews.look((await ended(host)).id, ANN)


async def test_games_that_cannot_be_reviewed_say_so(host: Host) -> None:
    match = await running(host, "saboteur", 3)
    rng = Random(1)
    for _ in range(3):
        match = await play(host, match, rng)
    for person in PEOPLE[:3]:
        match = await host.play.resign(match.id, person.user_id)
    with pytest.raises(NotAllowed, match="can't review Saboteur"):
        await host.reviews.ask(match.id, ANN)


async def test_one_review_a_person_at_a_time_and_equal_ones_once(host: Host) -> None:
    one, two = await ended(host), await ended(host)
    await host.reviews.ask(one.id, ANN)
    with pytest.raises(Busy, match=f"match {one.id}"):
        await host.reviews.ask(two.id, ANN)
    # The other player of the first match waits for the same review, and may ask for another one.
    before = await stored(host, one.id)
    assert not (await host.reviews.ask(one.id, BOB)).finished
    assert await stored(host, one.id) == before
    assert (await host.reviews.ask(two.id, BOB)).ahead == 1
    await reviewed(host, one.id)
    assert (await host.reviews.look(two.id, BOB)).ahead == 0
    three = await ended(host)
    assert not (await host.reviews.ask(three.id, ANN)).finished


async def test_moments_are_shown_to_nobody_but_the_seats_person(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    match = await ended(host, moves=10)
    await host.reviews.ask(match.id, ANN)
    await reviewed(host, match.id)
    row = await stored(host, match.id)
    # Let every survey and every look have found something.
    _, plan = await host.reviews._planned(match.id)
    results = {key: found for key, found in row.results.items() if key.startswith("outline")}
    for decision in plan.decisions:
        state, _ = plan.before(decision.ply)
        better = next(
            text
            for action in state.legal_actions(decision.seat)
            if (text := state.action_to_string(action)) != decision.text
        )
        results[f"survey {decision.ply} 0"] = [better, 0.5, False]
        for number in (1, 2):
            results[f"look {decision.ply} {number}"] = [0.4, 0.3, 5.0, 0.9, {}]
    await host.work.write(reviews.grow, match.id, results)
    for person, count in ((ANN, 1), (BOB, 1), (CLEO, 0)):
        review = await host.reviews.look(match.id, person)
        assert bool(review.own) == bool(count)
        seat = match.seat_of(person)
        assert all(own.moment.decision.seat == (seat and seat.seat) for own in review.own)
        assert all(own.seen.viewer == review.seat for own in review.own)
        assert all(own.played != own.better for own in review.own)


async def test_a_restart_goes_on_and_ends_with_the_same_bytes(database: Database, clock: ManualClock) -> None:
    whole = Host(database, clock, Seeds())
    match = await ended(whole)
    await whole.reviews.ask(match.id, ANN)
    await reviewed(whole, match.id)
    first = (await stored(whole, match.id)).results
    await whole.work.write(reviews.remove, match.id)
    await whole.reviews.ask(match.id, ANN)
    for _ in range(4):
        await Host(database, clock, Seeds()).reviews.go_on(match.id)
    fresh = Host(database, clock, Seeds())
    assert list(await fresh.reviews.due()) == [match.id]
    await reviewed(fresh, match.id)
    assert (await stored(fresh, match.id)).results == first


async def test_of_two_processes_one_works_on_a_review_until_its_lease_ends(
    database: Database, clock: ManualClock
) -> None:
    one, other = (Host(database, clock, Seeds(), name=name) for name in ("one", "other"))
    match = await ended(one)
    await one.reviews.ask(match.id, ANN)
    await one.reviews.go_on(match.id)
    before = await stored(one, match.id)
    assert await other.reviews.due() == ()
    await other.reviews.go_on(match.id)
    assert await stored(one, match.id) == before
    clock.advance(2 * LEASE + one.work.lease)
    assert await other.reviews.due() == (match.id,)
    await reviewed(other, match.id)
    assert (await one.reviews.look(match.id, ANN)).finished


async def test_another_version_of_judging_is_offered_and_begins_anew(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await ended(host)
    await host.reviews.ask(match.id, ANN)
    await reviewed(host, match.id)
    assert not (await host.reviews.look(match.id, ANN)).outdated
    monkeypatch.setattr(reviewing, "VERSION", 99)
    review = await host.reviews.ask(match.id, ANN)
    assert review.outdated
    assert review.finished
    review = await host.reviews.ask(match.id, ANN, again=True)
    assert (review.outdated, review.finished) == (False, False)
    await host.reviews.go_on(match.id)
    monkeypatch.setattr(reviewing, "VERSION", 100)
    await host.reviews.go_on(match.id)
    row = await stored(host, match.id)
    assert (row.version, len(row.results)) == (100, 1)


async def test_a_review_is_pruned_with_the_lines_even_while_it_runs(host: Host, clock: ManualClock) -> None:
    match = await ended(host)
    await host.reviews.ask(match.id, ANN)
    await host.reviews.go_on(match.id)
    clock.advance(DAY)
    await host.work.write(retention.prune, [(match.id, "0" * 64)])
    assert await stored(host, match.id) is None
    await host.reviews.go_on(match.id)
    with pytest.raises(Pruned):
        await host.reviews.look(match.id, ANN)
    with pytest.raises(Pruned):
        await host.reviews.ask(match.id, ANN)


async def test_who_is_forgotten_has_no_moments_any_more_and_the_review_goes_on(host: Host) -> None:
    match = await ended(host)
    await host.reviews.ask(match.id, BOB)
    await host.reviews.go_on(match.id)
    await host.privacy.forget_wholly(BOB)
    row = await stored(host, match.id)
    assert row.user_id is None
    assert row.finished_at is None
    await reviewed(host, match.id)
    review = await host.reviews.look(match.id, BOB)
    assert review.finished
    assert review.seat is None
    assert not review.own


async def test_a_review_names_nobody(host: Host, database: Database) -> None:
    match = await ended(host)
    await host.reviews.ask(match.id, BOB)
    await reviewed(host, match.id)
    (row,) = (await dump(database))["reviews"]
    text = repr(row)
    assert not any(str(person.user_id) in text.split("'") or person.name in text for person in PEOPLE[:2])


async def test_a_review_that_kills_every_worker_is_given_up(
    host: Host, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match = await ended(host)
    await host.reviews.ask(match.id, ANN)

    async def dies(*_: Any, **__: Any) -> Any:
        raise WorkerDied("2 processes were killed while they did this.")

    monkeypatch.setattr(Computers, "in_background", dies)
    await host.reviews.go_on(match.id)
    assert await stored(host, match.id) is None
    assert f"match {match.id}: its review was given up" in caplog.text
