"""Rounds of Saboteur at mixed tables: computers, people with rules of thumb of many styles, and people without any."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import exp
from random import Random
from typing import Any, Final, NamedTuple

from benchmarks.players import RANDOM, Chooser, Table, chooser
from benchmarks.strength.rule_player import by_rules, guilt
from games.core import CHANCE, Played, State
from games.saboteur import SaboteurState
from games.saboteur.actions import Break, Dig, Drop, LookAt, Repair, RockFall
from games.saboteur.components import BREAK_CARDS, DEAD_ENDS, DIGGER, JOINED_CARDS, MAP, REPAIR_CARDS, ROCK
from matches.computers.judgements.saboteur import Front, SaboteurJudgement, believed
from matches.computers.levels import Level

Log = list[tuple[int, Any]]


class Style(NamedTuple):
    """How somebody plays by rules of thumb.

    Attributes:
        near: a saboteur strikes from this many missing cards on.
        along: how gladly a saboteur digs along before that.
        heat: how much is left to chance.
        wary: how many hostile acts make a foe.
    """

    near: int
    along: float
    heat: float
    wary: int


class Turn(NamedTuple):
    """A turn of a round as a spectator sees it, with the positions before and after it."""

    before: SaboteurState
    action: Any
    after: SaboteurState


def played(players: int, kinds: Sequence[str], deal: str, effort: float = 1.0) -> list[tuple[int, str]]:
    """Play a round between players of these kinds. Returns its lines, until it is lost or decided."""
    rng, chance = Random(f"{players} {kinds} {deal}"), Random(f"{players} {deal}")
    seats = [KINDS[kind](rng, effort) for kind in kinds]
    state, log, lines = _start(players), Log(), list[tuple[int, str]]()
    while not state.decided and not state.is_lost:
        player = state.current_player
        action = state.sample_chance(chance) if player == CHANCE else seats[player](state, player, log)
        log.append((player, action))
        lines.append((player, state.action_to_string(action)))
        state = state.child(player, action)
    return lines


def turns(players: int, lines: Iterable[tuple[int, str]]) -> Iterator[Turn]:
    """Yield the turns of a round, without the one that decides it."""
    state = _start(players)
    for player, text in lines:
        action = state.string_to_action(player, text)
        after = state.child(player, action)
        if player != CHANCE and not after.decided:
            yield Turn(state, state.seen_by(None, player, action), after)
        state = after


def _start(players: int) -> SaboteurState:
    state = Table("saboteur", players).start()
    assert isinstance(state, SaboteurState)
    return state


def kinds_of(mixture: Mapping[str, float], players: int, rng: Random) -> list[str]:
    """Draw who sits at a table."""
    return rng.choices(list(mixture), list(mixture.values()), k=players)


def _sensible(rng: Random, _: float) -> Chooser:
    """Return a computer that doesn't search: it takes any action that its judgement considers."""

    def choose(state: State[Any], player: int, log: Log) -> Any:
        lines = [Played(seat, state.seen_by(player, seat, action)) for seat, action in log]
        judgement = SaboteurJudgement(_only_known(state, player, rng), lines)
        return rng.choice(judgement.candidates(state.legal_actions(player)))

    return choose


def _only_known(state: State[Any], player: int, rng: Random) -> SaboteurState:
    known = state.resample_from_infostate(player, rng)
    assert isinstance(known, SaboteurState)
    return known


def _by_thumb(*near: int) -> Callable[[Random, float], Chooser]:
    """Return what makes a player by rules of thumb, in a style of their own."""

    def player_of(rng: Random, _: float) -> Chooser:
        style = Style(
            rng.choice(near),
            rng.choice((-1.5, 0.0, 1.0, 2.0)),
            rng.choice((0.05, 0.3, 0.6, 1.0)),
            rng.choice((1, 1, 2)),
        )

        def choose(state: State[Any], player: int, log: Log) -> Any:
            turn, actions = Thumb(_only_known(state, player, rng), player, log, style), state.legal_actions(player)
            values = [turn.value(each) for each in actions]
            return rng.choices(actions, [exp((value - max(values)) / style.heat) for value in values])[0]

        return choose

    return player_of


def _changing(rng: Random, effort: float) -> Chooser:
    """Return somebody who plays now like this, now like that, and sometimes does anything at all."""
    usual = [KINDS[rng.choice(("sensible", "thumb", "thumb"))](rng, effort) for _ in range(2)]
    part = rng.choice((0.1, 0.2, 0.4))
    weights = (0.6 * (1 - part), 0.4 * (1 - part), part)
    return lambda *asked: rng.choices([*usual, KINDS[RANDOM](rng, effort)], weights)[0](*asked)


KINDS: Final[Mapping[str, Callable[[Random, float], Chooser]]] = {
    "expert": lambda rng, effort: chooser(Level.EXPERT, effort, rng),
    "sensible": _sensible,
    "thumb": _by_thumb(3, 4, 5, 6, 7),
    "open": _by_thumb(20),
    "rules": lambda rng, _: lambda state, player, log: by_rules(state, player, log, rng),
    "changing": _changing,
    RANDOM: lambda rng, _: chooser(RANDOM, 1.0, rng),
}
"""What makes a player of a kind. Nothing is fitted to ``rules``, so that what is believed of them is a test."""


class Thumb:
    """What somebody with rules of thumb thinks of their turn."""

    def __init__(self, state: SaboteurState, player: int, log: Log, style: Style) -> None:
        self._state, self._player, self._style = state, player, style
        self._goals = believed(state, player)
        self._front = Front(state.maze, self._goals)
        self._digs = state.roles[player] == DIGGER
        self._hides = not self._digs and self._front.missing > style.near
        self._guilt = guilt(state.players, log)

    def value(self, action: Any) -> float:
        """How gladly they do something."""
        match action:
            case Dig():
                return self._of_dig(action)
            case Repair(_, seat):
                if seat == self._player:
                    return 5.0 if self._digs else 3.0
                helps = (self._guilt[seat] < 0.5) == (self._digs or self._hides)
                return (2.3 if self._digs or self._hides else 1.5) if helps else -1.5
            case Break(_, seat):
                return self._of_break(seat)
            case LookAt(cell):
                return (
                    (3.5 if self._digs or self._hides else 1.2) if cell in self._goals and len(self._goals) > 1 else -2
                )
            case RockFall(cell):
                dead = self._state.maze.cards[cell].islower()
                if self._digs or self._hides:
                    return (2.5 if self._digs else 1.0) if dead else -3.0
                falls = Front(self._state.maze.remove(cell), self._goals).missing > self._front.missing
                return -1.0 if dead else 3.5 if falls else 1.0
            case Drop(card):
                return self._of_drop(card)
            case _:
                return 0.0

    def _of_dig(self, dig: Dig) -> float:
        gain = self._front.missing - self._front.missing_after(dig)
        if dig.piece.islower():
            return -3.0 if self._digs or self._hides else 3.5 if gain < 0 else 1.5
        if self._digs:
            return 3.0 + 0.5 * gain if gain > 0 else 0.6 if gain == 0 else -1.0
        if self._hides:
            return self._style.along + 1.5 if gain > 0 else 1.4 if gain == 0 else 0.5
        return 3.0 - gain if gain < 0 else 1.5 if gain == 0 else -1.0

    def _of_break(self, seat: int) -> float:
        if seat == self._player:
            return -6.0
        foe, free = (
            self._guilt[seat] >= self._style.wary - 0.1,
            not any(seats >> seat & 1 for seats in self._state.broken),
        )
        if self._digs:
            return 2.7 + 0.5 * free if foe else -1.5
        if self._hides:
            return 1.0 if foe else -1.5
        return (1.0 if foe else 3.0) + free

    def _of_drop(self, card: str) -> float:
        if card in JOINED_CARDS:
            use = 0.9 if len(card) > 2 else 0.7
        elif card == MAP:
            use = 0.8 if len(self._goals) > 1 else 0.0
        else:
            use = 0.5 if card in REPAIR_CARDS else 0.0 if card in DEAD_ENDS else 0.3
        if self._digs:
            return 1.0 - use
        return 1.0 + 0.5 * use - (1.0 if card in BREAK_CARDS or card == ROCK else 0.0)
