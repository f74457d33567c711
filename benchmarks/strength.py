"""How strong the computer players of the open games are, against a player who shares nothing with their search.

The yardstick is plain alpha-beta with rules of thumb of its own, by the clock: for a move it gets the CPU that the
level has used for its own moves of the match in the mean. Every deal is played from both seats. A level that has a goal
plays until Wald's sequential test can tell the goal from a score that is `LESS` below it, with an error of `ERROR`
either way, or until there are no more deals: then it is undecided, which is no failure. The other levels play a fixed
number of deals. The table is printed, and stands in ``docs/computer-players.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from math import inf, log
from multiprocessing import get_context
from random import Random
from statistics import mean, pvariance
from typing import Any, Final, NamedTuple

from benchmarks.measure import CLOCK
from benchmarks.players import Chooser, Table, chooser, interval, left_behind, positions, write
from games.ambush import AmbushState
from games.core import Stage, State
from games.gambo import GamboState
from games.gambo.components import result
from matches.computers import Level

LESS: Final = 0.10
ERROR: Final = 0.05
SPREAD: Final = 0.02
"""The least variance of a deal's score that the test believes in: the first few deals may all end alike."""

FEWEST: Final = 6
"""Before so many deals nothing is decided."""

REACHED, MISSED, UNDECIDED = "reached", "missed", "undecided"
_WORKERS: Final = 2
_WON: Final = 1000.0


class Trial(NamedTuple):
    """A level that plays the yardstick with a part (`effort`) of what it looks at in a match; `goal` 0 is none."""

    table: Table
    level: Level
    effort: float
    goal: float = 0.0


class Deal(NamedTuple):
    """One deal of a trial, which is played from both seats."""

    trial: Trial
    number: int


def trials(effort: float) -> list[Trial]:
    """All that is played, where the highest level has this part of what it looks at."""
    goals = {Table("ambush", 2): 0.60, Table("gambo", 2): 0.75}
    return [
        Trial(table, level, part, goal if level is Level.EXPERT else 0.0)
        for table, goal in goals.items()
        for level, part in ((Level.EASY, 1.0), (Level.NORMAL, 4 * effort), (Level.HARD, effort), (Level.EXPERT, effort))
    ]


def run(quick: bool) -> bool:
    """Play, print the table, write it into the document; whether no goal is missed."""
    effort, most, others = (0.05, 40, 6) if quick else (0.2, 120, 20)
    rows, kept = [], True
    with ProcessPoolExecutor(_WORKERS, get_context("spawn")) as pool:
        for trial in trials(effort):
            scores, verdict = played(trial, pool.map, most if trial.goal else others)
            kept &= verdict != MISSED
            rows.append(_row(trial, scores, verdict))
            print(rows[-1], flush=True)
    text = "\n".join([*_head(), *rows, ""])
    print(text)
    write("strength", text)
    return kept


def played(
    trial: Trial, many: Callable[[Callable[[Deal], float], list[Deal]], Iterator[float]], most: int
) -> tuple[list[float], str]:
    """The scores of the deals that were needed, two at a time, and what they say about the goal."""
    scores: list[float] = []
    verdict = None
    while verdict is None and len(scores) < most:
        scores += many(score, [Deal(trial, len(scores) + number) for number in range(_WORKERS)])
        verdict = decided(scores, trial.goal) if trial.goal else None
    return scores, verdict or (UNDECIDED if trial.goal else "")


def decided(scores: Sequence[float], goal: float) -> str | None:
    """What the sequential test says: the goal is reached or missed; ``None`` while it cannot tell.

    The logarithm of how much likelier the scores are with a mean of `goal` than of `goal` - `LESS`, as normal ones.
    """
    if len(scores) < FEWEST:
        return None
    likelier = LESS / max(pvariance(scores), SPREAD) * sum(each - (goal - LESS / 2) for each in scores)
    enough = log((1 - ERROR) / ERROR)
    return REACHED if likelier >= enough else MISSED if likelier <= -enough else None


def _head() -> list[str]:
    return [
        f"A goal is reached, or not, where scores of the goal and {LESS:.2f} less can be told apart with {ERROR:.0%} "
        "errors.",
        "",
        "| game | level | part of its work in a match | deals | score | 95 % interval | goal | |",
        "|---|---|---|---|---|---|---|---|",
    ]


def _row(trial: Trial, scores: Sequence[float], verdict: str) -> str:
    goal = f"{trial.goal:.2f}" if trial.goal else ""
    cells = (trial.table, trial.level, f"{trial.effort:.0%}", len(scores), *interval(scores), goal, verdict)
    return f"| {' | '.join(map(str, cells))} |"


def score(deal: Deal) -> float:
    """What the level scores in one deal, the mean of both seats."""
    return mean(_match(deal, seat) for seat in range(2))


def _match(deal: Deal, seat: int) -> float:
    trial, rng = deal.trial, Random(f"{deal} {seat}")
    player, spent = chooser(trial.level, trial.effort, rng), list[float]()

    def measured(state: State[Any], mover: int, lines: list[tuple[int, Any]]) -> Any:
        begun = CLOCK()
        action = player(state, mover, lines)
        spent.append(CLOCK() - begun)
        return action

    def held(state: State[Any], mover: int, lines: list[tuple[int, Any]]) -> Any:
        if not spent:
            # Who begins the match cannot know yet what the other one will need.
            measured(state, mover, lines)
        return Yardstick(state, mean(spent), rng).choose()

    choosers: dict[int, Chooser] = {seat: measured, 1 - seat: held}
    *_, end = positions(trial.table, deal.number, lambda _, mover: choosers[mover])
    return left_behind(end, seat)


class OutOfTime(Exception):
    """The yardstick has used all its CPU."""


class Yardstick:
    """Plain alpha-beta for one move: always a turn deeper, until the time is up."""

    def __init__(self, state: State[Any], seconds: float, rng: Random) -> None:
        self._state = state
        self._until = CLOCK() + seconds
        self._worth = THUMBS[type(state)]
        self._rng = rng

    def choose(self) -> Any:
        """The best action of the last look that was finished, or begun with a better one."""
        player = self._state.current_player
        actions = list(self._state.legal_actions(player))
        self._rng.shuffle(actions)
        best = actions[0]
        for depth in range(1, self._state.info.max_game_length):
            most, self._open = -inf, False
            try:
                for action in actions:
                    value = self._after(self._state, action, depth, most, inf)
                    if value > most:
                        most, best = value, action
            except OutOfTime:
                break
            if not self._open or len(actions) == 1 or abs(most) >= _WON:
                break
            actions.remove(best)
            actions.insert(0, best)
        return best

    def _after(self, state: State[Any], action: Any, depth: int, low: float, high: float) -> float:
        player = state.current_player
        return self._to(player, state.child(player, action), depth - (state.stage is Stage.TURN), low, high)

    def _to(self, player: int, state: State[Any], depth: int, low: float, high: float) -> float:
        """What a position is worth to `player`, whoever is on turn."""
        if CLOCK() > self._until:
            raise OutOfTime
        lead = state.returns()[player] - state.returns()[1 - player]
        outcome = state.outcome()
        if outcome is not None:
            return lead + (0.0 if len(outcome.winners) > 1 else _WON if player in outcome.winners else -_WON)
        if depth <= 0:
            self._open = True
            return lead + self._worth(state, player)
        mover = state.current_player
        if mover != player:
            return -self._to(mover, state, depth, -high, -low)
        if depth == 1:
            following: Sequence[Any] = state.legal_actions(player)
        else:
            gains = {action: self._gain(state, action) for action in state.legal_actions(player)}
            following = sorted(gains, key=gains.__getitem__, reverse=True)
        best = -inf
        for action in following:
            best = max(best, self._after(state, action, depth, max(low, best), high))
            if best >= high:
                break
        return best

    def _gain(self, state: State[Any], action: Any) -> float:
        player = state.current_player
        points = state.child(player, action).returns()
        return points[player] - points[1 - player]


def _rows_of_three() -> list[tuple[int, int, int]]:
    """Three squares of the six by six in a row, both ways, in all directions."""
    steps = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]
    return [
        (6 * row + column, 6 * (row + down) + column + right, 6 * (row + 2 * down) + column + 2 * right)
        for row in range(6)
        for column in range(6)
        for down, right in steps
        if 0 <= row + 2 * down < 6 and 0 <= column + 2 * right < 6
    ]


_ROWS_OF_THREE: Final = _rows_of_three()


def ambushes(state: State[Any], player: int) -> float:
    """What stands between a stack of the other and a square that the other could use, if it is weak enough."""
    assert isinstance(state, AmbushState)
    worst = [0.0, 0.0]
    for far, middle, near in _ROWS_OF_THREE:
        owner = state.board[middle].owner
        if owner >= 0 and state.board[far].owner == 1 - owner and state.board[near].owner != owner:
            power = state.board[far].strength + state.board[near].strength
            if power + 2 > state.board[middle].strength:
                worst[owner] = max(worst[owner], float("SML".index(state.board[middle].sizes[-1]) + 1))
    mine, theirs = worst[player], worst[1 - player]
    return 0.6 * theirs - 0.3 * mine if state.current_player == player else 0.3 * theirs - 0.6 * mine


def neighbours(state: State[Any], player: int) -> float:
    """The best duel that each of the two could attack with, more for who is on turn."""
    assert isinstance(state, GamboState)
    if not state.sides:
        return 0.0
    best = [0.0, 0.0]
    for left, right in pairwise(state.corridor):
        if left % 2 != right % 2:
            for own, other in ((left, right), (right, left)):
                wins, points = result(state.pieces[own], state.pieces[other])
                who = state.sides.index(own % 2)
                best[who] = max(best[who], points if wins else 0.0)
    weights = (0.7, 0.3) if state.current_player == player else (0.3, 0.7)
    return weights[0] * best[player] - weights[1] * best[1 - player]


THUMBS: Final[dict[type[State[Any]], Callable[[State[Any], int], float]]] = {
    AmbushState: ambushes,
    GamboState: neighbours,
}
"""Rules of thumb of the yardstick by game: what a position is worth beside the lead in points."""
