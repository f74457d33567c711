"""The score of a match that is over, in words: never only that the higher one wins."""

import pytest

from games.core import lead
from games.gambo import GamboObservation
from games.gambo.observation import totals, worst
from tests.conformance.matches import LOGS, recorded


@pytest.mark.parametrize(
    ("points", "told"),
    [
        ((2, 1), "2 nuggets to 1"),
        ((0, 5, 6, 5), "6 nuggets to 5"),
        ((1, 0), "1 nugget to 0"),
        ((3, 3), "3 nuggets each"),
        ((3, 3, 1), "2 players with 3 nuggets each"),
    ],
)
def test_a_lead_is_told_in_numbers(points: tuple[int, ...], told: str) -> None:
    assert lead(points, "nugget") == told


def test_the_course_of_the_score_follows_from_the_duels() -> None:
    last = recorded(LOGS / "gambo-forced-pass.log").states[-1]
    seen = last.observation(None)
    assert isinstance(seen, GamboObservation)
    assert totals(seen.duels)[-1] == seen.scores
    assert len(totals(seen.duels)) == 9
    assert worst(seen.duels, 1) == (3, 13)
    assert worst((), 0) == (0, 0)
    assert last.outcome() is not None
    assert last.outcome().reason == "25 : 13, after 3 : 13."
