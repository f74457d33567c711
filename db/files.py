"""Files that hold what players hold: made so that only their owner can read them."""

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
