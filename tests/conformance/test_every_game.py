"""Every game, for every number of players and every variant, passes every check."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from games import GAMES
from tests.conformance.checks import CHECKS, Check
from tests.conformance.matches import GOLDEN_LOGS, SETUPS, Setup, played, recorded, setups_of
from tests.conformance.policies import POLICIES, Policy

SEEDS = int(os.environ.get("AMBIT_SEEDS", "1"))
"""Matches for every setup and policy; longer runs have more."""
SOAK_SEEDS = 500
"""Matches of every game in `make soak`, spread over its setups and policies."""
SOAK_PARTS = 25


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.__name__)
@pytest.mark.parametrize("setup", SETUPS, ids=str)
def test_a_played_match_holds_to(setup: Setup, policy: Policy, check: Check) -> None:
    for seed in range(SEEDS):
        check(played(setup, policy, seed), Random(seed))


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("path", GOLDEN_LOGS, ids=lambda path: path.stem)
def test_a_recorded_match_holds_to(path: Path, check: Check) -> None:
    check(recorded(path), Random(0))


@pytest.mark.soak
@pytest.mark.parametrize("part", range(SOAK_PARTS))
@pytest.mark.parametrize("key", GAMES)
def test_a_long_run_holds_to_everything(key: str, part: int) -> None:
    setups = setups_of(key)
    for seed in range(part, SOAK_SEEDS, SOAK_PARTS):
        number, policy = divmod(seed, len(POLICIES))
        match = played(setups[number % len(setups)], POLICIES[policy], seed)
        for check in CHECKS:
            check(match, Random(seed))
