"""Files that hold what players hold: only their owner can read them, and the folder's owner owns them."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

OWNERS_ALONE: Final = 0o600
"""Rights of a new file. SQLite gives the same to the journals beside it."""


def make_private(file: Path) -> None:
    """Make the file, empty, where it is missing; the rights of one that is there are its owner's business.

    It has its rights before there is anything in it. Raises OSError.
    """
    with suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, OWNERS_ALONE))
        give_to_owner_of(file.parent, file)


def open_private(file: Path) -> int:
    """Open the file, made by `make_private` where it is missing; its descriptor. Raises OSError."""
    make_private(file)
    return os.open(file, os.O_RDWR)


def give_to_owner_of(folder: Path, file: Path) -> None:
    """Let the folder's owner own this file: root works here for the user as whom the bot runs. Raises OSError."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        owner = folder.stat()
        os.chown(file, owner.st_uid, owner.st_gid)
