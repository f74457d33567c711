"""A clock runs only while its person could know and press: gaps of ours are given back (P13)."""

import asyncio
from collections.abc import Sequence
from datetime import datetime, timedelta
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from db import Database
from db.matches import deadlines, gaps
from db.matches.gaps import LOSSLESS, NOTED_EVERY, Shard
from db.model.enums import PERSONS, Due, Ping
from db.model.setting_rows import PlayerSettings
from db.store.leases import SHARD_BITS
from matches.api import (
    BoardPost,
    CallPost,
    CutOff,
    DatabaseError,
    Host,
    Kind,
    ManualClock,
    Match,
    MatchId,
    Pace,
    Rated,
    Shards,
    Telling,
    Unavailable,
    Vote,
)
from matches.appointments.appointed import READY_BEFORE
from matches.delivery import presence
from matches.delivery.presence import EVERYWHERE, PRESSES, UNHEARD
from matches.table.questions import Asks, question
from matches.table.turn import REMINDER
from tests.matches.tables import (
    A_MOMENT,
    DAY,
    PEOPLE,
    Hosted,
    Seeds,
    absent,
    appointment,
    asked,
    lobby,
    others,
    play,
    raised,
    run_time,
    running,
    tellings,
    timed,
)
from tests.store import fresh

ANN, BOB = (person.user_id for person in PEOPLE[:2])
GUILD = 8 << SHARD_BITS
SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)
PACES = [Pace.LIVE, Pace.DAY, Pace.SLOW]


async def connect(host: Host, *shards: int, of: int = 1, replayed: bool = False, away: Sequence[int] = ()) -> None:
    """The shards of a process connect."""
    for shard in shards or (0,):
        host.presence.arrive(shard, of, host.now(), replayed=replayed, away=away)
    await host.presence.settle()


async def live_on(host: Host, clock: ManualClock, time: timedelta) -> None:
    """Time passes, while people can press."""
    longest = max(NOTED_EVERY, time / 8)
    while time > timedelta(0):
        step = min(time, longest)
        clock.advance(step)
        await host.presence.tick()
        time -= step


def after(host: Host, clock: ManualClock, database: Database, **process: object) -> Host:
    """The process that comes after one that was killed."""
    return Host(database, clock, Seeds(), **process)  # type: ignore[arg-type]


async def reconnected(host: Host, clock: ManualClock, database: Database) -> Host:
    """That process, once its shard is connected."""
    host = after(host, clock, database)
    await connect(host)
    return host


@pytest.fixture
def alone(database: Database, clock: ManualClock) -> Hosted:
    """A host that isn't connected yet."""
    return Hosted(database, clock)


@pytest.fixture
async def host(alone: Hosted) -> Hosted:
    """A host whose shard is connected."""
    await connect(alone)
    return alone


async def dues(host: Host, number: MatchId) -> dict[Due, datetime]:
    """A match's deadlines."""
    found = [await host.work.read(deadlines.get, number, due) for due in Due]
    return {row.kind: row.due for row in found if row is not None}


# FOUND C1
@pytest.mark.parametrize("pace", PACES)
@pytest.mark.parametrize("down", [2, 0.3, 0.01])
async def test_who_could_not_press_has_the_time_back_and_nothing_fires_before(
    host: Host, clock: ManualClock, database: Database, pace: Pace, down: float
) -> None:
    turn = pace.turn
    assert turn is not None
    await connect(host)
    match = await running(host, "saboteur", 3, pace=pace, guild_id=GUILD)
    await host.outbox.note(BoardPost(match.id, 1, match.ply))
    await live_on(host, clock, MINUTE)
    clock.advance(down * turn)
    host = after(host, clock, database)
    # Not connected, and then before the time was given back.
    host.presence.arrive(0, 1, clock.now(), replayed=False)
    assert await host.time.claim_due() == ()
    await host.presence.settle()
    # A process that was down for less than the time between two notes isn't known to have been down.
    known = down * turn if down * turn > NOTED_EVERY else timedelta(0)
    given = max(known, turn / 10 if known > MINUTE else timedelta(0))
    now = await host.look.match(match.id)
    assert (now.turn_at, now.turn_due) == (match.turn_at + known, match.turn_due + given)
    assert not await run_time(host)
    # A board that says that the time is over is followed by another one, which rings only where a turn takes minutes.
    told = [(row.kind, row.rings) for row in await tellings(host, match.id)]
    assert told == ([(Kind.ANEW, pace is Pace.LIVE)] if down > 1 else [])
    # A reminder comes first, and then there's a fifth of the time left.
    await live_on(host, clock, now.turn_due - clock.now() - (1 - REMINDER) * turn - A_MOMENT)
    assert not await run_time(host)
    clock.advance(A_MOMENT)
    assert [row.kind for row in await host.time.claim_due()] == [Due.REMIND]


# FOUND C2
@pytest.mark.parametrize("lost", [True, False])
async def test_what_becomes_of_a_server_while_its_shard_still_arrives_counts(host: Hosted, lost: bool) -> None:
    await running(host, "gambo", 2, pace=Pace.LIVE, guild_id=GUILD)
    host.clock.advance(2 * MINUTE)
    host.presence.arrive(0, 1, host.now(), replayed=False, away=() if lost else (GUILD,))
    if lost:
        host.presence.lose_server(GUILD)
    else:
        host.presence.find_server(GUILD)
    await host.presence.settle()
    assert host.presence.away == (frozenset({GUILD}) if lost else frozenset())


# FOUND C2
@pytest.mark.parametrize("pace", PACES)
async def test_a_board_that_was_given_up_comes_after_a_gap_and_their_turn_begins_with_it(
    host: Host, clock: ManualClock, database: Database, pace: Pace
) -> None:
    match = await running(host, "gambo", 2, pace=pace, guild_id=GUILD)
    assert pace.turn is not None
    # `running` has dropped what was to be told, as if it had been given up.
    clock.advance(2 * pace.turn)
    host = await reconnected(host, clock, database)
    (again,) = await host.outbox.claim()
    assert (again.kind, again.rings) == (Kind.ANEW, True)
    clock.advance(pace.turn / 2)
    owed = await host.outbox.still_owed(again)
    await host.outbox.told(again.id, BoardPost(match.id, 1, match.ply))
    now = await host.look.match(match.id)
    assert now.turn_due == owed.turn_due
    assert now.turn_due is not None
    assert now.turn_due - clock.now() >= pace.turn


# FOUND C1
async def test_at_a_live_table_whoever_is_called_by_dm_is_called_there_again(
    host: Host, clock: ManualClock, database: Database
) -> None:
    match = await running(host, "gambo", 2, pace=Pace.LIVE, guild_id=GUILD)
    await host.settings.set_player_settings(absent(match), PlayerSettings(Ping.DM))
    await host.dms.note_dm(absent(match), open=True)
    await host.outbox.note(BoardPost(match.id, 1, match.ply))
    clock.advance(DAY)
    host = await reconnected(host, clock, database)
    told = [(row.kind, row.rings, row.user_id) for row in await tellings(host, match.id)]
    assert told == [(Kind.ANEW, False, absent(match)), (Kind.HAND, True, absent(match))]


# FOUND C1
async def test_the_least_that_is_given_is_given_once_a_turn(host: Host, clock: ManualClock, database: Database) -> None:
    match = await running(host, "saboteur", 3, guild_id=GUILD)
    assert match.turn_due is not None
    for time in range(1, 4):
        clock.advance(2 * MINUTE)
        host = await reconnected(host, clock, database)
        assert (await host.look.match(match.id)).turn_due == match.turn_due + DAY / 10 + (time - 1) * 2 * MINUTE
    match = await play(host, match, Random(1))
    assert match.turn_due == clock.now() + DAY
    clock.advance(2 * MINUTE)
    await connect(after(host, clock, database))
    assert (await host.look.match(match.id)).turn_due == match.turn_due + DAY / 10


# FOUND C1
@pytest.mark.parametrize("how", ["away", "silenced", "lost"])
async def test_a_gap_uses_up_no_away_time(host: Host, clock: ManualClock, database: Database, how: str) -> None:
    match = await running(host, "saboteur", 3, guild_id=GUILD)
    if how == "away":
        await host.absence.away(absent(match), clock.now() + 3 * DAY)
    elif how == "silenced":
        await host.absence.note_look(match.id, absent(match), CutOff.SILENCED)
    else:
        await host.reach.lose(match.id)
    await live_on(host, clock, HOUR)
    clock.advance(2 * HOUR)
    host = await reconnected(host, clock, database)
    await live_on(host, clock, HOUR)
    if how == "away":
        await host.absence.away(absent(match), None)
        match = await host.look.match(match.id)
    elif how == "silenced":
        match = await host.absence.note_look(match.id, absent(match), None)
    else:
        await host.reach.find(match.id)
        match = await host.look.match(match.id)
    assert match.mover.away_used == 2 * HOUR


# FOUND C1
async def test_a_session_that_goes_on_and_a_handover_give_nothing_if_no_press_was_lost(host: Hosted) -> None:
    match = await running(host, "saboteur", 3, pace=Pace.LIVE, guild_id=GUILD)
    assert match.turn_due is not None
    host.clock.advance(LOSSLESS)
    await connect(host, replayed=True)
    assert (await host.look.match(match.id)).turn_due == match.turn_due
    # The successor is connected before the last note of its predecessor.
    successor = after(host, host.clock, host.database)
    at = host.clock.now()
    await live_on(host, host.clock, MINUTE)
    host.clock.advance(LOSSLESS)
    successor.presence.arrive(0, 1, at, replayed=False)
    await successor.presence.settle()
    assert (await host.look.match(match.id)).turn_due == match.turn_due
    # But if nobody could press for longer, they have that time back: exactly, since Discord tells what has happened.
    host.clock.advance(2 * MINUTE)
    await connect(successor, replayed=True)
    assert (await host.look.match(match.id)).turn_due == match.turn_due + 2 * MINUTE
    # The predecessor dies in the middle of a handover.
    third, at = after(host, host.clock, host.database), host.clock.now()
    await live_on(successor, host.clock, NOTED_EVERY)
    host.clock.advance(HOUR)
    third.presence.arrive(0, 1, at, replayed=False)
    await third.presence.settle()
    assert (await host.look.match(match.id)).turn_due == match.turn_due + 2 * MINUTE + HOUR


# FOUND C1
async def test_a_shard_that_moves_to_another_process_has_its_own_gap(database: Database, clock: ManualClock) -> None:
    one, two = (
        Host(database, clock, Seeds(str(shard)), name=str(shard), shards=Shards(2, (shard,))) for shard in (0, 1)
    )
    await connect(one, 0, of=2)
    await connect(two, 1, of=2)
    here, there = [await running(one, "saboteur", 3, pace=Pace.LIVE, guild_id=guild << SHARD_BITS) for guild in (2, 3)]
    await live_on(two, clock, MINUTE)
    # The process of shard 1 has died. What its people can miss is left to its successor.
    await live_on(one, clock, HOUR)
    rows = await one.time.claim_due()
    assert {row.match_id for row in rows} == {here.id}
    clock.advance(MINUTE)
    await connect(one, 0, 1, of=2)
    assert here.turn_due is not None
    assert there.turn_due is not None
    assert (await one.look.match(here.id)).turn_due == here.turn_due + MINUTE
    assert (await one.look.match(there.id)).turn_due == there.turn_due + HOUR + MINUTE
    # With more shards each asks the old ones since when nobody could press. A gap is given back once.
    await live_on(one, clock, NOTED_EVERY)
    there = await one.look.match(there.id)
    assert there.turn_due is not None
    clock.advance(HOUR)
    many = after(one, clock, database)
    await connect(many, 0, 1, 2, of=3)
    assert (await many.look.match(there.id)).turn_due == there.turn_due + HOUR


# FOUND C1
async def test_a_process_that_dies_while_it_gives_back_gives_each_match_its_time_once(
    host: Host, clock: ManualClock, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "AT_ONCE", 2)
    await connect(host)
    matches = [await running(host, "saboteur", 3, guild_id=GUILD + number) for number in range(7)]
    # So their clocks have run: given back twice, the gap would move them twice.
    await live_on(host, clock, HOUR)
    clock.advance(5 * HOUR)
    written = 0

    def dies(*_: object) -> None:
        nonlocal written
        written += 1
        if written == 3:
            raise DatabaseError("killed", transient=False)

    killed = after(host, clock, database)
    with monkeypatch.context() as patched:
        true_write = database.write

        async def write(*arguments: object) -> object:
            dies()
            return await true_write(*arguments)  # type: ignore[arg-type]

        patched.setattr(database, "write", write)
        await raised(Unavailable, connect(killed))
    assert await killed.time.claim_due() == ()
    clock.advance(HOUR)
    two = [after(host, clock, database) for _ in range(2)]
    await asyncio.gather(*map(connect, two))
    for match in matches:
        assert match.turn_due is not None
        assert (await host.look.match(match.id)).turn_due == match.turn_due + 5 * HOUR + DAY / 10


# FOUND C2
async def test_a_server_that_is_unavailable_has_that_time_back_also_if_the_bot_dies_meanwhile(
    host: Host, clock: ManualClock, database: Database
) -> None:
    match, other = [await running(host, "saboteur", 3, pace=Pace.LIVE, guild_id=GUILD + n) for n in (0, 1)]
    assert match.turn_due is not None
    assert other.turn_due is not None
    host.presence.lose_server(GUILD)
    await live_on(host, clock, 10 * MINUTE)
    assert {row.match_id for row in await host.time.claim_due()} == {other.id}
    assert host.presence.find_server(GUILD)
    await host.presence.settle()
    assert (await host.look.match(match.id)).turn_due == match.turn_due + 10 * MINUTE
    assert not host.presence.find_server(GUILD)
    # It's away when the bot dies, and still when it is back.
    host.presence.lose_server(GUILD)
    await live_on(host, clock, 10 * MINUTE)
    clock.advance(10 * MINUTE)
    host = after(host, clock, database)
    await connect(host, away=[GUILD])
    await live_on(host, clock, 10 * MINUTE)
    assert {row.match_id for row in await host.time.claim_due()} <= {other.id}
    host.presence.find_server(GUILD)
    await host.presence.settle()
    assert (await host.look.match(match.id)).turn_due == match.turn_due + 40 * MINUTE


# FOUND C2
async def test_a_server_that_comes_back_before_its_shard_is_settled_is_away_no_longer(alone: Hosted) -> None:
    match = await running(alone, "saboteur", 3, pace=Pace.LIVE, guild_id=GUILD)
    alone.presence.arrive(0, 1, alone.clock.now(), replayed=False, away=[GUILD])
    alone.clock.advance(MINUTE)
    assert alone.presence.find_server(GUILD)
    alone.clock.advance(MINUTE)
    await alone.presence.settle()
    assert alone.presence.away == frozenset()
    alone.clock.advance(HOUR)
    assert {row.match_id for row in await alone.time.claim_due()} == {match.id}


# FOUND C2
async def test_a_server_that_is_lost_again_while_it_is_given_back_has_no_minute_twice(
    host: Host, clock: ManualClock, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = await running(host, "saboteur", 3, pace=Pace.DAY, guild_id=GUILD)
    assert match.turn_due is not None
    await live_on(host, clock, HOUR)
    host.presence.lose_server(GUILD)
    await live_on(host, clock, HOUR)
    host.presence.find_server(GUILD)
    with monkeypatch.context() as patched:
        true_write = database.write

        async def write(*arguments: object) -> object:
            host.presence.lose_server(GUILD)
            return await true_write(*arguments)  # type: ignore[arg-type]

        patched.setattr(database, "write", write)
        await host.presence.settle()
    await live_on(host, clock, HOUR)
    assert host.presence.find_server(GUILD)
    await host.presence.settle()
    assert (await host.look.match(match.id)).turn_due == match.turn_due + DAY / 10 + HOUR
    # A store that doesn't say whether it has noted the return is told once more.
    gone, back = clock.now(), clock.now() + HOUR
    for _ in range(2):
        await database.write(gaps.return_server, Shard(1, 0), GUILD, gone, back)
    assert len(await database.read(gaps.unfinished, Shard(1, 0))) == 1


# FOUND C2
async def test_a_server_that_is_lost_while_discord_refuses_everything_stays_away(host: Hosted) -> None:
    match = await running(host, "saboteur", 3, pace=Pace.LIVE, guild_id=GUILD)
    assert match.turn_due is not None
    for place in range(EVERYWHERE):
        host.presence.note_post(place, taken=False)
    await live_on(host, host.clock, 10 * MINUTE)
    host.presence.lose_server(GUILD)
    host.presence.note_post(1, taken=True)
    await host.presence.tick()
    await live_on(host, host.clock, 10 * MINUTE)
    assert await host.time.claim_due() == ()
    assert host.presence.find_server(GUILD)
    await host.presence.settle()
    assert not host.presence.away
    assert (await host.look.match(match.id)).turn_due == match.turn_due + 20 * MINUTE


# FOUND C1
async def test_a_machine_that_slept_or_a_clock_that_is_set_ahead_costs_nobody_time(host: Hosted) -> None:
    match = await running(host, "saboteur", 3, guild_id=GUILD)
    await host.outbox.note(BoardPost(match.id, 1, match.ply))
    assert match.turn_due is not None
    await live_on(host, host.clock, MINUTE)
    host.clock.jump(2 * DAY)
    assert await host.time.claim_due() == ()
    await host.presence.tick()
    assert (await host.look.match(match.id)).turn_due == match.turn_due + 2 * DAY
    host.clock.jump(-HOUR)
    await host.presence.tick()
    assert (await host.look.match(match.id)).turn_due == match.turn_due + 2 * DAY
    await live_on(host, host.clock, DAY)
    assert [row.kind for row in await host.time.claim_due()] == [Due.REMIND]


# FOUND C2
async def test_while_discord_refuses_posts_everywhere_no_clock_runs_but_one_place_stops_none(host: Hosted) -> None:
    match = await running(host, "saboteur", 3, pace=Pace.LIVE, guild_id=GUILD)
    assert match.turn_due is not None
    for _ in range(EVERYWHERE):
        host.presence.note_post(1, taken=False)
    host.clock.advance(5 * MINUTE - A_MOMENT)
    await host.presence.tick()
    assert [row.kind for row in await host.time.claim_due()] == [Due.REMIND]
    for place in range(EVERYWHERE):
        host.presence.note_post(place, taken=False)
    await live_on(host, host.clock, 10 * MINUTE)
    assert await host.time.claim_due() == ()
    host.presence.note_post(1, taken=True)
    await host.presence.tick()
    assert (await host.look.match(match.id)).turn_due == match.turn_due + 10 * MINUTE


# FOUND O1
async def test_while_discord_takes_no_answers_no_clock_runs_but_one_press_stops_none(host: Hosted) -> None:
    match = await running(host, "saboteur", 3, pace=Pace.LIVE, guild_id=GUILD)
    assert match.turn_due is not None
    for _ in range(2 * PRESSES):
        host.presence.note_answer(1, taken=False)
    assert host.presence.refuses_answers_since is None
    host.presence.note_answer(2, taken=False)
    host.presence.note_answer(3, taken=True)
    host.presence.note_answer(4, taken=False)
    assert host.presence.refuses_answers_since is None
    began = host.clock.now()
    for minute in range(6):
        for press in range(PRESSES):
            host.presence.note_answer(PRESSES * minute + press, taken=False)
        await live_on(host, host.clock, MINUTE)
    assert host.presence.refuses_answers_since == began
    assert await host.time.claim_due() == ()
    # Nobody presses any more, so nobody knows.
    await live_on(host, host.clock, UNHEARD)
    assert host.presence.refuses_answers_since is None
    await host.presence.tick()
    due = (await host.look.match(match.id)).turn_due
    assert due is not None
    assert 7 * MINUTE <= due - match.turn_due <= 8 * MINUTE


# FOUND O13
async def test_a_clock_that_jumps_is_noticed_at_the_next_tick_once_and_remembered_for_an_hour(
    alone: Hosted, clock: ManualClock, caplog: pytest.LogCaptureFixture
) -> None:
    for jump, words in ((2 * HOUR, "ahead by 2:00:00"), (-3 * HOUR, "back by 3:00:00")):
        caplog.clear()
        await live_on(alone, clock, 2 * HOUR)
        assert alone.work.trust.jumped is None
        clock.jump(jump)
        for _ in range(3):
            await alone.presence.tick()
        assert caplog.messages == [f"the clock has jumped {words}"]
        assert alone.work.trust.jumped == jump
    assert alone.work.trust.jumps == 2
    await live_on(alone, clock, HOUR + MINUTE)
    assert alone.work.trust.jumped is None


# FOUND C2
async def test_the_clock_of_a_turn_begins_when_its_board_is_there(host: Host, clock: ManualClock) -> None:
    match = await running(host, "saboteur", 3, pace=Pace.LIVE, guild_id=GUILD)
    match = await play(host, match, Random(1))
    rows = await host.outbox.claim(match_id=match.id)
    await live_on(host, clock, 10 * MINUTE)
    assert await host.time.claim_due() == (), "nobody has seen whose turn it is"
    for row in rows:
        if row.kind is Kind.BOARD:
            assert (await read_late(host, row)).turn_due == clock.now() + 5 * MINUTE
        await host.outbox.told(row.id, BoardPost(match.id, 1, match.ply) if row.kind is Kind.BOARD else None)
    late = await host.look.match(match.id)
    assert (late.turn_at, late.turn_due) == (clock.now(), clock.now() + 5 * MINUTE)
    # The reminder comes late, too. It leaves the time for an answer.
    await live_on(host, clock, 4 * MINUTE)
    assert await run_time(host)
    (row,) = await host.outbox.claim(match_id=match.id)
    await live_on(host, clock, 10 * MINUTE)
    assert await host.time.claim_due() == ()
    assert (await read_late(host, row)).turn_due == clock.now() + MINUTE
    await host.outbox.told(row.id, CallPost(match.id, 2, match.turn_ply))
    assert (await host.look.match(match.id)).turn_due == clock.now() + MINUTE
    await live_on(host, clock, MINUTE)
    # So does the question to the table.
    assert await run_time(host)
    (row,) = await host.outbox.claim(match_id=match.id)
    assert row.kind is Kind.VOTE
    await live_on(host, clock, 10 * MINUTE)
    assert (await read_late(host, row)).turn_due == clock.now() + 5 * MINUTE
    await host.outbox.told(row.id)
    assert (await host.look.match(match.id)).turn_due == clock.now() + 5 * MINUTE


async def read_late(host: Host, row: Telling) -> Match:
    """The match as people read it who are told only now. Nothing has changed in the store."""
    before = await host.look.match(MatchId(row.match_id or 0))
    read = await host.outbox.still_owed(row)
    assert read is not None
    assert await host.look.match(before.id) == before != read
    return read


async def test_an_ordinary_board_moves_no_deadline_and_costs_no_statement(host: Host, clock: ManualClock) -> None:
    match = await play(host, await running(host, "saboteur", 3, guild_id=GUILD), Random(1))
    rows = await host.outbox.claim(match_id=match.id)
    clock.advance(SECOND)
    before = sum(host.state.statements.values())
    (board,) = [row for row in rows if row.kind is Kind.BOARD]
    await host.outbox.told(board.id, BoardPost(match.id, 1, match.ply))
    assert sum(host.state.statements.values()) - before <= 5
    assert (await host.look.match(match.id)).turn_due == match.turn_due


# FOUND C1
async def test_a_question_has_its_time_back_and_its_buttons_go_on(
    host: Host, clock: ManualClock, database: Database
) -> None:
    match = await running(host, "saboteur", 4, guild_id=GUILD)
    await host.votes.cancel(match.id, ANN)
    await tellings(host)
    match = await host.look.match(match.id)
    open_one = question(match, clock.now(), Asks.CANCEL)
    clock.advance(2 * DAY)
    host = await reconnected(host, clock, database)
    given = question(await host.look.match(match.id), clock.now(), Asks.CANCEL)
    assert (given.expires, given.number) == (open_one.expires + 2 * DAY, open_one.number)
    assert (await dues(host, match.id))[Due.QUESTION] == given.expires
    await host.votes.refuse(match.id, BOB, Asks.CANCEL, open_one.number)


# FOUND C1
async def test_who_asks_for_a_seat_is_answered_by_the_buttons_from_before_a_gap(
    host: Host, clock: ManualClock, database: Database
) -> None:
    match = await running(host, "saboteur", 4, guild_id=GUILD)
    await host.play.resign(match.id, absent(match))
    await host.absence.apply(match.id, PEOPLE[7])
    await tellings(host)
    match = await host.look.match(match.id)
    asking = question(match, clock.now(), Asks.SEAT, PEOPLE[7].user_id)
    assert asking is not None
    clock.advance(2 * DAY)
    host = await reconnected(host, clock, database)
    for user_id in [seat.user_id for seat in match.present][:2]:
        assert user_id is not None
        match = await host.absence.agree(match.id, user_id, PEOPLE[7].user_id, number=asking.number)
    assert match.seat_of(PEOPLE[7].user_id) is not None


# FOUND C1
async def test_a_lobby_an_appointment_and_a_match_without_a_clock_have_their_time_back(
    host: Host, clock: ManualClock, database: Database
) -> None:
    start = clock.now()
    waiting = await lobby(host, "saboteur", 2, guild_id=GUILD)
    meeting = await lobby(host, "saboteur", 3, guild_id=GUILD, shown=timed(start + HOUR))
    later = await lobby(host, "saboteur", 3, guild_id=GUILD, shown=timed(start + 9 * HOUR))
    slow = await running(host, "saboteur", 3, guild_id=GUILD, pace=Pace.NONE)
    await host.outbox.set_lobby_message(meeting.id, 5)
    await live_on(host, clock, HOUR - READY_BEFORE)
    assert await run_time(host)
    await tellings(host)
    closes = (await dues(host, waiting.id))[Due.LOBBY]
    ends = (await dues(host, slow.id))[Due.ABANDON]
    clock.advance(HOUR)
    host = await reconnected(host, clock, database)
    assert (await dues(host, waiting.id))[Due.LOBBY] == closes + HOUR
    found = await host.look.match(meeting.id)
    assert appointment(found).appointed == start + 2 * HOUR
    assert await dues(host, meeting.id) == {Due.READY: start + 2 * HOUR}
    assert appointment(await host.look.match(later.id)) == appointment(later), "nobody has been asked yet"
    none = await host.look.match(slow.id)
    assert slow.turn_at is not None
    assert ((await host.look.details(none.id)).closes_at, none.turn_at) == (ends + HOUR, slow.turn_at + HOUR)
    assert await dues(host, slow.id) == {Due.ABANDON: ends + HOUR}
    # A table whose time is long over is called off.
    clock.advance(DAY)
    host = await reconnected(host, clock, database)
    assert appointment(await host.look.match(meeting.id)) == appointment(found)


# FOUND C1
async def test_whoever_is_asked_about_somebody_absent_has_the_time_back(
    host: Host, clock: ManualClock, database: Database
) -> None:
    match = await asked(host, clock, guild_id=GUILD)
    await tellings(host)
    await host.presence.tick()
    assert match.turn_due is not None
    clock.advance(DAY)
    host = await reconnected(host, clock, database)
    assert (await host.look.match(match.id)).turn_due == match.turn_due + DAY
    clock.advance(DAY)
    await host.presence.tick()
    while await run_time(host):
        await tellings(host)
    before = await host.look.details(match.id)
    assert before.asked == 2
    assert before.closes_at is not None
    clock.advance(30 * DAY)
    host = await reconnected(host, clock, database)
    assert (await host.look.details(match.id)).closes_at == before.closes_at + 30 * DAY
    assert not await run_time(host)
    await host.votes.vote(match.id, others(match)[0], Vote.COMPUTER)


async def test_only_one_small_transaction_in_ten_seconds_notes_that_people_can_press_and_none_while_nothing_is_open(
    alone: Hosted, clock: ManualClock
) -> None:
    await connect(alone, *range(8), of=8)

    def written() -> int:
        return sum(count for (kind, _), count in alone.state.transactions.items() if kind == "write")

    before = written()
    await live_on(alone, clock, HOUR)
    assert written() == before
    await running(alone, "saboteur", 3, guild_id=GUILD)
    before = written()
    for _ in range(600):
        clock.advance(SECOND)
        await alone.presence.tick()
    assert written() - before <= 60


# FOUND D3
async def test_all_deadlines_that_a_person_can_miss_and_orders_wait_while_nobody_can_press(host: Hosted) -> None:
    match = await running(host, "saboteur", 3, guild_id=GUILD)
    await connect(host)
    await live_on(host, host.clock, HOUR)
    assert Due.ORDER in PERSONS, "its moment would show that nobody pressed"
    for kind in Due:
        await host.work.write(
            lambda connection, kind: deadlines.replace(
                connection, match.id, GUILD, match.ply, {kind: host.clock.now()}, tuple(Due)
            ),
            kind,
        )
        host.presence.lose_server(GUILD)
        assert await host.time.claim_due((kind,)) == () or kind not in PERSONS
        host.presence.find_server(GUILD)
        host.presence.leave(0)
        assert await host.time.claim_due((kind,)) == () or kind not in PERSONS
        await connect(host, replayed=True)
        assert kind not in PERSONS or [row.kind for row in await host.time.claim_due((kind,))] == [kind]


DOWN = ("killed", "cut", "away", "refused")
INTERRUPTIONS = st.lists(
    st.tuples(st.sampled_from((*DOWN, "pressable")), st.sampled_from((20, 50, 130, 250, 700))), max_size=14
)


# FOUND C1, C2
@pytest.mark.parametrize("pace", [Pace.LIVE, Pace.NONE])
@settings(max_examples=6, derandomize=True, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(interruptions=INTERRUPTIONS)
async def test_whatever_interrupts_nobody_is_called_for_time_in_which_they_could_not_press_and_every_match_ends(
    tmp_path_factory: pytest.TempPathFactory, pace: Pace, interruptions: list[tuple[str, int]]
) -> None:
    clock, pressable = ManualClock(), timedelta(0)
    async with await Database.open(fresh(tmp_path_factory.mktemp("gaps") / "ambit.db")) as database:
        host = Host(database, clock, Seeds())
        await connect(host)
        match = await running(host, "saboteur", 3, pace=pace, guild_id=GUILD)
        await host.outbox.note(BoardPost(match.id, 1, match.ply))
        said: dict[Kind, timedelta] = {}

        async def look() -> None:
            while await run_time(host):
                for row in await tellings(host, match.id):
                    said.setdefault(row.kind, pressable)

        async def live(time: timedelta, step: timedelta) -> None:
            nonlocal pressable
            end = clock.now() + time
            while clock.now() < end:
                clock.advance(step)
                pressable += step
                await host.presence.tick()
                await look()

        for what, seconds in interruptions:
            if what == "cut":
                host.presence.leave(0)
            if what == "away":
                host.presence.lose_server(GUILD)
            if what == "refused":
                for place in range(EVERYWHERE):
                    host.presence.note_post(place, taken=False)
            if what == "pressable":
                await live(seconds * SECOND, NOTED_EVERY)
                continue
            if what == "killed":
                clock.advance(seconds * SECOND)
                host = after(host, clock, database)
            else:
                for _ in range(seconds // 10):
                    clock.advance(NOTED_EVERY)
                    await host.presence.tick()
                    await look()
            if what == "refused":
                host.presence.note_post(0, taken=True)
            if what == "away":
                host.presence.find_server(GUILD)
            if what in ("killed", "cut"):
                host.presence.arrive(0, 1, clock.now(), replayed=False)
            await look()
            await host.presence.settle()
            await look()
        if pace is Pace.LIVE:
            await live(timedelta(minutes=10), MINUTE)
            assert said[Kind.REMIND] >= 4 * MINUTE
            assert said[Kind.VOTE] >= 5 * MINUTE
        assert Kind.END not in said
        await live(40 * DAY, DAY)
        assert said[Kind.END] >= (7 * DAY if pace is Pace.LIVE else 30 * DAY)
        found = await host.look.match(match.id)
        assert found.rating is not Rated.COUNTED
