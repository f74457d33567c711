"""Saboteur: how likely each other player is a saboteur, by what was done in public and by what the solver knows.

The odds are those of the computers and the reviews (`judgements/saboteur/roles.py`), given the solver's own role and
what their maps have shown. They must be nearly the same if only people play, so that nobody needs to know who does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import sqrt
from typing import Any, Final

from games.core import CHANCE
from games.log import Course, Header, Line
from games.saboteur import SaboteurState
from games.saboteur.actions import Break, Repair, RockFall
from games.saboteur.components import ROLES, SABOTEUR, TREASURE
from matches.computers.judgements.saboteur.roles import PEOPLE, Beliefs, Known
from matches.computers.judgements.saboteur.turns import Seen
from matches.puzzles.finders.digging import flipped, possible
from matches.puzzles.finders.found import Dropped, Found, least
from matches.puzzles.puzzle import Moved, Odds

FEWEST_TURNS: Final = 6
MOST_TURNS: Final = 15
"""The most turns that fit on one page."""

CLEARLY: Final = 0.2
"""How far somebody's odds must be from their chance before the round."""

OPEN: Final = (0.15, 0.85)
"""Somebody's odds must be between these, so that not everybody is obvious."""

CERTAIN: Final = (0.05, 0.95)
"""At most one in `ONE_IN` of the others may have odds outside these."""

ONE_IN: Final = 4

APART: Final = 0.25
"""The most that anybody's odds may differ from those among people alone."""

TOLD: Final = 3
"""The most turns that are named as having moved the odds."""

LEAST: Final = 0.06
"""How much such a turn must have moved somebody's odds."""


Believed = list[tuple[Line, Sequence[float]]]
"""What a seat can believe: each turn with the odds by seat after it. First come those `BEFORE` any."""

BEFORE: Final = Line(-1, CHANCE, "")


def find(state: SaboteurState, header: Header, lines: Sequence[Line]) -> Found:
    """Return the puzzle at a position. Raises Dropped."""
    player = state.current_player
    if player == CHANCE or state.due != "turn" or state.decided:
        raise Dropped("not a turn of the first round")
    turns = sum(line.player >= 0 for line in lines)
    if not FEWEST_TURNS <= turns <= MOST_TURNS:
        raise Dropped("too early or too late in the round")
    others = [seat for seat in range(state.players) if seat != player]
    left = ROLES[state.players].count(SABOTEUR) - (state.roles[player] == SABOTEUR)
    if not left:
        raise Dropped("the solver is the only saboteur")
    if not any(
        line.player != player and isinstance(before.string_to_action(line.player, line.text), Break | RockFall | Repair)
        for before, line, _ in _turns(header, lines)
    ):
        raise Dropped("no hostile and no helpful act")
    base = left / state.players
    odds = believed(header, lines, player)
    last = [odds[-1][1][seat] for seat in others]
    if max(abs(each - base) for each in last) < CLEARLY:
        raise Dropped("nobody's odds have moved clearly")
    if not any(OPEN[0] <= each <= OPEN[1] for each in last):
        raise Dropped("obvious")
    if ONE_IN * sum(not CERTAIN[0] <= each <= CERTAIN[1] for each in last) > len(last):
        raise Dropped("too much is certain")
    among_people = believed(header, lines, player, PEOPLE)[-1][1]
    if max(abs(odds[-1][1][seat] - among_people[seat]) for seat in others) > APART:
        raise Dropped("it depends on who plays")
    asked = Odds(tuple(round(1000 * each) for each in last), round(1000 * base), moved(odds))
    if not asked.moved:
        raise Dropped("no single turn moved the odds")
    off = sqrt(sum((base - each) ** 2 for each in last) / len(others))
    public = [(line.player, line.text if not line.text.startswith("drop") else "drop") for line in lines]
    turns_told = [each for each in public if each[0] >= 0]
    alike = least([_renamed(turns_told, state.players, player, side) for side in (1, -1)])
    return Found("who", asked, (alike, state.roles[player]), max(0.01, 1 - off))


def believed(header: Header, lines: Sequence[Line], seat: int, kinds: Sequence[float] = ()) -> Believed:
    """Return what a seat can believe after each of these lines of a first round, where such `kinds` play (`Beliefs`).

    It depends only on what everybody sees, the seat's role, and what its maps and the finish cards have shown so far.
    """
    turns = _turns(header, lines)
    end = turns[-1][2]
    treasures = {world.goals.index(TREASURE) for world in possible(end.evolve(current_player=seat))}
    beliefs, known = Beliefs(Seen(header.players), kinds), Known(treasures, seat, end.roles[seat])
    found: Believed = [(BEFORE, beliefs.saboteurs(known))]
    for before, line, after in turns:
        action = before.string_to_action(line.player, line.text)
        if not before.is_lost:
            beliefs.see(line.player, before.seen_by(None, line.player, action), after.maze.cards)
        found.append((line, beliefs.saboteurs(known)))
    return found


def _turns(header: Header, lines: Iterable[Line]) -> list[tuple[SaboteurState, Line, SaboteurState]]:
    """Return the players' lines, each with the position before it and after it."""
    course, found = Course.begin(header), []
    for line in lines:
        before: Any = course.state
        course = course.after(line, trusted=True)
        after: Any = course.state
        if line.player >= 0:
            found.append((before, line, after))
    return found


def moved(odds: Believed) -> tuple[Moved, ...]:
    """Return the turns that moved their player's odds most, at most `TOLD`, in the order of the match."""
    found = []
    for (_, earlier), (line, later) in pairwise(odds):
        before, after = earlier[line.player], later[line.player]
        if abs(after - before) >= LEAST:
            found.append(Moved(line.ply, line.player, round(1000 * before), round(1000 * after)))
    return tuple(sorted(sorted(found, key=lambda each: -abs(each.after - each.before))[:TOLD]))


def _renamed(public: Sequence[tuple[int, str]], players: int, player: int, sign: int) -> str:
    """Return what everybody has seen as a text that doesn't name seats, reflected up and down if `sign` is negative."""
    told = []
    for seat, text in public:
        act, at, cell = text.partition("@")
        act, mark, target = act.partition(">")
        if at:
            x, y = cell.split(",")
            card = flipped(act, sign) if act not in ("map", "rock") else act
            act = f"{card}@{x},{sign * int(y)}"
        elif mark:
            target, colon, tool = target.partition(":")
            act = f"{act}>{(int(target) - player) % players}{colon}{tool}"
        told.append(f"{(seat - player) % players} {act}")
    return ";".join(told)
