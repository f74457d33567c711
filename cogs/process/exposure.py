"""What others could read, though they shouldn't: files that hold secrets, the measurements, what `--export` prints."""

from __future__ import annotations

import ipaddress
import os
import socket
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TextIO

from dotenv import dotenv_values

from cogs.process.environment import FILE, Settings
from matches.host import keeping

CONTAINERS: Final = ("/.dockerenv", "/run/.containerenv")
"""Files that Docker and Podman put into a container. Nobody else has an account there, and a port must be published."""

SECRETS: Final = ("AMBIT_TOKEN", "AMBIT_MOVE_TO")
"""Settings that are secret whatever they say; the address of a database is one if it has a password."""


def exposed(settings: Settings, env: Path | None) -> Iterator[str]:
    """Say what others can read. `env` is the file of settings, or ``None`` for `FILE`. Raises DatabaseError."""
    if any(map(os.path.exists, CONTAINERS)):
        return
    file = env or FILE
    held = dotenv_values(file, interpolate=False) if file.is_file() else {}
    here = held.get("AMBIT_DATABASE") == settings.database
    if any(map(held.get, SECRETS)) or (here and keeping.has_password(settings.database)):
        yield from _of_file(file, "holds secrets of the bot")
    if settings.token_file is not None:
        yield from _of_file(settings.token_file, "holds the bot's token")
    if (database := keeping.file_of(settings.database)) is not None:
        yield from _of_file(database, "holds everybody's hands")
    if settings.metrics is not None and _is_open(settings.metrics.host):
        yield (
            f"AMBIT_METRICS={settings.metrics} answers everybody who reaches this machine, and asks for no password: "
            "name 127.0.0.1, or an address of your own network."
        )


def of_output(stream: TextIO) -> str | None:
    """Say that others can read the file to which a shell has sent what this process prints."""
    try:
        mode = os.fstat(stream.fileno()).st_mode
    except (OSError, ValueError):  # It is closed, or no file at all.
        return None
    if not stat.S_ISREG(mode) or not mode & stat.S_IROTH or sys.platform == "win32":
        return None
    return (
        f"Others on this machine may read the file that this went to (its mode is {mode & 0o777:o}): chmod 600 it, and "
        "begin with umask 077 next time."
    )


def _of_file(file: Path, what: str) -> Iterator[str]:
    """Say that everybody on this machine can read a file. Its folders must let them pass, too."""
    file = file.absolute()
    try:
        is_read = file.stat().st_mode & stat.S_IROTH
        is_reached = all(folder.stat().st_mode & stat.S_IXOTH for folder in file.parents)
    except OSError:  # It isn't there, or not for this user. Whatever needs it says so.
        return
    if is_read and is_reached and sys.platform != "win32":
        yield f"Everybody on this machine can read {file}, which {what}: chmod o-rwx {file}"


def _is_open(host: str) -> bool:
    """Whether an address that is no name stands for all of the machine's, or can be reached from the internet."""
    try:
        (_, _, _, _, address), *_ = socket.getaddrinfo(host, None, flags=socket.AI_NUMERICHOST)
    except OSError:
        return False
    found = ipaddress.ip_address(str(address[0]).partition("%")[0])
    return found.is_unspecified or found.is_global
