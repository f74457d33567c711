"""Enums whose members columns store as text."""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum
from typing import Final


class Status(StrEnum):
    """The state of a match.

    `LOBBY`: not started. `CANCELLED`: a lobby that never started. `OVER`: started and ended, however it ended.
    `FROZEN`: its log doesn't replay.
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
        """The time limit of a turn, ``None`` without one."""
        return _TURNS[self]

    @property
    def away(self) -> timedelta:
        """How long the clock of one seat may pause altogether because its person is away (P16)."""
        return _AWAY[self]


_TURNS = {Pace.LIVE: timedelta(minutes=5), Pace.DAY: timedelta(days=1), Pace.SLOW: timedelta(days=3), Pace.NONE: None}
_AWAY = {
    Pace.LIVE: timedelta(minutes=10),
    Pace.DAY: timedelta(days=14),
    Pace.SLOW: timedelta(days=30),
    Pace.NONE: timedelta(days=60),
}


class Where(StrEnum):
    """Whether the board is posted in the channel itself or in a thread of its own (P3)."""

    CHANNEL = "channel"
    THREAD = "thread"


class Boards(StrEnum):
    """How a server's boards are posted (P4).

    `EACH`: a new post each turn. `ONE`: one post a match, which is edited; a short post of its own calls the player.
    """

    EACH = "each"
    ONE = "one"


class Ended(StrEnum):
    """How a match ended.

    `RULES`: by the game's rules. `RESIGNED`: one of two players resigned and the other won. `VOTE`: the table voted.
    `MODERATOR`: a moderator ended it. `HOST`: the host ended it, where the server lets hosts do so. `LEFT`: no person
    was left to play. `ABORTED`: one of two players left before their own first move, or didn't make it. `ABANDONED`:
    nobody acted for too long. Of lobbies: `HOST` cancelled it or everybody left; `EXPIRED`: nobody started it in time;
    `CALLED_OFF`: too few people were ready at the appointed time; `EVENT`: its scheduled event on Discord was cancelled
    or deleted.
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
    CALLED_OFF = "called_off"
    EVENT = "event"


class Rated(StrEnum):
    """Whether a finished match changes ratings, and if not, why.

    `COUNTED`: it changes the ratings of all who began it. `PRACTICE`: one person played against computers; it changes
    only their practice rating. `AGREED`: it was opened as unrated. `OFF`: the server has turned ratings off. `ENDED`:
    it has no result. `NOBODY`: nobody who could be rated began it. `UNMOVED`: too few people had made a move.
    `EXCUSED`: Discord kept somebody from playing on.
    """

    COUNTED = "counted"
    PRACTICE = "practice"
    AGREED = "agreed"
    OFF = "off"
    ENDED = "ended"
    NOBODY = "nobody"
    UNMOVED = "unmoved"
    EXCUSED = "excused"


class CutOff(StrEnum):
    """Why a player can't press anything where their match is played. Only they are told which.

    `SILENCED`: moderators have timed them out. `UNSEEN`: they can't see the place. `GONE`: they aren't on the server.
    `REFUSED`: the place takes no posts of the bot, for longer than they had away time.
    """

    SILENCED = "silenced"
    UNSEEN = "unseen"
    GONE = "gone"
    REFUSED = "refused"


class Lost(StrEnum):
    """What the bot can't reach: the `PLACE` where a match is played, or the whole `SERVER` (P17)."""

    PLACE = "place"
    SERVER = "server"


ABSENCE: Final = "absence"
"""The question what to do about a player whose time is up."""


class Vote(StrEnum):
    """One person's answer to a question that the table is asked.

    When a player's time is up (P13): `WAIT` longer, let a `COMPUTER` play, or `END` the match. At any time after the
    start: `CANCEL` the match (P18) or `KEEP` it; take the last move back (`UNDO`) or let it `STAND`.
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
        """The question that this answers. Each person has one vote on each question."""
        if self in (Vote.CANCEL, Vote.KEEP):
            return Vote.CANCEL.value
        return Vote.UNDO.value if self in (Vote.UNDO, Vote.STAND) else ABSENCE


class Kind(StrEnum):
    """What an outbox row announces.

    `LOBBY`: redraw the lobby message (started, over, closed, frozen). `BOARD`: post the board. `SECRETS`: a deal gave a
    person secrets; one row per person, in seat order. `HAND`: send the player whose turn it is a fresh hand. `END`:
    post the final board, or why the match is frozen. `REMIND`: remind the player whose turn it is. `VOTE`: ask the
    table what to do about the seat whose time is up; without a seat, whether to end the match. `AWAY`: the seat's
    person is away, or back. `SEAT`: somebody wants to take the seat. `REFRESH`: update the buttons of the latest board,
    or of the direct message to the seat. `LOST`: tell the players by direct message that the bot can't post where they
    play. `NEAR`: tell a person by direct message that somebody has joined whom they keep away from. `UNDO`: ask the
    table whether to take the last move back. `ROUND`: a round is over. `WATCH`: update the post of a match without
    people. `NOT_ENDED`, `NOT_UNDONE`, `NOT_SEATED`: a question was closed without a yes. `ANEW`: post the board again,
    at the bottom of its place. `READY`: ask everybody at an appointed table whether they're ready. `RESCHEDULED`: tell
    them that it has another time. `EVENT`: bring its scheduled event on Discord up to date. `ORDERED`: tell a person
    what was played for them as they had said in advance; the row's ply is the number of that line. `CUT_OFF`: tell a
    person by direct message why they can't press anything where they play.

    About pledges: `CALL`: ask a person whether they're ready to play. `CALL_OVER`: change or delete that question,
    because it is over. `STOOD`: a lobby that the row's person opened has stood for a while, so call people who want it.
    `WANTED`: tell one of them that it's open.

    `PUZZLE`: post a day's puzzle on a server; its number is the row's ply. `PUZZLE_OVER`: say in that post how it went.
    `LEAVE`: leave the server.

    Nobody waits for the last three, which are about one of the bot's own messages (`TIDYING`). `OLD_BOARD`: take
    **Play** off an old board. `OLD_POST`: delete a message that has served its purpose. `OLD_DM`: say in the direct
    message about a person's turn that this turn is over.
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
    CALL = "call"
    CALL_OVER = "call_over"
    STOOD = "stood"
    WANTED = "wanted"
    ANEW = "anew"
    READY = "ready"
    RESCHEDULED = "rescheduled"
    EVENT = "event"
    PUZZLE = "puzzle"
    PUZZLE_OVER = "puzzle_over"
    LEAVE = "leave"
    ORDERED = "ordered"
    CUT_OFF = "cut_off"
    OLD_BOARD = "old_board"
    OLD_POST = "old_post"
    OLD_DM = "old_dm"


WATCHED: Final = frozenset({Kind.WATCH, Kind.PUZZLE, Kind.PUZZLE_OVER, Kind.LEAVE})
"""Rows for which nobody at a table waits, only spectators and whoever likes a puzzle."""

TIDYING: Final = frozenset({Kind.OLD_BOARD, Kind.OLD_POST, Kind.OLD_DM})
"""Rows for which nobody waits."""

AWAITED: Final = frozenset(Kind) - WATCHED - TIDYING
"""Rows for which people at a table wait."""


CALLING: Final = frozenset(
    {Kind.BOARD, Kind.HAND, Kind.SECRETS, Kind.REMIND, Kind.VOTE, Kind.UNDO, Kind.SEAT, Kind.READY}
)
"""Rows that ask people to do something. Of those that are sent by direct message, only the ones that ring."""


class Due(StrEnum):
    """What happens at a deadline.

    `LOBBY`: a lobby that nobody started is closed. `REMIND`, `OVERDUE`: most, or all, of the turn's time is up.
    `COMPUTER`: a computer plays. `WATCHED`: a computer plays at a table without people. `FORGET`: a closed lobby is
    deleted. `ABANDON`: a match in which nobody has acted for too long is ended. `QUESTION`: a question that nobody
    answered in time is closed. `OFFER`: the host makes the only legal action, which it has offered to the player.
    `READY`: everybody at an appointed table is asked whether they're ready, or it starts, or is called off. `BEGIN`:
    the time is over in which people could say that they're here.
    `START`: a lobby that was opened for people who had pledged starts by itself. `ORDER`: a move is made that its
    player has said in advance.
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
    READY = "ready"
    BEGIN = "begin"
    START = "start"
    ORDER = "order"


COMPUTERS: Final = (Due.COMPUTER, Due.WATCHED)
"""The deadlines at which a computer plays."""

PERSONS: Final = frozenset(Due) - {*COMPUTERS, Due.FORGET}
"""The deadlines that a person can miss, and orders: played while nobody can press, they'd show themselves."""


class Dm(StrEnum):
    """Whether somebody accepts the bot's direct messages (P2): not known yet, yes, or no."""

    UNKNOWN = "unknown"
    OPEN = "open"
    CLOSED = "closed"


class Ping(StrEnum):
    """How a person hears that it's their turn."""

    MENTION = "mention"
    DM = "dm"
    BOTH = "both"
    NONE = "none"


class Private(StrEnum):
    """How a person gets what only they may see (P32).

    By direct message (`DM`), or when they press **My hand** (`BUTTON`). `SERVER`: as the server's setting says.
    """

    SERVER = "server"
    DM = "dm"
    BUTTON = "button"


class LastLook(StrEnum):
    """Which moves a person confirms before they count: all, those that the panel hasn't drawn (`UNSEEN`), or none."""

    ALWAYS = "always"
    UNSEEN = "unseen"
    NEVER = "never"


class Cancellers(StrEnum):
    """Who may end a server's running matches without a vote."""

    MODERATORS = "moderators"
    HOSTS = "hosts"
