"""The exact search of the computer players: what it proves, how it ends, and turns of several steps."""

from __future__ import annotations

import asyncio
from itertools import islice
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.ambush import AmbushState
from games.core import CHANCE, TERMINAL, State
from games.log import initial_state
from matches.computers.alphabeta import look_ahead
from matches.computers.judgement import DECIDED, Judgement
from matches.computers.judgements.ambush import AmbushJudgement
from matches.computers.judgements.gambo import GamboJudgement
from matches.computers.levels import Level
from matches.computers.thinking import answer, judgement_of
from matches.engine.workers import Workers
from tests.conformance.matches import Setup
from tests.games.material import material
from tests.matches.imagined import decisions, question
from tests.matches.test_computers_search import Gamble, Nim, Toy
from tests.matches.test_workers import SOON, seen

AMBUSH, GAMBO = Setup("ambush", 2), Setup("gambo", 2)


def plain(state: State[Any], player: int, turns: int, low: float = -inf, high: float = inf) -> float:
    """The value of the position for `player` by a plain search of this depth: the lead, and who has won."""
    outcome = state.outcome()
    if outcome is not None or not turns:
        mine, theirs = state.returns()[player], state.returns()[1 - player]
        won = outcome is not None and len(outcome.winners) == 1
        return mine - theirs + (DECIDED * (1 if player in outcome.winners else -1) if outcome and won else 0)
    mover = state.current_player
    for action in state.legal_actions(mover):
        value = plain(state.child(mover, action), player, turns - 1, low, high)
        if mover == player:
            low = max(low, value)
        else:
            high = min(high, value)
        if low >= high:
            break
    return low if mover == player else high


def wins(state: State[Any], turns: int) -> set[str]:
    """The actions that win by force within this many lines."""
    player = state.current_player
    return {
        state.action_to_string(action)
        for action in state.legal_actions(player)
        if plain(state.child(player, action), player, turns - 1, DECIDED - 1, DECIDED) >= DECIDED
    }


def of(state: State[Any]) -> Judgement[Any]:
    return judgement_of(state.info.key)(state)


@pytest.mark.parametrize("left", [5, 6, 7, 9, 10, 11, 21])
def test_a_win_at_nim_is_found_and_settled(left: int) -> None:
    sight = look_ahead(Judgement(Nim(2, 0, None, left)), 5000, Random(1))
    assert (sight.action, sight.settled) == (left % 4, True)


def test_what_is_known_to_lose_is_said() -> None:
    assert look_ahead(Judgement(Nim(2, 0, None, 8)), 5000, Random(1)).lost == {1, 2, 3}


class Strides(Toy):
    """Like Nim, but whoever takes a single match goes on."""

    def _legal_actions(self, player: int) -> tuple[int, ...]:
        return tuple(range(1, min(3, self.left) + 1))

    def _apply_action(self, player: int, action: int) -> Strides:
        left = self.left - action
        if not left:
            return self.evolve(left=0, current_player=TERMINAL, winner=player)
        return self.evolve(left=left, current_player=player if action == 1 else 1 - player)


@pytest.mark.parametrize("left", range(2, 14))
def test_whoever_goes_on_is_on_the_same_side(left: int) -> None:
    state = Strides(2, 1, None, left)
    winning = wins(state, 20)
    sight = look_ahead(Judgement(state), 5000, Random(1))
    assert sight.settled
    assert not winning or str(sight.action) in winning


def test_a_game_in_which_chance_decides_is_refused() -> None:
    with pytest.raises(ValueError, match="chance"):
        look_ahead(Judgement(Gamble(2, 0, None)), 100, Random(1))


def test_wins_that_a_plain_search_proves_in_gambo_are_found() -> None:
    """Positions late in random matches in which some actions win by force within six lines, and others don't."""
    found = 0
    for seed in range(200):
        for state, _ in decisions(GAMBO, seed):
            actions = state.legal_actions(state.current_player)
            if len(state.duels) < 6 or not 3 <= len(actions) <= 12:
                continue
            winning = wins(state, 6)
            if 0 < len(winning) < len(actions):
                found += 1
                assert answer(question(state, level=Level.EXPERT, effort=0.2)) in winning
                break
        if found >= 25:
            return
    raise AssertionError("too few such positions")


@pytest.mark.parametrize("setup", [AMBUSH, GAMBO], ids=str)
def test_near_the_end_the_best_result_is_reached(setup: Setup) -> None:
    """The exact search finds an action as good as the best one of a plain search to the end."""
    settled = 0
    for seed in range(12):
        last = [state for state, _ in decisions(setup, seed)][-4:]
        for state in last:
            player = state.current_player
            sight = look_ahead(of(state), 20_000, Random(seed))
            if not sight.settled or (isinstance(state, AmbushState) and _left(state) > 2):
                continue
            values = {action: plain(state.child(player, action), player, 40) for action in state.legal_actions(player)}
            settled += 1
            best = max(values.values())
            assert (values[sight.action] >= DECIDED) == (best >= DECIDED)
            assert best >= DECIDED or values[sight.action] == best
            assert all(values[action] <= -DECIDED for action in sight.lost)
    assert settled > 10


def _left(state: AmbushState) -> int:
    """The pyramids in the trees."""
    return sum(3 * trees[0] + 2 * trees[1] + trees[2] for trees in state.trees)


def test_the_order_of_captures_is_chosen_for_what_it_brings() -> None:
    """Takes positions in the middle of a turn, in which the remaining steps capture different pieces."""
    found = 0
    for seed in range(300):
        for state, _ in decisions(AMBUSH, seed):
            if not state.pending:
                continue
            player = state.current_player
            sight = look_ahead(AmbushJudgement(state), 300, Random(1))
            assert sight.action in state.legal_actions(player)
            if _left(state) <= 2:
                values = [plain(state.child(player, action), player, 40) for action in state.legal_actions(player)]
                assert plain(state.child(player, sight.action), player, 40) == max(values)
            found += 1
    assert found > 10


@pytest.mark.parametrize("setup", [AMBUSH, GAMBO], ids=str)
def test_equal_questions_have_equal_answers_whatever_was_asked_before(setup: Setup) -> None:
    asked = [question(state, level=Level.EXPERT, effort=0.02, seed=9) for state, _ in decisions(setup, 2)][1::7]
    assert [answer(each) for each in asked] == [answer(each) for each in reversed(asked)][::-1]


@pytest.mark.parametrize("setup", [AMBUSH, GAMBO], ids=str)
def test_the_position_is_left_as_it_was(setup: Setup) -> None:
    for state, _ in islice(decisions(setup, 3), 1, None, 9):
        before = str(state), material(state)
        look_ahead(of(state), 500, Random(1))
        assert (str(state), material(state)) == before


@pytest.mark.parametrize("setup", [AMBUSH, GAMBO], ids=str)
def test_the_search_ends_by_a_number_of_positions(setup: Setup) -> None:
    """Whatever the limit, it looks at every action once. Beyond that it stops."""

    class Counting(judgement_of(setup.key)):  # type: ignore[misc]
        looks = 0

        def estimate(self, state: Any) -> float:
            Counting.looks += 1
            return float(super().estimate(state))

    for state, _ in islice(decisions(setup, 3), 1, 20, 6):
        for nodes in (0, 400):
            Counting.looks = 0
            look_ahead(Counting(state), nodes, Random(1))
            assert Counting.looks <= max(nodes, len(state.legal_actions(state.current_player)))


class Signing(AmbushJudgement):
    """Gives a sign when asked for anything."""

    def __init__(self, position: AmbushState, sign: Path) -> None:
        super().__init__(position)
        self.sign = sign

    def estimate(self, state: AmbushState) -> float:
        self.sign.touch()
        return float(super().estimate(state))


def looked(position: AmbushState, sign: Path) -> None:
    """Look ahead almost without end."""
    look_ahead(Signing(position, sign), 10**9, Random(1))


async def test_a_search_that_nobody_waits_for_any_more_stops(tmp_path: Path) -> None:
    _, (position, _), *_ = decisions(AMBUSH, 1)
    assert isinstance(position, AmbushState)
    workers = Workers(1)
    try:
        long = asyncio.create_task(workers.run(looked, position, tmp_path / "begun"))
        await seen(tmp_path / "begun")
        long.cancel()
        await asyncio.gather(long, return_exceptions=True)
        assert await asyncio.wait_for(workers.run(abs, -1), SOON) == 1
    finally:
        workers.close()


@pytest.mark.parametrize("setup", [AMBUSH, GAMBO], ids=str)
def test_expert_computers_play_a_match_to_its_end(setup: Setup) -> None:
    for seed in range(3):
        rng = Random(seed)
        state: State[Any] = initial_state(setup.header())
        while not state.is_terminal:
            player = state.current_player
            if player == CHANCE:
                action = state.sample_chance(rng)
            else:
                text = answer(question(state, level=Level.EXPERT, effort=0.003, seed=rng.randrange(1000)))
                action = state.string_to_action(player, text)
            state = state.apply_action(player, action)
        assert state.outcome() is not None


@pytest.mark.parametrize("judgement", [AmbushJudgement, GamboJudgement])
def test_positions_with_equal_keys_can_be_played_alike(judgement: type[Judgement[Any]]) -> None:
    """In random matches: if the keys are equal, so are the actions and their results."""
    setup = AMBUSH if judgement is AmbushJudgement else GAMBO
    met: dict[Any, State[Any]] = {}
    same = 0
    for seed in range(40):
        for state, _ in islice(decisions(setup, seed % 4), 1, None):
            look = judgement(state)
            for action in state.legal_actions(state.current_player)[:3]:
                for second in state.child(state.current_player, action).legal_actions(1 - state.current_player)[:3]:
                    after = state.child(state.current_player, action).child(1 - state.current_player, second)
                    if after.current_player < 0:
                        continue
                    other = met.setdefault(look.key(after), after)
                    if other is not after:
                        same += 1
                        assert other.legal_actions(other.current_player) == after.legal_actions(after.current_player)
                        assert look.estimate(other) == look.estimate(after)
    assert same > 10
