"""Puzzles whose answer is no action, as people solve them: menus and **Answer**, in private."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import discord
import pytest

from cogs.press import components
from cogs.press.custom_ids import MAX_LENGTH, Ref
from cogs.puzzles import form_pages
from cogs.puzzles.puzzle_pages import SOLVER
from matches.api import Ply, UserId
from matches.puzzles import Puzzles
from matches.puzzles.attempt import Attempt
from matches.puzzles.calendar import RIGHT, WRONG
from matches.puzzles.puzzle import Moved, Odds, Puzzle, Shelf
from matches.puzzles.shelves import shelf
from tests.cogs.puzzles.test_puzzles import Room, puzzles
from tests.cogs.table import buttons, labels, private
from tests.cogs.test_manners import one_sentence
from tests.matches.puzzles.made import Book

GOLD = [puzzle for puzzle in shelf("saboteur", Shelf.PROVEN) if puzzle.kind == "gold"]
WHO = [puzzle for puzzle in shelf("saboteur", Shelf.JUDGED) if puzzle.kind == "who"]
GAME = "saboteur"
BY_KIND = {"gold": GOLD, "who": WHO}


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
    return (await at_work.room.bot.host.part(Puzzles).standing(UserId(person.id), puzzle.key)).row


async def test_places_are_picked_and_refused_and_solved_after_a_restart(tmp_path: Path) -> None:
    puzzle = GOLD[0]
    right = Attempt.begin(puzzle).shown
    async with puzzles(tmp_path / "ambit.db", 1, book=book_of(puzzle)) as at_work:
        (ann,), room = at_work.room.people, at_work.room
        shown = private(await ann.slash(room.channel, "puzzle", game=GAME))
        assert "can still be the gold" in shown.content
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


async def test_odds_are_scored_and_never_right_or_wrong(tmp_path: Path) -> None:
    puzzle = WHO[0]
    asked = puzzle.first
    assert isinstance(asked, Odds)
    async with puzzles(tmp_path / "ambit.db", 1, book=book_of(puzzle)) as at_work:
        (ann,), room = at_work.room.people, at_work.room
        shown, old = [private(await ann.slash(room.channel, "puzzle", game=GAME, shelf="judged")) for _ in range(2)]
        assert "no answer is right or wrong" in shown.content
        assert " · You " in shown.content
        assert SOLVER not in shown.content
        assert len(menus(shown)) == len(asked.chances)
        values = asked.text.split(",")
        shown = await fill_in(ann, shown, values[:1])
        await at_work.restart()
        for number, value in enumerate(values[1:], 1):
            shown = private(await ann.select(shown, [value], custom_id=menus(shown)[number]))
        done = private(await ann.click(shown, label="Answer"))
        assert done.content.count("**Spot on!**") == 1
        assert form_pages.BELIEVED in done.content
        assert "Right" not in done.content
        assert "Solved" not in done.content
        for chance, value in zip(asked.chances, values, strict=True):
            # Nobody can know, so nothing is told as certain.
            told = "under 1" if chance < 10 else "over 99" if chance > 990 else str(round(chance / 10))
            assert f"**{told}%** (you said {value}%)" in done.content
        # Why each of these turns moved the odds: which side does that more often.
        assert done.content.count(" times as often as a ") == len(asked.moved)
        assert done.content.count(": a saboteur does that ") == sum(each.after > each.before for each in asked.moved)
        assert labels(done) == ["Another puzzle", "Report this puzzle"]
        # A page from before says how it went, and changes nothing.
        late = private(await ann.select(old, ["100"], custom_id=menus(old)[0]))
        assert "**Spot on!**" in late.content
        row = await row_of(at_work, ann, puzzle)
        assert (row.answers, len(row.marks), row.shown) == ((asked.text,), 1, False)


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


async def test_odds_are_reported_like_any_puzzle(tmp_path: Path) -> None:
    async with puzzles(tmp_path / "ambit.db", 1, book=book_of(WHO[0])) as at_work:
        (ann,), room = at_work.room.people, at_work.room
        shown = private(await ann.slash(room.channel, "puzzle", game=GAME))
        shown = private(await ann.click(shown, label="Show me"))
        asked = private(await ann.click(shown, label="Report this puzzle"))
        told = private(await ann.click(asked, label="Report it"))
        assert "Thank you!" in told.content
        assert "no answer is right or wrong" in private(await ann.click(told, label="◀ Back")).content


async def test_forged_answers_get_a_sentence_and_store_nothing(tmp_path: Path) -> None:
    gold, who = GOLD[0], WHO[0]
    people = len(Attempt.begin(who).others)
    async with puzzles(tmp_path / "ambit.db", 1, book=book_of(gold, who)) as at_work:
        (ann,), room = at_work.room.people, at_work.room
        place = room.bot.get_partial_messageable(room.channel.id)
        paths = [
            *((who.key, *[each] * people) for each in ("110", "-10", "5", "x", "")),
            *((who.key, *["10"] * many) for many in (1, people - 1, people + 1)),
            *((gold.key, each) for each in ("3", "1,0", "x", "10", "")),
            (gold.key,),
            (who.key,),
            (),
            ("x", "0"),
        ]
        forged = [Ref("puzgive", None, Ply(0), path) for path in paths]
        forged += [Ref("puzset", None, Ply(0), path) for path in (*paths, (gold.key, "1", ""), (gold.key, "0", ""))]
        forged += [Ref(f"puz{verb}", None, Ply(0), (who.key,)) for verb in ("pick", "page", "back", "confirm")]
        for ref in forged:
            message = await place.send("forged", view=components.view(components.button(ref, "Forged")))
            result = await ann.click(message, label="Forged")
            assert one_sentence(result), ref
            assert not result.response.attachments, ref
        for puzzle in (gold, who):
            assert (await row_of(at_work, ann, puzzle)).turn == 0


def test_how_often_a_side_does_something_is_told_in_steps_and_bounded() -> None:
    told = [
        form_pages._why(Moved(0, 0, before, after))
        for before, after in (
            (500, 600),
            (500, 666),
            (500, 780),
            (500, 910),
            (500, 999),
            (500, 1000),
            (500, 0),
            (400, 12),
        )
    ]
    often = "does that {} times as often as a"
    assert told == [
        *(f"a saboteur {often.format(f'about {times}')} gold-digger." for times in ("1.5", "2", "4", "10")),
        *[f"a saboteur {often.format('over 20')} gold-digger."] * 2,
        *[f"a gold-digger {often.format('over 20')} saboteur."] * 2,
    ]
    assert form_pages._why(Moved(0, 0, 750, 500)) == "a gold-digger does that about 3 times as often as a saboteur."


@pytest.mark.parametrize("kind", BY_KIND)
async def test_no_form_depends_on_what_its_solver_cant_know(kind: str, tmp_path: Path) -> None:
    """The question, the board and all that has happened are the same, whatever the others really hold."""
    changed = 0
    for puzzle in BY_KIND[kind][:4]:
        other = puzzle.start.resample_from_infostate(puzzle.seat, random.Random(puzzle.key))
        changed += other != puzzle.start
        assert other.observation(puzzle.seat) == puzzle.start.observation(puzzle.seat)
        assert replace(Attempt.begin(puzzle), state=other).others == Attempt.begin(puzzle).others
    assert changed


async def test_every_shipped_form_fits_into_one_message(tmp_path: Path) -> None:
    async with puzzles(tmp_path / "ambit.db", 1) as at_work:
        (ann,), room = at_work.room.people, at_work.room
        for puzzle in sorted(
            (puzzle for every in BY_KIND.values() for puzzle in every), key=lambda each: -len(each.log)
        )[::8]:
            room.bot.host.part(Puzzles).book = book_of(puzzle)
            shown = private(await ann.slash(room.channel, "puzzle", game=GAME))
            given = private(await ann.click(shown, label="Show me"))
            for page in (shown, given):
                assert len(page.content) <= 2000
                assert len(page.components) <= 5
            longest = Ref("puzset", None, Ply(10**8), (puzzle.key, "0", *["100"] * (puzzle.header.players - 1)))
            assert len(longest.text("s")) <= MAX_LENGTH
