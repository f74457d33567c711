"""The names that cogs, bot, benchmarks and tests use: the host, its values, its errors and the store's words."""

from db.errors import DatabaseError
from db.ids import NO_LINES, MatchId, Ply, SeatNumber, UserId
from db.leases import Shards
from db.results import Tally
from db.rows import Application, Ballot, DeadlineRow, GuildSettings, PlayerSettings, Telling
from db.words import Cancellers, Dm, Due, Ended, Kind, LastLook, Lost, Pace, Ping, Private, Rated, Status, Vote, Where
from matches.check import check
from matches.clock import Clock, ManualClock, SystemClock
from matches.delivery.dms import Ration
from matches.errors import (
    Busy,
    Frozen,
    HostError,
    KeptApart,
    NotAllowed,
    NotFound,
    NotSeated,
    NotYourTurn,
    Pruned,
    Refused,
    Stale,
    TooSoon,
    Unavailable,
    WrongTime,
)
from matches.host import Host
from matches.lesson_view import LessonView
from matches.lessons import Standing, Tried
from matches.match import Match
from matches.posts import BoardPost, HandPost
from matches.ratings.reading import Change, Leaderboard, Profile, Rating
from matches.ratings.reliability import Reliability
from matches.replay import Moment, Replay
from matches.requests import NewMatch, Person
from matches.seat import Seat
from matches.seen import Move, Shown, View
from matches.table.play import Leaving
from matches.table.votes import Cancelling
from matches.verification import Verification

__all__ = [
    "NO_LINES",
    "Application",
    "Ballot",
    "BoardPost",
    "Busy",
    "Cancellers",
    "Cancelling",
    "Change",
    "Clock",
    "DatabaseError",
    "DeadlineRow",
    "Dm",
    "Due",
    "Ended",
    "Frozen",
    "GuildSettings",
    "HandPost",
    "Host",
    "HostError",
    "KeptApart",
    "Kind",
    "LastLook",
    "Leaderboard",
    "Leaving",
    "LessonView",
    "Lost",
    "ManualClock",
    "Match",
    "MatchId",
    "Moment",
    "Move",
    "NewMatch",
    "NotAllowed",
    "NotFound",
    "NotSeated",
    "NotYourTurn",
    "Pace",
    "Person",
    "Ping",
    "PlayerSettings",
    "Ply",
    "Private",
    "Profile",
    "Pruned",
    "Rated",
    "Rating",
    "Ration",
    "Refused",
    "Reliability",
    "Replay",
    "Seat",
    "SeatNumber",
    "Shards",
    "Shown",
    "Stale",
    "Standing",
    "Status",
    "SystemClock",
    "Tally",
    "Telling",
    "TooSoon",
    "Tried",
    "Unavailable",
    "UserId",
    "Verification",
    "View",
    "Vote",
    "Where",
    "WrongTime",
    "check",
]
