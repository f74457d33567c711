"""Row classes of results. Each field is a column (see `rows`)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any, NamedTuple

from sqlalchemy import String

from db.model.columns import ColumnOptions, RowId
from db.model.ids import MatchId
from db.model.rows import DiscordId


class Ladder(NamedTuple):
    """What has ratings of its own: a game on a server in a season. `practice` is playing against computers only."""

    guild_id: DiscordId
    game: Annotated[str, ColumnOptions(type=String(32))]
    season: int
    practice: bool


class Numbered(NamedTuple):
    """The number of a result on its server, in the order of storing. Clocks don't matter."""

    number: int


class ResultRow(NamedTuple):
    """A rated result. `seats` are the entrants, as `matches.results.result` encodes them."""

    match_id: Annotated[MatchId, ColumnOptions(type=RowId, unique=True)]
    ended_at: datetime
    seats: tuple[Mapping[str, Any], ...]
