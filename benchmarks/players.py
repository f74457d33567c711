"""How well the computer players play: each level against the one below, in every game, with 95 % intervals.

Every deal is played once from each seat. The measured level sits there, the other level takes the other seats, and all
chance is drawn alike. The score of a match is the share of the others whom the measured level beats, ties counting
half, so 0.50 means equal strength for any number of players. In Saboteur, sides win rounds. So one level plays all
diggers of a match and the other all saboteurs, then the other way round. The score says who won more of these six
rounds.

The matches of a deal aren't independent, so intervals are made from whole deals. A row ends when it is decided
(`benchmarks.sequential`). Levels have a stated part of the iterations that they have in a match; in Saboteur only the
measured level does, the other has all. If a level misses its goal against random players, the highest level plays them
too, which shows how far luck lets anybody come. The table is printed, and stands in ``docs/computer-players.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from random import Random
from statistics import mean
from typing import Any, Final, NamedTuple

from benchmarks.measure import Length
from benchmarks.page import Block, row, write
from benchmarks.sequential import EXPLAINED, MISSED, interval, played, workers
from games import GAMES
from games.core import CHANCE, Played, State
from games.log import Course, Header, Line
from games.saboteur import SaboteurState
from games.saboteur.components import DIGGER, SABOTEUR
from matches.computers.levels import Level
from matches.computers.thinking import Question, answer, judgement_of, levels_of

RANDOM: Final = "random"
"""The player below all levels: any legal action."""


class Table(NamedTuple):
    """A game, a number of players and a variant."""

    game: str
    players: int
    variant: str = ""

    def start(self) -> State[Any]:
        """The position before the first line."""
        return GAMES[self.game].new_initial_state(self.players, self.options)

    @property
    def options(self) -> dict[str, str]:
        """The options of its game."""
        return {"variant": self.variant} if self.variant else {}

    @property
    def luck(self) -> int:
        """How many times as many deals are needed as in most games.

        Two players of Ambagibus have few choices. Rounds of Saboteur depend on the cards, less so with many players.
        """
        if self.game == "saboteur":
            return 3 if self.players < 8 else 2
        return 3 if (self.game, self.players) == ("ambagibus", 2) else 1

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels that people can choose from there."""
        return levels_of(self.game, self.options, self.players)

    def __str__(self) -> str:
        return f"{GAMES[self.game].info.name}{f', {self.variant}' if self.variant else ''}, {self.players} players"


class Pairing(NamedTuple):
    """A level against another, the least score (`floor`), and the part of their iterations that both have (`effort`).

    In Saboteur, where levels differ less by their iterations, the measured level has the part `in_saboteur` and the
    other has all.
    """

    level: str
    other: str
    floor: float
    effort: float
    in_saboteur: float

    def efforts(self, table: Table) -> tuple[float, float]:
        """The parts of the iterations that the measured level and the other have at a table."""
        return (self.in_saboteur, 1.0) if table.game == "saboteur" else (self.effort, self.effort)

    def tasks(self, table: Table, deals: int) -> list[Task]:
        """The matches at a table: more deals if a match is mostly luck."""
        efforts = self.efforts(table)
        return [Task(table, self.level, self.other, deal, *efforts) for deal in range(table.luck * deals)]


_EFFORTS: Final[Mapping[Level, tuple[float, float]]] = {
    Level.EASY: (1.0, 1.0),
    Level.NORMAL: (0.2, 1.0),
    Level.HARD: (0.1, 0.5),
    Level.EXPERT: (0.1, 0.5),
}
_QUICK_EFFORTS: Final[Mapping[Level, tuple[float, float]]] = {
    Level.EASY: (1.0, 1.0),
    Level.NORMAL: (0.1, 1.0),
    Level.HARD: (0.04, 0.16),
    Level.EXPERT: (0.04, 0.16),
}
"""By level: `effort` and `in_saboteur` of its pairing with the level below it."""

_FLOOR, _FLOOR_RANDOM = 0.60, 0.80

LUCK: Final = Pairing(Level.EXPERT, RANDOM, 0.0, 0.05, 0.08)
"""Played if a level misses its floor against random players: shows how far luck lets anybody come."""


def pairings(table: Table, length: Length) -> list[Pairing]:
    """Every level of a table against the level below it, the weakest against random players."""
    efforts = length.of(_EFFORTS, _QUICK_EFFORTS, dict.fromkeys(Level, (0.01, 0.01)))
    return [
        Pairing(level, other, _FLOOR_RANDOM if other == RANDOM else _FLOOR, *efforts[level])
        for other, level in zip((RANDOM, *table.levels), table.levels, strict=False)
    ]


class Task(NamedTuple):
    """One deal of one pairing: `level` is measured against `other`, each with a part of its iterations."""

    table: Table
    level: str
    other: str
    deal: int
    effort: float
    others_effort: float


TABLES: Final = (
    Table("gambo", 2),
    Table("ambush", 2),
    Table("abissal", 2),
    Table("abissal", 3),
    Table("ambagibus", 2, "basic"),
    Table("ambagibus", 2, "advanced"),
    Table("ambagibus", 4, "advanced"),
)
SABOTEUR_TABLES: Final = (Table("saboteur", 3), Table("saboteur", 5), Table("saboteur", 8))


def run(length: Length, games: Collection[str] = GAMES) -> bool:
    """Play, print the table, and write it into the document. Returns whether no level missed its floor.

    A tiny run plays the first level at the first tables, and writes nothing.
    """
    deals, first = length.of((75, None), (30, None), (2, 1))
    rows, kept = list[str](), True
    with workers() as pool:
        many = partial(pool.map, score)
        for table in (*TABLES[:first], *SABOTEUR_TABLES[:first]):
            for pairing in pairings(table, length)[:first] if table.game in games else ():
                found, verdict = played(many, pairing.tasks(table, deals), float, pairing.floor)
                kept &= verdict != MISSED
                rows.append(_row(table, pairing, found, verdict))
                print(rows[-1], flush=True)
                if verdict == MISSED and pairing.other == RANDOM:
                    found, _ = played(many, LUCK.tasks(table, max(deals // 4, 2)), float, LUCK.floor)
                    rows.append(_row(table, LUCK, found, "as far as luck allows"))
    block = Block(_ABOVE, _HEAD, rows)
    print(block)
    if length is not Length.TINY:
        write("results", [block], games)
    return kept


_ABOVE: Final = (f"Every deal is played from every seat, in Saboteur by both sides. {EXPLAINED}",)
_HEAD: Final = "| game | player | against | part of their iterations | deals | score | 95 % interval | goal | |"


def _row(table: Table, pairing: Pairing, scores: Sequence[float], verdict: str) -> str:
    parts = " and ".join(f"{part:.0%}" for part in dict.fromkeys(pairing.efforts(table)))
    goal = f"{pairing.floor:.2f}" if pairing.floor else ""
    return row(table, pairing.level, pairing.other, parts, len(scores), *interval(scores), goal, verdict)


Chooser = Callable[[State[Any], int, list[tuple[int, Any]]], Any]


def chooser(level: str, effort: float, rng: Random) -> Chooser:
    """A player of this level, who gets the same information as a computer in a match."""

    def choose(state: State[Any], seat: int, log: list[tuple[int, Any]]) -> Any:
        if level == RANDOM:
            return rng.choice(state.legal_actions(seat))
        return state.string_to_action(seat, answer(question(state, seat, log, Level(level), effort, rng)))

    return choose


def question(
    state: State[Any], seat: int, log: list[tuple[int, Any]], level: Level, effort: float, rng: Random
) -> Question:
    """The question that a computer in a match would get, made from what its seat may know."""
    seen = judgement_of(state.info.key).remembers
    lines = tuple(Played(player, state.seen_by(seat, player, action)) for player, action in log if seen)
    return Question(state.resample_from_infostate(seat, rng), lines, level, rng.getrandbits(63), effort)


def positions(table: Table, deal: int, choose: Callable[[State[Any], int], Chooser]) -> Iterator[State[Any]]:
    """Play a match and yield its positions. `choose` says who plays for a seat in a position."""
    chance = Random(f"{table} {deal}")
    state = table.start()
    log: list[tuple[int, Any]] = []
    while not state.is_terminal:
        player = state.current_player
        if player == CHANCE:
            action = state.sample_chance(chance)
        else:
            action = choose(state, player)(state, player, log)
        log.append((player, action))
        state = state.child(player, action)
        yield state


def recorded(table: Table, players: Sequence[Chooser], chance: Random) -> tuple[Header, tuple[Line, ...]]:
    """Play a match, with a player for each seat. Returns its header and its lines."""
    header = Header(table.game, table.players, table.options)
    course, lines, log = Course.begin(header), list[Line](), list[tuple[int, Any]]()
    while not course.state.is_terminal:
        state = course.state
        player = state.current_player
        action = state.sample_chance(chance) if player == CHANCE else players[player](state, player, log)
        line, course = course.played(player, action)
        lines.append(line)
        log.append((player, action))
    return header, tuple(lines)


def score(task: Task) -> float:
    """Play a deal from all seats, or in Saboteur from both sides. Returns the level's score."""
    rng = Random(f"{task}")
    level, other = chooser(task.level, task.effort, rng), chooser(task.other, task.others_effort, rng)
    if task.table.game == "saboteur":
        lead = sum(sides(task, level, other)) - sum(sides(task, other, level))
        return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
    return mean(_lead(task, seat, level, other) for seat in range(task.table.players))


def _lead(task: Task, seat: int, level: Chooser, other: Chooser) -> float:
    """Play a match in which `level` has this seat and `other` all others. Returns the level's score."""
    *_, end = positions(task.table, task.deal, lambda _, player: level if player == seat else other)
    return left_behind(end, seat)


def left_behind(end: State[Any], seat: int) -> float:
    """The share of the others whom `seat` has beaten, ties counting half. A winner beats everybody else."""
    outcome = end.outcome()
    assert outcome is not None
    places = [(rival in outcome.winners, points) for rival, points in enumerate(end.returns())]
    others = [place for rival, place in enumerate(places) if rival != seat]
    return mean(1.0 if place < places[seat] else 0.5 if place == places[seat] else 0.0 for place in others)


def sides(task: Task, diggers: Chooser, saboteurs: Chooser) -> list[float]:
    """Play a match. Returns for each round 1 if the diggers won it, else 0; a half if nobody was a saboteur."""
    *_, end = positions(task.table, task.deal, by_role(diggers, saboteurs))
    assert isinstance(end, SaboteurState)
    return [float(past.winners == DIGGER) if SABOTEUR in past.roles[:-1] else 0.5 for past in end.decided]


def by_role(diggers: Chooser, saboteurs: Chooser) -> Callable[[State[Any], int], Chooser]:
    """Who plays for a seat of Saboteur, by its role."""

    def choose(state: State[Any], player: int) -> Chooser:
        assert isinstance(state, SaboteurState)
        return diggers if state.roles[player] == DIGGER else saboteurs

    return choose
