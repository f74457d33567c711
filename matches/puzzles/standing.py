"""What people are told about puzzles: how far they are, their streak, and how a server did."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from db.model.ids import UserId
from db.puzzles.kept import Tally
from db.puzzles.rows import AttemptRow
from games.exercise import Answer
from matches.puzzles.attempt import Attempt
from matches.puzzles.calendar import WRONG
from matches.puzzles.kinds import KINDS
from matches.puzzles.puzzle import Difficulty, Puzzle, Shelf


class PuzzleWish(NamedTuple):
    """Which puzzles somebody asks for. ``None`` is any.

    `kind` is a name in `matches.puzzles.kinds.KINDS`, of this game and shelf (`of_kind`).
    """

    game: str | None = None
    shelf: Shelf | None = None
    kind: str | None = None

    @classmethod
    def of_kind(cls, kind: str) -> PuzzleWish:
        """Return the wish for a kind, with its game and shelf."""
        return cls(KINDS[kind].game, KINDS[kind].shelf, kind)


class PuzzlePage(NamedTuple):
    """A page of a puzzle, on which somebody presses something.

    `turn` is that of the `AttemptRow` which the page shows (``None``: the latest). An interaction counts once.
    `guild_id` is the server where they press (``None``: in a direct message), `name` their name there. `by_kind` is
    that of the standing.
    """

    user_id: UserId
    puzzle: str
    turn: int | None = None
    interaction_id: int | None = None
    guild_id: int | None = None
    name: str = ""
    by_kind: bool = False


class PuzzleStanding(NamedTuple):
    """How far a person is in a puzzle.

    `number`: the day whose puzzle it is or was. `is_open`: that day's time isn't over yet. `withdrawn`: nobody is given
    it any more. `by_kind`: they asked for its kind, so the next one is of the same kind. `difficulty`: how hard it is.
    """

    puzzle: Puzzle
    attempt: Attempt
    row: AttemptRow
    difficulty: Difficulty
    number: int | None = None
    is_open: bool = False
    withdrawn: bool = False
    by_kind: bool = False

    @property
    def solved(self) -> bool:
        """Whether the person has found every answer, or was shown the rest."""
        return self.attempt.solved

    @property
    def finished(self) -> bool:
        """Whether the person has solved it, or was shown an answer."""
        return self.solved or self.row.shown

    @property
    def tries(self) -> int:
        """How many times they have tried, including the right answer at the end."""
        return self.row.marks.count(WRONG) + 1

    @property
    def next(self) -> PuzzleWish:
        """What they get next: a puzzle of the same game and shelf, or of the same kind if they asked for that."""
        return PuzzleWish(self.puzzle.game, self.puzzle.shelf, self.puzzle.kind if self.by_kind else None)


class PuzzleTried(NamedTuple):
    """An action that somebody has tried: where they were before and are now, and the answer to it."""

    before: PuzzleStanding
    after: PuzzleStanding
    text: str
    answer: Answer


class OwnStreak(NamedTuple):
    """A person's streak: its length now (0: it's over, or there's none), the longest one, and its latest number."""

    run: int = 0
    best: int = 0
    latest: int = 0


class Told(StrEnum):
    """What is said to somebody who reports a puzzle.

    `AGAIN`: they already have. `CHECKING`: the proof is checked again. `CHECKED`: it was, and holds. `COUNTED`: their
    report counts. `NOTED`: it doesn't yet. `WITHDRAWN`: the puzzle is withdrawn. `KEPT`: the operator has kept it.
    """

    AGAIN = "You've already reported this puzzle. Thank you!"
    CHECKING = (
        "Thank you! I'm checking its proof again, by trying everything. If there's a fault, nobody gets it any more."
    )
    CHECKED = (
        "Thank you! Somebody has reported it before. I've checked its proof again, by trying everything, and it holds."
    )
    COUNTED = "Thank you! If enough people say so, nobody gets this puzzle any more."
    NOTED = (
        "Thank you! I've noted it. Reports count from people who have tried this puzzle and solved ten others, on a "
        "server."
    )
    KEPT = "Thank you! Others have said so before. Whoever runs this bot has looked at it, and it stays."
    WITHDRAWN = "Thank you! Enough people have said so: this puzzle is withdrawn."


class DayResult(NamedTuple):
    """How a day's puzzle went on a server, and everywhere.

    `names` are people who solved it there in the fewest `tries`, without those who hide.
    """

    number: int
    puzzle: Puzzle
    here: Tally
    everywhere: Tally
    tries: int
    names: tuple[str, ...]
