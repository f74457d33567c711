"""Puzzles: those on the shelves are right, as a checker finds that knows nothing of the finder; and attempts go on."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games import GAMES
from games.core import InvalidAction
from games.exercise import ExerciseError, followed, played, typed_action
from games.log import parse_log
from games.saboteur.actions import Dig, RockFall
from matches.analysis.judging import MISTAKE
from matches.computers.known import known
from matches.puzzles import checker, grading, making, publishing, shelves
from matches.puzzles.attempt import Attempt
from matches.puzzles.finders import clearly_best, three_hands, two_draws
from matches.puzzles.finders.found import Dropped
from matches.puzzles.kinds import KINDS, question
from matches.puzzles.making import SOURCES, Pool, fill
from matches.puzzles.puzzle import RULED_OUT, TOO_FAR, Asked, Difficulty, Odds, Places, Puzzle, Shelf, Step, Way, length
from matches.puzzles.shelves import read, shelf, written
from matches.puzzles.variety import ONE_IN, PASSED, answers, varied
from tests.matches.puzzles.made import made
from tests.test_imports import ROOT, full_names, imports, modules, reached_from

LINES = {**{game: shelves.lines(game) for game in GAMES}, shelves.DAYS: shelves.day_lines()}
EVERY = [line for lines in LINES.values() for line in lines]
ALL = [puzzle for line in EVERY if (puzzle := read(line)) is not None]
PROVEN = [puzzle for puzzle in ALL if puzzle.shelf is Shelf.PROVEN]
JUDGED = [puzzle for puzzle in ALL if puzzle.shelf is Shelf.JUDGED]
ONE_OF_EACH = list({puzzle.kind: puzzle for puzzle in ALL}.values())
STEPS = [puzzle for puzzle in ONE_OF_EACH if isinstance(puzzle.first, Step)]
PICKED = [puzzle for puzzle in JUDGED if isinstance(puzzle.first, Step)]
JUDGED_SAMPLE = [*(puzzle for puzzle in STEPS if puzzle.shelf is Shelf.JUDGED), *PICKED[::10]]
PROVEN_KINDS = [puzzle for puzzle in ONE_OF_EACH if puzzle.shelf is Shelf.PROVEN]
UNCLEAR = (
    (
        '{"key":"c8b618d016","kind":"round","shelf":"judged","stars":2,"log":["game abissal players=3 rul'
        'es=1","c deal G4,O2,O4,O6,Y1,Y6,T3,T4,B1,B2,P2/G1,G2,G3,G5,O3,O5,Y4,Y5,T1,T2,B3/O1,Y2,Y3,T5,B4,B'
        '5,B6,P1,P4,P5,P6","c first 0","0 O6+O4","1 T2+T1","2 P4+P1","0 pass","1 pass","2 B4","0 P2","1 p'
        'ass","2 pass","0 G4","1 Y4","2 P5","0 pass","1 pass","2 Y3+Y2","0 B2+B1","1 pass","2 pass","0 T4'
        '+T3","1 pass","2 pass","0 O2","1 Y5","2 P6","0 pass","1 pass"],"step":{"right":[["O1"]]}}'
    ),
    (
        '{"key":"61a0e4d610","kind":"round","shelf":"judged","stars":1,"log":["game abissal players=3 rul'
        'es=1","c deal G2,G5,G6,O2,O3,O6,Y5,T1,T3,T4,T5/G3,Y2,Y3,Y4,Y6,T2,T6,B4,B6,P3,P4/G1,O1,O5,Y1,B1,B'
        '2,B3,B5,P1,P2,P6","c first 0","0 T3","1 T6","2 pass","0 pass","1 Y4+B4","2 pass","0 pass","1 B6"'
        ',"2 pass","0 pass","1 Y3","2 B1","0 pass","1 P3","2 pass","1 Y2","2 pass","0 T1","1 P4","0 pass"'
        ',"1 T2","2 P1","0 pass","1 pass","2 O1","0 G6","1 pass","2 pass","0 O3","1 Y6"],"step":{"right":'
        '[["P6"],["P2"]]}}'
    ),
    (
        '{"key":"3729ecaadc","kind":"round","shelf":"judged","stars":1,"log":["game abissal players=3 rules'
        '=1","c deal G1,O3,O5,O6,Y5,T3,B1,B6,P1,P2,P5/G2,G3,G4,G5,G6,O2,Y1,B2,B3,B4,B5/O1,O4,Y2,Y4,T1,T2,T4'
        ',T5,P3,P4,P6","c first 0","0 O6+B6","1 pass","2 pass","0 O3","1 G4","2 T5","0 pass","1 pass","2 T4'
        '","0 P5","1 G6","2 pass","0 pass","1 G2+O2","2 pass","0 O5+Y5","1 pass","0 G1","1 G3","2 P6","0 pa'
        'ss","1 pass","2 P4","0 pass","1 G5","2 pass","1 B3+B2","2 pass","0 P2+P1","1 pass","0 T3","1 pass"'
        ',"2 P3","0 pass","2 O4+Y4","0 pass","1 pass"],"step":{"right":[["O1+T1"],["Y2+T2"]]}}'
    ),
)
"""Puzzles that were shipped. `B6+B5` isn't wrong in the first, `P6` not right in the second, `Y2+T2` in the third."""

JUDGED_KINDS = {"ahead": two_draws.two_draws_ahead, "round": three_hands.for_the_round}


def ids(puzzle: Puzzle) -> str:
    return f"{puzzle.game}-{puzzle.kind}-{puzzle.key}"


# The checker.


@pytest.mark.parametrize("puzzle", PROVEN[::10], ids=ids)
def test_every_tenth_proven_puzzle_is_proven_again(puzzle: Puzzle) -> None:
    assert checker.problems(puzzle) == []


@pytest.mark.soak
@pytest.mark.parametrize("puzzle", PROVEN, ids=ids)
def test_every_proven_puzzle_is_proven_again(puzzle: Puzzle) -> None:
    assert checker.problems(puzzle) == []


@pytest.mark.parametrize("root", ["matches.puzzles.checker", "matches.puzzles.shelves", "matches.puzzles.attempt"])
def test_what_checks_and_loads_puzzles_knows_no_search_and_no_judgement(root: str) -> None:
    reached = set(reached_from(root))
    assert root in reached
    assert not {name for name in reached if name.startswith(("matches.computers", "matches.analysis"))}
    assert not {name for name in reached if name.startswith("matches.puzzles.") and "finders" in name}
    assert "matches.puzzles.making" not in reached
    assert not {package for packages in map(reached_from(root).__getitem__, reached) for package in packages} & {
        *("db", "random", "cogs", "render")
    }


def test_the_checker_shares_nothing_with_the_finders_but_the_puzzle() -> None:
    known = set(imports(ROOT, "matches"))
    (path,) = [path for path in modules("matches") if path.name == "checker.py"]
    assert {name for name in full_names(path, known) if name.startswith("matches.")} == {"matches.puzzles.puzzle"}


@pytest.mark.parametrize("puzzle", [puzzle for puzzle in STEPS if puzzle in PROVEN_KINDS], ids=ids)
def test_the_checker_finds_what_is_wrong(puzzle: Puzzle) -> None:
    state, first = puzzle.start, puzzle.first
    assert isinstance(first, Step)
    right = {way.action for way in first.right}
    texts = [state.action_to_string(action) for action in state.legal_actions(puzzle.seat)]
    wrong = next(text for text in texts if text not in right)
    called = replace(puzzle, first=first._replace(right=(*first.right, Way(wrong))))
    assert any(f"{wrong} isn't right" in problem for problem in checker.problems(called))
    if len(first.right) > 1:
        one_less = replace(puzzle, first=first._replace(right=first.right[1:]))
    else:
        one_less = replace(puzzle, first=Step((Way(wrong),)))
    missing = first.right[0].action
    assert any(f"{missing} is right and not in the list" in problem for problem in checker.problems(one_less))


def test_of_a_judged_puzzle_the_checker_finds_what_does_not_fit() -> None:
    for puzzle in (puzzle for puzzle in STEPS if puzzle.shelf is Shelf.JUDGED):
        state, first, right = puzzle.start, puzzle.first, puzzle.first.right[0].action
        assert isinstance(first, Step)
        every = [Way(state.action_to_string(action)) for action in state.legal_actions(puzzle.seat)]
        wrong = {
            "isn't possible": first._replace(good=("no such move",)),
            "is named twice": first._replace(good=(right,)),
            "can't follow": first._replace(right=(Way(right, ("c nothing",)), *first.right[1:])),
            "nothing is wrong": first._replace(right=tuple(every)),
        }
        for said, step in wrong.items():
            assert any(said in problem for problem in checker.problems(replace(puzzle, first=step))), said


# Judged ones.


@pytest.mark.parametrize("puzzle", PICKED, ids=ids)
def test_what_is_judged_fits_the_rules(puzzle: Puzzle) -> None:
    assert checker.problems(puzzle) == []
    assert len(puzzle.start.legal_actions(puzzle.seat)) >= clearly_best.FEWEST_ACTIONS


@pytest.mark.parametrize("puzzle", JUDGED_SAMPLE, ids=ids)
def test_a_new_look_agrees_with_verdicts_of_each_kind(puzzle: Puzzle) -> None:
    knows, first = known(puzzle.start), puzzle.first
    actions = [knows.position.string_to_action(puzzle.seat, first.right[0].action)]
    actions += [each for each in knows.position.legal_actions(puzzle.seat) if each != actions[0]]
    found = clearly_best.look(knows, JUDGED_KINDS[puzzle.kind], actions, "another one")
    fine = {*first.good, *(way.action for way in first.right)}
    for action in actions[1:]:
        loss = found.loss(action, actions[0])
        if knows.position.action_to_string(action) in fine:
            assert loss.mean < clearly_best.NEAR + 3 * loss.error
        else:
            assert loss.high > clearly_best.LEAD
            assert loss.low > MISTAKE


@pytest.mark.soak
@pytest.mark.parametrize("puzzle", JUDGED[::5], ids=ids)
def test_every_fifth_judged_puzzle_is_found_again(puzzle: Puzzle) -> None:
    assert found_again(puzzle) == puzzle.first


@pytest.mark.soak
@pytest.mark.parametrize("puzzle", [each for each in PICKED if each.kind == "round"], ids=ids)
def test_every_play_of_a_judged_puzzle_of_abissal_is_confirmed_whoever_plays_on(puzzle: Puzzle) -> None:
    three_hands.confirm(as_told(puzzle))


# FOUND V5
@pytest.mark.parametrize(
    "line", UNCLEAR, ids=["a-wrong-play-as-good-as-the-right-one", "a-right-play-that-is-weaker", "perhaps-weaker"]
)
def test_a_verdict_that_depends_on_how_others_play_is_not_clear(line: str) -> None:
    puzzle = read(line)
    assert puzzle is not None
    assert shelves.puzzle(puzzle.key) is None, "it isn't shipped any more"
    with pytest.raises(Dropped, match="isn't"):
        three_hands.confirm(as_told(puzzle))


def as_told(puzzle: Puzzle) -> clearly_best.Verdict:
    """What a judged puzzle says of all actions."""
    assert isinstance(puzzle.first, Step)
    knows, state = known(puzzle.start), puzzle.start
    right = tuple(state.string_to_action(puzzle.seat, way.action) for way in puzzle.first.right)
    good = tuple(state.string_to_action(puzzle.seat, text) for text in puzzle.first.good)
    wrong = tuple(each for each in state.legal_actions(puzzle.seat) if each not in (*right, *good))
    return clearly_best.Verdict(knows, right, good, wrong)


def test_a_judged_question_in_abissal_names_all_that_has_not_been_seen() -> None:
    for puzzle in shelf("abissal", Shelf.JUDGED):
        shown: Any = puzzle.start.open_observation()
        unseen = {*shown.hands[puzzle.seat - 1], *shown.hands[puzzle.seat - 2], *shown.aside}
        assert set(re.findall(r"\b[GOYTBP][1-6]\b", question(puzzle))) == unseen


def test_no_days_puzzle_is_judged() -> None:
    assert {puzzle.shelf for puzzle in shelves.days() if puzzle is not None} == {Shelf.PROVEN}


# The data.


def test_every_kind_has_a_finder_and_every_proven_one_a_check() -> None:
    assert set(SOURCES) == set(KINDS)
    assert {key for key, kind in KINDS.items() if kind.shelf is Shelf.PROVEN} == set(checker._CHECKS)
    assert all((KINDS[each.kind].game, KINDS[each.kind].shelf) == (each.game, each.shelf) for each in ALL)
    assert {kind.game for kind in KINDS.values()} == set(GAMES)


def test_a_file_is_written_as_it_is_read_and_no_two_puzzles_are_alike() -> None:
    assert [written(puzzle) for puzzle in ALL] == EVERY
    assert max(Counter(puzzle.key for puzzle in ALL).values()) == 1
    assert {
        puzzle.game for name, lines in LINES.items() if name in GAMES for puzzle in map(read, lines) if puzzle
    } == set(GAMES)
    for game in GAMES:
        assert {puzzle.game for line in LINES[game] if (puzzle := read(line))} == {game}


def test_every_shelf_has_puzzles_of_every_difficulty() -> None:
    for game in GAMES:
        for of in Shelf:
            assert {puzzle.difficulty for puzzle in shelf(game, of)} in (set(Difficulty), set()), (game, of)


def test_games_of_luck_and_secrets_have_judged_puzzles() -> None:
    """In Abissal most of those that were found ask for a pair: fewer are shipped, so that not too many answers do."""
    shipped = {game: len(shelf(game, Shelf.JUDGED)) for game in GAMES if shelf(game, Shelf.JUDGED)}
    assert set(shipped) == {"abissal", "ambagibus", "saboteur"}
    assert min(shipped.values()) >= 15
    assert min(shipped["ambagibus"], shipped["saboteur"]) >= 30


def test_every_game_has_its_share_of_a_full_shelf_and_of_more_than_a_year_of_days() -> None:
    days = Counter(puzzle.game for puzzle in shelves.days() if puzzle is not None)
    assert days.total() >= 400
    assert set(days) == set(GAMES)
    for game in GAMES:
        assert len(shelf(game, Shelf.PROVEN)) >= 60, game
        assert days[game] >= 400 / len(GAMES) * 0.9, game


def test_no_kind_of_answer_is_right_in_more_than_a_third_of_a_shelf_or_of_the_days() -> None:
    """Those of the days count from the number on from which the days are new."""
    places = {"shelf": [each for game in GAMES for of in Shelf for each in shelf(game, of)]}
    places["days"] = [each for each in shelves.days()[shelves.SINCE - 1 :] if each is not None]
    for place, puzzles in places.items():
        for kind in KINDS:
            there = [answers(each.kind, each.first) for each in puzzles if each.kind == kind]
            counts = Counter(answer for each in there for answer in each)
            assert max(counts.values(), default=0) * ONE_IN <= len(there), (place, kind, len(there), counts)
    assert not any(isinstance(each.first, Odds) for each in places["days"])


def test_the_kind_of_an_answer_is_what_is_played_and_not_where() -> None:
    def right(kind: str, *texts: str, then: tuple[str, ...] = ()) -> set[str]:
        return {*answers(kind, Step(tuple(Way(text, then) for text in texts)))}

    assert right("sections", "cave@0,1", "4100@2,0", "bury 1000") == {"Cave-in", "Corner", "Dead end"}
    assert right("capture", "NW90-L", "SC4", "LC4") == {"90", "S", "L"}
    assert right("force", "duel M2xE1", "adv M2", "swap C1 M1") == {"duel", "adv", "swap"}
    assert right("treasure", "NEW@7,0", "rock@1,0", "+PL>1:L") == {"fork", "rock-fall", "repair pick or lantern"}
    assert right("round", "pass", "O1", "T2+T1", "B3+O3") == {"pass", "single", "suit pair", "number pair"}
    assert right("out", "O1", then=("1 pass",)) == {PASSED}
    assert right("out", "O1", then=("1 O2",)) == {"single"}
    assert answers("gold", Places((TOO_FAR, RULED_OUT, "NS@8,-1"))) == {"2"}
    assert answers("who", Odds((200, 300), 250)) == set()


def test_a_varied_shelf_is_as_large_as_its_kinds_of_answers_allow() -> None:
    every = [
        made(str(number), steps=Step((Way(text),))) for number, text in enumerate(["LA1"] * 9 + ["SA1", "MA1"] * 3)
    ]
    assert [each.key for each in varied(every, 99)] == [*"012", "9", "10", "11", "12", "13", "14"]
    assert [len(varied(every, many)) for many in (0, 3, 5, 6)] == [0, 3, 3, 6]


def test_the_question_in_abissal_names_all_that_has_not_been_seen() -> None:
    for puzzle in shelf("abissal", Shelf.PROVEN)[:5]:
        shown: Any = puzzle.start.open_observation()
        unseen = {*shown.hands[1 - puzzle.seat], *shown.aside}
        assert set(re.findall(r"\b[OYTBP][1-5]\b", question(puzzle))) == unseen
        attempt = Attempt.begin(puzzle)
        while not (attempt := attempt.after(attempt.shown)).solved:
            shown = attempt.state.open_observation()
            unseen = {*shown.hands[1 - puzzle.seat], *shown.aside}
            words = question(puzzle, attempt.state, len(attempt.answers))
            assert set(re.findall(r"\b[OYTBP][1-5]\b", words)) == unseen


def test_every_later_question_says_what_is_still_to_be_reached() -> None:
    said: dict[str, set[str]] = {}
    for puzzle in PROVEN:
        attempt = Attempt.begin(puzzle)
        while not (attempt := attempt.after(attempt.shown)).solved:
            words = question(puzzle, attempt.state, len(attempt.answers))
            said.setdefault(puzzle.kind, set()).add(words)
    assert {"This is your second turn, and you still need one pip. How do you get there?"} <= said["setup"]
    drawn = "A card that you've drawn since then counts, too."
    assert said["treasure"] >= {
        f"Now reach the treasure in two turns, if the others only discard. {drawn} What's next?",
        f"Now reach the treasure this turn. {drawn} What's next?",
    }
    assert "Two duels are left, and you can still win. What's next?" in said["force"]


# FOUND V6
def test_a_card_that_was_drawn_on_the_way_is_right_only_where_the_question_says_so() -> None:
    drawn_ones = 0
    for puzzle in (each for each in PROVEN if each.kind == "treasure"):
        begun: Any = puzzle.start.observation(puzzle.seat)
        todo = [(Attempt.begin(puzzle), Counter[str](begun.hand))]
        while todo:
            attempt, own = todo.pop()
            step, state = attempt.asked, attempt.state
            assert isinstance(step, Step)
            seen: Any = state.observation(puzzle.seat)
            drawn = Counter(seen.hand) - own
            words = question(puzzle, state, len(attempt.answers)) if attempt.answers else ""
            assert "drawn since then counts, too" in words or not drawn, puzzle.key
            for way in step.right:
                action = state.string_to_action(puzzle.seat, way.action)
                card = state.notation.choices(seen, action)[0].value
                drawn_ones += card in drawn
                if way.next:
                    todo.append((attempt.after(way.action), own - Counter([card])))
    assert drawn_ones, "in some, a card that was drawn is right"


def test_what_is_told_between_the_turns_of_saboteur_is_what_happens() -> None:
    for puzzle in (each for each in PROVEN if each.kind == "treasure"):
        attempt = Attempt.begin(puzzle)
        others = [f"{(attempt.seat + step) % attempt.state.players} drop" for step in range(1, attempt.state.players)]
        while not (after := attempt.after(attempt.shown)).solved:
            answer = attempt.answer(attempt.shown)
            assert answer.meanwhile == "Everybody else discards a card."
            assert [line.rsplit(" ", 1)[0] for line in answer.then] == others
            attempt = after


def test_a_wrong_card_in_saboteur_says_if_it_leads_nowhere() -> None:
    """What is said fits what everybody sees, and doesn't depend on what the solver can't know."""
    said = Counter[str]()
    for puzzle in [each for each in PROVEN if each.kind == "treasure"][:40]:
        start, seat = puzzle.start, puzzle.seat
        other = start.resample_from_infostate(seat, Random(puzzle.key))
        attempt, supposed = Attempt.begin(puzzle), replace(Attempt.begin(puzzle), state=other)
        before: Any = start.observation(seat)
        for action in start.legal_actions(seat):
            answer = attempt.answer(start.action_to_string(action))
            assert supposed.answer(start.action_to_string(action)).words == answer.words
            if answer.right:
                continue
            after: Any = start.child(seat, action).observation(seat)
            piece = getattr(action, "piece", "")
            lost = len(after.cut_off - before.cut_off)
            assert ("A dead end leads nowhere." in answer.words) == piece.islower()
            assert ("from the ladder." in answer.words) == bool(lost and isinstance(action, RockFall))
            closed = piece.isupper() and "opens no new way" in answer.words
            if closed:
                # The same cards can be laid nowhere where they couldn't be laid before.
                later = start.child(seat, action).evolve(current_player=seat, hands=start.hands)
                assert digs(later, seat) <= digs(start, seat)
                assert not after.turned_up
            said["dead end"] += piece.islower()
            said["cut off"] += bool(lost)
            said["closed"] += closed
    assert min(said["dead end"], said["cut off"], said["closed"]) > 5, said


def digs(state: Any, seat: int) -> set[Any]:
    """Where a player can lay cards."""
    return {action.cell for action in state.legal_actions(seat) if isinstance(action, Dig)}


def test_a_wrong_move_in_gambo_says_whose_turn_follows_it() -> None:
    said = set()
    for puzzle in shelf("gambo", Shelf.PROVEN)[:20]:
        attempt = Attempt.begin(puzzle)
        for action in attempt.state.legal_actions(attempt.seat):
            answer = attempt.answer(attempt.state.action_to_string(action))
            if not answer.right:
                again = attempt.state.child(attempt.seat, action).current_player == attempt.seat
                assert ("your turn again" in answer.words) == again
                said.add(again)
    assert said == {False, True}


def test_what_is_published_keeps_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(publishing, "DATA", tmp_path)
    monkeypatch.setattr(shelves, "_DATA", tmp_path)
    monkeypatch.setattr(grading, "CUTS", {**grading.CUTS, ("gambo", Shelf.JUDGED): (1.0, 2.0)})
    caches = (shelves._of_game, shelves._by_key, shelves.days, shelves.day_lines)
    try:
        pool = Pool(tmp_path / "pool", "gambo")
        gambo = [puzzle for puzzle in PROVEN if puzzle.game == "gambo"]
        alike = [[each for each in gambo if answers(each.kind, each.first) == {of}] for of in ("adv", "duel", "swap")]
        every = [each for three in zip(*alike, strict=False) for each in three][:9]
        for many in (6, 9):
            before = [each.read_text("ascii") for each in sorted(tmp_path.glob("*.jsonl"))]
            pool.kept = {puzzle.key: making.Kept(puzzle, 0.2, 1) for puzzle in every[:many]}
            for cached in caches:
                cached.cache_clear()
            judged = Pool(tmp_path / "pool", "gambo", Shelf.JUDGED)
            kept = [replace(each, key=f"judged{each.key}", shelf=Shelf.JUDGED) for each in every[many - 6 : many - 3]]
            judged.kept = {each.key: making.Kept(each, 0.2, 1) for each in kept}
            told = publishing.publish([pool, judged], 3, 1)
            assert f"| {shelves.SINCE} to {shelves.SINCE + many - 4} |" in told
            for old, file in zip(before, sorted(tmp_path.glob("*.jsonl")), strict=False):
                new = file.read_text("ascii")
                assert new.startswith(old) if file.stem == shelves.DAYS else {*old.split("\n")} <= {*new.split("\n")}
        shelf_lines = (tmp_path / "gambo.jsonl").read_text("ascii").splitlines()
        assert ["judged" in line for line in shelf_lines] == [False] * 3 + [True] * 6
        assert "judged" not in (tmp_path / f"{shelves.DAYS}.jsonl").read_text("ascii")
    finally:
        monkeypatch.undo()
        for cached in caches:
            cached.cache_clear()


def test_a_key_follows_from_the_position_up_to_symmetry() -> None:
    for puzzle in PROVEN_KINDS:
        assert found_again(puzzle) == puzzle.first


def found_again(puzzle: Puzzle) -> Asked:
    """Find the puzzle again at its position, and check that its key is the same. Return its first question."""
    source = SOURCES[puzzle.kind]
    told = (puzzle.header, parse_log(puzzle.log)[1]) if source.told else ()
    again = making._puzzle(source.find(puzzle.start, *told), puzzle.header, [], puzzle.shelf)
    assert (again.key, again.shelf, again.amount) == (puzzle.key, puzzle.shelf, puzzle.amount)
    return again.first


def test_no_file_is_read_before_somebody_asks() -> None:
    code = (
        "import sys; from matches.puzzles import shelves, attempt; "
        "assert shelves._of_game.cache_info().currsize == 0 and shelves.day_lines.cache_info().currsize == 0; "
        "shelves.shelf('gambo', shelves.Shelf.PROVEN); assert shelves._of_game.cache_info().currsize == 1"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_the_files_stay_small() -> None:
    files = list((ROOT / "matches" / "puzzles" / "data").glob("*.jsonl"))
    assert files
    assert sum(file.stat().st_size for file in files) < 2_000_000
    assert max(map(len, EVERY)) < 12_000


def test_a_puzzle_of_other_rules_is_dropped_and_the_days_keep_their_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    line = LINES["gambo"][0]
    said = json.loads(line)
    old = json.dumps({**said, "log": [said["log"][0].replace("rules=1", "rules=0"), *said["log"][1:]]})
    other = LINES["abissal"][0]
    unknown = json.dumps({**said, "kind": "no such kind"})
    rows = {shelves.DAYS: (old, other), "gambo": (old, line, unknown)}
    monkeypatch.setattr(shelves, "lines", lambda name: rows.get(name, ()))
    for cached in (shelves._of_game, shelves._by_key, shelves.days, shelves.day_lines):
        cached.cache_clear()
    try:
        first, second = shelves.days()
        assert first is None
        assert second is not None
        assert second.game == "abissal"
        assert [each.key for each in shelf("gambo", Shelf.PROVEN)] == [said["key"]]
        assert shelves.puzzle(said["key"]) is not None
        assert shelves.puzzle("ffffffffff") is shelves.puzzle("") is shelves.puzzle("../gambo") is None
    finally:
        monkeypatch.undo()
        for cached in (shelves._of_game, shelves._by_key, shelves.days, shelves.day_lines):
            cached.cache_clear()


def test_there_are_no_puzzles_of_an_unknown_game() -> None:
    assert shelf("../abissal", Shelf.PROVEN) == ()


# Attempts.


def solutions(attempt: Attempt) -> Iterator[Attempt]:
    """Every way to solve it."""
    step = attempt.asked
    if step is None:
        yield attempt
        return
    for text in [way.action for way in step.right] if isinstance(step, Step) else [step.text]:
        yield from solutions(attempt.after(text))


@pytest.mark.parametrize("puzzle", ONE_OF_EACH, ids=ids)
def test_every_solution_can_be_played_and_resumed(puzzle: Puzzle) -> None:
    ends = list(solutions(Attempt.begin(puzzle)))
    assert max(len(end.answers) for end in ends) == length(puzzle.first)
    for end in ends:
        assert Attempt.resume(puzzle, end.answers) == end
        assert end.shown == ""
        with pytest.raises(ExerciseError):
            end.answer(Attempt.begin(puzzle).shown)
    assert Attempt.resume(puzzle, ("nonsense",)) == Attempt.begin(puzzle)
    assert Attempt.resume(puzzle, (*ends[0].answers, "more")) == Attempt.begin(puzzle)


def test_cards_count_two_draws_ahead_where_the_judgement_counts_them() -> None:
    every = shelf("ambagibus", Shelf.PROVEN)
    told = {each.header.options["variant"]: question(replace(each, kind="ahead")) for each in every}
    assert "The cards that you keep count, too." in told["advanced"]
    assert "cards" not in told["basic"]


@pytest.mark.parametrize("puzzle", STEPS, ids=ids)
def test_every_answer_says_what_it_is_worth_and_its_refutation_fits(puzzle: Puzzle) -> None:
    attempt = Attempt.begin(puzzle)
    assert question(puzzle)
    refuted = 0
    while not attempt.solved:
        step = attempt.asked
        assert isinstance(step, Step)
        right = {way.action for way in step.right}
        for action in attempt.state.legal_actions(attempt.seat):
            text = attempt.state.action_to_string(action)
            answer = attempt.answer(text)
            assert answer.legal
            assert answer.words.endswith((".", "!"))
            assert answer.right == (text in right)
            assert attempt.is_good(text) == (text in step.good)
            imagined = attempt.imagined(text)
            assert imagined.state.observation(attempt.seat) == attempt.state.observation(attempt.seat)
            then = imagined.answer(text).then
            refuted += len(list(followed(imagined, text, then))) * (not answer.right)
        assert attempt.answer(attempt.shown).right
        attempt = attempt.after(attempt.shown)
    assert refuted or puzzle.kind in ("capture", "sections", "treasure", *JUDGED_KINDS)


def test_an_illegal_answer_names_its_rule() -> None:
    puzzle = next(each for each in PROVEN if each.game == "gambo")
    attempt = Attempt.begin(puzzle)
    with pytest.raises(InvalidAction):
        attempt.answer("nonsense")
    answer = attempt.answer("side north")
    assert (answer.right, answer.legal) == (False, False)
    assert typed_action(attempt, attempt.shown.upper()) == attempt.shown
    with pytest.raises(ExerciseError):
        attempt.after("side north")
    assert played(attempt, attempt.shown).last is not None


# The tool.


def test_the_tool_goes_on_where_it_was_and_finds_the_same_again(tmp_path: Path) -> None:
    def found(folder: str) -> Pool:
        return Pool(tmp_path / folder, "abissal")

    (tmp_path / "broken").mkdir()
    whole = found("whole")
    assert list(fill(whole, 1, 50, 3)) == list(range(3))
    whole.save()
    first = found("broken")
    assert len(list(fill(first, 1, 50, 1))) == 1
    first.save()
    second = found("broken")
    assert second.next == 1
    assert list(islice(fill(second, 1, 50, 100), 2)) == [1, 2]
    second.save()
    assert files(tmp_path / "whole") == files(tmp_path / "broken")
    assert whole.counts["kept"] == len(whole.kept) > 0
    assert whole.counts["looked at"] > whole.counts["found"] >= whole.counts["kept"]
    assert any(reason.startswith("thrown away") for reason in whole.counts)
    assert list(fill(found("whole"), 1, 0, 100)) == []


def files(folder: Path) -> dict[str, Any]:
    return {file.name: file.read_text("ascii") for file in folder.iterdir()}
