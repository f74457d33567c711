"""Upserts: one statement that inserts rows or updates those with the same key, in either SQL dialect."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import Any, Final, TypeAlias

from sqlalchemy import ColumnElement, Connection, Dialect, Insert, Select, Table
from sqlalchemy.dialects import postgresql, sqlite

Merge: TypeAlias = Callable[[str, ColumnElement[Any], ColumnElement[Any]], ColumnElement[Any]]
"""Returns a column's new value, from its name, its stored value and the inserted value."""

SQLITE: Final = "sqlite"
"""The dialect in which a writing transaction locks the whole store."""

_INSERTS: Final[Mapping[str, Any]] = {SQLITE: sqlite.insert, "postgresql": postgresql.insert}


def _replaced(_name: str, _old: ColumnElement[Any], new: ColumnElement[Any]) -> ColumnElement[Any]:
    return new


def upsert(dialect: Dialect, table: Table, source: Mapping[str, Any] | Select[Any], merge: Merge = _replaced) -> Insert:
    """Return a statement that upserts one row, or all selected rows.

    `source` names columns by their keys in the table, including the primary key. Other columns keep their values.
    """
    insert = _INSERTS[dialect.name](table)
    if isinstance(source, Mapping):
        names, statement = list(source), insert.values(source)
    else:
        names = source.selected_columns.keys()
        statement = insert.from_select(names, source)
    return _on_conflict(statement, table, names, merge)


def put_row(transaction: Connection, table: Table, row: Mapping[str, Any]) -> None:
    """Upsert one row."""
    transaction.execute(_of_row(transaction.dialect.name, table, tuple(row)), dict(row))


@cache
def _of_row(dialect: str, table: Table, names: tuple[str, ...]) -> Insert:
    return _on_conflict(_INSERTS[dialect](table), table, names, _replaced)


def insert_or_read(transaction: Connection, table: Table, row: Mapping[str, Any], column: str) -> Any:
    """Insert a row unless its key exists. Return this column of the stored row, which is locked until the commit."""
    statement = upsert(transaction.dialect, table, row, lambda _name, old, _new: old)
    return transaction.execute(statement.returning(table.c[column])).scalar_one()


def upsert_rows(dialect: Dialect, table: Table, names: Collection[str]) -> Insert:
    """Return a statement that inserts or replaces the rows it is executed with, which all have the columns `names`."""
    return _of_row(dialect.name, table, tuple(names))


def _on_conflict(statement: Any, table: Table, names: Collection[str], merge: Merge) -> Insert:
    key = table.primary_key.columns
    changes = {name: merge(name, table.c[name], statement.excluded[name]) for name in names if name not in key}
    if not changes:
        only_a_key: Insert = statement.on_conflict_do_nothing()
        return only_a_key
    made: Insert = statement.on_conflict_do_update(index_elements=list(key), set_=changes)
    return made
