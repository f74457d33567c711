"""Every column of a match, of a seat and of a person goes through the store into the records, and back.

No column is named here: the values are made from the tables, so the tests also cover columns added later.
"""

from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from secrets import token_bytes
from typing import Any

from sqlalchemy import JSON, BigInteger, Boolean, Column, Integer, LargeBinary, String, insert
from sqlalchemy import Table as SqlTable

from db import Connection, Database
from db.model import schema
from db.model.columns import EnumText, Instant, JsonTuple, Span, columns_of, field_names, values_of
from db.model.enums import Private, Status
from db.model.rows import Details, Hidden, MatchRow, SeatRow
from db.model.setting_rows import PersonRow, PlayerSettings
from matches.api import Host, Match, MatchId, Seat
from matches.records.seat import Known
from matches.table.value import Table
from matches.work import difference, stored
from tests.matches.tables import PEOPLE, Hosted, lobby

NOW = datetime(2030, 1, 1, tzinfo=UTC)


def other_value(column: Column[Any], number: int, before: Any) -> Any:
    """A value of this column other than `before`, different from most other columns' values. A reference points to row
    1.
    """
    match column.type:
        case EnumText() as words:
            return next(word for word in words.words if word != before)
        case Instant():
            return NOW.replace(microsecond=number)
        case Span():
            return timedelta(microseconds=number)
        case JsonTuple():
            return (number, number + 1)
        case JSON():
            return {"key": str(number)}
        case Boolean():
            return True
        case LargeBinary():
            return bytes([number])
        case String():
            return f"text {number}"
        case Integer() | BigInteger():
            return 1 if column.foreign_keys else 2**30 + number
    raise AssertionError(f"A value of {column!r} is not known here.")


def other_values(table: SqlTable, row: type[Any], before: object) -> dict[str, Any]:
    found = {}
    for number, column in enumerate(columns_of(table, row), 1):
        old = getattr(before, column.key, None)
        found[column.key] = other_value(column, number, old)
        assert found[column.key] != old
    return found


def others_beside(table: Table) -> tuple[Details, Hidden]:
    """Other values of what lies beside a match."""
    return (
        Details(**other_values(schema.matches, Details, table.details)),
        Hidden(**other_values(schema.matches, Hidden, table.hidden)),
    )


async def read(database: Database, number: MatchId) -> Table:
    return await database.read(stored.table, number, NOW)


async def test_what_is_decided_about_a_match_and_a_seat_is_stored_whatever_column_it_is(host: Hosted) -> None:
    first = await lobby(host, "saboteur")
    before = await read(host.database, (await lobby(host, "saboteur", 2)).id)
    assert (first.id, before.match.id) == (1, 2)
    old = before.match.seats[1]
    match = {**other_values(schema.matches, MatchRow, before.match), "id": before.match.id, "status": Status.OVER}
    seat = {**other_values(schema.seats, SeatRow, old), "position": old.position}
    seats = (before.match.seats[0], replace(old, **seat))
    details, hidden = others_beside(before)
    after = replace(before.set(**match, everybody=seats), details=details, hidden=hidden)

    await host.database.write(difference.store, before, after, None, token_bytes)
    found = await read(host.database, before.match.id)
    assert values_of(found.match, MatchRow) == match
    (changed,) = [each for each in found.match.everybody if each.position == old.position]
    assert values_of(changed, SeatRow) == seat
    assert (found.details, found.hidden) == (details, hidden)
    assert replace(after.match, everybody=found.match.everybody) == found.match


async def test_a_table_that_was_not_there_is_stored_whatever_columns_it_has(host: Host, database: Database) -> None:
    before = await read(database, (await lobby(host, "saboteur")).id)
    columns = {**other_values(schema.matches, MatchRow, before.match), "status": Status.OVER}
    seat = {**other_values(schema.seats, SeatRow, before.match.seats[0]), "position": 0}
    details, hidden = others_beside(before)
    table = replace(before, match=Match(**columns, everybody=(Seat(**seat),)), details=details, hidden=hidden)
    made = await database.write(difference.insert, table)
    found = await read(database, made.match.id)
    assert values_of(found.match, MatchRow) == {**columns, "id": made.match.id, "commitment": made.match.commitment}
    assert [values_of(each, SeatRow) for each in found.match.everybody] == [seat]
    assert (found.details, found.hidden) == (details, hidden)


async def test_what_is_known_about_a_person_is_at_their_seat_whatever_column_it_is(host: Hosted) -> None:
    number, user_id = (await lobby(host, "saboteur", 2)).id, PEOPLE[1].user_id
    before = (await read(host.database, number)).match.seats[1]
    known = other_values(schema.player_settings, PersonRow, before)
    chosen = {**other_values(schema.player_settings, PlayerSettings, before.settings), "private": Private.DM}

    def work(connection: Connection) -> None:
        connection.execute(insert(schema.player_settings).values(user_id=user_id, **known, **chosen))

    await host.database.write(work)
    found = (await read(host.database, number)).match.seats[1]
    assert values_of(found, PersonRow) == known
    assert values_of(found.settings, PlayerSettings) == chosen
    assert replace(before, **known, settings=found.settings) == found


def test_a_match_and_a_seat_have_the_columns_as_fields_and_beside_them_what_is_named_here() -> None:
    added = {"everybody", "ballots", "applications", "one_board", "shown"}
    assert {field.name for field in fields(Match)} == {*field_names(MatchRow), *added}
    beside = {*field_names(Details), *field_names(Hidden)}
    assert beside.isdisjoint(field_names(Match))
    assert set(schema.matches.c.keys()) == {*field_names(MatchRow), *beside}
    assert len(fields(Match)) <= 45, "What only some ask of a match lies beside it (`Table`), or in a feature's table."
    known = {*field_names(PersonRow), "settings", "by_button"}
    # Only the store needs somebody's key in a server's ratings. A seat knows whether there is one.
    assert {field.name for field in fields(Seat)} == {*field_names(SeatRow), *known, "entered", "beside"}
    assert {field.name for field in fields(Known)} == known
    assert set(schema.player_settings.c.keys()) == {"user_id", *field_names(PersonRow), *field_names(PlayerSettings)}
