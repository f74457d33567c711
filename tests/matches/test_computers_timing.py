"""The time after which a computer's decision is announced depends only on what everybody sees.

The clock is the event loop's own. Here it advances only by sleeping or computing, so nobody waits.
"""

import asyncio
import selectors
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.core import CHANCE, Stage, State
from matches.computers.levels import Level
from matches.computers.pool import Computers
from matches.computers.thinking import Question
from matches.computers.timing import LATE, PICK, SECONDS, told_after
from tests.conformance.matches import SETUPS, Setup, recorded
from tests.matches.imagined import Log, decisions, question

POSITIONS, HANDS = 50, 5


class Leaping(selectors.DefaultSelector):
    """A selector that jumps to a time instead of waiting for it."""

    now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        self.now += max(timeout or 0.0, 0.0)
        return super().select(timeout and 0)


class LeapingLoop(asyncio.SelectorEventLoop):
    """An event loop whose time is that of its selector."""

    def __init__(self) -> None:
        self.leaping = Leaping()
        super().__init__(self.leaping)

    def time(self) -> float:
        return self.leaping.now


class Taking(Executor):
    """Needs as long as `needs` says for a question, in the loop's time, and answers with any legal action."""

    def __init__(self, loop: LeapingLoop, needs: Callable[[Question], float]) -> None:
        self._loop = loop
        self._needs = needs

    def submit(self, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        (asked,) = args
        self._loop.leaping.now += self._needs(asked)
        future: Future[Any] = Future()
        future.set_result(asked.position.action_to_string(actions_of(asked.position)[0]))
        return future


def actions_of(state: State[Any]) -> Any:
    return state.legal_actions(state.current_player)


def seconds(asked: Question, needs: Callable[[Question], float]) -> float:
    """After how many seconds the answer comes."""
    loop = LeapingLoop()
    try:
        computers = Computers(Taking(loop, needs))
        begun = loop.time()
        loop.run_until_complete(computers.choose(asked.level, asked.position, asked.lines, asked.seed))
        return loop.time() - begun
    finally:
        loop.close()


def by_hand(asked: Question) -> float:
    """The cost of a decision: nothing if it is forced or a default, otherwise more for more choice."""
    actions = actions_of(asked.position)
    if len(actions) == 1 or asked.position.default_action() is not None:
        return 0.0
    return 0.01 * len(actions)


def turns(setup: Setup, number: int) -> Iterator[tuple[State[Any], Log]]:
    """Some positions of random matches."""
    for seed in range(20):
        rng = Random(seed)
        for state, log in decisions(setup, seed):
            if rng.random() < 0.2 and state.current_player != CHANCE:
                yield state, log


@pytest.mark.parametrize("key", sorted({setup.key for setup in SETUPS if setup.info.hands}))
def test_fifty_public_positions_take_the_same_time_whatever_the_hand(key: str) -> None:
    """Tries five hands for each position, all of which a spectator must consider possible. Some leave no choice."""
    setup = next(setup for setup in SETUPS if setup.key == key)
    needed, forced = set(), 0
    for number, (state, _) in enumerate(islice(turns(setup, POSITIONS), POSITIONS)):
        level = list(Level)[number % len(Level)]
        hands = [state.resample_from_infostate(None, Random(seed)) for seed in range(HANDS)]
        asked = [question(hand, level=level) for hand in hands]
        thoughts = {by_hand(each) for each in asked}
        forced += min(thoughts) == 0 < max(thoughts)
        needed |= thoughts
        assert len({seconds(each, by_hand) for each in asked}) == 1
    # A short game asks fewer different questions.
    assert len(needed) > (10 if setup.info.max_game_length > 30 else 9)
    assert forced or key != "abissal"


@pytest.mark.parametrize("level", list(Level))
def test_every_turn_of_a_level_takes_its_seconds_and_a_small_pick_less(level: Level) -> None:
    match = recorded(Path("tests/logs/saboteur-3-players.log"))
    taken = {
        (state.stage, seconds(question(state, level=level), by_hand))
        for state in match.states
        if state.current_player >= 0
    }
    assert taken == {(Stage.TURN, SECONDS[level]), (Stage.SERIES, PICK)}


@pytest.mark.parametrize(("thought", "told"), [(0.0, 2), (2.0, 2), (2.01, 5), (4.9, 5), (5.1, 10), (11.0, 15)])
def test_what_is_late_is_told_at_one_of_few_moments(thought: float, told: int) -> None:
    assert told_after(2, thought) == told
    asked = question(next(state for state, _ in turns(SETUPS[0], 1)), level=Level.NORMAL)
    assert SECONDS[Level.NORMAL] == 2
    assert seconds(asked, lambda _: thought) == pytest.approx(told)


def test_nothing_is_due_later_than_what_is_late_is_told() -> None:
    assert max(*SECONDS.values(), PICK) <= LATE
    assert set(SECONDS) == set(Level)
