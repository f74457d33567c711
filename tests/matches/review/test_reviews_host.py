"""Reviews at the host: who may ask, who sees what, and what becomes of one if something ends in the middle."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest
from sqlalchemy import insert

from db import Database
from db.matches import retention
from db.model import schema
from db.review import kept as reviews
from games.log import TABLE
from matches.analysis.progress import VERSIONS
from matches.api import Busy, Frozen, Host, ManualClock, Match, MatchId, NotAllowed, NotFound, Pruned, UserId, WrongTime
from matches.computers.pool import Computers
from matches.engine.workers import WorkerDied
from matches.review import Reviews, reviewing
from tests.matches.tables import DAY, LEASE, PEOPLE, Seeds, dump, play, running, sql, tellings

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
    while match_id in await host.part(Reviews).due(100):
        await host.part(Reviews).go_on(match_id)
        steps += 1
    return steps


async def stored(host: Host, match_id: MatchId) -> Any:
    return await host.work.read(reviews.get, match_id)


async def test_a_review_grows_step_by_step_and_is_then_shown(host: Host) -> None:
    match = await ended(host)
    review = await host.part(Reviews).ask(match.id, BOB)
    assert (review.finished, review.progress, review.ahead) == (False, 0, 0)
    assert not review.points
    await host.part(Reviews).go_on(match.id)
    assert 0 < (await host.part(Reviews).look(match.id, BOB)).progress < 1
    await reviewed(host, match.id)
    review = await host.part(Reviews).look(match.id, BOB)
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
        await host.part(Reviews).ask(match.id, ANN)
    await host.play.resign(match.id, ANN)
    with pytest.raises(WrongTime, match="Nobody has made a move"):
        await host.part(Reviews).ask(match.id, ANN)
    with pytest.raises(NotFound):
        await host.part(Reviews).ask(MatchId(999), ANN)
    with pytest.raises(NotFound):
        await host.part(Reviews).look((await ended(host)).id, ANN)


async def test_games_that_cannot_be_reviewed_say_so(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    match = await ended(host)
    monkeypatch.setattr(reviewing, "VERSIONS", {"ambush": 1})
    with pytest.raises(NotAllowed, match="can't review Gambo"):
        await host.part(Reviews).ask(match.id, ANN)


async def saboteur_ended(host: Host, moves: int) -> Match:
    """A match of three in Saboteur that everybody has resigned from after some moves, in the middle of a round."""
    match = await running(host, "saboteur", 3)
    rng = Random(1)
    for _ in range(moves):
        match = await play(host, match, rng)
    for person in PEOPLE[:3]:
        match = await host.play.resign(match.id, person.user_id)
    return match


async def test_saboteur_is_reviewed_by_rounds(host: Host) -> None:
    match = await saboteur_ended(host, 12)
    await host.part(Reviews).ask(match.id, ANN)
    assert await reviewed(host, match.id) == 2, "a round, and the end"
    for person, seated in ((ANN, True), (PEOPLE[3].user_id, False)):
        review = await host.part(Reviews).look(match.id, person)
        assert review.finished
        assert not review.points
        assert not review.story
        (story,) = review.rounds
        assert len(story.plies) == 12
        # Nobody has turned up the roles of a round that wasn't played to its end.
        assert story.parts == story.winners == ""
        assert (review.seat is not None) is seated


async def test_rules_that_somebody_broke_are_shown_to_nobody_else(host: Host) -> None:
    match = await saboteur_ended(host, 12)
    await host.part(Reviews).ask(match.id, ANN)
    await reviewed(host, match.id)
    row = await stored(host, match.id)
    _, plan = await host.part(Reviews)._planned(match.id)
    (key,) = row.results
    odds, believed, _ = row.results[key]
    faults = []
    for decision in plan.decisions:
        state, _ = plan.before(decision.ply)
        texts = (state.action_to_string(action) for action in state.legal_actions(decision.seat))
        better = next(text for text in texts if text != decision.text)
        faults.append([list(decision), "thrown", better, 0.3, 1, 1, {}])
    await host.work.write(reviews.grow, match.id, {key: [odds, believed, faults]})
    for person in PEOPLE[:4]:
        review = await host.part(Reviews).look(match.id, person.user_id)
        seat = match.seat_of(person.user_id)
        assert len(review.own) == (3 if seat else 0)
        assert all(seat and own.moment.decision.seat == seat.seat == own.own.before.viewer for own in review.own)
        assert review.moments == review.own, "its round wasn't played to its end"


async def test_one_review_a_person_at_a_time_and_equal_ones_once(host: Host) -> None:
    one, two = await ended(host), await ended(host)
    await host.part(Reviews).ask(one.id, ANN)
    with pytest.raises(Busy, match=f"match {one.id}"):
        await host.part(Reviews).ask(two.id, ANN)
    # The other player of the first match waits for the same review, and may ask for another one.
    before = await stored(host, one.id)
    assert not (await host.part(Reviews).ask(one.id, BOB)).finished
    assert await stored(host, one.id) == before
    assert (await host.part(Reviews).ask(two.id, BOB)).ahead == 1
    await reviewed(host, one.id)
    assert (await host.part(Reviews).look(two.id, BOB)).ahead == 0
    three = await ended(host)
    assert not (await host.part(Reviews).ask(three.id, ANN)).finished


async def test_everybody_asks_at_once_and_each_match_is_reviewed_once_in_its_turn(host: Host) -> None:
    matches = [await ended(host) for _ in range(3)]
    people = [person.user_id for person in PEOPLE[:3]]
    asked = [(match, person) for match, person in zip(matches, people, strict=True) for _ in range(4)]
    found = await asyncio.gather(*(host.part(Reviews).ask(match.id, person) for match, person in asked))
    assert not any(review.finished for review in found)
    due = await host.part(Reviews).due(100)
    assert sorted(due) == sorted(match.id for match in matches)
    places = [(await host.part(Reviews).look(match_id, ANN)).ahead for match_id in due]
    assert places == [0, 1, 2]
    # Whoever asks for a review that somebody else waits for shares it, at its place in the queue.
    assert (await host.part(Reviews).ask(due[2], people[0])).ahead == 2
    steps = await reviewed(host, due[0])
    assert await reviewed(host, due[0]) == 0
    assert steps == len((await stored(host, due[0])).results) + 1, "no step was done twice"
    assert [(await host.part(Reviews).look(match_id, ANN)).ahead for match_id in due[1:]] == [0, 1]


# FOUND D11
async def test_servers_take_turns_however_many_accounts_of_one_wait(host: Host) -> None:
    """Many accounts of one server have a review each. Then an honest person of another server asks."""
    accounts = [1000 + number for number in range(8)]
    crowd = [await ended(host, moves=1, guild_id=7) for _ in accounts]
    honest, private, again = [await ended(host, moves=1, guild_id=server) for server in (8, None, 8)]
    for match, account in zip(crowd, accounts, strict=True):
        await host.part(Reviews).ask(match.id, UserId(account))
    assert (await host.part(Reviews).ask(honest.id, ANN)).ahead == 1
    assert (await host.part(Reviews).ask(private.id, BOB)).ahead == 2
    assert (await host.part(Reviews).ask(again.id, CLEO)).ahead == 4, "the second of that server, in the second round"
    assert (await host.part(Reviews).look(crowd[-1].id, ANN)).ahead == 10
    assert await host.part(Reviews).due(4) == (crowd[0].id, honest.id, private.id, crowd[1].id)
    # Whoever has their data deleted, to ask once more, leaves nothing behind which others wait.
    for account in accounts[1:]:
        await host.privacy.forget_wholly(UserId(account))
    assert (await host.part(Reviews).look(again.id, CLEO)).ahead == 3
    assert (await host.part(Reviews).ask(crowd[5].id, UserId(accounts[5]))).ahead == 3, "the second of that server"
    assert (await host.part(Reviews).look(crowd[6].id, ANN)).ahead > 4


async def test_a_log_of_two_thousand_lines_takes_no_more_steps_than_its_decisions(
    database: Database, clock: ManualClock
) -> None:
    host = Host(database, clock, Seeds())
    match = await ended(host)
    more = [
        {
            "match_id": match.id,
            "ply": ply,
            "player": TABLE,
            "at": clock.now(),
            "action": ("computer 0 easy", "return 0")[ply % 2],
        }
        for ply in range(match.ply, 2000)
    ]
    await database.write(lambda connection: connection.execute(insert(schema.log), more) and None)
    await sql(database, "UPDATE matches SET ply = 2000 WHERE id = :m", m=match.id)
    fresh = Host(database, clock, Seeds())
    await fresh.part(Reviews).ask(match.id, ANN)
    _, plan = await fresh.part(Reviews)._planned(match.id)
    assert len(plan.lines) == 2000
    assert len(plan.kept) < 20
    steps = await reviewed(fresh, match.id)
    assert steps <= 2 + 3 * len(plan.decisions)
    assert (await fresh.part(Reviews).look(match.id, ANN)).finished


async def test_a_match_by_older_rules_is_refused_and_a_review_in_the_middle_is_given_up(
    database: Database, clock: ManualClock
) -> None:
    host = Host(database, clock, Seeds())
    match = await ended(host)
    await host.part(Reviews).ask(match.id, ANN)
    await host.part(Reviews).go_on(match.id)
    await sql(database, "UPDATE matches SET rules_version = 0 WHERE id = :m", m=match.id)
    upgraded = Host(database, clock, Seeds())
    assert await upgraded.part(Reviews).due() == (match.id,)
    await upgraded.part(Reviews).go_on(match.id)
    assert await stored(upgraded, match.id) is None
    assert await upgraded.part(Reviews).due() == ()
    for request in (upgraded.part(Reviews).ask(match.id, ANN), upgraded.part(Reviews).look(match.id, ANN)):
        with pytest.raises(Frozen, match="can no longer be shown"):
            await request
    # The program that knows these rules is back.
    await sql(database, "UPDATE matches SET rules_version = 1 WHERE id = :m", m=match.id)
    restored = Host(database, clock, Seeds())
    await restored.part(Reviews).ask(match.id, ANN)
    await reviewed(restored, match.id)
    assert (await restored.part(Reviews).look(match.id, ANN)).finished


async def test_moments_are_shown_to_nobody_but_the_seats_person(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    match = await ended(host, moves=10)
    await host.part(Reviews).ask(match.id, ANN)
    await reviewed(host, match.id)
    row = await stored(host, match.id)
    # Let every survey and every look have found something.
    _, plan = await host.part(Reviews)._planned(match.id)
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
            results[f"look {decision.ply} {number}"] = [0.4, 0.3, 5.0, 0.9, {"gain": [0.0, 4.0]}]
    await host.work.write(reviews.grow, match.id, results)
    for person, count in ((ANN, 1), (BOB, 1), (CLEO, 0)):
        review = await host.part(Reviews).look(match.id, person)
        assert bool(review.own) == bool(count)
        seat = match.seat_of(person)
        assert all(own.moment.decision.seat == (seat and seat.seat) for own in review.own)
        assert all(own.own.before.viewer == review.seat for own in review.own)
        assert all(own.own.line.action != own.better for own in review.own)
        assert {each.moment.decision.seat for each in review.moments} - {review.seat} <= {0, 1}
        assert all(each in review.own or each.number for each in review.moments)


async def test_a_restart_after_every_step_goes_on_and_ends_with_the_same_bytes(
    database: Database, clock: ManualClock
) -> None:
    whole = Host(database, clock, Seeds())
    match = await ended(whole)
    await whole.part(Reviews).ask(match.id, ANN)
    await reviewed(whole, match.id)
    first = (await stored(whole, match.id)).results
    await whole.work.write(reviews.remove, match.id)
    await whole.part(Reviews).ask(match.id, ANN)
    steps = 0
    while list(await (fresh := Host(database, clock, Seeds())).part(Reviews).due()) == [match.id]:
        await fresh.part(Reviews).go_on(match.id)
        steps += 1
    assert steps > 6
    assert (await stored(fresh, match.id)).results == first


async def test_of_two_processes_one_works_on_a_review_until_its_lease_ends(
    database: Database, clock: ManualClock
) -> None:
    one, other = (Host(database, clock, Seeds(), name=name) for name in ("one", "other"))
    match = await ended(one)
    await one.part(Reviews).ask(match.id, ANN)
    await one.part(Reviews).go_on(match.id)
    before = await stored(one, match.id)
    assert await other.part(Reviews).due() == ()
    await other.part(Reviews).go_on(match.id)
    assert await stored(one, match.id) == before
    clock.advance(2 * LEASE + one.work.lease)
    assert await other.part(Reviews).due() == (match.id,)
    await reviewed(other, match.id)
    assert (await one.part(Reviews).look(match.id, ANN)).finished


async def test_another_version_of_judging_is_offered_and_begins_anew(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await ended(host)
    await host.part(Reviews).ask(match.id, ANN)
    await reviewed(host, match.id)
    assert not (await host.part(Reviews).look(match.id, ANN)).outdated
    monkeypatch.setitem(VERSIONS, "gambo", 99)
    review = await host.part(Reviews).ask(match.id, ANN)
    assert review.outdated
    assert review.finished
    review = await host.part(Reviews).ask(match.id, ANN, again=True)
    assert (review.outdated, review.finished) == (False, False)
    await host.part(Reviews).go_on(match.id)
    monkeypatch.setitem(VERSIONS, "gambo", 100)
    await host.part(Reviews).go_on(match.id)
    row = await stored(host, match.id)
    assert (row.version, len(row.results)) == (100, 1)


async def test_a_review_is_pruned_with_the_lines_even_while_it_runs(host: Host, clock: ManualClock) -> None:
    match = await ended(host)
    await host.part(Reviews).ask(match.id, ANN)
    await host.part(Reviews).go_on(match.id)
    clock.advance(DAY)
    await host.work.write(retention.prune, [(match.id, "0" * 64)])
    assert await stored(host, match.id) is None
    await host.part(Reviews).go_on(match.id)
    with pytest.raises(Pruned):
        await host.part(Reviews).look(match.id, ANN)
    with pytest.raises(Pruned):
        await host.part(Reviews).ask(match.id, ANN)


async def test_who_is_forgotten_has_no_moments_any_more_and_the_review_goes_on(host: Host) -> None:
    match = await ended(host)
    await host.part(Reviews).ask(match.id, BOB)
    await host.part(Reviews).go_on(match.id)
    await host.privacy.forget_wholly(BOB)
    row = await stored(host, match.id)
    assert row.user_id is None
    assert row.finished_at is None
    await reviewed(host, match.id)
    review = await host.part(Reviews).look(match.id, BOB)
    assert review.finished
    assert review.seat is None
    assert not review.own


async def test_a_review_names_nobody(host: Host, database: Database) -> None:
    match = await ended(host)
    await host.part(Reviews).ask(match.id, BOB)
    await reviewed(host, match.id)
    (row,) = (await dump(database))["reviews"]
    text = repr(row)
    assert not any(str(person.user_id) in text.split("'") or person.name in text for person in PEOPLE[:2])


async def test_a_review_that_kills_every_worker_is_given_up(
    host: Host, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    match = await ended(host)
    await host.part(Reviews).ask(match.id, ANN)

    async def dies(*_: Any, **__: Any) -> Any:
        raise WorkerDied("2 processes were killed while they did this.")

    monkeypatch.setattr(Computers, "in_background", dies)
    await host.part(Reviews).go_on(match.id)
    assert await stored(host, match.id) is None
    assert f"match {match.id}: its review was given up" in caplog.text


async def test_a_resignation_is_no_turning_point(host: Host) -> None:
    match = await ended(host)
    await host.part(Reviews).ask(match.id, BOB)
    await reviewed(host, match.id)
    review = await host.part(Reviews).look(match.id, BOB)
    assert review.points[-1].leads != review.points[-2].leads
    assert all(each.moment.decision.ply < review.points[-2].ply for each in review.moments)
