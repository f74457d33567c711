"""Pledges, the tables that are brought together from them, and who wants to be called (P40).

`matches/pledges/asking.py` and `calls.py` use them.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Connection,
    Index,
    bindparam,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    tuple_,
    update,
)

from db.model import schema
from db.model.columns import columns_of, make_row, read_row, table
from db.model.enums import Status
from db.model.ids import UserId
from db.model.kept import Kept
from db.model.rows import OfGame, OfGuild, OfMatch, OfPerson
from db.model.schema import metadata, where
from db.model.upserts import put_row
from db.pledges.rows import Answer, CallMeRow, GatheringRow, LookRow, PledgedTable, PledgeRow
from db.store import leases
from db.store.leases import Shards

_pledges: Final = table(
    metadata,
    "pledges",
    (OfGuild, OfPerson, OfGame, PledgeRow),
    ("guild_id", "user_id", "game"),
    Index(None, "user_id"),
    Index(None, "gathering", **where("gathering IS NOT NULL")),
)
_gatherings: Final = table(
    metadata,
    "gatherings",
    (OfGuild, GatheringRow),
    ("id",),
    Index(None, "guild_id"),
    # Buttons name it, so its number must never be reused.
    sqlite_autoincrement=True,
)
_looks: Final = table(metadata, "pledge_looks", (OfGuild, LookRow), ("guild_id",), Index(None, "due"))
_tables: Final = table(metadata, "pledged_tables", (OfMatch, PledgedTable), ("match_id",))
_calls: Final = table(
    metadata, "call_me", (OfGuild, OfGame, OfPerson, CallMeRow), ("guild_id", "game", "user_id"), Index(None, "user_id")
)
_seats, _matches, _settings = schema.seats, schema.matches, schema.player_settings

_FREE: Final[dict[str, Any]] = {"gathering": None, "answer": None, "message_id": None, "message_in": None}
"""The values of a pledge that nobody is being asked about."""


class Pledged(NamedTuple):
    """A stored pledge."""

    guild_id: int
    user_id: UserId
    game: str
    row: PledgeRow


class About(NamedTuple):
    """What decides whether somebody can be called: their quiet hours, and how many matches they allow and play."""

    quiet: str | None = None
    zone: str = "UTC"
    at_once: int = 0
    playing: int = 0


class Wants(NamedTuple):
    """Somebody who wants to be called when a table of a game opens."""

    user_id: UserId
    row: CallMeRow


_KEY: Final = (_pledges.c.guild_id, _pledges.c.user_id, _pledges.c.game)
_IS_SEATED: Final = _pledges.c.answer == Answer.SEATED
# While its person sits in the lobby that a pledge led to, it's as if it was over.
_PLEDGED: Final = select(*_KEY, *columns_of(_pledges, PledgeRow)).where(or_(_pledges.c.answer.is_(None), ~_IS_SEATED))


def _pledged(guild_id: int, user_id: UserId, game: str, *rest: Any) -> Pledged:
    return Pledged(guild_id, user_id, game, make_row(PledgeRow, rest))


def _found(connection: Connection, wanted: ColumnElement[bool]) -> list[Pledged]:
    rows = connection.execute(_PLEDGED.where(wanted).order_by(_pledges.c.since, _pledges.c.user_id, _pledges.c.game))
    return [_pledged(*row) for row in rows]


def of_person(connection: Connection, user_id: UserId) -> list[Pledged]:
    """Return a person's pledges on all servers."""
    return _found(connection, _pledges.c.user_id == user_id)


def of_people(connection: Connection, guild_id: int, people: Collection[UserId]) -> list[Pledged]:
    """Return the pledges of these people on a server."""
    return _found(connection, (_pledges.c.guild_id == guild_id) & _pledges.c.user_id.in_(people))


def page(connection: Connection, guild_id: int, after: tuple[UserId, str], at_most: int) -> list[Pledged]:
    """Return at most `at_most` of a server's pledges, in the order of people and games, from those after `after`."""
    later = tuple_(_pledges.c.user_id, _pledges.c.game) > tuple_(*map(literal, after))
    statement = _PLEDGED.where(_pledges.c.guild_id == guild_id, later)
    rows = connection.execute(statement.order_by(_pledges.c.user_id, _pledges.c.game).limit(at_most))
    return [_pledged(*row) for row in rows]


def of_gathering(connection: Connection, number: int) -> list[Pledged]:
    """Return the pledges of the people who are asked about a table or have said yes."""
    return _found(connection, _pledges.c.gathering == number)


def put(connection: Connection, guild_id: int, user_id: UserId, game: str, row: PledgeRow) -> None:
    """Store a pledge, which replaces the person's earlier one for this game."""
    put_row(connection, _pledges, {"guild_id": guild_id, "user_id": user_id, "game": game, **vars(row)})


def change(connection: Connection, guild_id: int, user_id: UserId, game: str, **changes: Any) -> None:
    connection.execute(update(_pledges).where(*_is(guild_id, user_id, game)).values(changes))


def free(connection: Connection, guild_id: int, user_id: UserId, game: str, **changes: Any) -> None:
    """Take a pledge out of its gathering, with these `changes`."""
    change(connection, guild_id, user_id, game, **_FREE, **changes)


def remove(connection: Connection, guild_id: int, user_id: UserId, game: str) -> bool:
    """Delete a pledge, and return whether there was one."""
    return bool(connection.execute(delete(_pledges).where(*_is(guild_id, user_id, game))).rowcount)


def withdraw_all(connection: Connection) -> None:
    connection.execute(delete(_pledges))


def _is(guild_id: int, user_id: UserId, game: str) -> tuple[ColumnElement[bool], ...]:
    return _pledges.c.guild_id == guild_id, _pledges.c.user_id == user_id, _pledges.c.game == game


def seat(connection: Connection, guild_id: int, user_id: UserId, game: str) -> None:
    """Set a pledge aside: its person sits in the lobby that it led to."""
    change(connection, guild_id, user_id, game, gathering=None, answer=Answer.SEATED)


def fulfil(
    connection: Connection, guild_id: int, game: str, people: Collection[UserId]
) -> list[tuple[UserId, int | None, int | None]]:
    """Delete the pledges of these people that were set aside. Returns whose, and the messages that asked them."""
    theirs = (_pledges.c.guild_id == guild_id) & _pledges.c.user_id.in_(people) & (_pledges.c.game == game)
    asked = delete(_pledges).where(theirs, _IS_SEATED)
    rows = connection.execute(asked.returning(_pledges.c.user_id, _pledges.c.message_id, _pledges.c.message_in))
    return [tuple(row) for row in rows]


def restore(connection: Connection, guild_id: int, game: str, people: Collection[UserId]) -> list[UserId]:
    """Put the pledges of these people that were set aside back to their places in the queue. Returns whose they are."""
    theirs = (_pledges.c.guild_id == guild_id) & _pledges.c.user_id.in_(people) & (_pledges.c.game == game)
    statement = update(_pledges).where(theirs, _IS_SEATED).values(_FREE).returning(_pledges.c.user_id)
    return sorted(map(UserId, connection.execute(statement).scalars()))


def rest(connection: Connection, user_id: UserId, until: datetime) -> None:
    """Let nobody be called for a person's pledges before this time, on any server."""
    sooner = or_(_pledges.c.rests_until.is_(None), _pledges.c.rests_until < until)
    connection.execute(update(_pledges).where(_pledges.c.user_id == user_id, sooner).values(rests_until=until))


def wake(connection: Connection, user_id: UserId, until: datetime) -> None:
    """Let a person's pledges that rest until exactly this time be called for again."""
    resting = (_pledges.c.user_id == user_id) & (_pledges.c.rests_until == until)
    connection.execute(update(_pledges).where(resting).values(rests_until=None))


def lapse(connection: Connection, guild_id: int, now: datetime) -> None:
    """Delete a server's pledges whose time is over, except those about which somebody is being asked."""
    over = (_pledges.c.guild_id == guild_id) & (_pledges.c.until <= now) & _pledges.c.gathering.is_(None)
    connection.execute(delete(_pledges).where(over))


def about(connection: Connection, people: Collection[UserId]) -> dict[UserId, About]:
    """Return what decides whether these people can be called. People without settings and matches are left out."""
    if not people:
        return {}
    playing = (
        select(_seats.c.user_id, func.count())
        .join(_matches, _matches.c.id == _seats.c.match_id)
        .where(_seats.c.user_id.in_(people), _seats.c.ended_at.is_(None), _seats.c.resigned.is_(False))
        .where(_matches.c.status == Status.RUNNING, _matches.c.ended_at.is_(None))
        # Nobody waits for anybody at a private table.
        .where(or_(_matches.c.guild_id.is_not(None), _matches.c.branch_seat.is_(None)))
        .group_by(_seats.c.user_id)
    )
    counts: dict[UserId, int] = {UserId(user_id): count for user_id, count in connection.execute(playing)}
    columns = (_settings.c.user_id, _settings.c.quiet, _settings.c.zone, _settings.c.at_once)
    chosen = {
        UserId(user_id): About(quiet, zone, at_once)
        for user_id, quiet, zone, at_once in connection.execute(select(*columns).where(_settings.c.user_id.in_(people)))
    }
    known = counts.keys() | chosen.keys()
    return {each: chosen.get(each, About())._replace(playing=counts.get(each, 0)) for each in known}


def busy(connection: Connection, people: Collection[UserId]) -> set[UserId]:
    """Return those of these people who are asked about a table right now, on any server, or have said yes to one."""
    asked = select(_pledges.c.user_id).where(_pledges.c.user_id.in_(people), _pledges.c.gathering.is_not(None))
    return set(connection.execute(asked).scalars())


# Gatherings.


def open_gathering(connection: Connection, guild_id: int, **values: Any) -> int:
    """Insert a gathering, and return its number."""
    statement = insert(_gatherings).values(guild_id=guild_id, **values).returning(_gatherings.c.id)
    number: int = connection.execute(statement).scalar_one()
    return number


def gathering(connection: Connection, number: int) -> tuple[int, GatheringRow] | None:
    """Return a gathering with its server, ``None`` if it is over."""
    statement = select(_gatherings.c.guild_id, *columns_of(_gatherings, GatheringRow))
    row = connection.execute(statement.where(_gatherings.c.id == number)).one_or_none()
    return None if row is None else (row[0], GatheringRow(*row[1:]))


def gatherings(connection: Connection, guild_id: int) -> list[GatheringRow]:
    """Return a server's gatherings, the oldest first."""
    statement = select(*columns_of(_gatherings, GatheringRow)).where(_gatherings.c.guild_id == guild_id)
    return [GatheringRow(*row) for row in connection.execute(statement.order_by(_gatherings.c.id))]


def gathering_guilds(connection: Connection) -> list[int]:
    """Return the servers with gatherings, rising."""
    found = select(_gatherings.c.guild_id).distinct().order_by(_gatherings.c.guild_id)
    return list(connection.execute(found).scalars())


def change_gathering(connection: Connection, number: int, **changes: Any) -> None:
    connection.execute(update(_gatherings).where(_gatherings.c.id == number).values(changes))


def end_gathering(connection: Connection, number: int) -> None:
    connection.execute(delete(_gatherings).where(_gatherings.c.id == number))


# When a server is checked, and what is told about it.


def next_check(connection: Connection, guild_id: int) -> LookRow | None:
    """Return when a server is checked next, and what is told about its pledges. ``None``: it has none."""
    return read_row(connection, _looks, LookRow, _looks.c.guild_id == guild_id)


def set_next_check(connection: Connection, guild_id: int, due: datetime) -> None:
    """Set when a server is checked next."""
    put_row(connection, _looks, {"guild_id": guild_id, "due": due})


def check_soon(connection: Connection, guild_id: int, now: datetime) -> None:
    """Make a server due to be checked now, if it has pledges."""
    connection.execute(update(_looks).where(_looks.c.guild_id == guild_id, _looks.c.due > now).values(due=now))


def note_counts(connection: Connection, guild_id: int, now: datetime, counts: tuple[str, ...]) -> None:
    """Store what is told about a server's pledges from now on."""
    connection.execute(update(_looks).where(_looks.c.guild_id == guild_id).values(counted_at=now, counts=counts))


def stop_checks(connection: Connection, guild_id: int) -> None:
    connection.execute(delete(_looks).where(_looks.c.guild_id == guild_id))


_DUE: Final = (
    select(_looks.c.guild_id)
    .where(
        or_(_looks.c.due <= bindparam("now"), _looks.c.due > bindparam("latest")),
        _looks.c.guild_id.not_in(bindparam("away", expanding=True)),
    )
    .order_by(_looks.c.due)
    .limit(bindparam("at_most"))
)
_OWN_DUE: Final = _DUE.where(leases.owned(_looks))


def due(
    connection: Connection,
    now: datetime,
    latest: datetime,
    at_most: int,
    shards: Shards | None = None,
    away: Collection[int] | None = None,
) -> list[int]:
    """Return servers that are due to be checked, the longest due first: on `shards`, and none that is `away`.

    A time after `latest` counts as due, too: a clock that was set back since has written it.
    """
    values = {"now": now, "latest": latest, "away": list(away or ()), "at_most": at_most}
    if shards is None:
        return list(connection.execute(_DUE, values).scalars())
    return list(connection.execute(_OWN_DUE, values | leases.shard_parameters(now, shards)).scalars())


# Who wants to be called.


def put_call_wish(connection: Connection, guild_id: int, user_id: UserId, game: str, row: CallMeRow) -> None:
    """Note that a person wants to be called when a table of this game opens."""
    put_row(connection, _calls, {"guild_id": guild_id, "user_id": user_id, "game": game, **row._asdict()})


def remove_call_wish(connection: Connection, guild_id: int, user_id: UserId, game: str) -> None:
    mine = (_calls.c.guild_id == guild_id) & (_calls.c.user_id == user_id) & (_calls.c.game == game)
    connection.execute(delete(_calls).where(mine))


def called_for(connection: Connection, guild_id: int, user_id: UserId) -> list[str]:
    """Return the games for whose tables a person wants to be called on a server."""
    mine = (_calls.c.guild_id == guild_id) & (_calls.c.user_id == user_id)
    return list(connection.execute(select(_calls.c.game).where(mine)).scalars())


def wants_calls(connection: Connection, guild_id: int, game: str) -> list[Wants]:
    """Return who wants to be called when a table of this game opens on a server."""
    wanted = (_calls.c.guild_id == guild_id) & (_calls.c.game == game)
    rows = connection.execute(select(_calls.c.user_id, *columns_of(_calls, CallMeRow)).where(wanted))
    return [Wants(UserId(row[0]), CallMeRow(*row[1:])) for row in rows]


def _forget_channel(connection: Connection, channel_id: int) -> None:
    """Delete the pledges and wishes to be called that were made in a deleted channel.

    Pledges about which somebody is being asked stay.
    """
    said_there = (_pledges.c.channel_id == channel_id) & _pledges.c.gathering.is_(None)
    connection.execute(delete(_pledges).where(said_there))
    connection.execute(delete(_calls).where(_calls.c.channel_id == channel_id))


KEPT: Final = (
    Kept(
        "pledges",
        _pledges,
        "What you'd play (`/tables`), until that ends: your display name, your wishes, your rating, the channel, "
        "since when, until when it rests, your answer when you're called, and the ID of that message.",
        lasts=False,
        of_server=True,
        forget_channel=_forget_channel,
    ),
    Kept(
        "pledges",
        _calls,
        "For which games you want to be called on which server, and in which channel you said so.",
        of_server=True,
    ),
    Kept("pledges", _gatherings, of_server=True, asks=True),
    Kept("pledges", _looks, of_server=True),
    Kept("pledges", _tables, shown=PledgedTable),
)
