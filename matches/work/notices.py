"""What whoever runs the bot has told everybody: an announcement, or why no new tables open.

`matches/host/operating.py` has the commands.
"""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any, Final, NamedTuple

from db import Connection
from db.store import meta
from matches.errors import NotAllowed

PAUSED: Final = "paused"
ANNOUNCED: Final = "announced"


class Said(NamedTuple):
    """What the people who run the bot have said, and since when it counts: an announcement, or why it's paused."""

    since: datetime
    text: str


def said(connection: Connection, key: str) -> Said | None:
    """Return what is said under this key now."""
    found = meta.get(connection, key)
    if found is None:
        return None
    stored: dict[str, Any] = json.loads(found)
    return Said(datetime.fromisoformat(stored["since"]), stored["text"])


def say(connection: Connection, key: str, what: Said | None) -> None:
    """Store what is said under this key; ``None``: nothing."""
    if what is None:
        meta.remove(connection, key)
    else:
        meta.put(connection, key, json.dumps({"since": what.since.isoformat(), "text": what.text}))


def paused(connection: Connection) -> Said | None:
    """Return since when no new tables open, and why; ``None`` if they do."""
    return said(connection, PAUSED)


def check_open(connection: Connection) -> None:
    """Raise NotAllowed, which says why, while no new tables open. Whatever opens a table asks this."""
    pause = paused(connection)
    if pause is not None:
        why = f"The people who run me say: “{pause.text}”" if pause.text else "Please try again later."
        raise NotAllowed(f"No new tables open right now. {why} Tables and matches that are there go on.")
