"""Rate limits for deeds that cost others a ping, a post or a place in a list.

Each is a token bucket: so many at once, and one more after some time, counted per match or per server. The used
allowance is stored in the transaction of the deed. So all processes agree, a restart restores nothing, and a refused
deed uses nothing.

Other deeds cost nobody else anything, or are possible once a turn or once a match anyway.
`tests/cogs/test_limits.py` says which, for every command, button and menu. Playing fast never hits a limit.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, NamedTuple

from db.model.ids import UserId
from matches.errors import TooSoon
from matches.records.match import Match


class Per(StrEnum):
    """The scope in which a person's deeds are counted together."""

    MATCH = "match"
    SERVER = "server"


class Limit(NamedTuple):
    """A deed and its limit: at most `most` at once, and one more after `each`.

    `name` is that of its allowances. `refusal` is the sentence for a person who wants more.
    """

    name: str
    most: int
    each: timedelta
    refusal: str
    per: Per = Per.SERVER

    @property
    def whole(self) -> timedelta:
        """The time after which an empty allowance is full again."""
        return self.most * self.each


_SECOND: Final = timedelta(seconds=1)
_MINUTE: Final = timedelta(minutes=1)
_DAY: Final = timedelta(days=1)


class Deed:
    """What is counted, besides what features count.

    `OPEN`: a table is opened, also for a rematch. `INVITE`: somebody is pinged because they are invited. `JOIN`:
    somebody sits down. `ARRANGE`: a host changes who sits at the table. `ASK`: a table is asked for a seat. `AWAY`: a
    table is told that somebody is away. `LEAVE`: a computer takes a seat over. `MOVE`: a match is posted anew
    elsewhere. `BRING`: its board is posted anew at the bottom. `SHOW`: a picture is posted for all to see. `REMIND`:
    the player to move is pinged. `END`: a table is asked whether the match ends. `UNDO`: a move is taken back, or a
    table asked whether it is. `ABORT`: somebody leaves before their own first action, or doesn't come. `EXCUSE`:
    somebody whom Discord keeps from playing isn't counted as absent. `RESULTS`: somebody downloads a server's results,
    or all that is stored about them.
    """

    OPEN: Final = Limit("open", 10, _MINUTE / 2, "You've opened a lot of tables here in a short time.")
    INVITE: Final = Limit("invite", 30, 2 * _MINUTE, "You've invited a lot of people here in a short time.")
    JOIN: Final = Limit("join", 10, _MINUTE, "You've joined this table many times in a row.", Per.MATCH)
    ARRANGE: Final = Limit("arrange", 40, 5 * _SECOND, "You've changed this table many times in a row.", Per.MATCH)
    ASK: Final = Limit("ask", 5, 10 * _MINUTE, "You've asked a lot of tables here for a seat.")
    AWAY: Final = Limit("away", 4, 15 * _MINUTE, "You've told your tables several times that you're away.", Per.MATCH)
    LEAVE: Final = Limit("leave", 3, 10 * _MINUTE, "You've left this match several times in a row.", Per.MATCH)
    MOVE: Final = Limit("move", 3, 10 * _MINUTE, "You've moved this match several times in a row.", Per.MATCH)
    BRING: Final = Limit("bring", 3, 10 * _MINUTE, "You've brought this board down several times in a row.", Per.MATCH)
    SHOW: Final = Limit("show", 5, 5 * _MINUTE, "You've posted several pictures here in a short time.")
    REMIND: Final = Limit("remind", 3, 10 * _MINUTE, "You've sent several reminders in this match.", Per.MATCH)
    END: Final = Limit("end", 2, 30 * _MINUTE, "You've asked this table several times to end the match.", Per.MATCH)
    UNDO: Final = Limit("undo", 5, 5 * _MINUTE, "You've asked this table several times to take a move back.", Per.MATCH)
    ABORT: Final = Limit("abort", 1, _DAY, "You've already called off a match here today.")
    EXCUSE: Final = Limit("excuse", 1, 30 * _DAY, "This player was excused here within 30 days. Please try again.")
    RESULTS: Final = Limit("results", 4, 10 * _MINUTE, "You've asked for this file several times in a short time.")


OPEN_TABLES: Final = 5
"""How many tables of one person may wait for players on a server at the same time.

As many more may be appointed for a later time.
"""

IN_LINE: Final = 10
"""How many people may wait in line for a seat at an appointed table."""

WATCHED_TABLES: Final = 2
"""How many matches that only computers play may run at the same time for one host, on all servers together."""

WATCHED_ON_A_SERVER: Final = 10
"""How many of these may run on a server."""

PRIVATE_TABLES: Final = 5
"""How many private tables of one person may run at the same time. There they play on from other matches."""

CLOCK_SKEW: Final = timedelta(minutes=1)
"""Tolerated clock skew between writers: one waited for its turn to write, or is another process."""

ASKED_AGAIN: Final = timedelta(days=1)
"""A person may ask a table for a seat again after this time, if it hasn't answered."""


def mark(deed: Limit, user_id: UserId, match: Match) -> str:
    """Return the name of a person's allowance. The store keeps a salted hash of it (`db/people/allowances.py`)."""
    return _mark(deed, user_id, match.id if deed.per is Per.MATCH else match.guild_id or 0)


def mark_on(deed: Limit, user_id: UserId, server: int | str) -> str:
    """Return the same for a deed that belongs to no match, or is counted for a game. Its limit must be per server."""
    if deed.per is not Per.SERVER:
        raise ValueError(f"{deed.name} is counted for each match.")
    return _mark(deed, user_id, server)


def _mark(deed: Limit, user_id: UserId, scope: int | str) -> str:
    return f"{deed.name} {scope} {user_id}"


def is_left(deed: Limit, until: datetime, now: datetime) -> bool:
    """Whether a person may do this once more, if their allowance is full again at `until`."""
    try:
        used(deed, until, now)
    except TooSoon:
        return False
    return True


def used(deed: Limit, until: datetime, now: datetime, times: int = 1) -> datetime:
    """Return when an allowance is full again after `times` more uses. Before them it would be full at `until`.

    An impossible `until`, which comes from a wrong clock, is ignored. Raises TooSoon if not enough is left.
    """
    begun = until if now < until <= now + deed.whole + CLOCK_SKEW else now
    after = begun + times * deed.each
    if after > now + deed.whole:
        raise TooSoon(deed.refusal, after - deed.whole)
    return after
