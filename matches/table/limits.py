"""Rate limits for deeds that cost others a ping, a post or a place in a list.

The table `LIMITS` is a token bucket for each deed: so many at once, and one more after some time, counted per match or
per server. The used allowance is stored in the transaction of the deed. So all processes agree, a restart restores
nothing, and a refused deed uses nothing.

Deeds that aren't in the table cost nobody else anything, or are possible once a turn or once a match anyway.
`tests/cogs/test_limits.py` says which, for every command, button and menu. Playing fast never hits a limit.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, NamedTuple

from db.model.ids import UserId
from matches.errors import TooSoon
from matches.records.match import Match


class Deed(StrEnum):
    """What is counted.

    `OPEN`: a table is opened, also for a rematch. `APPOINT`: it starts at a certain time. `RESCHEDULE`: it gets another
    one. `INVITE`: somebody is pinged because they are invited. `JOIN`: somebody sits down. `ARRANGE`: a host changes
    who sits at the table. `ASK`: a table is asked for a seat. `AWAY`: a table is told that somebody is away. `LEAVE`: a
    computer takes a seat over. `MOVE`: a match is posted anew elsewhere. `BRING`: its board is posted anew at the
    bottom. `SHOW`: a picture is posted for all to see. `REMIND`: the player to move is pinged. `END`: a table is asked
    whether the match ends. `UNDO`: a move is taken back, or a table asked whether it is. `ABORT`: somebody leaves
    before their own first action, or doesn't come. `EXCUSE`: somebody whom Discord keeps from playing isn't counted as
    absent. `PLEDGE`: somebody says that they'd play. `MISS`: they said that they're ready, and then didn't play.
    `CALL`: their new table calls people who want that; counted for each game. `CALLED`: somebody is called, for
    whatever reason; a person has `CALLS_A_DAY` of these. `CALLED_TO_TABLE`: they are called because a table has opened.
    `REPORT`: somebody says that a puzzle is wrong. `ORDER`: somebody says a move in advance, or changes that.
    `RESULTS`: somebody downloads a server's results, or all that is stored about them.
    """

    OPEN = "open"
    APPOINT = "appoint"
    RESCHEDULE = "reschedule"
    INVITE = "invite"
    JOIN = "join"
    ARRANGE = "arrange"
    ASK = "ask"
    AWAY = "away"
    LEAVE = "leave"
    MOVE = "move"
    BRING = "bring"
    SHOW = "show"
    REMIND = "remind"
    UNDO = "undo"
    ABORT = "abort"
    EXCUSE = "excuse"
    RESULTS = "results"
    END = "end"
    PLEDGE = "pledge"
    MISS = "miss"
    CALL = "call"
    CALLED = "called"
    CALLED_TO_TABLE = "called to table"
    REPORT = "report"
    ORDER = "order"


class Per(StrEnum):
    """The scope in which a person's deeds are counted together."""

    MATCH = "match"
    SERVER = "server"


class Limit(NamedTuple):
    """At most `most` at once, and one more after `each`. `refusal` is the sentence for a person who wants more."""

    most: int
    each: timedelta
    per: Per
    refusal: str

    @property
    def whole(self) -> timedelta:
        """The time after which an empty allowance is full again."""
        return self.most * self.each


_SECOND: Final = timedelta(seconds=1)
_MINUTE: Final = timedelta(minutes=1)
_HOUR: Final = timedelta(hours=1)
_DAY: Final = timedelta(days=1)

LIMITS: Final[Mapping[Deed, Limit]] = {
    Deed.OPEN: Limit(10, _MINUTE / 2, Per.SERVER, "You've opened a lot of tables here in a short time."),
    Deed.APPOINT: Limit(5, _HOUR, Per.SERVER, "You've appointed a lot of times here in a short time."),
    Deed.RESCHEDULE: Limit(2, _DAY / 2, Per.MATCH, "You've given this table another time more than once already."),
    Deed.INVITE: Limit(30, 2 * _MINUTE, Per.SERVER, "You've invited a lot of people here in a short time."),
    Deed.JOIN: Limit(10, _MINUTE, Per.MATCH, "You've joined this table many times in a row."),
    Deed.ARRANGE: Limit(40, 5 * _SECOND, Per.MATCH, "You've changed this table many times in a row."),
    Deed.ASK: Limit(5, 10 * _MINUTE, Per.SERVER, "You've asked a lot of tables here for a seat."),
    Deed.AWAY: Limit(4, 15 * _MINUTE, Per.MATCH, "You've told your tables several times that you're away."),
    Deed.LEAVE: Limit(3, 10 * _MINUTE, Per.MATCH, "You've left this match several times in a row."),
    Deed.MOVE: Limit(3, 10 * _MINUTE, Per.MATCH, "You've moved this match several times in a row."),
    Deed.BRING: Limit(3, 10 * _MINUTE, Per.MATCH, "You've brought this board down several times in a row."),
    Deed.SHOW: Limit(5, 5 * _MINUTE, Per.SERVER, "You've posted several pictures here in a short time."),
    Deed.REMIND: Limit(3, 10 * _MINUTE, Per.MATCH, "You've sent several reminders in this match."),
    Deed.END: Limit(2, 30 * _MINUTE, Per.MATCH, "You've asked this table several times to end the match."),
    Deed.UNDO: Limit(5, 5 * _MINUTE, Per.MATCH, "You've asked this table several times to take a move back."),
    Deed.ABORT: Limit(1, _DAY, Per.SERVER, "You've already called off a match here today."),
    Deed.EXCUSE: Limit(1, 30 * _DAY, Per.SERVER, "This player was excused here within 30 days. Please try again."),
    Deed.ORDER: Limit(40, 15 * _SECOND, Per.MATCH, "You've changed what you say in advance many times in a row."),
    Deed.RESULTS: Limit(4, 10 * _MINUTE, Per.SERVER, "You've asked for this file several times in a short time."),
    Deed.PLEDGE: Limit(10, 5 * _MINUTE, Per.SERVER, "You've changed your mind here many times in a row."),
    Deed.MISS: Limit(1, _DAY, Per.SERVER, "You said that you're ready, and then didn't play."),
    Deed.CALL: Limit(1, _DAY, Per.SERVER, "Your table of this game has called people today already."),
    Deed.CALLED: Limit(1, _DAY, Per.SERVER, "You've been called twice today."),
    Deed.CALLED_TO_TABLE: Limit(1, _DAY, Per.SERVER, "You've been called to a table today."),
    Deed.REPORT: Limit(5, _HOUR, Per.SERVER, "You've reported several puzzles in a short time."),
}

CALLS_A_DAY: Final = 2
"""How often a person is called within any 24 hours, on all servers together."""

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


def mark(deed: Deed, user_id: UserId, match: Match) -> str:
    """Return the name of a person's allowance. The store keeps a salted hash of it (`db/people/allowances.py`)."""
    return _mark(deed, user_id, match.id if LIMITS[deed].per is Per.MATCH else match.guild_id or 0)


def mark_on(deed: Deed, user_id: UserId, server: int | str) -> str:
    """Return the same for a deed that belongs to no match, or is counted for a game. Its limit must be per server."""
    if LIMITS[deed].per is not Per.SERVER:
        raise ValueError(f"{deed} is counted for each match.")
    return _mark(deed, user_id, server)


def _mark(deed: Deed, user_id: UserId, scope: int | str) -> str:
    return f"{deed} {scope} {user_id}"


def is_left(deed: Deed, until: datetime, now: datetime) -> bool:
    """Whether a person may do this once more, if their allowance is full again at `until`."""
    try:
        used(deed, until, now)
    except TooSoon:
        return False
    return True


def used(deed: Deed, until: datetime, now: datetime, times: int = 1) -> datetime:
    """Return when an allowance is full again after `times` more uses. Before them it would be full at `until`.

    An impossible `until`, which comes from a wrong clock, is ignored. Raises TooSoon if not enough is left.
    """
    limit = LIMITS[deed]
    begun = until if now < until <= now + limit.whole + CLOCK_SKEW else now
    after = begun + times * limit.each
    if after > now + limit.whole:
        raise TooSoon(limit.refusal, after - limit.whole)
    return after
