"""How well the computer players play: each level against the one below, in every game, with 95 % intervals.

Every deal is played once from each seat: the player who is measured sits there, the other seats are taken by the level
he is measured against, and all chance is drawn alike. His score in a match is the share of the others whom he leaves
behind, equal places counting half, so that 0.50 means equal strength however many play. In Saboteur sides win rounds,
so there one level plays all diggers of a match and the other all saboteurs, then the other way round, and the score is
who has won more of these six rounds.

Intervals are made from whole deals, whose matches are not independent. All levels think a stated fraction of the
iterations that they have in a match. Where a level misses its floor against random players, the highest level plays
them too: how far luck lets anybody come. The table is printed, and stands in ``docs/computer-players.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from math import sqrt
from multiprocessing import get_context
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Any, Final, NamedTuple

from benchmarks.measure import UNDER
from games import GAMES
from games.core import CHANCE, Played, State
from games.saboteur import SaboteurState
from games.saboteur.cards import DIGGER, SABOTEUR
from matches.computers import Level
from matches.computers.thinking import Question, answer, judgement_of

RANDOM: Final = "random"
"""The player below all levels: any legal action."""

LADDER: Final = (RANDOM, *Level)


class Table(NamedTuple):
    """What is played: a game, for how many, in which variant."""

    game: str
    players: int
    variant: str = ""

    def start(self) -> State[Any]:
        """The position before the first line."""
        return GAMES[self.game].new_initial_state(self.players, {"variant": self.variant} if self.variant else {})

    def __str__(self) -> str:
        return f"{GAMES[self.game].info.name}{f', {self.variant}' if self.variant else ''}, {self.players} players"


class Pairing(NamedTuple):
    """A level against another: what it has to score, with this part (`effort`) of the iterations of both.

    In Saboteur, where levels differ less by their iterations, the part is `in_saboteur`.
    """

    level: str
    other: str
    floor: float
    effort: float
    in_saboteur: float

    def part(self, table: Table) -> float:
        """The part of the iterations at a table."""
        return self.in_saboteur if table.game == "saboteur" else self.effort


PAIRINGS: Final = (
    Pairing(Level.EASY, RANDOM, 0.80, 1.0, 1.0),
    Pairing(Level.NORMAL, Level.EASY, 0.60, 0.2, 1.0),
    Pairing(Level.HARD, Level.NORMAL, 0.60, 0.1, 0.5),
)
QUICK: Final = (
    Pairing(Level.EASY, RANDOM, 0.80, 1.0, 1.0),
    Pairing(Level.NORMAL, Level.EASY, 0.60, 0.1, 1.0),
    Pairing(Level.HARD, Level.NORMAL, 0.60, 0.02, 0.1),
)
LUCK: Final = Pairing(Level.HARD, RANDOM, 0.0, 0.1, 0.5)
"""Played where a level misses its floor against random players: how far luck lets anybody come."""

ALONE: Final = 0.05
"""The part of the iterations that one player among random others gets."""

DOCUMENT: Final = Path(__file__).parent.parent / "docs" / "computer-players.md"
_WORKERS: Final = 2


class Task(NamedTuple):
    """One deal of one pairing: `level` is measured against `other`."""

    table: Table
    level: str
    other: str
    deal: int
    effort: float


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


def run(quick: bool) -> bool:
    """Play, print the tables, write them into the document; whether every score keeps its floor."""
    deals, pairings = (8, QUICK) if quick else (60, PAIRINGS)
    kept = True
    rows = [
        f"{deals} deals for each score, each played from every seat; in Saboteur {2 * deals}.",
        "",
        *_head(pairings),
    ]
    with ProcessPoolExecutor(_WORKERS, get_context("spawn")) as pool:

        def scores(table: Table, pairing: Pairing) -> list[float]:
            return list(pool.map(score, _tasks(table, pairing, deals)))

        for table in (*TABLES, *SABOTEUR_TABLES):
            for pairing in pairings:
                found = scores(table, pairing)
                low = mean(found) < pairing.floor
                kept = kept and not low
                rows.append(_row(table, pairing, found, f"{pairing.floor:.2f} {UNDER.lower() if low else ''}"))
                print(rows[-1], flush=True)
                if low and pairing.other == RANDOM:
                    rows.append(_row(table, LUCK, scores(table, LUCK), "as far as luck allows"))
                    print(rows[-1], flush=True)
        alone = [
            Task(table, level, RANDOM, deal, ALONE)
            for table in SABOTEUR_TABLES
            for level in LADDER
            for deal in range(deals)
        ]
        wins = list(pool.map(among_random, alone))
    results = "\n".join([*rows, "", *_by_role(alone, wins), ""])
    print(results)
    write("results", results)
    return kept


def write(part: str, text: str, document: Path = DOCUMENT) -> None:
    """Put figures between their marks in the document."""
    begin, end = f"<!-- {part} -->", f"<!-- end of {part} -->"
    before, _, rest = document.read_text("utf-8").partition(begin)
    _, _, after = rest.partition(end)
    document.write_text(f"{before}{begin}\n\n{text}\n{end}{after}", "utf-8")


def _tasks(table: Table, pairing: Pairing, deals: int) -> list[Task]:
    if table.game == "saboteur":
        deals *= 2
    return [Task(table, pairing.level, pairing.other, deal, pairing.part(table)) for deal in range(deals)]


def _head(pairings: Sequence[Pairing]) -> Iterator[str]:
    for where, effort in (("", "effort"), ("in Saboteur ", "in_saboteur")):
        parts = (f"{each.level} against {each.other} {getattr(each, effort):.0%}" for each in pairings)
        yield f"Iterations {where}as a part of those in a match: {', '.join(parts)}."
    yield ""
    yield "| game | player | against | score | 95 % interval | floor |"
    yield "|---|---|---|---|---|---|"


def _row(table: Table, pairing: Pairing, scores: Sequence[float], remark: str) -> str:
    found, margin = mean(scores), _margin(scores)
    low, high = max(found - margin, 0.0), min(found + margin, 1.0)
    cells = (
        table,
        pairing.level,
        pairing.other,
        f"{found:.2f}",
        f"{low:.2f}-{high:.2f}",
        remark,
    )
    return f"| {' | '.join(map(str, cells)).rstrip()} |"


def _margin(scores: Sequence[float]) -> float:
    """Half the width of the 95 % interval of a mean."""
    return 1.96 * stdev(scores) / sqrt(len(scores))


def _by_role(tasks: Sequence[Task], wins: Sequence[tuple[list[float], list[float]]]) -> Iterator[str]:
    yield f"One player among random others in Saboteur, at {ALONE:.0%}: how often his side wins the round."
    yield ""
    yield "| players | player | as digger | as saboteur |"
    yield "|---|---|---|---|"
    for table in SABOTEUR_TABLES:
        for level in LADDER:
            of_both = [won for task, won in zip(tasks, wins, strict=True) if (task.table, task.level) == (table, level)]
            rounds = [[won for match in role for won in match] for role in zip(*of_both, strict=True)]
            cells = [f"{mean(role):.2f} of {len(role)}" if role else "never" for role in rounds]
            yield f"| {table.players} | {level} | {cells[0]} | {cells[1]} |"


Chooser = Callable[[State[Any], int, list[tuple[int, Any]]], Any]


def chooser(level: str, effort: float, rng: Random) -> Chooser:
    """A player of this level, who gets what a computer in a match gets."""

    def choose(state: State[Any], seat: int, log: list[tuple[int, Any]]) -> Any:
        if level == RANDOM:
            return rng.choice(state.legal_actions(seat))
        seen = judgement_of(state.info.key).remembers
        lines = tuple(Played(player, state.line_for(seat, player, action)) for player, action in log if seen)
        position = state.resample_from_infostate(seat, rng)
        return state.string_to_action(
            seat, answer(Question(position, lines, Level(level), rng.getrandbits(63), effort))
        )

    return choose


def positions(table: Table, deal: int, choose: Callable[[State[Any], int], Chooser]) -> Iterator[State[Any]]:
    """Every position of a match; `choose` says who plays for a seat in a position."""
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


def score(task: Task) -> float:
    """What the level scores in one deal, over all seats, or in Saboteur over both sides."""
    rng = Random(f"{task}")
    level, other = chooser(task.level, task.effort, rng), chooser(task.other, task.effort, rng)
    if task.table.game == "saboteur":
        lead = sum(_sides(task, level, other)) - sum(_sides(task, other, level))
        return 1.0 if lead > 0 else 0.5 if lead == 0 else 0.0
    return mean(left_behind(_end(task, seat, level, other), seat) for seat in range(task.table.players))


def _end(task: Task, seat: int, level: Chooser, other: Chooser) -> State[Any]:
    """The end of a match in which `level` has this seat and `other` all the others."""
    *_, end = positions(task.table, task.deal, lambda _, player: level if player == seat else other)
    return end


def left_behind(end: State[Any], seat: int) -> float:
    """The share of the others whom `seat` has left behind; who has won leaves all others behind."""
    outcome = end.outcome()
    assert outcome is not None
    places = [(rival in outcome.winners, points) for rival, points in enumerate(end.returns())]
    others = [place for rival, place in enumerate(places) if rival != seat]
    return mean(1.0 if place < places[seat] else 0.5 if place == places[seat] else 0.0 for place in others)


def _sides(task: Task, diggers: Chooser, saboteurs: Chooser) -> list[float]:
    """Whether the diggers win each round of a match; half where nobody is a saboteur."""

    def choose(state: State[Any], player: int) -> Chooser:
        assert isinstance(state, SaboteurState)
        return diggers if state.roles[player] == DIGGER else saboteurs

    *_, end = positions(task.table, task.deal, choose)
    assert isinstance(end, SaboteurState)
    return [float(past.winners == DIGGER) if SABOTEUR in past.roles[:-1] else 0.5 for past in end.decided]


def among_random(task: Task) -> tuple[list[float], list[float]]:
    """Whether the side of the measured player won each round that he played as digger, and as saboteur."""
    rng = Random(f"{task}")
    level, other = chooser(task.level, task.effort, rng), chooser(RANDOM, task.effort, rng)
    seat = task.deal % task.table.players
    end = _end(task, seat, level, other)
    assert isinstance(end, SaboteurState)
    wins: tuple[list[float], list[float]] = ([], [])
    for past in end.decided:
        wins[past.roles[seat] == SABOTEUR].append(float(past.winners == past.roles[seat]))
    return wins
