"""A finished match is played on from any of its moments, at a table of its own (P38)."""

from __future__ import annotations

import gzip
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from db import Database
from db.matches import log_lines
from games import GAMES
from games.log import TABLE, Branch, Course, Header, Line, LogError, copied, is_seen_from
from matches.api import (
    Ended,
    Frozen,
    Host,
    Kind,
    ManualClock,
    Match,
    MatchId,
    NewMatch,
    NotAllowed,
    NotFound,
    NotSeated,
    Ply,
    Pruned,
    Rated,
    SeatNumber,
    Status,
    Terms,
    TooSoon,
    WrongTime,
)
from matches.review import Reviews
from matches.table.limits import PRIVATE_TABLES, Deed
from tests.conformance.matches import SETUPS, Setup
from tests.games.material import material
from tests.matches.tables import (
    CHANNEL,
    DAY,
    PEOPLE,
    Seeds,
    dump,
    play,
    play_on,
    run_due,
    running,
    sql,
    tellings,
    told_kinds,
    true_position,
)

ANN, BOB, CLEO = PEOPLE[:3]
GUILD = 500
DM = 70_000
HIDDEN = [key for key, game in GAMES.items() if game.info.hidden_information]
OPEN = [key for key in GAMES if key not in HIDDEN]


async def lines(host: Host, number: MatchId) -> list[Line]:
    """The whole log as it is stored."""
    return [Line(*row) for row in await host.work.read(log_lines.lines, number)]


async def over(host: Host, game: str, rng: Random, moves: int = 14) -> Match:
    """A match of people that was ended after this many moves, if it wasn't over before."""
    match = await running(host, game, max(2, GAMES[game].info.min_players), guild_id=GUILD)
    return await ended(host, match, rng, moves)


async def ended(host: Host, match: Match, rng: Random, moves: int) -> Match:
    """The match, ended after this many moves of people."""
    while match.status is Status.RUNNING and moves:
        mover = match.mover
        moves -= mover is not None and mover.present
        match = await play(host, match, rng) if mover is not None and mover.present else await thought(host, match)
    if match.status is Status.RUNNING:
        match = await host.votes.cancel(match.id, PEOPLE[9].user_id, moderator=True)
    await tellings(host, match.id)
    return match


async def thought(host: Host, match: Match) -> Match:
    """Carry out what is due, including computers' turns. Return the match."""
    await run_due(host)
    return await host.look.match(match.id)


async def moments(host: Host, match: Match, person: Any = ANN) -> list[Ply]:
    """Where this person can play on."""
    replay = await host.look.replay(match.id, person.user_id)
    return [ply for ply in replay.plies if replay.can_play_on(ply)]


async def alone(host: Host, match: Match, ply: int, person: Any = ANN, seat: int | None = None, **more: Any) -> Match:
    """Play on in private, against the weakest computers, from one's own seat."""
    own = match.seat_of(person.user_id)
    chosen = SeatNumber(seat if seat is not None else 0 if own is None or own.seat is None else own.seat)
    request = NewMatch("", DM, Terms(), lobby_message_id=1, **more)
    return await host.part(Reviews).alone(match.id, Ply(ply), chosen, person, "easy", request)


async def in_public(host: Host, match: Match, ply: int, person: Any = ANN, **more: Any) -> Match:
    """Open a table to play on from one's own seat."""
    own = match.seat_of(person.user_id)
    assert own is not None
    assert own.seat is not None
    request = NewMatch("", CHANNEL, Terms(), guild_id=GUILD, **more)
    return await host.part(Reviews).opened(match.id, Ply(ply), own.seat, person, request)


def seat_of(match: Match, person: Any = ANN) -> SeatNumber:
    seat = match.seat_of(person.user_id)
    assert seat is not None
    assert seat.seat is not None
    return seat.seat


@pytest.mark.parametrize("game", list(GAMES))
async def test_its_log_begins_with_a_copy_and_one_line_and_the_seat_is_as_it_was(host: Host, game: str) -> None:
    rng = Random(3)
    match = await over(host, game, rng, 1000)
    whole = await lines(host, match.id)
    plies = await moments(host, match)
    truths = 0
    for ply in rng.sample(plies, 2):
        new = await alone(host, match, ply)
        assert (new.status, new.branch_of, new.rated) == (Status.RUNNING, match.id, False)
        log, kept = await lines(host, new.id), copied(whole[:ply])
        assert new.branch_ply == len(kept)
        assert tuple(log[: len(kept)]) == kept
        assert log[len(kept)].text.startswith(f"branch {seat_of(match)} ")
        assert seat_of(new) == seat_of(match)
        assert all(seat.computer == "easy" for seat in new.seats if seat.user_id is None)
        before = Course.begin(new.header).through(kept).state
        after = Course.begin(new.header).through(log[: len(kept) + 1]).state
        assert after.observation(seat_of(new)) == before.observation(seat_of(new))
        assert after.observation(None) == before.observation(None)
        truths += after == before
        over_again = await ended(host, new, Random(1), 6)
        assert (over_again.status, over_again.rating) == (Status.OVER, Rated.AGREED)
        assert not (await host.look.details(over_again.id)).counts
        proof = await host.look.verify(new.id)
        assert proof.ok
        assert "aren't sealed" in proof.explanation
        assert f"(match {match.id})" in proof.explanation
    assert truths == 2 if game in OPEN else truths < 2, "what was hidden is drawn again"


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_what_is_drawn_differs_from_the_truth_and_fits_what_the_seat_knew(setup: Setup) -> None:
    """Over many seeds: all fit the observation, and no hidden fact always stays. In open games nothing changes."""
    rng = Random(7)
    state = GAMES[setup.key].new_initial_state(setup.players, dict(setup.options))
    differ = looked = 0
    course = Course(Header(setup.key, setup.players, dict(setup.options)), state)
    while not course.state.is_terminal:
        position = course.state
        if position.current_player >= 0 and rng.randrange(6) == 0:
            seat = rng.randrange(setup.players)
            drawn = [Branch(course.ply, seat, f"{number:032x}").drawn(position) for number in range(8)]
            for other in drawn:
                assert other.observation(seat) == position.observation(seat)
                assert other.observation(None) == position.observation(None)
                assert other.legal_actions(seat) == position.legal_actions(seat)
                assert material(other) == material(position)
            twin = position.resample_from_infostate(seat, rng)
            assert Branch(course.ply, seat, f"{0:032x}").drawn(twin) == drawn[0], "the truth has no part in it"
            looked += 1
            differ += len(set(map(str, drawn)) - {str(position)}) > 1
        actor = position.current_player
        action = position.sample_chance(rng) if actor < 0 else rng.choice(position.legal_actions(actor))
        _, course = course.played(actor, action)
    assert looked
    assert differ > looked / 2 if setup.info.hidden_information else differ == 0


def test_lines_that_were_taken_back_and_those_of_the_table_are_not_copied() -> None:
    log = [
        Line(0, -1, "first 0"),
        Line(1, 0, "a"),
        Line(2, 1, "b"),
        Line(3, TABLE, "undo 2"),
        Line(4, TABLE, "computer 1 easy"),
        Line(5, 1, "c"),
        Line(6, TABLE, f"branch 1 {7:032x}"),
        Line(7, 0, "d"),
    ]
    assert [str(line) for line in copied(log)] == [
        "0 c first 0",
        "1 0 a",
        "2 1 c",
        f"3 h branch 1 {7:032x}",
        "4 0 d",
    ]


@pytest.mark.parametrize("event", ["branch 9 " + "0" * 32, "branch 0 " + "0" * 31, "branch 0", "branch x " + "0" * 32])
def test_a_line_that_draws_nothing_known_is_refused(event: str) -> None:
    state = GAMES["gambo"].new_initial_state(2)
    dealt = state.child(-1, state.sample_chance(Random(1)))
    with pytest.raises(LogError):
        Course(Header("gambo", 2), dealt, 1).after(Line(1, TABLE, event))
    with pytest.raises(LogError):
        Course.begin(Header("gambo", 2)).after(Line(0, TABLE, "branch 0 " + "0" * 32))


def test_a_viewer_sees_lines_as_their_seat_did_only_if_nobody_played_on_from_another_seat_since() -> None:
    branches = (Branch(5, 0, ""), Branch(9, 1, ""))
    assert [is_seen_from(1, ply, branches) for ply in (4, 5, 8, 9)] == [False, True, True, True]
    assert [is_seen_from(0, ply, branches) for ply in (4, 5, 8, 9)] == [False, False, False, True]


async def test_only_players_play_on_in_games_with_hidden_cards_and_from_their_own_seat(host: Host) -> None:
    match = await over(host, "abissal", Random(2))
    ply = (await moments(host, match))[5]
    assert await moments(host, match, CLEO) == []
    with pytest.raises(NotSeated, match="hidden cards"):
        await host.part(Reviews).offer(match.id, ply, CLEO.user_id)
    with pytest.raises(NotSeated, match="hidden cards"):
        await alone(host, match, ply, CLEO)
    with pytest.raises(NotSeated, match="hidden cards"):
        await alone(host, match, ply, ANN, 1 - seat_of(match))
    assert (await host.part(Reviews).offer(match.id, ply, BOB.user_id)).seats == (seat_of(match, BOB),)


async def test_in_open_games_anybody_plays_on_from_any_seat(host: Host) -> None:
    match = await over(host, "ambush", Random(2))
    ply = (await moments(host, match, CLEO))[4]
    assert (await host.part(Reviews).offer(match.id, ply, CLEO.user_id)).seats == (0, 1)
    assert (await host.part(Reviews).offer(match.id, ply, ANN.user_id)).seats[0] == seat_of(match)
    for seat in (0, 1):
        new = await alone(host, match, ply, CLEO, seat)
        assert seat_of(new, CLEO) == seat
        assert (await true_position(host, new.id)).observation(None) == (
            Course.begin(new.header).through(copied((await lines(host, match.id))[:ply])).state.observation(None)
        )


async def test_nobody_plays_on_from_a_match_that_runs_or_from_its_end(host: Host) -> None:
    match = await running(host, "gambo")
    with pytest.raises(WrongTime, match="once it's over"):
        await host.part(Reviews).offer(match.id, match.ply, ANN.user_id)
    match = await play_on(host, match, Random(3))
    assert match.ended_by is Ended.RULES
    with pytest.raises(WrongTime, match="was over there"):
        await host.part(Reviews).offer(match.id, match.ply, ANN.user_id)
    with pytest.raises(NotFound):
        await host.part(Reviews).offer(MatchId(match.id + 1), Ply(4), ANN.user_id)
    with pytest.raises(NotAllowed, match="no such level"):
        await host.part(Reviews).alone(match.id, Ply(4), seat_of(match), ANN, "divine", NewMatch("", DM))


async def test_a_match_that_people_ended_can_be_played_on_from_its_last_position(host: Host) -> None:
    match = await running(host, "gambo")
    for _ in range(4):
        match = await play(host, match, Random(3))
    match = await host.play.resign(match.id, BOB.user_id)
    new = await alone(host, match, match.ply, BOB)
    assert new.status is Status.RUNNING
    assert new.to_move is not None


async def test_one_press_opens_one_table(host: Host) -> None:
    match = await over(host, "gambo", Random(3))
    first = await alone(host, match, 4, interaction_id=77)
    again = await alone(host, match, 4, interaction_id=77)
    assert (again.id, again.ply) == (first.id, first.ply)
    one = await in_public(host, match, 4, interaction_id=78)
    assert (await in_public(host, match, 4, interaction_id=78)).id == one.id


async def test_it_uses_the_allowance_of_opening_tables(host: Host, clock: ManualClock) -> None:
    match = await over(host, "gambo", Random(3))
    clock.advance(DAY)
    for _ in range(Deed.OPEN.most):
        await host.lobby.leave((await in_public(host, match, 4)).id, ANN.user_id)
    with pytest.raises(TooSoon, match="opened a lot of tables"):
        await in_public(host, match, 4)


async def test_few_private_tables_run_at_once(host: Host) -> None:
    match = await over(host, "gambo", Random(3))
    tables = [await alone(host, match, 4) for _ in range(PRIVATE_TABLES)]
    with pytest.raises(NotAllowed, match="private tables"):
        await alone(host, match, 4)
    assert (await alone(host, match, 4, BOB)).status is Status.RUNNING
    await host.play.resign(tables[0].id, ANN.user_id)
    assert (await alone(host, match, 4)).status is Status.RUNNING


async def test_its_people_get_their_cards_and_the_board_begins_after_the_copy(host: Host) -> None:
    match = await over(host, "abissal", Random(2))
    new = await alone(host, match, (await moments(host, match))[6])
    kinds = await told_kinds(host, new)
    assert Kind.SECRETS in kinds
    assert kinds[0] is Kind.LOBBY
    assert new.board_ply == new.branch_ply


@pytest.mark.parametrize("game", ["gambo", "ambush"])
async def test_undo_never_reaches_before_the_branch(host: Host, game: str) -> None:
    match = await over(host, game, Random(3))
    replay = await host.look.replay(match.id, ANN.user_id)
    new = None
    for ply in replay.plies[6:]:
        if replay.moment(ply).observation.current_player == seat_of(match):
            new = await alone(host, match, ply)
            break
    assert new is not None
    with pytest.raises(NotAllowed, match="can't be taken back"):
        await host.votes.undo(new.id, ANN.user_id)
    begun = new.ply
    new = await play(host, new, Random(1))
    after = await host.votes.undo(new.id, ANN.user_id)
    assert (await lines(host, new.id))[-1].text == f"undo {begun}"
    assert (await true_position(host, new.id)).observation(None) == (
        Course.begin(new.header).through((await lines(host, new.id))[:begun]).state.observation(None)
    )
    with pytest.raises(NotAllowed, match="can't be taken back"):
        await host.votes.undo(after.id, ANN.user_id)


async def test_the_table_is_in_no_statistics_ratings_or_records(host: Host, database: Database) -> None:
    match = await over(host, "gambo", Random(3))
    before = await dump(database)
    new = await play_on(host, await alone(host, match, 4), Random(1))
    assert new.status is Status.OVER
    opened = await in_public(host, match, 4)
    opened = await host.lobby.join(opened.id, BOB)
    assert opened.status is Status.RUNNING
    assert seat_of(opened) == seat_of(match)
    opened = await play_on(host, opened, Random(1))
    assert opened.status is Status.OVER
    after = await dump(database)
    changed = {name for name in before if before[name] != after[name]}
    assert changed <= {"matches", "seats", "log", "allowances", "outbox", "deadlines", "meta"}
    assert {seat.finished for each in (new, opened) for seat in each.seats} == {None}
    assert {seat.feat for each in (new, opened) for seat in each.seats} == {()}


async def test_an_open_table_is_its_hosts_and_ends_with_them(host: Host) -> None:
    match = await over(host, "saboteur", Random(3))
    ply = (await moments(host, match))[9]
    new = await in_public(host, match, ply)
    assert (new.status, new.rated, new.size) == (Status.LOBBY, False, len(match.seats))
    with pytest.raises(NotAllowed, match="your own seat"):
        await host.lobby.watch(new.id, ANN.user_id)
    with pytest.raises(NotAllowed, match="never rated"):
        await host.lobby.agree(new.id, ANN.user_id, rated=True)
    new = await host.lobby.join(new.id, BOB)
    closed = await host.lobby.leave(new.id, ANN.user_id)
    assert closed.status is Status.CANCELLED, "nobody else has a right to the seat"


async def test_everybody_else_at_an_open_table_sees_of_the_copy_what_spectators_saw(host: Host) -> None:
    rng = Random(5)
    match = await over(host, "abissal", rng)
    ply = (await moments(host, match))[7]
    new = await in_public(host, match, ply)
    new = await host.lobby.join(new.id, CLEO)
    assert new.status is Status.RUNNING
    assert new.branch_ply is not None
    for _ in range(2):
        own, other, nobody = [
            (await host.look.replay(new.id, user_id)).shown(0, new.branch_ply)
            for user_id in (ANN.user_id, CLEO.user_id, None)
        ]
        then = (await host.look.replay(match.id, None)).match
        as_then = replace(await host.look.replay(match.id, None), match=replace(then, status=Status.RUNNING))
        shown = [tuple(line) for line in nobody]
        assert shown == [tuple(line) for line in other]
        assert [line[2:] for line in shown] == [tuple(line)[2:] for line in as_then.in_force()[: len(shown)]], (
            "as it was told"
        )
        assert shown != [tuple(line) for line in own], "and the person who plays on sees their own cards"
        everything = None
        if new.status is Status.OVER:
            everything = await host.look.replay(new.id, None, everything=True)
            assert [tuple(line) for line in everything.shown(0, new.branch_ply)] == shown
            film = everything.beats()
            assert all(
                beat.public_line == beat.full_line and beat.shown == beat.seen
                for beat in film[: everything.beats_copied]
            )
            assert any(beat.shown != beat.seen for beat in film[everything.beats_copied :])
        else:
            new = await ended(host, new, rng, 4)
    branch = [line for line in (await host.look.replay(new.id, CLEO.user_id)).shown() if line.text.startswith("branch")]
    assert [line.text for line in branch] == [f"branch {seat_of(match)}"], "its seed would tell everything"


async def test_a_branch_is_played_on_again_from_the_same_place_or_from_later(host: Host) -> None:
    match = await over(host, "abissal", Random(4))
    first = await alone(host, match, (await moments(host, match))[4])
    assert first.branch_ply is not None
    first = await ended(host, first, Random(1), 4)
    with pytest.raises(NotAllowed, match="Play on again"):
        await host.lobby.rematch(first.id, ANN)
    again = await alone(host, first, first.branch_ply + 1)
    assert (again.branch_of, again.branch_ply) == (match.id, first.branch_ply)
    assert (await lines(host, again.id))[: first.branch_ply] == (await lines(host, first.id))[: first.branch_ply]
    assert (await lines(host, again.id))[first.branch_ply] != (await lines(host, first.id))[first.branch_ply]
    later = await alone(host, first, (await moments(host, first))[-1])
    assert later.branch_of == first.id
    later = await ended(host, later, Random(1), 4)
    assert (await host.look.verify(later.id)).ok


async def test_a_seat_that_was_drawn_again_cannot_be_played_on_from_before(host: Host) -> None:
    match = await over(host, "abissal", Random(4))
    new = await in_public(host, match, (await moments(host, match))[5])
    new = await ended(host, await host.lobby.join(new.id, CLEO), Random(2), 4)
    assert new.branch_ply is not None
    assert min(await moments(host, new, CLEO)) == new.branch_ply + 1
    assert min(await moments(host, new, ANN)) < new.branch_ply
    with pytest.raises(NotSeated):
        await alone(host, new, new.branch_ply - 1, CLEO)


async def test_it_needs_neither_the_lines_nor_the_people_of_the_first_match_once_it_is_open(
    host: Host, clock: ManualClock
) -> None:
    match = await over(host, "abissal", Random(4))
    ply = (await moments(host, match))[5]
    new = await in_public(host, match, ply)
    await sql(host.work._database, "delete from log where match_id = :n", n=match.id)
    await sql(host.work._database, "update matches set log_sum = 'gone' where id = :n", n=match.id)
    host.work.positions.forget(match.id)
    await host.privacy.forget_wholly(BOB.user_id)
    with pytest.raises(Pruned):
        await alone(host, match, ply)
    new = await ended(host, await host.lobby.join(new.id, CLEO), Random(1), 4)
    assert new.status is Status.OVER


async def test_who_is_forgotten_leaves_it_and_its_file_has_no_moves_of_others(host: Host) -> None:
    match = await over(host, "gambo", Random(4))
    lobby_ = await in_public(host, match, 6)
    private = await alone(host, match, 6)
    done = await ended(host, await alone(host, match, 6, CLEO, seat=seat_of(match)), Random(3), 4)
    packed = gzip.decompress((await host.privacy.packed(CLEO.user_id)).data).decode()
    assert f'"match_id":{done.id},"ply":6' not in packed.replace(" ", "")
    assert f'"match_id":{done.id}' in packed.replace(" ", "")
    await host.privacy.forget_wholly(ANN.user_id)
    assert (await host.look.match(lobby_.id)).status is Status.CANCELLED
    assert (await host.look.match(private.id)).status is Status.OVER


async def test_an_older_version_of_the_rules_is_refused(host: Host) -> None:
    match = await over(host, "gambo", Random(4))
    await sql(host.work._database, "update matches set rules_version = 0 where id = :n", n=match.id)
    host.work.positions.forget(match.id)
    with pytest.raises(Frozen):
        await alone(host, match, 6)


async def test_computers_play_it_to_its_end_after_a_restart(database: Database, clock: ManualClock) -> None:
    host = Host(database, clock, Seeds("one"))
    match = await over(host, "saboteur", Random(4))
    new = await alone(host, match, (await moments(host, match))[11])
    host = Host(database, clock, Seeds("two"))
    while await run_due(host):
        pass
    new = await ended(host, await host.look.match(new.id), Random(1), 5)
    assert new.status is Status.OVER
