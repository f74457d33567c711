"""Puzzles whose answer is no action, as people solve them: menus and **Answer**, in private."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import discord
import pytest

from cogs.learn import form_pages
from cogs.press.custom_ids import MAX_LENGTH, Ref
from matches.api import Ply, UserId
from matches.puzzles.attempt import Attempt
from matches.puzzles.calendar import RIGHT, WRONG
from matches.puzzles.puzzle import Puzzle, Shelf
from matches.puzzles.shelves import shelf
from tests.cogs.table import buttons, private
from tests.cogs.test_puzzles import Room, puzzles
from tests.puzzles import Book

GOLD = [puzzle for puzzle in shelf("saboteur", Shelf.PROVEN) if puzzle.kind == "gold"]
GAME = "saboteur"
BY_KIND = {"gold": GOLD}


def book_of(*given: Puzzle) -> Book:
    return Book([], {(GAME, of): tuple(each for each in given if each.shelf is of) for of in Shelf})


def menus(shown: Any) -> list[str]:
    rows = [row for row in getattr(shown, "message", shown).components if isinstance(row, discord.ActionRow)]
    return [item.custom_id or "" for row in rows for item in row.children if isinstance(item, discord.SelectMenu)]


async def fill_in(actor: Any, shown: Any, values: list[str]) -> Any:
    """Pick these values in the menus of a form, one after the other."""
    for number, value in enumerate(values):
        shown = private(await actor.select(shown, [value], custom_id=menus(shown)[number]))
    return shown


async def row_of(at_work: Room, person: Any, puzzle: Puzzle) -> Any:
    return (await at_work.room.bot.host.puzzles.standing(UserId(person.id), puzzle.key)).row


async def test_places_are_picked_and_refused_and_solved_after_a_restart(tmp_path: Path) -> None:
    puzzle = GOLD[0]
    right = Attempt.begin(puzzle).shown
    async with puzzles(tmp_path / "ambit.db", 1, book=book_of(puzzle)) as at_work:
        (ann,), room = at_work.room.people, at_work.room
        shown = private(await ann.slash(room.channel, "puzzle", game=GAME))
        assert "Where can the gold be" in shown.content
        assert next(each for each in buttons(shown) if each.label == "Answer").disabled
        shown = await fill_in(ann, shown, ["0,1,2"])
        wrong = private(await ann.click(shown, label="Answer"))
        assert "**Not this time.**" in wrong.content
        assert "You picked: All three" in wrong.content
        again = private(await ann.click(wrong, label="Try again"))
        again = await fill_in(ann, again, [right])
        await at_work.restart()
        solved = private(await ann.click(again, label="Answer"))
        assert "**Right!**" in solved.content
        assert "Solved, in 2 tries." in solved.content
        assert all(f"{place.capitalize()}: " in solved.content for place in form_pages.PLACES)
        row = await row_of(at_work, ann, puzzle)
        assert (row.answers, row.marks) == ((right,), WRONG + RIGHT)


@pytest.mark.parametrize("kind", BY_KIND)
async def test_who_is_shown_the_answer_hasnt_solved_it(tmp_path: Path, kind: str) -> None:
    puzzle = BY_KIND[kind][0]
    async with puzzles(tmp_path / "ambit.db", 1, book=book_of(puzzle)) as at_work:
        (ann,) = at_work.room.people
        shown, old = [private(await ann.user.slash("puzzle", game=GAME)) for _ in range(2)]
        shown = private(await ann.user.click(shown, label="Show me"))
        assert {"gold": "**Like this:**", "who": "**How likely each of them is a saboteur:**"}[kind] in shown.content
        assert (await row_of(at_work, ann, puzzle)).shown
        late = private(await ann.user.select(old, ["none" if kind == "gold" else "10"], custom_id=menus(old)[0]))
        assert "That page was out of date" in late.content
        mine = private(await ann.user.click(shown, label="Let me try"))
        right = Attempt.begin(puzzle).shown
        mine = await fill_in(ann.user, mine, [right] if kind == "gold" else right.split(","))
        done = private(await ann.user.click(mine, label="Answer"))
        assert "You were shown" in done.content
        assert "**Puzzle · " not in private(await ann.user.slash("puzzle", game=GAME)).content


@pytest.mark.parametrize("kind", BY_KIND)
async def test_no_form_depends_on_what_its_solver_cant_know(kind: str, tmp_path: Path) -> None:
    """The question, the board and all that has happened are the same, whatever the others really hold."""
    changed = 0
    for puzzle in BY_KIND[kind][:4]:
        other = puzzle.start.resample_from_infostate(puzzle.seat, random.Random(puzzle.key))
        changed += other != puzzle.start
        assert other.observation(puzzle.seat) == puzzle.start.observation(puzzle.seat)
        assert Attempt(puzzle, (), other).others == Attempt.begin(puzzle).others
    assert changed


async def test_every_shipped_form_fits_into_one_message(tmp_path: Path) -> None:
    async with puzzles(tmp_path / "ambit.db", 1) as at_work:
        (ann,), room = at_work.room.people, at_work.room
        for puzzle in sorted(
            (puzzle for every in BY_KIND.values() for puzzle in every), key=lambda each: -len(each.log)
        )[::8]:
            room.bot.host.puzzles.book = book_of(puzzle)
            shown = private(await ann.slash(room.channel, "puzzle", game=GAME))
            given = private(await ann.click(shown, label="Show me"))
            for page in (shown, given):
                assert len(page.content) <= 2000
                assert len(page.components) <= 5
            longest = Ref("puzset", None, Ply(10**8), (puzzle.key, "0", *["100"] * (puzzle.header.players - 1)))
            assert len(longest.text("s")) <= MAX_LENGTH
