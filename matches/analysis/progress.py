"""A review as it grows: which steps it takes, and what follows from those that are done.

A step's result is a plain JSON value under the step's key. After a restart the next step follows from the results that
are stored, and the finished review is the same to the byte.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, partial
from itertools import chain, takewhile
from typing import Any, Final, NamedTuple

from games.core import CHANCE, State
from games.log import TABLE, Course, Header, Line, branched, in_force
from matches.analysis import luck
from matches.analysis.judging import LOOKS, MISTAKE, Looked, look, looks, survey
from matches.analysis.outline import Point, Turn, expected, final, turning_points
from matches.analysis.reasons import Reason, reasons
from matches.analysis.trying import Option, options
from matches.computers.known import Known, known
from matches.computers.thinking import judgement_of

VERSIONS: Final[Mapping[str, int]] = {"gambo": 11, "ambush": 10, "abissal": 10, "ambagibus": 10, "saboteur": 11}
"""The games whose matches can be reviewed, each with its version of judging.

Reviews of another version may differ. Until version 10 all games had the same one.
"""

MOMENTS: Final = 3
"""The most moments of a match in its story, and of a seat that its person is told of."""

LEAST_TURN: Final = 1.0
"""The least change of a lead that is a turning point, in the game's unit."""

CANDIDATES: Final = 7
"""The most decisions of a seat that are looked at closely."""

MOST_SURVEYED: Final = 240
"""The most decisions that are surveyed. In longer matches, they are those after which expected results fell most."""

AT_A_TIME: Final = 8
"""How many points of the outline one step computes, and for how many lines a step tells luck from play."""

OUTLINE, LUCK, SURVEY, LOOK, OPTIONS = "outline", "luck", "survey", "look", "options"

POSTED: Final = "posted"
"""This word and a ply are the key under which the results say that a moment has been posted. No step makes it."""

WORK: Final = {LOOK: 3, OPTIONS: 10}
"""About how many times the work of a survey these steps take. A part of the outline, or of luck, takes as much."""

Results = Mapping[str, Any]
"""The results of steps, by key."""


class Decision(NamedTuple):
    """A line by which the person of a seat decided between two or more actions."""

    ply: int
    seat: int
    text: str


class Step(NamedTuple):
    """A piece of work: a part of the outline from point `number` on, luck, the survey of a decision, or a look at it.

    Luck is told from play at the start (`number` 0), and in a part of the moves from number `number` on.

    A look compares what was played with `better`; `number` says which of the independent looks it is. The last steps
    judge all `options` of each moment.
    """

    kind: str
    ply: int = 0
    number: int = 0
    better: str = ""

    @property
    def key(self) -> str:
        """The name of its result."""
        return f"{self.kind} {self.number}" if self.kind in (OUTLINE, LUCK) else f"{self.kind} {self.ply} {self.number}"


class Verdict(StrEnum):
    """What a moment says of a move.

    `COST`: another one would have been better. `BEST`: it turned the match, and nothing better was found. `CARDS`: the
    cards that came then turned it. `TURN`: it turned the match, and nobody judged it, since no person played it.
    """

    COST = "cost"
    BEST = "best"
    CARDS = "cards"
    TURN = "turn"


class Moment(NamedTuple):
    """A move that cost its seat something, or that turned the match.

    Attributes:
        better: what would have been better, if it's known.
        loss: how much it cost, as a share of `Judgement.stake`; of a rule of conduct, how clear the case is.
        lead: that, or what the `gainer` gained, in the game's unit.
        reasons: why the other move is better: at least one if there is one.
        gainer: the seat that gained by it, ``None`` if nothing turned.
    """

    decision: Decision
    verdict: Verdict
    better: str = ""
    loss: float = 0.0
    lead: float = 0.0
    reasons: tuple[Reason, ...] = ()
    gainer: int | None = None

    @property
    def curve(self) -> int:
        """The seat whose lead changed."""
        return self.decision.seat if self.gainer is None else self.gainer


@dataclass(frozen=True)
class Plan:
    """What is reviewed: the log of a finished match, and the seats whose people are told their moments.

    `effort` scales all work.
    """

    header: Header
    lines: tuple[Line, ...]
    seats: frozenset[int]
    effort: float = 1.0

    @cached_property
    def kept(self) -> tuple[Line, ...]:
        """The lines in force of players and chance, and the table's lines at which a match branched off another one."""
        return tuple(line for line in in_force(self.lines) if line.player != TABLE or branched(line) is not None)

    @property
    def begun(self) -> bool:
        """Whether anybody has done anything in the match. Lines that it took over from another match don't count."""
        own = takewhile(lambda line: branched(line) is None, reversed(self.kept))
        return any(line.player >= 0 for line in own)

    @cached_property
    def moves(self) -> tuple[int, ...]:
        """The plies of all players' lines; empty if the game has no luck, or if the match wasn't played out."""
        own = tuple(takewhile(lambda line: branched(line) is None, reversed(self.kept)))
        ended = judgement_of(self.header.game).has_luck and self._walked[2].is_terminal
        return tuple(line.ply for line in reversed(own) if line.player >= 0) if ended else ()

    @cached_property
    def _walked(self) -> tuple[tuple[Decision, ...], tuple[int, ...], State[Any]]:
        """The decisions of people, the plies at which anybody had to decide, and the last position."""
        course, decisions, plies = Course.begin(self.header), list[Decision](), list[int]()
        by_hand = _played_by_hand(self.lines)
        for line in self.kept:
            state = course.state
            if branched(line) is not None:
                # The review mustn't show what was played in the other match, or the cards there.
                plies.clear()
            if line.player >= 0 and len(state.legal_actions(line.player)) > 1:
                plies.append(line.ply)
                if line.player in self.seats and line.ply in by_hand and state.default_action() is None:
                    decisions.append(Decision(line.ply, line.player, line.text))
            course = course.after(line, trusted=True)
        return tuple(decisions), tuple(plies), course.state

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """The decisions of the seats' present people."""
        return self._walked[0]

    @property
    def plies(self) -> tuple[int, ...]:
        """The plies of the outline's points, without the end."""
        return self._walked[1]

    def before(self, ply: int) -> tuple[State[Any], tuple[Line, ...]]:
        """Return the position before a line, and the lines in force before it."""
        course, before = Course.begin(self.header), tuple(line for line in self.kept if line.ply < ply)
        for line in before:
            course = course.after(line, trusted=True)
        return course.state, before

    def known(self, ply: int) -> Known:
        """Return what the player of a line knew before it."""
        return known(*self.before(ply))

    # What is to be done.

    def next_step(self, results: Results) -> Step | None:
        """Return the first step that has no result yet; ``None`` once the review is finished."""
        return next((step for step in self._steps(results) if step.key not in results), None)

    def progress(self, results: Results) -> float:
        """Return the share of the work that is done, 0 to 1. It never falls."""
        surveys = min(len(self.decisions), MOST_SURVEYED)
        seats = len({each.seat for each in self.decisions})
        outlines = -(-len(self.plies) // AT_A_TIME) + len(self.lucks)
        a_seat = WORK[LOOK] * len(looks(self.header.game)) * CANDIDATES + WORK[OPTIONS] * MOMENTS
        total = outlines + surveys + a_seat * seats
        done = sum(WORK.get(key.partition(" ")[0], 1) for key in results)
        return 1.0 if self.next_step(results) is None else min(0.99, done / max(total, 1))

    def _steps(self, results: Results) -> list[Step]:
        """Return the steps of the current stage. The steps of a stage follow from the results of the one before."""
        outlines = [Step(OUTLINE, number=number) for number in range(0, len(self.plies), AT_A_TIME)]
        outlines += self.lucks
        if not _done(outlines, results):
            return outlines
        surveys = [Step(SURVEY, decision.ply) for decision in self._surveyed(results)]
        if not _done(surveys, results):
            return surveys
        closer = []
        for ply, better in self._candidates(results):
            for number in looks(self.header.game):
                step = Step(LOOK, ply, number, better)
                closer.append(step)
                found = results.get(step.key)
                if found is None or Looked.from_json(found).low < MISTAKE:
                    break
        if not _done(closer, results):
            return closer
        told = (each for seat in sorted({each.seat for each in self.decisions}) for each in self.moments(results, seat))
        return [Step(OPTIONS, each.decision.ply, better=each.better) for each in told]

    @property
    def lucks(self) -> list[Step]:
        """The steps that tell luck from play."""
        parts = [Step(LUCK, number=number) for number in range(1, len(self.moves) + 1, AT_A_TIME)]
        return [Step(LUCK), *parts] if parts else []

    def _surveyed(self, results: Results) -> tuple[Decision, ...]:
        """Return the decisions to survey, in the order of the match."""
        if len(self.decisions) <= MOST_SURVEYED:
            return self.decisions
        points = self.outline(results)
        place = {point.ply: number for number, point in enumerate(points)}

        def fall(decision: Decision) -> float:
            here = place[decision.ply]
            return points[here].leads[decision.seat] - points[here + 1].leads[decision.seat]

        chosen = sorted(self.decisions, key=lambda each: (-fall(each), each.ply))[:MOST_SURVEYED]
        return tuple(sorted(chosen))

    def _candidates(self, results: Results) -> list[tuple[int, str]]:
        """Return the decisions to look at closely, with what may have been better."""
        by_seat: dict[int, list[tuple[float, int, str]]] = {}
        for decision in self._surveyed(results):
            better, possible, _ = results[Step(SURVEY, decision.ply).key]
            if possible >= MISTAKE:
                by_seat.setdefault(decision.seat, []).append((-possible, decision.ply, better))
        chosen = [each for found in by_seat.values() for each in sorted(found)[:CANDIDATES]]
        return sorted((ply, better) for _, ply, better in chosen)

    # Doing it.

    def do(self, step: Step) -> Any:
        """Return the result of a step. Raises Stopped soon after the work was cancelled."""
        if step.kind == OUTLINE:
            plies = self.plies[step.number : step.number + AT_A_TIME]
            return [list(expected(state, self.effort)) for state, _ in self._at(plies)]
        if step.kind == LUCK:
            return self._told_apart(step.number)
        played = next(line.text for line in self.kept if line.ply == step.ply)
        if step.kind == SURVEY:
            return survey(self.known(step.ply), played, self.effort).as_json()
        if step.kind == OPTIONS:
            found = options(self.known(step.ply), played, step.better, self.effort)
            return {text: option.as_json() for text, option in found.items()}
        return look(self.known(step.ply), played, step.better, step.number, self.effort).as_json()

    def _at(self, plies: Sequence[int]) -> Iterator[tuple[State[Any], Line]]:
        """Yield each of these lines, which are in order, with the position before it."""
        course = Course.begin(self.header)
        for line in self.kept:
            if line.ply in plies:
                yield course.state, line
            if line.ply >= plies[-1]:
                break
            course = course.after(line, trusted=True)

    def _told_apart(self, number: int) -> luck.Rows:
        branches = [line.ply for line in self.kept if branched(line) is not None]
        if not number:
            state, _ = self.before(branches[-1] + 1 if branches else 0)
            return luck.begun(state, not branches, self.effort)
        wanted = self.moves[number - 1 : number - 1 + AT_A_TIME]
        worlds = luck.worlds_for(len(self.moves), self.effort)
        found = [luck.changed(state, line.text, worlds, self.effort) for state, line in self._at(wanted)]
        return luck.total(found, self.header.players)

    # What follows.

    def luck(self, results: Results) -> luck.Luck | None:
        """Return luck apart from play. ``None`` where there is none, or if the match wasn't played out."""
        found = [results[step.key] for step in self.lucks if step.key in results]
        if not found or len(found) < len(self.lucks):
            return None
        return luck.apart(final(self._walked[2]), found[0], found[1:])

    def outline(self, results: Results) -> tuple[Point, ...]:
        """Return the points of the outline that are done, and at the end of the match the result."""
        points = []
        for number in range(0, len(self.plies), AT_A_TIME):
            found = results.get(Step(OUTLINE, number=number).key, ())
            points += [Point(ply, tuple(leads)) for ply, leads in zip(self.plies[number:], found, strict=False)]
        end = self.kept[-1].ply + 1 if self.kept else 0
        return (*points, Point(end, final(self._walked[2])))

    def moments(self, results: Results, seat: int) -> list[Moment]:
        """Return the costliest of a seat's `mistakes`, at most `MOMENTS`."""
        return self.mistakes(results, seat)[:MOMENTS]

    def mistakes(self, results: Results, seat: int) -> list[Moment]:
        """Return the moves of a seat that cost it something and of which a reason is known, the costliest first."""
        surveyed = dict(self._candidates(results))
        found = []
        for decision in self.decisions:
            if decision.seat != seat or decision.ply not in surveyed:
                continue
            better = surveyed[decision.ply]
            # Reviews of an earlier version may have more looks than one takes now. They must agree, too.
            stored = [results.get(Step(LOOK, decision.ply, number, better).key) for number in range(1, LOOKS + 1)]
            looked = [Looked.from_json(each) for each in stored if each is not None]
            if len(looked) >= len(looks(self.header.game)) and min(each.low for each in looked) >= MISTAKE:
                found.append(_moment(decision, better, looked, self._walked[2].info.hidden_information))
        return sorted((each for each in found if each.reasons), key=_costliest)

    def story(self, results: Results, *, by_rules: bool) -> list[Moment]:
        """Return what turned the match, at most `MOMENTS`, in its order: what cost most, and turning points.

        `by_rules`: it ended by the rules. Otherwise nobody gained the last step by a move.
        """
        costly = chain.from_iterable(self.moments(results, seat) for seat in sorted(self.seats))
        found = sorted(costly, key=_costliest)[:MOMENTS]
        points, apart = self.outline(results), [each.decision.ply for each in found]

        told = partial(self._turned, results)
        moved = points if by_rules else points[:-1]
        turns = turning_points(moved, MOMENTS - len(found), LEAST_TURN, lambda turn: told(turn) is not None, apart)
        found += [moment for moment in map(told, turns) if moment is not None]
        return sorted(found)

    def own(self, results: Results, seat: int, story: Sequence[Moment]) -> list[Moment]:
        """Return what a seat's person is told, at most `MOMENTS`: their part of the story, and what cost most."""
        told = [each for each in story if each.decision.seat == seat]
        others = (each for each in self.moments(results, seat) if each not in told)
        return sorted([*told, *others][:MOMENTS])

    def _turned(self, results: Results, turn: Turn) -> Moment | None:
        """Return what can be said of a turning point; ``None`` if it's nothing, or nothing certain."""
        line, *later = (each for each in self.kept if each.ply >= turn.ply)
        decision = Decision(line.ply, line.player, line.text)
        told = Moment(decision, Verdict.TURN, lead=turn.gained, gainer=turn.seat)
        if decision not in self.decisions:
            return None if decision.seat in self.seats else told
        info = self._walked[2].info
        if judgement_of(info.key).has_luck:
            # Where hands are dealt, only a new deal brings cards.
            came = not info.hands or (bool(later) and later[0].player == CHANCE)
            return told._replace(verdict=Verdict.CARDS) if came else None
        surveyed = results.get(Step(SURVEY, turn.ply).key)
        # If it was certain who wins, nothing turned.
        best = surveyed is not None and surveyed[0] == decision.text and not surveyed[2]
        return told._replace(verdict=Verdict.BEST) if best and turn.seat == decision.seat else None

    def options(self, results: Results, moment: Moment) -> dict[str, Option]:
        """Return how good the actions of a moment are, by canonical text; nothing if that wasn't judged."""
        stored = results.get(Step(OPTIONS, moment.decision.ply).key, {})
        return {text: Option.from_json(each) for text, each in stored.items()}


def _moment(decision: Decision, better: str, looked: Sequence[Looked], hidden: bool) -> Moment:
    count = len(looked)
    loss, holds = sum(each.loss for each in looked) / count, sum(each.holds for each in looked) / count
    lead = sum(each.lead for each in looked) / count
    why = reasons(looked[0].facts, loss, lead, holds, hidden=hidden)
    return Moment(decision, Verdict.COST, better, loss, lead, why)


def _costliest(moment: Moment) -> tuple[float, int]:
    return -moment.loss, moment.decision.ply


def _done(steps: Sequence[Step], results: Results) -> bool:
    return all(step.key in results for step in steps)


def _played_by_hand(lines: Sequence[Line]) -> frozenset[int]:
    """Return the plies of lines that a seat's last person played, not a computer, the host, or somebody before them."""
    by_computer: set[int] = set()
    forced: set[int] = set()
    by_hand: dict[int, list[int]] = {}
    for line in lines:
        if branched(line) is not None:
            # The lines before it are a copy of what was played in another match.
            by_computer.clear()
            by_hand.clear()
        elif line.player == TABLE:
            verb, _, rest = line.text.partition(" ")
            seat = int(rest.split(" ")[0]) if rest[:1].isdigit() else -1
            if verb in ("computer", "resign"):
                by_computer.add(seat)
            elif verb == "return":
                by_computer.discard(seat)
            elif verb == "person":
                by_computer.discard(seat)
                by_hand.pop(seat, None)
            elif verb == "forced":
                forced.add(seat)
        elif line.player >= 0:
            if line.player not in by_computer and line.player not in forced:
                by_hand.setdefault(line.player, []).append(line.ply)
            forced.discard(line.player)
    return frozenset(ply for plies in by_hand.values() for ply in plies)
