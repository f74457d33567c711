"""The words that stand in columns: each is stored as its text."""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum
from typing import Final


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

    @property
    def away(self) -> timedelta:
        """For how long altogether the turns of one seat may stand still because its person is away (P16)."""
        return _AWAY[self]


_TURNS = {Pace.LIVE: timedelta(minutes=5), Pace.DAY: timedelta(days=1), Pace.SLOW: timedelta(days=3), Pace.NONE: None}
_AWAY = {
    Pace.LIVE: timedelta(minutes=10),
    Pace.DAY: timedelta(days=14),
    Pace.SLOW: timedelta(days=30),
    Pace.NONE: timedelta(days=60),
}


class Where(StrEnum):
    """Whether the board stands in the channel itself or in a thread of its own (P3)."""

    CHANNEL = "channel"
    THREAD = "thread"


class Ended(StrEnum):
    """How a match came to its end.

    `RULES` the game ended; `RESIGNED` one of two players resigned and the other wins; `VOTE` the table ended it;
    `MODERATOR` a moderator did, `HOST` the host where the server lets hosts do so; `LEFT` no person was left to play.
    `ABORTED` one of two players left before their own first move; `ABANDONED` nobody acted for too long.
    Of lobbies: `HOST` cancelled it or everybody left, `EXPIRED` nobody started it in time.
    """

    RULES = "rules"
    RESIGNED = "resigned"
    VOTE = "vote"
    MODERATOR = "moderator"
    LEFT = "left"
    HOST = "host"
    EXPIRED = "expired"
    ABORTED = "aborted"
    ABANDONED = "abandoned"


class Rated(StrEnum):
    """Whether the result of a match that is over moves ratings, and if not, why.

    `COUNTED`: those of everybody who began it. `PRACTICE`: it was one person against computers, whose own practice
    rating alone is moved. `AGREED`: it was opened as one that does not count. `OFF`: the server has switched ratings
    off. `ENDED`: it ended without a result. `NOBODY`: no person who could be rated began it. `UNMOVED`: too few people
    had made a move.
    """

    COUNTED = "counted"
    PRACTICE = "practice"
    AGREED = "agreed"
    OFF = "off"
    ENDED = "ended"
    NOBODY = "nobody"
    UNMOVED = "unmoved"


class Lost(StrEnum):
    """What of a match cannot be reached: the `PLACE` where it is played, or the whole `SERVER` (P17)."""

    PLACE = "place"
    SERVER = "server"


ABSENCE: Final = "absence"
"""The question what to do about somebody whose time is up."""


class Vote(StrEnum):
    """What the table is asked.

    When somebody's time is up (P13): `WAIT` longer, let the `COMPUTER` play on, or `END` the match. At any
    time after the start: `CANCEL` the match (P18), or `KEEP` it; and take the last move back (`UNDO`), or let it
    `STAND`. Each of these is a question of its own.
    """

    WAIT = "wait"
    COMPUTER = "computer"
    END = "end"
    CANCEL = "cancel"
    UNDO = "undo"
    KEEP = "keep"
    STAND = "stand"

    @property
    def question(self) -> str:
        """What is asked; of each person one vote on each question counts."""
        if self in (Vote.CANCEL, Vote.KEEP):
            return Vote.CANCEL.value
        return Vote.UNDO.value if self in (Vote.UNDO, Vote.STAND) else ABSENCE


class Kind(StrEnum):
    """What has to be told (the rows of the outbox).

    `LOBBY`: the lobby message is to be drawn anew (started, over, closed, frozen). `BOARD`: a board post. `SECRETS`:
    a deal told something to somebody in private; one row for every person, in seat order. `HAND`: a fresh hand for
    the person on turn. `END`: the final board, or the sentence that says why the match is frozen. `REMIND`: a
    reminder to the person on turn. `VOTE`: the table is asked what to do about the seat, whose time is up, or, without
    a seat, whether to end the match. `AWAY`: the person of the seat is away, or back. `SEAT`: somebody would like to
    take the seat. `REFRESH`: the board that stands, or the direct message to the seat, gets buttons of now. `LOST`: its
    people are told by direct message that nothing can be posted where the match is played. `NEAR`: somebody from whom
    the person wants to be kept away has joined, which only that person is told, by direct message. `UNDO`: the table is
    asked whether the last move is taken back. `ROUND`: a round is over. `WATCH`: the post of a match without people,
    which stands already, shows what is the case by now. `NOT_ENDED`, `NOT_UNDONE`, `NOT_SEATED`: a question was closed
    without what it asked for.
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
    NEAR = "near"
    UNDO = "undo"
    ROUND = "round"
    WATCH = "watch"
    NOT_ENDED = "not_ended"
    NOT_UNDONE = "not_undone"
    NOT_SEATED = "not_seated"


class Due(StrEnum):
    """What happens by itself at a time.

    `LOBBY`: a lobby that nobody started is closed. `REMIND` and `OVERDUE`: most, or all, of the turn's time is up.
    `COMPUTER`: a computer plays; `WATCHED`: one does at a table without people. `FORGET`: a lobby that was closed is
    deleted. `ABANDON`: a match in which nobody has acted for too long is ended. `QUESTION`: a question has got no
    answer for too long. `OFFER`: the only action there is, which was offered to its person, is made.
    """

    LOBBY = "lobby"
    REMIND = "remind"
    OVERDUE = "overdue"
    COMPUTER = "computer"
    WATCHED = "watched"
    FORGET = "forget"
    ABANDON = "abandon"
    QUESTION = "question"
    OFFER = "offer"


COMPUTERS: Final = (Due.COMPUTER, Due.WATCHED)
"""A computer's turn."""


class Dm(StrEnum):
    """What is known about somebody's direct messages (P2): nothing yet, that they are taken, that they are not."""

    UNKNOWN = "unknown"
    OPEN = "open"
    CLOSED = "closed"


class Ping(StrEnum):
    """How a person wants to be told that it is their turn."""

    MENTION = "mention"
    DM = "dm"
    BOTH = "both"
    NONE = "none"


class Private(StrEnum):
    """How what only one person may see comes to them (P32).

    By direct message (`DM`), or when they press **My hand** (`BUTTON`); of a person also: as the `SERVER` has it.
    """

    SERVER = "server"
    DM = "dm"
    BUTTON = "button"


class LastLook(StrEnum):
    """Before which moves a person is shown what they will do, to confirm it.

    Before all; before those that the panel has not shown as a place on the picture (`UNSEEN`); before none.
    """

    ALWAYS = "always"
    UNSEEN = "unseen"
    NEVER = "never"


class Cancellers(StrEnum):
    """Who may end a running match of a server without a vote."""

    MODERATORS = "moderators"
    HOSTS = "hosts"
