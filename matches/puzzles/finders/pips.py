"""Ambush: the best capture of one turn, and of two turns with the opponent's turn in between. Both are exact.

What counts is the lead in captured pips at the end of those turns.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import chain
from math import inf
from typing import Any, Final

from games.ambush import AmbushState
from games.ambush.board import COASTER_OF, SIDE
from games.ambush.components import SQUARES
from games.core import Stage
from matches.puzzles.finders.found import Dropped, Found, grouped, of_few_steps, share_of
from matches.puzzles.kinds import ahead
from matches.puzzles.puzzle import Step, Way

LEAST_CAPTURE: Final = 3
LEAST_AMOUNTS: Final = 3
"""The actions must bring at least this many different amounts, or the best one is too easy to choose."""
LARGEST_SHARE: Final = 0.06
LEAST_SETUP: Final = 2
MOST_LINES: Final = 160_000
"""The most lines of three turns: whoever checks a setup tries them all."""
MOST_WAYS: Final = 4
_REMEMBERED: Final = 8


def find_capture(state: AmbushState) -> Found:
    """Return the puzzle of one turn at a position. Raises Dropped."""
    _check(state)
    player = state.current_player
    before = ahead(state, player)
    values = {action: _best(state.child(player, action), player, 0) - before for action in state.legal_actions(player)}
    most = max(values.values())
    if most < LEAST_CAPTURE:
        raise Dropped("captures little")
    if len({value for value in values.values() if value > 0}) < LEAST_AMOUNTS:
        raise Dropped("few amounts to choose from")
    right = [action for action, value in values.items() if value == most]
    share = share_of(right, values, LARGEST_SHARE, "many actions are best")
    if all(len(state.child(player, action).last_captures) == 1 for action in right):
        raise Dropped("a single capture is best")
    first = _capture_step(state, player, before + most)
    near = tuple(state.action_to_string(action) for action, value in values.items() if value == most - 1)
    return Found("capture", first._replace(good=near), symmetry(state), share, most)


def find_setup(state: AmbushState) -> Found:
    """Return the puzzle of two turns at a position. Raises Dropped."""
    _check(state)
    player = state.current_player
    actions = state.legal_actions(player)
    answers = len(state.evolve(current_player=1 - player, turned=None).legal_actions(1 - player))
    if len(actions) * answers * len(actions) > MOST_LINES:
        raise Dropped("too many lines")
    before = ahead(state, player)
    now = {action: _best(state.child(player, action), player, 0) for action in actions}
    order = sorted(actions, key=now.__getitem__, reverse=True)
    best: float = -inf
    found = _Answers(player)
    right: list[Any] = []
    for action in order:
        value = found.worst(state.child(player, action), best)
        if value > best:
            best, right = value, []
        if value == best:
            right.append(action)
    amount = round(best) - before
    if amount < LEAST_SETUP:
        raise Dropped("brings little in two turns")
    if any(now[action] == max(now.values()) for action in right):
        raise Dropped("the best capture is right")
    share = len(right) / len(actions)
    if share > LARGEST_SHARE or len(right) > MOST_WAYS:
        raise Dropped("many actions are best")
    ways = [_setup_way(state, action, player, round(best)) for action in right]
    wrong = {
        state.action_to_string(action): [found.refutation(state.child(player, action), round(best))]
        for action in actions
        if action not in right
    }
    first = of_few_steps(Step(tuple(ways), (), grouped(wrong)))
    return Found("setup", first, symmetry(state), share, amount)


def _check(state: AmbushState) -> None:
    if state.first is None or state.stage is not Stage.TURN:
        raise Dropped("not at the beginning of a turn")


def _best(state: AmbushState, player: int, turns: int) -> int:
    """Return the player's best lead after the rest of this turn (`turns` 0), or after their next turn (1)."""
    if state.current_player == player and (turns or state.stage is Stage.STEPS):
        left = turns if state.stage is Stage.STEPS else 0
        return max(_best(state.child(player, action), player, left) for action in state.legal_actions(player))
    return ahead(state, player)


def _over_answer(state: AmbushState, player: int) -> list[tuple[str, AmbushState]]:
    """Return every way in which the opponent can finish the turn that they are in: the lines, the position."""
    return [end for action in state.legal_actions(1 - player) for end in _finished(state, action, player)]


def _finished(state: AmbushState, action: Any, player: int) -> list[tuple[str, AmbushState]]:
    """Return every way in which the opponent's turn can end after an action: the lines, the position."""
    opponent = 1 - player
    after = state.child(opponent, action)
    text = f"{opponent} {state.action_to_string(action)}"
    if after.stage is Stage.STEPS:
        return [(f"{text};{more}", end) for more, end in _over_answer(after, player)]
    return [(text, after)]


class _Answers:
    """The opponent's answers to the first of two turns. It remembers the strong ones, and what was best after them."""

    def __init__(self, player: int) -> None:
        self._player = player
        self._strong: list[Any] = []
        self._favourites: list[Any] = []

    def worst(self, state: AmbushState, bound: float) -> float:
        """Return the player's lead after the worst answer and their next turn.

        If that is less than `bound`, the result is only some value below `bound`.
        """
        player = self._player
        if state.current_player == player:  # They order their captures.
            return max(self.worst(state.child(player, each), bound) for each in state.legal_actions(player))
        if state.current_player < 0:
            return ahead(state, player)
        worst: float = inf
        for action in _first(self._strong, state.legal_actions(1 - player)):
            for _, end in _finished(state, action, player):
                worst = min(worst, self._next_turn(end, worst))
            if worst < bound:
                _remember(self._strong, action)
                return worst
        return worst

    def _next_turn(self, state: AmbushState, enough: float) -> float:
        """Return the best lead after the player's next turn, or at least `enough` once it's reached."""
        player = self._player
        if state.current_player != player:
            return ahead(state, player)
        best: float = -inf
        for action in _first(self._favourites, state.legal_actions(player)):
            value = _best(state.child(player, action), player, 0)
            if value >= enough:
                _remember(self._favourites, action)
                return value
            best = max(best, value)
        return best

    def refutation(self, state: AmbushState, value: int) -> str:
        """Return an answer that keeps the player below a lead; an empty one if it needs none.

        Lines of one turn are joined by semicolons.
        """
        player = self._player
        if state.current_player != 1 - player:
            return ""
        for action in _first(self._strong, state.legal_actions(1 - player)):
            for text, end in _finished(state, action, player):
                if self._next_turn(end, value) < value:
                    _remember(self._strong, action)
                    return text
        raise AssertionError("a wrong action has an answer")


def _first(known: Sequence[Any], actions: Sequence[Any]) -> list[Any]:
    """Return the actions, the known ones first."""
    legal = {*actions}
    early = [action for action in known if action in legal]
    return [*early, *(action for action in actions if action not in early)]


def _remember(known: list[Any], action: Any) -> None:
    if action in known:
        known.remove(action)
    known.insert(0, action)
    del known[_REMEMBERED:]


def _setup_way(state: AmbushState, action: Any, player: int, value: int) -> Way:
    """Return how a right action goes on: the answer after which the fewest actions bring what it promised."""
    after = state.child(player, action)
    text = state.action_to_string(action)
    if after.stage is Stage.STEPS and after.current_player == player:
        raise Dropped("captures to be ordered")
    if after.current_player < 0:
        return Way(text)
    hardest: tuple[float, str, AmbushState] | None = None
    for answer, end in _over_answer(after, player):
        if end.current_player != player:
            continue
        actions = end.legal_actions(player)
        enough = sum(_best(end.child(player, each), player, 0) >= value for each in actions)
        # Most answers change nothing. The best one leaves the fewest actions that are enough. Ties go by its text.
        key = (enough / len(actions), answer, end)
        if hardest is None or key[:2] < hardest[:2]:
            hardest = key
    if hardest is None or hardest[0] == 1:
        return Way(text)
    _, answer, end = hardest
    return Way(text, tuple(answer.split(";")), _capture_step(end, player, value))


def _capture_step(state: AmbushState, player: int, value: int) -> Step:
    """Return the step whose right actions reach a lead by the end of this turn."""
    ways = []
    for action in state.legal_actions(player):
        after = state.child(player, action)
        if _best(after, player, 0) >= value:
            text = state.action_to_string(action)
            following = None
            if after.stage is Stage.STEPS and after.current_player == player:
                enough = [_best(after.child(player, each), player, 0) >= value for each in after.legal_actions(player)]
                following = None if all(enough) else _capture_step(after, player, value)
            ways.append(Way(text, (), following))
    if len(ways) > MOST_WAYS:
        raise Dropped("many actions are best")
    return Step(tuple(ways))


def symmetry(state: AmbushState) -> Hashable:
    """Return a key that is the same for positions that differ only in names, or in a turn or reflection."""
    player = state.current_player
    barred = state.turned.coaster if state.turned else None
    stacks = [(0 if stack.owner < 0 else 1 + (stack.owner != player), stack.sizes) for stack in state.board]
    alike = min(
        (
            tuple(stacks[square] for square in order),
            tuple(place for place, square in enumerate(order) if COASTER_OF[square] == barred),
        )
        for order in _orders()
    )
    trees = (state.trees[player], state.trees[1 - player])
    return repr((alike, trees, state.first == player))


def _orders() -> Iterator[tuple[int, ...]]:
    """Yield the squares in the orders in which they lie after a turn or a reflection of the board."""
    rows = [tuple(range(first, first + SIDE)) for first in range(0, len(SQUARES), SIDE)]
    for _ in range(4):
        rows = [*zip(*rows[::-1], strict=True)]
        yield tuple(chain(*rows))
        yield tuple(chain(*rows[::-1]))
