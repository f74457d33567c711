"""The numbers of a win: by how much, and after what."""

from pathlib import Path

import pytest

from games.core.feat import Feat, feat
from games.log import position_after

LOGS = Path(__file__).parents[1] / "logs"


def test_a_win_is_the_points_the_best_of_the_others_and_the_worst_score_before() -> None:
    assert feat(1, (14, 26), ((6, 0), (14, 4), (14, 26))) == (26, 14, 4, 14)
    assert feat(0, (7, 5, 6), ((1, 0, 0), (3, 5, 1), (7, 5, 6))) == (7, 6, 3, 5)
    assert feat(0, (7, 5), ((1, 0), (7, 5))) == (7, 5, 0, 0), "never behind"
    assert feat(0, (7, 5), ()) == (7, 5, 0, 0), "the game doesn't say"


def test_a_comeback_is_worth_more_than_the_same_score_without_one_and_a_clear_win_more_than_a_close_one() -> None:
    assert Feat(26, 14, 4, 14).worth > Feat(26, 14).worth > Feat(26, 25).worth
    assert Feat(3, 0).worth == Feat(30, 0).worth
    assert Feat(0, 0).worth == 0


@pytest.mark.parametrize("path", sorted(LOGS.glob("*.log")), ids=lambda path: path.stem)
def test_the_points_after_the_last_round_or_duel_are_the_final_ones(path: Path) -> None:
    state = position_after(path.read_text())
    scored = state.scored()
    assert all(len(points) == state.players for points in scored)
    if scored and state.is_terminal:
        assert tuple(map(float, scored[-1])) == state.returns()
    if path.stem.split("-")[0] in ("gambo", "abissal", "saboteur"):
        assert scored or not state.is_terminal
