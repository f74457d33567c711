"""Matches as they are read: complete, with few queries, and never older than the store."""

from datetime import timedelta
from random import Random

import pytest

from db import Database
from db.model.ids import MatchId
from games import GAMES
from matches.api import BoardPost, Frozen, Host, ManualClock, Match, NotFound, Person, Status, UserId, Vote, WrongTime
from tests.matches.tables import PEOPLE, Hosted, asked, lobby, others, play, play_on, raised, running, sql, told
from tests.statements import statements

ANN = PEOPLE[0].user_id
EVE = Person(UserId(77), "Eve")


@pytest.mark.parametrize("game", GAMES)
async def test_what_an_action_gives_back_is_what_is_stored(host: Host, game: str) -> None:
    match, rng = await running(host, game, GAMES[game].info.min_players), Random(5)
    while match.status is Status.RUNNING:
        match = await play(host, match, rng)
        assert match == await host.look.match(match.id)


async def with_an_application(host: Host) -> Match:
    match = await running(host, "saboteur", 4)
    await host.play.resign(match.id, PEOPLE[3].user_id)
    return await host.absence.apply(match.id, EVE)


async def test_nobody_asks_for_a_seat_of_a_match_that_is_over(host: Host) -> None:
    match = await with_an_application(host)
    assert len(match.applications) == 1
    match = await host.votes.cancel(match.id, UserId(4242), moderator=True)
    assert match.applications == ()
    assert match == await host.look.match(match.id)


async def test_votes_are_given_back_in_the_order_in_which_they_are_read(host: Host, clock: ManualClock) -> None:
    voting = await asked(host, clock, 6)
    for user_id, choice in zip(sorted(others(voting), reverse=True), (Vote.WAIT, Vote.END, Vote.WAIT), strict=False):
        match = await host.votes.vote(voting.id, user_id, choice)
        assert match == await host.look.match(voting.id)
        match = await host.votes.cancel(voting.id, user_id)
        assert match == await host.look.match(voting.id)
    assert len(match.ballots) == 6


async def test_applications_are_given_back_in_the_order_in_which_they_are_read(host: Host) -> None:
    match = await with_an_application(host)
    for person in (Person(UserId(79), "Gil"), Person(UserId(78), "Flo"), EVE):
        if person != EVE:
            match = await host.absence.apply(match.id, person)
        assert match == await host.look.match(match.id)
        match = await host.absence.agree(match.id, ANN, person.user_id)
        assert match == await host.look.match(match.id)
    assert [each.agreed for each in match.applications] == [(ANN,)] * 3


async def test_a_match_is_read_in_one_question_and_a_second_where_people_vote_or_apply(host: Hosted) -> None:
    voting = await asked(host, host.clock)
    quiet, applying = await running(host, "saboteur", 3), await with_an_application(host)
    await host.votes.vote(voting.id, others(voting)[0], Vote.WAIT)
    for match, questions in ((quiet, 1), (applying, 2), (voting, 2)):
        with statements() as made:
            found = await host.look.match(match.id)
        assert len(made) == questions
        assert [seat.seat for seat in found.seats] == list(range(len(found.seats)))
    assert len((await host.look.match(applying.id)).applications) == 1
    assert len((await host.look.match(voting.id)).ballots) == 1


async def test_a_list_of_matches_holds_each_as_it_is_read_alone(host: Host, clock: ManualClock) -> None:
    matches = [
        await asked(host, clock),
        await lobby(host, "gambo"),
        await with_an_application(host),
        await running(host, "abissal", 3),
        await lobby(host, "saboteur", 4),
    ]
    with statements() as made:
        listed = await host.look.matches_in(matches[0].channel_id)
    assert len(made) <= 4
    assert [match.id for match in listed] == [match.id for match in reversed(matches)]
    assert list(listed) == [await host.look.match(match.id) for match in reversed(matches)]


async def test_a_lobby_that_everybody_has_left_and_no_match_at_all_are_told_apart(host: Host) -> None:
    match = await lobby(host, "gambo", 1)
    await host.lobby.leave(match.id, ANN)
    assert (await host.look.match(match.id)).seats == ()
    await raised(NotFound, host.look.match(MatchId(match.id + 1)))


# Views of a match that was just read.


async def test_a_match_that_was_just_read_is_viewed_without_asking_the_store(host: Host) -> None:
    match = await play_on(host, await running(host, "saboteur", 3), Random(1), lambda match: match.ply > 6)
    with statements() as made:
        view = await host.look.view(match, ANN)
        lines = await host.look.history(match, ANN, match.ply - 2)
        assert await host.look.view(match, None) != view
    assert made == []
    assert view == await host.look.view(match.id, ANN)
    assert lines == await host.look.history(match.id, ANN, match.ply - 2)


async def test_a_match_that_has_gone_on_is_viewed_as_it_stands_now(host: Host) -> None:
    old = await running(host, "gambo")
    match = await play(host, old, Random(1))
    assert (await host.look.view(old, ANN)).match == match
    assert await host.look.history(old, ANN) == await host.look.history(match.id, ANN)


async def test_what_another_process_has_stored_is_viewed_at_once(database: Database, clock: ManualClock) -> None:
    one, two = Host(database, clock), Host(database, clock)
    match = await play(two, await running(one, "gambo"), Random(1))
    assert (await one.look.view(match.id, ANN)).ply == match.ply
    assert (await one.look.view(match, ANN)).observation == (await two.look.view(match, ANN)).observation
    match = await play(two, match, Random(1))
    assert (await one.look.view(await one.look.match(match.id), ANN)).ply == match.ply


async def test_a_match_without_a_position_is_no_more_to_be_viewed_when_it_was_just_read(host: Hosted) -> None:
    await raised(WrongTime, host.look.view(await lobby(host, "gambo"), ANN))
    match = await running(host, "gambo")
    await sql(host.database, "UPDATE matches SET status = 'frozen', reason = 'It stands still.'")
    await raised(Frozen, host.look.history(await host.look.match(match.id), ANN))


# Announcing.


async def test_a_board_that_is_told_is_remembered_in_the_same_moment(host: Host) -> None:
    match = await play(host, await running(host, "gambo"), Random(1))
    (row,) = await host.outbox.claim(timedelta(minutes=1), match.id)
    await host.outbox.told(row.id, BoardPost(match.id, 2**60, match.ply))
    found = await host.look.match(match.id)
    assert (found.board_message_id, found.board_ply) == (2**60, match.ply)
    assert await told(host, match) == []
