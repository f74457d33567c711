"""The games on the command line: ``python -m games random|replay|play|lesson``.

Errors are one sentence on the standard error stream, with exit status 2.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random, SystemRandom
from typing import Any, Final, NoReturn

from games import GAMES, lessons
from games.core import CHANCE, Game, State
from games.hotseat import learn, play
from games.log import Course, Header, Line, initial_state, parse_log, to_text

WRONG: Final = 2
"""The exit status for errors in what the user asked for."""


class _Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one sentence, without the usage."""

    def error(self, message: str) -> NoReturn:
        raise ValueError(f"{message[:1].upper()}{message[1:].rstrip('.')}. (See: {self.prog} --help)")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status."""
    try:
        asked = _parser().parse_args(arguments)
        status: int = asked.command(asked)
        return status
    except (ValueError, OSError) as error:
        print(_sentence(error), file=sys.stderr)
        return WRONG
    except (EOFError, KeyboardInterrupt):
        print()
        return 0


def _sentence(error: Exception) -> str:
    """Return the sentence for an error. Errors of files and encodings get one here."""
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}."
    if isinstance(error, UnicodeDecodeError):
        return "The file isn't UTF-8 text."
    return str(error)


def _parser() -> _Parser:
    parser = _Parser(prog="python -m games", description="Play the games without Discord.")
    commands = parser.add_subparsers(required=True, metavar="random|replay|play|lesson", parser_class=_Parser)
    for name, command, words in (
        ("random", random_match, "print the log of a match of random moves"),
        ("play", hot_seat, "play in the terminal, all seats at one keyboard"),
    ):
        sub = commands.add_parser(name, help=words, description=f"{words[:1].upper()}{words[1:]}.")
        sub.add_argument("game", choices=sorted(GAMES))
        sub.add_argument("--players", type=int, help="how many play (default: as few as possible)")
        sub.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="a variant of the game")
        sub.add_argument("--seed", help="makes the draws repeatable")
        sub.set_defaults(command=command)
    sub = commands.add_parser("replay", help="check a log line by line", description="Check a log line by line.")
    sub.add_argument("file", type=Path)
    sub.set_defaults(command=replay_file)
    sub = commands.add_parser("lesson", help="try a file of lessons", description="Check a file of lessons and try it.")
    sub.add_argument("file", type=Path, help="<game>.toml, with positions/ beside its folder")
    sub.add_argument("--only", metavar="KEY", help="one lesson of them")
    sub.set_defaults(command=try_lessons)
    return parser


def _header(asked: argparse.Namespace) -> Header:
    """Return the header of the requested match, with every option written out. Raises ValueError."""
    game: Game = GAMES[asked.game]
    options = {option.name: option.default for option in game.info.options}
    for text in asked.option:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"An option is written NAME=VALUE, not {text!r}.")
        options[name] = value
    players = game.info.min_players if asked.players is None else asked.players
    return Header(asked.game, players, options, game.info.rules_version)


def random_match(asked: argparse.Namespace) -> int:
    """Print the log of a match in which everybody plays at random."""
    header = _header(asked)
    rng = Random(asked.seed)
    course, lines = Course.begin(header), list[Line]()
    while not course.state.is_terminal:
        state, player = course.state, course.state.current_player
        action = state.sample_chance(rng) if player == CHANCE else rng.choice(state.legal_actions(player))
        line, course = course.played(player, action)
        lines.append(line)
    print(to_text(header, lines), end="")
    return 0


def replay_file(asked: argparse.Namespace) -> int:
    """Check every line of a log, and print the final position."""
    header, lines = parse_log(asked.file.read_text(encoding="utf-8"))
    course = Course.begin(header)
    for line in lines:
        course = course.after(line)
    print(header)
    print(f"{len(lines)} lines, all correct.")
    print(standing(course.state))
    print(course.state)
    return 0


def standing(state: State[Any]) -> str:
    """Return the result or whose turn it is, then the scores by seat."""
    outcome = state.outcome()
    if outcome is not None:
        seats = "seat" if len(outcome.winners) == 1 else "seats"
        result = f"Won by {seats} {', '.join(map(str, outcome.winners))}. {outcome.reason}"
    else:
        result = f"Not over: {'chance' if state.current_player == CHANCE else f'seat {state.current_player}'} is next."
    scores = f"{result}\nScores: {', '.join(f'{score:g}' for score in state.returns())}"
    return scores if outcome is None else f"{scores}\nPlaces: {', '.join(map(str, state.standing()))}"


def hot_seat(asked: argparse.Namespace) -> int:
    """Let people play all seats in turn, then print the result."""
    header = _header(asked)
    rng = SystemRandom() if asked.seed is None else Random(asked.seed)
    state = play(initial_state(header), rng, input, print)
    print(standing(state))
    return 0


def try_lessons(asked: argparse.Namespace) -> int:
    """Check the lessons of a file, then let somebody try them. Raises ValueError if a lesson is wrong."""
    path: Path = asked.file
    if path.stem not in GAMES:
        raise ValueError(f"A file of lessons is called after its game; there's no game called {path.stem}.")
    found = lessons.read(path.stem, path.read_text("utf-8"), path.parent.parent / "positions")
    wrong = [each for lesson in found for each in lessons.problems(lesson)]
    if wrong:
        raise ValueError("\n".join(wrong))
    print(f"{len(found)} lessons, all correct.")
    for lesson in found:
        if asked.only in (None, lesson.key):
            learn(lesson, input, print)
    return 0


if __name__ == "__main__":
    sys.exit(main())
