"""Puzzles whose answer is no action: places that are proven, and odds that are scored."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.core import InvalidAction
from matches.puzzles import checker
from matches.puzzles.attempt import Attempt, fields
from matches.puzzles.puzzle import NOWHERE, RULED_OUT, TOO_FAR, Places, Puzzle, Shelf
from matches.puzzles.shelves import shelf

GOLD = [puzzle for puzzle in shelf("saboteur", Shelf.PROVEN) if puzzle.kind == "gold"]


def places_of(puzzle: Puzzle) -> Places:
    assert isinstance(puzzle.first, Places)
    return puzzle.first


def test_the_checker_finds_each_place_that_is_wrong() -> None:
    for puzzle in GOLD[:3]:
        assert checker.problems(puzzle) == []
        reasons = places_of(puzzle).reasons
        for number, why in enumerate(reasons):
            for other in {RULED_OUT, TOO_FAR, "drop NS"} - {why}:
                changed = Places((*reasons[:number], other, *reasons[number + 1 :]))
                assert len(checker.problems(replace(puzzle, first=changed))) == 1, (number, other)


def test_every_set_of_places_is_an_answer_and_one_is_right() -> None:
    attempt = Attempt.begin(GOLD[0])
    ((*offered,),) = fields(attempt.puzzle.first)
    assert len(offered) == 8
    assert [text for text in offered if attempt.answer(text).right] == [attempt.shown]
    for text in ("", "0,0", "1,0", "3", "none,0", "SW@8,1", "０"):
        with pytest.raises(InvalidAction):
            attempt.answer(text)


def test_nowhere_is_an_answer_of_its_own() -> None:
    assert Places((RULED_OUT, TOO_FAR, TOO_FAR)).text == NOWHERE
    assert Places(("NS@7,2", TOO_FAR, "NS@7,-2")).text == "0,2"
