"""An exercise that is made from data: what is answered, and what follows."""

import pytest

from games.core import InvalidAction
from games.exercise import Answer, ExerciseError, Task, followed, played
from games.lessons import lessons


def task() -> Task:
    lesson = lessons("ambush")[0]
    right = Answer(True, "Built.", then=("1 SA1",))
    return Task("ambush", lesson.start, lesson.seat, {"SB2": right}, Answer(False, "Not that."), "SB2")


def test_an_action_is_answered_by_its_text_and_an_illegal_one_by_its_rule() -> None:
    given = task()
    assert given.answer("SB2").right
    assert given.answer("SC2") == given.otherwise
    refused = given.answer("LC2")
    assert (refused.right, refused.legal, refused.rule) == (False, False, "B2")
    with pytest.raises(InvalidAction):
        given.answer("nonsense")


def test_the_lines_that_follow_are_checked() -> None:
    given = task()
    ((line, after),) = followed(given, "SB2", given.answer("SB2").then)
    assert (line.player, line.text) == (1, "SA1")
    before = played(given, "SB2")
    assert after == before.child(1, before.string_to_action(1, "SA1"))
    for wrong in ("0 SC2", "1 LB2", "x SA1", "1"):
        with pytest.raises(ExerciseError, match="can't follow 'SB2'"):
            list(followed(given, "SB2", (wrong,)))
