"""Puzzles whose answer is no action: places that are proven, and odds that are scored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean

import pytest

from benchmarks.review import who
from games.core import InvalidAction
from games.log import Line, parse_log
from games.saboteur import SaboteurState
from games.saboteur.components import SABOTEUR
from matches.computers.judgements.saboteur.roles import PEOPLE
from matches.puzzles import checker
from matches.puzzles.attempt import Attempt, fields, is_answer
from matches.puzzles.finders import suspects
from matches.puzzles.making import Pool, fill
from matches.puzzles.puzzle import KNOWN, NOWHERE, RULED_OUT, TOO_FAR, Moved, Odds, Places, Puzzle, Shelf
from matches.puzzles.shelves import read, shelf, written

GOLD = [puzzle for puzzle in shelf("saboteur", Shelf.PROVEN) if puzzle.kind == "gold"]
WHO = [puzzle for puzzle in shelf("saboteur", Shelf.JUDGED) if puzzle.kind == "who"]


def odds_of(puzzle: Puzzle) -> Odds:
    assert isinstance(puzzle.first, Odds)
    return puzzle.first


def places_of(puzzle: Puzzle) -> Places:
    assert isinstance(puzzle.first, Places)
    return puzzle.first


def test_there_are_enough_of_both_and_their_answers_differ() -> None:
    assert len(GOLD) >= 15
    assert len(WHO) >= 30
    assert len({places_of(puzzle).text for puzzle in GOLD}) >= 3
    assert len({odds_of(puzzle).text for puzzle in WHO}) >= len(WHO) / 2
    for puzzle in (GOLD[0], WHO[0]):
        assert read(written(puzzle)) == puzzle


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


def test_any_odds_in_steps_of_ten_are_an_answer_and_nothing_else_is() -> None:
    attempt = Attempt.begin(WHO[0])
    people = len(attempt.others)
    assert attempt.answer(",".join(["100"] * people)).right
    for part in ("", "5", "110", "-10", "1e1", "010", "10%", "none"):
        with pytest.raises(InvalidAction):
            attempt.answer(",".join([part] * people))
    for many in (people - 1, people + 1):
        with pytest.raises(InvalidAction):
            attempt.answer(",".join(["10"] * many))
    assert is_answer(attempt.puzzle.first, attempt.shown)


def test_the_best_odds_are_those_that_are_believed() -> None:
    asked = Odds((500, 100), 300)
    assert asked.off([50, 10]) == 0
    assert asked.off([50, 30]) == pytest.approx((20**2 / 2) ** 0.5)
    for puzzle in WHO:
        found = odds_of(puzzle)
        assert found.off([int(each) for each in found.text.split(",")]) <= 5.01
        assert found.moved


def test_at_most_a_quarter_of_the_odds_of_a_puzzle_are_certain() -> None:
    for puzzle in WHO:
        found = odds_of(puzzle).chances
        assert 4 * sum(not 50 <= each <= 950 for each in found) <= len(found)
        off = sum(each / 1000 * (1 - each / 1000) for each in found) / len(found)
        assert odds_of(puzzle).unsure == pytest.approx(100 * off**0.5)


def test_odds_fit_the_roles_of_those_who_played() -> None:
    pairs = [
        (chance, role_of(puzzle, seat) == SABOTEUR)
        for puzzle in WHO
        for seat, chance in zip(Attempt.begin(puzzle).others, odds_of(puzzle).chances, strict=True)
    ]
    for group in ([pair for pair in pairs if pair[0] >= 500], [pair for pair in pairs if pair[0] < 500]):
        assert len(group) > 30
        assert fmean(chance for chance, _ in group) / 1000 == pytest.approx(fmean(true for _, true in group), abs=0.15)


def test_rounds_at_mixed_tables_are_looked_at(tmp_path: Path) -> None:
    pool = Pool(tmp_path, "saboteur", Shelf.JUDGED)
    assert list(fill(pool, 1, 1, 2, "who", who.mixed)) == [0, 1]
    assert pool.counts["looked at"] > 10


def role_of(puzzle: Puzzle, seat: int) -> str:
    start = puzzle.start
    assert isinstance(start, SaboteurState)
    return start.roles[seat]


def test_the_checker_finds_odds_that_do_not_fit() -> None:
    puzzle, asked = WHO[0], odds_of(WHO[0])
    assert [problem for each in WHO for problem in checker.problems(each)] == []
    wrong = [
        asked._replace(chances=asked.chances[1:]),
        asked._replace(chances=(1001, *asked.chances[1:])),
        asked._replace(moved=(Moved(0, 0, 1, 2),)),
        asked._replace(moved=(Moved(999, 0, 1, 2),)),
        asked._replace(moved=(asked.moved[0]._replace(seat=puzzle.seat),)),
    ]
    assert all(checker.problems(replace(puzzle, first=each)) for each in wrong)


def told(puzzle: Puzzle) -> tuple[Line, ...]:
    return parse_log(puzzle.log)[1]


def believed_by(puzzle: Puzzle, lines: tuple[Line, ...]) -> tuple[list[Sequence[float]], tuple[Moved, ...]]:
    """The odds that the solver can believe after each of these lines, and the turns that moved them."""
    found = suspects.believed(puzzle.header, lines, puzzle.seat)
    return [odds for _, odds in found], suspects.moved(found)


@pytest.mark.parametrize("puzzle", WHO[::10], ids=lambda puzzle: puzzle.key)
def test_the_odds_follow_from_the_log_and_not_from_what_the_solver_cant_know(puzzle: Puzzle) -> None:
    lines = told(puzzle)
    (number,) = [line.ply for line in lines if line.text.startswith("roles ")]
    roles = lines[number].text.removeprefix("roles ").replace("/", "")
    seat = puzzle.seat
    others = sorted(roles[:seat] + roles[seat + 1 :])
    for order in (others, others[::-1]):
        dealt = "".join((*order[:seat], roles[seat], *order[seat:]))
        changed = lines[number]._replace(text=f"roles {dealt[:-1]}/{dealt[-1]}")
        supposed = believed_by(puzzle, (*lines[:number], changed, *lines[number + 1 :]))
        assert supposed == believed_by(puzzle, lines)


@pytest.mark.parametrize("puzzle", WHO[::5], ids=lambda puzzle: puzzle.key)
def test_no_turn_of_a_puzzle_is_told_to_say_more_than_can_be_known(puzzle: Puzzle) -> None:
    odds, moved = believed_by(puzzle, told(puzzle))
    assert len(moved) <= suspects.TOLD
    assert len(odds) == 1 + sum(line.player >= 0 for line in told(puzzle))
    assert all(1 / KNOWN * 0.98 <= each.ratio <= KNOWN * 1.02 for each in moved)


@pytest.mark.parametrize("puzzle", WHO[::3], ids=lambda puzzle: puzzle.key)
def test_the_odds_hardly_depend_on_who_plays(puzzle: Puzzle) -> None:
    odds, *_ = believed_by(puzzle, told(puzzle))
    among_people = suspects.believed(puzzle.header, told(puzzle), puzzle.seat, PEOPLE)[-1][1]
    assert among_people != odds[-1]
    assert among_people == pytest.approx(odds[-1], abs=suspects.APART)


def test_nowhere_is_an_answer_of_its_own() -> None:
    assert Places((RULED_OUT, TOO_FAR, TOO_FAR)).text == NOWHERE
    assert Places(("NS@7,2", TOO_FAR, "NS@7,-2")).text == "0,2"
