"""Queries of the settings of servers and people, and of people's direct messages (P2, P19).

`matches/host/settings.py` uses them, for the commands in `cogs/commands/settings.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, select

from db.model import schema
from db.model.columns import columns_of, make_row, read_row
from db.model.ids import UserId
from db.model.setting_rows import DEFAULTS, UNKNOWN, GuildSettings, PersonRow, PlayerSettings
from db.model.upserts import put_row

_guilds, _players = schema.guild_settings, schema.player_settings

OF_PERSON: Final = columns_of(_players, PersonRow)
SET_BY_PERSON: Final = columns_of(_players, PlayerSettings)


class About(NamedTuple):
    """What is known about a person, and their settings."""

    person: PersonRow = UNKNOWN
    settings: PlayerSettings = DEFAULTS


UNKNOWN_PERSON: Final = About()
"""About somebody who has set nothing, and to whom the bot never wrote."""


def known(connection: Connection, user_ids: Collection[UserId]) -> dict[int, About]:
    """Return what is known about these people. People about whom nothing is known are left out."""
    columns = (_players.c.user_id, *OF_PERSON, *SET_BY_PERSON)
    rows = connection.execute(select(*columns).where(_players.c.user_id.in_(user_ids)))
    return {user_id: about(row) for user_id, *row in rows}


def about(values: Sequence[Any]) -> About:
    """Make an About from the values of `OF_PERSON` and `SET_BY_PERSON`."""
    first, rest = values[: len(OF_PERSON)], values[len(OF_PERSON) :]
    return About(make_row(PersonRow, first), make_row(PlayerSettings, rest))


def guild_settings(connection: Connection, guild_id: int) -> GuildSettings:
    """Return a server's settings, or the defaults."""
    return read_row(connection, _guilds, GuildSettings, _guilds.c.guild_id == guild_id) or GuildSettings()


def set_guild_settings(connection: Connection, guild_id: int, settings: GuildSettings) -> None:
    put_row(connection, _guilds, {"guild_id": guild_id, **vars(settings)})


def forget_channel(connection: Connection, guild_id: int, gone: int) -> None:
    """Take a deleted channel out of a server's list of channels for matches. If no other is left, all may be used."""
    said = guild_settings(connection, guild_id)
    if said.channels and gone in said.channels:
        left = tuple(each for each in said.channels if each != gone)
        set_guild_settings(connection, guild_id, replace(said, channels=left or None))


def player_settings(connection: Connection, user_id: UserId) -> PlayerSettings:
    """Return a person's settings, or the defaults."""
    return read_row(connection, _players, PlayerSettings, _players.c.user_id == user_id) or DEFAULTS


def set_player_settings(connection: Connection, user_id: UserId, settings: PlayerSettings) -> None:
    put_row(connection, _players, {"user_id": user_id, **vars(settings)})


def note(connection: Connection, user_id: UserId, **known: Any) -> None:
    """Store some fields of a person's `PersonRow`."""
    put_row(connection, _players, {"user_id": user_id, **known})


def person(connection: Connection, user_id: UserId) -> PersonRow:
    """Return what is known about a person besides their settings."""
    return read_row(connection, _players, PersonRow, _players.c.user_id == user_id) or UNKNOWN
