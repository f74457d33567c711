"""Matches between computers, with few iterations: they end, in every game, for every number of players."""

from random import Random

import pytest

from games.core import CHANCE, State
from games.log import initial_state
from matches.computers.levels import Level
from matches.computers.thinking import answer
from tests.conformance.matches import SETUPS, Setup
from tests.matches.imagined import Log, question

MATCHES = 200
FEW = 0.002


def play_out(setup: Setup, seed: int) -> State[object]:
    """Play a match in which computers of all levels, in turn, have the seats. Return its end."""
    rng, levels = Random(seed), list(Level)
    state = initial_state(setup.header())
    log: Log = []
    while not state.is_terminal:
        assert len(log) < setup.info.max_game_length
        player = state.current_player
        if player == CHANCE:
            action = state.sample_chance(rng)
        else:
            level = levels[(player + seed) % len(levels)]
            text = answer(question(state, log, rng.randrange(1 << 30), level, FEW))
            action = state.string_to_action(player, text)
        log.append((player, action))
        state = state.apply_action(player, action)
    return state


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_computers_play_a_match_to_its_end(setup: Setup) -> None:
    outcome = play_out(setup, 1).outcome()
    assert outcome.winners


@pytest.mark.soak
@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_computers_play_many_matches_to_their_end(setup: Setup) -> None:
    for seed in range(MATCHES):
        assert play_out(setup, seed).is_terminal
