"""Ratings as a function of results, without a store."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

import pytest

from db.ratings.kept import RatingRow
from games import GAMES
from games.core import Part
from matches.computers.thinking import judgement_of
from matches.ratings.ladder import Computed, computed
from matches.ratings.ladder import after as after_one
from matches.ratings.model import COMPUTER_SIGMA, COMPUTERS, FORMER, MU, SIGMA, Level, computer, rated
from matches.ratings.storing import rows_of
from matches.results.result import Entrant, Result, read, written

DAY = date(2030, 1, 1)


def results(seed: int, matches: int = 60) -> list[Result]:
    """Results of two to five of eight people, some helped, some with computers."""
    rng = Random(seed)
    found = []
    for number in range(1, matches + 1):
        names = rng.sample("abcdefgh", rng.randint(2, 5))
        entrants = [Entrant(rng.randint(1, 3), name, helped=rng.random() < 0.2) for name in names]
        if rng.random() < 0.3:
            entrants.append(Entrant(rng.randint(1, 3), level="hard"))
        found.append(Result(number, DAY + timedelta(number // 7), tuple(map(written, entrants))))
    return found


def one_by_one(rows: list[Result]) -> Computed:
    whole = Computed({}, [], {})
    for row in rows:
        found = after_one("ambush", whole.ratings, whole.pairs, row)
        whole.ratings.update(found.ratings)
        whole.points.extend(found.points)
        whole.pairs.update(found.pairs)
    return whole


def after(entrants: list[Entrant]) -> dict[str, RatingRow]:
    """The ratings after the first result of a ladder."""
    return rows_of(after_one("ambush", {}, {}, Result(1, DAY, tuple(map(written, entrants)))))


@pytest.mark.parametrize("seed", range(5))
def test_results_in_any_order_come_to_the_same_to_the_bit(seed: int) -> None:
    rows = results(seed)
    shuffled = rows[:]
    Random(seed).shuffle(shuffled)
    assert computed("ambush", shuffled) == computed("ambush", rows) == one_by_one(rows)


def test_whoever_wins_gains_and_who_loses_loses_and_both_become_surer() -> None:
    (ann, bob) = after([Entrant(1, "ann"), Entrant(2, "bob")]).values()
    assert ann.mu > MU > bob.mu
    assert ann.sigma < SIGMA > bob.sigma
    assert (ann.matches, ann.won, bob.matches, bob.won) == (1, 1, 1, 0)
    assert ann.gain == ann.mu - MU == -bob.gain


def test_equals_that_tie_stay_where_they_are() -> None:
    both = after([Entrant(1, "ann"), Entrant(1, "bob")])
    assert both["ann"].mu == both["bob"].mu == MU


def test_whoever_was_helped_loses_but_does_not_gain_and_the_others_notice_nothing() -> None:
    plain = after([Entrant(1, "ann"), Entrant(2, "bob")])
    won = after([Entrant(1, "ann", helped=True), Entrant(2, "bob")])
    lost = after([Entrant(1, "ann"), Entrant(2, "bob", helped=True)])
    assert (won["ann"].mu, won["ann"].sigma, won["ann"].gain) == (MU, SIGMA, 0.0)
    assert won["ann"].matches == 1
    assert won["bob"] == plain["bob"]
    assert lost == plain


def test_computers_are_played_against_and_stay_as_they_are() -> None:
    found = after([Entrant(1, "ann"), Entrant(2, level="expert")])
    assert set(found) == {"ann"}
    easy = after([Entrant(1, "ann"), Entrant(2, level="easy")])
    assert found["ann"].gain > easy["ann"].gain > 0
    assert [computer("ambush", level, 0).sigma for level in ("easy", "expert")] == [COMPUTER_SIGMA] * 2


def test_a_result_keeps_the_computers_that_it_was_played_against() -> None:
    """The numbers are those that the program gave for this result before the levels were others."""
    seats = [{"place": 1, "level": "expert"}, {"place": 2, "key": "ann"}, {"place": 3, "level": "easy"}]
    seats += [{"place": 2, "key": "bob"}, {"place": 5, "level": "normal"}]
    stored = [Result(number, DAY + timedelta(number), tuple(seats)) for number in (1, 2)]
    assert rows_of(computed("saboteur", stored))["ann"][:2] == (1503.544064, 109.048957)
    assert {edition: read(written(read(seats[0])._replace(edition=edition))).edition for edition in (0, 1)} == {
        0: 0,
        1: 1,
    }


@pytest.mark.parametrize("game", GAMES)
def test_every_edition_of_the_computers_has_ratings_of_its_own(game: str) -> None:
    assert [edition for key, edition in FORMER if key == game] == [*range(judgement_of(game).edition)]
    for edition in range(judgement_of(game).edition):
        assert FORMER[game, edition].keys() == COMPUTERS[game].keys()


def test_a_rating_has_no_bits_that_another_machine_could_make_otherwise() -> None:
    for level in rated([Level(1512.3, 80.1), Level(1490.7, 91.4), Level()], [2, 1, 2]):
        assert level == Level(round(level.mu, 6), round(level.sigma, 6))


@pytest.mark.parametrize(
    "entrant",
    [
        Entrant(1, "ab12"),
        Entrant(3, level="hard"),
        Entrant(3, level="expert", edition=1),
        Entrant(2, "ab12", helped=True, parts=(Part("saboteur", True), Part("gold-digger", False))),
    ],
)
def test_an_entrant_is_read_as_it_was_written(entrant: Entrant) -> None:
    assert read(written(entrant)) == entrant
