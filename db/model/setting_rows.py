"""Row classes: what servers and people have set, and what else the bot knows of people."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final

from sqlalchemy import String

from db.model.columns import ColumnOptions
from db.model.enums import Boards, Cancellers, Dm, LastLook, Pace, Ping, Private, Where
from db.model.rows import DiscordId


@dataclass(frozen=True)
class GuildSettings:
    """A server's settings.

    `where` boards are posted, the `pace` offered first, the `channels` for new matches (``None``: all), who may end a
    match (`who_cancels`), how people get `private` things, whether no match changes ratings (`unrated`), and how
    `boards` are posted.
    """

    where: Annotated[Where, ColumnOptions(name="setting", no_server_default=True)] = Where.THREAD
    pace: Annotated[Pace, ColumnOptions(no_server_default=True)] = Pace.DAY
    channels: tuple[int, ...] | None = None
    who_cancels: Annotated[Cancellers, ColumnOptions(no_server_default=True)] = Cancellers.MODERATORS
    private: Private = Private.DM
    unrated: bool = False
    boards: Boards = Boards.EACH


@dataclass(frozen=True)
class PlayerSettings:
    """A person's settings: pings, private things, large pictures, spoilers over secret pictures.

    `confirm`: which moves they confirm. `hidden`: no list of players shows them.

    About calls to a table: none come in the `quiet` hours ("22-8", ``None``: always welcome), or while they play in
    `at_once` matches (0: however many). `zone`: the time zone of these hours, and of days that they type.
    """

    ping: Ping = Ping.MENTION
    large: bool = False
    spoiler: bool = False
    private: Private = Private.SERVER
    confirm: LastLook = LastLook.ALWAYS
    hidden: bool = False
    quiet: Annotated[str | None, ColumnOptions(type=String(8))] = None
    zone: Annotated[str, ColumnOptions(type=String(64))] = "UTC"
    at_once: int = 0


DEFAULTS: Final = PlayerSettings()
"""The settings of somebody who has set nothing."""


@dataclass(frozen=True, kw_only=True)
class PersonRow:
    """What the bot knows of a person besides their settings.

    `dm`: whether they accept direct messages; `dm_channel_id`: the channel for these, once known. `away_until`: when
    their clocks run again.
    """

    dm: Dm = Dm.UNKNOWN
    away_until: datetime | None = None
    dm_channel_id: DiscordId | None = None


UNKNOWN: Final = PersonRow()
"""What the bot knows of somebody it never wrote to."""
