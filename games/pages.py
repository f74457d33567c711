"""The rules for people, as every game brings them: a page, and the logs of the positions that illustrate it."""

from __future__ import annotations

from importlib.resources.abc import Traversable

from games import GAMES


def page(key: str) -> str:
    """The page of a game: Markdown with a section for every few rules. Raises FileNotFoundError where there is none."""
    return GAMES[key].rules.joinpath(f"{key}.md").read_text("utf-8")


def positions(key: str) -> Traversable:
    """The folder of the logs for a game's page; other games may have theirs in it, too."""
    return GAMES[key].rules.joinpath("positions")


def position_log(name: str) -> str:
    """The log called `name`, which begins with the game's key: ``saboteur-fit``.

    Raises FileNotFoundError where there is none.
    """
    key = name.partition("-")[0]
    if key not in GAMES:
        raise FileNotFoundError(f"The log {name} is of no game: a name begins with the key of one and a hyphen.")
    return positions(key).joinpath(f"{name}.log").read_text("ascii")
