"""The log of a match as text: a header, then ``<ply> <player> <action>``, one line each (rules README, Notation).

A log replays without a random number generator, because chance lines are written out. Lines by player ``h`` are the
host's own events; they change seats, never positions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from games import GAMES
from games.core import CHANCE, ActionError, State

HOST: Final = -2
"""The player number of the host's own events (``h`` in the text)."""

_NAMES: Final = {CHANCE: "c", HOST: "h"}
_PLAYERS: Final = {"c": CHANCE, "h": HOST}
_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)


class LogError(ValueError):
    """A log that cannot be read or replayed; the message is a sentence that names the line."""


class Line(NamedTuple):
    """One line: `ply` counts lines from 0, `player` is a seat, `CHANCE` or `HOST`, `text` the canonical action."""

    ply: int
    player: int
    text: str

    def __str__(self) -> str:
        return f"{self.ply} {player_to_string(self.player)} {self.text}"


@dataclass(frozen=True)
class Header:
    """The first line: which game, for how many, with which options, under which version of the rules."""

    game: str
    players: int
    options: Mapping[str, str] = field(default_factory=dict)
    rules_version: int = 1

    def __str__(self) -> str:
        options = "".join(f" {name}={value}" for name, value in sorted(self.options.items()))
        return f"game {self.game} players={self.players}{options} rules={self.rules_version}"


def player_to_string(player: int) -> str:
    """A seat number as it is, chance as ``c``, the host as ``h``."""
    return _NAMES.get(player) or str(player)


def string_to_player(text: str) -> int | None:
    """The inverse of `player_to_string`; ``None`` for anything else."""
    if text in _PLAYERS:
        return _PLAYERS[text]
    return int(text) if _NUMBER.fullmatch(text) else None


def parse_header(text: str) -> Header:
    """Read a header. Raises LogError."""
    words = text.split(" ")
    if len(words) < 4 or words[0] != "game":
        raise LogError("The first line must read: game <key> players=<n> … rules=<version>.")
    values: dict[str, str] = {}
    for word in words[2:]:
        name, equals, value = word.partition("=")
        if not equals or name in values:
            raise LogError(f"The first line has a part that cannot be read: {word!r}.")
        values[name] = value
    players, version = values.pop("players", ""), values.pop("rules", "")
    if not _NUMBER.fullmatch(players) or not _NUMBER.fullmatch(version):
        raise LogError("The first line must give players=<n> and rules=<version>.")
    return Header(words[1], int(players), values, int(version))


def parse_log(text: str) -> tuple[Header, tuple[Line, ...]]:
    """Read a whole log (a final newline and empty lines at the end are allowed). Raises LogError."""
    rows = text.rstrip("\n").split("\n")
    header = parse_header(rows[0])
    lines = []
    for number, row in enumerate(rows[1:]):
        parts = row.split(" ", 2)
        player = string_to_player(parts[1]) if len(parts) == 3 else None
        if player is None or parts[0] != str(number):
            raise LogError(f"Line {number + 2} must read: {number} <player> <action>.")
        lines.append(Line(number, player, parts[2]))
    return header, tuple(lines)


def initial_state(header: Header) -> State[Any]:
    """The position before the first line. Raises LogError where the header does not fit the game of today."""
    game = GAMES.get(header.game)
    if game is None:
        raise LogError(f"There is no game called {header.game!r}.")
    if header.rules_version != game.info.rules_version:
        raise LogError(
            f"This log follows version {header.rules_version} of the rules of {game.info.name}; "
            f"this program plays version {game.info.rules_version}."
        )
    try:
        return game.new_initial_state(header.players, header.options)
    except ValueError as error:
        raise LogError(str(error)) from error


def replay(header: Header, lines: Iterable[Line], *, trusted: bool = False) -> Iterator[tuple[Line, State[Any]]]:
    """Every line with the position after it, each line checked (`trusted`: only read). Raises LogError."""
    state = initial_state(header)
    for line in lines:
        state = after(state, line, trusted=trusted)
        yield line, state


def after(state: State[Any], line: Line, *, trusted: bool = False) -> State[Any]:
    """The position after one more line (the host's change nothing), checked unless `trusted`. Raises LogError."""
    if line.player == HOST:
        return state
    try:
        action = state.string_to_action(line.player, line.text)
        return (state.child if trusted else state.apply_action)(line.player, action)
    except ActionError as error:
        raise LogError(f"Line {line.ply} ({line}) cannot be replayed: {error}") from error


def to_text(header: Header, lines: Iterable[Line]) -> str:
    """The whole log as it is stored in a file, with a final newline."""
    return "".join(f"{row}\n" for row in (header, *lines))
