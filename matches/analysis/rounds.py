"""The review of a match of Saboteur: when each round turned, whom the table could suspect, and the rules of conduct.

A round is one step. What everybody is told follows from what a spectator saw, and from the roles once they are shown.
What one player is told is in `matches/analysis/broken_rules.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from random import Random
from typing import Any, Final, NamedTuple

from games.log import TABLE, Course, Header, Line
from games.saboteur import SaboteurState
from games.saboteur.actions import Drop
from games.saboteur.components import DIGGER, FINISH, GOALS, TREASURE
from matches.analysis.broken_rules import Fault, Watch
from matches.analysis.outline import Point
from matches.analysis.progress import MOMENTS, Decision, Moment, Plan, Results, Step, Verdict
from matches.computers.judgements.saboteur import chance_of_diggers
from matches.computers.judgements.saboteur.roles import Beliefs, Known
from matches.computers.judgements.saboteur.turns import Seen
from matches.engine.workers import go_on

ROUND: Final = "round"

WORLDS: Final = 16
"""The number of worlds, for each place of the treasure, in which the gold-diggers' odds are computed."""

SWING: Final = 0.1
"""The least change of the gold-diggers' odds in one turn that turns a round."""


class RoundStory(NamedTuple):
    """What everybody may be told of a round.

    Attributes:
        number: from 1.
        plies: the lines of its turns. If the match branched off another one in this round, only those after that.
        seats: whose turn each was.
        odds: the gold-diggers' probability to win, before the first turn and after each.
        believed: by seat how probable it was that it is a saboteur, before the first turn and after each.
        parts: by seat their roles, once the round is decided; else empty.
        winners: the side that has won it; empty if it isn't decided.
    """

    number: int
    plies: tuple[int, ...]
    seats: tuple[int, ...]
    odds: tuple[float, ...]
    believed: tuple[tuple[float, ...], ...]
    parts: str
    winners: str

    @property
    def ahead_since(self) -> int | None:
        """The number of turns after which the winners were always ahead; ``None`` if nobody has won."""
        if not self.winners:
            return None
        behind = [turn for turn, odds in enumerate(self.odds) if (odds > 0.5) != (self.winners == DIGGER)]
        return behind[-1] + 1 if behind else 0


class _Turn(NamedTuple):
    before: SaboteurState
    line: Line
    after: SaboteurState


class RoundsPlan(Plan):
    """What is reviewed of a match of Saboteur."""

    @cached_property
    def _rounds(self) -> tuple[tuple[_Turn, ...], ...]:
        """The turns of each round."""
        rounds, course = list[list[_Turn]](), Course.begin(self.header)
        begins = True
        for line in self.kept:
            before = course.state
            course = course.after(line, trusted=True)
            assert isinstance(before, SaboteurState)
            assert isinstance(course.state, SaboteurState)
            if line.player == TABLE:
                # The review mustn't show what was played in another match.
                rounds.clear()
                begins = True
            elif before.due != "turn":
                begins = True
            else:
                if begins:
                    rounds.append([])
                    begins = False
                rounds[-1].append(_Turn(before, line, course.state))
        return tuple(map(tuple, rounds))

    def _steps(self, results: Results) -> list[Step]:
        return [Step(ROUND, number=number) for number in range(len(self._rounds))]

    def progress(self, results: Results) -> float:
        """Return the share of the rounds that is done, 0 to 1."""
        steps = self._steps(results)
        return sum(step.key in results for step in steps) / len(steps) if steps else 1.0

    def do(self, step: Step) -> Any:
        """Return the result of a round. Raises Stopped soon after the work was cancelled."""
        turns = self._rounds[step.number]
        beliefs = Beliefs(Seen.begin(as_spectator(turns[0].before)))
        watch = Watch(self._ends(turns), turns[0].before.players)
        judged = {decision.ply for decision in self.decisions}
        believed, odds = [beliefs.saboteurs()], [self._odds(beliefs, turns[0].before)]
        for before, line, after in turns:
            go_on()
            action = before.string_to_action(line.player, line.text)
            over = len(after.decided) > len(before.decided)
            found = watch.judge(before, line, action, beliefs) if line.ply in judged else []
            if not over and not before.is_lost:
                beliefs.see(line.player, before.seen_by(None, line.player, action), after.maze.cards)
            believed.append(beliefs.saboteurs())
            watch.note(found, believed[-1][line.player])
            watch.played(line.player, action)
            odds.append(float(after.decided[-1].winners == DIGGER) if over else self._odds(beliefs, after))
        rows = [[round(each, 3) for each in row] for row in believed]
        return [[round(each, 3) for each in odds], rows, [fault.as_json() for fault in watch.faults()]]

    def _ends(self, turns: Sequence[_Turn]) -> str:
        """Return the roles of a round by seat once it is decided, else nothing."""
        before, after = turns[-1].before, turns[-1].after
        return after.decided[-1].roles[:-1] if len(after.decided) > len(before.decided) else ""

    def _odds(self, beliefs: Beliefs, state: SaboteurState) -> float:
        """Return the gold-diggers' probability to win, as a spectator sees it."""
        # The random numbers are the same on every turn, so only what was done changes the odds.
        rng, found, count = Random(0), 0.0, max(2, round(WORLDS * self.effort))
        for treasure, weight in beliefs.treasures():
            goals = goals_with(treasure)
            for roles in rng.choices(*beliefs.roles(Known((treasure,))), k=count):
                dealt = state.resample_from_infostate(None, rng)
                found += weight * chance_of_diggers(dealt.evolve(roles=roles, goals=goals)) / count
        return found

    # What follows.

    def rounds(self, results: Results) -> tuple[RoundStory, ...]:
        """Return what everybody may be told of the rounds that are done."""
        told = []
        for step, turns in zip(self._steps(results), self._rounds, strict=True):
            if step.key not in results:
                continue
            odds, believed, _ = results[step.key]
            roles = self._ends(turns)
            told.append(
                RoundStory(
                    len(turns[0].before.decided) + 1,
                    tuple(turn.line.ply for turn in turns),
                    tuple(turn.line.player for turn in turns),
                    tuple(odds),
                    tuple(map(tuple, believed)),
                    roles,
                    turns[-1].after.decided[-1].winners if roles else "",
                )
            )
        return tuple(told)

    def outline(self, results: Results) -> tuple[Point, ...]:
        """Return nothing: a round has no leads."""
        return ()

    def faults(self, results: Results) -> list[Fault]:
        """Return what the rules of conduct say about all seats, the clearest first."""
        stored = [results[step.key][2] for step in self._steps(results) if step.key in results]
        faults = [Fault.from_json(fault) for each in stored for fault in each]
        return sorted(faults, key=lambda each: (-each.weight, each.decision.ply))

    def moments(self, results: Results, seat: int) -> list[Moment]:
        """Return what the rules of conduct say about a seat, the clearest first, at most `MOMENTS`."""
        return [fault.moment for fault in self.faults(results) if fault.decision.seat == seat][:MOMENTS]

    def story(self, results: Results, *, by_rules: bool) -> list[Moment]:
        """Return what turned each round that was played to its end: the turn that changed the odds most."""
        told = [moment for seat in range(self.header.players) for moment in self.moments(results, seat)]
        faults = {moment.decision.ply: moment for moment in told}
        found = (_turned(*each, faults) for each in zip(self.rounds(results), self._rounds, strict=True))
        return [moment for moment in found if moment is not None]


def _turned(story: RoundStory, turns: Sequence[_Turn], faults: Mapping[int, Moment]) -> Moment | None:
    """Return the turn that changed the odds most for the winners, if one did clearly.

    Either one of them did something that everybody saw, or somebody else broke a rule.
    """
    if not story.winners:
        return None
    sign, best, found = 1 if story.winners == DIGGER else -1, SWING, None
    for (odds, then), (before, line, _) in zip(pairwise(story.odds), turns, strict=True):
        fault, won = faults.get(line.ply), story.parts[line.player] == story.winners
        hidden = isinstance(before.string_to_action(line.player, line.text), Drop)
        if sign * (then - odds) >= best and (fault is None) is won and not (won and hidden):
            best = sign * (then - odds)
            decision = Decision(line.ply, line.player, line.text)
            found = fault or Moment(decision, Verdict.BEST, gainer=line.player)
    return found


def as_spectator(state: SaboteurState) -> SaboteurState:
    """Return the position as a spectator knows it: all that is hidden is dealt anew, always in the same way."""
    return state.resample_from_infostate(None, Random(0))


def goals_with(treasure: int) -> tuple[str, ...]:
    """Return finish cards with the treasure at this place."""
    stones = iter(goal for goal in GOALS if goal != TREASURE)
    return tuple(TREASURE if number == treasure else next(stones) for number in range(len(FINISH)))


def plan_of(header: Header, lines: tuple[Line, ...], seats: frozenset[int], effort: float = 1.0) -> Plan:
    """Return what is reviewed of a match; see `Plan`."""
    kind = RoundsPlan if header.game == "saboteur" else Plan
    return kind(header, lines, seats, effort)
