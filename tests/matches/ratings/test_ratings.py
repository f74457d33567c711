"""Ratings of a server: what counts, what is stored, what people see of it."""

from __future__ import annotations

import gzip
import json
from random import Random
from typing import Any

import pytest

from db import Connection, Database
from db.failures import Conflict
from db.model.rows import Ladder, ResultRow
from db.model.setting_rows import GuildSettings, PlayerSettings
from db.ratings import kept as ladders
from db.ratings.kept import RatingRow
from db.results import keyed
from matches.api import (
    Ended,
    Host,
    ManualClock,
    Match,
    MatchId,
    NewMatch,
    NotAllowed,
    Person,
    Rated,
    Status,
    UserId,
    Vote,
    WrongTime,
)
from matches.computers.thinking import judgement_of
from matches.orders import Orders
from matches.ratings import Ratings, storing
from matches.ratings.ladder import computed
from matches.ratings.model import LISTED, MU
from matches.ratings.storing import FEW
from matches.results.result import Entrant, Result, day_of, read, written
from tests.matches.tables import (
    CHANNEL,
    DAY,
    PEOPLE,
    dump,
    moved,
    others,
    play,
    play_on,
    run_due,
    running,
    sql,
    true_position,
)

GUILD, ELSEWHERE = 555, 556
ANN, BOB, CLEO, DAN = PEOPLE[:4]
CACHE = ("ratings", "rating_points", "rating_pairs", "ladders")


async def resigned(host: Host, loser: Person = BOB, people: int = 2, **request: Any) -> Match:
    """A match of Ambush that one of two has resigned."""
    match = await moved(host, await running(host, "ambush", people, **{"guild_id": GUILD} | request))
    return await host.play.resign(match.id, loser.user_id)


async def numbers(host: Host, match: Match) -> dict[str | None, int]:
    """How far a match has moved each rating, by name."""
    return {change.name: change.change for change in await host.part(Ratings).changes(match.id)}


async def keys(database: Database) -> dict[str, str]:
    """The rating keys on the server, by name."""
    people = await database.at_length(lambda connection: keyed.people_of(connection, GUILD), writes=False)
    return {known.name: key for key, known in people.items()}


async def test_a_match_that_was_won_moves_both_ratings(host: Host) -> None:
    match = await resigned(host)
    assert match.rating is Rated.COUNTED
    assert [(seat.name, seat.place) for seat in match.seats if seat.name == "Ann"] == [("Ann", 1)]
    ann, bob = await host.part(Ratings).changes(match.id)
    assert (ann.name, ann.place, bob.name, bob.place) == ("Ann", 1, "Bob", 2)
    assert ann.number == MU + ann.change > MU > bob.number == MU + bob.change
    assert ann.provisional


async def test_the_place_in_the_standing_is_stored_with_the_result(host: Host) -> None:
    match = await running(host, "abissal", 3, guild_id=GUILD)
    match = await play_on(host, match, Random(4))
    state = await true_position(host, match.id)
    assert tuple(seat.place for seat in match.seats) == state.standing()
    assert [change.place for change in await host.part(Ratings).changes(match.id)] == [1, 2, 3]


@pytest.mark.parametrize("how", ["vote", "moderator"])
async def test_a_match_that_people_ended_moves_nothing(host: Host, how: str) -> None:
    match = await running(host, "ambush", 2, guild_id=GUILD)
    if how == "moderator":
        match = await host.votes.cancel(match.id, DAN.user_id, moderator=True)
    else:
        for person in (ANN, BOB):
            match = await host.votes.cancel(match.id, person.user_id)
    assert (match.rating, await host.part(Ratings).changes(match.id)) == (Rated.ENDED, ())
    assert [seat.place for seat in match.seats] == [None, None]


async def test_a_match_that_was_opened_as_one_that_does_not_count_moves_nothing(host: Host) -> None:
    match = await resigned(host, rated=False)
    assert (match.rating, await host.part(Ratings).changes(match.id)) == (Rated.AGREED, ())


async def test_a_server_without_ratings_has_none_even_of_matches_that_began_before(host: Host) -> None:
    begun = await running(host, "ambush", 2, guild_id=GUILD)
    assert begun.rated
    await host.settings.set_guild_settings(GUILD, GuildSettings(unrated=True))
    later = await running(host, "ambush", 2, guild_id=GUILD)
    assert not later.rated
    for match in (begun, later):
        over = await host.play.resign(match.id, BOB.user_id)
        assert (over.rating, await host.part(Ratings).changes(match.id)) == (Rated.OFF, ())


async def test_alone_against_computers_only_the_own_practice_rating_moves(host: Host) -> None:
    match = await moved(host, await running(host, "ambush", 1, 1, guild_id=GUILD))
    match = await host.play.resign(match.id, ANN.user_id)
    assert match.rating is Rated.PRACTICE
    (change,) = await host.part(Ratings).changes(match.id)
    assert change.change < 0
    profile = await host.part(Ratings).profile(GUILD, ANN.user_id, ANN.user_id)
    (skill,) = profile.skills
    assert skill.rating is None
    assert skill.practice.number == change.number


async def test_a_result_says_which_computers_played(host: Host, database: Database) -> None:
    for game in ("saboteur", "ambush"):
        match = await moved(host, await running(host, game, 1, 2 if game == "saboteur" else 1, guild_id=GUILD))
        await host.play.resign(match.id, ANN.user_id)
        stored = await database.read(keyed.result_of, match.id)
        assert stored is not None
        editions = {entrant.edition for entrant in map(read, stored.row.seats) if entrant.level is not None}
        assert editions == {judgement_of(game).edition}


async def test_computers_among_themselves_are_not_rated(host: Host) -> None:
    request = NewMatch("gambo", CHANNEL, guild_id=GUILD, watching=True, computers=("easy", "easy"))
    match = await host.lobby.start((await host.lobby.open(request, ANN)).id, ANN.user_id)
    match = await play_on(host, match, Random(1))
    assert (match.rating, await host.part(Ratings).changes(match.id)) == (Rated.NOBODY, ())


async def test_whoever_resigns_is_last_even_if_a_computer_wins_with_their_cards(host: Host) -> None:
    match = await moved(host, await running(host, "abissal", 3, guild_id=GUILD))
    await host.play.resign(match.id, BOB.user_id)
    match = await play_on(host, await host.look.match(match.id), Random(2))
    assert match.rating is Rated.COUNTED
    assert {seat.name: seat.place for seat in match.seats}["Bob"] == 3
    *_, last = await host.part(Ratings).changes(match.id)
    assert (last.name, last.place) == ("Bob", 3)
    assert last.change < 0


async def test_whoever_was_voted_out_is_last_and_who_takes_their_seat_over_is_not_counted(
    host: Host, clock: ManualClock
) -> None:
    match = await moved(host, await running(host, "abissal", 3, guild_id=GUILD))
    mover = match.mover
    left = mover.name
    staying = others(match)
    clock.advance(DAY)
    await run_due(host)
    for user_id in staying:
        match = await host.votes.vote(match.id, user_id, Vote.COMPUTER)
        if match.seats[mover.seat or 0].computer is not None:
            break
    await host.absence.apply(match.id, DAN)
    for user_id in staying:
        match = await host.absence.agree(match.id, user_id, DAN.user_id)
        if match.seat_of(DAN.user_id) is not None:
            break
    match = await play_on(host, match, Random(3))
    changes = await host.part(Ratings).changes(match.id)
    assert {change.name for change in changes} == {"Ann", "Bob", "Cleo"}
    assert (changes[-1].name, changes[-1].place) == (left, 3)
    assert await host.part(Ratings).profile(GUILD, DAN.user_id, ANN.user_id) is None


async def test_whoever_lets_a_computer_play_for_a_while_cannot_gain(host: Host) -> None:
    match = await running(host, "abissal", 3, guild_id=GUILD)
    await host.play.depart(match.id, BOB.user_id)
    match = await host.play.take_back(match.id, BOB.user_id)
    match = await play_on(host, match, Random(9))
    (bob,) = [change for change in await host.part(Ratings).changes(match.id) if change.name == "Bob"]
    assert bob.helped
    assert bob.change <= 0


async def test_nobody_is_shown_a_hint_in_a_rated_match_between_people(host: Host) -> None:  # FOUND D2
    match = await moved(host, await running(host, "ambush", 2, guild_id=GUILD))
    mover = match.mover
    assert mover.user_id is not None
    (other,) = [seat.user_id for seat in match.present if seat.user_id not in (None, mover.user_id)]
    for user_id, of in ((mover.user_id, host.thinking), (other, host.part(Orders))):
        for ask in (of.hint, of.note_hint):
            with pytest.raises(NotAllowed, match="no hints in a rated match between people"):
                await ask(match.id, user_id, match.ply)
    free = await running(host, "ambush", 2, guild_id=GUILD, rated=False)
    assert free.mover.user_id is not None
    await host.thinking.hint(free.id, free.mover.user_id)
    await host.thinking.note_hint(free.id, free.mover.user_id, free.ply)


async def test_alone_against_computers_whoever_takes_a_hint_cannot_gain(host: Host) -> None:
    match = await running(host, "ambush", 1, 1, guild_id=GUILD)
    match = await play_on(host, match, Random(1), lambda match: match.waits_for(ANN.user_id))
    await host.thinking.hint(match.id, ANN.user_id)
    await host.thinking.note_hint(match.id, ANN.user_id, match.ply)
    match = await play_on(host, match, Random(1))
    (change,) = await host.part(Ratings).changes(match.id)
    assert change.helped
    assert change.change <= 0


async def resigned_to_who_had_help(host: Host, clock: ManualClock, loser: Person = ANN) -> Match:
    """A rated match in which a computer played for Bob until they came back. Then somebody resigned."""
    match = await moved(host, await running(host, "ambush", 2, guild_id=GUILD))
    match = await play_on(host, match, Random(1), lambda match: match.waits_for(BOB.user_id))
    clock.advance(DAY)
    await run_due(host)
    await host.votes.vote(match.id, ANN.user_id, Vote.COMPUTER)
    match = await play_on(host, await host.look.match(match.id), Random(1), lambda match: match.waits_for(ANN.user_id))
    await host.play.take_back(match.id, BOB.user_id)
    return await host.play.resign(match.id, loser.user_id)


# FOUND D2
@pytest.mark.parametrize("wins", [True, False])
async def test_nobody_loses_to_somebody_for_whom_a_computer_has_played(
    host: Host, clock: ManualClock, wins: bool
) -> None:
    match = await resigned_to_who_had_help(host, clock, ANN if wins else BOB)
    found = {change.name: change for change in await host.part(Ratings).changes(match.id)}
    assert found["Bob"].helped
    if wins:
        assert found["Ann"].change == found["Bob"].change == 0
    else:
        assert found["Ann"].change > 0 > found["Bob"].change


# FOUND F10
async def test_a_hint_that_is_not_shown_costs_nothing(host: Host) -> None:
    match = await running(host, "ambush", 1, 1, guild_id=GUILD)
    match = await play_on(host, match, Random(1), lambda match: match.waits_for(ANN.user_id))
    mover = ANN.user_id
    await host.thinking.hint(match.id, mover)
    assert not any(seat.helped for seat in (await host.look.match(match.id)).seats)
    await play(host, match, Random(1))
    with pytest.raises(WrongTime, match="moved on"):
        await host.thinking.note_hint(match.id, mover, match.ply)
    with pytest.raises(WrongTime, match="moved on"):
        await host.thinking.hint(match.id, mover, match.ply)
    assert not any(seat.helped for seat in (await host.look.match(match.id)).seats)


@pytest.mark.parametrize("agreed", [False, True])
async def test_a_question_for_taking_back_costs_nobody_anything(host: Host, agreed: bool) -> None:  # FOUND F4
    match = await moved(host, await running(host, "gambo", 2, guild_id=GUILD))
    asking = next(person for person in (ANN, BOB) if match.mover and person.user_id != match.mover.user_id)
    other = BOB if asking is ANN else ANN
    match = await host.votes.undo(match.id, asking.user_id)
    if agreed:
        match = await host.votes.undo(match.id, other.user_id, ply=match.ply)
        assert (await host.look.history(match.id, None))[-1].text.startswith("undo")
    match = await host.play.resign(match.id, other.user_id)
    first, second = await host.part(Ratings).changes(match.id)
    assert [(change.person, change.helped) for change in (first, second)] == [
        (asking.user_id, False),
        (other.user_id, False),
    ]
    assert first.change > 0 > second.change


async def test_taking_back_where_nobody_is_left_to_ask_costs_the_gain(host: Host) -> None:  # FOUND F4
    match = await moved(host, await running(host, "ambush", 2, guild_id=GUILD))
    match = await play_on(host, match, Random(2), lambda match: match.waits_for(ANN.user_id))
    await host.privacy.forget(BOB.user_id)
    match = await play(host, await host.look.match(match.id), Random(0))
    match = await host.votes.undo(match.id, ANN.user_id)
    assert [seat.name for seat in match.seats if seat.helped] == ["Ann"]


async def test_what_is_kept_is_what_all_results_come_to_from_nothing(host: Host, database: Database) -> None:
    for seed in range(6):
        await resigned(host, (ANN, BOB)[seed % 2])
        if seed == 3:
            assert await host.settings.begin_season(GUILD) == 2
    kept = await dump(database)
    for name in CACHE:
        await sql(database, f"DELETE FROM {name}")
    for season in (1, 2):
        await host.part(Ratings).bring_up_to_date(Ladder(GUILD, "ambush", season, False))
    assert await dump(database) == kept


async def test_what_another_program_has_computed_is_computed_again_before_anybody_sees_it(
    host: Host, database: Database
) -> None:
    match = await resigned(host)
    kept = await dump(database)
    await sql(database, "UPDATE ladders SET scheme = scheme - 1")
    await sql(database, "UPDATE ratings SET mu = 9000")
    # The result of a match that ends meanwhile is stored, and computed with the others.
    second = await resigned(host)
    assert all(change.number < 2000 for change in await host.part(Ratings).changes(second.id))
    assert await host.part(Ratings).changes(match.id) != await host.part(Ratings).changes(second.id)
    computed = await dump(database)
    for name in CACHE[:2]:
        kept_rows = set(kept[name]) if name == "rating_points" else set()
        assert kept_rows <= set(computed[name])


async def test_the_order_is_that_in_which_matches_ended_whatever_the_clock_says(
    host: Host, clock: ManualClock, database: Database
) -> None:
    first = await resigned(host)
    clock.advance(-10 * DAY)
    second = await resigned(host, ANN)
    ladder = Ladder(GUILD, "ambush", 1, False)
    results = await database.at_length(lambda connection: keyed.results_of(connection, ladder), writes=False)
    assert [row.match_id for _, row in results] == [first.id, second.id]
    assert results[0][1].ended_at > results[1][1].ended_at
    assert await numbers(host, second) != await numbers(host, first)


async def test_a_match_ends_once_however_often_its_end_is_stored(host: Host, database: Database) -> None:
    match = await resigned(host)
    before = await dump(database)
    ladder = Ladder(GUILD, "ambush", 1, False)
    with pytest.raises(Conflict):
        await database.write(keyed.add_result, ladder, ResultRow(match.id, host.now(), ()))
    assert await dump(database) == before


async def test_what_ends_where_ratings_are_left_out_is_rated_later(
    host: Host, database: Database, clock: ManualClock
) -> None:
    await resigned(host)
    without = Host(database, clock, features=())
    match = await resigned(without)
    assert await without.strength(GUILD, "ambush", ANN.user_id) is None
    alone = await moved(without, await running(without, "ambush", 1, 1, guild_id=GUILD))
    await without.play.resign(alone.id, ANN.user_id)
    assert len((await dump(database))["rating_points"]) == 2
    told = json.loads(gzip.decompress((await without.privacy.exported(ANN.user_id)).data))["results"]
    assert [(each["place"], each["mu"] is None) for each in told] == [(1, False), (1, True), (2, True)]
    ann, bob = await host.part(Ratings).changes(match.id)
    assert ann.change > 0 > bob.change
    assert await host.strength(GUILD, "ambush", ANN.user_id) == ann.number
    await without.privacy.forget(ANN.user_id)
    assert len((await dump(database))["rated_results"]) == 2, "practice goes with its person, rated or not"


async def test_nobody_has_a_place_before_five_matches_that_count(host: Host) -> None:
    for played in range(1, LISTED + 1):
        await resigned(host)
        board = await host.part(Ratings).leaderboard(GUILD, "ambush")
        assert [row.name for row in board.rows] == ["Ann", "Bob"]
        assert [row.place for row in board.rows] == ([1, 2] if played == LISTED else [0, 0])
    assert (board.listed, board.page, board.pages, board.season) == (2, 0, 1, 1)
    ann, bob = board.rows
    assert (ann.place, ann.person, bob.place, bob.person) == (1, ANN.user_id, 2, BOB.user_id)
    assert (ann.rating.matches, ann.rating.won, bob.rating.won) == (LISTED, LISTED, 0)


async def test_whoever_hides_is_in_no_list_and_nothing_else_changes(host: Host) -> None:
    matches = [await resigned(host) for _ in range(LISTED)]
    before = [await host.part(Ratings).changes(match.id, ANN.user_id) for match in matches]
    await host.settings.set_player_settings(ANN.user_id, PlayerSettings(hidden=True))
    board = await host.part(Ratings).leaderboard(GUILD, "ambush")
    assert [(row.place, row.name) for row in board.rows] == [(1, "Bob")]
    assert [await host.part(Ratings).changes(match.id, ANN.user_id) for match in matches] == before


async def test_a_table_of_three_hundred_has_pages_and_equal_numbers_share_a_place(
    host: Host, database: Database
) -> None:
    people = [Person(UserId(10_000 + number), f"P{number}") for number in range(300)]

    def enter(connection: Connection) -> dict[str, str]:
        match = connection.exec_driver_sql("SELECT max(id) FROM matches").scalar_one()
        for user_id, name in people:
            keyed.add_keys(connection, GUILD, match, {0: (user_id, name)})
        return {known.name: key for key, known in keyed.people_of(connection, GUILD).items()}

    await running(host, "ambush", 2, guild_id=GUILD)
    keys = await database.write(enter)
    of = Ladder(GUILD, "ambush", 1, False)

    def put(connection: Connection) -> None:
        rows = {
            keys[each.name]: RatingRow(1500.0 + number // 2, 80.0, 9, 1, 0.2, 1) for number, each in enumerate(people)
        }
        ladders.put_ratings(connection, of, rows)

    await database.write(put)
    pages = [await host.part(Ratings).leaderboard(GUILD, "ambush", page=page) for page in range(30)]
    rows = [row for page in pages for row in page.rows]
    assert len(rows) == 300 == pages[0].listed
    assert [row.place for row in rows] == [1 + 2 * (number // 2) for number in range(300)]
    assert (await host.part(Ratings).leaderboard(GUILD, "ambush", page=99)).page == 29


async def test_in_a_new_season_everybody_begins_again_and_the_old_one_stays(host: Host) -> None:
    for _ in range(LISTED):
        await resigned(host)
    old = await host.part(Ratings).leaderboard(GUILD, "ambush")
    await host.settings.begin_season(GUILD)
    match = await resigned(host, ANN)
    changes = await host.part(Ratings).changes(match.id)
    assert [change.number - change.change for change in changes] == [MU, MU]
    new = await host.part(Ratings).leaderboard(GUILD, "ambush")
    assert new.season == 2
    assert {row.place for row in new.rows} == {0}
    assert [season.number for season in new.seasons] == [1, 2]
    again = await host.part(Ratings).leaderboard(GUILD, "ambush", season=1)
    assert again.rows == old.rows


async def test_nothing_of_another_server_is_seen(host: Host) -> None:
    for _ in range(LISTED):
        await resigned(host)
    assert (await host.part(Ratings).leaderboard(ELSEWHERE, "ambush")).rows == ()
    assert await host.part(Ratings).profile(ELSEWHERE, ANN.user_id, ANN.user_id) is None
    await resigned(host, ANN, guild_id=ELSEWHERE)
    profile = await host.part(Ratings).profile(ELSEWHERE, ANN.user_id, BOB.user_id)
    (skill,) = profile.skills
    assert (skill.rating.matches, len(skill.history), skill.place) == (1, 1, None)
    assert profile.against == (1, 0, 1)


async def test_a_profile_tells_how_a_rating_came_about_and_how_one_did_against_the_viewer(host: Host) -> None:
    for loser in (BOB, BOB, ANN, BOB, BOB):
        match = await resigned(host, loser)
    profile = await host.part(Ratings).profile(GUILD, ANN.user_id, BOB.user_id)
    (skill,) = profile.skills
    assert (skill.game, skill.place, skill.rating.matches, skill.rating.won) == ("ambush", 1, 5, 4)
    assert len(skill.history) == 5
    assert round(skill.history[-1].row.mu) == skill.rating.number
    assert skill.history[-1].match_id == match.id
    assert profile.against == (5, 4, 1)
    assert (profile.finished, profile.begun) == (0, 0), "too little is known to say so"  # FOUND F8
    own = await host.part(Ratings).profile(GUILD, ANN.user_id, ANN.user_id)
    assert own == profile._replace(against=None)


async def test_a_profile_tells_how_often_somebody_won_in_which_role(host: Host) -> None:
    match = await running(host, "saboteur", 3, guild_id=GUILD)
    match = await play_on(host, match, Random(5))
    profile = await host.part(Ratings).profile(GUILD, ANN.user_id, BOB.user_id)
    (skill,) = profile.skills
    state = await true_position(host, match.id)
    seat = match.seat_of(ANN.user_id)
    parts = state.parts()[seat.seat or 0]
    assert {share.name: (share.rounds, share.won) for share in skill.parts} == {
        name: (sum(p.name == name for p in parts), sum(p.name == name and p.won for p in parts))
        for name in {part.name for part in parts}
    }


async def test_everybody_elses_numbers_stay_the_same_to_the_bit_when_somebody_is_forgotten(
    host: Host, database: Database
) -> None:
    for loser in (BOB, ANN, BOB, BOB, ANN, BOB):
        await resigned(host, loser)
    alone = await moved(host, await running(host, "ambush", 1, 1, guild_id=GUILD))
    await host.play.resign(alone.id, ANN.user_id)
    kept = await dump(database)
    gone = (await keys(database))["Ann"]
    await host.privacy.forget(ANN.user_id)
    await run_due(host)
    left = await dump(database)
    assert not [row for row in left["rating_keys"] if ANN.user_id in row]
    for name in ("ratings", "rating_points", "rated_results"):
        practice = 3
        assert left[name] == [row for row in kept[name] if not row[practice]] != kept[name]
    # Computed from nothing it is the same.
    for name in CACHE:
        await sql(database, f"DELETE FROM {name}")
    await host.part(Ratings).bring_up_to_date(Ladder(GUILD, "ambush", 1, False))
    again = await dump(database)
    assert (again["ratings"], again["rating_points"]) == (left["ratings"], left["rating_points"])
    assert [row.name for row in (await host.part(Ratings).leaderboard(GUILD, "ambush")).rows] == ["Bob"]
    assert any(gone in row for row in left["ratings"])


async def test_whoever_is_forgotten_during_a_match_has_lost_it_and_the_others_have_not(host: Host) -> None:
    match = await moved(host, await running(host, "abissal", 3, guild_id=GUILD))
    await host.privacy.forget(BOB.user_id)
    match = await play_on(host, await host.look.match(match.id), Random(2))
    assert match.rating is Rated.COUNTED
    changes = await host.part(Ratings).changes(match.id)
    # Nobody is told about the rating of a person who wants to be forgotten.
    assert [(change.name, change.place) for change in changes] in ([("Ann", 1), ("Cleo", 2)], [("Cleo", 1), ("Ann", 2)])
    assert await host.part(Ratings).profile(GUILD, BOB.user_id, BOB.user_id) is None


async def test_a_match_that_began_before_anybody_could_know_that_it_counts_does_not(
    host: Host, database: Database
) -> None:
    match = await running(host, "ambush", 2, guild_id=GUILD)
    await sql(database, "UPDATE matches SET rated = false")
    match = await host.play.resign(match.id, BOB.user_id)
    assert match.rating is Rated.AGREED
    assert (match.status, match.ended_by) == (Status.OVER, Ended.RESIGNED)


async def test_many_results_are_computed_in_a_process_of_their_own_and_come_to_the_same(
    host: Host, database: Database
) -> None:
    of, rng = Ladder(GUILD, "ambush", 1, False), Random(1)
    rows = [(number, [Entrant(1, rng.choice("abc")), Entrant(2, rng.choice("xyz"))]) for number in range(1, FEW + 2)]

    def put(connection: Connection) -> None:
        for number, entrants in rows:
            keyed.add_result(
                connection, of, ResultRow(MatchId(number), host.now(), tuple(written(each) for each in entrants))
            )

    await database.write(put)
    try:
        await host.part(Ratings).bring_up_to_date(of)
    finally:
        host.thinking.computers.close()
    day = day_of(host.now())
    here = computed("ambush", [Result(number, day, [written(each) for each in entrants]) for number, entrants in rows])
    found = await database.at_length(lambda connection: ladders.all_ratings(connection, of), writes=False)
    assert found == storing.rows_of(here)
    assert len((await dump(database))["rating_points"]) == 2 * len(rows)
