"""What is kept of puzzles: the rows, and their tables."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Annotated, Final, NamedTuple

from sqlalchemy import Index, String

from db.model.columns import ColumnOptions, table
from db.model.rows import DiscordId, OfGuild, OfPerson
from db.model.schema import metadata, where

_table = partial(table, metadata)

FIRST: Final = datetime(2026, 11, 24, tzinfo=UTC)
"""When number 1 opens."""

A_DAY: Final = timedelta(days=1)


def number_at(now: datetime) -> int:
    """Return the newest number that is open at this moment; 0 or less before the first one."""
    return (now - FIRST) // A_DAY + 1


class OfPuzzle(NamedTuple):
    """The puzzle that a row is about, by its key."""

    puzzle: Annotated[str, ColumnOptions(type=String(16))]


class OfDay(NamedTuple):
    """The number of the day's puzzle that a row is about."""

    number: int


@dataclass(frozen=True, kw_only=True)
class AttemptRow:
    """How far a person is in a puzzle.

    `answers` are their right answers, `wrong` their wrong ones in the current step. `marks` has a letter for each
    answer that they gave, and for when they were first shown one (`matches.puzzles.calendar`). `shown`: they were.
    `turn` counts all they did, which reveals presses on old messages. `press` is the latest interaction.
    """

    answers: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    marks: Annotated[str, ColumnOptions(type=String(64), no_server_default=True)] = ""
    shown: bool = False
    turn: int = 0
    press: DiscordId | None = None
    at: datetime
    solved_at: datetime | None = None


@dataclass(frozen=True, kw_only=True)
class SolverRow:
    """What a person did with a day's puzzle in its time.

    They tried it first on the server `guild_id` (``None``: in a direct message). `here`: they also solved it there, as
    `name`. `tries` counts their wrong answers, and the right one. `run` is the length of their streak at this number,
    and `best` of their longest one so far; both are 0 unless it's solved.
    """

    guild_id: DiscordId | None = None
    here: bool = False
    name: str | None = None
    tries: int = 0
    run: int = 0
    best: int = 0


class ReportRow(NamedTuple):
    """A person's report, on a server, that a puzzle is wrong.

    `counts`: they had tried it, and solved enough others.
    """

    guild_id: DiscordId | None
    counts: bool
    at: datetime


class CaseRow(NamedTuple):
    """The case of a puzzle that people have reported.

    `checked_at` is when a proven puzzle was checked again, and `fault` is what the check found. `enough_at` is when
    enough people had reported a judged one. From `withdrawn_at` on nobody is given the puzzle, unless the operator has
    decided at `kept_at` that it stays.
    """

    reported_at: datetime
    checked_at: datetime | None = None
    fault: str | None = None
    withdrawn_at: datetime | None = None
    enough_at: datetime | None = None
    kept_at: datetime | None = None


class PuzzlePostRow(NamedTuple):
    """The message that posts a day's puzzle on a server. It has no `message_id` until it's sent.

    `over`: the message already says how that day's puzzle went.
    """

    channel_id: DiscordId
    message_id: DiscordId | None = None
    over: bool = False


class PuzzleChannelRow(NamedTuple):
    """The channel in which a server wants the day's puzzles."""

    channel_id: DiscordId


class PuzzleLookRow(NamedTuple):
    """When the host next checks a server that wants the day's puzzles, or used to."""

    due: datetime


# How far people are in puzzles, and who has solved the day's in its time.
attempts: Final = _table(
    "puzzle_attempts",
    (OfPerson, OfPuzzle, AttemptRow),
    ("user_id", "puzzle"),
    Index(None, "puzzle"),
    Index(None, "at", **where("solved_at IS NULL")),
)
solvers: Final = _table(
    "puzzle_solvers",
    (OfPerson, OfDay, SolverRow),
    ("user_id", "number"),
    Index(None, "number", "guild_id"),
    # Retention clears names after some days (`db.puzzles.kept.clear`).
    Index(None, "number", **where("name IS NOT NULL")),
)

# Reports that a puzzle is wrong, and what came of them.
reports: Final = _table(
    "puzzle_reports", (OfPuzzle, OfPerson, ReportRow), ("puzzle", "user_id"), Index(None, "user_id")
)
cases: Final = _table("puzzle_cases", (OfPuzzle, CaseRow), ("puzzle",))

# The day's puzzles on servers that want them.
posts: Final = _table("puzzle_posts", (OfGuild, OfDay, PuzzlePostRow), ("guild_id", "number"))
channels: Final = _table("puzzle_channels", (OfGuild, PuzzleChannelRow), ("guild_id",), Index(None, "channel_id"))
looks: Final = _table("puzzle_looks", (OfGuild, PuzzleLookRow), ("guild_id",), Index(None, "due"))
