"""What decides whether people can sit at a table of a server, and who is barred."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Final, NamedTuple

from db.model.ids import UserId
from db.people.bars import FOREVER
from matches.errors import NotAllowed, TooSoon


class Standing(NamedTuple):
    """What decides whether people can sit at a table of a server.

    `barred`: until when the moderators keep somebody out. At a table for reliable people, `unreliable` are those who
    leave matches too often, and `newcomers` those of whom too little is known. For a lobby, `waiting` says when each
    person's other lobbies were opened and start: those in which they sit or wait, and those that they host.
    """

    barred: Mapping[UserId, datetime] = MappingProxyType({})
    unreliable: frozenset[UserId] = frozenset()
    newcomers: frozenset[UserId] = frozenset()
    waiting: Mapping[UserId, Sequence[tuple[datetime, datetime | None]]] = MappingProxyType({})


NO_STANDING: Final = Standing()


def check_bar(until: datetime | None, now: datetime) -> None:
    """Raise TooSoon or NotAllowed if somebody is barred until then, by a server's moderators or everywhere."""
    if until == FOREVER:
        raise NotAllowed("The people who run this bot have barred you from its matches. Matches that you're in go on.")
    if until is not None and now < until:
        raise TooSoon("The moderators of this server have barred you from its matches.", until, "join")
