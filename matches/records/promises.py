"""What somebody says who pledges to play, and what becomes of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from db.model.enums import Pace
from db.model.pledge_rows import GatheringRow
from db.people.pledges import Pledged
from matches.records.match import Match


@dataclass(frozen=True, kw_only=True)
class NewPledge:
    """Somebody would play a game on this server if others did. The fields are those of `PledgeRow`."""

    guild_id: int
    game: str
    channel_id: int
    fewest: int
    most: int
    pace: Pace
    until: datetime
    in_thread: bool = False
    everywhere: bool = False
    near: bool = False
    rating: int | None = None
    by_mention: bool = False


class Call(NamedTuple):
    """Somebody is asked whether they're ready: for their pledge, about this table."""

    pledged: Pledged
    table: GatheringRow


class Readiness(NamedTuple):
    """What follows from a press on **Ready**: the `match` that they sit in now, or until when others are waited for."""

    table: GatheringRow
    match: Match | None
