"""What servers and people have set, and what is known about a person's direct messages (P2, P19)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Table, insert, select, update

from db import schema

_guilds, _players = schema.guild_settings, schema.player_settings


class Ping(StrEnum):
    """How a person wants to be told that it is his turn."""

    MENTION = "mention"
    DM = "dm"
    BOTH = "both"
    NONE = "none"


class Cancellers(StrEnum):
    """Who may end a running match of a server without a vote."""

    MODERATORS = "moderators"
    HOSTS = "hosts"


class Private(StrEnum):
    """How what only one person may see comes to them (P32).

    By direct message (`DM`), or when they press **My hand** (`BUTTON`); of a person also: as the `SERVER` has it.
    """

    SERVER = "server"
    DM = "dm"
    BUTTON = "button"


@dataclass(frozen=True)
class GuildSettings:
    """What a server has set: where boards stand (channel or thread), the pace offered first, in which channels
    matches may be made (``None``: in all), who may end a match, and how private things come to people."""

    where: str = "channel"
    pace: str = "day"
    channels: tuple[int, ...] | None = None
    who_cancels: Cancellers = Cancellers.MODERATORS
    private: Private = Private.DM


@dataclass(frozen=True)
class PlayerSettings:
    """What a person has set: how to be told and in private, large pictures, secret pictures behind a spoiler."""

    ping: Ping = Ping.MENTION
    large: bool = False
    spoiler: bool = False
    private: Private = Private.SERVER


DEFAULTS: Final = PlayerSettings()
"""Those of whoever has set nothing."""


class KnownRow(NamedTuple):
    """What is known about a person and what they have set (``None``: nothing), by column of `player_settings`."""

    user_id: int
    dm: str | None
    ping: str | None
    large: bool | None
    spoiler: bool | None
    away_until: datetime | None
    dm_channel_id: int | None
    private: str | None


NOTHING: Final = KnownRow(0, None, None, None, None, None, None, None)
"""What is known about whoever has set nothing and was never written to."""


def known(connection: Connection, user_ids: Collection[int]) -> list[KnownRow]:
    """What is known about these persons, without those of whom nothing is."""
    columns = (_players.c[name] for name in KnownRow._fields)
    rows = connection.execute(select(*columns).where(_players.c.user_id.in_(user_ids)))
    return [KnownRow(*row) for row in rows]


def guild_settings(connection: Connection, guild_id: int) -> GuildSettings:
    """The settings of a server; those of everybody where it has set nothing."""
    row = connection.execute(select(_guilds).where(_guilds.c.guild_id == guild_id)).one_or_none()
    if row is None:
        return GuildSettings()
    channels = None if row.channels is None else tuple(row.channels)
    return GuildSettings(row.setting, row.pace, channels, Cancellers(row.who_cancels), Private(row.private))


def set_guild_settings(connection: Connection, guild_id: int, settings: GuildSettings) -> None:
    """Keep the settings of a server."""
    channels = None if settings.channels is None else list(settings.channels)
    values = {
        "setting": settings.where,
        "pace": settings.pace,
        "channels": channels,
        "who_cancels": settings.who_cancels,
        "private": settings.private,
    }
    _put(connection, _guilds, {"guild_id": guild_id}, values)


def player_settings(connection: Connection, user_id: int) -> PlayerSettings:
    """The settings of a person; those of everybody where nothing is set."""
    row = connection.execute(select(_players).where(_players.c.user_id == user_id)).one_or_none()
    if row is None:
        return PlayerSettings()
    return PlayerSettings(Ping(row.ping), row.large, row.spoiler, Private(row.private))


def set_player_settings(connection: Connection, user_id: int, settings: PlayerSettings) -> None:
    """Keep the settings of a person."""
    values = {
        "ping": settings.ping,
        "large": settings.large,
        "spoiler": settings.spoiler,
        "private": settings.private,
    }
    _put(connection, _players, {"user_id": user_id}, values)


def set_dm(connection: Connection, user_id: int, dm: str) -> None:
    """Remember what is known about this person's direct messages."""
    _put(connection, _players, {"user_id": user_id}, {"dm": dm})


def set_dm_channel(connection: Connection, user_id: int, channel_id: int | None) -> None:
    """Remember the channel that this person's direct messages are in; ``None``: there is none."""
    _put(connection, _players, {"user_id": user_id}, {"dm_channel_id": channel_id})


def dm_of(connection: Connection, user_id: int) -> tuple[str | None, int | None]:
    """What is known about this person's direct messages, and the channel they are in."""
    wanted = select(_players.c.dm, _players.c.dm_channel_id).where(_players.c.user_id == user_id)
    row = connection.execute(wanted).one_or_none()
    return (None, None) if row is None else (row.dm, row.dm_channel_id)


def away_until(connection: Connection, user_id: int) -> datetime | None:
    """Until when this person is away, perhaps a moment long past; ``None`` where nothing was said."""
    return connection.execute(select(_players.c.away_until).where(_players.c.user_id == user_id)).scalar()


def set_away(connection: Connection, user_id: int, until: datetime | None) -> None:
    """Remember until when this person is away; ``None``: no longer."""
    _put(connection, _players, {"user_id": user_id}, {"away_until": until})


def _put(connection: Connection, table: Table, key: dict[str, int], values: dict[str, Any]) -> None:
    """Update the row, or insert it (every SQL dialect has its own word for doing both at once)."""
    ((name, value),) = key.items()
    changed = connection.execute(update(table).where(table.c[name] == value).values(**values))
    if changed.rowcount == 0:
        connection.execute(insert(table).values(**key, **values))
