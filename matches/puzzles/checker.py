"""Checks proven puzzles by trying everything: the rules alone, with no search, no judgement and no finder.

It imports nothing that helps to find puzzles (`tests/matches/puzzles/test_puzzles.py` checks that), so an error there
can't hide here. Whatever is hidden is tried in every way that is still possible: each is a log of its own, replayed by
the rules.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, permutations
from typing import Any, Final

from games.core import ActionError, State
from games.log import Course, Line, LogError, parse_log, parse_told
from matches.puzzles.puzzle import RULED_OUT, TOO_FAR, Odds, Places, Puzzle, Shelf, Step

Worlds = tuple[State[Any], ...]
"""Positions that look alike to the solver. In games without hidden information there's one."""

Told = tuple[tuple[int, str], ...]
"""The lines since the puzzle began: who, what."""


def problems(puzzle: Puzzle) -> list[str]:
    """Return what is wrong with a proven puzzle, a sentence each; empty if it's proven again.

    It may take some seconds. A judged puzzle is only checked for lines that fit.
    """
    check = _CHECKS[puzzle.kind](puzzle) if puzzle.shelf is Shelf.PROVEN else _Fitting(puzzle)
    return list(check.problems())


class _Check(ABC):
    """What all checks share: it walks through every solution."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.seat = puzzle.seat
        self._logs = tuple(self.logs())
        self._known: dict[Hashable, bool] = {}

    def problems(self) -> Iterator[str]:
        """Yield what is wrong with the puzzle."""
        match self.puzzle.first:
            case Step():
                yield from self.found(self.puzzle.first, (), 1)
            case Places():
                yield from self.places(self.puzzle.first)
            case Odds():
                yield from self.odds(self.puzzle.first)

    # What a kind decides.

    def places(self, asked: Places) -> Iterator[str]:
        """Yield what is wrong with an answer that is places."""
        yield "this kind has no places"

    def odds(self, asked: Odds) -> Iterator[str]:
        """Yield what doesn't fit in an answer that is odds. They aren't proven."""
        worlds = self.after(())
        if not worlds or worlds[0].current_player != self.seat:
            yield "it isn't the solver's turn"
            return
        if len(asked.chances) != self.puzzle.header.players - 1:
            yield "there must be odds for each other player"
        if not all(0 <= each <= 1000 for each in (*asked.chances, asked.base)):
            yield "odds aren't between 0 and 1000"
        lines = {line.ply: line for line in self._logs[0]}
        if not all(each.ply in lines and lines[each.ply].player == each.seat >= 0 for each in asked.moved):
            yield "what moved somebody's odds isn't a turn of theirs"

    def logs(self) -> Iterable[tuple[Line, ...]]:
        """Return the lines of every world: of every match that looked the same to the solver so far."""
        return (parse_log(self.puzzle.log)[1],)

    @abstractmethod
    def right(self, worlds: Worlds, action: str, number: int) -> bool:
        """Return whether an action is right at the solver's move of this `number`, from 1."""

    def refutes(self, worlds: Worlds, action: str, number: int, answer: Told, holding: Sequence[str]) -> bool:
        """Return whether an answer shows that a wrong action is wrong."""
        return not self.right(worlds, action, number)

    def answered(self, state: State[Any], action: str, answer: Told) -> State[Any] | None:
        """Return the position after an action and the only opponent's answer; ``None`` if it isn't legal."""
        state = _played(state, self.seat, action)
        try:
            for player, text in answer:
                state = _played(state, player, text)
        except ActionError:
            return None
        return state if all(player == 1 - self.seat for player, _ in answer) else None

    def whole(self, worlds: Worlds) -> Iterator[str]:
        """Yield what is wrong with the puzzle as a whole."""
        return iter(())

    # What follows from that.

    def found(self, step: Step, told: Told, number: int) -> Iterator[str]:
        """Yield what is wrong with a step and those after it."""
        worlds = self.after(told)
        if not worlds or any(world.current_player != self.seat for world in worlds):
            yield f"move {number}: it isn't the solver's turn"
            return
        if number == 1:
            yield from self.whole(worlds)
        state = worlds[0]
        texts = [state.action_to_string(action) for action in state.legal_actions(self.seat)]
        truly = {text for text in texts if self.right(worlds, text, number)}
        called = {way.action for way in step.right}
        yield from (f"move {number}: {text} is right and not in the list" for text in sorted(truly - called))
        yield from (f"move {number}: {text} isn't right" for text in sorted(called - truly))
        if len(truly) == len(texts):
            yield f"move {number}: everything is right"
        yield from (f"move {number}: {text} isn't a wrong action" for text in step.good if text not in {*texts} - truly)
        for refuted in step.refuted:
            named = {text for each in step.refuted for text in each.actions}
            for text in refuted.actions or [text for text in texts if text not in {*named, *truly, *step.good}]:
                if not self.refutes(worlds, text, number, tuple(map(parse_told, refuted.lines)), refuted.holding):
                    yield f"move {number}: {', '.join(refuted.lines)} doesn't refute {text}"
        yield from self.ways(step, told, number)

    def ways(self, step: Step, told: Told, number: int) -> Iterator[str]:
        """Yield what is wrong with what follows from right actions."""
        for way in step.right:
            then = (*told, (self.seat, way.action), *map(parse_told, way.then))
            if self._replayed(self._logs[0], then) is None:
                yield f"move {number}: {way.then} can't follow {way.action}"
            elif way.next is not None:
                yield from self.found(way.next, then, number + 1)

    def after(self, told: Told) -> Worlds:
        """Return the worlds in which these lines are possible and look alike to the solver. The true one is first."""
        replayed = [self._replayed(log, told) for log in self._logs]
        worlds = [state for state in replayed if state is not None]
        if not worlds or replayed[0] is None:
            return ()
        seen = worlds[0].observation(self.seat)
        return tuple(world for world in worlds if world.observation(self.seat) == seen)

    def _drawn(self, verb: str, others: Callable[[str], Iterable[str]]) -> Iterator[tuple[Line, ...]]:
        """Yield the lines of the log as they would be with each of `others` in the only line of this verb.

        `others` takes what was drawn there, which comes first.
        """
        _, lines = parse_log(self.puzzle.log)
        (drawn,) = [line for line in lines if line.text.startswith(verb)]
        true = drawn.text.removeprefix(verb)
        for text in dict.fromkeys((true, *others(true))):
            yield (*lines[: drawn.ply], drawn._replace(text=f"{verb}{text}"), *lines[drawn.ply + 1 :])

    def _replayed(self, log: Sequence[Line], told: Told) -> State[Any] | None:
        more = (Line(ply, *each) for ply, each in enumerate(told, len(log)))
        try:
            return Course.begin(self.puzzle.header).through((*log, *more)).state
        except LogError:
            return None


class _Fitting(_Check):
    """Calls right what the puzzle calls right: only the actions and lines are checked."""

    def right(self, worlds: Worlds, action: str, number: int) -> bool:
        return True

    def found(self, step: Step, told: Told, number: int) -> Iterator[str]:
        """Yield which actions and lines don't fit."""
        before = self._replayed(self._logs[0], told)
        if before is None or before.current_player != self.seat:
            yield f"move {number}: it isn't the solver's turn"
            return
        texts = {before.action_to_string(action) for action in before.legal_actions(self.seat)}
        named = [way.action for way in step.right] + [*step.good]
        named += [text for refuted in step.refuted for text in refuted.actions]
        yield from (f"move {number}: {text} isn't possible" for text in named if text not in texts)
        yield from (f"move {number}: {text} is named twice" for text, times in Counter(named).items() if times > 1)
        if texts <= {*named[: len(step.right) + len(step.good)]}:
            yield f"move {number}: nothing is wrong"
        for refuted in step.refuted:
            for text in refuted.actions or texts - {*named}:
                if self._replayed(self._logs[0], (*told, (self.seat, text), *map(parse_told, refuted.lines))) is None:
                    yield f"move {number}: {', '.join(refuted.lines)} can't follow {text}"
        yield from self.ways(step, told, number)


class _Force(_Check):
    """Gambo: every line is played to the end."""

    def right(self, worlds: Worlds, action: str, number: int) -> bool:
        return self._wins(_played(worlds[0], self.seat, action))

    def refutes(self, worlds: Worlds, action: str, number: int, answer: Told, holding: Sequence[str]) -> bool:
        state = self.answered(worlds[0], action, answer)
        return state is not None and not self._wins(state)

    def _wins(self, state: Any) -> bool:
        if state.is_terminal:
            return bool(state.outcome().winners == (self.seat,))
        mover = state.current_player
        legal = state.legal_actions(mover)
        # All that the rest of the match depends on. Whether a swap is barred (G10) is among what is legal.
        key = mover, state.pieces, state.corridor, state.scores, state.swaps_in_a_row, legal
        if key not in self._known:
            ends = (self._wins(state.apply_action(mover, action)) for action in legal)
            self._known[key] = any(ends) if mover == self.seat else all(ends)
        return self._known[key]


class _Pips(_Check):
    """Ambush: the lead in pips after the solver's turns, with every answer in between."""

    turns = 1

    def __init__(self, puzzle: Puzzle) -> None:
        super().__init__(puzzle)
        self._before = self._lead(puzzle.start)

    def whole(self, worlds: Worlds) -> Iterator[str]:
        state = worlds[0]
        more = self._before + self.puzzle.amount + 1
        for action in state.legal_actions(self.seat):
            if self._reaches(state.apply_action(self.seat, action), more, self.turns - 1):
                yield f"{state.action_to_string(action)} brings more than {self.puzzle.amount}"

    def right(self, worlds: Worlds, action: str, number: int) -> bool:
        # Where captures have to be ordered, the solver moves again in the same turn.
        left = 0 if number > 1 else self.turns - 1
        return self._reaches(_played(worlds[0], self.seat, action), self._before + self.puzzle.amount, left)

    def refutes(self, worlds: Worlds, action: str, number: int, answer: Told, holding: Sequence[str]) -> bool:
        state = self.answered(worlds[0], action, answer)
        return state is not None and not self._reaches(state, self._before + self.puzzle.amount, self.turns - 1)

    def _reaches(self, state: Any, lead: int, turns: int) -> bool:
        """Return whether the solver can have this lead after this many turns of theirs, whatever the opponent does."""
        mover = state.current_player
        ordering = bool(mover >= 0 and state.pending)
        mine = mover == self.seat
        if mover < 0 or not (turns or (mine and ordering)):
            return self._lead(state) >= lead
        left = turns - 1 if mine and not ordering else turns
        after = (state.apply_action(mover, action) for action in state.legal_actions(mover))
        ends = (self._reaches(each, lead, left) for each in after)
        return any(ends) if mine else all(ends)

    def _lead(self, state: State[Any]) -> int:
        points = state.returns()
        return round(points[self.seat] - points[1 - self.seat])


class _TwoTurns(_Pips):
    turns = 2


class _Sections(_Check):
    """Ambagibus: the closed sections after every play."""

    def whole(self, worlds: Worlds) -> Iterator[str]:
        state = worlds[0]
        gains = [self._gain(state, state.action_to_string(action)) for action in state.legal_actions(self.seat)]
        if max(gains) != self.puzzle.amount:
            yield f"{max(gains)} sections can be closed, not {self.puzzle.amount}"

    def right(self, worlds: Worlds, action: str, number: int) -> bool:
        return self._gain(worlds[0], action) >= self.puzzle.amount

    def _gain(self, state: State[Any], action: str) -> int:
        return round(_played(state, self.seat, action).returns()[self.seat] - state.returns()[self.seat])


class _Out(_Check):
    """Ambiente Abissal: every hand that the other player could have, and every order in which they could play it."""

    def logs(self) -> Iterable[tuple[Line, ...]]:
        shown: Any = self.puzzle.start.open_observation()
        other = 1 - self.seat
        held = shown.hands[other]

        def deals(true: str) -> Iterator[str]:
            dealt = true.split("/")
            played = [card for card in dealt[other].split(",") if card not in held]
            for cards in combinations((*held, *shown.aside), len(held)):
                dealt[other] = ",".join(sorted([*played, *cards], key=_ABISSAL.index))
                yield "/".join(dealt)

        return self._drawn("deal ", deals)

    def right(self, worlds: Worlds, action: str, number: int) -> bool:
        return self._wins(tuple(_played(world, self.seat, action) for world in worlds))

    def refutes(self, worlds: Worlds, action: str, number: int, answer: Told, holding: Sequence[str]) -> bool:
        world = next((each for each in worlds if _hands(each)[1 - self.seat] == tuple(holding)), None)
        after = None if world is None else self.answered(world, action, answer)
        return after is not None and not self._wins((after,))

    def _wins(self, worlds: tuple[Any, ...]) -> bool:
        """Return whether the solver has one plan that wins in all of these worlds."""
        state = worlds[0]
        if state.rounds_over or state.is_terminal:
            return all(world.results[-1].places[0] == self.seat for world in worlds)
        mover = state.current_player
        key = mover, state.trick, frozenset(world.hands for world in worlds)
        if key not in self._known:
            legal = [world.legal_actions(mover) for world in worlds]
            after = (
                tuple(
                    world.apply_action(mover, action)
                    for world, each in zip(worlds, legal, strict=True)
                    if action in each
                )
                for action in {action for each in legal for action in each}
            )
            ends = map(self._wins, after)
            self._known[key] = any(ends) if mover == self.seat else all(ends)
        return self._known[key]


class _Treasure(_Check):
    """Saboteur: every order of the finish cards that the solver holds possible, and all that their hand can do.

    The others discard.
    """

    def logs(self) -> Iterable[tuple[Line, ...]]:
        return self._drawn("goals ", lambda true: map(",".join, permutations(true.split(","))))

    def whole(self, worlds: Worlds) -> Iterator[str]:
        if self.puzzle.amount > 1:
            for action in worlds[0].legal_actions(self.seat):
                if self._reaches(worlds, action, self._hand(worlds), self.puzzle.amount - 1):
                    yield f"{worlds[0].action_to_string(action)} reaches it sooner"

    def right(self, worlds: Worlds, action: str, number: int) -> bool:
        taken = worlds[0].string_to_action(self.seat, action)
        return self._reaches(worlds, taken, self._hand(worlds), self.puzzle.amount + 1 - number)

    def _hand(self, worlds: Worlds) -> Counter[str]:
        return Counter(worlds[0].observation(self.seat).hand)  # type: ignore[attr-defined]

    def _can(self, worlds: tuple[Any, ...], hand: Counter[str], turns: int) -> bool:
        """Return whether the treasure can be reached in these turns with these cards."""
        seen = worlds[0].observation(self.seat)
        legal = worlds[0].legal_actions(self.seat)
        return any(self._reaches(worlds, action, hand, turns, seen) for action in legal)

    def _reaches(self, worlds: tuple[Any, ...], action: Any, hand: Counter[str], turns: int, seen: Any = None) -> bool:
        """Return whether the treasure can be reached with this action first. `seen`: what the solver sees, if known."""
        state = worlds[0]
        text = state.action_to_string(action)
        # Only a path card reaches anything (S14).
        if turns == 1 and ("@" not in text or text.startswith(("rock", "map"))):
            return False
        seen = state.observation(self.seat) if seen is None else seen
        card = state.notation.choices(seen, action)[0].value
        # A card that was drawn after the question isn't in the hand.
        if not hand[card]:
            return False
        after = [world.apply_action(self.seat, action) for world in worlds]
        going_on = [world for world in after if not world.decided]
        if not going_on or turns == 1:
            return not going_on
        alike: dict[str, list[Any]] = {}
        for world in going_on:
            discarded = _all_discard(world, self.seat)
            if discarded.decided:
                return False
            key = repr(discarded.observation(self.seat)) if len(going_on) > 1 else ""
            alike.setdefault(key, []).append(discarded)
        left = hand - Counter([card])
        return all(self._can(tuple(group), left, turns - 1) for group in alike.values())


class _Gold(_Treasure):
    """Saboteur: every order of the finish cards that the solver holds possible, and every action in it."""

    def places(self, asked: Places) -> Iterator[str]:
        worlds: tuple[Any, ...] = self.after(())
        if not worlds or worlds[0].current_player != self.seat:
            yield "it isn't the solver's turn"
            return
        actions = worlds[0].legal_actions(self.seat)
        for number, why in enumerate(asked.reasons):
            there = [world for world in worlds if world.goals.index("T") == number]
            striking = {
                world.action_to_string(action)
                for world in there
                for action in actions
                if world.apply_action(self.seat, action).decided
            }
            if not there and why != RULED_OUT:
                yield f"place {number} is ruled out"
            elif there and not striking and why != TOO_FAR:
                yield f"place {number} is too far"
            elif striking and why not in striking:
                yield f"{why} doesn't turn up the treasure at place {number}"


_CHECKS: Final[Mapping[str, Callable[[Puzzle], _Check]]] = {
    "force": _Force,
    "capture": _Pips,
    "setup": _TwoTurns,
    "sections": _Sections,
    "out": _Out,
    "treasure": _Treasure,
    "gold": _Gold,
}

_ABISSAL: Final = tuple(f"{suit}{number}" for suit in "GOYTBP" for number in range(1, 7))
"""The order in which hands of Ambiente Abissal are written."""


def _hands(state: Any) -> tuple[tuple[str, ...], ...]:
    found: tuple[tuple[str, ...], ...] = state.open_observation().hands
    return found


def _all_discard(state: Any, seat: int) -> Any:
    """Return the position after all others have discarded a card."""
    while state.current_player != seat and not state.decided:
        mover = state.current_player
        legal = state.legal_actions(mover)
        texts = [state.action_to_string(action) for action in legal]
        state = state.apply_action(
            mover, next(a for a, t in zip(legal, texts, strict=True) if t[:4] in ("drop", "pass"))
        )
    return state


def _played(state: State[Any], player: int, text: str) -> State[Any]:
    return state.apply_action(player, state.string_to_action(player, text))
