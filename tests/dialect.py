"""One SQLite dialect for all stores of a process, so that each statement is compiled once, not for every test's store.

SQLAlchemy keeps compiled statements by engine and dialect, and makes a dialect for each engine. Compiling took a
quarter of the CPU time of a short test.
"""

from typing import Any, ClassVar, Final, Self

from sqlalchemy import Connection, Engine, event
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite

_COMPILED: Final[dict[Any, Any]] = {}


class OneDialect(SQLiteDialect_pysqlite):
    """SQLite's dialect, with one instance for equal arguments."""

    supports_statement_cache = True
    _made: ClassVar[dict[str, Self]] = {}

    def __new__(cls, **arguments: Any) -> Self:
        key = repr(sorted(arguments.items()))
        if key not in cls._made:
            made = super().__new__(cls)
            super().__init__(made, **arguments)
            cls._made[key] = made
        return cls._made[key]

    def __init__(self, **arguments: Any) -> None:
        """Do nothing: it is in use already."""


def use_one_dialect() -> None:
    """Let all engines for SQLite share a dialect and its compiled statements from now on."""
    registry.register("sqlite", __name__, OneDialect.__name__)
    event.listen(Engine, "engine_connect", _share)


def _share(connection: Connection) -> None:
    if isinstance(connection.dialect, OneDialect):
        connection.execution_options(compiled_cache=_COMPILED)
