"""A new pledge to play, the call that it leads to, and what follows from the answer."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from db.model.enums import Pace
from db.pledges.kept import Pledged
from db.pledges.rows import GatheringRow
from matches.records.match import Match


@dataclass(frozen=True, kw_only=True)
class NewPledge:
    """A pledge that is to be stored: somebody would play a game on this server. The fields are those of `PledgeRow`."""

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
    """The question to somebody whether they're ready to play at this `table`, as they had `pledged`."""

    pledged: Pledged
    table: GatheringRow


class Readiness(NamedTuple):
    """What follows from a press on **Ready**: the `match` that they sit in now, or the `table` that waits."""

    table: GatheringRow
    match: Match | None
