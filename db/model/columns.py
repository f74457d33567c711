"""How the columns of a table are made out of the annotated fields of what its rows are read as.

A field's type says what the column holds and whether it may be empty, its default is the column's too, and `Kept` says
what else there is to it. So a column is declared once: as a field in `db/model/rows.py`.
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
    Dialect,
    Double,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    String,
    Table,
    Text,
    TypeDecorator,
    false,
    text,
)
from sqlalchemy.schema import SchemaItem
from sqlalchemy.types import TypeEngine

T = TypeVar("T")

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND: Final = timedelta(microseconds=1)


class Instant(TypeDecorator[datetime]):
    """An aware instant, stored as whole microseconds since 1970 in UTC, so that it compares and survives exactly."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """To the store."""
        return None if value is None else (value - _EPOCH) // _MICROSECOND

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """From the store."""
        return None if value is None else _EPOCH + value * _MICROSECOND


class Span(TypeDecorator[timedelta]):
    """How long something takes, stored as whole microseconds."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: timedelta | None, dialect: Dialect) -> int | None:
        """To the store."""
        return None if value is None else value // _MICROSECOND

    def process_result_value(self, value: Any, dialect: Dialect) -> timedelta | None:
        """From the store."""
        return None if value is None else value * _MICROSECOND


class Word(TypeDecorator[StrEnum]):
    """One of these words. A text that is none of them raises ValueError when it is read."""

    impl = String(16)
    cache_ok = True

    def __init__(self, words: type[StrEnum]) -> None:
        super().__init__()
        self.words = words

    def process_result_value(self, value: Any, dialect: Dialect) -> StrEnum | None:
        """From the store."""
        return None if value is None else self.words(value)


class Several(TypeDecorator[tuple[Any, ...]]):
    """Numbers or texts in their order, stored as a list in JSON."""

    impl = JSON
    cache_ok = True

    def process_result_value(self, value: Any, dialect: Dialect) -> tuple[Any, ...] | None:
        """From the store."""
        return None if value is None else tuple(value)


# A row id: SQLite gives numbers by itself only to a column that is exactly INTEGER.
RowId: Final = BigInteger().with_variant(Integer(), "sqlite")
Snowflake: Final = BigInteger()
"""A number that Discord gives."""

_TYPES: Final[Mapping[Any, TypeEngine[Any]]] = {
    bool: Boolean(),
    int: Integer(),
    float: Double(),
    str: Text(),
    bytes: LargeBinary(32),
    datetime: Instant(),
    timedelta: Span(),
    tuple: Several(),
    Mapping: JSON(),
}


@dataclass(frozen=True, kw_only=True)
class Kept:
    """What the type and the default of a field do not say about its column.

    `type`: another than the field's type usually has. `name`: the column is not called like the field. `default`: what
    the store puts where nothing is said, if not the field's default; with `always_said` nothing.
    `references`: a column of another table; where its row is deleted, this one goes with it, or is set to NULL where it
    may be empty.
    """

    type: TypeEngine[Any] | None = None
    name: str | None = None
    default: bool | int | str | None = None
    always_said: bool = False
    references: str | None = None
    unique: bool = False


def table(
    name: str, metadata: MetaData, *rows: type[Any], key: Sequence[str], more: Sequence[SchemaItem] = (), **options: Any
) -> Table:
    """The table whose columns are the fields of these classes; `key` are the fields that no two rows share."""
    columns = [column for row in rows for column in _columns(row, key)]
    by_field = {column.key: column.name for column in columns}
    primary = PrimaryKeyConstraint(*(by_field[field] for field in key))
    return Table(name, metadata, *columns, primary, *more, **options)


def names(row: type[Any]) -> tuple[str, ...]:
    """The fields of such a row, which are the keys of its columns."""
    # Not by `fields`, which takes longer than a row to make.
    return tuple(row.__dataclass_fields__ if is_dataclass(row) else row._fields)


def columns_of(table: Table, row: type[Any]) -> tuple[Column[Any], ...]:
    """The columns in which such a row is stored, in the order of its fields."""
    return tuple(table.c[name] for name in names(row))


def made(row: type[T], values: Sequence[Any]) -> T:
    """A row out of the values of `columns_of`."""
    return row(**dict(zip(names(row), values, strict=True)))


def _columns(row: type[Any], key: Sequence[str]) -> list[Column[Any]]:
    defaults = _defaults(row)
    hints = get_type_hints(row, include_extras=True)
    return [_column(name, hints[name], defaults.get(name), key) for name in names(row)]


def _defaults(row: type[Any]) -> Mapping[str, Any]:
    if is_dataclass(row):
        return {field.name: field.default for field in fields(row) if field.default is not MISSING}
    found: Mapping[str, Any] = row._field_defaults
    return found


def _column(name: str, hint: Any, default: Any, key: Sequence[str]) -> Column[Any]:
    """`hint` is a type, perhaps annotated, perhaps or ``None``, either around the other."""
    kept, nullable = Kept(), False
    while get_origin(hint) in (Annotated, Union, UnionType):
        if get_origin(hint) is Annotated:
            hint, kept = get_args(hint)
        else:
            (hint,) = (each for each in get_args(hint) if each is not NoneType)
            nullable = True
    kind = kept.type or _type(hint)
    reference = []
    if kept.references is not None:
        reference.append(ForeignKey(kept.references, ondelete="SET NULL" if nullable else "CASCADE"))
    return Column(
        kept.name or name,
        kind,
        *reference,
        key=name,
        nullable=nullable,
        # Numbers are given by the store where they are the whole key, and those of no other row.
        autoincrement="auto" if kind is RowId and list(key) == [name] else False,
        server_default=_server_default(kept, default),
        unique=kept.unique or None,
    )


def _type(hint: Any) -> TypeEngine[Any]:
    # A type that is new only to who reads the program is kept as what it is made of.
    hint = getattr(hint, "__supertype__", hint)
    kind = get_origin(hint) or hint
    if issubclass(kind, StrEnum):
        return Word(kind)
    return _TYPES[kind]


def _server_default(kept: Kept, default: Any) -> Any:
    default = default if kept.default is None else kept.default
    if default is None or kept.always_said:
        return None
    if isinstance(default, bool):
        assert not default
        return false()
    if isinstance(default, str):
        return str(default)
    if isinstance(default, timedelta):
        return text(str(default // _MICROSECOND))
    return text("'[]'" if default == () else str(default))
