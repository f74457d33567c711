"""Creates files with players' data: readable by their owner only, and owned by the folder's owner."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

OWNERS_ALONE: Final = 0o600
"""Permissions of a new file. SQLite gives its journals the same."""


def make_private(file: Path) -> None:
    """Create an empty file if it is missing. An existing file keeps its permissions.

    The file never exists with wider permissions. Raises OSError.
    """
    with suppress(FileExistsError):
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, OWNERS_ALONE))
        give_to_owner_of(file.parent, file)


def open_private(file: Path) -> int:
    """Open the file, created by `make_private` if missing, and return its descriptor. Raises OSError."""
    make_private(file)
    return os.open(file, os.O_RDWR)


def give_to_owner_of(folder: Path, file: Path) -> None:
    """As root, give the file to the folder's owner, who runs the bot. Raises OSError."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        owner = folder.stat()
        os.chown(file, owner.st_uid, owner.st_gid)
