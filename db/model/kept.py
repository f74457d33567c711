"""What a feature keeps in the store."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from sqlalchemy import Column, Connection, Table

from db.model.ids import MatchId, UserId


class Lapsing(NamedTuple):
    """What is kept for a while. `is_due`: whether something is old enough by now. `clear` deletes some of it."""

    is_due: Callable[[Connection, datetime], bool]
    clear: Callable[[Connection, datetime], None]


class Kept(NamedTuple):
    """What a feature keeps in a table of its own.

    A person's rows (`user_id`) are exported, and deleted when they want to be forgotten. `said`: what ``/privacy`` says
    of them and of the feature's tables that say nothing. `lasts`: they aren't there just for a short time. A server's
    rows (`of_server`) are deleted when the bot has left it. `forget` takes a person out of rows that stay.

    If it is kept of matches (`match_id`), all rows of a match go with it. There are two ways:

    * `shown`: everybody may see it. It's the class of the one row that a match may have, which is read with each match.
      With `starts`, a lobby that has a row is one that starts at the time in this column. `own` makes of the row what
      is exported for whoever has this seat. `with_lines`: retention deletes the row together with the lines.
    * Only some may see it. A match that a decision is about is read with what `of_match` returns if the table has any
      rows of it, and `store` writes what has changed: it takes the match's number, and what was kept before and after.

    `forget_channel` forgets what is kept of a deleted channel, `forget_guild` what else is kept of a server that the
    bot has left. `find_guild` notes that the bot is there (again). `lapses`: rows that are deleted after a while.
    `asks`: while there are rows, people are being asked something, and must answer in time.

    What follows from results has a person's key on a server (`rated_results`). `of_key` returns what is exported, by a
    name: it takes the server, the key, and after which `number` of a row a page begins, which has at most so many rows
    if these have one. `forget` is called while the key is still theirs. `cached`: it can be computed anew, so it's
    emptied if it's damaged.
    """

    key: str
    table: Table
    said: str = ""
    of_match: Callable[[Connection, MatchId], Any] | None = None
    store: Callable[[Connection, MatchId, Any, Any], None] | None = None
    lasts: bool = True
    of_server: bool = False
    asks: bool = False
    forget: Callable[[Connection, UserId], None] = lambda connection, user_id: None
    forget_channel: Callable[[Connection, int], None] = lambda connection, channel_id: None
    forget_guild: Callable[[Connection, int], None] = lambda connection, guild_id: None
    find_guild: Callable[[Connection, int, datetime], None] = lambda connection, guild_id, now: None
    lapses: Lapsing | None = None
    shown: type[Any] | None = None
    starts: Column[Any] | None = None
    own: Callable[[dict[str, Any], int | None], dict[str, Any]] | None = None
    with_lines: bool = False
    cached: bool = False
    of_key: Mapping[str, Callable[[Connection, int, str, int, int], list[dict[str, Any]]]] = MappingProxyType({})
