"""How much a result counts: accounts that feed each other gain little, and honest servers still move."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from itertools import combinations, count
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from db.ratings.kept import RatingRow
from matches.ratings.ladder import FROM_FEW, FROM_NEW, Computed, after, computed
from matches.ratings.model import MU, SIGMA
from matches.ratings.storing import rows_of
from matches.results.result import Entrant, Result, written

DAY = date(2030, 1, 1)
FEEDERS = "abcde"


def on(day: int, number: int, *entrants: Entrant) -> Result:
    return Result(number, DAY + timedelta(day), tuple(map(written, entrants)))


def gained(played: Iterable[tuple[int, Sequence[str]]], who: str = "main") -> float:
    """How far above the initial rating somebody is after matches on these days, each given with the winner first."""
    results = [
        on(day, number, *(Entrant(1 + (at > 0), name) for at, name in enumerate(names)))
        for number, (day, names) in enumerate(played, 1)
    ]
    return rows_of(computed("ambush", results))[who].mu - MU


# FOUND F2
@pytest.mark.parametrize("a_day", [60, 2])
def test_sixty_wins_against_one_second_account_gain_under_sixty_points(a_day: int) -> None:
    assert 20 < gained((number // a_day, ("main", "second")) for number in range(60)) <= FROM_NEW


# FOUND F2
@pytest.mark.parametrize("a_day", [60, 2])
def test_a_second_account_that_deletes_its_data_each_time_brings_no_more(a_day: int) -> None:
    assert 20 < gained((number // a_day, ("main", f"second {number}")) for number in range(60)) <= FROM_NEW


# FOUND F2
def test_what_a_second_account_brings_is_no_more_with_a_second_account_of_its_own() -> None:
    names = ("second", "third", "fourth")
    played = [(0, pair) for pair in combinations(names, 2)]
    played += [(1 + number // 6, ("main", names[number % 3])) for number in range(120)]
    assert gained(played) <= FROM_FEW


# FOUND F6
@pytest.mark.parametrize("level", ["easy", "expert"])
def test_a_friend_at_a_table_with_computers_brings_under_sixty_points(level: str) -> None:
    seats = (Entrant(1, "main"), Entrant(2, level=level), Entrant(3, "friend"))
    for a_day in (60, 2):
        results = [on(number // a_day, number + 1, *seats) for number in range(60)]
        assert rows_of(computed("ambush", results))["main"].mu - MU <= FROM_NEW


# FOUND F2
@pytest.mark.parametrize(("matches", "days"), [(60, 1), (120, 1), (120, 30), (1500, 200)])
@pytest.mark.parametrize("best_feeds", [False, True])
def test_a_ring_of_six_accounts_gains_under_150_points(matches: int, days: int, best_feeds: bool) -> None:
    rng, whole, numbers = Random(1), Computed({}, [], {}), count(1)

    def play(day: int, *names: str) -> None:
        entrants = (Entrant(1 + at, name) for at, name in enumerate(names))
        computed("ambush", [on(day, next(numbers), *entrants)], whole)

    for pair in combinations(("main", *FEEDERS), 2):
        play(0, *pair)
    for number in range(matches):
        order = sorted(FEEDERS, key=lambda name: rows_of(whole)[name].mu) if best_feeds else rng.sample(FEEDERS, 5)
        # The feeders win back from each other what they lose to the main account.
        play(number * days // matches, *(("main", order[-1]) if number % 2 else (order[-1], order[0])))
    assert 50 < rows_of(whole)["main"].mu - MU <= FROM_FEW


# FOUND F2
@pytest.mark.parametrize("deleted", [False, True])
def test_tables_of_six_in_which_the_same_one_wins_gain_under_150_points(deleted: bool) -> None:
    played = []
    for number in range(60):
        played.append((number // 2, ("main", *(f"{name}{number if deleted else ''}" for name in FEEDERS))))
    assert gained(played) <= FROM_FEW


def test_a_result_counts_less_with_each_result_of_the_same_two_on_a_day() -> None:
    seats = (Entrant(1, "ann"), Entrant(2, "bob"))
    # The winner has met enough people, so nothing else matters.
    before = {name: RatingRow(MU, SIGMA, 9, 3, 0.0, 1, met=8) for name in ("ann", "bob")}
    first = after("ambush", before, {}, on(0, 2, *seats))
    again = after("ambush", before, first.pairs, on(0, 3, *seats))
    later = after("ambush", before, first.pairs, on(1, 3, *seats))
    full, second, next_day = (rows_of(found) for found in (first, again, later))
    for name in ("ann", "bob"):
        assert second[name].gain == pytest.approx(full[name].gain / 2)
        assert SIGMA - second[name].sigma == pytest.approx((SIGMA - full[name].sigma) / 2)
        assert next_day[name].gain == full[name].gain


@pytest.mark.parametrize("season", [1, 2])
def test_on_a_server_of_three_friends_ratings_move_and_say_who_is_better(season: int) -> None:
    rng, strength = Random(season), {"ann": 6, "bob": 3, "cleo": 1}
    played = []
    for number in range(150):
        one, other = rng.sample(sorted(strength), 2)
        won = rng.random() < strength[one] / (strength[one] + strength[other])
        played.append((number // 3, (one, other) if won else (other, one)))
    results = [
        on(day, number, *(Entrant(1 + at, name) for at, name in enumerate(names)))
        for number, (day, names) in enumerate(played, 1)
    ]
    whole = computed("ambush", results)
    assert sorted(strength, key=lambda name: -rows_of(whole)[name].mu) == ["ann", "bob", "cleo"]
    assert rows_of(whole)["ann"].mu - rows_of(whole)["cleo"].mu > 80
    late = [abs(gain) for number, _, _, _, gain, _ in whole.points if number > 120]
    assert sum(late) / len(late) > 3


def test_two_who_have_only_each_other_still_move() -> None:
    rng = Random(5)
    pairs = [("ann", "bob") if rng.random() < 0.6 else ("bob", "ann") for _ in range(80)]
    whole = computed("ambush", [on(n, n, Entrant(1, pair[0]), Entrant(2, pair[1])) for n, pair in enumerate(pairs)])
    late = [abs(gain) for number, _, _, _, gain, _ in whole.points if number > 60]
    assert sum(late) / len(late) > 3


def test_if_somebodys_absence_ended_the_match_the_others_are_rated_against_them_alone() -> None:
    seats = (Entrant(1, "ann"), Entrant(1, "bob"), Entrant(3, "cleo", absent=True))
    for first, second in ((0, 1), (1, 0)):
        found = rows_of(after("ambush", {}, {}, on(0, 1, seats[first], seats[second], seats[2])))
        assert found["ann"].mu == found["bob"].mu > MU > found["cleo"].mu
        assert (found["ann"].met, found["bob"].met, found["cleo"].met) == (1, 1, 2)
    pair = rows_of(after("ambush", {}, {}, on(0, 1, Entrant(1, "ann"), Entrant(2, "cleo"))))
    assert (found["ann"].mu, found["ann"].sigma) == (pair["ann"].mu, pair["ann"].sigma)
    last = rows_of(after("ambush", {}, {}, on(0, 1, Entrant(1, "ann"), Entrant(1, "bob"), Entrant(3, "cleo"))))
    assert found["cleo"].mu == last["cleo"].mu


def test_nobody_loses_to_a_player_who_had_help_since_results_say_so() -> None:  # FOUND D2
    """Results that were stored before don't, and are rated as they were."""
    helped, other = Entrant(1, "ann", helped=True), Entrant(2, "bob")
    old, new = (
        rows_of(after("ambush", {}, {}, on(0, 1, helped, each))) for each in (other, other._replace(spared=(0,)))
    )
    assert old["ann"].mu == new["ann"].mu == new["bob"].mu == MU > old["bob"].mu
    third = Entrant(3, "cleo", spared=(0,))
    three = rows_of(after("ambush", {}, {}, on(0, 1, helped, other._replace(spared=(0,)), third)))
    pair = rows_of(after("ambush", {}, {}, on(0, 1, Entrant(1, "bob"), Entrant(2, "cleo"))))
    full = rows_of(after("ambush", {}, {}, on(0, 1, helped, other, third._replace(spared=()))))
    assert full["cleo"].mu < three["cleo"].mu == pair["cleo"].mu < MU
    assert full["bob"].mu == three["bob"].mu


def test_against_somebody_absent_only_the_pair_with_them_counts() -> None:
    seats = (Entrant(1, "ann"), Entrant(2, "bob"), Entrant(3, "cleo", absent=True))
    assert set(after("ambush", {}, {}, on(0, 1, *seats)).pairs) == {("ann", "cleo"), ("bob", "cleo")}


def test_alone_against_computers_every_result_counts_in_full() -> None:
    whole = computed("ambush", [on(0, n, Entrant(2, "ann"), Entrant(1, level="easy")) for n in range(1, 6)])
    assert whole.pairs == {}
    assert rows_of(whole)["ann"].from_few == 0.0
    assert all(gain < -5 for *_, gain, _ in whole.points)


names = st.lists(st.sampled_from("abcdefgh"), min_size=2, max_size=5, unique=True)


@st.composite
def ladders(draw: st.DrawFn) -> list[Result]:
    """Results in order, on days that mostly increase, with people who were helped or absent, and computers."""
    found, day = [], 0
    for number in range(1, draw(st.integers(1, 25)) + 1):
        day = max(0, day + draw(st.sampled_from((0, 0, 0, 1, -1))))
        absent = draw(st.sampled_from((None, None, None, 0)))
        entrants = [
            Entrant(draw(st.integers(1, 3)), name, helped=draw(st.integers(0, 5)) == 0, absent=at == absent)
            for at, name in enumerate(draw(names))
        ]
        aided = [(at, each.place) for at, each in enumerate(entrants) if each.helped]
        for at, each in enumerate(entrants) if draw(st.booleans()) else ():
            ahead = tuple(other for other, place in aided if place <= each.place and other != at)
            entrants[at] = each._replace(spared=ahead)
        if draw(st.integers(0, 3)) == 0:
            entrants.append(Entrant(draw(st.integers(1, 3)), level="hard"))
        found.append(on(day, number, *entrants))
    return found


@settings(max_examples=60)
@given(ladders(), st.randoms(use_true_random=False), st.integers(0, 25))
def test_from_nothing_in_any_order_one_by_one_and_in_two_parts_it_is_the_same_to_the_bit(
    rows: list[Result], rng: Random, cut: int
) -> None:
    whole = computed("ambush", rows)
    shuffled = rng.sample(rows, len(rows))
    one_by_one = Computed({}, [], {})
    for row in rows:
        found = after("ambush", one_by_one.ratings, one_by_one.pairs, row)
        one_by_one.ratings.update(found.ratings)
        one_by_one.points.extend(found.points)
        one_by_one.pairs.update(found.pairs)
    in_parts = computed("ambush", rows[cut:], computed("ambush", rows[:cut]))
    assert computed("ambush", shuffled) == one_by_one == in_parts == whole


@settings(max_examples=60)
@given(ladders())
def test_nobody_ever_gains_more_from_accounts_that_met_few(rows: list[Result]) -> None:
    for row in rows_of(computed("ambush", rows)).values():
        assert row.from_new <= FROM_NEW
        assert row.from_few <= FROM_FEW


@settings(max_examples=60)
@given(st.lists(st.tuples(st.permutations("abcd"), st.integers(0, 2), st.booleans()), max_size=25))
def test_both_of_a_pair_are_treated_alike(matches: list[tuple[list[str], int, bool]]) -> None:
    """The change of a match of two at weight 1 is multiplied by the same factor for both."""
    whole = Computed({}, [], {})
    for number, ((one, other, *_), day, ties) in enumerate(matches, 1):
        row = on(day, number, Entrant(1, one), Entrant(1 if ties else 2, other))
        free = {
            name: rows_of(whole)[name]._replace(met=9) if name in whole.ratings else RatingRow(MU, SIGMA, 0, 0, 0, 0, 9)
            for name in (one, other)
        }
        full = rows_of(after("ambush", free, {}, row))
        computed("ambush", [row], whole)
        got = [rows_of(whole)[name].gain for name in (one, other)]
        wanted = [full[name].gain for name in (one, other)]
        assert got[0] * wanted[1] == pytest.approx(got[1] * wanted[0], abs=1e-3)


def test_turning_the_seats_round_changes_nothing() -> None:
    seats = (Entrant(1, "ann"), Entrant(2, "bob"), Entrant(2, "cleo"), Entrant(4, level="easy"))
    plain, turned = after("ambush", {}, {}, on(0, 1, *seats)), after("ambush", {}, {}, on(0, 1, *seats[::-1]))
    assert plain.pairs == turned.pairs
    for name, row in plain.ratings.items():
        assert row == turned.ratings[name]
