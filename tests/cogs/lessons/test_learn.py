"""Lessons as people do them: in private, by the panel of a match, wherever they are and whatever happens meanwhile."""

import asyncio
import os
import random
import re
from pathlib import Path
from typing import Any, Final

import discord
import pytest
from sqlalchemy import text

from cogs.learn.exercise_pages import TRAPS
from cogs.lessons.lesson_pages import Learner, lesson, seen
from cogs.post import pictures
from cogs.press import components
from cogs.press.custom_ids import Ref, parse
from cogs.text.words import MAX_CONTENT
from db import Connection
from games import GAMES, lessons
from games.lessons import Attempt
from matches.api import Person, PlayerSettings, Status, UserId
from matches.computers.levels import Level
from matches.lessons import LessonPage, Lessons, Standing
from tests.cogs.album import Album, sketch
from tests.cogs.table import Table, behind, buttons, entries, labels, menu, pick, private, table

GAME: Final = "ambush"
TRIES: Final = 1
"""How often a newcomer tries before they ask to be shown."""

MANY: Final = int(os.environ.get("AMBIT_LEARNERS", "1000"))


def words_of(text: str) -> set[str]:
    """What a reader recognises: longer words, and everything in notation."""
    return {word for word in re.findall(r"[a-z]{3,}|[a-z]?-?[0-9][-,0-9]*", text.casefold()) if word != "the"}


class Newcomer:
    """Somebody who knows only what they read: the task, the buttons, and the answers to their tries."""

    def __init__(self, person: Any, place: Any) -> None:
        self.person = person
        self.place = place
        self.tried: set[tuple[str, ...]] = set()
        self.picked: list[str] = []
        self.wrong = 0
        self.shown = 0

    async def click(self, shown: Any, label: str) -> Any:
        return private(await self.person.click(shown, label=label))

    async def finish(self, game: str) -> Any:
        """Do a whole course. Return its last page."""
        shown = private(await self.person.slash(self.place, "learn", game=game))
        while "Start over" not in labels(shown):
            shown = await self._step(shown)
        return shown

    async def _step(self, shown: Any) -> Any:
        """Do one step of a lesson, with as many tries as it takes. Return the page after it."""
        self.tried.clear()
        for _ in range(TRIES):
            answered = await self._try(shown, task=shown.content)
            if "Next" in labels(answered):
                return await self.click(answered, "Next")
            self.wrong += 1
            assert {"Try again", "Show me", "Skip"} <= set(labels(answered))
            assert re.search(r"\n\*\*Not this time\.\*\* .+\n-# You picked: .+", answered.content), answered.content
            shown = await self.click(answered, "Try again")
        self.shown += 1
        answered = await self.click(shown, "Show me")
        found = re.search(r"\*\*Like this:\*\* (.+)\.\n", answered.content)
        assert found is not None, answered.content
        shown = await self.click(answered, "Let me try")
        answered = await self._do(shown, found[1].split(" → "))
        assert answered.content.count("**Right!**") == 1, answered.content
        return await self.click(answered, "Next")

    async def _try(self, shown: Any, task: str) -> Any:
        """Try what the task mentions, unless they tried it already."""
        wanted, path = words_of(task), tuple[str, ...]()
        while "Confirm" not in labels(shown):
            offered = [(label, entry) for label, entry in self._offers(shown) if (*path, label) not in self.tried]
            if not offered:
                self.tried.add(path)
                return await self._try(await self._first_page(shown), task)
            label, entry = max(offered, key=lambda each: len(words_of(each[0]) & wanted))
            path = (*path, label)
            shown = private(await pick(self.person, shown, entry))
        self.tried.add(path)
        return await self.click(shown, "Confirm")

    async def _first_page(self, shown: Any) -> Any:
        while "Back" in labels(shown):
            shown = await self.click(shown, "Back")
        return shown

    async def _do(self, shown: Any, wanted: list[str]) -> Any:
        """Do what was shown, step by step, in its words."""
        for _ in range(12):
            if "Confirm" in labels(shown):
                break
            left = [each for each in wanted if f"{each}" not in self._picked(shown)]
            fitting = [entry for label, entry in self._offers(shown) if self._begins(label, left)]
            assert fitting, (wanted, shown.content, self._offers(shown))
            shown = private(await pick(self.person, shown, fitting[0]))
        for _ in range(4):
            if "Turn" not in labels(shown) or wanted[-1] in self._picked(shown):
                break
            shown = await self.click(shown, "Turn")
        return await self.click(shown, "Confirm")

    @staticmethod
    def _picked(shown: Any) -> list[str]:
        """The picks so far, according to the panel."""
        _, _, last = shown.content.rpartition("\n\n")
        return [each for line in last.split("\n") for each in line.split(" → ")]

    @staticmethod
    def _begins(label: str, left: list[str]) -> bool:
        """Whether an entry comes next. One for several steps names them one after the other."""
        whole = label.removesuffix(" (you)").casefold()
        names = (whole, whole.partition(" · ")[2], f"swap with {whole.partition(' ⇄ ')[2]}")
        return any(", ".join(left[:count]).casefold() in names for count in range(1, len(left) + 1))

    @staticmethod
    def _offers(shown: Any) -> list[tuple[str, str]]:
        picking = menu(shown)
        if picking is not None:
            return [(option.label, option.value) for option in picking.options]
        by_id = {button.custom_id: button.label or "" for button in buttons(shown)}
        return [(by_id[entry], entry) for entry in entries(shown)]


def noise(room: Table, since: int) -> list[Any]:
    """What went to Discord besides the answers to presses and commands."""
    made = room.env.http_requests[since:]
    return [each for each in made if "/callback" not in each.path and "/webhooks/" not in each.path]


async def rows(room: Table, name: str) -> int:
    """How many rows a table of the store has."""

    def work(connection: Connection) -> int:
        found: int = connection.execute(text(f"SELECT count(*) FROM {name}")).scalar_one()
        return found

    return await room.bot.host.work.read(work)


async def open_lesson(person: Any, place: Any, game: str = GAME) -> Any:
    return private(await person.slash(place, "learn", game=game))


async def click(person: Any, shown: Any, label: str) -> Any:
    return private(await person.click(shown, label=label))


def heading(shown: Any) -> str:
    first: str = shown.content.partition("\n")[0]
    return first


def turns(shown: Any) -> set[int | None]:
    """The turns that the buttons of a page carry, except **Rules**. They say when the page was made."""
    refs = [parse(button.custom_id or "") for button in buttons(shown)]
    return {ref.ply for ref in refs if ref is not None and ref.verb != "rules"}


@pytest.mark.parametrize("game", GAMES)
async def test_a_newcomer_who_reads_finishes_every_course_by_the_panel(
    tmp_path: Path, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The newcomer uses texts only. Other tests look at the pictures of a page.
    sketch(game, Album(random.Random(1), 0), monkeypatch)
    async with table(tmp_path / "ambit.db", 1) as room:
        ann, before = room.people[0], len(room.env.http_requests)
        newcomer = Newcomer(ann, room.channel)
        end = await newcomer.finish(game)
        assert "finished the course" in end.content
        assert list(await room.bot.host.part(Lessons).learnt(UserId(ann.id))) == [game]
        assert noise(room, before) == []
        assert room.channel.history() == []
        steps = sum(len(each.steps) for each in lessons.lessons(game))
        assert newcomer.shown < steps, "no task could be understood from its text"
        assert await rows(room, "matches") == 0


async def test_what_is_wrong_is_told_by_its_rule_with_a_picture_and_a_way_to_read_it(room1: Table) -> None:
    ann = room1.people[0]
    wrong = lessons.lessons(GAME)[0].steps[0].wrong[0]
    task = private(await ann.slash(room1.channel, "learn", game=GAME)).content
    assert (TRAPS in task) == any(each.trap for each in lessons.lessons(GAME)[0].steps[0].wrong)
    shown = private(await ann.slash(room1.channel, "learn", game=GAME, move=wrong.actions[0]))
    assert f"**Not this time.** {wrong.words}" in shown.content
    assert wrong.rule not in shown.content, "a number says nothing to a newcomer; **Rules** opens its section"
    assert len(shown.attachments) == 1
    section = await click(ann, shown, "Rules")
    assert GAMES[GAME].info.name in section.content
    assert heading(await click(ann, shown, "Try again")) == heading(shown)


async def test_it_goes_on_where_one_left_off_also_after_a_restart_in_the_middle(room1: Table) -> None:
    ann = room1.people[0]
    shown = await click(ann, await open_lesson(ann, room1.channel), "Show me")
    after = await click(ann, shown, "Next")
    await room1.restart()
    again = await open_lesson(ann, room1.channel)
    assert again.content == after.content
    assert labels(again) == labels(after)
    # The page from before the restart still works.
    assert "Like this" in (await click(ann, after, "Show me")).content


async def test_a_second_press_and_an_old_page_say_so_and_do_nothing(room1: Table) -> None:
    ann = room1.people[0]
    old, other = [await open_lesson(ann, room1.channel) for _ in range(2)]
    menu_of_old = [button.custom_id for button in buttons(old)]
    now = await click(ann, other, "Skip")
    assert heading(now) != heading(old)
    turn = (await room1.bot.host.part(Lessons).standing(UserId(ann.id), GAME)).turn
    for custom_id in menu_of_old:
        answered = private(await ann.click(old, custom_id=custom_id))
        assert answered.content.startswith("That page was out of date, so nothing happened.")
        assert heading(now) in answered.content
    assert (await room1.bot.host.part(Lessons).standing(UserId(ann.id), GAME)).turn == turn


async def test_what_is_forged_or_anothers_touches_only_the_pressers_own_course(room2: Table) -> None:
    ann, bob = room2.people
    await click(ann, await click(ann, await open_lesson(ann, room2.channel), "Show me"), "Next")
    before = await room2.bot.host.part(Lessons).standing(UserId(ann.id), GAME)
    channel = room2.bot.get_channel(room2.channel.id)
    assert isinstance(channel, discord.TextChannel)
    verbs = ("trypick", "trypage", "tryback", "tryconfirm", "showme", "shown", "skip", "goback", "startover")
    for verb in ("learn", "lesson", *verbs, "practise"):
        own = (await room2.bot.host.part(Lessons).standing(UserId(bob.id), GAME)).turn
        for turn, path in ((own, (GAME, "SB2")), (before.turn, (GAME, str(ann.id))), (None, ("chess",)), (None, ())):
            ref = Ref(verb, None, turn, path)
            message = await channel.send("here", view=components.view(components.button(ref, "Forged")))
            result = await bob.click(message, label="Forged")
            assert "went wrong" not in result.response.content
    assert await room2.bot.host.part(Lessons).standing(UserId(ann.id), GAME) == before


async def test_a_lesson_is_private_in_a_channel_and_a_thread_and_stays_in_a_dm(room2: Table) -> None:
    room2.close_dms()
    ann = room2.people[0]
    await room2.open("gambo", where="thread")
    await room2.people[1].click(room2.latest("Join"), label="Join")
    (thread,) = room2.channel.threads
    before = len(room2.env.http_requests)
    posted = [len(place.history()) for place in (room2.channel, thread)]
    for place in (room2.channel, thread):
        shown = await open_lesson(ann, place)
        assert shown.ephemeral
        assert "Next" in labels(await click(ann, shown, "Show me"))
    shown = private(await ann.user.slash("learn", game=GAME))
    assert not shown.ephemeral
    shown = await click(ann.user, shown, "Show me")
    assert "(2 of 2)" in heading(await click(ann.user, shown, "Next"))
    assert [len(place.history()) for place in (room2.channel, thread)] == posted
    assert noise(room2, before) == []


async def test_p29_without_attach_files_the_board_of_a_lesson_comes_as_text(tmp_path: Path) -> None:
    async with table(tmp_path / "ambit.db", 1, denied="attach_files") as room:
        ann = room.people[0]
        shown = await open_lesson(ann, room.channel, "ambagibus")
        while "Skip" in labels(shown):
            assert not shown.attachments
            assert shown.content.endswith("\n```"), "the board stands under the task, and is whole"
            shown = await click(ann, shown, "Skip")


@pytest.mark.parametrize("game", GAMES)
async def test_every_task_fits_a_message_with_its_board_in_words(game: str) -> None:
    learner = Learner(Person(UserId(1), "W" * 32), PlayerSettings())
    for each in lessons.lessons(game):
        attempt = Attempt.begin(each)
        while attempt.step is not None:
            standing = Standing(game, attempt, 0, frozenset(), frozenset(), None, None)
            page = await lesson(standing, learner, in_server=True)
            assert len(page.content) + 1 + len(pictures.in_words(seen(attempt, learner))) <= MAX_CONTENT
            attempt = attempt.after(attempt.shown)


async def test_typed_moves_are_tried_like_picked_ones(room1: Table) -> None:
    ann = room1.people[0]
    step = lessons.lessons(GAME)[0].steps[0]
    offered = await ann.autocomplete(room1.channel, "learn", "move", step.shown, game=GAME)
    assert step.shown in {choice["value"] for choice in offered}
    games = await ann.autocomplete(room1.channel, "learn", "game", "Sab")
    assert [choice["value"] for choice in games] == ["saboteur"]
    asked = private(await ann.slash(room1.channel, "learn", game="Ambush", move=f" {step.shown.lower()} "))
    assert f"I read that as `{step.shown}`" in asked.content
    assert step.right in (await click(ann, asked, "Confirm")).content
    refused = private(await ann.slash(room1.channel, "learn", game=GAME, move="nonsense"))
    assert "I couldn't read" in refused.content
    unknown = private(await ann.slash(room1.channel, "learn", game="chess"))
    assert "`/learn`" in unknown.content


async def test_the_games_own_command_knows_of_an_open_lesson(room1: Table) -> None:
    ann = room1.people[0]
    assert "/learn" not in private(await ann.slash(room1.channel, f"{GAME} play", move="SB2")).content
    await click(ann, await open_lesson(ann, room1.channel), "Skip")
    answered = private(await ann.slash(room1.channel, f"{GAME} play", move="SB2"))
    assert f"`/learn game:{GAME}`" in answered.content


async def test_courses_are_listed_with_how_far_one_is(room1: Table) -> None:
    ann = room1.people[0]
    await click(ann, await open_lesson(ann, room1.channel), "Skip")
    listed = private(await ann.slash(room1.channel, "learn"))
    assert labels(listed) == [GAMES[key].info.name for key in GAMES]
    assert f"**{GAMES[GAME].info.name}**: 0 of {len(lessons.lessons(GAME))} lessons done." in listed.content
    assert "lesson 2 of" in heading(await click(ann, listed, GAMES[GAME].info.name))


async def test_the_end_of_a_course_opens_a_table_against_easy_computers(room1: Table) -> None:
    ann = room1.people[0]
    shown = await open_lesson(ann, room1.channel)
    while "Skip" in labels(shown):
        shown = await click(ann, shown, "Skip")
    assert "skipped" in shown.content
    in_dm = private(await ann.user.slash("learn", game=GAME))
    assert not any(label and label.startswith("Play") for label in labels(in_dm))
    assert "Add missing computers" in in_dm.content
    await ann.click(shown, label="Play an easy computer")
    lobby = room1.latest("Start")
    (match,) = await room1.bot.host.look.matches_in(room1.channel.id)
    assert [seat.computer for seat in match.seats] == [None, Level.EASY]
    await ann.click(lobby, label="Start")
    assert (await room1.bot.host.look.match(match.id)).status is Status.RUNNING
    shown = await click(ann, await open_lesson(ann, room1.channel), "Do what I skipped")
    assert "lesson 1 of" in heading(shown)


async def test_lobby_help_and_first_rules_offer_the_lessons(room2: Table) -> None:
    ann, bob = room2.people
    await room2.open("saboteur")
    posted = len(room2.channel.history())
    lobby = room2.latest("Join")
    learning = private(await behind(bob, lobby, "Learn"))
    assert "Saboteur · lesson 1 of" in learning.content
    assert learning.ephemeral
    assert (room2.refreshed(lobby).content, len(room2.channel.history())) == (lobby.content, posted)
    listed = await click(ann, private(await ann.slash(room2.channel, "help")), "Learn a game")
    assert listed.content.startswith("**Learn by playing.**")
    rules = private(await ann.slash(room2.channel, f"{GAME} rules"))
    assert f"{GAMES[GAME].info.name} · lesson 1" in (await click(ann, rules, "Learn")).content
    assert "Learn" not in labels(await click(ann, rules, "Next ▶"))
    shown = await open_lesson(ann, room2.channel)
    while "Start over" not in labels(shown):
        shown = await click(ann, await click(ann, shown, "Show me"), "Next")
    assert "You've been through all lessons." in shown.content
    assert "Well done" not in shown.content, "they were shown it"
    assert "Learn" not in labels(private(await ann.slash(room2.channel, f"{GAME} rules")))


@pytest.mark.parametrize(
    "people", [pytest.param(len(GAMES), id="few"), pytest.param(MANY, id="many", marks=pytest.mark.soak)]
)
async def test_many_people_learn_at_once_and_each_is_where_they_are(room1: Table, people: int) -> None:
    host = room1.bot.host

    async def learn(number: int) -> None:
        user, game = UserId(10_000 + number), list(GAMES)[number % len(GAMES)]
        learner = Learner(Person(user, f"Person {number}"), PlayerSettings())
        for turn in range(number % 4):
            standing = await host.part(Lessons).standing(user, game)
            await host.part(Lessons).answer(LessonPage(user, game, turn, number * 10 + turn), standing.attempt.shown)
        standing = await host.part(Lessons).standing(user, game)
        assert standing.turn == number % 4
        message = await lesson(standing, learner, in_server=True)
        assert f"{GAMES[game].info.name} · lesson {standing.number} of" in message.content

    await asyncio.gather(*map(learn, range(people)))
    assert await rows(room1, "lessons") == sum(1 for number in range(people) if number % 4)
    assert await rows(room1, "matches") == 0
