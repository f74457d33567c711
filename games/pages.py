"""Every game's rules page, and the logs of the positions that illustrate it."""

from __future__ import annotations

from importlib.resources.abc import Traversable

from games import GAMES, odds


def page(key: str) -> str:
    """Return the rules page of a game, in Markdown. Raises FileNotFoundError if the game has none."""
    text = GAMES[key].rules.joinpath(f"{key}.md").read_text("utf-8")
    return text.replace(odds.MARK, odds.told(key)) if odds.MARK in text else text


def positions(key: str) -> Traversable:
    """Return the folder with the logs for a game's page. Games may share a folder."""
    return GAMES[key].rules.joinpath("positions")


def position_log(name: str) -> str:
    """Return the text of the log called `name`, like ``saboteur-fit``. The name begins with the game's key.

    Raises FileNotFoundError if there is no such log.
    """
    key = name.partition("-")[0]
    if key not in GAMES:
        raise FileNotFoundError(f"The log {name} is of no game: a name begins with the key of one and a hyphen.")
    return positions(key).joinpath(f"{name}.log").read_text("ascii")
