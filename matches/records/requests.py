"""What people ask for, and who they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from db.model.ids import MatchId, SeatNumber, UserId
from db.model.rows import Terms
from games.log import Line


class Person(NamedTuple):
    """Somebody on Discord: the snowflake, and the name that people see."""

    user_id: UserId
    name: str


class Once(NamedTuple):
    """A match that an interaction changes only once, however often Discord delivers it. ``None``: no such check."""

    match_id: MatchId
    interaction_id: int | None


class PlayOn(NamedTuple):
    """Where a match is played on: match `of`, at this `seat`, after these `lines`, which are copied."""

    of: MatchId
    seat: SeatNumber
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class NewMatch:
    """A table that somebody wants to open: the game, the place and the terms.

    `in_thread` says that the channel is itself a thread. `computers` are the levels of the computers that sit at the
    table from the beginning, `seated` the people who sit there without having pressed anything. A host who is
    `watching` takes no seat. An interaction opens one table, however often Discord delivers it. `shown`: what
    features keep of it, by their keys. `branch`: where it is played on from another match. `lobby_message_id`:
    the message that will show its lobby, if that was posted before.
    """

    game: str
    channel_id: int
    terms: Terms = field(default_factory=Terms)
    guild_id: int | None = None
    rematch_of: MatchId | None = None
    in_thread: bool = False
    computers: tuple[str, ...] = ()
    seated: tuple[Person, ...] = ()
    watching: bool = False
    interaction_id: int | None = None
    shown: Mapping[str, Any] = field(default_factory=dict)
    branch: PlayOn | None = None
    lobby_message_id: int | None = None
