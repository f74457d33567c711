"""How a lobby starts, who may sit there and at how many at once, and how many of them are read (P1, P31)."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest

from db import Database
from db.model.ids import MatchId, UserId
from matches.api import (
    Ended,
    GuildSettings,
    Host,
    Kind,
    ManualClock,
    Match,
    NewMatch,
    NotAllowed,
    Pace,
    Person,
    Refused,
    Status,
    Terms,
    TooSoon,
)
from matches.table.limits import OPEN_TABLES
from matches.table.value import LOBBY_STAYS
from tests.matches.tables import CHANNEL, PEOPLE, Hosted, lobby, raised, running, sql, tellings, whole
from tests.matches.test_lobby import STRANGER, ended
from tests.statements import statements

ANN, BOB, CLEO, DAN = PEOPLE[:4]


async def test_a_full_table_waits_for_its_host_where_they_want_to_say_so(host: Host) -> None:  # FOUND F7
    match = await lobby(host, "gambo", 2, host_starts=True)
    assert (match.status, match.size, match.has_room) == (Status.LOBBY, 2, False)
    assert (await host.lobby.start(match.id, ANN.user_id)).status is Status.RUNNING
    filled = await lobby(host, "gambo", 1, 1, host_starts=True)
    assert filled.status is Status.LOBBY


async def waits(host: Host, match: Match) -> bool:
    """Whether a lobby that is full waits for its host."""
    return (await host.look.details(match.id)).host_starts


async def test_the_host_switches_how_a_table_starts_and_nobody_else_does(host: Host) -> None:  # FOUND F7
    match = await lobby(host, "gambo")
    assert not await waits(host, match)
    assert await waits(host, await host.lobby.switch_start(match.id, ANN.user_id))
    assert (await host.lobby.join(match.id, BOB)).status is Status.LOBBY
    await raised(NotAllowed, host.lobby.switch_start(match.id, BOB.user_id), "Only the host")
    begun = await host.lobby.switch_start(match.id, ANN.user_id)
    assert begun.status is Status.RUNNING, "a full table starts by it"
    assert (await host.look.details(begun.id)).pressed == ("join-0", "start-0")
    with pytest.raises(NotAllowed, match="No number of players"):
        await host.lobby.switch_start((await lobby(host, "saboteur")).id, ANN.user_id)


TERMS = (
    {"rated": False},
    {"pace": Pace.SLOW},
    {"moves_stand": True},
    {"reliable": True, "newcomers": True},
    {"size": 4},
    {"size": None},
)


@pytest.mark.parametrize("terms", TERMS, ids=lambda terms: next(iter(terms)))
async def test_the_host_changes_what_is_agreed_until_another_person_has_agreed_to_it(
    host: Host, terms: dict[str, Any]
) -> None:
    match = await lobby(host, "saboteur", guild_id=555, size=5)

    async def agreed() -> dict[str, Any]:
        known = vars(await host.look.match(match.id)) | vars(await host.look.details(match.id))
        return {name: known[name] for name in terms}

    before = await agreed()
    after = await host.lobby.agree(match.id, ANN.user_id, **terms)
    assert await agreed() == terms != before
    assert after == await host.look.match(match.id)
    assert [row.kind for row in await tellings(host)][-1] is Kind.LOBBY
    await host.lobby.add_computer(match.id, ANN.user_id, "easy")
    await host.lobby.agree(match.id, ANN.user_id, **before)
    await host.lobby.join(match.id, BOB)
    await raised(NotAllowed, host.lobby.agree(match.id, BOB.user_id, **terms), "Only the host")
    await raised(NotAllowed, host.lobby.agree(match.id, ANN.user_id, **terms), "Somebody has joined already")
    assert await agreed() == before
    await host.lobby.leave(match.id, BOB.user_id)
    await host.lobby.agree(match.id, ANN.user_id, **terms)


async def test_a_table_gets_only_a_number_of_players_that_its_game_and_its_seats_have(host: Host) -> None:
    match = await lobby(host, "saboteur", 1, computers=3)
    for wrong in (2, 11):
        with pytest.raises(Refused, match="Saboteur is for 3 to 10 players"):
            await host.lobby.agree(match.id, ANN.user_id, size=wrong)
    await raised(NotAllowed, host.lobby.agree(match.id, ANN.user_id, size=3), "4 are here already")
    assert (await host.lobby.agree(match.id, ANN.user_id, size=5)).size == 5
    begun = await host.lobby.agree(match.id, ANN.user_id, size=4)
    pressed = (await host.look.details(begun.id)).pressed
    assert (begun.status, pressed[-1]) == (Status.RUNNING, "start-0"), "a full table starts by it"
    fixed = await lobby(host, "gambo")
    assert (await host.lobby.agree(fixed.id, ANN.user_id, size=None)).size == 2


async def test_a_table_becomes_one_for_the_reliable_only_if_its_host_is_that(host: Host) -> None:
    match = await lobby(host, "saboteur", guild_id=555)
    refused = host.lobby.agree(match.id, ANN.user_id, reliable=True, newcomers=False)
    await raised(NotAllowed, refused, "known here for finishing their matches")
    assert not (await host.look.details(match.id)).reliable
    await host.lobby.agree(match.id, ANN.user_id, reliable=True, newcomers=True)
    assert (await host.look.details(match.id)).newcomers


async def test_a_server_without_ratings_has_no_rated_table(host: Host) -> None:
    await host.settings.set_guild_settings(555, GuildSettings(unrated=True))
    match = await lobby(host, "saboteur", guild_id=555)
    await raised(NotAllowed, host.lobby.agree(match.id, ANN.user_id, rated=True), "No match on this server")


async def test_whoever_keeps_away_from_anybody_says_when_their_tables_start_whoever_joins(
    host: Host,
) -> None:  # FOUND F7
    await host.settings.block(ANN.user_id, BOB.user_id)
    for joins in (BOB, CLEO):
        match = await lobby(host, "gambo")
        assert await waits(host, match)
        assert (await host.lobby.join(match.id, joins)).status is Status.LOBBY
    # An explicit choice counts, with a block list or without one, so the choice reveals nothing about a list.
    for person in (ANN, CLEO):
        for chosen in (True, False):
            match = await host.lobby.open(NewMatch("gambo", CHANNEL, Terms(host_starts=chosen)), person)
            assert await waits(host, match) is chosen
            await host.votes.cancel(match.id, person.user_id)
    await host.settings.unblock(ANN.user_id, BOB.user_id)
    assert not await waits(host, await lobby(host, "gambo"))


async def test_somebody_on_the_hosts_list_starts_none_of_their_tables(host: Host, clock: ManualClock) -> None:
    # FOUND F7
    await host.settings.block(ANN.user_id, BOB.user_id)
    for _ in range(15):
        clock.advance(timedelta(minutes=1))
        match = await host.lobby.join((await lobby(host, "gambo")).id, BOB)
        assert match.status is Status.LOBBY
        match = await host.lobby.remove(match.id, ANN.user_id, BOB.user_id)
        for _ in range(10):
            await raised(NotAllowed, host.lobby.join(match.id, BOB, anyway=True), "The host removed you")
        match = await host.lobby.join(match.id, CLEO)
        assert (await host.lobby.start(match.id, ANN.user_id)).status is Status.RUNNING


async def test_a_rematch_starts_as_the_match_before_did(host: Host) -> None:  # FOUND F7
    for chosen in (True, False):
        old = await ended(host, host_starts=chosen, size=3)
        assert await waits(host, await host.lobby.rematch(old.id, BOB)) is chosen
    old = await ended(host, size=3, host_starts=False)
    await host.settings.block(CLEO.user_id, STRANGER.user_id)
    assert await waits(host, await host.lobby.rematch(old.id, CLEO))


async def test_whoever_was_removed_is_removed_for_that_table_and_no_other(host: Host, database: Database) -> None:
    # FOUND F7
    match = await lobby(host, "saboteur", 3, invited=(BOB.user_id, DAN.user_id))
    match = await host.lobby.remove(match.id, ANN.user_id, BOB.user_id)
    assert (await host.look.details(match.id)).invited == (DAN.user_id,)
    assert [len(mark) for mark in (await whole(host, match)).hidden.removed] == [32], "the mark names nobody"
    await host.lobby.leave(match.id, ANN.user_id)
    await raised(NotAllowed, host.lobby.join(match.id, BOB), "The host removed you")
    # Leaving isn't being removed, and another table is another table.
    await host.lobby.join(match.id, ANN)
    assert (await host.lobby.join((await lobby(host, "saboteur")).id, BOB)).seat_of(BOB.user_id) is not None
    await raised(NotAllowed, host.lobby.remove(match.id, CLEO.user_id, CLEO.user_id), "That's you")
    await host.lobby.join(match.id, DAN)
    assert (await whole(host, await host.lobby.start(match.id, CLEO.user_id))).hidden.removed == ()
    old = await ended(host)
    new = await host.lobby.rematch(old.id, ANN)
    await host.lobby.rematch(old.id, BOB)
    await host.lobby.remove(new.id, ANN.user_id, BOB.user_id)
    await raised(NotAllowed, host.lobby.rematch(old.id, BOB), "The host removed you")


async def test_nobody_sits_at_more_than_five_tables_of_a_server_that_wait_for_players(host: Hosted) -> None:  # FOUND F7
    hosts, opened = [*PEOPLE[2:8], *PEOPLE[2:8]], host.clock.now()
    tables = [await host.lobby.open(NewMatch("saboteur", CHANNEL, guild_id=7), each) for each in hosts]
    for match in tables[: OPEN_TABLES - 1]:
        await host.lobby.join(match.id, BOB)
    own = await host.lobby.open(NewMatch("saboteur", CHANNEL, guild_id=7), BOB)
    for match in tables[OPEN_TABLES - 1 :]:
        with pytest.raises(TooSoon, match="5 tables here that are waiting") as refused:
            await host.lobby.join(match.id, BOB)
        assert refused.value.again == opened + LOBBY_STAYS
    await raised(TooSoon, host.lobby.open(NewMatch("saboteur", CHANNEL, guild_id=7), BOB), "5 tables here")
    # A host who only watches has the table, too. Another server is another server.
    await host.lobby.watch(own.id, BOB.user_id)
    await raised(TooSoon, host.lobby.join(tables[-1].id, BOB), "5 tables here")
    await host.lobby.open(NewMatch("saboteur", CHANNEL, guild_id=8), BOB)
    await host.votes.cancel(own.id, BOB.user_id)
    await host.lobby.join(tables[-1].id, BOB)


async def test_a_rematch_seats_nobody_at_a_sixth_table(host: Host) -> None:  # FOUND F7
    old = await ended(host, guild_id=7)
    others = [await host.lobby.open(NewMatch("saboteur", CHANNEL, guild_id=7), DAN) for _ in range(OPEN_TABLES)]
    for match in others:
        await host.lobby.join(match.id, ANN)
    await raised(TooSoon, host.lobby.rematch(old.id, ANN), "5 tables here")
    await host.lobby.rematch(old.id, BOB)
    await raised(TooSoon, host.lobby.rematch(old.id, ANN), "5 tables here")
    await host.lobby.leave(others[0].id, ANN.user_id)
    assert (await host.lobby.rematch(old.id, ANN)).seat_names == ("Bob", "Ann")


async def test_nobody_inherits_more_tables_than_they_could_open(host: Host, database: Database) -> None:  # FOUND P4
    """Twenty hosts let one person join, then leave. An older store may hold more."""
    tables = [
        await host.lobby.open(NewMatch("saboteur", CHANNEL, guild_id=7), Person(UserId(100 + number), f"P{number}"))
        for number in range(20)
    ]
    for match in tables[:OPEN_TABLES]:
        await host.lobby.join(match.id, BOB)
    for match in tables[OPEN_TABLES:]:
        await raised(TooSoon, host.lobby.join(match.id, BOB), "5 tables here")
        await sql(database, f"INSERT INTO seats (match_id, position, user_id, name) VALUES ({match.id}, 1, 11, 'Bob')")
    await host.lobby.join(tables[-1].id, CLEO)
    for match in reversed(tables):
        await host.lobby.leave(match.id, match.host_id)
    left = [await host.look.match(match.id) for match in tables]
    assert [match.host_id for match in left if match.status is Status.LOBBY].count(BOB.user_id) <= OPEN_TABLES
    assert (left[-1].host_id, left[-1].status) == (CLEO.user_id, Status.LOBBY), "the next who may"
    assert {match.ended_by for match in left if match.status is Status.CANCELLED} == {Ended.HOST}


async def test_whoever_is_barred_stands_up_from_every_lobby_of_that_server_and_starts_none(
    host: Host, clock: ManualClock
) -> None:  # FOUND F8
    until = clock.now() + timedelta(days=1)
    own = await lobby(host, "saboteur", 3, guild_id=7)
    alone = await lobby(host, "gambo", guild_id=7)
    theirs = await host.lobby.open(NewMatch("saboteur", CHANNEL, guild_id=7), DAN)
    await host.lobby.join(theirs.id, ANN)
    elsewhere = await lobby(host, "saboteur", guild_id=8)
    begun = await running(host, "gambo", 2, guild_id=7)
    watched = await lobby(host, "saboteur", guild_id=7)
    await host.lobby.watch(watched.id, ANN.user_id)
    await tellings(host)
    await host.settings.bar(7, ANN.user_id, until)
    found = [await host.look.match(each.id) for each in (own, theirs, alone, watched, elsewhere, begun)]
    assert [match.seat_names for match in found] == [("Bob", "Cleo"), ("Dan",), (), (), ("Ann",), begun.seat_names]
    assert [match.host_id for match in found[:2]] == [BOB.user_id, DAN.user_id]
    assert [match.status for match in found[2:4]] == [Status.CANCELLED] * 2
    assert found[5] == begun
    told = await tellings(host)
    assert {(row.match_id, row.kind) for row in told} == {
        (match.id, Kind.LOBBY) for match in (own, theirs, alone, watched)
    }
    for refused in (host.lobby.join(own.id, ANN), host.lobby.open(NewMatch("gambo", CHANNEL, guild_id=7), ANN)):
        await raised(TooSoon, refused, "barred you")


async def test_whoever_is_barred_while_somebody_starts_is_not_dealt_in(host: Host, database: Database) -> None:
    """Another process may bar them at that moment. FOUND F8"""
    until = 4 * 10**15  # In the year 2096.
    match = await lobby(host, "saboteur", 4, guild_id=7)
    await sql(database, f"INSERT INTO bars (guild_id, user_id, until) VALUES (7, {BOB.user_id}, {until})")
    begun = await host.lobby.start(match.id, ANN.user_id)
    assert sorted(begun.seat_names) == ["Ann", "Cleo", "Dan"]
    own = await host.lobby.open(NewMatch("saboteur", CHANNEL, guild_id=7), CLEO)
    await host.lobby.join(own.id, DAN)
    await host.lobby.join(own.id, ANN)
    await sql(database, f"INSERT INTO bars (guild_id, user_id, until) VALUES (7, {CLEO.user_id}, {until})")
    await raised(TooSoon, host.lobby.start(own.id, CLEO.user_id), "barred you")


# Many tables.


async def many(host: Host, count: int) -> list[Match]:
    """This many lobbies, each of another host, the oldest first."""
    wanted = NewMatch("gambo", CHANNEL, guild_id=7)
    return [await host.lobby.open(wanted, Person(UserId(100 + number), f"P{number}")) for number in range(count)]


async def test_the_open_tables_are_looked_up_once_for_all_who_ask_at_a_moment(host: Host) -> None:  # FOUND P4
    tables = await many(host, 30)
    await host.lobby.add_computer(tables[0].id, tables[0].host_id)
    waiting = await lobby(host, "saboteur", 2, guild_id=7, size=3)
    await lobby(host, "saboteur", 2, guild_id=8)
    with statements() as made:
        found = await asyncio.gather(*(host.look.open_tables(7) for _ in range(20)))
        ids = [each.id for each in found[0][:10]]
        pages = await asyncio.gather(*(host.look.matches(ids) for _ in range(20)))
    assert len(made) == 2, "one for the list, one for the page of it that is read whole"
    assert len({repr(each) for each in found}) == 1
    newest, *others = found[0]
    assert [each.id for each in others] == [match.id for match in reversed(tables[1:])]
    assert (newest.id, newest.taken, newest.seated) == (waiting.id, 2, frozenset({ANN.user_id, BOB.user_id}))
    assert [match.id for match in pages[0]] == ids
    # Later requests get the answer of that later moment.
    await host.lobby.join(waiting.id, CLEO)
    assert waiting.id not in [each.id for each in await host.look.open_tables(7)]
    assert await host.look.matches([MatchId(999), ids[1]]) == (await host.look.match(ids[1]),)


async def test_of_a_place_with_very_many_lobbies_a_page_is_read_and_all_that_runs(host: Host) -> None:  # FOUND P4
    runs = await running(host, "gambo", guild_id=7)
    tables = await many(host, 60)
    found = [match.id for match in await host.look.matches_in(CHANNEL)]
    assert found == [*(match.id for match in reversed(tables[-49:])), runs.id]
    assert await host.look.is_taken(CHANNEL)
    assert not await host.look.is_taken(CHANNEL, runs.id)
