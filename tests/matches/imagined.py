"""Positions of random matches, as a computer player gets them."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from games.core import CHANCE, Played, State
from games.log import initial_state
from matches.computers.levels import Level
from matches.computers.thinking import Question
from tests.conformance.matches import Setup

Log = Sequence[tuple[int, Any]]


def decisions(setup: Setup, seed: int) -> Iterator[tuple[Any, Log]]:
    """Positions of a random match in which somebody has a choice, each with the lines before it."""
    rng = Random(seed)
    state, log = initial_state(setup.header()), list[tuple[int, Any]]()
    while not state.is_terminal:
        player = state.current_player
        actions = state.legal_actions(player)
        if len(actions) > 1:
            yield state, list(log)
        action = state.sample_chance(rng) if player == CHANCE else rng.choice(actions)
        log.append((player, action))
        state = state.child(player, action)


def question(
    state: State[Any], log: Log = (), seed: int = 1, level: Level = Level.NORMAL, effort: float = 0.01
) -> Question:
    """The question for the player whose turn it is, made from what they may know."""
    seat = state.current_player
    lines = tuple(Played(player, state.seen_by(seat, player, action)) for player, action in log)
    return Question(state.resample_from_infostate(seat, Random(seed)), lines, level, seed, effort)
