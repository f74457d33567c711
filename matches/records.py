"""What is known about a match, as values: read from the database or handed to whoever shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, NamedTuple

from db.settings import DEFAULTS, Ping, PlayerSettings
from games import GAMES
from games.core import GameInfo
from games.log import Header
from matches.errors import Frozen, NotSeated, WrongTime

NOT_PLAYING: Final = "You're not playing in this match."


class Status(StrEnum):
    """Where a match stands: `LOBBY` before the start, `CANCELLED` a lobby that never started.

    A match that was started and has ended is `OVER`, however it ended. `FROZEN` is a match whose log does not replay.
    """

    LOBBY = "lobby"
    RUNNING = "running"
    OVER = "over"
    CANCELLED = "cancelled"
    FROZEN = "frozen"


class Pace(StrEnum):
    """How long a turn may take (P13)."""

    LIVE = "live"
    DAY = "day"
    SLOW = "slow"
    NONE = "none"

    @property
    def turn(self) -> timedelta | None:
        """The time for one turn, ``None`` without a limit."""
        return _TURNS[self]


_TURNS = {Pace.LIVE: timedelta(minutes=5), Pace.DAY: timedelta(days=1), Pace.SLOW: timedelta(days=3), Pace.NONE: None}


class Where(StrEnum):
    """Whether the board stands in the channel itself or in a thread of its own (P3)."""

    CHANNEL = "channel"
    THREAD = "thread"


class Dm(StrEnum):
    """What is known about somebody's direct messages (P2): nothing yet, that they are taken, that they are not."""

    UNKNOWN = "unknown"
    OPEN = "open"
    CLOSED = "closed"


class Ended(StrEnum):
    """How a match came to its end.

    `RULES` the game ended; `RESIGNED` one of two players resigned and the other wins; `VOTE` the table ended it;
    `MODERATOR` a moderator did, `HOST` the host where the server lets hosts do so; `LEFT` no person was left to play.
    Of lobbies: `HOST` cancelled it or everybody left, `EXPIRED` nobody started it in time.
    """

    RULES = "rules"
    RESIGNED = "resigned"
    VOTE = "vote"
    MODERATOR = "moderator"
    LEFT = "left"
    HOST = "host"
    EXPIRED = "expired"


class Vote(StrEnum):
    """What the table is asked.

    When somebody's time is up (P13): `WAIT` longer, let the `COMPUTER` play on for him, or `END` the match. At any
    time after the start: `CANCEL` the match (P18), by `Host.cancel`.
    """

    WAIT = "wait"
    COMPUTER = "computer"
    END = "end"
    CANCEL = "cancel"


class Kind(StrEnum):
    """What has to be told (the rows of the outbox).

    `LOBBY`: the lobby message is to be drawn anew (started, over, closed, frozen). `BOARD`: a board post. `SECRETS`:
    a deal told something to somebody in private; one row for every person, in seat order. `HAND`: a fresh hand for
    the person on turn. `END`: the final board, or the sentence that says why the match is frozen. `REMIND`: a
    reminder to the person on turn. `VOTE`: the table is asked what to do about the seat, whose time is up, or, without
    a seat, whether to end the match. `AWAY`: the person of the seat is away, or back. `SEAT`: somebody would like to
    take the seat. `REFRESH`: the board that stands, or the direct message to the seat, gets buttons of now. `LOST`: its
    people are told by direct message that nothing can be posted where the match is played.
    """

    LOBBY = "lobby"
    BOARD = "board"
    SECRETS = "secrets"
    HAND = "hand"
    END = "end"
    REMIND = "remind"
    VOTE = "vote"
    AWAY = "away"
    SEAT = "seat"
    REFRESH = "refresh"
    LOST = "lost"


class Lost(StrEnum):
    """What of a match cannot be reached: the `PLACE` where it is played, or the whole `SERVER` (P17)."""

    PLACE = "place"
    SERVER = "server"


class Person(NamedTuple):
    """Somebody on Discord: the snowflake, and the name that people see."""

    user_id: int
    name: str


class Due(StrEnum):
    """What happens by itself at a time.

    `LOBBY`: a lobby that nobody started is closed. `REMIND` and `OVERDUE`: most, or all, of the turn's time is up.
    `COMPUTER`: a computer plays. `FORGET`: a lobby that was closed is deleted.
    """

    LOBBY = "lobby"
    REMIND = "remind"
    OVERDUE = "overdue"
    COMPUTER = "computer"
    FORGET = "forget"


class Ballot(NamedTuple):
    """What somebody has voted for so far."""

    user_id: int
    vote: Vote


class Application(NamedTuple):
    """Somebody would like to take a seat that the computer plays; `agreed` are the persons at the table who agree."""

    user_id: int
    name: str
    seat: int
    agreed: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Seat:
    """A place at the table.

    `position` is the place in the lobby (0, 1, … in the order of joining), `seat` the place in the game once it is
    drawn. `user_id` is ``None`` for a seat that a computer had from the start. `computer` is the level of the
    computer that plays the seat now, ``None`` while its person does. `resigned` means that the person cannot return.
    `settings` are the person's own, `away_until` the moment until which the person's clock stands still. `won` and
    `points` are there once the match has a result. `dm` is `CLOSED` also where the person, or the server, wants what is
    private by button; `dm_channel_id` is where direct messages to the person go, once that is known, and
    `hand_message_id` the latest of them that had buttons for a turn of this match.
    """

    position: int
    seat: int | None = None
    user_id: int | None = None
    name: str
    computer: str | None = None
    dm: Dm = Dm.UNKNOWN
    resigned: bool = False
    settings: PlayerSettings = DEFAULTS
    away_until: datetime | None = None
    won: bool | None = None
    points: int | None = None
    dm_channel_id: int | None = None
    hand_message_id: int | None = None
    by_button: bool = False

    @property
    def present(self) -> bool:
        """Whether a person plays this seat now."""
        return self.user_id is not None and self.computer is None and not self.resigned

    @property
    def rings_by_dm(self) -> bool:
        """Whether a turn rings the person by a direct message, which must be open for that (P26, P32)."""
        return self.settings.ping in (Ping.DM, Ping.BOTH) and self.dm is Dm.OPEN

    @property
    def rings_in_place(self) -> bool:
        """Whether a turn mentions the person where the match is played; whose DMs are closed is reached there."""
        return self.settings.ping is not Ping.NONE and not (self.settings.ping is Ping.DM and self.rings_by_dm)


@dataclass(frozen=True, kw_only=True)
class Match:
    """A match as it stands, without its position (that is `View`).

    `ply` is the number of lines in the log, that is the number that the next line gets; every board, button and
    telling carries it. `board_ply` is the ply of the last board post that was told (0 at first), so the lines with
    that number and above are still to be told. `seed` is there only once the match is over or cancelled. `seats`
    stand by position in the lobby and by seat once the match runs.

    Of a running match: `to_move` is the seat on turn, `turn_ply` and `turn_at` say since which ply and when it has
    been waited for, `turn_due` when its time is up, `reminded` whether a reminder was told, `asked` how many times the
    table has been asked about this turn, and `asking` whether that is still open. `ballots` are the votes cast and not
    yet decided, `applications` who would like to take a seat, `rung` the persons who have been rung for this turn.
    `reason` is the sentence of a frozen match. `lost` says what of it cannot be reached, and `lost_at` since when:
    meanwhile its clocks stand still. `in_thread` says that its channel is itself a thread. `counts` says, of a match
    that is over, that its result is one for the statistics.
    """

    id: int
    game: str
    options: Mapping[str, str]
    rules_version: int
    status: Status
    host_id: int
    guild_id: int | None
    channel_id: int
    thread_id: int | None = None
    lobby_message_id: int | None = None
    board_message_id: int | None = None
    board_ply: int = 0
    commitment: str = ""
    seed: bytes | None = None
    pace: Pace
    where: Where
    size: int | None
    invited: tuple[int, ...] = ()
    seats: tuple[Seat, ...] = ()
    ply: int = 0
    to_move: int | None = None
    turn_ply: int = 0
    turn_at: datetime | None = None
    turn_due: datetime | None = None
    reminded: bool = False
    asked: int = 0
    ballots: tuple[Ballot, ...] = ()
    created_at: datetime
    started_at: datetime | None = None
    ended_at: datetime | None = None
    rematch_of: int | None = None
    ended_by: Ended | None = None
    reason: str | None = None
    counts: bool = False
    witnesses: tuple[str, ...] = ()
    asking: bool = False
    in_thread: bool = False
    rung: tuple[int, ...] = ()
    lost: Lost | None = None
    lost_at: datetime | None = None
    applications: tuple[Application, ...] = ()

    @property
    def present(self) -> tuple[Seat, ...]:
        """The seats that their persons play now."""
        return tuple(seat for seat in self.seats if seat.present)

    @property
    def of_computers(self) -> bool:
        """Whether no person has a seat: there is only somebody who watches."""
        return all(seat.user_id is None for seat in self.seats)

    @property
    def mover(self) -> Seat | None:
        """The seat on turn, ``None`` unless the match runs."""
        return next((seat for seat in self.seats if self.to_move is not None and seat.seat == self.to_move), None)

    @property
    def voters(self) -> tuple[Seat, ...]:
        """Who decides about somebody whose time is up: the other persons who play."""
        return tuple(seat for seat in self.present if seat.seat != self.to_move)

    @property
    def place_id(self) -> int:
        """The thread or channel where the board stands."""
        return self.thread_id or self.channel_id

    @property
    def people(self) -> tuple[str, ...]:
        """The names, in the order of `seats`: by seat once the match runs."""
        return tuple(seat.name for seat in self.seats)

    @property
    def info(self) -> GameInfo:
        """What is true of this game in every match."""
        return GAMES[self.game].info

    @property
    def header(self) -> Header:
        """The first line of the match's log."""
        return Header(self.game, len(self.seats), self.options, self.rules_version)

    def seat_of(self, user_id: int | None) -> Seat | None:
        """The seat that belongs to this person, resigned or not."""
        return next((seat for seat in self.seats if user_id is not None and seat.user_id == user_id), None)

    def own_seat(self, user_id: int) -> Seat:
        """This person's seat, which they have not given up. Raises NotSeated."""
        seat = self.seat_of(user_id)
        if seat is None:
            raise NotSeated(NOT_PLAYING)
        if seat.resigned:
            raise NotSeated("You have resigned from this match.")
        return seat

    def seat_to_leave(self, user_id: int) -> Seat:
        """The seat that this person plays in a match that runs (P15).

        Raises WrongTime (also for who has left already), Frozen, NotSeated.
        """
        self.check_running()
        seat = self.own_seat(user_id)
        if seat.computer is not None:
            raise WrongTime("You've already left; a computer is playing your seat.")
        return seat

    def check_running(self) -> None:
        """Raises WrongTime before the start and after the end, and Frozen."""
        match self.status:
            case Status.LOBBY:
                raise WrongTime("This match hasn't started yet.")
            case Status.OVER | Status.CANCELLED:
                raise WrongTime("This match is over.")
            case Status.FROZEN:
                raise Frozen(self.reason or "This match is frozen.")

    def waits_for(self, user_id: int) -> bool:
        """Whether this person is on turn (and plays the seat himself)."""
        return self.mover is not None and self.mover.present and self.mover.user_id == user_id


@dataclass(frozen=True)
class NewMatch:
    """What somebody wants to play and where; `size` is the number of players that starts it at once (or ``None``).

    `computers` are the levels of those who sit at the table from the beginning; a host who is `watching` does not.
    """

    game: str
    channel_id: int
    options: Mapping[str, str] = field(default_factory=dict)
    size: int | None = None
    pace: Pace = Pace.DAY
    where: Where = Where.CHANNEL
    guild_id: int | None = None
    invited: tuple[int, ...] = ()
    rematch_of: int | None = None
    in_thread: bool = False
    computers: tuple[str, ...] = ()
    watching: bool = False


class Telling(NamedTuple):
    """Something to be told, without its content: that is made when it is sent.

    `ply` is the match's ply when it was put into the outbox, at `put_at`; `seat` and `user_id` are whom it concerns,
    `rings` whether it rings them, `tries` how often it was tried in vain.
    """

    id: int
    match_id: int
    ply: int
    kind: Kind
    seat: int | None
    user_id: int | None
    rings: bool
    tries: int
    put_at: datetime


class BoardPost(NamedTuple):
    """The message with which a board was told, and the ply that it shows."""

    match_id: int
    message_id: int
    ply: int


class HandPost(NamedTuple):
    """The direct message with which a seat's person was told that it is their turn; `position` is the seat's."""

    match_id: int
    position: int
    message_id: int
