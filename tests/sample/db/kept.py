"""What is kept of the notes that people write to themselves about a match. Nobody else may know of them."""

from __future__ import annotations

from typing import Final, NamedTuple

from sqlalchemy import Connection, Index, bindparam, delete, select

from db.model.columns import columns_of, table
from db.model.ids import MatchId
from db.model.kept import Kept
from db.model.rows import OfMatch, PersonId
from db.model.schema import metadata
from db.model.upserts import put_row


class SampleRow(NamedTuple):
    """A person's note about a match."""

    user_id: PersonId
    text: str


_sample: Final = table(metadata, "sample", (OfMatch, SampleRow), ("match_id", "user_id"), Index(None, "user_id"))

_OF_MATCH: Final = select(*columns_of(_sample, SampleRow)).where(_sample.c.match_id == bindparam("match_id"))
_REMOVE: Final = delete(_sample).where(
    _sample.c.match_id == bindparam("of_match"), _sample.c.user_id == bindparam("of_user")
)


def of_match(connection: Connection, match_id: MatchId) -> tuple[SampleRow, ...]:
    """Return the notes about a match."""
    return tuple(SampleRow(*row) for row in connection.execute(_OF_MATCH, {"match_id": match_id}))


def store(
    connection: Connection, match_id: MatchId, before: tuple[SampleRow, ...], after: tuple[SampleRow, ...]
) -> None:
    """Store the difference between the notes about a match before and after a decision."""
    left = {row.user_id for row in after}
    for row in before:
        if row.user_id not in left:
            connection.execute(_REMOVE, {"of_match": match_id, "of_user": row.user_id})
    for row in after:
        if row not in before:
            put_row(connection, _sample, {"match_id": match_id, **row._asdict()})


KEPT: Final = Kept("sample", _sample, "Your notes about matches (`/sample`).", of_match, store)
