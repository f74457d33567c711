"""Row classes of pledges, and of who wants to be called. Each field is a column (see `db/model/rows.py`)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, NamedTuple

from sqlalchemy import String

from db.model.columns import ColumnOptions, RowId
from db.model.enums import Pace
from db.model.ids import MatchId
from db.model.rows import DiscordId, RowNumber


class Answer(StrEnum):
    """What somebody who was asked **Ready?** has said: nothing yet, or yes. `SEATED`: they sit in their lobby."""

    ASKED = "asked"
    YES = "yes"
    SEATED = "seated"


@dataclass(frozen=True, kw_only=True)
class PledgeRow:
    """What a person has said about a game on a server: they'd play if others did.

    `fewest` to `most` people at the table, at this `pace`, until `until`. `near`: among people with a similar rating;
    `rating` is theirs when they said so (``None``: they have none). `since` is when their turn in the queue began.
    `rests_until`: nobody is called for it before.

    They said it in the channel (or thread) `channel_id`, which everybody on the server can see if it is `everywhere`.
    They are called by direct message, or if they have agreed to that (`by_mention`), by a mention there.

    While they are asked whether they're ready, `gathering` is the number of the table that is being brought together,
    `answer` what they said, and `message_id` in `message_in` the question.
    """

    name: str
    channel_id: DiscordId
    in_thread: bool = False
    everywhere: bool = False
    fewest: int
    most: int
    pace: Annotated[Pace, ColumnOptions(no_server_default=True)]
    near: bool = False
    rating: int | None = None
    by_mention: bool = False
    since: datetime
    until: datetime
    rests_until: datetime | None = None
    gathering: Annotated[int | None, ColumnOptions(type=RowId)] = None
    answer: Answer | None = None
    message_id: DiscordId | None = None
    message_in: DiscordId | None = None


class GatheringRow(NamedTuple):
    """A table of `size` people that is being brought together from pledges. They can say yes until `until`.

    `rounds` counts how often somebody was asked. `match_id` is set once its lobby is open. People who say yes after
    that join the lobby.
    """

    id: RowNumber
    game: Annotated[str, ColumnOptions(type=String(32))]
    pace: Annotated[Pace, ColumnOptions(no_server_default=True)]
    size: int
    until: datetime
    rounds: Annotated[int, ColumnOptions(no_server_default=True)] = 1
    match_id: Annotated[MatchId | None, ColumnOptions(type=RowId)] = None


class LookRow(NamedTuple):
    """When a server's pledges are checked next, and what everybody has been told about them since `counted_at`.

    `counts` is what they are told, as `matches.pledges.public` writes it.
    """

    due: datetime
    counted_at: datetime | None = None
    counts: tuple[str, ...] = ()


@dataclass(frozen=True)
class PledgedTable:
    """When the lobby that pledges have made starts by itself."""

    starts_by: datetime


class CallMeRow(NamedTuple):
    """Where a person said that they want to be called when a table of a game opens on the server.

    `by_mention`: if they can't be reached by direct message, by a mention at the table.
    """

    channel_id: DiscordId
    by_mention: bool = False
