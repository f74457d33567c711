"""The names that cogs, bot, benchmarks and tests use: the host, its values and errors, the store's enums and rows."""

from db import KEPT as kept_by_features
from db.failures import DatabaseError
from db.model.enums import (
    TIDYING,
    Boards,
    Cancellers,
    CutOff,
    Dm,
    Due,
    Ended,
    Kind,
    LastLook,
    Lost,
    Pace,
    Ping,
    Private,
    Rated,
    Status,
    Vote,
    Where,
)
from db.model.ids import NO_LINES, MatchId, Ply, SeatNumber, UserId
from db.model.rows import Application, Details, Telling, Terms
from db.model.setting_rows import GuildSettings, PlayerSettings
from db.results.keyed import Season
from db.results.tallies import Tally
from db.store.leases import Shards
from games.core import Exclusion, Instruction, Move
from matches.delivery.dms import Ration
from matches.engine.clock import Clock, ManualClock
from matches.errors import (
    NOT_OFFERED,
    Busy,
    Frozen,
    HostError,
    KeptApart,
    NotAllowed,
    NotFound,
    NotSeated,
    Pruned,
    Refused,
    Stale,
    TooSoon,
    Unavailable,
    WrongTime,
)
from matches.host.check import check
from matches.host.host import Host
from matches.records.exercise_view import ExerciseView
from matches.records.match import Match
from matches.records.posts import BoardPost, CallPost, HandPost, Posted
from matches.records.replay import Moment, Replay
from matches.records.requests import NewMatch, Once, Person
from matches.records.seat import NotYourTurn, Seat
from matches.records.seen import Shown, View
from matches.results.reliability import Reliability
from matches.table.play import Leaving
from matches.table.votes import Cancelling
