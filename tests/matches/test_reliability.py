"""Whether people finish their matches, and how soon they answer. What they can't help doesn't count."""

from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from db import Database
from db.matches.log_lines import LineAt
from db.results import keyed
from games.log import TABLE
from matches.api import Host, ManualClock, Match, NewMatch, NotAllowed, SeatNumber, Status, Terms
from matches.records.seat import Seat
from matches.results.reliability import BOUNDS, LEAST, PROVEN, WINDOW, Reliability, answers, middle
from tests.matches.ratings.test_ratings import GUILD, resigned
from tests.matches.tables import PEOPLE, Hosted, lobby, play, play_on, raised, running, sql

ANN, BOB = PEOPLE[:2]
START = datetime(2030, 1, 1, tzinfo=UTC)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def at(*minutes: tuple[int | str, float]) -> list[LineAt]:
    """Lines by seats, or of the table (a text), this many minutes after the first."""
    return [
        LineAt(TABLE, START + minute * MINUTE, who) if isinstance(who, str) else LineAt(who, START + minute * MINUTE)
        for who, minute in minutes
    ]


def seat(away: timedelta = timedelta(0)) -> Seat:
    return Seat(position=0, seat=SeatNumber(0), name="Ann", away_used=away)


def counted(counts: tuple[int, ...]) -> dict[timedelta | None, int]:
    return {bound: count for bound, count in zip((*BOUNDS, None), counts, strict=True) if count}


def test_an_answer_is_what_a_turn_took_however_many_lines_it_has() -> None:
    times = at((1, 0), (0, 90), (0, 91), (-1, 91), (1, 95), (0, 98))
    assert counted(answers(times, [], seat(), DAY)) == {5 * MINUTE: 1, 2 * HOUR: 1}


def test_an_answer_during_which_the_bot_was_down_does_not_count() -> None:
    times = at((1, 0), (0, 90), (1, 95), (0, 98))
    for start, left in ((1, 1), (90, 1), (90.5, 2), (97, 1)):
        down = START + start * MINUTE
        found = answers(times, [(down, down)], seat(), DAY)
        assert sum(found) == left


def test_a_move_that_was_said_in_advance_does_not_count() -> None:
    times = at((1, 0), (0, 1), (1, 95), (0, 98))
    said = [times[0], times[1]._replace(by_order=True), *times[2:]]
    assert counted(answers(said, [], seat(), DAY)) == {5 * MINUTE: 1}
    assert counted(answers(times, [], seat(), DAY)) == {MINUTE: 1, 5 * MINUTE: 1}


def test_an_answer_that_took_longer_than_a_turn_does_not_count() -> None:
    times = at((1, 0), (0, 60 * 25), (1, 60 * 26), (0, 60 * 27))
    assert counted(answers(times, [], seat(), DAY)) == {HOUR: 1}


def test_time_away_takes_the_longest_answers_with_it() -> None:
    times = at((1, 0), (0, 600), (1, 601), (0, 800), (1, 801), (0, 804))
    assert counted(answers(times, [], seat(5 * HOUR), DAY)) == {5 * MINUTE: 1, 4 * HOUR: 1}
    assert counted(answers(times, [], seat(11 * HOUR), DAY)) == {5 * MINUTE: 1}


def test_what_a_computer_played_in_somebodys_place_is_no_answer_of_theirs() -> None:  # FOUND F11
    gone = at((1, 0), (0, 90), (1, 91), ("computer 0 normal", 92), (0, 92.1), (1, 95), (0, 95.1), (1, 96))
    assert counted(answers(gone, [], seat(), DAY)) == {2 * HOUR: 1}
    back = [*gone, *at(("return 0", 100), (0, 116), (1, 117), (0, 119))]
    assert counted(answers(back, [], seat(), DAY)) == {2 * HOUR: 1, 20 * MINUTE: 1, 2 * MINUTE: 1}
    other = at((1, 0), ("computer 0 easy", 1), (0, 2), (1, 3), ("person 0", 4), (0, 12))
    assert counted(answers(other, [], seat(), DAY)) == {10 * MINUTE: 1}


def test_what_the_table_notes_about_others_makes_nobodys_answer_shorter() -> None:  # FOUND F11
    times = at((1, 0), ("computer 2 normal", 170), ("resign 2", 175), (0, 178))
    assert counted(answers(times, [], seat(), DAY)) == {3 * HOUR: 1}
    taken_back = at((1, 0), (0, 50), ("undo 1", 52), (0, 56))
    assert counted(answers(taken_back, [], seat(), DAY)) == {HOUR: 1, 5 * MINUTE: 1}


def test_many_starts_of_the_bot_cost_the_end_of_a_match_next_to_nothing() -> None:  # FOUND E11
    """Counts comparisons, since time depends on the machine."""
    compared = 0

    class Counted(datetime):
        def __lt__(self, other: datetime) -> bool:
            nonlocal compared
            compared += 1
            return super().__lt__(other)

        def __gt__(self, other: datetime) -> bool:
            nonlocal compared
            compared += 1
            return super().__gt__(other)

    lines = at(*((number % 2, 5 * number) for number in range(400)))
    starts = [Counted.fromtimestamp((START + n * MINUTE).timestamp(), UTC) for n in range(500)]
    assert sum(answers(lines, [(each, each) for each in starts], seat(), DAY)) == 149
    assert 0 < compared < 12 * 400


def test_the_middle_of_many_matches_is_told_by_its_bound() -> None:
    def counts(**by_place: int) -> list[int]:
        return [by_place.get(f"b{place}", 0) for place in range(len(BOUNDS) + 1)]

    assert middle([]) is None
    assert middle([counts(b6=3), counts(b8=1, b0=1)]) == HOUR
    assert middle([(), counts(b16=2, b15=1)]) is None


async def ended(host: Host, clock: ManualClock, times: int) -> None:
    """Bob resigns against Ann, the first time long ago."""
    for number in range(times):
        if number == 1:
            clock.advance(PROVEN)
        clock.advance(HOUR)
        await resigned(host, BOB)


async def long_ago(database: Database) -> None:
    """Date the store's first match back, so that its people are no longer newcomers."""
    micros = PROVEN // timedelta(microseconds=1)
    await sql(database, f"UPDATE seats SET ended_at = ended_at - {micros} WHERE match_id = 1")


async def left(host: Host, clock: ManualClock, times: int) -> None:
    """Bob leaves matches of three to a computer."""
    for _ in range(times):
        clock.advance(HOUR)
        match = await running(host, "abissal", 3, guild_id=GUILD)
        await host.play.resign(match.id, BOB.user_id)
        await play_on(host, await host.look.match(match.id), Random(2))


async def reliability(host: Host) -> dict[str, tuple[int, int]]:
    found = await host.archive.reliability_of(GUILD, [person.user_id for person in PEOPLE])
    names = {person.user_id: person.name for person in PEOPLE}
    return {names[person]: (each.finished, each.begun) for person, each in found.items()}


async def test_whoever_leaves_others_to_a_computer_has_not_finished_and_who_resigns_against_one_has(
    host: Host, clock: ManualClock
) -> None:
    await ended(host, clock, LEAST - 1)
    assert await reliability(host) == {}
    await left(host, clock, 1)
    assert await reliability(host) == {"Ann": (10, 10), "Bob": (9, 10)}
    for _ in range(2):
        clock.advance(HOUR)
        match = await running(host, "ambush", 2, guild_id=GUILD)
        await host.votes.cancel(match.id, PEOPLE[9].user_id, moderator=True)
    assert await reliability(host) == {"Ann": (10, 10), "Bob": (9, 10)}
    assert await host.archive.reliability_of(GUILD + 1, [ANN.user_id]) == {}


async def test_what_is_long_ago_says_nothing(host: Host, clock: ManualClock) -> None:
    await ended(host, clock, LEAST)
    clock.advance(WINDOW + MINUTE)
    assert await reliability(host) == {}


async def a_match(host: Host, clock: ManualClock, waiting: timedelta) -> Match:
    """A match of Gambo in which everybody takes this long for some turns."""
    match = await running(host, "gambo", 2, guild_id=GUILD)
    for _ in range(6):
        clock.advance(waiting)
        match = await play(host, match, Random(1))
    return await host.play.resign(match.id, BOB.user_id)


async def test_half_of_the_answers_came_within_what_is_said(host: Host, clock: ManualClock) -> None:
    for _ in range(LEAST):
        clock.advance(PROVEN / (LEAST - 1))
        await a_match(host, clock, 100 * MINUTE)
    (ann,) = (await host.archive.reliability_of(GUILD, [ANN.user_id])).values()
    assert ann == Reliability(10, 10, 2 * HOUR)


# FOUND C1
async def test_time_in_which_nobody_could_press_is_remembered(host: Host, clock: ManualClock) -> None:
    host.presence.arrive(0, 1, clock.now(), replayed=False)
    await host.presence.settle()
    match = await play(host, await running(host, "gambo", 2, guild_id=GUILD), Random(1))
    clock.advance(HOUR)
    host.presence.arrive(0, 1, clock.now(), replayed=False)
    await host.presence.settle()
    match = await play(host, match, Random(1))
    clock.advance(3 * MINUTE)
    match = await play(host, match, Random(1))
    await host.play.resign(match.id, BOB.user_id)
    keys = list(await host.work.read_at_length(None, keyed.people_of, GUILD))
    since = clock.now() - DAY
    counts = [each for key in keys for each in await host.work.read_at_length(None, keyed.answers_of, key, since)]
    assert sum(map(sum, counts)) == 1


async def test_nothing_is_said_of_anybody_before_thirty_days_under_their_key(host: Host, clock: ManualClock) -> None:
    # FOUND F8
    for _ in range(LEAST):
        clock.advance(HOUR)
        await resigned(host, BOB)
    assert await reliability(host) == {}
    clock.advance(PROVEN - (LEAST - 1) * HOUR - MINUTE)
    assert await reliability(host) == {}
    clock.advance(MINUTE)
    assert await reliability(host) == {"Ann": (10, 10), "Bob": (10, 10)}
    await host.privacy.forget(BOB.user_id)
    assert await reliability(host) == {"Ann": (10, 10)}
    await ended(host, clock, LEAST)
    assert "Bob" in await reliability(host)


async def known(host: Host, clock: ManualClock) -> None:
    """Ann is known to finish her matches, and Bob to leave them; nobody else is known."""
    await ended(host, clock, 8)
    await left(host, clock, 3)
    clock.advance(HOUR)


async def test_a_table_for_whoever_finishes_matches_refuses_who_leaves_too_many(host: Hosted) -> None:
    await known(host, host.clock)
    match = await lobby(host, "abissal", guild_id=GUILD, reliable=True, newcomers=True)
    await raised(NotAllowed, host.lobby.join(match.id, BOB), "you've left too many lately")
    # People about whom nothing is known may join, and so may people who have left few matches.
    await host.lobby.join(match.id, PEOPLE[5])
    await sql(host.database, "UPDATE seats SET finished = true WHERE match_id = 9")
    match = await host.lobby.join(match.id, BOB)
    assert match.seat_of(BOB.user_id) is not None
    elsewhere = await lobby(host, "abissal", guild_id=GUILD + 1, reliable=True, newcomers=True)
    await host.lobby.join(elsewhere.id, BOB)


async def test_newcomers_sit_at_a_table_for_the_reliable_only_if_its_host_says_so(host: Hosted) -> None:  # FOUND F8
    await known(host, host.clock)
    strict = await lobby(host, "abissal", guild_id=GUILD, reliable=True)
    with pytest.raises(NotAllowed, match="10 matches in 90 days, and 30 days since the first"):
        await host.lobby.join(strict.id, PEOPLE[5])
    # Deleting their data only makes them a newcomer.
    await host.privacy.forget(BOB.user_id)
    await raised(NotAllowed, host.lobby.join(strict.id, BOB), "known here for finishing")
    lenient = await lobby(host, "abissal", guild_id=GUILD, reliable=True, newcomers=True)
    for person in (PEOPLE[5], BOB):
        assert (await host.lobby.join(lenient.id, person)).seat_of(person.user_id) is not None


async def test_nobody_opens_or_starts_a_table_at_which_they_could_not_sit_down(host: Hosted) -> None:  # FOUND F8
    await known(host, host.clock)
    for newcomers in (False, True):
        strict = NewMatch("abissal", 1, Terms(reliable=True, newcomers=newcomers), GUILD)
        await raised(NotAllowed, host.lobby.open(strict, BOB), "you've left too many lately")
    with pytest.raises(NotAllowed, match="let newcomers join yours, too"):
        await host.lobby.open(NewMatch("abissal", 1, Terms(reliable=True), GUILD), PEOPLE[5])


async def test_whoever_becomes_unreliable_in_the_lobby_loses_their_seat_at_the_start(host: Hosted) -> None:  # FOUND F8
    await known(host, host.clock)
    match = await lobby(host, "saboteur", 3, guild_id=GUILD)
    await host.lobby.join(match.id, PEOPLE[3])
    await sql(host.database, f"UPDATE matches SET reliable = true, newcomers = true WHERE id = {match.id}")
    started = await host.lobby.start(match.id, ANN.user_id)
    assert (started.status, sorted(started.seat_names)) == (Status.RUNNING, ["Ann", "Cleo", "Dan"])
    match = await lobby(host, "saboteur", 3, guild_id=GUILD)
    await sql(host.database, f"UPDATE matches SET reliable = true, newcomers = true WHERE id = {match.id}")
    left_over = await host.lobby.start(match.id, ANN.user_id)
    assert (left_over.status, left_over.seat_names) == (Status.LOBBY, ("Ann", "Cleo")), "too few are left"
    match = await lobby(host, "saboteur", 2, guild_id=GUILD, size=3)
    await sql(host.database, f"UPDATE matches SET reliable = true, newcomers = true WHERE id = {match.id}")
    not_full = await host.lobby.join(match.id, PEOPLE[3])
    assert (not_full.status, not_full.seat_names) == (Status.LOBBY, ("Ann", "Dan")), "it isn't full any more"
