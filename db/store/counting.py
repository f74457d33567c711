"""Counts statements and transactions of the open store."""

from __future__ import annotations

import threading
from collections import Counter
from typing import Any, Final

from sqlalchemy import Engine, event

KINDS: Final = ("select", "insert", "update", "delete")
OTHER: Final = "other"


class Statements:
    """How many statements were executed, by their first word. Several threads execute them."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter(dict.fromkeys((*KINDS, OTHER), 0))

    def of(self, engine: Engine) -> None:
        """Count the statements of this engine."""
        event.listen(engine, "before_cursor_execute", self._count)

    @property
    def counts(self) -> dict[str, int]:
        """The number of statements by kind."""
        with self._lock:
            return dict(self._counts)

    def _count(self, _connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        word = statement[:6].lower()
        with self._lock:
            self._counts[word if word in KINDS else OTHER] += 1
