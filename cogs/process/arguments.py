"""The options of `bot.py` on the command line."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

VERSION: Final = "0.1.0"
"""The version in pyproject.toml. The bot runs from its folder and is never installed, so it has no metadata."""

TAKE_OVER: Final = "--take-over"
"""The option of a process that takes over from the one that runs."""

OPERATING: Final = ("pause", "resume", "announce", "leave", "bar", "unbar")
"""The options that are methods of `Host.operating`."""

MOST_USER: Final = 2**63 - 1
"""The largest Discord ID that the store can hold."""

MOST_MEMBERS: Final = 12
"""The preview has names for this many people."""


def read(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the parsed command line. Exits with a sentence and code 2 if it is wrong."""
    parser = argparse.ArgumentParser(prog="bot.py", description="Ambit, a Discord bot for tabletop games.")
    parser.add_argument("--version", action="version", version=f"Ambit {VERSION}")
    parser.add_argument("--env", type=_path, metavar="FILE", help="read the settings from this file instead of .env")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument(
        TAKE_OVER, action="store_true", help="run the bot, and let the process that runs hand over without a pause"
    )
    mode.add_argument(
        "--check",
        action="store_true",
        help="look whether the bot could start; changes nothing unless you add --migrate",
    )
    mode.add_argument("--status", action="store_true", help="say how the bot is; code 1 if something is wrong")
    mode.add_argument("--preview", action="store_true", help="serve the bot in a simulated Discord on a local web page")
    mode.add_argument(
        "--backup", type=_path, metavar="FILE", help="copy the database to a new file, while the bot runs"
    )
    mode.add_argument("--restore", type=_path, metavar="FILE", help="put such a copy back, while the bot isn't running")
    mode.add_argument(
        "--restored",
        action="store_true",
        help="after a server's own tools have put the database back, while no bot runs",
    )
    mode.add_argument(
        "--move-to",
        nargs="?",
        const="",
        metavar="URL",
        help="copy everything to another, empty database (AMBIT_MOVE_TO, or an address without a password)",
    )
    mode.add_argument(
        "--export", type=_number(1, MOST_USER), metavar="USER", help="print everything stored about this Discord ID"
    )
    mode.add_argument(
        "--forget", type=_number(1, MOST_USER), metavar="USER", help="delete everything about this Discord ID, for good"
    )
    mode.add_argument("--pause", nargs="?", const="", metavar="WHY", help="open no new tables; everybody reads why")
    mode.add_argument("--resume", action="store_true", help="let new tables open again")
    mode.add_argument("--announce", metavar="TEXT", help="let each match's next board carry this once (empty: no more)")
    mode.add_argument("--leave", type=_number(1, MOST_USER), metavar="SERVER", help="leave the server of this number")
    mode.add_argument("--bar", type=_number(1, MOST_USER), metavar="USER", help="bar this Discord ID from all matches")
    mode.add_argument("--unbar", type=_number(1, MOST_USER), metavar="USER", help="let this Discord ID play again")
    parser.add_argument(
        "--migrate",
        action="store_true",
        help="with --check: bring the database itself up to date, while no bot runs on it",
    )
    parser.add_argument(
        "--members", type=_number(1, MOST_MEMBERS), default=4, metavar="N", help="people in the preview (default 4)"
    )
    parser.add_argument(
        "--port", type=_number(0, 65_535), default=8000, metavar="P", help="the preview's port (default 8000)"
    )
    chosen = parser.parse_args(arguments)
    if chosen.migrate and not chosen.check:
        parser.error("--migrate is a part of --check; without it the bot brings its database up to date at the start.")
    return chosen


def _path(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("a file's name can't be empty")
    return Path(text)


def _number(least: int, most: int) -> Callable[[str], int]:
    """Return a parser of whole numbers between these."""

    def number_in(text: str) -> int:
        with contextlib.suppress(ValueError):
            if least <= (number := int(text)) <= most:
                return number
        raise argparse.ArgumentTypeError(f"{text!r} isn't a number from {least} to {most}")

    return number_in
