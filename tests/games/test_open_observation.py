"""Looking back with nothing hidden: what a finished match shows of every position."""

from random import Random

import pytest

from tests.conformance.matches import SETUPS, Setup, played
from tests.conformance.policies import random_play


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_whatever_can_be_dealt_again_is_in_the_open_observation(setup: Setup) -> None:
    states = played(setup, random_play, 1).states
    for number, state in enumerate(states):
        other = state.resample_from_infostate(None, Random(number))
        assert (str(other) == str(state)) == (other.open_observation() == state.open_observation())


@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_the_end_of_a_match_is_open_to_everybody(setup: Setup) -> None:
    last = played(setup, random_play, 1).states[-1]
    assert last.open_observation() == last.observation(None)
