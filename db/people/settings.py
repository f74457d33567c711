"""Queries about the settings of servers and people, and about people's direct messages (P2, P19).

`matches/host/settings.py` uses them, after `cogs/commands/settings.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, select

from db.model import schema
from db.model.columns import columns_of, made
from db.model.enums import Dm
from db.model.ids import UserId
from db.model.rows import DEFAULTS, UNKNOWN, GuildSettings, PersonRow, PlayerSettings
from db.model.upserts import upsert

_guilds, _players = schema.guild_settings, schema.player_settings

OF_PERSON: Final = columns_of(_players, PersonRow)
SET_BY_PERSON: Final = columns_of(_players, PlayerSettings)


class About(NamedTuple):
    """A person: what is known, and what they have set."""

    person: PersonRow = UNKNOWN
    settings: PlayerSettings = DEFAULTS


NOTHING: Final = About()
"""About whoever has set nothing and was never written to."""


def known(connection: Connection, user_ids: Collection[UserId]) -> dict[int, About]:
    """What is known about these persons, without those of whom nothing is."""
    columns = (_players.c.user_id, *OF_PERSON, *SET_BY_PERSON)
    rows = connection.execute(select(*columns).where(_players.c.user_id.in_(user_ids)))
    return {user_id: about(row) for user_id, *row in rows}


def about(values: Sequence[Any]) -> About:
    """From the values of `OF_PERSON` and `SET_BY_PERSON`."""
    first, rest = values[: len(OF_PERSON)], values[len(OF_PERSON) :]
    return About(made(PersonRow, first), made(PlayerSettings, rest))


def guild_settings(connection: Connection, guild_id: int) -> GuildSettings:
    """The settings of a server; those of everybody where it has set nothing."""
    wanted = select(*columns_of(_guilds, GuildSettings)).where(_guilds.c.guild_id == guild_id)
    row = connection.execute(wanted).one_or_none()
    return GuildSettings() if row is None else GuildSettings(*row)


def set_guild_settings(connection: Connection, guild_id: int, settings: GuildSettings) -> None:
    """Keep the settings of a server."""
    connection.execute(upsert(connection.dialect, _guilds, {"guild_id": guild_id, **vars(settings)}))


def player_settings(connection: Connection, user_id: UserId) -> PlayerSettings:
    """The settings of a person; those of everybody where nothing is set."""
    row = connection.execute(select(*SET_BY_PERSON).where(_players.c.user_id == user_id)).one_or_none()
    return DEFAULTS if row is None else PlayerSettings(*row)


def set_player_settings(connection: Connection, user_id: UserId, settings: PlayerSettings) -> None:
    """Keep the settings of a person."""
    connection.execute(upsert(connection.dialect, _players, {"user_id": user_id, **vars(settings)}))


def set_dm(connection: Connection, user_id: UserId, dm: Dm) -> None:
    """Remember what is known about this person's direct messages."""
    connection.execute(upsert(connection.dialect, _players, {"user_id": user_id, "dm": dm}))


def set_dm_channel(connection: Connection, user_id: UserId, channel_id: int | None) -> None:
    """Remember the channel that this person's direct messages are in; ``None``: there is none."""
    connection.execute(upsert(connection.dialect, _players, {"user_id": user_id, "dm_channel_id": channel_id}))


def person(connection: Connection, user_id: UserId) -> PersonRow:
    """What is known about this person beside what they have set."""
    row = connection.execute(select(*OF_PERSON).where(_players.c.user_id == user_id)).one_or_none()
    return UNKNOWN if row is None else made(PersonRow, row)


def set_away(connection: Connection, user_id: UserId, until: datetime | None) -> None:
    """Remember until when this person is away; ``None``: no longer."""
    connection.execute(upsert(connection.dialect, _players, {"user_id": user_id, "away_until": until}))
