"""The last move is taken back when everybody agrees, and only if nobody has learnt anything by it (P33)."""

from random import Random

import pytest

from games import GAMES
from games.core import CHANCE
from games.hindsight import nothing_learnt
from games.log import TABLE, Course, Header, Line, LogError, in_force
from matches.api import Host, Kind, ManualClock, Match, NotAllowed, NotSeated, Stale, Status, TooSoon, WrongTime
from matches.table.limits import Deed
from matches.table.undo import missing, retractable
from tests.conformance.matches import SETUPS, Setup
from tests.matches.tables import DAY, PEOPLE, Hosted, lobby, play, play_on, raised, running, tellings, texts, told_kinds

ANN, BOB, CLEO = (person.user_id for person in PEOPLE[:3])
RNG = 5


def is_played_from_hands(setup: Setup) -> bool:
    """Whether the first legal plays depend on something hidden."""
    state, rng = GAMES[setup.key].new_initial_state(setup.players, dict(setup.options)), Random(RNG)
    while state.current_player == CHANCE:
        state = state.child(CHANCE, state.sample_chance(rng))
    hands = (state.resample_from_infostate(None, rng) for _ in range(10))
    return len({frozenset(hand.legal_actions(hand.current_player)) for hand in hands}) > 1


FROM_HANDS = [setup for setup in SETUPS if setup.info.hands and is_played_from_hands(setup)]


async def everything_seen(host: Host, match: Match) -> list[object]:
    """What everybody sees, spectators too."""
    viewers = [*(seat.user_id for seat in match.seats), None]
    return [(await host.look.view(match.id, viewer)).observation for viewer in viewers]


async def taken_back(host: Host, match: Match) -> Match:
    """Take the last move back with everybody's consent."""
    for user_id in missing(match):
        match = await host.votes.undo(match.id, user_id)
    return match


@pytest.mark.parametrize("game", ["gambo", "ambush"])
async def test_when_everybody_agrees_it_stands_as_before_the_last_move(host: Host, game: str) -> None:
    match = await running(host, game)
    for _ in range(3):
        match = await play(host, match, Random(RNG))
    before, seen = match, await everything_seen(host, match)
    match = await play(host, match, Random(RNG))
    await tellings(host, match.id)
    asked = await host.votes.undo(match.id, BOB)
    assert (asked.ply, missing(asked)) == (match.ply, (ANN,))
    assert await told_kinds(host, match) == [Kind.UNDO]
    assert await everything_seen(host, match) != seen
    again = await host.votes.undo(match.id, BOB)
    assert (again.ply, missing(again)) == (match.ply, (ANN,)), "nobody agrees twice"
    assert await told_kinds(host, match) == [], "and the table is asked once"
    after = await host.votes.undo(match.id, ANN)
    assert (after.ply, after.to_move, after.ballots) == (match.ply + 1, before.to_move, ())
    assert await everything_seen(host, after) == seen
    assert (await texts(host, after))[-1].startswith("undo ")
    assert Kind.BOARD in await told_kinds(host, match)
    over = await play_on(host, after, Random(1))
    assert over.status is Status.OVER
    assert (await host.look.verify(match.id)).ok


@pytest.mark.parametrize("game", ["gambo", "ambush"])
async def test_in_open_games_every_last_move_can_be_taken_back(host: Host, clock: ManualClock, game: str) -> None:
    match, rng = await running(host, game), Random(RNG)
    moves = 0
    while match.status is Status.RUNNING and moves < 60:
        seen = await everything_seen(host, match)
        match = await play(host, match, rng)
        if match.status is not Status.RUNNING:
            break
        moves += 1
        assert await host.votes.may_undo(match), (await texts(host, match))[-1]
        if moves % 4 == 0:
            # Whoever asks all the time is refused eventually.
            clock.advance(Deed.UNDO.each)
            match = await taken_back(host, match)
            assert await everything_seen(host, match) == seen
            match = await play(host, match, rng)
    assert moves > 10


@pytest.mark.parametrize("setup", FROM_HANDS, ids=str)
def test_in_games_with_hands_no_play_of_a_hidden_card_is_ever_offered(setup: Setup) -> None:
    rng, course, plays = Random(RNG), Course.begin(setup.header()), 0
    while not course.state.is_terminal and plays < 150:
        player, state = course.state.current_player, course.state
        if player == CHANCE:
            _, course = course.played(CHANCE, state.sample_chance(rng))
            continue
        action = rng.choice(state.legal_actions(player))
        line, after = course.played(player, action)
        if line.text != "pass":  # It may name something hidden: a card out of a hand, or gold.
            plays += 1
            assert not nothing_learnt(state, [line], rng), line
        course = after
    assert plays > 20


def test_a_pass_in_a_trick_tells_nothing_by_the_rules_and_can_be_taken_back() -> None:
    header, rng = Header("abissal", 3, {}, 1), Random(RNG)
    course, offered = Course.begin(header), 0
    while offered < 3:
        state = course.state
        if state.current_player == CHANCE:
            _, course = course.played(CHANCE, state.sample_chance(rng))
            continue
        actions = {state.action_to_string(action): action for action in state.legal_actions(state.current_player)}
        line, course = course.played(state.current_player, actions.get("pass", next(iter(actions.values()))))
        if line.text == "pass" and course.state.current_player >= 0:
            offered += nothing_learnt(state, [line], rng)


async def test_what_computers_have_answered_goes_with_the_move(host: Host) -> None:
    match = await running(host, "gambo", 1, computers=1)
    match = await play_on(host, match, Random(1), lambda match: match.waits_for(ANN))
    seen = await everything_seen(host, match)
    match = await play_on(host, await play(host, match, Random(RNG)), Random(1), lambda match: match.waits_for(ANN))
    assert await host.votes.may_undo(match)
    match = await host.votes.undo(match.id, ANN)
    assert match.waits_for(ANN), "there is nobody else to ask"
    assert await everything_seen(host, match) == seen
    view = await host.look.view(match.id, ANN)
    assert (await host.thinking.hint(match.id, ANN)).text in {move.text for move in view.moves}
    assert (await play_on(host, match, Random(2))).status is Status.OVER


async def test_several_moves_are_taken_back_one_after_the_other(host: Host) -> None:
    match = await running(host, "ambush")
    seen = [await everything_seen(host, match)]
    for _ in range(3):
        match = await play(host, match, Random(RNG))
        seen.append(await everything_seen(host, match))
    for earlier in reversed(seen[:-1]):
        match = await taken_back(host, match)
        assert await everything_seen(host, match) == earlier
    await raised(NotAllowed, host.votes.undo(match.id, ANN), "can't be taken back")


async def test_nobody_takes_back_what_chance_has_answered(host: Host) -> None:
    match = await running(host, "abissal")
    rng, dealt = Random(RNG), len([text for text in await texts(host, match) if text.startswith("deal")])
    while len([text for text in await texts(host, match) if text.startswith("deal")]) == dealt:
        match = await play(host, match, rng)
    assert not await host.votes.may_undo(match)
    await raised(NotAllowed, host.votes.undo(match.id, ANN), "something was drawn since")


async def test_a_move_that_is_made_meanwhile_ends_the_question(host: Host) -> None:
    match = await play(host, await running(host, "gambo"), Random(RNG))
    await host.votes.undo(match.id, ANN, ply=match.ply)
    later = await play(host, match, Random(RNG))
    assert later.ballots == ()
    await raised(Stale, host.votes.undo(match.id, BOB, ply=match.ply))
    assert missing(await host.votes.undo(match.id, BOB, ply=later.ply)) == (ANN,)


async def test_other_questions_are_not_touched(host: Host) -> None:
    match = await play(host, await running(host, "gambo"), Random(RNG))
    await host.votes.cancel(match.id, ANN)
    match = await host.votes.undo(match.id, ANN)
    assert [ballot.vote.question for ballot in match.ballots] == ["cancel", "undo"]
    match = await host.votes.undo(match.id, BOB)
    assert [ballot.vote.question for ballot in match.ballots] == ["cancel"]


async def test_the_turn_has_its_whole_time_again(host: Host, clock: ManualClock) -> None:
    match = await play(host, await running(host, "gambo"), Random(RNG))
    clock.advance(DAY / 2)
    match = await taken_back(host, match)
    assert match.turn_due == clock.now() + DAY


async def test_at_a_table_where_moves_stand_nobody_asks(host: Host) -> None:
    match = await play(host, await running(host, "gambo", moves_stand=True), Random(RNG))
    assert not await host.votes.may_undo(match)
    await raised(NotAllowed, host.votes.undo(match.id, ANN), "can't be taken back")
    await host.play.resign(match.id, ANN)
    assert (await host.lobby.rematch(match.id, PEOPLE[0])).moves_stand


async def test_only_who_plays_agrees(host: Host) -> None:
    match = await play(host, await running(host, "gambo"), Random(RNG))
    await raised(NotSeated, host.votes.undo(match.id, CLEO))
    await raised(WrongTime, host.votes.undo((await lobby(host, "gambo")).id, ANN))
    await host.play.resign(match.id, ANN)
    await raised(WrongTime, host.votes.undo(match.id, BOB))


# The line of the log.


def course_of(*texts: str) -> Course:
    """A match of Gambo with these lines, each by the player whose turn it is, or by the table for an undo."""
    course = Course.begin(Header("gambo", 2, {}, 1))
    for text in texts:
        player = TABLE if text.startswith("undo") else course.state.current_player
        course = course.after(Line(course.ply, player, text))
    return course


DEAL = "deal E1E2E3C1C2C3M1M2M3/E1E2E3C1C2C3M1M2M3"


def first_move() -> str:
    state = course_of(DEAL).state
    return state.action_to_string(state.legal_actions(state.current_player)[0])


def test_a_log_replays_through_what_was_taken_back() -> None:
    undone = course_of(DEAL, first_move(), "undo 1")
    assert undone.state == course_of(DEAL).state
    assert (undone.ply, undone.draws) == (3, 1)
    assert course_of(DEAL, first_move(), "undo 1", first_move()).state == course_of(DEAL, first_move()).state


@pytest.mark.parametrize("number", ["0", "2", "3", "99"])
def test_a_log_takes_back_no_draw_and_nothing_that_is_not_there(number: str) -> None:
    with pytest.raises(LogError, match="can't be taken back"):
        course_of(DEAL, first_move(), f"undo {number}")


def test_of_lines_those_that_were_taken_back_are_no_longer_in_force() -> None:
    written = ((CHANCE, "a"), (0, "b"), (TABLE, "resign 1"), (1, "c"), (TABLE, "undo 1"))
    lines = [Line(ply, player, text) for ply, (player, text) in enumerate(written)]
    assert [line.text for line in in_force(lines)] == ["a", "resign 1"]
    assert [line.text for line in in_force([*lines, Line(5, 0, "d"), Line(6, TABLE, "undo 5")])] == ["a", "resign 1"]


async def test_computers_are_not_told_what_was_taken_back(host: Host) -> None:
    match = await taken_back(host, await play(host, await running(host, "gambo"), Random(RNG)))
    _, course = await host.work.position(match)
    assert [line.player for line in in_force(line for line, _ in course.recent)] == [CHANCE]
    assert retractable(match, course) is None


# FOUND F10
async def test_against_computers_alone_moves_are_taken_back_as_often_as_the_allowance_says(host: Hosted) -> None:
    match = await running(host, "gambo", 1, computers=1)
    for number in range(1 + Deed.UNDO.most):
        match = await play_on(host, match, Random(1), lambda match: match.waits_for(ANN))
        match = await play(host, match, Random(number))
        if number < Deed.UNDO.most:
            match = await host.votes.undo(match.id, ANN)
    with pytest.raises(TooSoon) as refused:
        await host.votes.undo(match.id, ANN)
    host.clock.advance(refused.value.again - host.clock.now())
    assert (await host.votes.undo(match.id, ANN)).ply > match.ply


async def test_the_course_that_the_end_is_told_from_has_no_move_that_was_taken_back(host: Host) -> None:
    match = await running(host, "gambo")
    for _ in range(4):
        match = await play(host, match, Random(RNG))
    kept = await host.look.course(match.id)
    match = await taken_back(host, await play(host, match, Random(RNG + 1)))
    assert await host.look.course(match.id) == kept
    match = await play(host, match, Random(RNG + 2))
    after = await host.look.course(match.id)
    assert after[: len(kept)] == kept
    assert [line.player for line in after[len(kept) :]] == [kept[-1].observation.current_player]
    assert after[-1].observation == (await host.look.view(match.id, None)).observation
