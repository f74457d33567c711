"""Matches being played: seats, lobby, turns, chance, time, computers, and what has to be told to whom.

No Discord in here: this is the host of the table, and a test, a benchmark or another chat can drive it.
"""

from matches.clock import Clock, ManualClock, SystemClock
from matches.errors import (
    Frozen,
    HostError,
    NotAllowed,
    NotFound,
    NotSeated,
    NotYourTurn,
    Refused,
    Stale,
    WrongTime,
)
from matches.host import Host
from matches.records import (
    Ballot,
    Dm,
    Ended,
    Kind,
    Match,
    Move,
    NewMatch,
    Pace,
    Person,
    Seat,
    Shown,
    Status,
    Telling,
    Verification,
    View,
    Vote,
    Where,
)

__all__ = [
    "Ballot",
    "Clock",
    "Dm",
    "Ended",
    "Frozen",
    "Host",
    "HostError",
    "Kind",
    "ManualClock",
    "Match",
    "Move",
    "NewMatch",
    "NotAllowed",
    "NotFound",
    "NotSeated",
    "NotYourTurn",
    "Pace",
    "Person",
    "Refused",
    "Seat",
    "Shown",
    "Stale",
    "Status",
    "SystemClock",
    "Telling",
    "Verification",
    "View",
    "Vote",
    "Where",
    "WrongTime",
]
