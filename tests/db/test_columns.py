"""A column is declared once, as a field of the class of its rows."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any, NamedTuple

import pytest
from sqlalchemy import MetaData, Table, create_engine, insert, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import IntegrityError
from sqlalchemy.schema import CreateTable

from db.model.columns import ColumnOptions, RowId, columns_of, field_names, make_row, table
from db.model.upserts import upsert


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, kw_only=True)
class Row:
    """A row of the program's first version."""

    id: Annotated[int, ColumnOptions(type=RowId)]
    colour: Annotated[Colour, ColumnOptions(name="hue")]
    parts: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class LaterRow(Row):
    """A row with a column of each type, which is named nowhere else."""

    told: bool = False
    tries: int = 0
    note: str = "none"
    second: Colour = Colour.RED
    wanted: tuple[str, ...] = ()
    at: datetime | None = None
    length: int | None = None
    data: bytes | None = None


class Owner(NamedTuple):
    """A column that only the store uses."""

    owner: str | None = None


NOW = datetime(2030, 1, 1, tzinfo=UTC)
FIRST = LaterRow(id=1, colour=Colour.BLUE)
SECOND = LaterRow(
    id=2,
    colour=Colour.RED,
    parts=(2, 1),
    told=True,
    tries=3,
    note="it's",
    second=Colour.BLUE,
    wanted=("a", "b"),
    at=NOW + timedelta(microseconds=1),
    length=4,
    data=b"\0",
)


def things() -> Table:
    return table(MetaData(), "things", (LaterRow, Owner), ("id",))


def test_what_is_stored_in_a_column_is_what_its_field_is_when_it_is_read() -> None:
    of = things()
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        of.metadata.create_all(connection)
        # A column without a value gets the field's default.
        connection.execute(insert(of).values(colour=Colour.BLUE))
        connection.execute(insert(of).values(vars(SECOND)))
        rows = connection.execute(select(*columns_of(of, LaterRow)).order_by(of.c.id)).all()
        assert [make_row(LaterRow, row) for row in rows] == [FIRST, SECOND]
        assert [type(value) for value in vars(make_row(LaterRow, rows[1])).values()] == [
            type(value) for value in vars(SECOND).values()
        ]
        assert [make_row(Row, row) for row in connection.execute(select(*columns_of(of, Row)).order_by(of.c.id))] == [
            Row(id=1, colour=Colour.BLUE),
            Row(id=2, colour=Colour.RED, parts=(2, 1)),
        ]
        with pytest.raises(IntegrityError):
            connection.execute(insert(of).values(id=3, colour=Colour.RED, note=None))
    engine.dispose()


def test_a_table_has_the_fields_of_all_its_rows_and_no_other_column() -> None:
    of = things()
    assert tuple(of.c.keys()) == (*field_names(Row), *field_names(LaterRow)[3:], *field_names(Owner))
    assert of.c.colour.name == "hue"


@pytest.mark.parametrize("dialect", [sqlite.dialect(), postgresql.dialect()])
def test_a_field_says_type_default_and_whether_it_may_be_empty(dialect: Any) -> None:
    made_so = str(CreateTable(things()).compile(dialect=dialect))
    no = {"sqlite": "0", "postgresql": "false"}[dialect.name]
    for line in (
        "hue VARCHAR(16) NOT NULL",
        "parts JSON DEFAULT '[]' NOT NULL",
        f"told BOOLEAN DEFAULT {no} NOT NULL",
        "tries INTEGER DEFAULT 0 NOT NULL",
        "note TEXT DEFAULT 'none' NOT NULL",
        "second VARCHAR(16) DEFAULT 'red' NOT NULL",
        "at BIGINT",
        "length INTEGER",
        "owner TEXT",
    ):
        assert f"\t{line}," in made_so


def test_a_word_that_the_program_does_not_know_is_not_read() -> None:
    of = things()
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        of.metadata.create_all(connection)
        connection.exec_driver_sql("INSERT INTO things (hue) VALUES ('green')")
        with pytest.raises(ValueError, match="green"):
            connection.execute(select(of.c.colour)).all()
    engine.dispose()


def test_a_row_that_is_put_is_changed_where_it_is_there_and_keeps_what_is_not_said() -> None:
    of = things()
    engine = create_engine("sqlite://")
    with engine.begin() as connection:
        of.metadata.create_all(connection)
        connection.execute(upsert(connection.dialect, of, {"id": 1, "colour": Colour.RED, "parts": (1,), "tries": 5}))
        connection.execute(upsert(connection.dialect, of, {"id": 2, "colour": Colour.RED}))
        connection.execute(upsert(connection.dialect, of, {"id": 1, "colour": Colour.BLUE, "parts": ()}))
        rows = connection.execute(select(*columns_of(of, LaterRow)).order_by(of.c.id))
        assert [make_row(LaterRow, row) for row in rows] == [
            LaterRow(id=1, colour=Colour.BLUE, tries=5),
            LaterRow(id=2, colour=Colour.RED),
        ]
    engine.dispose()
