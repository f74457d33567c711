"""Forgetting a person (P20): no number and no name is left, and no match stands still for it."""

from __future__ import annotations

from random import Random

import pytest

from db import Database
from db.rows import PlayerSettings
from db.words import Ping
from matches import Ended, Host, Kind, Match, NewMatch, NotAllowed, Person, Status
from tests.matches.tables import CHANNEL, PEOPLE, dump, kinds, lobby, play_on, running, tellings
from tests.statements import statements

ANN, BOB, CLEO = PEOPLE[:3]
# A number that nothing else in the store could be by chance.
ZED = Person(987_654_321_012_345_678, "Zed Zwart")


async def with_zed(host: Host, game: str, others: tuple[Person, ...]) -> Match:
    """A match that has just begun in which Zed is the host."""
    match = await host.lobby.open(NewMatch(game, CHANNEL), ZED)
    for person in others:
        match = await host.lobby.join(match.id, person)
    if match.status is Status.LOBBY:
        match = await host.lobby.start(match.id, ZED.user_id)
    await tellings(host)
    return match


async def assert_forgotten(database: Database) -> None:
    everything = str(await dump(database))
    assert str(ZED.user_id) not in everything
    assert "Zed" not in everything


async def test_p20_in_old_matches_the_person_becomes_a_number(host: Host, database: Database) -> None:
    match = await play_on(host, await with_zed(host, "ambush", (BOB,)), Random(1))
    seat = match.seat_of(ZED.user_id)
    assert seat is not None
    assert seat.seat is not None
    assert await host.privacy.matches_kept(ZED.user_id) == (match.id,)
    await host.privacy.forget(ZED.user_id)
    await assert_forgotten(database)
    match = await host.look.match(match.id)
    assert match.people[seat.seat] == f"Player {seat.seat + 1}"
    assert (await host.look.verify(match.id)).ok
    assert await host.privacy.matches_kept(ZED.user_id) == ()


async def test_p20_running_matches_go_on_by_computer_and_the_hosting_is_handed_over(
    host: Host, database: Database
) -> None:
    match = await with_zed(host, "saboteur", (BOB, CLEO))
    (changed,) = await host.privacy.forget(ZED.user_id)
    await assert_forgotten(database)
    assert changed.id == match.id
    assert changed.host_id in (BOB.user_id, CLEO.user_id)
    assert Kind.LOBBY in dict(kinds(await tellings(host)))
    ended = await play_on(host, await host.look.match(match.id), Random(2))
    assert ended.ended_by is Ended.RULES
    assert not ended.counts


async def test_p20_a_match_with_nobody_left_ends(host: Host, database: Database) -> None:
    match = await with_zed(host, "ambush", (BOB,))
    await host.privacy.forget(BOB.user_id)
    await host.privacy.forget(ZED.user_id)
    await assert_forgotten(database)
    assert (await host.look.match(match.id)).ended_by is Ended.LEFT


async def test_p20_lobbies_are_left_and_invitations_forgotten(host: Host, database: Database) -> None:
    sat = await host.lobby.open(NewMatch("saboteur", CHANNEL), ZED)
    await host.lobby.join(sat.id, ANN)
    alone = await host.lobby.open(NewMatch("saboteur", CHANNEL), ZED)
    invited = await lobby(host, "saboteur", invited=(ZED.user_id, BOB.user_id))
    await host.privacy.forget(ZED.user_id)
    await assert_forgotten(database)
    assert (await host.look.match(sat.id)).host_id == ANN.user_id
    assert (await host.look.match(alone.id)).status is Status.CANCELLED
    assert (await host.look.match(invited.id)).invited == (BOB.user_id,)


async def test_p20_settings_votes_and_wishes_go(host: Host, database: Database) -> None:
    await host.settings.set_player_settings(ZED.user_id, PlayerSettings(Ping.DM, large=True))
    await host.dms.note_dm(ZED.user_id, True)
    match = await with_zed(host, "saboteur", (ANN, BOB, CLEO))
    await host.votes.cancel(match.id, ZED.user_id)
    await host.play.depart(match.id, ANN.user_id)
    await host.absence.apply(match.id, PEOPLE[5])
    await host.absence.agree(match.id, ZED.user_id, PEOPLE[5].user_id)
    other = await running(host, "saboteur", 3, computers=1)
    await host.absence.apply(other.id, ZED)
    await host.privacy.forget(ZED.user_id)
    await assert_forgotten(database)
    assert await host.settings.player_settings(ZED.user_id) == PlayerSettings()
    assert (await host.look.match(match.id)).applications[0].agreed == ()


async def test_p20_forgetting_twice_changes_nothing_more(host: Host, database: Database) -> None:
    await with_zed(host, "saboteur", (BOB, CLEO))
    await host.privacy.forget(ZED.user_id)
    once = await dump(database)
    assert await host.privacy.forget(ZED.user_id) == ()
    assert await dump(database) == once


async def test_p14_whoever_was_forgotten_has_seen_the_secrets_all_the_same(host: Host) -> None:
    match = await with_zed(host, "saboteur", (BOB, CLEO))
    await host.privacy.forget(ZED.user_id)
    with pytest.raises(NotAllowed, match="seen secrets"):
        await host.absence.apply(match.id, ZED._replace(name="Somebody else"))
    ended = await play_on(host, await host.look.match(match.id), Random(3))
    assert ended.witnesses == ()


async def test_p20_on_the_server_what_the_person_played_counts_for_a_number(host: Host, database: Database) -> None:
    match = await running(host, "ambush", 2, guild_id=555)
    match = await host.play.resign(match.id, BOB.user_id)
    (before,) = await host.archive.tally_in(555)
    winner = match.seat_of(ANN.user_id)
    assert winner is not None
    assert (before.played, before.won, before.winner) == (1, 1, "Ann")
    await host.privacy.forget(ANN.user_id)
    assert await host.archive.tally_of(ANN.user_id) == ()
    (after,) = await host.archive.tally_in(555)
    assert (after.played, after.won, after.winner) == (1, 1, f"Player {1 + (winner.seat or 0)}")
    assert "Ann" not in str(await dump(database))


async def test_p20_of_who_has_played_very_much_the_store_is_not_kept_busy_at_a_stretch(
    host: Host, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(5):
        await play_on(host, await with_zed(host, "ambush", (BOB,)), Random(seed))
    monkeypatch.setattr("matches.privacy.AT_ONCE", 2)
    with statements() as made:
        await host.privacy.forget(ZED.user_id)
    assert len([statement for statement in made if statement.startswith("UPDATE seats")]) == 3
    assert not any(statement.startswith("SELECT log") for statement in made), "finished matches are not replayed"
    await assert_forgotten(database)
