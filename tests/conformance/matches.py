"""Whole matches to look at: every position and every line of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from games import GAMES
from games.core import CHANCE, GameInfo, State
from games.log import TABLE, Header, Line, initial_state, parse_log, replay
from tests.conformance.policies import Policy

LOGS = Path(__file__).parent.parent / "logs"
GOLDEN_LOGS = sorted(LOGS.glob("*.log"))


@dataclass(frozen=True)
class Setup:
    """A way to begin a match: which game, for how many, with which options."""

    key: str
    players: int
    options: tuple[tuple[str, str], ...] = ()

    @property
    def info(self) -> GameInfo:
        return GAMES[self.key].info

    def header(self) -> Header:
        return Header(self.key, self.players, dict(self.options), self.info.rules_version)

    def __str__(self) -> str:
        return "-".join([self.key, str(self.players), *(value for _, value in self.options)])


def setups_of(key: str) -> list[Setup]:
    """Every number of players with every combination of options."""
    info = GAMES[key].info
    variants = product(*([(option.name, value) for value in option.values] for option in info.options))
    return [
        Setup(key, players, options)
        for options in variants
        for players in range(info.min_players, info.max_players + 1)
    ]


SETUPS = [setup for key in GAMES for setup in setups_of(key)]


@dataclass(frozen=True)
class Match:
    """A finished match: `states` has one position more than there are `lines` (player, action)."""

    name: str
    header: Header
    states: tuple[State[Any], ...]
    lines: tuple[tuple[int, Any], ...]

    @property
    def info(self) -> GameInfo:
        return GAMES[self.header.game].info

    @property
    def viewers(self) -> list[int | None]:
        """All seats and the spectator."""
        return [None, *range(self.header.players)]

    def moves(self) -> Iterator[tuple[State[Any], int, Any, State[Any]]]:
        """(position, player, action, position after it) for every line."""
        for number, (player, action) in enumerate(self.lines):
            yield self.states[number], player, action, self.states[number + 1]

    def log(self) -> list[Line]:
        """The lines as text."""
        return [
            Line(ply, player, state.action_to_string(action))
            for ply, (state, player, action, _) in enumerate(self.moves())
        ]

    def some_plies(self, rng: Random, number: int) -> list[int]:
        """A sample of the plies, with the last one in it."""
        last = len(self.lines)
        return [*rng.sample(range(last), min(number - 1, last)), last]


@lru_cache(maxsize=64)
def played(setup: Setup, policy: Policy, seed: int) -> Match:
    """Play a match by one policy. Stop if it takes longer than the game allows."""
    name = f"{setup} {policy.__name__} {seed}"
    state: State[Any] = initial_state(setup.header())
    states, lines = [state], list[tuple[int, Any]]()
    rng = Random(name)
    while not state.is_terminal and len(lines) <= setup.info.max_game_length:
        player = state.current_player
        action = state.sample_chance(rng) if player == CHANCE else policy(state, rng)
        state = state.child(player, action)
        lines.append((player, action))
        states.append(state)
    return Match(name, setup.header(), tuple(states), tuple(lines))


@lru_cache(maxsize=64)
def recorded(path: Path) -> Match:
    """The match of a log file, every line checked. The table's own lines change no position and are left out."""
    header, lines = parse_log(path.read_text())
    states, actions = [initial_state(header)], []
    for line, after in replay(header, lines):
        if line.player != TABLE:
            actions.append((line.player, states[-1].string_to_action(line.player, line.text)))
            states.append(after)
    return Match(path.stem, header, tuple(states), tuple(actions))
