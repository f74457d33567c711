"""The SQL of a stretch of code, so that a test can count it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, event


@contextmanager
def statements(*, beginnings: bool = False) -> Iterator[list[str]]:
    """Collect the statements of all stores of this process meanwhile; with `beginnings`, also each BEGIN."""
    found: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if beginnings or not statement.startswith("BEGIN"):
            found.append(" ".join(statement.split()))

    event.listen(Engine, "after_cursor_execute", note)
    try:
        yield found
    finally:
        event.remove(Engine, "after_cursor_execute", note)


def writes(connection: Connection) -> bool:
    """Whether the program's transaction on this connection may write, with either store."""
    options = connection.get_execution_options()
    return "ambit_write" in options if connection.dialect.name == "sqlite" else "isolation_level" not in options
