"""Blunders that nobody who tunes reviews has chosen: a review finds each, at its turn, with the right figure.

`blunders.jsonl` has six a game, from matches of weak computers. The first that a rule met were taken, and a draw among
the losing actions. The rules alone tell what each costs, as they do here: they try everything, and know no judgement.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import combinations
from math import inf
from pathlib import Path
from statistics import fmean
from typing import Any, Final

import pytest

from games.core import Stage, State
from games.log import Course, Header, Line, parse_log
from matches.analysis.judging import LOOKS, MISTAKE, look, survey
from matches.analysis.progress import OPTIONS, OUTLINE, SURVEY, Moment, Plan, Step
from matches.computers.known import known
from tests.matches.test_review import played

PLANTED: Final = [
    json.loads(line) for line in Path(__file__).with_name("blunders.jsonl").read_text("ascii").splitlines()
]
FIRST: Final = {each["kind"].partition(",")[0]: number for number, each in reversed([*enumerate(PLANTED)])}
NUMBERS: Final = [
    pytest.param(number, id=f"{each['kind']}-{number}", marks=() if number in FIRST.values() else pytest.mark.soak)
    for number, each in enumerate(PLANTED)
]
"""One of each game is in the usual tests."""


@pytest.mark.parametrize("number", NUMBERS)
def test_a_planted_blunder_is_found_at_its_turn_with_the_right_figure(number: int) -> None:
    kind, blunder = PLANTED[number]["kind"], PLANTED[number]["played"]
    header, lines = parse_log("\n".join(PLANTED[number]["log"]) + "\n")
    state = Course.begin(header).through(lines).state
    plan = Plan(header, (*lines, Line(len(lines), state.current_player, blunder)), frozenset({state.current_player}))
    (moment,) = moments(plan)
    assert (moment.decision.ply, moment.decision.text) == (len(lines), blunder)
    worth = {text: MEASURES[kind](header, lines, text) for text in (blunder, moment.better)}
    cost = worth[moment.better] - worth[blunder]
    if kind == IN_PIPS:
        # The reference looks three turns ahead.
        assert cost >= 2
        assert moment.lead == pytest.approx(cost, abs=2)
        assert moment.loss >= MISTAKE
    else:
        assert cost == 1, "the match, or the round"
        assert moment.loss == pytest.approx(cost, abs=0.1)


def moments(plan: Plan) -> list[Moment]:
    """What is told of the last decision, if all others are right. How the match went isn't computed."""
    results: dict[str, Any] = {Step(SURVEY, each.ply).key: [each.text, 0.0, False] for each in plan.decisions[:-1]}
    results |= {Step(OUTLINE, number=number).key: [] for number in range(len(plan.plies))}
    while (step := plan.next_step(results)) is not None and step.kind != OPTIONS:
        results[step.key] = plan.do(step)
    return plan.moments(results, plan.decisions[-1].seat)


@pytest.mark.soak
@pytest.mark.parametrize("game", ["gambo", "ambush", "abissal"])
def test_of_200_decisions_at_ends_at_most_one_is_accused_falsely(game: str) -> None:
    """By full search: with three duels left or fewer, within the last four turns, or with four cards or fewer."""
    judged, falsely = 0, list[tuple[int, str]]()
    for seed in range(400):
        header = Header(game, 2)
        course, lines = Course.begin(header), played(header, seed, good=frozenset({0, 1}))
        for line in lines:
            state: Any = course.state
            course = course.after(line, trusted=True)
            if state.rounds_over or state.current_player < 0 or judged == 200:
                continue
            match game:
                case "gambo":
                    late = len(state.duels) >= 6
                case "ambush":
                    late = line.ply >= len(lines) - 4
                case _:
                    late = max(map(int.bit_count, state.hands)) <= 4
            if not late or len(state.legal_actions(line.player)) < 2:
                continue
            judged += 1
            knows = known(state)
            better, possible, _ = survey(knows, line.text)
            looks = (look(knows, line.text, better, number) for number in range(1, LOOKS + 1))
            if possible >= MISTAKE and all(each.low >= MISTAKE for each in looks):
                one, other = (MEASURES[game](header, lines[: line.ply], text) for text in (better, line.text))
                falsely += [(seed, line.text)] if one <= other else []
    assert judged == 200
    assert len(falsely) <= 1, falsely


def ended(state: State[Any], player: int, low: float = 0.0, high: float = 1.0) -> float:
    """What a player has at the end of the match, or of the round, if both play best: 1 won, 0.5 shared, 0 lost."""
    outcome = state.outcome()
    if outcome is not None:
        return (player in outcome.winners) / len(outcome.winners)
    if state.rounds_over:
        result: Any = state
        return float(result.results[-1].places[0] == player)
    mover = state.current_player
    for action in state.legal_actions(mover):
        value = ended(state.child(mover, action), player, low, high)
        low, high = (max(low, value), high) if mover == player else (low, min(high, value))
        if low >= high:
            break
    return low if mover == player else high


def lead_after(state: State[Any], player: int, turns: int, low: float = -inf, high: float = inf) -> float:
    """The lead of a player after so many more turns, if both play for it alone."""
    if state.is_terminal or (turns <= 0 and state.stage is Stage.TURN):
        return state.returns()[player] - state.returns()[1 - player]
    mover = state.current_player
    following = [state.child(mover, action) for action in state.legal_actions(mover)]
    left = turns - (state.stage is Stage.TURN)
    for child in sorted(following, key=lambda each: each.returns()[1 - mover] - each.returns()[mover]):
        value = lead_after(child, player, left, low, high)
        low, high = (max(low, value), high) if mover == player else (low, min(high, value))
        if low >= high:
            break
    return low if mover == player else high


def hands_of(header: Header, lines: tuple[Line, ...]) -> Iterator[State[Any]]:
    """The position of a round of two in Abissal with each hand that the other player could have."""
    course = Course.begin(header).through(lines)
    shown: Any = course.state.open_observation()
    other = 1 - course.state.current_player
    held = shown.hands[other]
    dealt = lines[0].text.removeprefix("deal ").split("/")
    played = [card for card in dealt[other].split(",") if card not in held]
    order = [f"{suit}{number}" for suit in "OYTBP" for number in range(1, 6)]
    for cards in combinations((*held, *shown.aside), len(held)):
        dealt[other] = ",".join(sorted([*played, *cards], key=order.index))
        first = lines[0]._replace(text=f"deal {'/'.join(dealt)}")
        yield Course.begin(header).through((first, *lines[1:])).state


def _result(state: State[Any], text: str) -> float:
    """What an action of the current player wins."""
    player = state.current_player
    return ended(state.child(player, state.string_to_action(player, text)), player)


def _at_the_end(header: Header, lines: tuple[Line, ...], text: str) -> float:
    return _result(Course.begin(header).through(lines).state, text)


def _against_every_hand(header: Header, lines: tuple[Line, ...], text: str) -> float:
    return fmean(_result(world, text) for world in hands_of(header, lines))


def _in_pips(header: Header, lines: tuple[Line, ...], text: str) -> float:
    state = Course.begin(header).through(lines).state
    player = state.current_player
    return lead_after(state.child(player, state.string_to_action(player, text)), player, 3)


def _who_closes(header: Header, lines: tuple[Line, ...], text: str) -> float:
    """1 if the action ends the match and wins it, 0 if the other player can then do that."""
    state = Course.begin(header).through(lines).state
    player = state.current_player
    child = state.child(player, state.string_to_action(player, text))
    ends = [child] if child.is_terminal else [child.child(1 - player, each) for each in child.legal_actions(1 - player)]
    winners = {outcome.winners for end in ends if (outcome := end.outcome()) is not None}
    assert winners & {(0,), (1,)}
    return float((player,) in winners)


IN_PIPS: Final = "ambush, pips"
MEASURES: Final[Mapping[str, Any]] = {
    "gambo": _at_the_end,
    "ambush": _at_the_end,
    IN_PIPS: _in_pips,
    "abissal": _against_every_hand,
    "ambagibus": _who_closes,
}
"""By kind, what an action of the current player is worth by the rules alone."""
