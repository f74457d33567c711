"""One entry of `games.GAMES`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any, Final

from games.core.info import GameInfo
from games.core.state import State
from games.typed import shortened

RULES: Final[Traversable] = resources.files("games").joinpath("rules")
"""The folder with the rules for people of the games in here."""


Goal = Callable[..., bool]
"""Whether an action has achieved something: asked with the position before and after it, its player, and arguments.

The arguments are texts, as a lesson writes them after the goal's name.
"""


@dataclass(frozen=True)
class Game:
    """One entry of `games.GAMES`: the facts, how a match begins, where its rules for people lie, and goals of lessons.

    The folder `rules` has the page ``<key>.md``, in ``positions/`` the logs that illustrate it (`games.pages`), and the
    lessons (`games.lessons`), which may ask for any of the `goals` by name.
    """

    info: GameInfo
    start: Callable[[int, Mapping[str, str]], State[Any]]
    rules: Traversable = RULES
    goals: Mapping[str, Goal] = field(default_factory=dict)

    def new_initial_state(self, players: int, options: Mapping[str, str] | None = None) -> State[Any]:
        """The position before the first line of a match.

        Raises ValueError, with a sentence, for a number of players or an option that the game does not have.
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
