"""Puzzles as people solve them: in private, with the panel of a match, and the day's in a server's channel."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import discord
import pytest

from cogs import drawing
from cogs.commands.operator import FOR_OWNERS
from cogs.drawing import DRAWER
from cogs.post import pictures
from cogs.press import components
from cogs.press.custom_ids import Ref
from cogs.puzzles import KNOWN as GAMES_KNOWN
from cogs.puzzles import puzzle_pages
from cogs.puzzles.puzzle_pages import BY_KIND, SOLVER
from db.lessons import kept as lessons
from db.lessons.kept import LessonsRow
from db.puzzles import kept as store
from db.puzzles.rows import CaseRow
from games import GAMES
from matches.api import ManualClock, Person, PlayerSettings, Ply, UserId
from matches.puzzles import Puzzles, calendar, shelves
from matches.puzzles.attempt import Attempt
from matches.puzzles.kinds import KINDS
from matches.puzzles.puzzle import Difficulty, Puzzle, Shelf, Step, length
from matches.puzzles.standing import PuzzleWish, Told
from matches.records import exercise_view
from render import RENDERERS
from render.illustrate import PEOPLE
from tests.cogs.markdown import active
from tests.cogs.nasty import NASTY
from tests.cogs.table import TICK, Member, Table, buttons, choose, labels, menu, private, table, with_right
from tests.cogs.test_manners import one_sentence
from tests.cogs.test_operator import at_home
from tests.matches.puzzles.made import RIGHT, TWO_STEPS, WRONG, Book, at, made

SILENT = 1 << 12


class Room:
    """A table with puzzles of a test, whose time only the test advances."""

    def __init__(self, room: Table, clock: ManualClock, book: Any) -> None:
        self.room, self.clock, self.book = room, clock, book
        puzzles = room.bot.host.part(Puzzles)
        puzzles.book = puzzles.posts.book = book

    @property
    def guild_id(self) -> int:
        return self.room.channel.guild.id

    async def want_posts(self) -> discord.Message:
        """Let the server name its channel, and return the first post."""
        chief = with_right(self.room, "Chief", manage_guild=True)
        await chief.slash(self.room.channel, "settings server", puzzles=self.room.channel.mention)
        await self.look()
        (post,) = self.posts()
        return post

    async def look(self) -> None:
        """Let the bot look at the clock: what is due is found first, and then sent."""
        for _ in range(3):
            await self.room.env.advance_time(TICK)

    async def until(self, number: int, **after: float) -> None:
        self.clock.advance(at(number, **after) - self.clock.now())
        await self.look()

    def posts(self) -> list[discord.Message]:
        return [post for post in self.room.newest_first(self.room.channel) if post.content.startswith("**Ambit ")]

    async def restart(self) -> None:
        await self.room.restart(clock=self.clock)
        puzzles = self.room.bot.host.part(Puzzles)
        puzzles.book = puzzles.posts.book = self.book


@asynccontextmanager
async def puzzles(path: Path, people: int = 2, *, book: Any = None) -> AsyncIterator[Room]:
    clock = ManualClock(at(3, hours=5))
    async with table(path, people, clock=clock) as room:
        yield Room(room, clock, book or Book.of_days(12))


async def tried(actor: Any, shown: Any, attempt: Attempt, text: str, *, by_kind: bool = False) -> Any:
    """Pick this action in an open panel, and confirm it. Return the answer."""
    named = f"{attempt.puzzle.key}{BY_KIND * by_kind}"
    view = exercise_view.view(attempt, Person(UserId(1), SOLVER), PEOPLE, PlayerSettings())
    move = next(move for move in view.moves if move.text == text)
    shown = await choose(actor, shown, (named, *(choice.value for choice in move.choices)))
    assert SOLVER not in shown.content
    return private(await actor.click(shown, label="Confirm"))


def first_id(shown: Any) -> str:
    """What the first button or menu of a page carries."""
    picking = menu(shown)
    return str(buttons(shown)[0].custom_id if picking is None else picking.custom_id)


def the_days() -> Attempt:
    return Attempt.begin(made("day0003"))


@pytest.mark.parametrize("game", [game for game in sorted(GAMES) if any(shelves.shelf(game, of) for of in Shelf)])
async def test_a_shipped_puzzle_of_each_game_is_solved_with_the_panel(tmp_path: Path, game: str) -> None:
    async with puzzles(tmp_path / "ambit.db", 1, book=shelves) as at_work:
        (ann,), room = at_work.room.people, at_work.room
        shown = private(await ann.slash(room.channel, "puzzle", game=game))
        standing = await room.bot.host.part(Puzzles).pick(UserId(ann.id), PuzzleWish(game))
        attempt = standing.attempt
        while True:
            shown = await tried(ann, shown, attempt, attempt.shown)
            assert "**Right!**" in shown.content
            attempt = attempt.after(attempt.shown)
            if attempt.solved:
                break
            shown = private(await ann.click(shown, label="Go on"))
        assert "Solved, first try!" in shown.content
        other = private(await ann.click(shown, label="Another puzzle"))
        assert "**Puzzle · " in other.content
        assert attempt.puzzle.key not in first_id(other)


async def test_the_days_puzzle_from_its_post_to_what_is_said_in_the_end(tmp_path: Path) -> None:
    async with puzzles(tmp_path / "ambit.db", 3) as at_work:
        room, (ann, bob, cleo) = at_work.room, at_work.room.people
        before = len(room.env.http_requests)
        post = await at_work.want_posts()
        assert "**Ambit 3 · Ambush** ★" in post.content
        assert labels(post) == ["Solve it", "Streaks"]
        sent = f"/channels/{room.channel.id}/messages"
        bodies: list[Any] = [each.json for each in room.env.http_requests[before:] if each.path == sent]
        (body,) = bodies
        assert body["flags"] & SILENT
        assert not any(body["allowed_mentions"].values())
        shown = private(await ann.click(post, label="Solve it"))
        wrong = await tried(ann, shown, the_days(), WRONG)
        assert "**Not this time.**" in wrong.content
        again = private(await ann.click(wrong, label="Try again"))
        solved = await tried(ann, again, the_days(), RIGHT)
        assert "Solved, in 2 tries. Your streak: **1 puzzle**." in solved.content
        await at_work.restart()
        for person in (bob, cleo):
            solved = await tried(person, private(await person.click(post, label="Solve it")), the_days(), RIGHT)
            assert "Solved, first try! Your streak: **1 puzzle**." in solved.content
        await room.bot.host.settings.set_player_settings(UserId(cleo.id), PlayerSettings(hidden=True))
        streaks = private(await bob.click(post, label="Streaks")).content
        assert "**Bob**: 1 puzzle" in streaks
        assert "Cleo" not in streaks
        shared = (await cleo.click(solved, label="Share")).response
        assert shared.content == "**Cleo** · Ambit 3 · Ambush · ★ 1 try · 🟩"
        await at_work.until(5, hours=3)
        # After the restart the clock wasn't trusted yet.
        await at_work.until(5, hours=5)
        over = next(each for each in at_work.posts() if each.content.startswith("**Ambit 3 "))
        assert "3 of 3 solved it here, Bob in one try." in over.content
        assert "Cleo" not in over.content
        assert over.attachments
        assert labels(over) == ["Try it", "Streaks"]


async def test_who_is_new_is_offered_to_learn_the_game_and_an_easy_one_and_only_games_they_know(tmp_path: Path) -> None:
    learn, easy = "Learn it first", "An easy one first"
    days: list[Puzzle | None] = [made(f"day{n:04d}", difficulty=Difficulty.HARD) for n in range(1, 13)]
    gambo = {("gambo", Shelf.PROVEN): shelves.shelf("gambo", Shelf.PROVEN)[:1]}
    book = Book(days, {**Book.of_shelf(made("easy")).shelves, **gambo})
    async with puzzles(tmp_path / "ambit.db", 1, book=book) as at_work:
        (ann,), room = at_work.room.people, at_work.room

        async def learnt(game: str) -> None:
            row = LessonsRow(finished_at=at_work.clock.now())
            await room.bot.database.write(lambda connection: lessons.put(connection, UserId(ann.id), game, row))

        day = private(await ann.slash(room.channel, "puzzle"))
        assert {learn, easy} <= {*labels(day)}
        assert "lesson 1 of" in private(await ann.click(day, label=learn)).content
        asked = one_sentence(await ann.slash(room.channel, "puzzle", game=GAMES_KNOWN))
        assert asked == puzzle_pages.NO_GAME
        day = private(await ann.slash(room.channel, "puzzle"))
        shown = private(await ann.click(day, label=easy))
        assert "**Puzzle · Ambush** ★ " in shown.content, "one of the same game"
        await learnt("gambo")
        other = private(await ann.slash(room.channel, "puzzle"))
        assert "**Puzzle · Gambo** ★ " in private(await ann.click(other, label=easy)).content, "of the game they know"
        await tried(ann, shown, Attempt.begin(made("easy")), RIGHT)
        day = private(await ann.slash(room.channel, "puzzle"))
        assert learn in labels(day)
        assert easy not in labels(day), "they aren't a beginner any more"
        await learnt("ambush")
        assert learn not in labels(private(await ann.slash(room.channel, "puzzle")))
        assert "**Puzzle · Gambo**" in private(await ann.slash(room.channel, "puzzle", game=GAMES_KNOWN)).content


# FOUND V10
async def test_an_old_day_says_that_it_is_old_and_the_report_is_no_verdict(tmp_path: Path) -> None:
    async with puzzles(tmp_path / "ambit.db", 1) as at_work:
        (ann,), room = at_work.room.people, at_work.room
        old = "-# This is an old one, from <t:"
        today = private(await ann.slash(room.channel, "puzzle"))
        assert "Ambit 3 " in today.content
        assert old not in today.content
        assert "Report this puzzle" not in labels(today), "there's nothing to report before a try"
        wrong = await tried(ann, today, the_days(), WRONG)
        at_work.clock.advance(calendar.OPEN_FOR)
        again = private(await ann.click(wrong, label="Report this puzzle"))
        again = private(await ann.click(again, label="◀ Back"))
        assert old in again.content
        solved = await tried(ann, again, the_days(), RIGHT)
        assert old in solved.content
        assert labels(solved)[-1] == "Report this puzzle"


async def test_a_puzzle_that_was_shown_isnt_given_again_and_goes_on_after_a_restart(tmp_path: Path) -> None:
    book = Book.of_shelf(made("one", steps=TWO_STEPS), made("two", steps=TWO_STEPS))
    async with puzzles(tmp_path / "ambit.db", 1, book=book) as at_work:
        (ann,) = at_work.room.people
        shown = private(await ann.user.slash("puzzle"))
        given = next(each for each in book.shelf("ambush", Shelf.PROVEN) if f":{each.key}" in first_id(shown))
        shown = private(await ann.user.click(shown, label="Show me"))
        assert "**Like this:**" in shown.content
        await at_work.restart()
        mine = private(await ann.user.click(shown, label="Let me try"))
        right = await tried(ann.user, mine, Attempt.begin(given), RIGHT)
        assert "**Right!**" in right.content
        other = private(await ann.user.slash("puzzle"))
        assert f":{given.key}" not in first_id(other)


async def test_a_solution_of_several_moves_is_shown_move_by_move(tmp_path: Path) -> None:
    book = Book.of_shelf(made("one", steps=TWO_STEPS))
    async with puzzles(tmp_path / "ambit.db", 1, book=book) as at_work:
        (ann,), room = at_work.room.people, at_work.room
        shown = private(await ann.click(private(await ann.slash(room.channel, "puzzle")), label="Show me"))
        assert labels(shown) == ["Go on", "Another puzzle", "Let me try"]
        second = private(await ann.click(shown, label="Go on"))
        standing = await room.bot.host.part(Puzzles).standing(UserId(ann.id), "one")
        assert (standing.attempt.answers, standing.row.shown) == ((RIGHT,), True)
        assert puzzle_pages.shared(standing).endswith(" shown · ⬜"), "the move that was shown isn't theirs"
        shown = private(await ann.click(second, label="Show me"))
        assert "**Like this:**" in shown.content
        assert "Go on" not in labels(shown)


async def test_between_the_turns_of_saboteur_one_sentence_says_that_all_others_discard(tmp_path: Path) -> None:
    puzzle = next(each for each in shelves.shelf("saboteur", Shelf.PROVEN) if length(each.first) == 2)
    book = Book(shelves={("saboteur", Shelf.PROVEN): (puzzle,)})
    async with puzzles(tmp_path / "ambit.db", 1, book=book) as at_work:
        (ann,), attempt = at_work.room.people, Attempt.begin(puzzle)
        shown = private(await ann.slash(at_work.room.channel, "puzzle", game="saboteur"))
        shown = await tried(ann, shown, attempt, attempt.shown)
        assert shown.content.endswith("\nThen: Everybody else discards a card.")


async def test_a_move_that_is_played_for_the_solver_is_told_as_theirs(tmp_path: Path) -> None:
    every = [each for each in shelves.shelf("gambo", Shelf.PROVEN) if isinstance(each.first, Step)]
    forced = [
        (puzzle, way)
        for puzzle in every
        for way in puzzle.first.right
        if any(line.startswith(f"{puzzle.seat} ") for line in way.then)
    ]
    puzzle, way = forced[0]
    async with puzzles(tmp_path / "ambit.db", 1, book=Book(shelves={("gambo", Shelf.PROVEN): (puzzle,)})) as at_work:
        (ann,) = at_work.room.people
        shown = private(await ann.slash(at_work.room.channel, "puzzle", game="gambo"))
        right = await tried(ann, shown, Attempt.begin(puzzle), way.action)
        assert "Then: You swap " in right.content
        assert "That was your only move." in right.content
        assert SOLVER not in right.content


async def test_who_asks_for_a_kind_stays_with_it_on_every_page(tmp_path: Path) -> None:
    kinds = {f"{kind}{number}": kind for kind in ("capture", "setup") for number in range(3)}
    book = Book.of_shelf(*(made(key, kind=kind, steps=TWO_STEPS) for key, kind in kinds.items()))
    async with puzzles(tmp_path / "ambit.db", 1, book=book) as at_work:
        (ann,), room = at_work.room.people, at_work.room
        shown = private(await ann.slash(room.channel, "puzzle", kind="Two turns"))

        def given() -> str:
            """The puzzle that is shown. Every button that is about it stays with its kind."""
            ids = [each.custom_id for each in buttons(shown) if each.label != "Learn it first"]
            (found,) = {key for key in kinds for each in ids if f":{key}=" in str(each)}
            assert all(f":{found}=" in str(each) for each in ids)
            return found

        first = given()
        attempt = Attempt.begin(made(first, kind="setup", steps=TWO_STEPS))
        assert "**Puzzle · Ambush** ★ · Two turns" in shown.content
        shown = await tried(ann, shown, attempt, WRONG, by_kind=True)
        shown = private(await ann.click(shown, label="Report this puzzle"))
        shown = private(await ann.click(shown, label="◀ Back"))
        shown = await tried(ann, shown, attempt, RIGHT, by_kind=True)
        await at_work.restart()
        shown = private(await ann.click(shown, label="Go on"))
        shown = private(await ann.click(shown, label="Show me"))
        seen = [first]
        for _ in range(2):
            shown = private(await ann.click(shown, label="Another puzzle"))
            seen.append(given())
            shown = private(await ann.click(shown, label="Show me"))
            given()
        assert sorted(seen) == [key for key, kind in kinds.items() if kind == "setup"]
        done = private(await ann.click(shown, label="Another puzzle"))
        assert "every Ambush puzzle of the kind “Two turns”" in done.content
        again = private(await ann.slash(room.channel, "puzzle", kind="setup"))
        assert again.content == done.content
        assert "Best capture" in private(await ann.slash(room.channel, "puzzle", game="ambush")).content


async def test_the_kinds_that_are_offered_fit_and_others_are_refused_with_the_reason(tmp_path: Path) -> None:
    async with puzzles(tmp_path / "ambit.db", 1, book=shelves) as at_work:
        (ann,), room = at_work.room.people, at_work.room

        async def offered(typed: str = "", **given: str) -> list[str]:
            return [
                str(each["value"]) for each in await ann.autocomplete(room.channel, "puzzle", "kind", typed, **given)
            ]

        assert await offered() == list(KINDS)
        for game in GAMES:
            for of in Shelf:
                fitting = [key for key, kind in KINDS.items() if (kind.game, kind.shelf) == (game, of)]
                assert await offered(game=game, shelf=of) == fitting
        assert await offered("who", game="saboteur") == ["who"]
        assert await offered("x" * 6000, game="chess", shelf="x") == []
        for written in ("who", "Who is it?", "who is it", "Who is it? (Saboteur)", "Who is"):
            asked = private(await ann.slash(room.channel, "puzzle", kind=written))
            assert "**Puzzle · Saboteur**" in asked.content
            assert "Who is it?" in asked.content
        for given, reason, instead in (
            (
                {"game": "ambush", "kind": "who"},
                "of Saboteur, not of Ambush",
                "Leave out `game`, or pick “Best capture”",
            ),
            ({"shelf": "proven", "kind": "who"}, "are all judged", "Leave out `shelf`"),
            ({"game": "saboteur", "kind": "e"}, "I don't know that kind", "Pick “To"),
            ({"game": "saboteur", "kind": "chess"}, "I don't know that kind", "“Where's the gold?” or “Who is it?”"),
            ({"kind": "x" * 6000}, "I don't know that kind", "“Best capture (Ambush)”"),
            ({"game": "gambo", "shelf": "judged"}, "All puzzles of Gambo are proven", "Leave out `shelf`"),
        ):
            refused = one_sentence(await ann.slash(room.channel, "puzzle", **given))
            assert reason in refused
            assert instead in refused


async def test_an_older_page_changes_nothing_and_shows_where_somebody_is(tmp_path: Path) -> None:
    book = Book.of_shelf(made("one", steps=TWO_STEPS))
    async with puzzles(tmp_path / "ambit.db", 1, book=book) as at_work:
        (ann,), room = at_work.room.people, at_work.room
        first = Attempt.begin(book.shelf("ambush", Shelf.PROVEN)[0])
        one, two = [private(await ann.slash(room.channel, "puzzle")) for _ in range(2)]
        await tried(ann, one, first, RIGHT)
        late = private(await ann.click(two, label="Show me"))
        assert "That page was out of date" in late.content
        standing = await room.bot.host.part(Puzzles).standing(UserId(ann.id), "one")
        assert (standing.attempt.answers, standing.row.shown) == ((RIGHT,), False)


async def test_reports_are_thanked_for_and_lead_back(tmp_path: Path) -> None:
    async with puzzles(tmp_path / "ambit.db", 1, book=Book.of_days(12, shelf=Shelf.JUDGED)) as at_work:
        (ann,) = at_work.room.people
        shown = private(await ann.click(await at_work.want_posts(), label="Solve it"))
        assert puzzle_pages.JUDGED in shown.content
        wrong = await tried(ann, shown, the_days(), WRONG)
        asked = private(await ann.click(wrong, label="Report this puzzle"))
        told = private(await ann.click(asked, label="Report it"))
        assert told.content == Told.NOTED
        assert "Ambit 3" in private(await ann.click(told, label="◀ Back")).content


async def test_forged_buttons_get_a_sentence_and_show_no_puzzle_before_its_day(tmp_path: Path) -> None:
    async with puzzles(tmp_path / "ambit.db", 1) as at_work:
        (ann,), room = at_work.room.people, at_work.room
        place = room.bot.get_partial_messageable(room.channel.id)
        verbs = (
            "puzpick",
            "puzpage",
            "puzback",
            "puzconfirm",
            "puzshow",
            "puzplayshown",
            "puzopen",
            "puznext",
            "puzshare",
            "puzwrong",
        )
        forged = [
            Ref(verb, None, Ply(7), path) for verb in (*verbs, "puzreport") for path in ((), ("day0009",), ("x",))
        ]
        forged += [Ref("puzday", path=path) for path in ((), ("0",), ("-1",), ("9",), ("9" * 30,), ("x",))]
        for ref in forged:
            message = await place.send("forged", view=components.view(components.button(ref, "Forged")))
            result = await ann.click(message, label="Forged")
            assert one_sentence(result), ref
            assert not result.response.attachments, ref
        assert await room.bot.host.part(Puzzles).unchecked(5) == ()


async def test_the_days_puzzle_is_drawn_once_however_many_people_open_it(tmp_path: Path) -> None:
    async with puzzles(tmp_path / "ambit.db", 3) as at_work:
        post = await at_work.want_posts()
        before = sum(DRAWER.pictures.values())
        for person in at_work.room.people:
            await person.click(post, label="Solve it")
        # The picture of the post has another size.
        assert sum(DRAWER.pictures.values()) <= before + 1


async def test_a_thousand_people_who_open_it_at_once_wait_for_one_picture() -> None:
    puzzle = Attempt.begin(made("crowded", steps=TWO_STEPS)).after(RIGHT)
    drawing.share_pictures()
    drawer, seen = drawing.Drawer(), puzzle.state.observation(puzzle.seat)
    draw, people = RENDERERS[puzzle.game].draw, PEOPLE[: puzzle.state.players]
    drawn = await asyncio.gather(*(drawer.drawn(draw, seen, people, (), pictures.PRIVATE) for _ in range(1000)))
    assert len(set(drawn)) == 1
    assert sum(drawer.pictures.values()) == 1


# FOUND W2
async def test_no_channel_of_another_server_gets_puzzles_and_none_that_is_closed(tmp_path: Path) -> None:
    async with puzzles(tmp_path / "ambit.db", 1) as at_work:
        room = at_work.room
        silenced: Any = {room.env.bot.user: discord.PermissionOverwrite(send_messages=False)}
        deaf = room.channel.guild.create_text_channel("deaf", overwrites=silenced)
        elsewhere = room.env.create_guild("Elsewhere").create_text_channel("private")
        chief = with_right(room, "Chief", manage_guild=True)
        for place, why in ((elsewhere, ". Pick one"), (deaf, ": I need the Send Messages permission in this channel.")):
            refused = await chief.slash(room.channel, "settings server", puzzles=place.mention)
            assert one_sentence(refused).startswith(f"I can't write in that channel{why}")
        await at_work.look()
        assert not list(room.newest_first(elsewhere))


async def test_after_its_channel_is_gone_a_server_gets_no_more(tmp_path: Path) -> None:
    async with puzzles(tmp_path / "ambit.db", 1) as at_work:
        room = at_work.room
        await at_work.want_posts()
        room.env.inject_error("POST", f"/channels/{room.channel.id}/messages", status=404, code=10003, times=None)
        await at_work.until(4, hours=3)
        assert await room.bot.host.part(Puzzles).posts.channel(at_work.guild_id) is None
        assert len(at_work.posts()) == 1
        # How the first one went is still said there, if anybody can see that.
        await at_work.until(6, hours=3)
        assert "is over" in at_work.posts()[0].content


async def test_no_name_does_anything_in_what_is_said_about_puzzles(tmp_path: Path) -> None:
    async with puzzles(tmp_path / "ambit.db", 1) as at_work:
        room, shares = at_work.room, []
        assert room.channel.guild is not None
        post = await at_work.want_posts()
        for name in ("Zed", *[name for name in NASTY if len(name) <= 32][:8]):
            person = Member(room.channel.guild.add_member(room.env.create_user(name)))
            shown = private(await person.click(post, label="Solve it"))
            solved = await tried(person, shown, the_days(), RIGHT)
            shares.append((await person.click(solved, label="Share")).response.content)
        for shared in shares:
            assert active(shared) == active(shares[0])
        streaks = private(await room.people[0].click(post, label="Streaks")).content
        await at_work.until(5, hours=3)
        over = next(each.content for each in at_work.posts() if each.content.startswith("**Ambit 3 "))
        assert "Zed" in streaks
        for text in (streaks, over):
            assert not [each for each in active(text) if each.startswith(("mentioned", "harmful", "link"))]


@pytest.mark.parametrize(
    "game",
    [game for game in GAMES if GAMES[game].info.hidden_information and shelves.shelf(game, Shelf.PROVEN)],
)
def test_no_page_of_a_puzzle_depends_on_what_its_solver_cant_know(game: str) -> None:
    """The post shows what everybody may see, and the panel what the seat may see, whatever the others really hold."""
    changed = 0
    for puzzle in shelves.shelf(game, Shelf.PROVEN)[:6]:
        true, solver = puzzle.start, Person(UserId(1), SOLVER)
        other = true.resample_from_infostate(puzzle.seat, random.Random(puzzle.key))
        changed += other != true
        assert true.observation(None) == other.observation(None)
        shown, supposed = (
            exercise_view.view(replace(Attempt.begin(puzzle), state=state), solver, PEOPLE, PlayerSettings())
            for state in (true, other)
        )
        assert shown.observation == supposed.observation
        assert shown.moves == supposed.moves
        draw, people = RENDERERS[game], PEOPLE[: true.players]
        assert draw.alt_text(shown.observation, people) == draw.alt_text(supposed.observation, people)
    assert changed


async def test_the_channel_for_puzzles_is_picked_from_a_menu_which_takes_one(tmp_path: Path) -> None:
    async with puzzles(tmp_path / "ambit.db", 1) as at_work:
        room = at_work.room
        chief = with_right(room, "Chief", manage_guild=True)
        page = (await chief.slash(room.channel, "settings server")).response
        page = (await chief.select(page, ["puzzles"])).response
        picker = Ref("setserver", path=("puzzles", "these")).custom_id("s")
        page = (await chief.select(page, [room.channel], custom_id=picker)).response
        assert f"The day's puzzle is posted in {room.channel.mention}" in page.content
        raw = room.env.backend.messages[room.channel.id][page.id].components[1]["components"][0]
        assert raw["max_values"] == 1
        await at_work.look()
        assert len(at_work.posts()) == 1
        # Once it's posted, the same choice posts nothing more.
        await chief.select(page, [room.channel], custom_id=picker)
        await at_work.look()
        assert len(at_work.posts()) == 1


# FOUND D7
async def test_an_owner_reads_which_puzzles_wait_and_decides_about_them(tmp_path: Path) -> None:
    async with at_home(tmp_path) as (env, channel, owner, other):
        long_ago, key = datetime(2026, 1, 1, tzinfo=UTC), "61a0e4d610"
        await env.bot.database.write(store.put_case, key, CaseRow(long_ago, long_ago, enough_at=long_ago))
        status = (await owner.slash(channel, "operator status")).response
        assert f"Puzzle {key} was reported <t:1767225600:R>: **enough people say that it's wrong.**" in status.content
        refused = (await other.slash(channel, "operator puzzle", key=key, decision="withdraw")).response
        assert refused.content == FOR_OWNERS
        for decision, said, came in (
            ("withdraw", "is withdrawn", "withdrawn, since enough people said so"),
            ("keep", "stays", "it stays, as you've decided"),
        ):
            answer = (await owner.slash(channel, "operator puzzle", key=key, decision=decision)).response
            assert answer.content.startswith(f"Puzzle {key} {said}")
            assert answer.ephemeral
            assert came in (await owner.slash(channel, "operator status")).response.content
            withdrawn = await env.bot.database.read(store.withdrawn, datetime.now(UTC) + timedelta(days=999))
            assert (key in withdrawn) == (decision == "withdraw")
        unknown = (await owner.slash(channel, "operator puzzle", key="chess", decision="keep")).response
        assert unknown.content == "Nobody has reported a puzzle with this key."
