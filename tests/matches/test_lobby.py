"""The lobby (P1-P3, P11): who has seats, when a match starts, who may do what, and when it is closed."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from db import Database
from db.model import schema
from games import GAMES
from matches.api import (
    BoardPost,
    Dm,
    Due,
    Ended,
    Host,
    Kind,
    ManualClock,
    Match,
    MatchId,
    NewMatch,
    NotAllowed,
    NotFound,
    NotSeated,
    Pace,
    Person,
    Ply,
    Refused,
    Status,
    Terms,
    UserId,
    Where,
    WrongTime,
)
from tests.matches.tables import CHANNEL, PEOPLE, Hosted, Seeds, dump, kinds, lobby, raised, run_due, running, tellings

ANN, BOB, CLEO, DAN = PEOPLE[:4]
STRANGER = Person(UserId(999), "Zoe")


async def test_the_host_sits_down_at_once(host: Host, clock: ManualClock) -> None:
    request = NewMatch(
        game="saboteur",
        channel_id=CHANNEL,
        terms=Terms(size=5, pace=Pace.SLOW, where=Where.THREAD, invited=(BOB.user_id, UserId(2**62))),
        guild_id=7,
    )
    match = await host.lobby.open(request, ANN)
    assert match == await host.look.match(match.id)
    assert (match.status, match.host_id, match.seat_names) == (Status.LOBBY, ANN.user_id, ("Ann",))
    assert (match.guild_id, match.channel_id, match.place_id) == (7, CHANNEL, CHANNEL)
    assert (match.size, match.pace, match.where) == (5, Pace.SLOW, Where.THREAD)
    assert (await host.look.details(match.id)).invited == (BOB.user_id, UserId(2**62))
    assert (await host.look.details(match.id)).created_at == clock.now()
    assert (match.ply, match.to_move, match.mover, match.board_ply) == (0, None, None, 0)
    assert match.info is GAMES["saboteur"].info


async def test_people_sit_in_the_order_in_which_they_join(host: Host) -> None:
    match = await lobby(host, "saboteur", 3)
    assert match.seat_names == ("Ann", "Bob", "Cleo")
    assert [(seat.position, seat.seat) for seat in match.seats] == [(0, None), (1, None), (2, None)]


async def test_options_are_completed_with_what_everybody_gets(host: Host) -> None:
    option = GAMES["ambagibus"].info.options[0]
    assert (await lobby(host, "ambagibus")).options[option.name] == option.default
    other = next(value for value in option.values if value != option.default)
    assert (await lobby(host, "ambagibus", options={option.name: other})).options[option.name] == other


@pytest.mark.parametrize(
    "request_", [{"size": 2}, {"size": 11}, {"size": 0}, {"options": {"moon": "full"}}, {"options": {"": ""}}]
)
async def test_what_the_game_does_not_have_is_refused_with_a_sentence(host: Hosted, request_: dict[str, Any]) -> None:
    before = await dump(host.database)
    with pytest.raises(Refused) as refused:
        await lobby(host, "saboteur", **request_)
    assert str(refused.value).endswith(".")
    assert await dump(host.database) == before


async def test_there_are_only_the_games_that_there_are(host: Host) -> None:
    await raised(NotFound, lobby(host, "chess"))


async def test_joining_twice_changes_nothing(host: Host, database: Database) -> None:
    match = await lobby(host, "saboteur", 2)
    before = await dump(database)
    assert (await host.lobby.join(match.id, BOB)).seat_names == ("Ann", "Bob")
    assert await dump(database) == before


async def test_a_full_table_takes_nobody(host: Host) -> None:
    match = await lobby(host, "ambagibus", 4)
    assert match.status is Status.LOBBY
    await raised(NotAllowed, host.lobby.join(match.id, STRANGER), "full")
    assert len((await host.look.match(match.id)).seats) == 4


async def test_p01_a_match_starts_when_its_wanted_size_is_reached(host: Host, clock: ManualClock) -> None:
    match = await lobby(host, "saboteur", 2, size=3)
    assert match.status is Status.LOBBY
    match = await host.lobby.join(match.id, CLEO)
    assert (match.status, (await host.look.details(match.id)).started_at) == (Status.RUNNING, clock.now())
    assert match == await host.look.match(match.id)


@pytest.mark.parametrize("game", ["gambo", "ambush"])
async def test_p01_a_game_for_a_fixed_number_starts_when_it_is_full(host: Host, game: str) -> None:
    match = await lobby(host, game)
    assert match.size == 2
    assert (await host.lobby.join(match.id, BOB)).status is Status.RUNNING


async def test_a_computer_takes_a_seat_and_can_make_the_table_full(host: Host) -> None:
    match = await lobby(host, "saboteur", 1, computers=1, size=3)
    assert match.seat_names == ("Ann", "Pebble")
    assert match.seats[1].computer == "easy"
    assert match.seats[1].user_id is None
    match = await host.lobby.add_computer(match.id, ANN.user_id)
    assert match.status is Status.RUNNING
    assert sorted(match.seat_names) == ["Ann", "Minnow", "Pebble"]


async def test_the_computer_added_last_is_removed_first(host: Host) -> None:
    match = await lobby(host, "saboteur", 2, computers=2)
    assert (await host.lobby.remove_computer(match.id, ANN.user_id)).seat_names == ("Ann", "Bob", "Pebble")
    await host.lobby.remove_computer(match.id, ANN.user_id)
    await raised(NotSeated, host.lobby.remove_computer(match.id, ANN.user_id))


async def test_there_is_no_computer_of_another_level(host: Host) -> None:
    match = await lobby(host, "saboteur")
    await raised(NotAllowed, host.lobby.add_computer(match.id, ANN.user_id, "perfect"), "level")


async def test_p01_the_host_leaving_hands_the_table_on(host: Host) -> None:
    match = await lobby(host, "saboteur", 2, computers=1)
    match = await host.lobby.join(match.id, CLEO)
    match = await host.lobby.leave(match.id, ANN.user_id)
    assert (match.host_id, match.seat_names) == (BOB.user_id, ("Bob", "Pebble", "Cleo"))
    match = await host.lobby.leave(match.id, CLEO.user_id)
    assert match.host_id == BOB.user_id


async def test_a_table_without_people_is_closed(host: Host) -> None:
    match = await lobby(host, "saboteur", 1, computers=2)
    match = await host.lobby.leave(match.id, ANN.user_id)
    assert (match.status, match.ended_by) == (Status.CANCELLED, Ended.HOST)
    assert kinds(await tellings(host, match.id)) == [(Kind.LOBBY, None)]


async def test_p01_the_host_may_remove_somebody(host: Host) -> None:
    match = await lobby(host, "saboteur", 3)
    assert (await host.lobby.remove(match.id, ANN.user_id, BOB.user_id)).seat_names == ("Ann", "Cleo")
    await raised(NotSeated, host.lobby.remove(match.id, ANN.user_id, BOB.user_id))


async def test_whoever_left_can_come_back_and_sits_last(host: Host) -> None:
    match = await lobby(host, "saboteur", 3)
    await host.lobby.leave(match.id, BOB.user_id)
    assert (await host.lobby.join(match.id, BOB)).seat_names == ("Ann", "Cleo", "Bob")


@pytest.mark.parametrize("by", [BOB, STRANGER])
async def test_only_the_host_decides_about_the_lobby(host: Host, database: Database, by: Person) -> None:
    match = await lobby(host, "saboteur", 3, computers=1)
    before = await dump(database)
    for forbidden in (
        host.lobby.start(match.id, by.user_id),
        host.lobby.remove(match.id, by.user_id, CLEO.user_id),
        host.lobby.add_computer(match.id, by.user_id),
        host.lobby.remove_computer(match.id, by.user_id),
        host.votes.cancel(match.id, by.user_id),
    ):
        await raised(NotAllowed, forbidden)
    assert await dump(database) == before


async def test_too_few_cannot_start(host: Host) -> None:
    match = await lobby(host, "saboteur", 2)
    await raised(Refused, host.lobby.start(match.id, ANN.user_id), "at least 3")


async def test_the_host_starts_a_table_without_a_wanted_size(host: Host) -> None:
    match = await lobby(host, "saboteur", 4)
    match = await host.lobby.start(match.id, ANN.user_id)
    assert match.status is Status.RUNNING
    assert [seat.seat for seat in match.seats] == [0, 1, 2, 3]
    assert match == await host.look.match(match.id)


async def test_after_the_start_the_lobby_is_closed(host: Host, database: Database) -> None:
    match = await running(host, "saboteur", 3)
    before = await dump(database)
    for late in (
        host.lobby.join(match.id, STRANGER),
        host.lobby.leave(match.id, BOB.user_id),
        host.lobby.start(match.id, ANN.user_id),
        host.lobby.remove(match.id, ANN.user_id, BOB.user_id),
        host.lobby.add_computer(match.id, ANN.user_id),
    ):
        await raised(WrongTime, late)
    assert await dump(database) == before


@pytest.mark.parametrize(
    ("by", "moderator", "ended"), [(ANN, False, Ended.HOST), (ANN, True, Ended.HOST), (STRANGER, True, Ended.MODERATOR)]
)
async def test_host_and_moderators_may_cancel_a_lobby(host: Host, by: Person, moderator: bool, ended: Ended) -> None:
    match = await lobby(host, "saboteur", 2)
    match = await host.votes.cancel(match.id, by.user_id, moderator=moderator)
    assert (match.status, match.ended_by) == (Status.CANCELLED, ended)
    assert kinds(await tellings(host, match.id)) == [(Kind.LOBBY, None)]
    for late in (
        host.votes.cancel(match.id, by.user_id, moderator=moderator),
        host.lobby.join(match.id, CLEO),
        host.look.view(match.id, None),
    ):
        await raised(WrongTime, late)


async def test_nothing_can_be_done_at_a_table_that_is_not_there(host: Host) -> None:
    for request in (
        host.look.match(MatchId(1)),
        host.look.view(MatchId(1), None),
        host.look.history(MatchId(1), None),
        host.lobby.join(MatchId(1), ANN),
        host.lobby.leave(MatchId(1), UserId(1)),
        host.play.act(MatchId(1), UserId(1), "pass"),
        host.play.resign(MatchId(1), UserId(1)),
        host.lobby.rematch(MatchId(1), ANN),
        host.votes.cancel(MatchId(1), UserId(1), moderator=True),
    ):
        await raised(NotFound, request, "no match 1")


# Time.


async def test_p01_a_lobby_that_nobody_starts_is_closed_after_a_day_and_says_so(host: Host, clock: ManualClock) -> None:
    match = await lobby(host, "saboteur", 2)
    clock.advance(timedelta(hours=23, minutes=59))
    assert not await run_due(host)
    clock.advance(timedelta(minutes=1))
    assert await run_due(host)
    closed = await host.look.match(match.id)
    assert (closed.status, closed.ended_by, closed.ended_at) == (Status.CANCELLED, Ended.EXPIRED, clock.now())
    assert kinds(await tellings(host, match.id)) == [(Kind.LOBBY, None)]
    assert not await run_due(host)


async def test_a_lobby_that_was_started_is_not_closed(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 3, pace=Pace.NONE)
    clock.advance(timedelta(days=3))
    assert not await run_due(host)
    assert (await host.look.match(match.id)).status is Status.RUNNING


# The start.


async def test_p03_the_start_is_told_lobby_first_then_board_then_all_secrets_in_seat_order(host: Host) -> None:
    match = await lobby(host, "saboteur", 4)
    assert kinds(await tellings(host, match.id)) == []
    match = await host.lobby.start(match.id, ANN.user_id)
    told = await tellings(host, match.id)
    secrets = [(Kind.SECRETS, seat) for seat in range(4)]
    assert kinds(told) == [(Kind.LOBBY, None), (Kind.BOARD, None), *secrets]
    assert {row.ply for row in told} == {match.ply}


@pytest.mark.parametrize("game", ["gambo", "ambush"])
async def test_a_game_without_secrets_starts_with_lobby_and_board(host: Host, game: str) -> None:
    match = await lobby(host, game, 2)
    assert kinds(await tellings(host, match.id)) == [(Kind.LOBBY, None), (Kind.BOARD, None)]


@pytest.mark.parametrize("game", GAMES)
async def test_the_first_chance_lines_are_there_when_the_match_runs(host: Host, game: str) -> None:
    match = await running(host, game, GAMES[game].info.min_players)
    lines = await host.look.history(match.id, None)
    assert lines
    assert len(lines) == match.ply
    assert match.to_move is not None


# Events from Discord.


async def test_messages_and_threads_are_remembered(host: Host) -> None:
    match = await running(host, "gambo")
    await host.outbox.set_lobby_message(match.id, 2**60 + 1)
    await host.outbox.set_thread(match.id, 2**60 + 2)
    await host.outbox.told(0, BoardPost(match.id, 2**60 + 3, match.ply))
    found = await host.look.match(match.id)
    assert (found.lobby_message_id, found.thread_id) == (2**60 + 1, 2**60 + 2)
    assert (found.board_message_id, found.board_ply) == (2**60 + 3, match.ply)
    assert found.place_id == found.thread_id
    await host.outbox.set_thread(match.id, None)
    assert (await host.look.match(match.id)).place_id == CHANNEL


async def test_a_late_report_of_an_older_board_changes_nothing(host: Host) -> None:
    match = await running(host, "gambo")
    await host.outbox.told(0, BoardPost(match.id, 2, Ply(5)))
    await host.outbox.told(0, BoardPost(match.id, 1, Ply(4)))
    found = await host.look.match(match.id)
    assert (found.board_message_id, found.board_ply) == (2, 5)


async def test_p02_direct_messages_are_known_of_a_person_at_every_table(host: Host) -> None:
    first, second = await lobby(host, "saboteur", 2), await lobby(host, "gambo")
    assert [seat.dm for seat in first.seats] == [Dm.UNKNOWN, Dm.UNKNOWN]
    await host.dms.note_dm(ANN.user_id, open=False)
    await host.dms.note_dm(BOB.user_id, open=True)
    assert [seat.dm for seat in (await host.look.match(first.id)).seats] == [Dm.CLOSED, Dm.OPEN]
    assert (await host.look.match(second.id)).seats[0].dm is Dm.CLOSED


# Rematch.


async def ended(host: Host, people: int = 3, computers: int = 0, **request: Any) -> Match:
    match = await running(host, "saboteur", people, computers, **request)
    return await host.votes.cancel(match.id, UserId(0), moderator=True)


async def test_p11_a_rematch_is_a_lobby_of_the_same_kind_at_the_same_place(host: Host) -> None:
    old = await ended(host, guild_id=7, pace=Pace.LIVE, where=Where.THREAD)
    new = await host.lobby.rematch(old.id, BOB)
    assert (new.status, new.host_id, new.seat_names) == (Status.LOBBY, BOB.user_id, ("Bob",))
    assert (await host.look.details(new.id)).rematch_of == old.id
    assert (new.game, new.options, new.size) == (old.game, old.options, 3)
    assert (new.pace, new.where, new.guild_id, new.channel_id) == (old.pace, old.where, 7, CHANNEL)
    assert (new.thread_id, new.lobby_message_id) == (None, None)
    assert set((await host.look.details(new.id)).invited) == {ANN.user_id, CLEO.user_id}
    assert new.commitment != old.commitment


async def test_whoever_asks_for_the_rematch_second_joins_the_first_ones_lobby(host: Host) -> None:
    old = await ended(host)
    new = await asyncio.gather(*(host.lobby.rematch(old.id, person) for person in (ANN, BOB)))
    assert new[0].id == new[1].id
    assert (await host.lobby.rematch(old.id, BOB)).id == new[0].id
    assert (await host.lobby.rematch(old.id, CLEO)).status is Status.RUNNING


async def test_computers_come_along_to_a_rematch(host: Host) -> None:
    old = await ended(host, 2, computers=1)
    new = await host.lobby.rematch(old.id, ANN)
    assert new.seat_names == ("Ann", "Pebble")
    alone = await host.lobby.rematch((await ended(host, 1, computers=2)).id, ANN)
    assert alone.status is Status.LOBBY, "what it commits to is shown before anything counts"
    assert (await host.look.details(alone.id)).pressed == ()
    assert (await host.lobby.start(alone.id, ANN.user_id)).status is Status.RUNNING
    assert (await host.lobby.join(new.id, BOB)).status is Status.RUNNING, "nobody is missing any more"


async def test_a_rematch_that_was_cancelled_can_be_asked_for_again(host: Host) -> None:
    old = await ended(host)
    first = await host.lobby.rematch(old.id, ANN)
    await host.votes.cancel(first.id, ANN.user_id)
    assert (await host.lobby.rematch(old.id, BOB)).id != first.id


async def test_a_rematch_is_for_the_players_of_a_match_that_is_over(host: Host) -> None:
    match = await running(host, "saboteur", 3)
    await raised(WrongTime, host.lobby.rematch(match.id, ANN))
    await host.votes.cancel(match.id, UserId(0), moderator=True)
    await raised(NotSeated, host.lobby.rematch(match.id, STRANGER))


# Lists.


async def test_p18_a_list_names_what_waits_for_a_person_first_then_the_newest(host: Host) -> None:
    idle = await lobby(host, "saboteur", 1)
    matches = [await running(host, "gambo") for _ in range(3)]
    over = await host.play.resign(matches.pop().id, ANN.user_id)
    await host.votes.cancel((await lobby(host, "gambo")).id, ANN.user_id)
    found = await host.look.matches_of(ANN.user_id)
    waiting = [match.id for match in reversed(matches) if match.waits_for(ANN.user_id)]
    others = [match.id for match in reversed(matches) if not match.waits_for(ANN.user_id)]
    assert [match.id for match in found] == [*waiting, *others, idle.id]
    assert [match.waits_for(ANN.user_id) for match in found] == [True] * len(waiting) + [False] * (len(others) + 1)
    assert [match.id for match in await host.archive.recent(ANN.user_id)] == [over.id]
    assert await host.look.matches_of(STRANGER.user_id) == ()


async def test_whoever_resigned_does_not_find_the_match_in_their_list(host: Host) -> None:
    match = await running(host, "saboteur", 3)
    await host.play.resign(match.id, ANN.user_id)
    assert await host.look.matches_of(ANN.user_id) == ()
    assert [found.id for found in await host.look.matches_of(BOB.user_id)] == [match.id]


async def test_finished_matches_are_listed_the_latest_first_and_no_more_than_asked_for(host: Hosted) -> None:
    first, second, third = [await running(host, "gambo") for _ in range(3)]
    for match in (second, third, first):
        host.clock.advance(timedelta(minutes=1))
        await host.play.resign(match.id, BOB.user_id)
    assert [match.id for match in await host.archive.recent(ANN.user_id)] == [first.id, third.id, second.id]
    assert [match.id for match in await host.archive.recent(ANN.user_id, 2)] == [first.id, third.id]


async def test_a_place_shows_the_lobbies_and_matches_whose_board_stands_there(host: Host) -> None:
    here = await lobby(host, "saboteur")
    elsewhere = await lobby(host, "saboteur", channel_id=CHANNEL + 1)
    threaded = await running(host, "gambo")
    await host.outbox.set_thread(threaded.id, 5000)
    over = await running(host, "gambo")
    await host.play.resign(over.id, ANN.user_id)
    assert [match.id for match in await host.look.matches_in(CHANNEL)] == [here.id]
    assert [match.id for match in await host.look.matches_in(CHANNEL + 1)] == [elsewhere.id]
    assert [match.id for match in await host.look.matches_in(5000)] == [threaded.id]


async def test_seeds_are_drawn_from_the_entropy_that_was_given(database: Database, clock: ManualClock) -> None:
    for _ in range(2):
        await lobby(Host(database, clock, Seeds("same")), "gambo")
    column = list(schema.matches.c.keys()).index("seed")
    assert [row[column] for row in (await dump(database))["matches"]] == [Seeds("same")(32)] * 2


async def test_what_was_due_for_a_table_goes_with_it(host: Host, database: Database) -> None:
    await lobby(host, "gambo")
    assert [row[1] for row in (await dump(database))["deadlines"]] == [Due.LOBBY]
    await database.write(lambda connection: connection.execute(schema.matches.delete()) and None)
    assert (await dump(database))["deadlines"] == []
