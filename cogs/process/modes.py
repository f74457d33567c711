"""What the command line does to the store without running the bot: copies, files for people, and how the bot is."""

from __future__ import annotations

import argparse
import asyncio
import gzip
import io
import shutil
import sys
from typing import TextIO

from cogs.process.environment import Settings
from cogs.process.exits import StartError, of_database
from cogs.process.status import status
from matches.api import DatabaseError
from matches.host import by_mail, keeping


def name_database(settings: Settings, stream: TextIO | None = None) -> str:
    """Print the database's name for people, and return it. Raises DatabaseError."""
    place = keeping.place_of(settings.database)
    default = "" if settings.database_is_chosen else " (the default: AMBIT_DATABASE isn't set)"
    print(f"Database: {place}{default}", file=stream, flush=True)
    return place


def keep_database(settings: Settings, chosen: argparse.Namespace) -> None:
    """Run `--backup`, `--restore`, `--restored` or `--move-to`. Raises StartError."""
    url, place = settings.database, None
    if chosen.restore is not None and not settings.database_is_chosen:
        raise StartError(
            f"AMBIT_DATABASE isn't set, so it isn't known where {chosen.restore} belongs: set it, or name the bot's "
            "file of settings with --env."
        )
    try:
        place = name_database(settings)
        if chosen.backup is not None:
            done = keeping.back_up(url, chosen.backup)
        elif chosen.restore is not None:
            done = keeping.restore(url, chosen.restore)
        elif chosen.restored:
            done = keeping.note_restored(url)
        else:
            target = _move_target(chosen.move_to, settings)
            print(f"New database: {keeping.place_of(target)}", flush=True)
            done = keeping.move_to(url, target)
    except DatabaseError as error:
        raise of_database(error, place) from error
    print(done)


def serve_person(settings: Settings, chosen: argparse.Namespace) -> None:
    """Run `--export`, which prints a file, or `--forget`. Raises StartError."""
    place = None
    try:
        if chosen.export is not None:
            place = name_database(settings, sys.stderr)
            packed = asyncio.run(by_mail.export(settings.database, chosen.export))
            with gzip.open(io.BytesIO(packed.data), "rt", encoding="utf-8", newline="") as file:
                shutil.copyfileobj(file, sys.stdout)
        else:
            place = name_database(settings)
            print(asyncio.run(by_mail.forget(settings.database, chosen.forget)))
    except DatabaseError as error:
        raise of_database(error, place) from error


def print_status(settings: Settings) -> int:
    """Print how the bot is. Return 0 if nothing is wrong, else 1. Raises DatabaseError."""
    name_database(settings)
    said, wrong = asyncio.run(status(settings))
    for sentence in (*said, *(f"Problem: {each}" for each in wrong)):
        print(sentence)
    return 1 if wrong else 0


def _move_target(named: str, settings: Settings) -> str:
    """Return the address to move to, from the command line or the settings. Raises StartError, DatabaseError."""
    if not named and settings.move_to is None:
        raise StartError("Say where to: --move-to with an address, or AMBIT_MOVE_TO in the settings.")
    if named and keeping.has_password(named):
        raise StartError(
            "Everybody on this machine can read a password on the command line: write the address as AMBIT_MOVE_TO "
            "into the settings, and --move-to alone. Choose a new password if others use this machine."
        )
    return named or (settings.move_to.get_secret_value() if settings.move_to else "")
