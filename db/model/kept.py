"""What a feature keeps in the store."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from sqlalchemy import Connection, Table

from db.model.ids import MatchId


class Kept(NamedTuple):
    """What a feature keeps of matches, in a table of its own with the columns `match_id` and `user_id`.

    A match is read with what `of_match` returns if the table has any rows of it, and `store` writes what a decision
    changed: it takes the match's number, and what was kept before and after. A person's rows are exported. All rows of
    a match go with it.
    """

    key: str
    table: Table
    of_match: Callable[[Connection, MatchId], Any]
    store: Callable[[Connection, MatchId, Any, Any], None]
