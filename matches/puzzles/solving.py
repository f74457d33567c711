"""The part of the host for puzzles: how far people are in them, the day's puzzle with its streaks, and reports.

The queries are in `db/puzzles/kept.py`, what is pressed in `cogs/puzzles/solving.py`. `posting.py` tells servers about
the day's.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from db import Connection
from db.model.ids import UserId
from db.people import allowances
from db.puzzles import kept as store
from db.puzzles.kept import Streak
from db.puzzles.rows import A_DAY, AttemptRow, CaseRow, ReportRow, SolverRow, number_at
from db.store.transactions import wait_for_turn
from games import GAMES
from games.exercise import Answer
from matches.computers.pool import Computers
from matches.engine.workers import WorkerDied
from matches.errors import NotFound, Stale, by_the_rules
from matches.puzzles import calendar, checker, grading, shelves
from matches.puzzles.attempt import Attempt
from matches.puzzles.book import Book, day_of
from matches.puzzles.calendar import NEAR, RIGHT, SHOWN, WRONG
from matches.puzzles.posting import PuzzlePosts
from matches.puzzles.puzzle import Difficulty, Odds, Puzzle, Shelf
from matches.puzzles.standing import OwnStreak, PuzzlePage, PuzzleStanding, PuzzleTried, PuzzleWish, Told
from matches.table import limits
from matches.table.limits import Limit
from matches.work.difference import use_allowance
from matches.work.part import Chore, FeaturePart
from matches.work.unit_of_work import UnitOfWork

log = logging.getLogger(__name__)

OUT_OF_DATE: Final = "That was an older page of this puzzle, so nothing happened."
UNKNOWN: Final = "I don't have that puzzle any more. `/puzzle` gives you another one."

REPORT: Final = Limit("report", 5, timedelta(hours=1), "You've reported several puzzles in a short time.")
"""Somebody says that a puzzle is wrong."""

MOST_MARKS: Final = 56
"""Wrong answers are noted up to this many marks. A solution has fewer steps than the rest of the column holds."""

REPORTS: Final = 5
"""A judged puzzle is withdrawn after reports by this many people, who have tried it and solved `OTHERS` others."""

SERVERS: Final = 3
"""The reports must come from at least this many servers."""

OTHERS: Final = 10
ONE_IN: Final = 5
"""At least one in so many of those who have tried the puzzle must have reported it."""

WITHDRAWN_A_WEEK: Final = 3
"""How many puzzles reports can withdraw within any week. The others wait for the operator to decide."""

A_WEEK: Final = timedelta(days=7)
STREAKS_SHOWN: Final = 10
MOST_PEOPLE: Final = 100
"""How many people's tries say how hard a puzzle is: more would tell little more."""

ANY: Final = PuzzleWish()
UNTRIED: Final = ("", SHOWN)
"""The marks of somebody who hasn't answered a puzzle."""


class Puzzles(FeaturePart):
    """Puzzles, for one person alone. All of it raises Unavailable. A press on an older `PuzzlePage` raises Stale."""

    def __init__(self, work: UnitOfWork, computers: Computers, book: Book | None = None) -> None:
        super().__init__(work)
        self._computers = computers
        self.book: Book = shelves if book is None else book
        self.posts = PuzzlePosts(work)
        self._count = Counter(tried=0, solved=0, shown=0, reported=0, withdrawn=0)
        self.counted = {"puzzles": self._count}
        self._checking = Chore("checking", self.unchecked, self.check)
        self.chores = (Chore("puzzling", self.posts.due, self.posts.go_on), self._checking)
        self._graded: dict[str, tuple[datetime, Difficulty]] = {}
        """How hard puzzles are by people's tries, and when that was looked up."""

    # Which puzzle.

    def day(self, number: int) -> Puzzle | None:
        """Return a day's puzzle; ``None`` before its day, if there's none, or if its rules have changed."""
        return day_of(self.book, number) if number <= number_at(self._work.now()) else None

    def _is_played(self, number: int) -> bool:
        return day_of(self.book, number) is not None

    def number_of(self, key: str) -> int | None:
        """Return the number of the day whose puzzle this is."""
        found = (number for number, each in enumerate(self.book.days(), 1) if each is not None and each.key == key)
        return next(found, None)

    def open_days(self) -> tuple[tuple[int, Puzzle], ...]:
        """Return the numbers that are open now, with their puzzles, the newest first."""
        newest = number_at(self._work.now())
        found = ((number, self.day(number)) for number in (newest, newest - 1))
        return tuple((number, puzzle) for number, puzzle in found if puzzle is not None)

    def practice(self, game: str, shelf: Shelf) -> tuple[Puzzle, ...]:
        """Return a game's shelf, with the days' puzzles whose time is over."""
        newest = number_at(self._work.now())
        past = self.book.days()[: max(0, newest - 2)]
        days = (each for each in past if each is not None and (each.game, each.shelf) == (game, shelf))
        return (*self.book.shelf(game, shelf), *days)

    async def of_the_day(self, user_id: UserId) -> PuzzleStanding | None:
        """Return the newest open day's puzzle that this person hasn't finished, else the newest one.

        ``None`` if no number is open.
        """
        found = [await self.standing(user_id, puzzle.key) for _, puzzle in self.open_days()]
        return next((each for each in found if not each.finished), found[0] if found else None)

    async def pick(
        self, user_id: UserId, wish: PuzzleWish = ANY, after: str = "", among: Collection[str] = GAMES
    ) -> PuzzleStanding | None:
        """Return a puzzle that this person hasn't finished; ``None`` if there's none left.

        Without a `game` it's from the one of those `among` these in which they have finished the fewest. Without a
        `shelf` it's a proven one if any is left. It isn't the puzzle `after`, unless that is the only one. The
        difficulty follows from how they did last.
        """
        now = self._work.now()
        tried, withdrawn = await self._work.read(lambda c: (store.attempts(c, user_id), store.withdrawn(c, now)))
        done = {key for key, row in tried.items() if row.solved_at is not None or row.shown}
        games = (wish.game,) if wish.game is not None else self._fewest_first(done, user_id, among)
        for each, of in ((each, of) for of in ((wish.shelf,) if wish.shelf else tuple(Shelf)) for each in games):
            every = [puzzle for puzzle in self.practice(each, of) if wish.kind in (None, puzzle.kind)]
            left = [puzzle for puzzle in every if puzzle.key not in done | withdrawn]
            if left:
                hard = await self._difficulties(every)
                chosen = _next(left, _target(hard, tried), hard, user_id, after)
                return await self.standing(user_id, chosen.key, by_kind=wish.kind is not None)
        return None

    async def is_beginner(self, user_id: UserId) -> bool:
        """Return whether a person hasn't solved any puzzle yet."""
        return await self._work.read(store.solved, user_id, ()) == 0

    async def _difficulties(self, puzzles: Iterable[Puzzle]) -> Mapping[str, Difficulty]:
        """Return how hard puzzles are: by people's tries once enough have tried them, as `_graded` remembers for a day.

        That of a day's puzzle stays as it is while the day is open.
        """
        now = self._work.now()
        fixed = {puzzle.key for _, puzzle in self.open_days()}
        new = [
            each
            for each in puzzles
            if each.key not in self._graded or not now - A_DAY < self._graded[each.key][0] <= now
        ]

        def look(connection: Connection) -> None:
            for each in new:
                marks = store.marks(connection, each.key, UNTRIED, MOST_PEOPLE)
                self._graded[each.key] = now, grading.by_tries(marks) or each.difficulty

        if new:
            await self._work.read(look)
        return {each.key: each.difficulty if each.key in fixed else self._graded[each.key][1] for each in puzzles}

    def _fewest_first(self, done: set[str], user_id: UserId, among: Collection[str]) -> list[str]:
        def count(game: str) -> int:
            return sum(puzzle.key in done for of in Shelf for puzzle in self.practice(game, of))

        return sorted(among, key=lambda game: (count(game), sha256(f"{user_id} {game} {len(done)}".encode()).digest()))

    # Playing one.

    async def standing(self, user_id: UserId, key: str, *, by_kind: bool = False) -> PuzzleStanding:
        """Return how far this person is in a puzzle. Raises NotFound, also for one whose day hasn't come."""
        puzzle = self._known(key)

        def look(connection: Connection) -> tuple[AttemptRow | None, bool]:
            row = store.attempt(connection, user_id, key)
            return row, key in store.withdrawn(connection, self._work.now())

        row, withdrawn = await self._work.read(look)
        return await self._standing(puzzle, row, by_kind=by_kind, withdrawn=withdrawn)

    def _known(self, key: str) -> Puzzle:
        puzzle, number = self.book.puzzle(key), self.number_of(key)
        if puzzle is None or (number is not None and self.day(number) is None):
            raise NotFound(UNKNOWN)
        return puzzle

    async def _standing(
        self, puzzle: Puzzle, row: AttemptRow | None, *, by_kind: bool, withdrawn: bool = False
    ) -> PuzzleStanding:
        now, number = self._work.now(), self.number_of(puzzle.key)
        row = row or AttemptRow(at=now)
        is_open = number is not None and calendar.is_open(number, now)
        hard = (await self._difficulties((puzzle,)))[puzzle.key]
        attempt = Attempt.resume(puzzle, row.answers)
        return PuzzleStanding(puzzle, attempt, row, hard, number, is_open, withdrawn, by_kind)

    async def answer(self, page: PuzzlePage, text: str) -> PuzzleTried:
        """Try an answer (`Attempt.answer`), and store how that went. Raises NotFound, Stale, Refused.

        A wrong answer counts once, and an illegal one not at all. For a puzzle that was withdrawn nothing is stored.
        """
        before = await self.standing(page.user_id, page.puzzle, by_kind=page.by_kind)
        repeated = page.interaction_id is not None and before.row.press == page.interaction_id
        if repeated and before.row.marks.endswith(RIGHT):
            before = before._replace(attempt=Attempt.resume(before.puzzle, before.row.answers[:-1]))
        elif not repeated and page.turn is not None and page.turn != before.row.turn:
            raise Stale(OUT_OF_DATE)
        if before.attempt.solved:
            raise Stale(OUT_OF_DATE)
        with by_the_rules():
            answer = before.attempt.answer(text)
        if repeated or not answer.legal or before.withdrawn:
            after = before
            if answer.right:
                after = before._replace(attempt=before.attempt.after(text))
            return PuzzleTried(before, after, text, answer)
        after = await self._change(
            page._replace(turn=before.row.turn), lambda row: _answered(row, before.attempt, text, answer)
        )
        self._count["tried"] += 1
        self._count["solved"] += after.solved
        return PuzzleTried(before, after, text, answer)

    async def show(self, page: PuzzlePage) -> PuzzleStanding:
        """Note that this person was shown an answer, so they haven't solved this puzzle. Raises NotFound and Stale."""
        self._count["shown"] += 1
        return await self._change(
            page, lambda row: row if row.shown else replace(row, shown=True, marks=row.marks + SHOWN)
        )

    async def _change(self, page: PuzzlePage, change: Callable[[AttemptRow], AttemptRow]) -> PuzzleStanding:
        puzzle = self._known(page.puzzle)

        def work(connection: Connection) -> AttemptRow:
            # There may be no row to lock yet, and a streak is made of several.
            wait_for_turn(connection, "puzzle_attempts", page.user_id)
            now = self._work.now()
            number = self.number_of(page.puzzle)
            is_open = number is not None and calendar.is_open(number, now)
            row = store.attempt(connection, page.user_id, page.puzzle)
            if row is None:
                # Whoever knew this day's puzzle before they had their data deleted can't solve it for the first time.
                known = is_open and allowances.used_until(connection, _mark(page)) is not None
                row = AttemptRow(at=now, shown=known, marks=SHOWN if known else "")
            if page.interaction_id is not None and row.press == page.interaction_id:
                return row
            if page.turn is not None and row.turn != page.turn:
                raise Stale(OUT_OF_DATE)
            row = replace(change(row), turn=row.turn + 1, press=page.interaction_id, at=now)
            if row.solved_at is None and Attempt.resume(puzzle, row.answers).solved:
                row = replace(row, solved_at=now)
            store.put_attempt(connection, page.user_id, page.puzzle, row)
            if number is not None and is_open:
                allowances.lock_used_until(connection, _mark(page), now)
                allowances.use(connection, _mark(page), calendar.closes_at(number))
                self._note_day(connection, page, number, row)
            return row

        row = await self._work.write(work, idempotent=page.interaction_id is not None)
        return await self._standing(puzzle, row, by_kind=page.by_kind)

    # Streaks.

    def _note_day(self, connection: Connection, page: PuzzlePage, number: int, row: AttemptRow) -> None:
        """Store what a person did with the day's puzzle."""
        user_id = page.user_id
        known = store.solver(connection, user_id, number) or SolverRow(guild_id=page.guild_id)
        if known.guild_id is None:
            known = replace(known, guild_id=page.guild_id)
        known = replace(known, tries=row.marks.count(WRONG) + (row.solved_at is not None))
        if row.solved_at is not None and not row.shown and not known.run:
            here = page.guild_id is not None and page.guild_id == known.guild_id
            run = self._run(connection, user_id, number)
            longest = max(run, store.best(connection, user_id))
            known = replace(known, here=here, name=page.name if here else None, run=run, best=longest)
        store.put_solver(connection, user_id, number, known)
        # Two numbers are open at a time, and the newer one may have been solved first.
        later = store.solver(connection, user_id, number + 1)
        if known.run and later is not None and later.run:
            run = self._run(connection, user_id, number + 1)
            later = replace(later, run=run, best=max(run, known.best, later.best))
            store.put_solver(connection, user_id, number + 1, later)

    def _run(self, connection: Connection, user_id: UserId, number: int) -> int:
        """Return how long the streak is that ends with this number, which is solved now."""
        before = store.latest_solved(connection, user_id, number)
        if before is None or not calendar.goes_on(before[0], number, self._is_played):
            return 1
        return before[1].run + 1

    async def streak(self, user_id: UserId) -> OwnStreak:
        """Return a person's streak."""
        newest = number_at(self._work.now())

        def look(connection: Connection) -> OwnStreak:
            found = store.latest_solved(connection, user_id, newest + 1)
            if found is None:
                return OwnStreak()
            latest, row = found
            alive = calendar.is_alive(latest, self._work.now(), self._is_played)
            return OwnStreak(row.run if alive else 0, store.best(connection, user_id), latest)

        return await self._work.read(look)

    async def streaks(self, guild_id: int) -> tuple[Streak, ...]:
        """Return the longest streaks of a server that can still go on, without people who hide."""
        now = self._work.now()
        since = number_at(now)
        while since > 1 and calendar.is_alive(since - 1, now, self._is_played):
            since -= 1
        return tuple(await self._work.read(store.streaks, guild_id, since, STREAKS_SHOWN))

    # Reports.

    async def report(self, page: PuzzlePage) -> Told:
        """Note that somebody says this puzzle is wrong, and return what they're told. Raises NotFound and TooSoon.

        A proven one is checked again. A judged one is withdrawn once enough of those who have tried it have said so,
        but a day's puzzle only at the end of its time. After `WITHDRAWN_A_WEEK` of them the operator decides.
        """
        puzzle = self._known(page.puzzle)
        now, key = self._work.now(), puzzle.key

        def work(connection: Connection) -> Told:
            wait_for_turn(connection, "puzzle_reports", key)
            own, counts = store.own_report(connection, page.user_id, key), self._counts(connection, page)
            if own is not None and own >= counts:
                return Told.AGAIN
            use_allowance(connection, limits.mark_on(REPORT, page.user_id, 0), REPORT, now)
            store.report(connection, page.user_id, key, ReportRow(page.guild_id, counts, now))
            proven = puzzle.shelf is Shelf.PROVEN
            case = store.case(connection, key)
            if case is None:
                case = CaseRow(now, None if proven else now)
                store.put_case(connection, key, case)
            if case.kept_at is not None:
                return Told.KEPT
            if case.withdrawn_at is not None:
                return Told.WITHDRAWN
            if proven:
                return Told.CHECKING if case.checked_at is None else Told.CHECKED
            if case.enough_at is None and _is_enough(connection, key):
                wait_for_turn(connection, "puzzle_cases")
                if store.withdrawn_since(connection, now - A_WEEK) < WITHDRAWN_A_WEEK:
                    gone = case._replace(enough_at=now, withdrawn_at=self._last_day(key, now))
                    store.put_case(connection, key, gone)
                    return Told.WITHDRAWN
                store.put_case(connection, key, case._replace(enough_at=now))
                log.warning("puzzle %s waits for you: `/operator puzzle` withdraws or keeps it", key)
            return Told.COUNTED if counts else Told.NOTED

        told = await self._work.write(work)
        if told is not Told.AGAIN:
            self._count["reported"] += 1
            log.warning("puzzle %s (%s, %s) was reported: %s", key, puzzle.game, puzzle.shelf, told.name.lower())
        if told is Told.WITHDRAWN:
            self._count["withdrawn"] += 1
        if told is Told.CHECKING:
            self._checking.wake()
        return told

    def _counts(self, connection: Connection, page: PuzzlePage) -> bool:
        """Whether this person's report of this puzzle counts: they have tried it, and solved enough others."""
        row = store.attempt(connection, page.user_id, page.puzzle)
        if page.guild_id is None or row is None or row.marks in UNTRIED:
            return False
        return store.solved(connection, page.user_id, {page.puzzle, *self._without_solution()}) >= OTHERS

    async def decide(self, key: str, *, keep: bool) -> None:
        """Withdraw a reported puzzle, or `keep` it for good, as the operator has decided. Raises NotFound."""

        def work(connection: Connection) -> None:
            wait_for_turn(connection, "puzzle_reports", key)
            now, case = self._work.now(), store.case(connection, key)
            if case is None:
                raise NotFound("Nobody has reported a puzzle with this key.")
            gone = case.withdrawn_at if keep else case.withdrawn_at or self._last_day(key, now)
            store.put_case(connection, key, case._replace(kept_at=now if keep else None, withdrawn_at=gone))

        await self._work.write(work, idempotent=True)

    def _without_solution(self) -> list[str]:
        """Return the keys of puzzles that any answer finishes, because they ask for odds."""
        judged = (puzzle for game in GAMES for puzzle in self.book.shelf(game, Shelf.JUDGED))
        return [puzzle.key for puzzle in judged if isinstance(puzzle.first, Odds)]

    def _last_day(self, key: str, now: datetime) -> datetime:
        """Return when a puzzle can be withdrawn: now, or a day's puzzle once its time is over."""
        number = self.number_of(key)
        return now if number is None else max(now, calendar.closes_at(number))

    async def unchecked(self, at_most: int = 1) -> tuple[str, ...]:
        """Return at most this many reported puzzles whose proof waits to be checked again."""
        return tuple(await self._work.read(store.unchecked, at_most))

    async def check(self, key: str) -> None:
        """Check the proof of a reported puzzle again, and withdraw it if it fails. The log tells the operator."""
        puzzle, fault = self.book.puzzle(key), None
        if puzzle is not None:
            try:
                problems = await self._computers.in_background(checker.problems, puzzle, owner=None)
                fault = "; ".join(problems) or None
            except WorkerDied as error:
                fault = f"It couldn't be checked: {error}"
            except Exception as error:  # The boundary: one puzzle that can't be checked must not keep the others back.
                log.exception("puzzle %s couldn't be checked", key, exc_info=error)
                fault = f"It couldn't be checked: {error}"

        def work(connection: Connection) -> None:
            now, case = self._work.now(), store.case(connection, key)
            if case is not None and case.checked_at is None:
                gone = None if fault is None else self._last_day(key, now)
                store.put_case(connection, key, case._replace(checked_at=now, fault=fault, withdrawn_at=gone))

        await self._work.write(work, idempotent=True)
        if fault is None:
            log.warning("puzzle %s was reported and checked again: its proof holds", key)
        else:
            self._count["withdrawn"] += 1
            log.error("puzzle %s was reported, checked again, and is withdrawn: %s", key, fault)

    async def cases(self, at_most: int) -> tuple[tuple[str, CaseRow], ...]:
        """Return what came of the latest reports, for whoever runs the bot."""
        return tuple(await self._work.read(store.cases, at_most))


def _is_enough(connection: Connection, key: str) -> bool:
    """Whether enough people on enough servers have reported a puzzle, and enough of those who have tried it."""
    people, servers = store.reported(connection, key)
    tried = len(store.marks(connection, key, UNTRIED, people * ONE_IN + 1))
    return people >= REPORTS and servers >= SERVERS and tried <= people * ONE_IN


def _mark(page: PuzzlePage) -> str:
    """Return the name of the mark that a person has seen a puzzle. It outlives their data until its day is over."""
    return f"puzzle {page.puzzle} {page.user_id}"


def _answered(row: AttemptRow, attempt: Attempt, text: str, answer: Answer) -> AttemptRow:
    """Return the row after an answer."""
    if answer.right:
        return replace(row, answers=(*attempt.answers, text), wrong=(), marks=row.marks + RIGHT)
    if text in row.wrong or len(row.marks) >= MOST_MARKS:
        return row
    mark = NEAR if attempt.is_good(text) else WRONG
    return replace(row, wrong=(*row.wrong, text), marks=row.marks + mark)


def _target(hard: Mapping[str, Difficulty], tried: dict[str, AttemptRow]) -> Difficulty:
    """Return how hard the next puzzle should be: harder after a quick solution, easier after a failure."""
    finished = [key for key, row in tried.items() if key in hard and (row.solved_at is not None or row.shown)]
    last = finished[-1] if finished else None
    if last is None:
        return Difficulty.EASY
    row, was = tried[last], hard[last]
    if row.shown or row.marks.count(WRONG) > 1:
        return Difficulty(max(was - 1, Difficulty.EASY))
    return Difficulty(min(was + (WRONG not in row.marks), Difficulty.HARD))


def _next(
    left: Sequence[Puzzle], target: Difficulty, hard: Mapping[str, Difficulty], user_id: UserId, after: str
) -> Puzzle:
    """Return the puzzle nearest to this difficulty, in an order that is this person's own, from `after` on."""
    others = [puzzle for puzzle in left if puzzle.key != after] or left
    nearest = min(abs(hard[puzzle.key] - target) for puzzle in others)
    fitting = [puzzle for puzzle in others if abs(hard[puzzle.key] - target) == nearest]

    def place(key: str) -> bytes:
        return sha256(f"{user_id} {key}".encode()).digest()

    ordered = sorted(fitting, key=lambda puzzle: place(puzzle.key))
    return next((puzzle for puzzle in ordered if place(puzzle.key) > place(after)), ordered[0]) if after else ordered[0]
