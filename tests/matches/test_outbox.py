"""News (P3, P4, P7, P26, P28): which rows, in which order, for whom, and never lost or doubled."""

from collections import Counter
from contextlib import suppress
from datetime import timedelta
from random import Random
from typing import Any

import pytest

from db import Database
from games import GAMES
from games.core import Stage, State
from matches.api import BoardPost, HandPost, Host, Kind, ManualClock, Match, NotFound, Status, Telling, UserId
from matches.table.news import WATCHED_EVERY
from tests.matches.tables import (
    LEASE,
    PEOPLE,
    Hosted,
    digging,
    dump,
    kinds,
    lobby,
    mover_view,
    play,
    play_on,
    run_due,
    running,
    tellings,
    true_position,
    watched,
)

BOARD, HAND, SECRETS, END, LOBBY, VOTE = Kind.BOARD, Kind.HAND, Kind.SECRETS, Kind.END, Kind.LOBBY, Kind.VOTE
ROUND = Kind.ROUND
REFRESH = Kind.REFRESH
A_MOMENT = timedelta(microseconds=1)


# Which rows.


@pytest.mark.parametrize("game", ["gambo", "ambush"])
async def test_p04_an_action_in_an_open_game_is_told_by_one_board(host: Host, game: str) -> None:
    match, rng = await running(host, game), Random(1)
    for _ in range(10):
        match = await play(host, match, rng)
        view = await mover_view(host, match)
        told = await tellings(host, match.id)
        assert kinds(told) == ([] if view.stage is Stage.STEPS else [(BOARD, None)])
        assert all(row.ply == match.ply for row in told)


@pytest.mark.parametrize("game", ["saboteur", "abissal"])
async def test_in_a_game_with_hands_the_current_player_gets_their_hand_too(host: Host, game: str) -> None:
    match, rng = await running(host, game, 3), Random(1)
    for _ in range(6):
        match = await play(host, match, rng)
        assert kinds(await tellings(host, match.id)) == [(BOARD, None), (HAND, match.to_move)]


async def test_p28_a_deal_is_told_to_everybody_in_seat_order_instead_of_a_hand(host: Host) -> None:
    rng, match = Random(2), await running(host, "abissal", 3)
    deals = 0
    while match.status is Status.RUNNING and deals < 2:
        before = match.ply
        match = await play(host, match, rng)
        told = kinds(await tellings(host, match.id))
        lines = await host.look.history(match.id, None, since=before)
        if any(line.text.startswith("deal") for line in lines):
            deals += 1
            # The result of the finished round comes before the next deal.
            assert told == [(ROUND, None), (BOARD, None), (SECRETS, 0), (SECRETS, 1), (SECRETS, 2)]
    assert deals


async def test_a_shuffle_from_which_nobody_learns_anything_is_no_secret(host: Host) -> None:
    match = await lobby(host, "ambagibus", 2)
    match = await host.lobby.start(match.id, PEOPLE[0].user_id)
    assert kinds(await tellings(host, match.id)) == [(LOBBY, None), (BOARD, None)]


@pytest.mark.parametrize("game", GAMES)
async def test_the_end_is_told_by_the_final_board_and_the_lobby_message(host: Host, game: str) -> None:
    match = await running(host, game, GAMES[game].info.min_players)
    await play_on(host, match, Random(3))
    # News from before the end is obsolete, except the results of rounds. The last round's is told with the end.
    rounds = max(0, (await true_position(host, match.id)).rounds_over - 1)
    assert kinds(await tellings(host, match.id)) == [*[(ROUND, None)] * rounds, (END, None), (LOBBY, None)]


async def test_secrets_go_to_people_who_play(host: Host) -> None:
    match = await lobby(host, "saboteur", 3, computers=2)
    match = await host.lobby.start(match.id, PEOPLE[0].user_id)
    told = kinds(await tellings(host, match.id))
    people = [(SECRETS, seat.seat) for seat in match.seats if seat.user_id is not None]
    assert [row for row in told if row[0] is SECRETS] == people
    assert len(people) == 3


async def test_p07_a_turn_of_several_steps_is_told_once_it_is_finished(host: Host) -> None:
    match = await running(host, "ambush")
    for text in to_steps(await true_position(host, match.id)):
        before = match
        match = await host.play.act(match.id, UserId(match.seats[match.to_move or 0].user_id or 0), text)
        told = kinds(await tellings(host, match.id))
        assert told == ([] if (await mover_view(host, match)).stage is Stage.STEPS else [(BOARD, None)])
    assert told == []
    assert match.to_move == before.to_move
    while (await mover_view(host, match)).stage is Stage.STEPS:
        match = await play(host, match, Random(1))
    assert kinds(await tellings(host, match.id)) == [(BOARD, None)]


def to_steps(state: State[Any]) -> list[str]:
    """Actions after which a player is in the middle of their own turn."""
    for seed in range(1000):
        rng, found, texts = Random(seed), state, list[str]()
        while not found.is_terminal:
            action = rng.choice(found.legal_actions(found.current_player))
            texts.append(found.action_to_string(action))
            found = found.child(found.current_player, action)
            if found.stage is Stage.STEPS and found.forced_action() is None:
                return texts
    raise AssertionError("no turn had several steps")


async def series(host: Host) -> tuple[list[list[tuple[Kind, int | None]]], list[Stage]]:
    """Saboteur's first series of gold picks: the news and stages from the action that starts it to the last pick."""
    match, rng = await running(host, "saboteur", 4), Random(1)
    news, stages = list[list[tuple[Kind, int | None]]](), list[Stage]()
    while not stages or stages[-1] is Stage.SERIES:
        await tellings(host, match.id)
        match = await play(host, match, rng, digging)
        stage = (await mover_view(host, match)).stage
        if stage is Stage.SERIES or stages:
            stages.append(stage)
            news.append(kinds(await tellings(host, match.id)))
    return news, stages


async def test_p07_a_row_of_picks_has_one_board_before_and_one_after(host: Host) -> None:
    for person in PEOPLE[:4]:
        await host.dms.note_dm(person.user_id, open=True)
    news, stages = await series(host)
    assert len(stages) > 2
    assert [stage is Stage.SERIES for stage in stages] == [True] * (len(stages) - 1) + [False]
    boards = [(BOARD, None) in told for told in news]
    assert boards == [True] + [False] * (len(news) - 2) + [True]
    # The person who picks is told in private.
    assert all(told[0][0] is HAND for told in news[1:-1])


async def test_whoever_cannot_be_told_in_private_that_they_may_pick_is_told_in_public(host: Host) -> None:
    for person in PEOPLE[:4]:
        await host.dms.note_dm(person.user_id, open=False)
    news, _ = await series(host)
    assert all((BOARD, None) in told for told in news)


async def test_p26_consecutive_computer_moves_share_one_board(host: Host) -> None:
    match, rng = await running(host, "saboteur", 1, computers=3), Random(4)
    rounds = 0
    while match.status is Status.RUNNING and rounds < 12:
        if match.mover is not None and match.mover.present:
            told = Counter(kinds(await tellings(host, match.id)))
            if rounds:
                assert told[(BOARD, None)] == 1
            rounds += 1
            match = await play(host, match, rng)
            if match.status is Status.RUNNING:
                told = Counter(kinds(await tellings(host, match.id)))
                # The person who takes the last gold card ends the round (P8). That is announced before the next deal.
                assert not told or (ROUND, None) in told
        else:
            assert await run_due(host)
            match = await host.look.match(match.id)
    assert rounds > 3


async def test_a_match_that_a_computer_begins_is_shown_when_a_person_is_to_act(host: Host) -> None:
    for _ in range(10):
        match = await lobby(host, "gambo", 1)
        match = await host.lobby.add_computer(match.id, PEOPLE[0].user_id)
        told = kinds(await tellings(host, match.id))
        if match.mover is not None and not match.mover.present:
            assert told == [(LOBBY, None)]
            assert await run_due(host)
            assert kinds(await tellings(host, match.id)) == [(BOARD, None)]
            return
        assert told == [(LOBBY, None), (BOARD, None)]
    raise AssertionError("the computer never began")


async def test_the_board_that_stands_gets_new_buttons_when_only_seats_have_changed(host: Host) -> None:
    match = await running(host, "saboteur", 4)
    assert match.mover is not None
    idle = next(seat for seat in match.seats if seat.seat != match.to_move)
    match = await host.play.resign(match.id, UserId(idle.user_id or 0))
    told = await tellings(host, match.id)
    assert kinds(told) == [(REFRESH, None)]
    assert {(row.ply, row.rings) for row in told} == {(match.ply, False)}
    await host.play.resign(match.id, match.mover.user_id or PEOPLE[0].user_id)
    assert kinds(await tellings(host, match.id)) == []


async def test_the_direct_message_of_the_current_player_gets_new_buttons_too(host: Host) -> None:
    match = await running(host, "saboteur", 4)
    assert match.mover is not None
    (hand,) = [row for row in await told_of_a_turn(host, match) if row.kind is HAND]
    match = await host.look.match(match.id)
    await host.outbox.told(hand.id, HandPost(match.id, match.mover.position, 77))
    idle = next(seat for seat in match.seats if seat.seat != match.to_move)
    match = await host.play.depart(match.id, UserId(idle.user_id or 0))
    assert kinds(await tellings(host, match.id)) == [(REFRESH, None), (REFRESH, match.to_move)]


async def told_of_a_turn(host: Host, match: Match) -> list[Telling]:
    """The news that one action causes."""
    await play(host, match, Random(8))
    return await tellings(host, match.id)


# Who is pinged, and how often (P26).


async def test_p26_a_turn_pings_one_person_once_whoever_leaves_comes_back_or_resigns_meanwhile(host: Hosted) -> None:
    match, rng = await running(host, "saboteur", 5), Random(9)
    for _ in range(3):
        match = await play(host, match, rng)
        rings = [row for row in await tellings(host, match.id) if row.rings]
        mover = match.mover
        assert [(row.kind, row.user_id) for row in rings] == [(BOARD, mover.user_id)]
        idle = [seat.user_id or 0 for seat in match.seats if seat.seat != match.to_move and seat.present]
        # Each of them once: more is refused until the next move.
        for person in (idle[0], mover.user_id or 0, *idle[1:]):
            await host.play.depart(match.id, UserId(person))
            match = await host.play.take_back(match.id, UserId(person))
        assert not [row for row in await tellings(host, match.id) if row.rings]
        assert match.to_move == mover.seat


async def test_p26_a_ping_that_was_not_told_yet_is_not_lost_with_its_board(host: Host) -> None:
    match = await play(host, await running(host, "saboteur", 4), Random(1))
    mover = match.mover
    await host.play.depart(match.id, UserId(mover.user_id or 0))
    match = await host.play.take_back(match.id, UserId(mover.user_id or 0))
    idle = next(seat for seat in match.seats if seat.seat != match.to_move)
    await host.play.resign(match.id, UserId(idle.user_id or 0))
    told = await tellings(host, match.id)
    assert [(row.kind, row.user_id) for row in told if row.kind is BOARD] == [(BOARD, mover.user_id)]


async def test_p26_another_person_in_the_seat_on_turn_is_pinged(host: Host) -> None:
    match = await running(host, "saboteur", 4)
    mover = match.mover
    guest = PEOPLE[7]
    await host.play.depart(match.id, UserId(mover.user_id or 0))
    await host.absence.apply(match.id, guest)
    for seat in (await host.look.match(match.id)).present:
        with suppress(NotFound):
            await host.absence.agree(match.id, UserId(seat.user_id or 0), guest.user_id)
    rings = [(row.kind, row.user_id) for row in await tellings(host, match.id) if row.rings]
    assert (BOARD, guest.user_id) in rings


# Outdated rows.


async def test_a_newer_board_makes_an_older_one_pointless(host: Host) -> None:
    match, rng = await running(host, "abissal", 3), Random(5)
    for _ in range(3):
        match = await play(host, match, rng)
    told = await tellings(host, match.id)
    assert kinds(told) == [(BOARD, None), (HAND, match.to_move)]
    assert {row.ply for row in told} == {match.ply}


async def test_secrets_wait_until_they_are_told(host: Host) -> None:
    match = await lobby(host, "saboteur", 3)
    match = await host.lobby.start(match.id, PEOPLE[0].user_id)
    for _ in range(3):
        match = await play(host, match, Random(6))
    told = kinds(await tellings(host, match.id))
    assert [row for row in told if row[0] is SECRETS] == [(SECRETS, 0), (SECRETS, 1), (SECRETS, 2)]


# Claiming.


async def test_what_is_claimed_nobody_else_gets(host: Host) -> None:
    match = await lobby(host, "saboteur", 3)
    await host.lobby.start(match.id, PEOPLE[0].user_id)
    first = await host.outbox.claim(LEASE, limit=2)
    second = await host.outbox.claim(LEASE)
    assert len(first) == 2
    assert [row.id for row in (*first, *second)] == sorted(row.id for row in (*first, *second))
    assert await host.outbox.claim(LEASE) == ()


async def test_what_nobody_reported_as_told_is_offered_again_when_the_lease_has_run_out(host: Hosted) -> None:
    await lobby(host, "gambo", 2)
    first = await host.outbox.claim(LEASE)
    host.clock.advance(LEASE - A_MOMENT)
    assert await host.outbox.claim(LEASE) == ()
    host.clock.advance(A_MOMENT)
    assert await host.outbox.claim(LEASE) == first
    for row in first:
        await host.outbox.told(row.id)
    host.clock.advance(LEASE)
    assert await host.outbox.claim(LEASE) == ()


async def test_what_could_not_be_told_is_offered_again_when_asked_for(host: Host, clock: ManualClock) -> None:
    await lobby(host, "gambo", 2)
    first, *rest = await host.outbox.claim(LEASE)
    await host.outbox.retry(first.id, timedelta(seconds=5))
    assert await host.outbox.claim(LEASE) == ()
    clock.advance(timedelta(seconds=5))
    assert await host.outbox.claim(LEASE) == (first._replace(tries=1),)
    clock.advance(LEASE)
    assert await host.outbox.claim(LEASE) == (first._replace(tries=1), *rest)


async def watched_and_posted(host: Host) -> Match:
    """A match between computers with a board post."""
    match = await watched(host)
    told = await tellings(host)
    assert kinds(told) == [(LOBBY, None), (BOARD, None)]
    await host.outbox.told(told[-1].id, BoardPost(match.id, 1, match.ply))
    return await host.look.match(match.id)


# FOUND P1
async def test_until_the_post_of_a_match_that_only_computers_play_stands_it_is_due_at_once(host: Host) -> None:
    match = await watched(host)
    await run_due(host)
    assert kinds(await tellings(host)) == [(LOBBY, None), (BOARD, None)]
    await run_due(host)
    (row,) = await tellings(host)
    assert row.ply == (await host.look.match(match.id)).ply


# FOUND P1
async def test_the_post_of_a_match_that_only_computers_play_is_due_once_in_five_seconds(host: Hosted) -> None:
    match = await watched_and_posted(host)
    told: dict[int, int] = {}
    for second in range(20):
        ply = match.ply
        await run_due(host)
        match = await host.look.match(match.id)
        assert match.ply > ply
        for row in await tellings(host):
            told[second] = row.ply
            assert (row.kind, row.ply) == (Kind.WATCH, match.ply), "what is told last is what is the case"
        host.clock.advance(timedelta(seconds=1))
    assert list(told) == [5, 11, 17]
    host.clock.advance(WATCHED_EVERY)
    (row,) = await tellings(host)
    assert row.ply == match.ply, "nothing is left untold"


# FOUND P1
async def test_a_move_while_that_post_is_being_changed_is_told_five_seconds_later(host: Hosted) -> None:
    match = await watched_and_posted(host)
    await run_due(host)
    host.clock.advance(WATCHED_EVERY)
    (row,) = await host.outbox.claim(LEASE)
    await run_due(host)
    await host.outbox.told(row.id)
    assert await tellings(host) == []
    host.clock.advance(WATCHED_EVERY)
    (row,) = await tellings(host)
    assert row.ply == (await host.look.match(match.id)).ply


# FOUND P1
async def test_the_end_of_a_match_that_only_computers_play_is_told_at_once(host: Host) -> None:
    match = await watched_and_posted(host)
    await run_due(host)
    await host.votes.cancel(match.id, PEOPLE[0].user_id)
    assert kinds(await tellings(host)) == [(END, None), (LOBBY, None)]


async def test_telling_twice_or_something_unknown_is_no_trouble(host: Host) -> None:
    await lobby(host, "gambo", 2)
    (first, *_) = await host.outbox.claim(LEASE)
    for _ in range(2):
        await host.outbox.told(first.id)
        await host.outbox.retry(first.id, LEASE)


async def test_the_rows_of_one_match_can_be_claimed_alone(host: Host) -> None:
    one, other = await lobby(host, "gambo", 2), await lobby(host, "gambo", 2)
    assert {row.match_id for row in await host.outbox.claim(LEASE, other.id)} == {other.id}
    assert {row.match_id for row in await host.outbox.claim(LEASE)} == {one.id}


async def test_numbers_of_rows_never_come_again(host: Host) -> None:
    match, rng, seen = await running(host, "gambo"), Random(7), set[Any]()
    for _ in range(5):
        match = await play(host, match, rng)
        told = await tellings(host, match.id)
        assert not seen & {row.id for row in told}
        seen |= {row.id for row in told}


async def test_nothing_of_what_is_told_is_stored_with_it(host: Host, database: Database) -> None:
    match = await lobby(host, "saboteur", 3)
    await host.lobby.start(match.id, PEOPLE[0].user_id)
    for row in (await dump(database))["outbox"]:
        assert [value for value in row if isinstance(value, str)] == [row[4]]
        assert row[4] in set(Kind)
