"""Playing (P6, P8, P10, P15, P30): what is stored, what is refused, and that nothing counts twice."""

import asyncio
from datetime import timedelta
from random import Random

import pytest

from db import Database
from games import GAMES
from games.core import CHANCE
from games.log import TABLE, Line, offered, parse_log, replay, to_text
from matches.api import (
    Ended,
    Host,
    Kind,
    ManualClock,
    Match,
    NotSeated,
    NotYourTurn,
    Once,
    Pace,
    Ply,
    Refused,
    Stale,
    Status,
    UserId,
    WrongTime,
)
from tests.matches.tables import (
    PEOPLE,
    Hosted,
    Seeds,
    dump,
    kinds,
    lobby,
    mover_view,
    play,
    play_on,
    raised,
    run_due,
    running,
    tellings,
    texts,
    why,
)
from tests.matches.tables import absent as mover_id

STRANGER = UserId(999)
JUNK = [
    "",
    " ",
    "🦑" * 300,
    "'; DROP TABLE log; --",
    "@everyone",
    "0\n1",
    "?",
    "h resign 0",
    "c first 0",
    "\x00",
    "pass " * 500,
]


def waiting(match: Match) -> UserId:
    """A person whose turn it isn't."""
    return next(seat.user_id for seat in match.seats if seat.user_id is not None and seat.user_id != mover_id(match))


async def an_action(host: Host, match: Match) -> str:
    return (await mover_view(host, match)).moves[0].text


# Actions.


async def test_an_action_is_stored_as_the_next_line(host: Host) -> None:
    match = await running(host, "gambo")
    text = await an_action(host, match)
    after = await host.play.act(match.id, mover_id(match), text, ply=match.ply)
    assert after.ply == match.ply + 1
    assert after == await host.look.match(match.id)
    last = (await host.look.history(match.id, None))[-1]
    assert (last.ply, last.player, last.text) == (match.ply, match.to_move, text)


async def test_what_people_type_is_read_leniently_and_stored_canonically(host: Host) -> None:
    match = await running(host, "gambo")
    text = await an_action(host, match)
    view = await mover_view(host, match)
    await host.play.act(match.id, mover_id(match), view.parse(f"  {text.upper()} "))
    assert (await texts(host, match))[-1] == text


async def test_what_buttons_say_is_read_strictly(host: Host, database: Database) -> None:
    match = await running(host, "gambo")
    text = await an_action(host, match)
    before = await dump(database)
    await raised(Refused, host.play.act(match.id, mover_id(match), text.upper()))
    assert await dump(database) == before


@pytest.mark.parametrize("typed", [True, False])
@pytest.mark.parametrize("game", GAMES)
async def test_junk_is_refused_with_a_sentence_and_changes_nothing(host: Hosted, game: str, typed: bool) -> None:
    match = await running(host, game, GAMES[game].info.min_players)
    view = await mover_view(host, match)
    before = await dump(host.database)
    for junk in JUNK:
        with pytest.raises(Refused) as refused:
            await host.play.act(match.id, mover_id(match), view.parse(junk) if typed else junk)
        assert str(refused.value)
        assert refused.value.rule is None or str(refused.value).startswith(f"{refused.value.rule}: ")
        assert "@everyone" not in str(refused.value)
    assert await dump(host.database) == before


async def test_an_illegal_action_is_refused_with_the_rule(host: Host, database: Database) -> None:
    match = await play_on(host, await running(host, "gambo"), Random(1), lambda match: match.ply > 2)
    before = await dump(database)
    with pytest.raises(Refused, match=r"^G2: .+\.$") as refused:
        await host.play.act(match.id, mover_id(match), "pass")
    assert refused.value.rule == "G2"
    assert await dump(database) == before


async def test_whoever_is_not_on_turn_is_told_who_is(host: Host, database: Database) -> None:
    match = await running(host, "saboteur", 3)
    before = await dump(database)
    with pytest.raises(NotYourTurn, match=f"^{match.info.turn_rule}: It's not your turn.$") as refused:
        await host.play.act(match.id, waiting(match), "pass")
    assert (refused.value.mover, refused.value.rule) == (match.mover, match.info.turn_rule)
    assert await dump(database) == before


async def test_whoever_does_not_sit_at_the_table_cannot_play(host: Host, database: Database) -> None:
    match = await running(host, "gambo")
    before = await dump(database)
    for request in (
        host.play.act(match.id, STRANGER, await an_action(host, match)),
        host.play.resign(match.id, STRANGER),
        host.play.take_back(match.id, STRANGER),
        host.votes.cancel(match.id, STRANGER),
        host.votes.remind(match.id, STRANGER),
    ):
        await raised(NotSeated, request)
    assert await dump(database) == before


async def test_nobody_plays_before_the_start_or_after_the_end(host: Host) -> None:
    early = await lobby(host, "saboteur", 3)
    late = await running(host, "gambo")
    await host.play.resign(late.id, PEOPLE[0].user_id)
    for match in (early, late):
        for request in (
            host.play.act(match.id, PEOPLE[0].user_id, "pass"),
            host.play.resign(match.id, PEOPLE[0].user_id),
            host.play.take_back(match.id, PEOPLE[0].user_id),
            host.votes.remind(match.id, PEOPLE[0].user_id),
        ):
            await raised(WrongTime, request)


@pytest.mark.parametrize("ply", [-1, 0, 10_000])
async def test_an_action_from_another_board_is_stale(host: Host, database: Database, ply: Ply) -> None:
    match = await running(host, "gambo")
    before = await dump(database)
    await raised(Stale, host.play.act(match.id, mover_id(match), await an_action(host, match), ply=ply))
    assert await dump(database) == before


async def test_p10_an_action_is_stale_even_when_only_a_host_line_came_between(host: Host) -> None:
    match = await running(host, "saboteur", 4)
    text, player = await an_action(host, match), mover_id(match)
    await host.play.resign(match.id, waiting(match))
    await raised(Stale, host.play.act(match.id, player, text, ply=match.ply))
    now = await host.look.match(match.id)
    assert now.ply == match.ply + 2
    assert (await host.play.act(match.id, player, text, ply=now.ply)).ply > now.ply


# Repeated and simultaneous.


async def test_a_repeated_interaction_changes_nothing(host: Host, database: Database) -> None:
    match = await running(host, "gambo")
    player, text = mover_id(match), await an_action(host, match)
    after = await host.play.act(Once(match.id, 2**61), player, text, ply=match.ply)
    before = await dump(database)
    for again in (text, "junk", ""):
        assert await host.play.act(Once(match.id, 2**61), player, again, ply=match.ply) == after
    assert await dump(database) == before


async def test_an_interaction_repeated_after_the_end_changes_nothing(host: Host, database: Database) -> None:
    match = await running(host, "gambo")
    over = await host.play.resign(Once(match.id, 5), PEOPLE[0].user_id)
    before = await dump(database)
    assert await host.play.resign(Once(match.id, 5), PEOPLE[0].user_id) == over
    assert await dump(database) == before


async def test_an_interaction_that_was_refused_can_be_tried_again(host: Host) -> None:
    match = await running(host, "gambo")
    await raised(Refused, host.play.act(Once(match.id, 6), mover_id(match), "junk"))
    assert (await host.play.act(Once(match.id, 6), mover_id(match), await an_action(host, match))).ply > match.ply


async def test_of_many_simultaneous_actions_on_one_board_exactly_one_is_stored(host: Hosted, url: str) -> None:
    async with await Database.open(url) as second:
        hosts = (host, Host(host.database, host.clock, Seeds()), Host(second, host.clock, Seeds()))
        match = await running(host, "gambo")
        moves = (await mover_view(host, match)).moves
        presses = [
            each.play.act(Once(match.id, number), mover_id(match), moves[number % len(moves)].text, ply=match.ply)
            for number, each in enumerate(hosts * 10)
        ]
        results = await asyncio.gather(*presses, return_exceptions=True)
        stored_once = [result for result in results if isinstance(result, Match)]
        assert len(stored_once) == 1
        assert all(isinstance(result, Stale) for result in results if not isinstance(result, Match))
        assert stored_once[0].ply == match.ply + 1
        assert len(await host.look.history(match.id, None)) == match.ply + 1


async def test_two_processes_play_one_match_together(host: Host, url: str, clock: ManualClock) -> None:
    async with await Database.open(url) as second:
        hosts = [host, Host(second, clock, Seeds())]
        rng, match = Random(2), await running(host, "abissal", 3)
        while match.status is Status.RUNNING:
            rng.shuffle(hosts)
            match = await play(hosts[0], match, rng)
        for each in hosts:
            assert (await each.look.match(match.id)) == match
            assert (await each.look.verify(match.id)).ok


# Consequences without a decision.


async def test_chance_follows_an_action_in_the_same_answer(host: Host) -> None:
    match = await play_on(host, await running(host, "abissal"), Random(3), lambda match: match.ply > 2)
    match = await play_on(host, match, Random(3), lambda _: False)
    lines = await host.look.history(match.id, None)
    deals = [line.ply for line in lines if line.text.startswith("deal")]
    assert len(deals) > 1
    assert all(lines[ply - 1].player >= 0 for ply in deals[1:])


async def test_p08_what_everybody_can_see_is_forced_is_played_by_the_host(host: Host) -> None:
    forced = 0
    for seed in range(4):
        match = await running(host, "gambo")
        rng = Random(seed)
        while match.status is Status.RUNNING:
            view = await mover_view(host, match)
            assert len(view.moves) > 1 or offered(host.work.positions.kept(match).state) is not None
            before = match.ply
            match = await play(host, match, rng)
            forced += match.ply - before - 1
    assert forced > 0


async def until_offered(host: Host, pace: Pace, seed: int = 0) -> Match:
    """A match of Gambo whose last action is forced, and is offered to its player."""
    match, rng = await running(host, "gambo", pace=pace), Random(seed)
    while match.offered_until is None:
        match = await play(host, match, rng)
        assert match.status is Status.RUNNING
    return match


@pytest.mark.parametrize(
    ("pace", "waits"),
    [(Pace.LIVE, timedelta(minutes=1)), (Pace.DAY, timedelta(hours=1)), (Pace.NONE, timedelta(hours=1))],
)
async def test_p08_a_forced_action_that_ends_a_match_is_offered_to_its_person_and_then_made_by_the_host(
    host: Host, clock: ManualClock, pace: Pace, waits: timedelta
) -> None:
    match = await until_offered(host, pace)
    assert len((await mover_view(host, match)).moves) == 1
    assert match.offered_until == clock.now() + waits
    clock.advance(waits - timedelta(seconds=1))
    await run_due(host)
    assert (await host.look.match(match.id)).ply == match.ply
    clock.advance(timedelta(seconds=1))
    await run_due(host)
    over = await host.look.match(match.id)
    assert (over.status, over.ended_by, over.offered_until) == (Status.OVER, Ended.RULES, None)
    lines = await host.look.history(match.id, None)
    assert [line.text for line in lines[match.ply :]][:1] == [f"forced {match.to_move}"]


async def test_p08_whoever_is_offered_the_only_action_makes_it_themselves(host: Host) -> None:
    match = await until_offered(host, Pace.DAY)
    over = await play(host, match, Random(0))
    assert over.ended_by is Ended.RULES
    assert over.ply == match.ply + 1
    assert [line.forced for line in await host.look.history(match.id, None, match.ply)] == [True]


async def test_p08_each_line_says_whether_everybody_could_see_that_it_was_the_only_one(host: Host) -> None:
    match, rng, told = await running(host, "gambo"), Random(0), 0
    while match.status is Status.RUNNING:
        before, alone = match.ply, len((await mover_view(host, match)).moves) == 1
        match = await play(host, match, rng)
        recent = await host.look.history(match.id, None, before)
        # The host made the further lines by itself, because each was the only possible one.
        assert [line.forced for line in recent] == [alone, *[True] * (len(recent) - 1)]
        told += sum(line.forced for line in recent)
    assert told
    replayed = tuple((await host.look.replay(match.id, None)).shown())
    assert sum(line.forced for line in replayed) == told


async def test_p08_whoever_is_away_is_offered_the_only_action_no_longer_than_others(host: Hosted) -> None:
    match = await until_offered(host, Pace.DAY)
    assert match.mover.user_id is not None
    await host.absence.away(match.mover.user_id, host.clock.now() + timedelta(days=2))
    host.clock.advance(timedelta(hours=1))
    await run_due(host)
    assert (await host.look.match(match.id)).status is Status.OVER


async def test_p08_a_forced_action_that_ends_a_round_is_offered_too(host: Host) -> None:
    for seed in range(8):
        match, rng = await running(host, "abissal"), Random(seed)
        while match.status is Status.RUNNING:
            if match.offered_until is not None and not (await host.look.view(match.id, None)).outcome:
                rounds = host.work.positions.kept(match).state.rounds_over
                match = await play(host, match, rng)
                if match.status is Status.RUNNING:
                    assert host.work.positions.kept(match).state.rounds_over == rounds + 1
                    return
            else:
                match = await play(host, match, rng)
    pytest.fail("No round ended by a forced action.")


@pytest.mark.parametrize("game", GAMES)
async def test_everything_that_stands_beside_the_log_follows_from_it(
    host: Host, database: Database, clock: ManualClock, game: str
) -> None:
    """For whole random matches: after every action, hosts that know only the store see what the first one sees.

    One of them reads what is new. Another one now and then starts from nothing.
    """
    match, rng = await running(host, game, GAMES[game].info.min_players), Random(4)
    cold = Host(database, clock)
    while match.status is Status.RUNNING:
        if rng.randrange(8) == 0:
            cold = Host(database, clock)
        for user_id in (None, *(seat.user_id for seat in match.seats)):
            warm_view, cold_view = await host.look.view(match.id, user_id), await cold.look.view(match.id, user_id)
            assert warm_view == cold_view
            assert warm_view.moves == cold_view.moves
            assert warm_view.ply == match.ply
            assert warm_view.match.to_move == warm_view.observation.current_player == match.to_move
        match = await play(host, match, rng)
    cold_view, warm_view = await Host(database, clock).look.view(match.id, None), await host.look.view(match.id, None)
    assert warm_view == cold_view
    assert warm_view.outcome == warm_view.observation.outcome
    assert warm_view.outcome is not None
    assert (match.ended_by, warm_view.match.to_move, warm_view.moves) == (Ended.RULES, None, ())


@pytest.mark.parametrize("game", GAMES)
async def test_the_stored_log_is_a_log_that_anybody_can_replay(host: Host, game: str) -> None:
    match = await play_on(host, await running(host, game, GAMES[game].info.max_players), Random(5))
    lines = [Line(line.ply, line.player, line.text) for line in await host.look.history(match.id, None)]
    *_, (_, final) = replay(*parse_log(to_text(match.header, lines)))
    view = await host.look.view(match.id, None)
    assert final.observation(None) == view.observation
    assert final.outcome() == view.outcome


# Resigning.


async def test_with_two_players_the_other_wins_at_once(host: Host) -> None:
    match = await running(host, "gambo")
    loser = match.seat_of(PEOPLE[0].user_id)
    over = await host.play.resign(match.id, PEOPLE[0].user_id)
    assert (over.status, over.ended_by, over.to_move) == (Status.OVER, Ended.RESIGNED, None)
    assert (await texts(host, match))[-1] == f"resign {loser.seat}"
    view = await host.look.view(match.id, None)
    assert view.outcome.winners == (1 - (loser.seat or 0),)
    assert view.moves == ()
    assert kinds(await tellings(host, match.id)) == [(Kind.END, None), (Kind.LOBBY, None)]


async def test_with_more_players_the_computer_plays_on(host: Host) -> None:
    match = await running(host, "saboteur", 4)
    quitter = match.seat_of(waiting(match))
    match = await host.play.resign(match.id, UserId(quitter.user_id or 0))
    assert match.status is Status.RUNNING
    assert (await texts(host, match))[-2:] == [f"resign {quitter.seat}", f"computer {quitter.seat} normal"]
    seat = match.seat_of(quitter.user_id)
    assert (seat.resigned, seat.computer, seat.present) == (True, "normal", False)
    over = await play_on(host, match, Random(6))
    assert over.ended_by is Ended.RULES
    assert any(line.player == quitter.seat for line in (await host.look.history(match.id, None))[match.ply :])


async def test_whoever_resigned_has_no_way_back(host: Host) -> None:
    match = await running(host, "saboteur", 4)
    quitter = mover_id(match)
    match = await host.play.resign(match.id, quitter)
    for request in (
        host.play.resign(match.id, quitter),
        host.play.take_back(match.id, quitter),
        host.play.act(match.id, quitter, "pass"),
        host.votes.cancel(match.id, quitter),
    ):
        await raised(NotSeated, request, "resigned")


async def test_resigning_on_turn_leaves_the_turn_to_the_computer(host: Host) -> None:
    match = await running(host, "saboteur", 4)
    resigned = await host.play.resign(match.id, mover_id(match))
    assert resigned.to_move == match.to_move
    assert resigned.turn_due is None
    assert await run_due(host)
    assert (await host.look.match(match.id)).ply > resigned.ply


async def test_when_nobody_is_left_the_match_ends_without_a_winner(host: Host) -> None:
    match = await running(host, "saboteur", 2, computers=1)
    match = await host.play.resign(match.id, PEOPLE[0].user_id)
    assert match.status is Status.RUNNING
    match = await host.play.resign(match.id, PEOPLE[1].user_id)
    assert (match.status, match.ended_by) == (Status.OVER, Ended.LEFT)
    assert (await texts(host, match))[-1] == "end left"
    view = await host.look.view(match.id, None)
    assert view.outcome.winners == ()


async def test_host_lines_change_no_position_and_are_written_as_the_notation_says(host: Host) -> None:
    match = await running(host, "saboteur", 4)
    before = (await host.look.view(match.id, None)).observation
    match = await host.play.resign(match.id, waiting(match))
    assert (await host.look.view(match.id, None)).observation == before
    lines = [Line(line.ply, line.player, line.text) for line in (await host.look.history(match.id, None))[-2:]]
    (seat,) = (seat.seat for seat in match.seats if seat.resigned)
    assert [(line.player, str(line)) for line in lines] == [
        (TABLE, f"{match.ply - 2} h resign {seat}"),
        (TABLE, f"{match.ply - 1} h computer {seat} normal"),
    ]


async def test_taking_back_is_for_whoever_was_replaced(host: Host) -> None:
    match = await running(host, "saboteur", 4)
    await raised(WrongTime, host.play.take_back(match.id, PEOPLE[0].user_id), "already playing")


# Views.


async def test_a_spectator_sees_the_position_and_may_do_nothing(host: Host) -> None:
    match = await running(host, "saboteur", 3)
    for user_id in (None, STRANGER):
        view = await host.look.view(match.id, user_id)
        assert (view.seat, view.moves, view.observation.viewer) == (None, (), None)
        with pytest.raises(Refused, match="You're not playing in this match"):
            view.parse("pass")


async def test_a_player_sees_their_own_actions_only_on_their_turn(host: Host) -> None:
    match = await running(host, "saboteur", 3)
    view = await mover_view(host, match)
    assert view.moves
    assert all(why(view, move.text) is None and view.parse(move.text) == move.text for move in view.moves)
    assert len({tuple(choice[:2] for choice in move.choices) for move in view.moves}) == len(view.moves)
    idle = await host.look.view(match.id, waiting(match))
    assert idle.moves == ()
    assert why(idle, view.moves[0].text) is not None
    with pytest.raises(Refused, match=match.info.turn_rule) as refused:
        idle.parse(view.moves[0].text)
    assert refused.value.rule == match.info.turn_rule


async def test_a_result_is_shown_beforehand_in_open_games_alone(host: Host) -> None:
    match = await play_on(host, await running(host, "gambo"), Random(1), lambda match: match.ply > 4)
    view = await mover_view(host, match)
    move = view.moves[0].text
    after = await host.look.preview(view, move)
    assert after is not None
    await host.play.act(match.id, mover_id(match), move)
    assert after == (await host.look.view(match.id, view.match.seats[view.seat or 0].user_id)).observation
    assert await host.look.preview(view, move) is None
    view = await mover_view(host, await host.look.match(match.id))
    with pytest.raises(Refused) as refused:
        await host.look.preview(view, "pass")
    assert refused.value.rule == "G2"
    hidden = await mover_view(host, await running(host, "saboteur", 3))
    assert await host.look.preview(hidden, hidden.moves[0].text) is None


async def test_history_begins_where_it_is_asked_to(host: Host) -> None:
    match = await play_on(host, await running(host, "gambo"), Random(7), lambda match: match.ply > 8)
    whole = await host.look.history(match.id, None)
    assert [line.ply for line in whole] == list(range(match.ply))
    assert await host.look.history(match.id, None, since=5) == whole[5:]
    assert await host.look.history(match.id, None, since=match.ply) == ()
    assert whole[-1].observation == (await host.look.view(match.id, None)).observation
    assert whole[0].player == CHANCE


async def test_there_is_nothing_to_see_before_the_start(host: Host) -> None:
    match = await lobby(host, "saboteur", 3)
    for request in (host.look.view(match.id, PEOPLE[0].user_id), host.look.history(match.id, None)):
        await raised(WrongTime, request)
