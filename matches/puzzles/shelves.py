"""The loader of puzzles. A game's file is read when somebody asks for it.

``data/<game>.jsonl`` holds a puzzle a line. ``data/days.jsonl`` holds those of the days in their order, up to the one
before number `SINCE`, and ``data/days-since.jsonl`` those from then on. A line is a JSON object:

    key, kind, shelf    as in `Puzzle`; by default the shelf is "proven"
    stars               the difficulty
    amount              as in `Puzzle`, left out if it is 0
    log                 the log's lines without their numbers; the first is the header
    step                {"right": [[action, [line, …], step or null], …], "good": […], "refuted": [[lines, actions,
                        holding], …]}; empty ends of lists are left out, and so are "good" and "refuted" if empty
    places              instead of "step": the reasons of `Places`
    odds                instead of "step": the fields of `Odds`, as a list

A puzzle isn't loaded if its header names an unknown game or another version of the rules than the game's, or if its
kind is unknown.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import resources
from typing import Any, Final

from games import GAMES
from games.log import parse_header
from matches.puzzles.kinds import KINDS
from matches.puzzles.puzzle import Asked, Difficulty, Moved, Odds, Places, Puzzle, Refuted, Shelf, Step, Way

SINCE: Final = 14
"""The first number whose puzzle stands in the file `DAYS`. What `ENDED` has for it and later ones is never used."""

ENDED: Final = "days"
DAYS: Final = "days-since"
_DATA: Final = resources.files("matches.puzzles").joinpath("data")


def shelf(game: str, of: Shelf) -> tuple[Puzzle, ...]:
    """Return the puzzles of a shelf of a game, in the file's order. None of the days' puzzles is among them."""
    return tuple(each for each in _of_game(game) if each.shelf is of)


def puzzle(key: str) -> Puzzle | None:
    """Return the puzzle with this key, a day's or any other.

    ``None`` if there's none, or its game's rules have changed.
    """
    return _by_key().get(key)


@lru_cache(maxsize=1)
def days() -> tuple[Puzzle | None, ...]:
    """Return the days' puzzles: number *n* is at ``n - 1``. ``None`` if its game's rules have changed since."""
    return tuple(map(read, day_lines()))


@lru_cache(maxsize=1)
def day_lines() -> tuple[str, ...]:
    """Return the lines of the days' puzzles: that of number *n* is at ``n - 1``."""
    return (*lines(ENDED)[: SINCE - 1], *lines(DAYS))


def read(line: str) -> Puzzle | None:
    """Return the puzzle of a line of a file; ``None`` if its game or kind is unknown, or the rules have changed since.

    Raises KeyError, TypeError or ValueError for a line that isn't a puzzle.
    """
    said = json.loads(line)
    log = [*said["log"]]
    header, kind = parse_header(log[0]), KINDS.get(said["kind"])
    game = GAMES.get(header.game)
    if game is None or kind is None or game.info.rules_version != header.rules_version:
        return None
    return Puzzle(
        key=said["key"],
        game=header.game,
        shelf=Shelf(said.get("shelf", Shelf.PROVEN)),
        kind=said["kind"],
        difficulty=Difficulty(said["stars"]),
        log="\n".join((log[0], *(f"{number} {text}" for number, text in enumerate(log[1:])))),
        first=_asked(said),
        amount=said.get("amount", 0),
    )


def written(puzzle: Puzzle) -> str:
    """Return the line of a puzzle (`read`)."""
    header, *lines = puzzle.log.split("\n")
    said: dict[str, Any] = {"key": puzzle.key, "kind": puzzle.kind}
    if puzzle.shelf is not Shelf.PROVEN:
        said["shelf"] = puzzle.shelf
    said["stars"] = int(puzzle.difficulty)
    if puzzle.amount:
        said["amount"] = puzzle.amount
    said["log"] = [header, *(line.partition(" ")[2] for line in lines)]
    match puzzle.first:
        case Step():
            said["step"] = _step_said(puzzle.first)
        case Places(reasons):
            said["places"] = reasons
        case Odds():
            said["odds"] = puzzle.first
    return json.dumps(said, ensure_ascii=True, separators=(",", ":"))


@lru_cache(maxsize=len(GAMES))
def _of_game(game: str) -> tuple[Puzzle, ...]:
    found = map(read, lines(game)) if game in GAMES else ()
    return tuple(each for each in found if each is not None)


@lru_cache(maxsize=1)
def _by_key() -> Mapping[str, Puzzle]:
    found = {each.key: each for game in GAMES for each in _of_game(game)}
    return found | {each.key: each for each in days() if each is not None}


def lines(name: str) -> tuple[str, ...]:
    """Return the lines of the file with this name; none if there's no such file."""
    file = _DATA.joinpath(f"{name}.jsonl")
    return tuple(file.read_text("ascii").splitlines()) if file.is_file() else ()


def _asked(said: Mapping[str, Any]) -> Asked:
    if "places" in said:
        return Places(tuple(said["places"]))
    if "odds" in said:
        chances, base, moved = said["odds"]
        return Odds(tuple(chances), base, tuple(Moved(*each) for each in moved))
    return _step(said["step"])


def _step(said: Mapping[str, Any]) -> Step:
    return Step(
        right=tuple(_way(*way) for way in said["right"]),
        good=tuple(said.get("good", ())),
        refuted=tuple(Refuted(*map(tuple, each)) for each in said.get("refuted", ())),
    )


def _way(action: str, then: Sequence[str] = (), following: Mapping[str, Any] | None = None) -> Way:
    return Way(action, tuple(then), None if following is None else _step(following))


def _step_said(step: Step) -> dict[str, Any]:
    ways = [_ended([way.action, list(way.then), _step_said(way.next) if way.next else None]) for way in step.right]
    said: dict[str, Any] = {"right": ways}
    if step.good:
        said["good"] = list(step.good)
    if step.refuted:
        said["refuted"] = [_ended([list(part) for part in each]) for each in step.refuted]
    return said


def _ended(values: list[Any]) -> list[Any]:
    """Return the list without the empty values at its end."""
    while values and not values[-1]:
        values = values[:-1]
    return values
