"""Puzzles as the host keeps them: people's progress, the day's puzzle and streaks, posts on servers, and reports."""

from __future__ import annotations

import random
import re
from collections import defaultdict
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import pytest

from db import Database
from db.model.enums import Kind
from db.puzzles import kept as store
from db.puzzles.kept import ATTEMPTS_KEPT, NAMES_KEPT
from db.puzzles.rows import FIRST, number_at
from matches.api import (
    Host,
    ManualClock,
    NotFound,
    PlayerSettings,
    Stale,
    Telling,
    UserId,
)
from matches.puzzles import Puzzles, calendar, shelves
from matches.puzzles.grading import PEOPLE, by_tries
from matches.puzzles.puzzle import Difficulty, Shelf
from matches.puzzles.solving import A_WEEK, ONE_IN, OTHERS, REPORT, REPORTS, WITHDRAWN_A_WEEK
from matches.puzzles.standing import OwnStreak, PuzzlePage, PuzzleWish, Told
from tests.matches.puzzles.made import GAME, NEAR, NEXT, RIGHT, TWO_STEPS, WRONG, Book, at, made
from tests.matches.tables import Seeds
from tests.pages import page
from tests.store import fresh

ANN, BOB, CLEO = UserId(11), UserId(12), UserId(13)
NAMES: Final = {ANN: "Ann", BOB: "Bob", CLEO: "Cleo"}
TAVERN, INN, CLUB = 5 << 22, 6 << 22, 7 << 22
CHANNEL = 900


class Solving:
    """A host with puzzles of a test, and people who solve them."""

    def __init__(self, host: Host, clock: ManualClock, book: Book) -> None:
        self.host, self.clock = host, clock
        self.presses = 1000
        self.puzzles = host.part(Puzzles)
        self.puzzles.book = self.puzzles.posts.book = book

    def move_to(self, number: int, **after: float) -> None:
        self.clock.advance(at(number, **after) - self.clock.now())

    async def answer(
        self, user_id: UserId, key: str, text: str, guild_id: int | None = TAVERN, *, press: int | None = None
    ) -> Any:
        self.presses += 1
        page = PuzzlePage(user_id, key, None, press or self.presses, guild_id, NAMES.get(user_id, f"P{user_id}"))
        return await self.puzzles.answer(page, text)

    async def solve(self, user_id: UserId, number: int, guild_id: int | None = TAVERN) -> OwnStreak:
        await self.answer(user_id, f"day{number:04d}", RIGHT, guild_id)
        return await self.puzzles.streak(user_id)

    async def report(self, user_id: UserId, key: str, guild_id: int | None = TAVERN) -> Told:
        return await self.puzzles.report(PuzzlePage(user_id, key, None, None, guild_id))

    async def look(self, guild_id: int) -> list[Telling]:
        """Look at the server if that is due, and return the news for it."""
        if guild_id in await self.puzzles.posts.due(10):
            await self.puzzles.posts.go_on(guild_id)
        return list(await self.host.outbox.claim(kinds=(Kind.PUZZLE, Kind.PUZZLE_OVER)))

    async def deliver(self, rows: list[Telling]) -> list[tuple[Kind, int]]:
        """Deliver rows as Discord would take them."""
        for row in rows:
            if row.kind is Kind.PUZZLE:
                assert row.guild_id is not None
                assert row.channel_id is not None
                await self.puzzles.posts.note_post(row.guild_id, int(row.ply), row.channel_id, row.id)
            await self.host.outbox.told(row.id)
        return [(row.kind, int(row.ply)) for row in rows]


@pytest.fixture
def solving(host: Host, clock: ManualClock) -> Solving:
    return Solving(host, clock, Book.of_days(40))


def test_a_number_is_open_for_a_whole_day_in_every_time_zone() -> None:
    for number in (1, 2, 400):
        opened, closed = calendar.opens_at(number), calendar.closes_at(number)
        assert closed - opened == timedelta(hours=48)
        assert number_at(opened) == number
        assert number_at(opened - timedelta(microseconds=1)) == number - 1
        for hours in range(-12, 15):
            # The first midnight in that time zone when the number opens, or after that.
            since_midnight = (opened + timedelta(hours=hours) - FIRST) % timedelta(days=1)
            midnight = opened + (timedelta(days=1) - since_midnight) % timedelta(days=1)
            assert midnight >= opened
            assert midnight + timedelta(days=1) <= closed, hours
        assert [each for each in range(500) if calendar.is_open(each, opened)] in ([number - 1, number], [number])


def test_a_streak_goes_on_over_one_missed_number_and_over_those_without_a_puzzle() -> None:
    def played(number: int) -> bool:
        return number not in (6, 7)

    assert calendar.goes_on(1, 2, played)
    assert calendar.goes_on(1, 3, played)
    assert not calendar.goes_on(1, 4, played)
    assert calendar.goes_on(5, 9, played)
    assert not calendar.goes_on(5, 10, played)


def test_posts_are_spread_over_two_hours() -> None:
    times = [calendar.spread(guild << 22) for guild in range(10_000)]
    assert max(times) <= timedelta(hours=2)
    in_each = [sum(minute <= time.total_seconds() // 600 < minute + 1 for time in times) for minute in range(12)]
    assert 700 < min(in_each) <= max(in_each) < 1000


def test_the_seal_changes_with_every_line_and_its_place() -> None:
    lines = ["one", "two", "three"]
    seals = {calendar.seal(each) for each in (lines, lines[:2], lines[::-1], ["one", "two", "threE"])}
    assert len(seals) == 4


def test_the_days_are_sealed_in_the_document_whole_years_ahead() -> None:
    """A row for each stretch of days that was published; no line of them is ever changed or moved."""
    rows = [[*days.split(" to "), seal] for days, seal in page("docs/puzzles.md").under("The day's puzzle").rows]
    ended, since = shelves.lines(shelves.ENDED), shelves.lines(shelves.DAYS)
    for first, last, seal in rows:
        lines = ended if first == "1" else since
        assert f"`{calendar.seal(lines[: int(last) - int(first) + 1])}`" == seal, last
    first, newest = shelves.SINCE, len(shelves.day_lines())
    assert rows[0][:2] == ["1", "432"]
    assert [str(first), str(newest)] == rows[-1][:2], f"add: | {first} to {newest} | `{calendar.seal(since)}` |"


def test_no_day_changed_that_was_open_or_about_to_open_and_the_page_says_when_and_why_the_others_ended() -> None:
    ended, begins = shelves.lines(shelves.ENDED), calendar.opens_at(shelves.SINCE)
    assert shelves.day_lines()[: shelves.SINCE - 1] == ended[: shelves.SINCE - 1]
    assert begins == datetime(2026, 12, 7, tzinfo=UTC)
    assert len(ended) == 432
    told = " ".join(page("docs/puzzles.md").under("The day's puzzle").source.split())
    decided = re.search(r"That was decided on (\d+ \w+ \d+), because too few kinds of answers were right", told)
    assert decided is not None
    assert begins - datetime.strptime(f"{decided[1]}+0000", "%d %B %Y%z") >= timedelta(days=7)
    assert f"number {shelves.SINCE - 1}, which opens on {calendar.opens_at(shelves.SINCE - 1):%-d %B %Y}." in told
    assert f"from {begins:%-d %B %Y} on" in " ".join(page("CHANGELOG.md").source.split())


async def test_an_attempt_counts_each_wrong_answer_once_and_goes_on_where_it_was_left(solving: Solving) -> None:
    solving.puzzles.book = Book.of_shelf(made("two", steps=TWO_STEPS))
    for text in (WRONG, WRONG, NEAR, RIGHT):
        tried = await solving.answer(ANN, "two", text)
        assert tried.answer.right == (text == RIGHT)
    standing = await solving.puzzles.standing(ANN, "two")
    assert (standing.row.marks, standing.tries, standing.solved) == ("wgr", 2, False)
    tried = await solving.answer(ANN, "two", NEXT)
    assert tried.after.solved
    assert tried.after.row.marks == "wgrr"
    assert (await solving.puzzles.standing(BOB, "two")).row.marks == ""


async def test_a_press_counts_once_and_an_older_page_changes_nothing(solving: Solving) -> None:
    solving.puzzles.book = Book.of_shelf(made("two", steps=TWO_STEPS))
    first = await solving.answer(ANN, "two", WRONG, press=77)
    again = await solving.answer(ANN, "two", WRONG, press=77)
    assert first.answer == again.answer
    assert again.after.row.turn == 1
    right = await solving.answer(ANN, "two", RIGHT, press=78)
    again = await solving.answer(ANN, "two", RIGHT, press=78)
    assert right.answer == again.answer
    assert (await solving.puzzles.standing(ANN, "two")).attempt.answers == (RIGHT,)
    with pytest.raises(Stale):
        await solving.puzzles.answer(PuzzlePage(ANN, "two", 0, 79), NEXT)


async def test_nobody_gets_a_days_puzzle_before_its_day_or_a_forged_one(solving: Solving) -> None:
    solving.move_to(3, hours=1)
    for key in ("day0004", "day0040", "day9999", "", "x" * 90):
        with pytest.raises(NotFound):
            await solving.puzzles.standing(ANN, key)
        with pytest.raises(NotFound):
            await solving.answer(ANN, key, RIGHT)
        with pytest.raises(NotFound):
            await solving.report(ANN, key)
    assert solving.puzzles.day(4) is solving.puzzles.day(0) is solving.puzzles.day(-1) is None
    offered = await solving.puzzles.pick(ANN)
    assert offered is not None
    assert offered.puzzle.key == "day0001"  # Its time is over.


async def test_streaks_count_numbers_whatever_the_order_in_which_two_are_solved(solving: Solving) -> None:
    solving.move_to(1, hours=1)
    assert await solving.solve(ANN, 1) == OwnStreak(1, 1, 1)
    solving.move_to(3, hours=1)
    assert (await solving.solve(ANN, 3)).run == 2
    solving.move_to(6, hours=1)
    # Two were missed, but one of them is still open.
    assert (await solving.solve(ANN, 6)).run == 1
    assert (await solving.solve(ANN, 5)).run == 4
    solving.move_to(8, hours=1)
    assert (await solving.puzzles.streak(ANN)).run == 4
    solving.move_to(10, hours=1)
    # Number 9 is open, but 7 and 8 are missed.
    assert await solving.puzzles.streak(ANN) == OwnStreak(0, 4, 6)
    assert await solving.solve(ANN, 10) == OwnStreak(1, 4, 10)


async def test_a_puzzle_that_was_shown_or_solved_too_late_counts_for_no_streak(solving: Solving) -> None:
    solving.move_to(5, hours=1)
    await solving.puzzles.show(PuzzlePage(ANN, "day0005", 0, 1, TAVERN, "Ann"))
    assert (await solving.solve(ANN, 5)).best == 0
    assert (await solving.solve(ANN, 3)).best == 0
    result = await solving.puzzles.posts.result(TAVERN, 5)
    assert result is not None
    assert result.here == (1, 0)
    assert await solving.puzzles.streaks(TAVERN) == ()


async def test_who_hides_or_solves_elsewhere_is_counted_and_not_named(solving: Solving) -> None:
    solving.move_to(2, hours=1)
    for person in (ANN, BOB):
        await solving.solve(person, 2)
    await solving.answer(CLEO, "day0002", WRONG)
    await solving.solve(CLEO, 2, None)
    await solving.solve(UserId(14), 2, None)
    await solving.answer(UserId(15), "day0002", WRONG)
    await solving.host.settings.set_player_settings(BOB, PlayerSettings(hidden=True))
    result = await solving.puzzles.posts.result(TAVERN, 2)
    assert result is not None
    assert (result.here, result.everywhere, result.tries, result.names) == ((4, 3), (5, 4), 1, ("Ann",))
    assert [each.name for each in await solving.puzzles.streaks(TAVERN)] == ["Ann"]


async def test_a_dropped_number_costs_nobody_their_streak_and_is_posted_nowhere(solving: Solving) -> None:
    book = Book.of_days(40)
    await solving.puzzles.posts.set_channel(TAVERN, CHANNEL)
    solving.move_to(1, hours=3)
    assert await solving.deliver(await solving.look(TAVERN)) == [(Kind.PUZZLE, 1)]
    await solving.solve(ANN, 1)
    book.numbers[1] = book.numbers[2] = None
    solving.puzzles.book = solving.puzzles.posts.book = book
    for number in (2, 3):
        solving.move_to(number, hours=3)
        assert (Kind.PUZZLE, number) not in await solving.deliver(await solving.look(TAVERN))
        assert (await solving.puzzles.streak(ANN)).run == 1
    solving.move_to(5, hours=3)
    assert (await solving.solve(ANN, 5)).run == 2
    with pytest.raises(NotFound):
        await solving.puzzles.standing(ANN, "day0002")


async def test_after_the_last_number_there_is_none(solving: Solving) -> None:
    await solving.puzzles.posts.set_channel(TAVERN, CHANNEL)
    solving.move_to(43, hours=3)
    assert await solving.puzzles.of_the_day(ANN) is None
    assert await solving.deliver(await solving.look(TAVERN)) == []


async def test_a_server_is_told_each_number_once_and_how_it_went(solving: Solving) -> None:
    host, clock = solving.host, solving.clock
    solving.move_to(1, hours=12)
    assert await solving.look(TAVERN) == []
    await solving.puzzles.posts.set_channel(TAVERN, CHANNEL)
    assert await solving.deliver(await solving.look(TAVERN)) == [(Kind.PUZZLE, 1)]
    assert await solving.look(TAVERN) == []
    solving.move_to(2, minutes=-1)
    assert await solving.look(TAVERN) == []
    solving.move_to(2, hours=2)
    assert await solving.deliver(await solving.look(TAVERN)) == [(Kind.PUZZLE, 2)]
    solving.move_to(3, hours=2)
    assert await solving.deliver(await solving.look(TAVERN)) == [(Kind.PUZZLE_OVER, 1), (Kind.PUZZLE, 3)]
    # The clock is ten days ahead for a while: nothing ends too early, and nothing is told twice.
    clock.jump(timedelta(days=10))
    assert await solving.deliver(await solving.look(TAVERN)) == [(Kind.PUZZLE, 13)]
    clock.jump(timedelta(days=-10))
    assert await solving.deliver(await solving.look(TAVERN)) == []
    # The server wants no more: what is open is still ended.
    await solving.puzzles.posts.set_channel(TAVERN, None)
    told = []
    for number in (4, 5, 6, 15, 16):
        solving.move_to(number, hours=3)
        told += await solving.deliver(await solving.look(TAVERN))
    assert sorted(told) == [(Kind.PUZZLE_OVER, 2), (Kind.PUZZLE_OVER, 3), (Kind.PUZZLE_OVER, 13)]
    assert await host.work.read(store.next_check, TAVERN) is None


async def test_a_channel_that_is_gone_gets_nothing_and_another_one_gets_the_newest_at_once(solving: Solving) -> None:
    host = solving.host
    solving.move_to(4, hours=1)
    await solving.puzzles.posts.set_channel(TAVERN, CHANNEL)
    await solving.deliver(await solving.look(TAVERN))
    await host.reach.lose_channel(CHANNEL)
    assert await solving.puzzles.posts.channel(TAVERN) is None
    solving.move_to(7, hours=3)
    assert await solving.deliver(await solving.look(TAVERN)) == [(Kind.PUZZLE_OVER, 4)]
    await solving.puzzles.posts.set_channel(TAVERN, CHANNEL + 1)
    rows = await solving.look(TAVERN)
    assert [(row.kind, row.ply, row.channel_id) for row in rows] == [(Kind.PUZZLE, 7, CHANNEL + 1)]
    # The bot is thrown out, and asked back a week later.
    await host.reach.lose_server(TAVERN)
    solving.move_to(14, hours=3)
    assert await solving.look(TAVERN) == []
    await host.reach.find_server(TAVERN)
    assert await solving.deliver(await solving.look(TAVERN)) == [(Kind.PUZZLE, 14)]


async def knowing(solving: Solving, others: list[str], many: int, *tried: str, first: int = 100) -> list[UserId]:
    """People who have solved these others, and have tried puzzles."""
    people = [UserId(first + number) for number in range(many)]
    for person in people:
        for each in others:
            await solving.answer(person, each, RIGHT)
        for each in tried:
            await solving.answer(person, each, WRONG)
    return people


async def reports(solving: Solving, people: list[UserId], key: str) -> list[Told]:
    """What these people read when they report a puzzle, each on the next of three servers."""
    solving.clock.advance(REPORT.each)
    return [await solving.report(each, key, (TAVERN, INN, CLUB)[number % 3]) for number, each in enumerate(people)]


def shelf_of(*doubtful: str) -> tuple[Book, list[str]]:
    """A shelf with doubtful puzzles, and enough others."""
    others = [f"other{number}" for number in range(OTHERS)]
    judged = (made(each, shelf=Shelf.JUDGED) for each in doubtful)
    return Book.of_shelf(*map(made, others), *judged), others


async def test_a_judged_puzzle_is_withdrawn_after_enough_reports_of_people_who_know(solving: Solving) -> None:
    solving.puzzles.book, others = shelf_of("doubtful")
    people = await knowing(solving, others[1:], 1, "doubtful")
    assert await solving.report(people[0], "doubtful") is Told.NOTED
    assert await solving.report(people[0], "doubtful") is Told.AGAIN
    await solving.answer(people[0], others[0], RIGHT)
    assert await solving.report(people[0], "doubtful") is Told.COUNTED
    assert await solving.report(people[0], "doubtful") is Told.AGAIN
    for number, person in enumerate(await knowing(solving, others, REPORTS, "doubtful", first=200)):
        assert await solving.report(person, "doubtful", (TAVERN, INN)[number % 2]) is Told.COUNTED
    assert (await solving.puzzles.standing(ANN, "doubtful")).withdrawn is False
    (last,) = await knowing(solving, others, 1, "doubtful", first=300)
    assert await solving.report(last, "doubtful", CLUB) is Told.WITHDRAWN
    assert (await solving.puzzles.standing(ANN, "doubtful")).withdrawn is True
    assert await solving.puzzles.pick(ANN, PuzzleWish(GAME, Shelf.JUDGED)) is None
    await solving.answer(ANN, "doubtful", RIGHT)
    assert (await solving.puzzles.standing(ANN, "doubtful")).row.turn == 0


# FOUND D7
async def test_reports_of_people_who_have_not_tried_the_puzzle_withdraw_nothing(solving: Solving) -> None:
    solving.puzzles.book, others = shelf_of("doubtful")
    people = await knowing(solving, others, REPORTS)
    await solving.puzzles.show(PuzzlePage(people[0], "doubtful", None, None, TAVERN, "P"))
    assert set(await reports(solving, people, "doubtful")) == {Told.NOTED}
    assert not (await solving.puzzles.standing(ANN, "doubtful")).withdrawn


# FOUND D7
async def test_a_puzzle_that_most_who_tried_it_do_not_report_stays(solving: Solving) -> None:
    solving.puzzles.book, others = shelf_of("doubtful")
    people = await knowing(solving, others, REPORTS + 1, "doubtful")
    for number in range(ONE_IN * REPORTS):
        await solving.answer(UserId(900 + number), "doubtful", RIGHT)
    assert set(await reports(solving, people[:-1], "doubtful")) == {Told.COUNTED}
    for number in range(ONE_IN):
        await solving.host.privacy.forget_wholly(UserId(900 + number))
    assert await reports(solving, people[-1:], "doubtful") == [Told.WITHDRAWN]


# FOUND D7
async def test_reports_withdraw_three_puzzles_a_week_and_the_operator_decides_about_all(
    solving: Solving, caplog: pytest.LogCaptureFixture
) -> None:
    keys, host = [f"doubt{number}" for number in range(6)], solving.puzzles
    host.book, others = shelf_of(*keys)
    people = await knowing(solving, others, REPORTS + 1, *keys)

    async def withdrawn() -> set[str]:
        return {key for key in keys if (await host.standing(ANN, key)).withdrawn}

    for key in keys[:5]:
        await reports(solving, people[:-1], key)
    assert await withdrawn() == set(keys[:WITHDRAWN_A_WEEK])
    assert "puzzle doubt3 waits for you" in caplog.text
    assert [(key, case.withdrawn_at is None) for key, case in await host.cases(3)] == [
        ("doubt4", True),
        ("doubt3", True),
        ("doubt2", False),
    ]
    # A withdrawal is undone for good, and what waits goes or stays as the operator says.
    await host.decide("doubt0", keep=True)
    await host.decide("doubt3", keep=False)
    await host.decide("doubt4", keep=True)
    assert await withdrawn() == {"doubt1", "doubt2", "doubt3"}
    for key in ("doubt0", "doubt4"):
        assert await reports(solving, people[-1:], key) == [Told.KEPT]
    solving.clock.advance(A_WEEK)
    assert await reports(solving, people, "doubt0") == [Told.AGAIN] * len(people)
    assert (await reports(solving, people[:-1], "doubt5"))[-1] is Told.WITHDRAWN
    await host.decide("doubt0", keep=False)
    assert await withdrawn() == {"doubt0", "doubt1", "doubt2", "doubt3", "doubt5"}
    with pytest.raises(NotFound):
        await host.decide("nothing", keep=True)


async def test_the_days_puzzle_is_never_withdrawn_on_its_day(solving: Solving) -> None:
    book = Book.of_days(30, shelf=Shelf.JUDGED)
    solving.puzzles.book = solving.puzzles.posts.book = book
    solving.move_to(20, hours=5)
    people = await knowing(solving, [f"day{day:04d}" for day in range(1, OTHERS + 1)], REPORTS, "day0020")
    assert (await reports(solving, people, "day0020"))[-1] is Told.WITHDRAWN
    assert (await solving.puzzles.standing(ANN, "day0020")).withdrawn is False
    assert (await solving.solve(ANN, 20)).run == 1
    solving.move_to(22)
    assert (await solving.puzzles.standing(BOB, "day0020")).withdrawn is True


async def test_a_proven_puzzle_that_is_reported_is_checked_again_once(
    solving: Solving, caplog: pytest.LogCaptureFixture
) -> None:
    # This puzzle has a wrong answer that it calls right.
    solving.puzzles.book = Book.of_shelf(made("wrong1"))
    rung = []
    solving.puzzles.chores[1].wake = lambda: rung.append(1)
    assert await solving.report(ANN, "wrong1") is Told.CHECKING
    assert rung == [1]
    assert await solving.puzzles.unchecked(5) == ("wrong1",)
    await solving.puzzles.check("wrong1")
    assert await solving.puzzles.unchecked(5) == ()
    ((key, case),) = await solving.puzzles.cases(5)
    assert key == "wrong1"
    assert case.fault
    assert case.withdrawn_at is not None
    assert "wrong1 was reported, checked again, and is withdrawn" in caplog.text
    assert await solving.report(BOB, "wrong1") is Told.WITHDRAWN


async def test_the_next_puzzle_is_new_and_as_hard_as_the_last_ones_went(solving: Solving) -> None:
    every = [made(f"{hard}{number}", difficulty=hard) for hard in Difficulty for number in range(3)]
    solving.puzzles.book = Book.of_shelf(*every)
    seen, hard = set[Any](), list[Any]()
    for _ in range(9):
        found = await solving.puzzles.pick(ANN, PuzzleWish(GAME, Shelf.PROVEN))
        assert found is not None
        other = await solving.puzzles.pick(ANN, PuzzleWish(GAME, Shelf.PROVEN), found.puzzle.key)
        assert other is not None
        assert (other.puzzle.key != found.puzzle.key) or len(seen) == 8
        seen.add(found.puzzle.key)
        hard.append(found.puzzle.difficulty)
        await solving.answer(ANN, found.puzzle.key, RIGHT)
    assert len(seen) == 9
    assert hard[:5] == [1, 2, 3, 3, 3]
    assert await solving.puzzles.pick(ANN) is None


async def test_once_enough_people_have_tried_a_puzzle_their_tries_say_how_hard_it_is(solving: Solving) -> None:
    people = [UserId(number) for number in range(100, 100 + PEOPLE)]
    solving.puzzles.book = Book([made(f"day{number:04d}") for number in (1, 2, 3)], Book.of_shelf(made("one")).shelves)
    solving.move_to(3, hours=1)
    for person in people:
        for text in (WRONG, RIGHT):
            await solving.answer(person, "one", text)
            await solving.answer(person, "day0003", text)
    for key in ("one", "day0003"):
        assert (await solving.puzzles.standing(ANN, key)).difficulty is Difficulty.EASY, "it is looked up once a day"
    solving.move_to(4, hours=2)
    assert (await solving.puzzles.standing(ANN, "one")).difficulty is Difficulty.MEDIUM
    assert (await solving.puzzles.standing(ANN, "day0003")).difficulty is Difficulty.EASY, "its day is still open"
    solving.move_to(5, hours=3)
    assert (await solving.puzzles.standing(ANN, "day0003")).difficulty is Difficulty.MEDIUM


def test_how_hard_a_puzzle_is_by_tries_is_when_half_have_found_it() -> None:
    few, half = ["r"] * (PEOPLE - 1), PEOPLE // 2
    assert by_tries(few) is None
    assert by_tries([*few, "wwr"]) is Difficulty.EASY
    assert by_tries(["r"] * (half - 1) + ["wgr"] * (half + 1)) is Difficulty.MEDIUM
    assert by_tries(["r"] * (half - 1) + ["sr"] * (half + 1)) is Difficulty.HARD, "who was shown it hasn't found it"
    assert by_tries(["wwwwwwr"] * PEOPLE) is Difficulty.HARD


async def test_who_wants_games_that_they_know_gets_no_other(solving: Solving) -> None:
    solving.puzzles.book = Book.of_shelf(made("one"))
    assert await solving.puzzles.pick(ANN, among={"gambo"}) is None
    found = await solving.puzzles.pick(ANN, among={"gambo", GAME})
    assert found is not None
    assert found.puzzle.key == "one"


async def test_who_asks_for_a_kind_gets_nothing_else_until_all_of_it_is_finished(solving: Solving) -> None:
    every = [made(f"{kind}{hard}", kind=kind, difficulty=hard) for kind in ("capture", "setup") for hard in Difficulty]
    solving.puzzles.book = Book.of_shelf(*every)
    await solving.answer(ANN, "capture3", RIGHT)
    wish, given = PuzzleWish.of_kind("setup"), list[Any]()
    assert wish == (GAME, Shelf.PROVEN, "setup")
    while found := await solving.puzzles.pick(ANN, wish, given[-1] if given else ""):
        assert found.next == wish
        given.append(found.puzzle.key)
        tried = await solving.puzzles.answer(PuzzlePage(ANN, given[-1], by_kind=True), RIGHT)
        assert tried.before.by_kind
        assert tried.after.next == wish
    assert given == ["setup1", "setup2", "setup3"], "how hard it is follows from those of the kind"
    other = await solving.puzzles.pick(ANN, PuzzleWish(GAME))
    assert other is not None
    assert other.next == PuzzleWish(GAME, Shelf.PROVEN)


# FOUND D8
@pytest.mark.parametrize("knew", ["shown", "wrong", "solved"])
async def test_whoever_knew_the_days_puzzle_before_their_data_were_deleted_is_not_named_for_it(
    solving: Solving, knew: str
) -> None:
    solving.move_to(2, hours=1)
    await solving.solve(BOB, 2)
    if knew == "shown":
        await solving.puzzles.show(PuzzlePage(ANN, "day0002", None, None, TAVERN, "Ann"))
    else:
        await solving.answer(ANN, "day0002", WRONG if knew == "wrong" else RIGHT)
    await solving.host.privacy.forget_wholly(ANN)
    assert (await solving.solve(ANN, 2)).run == 0
    await solving.answer(CLEO, "day0002", WRONG)
    assert (await solving.solve(CLEO, 2)).run == 1
    result = await solving.puzzles.posts.result(TAVERN, 2)
    assert result is not None
    assert (result.tries, result.names) == (1, ("Bob",))
    # A later number, or one that isn't open any more, counts as always.
    solving.move_to(3, hours=1)
    assert (await solving.solve(ANN, 3)).run == 1
    await solving.host.privacy.forget_wholly(ANN)
    solving.move_to(6, hours=1)
    assert not (await solving.answer(ANN, "day0002", RIGHT)).after.row.shown


async def test_old_unsolved_attempts_and_names_go(solving: Solving) -> None:
    host, clock = solving.host, solving.clock
    solving.move_to(2, hours=1)
    await solving.solve(ANN, 2)
    await solving.answer(BOB, "day0002", WRONG)
    clock.advance(timedelta(days=NAMES_KEPT + 1))
    for after in (timedelta(hours=2), ATTEMPTS_KEPT):
        clock.advance(after)
        for chore in await host.retention.due(5):
            await host.retention.go_on(chore)
        row = await host.work.read(store.solver, ANN, 2)
        assert row is not None
        assert row.name is None
        left = await host.work.read(store.attempt, BOB, "day0002")
        assert (left is None) == (after == ATTEMPTS_KEPT)
    assert await host.work.read(store.attempt, ANN, "day0002") is not None
    assert (await solving.puzzles.streak(ANN)).best == 1


@pytest.mark.parametrize("days", [30, 400])
async def test_days_of_jumping_clocks_restarts_double_presses_and_two_processes(tmp_path: Path, days: int) -> None:
    """Each server is told each number at most once, and everybody's streak is what they solved."""
    rng, clock, book = random.Random(days), ManualClock(at(1)), Book.of_days(days + 2)
    async with await Database.open(fresh(tmp_path / "ambit.db")) as database:
        hosts = [Host(database, clock, Seeds(), name=name) for name in ("one", "two")]
        at_work = [Solving(host, clock, book) for host in hosts]
        for guild_id in (TAVERN, INN):
            await at_work[0].puzzles.posts.set_channel(guild_id, CHANNEL + guild_id)
        told: defaultdict[tuple[int, Kind], list[int]] = defaultdict(list)
        solved: defaultdict[UserId, set[int]] = defaultdict(set)
        for number in range(1, days + 1):
            clock.advance(at(number, hours=2 + 20 * rng.random()) - clock.now())
            if rng.random() < 0.2:
                jump = timedelta(hours=rng.uniform(-40, 40))
                clock.jump(jump)
                await _looked(at_work, told)
                clock.jump(-jump)
            if rng.random() < 0.2:
                hosts = [Host(database, clock, Seeds(), name=name) for name in ("one", "two")]
                at_work = [Solving(host, clock, book) for host in hosts]
                for host in hosts:
                    await host.outbox.take_over()
            clock.advance(timedelta(seconds=1))
            await _looked(at_work, told)
            for person in NAMES:
                for day in (number, number - 1):
                    if day >= 1 and rng.random() < 0.35 and day not in solved[person]:
                        for each in at_work:
                            await each.answer(person, f"day{day:04d}", RIGHT, press=day * 100 + person)
                        solved[person].add(day)
            for person in NAMES:
                assert (await rng.choice(at_work).puzzles.streak(person)).run == _streak(solved[person], number)
        for guild_id in (TAVERN, INN):
            posted, ended = told[guild_id, Kind.PUZZLE], told[guild_id, Kind.PUZZLE_OVER]
            assert len(posted) == len(set(posted))
            assert len(ended) == len(set(ended))
            assert set(range(1, days + 1)) <= set(posted)
            # Right after a jump of the clock nothing ends.
            assert days * 0.3 < len(ended) <= len(posted)


async def _looked(at_work: list[Solving], told: dict[tuple[int, Kind], list[int]]) -> None:
    for each in at_work:
        for guild_id in (TAVERN, INN):
            rows = await each.look(guild_id)
            for row in rows:
                assert row.guild_id is not None
                told[row.guild_id, row.kind].append(int(row.ply))
            await each.deliver(rows)


def _streak(numbers: set[int], newest: int) -> int:
    """The length of the streak that can still go on, found another way: from the newest number backwards."""
    length, run = 0, sorted(numbers)
    if not run or not calendar.is_alive(run[-1], at(newest), lambda number: number >= 1):
        return 0
    for later, earlier in zip(reversed(run), [*reversed(run[:-1]), -9], strict=True):
        length += 1
        if later - earlier > 2:
            break
    return length
