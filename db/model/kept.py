"""What a feature keeps in the store."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from sqlalchemy import Connection, Table

from db.model.ids import MatchId


class Kept(NamedTuple):
    """What a feature keeps in a table of its own, with the column `user_id`.

    A person's rows are exported, and deleted when they want to be forgotten. `said`: what ``/privacy`` says of them.
    `lasts`: they aren't there just for a short time.

    If it is kept of matches (`match_id`), a match is read with what `of_match` returns if the table has any rows of it,
    and `store` writes what a decision has changed: it takes the match's number, and what was kept before and after. All
    rows of a match go with it.
    """

    key: str
    table: Table
    said: str
    of_match: Callable[[Connection, MatchId], Any] | None = None
    store: Callable[[Connection, MatchId, Any, Any], None] | None = None
    lasts: bool = True
