"""What the end of a match means for ratings, records and statistics; and that every match ends."""

from datetime import timedelta
from random import Random
from typing import Any

import pytest

from db import Connection, Database
from db.model.enums import Cancellers
from db.model.setting_rows import GuildSettings
from db.results import keyed
from db.store import meta
from matches.api import Due, Ended, Host, ManualClock, Match, Pace, Person, Rated, Status, UserId, Vote
from matches.ratings import Ratings
from matches.table.events import MatchEnded
from matches.table.play import Leaving
from matches.table.turn import STAYS, STAYS_UNASKED
from matches.table.value import STAYS_OUT_OF_REACH, Table
from matches.work import endings
from tests.matches.ratings.test_ratings import GUILD
from tests.matches.tables import (
    A_MOMENT,
    DAY,
    PEOPLE,
    Hosted,
    lobby,
    moved,
    others,
    play,
    play_on,
    raised,
    run_all,
    run_due,
    running,
    sql,
    true_position,
)
from tests.matches.tables import absent as mover

ANN, BOB, CLEO, DAN = PEOPLE[:4]


async def begun(host: Host, game: str, people: int = 2, computers: int = 0, **request: Any) -> Match:
    """A match on a server in which everybody has made a move."""
    return await moved(host, await running(host, game, people, computers, **{"guild_id": GUILD} | request))


async def gains(host: Host, match: Match) -> dict[str | None, int]:
    return {change.name: change.change for change in await host.part(Ratings).changes(match.id)}


async def record(host: Host, database: Database, person: Person) -> tuple[int, int]:
    """How many matches somebody has finished, and begun."""
    known = await database.read(keyed.known, GUILD, person.user_id)
    if known is None:
        return 0, 0
    return await database.at_length(lambda connection: keyed.count_finished(connection, known.key), writes=False)


async def by_time(host: Host, clock: ManualClock, match: Match, limit: timedelta) -> Match:
    """The match after this long without any action by a person; computers play meanwhile."""
    for _ in range(limit // DAY + 1):
        await run_all(host)
        clock.advance(DAY)
    return await host.look.match(match.id)


# The listeners to the end.


async def test_a_new_listener_hears_of_every_end_within_its_transaction(
    host: Host, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def note(connection: Connection, table: Table, end: MatchEnded) -> None:
        meta.put(connection, "ended", f"{table.match.status} {table.match.ended_by} {len(end.entrants)}")

    async def noted() -> str | None:
        return await database.read(meta.get, "ended")

    match, closed = await begun(host, "ambush"), await lobby(host, "ambush")
    monkeypatch.setattr(endings, "ON_END", (*endings.ON_END, note))
    await host.lobby.leave(closed.id, ANN.user_id)
    assert await noted() == "cancelled host 0"
    await host.play.resign(match.id, ANN.user_id)
    assert await noted() == "over resigned 2"


async def test_what_a_listener_has_written_is_undone_with_the_end(
    host: Host, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def note(connection: Connection, table: Table, end: MatchEnded) -> None:
        meta.put(connection, "ended", str(table.match.id))

    def fail(connection: Connection, table: Table, end: MatchEnded) -> None:
        assert meta.get(connection, "ended") == str(table.match.id)
        raise RuntimeError("A listener fails.")

    match = await begun(host, "ambush")
    with monkeypatch.context() as patched:
        patched.setattr(endings, "ON_END", (*endings.ON_END, note, fail))
        await raised(RuntimeError, host.play.resign(match.id, ANN.user_id), r"A listener fails\.")
    assert await database.read(meta.get, "ended") is None
    assert (await host.look.match(match.id)).status is Status.RUNNING
    assert await record(host, database, ANN) == (0, 0)
    await host.play.resign(match.id, ANN.user_id)
    assert await record(host, database, ANN) == (1, 1)


# Leaving before one's first move.


@pytest.mark.parametrize("blocks", [False, True])
async def test_whoever_leaves_twelve_bad_deals_has_finished_none_of_them(
    host: Host, clock: ManualClock, database: Database, blocks: bool
) -> None:  # FOUND F1
    hows, told = [], []
    for number in range(12):
        match = await running(host, "ambush", guild_id=GUILD)
        if blocks:
            await host.settings.block(ANN.user_id, BOB.user_id)
        match = await host.play.depart(match.id, ANN.user_id)
        if blocks:
            await host.settings.unblock(ANN.user_id, BOB.user_id)
        hows.append(match.ended_by)
        told.append((await host.look.history(match.id, None))[-1].text)
        assert await gains(host, match) == {}
        assert not (await host.look.details(match.id)).counts
        clock.advance(timedelta(hours=2) if number < 6 else DAY)
    assert await record(host, database, ANN) == (0, 12)
    assert await record(host, database, BOB) == (0, 0)
    assert hows[:6] == [Ended.ABORTED, *[Ended.RESIGNED] * 5]
    assert hows[7:] == [Ended.ABORTED] * 5
    assert {text.split(" ")[0] for text in told} == {"abort", "resign"}


async def test_two_who_agree_call_a_match_off_before_both_have_moved(host: Host, database: Database) -> None:
    match = await play(host, await running(host, "ambush", guild_id=GUILD), Random(1))
    for person in (ANN, BOB):
        match = await host.votes.cancel(match.id, person.user_id)
    assert (match.ended_by, match.rating, await gains(host, match)) == (Ended.VOTE, Rated.ENDED, {})
    assert [await record(host, database, person) for person in (ANN, BOB)] == [(0, 0), (0, 0)]


async def test_after_ones_own_move_leaving_is_resigning(host: Host) -> None:
    match = await running(host, "ambush", guild_id=GUILD)
    first = mover(match)
    match = await play(host, match, Random(1))
    assert await host.play.leaving(match.id, first) is Leaving.RESIGN
    assert await host.play.leaving(match.id, mover(match)) is Leaving.ABORT


async def first_turn(host: Host, game: str = "ambush", people: int = 2) -> Match:
    """A rated match in which it's Bob's first turn, and all others have moved."""
    while True:
        match = await running(host, game, people, guild_id=GUILD)
        if mover(match) != BOB.user_id:
            match = await play_on(host, match, Random(5), lambda match: match.waits_for(BOB.user_id))
        if [seat.user_id for seat in match.seats if not seat.acted] == [BOB.user_id]:
            return match
        await host.votes.cancel(match.id, DAN.user_id, moderator=True)


# FOUND D1
@pytest.mark.parametrize(
    ("game", "people", "resigns"), [("ambush", 2, True), ("ambush", 2, False), ("abissal", 3, False)]
)
async def test_a_bad_deal_is_left_at_ones_first_turn_without_loss_once_a_day(
    host: Host, clock: ManualClock, database: Database, game: str, people: int, resigns: bool
) -> None:
    lost = []
    for number in range(3):
        match = await first_turn(host, game, people)
        free = await host.play.leaving(match.id, BOB.user_id)
        assert (free in (Leaving.ABORT, Leaving.EXCUSED)) == (number == 0)
        await (host.play.resign if resigns else host.play.depart)(match.id, BOB.user_id)
        match = await play_on(host, await host.look.match(match.id), Random(2))
        found = await gains(host, match)
        lost.append(found.get("Bob", 0) < 0)
        assert lost[-1] == (bool(found) and list(found)[-1] == "Bob")
        assert len(found) in ((0, 2) if people == 2 else (2, 3))
        assert await record(host, database, BOB) == (0, number + 1)
        clock.advance(timedelta(hours=1))
    assert lost == [False, True, True]


async def test_whoever_has_their_data_deleted_at_their_first_turn_is_last_after_the_days_abort(
    host: Host,
) -> None:  # FOUND D1
    found = []
    for _ in range(2):
        match = await first_turn(host)
        await host.privacy.forget(BOB.user_id)
        match = await play_on(host, await host.look.match(match.id), Random(2))
        found.append((match.rating, await gains(host, match)))
    assert found[0] == (Rated.UNMOVED, {})
    assert found[1][0] is Rated.COUNTED
    assert found[1][1]["Ann"] > 0


# FOUND D1
@pytest.mark.parametrize("choice", [Vote.END, None, Vote.COMPUTER])
async def test_silence_before_ones_own_first_move_is_a_no_show(host: Hosted, choice: Vote | None) -> None:
    """It uses the same abort as leaving: the first match of two of a day is called off, the second is lost."""
    matches = [await first_turn(host) for _ in range(2)]
    host.clock.advance(DAY)
    await run_due(host)
    for match in matches:
        await host.votes.vote(match.id, ANN.user_id, choice or Vote.WAIT)
        if choice is None:
            await by_time(host, host.clock, match, DAY)
    host.clock.advance(STAYS if choice is None else timedelta(0))
    while choice is None and await run_due(host):
        pass
    first, second = [await play_on(host, await host.look.match(match.id), Random(2)) for match in matches]
    if choice is not Vote.COMPUTER:
        assert (first.ended_by, first.rating) == (Ended.ABORTED, Rated.ENDED)
    assert await gains(host, first) == {}
    assert second.rating is Rated.COUNTED
    assert (await gains(host, second))["Ann"] > 0 > (await gains(host, second))["Bob"]
    assert await record(host, host.database, BOB) == (0, 2)
    assert (await record(host, host.database, ANN))[1] == (await record(host, host.database, ANN))[0]


@pytest.mark.parametrize("choice", [Vote.END, Vote.COMPUTER])
async def test_the_others_of_a_larger_table_are_compared_without_a_no_show(
    host: Host, clock: ManualClock, database: Database, choice: Vote
) -> None:  # FOUND D1
    match = await first_turn(host, "abissal", 3)
    clock.advance(DAY)
    await run_due(host)
    for user_id in others(match):
        match = await host.votes.vote(match.id, user_id, choice)
    match = await play_on(host, await host.look.match(match.id), Random(2))
    assert set(await gains(host, match)) == ({"Ann", "Cleo"} if choice is Vote.COMPUTER else set())
    assert await record(host, database, BOB) == (0, 1)
    # That was the day's abort, for leaving, too.
    again = await first_turn(host)
    assert await host.play.leaving(again.id, BOB.user_id) is Leaving.RESIGN


# Matches without moves.


async def test_sixty_instant_resignations_move_nothing_and_repair_no_record(host: Hosted) -> None:  # FOUND F2
    for number in range(60):
        host.clock.advance(timedelta(minutes=1))
        match = await running(host, "ambush", guild_id=GUILD)
        match = await host.play.resign(match.id, BOB.user_id)
        assert (match.rating, (await host.look.details(match.id)).counts) == (Rated.UNMOVED, False)
        if number % 10 == 9:
            await host.privacy.forget(BOB.user_id)
    assert await host.part(Ratings).changes(match.id) == ()
    assert (await record(host, host.database, ANN))[0] == 0
    assert await host.archive.tally_in(GUILD) == ()


async def test_one_move_of_one_of_two_is_not_enough(host: Host, database: Database) -> None:  # FOUND F2
    match = await running(host, "ambush", guild_id=GUILD)
    first = mover(match)
    match = await play(host, match, Random(1))
    match = await host.play.resign(match.id, first)
    assert (match.rating, (await host.look.details(match.id)).counts) == (Rated.UNMOVED, False)
    assert {(await record(host, database, person)) for person in (ANN, BOB)} == {(0, 1), (0, 0)}


async def test_whoever_has_not_moved_is_out_of_the_result_of_a_larger_table(host: Host, database: Database) -> None:
    match = await running(host, "abissal", 3, guild_id=GUILD)
    third = next(seat for seat in match.seats if seat.user_id != mover(match))
    await host.play.resign(match.id, third.user_id or UserId(0))
    match = await play_on(host, await host.look.match(match.id), Random(2))
    assert match.rating is Rated.COUNTED
    assert set(await gains(host, match)) == {"Ann", "Bob", "Cleo"} - {third.name}
    left = next(person for person in PEOPLE if person.user_id == third.user_id)
    assert await record(host, database, left) == (0, 1)


async def test_against_computers_nothing_is_rated_before_one_has_moved(host: Host) -> None:
    match = await running(host, "ambush", 1, 1, guild_id=GUILD)
    match = await host.play.resign(match.id, ANN.user_id)
    assert match.rating is Rated.UNMOVED


# Abandoned matches.


async def test_a_practice_match_that_nobody_plays_on_ends_by_itself(host: Hosted) -> None:  # FOUND F3
    match = await running(host, "ambush", 1, 1, guild_id=GUILD)
    match = await play_on(host, match, Random(1), lambda match: match.waits_for(ANN.user_id))
    match = await by_time(host, host.clock, match, DAY + STAYS)
    assert (match.status, match.ended_by, match.rating) == (Status.OVER, Ended.ABANDONED, Rated.ENDED)
    assert await record(host, host.database, ANN) == (0, 1)


async def test_two_who_both_stop_playing_are_not_rated(host: Host, clock: ManualClock, database: Database) -> None:
    match = await begun(host, "ambush")
    gone = mover(match)
    match = await by_time(host, clock, match, 2 * DAY + STAYS)
    assert (match.ended_by, match.rating, match.awaited) == (Ended.ABANDONED, Rated.ENDED, False)
    assert [seat.won for seat in match.seats] == [None, None]
    absent, other = sorted((ANN, BOB), key=lambda person: person.user_id != gone)
    assert await record(host, database, absent) == (0, 1)
    assert await record(host, database, other) == (0, 0)


async def test_whoever_lets_one_who_waits_wait_for_ever_loses(host: Hosted) -> None:
    match = await begun(host, "ambush")  # FOUND F3
    gone, waits = mover(match), others(match)[0]
    host.clock.advance(DAY)
    await run_due(host)
    await host.votes.vote(match.id, waits, Vote.WAIT)
    match = await by_time(host, host.clock, match, 3 * DAY + STAYS)
    assert (match.ended_by, match.rating) == (Ended.ABANDONED, Rated.COUNTED)
    assert (await host.look.details(match.id)).counts
    assert [seat.user_id for seat in match.seats if seat.won] == [waits]
    changes = await host.part(Ratings).changes(match.id)
    assert [(change.person, change.change > 0) for change in changes] == [(waits, True), (gone, False)]
    absent, other = sorted((ANN, BOB), key=lambda person: person.user_id != gone)
    assert await record(host, host.database, absent) == (0, 1)
    assert await record(host, host.database, other) == (1, 1)


@pytest.mark.parametrize("pressed", [False, True])
async def test_without_a_pace_a_match_ends_a_week_after_somebody_has_asked_or_after_a_month(
    host: Host, clock: ManualClock, pressed: bool
) -> None:  # FOUND F3
    match = await begun(host, "saboteur", 4, pace=Pace.NONE)
    clock.advance(8 * DAY)
    if pressed:
        await host.votes.vote(match.id, others(match)[0], Vote.COMPUTER)
    clock.advance((STAYS if pressed else STAYS_UNASKED - 8 * DAY) - A_MOMENT)
    await run_all(host)
    assert (await host.look.match(match.id)).status is Status.RUNNING
    clock.advance(A_MOMENT)
    assert await run_due(host)
    match = await host.look.match(match.id)
    assert (match.ended_by, match.rating) == (Ended.ABANDONED, Rated.COUNTED if pressed else Rated.ENDED)


@pytest.mark.parametrize("pace", [Pace.DAY, Pace.NONE])
async def test_a_match_that_an_older_program_left_without_an_end_is_found_and_ends(
    host: Host, clock: ManualClock, database: Database, pace: Pace
) -> None:  # FOUND F3
    match = await begun(host, "ambush", pace=pace)
    clock.advance(400 * DAY)
    await sql(database, "DELETE FROM deadlines")
    await sql(database, "UPDATE matches SET closes_at = NULL")
    await host.time.attend()
    assert (await by_time(host, clock, match, timedelta(0))).status is Status.RUNNING
    match = await by_time(host, clock, match, STAYS_UNASKED)
    assert match.ended_by is Ended.ABANDONED


async def test_a_match_that_stays_out_of_reach_ends_and_nothing_is_told_where_the_bot_is_not(
    host: Host, clock: ManualClock
) -> None:  # FOUND F3
    match, table = await begun(host, "ambush"), await host.look.open_tables(GUILD)
    assert table == ()
    await host.reach.lose_server(GUILD)
    clock.advance(STAYS_OUT_OF_REACH)
    assert await run_due(host)
    match = await host.look.match(match.id)
    assert (match.ended_by, match.rating) == (Ended.ABANDONED, Rated.ENDED)
    assert await host.outbox.claim(DAY) == ()


async def test_time_away_puts_the_end_off(host: Host, clock: ManualClock) -> None:
    match = await begun(host, "ambush", pace=Pace.NONE)
    before = (await host.look.details(match.id)).closes_at
    await host.absence.away(mover(match), clock.now() + 10 * DAY)
    assert before is not None
    assert (await host.look.details(match.id)).closes_at == before + 10 * DAY
    assert [row.kind for row in await host.time.claim_due((Due.ABANDON,))] == []
    clock.advance(STAYS_UNASKED + 10 * DAY)
    assert [row.kind for row in await host.time.claim_due((Due.ABANDON,))] == [Due.ABANDON]


# Votes.


async def ahead(host: Host, people: int = 3) -> tuple[Match, list[str]]:
    """A match of Abissal in which the players aren't equal, and who they are, the leader first."""
    match = await begun(host, "abissal", people)
    for _ in range(400):
        match = await play_on(host, match, Random(3), lambda now, ply=match.ply: now.ply > ply)
        standing = (await true_position(host, match.id)).standing()
        if len(set(standing)) == people:
            break
    names = [seat.name for seat in match.seats]
    return match, [name for _, name in sorted(zip(standing, names, strict=True))]


def person(name: str) -> Person:
    return next(each for each in PEOPLE if each.name == name)


async def test_whoever_votes_a_match_away_can_lose_by_it_and_not_gain(host: Host, database: Database) -> None:
    match, (first, second, last) = await ahead(host)  # FOUND F5
    for name in (first, last):
        match = await host.votes.cancel(match.id, person(name).user_id)
    assert (match.ended_by, match.rating) == (Ended.VOTE, Rated.COUNTED)
    assert not (await host.look.details(match.id)).counts
    assert [seat.won for seat in match.seats] == [None] * 3
    found = await gains(host, match)
    assert found[first] == 0 > found[last]
    assert second in found
    assert [await record(host, database, person(name)) for name in (first, second, last)] == [(0, 0)] * 3


async def test_all_who_play_may_end_a_match_without_loss_but_who_left_before_has_not_finished(host: Hosted) -> None:
    match = await begun(host, "abissal", 3)
    await host.play.depart(match.id, CLEO.user_id)
    for each in (ANN, BOB):
        match = await host.votes.cancel(match.id, each.user_id)
    assert (match.rating, await gains(host, match)) == (Rated.ENDED, {})
    assert await record(host, host.database, CLEO) == (0, 1)
    assert await record(host, host.database, ANN) == (0, 0)


async def test_alone_against_computers_calling_it_off_is_no_way_out(host: Host) -> None:
    match = await begun(host, "abissal", 1, 2)
    match = await play_on(host, match, Random(7), lambda match: match.ply > 60)
    match = await host.votes.cancel(match.id, ANN.user_id)
    assert (match.ended_by, match.rating) == (Ended.VOTE, Rated.PRACTICE)
    assert (await gains(host, match))["Ann"] <= 0


async def test_where_the_table_ends_a_match_without_somebody_the_others_stay_equal(host: Hosted) -> None:
    match, _ = await ahead(host)  # FOUND F5
    match = await play_on(host, match, Random(1), lambda match: match.mover is not None and match.mover.present)
    gone = match.mover
    host.clock.advance(DAY)
    await run_due(host)
    for user_id in others(match):
        match = await host.votes.vote(match.id, user_id, Vote.END)
    assert (match.ended_by, match.rating) == (Ended.VOTE, Rated.COUNTED)
    changes = await host.part(Ratings).changes(match.id)
    assert [(change.name, change.place) for change in changes[-1:]] == [(gone.name, 3)]
    assert changes[-1].change < 0 < changes[0].change == changes[1].change
    assert await record(host, host.database, person(gone.name)) == (0, 1)


async def test_hosts_and_moderators_who_sit_there_have_one_vote_in_a_match_that_is_rated(host: Host) -> None:
    await host.settings.set_guild_settings(GUILD, GuildSettings(who_cancels=Cancellers.HOSTS))  # FOUND F5
    match = await begun(host, "abissal", 3)
    for who, moderator in ((ANN, False), (BOB, True)):
        match = await host.votes.cancel(match.id, who.user_id, moderator=moderator)
        assert len(match.ballots) == (1 if who is ANN else 0) or match.status is Status.OVER
    assert match.ended_by is Ended.VOTE
    other = await begun(host, "abissal", 3)
    other = await host.votes.cancel(other.id, DAN.user_id, moderator=True)
    assert (other.ended_by, other.rating) == (Ended.MODERATOR, Rated.ENDED)


async def test_a_host_who_ends_an_unrated_match_by_themselves_has_not_finished_it(host: Hosted) -> None:
    await host.settings.set_guild_settings(GUILD, GuildSettings(who_cancels=Cancellers.HOSTS))
    match = await begun(host, "abissal", 3, rated=False)
    match = await host.votes.cancel(match.id, ANN.user_id)
    assert match.ended_by is Ended.HOST
    assert [await record(host, host.database, each) for each in (ANN, BOB, CLEO)] == [(0, 1), (0, 0), (0, 0)]


# A friend in a computer's seat.


@pytest.mark.parametrize("sits", [False, True])
async def test_a_friend_who_takes_a_computers_seat_leaves_the_result_as_it_is(
    host: Host, sits: bool
) -> None:  # FOUND F6
    match = await running(host, "abissal", 2, 1, guild_id=GUILD)
    match = await play_on(host, match, Random(4), lambda match: match.ply > 40)
    if sits:
        await host.absence.apply(match.id, DAN)
        for each in (ANN, BOB):
            match = await host.absence.agree(match.id, each.user_id, DAN.user_id)
        assert match.seat_of(DAN.user_id) is not None
    match = await play_on(host, match, Random(4))
    (seat,) = (seat for seat in match.seats if seat.level is not None)
    assert set(await gains(host, match)) == {"Ann", "Bob"}
    places = {change.place for change in await host.part(Ratings).changes(match.id)}
    assert places | {seat.place} == {1, 2, 3}


async def test_a_friend_who_gives_a_computers_seat_up_gives_it_back(host: Host) -> None:  # FOUND F6
    match = await begun(host, "ambush", 1, 1)
    await host.absence.apply(match.id, DAN)
    match = await host.absence.agree(match.id, ANN.user_id, DAN.user_id)
    match = await host.play.resign(match.id, DAN.user_id)
    assert match.status is Status.RUNNING
    match = await host.play.resign(match.id, ANN.user_id)
    assert match.rating is Rated.PRACTICE
    assert [change.name for change in await host.part(Ratings).changes(match.id)] == ["Ann"]
