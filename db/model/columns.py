"""Makes the columns of a table from the annotated fields of its row class.

A field's type gives the column's type and whether it is nullable. Its default is the column's default. `ColumnOptions`
gives the rest. So a column is declared once, as a field in `db/model/rows.py`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from types import NoneType, UnionType
from typing import Annotated, Any, Final, TypeVar, Union, get_args, get_origin, get_type_hints

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Dialect,
    Double,
    ForeignKey,
    FromClause,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    TypeDecorator,
    and_,
    false,
    select,
    text,
)
from sqlalchemy.schema import SchemaItem
from sqlalchemy.types import TypeEngine

T = TypeVar("T")

EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND: Final = timedelta(microseconds=1)


class Span(TypeDecorator[Any]):
    """A duration, stored as microseconds."""

    impl = BigInteger
    cache_ok = True
    since: datetime | timedelta = timedelta(0)

    def process_bind_param(self, value: Any, dialect: Dialect) -> int | None:
        return None if value is None else (value - self.since) // MICROSECOND

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        return None if value is None else self.since + value * MICROSECOND


class Instant(Span):
    """An aware datetime, stored as microseconds since 1970 in UTC, so that values compare and round-trip exactly."""

    cache_ok = True
    since = EPOCH


class EnumText(TypeDecorator[StrEnum]):
    """An enum member, stored as its text. Reading an unknown text raises ValueError."""

    impl = String(16)
    cache_ok = True

    def __init__(self, words: type[StrEnum]) -> None:
        super().__init__()
        self.words = words

    def process_result_value(self, value: Any, dialect: Dialect) -> StrEnum | None:
        return None if value is None else self.words(value)


class JsonTuple(TypeDecorator[tuple[Any, ...]]):
    """A tuple of numbers or texts, stored as a JSON list."""

    impl = JSON
    cache_ok = True

    def process_result_value(self, value: Any, dialect: Dialect) -> tuple[Any, ...] | None:
        return None if value is None else tuple(value)


# SQLite numbers rows by itself only if the column's type is exactly INTEGER.
RowId: Final = BigInteger().with_variant(Integer(), "sqlite")
Snowflake: Final = BigInteger()
"""A Discord id."""

_TYPES: Final[Mapping[Any, TypeEngine[Any]]] = {
    bool: Boolean(),
    int: Integer(),
    float: Double(),
    str: Text(),
    bytes: LargeBinary(32),
    datetime: Instant(),
    timedelta: Span(),
    tuple: JsonTuple(),
    Mapping: JSON(),
}


@dataclass(frozen=True, kw_only=True)
class ColumnOptions:
    """What a field's type and default don't say about its column.

    `type`: replaces the type's usual column type. `name`: the column's name, if not the field's. `default`: the server
    default, if not the field's default. `references`: a foreign key. Deleting the row that it names deletes this row,
    or sets a nullable column to NULL unless it `cascades`.
    """

    type: TypeEngine[Any] | None = None
    name: str | None = None
    default: bool | int | str | None = None
    no_server_default: bool = False
    references: str | None = None
    cascades: bool = False
    unique: bool = False


def table(
    metadata: MetaData, name: str, rows: Sequence[type[Any]], key: Sequence[str], *more: SchemaItem, **options: Any
) -> Table:
    """Return a table whose columns are the fields of `rows`; `key` names the fields of the primary key."""
    columns = [column for row in rows for column in _columns(row, key)]
    by_field = {column.key: column.name for column in columns}
    primary = PrimaryKeyConstraint(*(by_field[field] for field in key))
    return Table(name, metadata, *columns, primary, *more, **options)


def field_names(row: type[Any]) -> tuple[str, ...]:
    """Return the fields of a row class, which are the keys of its columns."""
    # `dataclasses.fields` would take longer than making a row.
    return tuple(row.__dataclass_fields__ if is_dataclass(row) else row._fields)


def values_of(record: object, row: type[Any]) -> dict[str, Any]:
    """Return what a record has in the fields of a row class."""
    return {name: getattr(record, name) for name in field_names(row)}


def columns_of(table: Table, row: type[Any]) -> tuple[Column[Any], ...]:
    """Return the columns that store `row`, in the order of its fields."""
    return tuple(table.c[name] for name in field_names(row))


def same(one: FromClause, other: FromClause, *names: str) -> ColumnElement[bool]:
    """Return the condition that rows of two tables are equal in these columns."""
    return and_(*(one.c[name] == other.c[name] for name in names))


def make_row(row: type[T], values: Sequence[Any]) -> T:
    """Make a row from the values of `columns_of`."""
    return row(**dict(zip(field_names(row), values, strict=True)))


def read_row(transaction: Connection, table: Table, row: type[T], *wanted: ColumnElement[bool]) -> T | None:
    """Return the only row of a table that meets these conditions; ``None`` if there is none."""
    found = transaction.execute(select(*columns_of(table, row)).where(*wanted)).one_or_none()
    return None if found is None else make_row(row, found)


def _columns(row: type[Any], key: Sequence[str]) -> list[Column[Any]]:
    defaults = _defaults(row)
    hints = get_type_hints(row, include_extras=True)
    return [_column(name, hints[name], defaults.get(name), key) for name in field_names(row)]


def _defaults(row: type[Any]) -> Mapping[str, Any]:
    if is_dataclass(row):
        return {field.name: field.default for field in fields(row) if field.default is not MISSING}
    found: Mapping[str, Any] = row._field_defaults
    return found


def _column(name: str, hint: Any, default: Any, key: Sequence[str]) -> Column[Any]:
    """Return the column of a field. `hint` is its type, perhaps inside Annotated, Optional, or both in either order."""
    options, nullable = ColumnOptions(), False
    while get_origin(hint) in (Annotated, Union, UnionType):
        if get_origin(hint) is Annotated:
            hint, options = get_args(hint)
        else:
            (hint,) = (each for each in get_args(hint) if each is not NoneType)
            nullable = True
    kind = options.type or _type(hint)
    reference = []
    if options.references is not None:
        action = "SET NULL" if nullable and not options.cascades else "CASCADE"
        reference.append(ForeignKey(options.references, ondelete=action))
    return Column(
        options.name or name,
        kind,
        *reference,
        key=name,
        nullable=nullable,
        # The store numbers the rows only if the row id is the whole key.
        autoincrement="auto" if kind is RowId and list(key) == [name] else False,
        server_default=_server_default(options, default),
        unique=options.unique or None,
    )


def _type(hint: Any) -> TypeEngine[Any]:
    # A NewType is stored as its base type.
    hint = getattr(hint, "__supertype__", hint)
    kind = get_origin(hint) or hint
    if issubclass(kind, StrEnum):
        return EnumText(kind)
    return _TYPES[kind]


def _server_default(options: ColumnOptions, default: Any) -> Any:
    default = default if options.default is None else options.default
    if default is None or options.no_server_default:
        return None
    if isinstance(default, bool):
        assert not default
        return false()
    if isinstance(default, str):
        return str(default)
    if isinstance(default, timedelta):
        return text(str(default // MICROSECOND))
    return text("'[]'" if default == () else str(default))
