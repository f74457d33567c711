"""What people note about a match for themselves, and the part of the host for it."""

from __future__ import annotations

from typing import Final

from db.model.ids import MatchId, UserId
from matches.errors import NotAllowed, NotSeated
from matches.records.match import NOT_PLAYING
from matches.table.value import Table
from matches.work.part import FeaturePart, deed
from tests.sample.db.kept import KEPT, SampleRow, of_match

KEY: Final = KEPT.key

LONGEST: Final = 200
"""Characters of a note."""


def written(table: Table, by: UserId, text: str) -> Table:
    """Keep a person's note in place of the one before; an empty one deletes it. Raises NotSeated, NotAllowed."""
    if table.match.at_table(by) is None:
        raise NotSeated(NOT_PLAYING)
    if len(text) > LONGEST:
        raise NotAllowed(f"A note has {LONGEST} characters at most.")
    others = tuple(row for row in table.kept.get(KEY, ()) if row.user_id != by)
    return table.keeping(KEY, (*others, SampleRow(by, text)) if text else others)


class Sample(FeaturePart):
    """People's notes. All of it raises NotFound, Unavailable."""

    write = deed(written)

    async def read(self, match_id: MatchId, user_id: UserId) -> str:
        """Return a person's own note about a match, empty if there is none."""
        notes = await self._work.read(of_match, match_id)
        return next((row.text for row in notes if row.user_id == user_id), "")
