"""Rows that are inserted, or changed where the key is there already: one statement, in either dialect of SQL."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, TypeAlias

from sqlalchemy import ColumnElement, Dialect, Insert, Select, Table
from sqlalchemy.dialects import postgresql, sqlite

Merge: TypeAlias = Callable[[str, ColumnElement[Any], ColumnElement[Any]], ColumnElement[Any]]
"""What becomes of a column: of its name, what stands there and what would have been inserted."""

SQLITE: Final = "sqlite"
"""The dialect in which a transaction that writes has the whole store for itself."""

_INSERTS: Final[Mapping[str, Any]] = {SQLITE: sqlite.insert, "postgresql": postgresql.insert}


def _replaced(_name: str, _old: ColumnElement[Any], new: ColumnElement[Any]) -> ColumnElement[Any]:
    return new


def upsert(dialect: Dialect, table: Table, source: Mapping[str, Any] | Select[Any], merge: Merge = _replaced) -> Insert:
    """Insert one row, or all that are selected; columns that `source` does not name stay as they are.

    It names columns by their keys in the table, those of the table's key among them.
    """
    insert = _INSERTS[dialect.name](table)
    if isinstance(source, Mapping):
        names, statement = list(source), insert.values(source)
    else:
        names = source.selected_columns.keys()
        statement = insert.from_select(names, source)
    key = table.primary_key.columns
    changes = {name: merge(name, table.c[name], statement.excluded[name]) for name in names if name not in key}
    if not changes:
        only_a_key: Insert = statement.on_conflict_do_nothing()
        return only_a_key
    made: Insert = statement.on_conflict_do_update(index_elements=list(key), set_=changes)
    return made


def upsert_rows(dialect: Dialect, table: Table, names: Collection[str]) -> Insert:
    """Insert the rows that it is executed with, all with these columns, or replace them where the key is there."""
    statement = _INSERTS[dialect.name](table)
    changes = {name: statement.excluded[name] for name in names if name not in table.primary_key.columns}
    made: Insert = statement.on_conflict_do_update(index_elements=list(table.primary_key.columns), set_=changes)
    return made
