"""What the command line does without running the bot: checks, copies, files for people, and how the bot is."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gzip
import io
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from cogs.process.arguments import OPERATING
from cogs.process.environment import Settings
from cogs.process.exits import StartError, of_database
from cogs.process.exposure import exposed, of_output
from cogs.process.status import status
from matches.api import DatabaseError, HostError
from matches.host import by_mail, keeping
from matches.host.check import check_store


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
            if (sentence := of_output(sys.stdout)) is not None:
                print(sentence, file=sys.stderr)
        else:
            place = name_database(settings)
            print(asyncio.run(by_mail.forget(settings.database, chosen.forget)))
    except DatabaseError as error:
        raise of_database(error, place) from error


def operate(settings: Settings, chosen: argparse.Namespace) -> bool:
    """Run `--pause`, `--resume`, `--announce`, `--leave`, `--bar` or `--unbar`, and return whether one was chosen.

    Raises StartError.
    """
    what = next((name for name in OPERATING if getattr(chosen, name) not in (None, False)), None)
    if what is None:
        return False
    place = None
    try:
        place = name_database(settings)
        print(asyncio.run(by_mail.operate(settings.database, what, getattr(chosen, what))))
    except DatabaseError as error:
        raise of_database(error, place) from error
    except HostError as error:
        raise StartError(str(error)) from error
    return True


def print_status(settings: Settings) -> int:
    """Print how the bot is. Return 0 if nothing is wrong, else 1. Raises DatabaseError."""
    name_database(settings)
    said, wrong = asyncio.run(status(settings))
    for sentence in (*said, *(f"Problem: {each}" for each in wrong)):
        print(sentence)
    return 1 if wrong else 0


async def check(migrate: bool = False, env: Path | None = None) -> int:
    """Run `--check`: print a sentence for everything checked. Return 0 if the bot could continue every match, else 1.

    Without `migrate` it changes nothing, so it can run beside the bot, also with a newer program. With `migrate` it
    migrates the database itself, while no bot runs on it. It never asks Discord. Raises StartError.
    """
    problems, later = list[str](), False
    with temporary_folder("ambit-check-") as folder:
        try:
            settings = Settings.load(env)
        except StartError as error:
            # The settings name the database, too.
            problems += [str(error), "The database wasn't looked at, since the settings don't say which one is meant."]
        else:
            try:
                settings.bot_token()
                print("The settings are complete.")
            except StartError as error:
                problems.append(str(error))
            try:
                name_database(settings)
                for sentence in exposed(settings, env):
                    print(f"Worth a look: {sentence}")
                said, found = await check_store(settings.database, folder, migrate)
                for sentence in said:
                    print(sentence)
                problems += found
            except DatabaseError as error:
                problems.append(str(error))
                later = error.passes
    for problem in problems:
        print(f"Problem: {problem}")
    if later:
        raise StartError("The database can't be checked now. Please try again later.", passes=True)
    return 1 if problems else 0


@contextlib.contextmanager
def temporary_folder(prefix: str) -> Iterator[Path]:
    """Yield a folder that is deleted at the end. Raises StartError if there is no space."""
    try:
        folder = tempfile.TemporaryDirectory(prefix=prefix)
    except OSError as error:
        raise StartError(f"There is no room for temporary files ({error.strerror}).", passes=True) from error
    with folder as name:
        yield Path(name)


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
