"""A log that doesn't replay under this program: the match is frozen and says so, and nothing of it is lost."""

import re
from contextlib import suppress
from random import Random

import pytest

from db import Database
from db.model.ids import MatchId, UserId
from matches.api import Ended, Frozen, Host, Kind, Lost, ManualClock, Match, NewMatch, Person, Status, WrongTime, check
from tests.matches.tables import (
    CHANNEL,
    PEOPLE,
    Hosted,
    dump,
    kinds,
    play,
    play_on,
    raised,
    run_due,
    running,
    sql,
    tellings,
)
from tests.statements import statements

ANN = PEOPLE[0].user_id


@pytest.fixture
async def broken(host: Host, database: Database) -> Match:
    """A match of Saboteur whose first deal was damaged in the store."""
    match = await play_on(host, await running(host, "saboteur", 3), Random(1), lambda match: match.ply > 12)
    await tellings(host)
    await sql(database, "UPDATE log SET action = 'deal rock,rock' WHERE action LIKE 'deal%'")
    return match


async def frozen(host: Host, match: Match) -> str:
    with pytest.raises(Frozen) as refused:
        await host.look.view(match.id, ANN)
    return str(refused.value)


async def test_the_match_is_frozen_and_its_people_are_told(
    database: Database, clock: ManualClock, broken: Match
) -> None:
    host = Host(database, clock)
    sentence = await frozen(host, broken)
    found = await host.look.match(broken.id)
    assert (found.status, found.reason) == (Status.FROZEN, sentence)
    assert (found.ply, found.to_move, found.turn_due) == (broken.ply, None, None)
    assert kinds(await tellings(host)) == [(Kind.END, None), (Kind.LOBBY, None)]
    assert not await run_due(host)


async def test_a_match_that_is_frozen_is_one_line_of_the_log_that_says_what_to_do(
    database: Database, clock: ManualClock, broken: Match, caplog: pytest.LogCaptureFixture
) -> None:  # FOUND E10
    host = Host(database, clock)
    for _ in range(3):
        await frozen(host, broken)
    (line,) = [record.message for record in caplog.records if record.name == "matches.work.unit_of_work"]
    assert f"match {broken.id} (saboteur) is frozen" in line
    assert "of its log can't be replayed" in line
    assert "rock" not in line
    assert "--check" in line


async def test_everything_that_needs_the_position_is_refused_with_the_same_sentence(
    database: Database, clock: ManualClock, broken: Match
) -> None:
    host = Host(database, clock)
    sentence = await frozen(host, broken)
    before = await dump(database)
    for request in (
        host.look.view(broken.id, None),
        host.look.history(broken.id, ANN),
        host.play.act(broken.id, ANN, "pass"),
        host.play.resign(broken.id, ANN),
        host.votes.remind(broken.id, ANN),
    ):
        with pytest.raises(Frozen) as refused:
            await request
        assert str(refused.value) == sentence
    assert await dump(database) == before


async def test_whoever_touches_it_first_is_told_and_everybody_after_them(
    database: Database, clock: ManualClock, broken: Match
) -> None:
    host = Host(database, clock)
    await raised(Frozen, host.play.resign(broken.id, ANN))
    assert (await host.look.match(broken.id)).status is Status.FROZEN
    # It is announced once, however many people ask.
    await frozen(host, broken)
    assert kinds(await tellings(host)) == [(Kind.END, None), (Kind.LOBBY, None)]


async def test_the_sentence_names_the_line_and_not_what_it_says(
    database: Database, clock: ManualClock, broken: Match
) -> None:
    sentence = await frozen(Host(database, clock), broken)
    assert re.search(r"Line \d+ of its log can't be replayed\.$", sentence)
    assert "rock" not in sentence
    assert "deal" not in sentence


async def test_other_matches_go_on(host: Host, database: Database, clock: ManualClock, broken: Match) -> None:
    other = await running(host, "gambo")
    later = Host(database, clock)
    await frozen(later, broken)
    assert (await play(later, other, Random(1))).ply > other.ply
    assert {match.id for match in await later.look.matches_of(ANN)} == {other.id, broken.id}


async def test_a_log_of_other_rules_is_frozen_and_says_which(host: Hosted) -> None:
    match = await running(host, "gambo")
    await sql(host.database, "UPDATE matches SET rules_version = 99")
    assert "version 99 of the rules of Gambo" in await frozen(Host(host.database, host.clock), match)


async def test_a_match_goes_on_when_a_program_comes_that_can_replay_it(host: Hosted) -> None:
    match = await play_on(host, await running(host, "gambo"), Random(1), lambda match: match.ply > 5)
    await sql(host.database, "UPDATE matches SET rules_version = 99")
    await frozen(Host(host.database, host.clock), match)
    await tellings(host)
    await sql(host.database, "UPDATE matches SET rules_version = 1")
    later = Host(host.database, host.clock)
    view = await later.look.view(match.id, None)
    assert (view.match.status, view.match.reason, view.match.to_move) == (Status.RUNNING, None, match.to_move)
    assert view.match.turn_due == host.clock.now() + (view.match.pace.turn or host.clock.now().resolution)
    assert (Kind.BOARD, None) in kinds(await tellings(later))
    assert (await play_on(later, view.match, Random(1))).ended_by is Ended.RULES


async def test_what_is_in_memory_does_not_hide_that_the_log_is_damaged(host: Hosted, broken: Match) -> None:
    await frozen(Host(host.database, host.clock), broken)
    await raised(Frozen, host.play.act(broken.id, ANN, "pass"))


async def test_nobody_else_who_writes_waits_while_the_log_of_a_frozen_match_is_replayed(
    database: Database, clock: ManualClock, broken: Match
) -> None:
    await frozen(Host(database, clock), broken)
    for _ in range(2):
        with statements(beginnings=True) as made, pytest.raises(Frozen):
            await Host(database, clock).play.act(broken.id, ANN, "pass")
        begun = [number for number, each in enumerate(made) if each == "BEGIN IMMEDIATE" or "FOR NO KEY UPDATE" in each]
        written = made[begun[0] :]
        assert any("FROM log" in statement for statement in made)
        assert not any("FROM log" in statement for statement in written)


async def test_a_frozen_match_can_be_ended(database: Database, clock: ManualClock, broken: Match) -> None:
    host = Host(database, clock)
    await frozen(host, broken)
    over = await host.votes.cancel(broken.id, ANN)
    assert (over.status, over.ended_by, over.ply) == (Status.OVER, Ended.VOTE, broken.ply)
    await raised(WrongTime, host.votes.cancel(broken.id, ANN))


async def test_a_finished_match_whose_log_is_damaged_says_so_and_stays_finished(host: Hosted) -> None:
    match = await play_on(host, await running(host, "gambo"), Random(1))
    await sql(host.database, "UPDATE log SET action = 'nonsense' WHERE ply = 3")
    later = Host(host.database, host.clock)
    for request in (later.look.view(match.id, None), later.look.history(match.id, ANN), later.look.verify(match.id)):
        await raised(Frozen, request, "can't be")
    assert (await host.look.match(match.id)).status is Status.OVER


# Before an upgrade.


async def test_check_names_the_open_matches_that_would_not_go_on(host: Host, database: Database, broken: Match) -> None:
    other = await running(host, "gambo")
    await running(host, "ambush")
    over = await running(host, "gambo")
    await host.play.resign(over.id, ANN)
    await sql(database, "UPDATE matches SET rules_version = 99 WHERE id IN (:a, :b)", a=other.id, b=over.id)
    before = await dump(database)
    sentences = await check(database)
    assert len(sentences) == 2
    assert re.fullmatch(rf"Match {broken.id} \(saboteur\): Line \d+ of its log can't be replayed\.", sentences[0])
    assert sentences[1].startswith(f"Match {other.id} (gambo): ")
    assert "version 99" in sentences[1]
    assert await dump(database) == before


async def test_check_finds_games_that_are_gone(host: Host, database: Database) -> None:
    match = await running(host, "gambo")
    await sql(database, "UPDATE matches SET game = 'chess'")
    (sentence,) = await check(database)
    assert sentence == f"Match {match.id} (chess): There's no game called 'chess'."


async def test_check_has_nothing_to_say_about_matches_in_good_order(host: Host, database: Database) -> None:
    for game in ("saboteur", "ambagibus"):
        await play(host, await running(host, game, 3), Random(1))
    assert await check(database) == ()


# Work on many matches continues after one that doesn't replay (FOUND E3).


async def three_of_which_the_first_is_damaged(
    host: Host, database: Database, guild_id: int, first: Person
) -> list[MatchId]:
    """The numbers of three matches of a server, each between this person and another."""
    numbers = []
    for _ in range(3):
        match = await host.lobby.open(NewMatch("gambo", CHANNEL, guild_id=guild_id), first)
        numbers.append((await host.lobby.join(match.id, PEOPLE[1])).id)
    await tellings(host)
    await sql(database, "UPDATE matches SET rules_version = 99 WHERE id = :a", a=numbers[0])
    return numbers


# FOUND E3
async def test_a_server_that_is_lost_and_found_has_all_its_matches_told_but_the_one_that_does_not_replay(
    host: Host, database: Database, clock: ManualClock
) -> None:
    first, *rest = await three_of_which_the_first_is_damaged(host, database, 5, PEOPLE[0])
    _, *others = await three_of_which_the_first_is_damaged(host, database, 6, PEOPLE[0])
    later = Host(database, clock)
    with pytest.raises(ExceptionGroup, match=rf"^match {first}: Frozen, match \d+: Frozen$") as failed:
        await later.reach.notice_servers(())
    assert failed.value.exceptions[0].__notes__[0] == f"match {first}"
    assert {(await later.look.match(MatchId(number))).lost for number in (*rest, *others)} == {Lost.SERVER}
    # Frozen matches are no longer among them.
    await Host(database, clock).reach.notice_servers((5, 6))
    assert {(await later.look.match(MatchId(number))).lost for number in (*rest, *others)} == {None}
    assert (await later.look.match(MatchId(first))).status is Status.FROZEN


# FOUND E3
async def test_a_channel_that_is_deleted_is_noted_for_all_matches_but_the_one_that_does_not_replay(
    host: Host, database: Database, clock: ManualClock
) -> None:
    first, *rest = await three_of_which_the_first_is_damaged(host, database, 5, PEOPLE[0])
    await raised(ExceptionGroup, Host(database, clock).reach.lose_channel(CHANNEL), f"match {first}: Frozen")
    assert {(await host.look.match(MatchId(number))).lost for number in rest} == {Lost.PLACE}


# FOUND E3
async def test_a_person_is_forgotten_in_every_match_also_in_one_that_does_not_replay(host: Hosted) -> None:
    zed = Person(UserId(987_654_321_012_345_678), "Zed Zwart")
    numbers = await three_of_which_the_first_is_damaged(host, host.database, 5, zed)
    later = Host(host.database, host.clock)
    await later.privacy.forget(zed.user_id)
    while await later.privacy.being_forgotten():
        await later.privacy.go_on(zed.user_id)
    for number in numbers:
        assert (await later.look.match(MatchId(number))).seat_of(zed.user_id) is None
    everything = str(await dump(host.database))
    assert "Zed" not in everything
    assert str(zed.user_id) not in everything


# FOUND E3
async def test_somebody_who_cannot_be_forgotten_keeps_nobody_else_from_it(host: Hosted) -> None:
    stuck, other = PEOPLE[0], PEOPLE[2]
    (first, *_) = await three_of_which_the_first_is_damaged(host, host.database, 5, stuck)
    await sql(host.database, "UPDATE matches SET pace = 'never' WHERE id = :a", a=first)
    later = Host(host.database, host.clock)
    for person in (stuck, other):
        with suppress(Exception):
            await later.privacy.forget(person.user_id)
    for _ in range(8):
        for user_id in await later.privacy.being_forgotten():
            with suppress(Exception):
                await later.privacy.go_on(user_id)
    assert other.user_id not in await later.privacy.being_forgotten(9)
    assert await Host(host.database, host.clock).privacy.being_forgotten(9) == (stuck.user_id,)
