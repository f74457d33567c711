"""The tools of `benchmarks.ratings`: the bank of results, and leagues whose players' strengths are known."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from random import Random

import pytest

from benchmarks.ratings import _rising, measured
from benchmarks.ratings.bank import STOCKS, Stock, load, strength_of
from benchmarks.ratings.leagues import PLAYERS, Elo, League, Likeliest, Outcome, Weng, before, fitted
from games import GAMES
from games.core import places
from matches.computers.thinking import levels_of
from matches.ratings.model import BETA, COMPUTER_SIGMA, COMPUTERS, DIGITS, FORMER, MODEL, MU, SCHEME, SIGMA, TAU
from tests.conformance.matches import setups_of

STOCK_IDS = [stock.table.game for stock in STOCKS]


@pytest.mark.parametrize("stock", STOCKS, ids=STOCK_IDS)
def test_the_bank_has_every_line_up_with_places_that_can_be(stock: Stock) -> None:
    results = load()[stock.table.game]
    assert list(results) == stock.line_ups
    for line_up, matches in results.items():
        assert len(matches) == stock.matches
        for found in matches:
            assert len(found) == len(line_up)
            assert places([-place for place in found]) == found


@pytest.mark.parametrize("stock", STOCKS, ids=STOCK_IDS)
def test_computers_sit_in_with_the_ratings_that_the_bank_says(stock: Stock) -> None:
    assert COMPUTERS[stock.table.game] == measured(stock)


@pytest.mark.parametrize("key", GAMES)
def test_every_level_that_is_offered_in_a_game_has_a_rating(key: str) -> None:
    for setup in setups_of(key):
        assert set(levels_of(key, dict(setup.options), setup.players)) <= set(COMPUTERS[key])


def test_what_a_level_is_made_of_says_how_much_of_its_work_it_does_in_the_bank() -> None:
    assert strength_of("ambush", "random") == {}
    assert strength_of("ambush", "easy")["effort"] == 0.4


def test_what_falls_is_put_together() -> None:
    assert _rising([1, 3, 2, 4]) == [1, 2.5, 2.5, 4]
    assert _rising([3, 2, 1]) == [2, 2, 2]


def test_in_a_league_everybody_plays_and_it_is_known_who_is_better() -> None:
    league = League(load()["abissal"], Random(1))
    played = [0] * PLAYERS
    for players, found in league.matches(10):
        assert len(set(players)) == len(found) == 3
        for player in players:
            played[player] += 1
    assert min(played) >= 10
    assert max(played) <= 16
    for one in range(PLAYERS):
        assert sum(share for _, share in league.mixture(one)) == pytest.approx(1)
        for other in range(PLAYERS):
            assert league.expected(one, other) == pytest.approx(1 - league.expected(other, one))
    assert league.expected(PLAYERS - 1, 0) > 0.9


def test_one_level_is_before_another_as_often_as_that_is_behind() -> None:
    shares = before({("a", "a"): [(1, 2), (2, 1)], ("a", "b"): [(1, 2), (1, 1)]})
    assert shares == {("a", "a"): 0.5, ("a", "b"): 0.75, ("b", "a"): 0.25}
    fit = fitted({("a", "a"): [(1, 2)], ("a", "b"): [(1, 2)] * 10 + [(2, 1)]})
    assert fit["a"] > fit["b"]


@pytest.mark.parametrize("make", [lambda: Elo(32), Likeliest, lambda: Weng(MODEL)], ids=["Elo", "likeliest", "ours"])
def test_every_way_to_rate_learns_who_wins(make: Callable[[], Likeliest | Elo | Weng]) -> None:
    rater = make()
    assert rater.chance(0, 1) == pytest.approx(0.5)
    for _ in range(5):
        rater.learn(Outcome((0, 1, 2), (1, 2, 2)))
    assert rater.value(0) > rater.value(1) == pytest.approx(rater.value(2))
    assert rater.chance(0, 1) > 0.6
    assert rater.chance(0, 1) == pytest.approx(1 - rater.chance(1, 0))


def test_other_constants_are_another_scheme_of_ratings() -> None:
    """Stored ratings are computed again only if the scheme rises."""
    constants = repr((BETA, COMPUTERS, COMPUTER_SIGMA, DIGITS, FORMER, MU, SIGMA, TAU))
    known = (9, "48e903089e89d82a")
    assert (SCHEME, sha256(constants.encode()).hexdigest()[:16]) == known, "Raise SCHEME, and write both down here."
