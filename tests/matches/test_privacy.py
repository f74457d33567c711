"""Forgetting a person (P20): no id and no name is left, and no match stops because of it."""

from random import Random

import pytest

from db import KEPT, Database
from db.model.enums import Ping
from db.model.setting_rows import PlayerSettings
from db.people import people
from db.puzzles import kept as puzzles
from db.puzzles.rows import AttemptRow
from matches.api import Ended, Host, Kind, Match, NewMatch, NotAllowed, NotSeated, Person, Status, UserId
from matches.host import by_mail
from matches.lessons import LessonPage, Lessons
from matches.orders import Orders
from matches.pledges import CallMeRow, Pledges
from tests.matches.pledges.promising import pledge
from tests.matches.tables import (
    CHANNEL,
    PEOPLE,
    Hosted,
    dump,
    kinds,
    lobby,
    moved,
    mover_view,
    play_on,
    raised,
    run_due,
    running,
    tellings,
    whole,
)
from tests.statements import statements

ANN, BOB, CLEO = PEOPLE[:3]
GUILD = 555
# An id that can't be in the store by chance.
ZED = Person(UserId(987_654_321_012_345_678), "Zed Zwart")


async def with_zed(host: Host, game: str, others: tuple[Person, ...]) -> Match:
    """A match that has just begun, with Zed as the host."""
    match = await host.lobby.open(NewMatch(game, CHANNEL, guild_id=GUILD), ZED)
    for person in others:
        match = await host.lobby.join(match.id, person)
    if match.status is Status.LOBBY:
        match = await host.lobby.start(match.id, ZED.user_id)
    await tellings(host)
    return match


async def forgotten(host: Host, user_id: UserId) -> tuple[Match, ...]:
    """Forget this person, to the last step."""
    changed = await host.privacy.forget(user_id)
    while user_id in await host.privacy.being_forgotten():
        await host.privacy.go_on(user_id)
    return changed


async def assert_forgotten(database: Database) -> None:
    everything = str(await dump(database))
    assert str(ZED.user_id) not in everything
    assert "Zed" not in everything


async def test_p20_in_old_matches_the_person_becomes_a_number(host: Host, database: Database) -> None:
    match = await play_on(host, await with_zed(host, "ambush", (BOB,)), Random(1))
    seat = match.seat_of(ZED.user_id)
    assert seat.seat is not None
    assert await host.privacy.matches_kept(ZED.user_id) == (match.id,)
    await forgotten(host, ZED.user_id)
    await assert_forgotten(database)
    match = await host.look.match(match.id)
    assert match.seat_names[seat.seat] == f"Player {seat.seat + 1}"
    assert (await host.look.verify(match.id)).ok
    assert await host.privacy.matches_kept(ZED.user_id) == ()


async def test_p20_running_matches_go_on_by_computer_and_the_hosting_is_handed_over(host: Hosted) -> None:
    match = await with_zed(host, "saboteur", (BOB, CLEO))
    await mover_view(host, match)
    # As `--forget` does it, in a process of its own.
    (changed,) = await forgotten(Host(host.database, host.clock, name=by_mail.NAME), ZED.user_id)
    await assert_forgotten(host.database)
    assert changed.id == match.id
    assert changed.host_id in (BOB.user_id, CLEO.user_id)
    assert Kind.LOBBY in dict(kinds(await tellings(host)))
    ended = await play_on(host, await host.look.match(match.id), Random(2))
    assert ended.ended_by is Ended.RULES
    assert not (await host.look.details(ended.id)).counts


async def test_p20_a_match_with_nobody_left_ends(host: Host, database: Database) -> None:
    match = await with_zed(host, "ambush", (BOB,))
    await forgotten(host, BOB.user_id)
    await forgotten(host, ZED.user_id)
    await assert_forgotten(database)
    assert (await host.look.match(match.id)).ended_by is Ended.LEFT


async def test_p20_lobbies_are_left_and_invitations_forgotten(host: Host, database: Database) -> None:
    sat = await host.lobby.open(NewMatch("saboteur", CHANNEL), ZED)
    await host.lobby.join(sat.id, ANN)
    alone = await host.lobby.open(NewMatch("saboteur", CHANNEL), ZED)
    invited = await lobby(host, "saboteur", invited=(ZED.user_id, BOB.user_id))
    await forgotten(host, ZED.user_id)
    await assert_forgotten(database)
    assert (await host.look.match(sat.id)).host_id == ANN.user_id
    assert (await host.look.match(alone.id)).status is Status.CANCELLED
    assert (await host.look.details(invited.id)).invited == (BOB.user_id,)


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
    await forgotten(host, ZED.user_id)
    await assert_forgotten(database)
    assert await host.settings.player_settings(ZED.user_id) == PlayerSettings()
    assert (await host.look.match(match.id)).applications[0].agreed == ()


async def test_p20_forgetting_twice_changes_nothing_more(host: Host, database: Database) -> None:
    await with_zed(host, "saboteur", (BOB, CLEO))
    await forgotten(host, ZED.user_id)
    once = await dump(database)
    assert await forgotten(host, ZED.user_id) == ()
    assert await dump(database) == once


async def test_p14_whoever_was_forgotten_has_seen_the_secrets_all_the_same(host: Host) -> None:
    match = await with_zed(host, "saboteur", (BOB, CLEO))
    await forgotten(host, ZED.user_id)
    await raised(NotAllowed, host.absence.apply(match.id, ZED._replace(name="Somebody else")), "seen secrets")
    ended = await play_on(host, await host.look.match(match.id), Random(3))
    assert (await whole(host, ended)).hidden.witnesses == ()


async def test_p20_on_the_server_what_the_person_played_counts_for_a_number(host: Host, database: Database) -> None:
    match = await moved(host, await running(host, "ambush", 2, guild_id=555))
    match = await host.play.resign(match.id, BOB.user_id)
    (before,) = await host.archive.tally_in(555)
    winner = match.seat_of(ANN.user_id)
    assert (before.played, before.won, before.winner) == (1, 1, "Ann")
    await forgotten(host, ANN.user_id)
    assert await host.archive.tally_of(ANN.user_id) == ()
    (after,) = await host.archive.tally_in(555)
    assert (after.played, after.won, after.winner) == (1, 1, f"Player {1 + (winner.seat or 0)}")
    assert "Ann" not in str(await dump(database))


async def with_many(host: Host, count: int = 5) -> list[Match]:
    """This many finished matches in which Zed played and was the host."""
    return [await play_on(host, await with_zed(host, "ambush", (BOB,)), Random(seed)) for seed in range(count)]


async def test_p20_of_whoever_has_played_very_much_the_store_is_not_kept_busy_at_a_stretch(
    host: Host, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    await with_many(host)
    monkeypatch.setattr("matches.host.privacy.MATCHES_PER_STEP", 2)
    with statements() as made:
        await host.privacy.forget(ZED.user_id)
    assert not any(statement.startswith(("UPDATE seats", "DELETE FROM seats")) for statement in made)
    steps = []
    while await host.privacy.being_forgotten():
        with statements() as made:
            await host.privacy.go_on(ZED.user_id)
        steps.append([statement for statement in made if statement.startswith(("UPDATE", "DELETE", "INSERT"))])
    assert [len(step) for step in steps] == [2, 2, 3]
    assert not any(statement.startswith("SELECT log") for statement in made), "finished matches are not replayed"
    await assert_forgotten(database)


async def test_p20_from_the_first_commit_on_nobody_is_shown_the_person(host: Host, database: Database) -> None:
    matches = await with_many(host, 3)
    await database.write(people.begin_forgetting, ZED.user_id)
    assert str(ZED.user_id) in str(await dump(database)), "no row of the matches is rewritten yet"
    await assert_unseen(host, matches)


async def assert_unseen(host: Host, matches: list[Match]) -> None:
    """Check that no query names Zed."""
    for match in matches:
        seat = match.own_seat(ZED.user_id)
        shown = await host.look.match(match.id)
        assert shown.seat_of(ZED.user_id) is None
        assert shown.host_id != ZED.user_id
        assert shown.seat_names[seat.seat or 0] == f"Player {1 + (seat.seat or 0)}"
        view = await host.look.view(match.id, ZED.user_id)
        assert view.seat is None
        assert (await host.look.verify(match.id)).ok
        for told in (
            shown,
            view,
            await host.look.history(match.id, BOB.user_id),
            await host.archive.recent(BOB.user_id),
        ):
            assert "Zed" not in repr(told)
            assert str(ZED.user_id) not in repr(told)
    assert "Zed" not in repr(await host.archive.finished_in(GUILD))
    assert "Zed" not in repr(await host.archive.tally_in(GUILD))
    assert await host.archive.recent(ZED.user_id) == ()
    assert await host.archive.tally_of(ZED.user_id) == ()
    assert not {match.id for match in matches}.intersection(await host.privacy.matches_kept(ZED.user_id))
    await raised(NotSeated, host.lobby.rematch(matches[0].id, ZED))


@pytest.mark.parametrize("steps", range(5))
async def test_p20_a_deletion_that_is_cut_short_goes_on_after_a_restart(
    host: Host, database: Database, url: str, monkeypatch: pytest.MonkeyPatch, steps: int
) -> None:
    monkeypatch.setattr("matches.host.privacy.MATCHES_PER_STEP", 2)
    matches = await with_many(host)
    runs = await with_zed(host, "saboteur", (BOB, CLEO))
    if steps == 0:
        await database.write(people.begin_forgetting, ZED.user_id)
    else:
        await host.privacy.forget(ZED.user_id)
        for _ in range(steps - 1):
            await host.privacy.go_on(ZED.user_id)
    async with await Database.open(url) as again:
        successor = Host(again)
        await assert_unseen(successor, matches)
        while await run_due(successor):
            pass
        await assert_forgotten(again)
        match = await successor.look.match(runs.id)
        assert (match.status, match.host_id) == (Status.RUNNING, BOB.user_id)


async def test_p20_whoever_plays_again_meanwhile_is_not_forgotten_in_that(host: Host, database: Database) -> None:
    (old,) = await with_many(host, 1)
    await host.privacy.forget(ZED.user_id)
    (new,) = await with_many(host, 1)
    assert (await host.look.match(new.id)).seat_of(ZED.user_id) is not None
    assert [match.id for match in await host.archive.recent(ZED.user_id)] == [new.id]
    while await host.privacy.being_forgotten():
        await host.privacy.go_on(ZED.user_id)
    assert await host.privacy.matches_kept(ZED.user_id) == (new.id,)
    assert (await host.look.match(old.id)).seat_of(ZED.user_id) is None
    await forgotten(host, ZED.user_id)
    await assert_forgotten(database)


async def test_p20_whoever_is_forgotten_changes_nobody_elses_numbers(host: Host) -> None:
    winners = (ANN, BOB, CLEO, PEOPLE[3])
    for number, person in enumerate(winners):
        for _ in range(4 - number):
            opened = await host.lobby.open(NewMatch("ambush", CHANNEL, guild_id=GUILD), person)
            await moved(host, await host.lobby.join(opened.id, PEOPLE[9]))
            await host.play.resign(opened.id, PEOPLE[9].user_id)
    for person in (BOB, CLEO):
        await forgotten(host, person.user_id)
    (tally,) = await host.archive.tally_in(GUILD)
    assert (tally.won, tally.winner) == (4, "Ann"), "those who were forgotten are not one person together"
    await forgotten(host, ANN.user_id)
    (tally,) = await host.archive.tally_in(GUILD)
    assert tally.won == 4
    assert tally.winner.startswith("Player ")


async def test_p20_among_equals_somebody_with_a_name_comes_first(host: Host) -> None:
    for person in (ANN, BOB):
        opened = await host.lobby.open(NewMatch("ambush", CHANNEL, guild_id=GUILD), person)
        await moved(host, await host.lobby.join(opened.id, PEOPLE[9]))
        await host.play.resign(opened.id, PEOPLE[9].user_id)
    await forgotten(host, ANN.user_id)
    (tally,) = await host.archive.tally_in(GUILD)
    assert (tally.won, tally.winner) == (1, "Bob")


async def test_p20_what_somebody_has_learnt_is_forgotten_with_them(host: Host, database: Database) -> None:
    for user in (ZED.user_id, ANN.user_id):
        await host.part(Lessons).skip(LessonPage(user, "ambush", None, 987_654_321_012_345_679))
    await forgotten(host, ZED.user_id)
    await assert_forgotten(database)
    assert not (await host.part(Lessons).standing(ZED.user_id, "ambush")).begun
    assert (await host.part(Lessons).standing(ANN.user_id, "ambush")).begun


async def test_p20_a_host_without_any_feature_deletes_what_they_keep_of_a_person(host: Hosted) -> None:
    await host.part(Lessons).skip(LessonPage(ZED.user_id, "ambush", None, 987_654_321_012_345_679))
    match = await play_on(host, await with_zed(host, "ambush", (ANN,)), Random(1), lambda at: at.waits_for(ANN.user_id))
    prepared = (await host.part(Orders).look(match.id, ZED.user_id)).next_view
    await host.part(Orders).give(match.id, ZED.user_id, prepared.moves[0].text, ply=match.ply)
    await host.work.write(puzzles.put_attempt, ZED.user_id, "one", AttemptRow(at=host.clock.now()))
    await pledge(host, ZED)
    await host.part(Pledges).call_me(GUILD, ZED.user_id, "gambo", CallMeRow(CHANNEL))
    stored = await dump(host.database)
    about = [each.table for each in KEPT if each.said and "user_id" in each.table.columns]
    assert all(str(ZED.user_id) in str(stored[table.name]) for table in about)
    await forgotten(Host(host.database, host.clock, features=()), ZED.user_id)
    await assert_forgotten(host.database)
