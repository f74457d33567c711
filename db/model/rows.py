"""What rows are read as: every field of these classes is a column, and is declared here alone.

`db/model/schema.py` makes tables of them, each of one class or of several. `Match`, `Seat` and `Known` in `matches`
inherit these fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from sqlalchemy import String

from db.model.columns import Kept, RowId, Snowflake
from db.model.enums import (
    Cancellers,
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

RowNumber: TypeAlias = Annotated[int, Kept(type=RowId)]
MatchNumber: TypeAlias = Annotated[MatchId, Kept(type=RowId)]
PersonId: TypeAlias = Annotated[UserId, Kept(type=Snowflake)]
RatingKey: TypeAlias = Annotated[str, Kept(type=String(16))]
"""What a server's ratings call a person: drawn at random, and by itself it leads to nobody."""

DiscordId: TypeAlias = Annotated[int, Kept(type=Snowflake)]


class OfMatch(NamedTuple):
    """To which match a row belongs; with the match it goes."""

    match_id: Annotated[MatchId, Kept(type=RowId, references="matches.id")]


@dataclass(frozen=True, kw_only=True)
class MatchRow:
    """What anybody may know of a match, without what stands in other tables.

    What was agreed: `game`, `options`, `rules_version`, `pace`, `where` the board stands, the number of players
    (`size`) that starts it at once, who is `invited`. `commitment` is what the lobby commits to, `rematch_of` the match
    before. `in_thread` says that its channel is itself a thread.

    `ply` is the number of lines in the log, that is the number that the next line gets; every board, button and
    telling carries it. `board_ply` is the ply of the last board post that was told (0 at first), so the lines with
    that number and above are still to be told.

    Of a running match: `to_move` is the seat on turn, `turn_ply` and `turn_at` say since which ply and when it has
    been waited for, `turn_due` when its time is up, `reminded` whether a reminder was told, `asked` how many times the
    table has been asked about this turn, and `asking` whether that is still open; `rung` are the persons who have been
    rung for this turn. Until `stands_until` the clock stands still, because the person on turn is away; that time is
    counted in `turn_at` and `turn_due` already. `turn_left` is what was left of a turn for whoever has left it to the
    computer and may come back to it; `returned` are the seats that persons have taken over from the computer since the
    last action. These follow from the log; they stand here so that lists and the clock need not replay it.

    What is open has no `ended_at`. `reason` is the sentence of a frozen match. `lost` says what of it cannot be
    reached, and `lost_at` since when: meanwhile its clocks stand still. `counts` says, of a match that is over, that
    its result is one for the statistics. `witnesses` are marks of people who had a seat before, made with the seed:
    they recognise, and name nobody. `scheme` is the version of `docs/fair-deals.md` by which chance draws, `pressed`
    what counts in the draws beside the seed, as it is written there. `moves_stand`: nothing is taken back.
    `first_here`: when it was opened the store had no other of its server. `rated` was agreed: its result is to move
    ratings, and `rating` says, once it is over, whether it did. `reliable`: only who finishes matches may sit down, and
    with `newcomers` also people too new to tell. `host_starts`: a full lobby waits for its host to start it. `removed`
    are marks, like `witnesses`, of people whom the host has removed from the lobby.
    `questions` are those that the table is asked right now, as `matches.table.questions` writes them.
    `log_sum` is there once the lines of a match that is over were deleted: the sum of its file, as in
    `docs/fair-deals.md`.

    `closes_at` is when an open match ends by itself unless somebody acts; ``None`` while something else is due before
    that. `offered_until` is when the host makes the only action there is, which it has offered to the person on turn.
    `awaited`: since the time of the turn was up, somebody else who plays has done something at the table.
    """

    id: MatchNumber
    game: Annotated[str, Kept(type=String(32))]
    options: Mapping[str, str]
    rules_version: int
    status: Status
    host_id: PersonId
    guild_id: DiscordId | None
    channel_id: DiscordId
    thread_id: DiscordId | None = None
    lobby_message_id: DiscordId | None = None
    board_message_id: DiscordId | None = None
    board_ply: int = 0
    commitment: Annotated[str, Kept(type=String(64), always_said=True)] = ""
    pace: Pace
    where: Annotated[Where, Kept(name="setting")]
    size: int | None
    invited: Annotated[tuple[UserId, ...], Kept(always_said=True)] = ()
    ply: Ply = NO_LINES
    to_move: SeatNumber | None = None
    turn_ply: Ply = NO_LINES
    turn_at: datetime | None = None
    turn_due: datetime | None = None
    reminded: bool = False
    asked: int = 0
    created_at: datetime
    started_at: datetime | None = None
    ended_at: datetime | None = None
    rematch_of: Annotated[MatchId | None, Kept(type=RowId, references="matches.id")] = None
    ended_by: Ended | None = None
    reason: str | None = None
    counts: bool = False
    witnesses: tuple[str, ...] = ()
    asking: bool = False
    in_thread: bool = False
    rung: tuple[UserId, ...] = ()
    lost: Lost | None = None
    lost_at: datetime | None = None
    stands_until: datetime | None = None
    turn_left: timedelta | None = None
    returned: tuple[SeatNumber, ...] = ()
    scheme: int = 1
    pressed: tuple[str, ...] = ()
    moves_stand: bool = False
    first_here: bool = False
    rated: bool = False
    rating: Rated | None = None
    reliable: bool = False
    newcomers: bool = False
    host_starts: bool = False
    removed: tuple[str, ...] = ()
    log_sum: Annotated[str | None, Kept(type=String(64))] = None
    closes_at: datetime | None = None
    offered_until: datetime | None = None
    awaited: bool = False
    questions: tuple[str, ...] = ()


class Hidden(NamedTuple):
    """What nobody outside the host may know of a match that is not over.

    `seed` decides what chance brings; `board_owed`: a board post was left out because a computer was on turn.
    """

    seed: bytes
    board_owed: bool = False


@dataclass(frozen=True, kw_only=True)
class SeatRow:
    """A place at the table, without what is known about its person.

    `position` is the place in the lobby (0, 1, … in the order of joining), `seat` the place in the game once it is
    drawn. `user_id` is ``None`` for a seat that a computer had from the start. `computer` is the level of the
    computer that plays the seat now, ``None`` while its person does. `resigned` means that the person cannot return.
    `won` and `points` are there once the match has a result. `hand_message_id` is the latest direct message to the
    person that had buttons for a turn of this match. `away_used` is for how long turns of this seat have stood still
    because its person was away, with what is set aside until `stands_until`.

    `replaced`: another one sits there than with whom the match began. `helped`: who began it had a hint, took a move
    back against computers alone, or let a computer play for them for a while. `place` is that of the seat in the
    standing of a match with a result.

    `level` is that of the computer with which the match began here. `acted`: the person with whom it began has made a
    move themselves. `absent`: the match ended because that person did not come. `finished` says, once it is over,
    whether it counts for them as a match that they finished; ``None``: it does not count at all.
    """

    position: int
    seat: SeatNumber | None = None
    user_id: PersonId | None = None
    name: str
    computer: Annotated[str | None, Kept(type=String(16))] = None
    resigned: bool = False
    won: bool | None = None
    points: int | None = None
    hand_message_id: DiscordId | None = None
    away_used: timedelta = timedelta(0)
    replaced: bool = False
    helped: bool = False
    place: int | None = None
    level: Annotated[str | None, Kept(type=String(16))] = None
    acted: bool = False
    absent: bool = False
    finished: bool | None = None


class Ending(NamedTuple):
    """When a seat's match ended, so that a person's open matches, and the latest that are over, are found at once."""

    ended_at: datetime | None


class Entry(NamedTuple):
    """What a server's ratings call the person with whom the match began at a seat, and how soon they answered.

    The key stays when that person is forgotten, or another one has the seat; it is ``None`` where a computer began.
    `answers` are counts (`matches.ratings.reliability`) of who has played to the end.
    """

    key: RatingKey | None
    answers: tuple[int, ...] = ()


class LineRow(NamedTuple):
    """A line of the log: its number, the player (a seat, -1 chance, -2 the table) and the action's canonical text."""

    ply: Ply
    player: int
    action: str


class Origin(NamedTuple):
    """When a line was written, and which interaction caused it, which causes no other; soon that is forgotten."""

    at: datetime
    interaction_id: DiscordId | None


class Leased(NamedTuple):
    """Who works on a row and until when; `leased_by` is a name that outlives its process.

    `guild_id` says which process the row belongs to.
    """

    leased_by: Annotated[str | None, Kept(type=String(64))]
    leased_until: datetime | None
    guild_id: DiscordId | None


class Telling(NamedTuple):
    """Something to be told, without its content: that is made when it is sent. Telling it deletes the row.

    `ply` is the match's ply when it was put into the outbox, at `put_at`; `seat` and `user_id` are whom it concerns,
    `rings` whether it rings them, `tries` how often it was tried in vain.
    """

    id: RowNumber
    match_id: Annotated[MatchId, Kept(type=RowId, references="matches.id")]
    ply: Ply
    kind: Kind
    seat: SeatNumber | None
    user_id: PersonId | None
    rings: Annotated[bool, Kept(default=False)]
    tries: Annotated[int, Kept(default=0)]
    put_at: Annotated[datetime, Kept(default=0)]


class Waiting(NamedTuple):
    """From when on something is told; not while it is `held`, because its server cannot be reached."""

    due: datetime
    held: bool = False


class DeadlineRow(NamedTuple):
    """At `due` something of this kind happens, if the match still stands at `ply`; `tries` counts what failed.

    Carrying it out deletes or moves it.
    """

    match_id: Annotated[MatchId, Kept(type=RowId, references="matches.id")]
    kind: Due
    ply: Ply
    due: datetime
    tries: int = 0


class Question(NamedTuple):
    """What the table is asked."""

    question: Annotated[str, Kept(type=String(16))]


class Ballot(NamedTuple):
    """What somebody has voted for, and what is not yet decided."""

    user_id: PersonId
    vote: Annotated[Vote, Kept(name="choice")]


class Application(NamedTuple):
    """Somebody would like to take a seat that the computer plays.

    `agreed` are the persons at the table who agree, `declined` those who said No. `asked_at` is when the table was told
    of it.
    """

    user_id: PersonId
    name: str
    seat: SeatNumber
    agreed: tuple[UserId, ...]
    asked_at: Annotated[datetime, Kept(default=0)]
    declined: tuple[UserId, ...] = ()


class OfGuild(NamedTuple):
    """Whose settings these are: a server's."""

    guild_id: DiscordId


@dataclass(frozen=True)
class GuildSettings:
    """What a server has set: where boards stand (channel or thread), the pace offered first, in which channels
    matches may be made (``None``: in all), who may end a match, how private things come to people, and whether no match
    moves ratings there (`unrated`)."""

    where: Annotated[Where, Kept(name="setting", always_said=True)] = Where.CHANNEL
    pace: Annotated[Pace, Kept(always_said=True)] = Pace.DAY
    channels: tuple[int, ...] | None = None
    who_cancels: Annotated[Cancellers, Kept(always_said=True)] = Cancellers.MODERATORS
    private: Private = Private.DM
    unrated: bool = False


class OfPerson(NamedTuple):
    """Whom this is about."""

    user_id: PersonId


@dataclass(frozen=True)
class PlayerSettings:
    """What a person has set: how to be told and in private, large pictures, secret pictures behind a spoiler.

    `confirm` says before which moves they want a last look. `hidden`: no list of players has them.
    """

    ping: Ping = Ping.MENTION
    large: bool = False
    spoiler: bool = False
    private: Private = Private.SERVER
    confirm: LastLook = LastLook.ALWAYS
    hidden: bool = False


DEFAULTS: Final = PlayerSettings()
"""Those of whoever has set nothing."""


class OfGame(NamedTuple):
    """Of which game this is."""

    game: Annotated[str, Kept(type=String(32))]


@dataclass(frozen=True, kw_only=True)
class LessonsRow:
    """How far a person is in the lessons of a game.

    `lesson` is the key of the one that they were in last, `answers` the right ones that they gave in it. `done` and
    `skipped` are the keys of others, in that order. `turn` counts everything that they have done, so that what was
    pressed on an old message is recognised; `press` is the interaction that came last. `finished_at` is when they had
    done all lessons for the first time.
    """

    lesson: Annotated[str | None, Kept(type=String(32))] = None
    answers: tuple[str, ...] = ()
    done: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    turn: int = 0
    press: DiscordId | None = None
    finished_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class PersonRow:
    """What is known about a person beside what they have set.

    `dm` is what is known of their direct messages, `dm_channel_id` where these go, once that is known, `away_until` the
    moment until which their clocks stand still.
    """

    dm: Dm = Dm.UNKNOWN
    away_until: datetime | None = None
    dm_channel_id: DiscordId | None = None


UNKNOWN: Final = PersonRow()
"""What is known about whoever was never written to."""


class Ladder(NamedTuple):
    """What is rated by itself: a game on a server in a season; `practice` is playing against computers alone."""

    guild_id: DiscordId
    game: Annotated[str, Kept(type=String(32))]
    season: int
    practice: bool


class Numbered(NamedTuple):
    """Results of a server are numbered in the order in which they were stored, whatever the clock said."""

    number: int


class ResultRow(NamedTuple):
    """A result that is rated. `seats` are the entrants, as `matches.ratings.result` writes them."""

    match_id: Annotated[MatchId, Kept(type=RowId, unique=True)]
    ended_at: datetime
    seats: tuple[Mapping[str, Any], ...]


class OfKey(NamedTuple):
    """Whose rating it is."""

    key: RatingKey


class RatingRow(NamedTuple):
    """A rating as it stands: its mean and its deviation, what they come from, by how much the last result moved it.

    `met` is how many people this person has been rated against on the ladder. `from_new` and `from_few` are the net
    points from accounts that had met few people by then (`matches.ratings.ladder`).
    """

    mu: float
    sigma: float
    matches: int
    won: int
    gain: float
    latest: int
    met: int = 0
    from_new: float = 0.0
    from_few: float = 0.0


class OfPair(NamedTuple):
    """Two people who were rated against each other. `key` sorts before `other`."""

    key: RatingKey
    other: RatingKey


class PairRow(NamedTuple):
    """The UTC day of a pair's latest result, as a proleptic ordinal, and how many results they have on that day."""

    day: int
    results: int


class PointRow(NamedTuple):
    """What a result has made of a rating; `gain` is by how much the mean moved, `place` that in the standing."""

    mu: float
    sigma: float
    gain: float
    place: int
