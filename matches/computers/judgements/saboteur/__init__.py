"""Saboteur: how near the paths are to the treasure, and who seems to be a saboteur (rules page saboteur.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import exp, log
from random import Random
from typing import Any, ClassVar, Final

from games.core import HIDDEN, Played, Stage
from games.saboteur import SaboteurState
from games.saboteur.actions import Break, Dig, Drop, LookAt, Pass, RockFall, Roles, string_to_action
from games.saboteur.components import BREAK_CARDS, DIGGER, FINISH, JOINED_CARDS, ROCK, SABOTEUR, TREASURE
from matches.computers.judgement import Judgement
from matches.computers.judgements.saboteur.conduct import FOE, Conduct
from matches.computers.judgements.saboteur.paths import Front, believed
from matches.computers.judgements.saboteur.plan import Plan
from matches.computers.judgements.saboteur.roles import Beliefs, Known, likely_saboteurs, of_this_round
from matches.computers.judgements.saboteur.view import View
from matches.computers.levels import Level, Strength

__all__ = ["JUDGEMENT", "Front", "SaboteurJudgement", "believed", "chance_of_diggers"]

_TOO_FAR: Final = 12.0
"""Distances above this count as this."""

CROWD: Final = 8
"""With this many players or more, expert and normal can't be told apart."""

_THREATS: Final = frozenset((*BREAK_CARDS, ROCK))


class _Odds:
    """The coefficients of a logistic regression: what each fact adds to the log odds of the gold-diggers.

    They were fitted to 7,800 positions of rounds for three to ten experts with little effort. The log loss on other
    such positions is 0.49; a coin has 0.69.
    """

    START: Final = -9.54
    DISTANCE: Final = -0.598
    SQUARE: Final = 0.015
    CARDS: Final = 3.44
    DIGGER: Final = 0.15
    SABOTEUR: Final = -0.61
    READY: Final = 0.48
    THREAT: Final = -2.02


def chance_of_diggers(state: SaboteurState) -> float:
    """Return the gold-diggers' probability to win, by distance, remaining cards, and what the hands hold."""
    goal = FINISH[state.goals.index(TREASURE)]
    distance = min(Front(state.maze, (goal,)).distance, _TOO_FAR)
    cards = len(state.stock) - state.drawn + sum(map(len, state.hands))
    if not cards:
        return 0.0
    blocked = state.broken[0] | state.broken[1] | state.broken[2]
    diggers = saboteurs = ready = threats = 0
    for seat, role in enumerate(state.roles[:-1]):
        hand = state.hands[seat]
        if role == DIGGER:
            diggers += 1
            if not blocked >> seat & 1:
                ready += sum(card in JOINED_CARDS for card in hand)
        else:
            saboteurs += 1
            threats += sum(card in _THREATS for card in hand)
    turns = cards / state.players**2
    slack = (
        _Odds.START
        + (_Odds.DISTANCE + _Odds.SQUARE * distance) * distance
        + _Odds.CARDS * log(1 + cards)
        + (_Odds.DIGGER * diggers + _Odds.SABOTEUR * saboteurs) * turns
        + _Odds.READY * ready / max(diggers, 1)
        + _Odds.THREAT * threats / state.players
    )
    return 1 / (1 + exp(-slack))


def _read(line: Played[Any]) -> Played[Any]:
    """Return a line with its action in place of a text. What measures computers from outside gives them texts."""
    player, text = line
    if not isinstance(text, str):
        return line
    if HIDDEN not in text:
        return Played(player, string_to_action(player, text))
    return Played(player, {"roles": Roles(HIDDEN), "drop": Drop(HIDDEN)}.get(text.split()[0], Pass()))


class SaboteurJudgement(Judgement[SaboteurState]):
    """Evaluates the position right after an action. What the players did tells which roles are likely."""

    exploration: ClassVar[float] = 0.15
    confidence: ClassVar[float] = 4.0
    horizon: int = 0
    iterations: int = 2400
    strengths: ClassVar[Mapping[Level, Strength]] = {
        # In this game, mistakes tell the levels apart, and more iterations hardly do. At its temperature, easy may take
        # any action that was visited.
        Level.EASY: Strength(0.0125, 3.0, slips=0.35),
        Level.NORMAL: Strength(0.04, 1.0),
        # No longer offered, but matches with it are still played.
        Level.HARD: Strength(0.25, 0.0),
        Level.EXPERT: Strength(0.0, 0.0),
    }
    edition: ClassVar[int] = 1
    remembers: ClassVar[bool] = True
    bluffs: ClassVar[bool] = True
    """Whether it matters to an expert what a turn tells everybody."""

    @classmethod
    def levels(cls, options: Mapping[str, str], players: int) -> tuple[Level, ...]:
        """Return three levels: the strongest search wins no more rounds than one with a third of the iterations.

        In a crowd there are two: the cards decide more there, and an expert does no better than normal.
        """
        if players >= CROWD:
            return Level.EASY, Level.EXPERT
        return Level.EASY, Level.NORMAL, Level.EXPERT

    def __init__(self, position: SaboteurState, lines: Sequence[Played[Any]] = ()) -> None:
        super().__init__(position, lines)
        self._rounds = len(position.decided)
        self._lines = [_read(line) for line in lines]
        self._beliefs = Beliefs.of(position, self._lines)
        self._roles, weights = self._beliefs.roles(Known.by(position, self.player))
        self._weights = list(accumulate(weights))
        self.suspected = likely_saboteurs(self._roles, weights, position.players)
        """By seat the probability that it is a saboteur, as the player sees it."""

    def facts(self, action: Any) -> Mapping[str, float]:
        """Return how many cards the path then needs, whether it's a look, and the seat whose tool it breaks if a foe's.

        A digger counts to where they believe the treasure to be, a saboteur to any finish card that is face down.
        """
        maze, digs = self.position.maze, self.position.roles[self.player] == DIGGER
        goals = (
            believed(self.position, self.player) if digs else tuple(each for each in FINISH if each not in maze.cards)
        )
        if isinstance(action, RockFall):
            maze = self.position.child(self.player, action).maze
        front = Front(maze, goals)
        missing = front.missing_after(action) if isinstance(action, Dig) else front.missing
        found: dict[str, float] = {"path" if digs else "blocked": missing}
        if isinstance(action, LookAt) and len(goals) > 1:
            found["look"] = 1
        if digs and isinstance(action, Break) and self.suspected[action.seat] >= FOE:
            found["foe"] = action.seat
        return found

    def world(self, rng: Random) -> SaboteurState:
        """Return possible cards, and roles weighted by what everybody has done."""
        roles = rng.choices(self._roles, cum_weights=self._weights)[0]
        return super().world(rng).evolve(roles=roles)

    def candidates(self, actions: Sequence[Any]) -> Sequence[Any]:
        """Return what a sensible player considers (`Conduct`)."""
        return actions if self.position.stage is Stage.SERIES else Conduct(*self._turn()).candidates(actions)

    def planned(self, rng: Random) -> Any:
        """Return what an expert does (`Plan`)."""
        return Plan(*self._turn(), self._beliefs).best(
            self.position.legal_actions(self.player), rng, bluffs=self.bluffs
        )

    def _turn(self) -> tuple[SaboteurState, Sequence[float], float, Sequence[Any]]:
        """Return what a `Conduct` is made of."""
        own = [line.action for line in of_this_round(self._lines) if line.player == self.player]
        return self.position, self._foes(self.position), self._exposed(), own

    def _exposed(self) -> float:
        """Return the probability that the player is a saboteur, as a spectator sees it."""
        return self._beliefs.saboteurs()[self.player]

    def is_decided(self, state: SaboteurState) -> bool:
        """Return whether the round is over."""
        return len(state.decided) > self._rounds

    def values(self, state: SaboteurState) -> Sequence[float]:
        """Return for every seat the probability that its side wins. A digger who ends the round gets more (S18)."""
        if self.is_decided(state):
            past = state.decided[-1]
            if past.winners == DIGGER:
                return [
                    (1.0 if seat == past.reached_by else 0.9) if role == DIGGER else 0.0
                    for seat, role in enumerate(state.roles[:-1])
                ]
            return [float(role == SABOTEUR) for role in state.roles[:-1]]
        chance = chance_of_diggers(state)
        return [0.9 * chance if role == DIGGER else 1 - chance for role in state.roles[:-1]]

    def opinions(self, state: SaboteurState, actions: Sequence[Any]) -> Sequence[float]:
        """Return what each action does for the current player's side, as far as they can know."""
        view = View(state, self._foes(state))
        return [view.opinion(action) for action in actions]

    def _foes(self, state: SaboteurState) -> list[float]:
        """Return by seat the probability that it is on the other side, as the current player sees it.

        Every player uses the searching player's suspicions, because nobody knows the others' roles. The searching
        player's own role is unknown to the others.
        """
        player = state.current_player
        digs = state.roles[player] == DIGGER
        foes = [chance if digs else 1 - chance for chance in self.suspected]
        foes[self.player] = 0.5
        foes[player] = 0.0
        return foes

    def reply(self, state: SaboteurState, rng: Random) -> Any:
        """Return roughly the best action by opinion."""
        actions = state.legal_actions(state.current_player)
        opinions = self.opinions(state, actions)
        best, chosen = -1.0, actions[0]
        for action, opinion in zip(actions, opinions, strict=True):
            opinion += 0.02 * rng.random()
            if opinion > best:
                best, chosen = opinion, action
        return chosen


JUDGEMENT: Final = SaboteurJudgement
