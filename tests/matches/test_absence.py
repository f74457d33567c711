"""Being away, leaving, another person in an absent one's seat, and playing on elsewhere (P13-P17)."""

from datetime import timedelta
from random import Random

import pytest

from db import Database
from db.matches import log_lines
from matches.api import (
    CutOff,
    Due,
    Ended,
    Host,
    Kind,
    ManualClock,
    Match,
    NotAllowed,
    NotFound,
    Pace,
    Person,
    Status,
    UserId,
    Vote,
    WrongTime,
)
from matches.table.cut_off import pause
from tests.matches.tables import PEOPLE, Hosted, kinds, moved, play, raised, run_all, run_due, running, tellings, whole
from tests.matches.tables import absent as mover

DAY = timedelta(days=1)
EVE = Person(UserId(99), "Eve")


async def log_of(database: Database, match: Match) -> list[str]:
    return [row.action for row in await database.read(log_lines.lines, match.id) if row.player == -2]


def others(match: Match) -> list[int]:
    return [seat.user_id for seat in match.voters if seat.user_id is not None]


async def test_p16_whoever_is_away_has_a_paused_clock(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 3)
    clock.advance(DAY / 2)
    await host.absence.away(mover(match), clock.now() + 3 * DAY)
    clock.advance(3 * DAY)
    await run_all(host)
    assert Kind.REMIND not in dict(kinds(await tellings(host)))
    clock.advance(0.4 * DAY)
    assert await run_due(host)
    assert (Kind.REMIND, match.to_move) in kinds(await tellings(host))
    assert match.turn_due is not None
    assert (await host.look.match(match.id)).turn_due == match.turn_due + 3 * DAY


async def test_p16_a_turn_that_begins_meanwhile_waits_for_the_return(host: Host, clock: ManualClock) -> None:
    match = await running(host, "ambush", 2)
    (waiting,) = others(match)
    await host.absence.away(UserId(waiting), clock.now() + 3 * DAY)
    while not match.waits_for(UserId(waiting)):
        match = await play(host, match, Random(1))
    assert match.turn_due == clock.now() + 4 * DAY


async def test_p16_whoever_comes_back_early_has_the_time_that_was_left(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 3)
    await host.absence.away(mover(match), clock.now() + 10 * DAY)
    clock.advance(DAY)
    await host.absence.away(mover(match), None)
    assert (await host.look.match(match.id)).turn_due == clock.now() + DAY


async def test_p16_all_tables_concerned_are_told_and_no_other(host: Host, clock: ManualClock) -> None:
    mine = [await running(host, "ambush", 2), await running(host, "saboteur", 3)]
    told = await host.absence.away(PEOPLE[2].user_id, clock.now() + DAY)
    assert [match.id for match in told] == [mine[1].id]
    seat = mine[1].seat_of(PEOPLE[2].user_id)
    assert kinds(await tellings(host)) == [(Kind.AWAY, seat.seat)]


async def test_p16_without_a_pace_the_week_begins_after_the_return(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 3, pace=Pace.NONE)
    await host.absence.away(mover(match), clock.now() + 5 * DAY)
    clock.advance(8 * DAY)
    await raised(WrongTime, host.votes.vote(match.id, UserId(others(match)[0]), Vote.COMPUTER))
    clock.advance(4 * DAY)
    await host.votes.vote(match.id, UserId(others(match)[0]), Vote.COMPUTER)


async def test_p15_with_two_players_leaving_loses_the_match(host: Host) -> None:
    match = await moved(host, await running(host, "ambush", 2))
    match = await host.play.depart(match.id, PEOPLE[0].user_id)
    assert (match.status, match.ended_by) == (Status.OVER, Ended.RESIGNED)
    assert [seat.name for seat in match.seats if seat.won] == [PEOPLE[1].name]


async def test_p15_with_more_players_the_computer_plays_on_and_the_seat_can_be_had_back(host: Hosted) -> None:
    match = await running(host, "saboteur", 3)
    leaving = mover(match)
    match = await host.play.depart(match.id, leaving)
    own = match.seat_of(leaving)
    assert (own.computer, own.resigned, match.status) == ("normal", False, Status.RUNNING)
    await raised(WrongTime, host.play.depart(match.id, leaving))
    match = await host.play.take_back(match.id, leaving)
    assert await log_of(host.database, match) == [f"computer {own.seat} normal", f"return {own.seat}"]
    assert leaving in {seat.user_id for seat in match.present}


async def test_p15_when_all_have_left_nobody_wins(host: Host) -> None:
    match = await running(host, "saboteur", 3)
    for person in PEOPLE[:3]:
        match = await host.play.depart(match.id, person.user_id)
    assert (match.status, match.ended_by) == (Status.OVER, Ended.LEFT)
    assert not (await host.look.details(match.id)).counts


async def test_p14_another_person_takes_an_absent_seat_with_the_consent_of_most(host: Host, database: Database) -> None:
    match = await running(host, "saboteur", 4)
    gone = PEOPLE[0].user_id
    match = await host.play.depart(match.id, gone)
    seat = match.seat_of(gone)
    await tellings(host)
    match = await host.absence.apply(match.id, EVE)
    assert kinds(await tellings(host)) == [(Kind.SEAT, seat.seat)]
    match = await host.absence.agree(match.id, PEOPLE[1].user_id, EVE.user_id)
    assert match.seat_of(EVE.user_id) is None
    match = await host.absence.agree(match.id, PEOPLE[1].user_id, EVE.user_id)
    assert match.seat_of(EVE.user_id) is None
    match = await host.absence.agree(match.id, PEOPLE[2].user_id, EVE.user_id)
    taken = match.seat_of(EVE.user_id)
    assert (taken.seat, taken.name, taken.present) == (seat.seat, "Eve", True)
    assert (await log_of(database, match))[-1] == f"person {seat.seat}"
    assert (Kind.SECRETS, seat.seat) in kinds(await tellings(host))
    assert match.applications == ()
    assert (await host.look.view(match.id, EVE.user_id)).seat == seat.seat
    assert (await host.look.view(match.id, gone)).seat is None


async def test_p14_nobody_who_has_seen_a_secret_takes_another_seat(host: Host) -> None:
    match = await running(host, "saboteur", 4)
    for person in PEOPLE[:2]:
        match = await host.play.depart(match.id, person.user_id)
    await raised(NotAllowed, host.absence.apply(match.id, PEOPLE[2]), "You already have a seat")
    first = next(seat.seat for seat in match.seats if seat.user_id == PEOPLE[0].user_id)
    match = await host.absence.apply(match.id, EVE, first)
    for person in PEOPLE[2:4]:
        match = await host.absence.agree(match.id, person.user_id, EVE.user_id)
    assert match.seat_of(PEOPLE[0].user_id) is None
    await raised(NotAllowed, host.absence.apply(match.id, PEOPLE[0]), "seen secrets")
    assert str(PEOPLE[0].user_id) not in (await whole(host, match)).hidden.witnesses


async def test_p14_where_nothing_is_secret_a_former_player_may_sit_down_again(host: Host) -> None:
    match = await running(host, "ambagibus", 3)
    match = await host.play.depart(match.id, PEOPLE[0].user_id)
    match = await host.absence.apply(match.id, EVE)
    for person in PEOPLE[1:3]:
        match = await host.absence.agree(match.id, person.user_id, EVE.user_id)
    match = await host.play.depart(match.id, EVE.user_id)
    await host.absence.apply(match.id, PEOPLE[0])


async def test_p14_a_seat_that_its_person_took_back_is_not_given_away(host: Host) -> None:
    match = await running(host, "saboteur", 3)
    await host.play.depart(match.id, PEOPLE[0].user_id)
    await host.absence.apply(match.id, EVE)
    await host.play.take_back(match.id, PEOPLE[0].user_id)
    await raised(NotFound, host.absence.agree(match.id, PEOPLE[1].user_id, EVE.user_id))
    await raised(NotFound, host.absence.apply(match.id, EVE))


# FOUND C5
@pytest.mark.parametrize("away", [False, True])
async def test_p17_about_somebody_who_left_the_server_the_others_are_asked_after_one_pause_out_of_their_away_time(
    host: Host, clock: ManualClock, away: bool
) -> None:
    match = await running(host, "saboteur", 3)
    if away:
        await host.absence.away(mover(match), clock.now() + timedelta(days=5))
        await tellings(host)
    await host.absence.note_look(match.id, UserId(others(match)[0]), CutOff.GONE)
    assert await tellings(host) == []
    for _ in range(2):
        match = await host.absence.note_look(match.id, mover(match), CutOff.GONE)
    assert match.stands_until == clock.now() + pause(match.pace)
    assert kinds(await tellings(host)) == [(Kind.CUT_OFF, match.to_move), (Kind.AWAY, match.to_move)]
    clock.advance(pause(match.pace))
    assert [row.kind for row in await host.time.claim_due()] == [Due.REMIND]
    for _ in range(2):
        match = await host.absence.note_look(match.id, mover(match), CutOff.GONE)
    assert kinds(await tellings(host)) == [(Kind.VOTE, match.to_move)]
    assert match.mover.away_used == pause(match.pace)
    for person in others(match):
        match = await host.votes.vote(match.id, UserId(person), Vote.COMPUTER)
    assert [seat.computer for seat in match.seats].count("normal") == 1


async def test_p17_a_match_is_moved_by_whoever_plays_it_or_a_moderator(host: Host) -> None:
    match = await running(host, "saboteur", 3)
    await raised(Exception, host.reach.move(match.id, EVE.user_id, 77), "not playing")
    match = await host.reach.move(match.id, PEOPLE[1].user_id, 77)
    assert (match.place_id, match.lobby_message_id, match.board_message_id) == (77, None, None)
    assert kinds(await tellings(host)) == [(Kind.BOARD, None)]
    assert (await host.reach.move(match.id, EVE.user_id, 78, moderator=True)).place_id == 78
