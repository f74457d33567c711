"""Saboteur: how near a path is to the finish cards, who seems to be a saboteur (rules page saboteur.md)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import exp, log
from random import Random
from typing import Any, ClassVar, Final

from games.core import Played, Stage
from games.saboteur import SaboteurState
from games.saboteur.components import BREAK_CARDS, DIGGER, FINISH, JOINED_CARDS, ROCK, SABOTEUR, TREASURE
from matches.computers.judgement import Judgement
from matches.computers.judgements.saboteur.conduct import Conduct
from matches.computers.judgements.saboteur.paths import Front, believed
from matches.computers.judgements.saboteur.roles import likely_saboteurs, of_this_round, possible_roles, suspicions
from matches.computers.judgements.saboteur.view import View
from matches.computers.levels import Level, Strength

__all__ = ["JUDGEMENT", "Front", "SaboteurJudgement", "believed", "possible_roles", "suspicions"]

_TOO_FAR: Final = 12.0
"""Beyond this a distance says nothing more about who wins."""

_THREATS: Final = frozenset((*BREAK_CARDS, ROCK))


class _Odds:
    """By how much everything moves the logarithm of the odds of the gold-diggers: a logistic regression.

    Fitted to 7800 positions of rounds for three to ten in which everybody played like an expert who thinks little. The
    loss is 0.49 on others of that kind, where knowing nothing has 0.69.
    """

    START: Final = -9.54
    DISTANCE: Final = -0.598
    SQUARE: Final = 0.015
    CARDS: Final = 3.44
    DIGGER: Final = 0.15
    SABOTEUR: Final = -0.61
    READY: Final = 0.48
    THREAT: Final = -2.02


class SaboteurJudgement(Judgement[SaboteurState]):
    """Looks at what an action leads to at once; what people did tells which roles are likely."""

    exploration: ClassVar[float] = 0.15
    confidence: ClassVar[float] = 4.0
    horizon: int = 0
    iterations: int = 2400
    strengths: ClassVar[Mapping[Level, Strength]] = {
        # More iterations hardly tell levels apart here, mistakes do: whatever was visited at all may be done by easy.
        Level.EASY: Strength(0.0125, 3.0, slips=0.35),
        Level.NORMAL: Strength(0.04, 1.0),
        # No longer offered, but where it sits it plays.
        Level.HARD: Strength(0.25, 0.0),
        Level.EXPERT: Strength(0.8, 0.0),
    }
    remembers: ClassVar[bool] = True

    @classmethod
    def levels(cls, options: Mapping[str, str]) -> tuple[Level, ...]:
        """Who thinks longest wins no more rounds than who thinks a third of that, so there is no room for four."""
        return Level.EASY, Level.NORMAL, Level.EXPERT

    def __init__(self, position: SaboteurState, lines: Sequence[Played[Any]] = ()) -> None:
        super().__init__(position, lines)
        self._rounds = len(position.decided)
        self._lines = lines
        suspicion = suspicions(position, self.player, lines)
        self._roles, weights = possible_roles(position, self.player, suspicion)
        self._weights = list(accumulate(weights))
        self.suspected = likely_saboteurs(self._roles, weights, position.players)
        """By seat, how likely the player thinks that it is a saboteur."""

    def world(self, rng: Random) -> SaboteurState:
        """Cards as they may be, roles by what everybody has done."""
        roles = rng.choices(self._roles, cum_weights=self._weights)[0]
        return super().world(rng).evolve(roles=roles)

    def candidates(self, actions: Sequence[Any]) -> Sequence[Any]:
        """What a player does who minds their tools and cards, and who as a saboteur hides until it pays."""
        state, player = self.position, self.player
        if state.stage is Stage.SERIES:
            return actions
        own = [line.action for line in of_this_round(self._lines) if line.player == player]
        return Conduct(state, self._foes(state), self._exposed(), own).candidates(actions)

    def _exposed(self) -> float:
        """How likely the table thinks that the player is a saboteur."""
        state = self.position
        roles, weights = possible_roles(state, None, suspicions(state, None, self._lines))
        return likely_saboteurs(roles, weights, state.players)[self.player]

    def is_decided(self, state: SaboteurState) -> bool:
        """The end of the round."""
        return len(state.decided) > self._rounds

    def values(self, state: SaboteurState) -> Sequence[float]:
        """How likely the own side wins the round; who reaches the treasure themselves takes gold first (S18)."""
        if self.is_decided(state):
            past = state.decided[-1]
            if past.winners == DIGGER:
                return [
                    (1.0 if seat == past.reached_by else 0.9) if role == DIGGER else 0.0
                    for seat, role in enumerate(state.roles[:-1])
                ]
            return [float(role == SABOTEUR) for role in state.roles[:-1]]
        chance = self._chance_of_diggers(state)
        return [0.9 * chance if role == DIGGER else 1 - chance for role in state.roles[:-1]]

    def _chance_of_diggers(self, state: SaboteurState) -> float:
        """From the distance to the treasure, the cards that are left, and who holds what for or against it."""
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

    def opinions(self, state: SaboteurState, actions: Sequence[Any]) -> Sequence[float]:
        """What an action does for the side of the player on turn, as far as they can know."""
        view = View(state, self._foes(state))
        return [view.opinion(action) for action in actions]

    def _foes(self, state: SaboteurState) -> list[float]:
        """By seat, how likely the player on turn thinks that it is on the other side.

        Nobody knows the others' roles: all of them suspect alike, but for the player who is searching.
        """
        player = state.current_player
        digs = state.roles[player] == DIGGER
        foes = [chance if digs else 1 - chance for chance in self.suspected]
        foes[self.player] = 0.5
        foes[player] = 0.0
        return foes

    def reply(self, state: SaboteurState, rng: Random) -> Any:
        """What seems best, more or less."""
        actions = state.legal_actions(state.current_player)
        opinions = self.opinions(state, actions)
        best, chosen = -1.0, actions[0]
        for action, opinion in zip(actions, opinions, strict=True):
            opinion += 0.02 * rng.random()
            if opinion > best:
                best, chosen = opinion, action
        return chosen


JUDGEMENT: Final = SaboteurJudgement
