"""The tables: the migrations create what the program expects, and no table holds a game's content."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import JSON, BigInteger, Column, Connection, create_engine, inspect
from sqlalchemy.dialects import postgresql, sqlite

from db import Database
from db.model import schema
from db.model.columns import Instant
from tests.store import of_server, of_sqlite


async def test_the_migrations_make_exactly_the_schema(database: Database) -> None:
    def differs(
        _: object, found: Column[Any], wanted: Column[Any], there: str | None, _default: object, rendered: str | None
    ) -> bool | None:
        # PostgreSQL can't compare JSON, so Alembic can't compare such defaults there. Otherwise it compares them
        # itself.
        if not isinstance(wanted.type, JSON) and not isinstance(found.type, JSON):
            return None
        return (there or "").removesuffix("::json") != (rendered or "")

    def differences(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": differs})
        return list(compare_metadata(context, schema.metadata))

    def work(connection: Connection) -> None:
        assert differences(connection) == []

    await database.read(work)


def constraints(connection: Connection) -> set[str | None]:
    found = inspect(connection)
    return {
        constraint["name"]
        for table in schema.metadata.tables
        for constraint in (
            *found.get_foreign_keys(table),
            *found.get_unique_constraints(table),
            *found.get_check_constraints(table),
        )
    }


async def test_the_migrations_name_constraints_as_the_schema_does(database: Database) -> None:
    engine = create_engine("sqlite://")
    with engine.begin() as fresh:
        schema.metadata.create_all(fresh)
        expected = constraints(fresh)
    engine.dispose()

    def work(connection: Connection) -> None:
        assert constraints(connection) == expected

    await database.read(work)


@of_server
async def test_the_migrations_set_for_tables_what_the_schema_says(database: Database) -> None:
    said = {
        name: {f"{option}={value}" for option, value in (table.dialect_options["postgresql"]["with"] or {}).items()}
        for name, table in schema.metadata.tables.items()
    }

    def work(connection: Connection) -> None:
        found = connection.exec_driver_sql(
            "SELECT relname, reloptions FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
        )
        set_there = {row.relname: set(row.reloptions or ()) for row in found if row.relname in said}
        assert set_there == said

    await database.read(work)


@of_sqlite
@pytest.mark.parametrize("name", ["matches", "outbox"])
async def test_numbers_of_matches_and_tellings_never_come_again(database: Database, name: str) -> None:
    def statement(connection: Connection) -> str:
        found = connection.exec_driver_sql(f"SELECT sql FROM sqlite_master WHERE name = '{name}'")
        return str(found.scalar_one())

    def work(connection: Connection) -> None:
        assert "AUTOINCREMENT" in statement(connection)

    await database.read(work)


def test_what_has_to_be_told_is_stored_without_content() -> None:
    whose = {"id", "match_id", "guild_id", "ply", "kind", "seat", "user_id", "rings", "channel_id", "message_id"}
    whose |= {"quiet"}
    how_it_goes = {"put_at", "due", "tries", "held", "leased_by", "leased_until"}
    assert set(schema.outbox.c.keys()) == whose | how_it_goes


def test_snowflakes_are_large_enough() -> None:
    columns = [
        column
        for table in schema.metadata.tables.values()
        for column in table.c
        if column.name.endswith(("user_id", "guild_id", "channel_id", "thread_id", "message_id", "interaction_id"))
        or column.name == "host_id"
    ]
    assert len(columns) >= 11
    assert all(isinstance(column.type, BigInteger) for column in columns)


def test_a_match_and_a_line_have_one_row_each() -> None:
    assert [column.name for column in schema.log.primary_key] == ["match_id", "ply"]
    (of_interactions,) = (index for index in schema.log.indexes if list(index.columns) == [schema.log.c.interaction_id])
    assert of_interactions.unique
    assert schema.log.c.interaction_id.nullable


@pytest.mark.parametrize(
    "moment",
    [
        datetime(1970, 1, 1, tzinfo=UTC),
        datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
        datetime(2025, 3, 30, 1, 59, 59, 999_999, tzinfo=UTC),
        datetime(2025, 3, 30, 3, 0, 0, 1, tzinfo=timezone(timedelta(hours=2))),
        datetime(9999, 12, 31, 23, 59, 59, 999_998, tzinfo=UTC),
    ],
)
def test_moments_are_whole_microseconds_and_come_back_exactly(moment: datetime) -> None:
    stored = Instant().process_bind_param(moment, sqlite.dialect())
    assert isinstance(stored, int)
    assert Instant().process_result_value(stored, sqlite.dialect()) == moment
    assert Instant().process_bind_param(moment + timedelta(microseconds=1), sqlite.dialect()) == stored + 1


def test_moments_without_a_time_zone_are_refused() -> None:
    with pytest.raises(TypeError):
        Instant().process_bind_param(datetime(2025, 1, 1), sqlite.dialect())


def test_nothing_is_no_moment() -> None:
    assert Instant().process_bind_param(None, postgresql.dialect()) is None
    assert Instant().process_result_value(None, postgresql.dialect()) is None
