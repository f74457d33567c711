"""Tables whose host is silent or gone, and people who are asked whether they're here before the start (P1)."""

from datetime import timedelta
from typing import Any

from db.model.rows import GapRow
from matches.api import Host, Kind, ManualClock, Match, NotAllowed, NotSeated, Status
from matches.table.silence import HERE_WITHIN, SILENT_AFTER
from matches.table.time import given_back
from tests.matches.tables import DAY, PEOPLE, kinds, lobby, raised, run_time, tellings

ANN, BOB, CLEO = PEOPLE[:3]
A_MOMENT = timedelta(microseconds=1)
HOUR = timedelta(hours=1)
GUILD = 500


async def waiting(host: Host, clock: ManualClock, people: int = 3, **request: Any) -> Match:
    """A lobby of the first people, nobody of whom has pressed anything for an hour."""
    match = await lobby(host, "saboteur", people, guild_id=GUILD, **request)
    await host.outbox.set_lobby_message(match.id, 70_001)
    clock.advance(SILENT_AFTER)
    await tellings(host)
    return match


async def later(host: Host, clock: ManualClock, match: Match, by: timedelta) -> Match:
    """The match after this time, and what was due then."""
    clock.advance(by)
    await run_time(host)
    return await host.look.match(match.id)


def seated(match: Match) -> list[str]:
    return sorted(seat.name for seat in match.seats)


async def test_w5_after_an_hour_of_the_hosts_silence_anybody_seated_may_start(
    host: Host, clock: ManualClock
) -> None:  # FOUND W5
    match = await lobby(host, "saboteur", 3, guild_id=GUILD)
    clock.advance(SILENT_AFTER - A_MOMENT)
    await raised(NotAllowed, host.lobby.start(match.id, BOB.user_id), "Only the host")
    clock.advance(A_MOMENT)
    await raised(NotAllowed, host.lobby.start(match.id, PEOPLE[7].user_id), "Only the host")
    match = await host.lobby.start(match.id, BOB.user_id)
    assert (match.status, match.asking) == (Status.LOBBY, True)
    assert [seat.ready for seat in match.seats] == [False, True, False]
    assert [kind for kind, _ in kinds(await tellings(host))].count(Kind.READY) == 1


async def test_w5_the_match_starts_once_all_who_were_asked_are_here(host: Host, clock: ManualClock) -> None:
    # FOUND W5
    match = await waiting(host, clock)
    match = await host.lobby.start(match.id, ANN.user_id)
    assert match.status is Status.LOBBY
    match = await host.lobby.ready(match.id, CLEO.user_id)
    assert match.status is Status.LOBBY
    await raised(NotSeated, host.lobby.ready(match.id, PEOPLE[7].user_id))
    match = await host.lobby.ready(match.id, BOB.user_id)
    assert (match.status, seated(match)) == (Status.RUNNING, ["Ann", "Bob", "Cleo"])
    assert not match.asking


async def test_w5_whoever_does_not_answer_loses_the_seat_and_no_rating(host: Host, clock: ManualClock) -> None:
    # FOUND W5
    match = await waiting(host, clock, 4)
    await host.lobby.start(match.id, ANN.user_id)
    await host.lobby.note_press(match.id, BOB.user_id)
    await host.lobby.ready(match.id, PEOPLE[3].user_id)
    match = await later(host, clock, match, HERE_WITHIN)
    assert (match.status, seated(match)) == (Status.RUNNING, ["Ann", "Bob", "Dan"])
    assert not any(seat.absent for seat in match.seats)


async def test_w5_a_full_table_that_would_start_by_itself_asks_first_and_stays_open_without_them(
    host: Host, clock: ManualClock
) -> None:  # FOUND W5
    match = await waiting(host, clock, 3, size=4)
    await host.lobby.note_press(match.id, ANN.user_id)
    match = await host.lobby.join(match.id, PEOPLE[3])
    assert (match.status, match.asking) == (Status.LOBBY, True)
    match = await later(host, clock, match, HERE_WITHIN)
    assert (match.status, match.asking, seated(match)) == (Status.LOBBY, False, ["Ann", "Dan"])
    match = await host.lobby.fill(match.id, ANN.user_id)
    assert match.status is Status.RUNNING


async def test_w5_a_host_who_sleeps_hands_the_table_on(host: Host, clock: ManualClock) -> None:  # FOUND W5
    match = await waiting(host, clock, 4)
    await host.lobby.start(match.id, BOB.user_id)
    await host.lobby.ready(match.id, CLEO.user_id)
    await host.lobby.ready(match.id, PEOPLE[3].user_id)
    match = await later(host, clock, match, HERE_WITHIN)
    assert (match.host_id, match.status) == (BOB.user_id, Status.RUNNING)


async def test_w5_a_host_who_is_gone_is_followed_by_whoever_notices(host: Host) -> None:  # FOUND W5
    match = await lobby(host, "saboteur", 3, guild_id=GUILD)
    after = await host.lobby.hand_on(match.id, PEOPLE[7].user_id, ANN.user_id)
    assert after.host_id == ANN.user_id, "strangers hand on nothing"
    after = await host.lobby.hand_on(match.id, CLEO.user_id, ANN.user_id)
    assert (after.host_id, seated(after)) == (CLEO.user_id, ["Bob", "Cleo"])
    after = await host.lobby.hand_on(match.id, BOB.user_id, ANN.user_id)
    assert after.host_id == CLEO.user_id, "somebody else was faster"


# FOUND C1
async def test_a_lobby_whose_question_gets_more_time_after_a_gap_says_so(host: Host, clock: ManualClock) -> None:
    match = await waiting(host, clock)
    match = await host.lobby.start(match.id, ANN.user_id)
    await tellings(host)
    assert match.turn_due is not None
    gap = GapRow(1, 1, 0, GUILD, clock.now(), clock.now() + HOUR)
    assert (
        await host.work.change(match.id, lambda table: given_back(table, gap))
    ).match.turn_due == match.turn_due + HOUR
    assert [kind for kind, _ in kinds(await tellings(host))] == [Kind.LOBBY]


async def test_a_bot_that_was_away_asks_again(host: Host, clock: ManualClock) -> None:
    match = await waiting(host, clock)
    await host.lobby.start(match.id, ANN.user_id)
    await tellings(host)
    match = await later(host, clock, match, 5 * HOUR)
    assert (len(match.seats), match.asking, match.turn_due) == (3, True, clock.now() + HERE_WITHIN)
    assert Kind.READY in {kind for kind, _ in kinds(await tellings(host))}


async def test_a_place_that_was_lost_while_people_were_asked_costs_nobody_the_seat(
    host: Host, clock: ManualClock
) -> None:
    match = await waiting(host, clock)
    await host.lobby.start(match.id, ANN.user_id)
    await host.reach.lose(match.id)
    clock.advance(HOUR)
    await run_time(host)
    await host.reach.find(match.id)
    await run_time(host)
    match = await host.look.match(match.id)
    assert (len(match.seats), match.asking, match.lost) == (3, False, None)


# FOUND C1
async def test_time_in_which_nobody_could_press_keeps_a_lobby_open_longer_also_after_its_question(
    host: Host, clock: ManualClock
) -> None:
    match = await lobby(host, "saboteur", 4, guild_id=GUILD)
    await host.outbox.set_lobby_message(match.id, 5)
    clock.advance(timedelta(minutes=50))
    gap = GapRow(1, 1, 0, GUILD, clock.now(), clock.now() + DAY)
    clock.advance(DAY)
    await host.work.change(match.id, lambda table: given_back(table, gap))
    assert (await host.lobby.start(match.id, BOB.user_id)).asking
    clock.advance(HERE_WITHIN)
    await run_time(host)
    match = await host.look.match(match.id)
    assert (match.status, match.asking, seated(match)) == (Status.LOBBY, False, ["Bob"])
    clock.advance((await host.look.details(match.id)).created_at + 2 * DAY - clock.now() - A_MOMENT)
    assert not await run_time(host)
    clock.advance(A_MOMENT)
    assert await run_time(host)
