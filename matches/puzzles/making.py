"""Finds puzzles: computers play, every position is looked at, and what is proven or judged and not boring is kept.

Match number *n* of a seed and a shelf is always the same match. So an interrupted run can be continued, and the same
command makes the same puzzles again. Only what was found is kept in memory.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from games import GAMES
from games.core import CHANCE, State
from games.log import Course, Header, Line, to_text
from matches.computers.known import known
from matches.computers.levels import Level
from matches.computers.thinking import Question, answer
from matches.puzzles import checker
from matches.puzzles.finders import (
    closing,
    digging,
    forced_win,
    going_out,
    pips,
    striking,
    suspects,
    three_hands,
    two_draws,
)
from matches.puzzles.finders.found import Dropped, Found
from matches.puzzles.grading import rank
from matches.puzzles.kinds import fitting
from matches.puzzles.puzzle import Difficulty, Puzzle, Shelf, length
from matches.puzzles.shelves import read, written
from matches.puzzles.variety import ONE_IN, answers

Find = Callable[..., Found]

Decide = Callable[[State[Any], Sequence[Line]], Any]
"""What a player does at a position, after these lines."""

Seats = Callable[[str, int, Random], Sequence[Decide]]
"""Draws who plays a game at a table of so many."""


class Source(NamedTuple):
    """Where a kind of puzzle comes from: what finds it, and in which part of the positions it looks.

    Slow finders have a `part` below 1, and look no further in a match once they have found a puzzle. `told`: the finder
    takes the header and the lines so far, too.
    """

    find: Find
    part: float = 1.0
    told: bool = False


SOURCES: Final[Mapping[str, Source]] = {
    "force": Source(forced_win.find),
    "capture": Source(pips.find_capture),
    "setup": Source(pips.find_setup, 0.3),
    "sections": Source(closing.find),
    "ahead": Source(two_draws.find),
    "out": Source(going_out.find, told=True),
    "round": Source(three_hands.find),
    "treasure": Source(digging.find, 0.6),
    "gold": Source(striking.find, 0.5),
    "who": Source(suspects.find, 0.7, told=True),
}
"""By kind."""

_Tables = tuple[tuple[int, Mapping[str, str]], ...]

_MAZES: Final[_Tables] = (
    (2, {"variant": "advanced"}),
    (3, {"variant": "advanced"}),
    (2, {"variant": "basic"}),
)

_TABLES: Final[Mapping[str, _Tables]] = {
    "ambagibus": _MAZES,
    "ambagibus.judged": _MAZES,
    "abissal.judged": ((3, {}),),
    "saboteur": ((3, {}), (4, {}), (5, {}), (6, {})),
    "saboteur.judged": ((3, {}), (4, {}), (5, {}), (5, {})),
}
"""By pool the tables at which computers play: the number of players, and the options.

By default there are two players and no options.
"""

_EFFORTS: Final = ((Level.EASY, 0.02), (Level.EASY, 0.05), (Level.EASY, 0.1))
"""Each seat plays with one of these: weak and unequal players make rich positions."""

_LATE: Final[Mapping[str, tuple[tuple[Level, float], ...]]] = {
    "gambo": ((Level.EASY, 0.1), (Level.EASY, 0.2), (Level.EASY, 0.3)),
}
"""The same for games whose puzzles come from the end of a match: with these, nobody is far ahead by then."""


class Kept(NamedTuple):
    """A puzzle with what decides its difficulty: the share of right actions, and how many levels don't find it."""

    puzzle: Puzzle
    share: float
    rank: int


class Pool:
    """What was found for a shelf of a game, kept in a folder.

    It holds the puzzles, the number of the next match, and how often what was thrown away for which reason.
    """

    def __init__(self, folder: Path, game: str, shelf: Shelf = Shelf.PROVEN) -> None:
        self.game, self.shelf = game, shelf
        self.title = game if shelf is Shelf.PROVEN else f"{game}.{shelf}"
        self._file, self._progress = folder / f"{self.title}.jsonl", folder / f"{self.title}.progress.json"
        self.kept: dict[str, Kept] = {}
        self.next, self.counts = 0, Counter[str]()
        if self._file.exists():
            for line in self._file.read_text("ascii").splitlines():
                said = json.loads(line)
                puzzle = read(json.dumps(said["puzzle"]))
                if puzzle is not None:
                    self.kept[puzzle.key] = Kept(puzzle, said["share"], said["rank"])
        if self._progress.exists():
            said = json.loads(self._progress.read_text("ascii"))
            self.next, self.counts = said["next"], Counter(said["counts"])

    def save(self) -> None:
        """Write everything, so that the next run goes on from here."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        rows = (
            json.dumps({"share": kept.share, "rank": kept.rank, "puzzle": json.loads(written(kept.puzzle))})
            for kept in self.kept.values()
        )
        self._file.write_text("".join(f"{row}\n" for row in rows), "ascii")
        said = {"next": self.next, "counts": dict(sorted(self.counts.items()))}
        self._progress.write_text(json.dumps(said, indent=1), "ascii")

    def of_kind(self, kind: str) -> int:
        """Return how many puzzles of a kind there are."""
        return sum(kept.puzzle.kind == kind for kept in self.kept.values())

    def with_answers(self, many: int) -> set[tuple[str, str]]:
        """Return the kinds with those of their kinds of answers that at least so many puzzles have."""
        puzzles = [kept.puzzle for kept in self.kept.values()]
        counts = Counter((each.kind, answer) for each in puzzles for answer in answers(each.kind, each.first))
        return {each for each, count in counts.items() if count >= many}


def computers(game: str, players: int, rng: Random) -> Sequence[Decide]:
    """Return weak computers of unequal strength, one for each seat."""
    efforts = [rng.choice(_LATE.get(game, _EFFORTS)) for _ in range(players)]
    return [partial(_decided, level=level, effort=effort, rng=rng) for level, effort in efforts]


def fill(
    pool: Pool, seed: int, want: int, matches: int, only: str | None = None, seats: Seats = computers
) -> Iterator[int]:
    """Let `seats` play up to `matches` matches, until there are `want` puzzles of every kind. Yields after each.

    No kind of answer gets more than its share of them (`variety`). `only`: look for this kind alone.
    """
    kinds = [kind for kind in fitting(pool.game, pool.shelf) if only in (None, kind)]
    enough = -(-want // ONE_IN)
    for _ in range(matches):
        open_kinds = {kind: SOURCES[kind] for kind in kinds if pool.of_kind(kind) < want}
        if not open_kinds:
            break
        number, full = pool.next, pool.with_answers(enough)
        for puzzle, share in _of_match(pool, Random(f"{pool.title} {seed} {number}"), open_kinds, full, seats):
            if puzzle.key in pool.kept:
                pool.counts["thrown away: alike up to symmetry"] += 1
            elif wrong := checker.problems(puzzle):
                pool.counts[f"thrown away: the checker disagrees: {wrong[0]}"] += 1
            else:
                pool.kept[puzzle.key] = Kept(puzzle, share, rank(puzzle))
                pool.counts["kept"] += 1
        pool.next = number + 1
        yield number


def _of_match(
    pool: Pool, rng: Random, kinds: Mapping[str, Source], full: Collection[tuple[str, str]], seats: Seats
) -> Iterator[tuple[Puzzle, float]]:
    """Play a match, or its first round, and yield its longest puzzle of every kind, with its share of right actions.

    There are enough puzzles of the kinds and answers that are `full`.
    """
    game, counts = pool.game, pool.counts
    players, options = rng.choice(_TABLES.get(pool.title, ((2, {}),)))
    seated = seats(game, players, rng)
    header = Header(game, players, options, GAMES[game].info.rules_version)
    course, lines = Course.begin(header), list[Line]()
    best: dict[str, tuple[Found, int]] = {}
    while not course.state.is_terminal and not course.state.rounds_over:
        state = course.state
        player = state.current_player
        if player == CHANCE:
            action = state.sample_chance(rng)
        else:
            for kind, source in kinds.items():
                if source.part < 1 and (kind in best or rng.random() >= source.part):
                    continue
                counts["looked at"] += 1
                try:
                    found = source.find(state, header, lines) if source.told else source.find(state)
                except Dropped as dropped:
                    counts[f"thrown away: {dropped}"] += 1
                    continue
                counts["found"] += 1
                if any((kind, each) in full for each in answers(kind, found.first)):
                    counts["thrown away: enough have such an answer"] += 1
                    continue
                if kind in best:
                    counts["thrown away: another of the same match is as long or longer"] += 1
                if kind not in best or length(found.first) > length(best[kind][0].first):
                    best[kind] = found, len(lines)
            action = seated[player](state, lines)
        line, course = course.played(player, action)
        lines.append(line)
    for found, ply in best.values():
        yield _puzzle(found, header, found.lines or lines[:ply], pool.shelf), found.share


def _decided(state: State[Any], lines: Sequence[Line], level: Level, effort: float, rng: Random) -> Any:
    """Return what a computer does here. It remembers the `lines` so far as it would in a match."""
    player = state.current_player
    position, seen = state.resample_from_infostate(player, rng), known(state, lines).lines
    return state.string_to_action(player, answer(Question(position, seen, level, rng.randrange(1 << 30), effort)))


def _puzzle(found: Found, header: Header, lines: Sequence[Line], shelf: Shelf) -> Puzzle:
    told = f"{header.game} {found.kind} {found.symmetry}"
    return Puzzle(
        key=sha256(told.encode()).hexdigest()[:10],
        game=header.game,
        shelf=shelf,
        kind=found.kind,
        difficulty=Difficulty.EASY,
        log=to_text(header, lines).rstrip("\n"),
        first=found.first,
        amount=found.amount,
    )
