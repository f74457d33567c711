"""Row classes. Each field is a column, and is declared only here, or in another module named `…_rows`.

`db/model/schema.py` makes each table from one or more of these classes. `Match`, `Seat` and `Known` in `matches`
inherit them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Annotated, Any, NamedTuple, TypeAlias

from sqlalchemy import String

from db.model.columns import ColumnOptions, RowId, Snowflake
from db.model.enums import CutOff, Due, Ended, Kind, Lost, Pace, Rated, Status, Vote, Where
from db.model.ids import NO_LINES, MatchId, Ply, SeatNumber, UserId

RowNumber: TypeAlias = Annotated[int, ColumnOptions(type=RowId)]
MatchNumber: TypeAlias = Annotated[MatchId, ColumnOptions(type=RowId)]
PersonId: TypeAlias = Annotated[UserId, ColumnOptions(type=Snowflake)]
RatingKey: TypeAlias = Annotated[str, ColumnOptions(type=String(16))]
"""A person's id in a server's ratings: random, so that it leads to nobody by itself."""

DiscordId: TypeAlias = Annotated[int, ColumnOptions(type=Snowflake)]


class OfMatch(NamedTuple):
    """The match that a row belongs to. The row is deleted with it."""

    match_id: Annotated[MatchId, ColumnOptions(type=RowId, references="matches.id")]


@dataclass(frozen=True, kw_only=True)
class Agreed:
    """The terms of a match.

    `options`: the game's. `size`: this many players start the match at once. `where`: the board is posted there.
    `moves_stand`: no move is taken back. `rated`: the result should change ratings.
    """

    options: Mapping[str, str] = field(default_factory=dict)
    size: int | None = None
    pace: Annotated[Pace, ColumnOptions(no_server_default=True)] = Pace.DAY
    where: Annotated[Where, ColumnOptions(name="setting", no_server_default=True)] = Where.CHANNEL
    moves_stand: bool = False
    rated: Annotated[bool, ColumnOptions(default=False)] = True


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """The terms that matter only until the start: for whom a table is, and when it starts.

    `invited`: the lobby names these people. `reliable`: only people who finish matches may join; with `newcomers` also
    people too new to tell. With `host_starts` a full lobby waits for its host. It is ``None`` if the host hasn't said.
    Then the table waits for them if they keep away from anybody.
    """

    invited: Annotated[tuple[UserId, ...], ColumnOptions(no_server_default=True)] = ()
    reliable: bool = False
    newcomers: bool = False
    host_starts: bool | None = None


@dataclass(frozen=True, kw_only=True)
class Terms(Agreed, Conditions):
    """What the host of a table says about it when they open it. Its lobby shows every term; a rematch keeps them."""


@dataclass(frozen=True, kw_only=True)
class Details(Conditions):
    """What anybody may know of a match, but only single pages and decisions ask.

    `first_here`: the server had no earlier match in the store when this one was opened. `rematch_of`: the previous
    match. `scheme` is the version of `docs/fair-deals.md` that chance draws by; `pressed` is what the draws use besides
    the seed. `reminded`: a reminder was sent in this turn. `asked`: how often the table was asked about it.
    `closes_at`: when the match ends by itself unless somebody acts (``None`` while something else is due earlier).
    `counts`: once it is over, whether the result goes into the statistics.
    """

    host_starts: bool = False
    created_at: datetime
    started_at: datetime | None = None
    first_here: bool = False
    rematch_of: Annotated[MatchId | None, ColumnOptions(type=RowId, references="matches.id")] = None
    scheme: int = 1
    pressed: tuple[str, ...] = ()
    reminded: bool = False
    asked: int = 0
    closes_at: datetime | None = None
    counts: bool = False


@dataclass(frozen=True, kw_only=True)
class MatchRow(Agreed):
    """What anybody may know of a match at any time, as far as it is in `matches`.

    `rules_version`: the version of the game's rules. `commitment` is published by the lobby. `in_thread`: the channel
    is itself a thread.

    `ply` is the number of lines in the log, and so the next line's number. Every board, button and outbox row carries
    it. `board_ply` is the ply of the last board post (0 at first). Lines from that number on are not yet announced. A
    board may be edited; `board_at` is when its message was sent (``None``: it isn't edited, and stays).

    The turn: `to_move` is the seat, since `turn_ply` and `turn_at`; its time is up at `turn_due`. `asking`: the table
    is being asked about it. The clock is paused until `stands_until`, because the player is away; `turn_at` and
    `turn_due` already include that time. The log implies these; they are stored so that lists and the clock needn't
    replay it. `cut_off`: why the player to move couldn't press anything when the bot last looked
    (`matches/table/cut_off.py`).

    Also of open matches: `questions` that the table is being asked, as `matches.table.questions` encodes them; `lost`,
    what can't be reached (clocks are paused meanwhile); `offered_until`, when the host makes the only legal action,
    which it has offered to the player; `awaited`: since the turn's time was up, another person has acted at the table.

    Of a match that is played on from another one: `branch_of` is that match, `branch_seat` the seat of the person who
    plays on, and `branch_ply` the number of lines that are copied from there. These lines are in the log as soon as the
    lobby opens.

    Before the start, `asking` says that people were asked whether they're ready, or here until `turn_due`.

    `ended_at` is empty while the match is open. `reason` says why a match is frozen, or why nothing can be
    posted where it is played. When it is over, `rating` says whether the result changed ratings. `log_sum` is the
    checksum of the log file (`docs/fair-deals.md`) once retention has deleted the lines.
    """

    id: MatchNumber
    game: Annotated[str, ColumnOptions(type=String(32))]
    rules_version: int
    status: Status
    host_id: PersonId
    guild_id: DiscordId | None
    channel_id: DiscordId
    thread_id: DiscordId | None = None
    lobby_message_id: DiscordId | None = None
    board_message_id: DiscordId | None = None
    board_ply: int = 0
    commitment: Annotated[str, ColumnOptions(type=String(64), no_server_default=True)] = ""
    ply: Ply = NO_LINES
    to_move: SeatNumber | None = None
    turn_ply: Ply = NO_LINES
    turn_at: datetime | None = None
    turn_due: datetime | None = None
    ended_at: datetime | None = None
    ended_by: Ended | None = None
    reason: str | None = None
    asking: bool = False
    in_thread: bool = False
    lost: Lost | None = None
    stands_until: datetime | None = None
    rating: Rated | None = None
    log_sum: Annotated[str | None, ColumnOptions(type=String(64))] = None
    offered_until: datetime | None = None
    awaited: bool = False
    questions: tuple[str, ...] = ()
    board_at: datetime | None = None
    branch_of: Annotated[MatchId | None, ColumnOptions(type=RowId)] = None
    branch_ply: Ply | None = None
    branch_seat: SeatNumber | None = None
    cut_off: CutOff | None = None


@dataclass(frozen=True, kw_only=True)
class Hidden:
    """What only decisions about a match may know, before its end or ever.

    `seed` determines the chance draws. `witnesses` are hashes keyed with the seed; they recognise people who had a seat
    before, and name nobody. `removed` are such hashes of people whom the host removed from the lobby. `lost_at`: since
    when the match can't be reached. `board_owed`: a board post was skipped because a computer was to move. `calls` are
    the messages in the match's place, besides the board, that call the player whose turn it is. They are deleted after
    the turn.

    The turn: `rung`: the people pinged in it. `turn_left`: the rest of a turn that a player left to the computer, for
    when they come back. `returned`: seats that people took back from the computer since the last action.
    """

    seed: bytes = field(repr=False)
    witnesses: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    lost_at: datetime | None = None
    board_owed: bool = False
    calls: tuple[int, ...] = ()
    rung: tuple[UserId, ...] = ()
    turn_left: timedelta | None = None
    returned: tuple[SeatNumber, ...] = ()


@dataclass(frozen=True, kw_only=True)
class SeatRow:
    """A seat at a table, without data about its person.

    `position` is the order of joining the lobby, from 0. `seat` is the place in the game, once drawn. `user_id` is
    ``None`` for a seat that a computer had from the start. `computer` is the level of the computer that plays now,
    ``None`` while a person does. `resigned`: the person can't return. `won`, `points` and `place` (the rank) are set
    with the match's result. `hand_message_id` is the latest direct message with buttons for a turn. `away_used` is how
    long the seat's clock has paused because its person was away, including the pause until `stands_until`.

    About whoever began the match here: `level`, if that was a computer. `replaced`: another person sits there now.
    `helped`: they had a hint, took a move back against computers only, or let a computer play for a while. `acted`:
    they made a move themselves. `absent`: the match ended because they didn't come. `deserted`: without having acted,
    they left or didn't come once their first turn was there, and the day's one abort didn't excuse that. `excused`: the
    table stopped waiting for them while they were cut off, so the match isn't rated. `finished`: once it is over,
    whether they finished it; ``None`` if it doesn't count for them. `feat`: of a win by the rules, its numbers
    (`games.core.feat`).

    Before the start of an appointed table: the person `waits` in line for a seat, because all are taken. `ready`: they
    have said that they're ready; at any other table, that they're here, if that was asked. `pressed_at`: when they last
    pressed anything there before the start.
    """

    position: int
    seat: SeatNumber | None = None
    user_id: PersonId | None = None
    name: str
    computer: Annotated[str | None, ColumnOptions(type=String(16))] = None
    resigned: bool = False
    won: bool | None = None
    points: int | None = None
    hand_message_id: DiscordId | None = None
    away_used: timedelta = timedelta(0)
    replaced: bool = False
    helped: bool = False
    place: int | None = None
    level: Annotated[str | None, ColumnOptions(type=String(16))] = None
    acted: bool = False
    absent: bool = False
    deserted: bool = False
    finished: bool | None = None
    feat: tuple[int, ...] = ()
    waits: bool = False
    ready: bool = False
    excused: bool = False
    pressed_at: datetime | None = None


class Ending(NamedTuple):
    """When a seat's match ended. Its index finds a person's open matches, and the latest that are over."""

    ended_at: datetime | None


class Entry(NamedTuple):
    """The rating key of the person who began the match at a seat, and how soon they answered.

    The key stays when that person is forgotten or replaced. It is ``None`` if a computer began. `answers` counts the
    person's answers by how soon they came. It stays empty for people who didn't play to the end
    (`matches.results.reliability`).
    """

    key: RatingKey | None
    answers: tuple[int, ...] = ()


class LineRow(NamedTuple):
    """A log line: its number, the player (a seat, -1 chance, -2 the table) and the action's canonical text."""

    ply: Ply
    player: int
    action: str


class Origin(NamedTuple):
    """When a line was written, and by which interaction. The id is unique, so a redelivery fails.

    `by_order`: its player had said it in advance. Nobody else learns that.
    """

    at: datetime
    interaction_id: DiscordId | None
    by_order: bool = False


class Leased(NamedTuple):
    """Who works on a row, and until when. `leased_by` is a name that outlives its process."""

    leased_by: Annotated[str | None, ColumnOptions(type=String(64))]
    leased_until: datetime | None


class OfShard(NamedTuple):
    """The server whose shard's process owns the row."""

    guild_id: DiscordId | None


class Telling(NamedTuple):
    """An outbox row: something to announce. Its content is made when it is sent; then the row is deleted.

    It is about a match, or if it has none, about the server. The process that carries the server's shard owns it. `ply`
    is the match's ply when the row was added, at `put_at`. `seat` and `user_id` are whom it concerns. `rings`: it pings
    them. `tries` counts failed deliveries. A row of `TIDYING` is about the bot's own message `message_id` in
    `channel_id`. `quiet`: it looks like a row that rings, but pings nobody.
    """

    id: RowNumber
    match_id: Annotated[MatchId | None, ColumnOptions(type=RowId, references="matches.id", cascades=True)]
    guild_id: DiscordId | None
    ply: Ply
    kind: Kind
    seat: SeatNumber | None
    user_id: PersonId | None
    rings: Annotated[bool, ColumnOptions(default=False)]
    tries: Annotated[int, ColumnOptions(default=0)]
    put_at: Annotated[datetime, ColumnOptions(default=0)]
    message_id: DiscordId | None = None
    channel_id: DiscordId | None = None
    quiet: bool = False


class Waiting(NamedTuple):
    """When a row is due. A row is `held` while its match can't be reached."""

    due: datetime
    held: bool = False


class DeadlineRow(NamedTuple):
    """Something that happens at `due` if the match is still at `ply`. `tries` counts failures.

    Carrying it out deletes or moves the row.
    """

    match_id: Annotated[MatchId, ColumnOptions(type=RowId, references="matches.id")]
    kind: Due
    ply: Ply
    due: datetime
    tries: int = 0


class GapRow(NamedTuple):
    """A time in which nobody could press: on one of `shards` shards, or only on one server of it.

    It began at `since` and ended at `until`. Until a shard's last row ends, `since` advances: it's when the shard's
    process last noted that people can press. `replayed`: Discord has told everything that happened meanwhile. The
    matches up to number `given` have the time back; all have it once it is `over`.
    """

    id: RowNumber
    shards: int
    shard: int
    guild_id: DiscordId | None
    since: datetime
    until: datetime | None = None
    replayed: bool = False
    given: Annotated[MatchId, ColumnOptions(type=RowId)] = MatchId(0)
    over: bool = False


class Question(NamedTuple):
    """The question that a vote answers."""

    question: Annotated[str, ColumnOptions(type=String(16))]


class Ballot(NamedTuple):
    """A person's vote on an open question."""

    user_id: PersonId
    vote: Annotated[Vote, ColumnOptions(name="choice")]


class Application(NamedTuple):
    """Somebody wants to take a seat that a computer plays.

    `agreed` and `declined` are the people at the table who said yes and no. `asked_at`: when the table was told.
    `given` is time that the table had back since, because it couldn't answer.
    """

    user_id: PersonId
    name: str
    seat: SeatNumber
    agreed: tuple[UserId, ...]
    asked_at: Annotated[datetime, ColumnOptions(default=0)]
    declined: tuple[UserId, ...] = ()
    given: timedelta = timedelta(0)


class OfGuild(NamedTuple):
    """The server that a row belongs to."""

    guild_id: DiscordId


class OfPerson(NamedTuple):
    """The person that a row belongs to."""

    user_id: PersonId


class OfGame(NamedTuple):
    """The game that a row is about."""

    game: Annotated[str, ColumnOptions(type=String(32))]


class Ladder(NamedTuple):
    """What has ratings of its own: a game on a server in a season. `practice` is playing against computers only."""

    guild_id: DiscordId
    game: Annotated[str, ColumnOptions(type=String(32))]
    season: int
    practice: bool


class Numbered(NamedTuple):
    """The number of a result on its server, in the order of storing. Clocks don't matter."""

    number: int


class ResultRow(NamedTuple):
    """A rated result. `seats` are the entrants, as `matches.results.result` encodes them."""

    match_id: Annotated[MatchId, ColumnOptions(type=RowId, unique=True)]
    ended_at: datetime
    seats: tuple[Mapping[str, Any], ...]
