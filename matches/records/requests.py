"""What people ask for, and who they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from db.model.enums import Pace, Where
from db.model.ids import MatchId, UserId


class Person(NamedTuple):
    """Somebody on Discord: the snowflake, and the name that people see."""

    user_id: UserId
    name: str


@dataclass(frozen=True)
class NewMatch:
    """What somebody wants to play and where; `size` is the number of players that starts it at once (or ``None``).

    Where `moves_stand` nothing is taken back; where it is `rated` its result moves ratings, unless the server has none.
    `reliable`: only who finishes matches may join, and with `newcomers` also people too new to tell.
    `host_starts`: a full lobby waits for its host; ``None``: it does if the host keeps away from anybody.
    `computers` are the levels of those who sit at the table from the beginning; a host who is `watching` does not.
    """

    game: str
    channel_id: int
    options: Mapping[str, str] = field(default_factory=dict)
    size: int | None = None
    pace: Pace = Pace.DAY
    where: Where = Where.CHANNEL
    guild_id: int | None = None
    invited: tuple[UserId, ...] = ()
    rematch_of: MatchId | None = None
    in_thread: bool = False
    computers: tuple[str, ...] = ()
    watching: bool = False
    moves_stand: bool = False
    rated: bool = True
    reliable: bool = False
    newcomers: bool = False
    host_starts: bool | None = None
