"""The entry of a game in `games.GAMES`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, Final

from games.core.advance import NOTHING_SPECIAL, Advance
from games.core.info import GameInfo
from games.core.state import State
from games.typed import shortened

RULES: Final[Traversable] = resources.files("games").joinpath("rules")
"""The folder with the rules pages of the games in this package."""


Goal = Callable[..., bool]
"""Returns whether an action achieved something.

The arguments are the position before it, the position after it, its player, and the texts that the lesson gives.
"""


@dataclass(frozen=True)
class Game:
    """One entry of `games.GAMES`: the class of its positions, how a match starts, and where its rules are.

    The folder `rules` holds the page ``<key>.md``, the logs of its illustrations in ``positions/`` (`games.pages`) and
    the lessons (`games.lessons`). Lessons name `goals` by their keys. `advance` is what people can say in advance.
    """

    state: type[State[Any]]
    start: Callable[[int, Mapping[str, str]], State[Any]]
    rules: Traversable = RULES
    goals: Mapping[str, Goal] = field(default_factory=dict)
    advance: Advance = NOTHING_SPECIAL

    @property
    def info(self) -> GameInfo:
        """The facts that are the same in every match."""
        return self.state.info

    def new_initial_state(self, players: int, options: Mapping[str, str] | None = None) -> State[Any]:
        """Return the position before the first line of a match.

        Raises ValueError, with a sentence, for a number of players, an option or a value that the game doesn't have.
        """
        info = self.info
        if not info.min_players <= players <= info.max_players:
            raise ValueError(
                f"{info.name} is for {info.min_players} players."
                if info.min_players == info.max_players
                else f"{info.name} is for {info.min_players} to {info.max_players} players."
            )
        chosen = {option.name: option.default for option in info.options}
        for name, value in (options or {}).items():
            allowed = next((option.values for option in info.options if option.name == name), None)
            if allowed is None:
                raise ValueError(f"{info.name} has no option called {shortened(name)}.")
            if value not in allowed:
                raise ValueError(f"{info.name}: {name} has to be one of {', '.join(allowed)}.")
            chosen[name] = value
        return self.start(players, chosen)
