"""How likely each player is a saboteur, by everybody's public actions.

Bayes' rule over kinds of players: computers, people with rules of thumb who hide or don't, people who play at random,
and people who change between these on every turn. Each kind does each thing more or less often as a digger or a
saboteur, depending on what everybody sees (`turns.py`). `habits.json` says how often. It is fitted to rounds of such
players by ``python -m benchmarks.review.fitting``. What kind of player somebody is follows from the round alone.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from math import exp, log
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from games.core import Played
from games.grid import Cell
from games.saboteur import SaboteurState
from games.saboteur.actions import LookAt, Pass, Roles
from games.saboteur.components import DIGGER, FINISH, ROLES, SABOTEUR
from matches.computers.judgements.saboteur.paths import believed
from matches.computers.judgements.saboteur.turns import GROUPS, Deed, Seen, Turn

MOST: Final = 20.0
"""No turn changes anybody's odds by more than this factor."""

MARGIN: Final = 0.99
"""A turn also tells where the treasure is, and by that something of other seats. So a bit of the factor is left."""

SIDES: Final = (DIGGER, SABOTEUR)


class Habits(NamedTuple):
    """How often kinds of players do what.

    Attributes:
        shares: how frequent each kind is.
        changing: how frequent players are who change between the kinds on every turn.
        groups: by kind and side, and by fact (the first one is always true), what it adds to the log of how often each
            of the `GROUPS` is done.
        deeds: by kind and side, without and with a suspect, how often each deed of its group is done.
    """

    shares: Sequence[float]
    changing: float
    groups: Sequence[Sequence[Sequence[Sequence[float]]]]
    deeds: Sequence[Sequence[Sequence[Sequence[float]]]]

    @classmethod
    def read(cls, path: Path) -> Self:
        """Read what was fitted."""
        return cls(**json.loads(path.read_text("utf-8")))

    def chances(self, turn: Turn) -> tuple[tuple[float, ...], ...]:
        """Return for a digger and a saboteur how likely the turn is: by kind, then for those who change."""
        group, facts, found = group_of(turn.deed), facts_of(turn), []
        for side in range(len(SIDES)):
            chances = []
            for added, deeds in zip(self.groups, self.deeds, strict=True):
                logs = [sum(each) for each in zip(*(added[side][fact] for fact in facts), strict=True)]
                total = sum(map(exp, logs))
                chances.append(exp(logs[group]) / total * deeds[side][turn.facts & 1][turn.deed])
            mean = sum(share * chance for share, chance in zip(self.shares, chances, strict=True))
            found.append((*chances, mean))
        return tuple(found)

    @property
    def kinds(self) -> list[float]:
        """How frequent each kind is, and last those who change."""
        return [*((1 - self.changing) * share for share in self.shares), self.changing]


def group_of(deed: Deed) -> int:
    """Return the number of the group that a deed is in."""
    return next(number for number, deeds in enumerate(GROUPS) if deed in deeds)


def facts_of(turn: Turn) -> list[int]:
    """Return the numbers of the facts that are true. Number 0 always is, and the others count from 1."""
    return [0, *(number + 1 for number in range(turn.facts.bit_length()) if turn.facts >> number & 1)]


PATH: Final = Path(__file__).with_name("habits.json")
HABITS: Final = Habits.read(PATH)

PEOPLE: Final = (0.0, *(share / sum(HABITS.shares[1:3]) for share in HABITS.shares[1:3]), 0.0, 0.0)
"""How frequent each kind is where only people play who have rules of thumb and keep to them (`Habits.kinds`)."""


@lru_cache(maxsize=1 << 12)
def _chances(turn: Turn) -> tuple[tuple[float, ...], ...]:
    return HABITS.chances(turn)


class Known(NamedTuple):
    """What somebody knows beyond what everybody sees: where the treasure may be, and the role of their own seat."""

    treasures: Collection[int]
    seat: int | None = None
    role: str = ""

    @classmethod
    def by(cls, position: SaboteurState, player: int) -> Self:
        """Return what a player knows at a position."""
        return cls([FINISH.index(cell) for cell in believed(position, player)], player, position.roles[player])


class _Player:
    """What the turns of a seat say, if it knows certain things about the treasure.

    `logs` is how likely they are for a digger and a saboteur, and `kinds` how likely each kind is then.
    """

    __slots__ = ("kinds", "logs")

    def __init__(self, logs: Sequence[float] = (0.0, 0.0), kinds: Sequence[list[float]] | None = None) -> None:
        self.logs = list(logs)
        self.kinds = list(kinds or [HABITS.kinds] * len(SIDES))

    @property
    def ratio(self) -> float:
        """How much likelier the turns are for a saboteur than for a digger: a logarithm."""
        return self.logs[1] - self.logs[0]

    def after(self, turn: Turn) -> _Player:
        """Return what the turns say with a further one."""
        new = _Player(self.logs, self.kinds)
        for side, chances in enumerate(_chances(turn)):
            weights = [kind * chance for kind, chance in zip(self.kinds[side], chances, strict=True)]
            total = sum(weights)
            new.kinds[side] = [weight / total for weight in weights]
            new.logs[side] += log(total)
        return new

    def mean(self, base: float) -> float:
        """Return how likely the turns are if a seat is a saboteur with this probability: a logarithm."""
        return self.logs[0] + log(1 - base + base * exp(self.ratio))


def _after(turns: Mapping[_Player, Turn]) -> dict[_Player, _Player]:
    """Return what a seat's turns say with a further one, wherever the treasure is (`MOST`)."""
    new = {player: player.after(turn) for player, turn in turns.items()}
    sides = range(len(SIDES))
    least = max(after.logs[side] - old.logs[side] for old, after in new.items() for side in sides) - log(MARGIN * MOST)
    for old, after in new.items():
        after.logs = [max(after.logs[side], old.logs[side] + least) for side in sides]
    return new


class Beliefs:
    """What the table can believe in a round, turn by turn."""

    def __init__(self, seen: Seen, kinds: Sequence[float] = ()) -> None:
        """Believe nothing yet. `kinds` says how frequent each kind of player is, as `Habits.kinds` does without it."""
        self.seen = seen
        self._base = ROLES[seen.players].count(SABOTEUR) / (seen.players + 1)
        # A seat is the same wherever the treasure is, until it looks.
        row = [_Player(kinds=[[*kinds]] * len(SIDES) if kinds else None) for _ in range(seen.players)]
        self._players = [list(row) for _ in FINISH]
        for treasure, seat in seen.looks:
            self._split(seat, treasure)

    @classmethod
    def of(cls, position: SaboteurState, lines: Sequence[Played[Any]]) -> Self:
        """Return what was believed after these lines, which led to the position."""
        new = cls(Seen(position.players))
        for seat, action in of_this_round(lines):
            new.see(seat, action, position.maze.cards)
        new.seen.at(position.maze)
        return new

    def see(self, seat: int, action: Any, finish: Mapping[Cell, str]) -> None:
        """Take account of a line. `finish` has at least the finish cards that it turned up, as they lie."""
        if seat < 0 or isinstance(action, Pass):
            return
        seen, turns = self.seen, dict[_Player, Turn]()
        for treasure in seen.treasures:
            player = self._players[treasure][seat]
            if player not in turns:
                turns[player] = turn = seen.turn(seat, action, seen.goals(seat, treasure))
        new = _after(turns)
        for treasure in seen.treasures:
            self._players[treasure][seat] = new[self._players[treasure][seat]]
        seen.played(seat, action, turn.deed, finish)
        if isinstance(action, LookAt):
            self._split(seat, FINISH.index(action.cell))
        seen.lean[seat] = self._ratio(self._row(seat, seen.treasures))

    def told(self, seat: int, actions: Iterable[Any]) -> Mapping[Any, float]:
        """Return by action how much more suspected it makes a seat in everybody's eyes: a log likelihood ratio."""
        seen, found = self.seen, dict[tuple[Deed, ...], float]()
        row = self._row(seat, seen.treasures)
        goals = {player: seen.goals(seat, treasure) for treasure, player in row.items()}
        facts = {player: seen.facts(seat, each) for player, each in goals.items()}
        before, told = self._ratio(row), dict[Any, float]()
        for action in actions:
            deeds = tuple(seen.deed(seat, action, each) for each in goals.values())
            if deeds not in found:
                new = _after({player: Turn(deed, facts[player]) for player, deed in zip(goals, deeds, strict=True)})
                found[deeds] = self._ratio(row, new) - before
            told[action] = found[deeds]
        return told

    def _split(self, seat: int, treasure: int) -> None:
        """Tell apart what a seat has done if the treasure is there, since it has looked."""
        old = self._players[treasure][seat]
        self._players[treasure][seat] = _Player(old.logs, old.kinds)

    def roles(self, known: Known | None = None) -> tuple[list[str], list[float]]:
        """Return all possible deals of the roles, and how likely each is: weights. Somebody can know more (`known`)."""
        return possible_roles(self.seen.players, self.suspicions(known), known)

    def saboteurs(self, known: Known | None = None) -> list[float]:
        """Return by seat the probability that it is a saboteur."""
        return likely_saboteurs(*self.roles(known), self.seen.players)

    def suspicions(self, known: Known | None = None) -> list[float]:
        """Return each seat's log likelihood ratio: how much likelier its turns are for a saboteur than for a digger.

        Nobody learns anything from their own turns.
        """
        treasures, own = self.seen.treasures, None
        if known is not None:
            treasures, own = [each for each in treasures if each in known.treasures] or treasures, known.seat
        seats = range(self.seen.players)
        return [0.0 if seat == own else self._ratio(self._row(seat, treasures)) for seat in seats]

    def _row(self, seat: int, treasures: Iterable[int]) -> dict[int, _Player]:
        """Return what the turns of a seat say, by where the treasure is."""
        return {treasure: self._players[treasure][seat] for treasure in treasures}

    def _ratio(self, row: Mapping[int, _Player], new: Mapping[_Player, _Player] | None = None) -> float:
        """Return a log likelihood ratio: of a seat's turns by treasure (`row`), or of what they say then (`new`)."""
        after = {treasure: new[player] if new else player for treasure, player in row.items()}
        if len(set(after.values())) == 1:
            return next(iter(after.values())).ratio
        others = {treasure: self._log(treasure) - player.mean(self._base) for treasure, player in row.items()}
        most = max(others[treasure] + max(player.logs) for treasure, player in after.items())
        digs, spoils = (
            sum(exp(others[treasure] + player.logs[side] - most) for treasure, player in after.items())
            for side in range(len(SIDES))
        )
        return log(spoils / digs)

    def _log(self, treasure: int) -> float:
        """Return how likely all turns are if the treasure is there: a logarithm."""
        return sum(player.mean(self._base) for player in self._players[treasure])

    def treasures(self) -> list[tuple[int, float]]:
        """Return the finish cards that may be the treasure, and how likely each is."""
        logs = [(treasure, self._log(treasure)) for treasure in self.seen.treasures]
        most = max(each for _, each in logs)
        total = sum(exp(each - most) for _, each in logs)
        return [(treasure, exp(each - most) / total) for treasure, each in logs]


def possible_roles(
    players: int, suspicion: Sequence[float], known: Known | None = None
) -> tuple[list[str], list[float]]:
    """Return all possible deals of the roles, the left-over one last, and their weights.

    `suspicion` is each seat's log likelihood ratio. Somebody may know their own role (`known`).
    """
    places, seat = range(players + 1), None if known is None else known.seat
    possible, weights = [], []
    for saboteurs in combinations(places, ROLES[players].count(SABOTEUR)):
        if known is None or seat is None or (seat in saboteurs) == (known.role == SABOTEUR):
            possible.append("".join(SABOTEUR if place in saboteurs else DIGGER for place in places))
            weights.append(exp(sum(suspicion[place] for place in saboteurs if place < players)))
    return possible, weights


def likely_saboteurs(roles: Sequence[str], weights: Sequence[float], players: int) -> list[float]:
    """Return by seat the probability that it is a saboteur, given the possible `roles` and their weights."""
    total = sum(weights)
    return [
        sum(weight for lying, weight in zip(roles, weights, strict=True) if lying[seat] == SABOTEUR) / total
        for seat in range(players)
    ]


def of_this_round(lines: Sequence[Played[Any]]) -> Sequence[Played[Any]]:
    """Return the lines since the roles were last dealt."""
    begin = max((number for number, line in enumerate(lines) if isinstance(line.action, Roles)), default=0)
    return lines[begin:]
